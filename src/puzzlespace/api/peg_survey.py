"""Peg solitaire from one hole to one last peg: the fewest moves for every pair of cells, each up to symmetry."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ..analysis.impossible import goal_positions, why_impossible
from ..contract.answers import Reason, Solution, Status
from ..engines import pegs
from ..engines.shared import selfcheck
from ..errors import InputError, LimitError, SelfCheckError, UnsupportedError
from ..limits.stopping import Overdue, limit_of
from ..limits.watch import Limits, Progress, Watch, phase, watched
from ..model import replay as judge
from ..model.goal import Goal
from ..model.metric import Metric
from ..model.model import Model
from ..puzzle.puzzle import Puzzle
from ..symmetry import SymmetryGroup, symmetries
from . import questions

HOLE, PEG = 0, 1
"""The symbols of a puzzle with one kind of peg."""

Report = Callable[[Progress], None]


@dataclass(frozen=True)
class Outcome:
    """The answer to one problem: at the start all cells but `hole` have a peg; at the end only `last` has one.

    alike  every pair (hole, last) of an equivalent problem, by symmetry
    """

    hole: int
    last: int
    alike: frozenset[tuple[int, int]]
    answer: Solution


def problems(
    puzzle: Puzzle,
    *,
    metric: str = "",
    holes: Sequence[str] = (),
    lasts: Sequence[str] = (),
    limits: Limits = Limits(),
    progress: Report | None = None,
) -> Iterator[Outcome]:
    """Solve every problem from one hole to one last peg, one of each class of problems under the symmetries.

    metric         what counts as one move (default: the puzzle's)
    holes, lasts   only problems with these first holes and last pegs (names of cells)
    limits         for each first hole
    Raises InputError for an unknown cell, UnsupportedError unless the puzzle is peg solitaire with one kind of peg.
    The method is in docs/methods/pegs.md.
    """
    for hole, wanted in by_hole(puzzle, metric, holes, lasts, limits, progress):
        answers: list[tuple[int, Solution]] = []
        with watched(limits, progress) as watch:
            try:
                for answer in _answers(puzzle, metric, hole, wanted, watch):
                    answers.append(answer)
            except (LimitError, Overdue) as late:
                answers += _stopped(wanted.keys() - dict(answers).keys(), metric or puzzle.metrics[0], late, watch)
        yield from (Outcome(hole, last, wanted[last], answer) for last, answer in answers)


def _stopped(
    lasts: Iterable[int], metric: str, late: LimitError | Overdue, watch: Watch
) -> list[tuple[int, Solution]]:  # fmt: skip
    """Return the answers for the last pegs to which a limit stopped the search."""
    limit = limit_of(late)
    found = Solution(
        Status.STOPPED, metric, None, limit.bound, (), (), pegs.ENGINE.name, watch.generated, watch.seconds,
        stopped=limit,
    )  # fmt: skip
    return [(last, found) for last in sorted(lasts)]


def by_hole(
    puzzle: Puzzle,
    metric: str,
    holes: Sequence[str],
    lasts: Sequence[str],
    limits: Limits = Limits(),
    progress: Report | None = None,
) -> list[tuple[int, dict[int, frozenset[tuple[int, int]]]]]:
    """Return for each first hole the last pegs to solve, each with the problems that are equivalent by symmetry.

    Parameters and errors are those of `problems`.
    """
    check_pegs(puzzle)
    with watched(limits, progress), phase("the symmetries were sought"):
        model = replace(puzzle.model(metric), start=None, goals=())
        group = symmetries(model)
    firsts, ends = (_cells(puzzle, names) for names in (holes, lasts))
    seen: set[tuple[int, int]] = set()
    found: list[tuple[int, dict[int, frozenset[tuple[int, int]]]]] = []
    for hole in firsts:
        wanted: dict[int, frozenset[tuple[int, int]]] = {}
        for last in ends:
            if (hole, last) not in seen:
                wanted[last] = _images(group, (hole, last))
                seen |= wanted[last]
        found.append((hole, wanted))
    return found


def _images(group: SymmetryGroup, ends: tuple[int, int]) -> frozenset[tuple[int, int]]:
    """Return a hole and a last peg with all their images."""
    found, pending = {ends}, [ends]
    while pending:
        hole, last = pending.pop()
        for each in group.generators:
            image = each.cells[hole], each.cells[last]
            if image not in found:
                found.add(image)
                pending.append(image)
    return frozenset(found)


def _answers(
    puzzle: Puzzle, metric: str, hole: int, wanted: Mapping[int, frozenset[tuple[int, int]]], watch: Watch
) -> Iterator[tuple[int, Solution]]:
    """Yield the answer for each last peg; on a large board, all last pegs that need a search share one search.

    wanted  the equivalent problems by last peg; with all as goals, symmetries that keep the hole keep the goals
    """
    start = _one(puzzle, hole, HOLE)
    model = replace(puzzle.model(metric), start=start)
    goals = {last: _one(puzzle, last, PEG) for last in wanted}
    letters = [" ".join(words) for words in getattr(puzzle.view, "letters", ())]
    reasons = {last: why_impossible(model, start, [goal], puzzle.board.names, letters) for last, goal in goals.items()}
    alike = {end for last in wanted if reasons[last] is None for first, end in wanted[last] if first == hole}
    one_search = pegs.worthwhile(model, "search") and not pegs.beyond_sets(model)
    together = bool(alike) and one_search and bool(model.metric.after)
    found = pegs.shortest_to_each(model, [_one(puzzle, end, PEG) for end in sorted(alike)], watch) if together else {}
    for last, goal in goals.items():
        reason = reasons[last]
        if reason is None and not together:
            asked = replace(puzzle, start=start, goals=(Goal.exactly(goal),))
            yield last, questions.solve(asked, metric=metric, limits=watch.limits, progress=watch.report)
        else:
            reason = reason or (None if goal in found else Reason("searched", "searched to the end"))
            yield last, _solution(puzzle, model, found.get(goal, ()), reason, watch)


def _solution(puzzle: Puzzle, model: Model, path: tuple[bytes, ...], reason: Reason | None, watch: Watch) -> Solution:
    """Return a solution, replayed, or why there is none."""
    if reason is not None:
        return Solution(
            Status.IMPOSSIBLE, model.metric.name, None, None, (), (), pegs.ENGINE.name, watch.generated, watch.seconds,
            reason=reason,
        )  # fmt: skip
    judge.replay(replace(model, goals=(Goal.exactly(path[-1]),)), path)
    names = tuple(frame.name for frame in puzzle.frames(path, model)[1:])
    moves = len(path) - 1
    return Solution(
        Status.OPTIMAL, model.metric.name, moves, moves, path, names, pegs.ENGINE.name, watch.generated, watch.seconds
    )


def check_pegs(puzzle: Puzzle) -> None:
    """Raise UnsupportedError unless a puzzle is peg solitaire with one kind of peg."""
    if puzzle.kind.path != "over" or puzzle.symbols != 2:
        raise UnsupportedError(
            f"{puzzle.name}: expected peg solitaire with one kind of peg and nothing else on the board"
        )


def _cells(puzzle: Puzzle, names: Sequence[str]) -> list[int]:
    """Return the cells with these names, all cells if there are no names. Raises InputError."""
    found = [puzzle.board.cell(name) for name in names]
    if None in found:
        known = " ".join(puzzle.board.names)
        raise InputError(f"cell: expected some of {known}, found {names[found.index(None)]!r}")
    return [cell for cell in found if cell is not None] or list(range(puzzle.board.cells))


def _one(puzzle: Puzzle, cell: int, symbol: int) -> bytes:
    """Return the position that shows a symbol in one cell and the other one everywhere else."""
    return bytes(symbol if each == cell else 1 - symbol for each in range(puzzle.board.cells))


def census(puzzle: Puzzle, *, limits: Limits = Limits(), progress: Report | None = None) -> pegs.Census:
    """Count the positions that jumps reach from the start, and those of them on a path to the goal.

    Raises InputError if the puzzle lacks a start or goal, UnsupportedError if its board is too large, SelfCheckError if
    plain layers, where they end soon, give other numbers. The method is in docs/methods/pegs.md.
    """
    with watched(limits, progress) as watch:
        return _census(puzzle, watch)


def _census(puzzle: Puzzle, watch: Watch) -> pegs.Census:
    check_pegs(puzzle)
    model = puzzle.model()
    if model.start is None or not model.goals:
        raise InputError(f"{puzzle.name}: expected a start and a goal, found none")
    goals = goal_positions(model)
    if goals is None:
        raise UnsupportedError(f"{puzzle.name}: the goal positions cannot be listed one by one")
    found = pegs.census(model, goals, watch)
    claimed = selfcheck.WayCounts(found.reached[0], found.on_ways[0], found.ways)
    wrong = selfcheck.wrong_ways(replace(model, metric=Metric()), goals, claimed)
    if wrong is not None:
        raise SelfCheckError(f"{puzzle.name}: engine pegs: {wrong}")
    return found
