"""The numbering of coloured pieces on a rectangle for `kernels.deepening.tracks`, and the turns of orders by moves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import comb, factorial, prod

import numpy as np

COLOURS = 4
"""The most colours of a group."""

BITS = 64
"""The most orders of the high group: one for each bit of a word."""

MOST_ORDERS = 1 << 16
"""The most orders of the low group."""

MOST_FIELDS = 20
"""The most fields of a word: three planes of them fit 64 bits."""

MOST_IN_GROUP = 10
"""The most fields of a group: an array is indexed by two bits of each."""


def ways(counts: Sequence[int]) -> int:
    """Return in how many orders pieces of some colours can stand, given how many there are of each."""
    return factorial(sum(counts)) // prod(map(factorial, counts))


def split(counts: Sequence[int]) -> tuple[int, ...] | None:
    """Return the colours of the high group, with as many orders as there can be, or None if there is no such group.

    counts  pieces of each colour
    """
    best: tuple[int, ...] | None = None
    for size in range(1, min(COLOURS, len(counts) - 1) + 1):
        for high in combinations(range(len(counts)), size):
            inside = [counts[colour] for colour in high]
            low = [counts[colour] for colour in range(len(counts)) if colour not in high]
            fits = len(low) <= COLOURS and max(sum(low), sum(inside)) <= MOST_IN_GROUP and ways(low) <= MOST_ORDERS
            if fits and ways(inside) <= BITS and (best is None or ways(inside) > ways([counts[c] for c in best])):
                best = high
    return best


def orders(counts: Sequence[int]) -> np.ndarray:
    """Return all orders of so many pieces of each colour, as two planes of bits (bit 1 first), ascending: int64."""
    fields = sum(counts)
    found = [(0, tuple(counts))]
    for field in range(fields):
        found = [
            (key | (colour >> 1) << (fields + field) | (colour & 1) << field, _less(left, colour))
            for key, left in found for colour in range(len(left)) if left[colour]
        ]  # fmt: skip
    return np.sort(np.array([key for key, _ in found], np.int64))


def _less(counts: tuple[int, ...], colour: int) -> tuple[int, ...]:
    return (*counts[:colour], counts[colour] - 1, *counts[colour + 1 :])


@dataclass(frozen=True)
class Words:
    """The words of a board: rows and columns of it, pieces of each colour of the low and of the high group."""

    rows: int
    columns: int
    low: tuple[int, ...]
    high: tuple[int, ...]

    @property
    def fields(self) -> int:
        """The number of pieces."""
        return self.rows * self.columns - 1

    @property
    def lines(self) -> int:
        """The number of rows and columns."""
        return self.rows + self.columns

    @property
    def shape(self) -> tuple[int, int, int]:
        """The shape of the bits of a table."""
        return comb(self.fields, sum(self.high)), self.lines, ways(self.low)

    @property
    def total(self) -> int:
        """The number of tracks."""
        return prod(self.shape) * ways(self.high)

    @cached_property
    def places(self) -> np.ndarray:
        """The fields of the high group as bits, for each row of a table: int64, ascending."""
        return np.array(sorted(sum(1 << f for f in c) for c in combinations(range(self.fields), sum(self.high))))

    @cached_property
    def orders(self) -> tuple[np.ndarray, np.ndarray]:
        """The orders of the low and of the high group, by number."""
        return orders(self.low), orders(self.high)

    @cached_property
    def numbers(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The numbers of rows, low orders and high orders: uint32, uint16, uint8; 0 for invalid indices."""
        rows = np.zeros(1 << self.fields, np.uint32)
        rows[self.places] = np.arange(len(self.places))
        found = [
            np.zeros(1 << 2 * sum(counts), kind) for counts, kind in zip((self.low, self.high), _KINDS, strict=True)
        ]
        for table, keys in zip(found, self.orders, strict=True):
            table[keys] = np.arange(len(keys))
        return rows, found[0], found[1]

    def goes(self, cell: int) -> list[int]:
        """Return where each field of a row's word is in the word of the column that crosses it in a cell."""
        column = cell % self.columns
        found = list(range(self.fields))
        for field in range(column, cell):
            found[field] += self.columns - 1 if (field - column) % self.columns == 0 else -1
        return found

    @cached_property
    def masks(self) -> np.ndarray:
        """The array `masks` of `idastar_tracks`: the fields that stay, go up and go down, for each axis and cell."""
        planes = 1 | 1 << self.fields | 1 << 2 * self.fields
        found = np.zeros((2, self.rows * self.columns, 3), np.uint64)
        for cell in range(self.rows * self.columns):
            goes = self.goes(cell)
            for axis, pairs in enumerate(([*enumerate(goes)], [(to, field) for field, to in enumerate(goes)])):
                for field, to in pairs:
                    found[axis, cell, 0 if to == field else 1 if to > field else 2] += np.uint64(planes << field)
        return found

    @cached_property
    def shifts(self) -> np.ndarray:
        """The array `shifts`: how far fields go up and down, for each axis."""
        return np.array([[self.columns - 1, 1], [1, self.columns - 1]], np.uint64)

    @cached_property
    def turns(self) -> tuple[tuple[np.ndarray, ...], tuple[np.ndarray, ...]]:
        """The arrays `sources` and `turns` of `kernels.deepening.tracks.spread`."""
        cells = self.rows * self.columns
        rows = np.zeros((2, cells, len(self.places)), np.int32)
        codes = np.zeros((2, *rows.shape), np.int64)
        for axis, cell in np.ndindex(2, cells):
            goes = self.goes(cell)
            sources = goes if axis else [goes.index(field) for field in range(self.fields)]
            before = np.zeros(len(self.places), np.int64)
            for field, source in enumerate(sources):
                before |= (self.places >> field & 1) << source
            rows[axis, cell] = self.numbers[0][before]
            for group in (0, 1):
                codes[group, axis, cell] = self._turn(sources, before, group)
        (low, low_at), (high, high_at) = (np.unique(codes[group], return_inverse=True) for group in (0, 1))
        at = [each.reshape(rows.shape).astype(np.int32) for each in (low_at, high_at)]
        befores = [self._before(high_code, 1) for high_code in high.tolist()]
        still = np.array([(before == np.arange(len(before))).all() for before in befores])
        tables = np.array([self._before(code, 0) for code in low.tolist()]), np.array(list(map(_bytes, befores))), still
        return (rows, *at), tables

    def _turn(self, sources: Sequence[int], before: np.ndarray, group: int) -> np.ndarray:
        """Return for each row the turn of a group's order: a number with 4 bits for the old field of each field."""
        inside = [(self.places >> field & 1) == group for field in range(self.fields)]
        old = [(before >> field & 1) == group for field in range(self.fields)]
        ranks = np.cumsum(old, axis=0) - 1
        here = np.cumsum(inside, axis=0) - 1
        code = np.zeros(len(self.places), np.int64)
        for field, source in enumerate(sources):
            code |= np.where(inside[field], ranks[source] << 4 * np.maximum(here[field], 0), 0)
        return code

    def _before(self, code: int, group: int) -> np.ndarray:
        """Return for each order of a group the number of the order before a turn: int32."""
        fields, keys = sum((self.low, self.high)[group]), self.orders[group]
        found = np.zeros(len(keys), np.int64)
        for field in range(fields):
            source = code >> 4 * field & 15
            found |= (keys >> field & 1) << source | (keys >> (fields + field) & 1) << (fields + source)
        return self.numbers[1 + group][found].astype(np.int32)


_KINDS = (np.uint16, np.uint8)


def _bytes(before: np.ndarray) -> np.ndarray:
    """Return for each byte of a word and each of its values the bits after a turn: uint64 [8, 256]."""
    to = np.zeros(BITS, np.uint64)
    to[before] = np.uint64(1) << np.arange(len(before), dtype=np.uint64)
    found = np.zeros((BITS // 8, 256), np.uint64)
    for bit in range(8):
        found[:, 1 << bit : 2 << bit] = found[:, : 1 << bit] | to[bit::8, np.newaxis]
    return found


def partitions(total: int, parts: int, least: int = 1) -> Iterator[tuple[int, ...]]:
    """Yield all partitions of a number into at most `parts` summands of at least `least`, in ascending order."""
    if parts and least <= total:
        yield (total,)
        for first in range(least, total // 2 + 1):
            yield from ((first, *rest) for rest in partitions(total - first, parts - 1, first))
