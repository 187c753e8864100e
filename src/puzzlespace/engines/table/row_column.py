"""Tables in which a position is a row and a column, and a move maps a row to a row: for `products` and `frames`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from ...limits.thresholds import Threshold
from ...model.goal import Goal
from .counting import Task
from .one_bit import Ordered, Sets

TASK_WORDS = Threshold(1 << 14)
"""The fewest words of a task: 2^14 take 0.1 to 0.3 ms, handing a task over takes 0.03 ms."""


@dataclass(frozen=True)
class Arcs:
    """The moves to each row, as `kernels.table.products.pull_rows` reads them.

    source  int32 [move, row]: the row from which the move leads to this one, or -1
    number  int32 [move, row], or [move, 1] if all rows have the same: its table of columns, or -1 for the identity
    """

    source: np.ndarray
    number: np.ndarray

    def leave_out_loops(self) -> None:
        """Leave out moves from a row to itself that keep all columns."""
        rows = np.arange(self.source.shape[1], dtype=np.int32)
        for source, number in zip(self.source, self.number, strict=True):
            if (number < 0).any():
                source[(number < 0) & (source == rows)] = -1


@dataclass(frozen=True)
class ColumnTables:
    """Permutations of columns: entries begins[t] … begins[t+1]-1 are table t.

    there  uint32, the image of each column; a table that is shorter than a row applies to each block of columns
    back   the inverse
    """

    begins: np.ndarray
    there: np.ndarray
    back: np.ndarray

    @classmethod
    def empty(cls, lengths: Sequence[int]) -> ColumnTables:
        """Return tables of these lengths, to be filled."""
        begins = np.cumsum([0, *lengths]).astype(np.int64)
        return cls(begins, np.empty(begins[-1], np.uint32), np.empty(begins[-1], np.uint32))

    @classmethod
    def of(cls, tables: Sequence[np.ndarray]) -> ColumnTables:
        """Return the tables with their inverses."""
        found = cls.empty([len(table) for table in tables])
        for number, table in enumerate(tables):
            span = slice(*found.begins[number : number + 2])
            found.there[span] = table
            found.back[span][table] = np.arange(len(table), dtype=np.uint32)
        return found


def bit_index(number: Callable[[bytes], tuple[int, int]], columns: int) -> tuple[Callable[[bytes], int], int]:
    """Return the function from a position to its bit, and the words of a row: every row begins a new word.

    number  returns (row, column) of a position; raises InputError if it has none
    """
    width = -(-columns // 64)

    def bit(position: bytes) -> int:
        row, column = number(position)
        return row * width * 64 + column

    return bit, width


@dataclass
class RowField:
    """Bits by row and column; a kind of table provides `number` and `show`.

    arcs    the moves to each row; those that change nothing are left out here
    onward  the same moves by the row from which they lead: `source` is the row to which they lead
    number  returns (row, column) of a position; raises InputError if it has none
    show    returns the positions of some rows and columns, one row of symbols each
    numbers  returns the rows and columns of many positions; None if the kind does not number them with arrays
    may_meet  returns for each row whether positions there may meet a goal; None if the kind cannot say
    task    the fewest words of a task
    """

    arcs: Arcs
    onward: Arcs
    tables: ColumnTables
    rows_count: int
    columns: int
    number: Callable[[bytes], tuple[int, int]]
    show: Callable[[np.ndarray, np.ndarray], np.ndarray]
    numbers: Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]] | None = None
    may_meet: Callable[[Goal], np.ndarray] | None = None
    task: int = TASK_WORDS.usual
    bit: Callable[[bytes], int] = field(init=False)
    width: int = field(init=False)
    words: int = field(init=False)

    def __post_init__(self) -> None:
        self.bit, self.width = bit_index(self.number, self.columns)
        self.words = self.rows_count * self.width
        self.arcs.leave_out_loops()

    @property
    def places(self) -> Callable[[np.ndarray], np.ndarray] | None:
        """The function from positions of the table, one row of symbols each, to their bit indices; None if none."""
        return None if self.numbers is None else self._places

    def _places(self, rows: np.ndarray) -> np.ndarray:
        assert self.numbers is not None
        row, column = self.numbers(rows)
        return row * self.width * 64 + column

    def spans_of(self, goals: Sequence[Goal]) -> list[tuple[int, int]]:
        """Return spans of words (first, end) outside of which no position meets a goal."""
        if self.may_meet is None:
            return [(0, self.words)]
        rows = np.logical_or.reduce([self.may_meet(goal) for goal in goals])
        ends = np.flatnonzero(np.diff(rows, prepend=False, append=False)) * self.width
        return list(zip(ends[::2].tolist(), ends[1::2].tolist(), strict=True))

    def rows(self, bits: np.ndarray) -> np.ndarray:
        return self.show(bits // (self.width * 64), bits % (self.width * 64))

    def phases(self, seen: np.ndarray, edge: np.ndarray, threads: int) -> Iterator[list[Task]]:
        from ...kernels.table.products import count_rows, pull_rows

        counts = np.empty(self.rows_count, np.int64)
        count_rows(seen, edge, self.width, counts)
        arcs = (self.arcs.source, self.arcs.number)
        bits, sizes, tables = (
            (seen, edge),
            (counts, self.width, self._last),
            (self.tables.begins, self.tables.there, self.tables.back),
        )
        yield [(pull_rows, (bits, sizes, arcs, tables, span)) for span in self._spans(threads)]

    def ordered(self, sets: Sets, size: int, unseen: int, threads: int) -> Ordered:
        from ...kernels.table.products import probe_rows, push_rows

        seen, layer, fresh = sets
        begins, there, back = self.tables.begins, self.tables.there, self.tables.back
        if size <= unseen:
            moves = (self.width, threads == 1), (self.onward.source, self.onward.number), (begins, there)
            return True, [[(push_rows, ((layer, seen), *moves, span)) for span in self._spans(threads)]]
        moves = (self.width, self._last), (self.arcs.source, self.arcs.number), (begins, back)
        return False, [[(probe_rows, ((seen, fresh), *moves, span)) for span in self._spans(threads)]]

    @property
    def _last(self) -> np.uint64:
        """The bits of a row's last word that are columns."""
        return np.uint64((1 << (self.columns - 64 * (self.width - 1))) - 1)

    def _spans(self, threads: int) -> list[tuple[int, int]]:
        """Return spans of rows, one for each task."""
        size = max(-(-self.task // self.width), -(-self.rows_count // (16 * threads)))
        return [(first, min(first + size, self.rows_count)) for first in range(0, self.rows_count, size)]
