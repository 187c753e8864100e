"""Answers as JSON objects, stable and versioned ("schema": 1); docs/cli.md describes every field."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from ..analysis.impossible import Components, Group
from ..contract.answers import DepthTable, Fitting, NearSolutions, Solution
from ..errors import LimitError
from ..model.model import Model
from ..puzzle.answers import Distance, Generated, Proposed
from ..puzzle.draft import Claim
from ..puzzle.puzzle import Puzzle
from .words import cycle_names

if TYPE_CHECKING:
    from ..symmetry import SymmetryGroup as Symmetries

SCHEMA = 1
SHOWN = 20
"""The most hardest positions listed."""

Object = dict[str, Any]


def _head(puzzle: Puzzle, **fields: Any) -> Object:
    return {"schema": SCHEMA, "puzzle": puzzle.name, **fields}


def stopped(error: LimitError | None) -> Object | None:
    """Return the object of the limit that stopped an answer."""
    return None if error is None else {"kind": error.kind, "text": str(error)}


def solution(puzzle: Puzzle, model: Model, answer: Solution) -> Object:
    """Return the object of `solve`; the path is one-line drawings in the puzzle's own letters."""
    frames = puzzle.frames(answer.path, model) if answer.path else ()
    reason = answer.reason and {"kind": answer.reason.kind, "text": answer.reason.text}
    return _head(
        puzzle,
        metric=answer.metric,
        status=answer.status.value,
        moves=answer.moves,
        bound=answer.bound,
        unchecked=answer.unchecked,
        solutions=answer.solutions,
        solutions_commuting=answer.solutions_commuting,
        solutions_unordered=answer.solutions_unordered,
        solutions_symmetry=answer.solutions_symmetry,
        path=[puzzle.line(frame.position, frame.words) for frame in frames],
        names=list(answer.names),
        reason=reason,
        stopped=stopped(answer.stopped),
        engine=answer.engine,
        positions=answer.generated,
        expanded=answer.expanded,
        rests_on=answer.rests_on,
        seconds=round(answer.seconds, 6),
    )


def near(answer: NearSolutions) -> Object:
    """Return the object of solutions that may be longer than a shortest one."""
    return {
        "at_most": answer.most,
        "counts": [
            {"moves": moves, "solutions": number} for moves, number in enumerate(answer.counts, answer.shortest or 0)
        ],
        "solutions": [
            {"moves": each.moves, "path": list(map(str, each.path)), "names": list(each.names)}
            for each in answer.solutions
        ],
        "stopped": stopped(answer.stopped),
    }


def table(puzzle: Puzzle, answer: DepthTable) -> Object:
    """Return the object of `depths` and `hardest`."""
    shown = {} if answer.fitting is None else {"fitting": fitting(answer.fitting)}
    return _head(
        puzzle,
        metric=answer.metric,
        origin=answer.origin,
        measured=None if answer.measured is None else asdict(answer.measured),
        states=answer.states,
        depth=answer.depth,
        counts=list(answer.counts),
        hardest={
            "count": answer.counts[-1] if answer.counts else 0,
            "classes": answer.classes,
            "positions": [puzzle.line(position) for position in answer.hardest[:SHOWN]],
        },
        complete=answer.complete,
        exact=answer.exact,
        stopped=stopped(answer.stopped),
        engine=answer.engine,
        seconds=round(answer.seconds, 6),
        **shown,
    )


def fitting(found: Fitting) -> Object:
    """Return the object of the positions that fit a pattern."""
    return {
        "counts": list(found.counts), "positions": found.positions, "least": found.least, "greatest": found.greatest,
    }  # fmt: skip


def distance(puzzle: Puzzle, answer: Distance) -> Object:
    """Return the object of `distance`."""
    return _head(
        puzzle,
        metric=answer.solution.metric,
        status=answer.solution.status.value,
        distance=answer.distance,
        unchecked=answer.solution.unchecked,
        next=[{"name": name, "position": puzzle.line(position)} for name, position in answer.next],
        bound=answer.solution.bound,
        stopped=stopped(answer.solution.stopped),
        seconds=round(answer.solution.seconds, 6),
    )


