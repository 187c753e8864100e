"""One position as SVG elements: the ground (squares, or lines and places), the pieces, and what has moved."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from xml.sax.saxutils import escape

from ..puzzle import BLANK, Frame
from .glyphs import width
from .layout import edges
from .looks import INK, PAPER, Paint
from .outline import FIGURES, STROKES, Point, edge, hatch, strokes
from .sheet import DISC, INSET, NEAR, Sheet, label, tag
from .trail import mean, trail

GROUND, RIM, EMPTY, LINE, HOLE = "#efe9dc", "#6b6557", "#fbf8f1", "#a59d8c", "#cdc4b1"


def draw(sheet: Sheet, frame: Frame, before: Frame | None = None) -> list[str]:
    """Return the elements of a position; what `frame.changed` names is marked, with an arrow if `before` is known."""
    pieces = [piece for piece in sheet.puzzle.view.pieces(frame.position) if frame.words[piece[0]] != BLANK]
    filled = {cell for piece in pieces for cell in piece}
    empty = [cell for cell in range(sheet.puzzle.board.cells) if cell not in filled]
    elements = [*(_squares(sheet, empty) if sheet.puzzle.board.grid else _graph(sheet))]
    for piece in pieces:
        elements += _piece(sheet, piece, frame.words[piece[0]], bool(frame.changed.intersection(piece)))
    return [*elements, *(trail(sheet, pieces, frame, before) if before is not None else ())]


def _squares(sheet: Sheet, empty: Sequence[int]) -> Iterator[str]:
    """Yield the ground of a grid: its outline, hatched places without a cell, holes or empty squares."""
    puzzle, unit = sheet.puzzle, sheet.unit
    every = {sheet.square(cell) for cell in range(puzzle.board.cells)}
    if puzzle.kind == "slide":
        walls = [(x, y) for y, row in enumerate(puzzle.board.rows) for x in range(len(row)) if (x, y) not in every]
        lines = "".join(hatch(sheet.at(x + 0.5, y + 0.5), 0.8 * unit) for x, y in walls)
        if lines:
            yield tag("path", d=lines, stroke=LINE, stroke_width=1.6, fill="none")
    yield tag("path", d=sheet.outline(every, -0.05, 0.12), fill=GROUND, stroke=RIM, stroke_width=1.5)
    if puzzle.kind == "jump":
        yield _lines(sheet, 1.2)
        yield from (_circle(sheet, cell, 0.17, fill=HOLE, stroke=RIM, stroke_width=1.0) for cell in empty)
    else:
        around = "".join(sheet.outline([sheet.square(cell)], INSET, 0.1) for cell in empty)
        if around:
            yield tag("path", d=around, fill=EMPTY)


def _graph(sheet: Sheet) -> Iterator[str]:
    """Yield the lines of a board and its round places."""
    yield _lines(sheet, 2.0)
    for cell in range(sheet.puzzle.board.cells):
        yield _circle(sheet, cell, 0.2, fill=HOLE, stroke=RIM, stroke_width=1.2)


def _lines(sheet: Sheet, thick: float) -> str:
    places = [sheet.middle(cell) for cell in range(sheet.puzzle.board.cells)]
    path = "".join(edge(places[a], places[b], places, NEAR * sheet.unit) for a, b in sorted(edges(sheet.puzzle.board)))
    return tag("path", d=path, stroke=LINE, stroke_width=thick, fill="none")


def _circle(sheet: Sheet, cell: int, radius: float, **attributes: str | float) -> str:
    x, y = sheet.middle(cell)
    return tag("circle", cx=x, cy=y, r=radius * sheet.unit, **attributes)


def _piece(sheet: Sheet, cells: Sequence[int], word: str, moved: bool) -> list[str]:
    """Return one piece with its mark, and around it a thick line if it moved."""
    paint = sheet.paint[word]
    if sheet.puzzle.board.grid and paint.kind != "disc":
        elements = _tile(sheet, cells, paint, moved)
    else:
        elements = _disc(sheet, cells[0], moved, paint)
    elements += _mark(sheet, _heart(sheet, cells), paint, DISC if paint.kind == "disc" else 0.5 - INSET)
    return [tag("g", tag("title", escape(paint.name)) + "".join(elements))] if paint.name else elements


def _tile(sheet: Sheet, cells: Sequence[int], paint: Paint, moved: bool) -> list[str]:
    squares = [sheet.square(cell) for cell in cells]
    line = {"stroke": INK, "stroke_width": 0.085 * sheet.unit if moved else 1.0, "stroke_linejoin": "round"}
    elements = [tag("path", d=sheet.outline(squares, INSET, 0.12), fill=paint.fill, **line)]
    if paint.kind == "wall":
        lines = "".join(hatch(sheet.middle(cell), (1 - 2 * INSET) * sheet.unit) for cell in cells)
        elements.append(tag("path", d=lines, stroke="#8d897f", stroke_width=1.2, fill="none"))
    return elements


def _disc(sheet: Sheet, cell: int, moved: bool, paint: Paint) -> list[str]:
    elements = [_circle(sheet, cell, DISC, fill=paint.fill, stroke=INK, stroke_width=1.2)]
    if moved:
        ring = {"fill": "none", "stroke": INK, "stroke_width": 0.07 * sheet.unit}
        elements.insert(0, _circle(sheet, cell, DISC + 0.085, **{**ring, "fill": PAPER}))
    return elements


def _heart(sheet: Sheet, cells: Sequence[int]) -> Point:
    """Return where a piece's mark stands: its middle, or the middle of its cell nearest to that."""
    places = [sheet.middle(cell) for cell in cells]
    x, y = mean(places)
    nearest = min(places, key=lambda m: (m[0] - x) ** 2 + (m[1] - y) ** 2)
    inside = max(abs(nearest[0] - x), abs(nearest[1] - y)) <= 0.51 * sheet.unit
    return (x, y) if inside else nearest


def _mark(sheet: Sheet, middle: Point, paint: Paint, radius: float) -> list[str]:
    """Return a piece's letter, strokes or figure; a dot where it has none."""
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
        path = strokes(paint.mark, middle, 2 * radius * sheet.unit)
        return [tag("path", d=path, stroke=paint.ink, stroke_width=0.13 * sheet.unit, fill="none")]
    size = sheet.unit * min(0.52 if radius > DISC else 0.42, 2.9 * radius / max(width(paint.mark), 1))
    return [label(paint.mark, middle, size, fill=paint.ink)]
