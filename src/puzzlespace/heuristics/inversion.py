"""Invert Distance: a slide across the rows passes width - 1 pieces, so it removes at most that many inversions.

It is for rectangular boards with one blank on which all pieces differ. Number the pieces by their goal places along
the rows. A slide within a row changes no order. A slide from row to row takes one piece past width - 1 others, so it
changes the number of inversions by width - 1, width - 3, … This gives a lower bound on the moves across rows. The same
holds for columns, and the two are added, because no move does both (Takahashi Ken'ichiro, 15-puzzle pages).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from ..structure.rectangle import Rectangle
from ..structure.slides import Slides


@dataclass(frozen=True)
class Inversion:
    """The bound for one goal."""

    slides: Slides
    shape: Rectangle
    goal: bytes

    @cached_property
    def orders(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The cells along the rows, and along the columns."""
        cells, shape = range(len(self.goal)), self.shape
        by_row = sorted(cells, key=lambda cell: (shape.rows[cell], shape.columns[cell]))
        by_column = sorted(cells, key=lambda cell: (shape.columns[cell], shape.rows[cell]))
        return tuple(by_row), tuple(by_column)

    @cached_property
    def ranks(self) -> tuple[dict[int, int], ...]:
        """For each axis the number of each symbol along it in the goal."""
        return tuple({self.goal[cell]: rank for rank, cell in enumerate(order)} for order in self.orders)

    def count(self, axis: int, position: bytes) -> int:
        """Return the inversions along the rows (axis 0) or the columns (axis 1)."""
        ranks, blank = self.ranks[axis], self.slides.blank
        row = [ranks[position[cell]] for cell in self.orders[axis] if position[cell] != blank]
        return sum(b < a for at, a in enumerate(row) for b in row[at + 1 :])

    def part(self, axis: int, position: bytes) -> int:
        """Return a lower bound on the moves across rows (axis 0) or columns (axis 1)."""
        return moves(self.count(axis, position), self.shape.lines(1 - axis) - 1)

    def bound(self, position: bytes) -> int:
        """Return a lower bound on the moves from the position to the goal."""
        return self.part(0, position) + self.part(1, position)


def moves(inversions: int, passed: int) -> int:
    """Return how many of the numbers passed, passed - 2, …, -passed are needed at least for a sum of `inversions`."""
    least = -(-inversions // passed)
    return least + (passed % 2 == 1 and (least - inversions) % 2)


def refusal(shape: Rectangle | None, start: bytes, goal: bytes, blank: int) -> str | None:
    """Return why the puzzle does not have the bound, or None."""
    if shape is None:
        return "inversions are counted along rows and columns, and the board is no rectangle of pieces of one cell"
    if start.count(blank) != 1 or len(set(goal)) < len(goal):
        return "inversions are counted on boards with one blank, if all pieces differ"
    return None
