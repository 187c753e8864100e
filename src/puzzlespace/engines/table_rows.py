"""Tables of rows, shared by `table_product` and `table_frame`: a position is a row and a column, moves join rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from .table_layers import Task


@dataclass(frozen=True)
class Arcs:
    """Which moves lead to each row, and what they do to columns.

    first, source, number  arcs first[r] … first[r+1]-1 lead to row r, from source[i] by columns[number[i]] (-1: as is)
    columns                int [table, column]: the column that each column is led to, one-to-one
    """

    first: np.ndarray
    source: np.ndarray
    number: np.ndarray
    columns: np.ndarray


def arcs(targets: Sequence[np.ndarray], numbers: Sequence[np.ndarray], columns: np.ndarray) -> Arcs:
    """Return the arcs of some moves.

    targets[m][r]  the row that move m leads to from row r, -1 where it cannot be made
    numbers[m][r]  the table of columns it goes through; tables that change nothing become -1
    """
    same = (columns == np.arange(columns.shape[1])).all(axis=1) if len(columns) else np.zeros(0, bool)
    rows = len(targets[0]) if targets else 1
    target = np.concatenate([np.asarray(each) for each in targets]) if targets else np.zeros(0, np.int64)
    number = np.concatenate([np.asarray(each) for each in numbers]) if targets else np.zeros(0, np.int64)
    source = np.tile(np.arange(rows), len(targets))
    kept = target >= 0
    number = np.where(same[number], -1, number) if len(columns) else number
    kept &= ~((number < 0) & (source == target))
    target, source, number = target[kept], source[kept], number[kept]
    order = np.lexsort((number, source, target))
    target, source, number = target[order], source[order], number[order]
    fresh = np.ones(len(target), bool)
    fresh[1:] = (np.diff(target) != 0) | (np.diff(source) != 0) | (np.diff(number) != 0)
    target, source, number = target[fresh], source[fresh], number[fresh]
    first = np.searchsorted(target, np.arange(rows + 1))
    return Arcs(first.astype(np.int64), source.astype(np.int32), number.astype(np.int32), columns)


@dataclass
class RowField:
    """Bits by row and column. `number` and `show` come from the kind of table that knows what rows and columns mean.

    number  returns (row, column) of a position, raises InputError where it has none
    show    returns the positions of some rows and columns, one row of symbols each
    """

    arcs: Arcs
    rows_count: int
    columns: int
    number: Callable[[bytes], tuple[int, int]]
    show: Callable[[np.ndarray, np.ndarray], np.ndarray]
    width: int = field(init=False)
    words: int = field(init=False)

    def __post_init__(self) -> None:
        self.width = -(-self.columns // 64)
        self.words = self.rows_count * self.width
        filled = self.width * 64
        tables = self.arcs.columns
        self.there = np.tile(np.arange(filled, dtype=np.uint32), (max(1, len(tables)), 1))
        self.back = self.there.copy()
        for number, table in enumerate(tables):
            self.there[number, : self.columns] = table
            self.back[number, table] = np.arange(self.columns)

    def bit(self, position: bytes) -> int:
        """Return the number of the position's bit; raise InputError where it has none."""
        row, column = self.number(position)
        return row * self.width * 64 + column

    def rows(self, bits: np.ndarray) -> np.ndarray:
        """Return the positions of some bits, one row of symbols each."""
        return self.show(bits // (self.width * 64), bits % (self.width * 64))

    def phases(self, layer: np.ndarray, seen: np.ndarray, found: np.ndarray, threads: int) -> Iterator[list[Task]]:
        """Yield the work of one step."""
        from ..kernels.products import count_rows, pull_rows

        counts = np.empty(self.rows_count, np.int64)
        count_rows(layer, self.width, counts)
        arcs = (self.arcs.first, self.arcs.source, self.arcs.number)
        size = max(1, -(-self.rows_count // (16 * threads)))
        spans = [(first, min(first + size, self.rows_count)) for first in range(0, self.rows_count, size)]
        bits, tables = (layer, seen, found), (self.there, self.back)
        yield [(pull_rows, (bits, (counts, self.width), arcs, tables, span)) for span in spans]
