"""Pattern databases on boards with one blank: the depth table of a few pieces among pieces that all look alike.

A move of a piece that is not in the pattern costs nothing there, so tables of disjoint patterns may be added (Korf &
Felner 2002, Disjoint pattern database heuristics, Artificial Intelligence 134). A block is passed by the blank as if
it were single pieces, and counts by its distance alone. Tables are built in the layout of `kernels.patterns`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import comb, factorial

import numpy as np

from ..kernels import patterns as kernel

MOST_PIECES = 8
"""Pieces in one pattern: their orders are numbered with 16 bits."""

MOST_CELLS = 30


@dataclass(frozen=True)
class Grid:
    """The cells that pieces of one cell move between, in the order of the numbering.

    order  the cells; neighbours stand next to each other where that can be, so most moves turn no order
    near   for each place in that order the neighbours, as bits
    """

    order: tuple[int, ...]
    near: np.ndarray

    @classmethod
    def of(cls, cells: int, edges: Sequence[tuple[int, int]]) -> Grid:
        """Return the grid of a board with edges (a, b); raise ValueError where it has too many cells."""
        if cells > MOST_CELLS:
            raise ValueError(f"patterns are numbered on at most {MOST_CELLS} cells, here are {cells}")
        beside: list[set[int]] = [set() for _ in range(cells)]
        for a, b in edges:
            beside[a].add(b)
            beside[b].add(a)
        order: list[int] = []
        left = set(range(cells))
        while left:
            near = beside[order[-1]] & left if order else left
            cell = min(near or left, key=lambda c: (len(beside[c] & left), c))
            order.append(cell)
            left.discard(cell)
        at = {cell: place for place, cell in enumerate(order)}
        near_bits = np.array([sum(1 << at[other] for other in beside[cell]) for cell in order], np.int64)
        return cls(tuple(order), near_bits)

    @cached_property
    def place(self) -> dict[int, int]:
        """The place of each cell in the order."""
        return {cell: place for place, cell in enumerate(self.order)}


def size_of(cells: int, pieces: int) -> int:
    """Return the bytes of a table."""
    return comb(cells, pieces) * factorial(pieces)


@dataclass(frozen=True)
class Numbering:
    """How k pieces on a grid are numbered: the arrays that `kernels.patterns` describes.

    by_region  whether a table tells apart where the blank is (larger, and a better bound)
    """

    grid: Grid
    k: int
    by_region: bool

    @cached_property
    def parts(self) -> tuple[np.ndarray, np.ndarray]:
        """The arrays `low` and `high`."""
        n = len(self.grid.order)
        binom = np.array([[comb(a, b) for b in range(self.k + 1)] for a in range(kernel.LOW + n + 1)], np.int64)
        low = np.zeros(1 << kernel.LOW, np.int32)
        high = np.zeros((kernel.LOW + 1, 1 << max(0, n - kernel.LOW)), np.int32)
        kernel.number_parts(binom, low, high)
        return low, high

    @cached_property
    def rows(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The arrays `row_of`, `sets` and `region`."""
        n, (low, high) = len(self.grid.order), self.parts
        none = np.zeros(0, np.int64)
        row_of = np.full(comb(n, self.k) * n, -1, np.int32)
        count = kernel.list_rows(self.grid.near, self.k, low, high, row_of, none, none)
        sets, region = np.zeros(count, np.int64), np.zeros(count, np.int64)
        kernel.list_rows(self.grid.near, self.k, low, high, row_of, sets, region)
        return row_of, sets, region

    @cached_property
    def turn(self) -> np.ndarray:
        """The array `turn`."""
        turn = np.empty((self.k**2, factorial(self.k)), np.uint16)
        facts = np.array([factorial(m) for m in range(self.k + 1)])
        kernel.list_turns(self.k, facts, np.zeros((2, self.k), np.int64), turn)
        return turn

    @cached_property
    def to_row(self) -> np.ndarray:
        """For each row its row in a table: itself, or the number of its set."""
        if self.by_region:
            return np.arange(len(self.rows[1]))
        n = len(self.grid.order)
        first = np.zeros(len(self.rows[1]), np.int64)
        row_of = self.rows[0]
        used = np.flatnonzero(row_of >= 0)
        first[row_of[used]] = used // n
        return first

    @cached_property
    def look_up(self) -> np.ndarray:
        """The row of a table for a set and the cell of the blank: int32 [sets * n], -1 on occupied cells."""
        row_of = self.rows[0]
        return np.where(row_of >= 0, self.to_row[row_of], -1).astype(np.int32)

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns of a table."""
        return int(self.to_row.max(initial=0)) + 1, factorial(self.k)

    def index(self, cells: Sequence[int], blank: int) -> tuple[int, int]:
        """Return row (all rows, not those of a table) and column of pieces in `cells`, the blank in `blank`."""
        low, high = self.parts
        places = [self.grid.place[cell] for cell in cells]
        row = kernel.number(np.int64(sum(1 << place for place in places)), low, high)
        return int(self.rows[0][row * len(self.grid.order) + self.grid.place[blank]]), column(places)

    def build(self, sources: Sequence[tuple[int, int]], table: np.ndarray) -> int:
        """Fill the table with the moves to the nearest of the sources (row, column); return the positions found."""
        row_of, sets, region = self.rows
        words = -(-factorial(self.k) // 64)
        now, following, seen = (np.zeros((len(sets), words), np.uint64) for _ in range(3))
        active = np.zeros((2, len(sets)), np.uint8)
        for row, at in sources:
            following[row, at >> 6] |= np.uint64(1 << (at & 63))
            active[1, row] = 1
        table.fill(kernel.UNKNOWN)
        board = (self.grid.near, *self.parts, row_of, self.turn, self.k)
        listed = np.empty(factorial(self.k), np.uint16)
        total = depth = 0
        while found := kernel.settle(now, following, seen, active, depth, self.to_row, table):
            total += found
            depth += 1
            kernel.spread((sets, region), now, following, active, board, listed)
        return total


def column(places: Sequence[int]) -> int:
    """Return the number of the order in which the pieces stand: lexicographic, for pieces at these places."""
    along = sorted(range(len(places)), key=places.__getitem__)
    total = 0
    for at, piece in enumerate(along):
        smaller = sum(other < piece for other in along[at + 1 :])
        total += smaller * factorial(len(along) - 1 - at)
    return total


def placements(targets: Sequence[frozenset[int]]) -> Iterator[tuple[int, ...]]:
    """Yield every way of putting pieces on their goal places, each on a cell of its own."""
    for cells in product(*map(sorted, targets)):
        if len(set(cells)) == len(cells):
            yield cells