def components(puzzle: Puzzle, found: Components, groups: tuple[Group, ...]) -> Object:
    """Return the object of `components`."""
    names = puzzle.board.names
    return _head(
        puzzle,
        positions=found.positions,
        components=[{"size": size, "count": count} for size, count in found.sizes],
        fixed=found.fixed,
        solvable=found.solvable,
        pieces=[{"count": count, "states": states} for count, states in found.pieces],
        groups=[
            {
                "cells": [names[cell] for cell in group.cells],
                "components": [{"size": size, "count": count} for size, count in group.sizes],
            }
            for group in groups
        ],
    )


def symmetries(puzzle: Puzzle, group: Symmetries, start: bool) -> Object:
    """Return the object of `symmetries`."""
    found = [cycle_names(puzzle, each) for each in group.generators]
    return _head(
        puzzle,
        keeps=["goal", "start"] if start else ["goal"],
        order=group.order,
        complete=group.complete,
        stopped=stopped(group.stopped),
        generators=[{"cells": cells, "symbols": symbols} for cells, symbols in found],
    )


def generated(puzzle: Puzzle, answer: Generated) -> Object:
    """Return the object of `generate` and `random`."""
    model = puzzle.model(answer.metric)
    shown: list[Object] = []
    for number, position in enumerate(answer.positions):
        path = answer.paths[number] if answer.paths else ()
        shown.append(
            {
                "position": puzzle.line(position),
                "depth": answer.depths[number] if answer.depths else None,
                "solution": [frame.name for frame in puzzle.frames(path, model)[1:]] if path else None,
            }
        )
    return _head(
        puzzle,
        metric=answer.metric,
        origin=answer.origin,
        method=answer.method,
        uniform=answer.uniform,
        seed=answer.seed,
        positions=shown,
        counts=list(answer.counts),
        total=answer.total,
        fitting=answer.fitting,
        short=answer.short,
        stopped=stopped(answer.stopped),
        engine=answer.engine,
        seconds=round(answer.seconds, 6),
    )


def claims(puzzle: Puzzle, found: list[Claim]) -> Object:
    """Return the object of `check`."""
    return _head(
        puzzle,
        known=[
            {
                "what": claim.known.what,
                "from": "start" if claim.known.from_start else "goal",
                "metric": claim.known.metric or puzzle.metrics[0],
                "value": claim.known.value,
                "found": claim.found,
                "holds": claim.holds,
                "source": claim.known.source,
            }
            for claim in found
        ],
    )


def proposed(puzzle: Puzzle, found: Sequence[Proposed]) -> Object:
    """Return the object of `check --solution`."""
    return _head(
        puzzle,
        solutions=[
            {
                "legal": each.problem is None,
                "problem": each.problem and each.problem.problem,
                "line": each.problem and each.problem.line,
                "column": each.problem and each.problem.column,
                "moves": dict(each.moves),
                "metric": each.metric,
                "shortest": each.is_shortest,
                "optimum": each.shortest and each.shortest.moves,
                "bound": each.shortest and each.shortest.bound,
                "stopped": each.shortest and stopped(each.shortest.stopped),
            }
            for each in found
        ],
    )


def summary(puzzle: Puzzle) -> Object:
    """Return the fields of a puzzle that `list` and `show` share."""
    return {
        "name": puzzle.name,
        "title": puzzle.title,
        "rule": puzzle.kind.name,
        "cells": puzzle.board.cells,
        "metrics": list(puzzle.metrics),
        "known": [
            {
                "what": known.what,
                "value": known.value,
                "metric": known.metric or puzzle.metrics[0],
                "source": known.source,
            }
            for known in puzzle.known
        ],
    }


def puzzle(shown: Puzzle) -> Object:
    """Return the object of `show`."""
    return {
        "schema": SCHEMA,
        **summary(shown),
        "start": shown.line(shown.start) if shown.start is not None else None,
        "goals": [shown.line(goal.position) for goal in shown.goals if goal.position is not None],
    }
