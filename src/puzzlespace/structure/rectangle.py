"""Rows and columns of a board, read from the directions of its rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..model.model import Model
from ..model.rule import Motion
from .slides import Slides


@dataclass(frozen=True)
class Rectangle:
    """A full grid: cell c is in row rows[c] and column columns[c]; a step changes one of them by one."""

    width: int
    height: int
    rows: tuple[int, ...]
    columns: tuple[int, ...]

    def line(self, axis: int, cell: int) -> int:
        """Return the row (axis 0) or the column (axis 1) of a cell."""
        return (self.rows, self.columns)[axis][cell]

    def lines(self, axis: int) -> int:
        """Return how many rows (axis 0) or columns (axis 1) there are."""
        return (self.height, self.width)[axis]


def read(slides: Slides) -> Rectangle | None:
    """Return the rectangle that pieces of one cell move on, or None if the board is no rectangle or has blocks.

    A block takes the blank over several lines in one move, so bounds that count lines do not hold if there are blocks.
    """
    return slides.model.kept(_read, slides.steps)


def _read(model: Model, moves: Sequence[Motion]) -> Rectangle | None:
    if model.shapes is not None:
        return None
    steps = {(move.origin, move.direction): move.target for move in moves}
    ways = list(dict.fromkeys(move.direction for move in moves))
    opposite = {
        way: other for way in ways for other in ways for move in moves
        if move.direction == way and steps.get((move.target, other)) == move.origin
    }  # fmt: skip
    if len(ways) != 4 or len(opposite) != 4 or "" in ways:
        return None
    across = ways[0]
    down = next(way for way in ways if way not in (across, opposite[across]))
    vectors = {across: (1, 0), opposite[across]: (-1, 0), down: (0, 1), opposite[down]: (0, -1)}
    return _placed(model.cells, steps, vectors)


def _placed(cells: int, steps: dict[tuple[int, str], int], vectors: dict[str, tuple[int, int]]) -> Rectangle | None:
    places = {0: (0, 0)}
    pending = [0]
    while pending:
        cell = pending.pop()
        x, y = places[cell]
        for way, (dx, dy) in vectors.items():
            other = steps.get((cell, way))
            if other is not None and other not in places:
                places[other] = (x + dx, y + dy)
                pending.append(other)
    if len(places) < cells:
        return None
    left, top = (min(place[axis] for place in places.values()) for axis in (0, 1))
    spots = [(places[cell][0] - left, places[cell][1] - top) for cell in range(cells)]
    width, height = (1 + max(spot[axis] for spot in spots) for axis in (0, 1))
    at = {spot: cell for cell, spot in enumerate(spots)}
    wanted = {
        (cell, way): at[x + dx, y + dy]
        for (x, y), cell in at.items() for way, (dx, dy) in vectors.items() if (x + dx, y + dy) in at
    }  # fmt: skip
    if len(at) < cells or width * height != cells or wanted != steps:
        return None
    return Rectangle(width, height, tuple(y for _, y in spots), tuple(x for x, _ in spots))
