"""For paper: an empty board and its pieces to cut out, at the same scale."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..puzzle.draft import BLANK
from ..puzzle.letters import Frame
from ..puzzle.puzzle import Puzzle
from .drawing import piece, still
from .floor import named_cells
from .layout import disk_width
from .looks import Paint, paints
from .sheet import Sheet, extent, label, tag
from .svg import document
from .theme import Theme
from .towers import disk, stand

UNIT, GAP = 60.0, 0.12
"""Pixels per cell; half the gap between two pieces, in cells."""


@dataclass(frozen=True)
class Cut:
    """A piece to cut out: its cells, the symbols on its front and back ('': no back), its size in cells."""

    cells: tuple[int, ...]
    front: str
    back: str
    size: tuple[float, float]


@dataclass(frozen=True)
class Drawn:
    """A picture with its size in cells."""

    svg: str
    wide: float
    high: float


def empty_board(puzzle: Puzzle, position: bytes, theme: Theme) -> Drawn:
    """Return the board without its pieces; cells have their names if moves are named by them."""
    left, top, right, bottom = extent(puzzle)
    words = puzzle.view.decode(position)
    sheet = Sheet(
        puzzle, paints(puzzle, words, theme), ((0.1 - left) * UNIT, (0.1 - top) * UNIT), UNIT, theme
    )  # fmt: skip
    every = frozenset(range(puzzle.board.cells))
    fixed = frozenset(cell for cell, word in enumerate(words) if sheet.paint.get(word, _NONE).kind == "wall")
    frame = Frame(position, words)
    elements = (stand if puzzle.stacks else still)(sheet, frame, every - fixed)
    directed = puzzle.board.grid and not puzzle.listed and puzzle.kind.named == "direction"
    if not puzzle.stacks and not puzzle.board.upright and not directed:
        for cell in sorted({*range(puzzle.board.cells)}.difference(named_cells(puzzle))):
            name = puzzle.board.names[cell]
            x, y = sheet.middle(cell)
            elements.append(label(name, (x + 0.34 * UNIT, y + 0.36 * UNIT), 0.17 * UNIT, fill=theme.ink))
    return _drawn(puzzle, elements, (right - left + 0.2, bottom - top + 0.2), theme)


_NONE = Paint("", "", "", "tile")


def cuts(puzzle: Puzzle, shown: Sequence[bytes], paint: dict[str, Paint]) -> list[Cut]:
    """Return the pieces of the first position without walls, and those that the others need beside them.

    The tallest are first. Numbers in vessels are no pieces.
    """
    backs = _backs(puzzle)
    found: list[Cut] = []
    for cells, word in _needed(puzzle, shown):
        if word == BLANK or paint[word].kind == "wall" or cells[0] in puzzle.vessels:
            continue
        size = (disk_width(cells[0]), 0.5) if puzzle.stacks else _span(puzzle, cells)
        size = (max(size[0], paint[word].wide), size[1])
        found.append(Cut(cells, word, backs.get(word, ""), size))
    return sorted(found, key=lambda cut: (-cut.size[1], -cut.size[0], cut.cells[0]))


def _needed(puzzle: Puzzle, shown: Sequence[bytes]) -> list[tuple[tuple[int, ...], str]]:
    """Return the cells and the word of each piece, for each word as many as the position that shows the most of it."""
    backs = _backs(puzzle)
    found: dict[str, list[tuple[int, ...]]] = {}
    for number, position in enumerate(shown):
        words = puzzle.view.decode(position)
        here: dict[str, list[tuple[int, ...]]] = {}
        for cells in puzzle.view.pieces(position):
            here.setdefault(words[cells[0]], []).append(cells)
        for word, places in here.items():
            have = found.setdefault(word, [])
            if not number or word not in backs:
                have += places[len(have) :]
    return [(cells, word) for word, places in found.items() for cells in places]


def _backs(puzzle: Puzzle) -> dict[str, str]:
    """Return the symbol on the other side of each piece that listed moves turn over."""
    pairs = [cycle for cycle in (puzzle.draft.swap if puzzle.draft is not None else ()) if len(cycle) == 2]
    return {a: b for pair in pairs for a, b in (pair, pair[::-1])}


def _span(puzzle: Puzzle, cells: Sequence[int]) -> tuple[float, float]:
    if not puzzle.board.grid:
        return 1.0, 1.0
    places = [puzzle.board.places[cell] for cell in cells]
    wide, high = (max(p[axis] for p in places) - min(p[axis] for p in places) + 1.0 for axis in (0, 1))
    return wide, high


def cutouts(puzzle: Puzzle, shown: Sequence[bytes], most: float, theme: Theme) -> Drawn:
    """Return the pieces in rows of at most `most` cells, with dashed lines to cut along and to fold on."""
    words = dict.fromkeys(word for position in shown for word in puzzle.view.decode(position))
    paint = paints(puzzle, [*words, *_backs(puzzle)], theme)
    x = y = row = widest = 0.0
    elements: list[str] = []
    for cut in cuts(puzzle, shown, paint):
        wide = cut.size[0] * (2 if cut.back else 1) + 2 * GAP
        if x and x + wide > most:
            x, y, row = 0.0, y + row, 0.0
        elements += _cut(Sheet(puzzle, paint, (0.0, 0.0), UNIT, theme), cut, (x, y))
        x, row = x + wide, max(row, cut.size[1] + 2 * GAP)
        widest = max(widest, x)
    return _drawn(puzzle, elements, (max(widest, 1.0), max(y + row, 0.1)), theme)


def _cut(sheet: Sheet, cut: Cut, corner: tuple[float, float]) -> list[str]:
    """Return one piece, with its back beside it if it has one, and the dashed line around both."""
    sides = [cut.front, *filter(None, [cut.back])]
    (x, y), (wide, high) = corner, cut.size
    line = {"fill": "none", "stroke": sheet.theme.line, "stroke_width": 1.0, "stroke_dasharray": "5 4"}
    elements = [
        tag(
            "rect", x=(x + GAP / 2) * UNIT, y=(y + GAP / 2) * UNIT, width=(wide * len(sides) + GAP) * UNIT,
            height=(high + GAP) * UNIT, **line,
        )
    ]  # fmt: skip
    for number, word in enumerate(sides):
        left = x + GAP + number * wide
        if sheet.puzzle.stacks:
            elements += disk(sheet, cut.cells[0], (left + wide / 2, y + GAP + high / 2), False)
        else:
            aside = (wide - _span(sheet.puzzle, cut.cells)[0]) / 2
            elements += piece(_moved(sheet, cut.cells, (left + aside, y + GAP)), cut.cells, word, False)
    if len(sides) > 1:
        fold = f"M{(x + GAP + wide) * UNIT:.1f},{(y + GAP) * UNIT:.1f}v{high * UNIT:.1f}"
        elements.append(tag("path", d=fold, **{**line, "stroke_dasharray": "1 3"}))
    return elements


def _moved(sheet: Sheet, cells: Sequence[int], corner: tuple[float, float]) -> Sheet:
    """Return the sheet on which the upper left corner of a piece is at `corner`, in cells."""
    middles = [sheet.middle(cell) for cell in cells]
    left, top = (min(m[axis] for m in middles) / UNIT - 0.5 for axis in (0, 1))
    return Sheet(sheet.puzzle, sheet.paint, ((corner[0] - left) * UNIT, (corner[1] - top) * UNIT), UNIT, sheet.theme)


def _drawn(puzzle: Puzzle, elements: Sequence[str], size: tuple[float, float], theme: Theme) -> Drawn:
    svg = document(puzzle.title, "", (size[0] * UNIT, size[1] * UNIT), elements, theme)
    return Drawn(svg, *size)
