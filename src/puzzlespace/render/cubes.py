"""Cubes: a net of six faces recognised from its drawing, and drawn in isometric views from two opposite corners.

Space has x to the right, y up and z to the viewer of the face in the middle of the net.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import sqrt

from ..errors import UnsupportedError
from ..model.rule import Rule
from ..puzzle.letters import Frame
from ..puzzle.puzzle import Puzzle
from .outline import Point
from .sheet import Sheet, tag

Vector = tuple[float, float, float]

FACES: tuple[tuple[int, int, Vector, Vector, Vector], ...] = (
    (0, 1, (0, 1, 0), (1, 0, 0), (0, 0, 1)),
    (1, 0, (-1, 0, 0), (0, 0, 1), (0, -1, 0)),
    (1, 1, (0, 0, 1), (1, 0, 0), (0, -1, 0)),
    (1, 2, (1, 0, 0), (0, 0, -1), (0, -1, 0)),
    (1, 3, (0, 0, -1), (-1, 0, 0), (0, -1, 0)),
    (2, 1, (0, -1, 0), (1, 0, 0), (0, 0, -1)),
)
"""The faces of a net: row and column of faces, the outward normal, and where columns and rows of stickers lead."""

COVER = 0.86
"""How much of the width of its square a sticker covers."""

BODY = "#15171c"
"""The colour of the cube between the stickers."""

HALF = 0.5
"""Half the width of a sticker on its face, in cells."""

GAP = 1.0
"""Cells between the two views."""


@dataclass(frozen=True)
class Facet:
    """A sticker: the direction in which it looks, its middle, and where columns and rows lead; the edge is 2 long."""

    normal: Vector
    middle: Vector
    across: Vector
    down: Vector


@dataclass(frozen=True)
class Cube:
    """A cube: stickers along an edge, a facet for each cell, and the layer turn of each listed move.

    turns  by the name of the move (axis, quarter turns), anticlockwise as seen from the positive end of the axis
    """

    size: int
    facets: tuple[Facet, ...]
    turns: dict[str, tuple[int, int]]

    @property
    def extent(self) -> tuple[float, float]:
        """The width and the height of the two views, in cells."""
        half = HALF * self.size
        return 2 * (2 * sqrt(3) * half) + GAP, 4 * half


def cube_of(puzzle: Puzzle) -> Cube | None:
    """Return the cube for a net of six faces, if every listed move turns stickers as a turn of a layer does."""
    rows = puzzle.board.rows
    size = len(rows) // 3
    if not puzzle.listed or size < 2 or len(rows) != 3 * size or any(len(row) != 4 * size for row in rows):
        return None
    if puzzle.board.cells != 6 * size * size:
        return None
    facets: dict[int, Facet] = {}
    for top, left, normal, across, down in FACES:
        for y, x in product(range(size), repeat=2):
            cell = rows[top * size + y][left * size + x]
            if cell is None:
                return None
            u, v = ((2 * part + 1) / size - 1 for part in (x, y))
            a, b, c = (n + u * one + v * other for n, one, other in zip(normal, across, down, strict=True))
            facets[cell] = Facet(normal, (a, b, c), across, down)
    found = tuple(facets[cell] for cell in range(puzzle.board.cells))
    turns: dict[str, tuple[int, int]] = {}
    for rule in puzzle.rules:
        turn = _turn(puzzle, rule, [facet.middle for facet in found])
        if turn is None:
            return None
        turns[rule.name] = turn
    return Cube(size, found, turns)


def need_cube(puzzle: Puzzle) -> Cube:
    """Return the cube; raise UnsupportedError if the puzzle is none."""
    found = cube_of(puzzle)
    if found is None:
        raise UnsupportedError(f"--solid: expected a cube drawn as a net of six faces, found {puzzle.name}")
    return found


def _turn(puzzle: Puzzle, rule: Rule, places: Sequence[Vector]) -> tuple[int, int] | None:
    """Return (axis, quarter turns) of the turn that carries stickers as a listed move does, or None."""
    carried = puzzle.carried(rule)
    if any(table is not None for table in rule.table):
        return None
    for axis, quarters in product(range(3), (1, 3, 2)):
        if all(_near(_turned(places[a], axis, quarters), places[b]) for a, b in carried):
            return axis, quarters if quarters < 3 else -1
    return None


def _turned(place: Vector, axis: int, quarters: int) -> Vector:
    found = list(place)
    one, two = (axis + 1) % 3, (axis + 2) % 3
    for _ in range(quarters):
        found[one], found[two] = -found[two], found[one]
    return found[0], found[1], found[2]


def _near(a: Vector, b: Vector) -> bool:
    return all(abs(one - other) < 1e-9 for one, other in zip(a, b, strict=True))


def views(sheet: Sheet, frame: Frame) -> list[str]:
    """Return the elements of a position: the cube from the corner of the top, front and right, and from the opposite.

    The second view is upside down, as if the cube had been turned over: the eye takes every cube to be seen from above.
    Stickers in `frame.changed` are marked.
    """
    cube = need_cube(sheet.puzzle)
    return [element for side in (1, -1) for element in _view(sheet, frame, cube, side)]


def _view(sheet: Sheet, frame: Frame, cube: Cube, side: int) -> Iterator[str]:
    """Yield the faces whose normal points to the eye, which is in the direction (side, side, side)."""
    seen = [cell for cell, facet in enumerate(cube.facets) if side * sum(facet.normal) > 0]
    for cell in seen:
        around = _square(sheet, cube, cube.facets[cell], side, 1.0)
        yield tag("path", d=around, fill=BODY, stroke=BODY, stroke_width=1.0, stroke_linejoin="round")
    for cell in seen:
        fill = sheet.paint[frame.words[cell]].fill
        line = {"stroke": sheet.theme.ink if cell in frame.changed else fill, "stroke_width": 0.08 * sheet.unit}
        around = _square(sheet, cube, cube.facets[cell], side, COVER)
        yield tag("path", d=around, fill=fill, stroke_linejoin="round", **line)


def _square(sheet: Sheet, cube: Cube, facet: Facet, side: int, part: float) -> str:
    """Return the path data around the middle part of a sticker's square."""
    reach = part / cube.size
    corners = []
    for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
        x, y, z = (
            middle + reach * (a * one + b * other)
            for middle, one, other in zip(facet.middle, facet.across, facet.down, strict=True)
        )
        corners.append("{:g},{:g}".format(*sheet.at(*_on_paper(cube, (x, y, z), side))))
    return f"M{'L'.join(corners)}Z"


def _on_paper(cube: Cube, place: Vector, side: int) -> Point:
    """Return where a point lies in an isometric view, in cells; the view from below is upside down."""
    x, y, z = place
    half, (wide, high) = HALF * cube.size, cube.extent
    middle = (wide - GAP) / 4 if side > 0 else wide - (wide - GAP) / 4
    return middle + (x - z) * sqrt(3) / 2 * half, high / 2 + side * ((x + z) / 2 - y) * half
