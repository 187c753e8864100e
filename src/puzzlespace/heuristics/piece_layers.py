"""Fill depth tables of pieces breadth-first on all threads, see `kernels.deepening.piece_tables`."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations, permutations
from math import comb, factorial
from typing import Any

import numpy as np

from ..kernels.deepening import piece_tables as kernel
from ..kernels.equal_bytes import count_equal
from ..limits.threads import Crew
from ..limits.watch import checkpoint

AT_ONCE = 1 << 20
"""About how many entries a thread processes at a time."""

LISTED = 1 << 22
"""Lists of places of this size in bytes are kept; larger ones, if the table is twice as large."""

NARROW = 1 << 16
"""So many places or turns are numbered by two bytes."""


@dataclass(frozen=True)
class PieceLayers:
    """What filling a table takes besides the table.

    form, radix  see the kernel
    turns        (cell, variant) after each move, and after each move undone
    threads      the most threads
    """

    form: np.ndarray
    radix: np.ndarray
    turns: tuple[tuple[np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray]]
    threads: int

    def keeps(self, size: int) -> bool:
        """Return whether the lists of places of all sets of cells are kept while a table of a size is filled."""
        _, first, n, places, _ = self.form.tolist()
        return self._wide * len(self.turns[0][0]) * comb(n, first) * places <= max(LISTED, size // 2)

    def lists(self, size: int) -> int:
        """Return the number of lists of places: one for each move and set of cells, or thread."""
        _, first, n, _, _ = self.form.tolist()
        return len(self.turns[0][0]) * (comb(n, first) if self.keeps(size) else self.threads)

    @property
    def _wide(self) -> int:
        """The bytes of the number of a place or turn."""
        return 2 if max(self.form[kernel.PLACES :].tolist()) <= NARROW else 4

    def bytes(self, size: int) -> int:
        """Return how many bytes filling a table of a size takes besides the table."""
        _, first, n, places, turns = self.form.tolist()
        desk = 2 * self._wide * places * turns + 8 * (4 * max(places, turns) + len(self.radix))
        sets = first * (comb(n, first) + factorial(first))
        rows = size // (places * turns)
        return self.threads * desk + self.lists(size) * (self._wide * places + 1) + 2 * rows + sets

    def fill(self, table: np.ndarray, goals: Iterable[int], deepest: int) -> int:
        """Write all depths, from those of the goals; return the number of entries reached.

        deepest  what greater depths are stored as
        """
        _, first, n, places, turns = self.form.tolist()
        kind = np.uint16 if self._wide == 2 else np.int32
        latest = np.full((2, len(table) // (places * turns)), kernel.UNSEEN, np.uint8)
        table.fill(kernel.UNSEEN)
        total = 0
        for goal in set(goals):
            table[goal] = latest[0, goal // (places * turns)] = 0
            total += 1
        sets, orders = _rows(combinations(range(n), first), first), _rows(permutations(range(first)), first)
        lists = self.lists(len(table))
        listed, arrays = np.zeros(lists, np.uint8), np.zeros((lists, places), kind)
        desks = [
            (
                np.zeros(len(self.radix), np.int64),
                np.zeros((2, places * turns), kind),
                np.zeros((4, max(places, turns)), np.int64),
            )
            for _ in range(self.threads)
        ]
        crew, each = Crew(self.threads), max(1, AT_ONCE // (len(orders) * places * turns))

        def layer(depth: int, few: bool) -> int:
            found: list[int] = []
            run: Any = kernel.gather if few else kernel.spread
            moves = self.turns[0] if few else self.turns[1]

            def work(thread: int, begin: int) -> bool:
                span = np.array([begin, min(begin + each, len(sets)), thread, self.keeps(len(table))], np.int64)
                common = self.form, self.radix, moves, sets, orders, arrays, listed, latest
                found.append(run(table, *common, depth, span, *desks[thread]))
                return True

            crew.run(deque(range(0, len(sets), each)), work, checkpoint)
            return sum(found)

        fresh, depth, few = total, 0, False
        while fresh and depth < deepest:
            if few != (few := len(table) - total < fresh):
                listed[:] = 0
            fresh = layer(depth, few)
            total, depth = total + fresh, depth + 1
        if fresh:
            for begin in range(0, len(table), AT_ONCE):
                part = table[begin : begin + AT_ONCE]
                part[part == kernel.UNSEEN] = deepest
        return len(table) - count_equal(table, kernel.UNSEEN)


def _rows(rows: Iterable[tuple[int, ...]], width: int) -> np.ndarray:
    """Return the rows as an array of bytes."""
    found = list(rows)
    return np.array(found, np.uint8).reshape(len(found), width)
