"""Pattern databases on boards with one blank: the depth table of a few pieces among pieces that are all equal.

A move of a piece that is not in the pattern costs nothing there, so tables of disjoint patterns may be added (Korf &
Felner 2002, Disjoint pattern database heuristics, Artificial Intelligence 134). The blank passes a block as if it were
single pieces; the block itself counts by its distance. Tables are built in the layout of `kernels.deepening.patterns`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import comb, factorial
from typing import Any

import numpy as np

from ..errors import UnsupportedError
from ..kernels.deepening import patterns as kernel
from ..limits.watch import checkpoint, paced

MOST_PIECES = 8
"""The most pieces of a pattern: their orders are numbered with 16 bits."""

MOST_CELLS = 30

FORMAT = 1
"""The version of tables in the cache folder."""


@dataclass(frozen=True)
class Grid:
    """The cells that pieces of one cell move between, in the order of the numbering.

    order  the cells; neighbours follow each other if possible, so that most moves change no order of pieces
    near   for each place in that order a bit set of its neighbours
    """

    order: tuple[int, ...]
    near: np.ndarray

    @classmethod
    def of(cls, cells: int, edges: Sequence[tuple[int, int]]) -> Grid:
        """Return the grid of a board with edges (a, b); raise UnsupportedError if it has too many cells."""
        if cells > MOST_CELLS:
            raise UnsupportedError(f"heuristic pattern: expected at most {MOST_CELLS} cells, found {cells}")
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

    @cached_property
    def colour(self) -> int | None:
        """One colour of a two-colouring of the places, as a bit set; None if the grid is not bipartite."""
        colour: dict[int, int] = {}
        for first in range(len(self.order)):
            pending = [first] if colour.setdefault(first, 0) == 0 else []
            while pending:
                place = pending.pop()
                for other in (other for other in range(len(self.order)) if self.near[place] >> other & 1):
                    if other not in colour:
                        colour[other] = 1 - colour[place]
                        pending.append(other)
                    elif colour[other] == colour[place]:
                        return None
        return sum(1 << place for place in colour if colour[place])


@dataclass(frozen=True)
class PatternNumbering:
    """The numbering of k pieces on a grid: the arrays that `kernels.deepening.patterns` describes."""

    grid: Grid
    k: int

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

    @property
    def shape(self) -> tuple[int, int]:
        """The number of rows, and of 64-bit words for one bit of every column."""
        return len(self.rows[1]), -(-factorial(self.k) // 64)

    @property
    def bytes(self) -> int:
        """The size in bytes of the table of one group."""
        rows, words = self.shape
        return 8 * rows * words * (1 if self.grid.colour is not None else 2)

    @property
    def board(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray, int]:
        """The arrays `board`."""
        return self.grid.near, *self.parts, self.rows[0], self.turn, self.k

    def index(self, cells: Sequence[int], blank: int) -> tuple[int, int]:
        """Return row and column of pieces in `cells`, the blank in `blank`."""
        low, high = self.parts
        places = [self.grid.place[cell] for cell in cells]
        row = kernel.number(np.int64(sum(1 << place for place in places)), low, high)
        return int(self.rows[0][row * len(self.grid.order) + self.grid.place[blank]]), column(places)


@dataclass
class PatternTable:
    """The depths of one numbering, modulo four (see `kernels.deepening.patterns`).

    sources  row and column of every placement of depth 0
    bits     uint64 [rows, planes * words], filled by `build` or from elsewhere
    """

    numbering: PatternNumbering
    sources: tuple[tuple[int, int], ...]
    bits: np.ndarray = field(default_factory=lambda: np.zeros((0, 0), np.uint64))

    @cached_property
    def planes(self) -> int:
        """The bits stored of each depth: one if the occupied cells determine whether it is odd, else two."""
        coloured = self.numbering.grid.colour is not None
        return 1 if coloured and len({self._coloured(row) for row, _ in self.sources}) == 1 else 2

    def _coloured(self, row: int) -> int:
        """Return whether an odd number of the cells of one colour is occupied."""
        return (int(self.numbering.rows[1][row]) & (self.numbering.grid.colour or 0)).bit_count() & 1

    def odd(self, row: int) -> int:
        """Return whether the depths of a row are odd, if one bit of each is stored; else 0."""
        return self._coloured(row) ^ self._coloured(self.sources[0][0]) if self.planes == 1 else 0

    @property
    def shape(self) -> tuple[int, int]:
        """The shape of `bits`."""
        rows, words = self.numbering.shape
        return rows, words * self.planes

    @property
    def size(self) -> int:
        """The size in bytes."""
        rows, words = self.shape
        return 8 * rows * words

    @property
    def identity(self) -> dict[str, Any]:
        """Everything that the bits depend on."""
        grid = self.numbering.grid
        board = {"order": list(grid.order), "near": grid.near.tolist(), "pieces": self.numbering.k}
        return board | {"format": FORMAT, "sources": sorted(map(list, self.sources))}

    @property
    def scratch(self) -> int:
        """The bytes that `build` needs besides the table."""
        rows, words = self.numbering.shape
        return 8 * rows * words * (1 + self.planes)

    def build(self) -> int:
        """Fill the table with the moves to the nearest source; return the number of positions."""
        numbering = self.numbering
        shape = numbering.shape
        seen, now = np.zeros(shape, np.uint64), np.zeros(shape, np.uint64)
        following = now if self.planes == 1 else np.zeros(shape, np.uint64)
        active = np.zeros((2, shape[0]), np.uint8)
        for row, at in self.sources:
            following[row, at >> 6] |= np.uint64(1 << (at & 63))
            active[1, row] = 1
        self.bits = np.zeros(self.shape, np.uint64)
        listed = np.empty(factorial(numbering.k), np.uint16)
        total = depth = 0
        while found := kernel.settle(now, following, seen, active, depth, self.planes, self.bits):
            checkpoint()
            total += int(found)
            depth += 1
            kernel.spread(numbering.rows[1:], now, following, active, numbering.board, listed)
        return total

    def depth(self, row: int, at: int) -> int | None:
        """Return the depth of a row and column, or None if no source can be reached."""
        here = np.array([row, at], np.int64)
        numbering = self.numbering
        rows = numbering.rows[1:]
        moves = kernel.descend(here, self.odd(row), rows, numbering.board, self.planes, self.bits)
        return int(moves) if (int(here[0]), int(here[1])) in self.sources else None


def column(places: Sequence[int]) -> int:
    """Return the lexicographic number of the order of pieces at these places."""
    along = sorted(range(len(places)), key=places.__getitem__)
    total = 0
    for at, piece in enumerate(along):
        smaller = sum(other < piece for other in along[at + 1 :])
        total += smaller * factorial(len(along) - 1 - at)
    return total


def placements(targets: Sequence[frozenset[int]]) -> Iterator[tuple[int, ...]]:
    """Yield every way to place the pieces on their goal places, at most one on a cell."""
    rows = [sorted(cells) for cells in targets]

    def placed(cells: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        if len(cells) == len(rows):
            yield cells
            return
        for cell in rows[len(cells)]:
            if cell not in cells:
                yield from placed((*cells, cell))

    return paced(placed(()))
