"""What a board shows beside its pieces: letters of the ground, names of cells, stacks, vessels."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from ..puzzle.board import Board
from ..puzzle.draft import Drawing
from ..puzzle.puzzle import Puzzle
from .glyphs import printable, width
from .layout import ROD
from .outline import Point
from .sheet import DISC, Sheet, label, tag
from .theme import PALETTE, Theme, mixed

ORDER = (6, 5, 4, 2, 1, 0, 3, 7)
"""The hues for letters of the ground; pieces take the first hues of the palette first."""

TINT, RIM = 0.2, 0.75
"""How much of its hue a cell with a letter shows, and the rim of this cell, which is seen around a piece."""

NAME, SMALL_NAME = 0.24, 0.17
"""The heights of names of cells, in cells: those that belong to the board, and those shown on demand."""

BADGE = 0.18
"""The radius of a letter of the ground that lies under a piece, in cells."""

TUBE_GAP = 0.04
"""Half the gap between two stacks, in cells."""


class Tint(NamedTuple):
    """The colours of a cell, of its rim, and of the letter in it."""

    fill: str
    rim: str
    ink: str


def tints(puzzle: Puzzle, theme: Theme) -> dict[str, Tint]:
    """Return the colours of each letter of the ground."""
    assert len(ORDER) == len(PALETTE)
    found: dict[str, Tint] = {}
    for number, letter in enumerate(dict.fromkeys(puzzle.ground.letters.values())):
        hue = theme.hues[ORDER[number % len(ORDER)]]
        fill = mixed(hue, theme.empty, TINT)
        found[letter] = Tint(fill, mixed(hue, theme.ground, RIM), mixed(theme.ink, fill, 0.72))
    return found


def named_cells(puzzle: Puzzle) -> range:
    """Return the cells whose names always are drawn: those of a board of names, and those beside the board."""
    draft, board = puzzle.draft, puzzle.board
    drawn = puzzle.kind.by_moves and not board.upright and draft is not None and isinstance(draft.board, Drawing)
    return range(0 if drawn else board.cells - board.beside, board.cells)


@lru_cache(maxsize=32)
def tubes(board: Board) -> tuple[tuple[int, ...], ...]:
    """Return the cells of each stack, its floor first; () if the board has none."""
    return tuple(tuple(c for c in row if c is not None) for row in board.rows) if board.upright else ()


def letters(sheet: Sheet) -> Iterator[str]:
    """Yield the letters of the ground: a tinted cell each, whose rim is seen around a piece."""
    colours, unit = tints(sheet.puzzle, sheet.theme), sheet.unit
    for cell, letter in sorted(sheet.puzzle.ground.letters.items()):
        fill, rim, ink = colours[letter]
        line = {"fill": fill, "stroke": rim, "stroke_width": 0.1 * unit}
        if sheet.puzzle.board.grid:
            yield tag("path", d=sheet.outline([sheet.square(cell)], 0.055, 0.1), **line)
        else:
            x, y = sheet.middle(cell)
            yield tag("circle", cx=x, cy=y, r=(DISC + 0.07) * unit, **line)
        yield label(printable(letter), sheet.middle(cell), min(0.46, 0.8 / width(letter)) * unit, fill=ink)


def stacks(sheet: Sheet) -> Iterator[str]:
    """Yield a tube for each stack, with its number below it."""
    unit, theme, wide = sheet.unit, sheet.theme, sheet.puzzle.board.upright
    for number, cells in enumerate(tubes(sheet.puzzle.board), 1):
        x, y = sheet.middle(cells[0])
        if wide == 1:
            path = sheet.outline([sheet.square(cell) for cell in cells], TUBE_GAP, 0.2)
            yield tag("path", d=path, fill=theme.ground, stroke=theme.rim, stroke_width=1.5)
        else:
            rod, base = (ROD, len(cells) + 0.0), (wide - 4 * TUBE_GAP, 0.1)
            for (across, high), top in ((rod, 0.5 - len(cells)), (base, 0.42)):
                at = {"x": x - across * unit / 2, "y": y + top * unit, "rx": 0.04 * unit}
                yield tag("rect", width=across * unit, height=high * unit, fill=theme.rim, **at)
        yield label(str(number), (x, y + 0.78 * unit), 0.3 * unit, fill=theme.ink)


def vessel(sheet: Sheet, cell: int, word: str, moved: bool) -> list[str]:
    """Return a vessel as high as what it holds at most, filled as high as its number, which stands in it."""
    most, held = sheet.puzzle.vessels[cell], int(word) if word.isdecimal() else 0
    (x, y), unit, theme = sheet.middle(cell), sheet.unit, sheet.theme
    high = vessel_height(sheet.puzzle, most)
    left, wide, floor = x - 0.36 * unit, 0.72 * unit, y + 0.44 * unit
    full = high * min(held / most, 1.0) * unit
    line = {"stroke": theme.ink, "stroke_width": (0.085 if moved else 0.04) * unit, "stroke_linejoin": "round"}
    side = f"M{left:.1f},{floor - high * unit:.1f}V{floor:.1f}H{left + wide:.1f}V{floor - high * unit:.1f}"
    number = (x, floor - 0.22 * unit)
    return [
        tag("rect", x=left, y=floor - high * unit, width=wide, height=high * unit, fill=theme.empty),
        tag("rect", x=left, y=floor - full, width=wide, height=full, fill=theme.water),
        tag("path", d=side, fill="none", **line),
        label(str(held), number, 0.34 * unit, fill=theme.ink),
    ]


def vessel_height(puzzle: Puzzle, most: int) -> float:
    """Return the height of a vessel in cells; the largest fills the cell below its name."""
    return 0.28 + 0.38 * most / max(puzzle.vessels.values())


def names(sheet: Sheet, shown: Mapping[int, str]) -> Iterator[str]:
    """Yield the names of cells: on top of the cell, or below a round one; those on demand are small in a corner.

    shown  the word of each cell with a piece
    """
    own, unit, board = named_cells(sheet.puzzle), sheet.unit, sheet.puzzle.board
    for cell in range(board.cells) if sheet.names else own:
        text = printable(board.names[cell])
        size = min(NAME if cell in own else SMALL_NAME, 0.86 / (0.58 * width(text))) * unit
        square = cell in shown and (cell in own or sheet.paint[shown[cell]].kind not in ("disc", "plank"))
        on_piece = board.grid and square and cell not in sheet.puzzle.vessels
        fill = sheet.paint[shown[cell]].ink if on_piece else sheet.theme.ink
        yield label(text, _name_spot(sheet, cell, cell in own), size, fill=fill)


def badges(sheet: Sheet, covered: Iterable[int]) -> Iterator[str]:
    """Yield the letters of the ground under pieces again, small, in the corner of each piece."""
    colours, unit = tints(sheet.puzzle, sheet.theme), sheet.unit
    for cell in sorted(sheet.puzzle.ground.letters.keys() & covered):
        letter = sheet.puzzle.ground.letters[cell]
        fill, rim, _ = colours[letter]
        (x, y), size = sheet.middle(cell), min(0.26, 0.36 / width(letter)) * unit
        spot = (x + 0.3 * unit, y + 0.3 * unit)
        line = {"stroke": rim, "stroke_width": 0.04 * unit}
        yield tag("circle", cx=spot[0], cy=spot[1], r=BADGE * unit, fill=fill, **line)
        yield label(printable(letter), spot, size, fill=sheet.theme.ink)


def _name_spot(sheet: Sheet, cell: int, own: bool) -> Point:
    """Return the middle of the name of a cell."""
    (x, y), unit = sheet.middle(cell), sheet.unit
    if not sheet.puzzle.board.grid:
        return x + 0.34 * unit, y + 0.44 * unit
    if own:
        return x, y - (0.35 if cell in sheet.puzzle.vessels else 0.26) * unit
    return x + 0.26 * unit, y + 0.34 * unit


def heart(sheet: Sheet, cell: int, middle: Point) -> Point:
    """Return the place of a piece's mark: below the name if its cell has one."""
    below = sheet.puzzle.board.grid and cell in named_cells(sheet.puzzle)
    return (middle[0], middle[1] + 0.13 * sheet.unit) if below else middle
