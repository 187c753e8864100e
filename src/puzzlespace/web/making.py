"""Puzzles to order for the page: a position of a depth, and the hardest puzzles of a file that leaves pieces open."""

from __future__ import annotations

from dataclasses import replace

from ..api.designing import design as designed
from ..api.designing import puzzle_of
from ..api.generation import generate
from ..errors import InputError
from ..formats import pzl
from ..graph.designs.answers import BY
from . import wire
from .questions import Object, WorkerState, reporter, word
from .wire import Say

DEEPEST = 10_000
"""The greatest depth of a position to order."""

ROWS = 60
"""The most puzzles of a family that are shown: the hardest ones."""


def leaves_pieces_open(question: Object) -> bool:
    """Return whether the text of a question is a file for `design`. Raises FormatError if it is wrong."""
    text = word(question, "text")
    return "pieces:" in text and bool(pzl.parse(text, "puzzle.pzl").pieces)


def make(state: WorkerState, question: Object, say: Say) -> Object:
    """Return a random position of a depth, with one shortest solution up to commuting moves if that is asked for.

    It takes at most so many `seconds`, if the question says it. Without such a position, `none` says how many there are
    at this depth, and the greatest depth if it is known.
    """
    depth, limits = question.get("depth"), state.limits
    if isinstance(question.get("seconds"), int):
        limits = replace(limits, seconds=min(max(question["seconds"], 1), state.bounds.seconds))
    if not isinstance(depth, int) or not 1 <= depth <= DEEPEST:
        raise InputError(f"depth: expected a number from 1 to {DEEPEST:,}, found {depth!r}")
    opened = state.puzzle(question)
    answer = generate(
        opened.puzzle, depth, 1, metric=opened.model.metric.name, one_solution=bool(question.get("one")),
        limits=limits, progress=reporter(say),
    )  # fmt: skip
    if not answer.positions:
        if answer.stopped is not None:
            raise answer.stopped
        counts = answer.counts
        return {"none": {"there": sum(counts[depth : depth + 1]), "deepest": len(counts) - 1 if counts else None}}
    return {
        "position": opened.puzzle.id(answer.positions[0]), "depth": answer.depths[0], "uniform": answer.uniform,
    }  # fmt: skip


def design(state: WorkerState, question: Object, say: Say) -> Object:
    """Return the hardest puzzles of a family: one for each number of blanks or pieces, each multiset, or of all."""
    text, by = word(question, "text"), word(question, "by") or "blanks"
    if by not in BY:
        raise InputError(f"by: expected one of {', '.join(BY)}, found {by!r}")
    answer = designed(
        pzl.parse(text, "puzzle.pzl"), by=by, one_solution=bool(question.get("one")),
        needed=bool(question.get("needed")), metric=word(question, "metric"), components=False, limits=state.limits,
        progress=reporter(say),
    )  # fmt: skip
    hardest = sorted(answer.puzzles, key=lambda each: -each.moves)[:ROWS]
    rows = [
        {
            "key": each.key,
            "moves": each.moves,
            "pieces": each.pieces,
            "blanks": each.blanks,
            "words": each.words,
            "about": wire.about(puzzle_of(each)),
        }
        for each in answer.puzzles
        if each in hardest
    ]
    told = {
        "by": by,
        "metric": answer.metric,
        "packings": answer.packings,
        "searched": answer.searched,
        "solvable": answer.solvable,
        "confirmed": answer.confirmed,
        "found": len(answer.puzzles),
        "rows": rows,
        "stopped": answer.stopped.kind if answer.stopped is not None else "",
    }
    return {"family": told}
