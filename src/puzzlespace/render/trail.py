"""Marks of the last move and of the next one: arrows along the paths of pieces, crosses in emptied holes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from ..puzzle.board import parts
from ..puzzle.letters import Frame
from .outline import Point, arrow, cross, point
from .sheet import DISC, INSET, Sheet, tag
from .ways import Change, PieceWay, change

MOST_ARROWS = 12
"""The most arrows of a listed move; if it carries more pieces between neighbours, there are none."""

HEAD = 0.55
"""The length of an arrow, in cells, after a corner that the block itself covers."""

NEXT_DASH = "0.16 0.12"
"""Dash and gap of the next move, in cells."""


def trail(sheet: Sheet, frame: Frame, before: Frame) -> list[str]:
    """Return the elements that show the paths of the pieces that changed in `frame`."""
    made = change(sheet.puzzle, before, frame)
    if sheet.puzzle.listed:
        return _carried(sheet, made, ())
    elements = [_crosses(sheet, made)] if made.removed else []
    elements += (_arrow(sheet, _gone(sheet, way), ()) for way in _parted(sheet, made.ways))
    return elements


def ahead(sheet: Sheet, frame: Frame, after: Frame) -> list[str]:
    """Return the dashed elements that show the paths of the pieces in the next move."""
    coming = change(sheet.puzzle, frame, after)
    dash = [float(part) * sheet.unit for part in NEXT_DASH.split()]
    if sheet.puzzle.listed:
        cells = [way.route[0] for way in coming.ways]
        return [_dashed_ring(sheet, cell, dash) for cell in cells] + _carried(sheet, coming, dash)
    elements: list[str] = []
    for way in _parted(sheet, coming.ways):
        elements.append(_arrow(sheet, _coming(sheet, way), dash))
    return elements


def _parted(sheet: Sheet, ways: Sequence[PieceWay]) -> Iterator[PieceWay]:
    """Yield each way; if the cells of a piece do not touch, once for each of its parts."""
    for way in ways:
        first = way.stops[0]
        for part in parts(sheet.puzzle.board, first):
            at = [first.index(cell) for cell in part]
            yield PieceWay(tuple(tuple(stop[k] for k in at) for stop in way.stops), way.words)


def _gone(sheet: Sheet, way: PieceWay) -> list[Point]:
    """Return the points of the arrow of the last move: to the piece's outline; for a block, from its old rear."""
    side = _side(sheet, way, -1)
    if side is not None:
        (x, y), (dx, dy), far = side
        return [sheet.at(x + 0.5 * dx, y + 0.5 * dy), sheet.at(x + dx * (far + INSET), y + dy * (far + INSET))]
    *points, end = _middles(sheet, _leader(way, way.stops[-1]))
    if len(way.stops[0]) == 1:
        return [*points, _rim(sheet, way.stops[-1], end, points[-1])]
    return [*points, _entered(sheet, way.stops[-1], points[-1], end)]


def _coming(sheet: Sheet, way: PieceWay) -> list[Point]:
    """Return the points of the arrow of the next move: from the piece's outline, or from a block's front."""
    side = _side(sheet, way, 1)
    if side is not None:
        (x, y), (dx, dy), far = side
        return [sheet.at(x - dx * INSET, y - dy * INSET), sheet.at(x + dx * (far - 0.12), y + dy * (far - 0.12))]
    start, *points = _middles(sheet, _leader(way, way.stops[0]))
    if len(way.stops[0]) == 1:
        return [_rim(sheet, way.stops[0], start, points[0]), *points]
    return [_entered(sheet, way.stops[0], points[0], start), *points]


def _leader(way: PieceWay, shown: Sequence[int]) -> PieceWay:
    """Return the way of the cell of a block whose path the block, drawn on the cells `shown`, covers least."""
    seen = [sum(stop[k] not in shown for stop in way.stops) for k in range(len(way.stops[0]))]
    k = seen.index(max(seen))
    return PieceWay(tuple((stop[k],) for stop in way.stops), way.words)


def _entered(sheet: Sheet, cells: Sequence[int], outside: Point, inside: Point) -> Point:
    """Return the point where a straight line to the middle of one of a block's cells meets the block.

    If the line begins in the block, it is a point before that middle.
    """
    (x, y), (u, v) = outside, inside
    steps = max(1, round(_gap(outside, inside) / sheet.unit))
    places = [(x + (u - x) * k / steps, y + (v - y) * k / steps) for k in range(steps + 1)]
    covered = [min(_gap(place, sheet.middle(cell)) for cell in cells) < 0.1 * sheet.unit for place in places]
    first = covered.index(True)
    part = (first - 0.5 + INSET if first else HEAD) / steps
    return x + (u - x) * part, y + (v - y) * part


