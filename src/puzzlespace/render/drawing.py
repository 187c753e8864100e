"""One position as SVG elements: the ground (squares, or lines and places), the pieces, and marks on moved pieces."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from xml.sax.saxutils import escape

from ..limits.watch import paced
from ..puzzle.board import parts
from ..puzzle.draft import BLANK
from ..puzzle.letters import Frame
from . import floor
from .cubes import views
from .exits import exit_of
from .glyphs import width
from .layout import edges
from .looks import Paint
from .outline import FIGURES, STROKES, Point, edge, hatch, number, strokes
from .sheet import DISC, INSET, NEAR, Sheet, label, tag
from .towers import towers
from .trail import ahead, mean, trail

PLANK_HIGH = 0.8
"""The height of a disk of a stack, in cells."""

GATE_DASH = 0.12
"""Dash and gap of a gate, in cells."""


def draw(sheet: Sheet, frame: Frame, before: Frame | None = None, after: Frame | None = None) -> list[str]:
    """Return the elements of a position; the pieces in `frame.changed` are marked.

    before  the previous frame: the move from it is drawn as an arrow
    after   the next frame: the move to it is drawn as a dashed arrow
    """
    if sheet.solid:
        return views(sheet, frame)
    if sheet.puzzle.stacks:
        return towers(sheet, frame, before, after)
    elements = still(sheet, frame, frozenset())
    elements += trail(sheet, frame, before) if before is not None else ()
    return [*elements, *(ahead(sheet, frame, after) if after is not None else ())]


def still(sheet: Sheet, frame: Frame, without: frozenset[int]) -> list[str]:
    """Return the elements of a position without the pieces in the cells `without`, which are drawn empty."""
    pieces = [piece for piece in sheet.puzzle.view.pieces(frame.position) if frame.words[piece[0]] != BLANK]
    pieces = [piece for piece in pieces if not without.intersection(piece)]
    filled = {cell for piece in pieces if not _round(sheet, frame.words[piece[0]]) for cell in piece}
    empty = [cell for cell in range(sheet.puzzle.board.cells) if cell not in filled]
    elements = [*(_squares(sheet, empty) if sheet.puzzle.board.grid else _graph(sheet))]
    for cells in paced(pieces):
        elements += piece(sheet, cells, frame.words[cells[0]], bool(frame.changed.intersection(cells)))
    shown = {cell: frame.words[cell] for piece in pieces for cell in piece}
    return [*elements, *floor.badges(sheet, shown), *floor.names(sheet, shown)]


def _round(sheet: Sheet, word: str) -> bool:
    """Return whether a piece on a square leaves its corners free."""
    return sheet.puzzle.kind.ground != "holes" and sheet.paint[word].kind in ("disc", "plank")


def _squares(sheet: Sheet, empty: Sequence[int]) -> Iterator[str]:
    """Yield the ground of a grid: its outline, hatched places without a cell, holes or empty squares."""
    puzzle, unit, theme = sheet.puzzle, sheet.unit, sheet.theme
    if puzzle.board.upright:
        yield from floor.stacks(sheet)
        return
    every = {sheet.square(cell) for cell in range(puzzle.board.cells)}
    if puzzle.kind.ground == "walls":
        walls = [(x, y) for y, row in enumerate(puzzle.board.rows) for x in range(len(row)) if (x, y) not in every]
        lines = "".join(hatch(sheet.at(x + 0.5, y + 0.5), 0.8 * unit) for x, y in paced(walls))
        if lines:
            yield tag("path", d=lines, stroke=theme.line, stroke_width=1.6, fill="none")
    yield tag("path", d=sheet.outline(every, -0.05, 0.12), fill=theme.ground, stroke=theme.rim, stroke_width=1.5)
    if puzzle.kind.ground == "holes":
        yield _lines(sheet, 1.2)
        yield from (_circle(sheet, cell, 0.17, fill=theme.hole, stroke=theme.rim, stroke_width=1.0) for cell in empty)
    else:
        around = "".join(sheet.outline([sheet.square(cell)], INSET, 0.1) for cell in paced(empty))
        if around:
            yield tag("path", d=around, fill=theme.empty)
    yield from _gates(sheet)
    yield from _drawn_ground(sheet)
    found = exit_of(puzzle)
    if found is not None:
        yield tag("path", d="M" + "L".join(_spot(sheet.at(*each)) for each in found.arrow) + "Z", fill=theme.ink)


def _spot(point: Point) -> str:
    return ",".join(map(number, point))


def _drawn_ground(sheet: Sheet) -> Iterator[str]:
    """Yield the stop cells as rings, the deflectors as diagonal bars, and the walls between cells as thick lines."""
    ground, unit, theme = sheet.puzzle.ground, sheet.unit, sheet.theme
    yield from floor.letters(sheet)
    for cell in sorted(ground.stops):
        yield _circle(sheet, cell, 0.3, fill="none", stroke=theme.rim, stroke_width=0.05 * unit)
    bars: list[str] = []
    for cell, sign in sorted(ground.deflectors.items()):
        x, y = sheet.square(cell)
        left, right = (0.85, 0.15) if sign == "/" else (0.15, 0.85)
        (a, b), (c, d) = sheet.at(x + 0.15, y + left), sheet.at(x + 0.85, y + right)
        bars.append(f"M{a:g},{b:g}L{c:g},{d:g}")
    walls = [(sheet.at(*one), sheet.at(*other)) for one, other in ground.segments]
    lines = [f"M{a:g},{b:g}L{c:g},{d:g}" for (a, b), (c, d) in walls]
    for path, thick in ((bars, 0.09), (lines, 0.12)):
        if path:
            line = {"stroke": theme.ink, "stroke_width": thick * unit, "stroke_linecap": "round"}
            yield tag("path", d="".join(path), fill="none", **line)


def _gates(sheet: Sheet) -> Iterator[str]:
    """Yield, for each gate, a square in the colour of the only piece that may enter, with a dashed line on it."""
    line = {"fill": "none", "stroke": sheet.theme.rim, "stroke_width": 0.045 * sheet.unit}
    for cell, letter in sheet.puzzle.gates.items():
        square = sheet.outline([sheet.square(cell)], 0.16, 0.1)
        bars = tag("path", d=square, stroke=sheet.paint[letter].fill, stroke_width=0.11 * sheet.unit, fill="none")
        bars += tag("path", d=square, stroke_dasharray=GATE_DASH * sheet.unit, **line)
        yield tag("g", tag("title", f"only {escape(letter)}") + bars)


def _graph(sheet: Sheet) -> Iterator[str]:
    """Yield the lines of a board and its round places."""
    yield _lines(sheet, 2.0)
    for cell in paced(range(sheet.puzzle.board.cells)):
        yield _circle(sheet, cell, 0.2, fill=sheet.theme.hole, stroke=sheet.theme.rim, stroke_width=1.2)
    yield from floor.letters(sheet)


def _lines(sheet: Sheet, thick: float) -> str:
    places = [sheet.middle(cell) for cell in range(sheet.puzzle.board.cells)]
    lines = sorted(edges(sheet.puzzle.board))
    path = "".join(edge(places[a], places[b], places, NEAR * sheet.unit) for a, b in paced(lines))
    return tag("path", d=path, stroke=sheet.theme.line, stroke_width=thick, fill="none")


def _circle(sheet: Sheet, cell: int, radius: float, **attributes: str | float) -> str:
    x, y = sheet.middle(cell)
    return tag("circle", cx=x, cy=y, r=radius * sheet.unit, **attributes)


def piece(sheet: Sheet, cells: Sequence[int], word: str, moved: bool) -> list[str]:
    """Return one piece with its mark, with a thick outline if it moved."""
    paint = sheet.paint[word]
    if cells[0] in sheet.puzzle.vessels:
        return floor.vessel(sheet, cells[0], word, moved)
    if paint.kind == "plank":
        elements, radius = _plank(sheet, cells[0], moved, paint), 0.5 - INSET
    elif sheet.puzzle.board.grid and (paint.kind != "disc" or cells[0] in floor.named_cells(sheet.puzzle)):
        elements, radius = _tile(sheet, cells, paint, moved), 0.5 - INSET
    else:
        elements, radius = _disc(sheet, cells[0], moved, paint), DISC
    for part in parts(sheet.puzzle.board, cells):
        elements += _mark(sheet, floor.heart(sheet, cells[0], _heart(sheet, part)), paint, radius)
    return [tag("g", tag("title", escape(paint.name)) + "".join(elements))] if paint.name else elements


def _tile(sheet: Sheet, cells: Sequence[int], paint: Paint, moved: bool) -> list[str]:
    squares, theme = [sheet.square(cell) for cell in cells], sheet.theme
    outline, thick = sheet.outline(squares, INSET, 0.12), 0.085 * sheet.unit
    if paint.kind == "trace":
        return [tag("path", d=outline, fill=paint.fill)]
    around = 2 * thick if moved and theme.ink != theme.edge else thick if moved else 1.0
    line = {"stroke": theme.edge, "stroke_width": around, "stroke_linejoin": "round"}
    elements = [tag("path", d=outline, fill=paint.fill, **line)]
    if moved and theme.ink != theme.edge:  # pale ink between dark lines is visible on pale pieces too
        elements.append(tag("path", d=outline, fill="none", **{**line, "stroke": theme.ink, "stroke_width": thick}))
    if paint.kind == "wall":
        lines = "".join(hatch(sheet.middle(cell), (1 - 2 * INSET) * sheet.unit) for cell in cells)
        elements.append(tag("path", d=lines, stroke="#8d897f", stroke_width=1.2, fill="none"))
    return elements


def _plank(sheet: Sheet, cell: int, moved: bool, paint: Paint) -> list[str]:
    """Return a disk of a stack, seen from the side."""
    (x, y), unit, high = sheet.middle(cell), sheet.unit, PLANK_HIGH * sheet.unit
    line = {"stroke": sheet.theme.ink if moved else sheet.theme.edge, "stroke_width": 0.085 * unit if moved else 1.0}
    wide = paint.wide * unit
    return [
        tag("rect", x=x - wide / 2, y=y - high / 2, width=wide, height=high, rx=0.3 * high, fill=paint.fill, **line)
    ]


def _disc(sheet: Sheet, cell: int, moved: bool, paint: Paint) -> list[str]:
    elements = [_circle(sheet, cell, DISC, fill=paint.fill, stroke=sheet.theme.disc, stroke_width=1.2)]
    if moved:
        ring = {"fill": sheet.theme.paper, "stroke": sheet.theme.ink, "stroke_width": 0.07 * sheet.unit}
        elements.insert(0, _circle(sheet, cell, DISC + 0.085, **ring))
    return elements


def _heart(sheet: Sheet, cells: Sequence[int]) -> Point:
    """Return the place of a piece's mark: its middle if cells surround it, else the middle of its nearest cell."""
    places = [sheet.middle(cell) for cell in cells]
    x, y = mean(places)
    reach, corners = 0.3 * sheet.unit, [(-1, -1), (-1, 1), (1, -1), (1, 1)]
    around = [(x + reach * dx, y + reach * dy) for dx, dy in corners]
    if all(any(max(abs(u - a), abs(v - b)) <= 0.5 * sheet.unit for a, b in places) for u, v in around):
        return x, y
    return min(places, key=lambda place: (place[0] - x) ** 2 + (place[1] - y) ** 2)


