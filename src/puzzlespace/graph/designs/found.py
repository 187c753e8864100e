"""A packing as a puzzle file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from ...puzzle.draft import BLANK, NOTHING, WILD, Draft, Drawing, Known
from .layout import WALL, OpenLayout, Target

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWYZabcdefghijklmnpqrstuvwxyz"
"""The letters of pieces that have none of their own, and are not of one cell."""

SMALL = "o"
"""The letter of the pieces of one cell that have no letter of their own."""


def drawn(layout: OpenLayout, what: Sequence[int]) -> tuple[str, ...]:
    """Return the letter of each cell of a packing.

    what  as `search.Start.what`
    """
    words = [WALL if layout.walls >> cell & 1 else BLANK for cell in range(layout.board.cells)]
    named = {row.name for row in layout.rows if row.name}
    free = (letter for letter in LETTERS if letter not in named)
    small = next(letter for letter in (SMALL, *"0123456789") if letter not in named)
    lying = {(place.kind, place.cells[0]): place for place in layout.places}
    for cell, kind in enumerate(what):
        if not 0 < kind <= layout.kinds:
            continue
        row = layout.rows[layout.row_of[kind]]
        place = lying[kind, cell]
        single = len(place.cells) == 1
        letter = WALL if row.wall else row.name if row.name and row.high == 1 else small if single else next(free)
        for covered in place.cells:
            words[covered] = letter
    return tuple(words)


def puzzle_draft(layout: OpenLayout, what: Sequence[int], title: str = "", known: tuple[Known, ...] = ()) -> Draft:
    """Return the puzzle file whose start is a packing.

    Its goals are all ways to lie for the pieces that the goals of the layout name.
    """
    words = drawn(layout, what)
    letters: dict[str, int] = {}
    for cell, kind in enumerate(what):
        if 0 < kind <= layout.kinds:
            letters[words[cell]] = max(letters.get(words[cell], 0), len(layout.shapes[kind - 1]))
    blocks = tuple(sorted(letter for letter, size in letters.items() if size > 1))
    goals: dict[tuple[str, ...], None] = {}
    for goal in layout.goals:
        for each in _goals(layout, what, goal):
            goals[each] = None
    return Draft(
        layout.draft.rule,
        along=layout.draft.along,
        titles=((("", title),) if title else ()),
        count=layout.metric,
        board=layout.draft.board if isinstance(layout.draft.board, Drawing) else None,
        diagonals=layout.draft.diagonals,
        blocks=blocks,
        fixed=(WALL,) if WALL in words else (),
        start=_drawing(layout, words),
        goals=tuple(_drawing(layout, each) for each in goals),
        known=known,
    )


def _goals(layout: OpenLayout, what: Sequence[int], goal: Target) -> Iterator[tuple[str, ...]]:
    """Yield the drawings of all ways to lie for the pieces of a goal that meet it.

    There are none if the goal has a wall where this packing has none, or a blank where it has one, because walls do not
    move; or more blanks than this packing.
    """
    kinds = {layout.row_of[kind]: kind for kind in what if 0 < kind <= layout.kinds}
    walls = sum(1 << cell for cell, kind in enumerate(what) if 0 < kind <= layout.kinds
                and layout.rows[layout.row_of[kind]].wall)  # fmt: skip
    if goal.walls & ~(walls | layout.walls) or goal.blank & walls or goal.blank.bit_count() > what.count(0):
        return
    ways = [
        [place for place in layout.places if place.kind == kinds[row] and place.cover & goal.cells == cells]
        for row, cells in goal.covered
    ]
    for places in product(*ways):
        covered = walls
        for place in places:
            if covered & place.cover:
                break
            covered |= place.cover
        else:
            words = [BLANK if goal.blank >> cell & 1 else WILD for cell in range(layout.board.cells)]
            for (row, _), place in zip(goal.covered, places, strict=True):
                for cell in place.cells:
                    words[cell] = layout.rows[row].name
            yield tuple(words)


def _drawing(layout: OpenLayout, words: Sequence[str]) -> Drawing:
    rows = tuple(tuple(NOTHING if cell is None else words[cell] for cell in row) for row in layout.board.rows)
    return Drawing(rows, spaced=len(rows[0]) > 1)


__all__ = ["drawn", "puzzle_draft"]
