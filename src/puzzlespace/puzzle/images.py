"""Reflections and turns of a puzzle's drawings: what tells whether two puzzles are the same, seen in a mirror."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from .draft import BLANK, NOTHING, WILD, Draft, Drawing
from .puzzle import Puzzle

Rows = tuple[tuple[str, ...], ...]

NAMELESS = ("slide", "glide")
"""The rule kinds in which the symbols of pieces are names that could be others."""


def least_image(puzzle: Puzzle) -> str:
    """Return words that are the same for a puzzle and its images under reflections, turns and renamings of pieces.

    Returns '' for puzzles that are not drawn on a grid, or have keys with places or directions in them. Two puzzles
    with the same words have solutions of the same length: the moves of one are those of the other, seen in the image.
    """
    draft = puzzle.draft
    if draft is None or not puzzle.board.grid or isinstance(draft.board, Drawing):
        return ""
    if draft.lines or draft.links or draft.moves or draft.swap or draft.one_way or draft.gates or draft.ground:
        return ""
    if draft.changes or draft.parts:
        return ""
    shown = [draft.start, *draft.goals]
    drawings = [_rows(each) for each in shown if isinstance(each, Drawing)]
    shape = [len(row) for row in drawings[0]] if drawings else []
    if len(drawings) < len(shown) or any([len(row) for row in rows] != shape for rows in drawings):
        return ""
    return min(_words(draft, [image(rows) for rows in drawings]) for image in _images())


def _rows(drawing: Drawing) -> Rows:
    """Return the words of a drawing as a rectangle."""
    wide = max(map(len, drawing.rows), default=0)
    return tuple((*row, *[NOTHING] * (wide - len(row))) for row in drawing.rows)


def _images() -> Iterator[Callable[[Rows], Rows]]:
    """Yield the eight reflections and turns of a rectangle."""
    for swapped in (False, True):
        for down in (1, -1):
            for across in (1, -1):
                yield lambda rows, swapped=swapped, down=down, across=across: tuple(
                    tuple(row[::across]) for row in (tuple(zip(*rows, strict=True)) if swapped else rows)[::down]
                )


def _words(draft: Draft, drawings: list[Rows]) -> str:
    """Return rule, keys and drawings as words, the pieces named in the order in which they appear."""
    names = {word: word for word in (BLANK, NOTHING, WILD, *draft.fixed)}
    if draft.rule in NAMELESS:
        for rows in drawings:
            for word in (word for row in rows for word in row):
                names.setdefault(word, f"{len(names)} ")  # no word of a drawing has a space

    def named(words: str | Iterable[str]) -> object:
        return words if isinstance(words, str) else sorted(names.get(word, word) for word in words)

    keys = (
        draft.rule, draft.along, draft.diagonals, draft.edge, draft.passing, draft.anywhere, draft.pull, draft.tilt,
        named(draft.blocks), named(draft.apart), named(draft.distinct), draft.fixed,
    )  # fmt: skip
    first, *goals = [[[names.get(word, word) for word in row] for row in rows] for rows in drawings]
    return repr((keys, first, sorted(goals)))