def _mark(sheet: Sheet, middle: Point, paint: Paint, radius: float) -> list[str]:
    """Return a piece's letter, strokes or figure; a dot if it has none."""
    x, y = middle
    if paint.mark in ("", "dot"):
        return [tag("circle", cx=x, cy=y, r=0.09 * sheet.unit, fill=paint.ink)]
    if paint.mark == "ring":
        line = {"fill": "none", "stroke": paint.ink, "stroke_width": 0.07 * sheet.unit}
        return [tag("circle", cx=x, cy=y, r=0.17 * sheet.unit, **line)]
    if paint.mark in FIGURES:
        path = FIGURES[paint.mark](middle, 0.17 * sheet.unit)
        return [tag("path", d=path, stroke=paint.ink, stroke_width=0.08 * sheet.unit, fill="none")]
    if paint.mark in STROKES:
        path = strokes(paint.mark, middle, 1.84 * radius * sheet.unit)  # leaves a rim of the piece around them
        return [tag("path", d=path, stroke=paint.ink, stroke_width=0.13 * sheet.unit, fill="none")]
    most, room = (0.52, 2.9) if radius > DISC else (0.42, 2.4)  # a circle is narrower above and below its middle
    size = sheet.unit * min(most, room * radius / max(width(paint.mark), 1), 1.8 * (paint.wide or 1))
    return [label(paint.mark, middle, size, fill=paint.ink)]