def _gap(a: Point, b: Point) -> float:
    return ((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2) ** 0.5


def _side(sheet: Sheet, way: PieceWay, facing: int) -> tuple[Point, Point, float] | None:
    """Return the middle of a block's front (`facing` 1) or rear (-1) in cells, its direction, and the distance moved.

    If that side of the block has steps, its longest part counts. None for pieces of one cell, and for paths with bends.
    """
    if len(way.stops[0]) == 1:
        return None
    before, after = ([sheet.square(cell) for cell in stop] for stop in (way.stops[0], way.stops[-1]))
    by = tuple(b - a for a, b in zip(before[0], after[0], strict=True))
    if len(_middles(sheet, way)) > 2 or 0 not in by or by == (0, 0):
        return None
    axis = 0 if by[0] else 1
    sign = 1 if by[axis] > 0 else -1
    ends: dict[float, float] = {}  # for each lane along the path, the place of its last cell on that side
    for square in before:
        along, lane = facing * sign * square[axis], square[1 - axis]
        ends[lane] = max(ends.get(lane, along), along)
    lanes = [[lane for lane in ends if ends[lane] == end] for end in sorted(set(ends.values()), reverse=True)]
    most = max(lanes, key=len)
    edge = facing * sign * ends[most[0]] + 0.5 + 0.5 * facing * sign
    across = sum(most) / len(most) + 0.5
    place, direction = ((edge, across), (sign, 0)) if axis == 0 else ((across, edge), (0, sign))
    return place, direction, abs(by[axis])


def mean(places: Sequence[Point]) -> Point:
    """Return the mean of some places."""
    return sum(x for x, _ in places) / len(places), sum(y for _, y in places) / len(places)


def _middles(sheet: Sheet, way: PieceWay) -> list[Point]:
    """Return the middle of the piece at both ends and at each bend of its path."""
    points = [mean([sheet.middle(cell) for cell in stop]) for stop in way.stops]
    bends = [b for a, b, c in zip(points, points[1:], points[2:], strict=False) if not _straight(a, b, c)]
    return [points[0], *bends, points[-1]]


def _straight(a: Point, b: Point, c: Point) -> bool:
    """Return whether b is on the straight line from a to c."""
    (ux, uy), (vx, vy) = (b[0] - a[0], b[1] - a[1]), (c[0] - b[0], c[1] - b[1])
    return abs(ux * vy - uy * vx) < 0.01 * (ux * ux + uy * uy + vx * vx + vy * vy) and ux * vx + uy * vy > 0


def _rim(sheet: Sheet, cells: Sequence[int], middle: Point, other: Point) -> Point:
    """Return the point where the line from a piece's middle to another point meets the piece's outline."""
    (x, y), (u, v) = middle, other
    if not sheet.puzzle.board.grid or sheet.puzzle.kind.ground == "holes":
        part = min((DISC + 0.12) * sheet.unit / (((x - u) ** 2 + (y - v) ** 2) ** 0.5 or 1.0), 1.0)
        return x + (u - x) * part, y + (v - y) * part
    squares = [sheet.square(cell) for cell in cells]
    wide, high = (len({square[axis] for square in squares}) / 2 - INSET for axis in (0, 1))
    dx, dy = (u - x) / sheet.unit, (v - y) / sheet.unit
    part = min(wide / abs(dx) if dx else 9e9, high / abs(dy) if dy else 9e9, 1.0)
    return x + dx * part * sheet.unit, y + dy * part * sheet.unit


def _arrow(sheet: Sheet, points: Sequence[Point], dash: Sequence[float]) -> str:
    """Return an arrow through some points, with a pale line below it if it is dashed."""
    line = "".join(f"{'L' if k else 'M'}{point(each)}" for k, each in enumerate(points[:-1]))
    path = line + arrow(points[-2], points[-1], 0.2 * sheet.unit).removeprefix(f"M{point(points[-2])}")
    return _stroked(sheet, path, dash)


def _stroked(sheet: Sheet, path: str, dash: Sequence[float], cased: bool = False) -> str:
    theme, width = sheet.theme, 0.07 * sheet.unit
    style = {"fill": "none", "stroke_linecap": "round", "stroke_linejoin": "round"}
    line = tag("path", d=path, stroke=theme.ink, stroke_width=width, **style, **_dashes(dash))
    if not dash and not cased:
        return line
    return tag("path", d=path, stroke=theme.paper, stroke_width=2.2 * width, **style) + line


def _dashes(dash: Sequence[float]) -> dict[str, str]:
    return {"stroke_dasharray": " ".join(f"{part:.1f}" for part in dash)} if dash else {}


def _crosses(sheet: Sheet, made: Change) -> str:
    """Return crosses in the holes whose pegs were jumped over."""
    path = "".join(cross(sheet.middle(cell), 0.14 * sheet.unit) for cell in made.removed)
    return tag("path", d=path, stroke=sheet.theme.ink, stroke_width=0.06 * sheet.unit, fill="none")


def _dashed_ring(sheet: Sheet, cell: int, dash: Sequence[float]) -> str:
    """Return a dashed line around a piece that will change."""
    line = {"fill": "none", "stroke": sheet.theme.ink, "stroke_width": 0.085 * sheet.unit, **_dashes(dash)}
    if sheet.puzzle.board.grid and any(paint.kind == "tile" for paint in sheet.paint.values()):
        return tag("path", d=sheet.outline([sheet.square(cell)], INSET, 0.12), **line)
    x, y = sheet.middle(cell)
    return tag("circle", cx=x, cy=y, r=(DISC + 0.085) * sheet.unit, **line)


def _carried(sheet: Sheet, made: Change, dash: Sequence[float]) -> list[str]:
    """Return short arrows over the gaps between neighbours if a listed move carries pieces between them."""
    steps = {step for way in made.ways for step in pairwise(way.route) if step[0] != step[1]}
    near = [step for step in sorted(steps) if (step[1], step[0]) not in steps and _apart(sheet, *step) < 1.6]
    if not near or len(near) > MOST_ARROWS:
        return []
    path = "".join(_over_gap(sheet, a, b) for a, b in near)
    return [_stroked(sheet, path, (), cased=True)] if path else []


def _apart(sheet: Sheet, a: int, b: int) -> float:
    return _gap(sheet.middle(a), sheet.middle(b)) / sheet.unit


def _over_gap(sheet: Sheet, a: int, b: int) -> str:
    """Return the path data of an arrow across the line between two neighbouring cells."""
    (x, y), (u, v) = sheet.middle(a), sheet.middle(b)
    return arrow((0.68 * x + 0.32 * u, 0.68 * y + 0.32 * v), (0.3 * x + 0.7 * u, 0.3 * y + 0.7 * v), 0.15 * sheet.unit)
