"""The map from cells to pixels, and SVG elements as text."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from xml.sax.saxutils import escape, quoteattr

from ..puzzle.puzzle import Puzzle
from .exits import exit_of, with_exit
from .layout import edges, middles, squares, tower_size
from .looks import Paint
from .outline import Point, Square, edge, number, rounded
from .theme import LIGHT, Theme

INSET = 0.06
"""Half the gap between two pieces, in cells."""

DISC = 0.36
"""The radius of a disc, in cells."""


BELOW = 0.6
"""The room below stacks for their numbers, in cells."""


def tag(name: str, body: str = "", /, **attributes: str | float) -> str:
    """Return an element; `stroke_width=2` becomes stroke-width="2". Attributes are escaped, the body is not."""
    words = [f"{key.replace('_', '-')}={quoteattr(_value(value))}" for key, value in attributes.items()]
    head = " ".join([name, *words])
    return f"<{head}>{body}</{name}>" if body else f"<{head}/>"


def _value(value: str | float) -> str:
    return number(value) if isinstance(value, float) else str(value)


def label(text: str, middle: Point, size: float, **attributes: str | float) -> str:
    """Return words centred on a point, `size` pixels high."""
    x, y = middle
    return tag("text", escape(text), x=x, y=y + 0.36 * size, font_size=size, **attributes)


def extent(puzzle: Puzzle) -> tuple[float, float, float, float]:
    """Return left, top, right and bottom of the board in cells, including bent lines and the arrow of an exit."""
    if puzzle.stacks:
        return 0.0, 0.0, *tower_size(puzzle)
    points = middles(puzzle.board)
    if puzzle.board.grid:
        high = max(y for _, y in points) + 0.5
        if puzzle.board.upright:
            return 0.0, 0.0, float(len(puzzle.board.rows) * puzzle.board.upright), high + BELOW
        return with_exit((0.0, 0.0, float(max(map(len, puzzle.board.rows))), high), exit_of(puzzle))
    reach = [(x + dx, y + dy) for x, y in points for dx, dy in ((-0.5, -0.5), (0.5, 0.5))]
    for a, b in sorted(edges(puzzle.board)):
        (ax, ay), (bx, by) = points[a], points[b]
        if "Q" in edge(points[a], points[b], points, NEAR):
            reach.append(((ax + bx) / 2 + (by - ay) * 0.2, (ay + by) / 2 - (bx - ax) * 0.2))
    return (
        min(x for x, _ in reach), min(y for _, y in reach), max(x for x, _ in reach), max(y for _, y in reach)
    )  # fmt: skip


NEAR = 0.3
"""A line that comes nearer than this, in cells, to a place that it does not touch is bent around it."""


@dataclass(frozen=True)
class Sheet:
    """Where and how a board is drawn: `origin` is the pixel of the corner (0, 0), `unit` the pixels per cell.

    solid  whether the net of a cube is drawn as a cube (`cubes.views`)
    names  whether the names of all cells are drawn
    """

    puzzle: Puzzle
    paint: Mapping[str, Paint]
    origin: Point
    unit: float
    theme: Theme = LIGHT
    solid: bool = False
    names: bool = False

    def square(self, cell: int) -> Square:
        """Return column and row of a cell of a grid."""
        return squares(self.puzzle.board)[cell]

    def middle(self, cell: int) -> Point:
        """Return the pixel of the middle of a cell."""
        return self.at(*middles(self.puzzle.board)[cell])

    def at(self, x: float, y: float) -> Point:
        """Return the pixel of a place given in cells."""
        return self.origin[0] + x * self.unit, self.origin[1] + y * self.unit

    def outline(self, squares: Collection[Square], inset: float, radius: float) -> str:
        """Return the path data around squares; inset and radius are given in cells."""
        return rounded(squares, self.origin, self.unit, inset * self.unit, radius * self.unit)
