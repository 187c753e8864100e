"""Convert bits of a sliding puzzle's depth table to positions, and positions to bits."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from ....errors import InputError
from ....kernels.table.windows_orders import Orders
from ....limits.watch import Watch, paced
from ....model.goal import Goal
from .arrays import BoardRanks, meeting
from .numbering import Row, SlidePlan

Notes = tuple[np.ndarray, np.ndarray]
"""Indices of words (row · words of a row + word), and the bits that are meant in each."""


def bit_index(plan: SlidePlan, orders: Orders, rows: Mapping[Row, int]) -> Callable[[bytes], int]:
    """Return the function from a position to its bit: the row, the head and the tail of the order of the pieces.

    It raises InputError for a position with other pieces or in a row that is not in the table.
    """
    below, child = orders.below.tolist(), orders.child.tolist()

    def bit(position: bytes) -> int:
        row = rows.get(plan.row(position)) if plan.slides.fits(position) else None
        if row is None:
            raise InputError("position: expected one with the pieces and the parity of the table")
        state, units, left = orders.root, [0, 0], list(plan.counts)
        for place, kind in enumerate(plan.pieces_of(position)):
            digit = kind - left[:kind].count(0)
            units[place >= orders.head] += below[state][digit]
            state = child[state][digit]
            left[kind] -= 1
        return (row * plan.words + units[0]) * 64 + units[1]

    return bit


class BitPlace(NamedTuple):
    """A bit of a table: its row, its word in the row, its number in the word."""

    row: int
    word: int
    bit: int


class Listing:
    """Converts bits to positions and back, for a plan and the rows of its table."""

    def __init__(self, plan: SlidePlan, orders: Orders, rows: Sequence[Row]) -> None:
        self.plan = plan
        self.orders = orders
        self.parity = np.array([parity for _, parity in rows], np.int64)
        shown = [[cell for place, cell in enumerate(plan.order) if place not in blanks] for blanks, _ in rows]
        self.cells = np.array(shown, np.int64)
        self.empty = np.frombuffer(plan.slides.position, np.uint8).copy()
        self.empty[list(plan.slides.live)] = plan.slides.blank
        numbers = {row: number for number, row in enumerate(rows)}
        self.bit = bit_index(plan, orders, numbers)
        self.ranks = BoardRanks(plan, orders, numbers)

    def place(self, position: bytes) -> BitPlace:
        """Return where the bit of a position is; raise InputError if it has none."""
        number, bit = divmod(self.bit(position), 64)
        return BitPlace(*divmod(number, self.plan.words), bit)

    def least(self, keep: int, notes: Iterable[Notes], at_once: int) -> tuple[bytes, ...]:
        """Return the first `keep` of the noted positions, in ascending order; unrank `at_once` words at a time."""
        kept: list[bytes] = []
        for numbers, words in notes if keep > 0 else ():
            for first in range(0, len(numbers), at_once):
                part = slice(first, first + at_once)
                positions = self.positions(numbers[part], words[part])
                kept = sorted([*kept, *_first(positions, keep)])[:keep]
        return tuple(kept)

    def positions(self, numbers: np.ndarray, words: np.ndarray) -> np.ndarray:
        """Return the positions of the bits set, one row of symbols each."""
        bits = words[:, None] >> np.arange(64, dtype=np.uint64) & np.uint64(1)
        noted, bit = np.nonzero(bits)
        row, word = np.divmod(numbers[noted], self.orders.leaves[self.orders.root])
        kinds = self._kinds(word, bit, self.parity[row])
        position = np.tile(self.empty, (len(row), 1))
        position[np.arange(len(row))[:, None], self.cells[row]] = np.array(self.plan.kinds, np.uint8)[kinds]
        return position

    def _kinds(self, word: np.ndarray, bit: np.ndarray, parity: np.ndarray) -> np.ndarray:
        """Return the orders with these words, bits and parities, as kinds, one row each."""
        orders = self.orders
        beyond = np.where(
            np.arange(orders.below.shape[1]) < orders.kinds[:, None], orders.below, np.iinfo(np.int64).max
        )
        every = np.arange(len(word))
        state = np.full(len(word), orders.root)
        left = np.tile(np.array(self.plan.counts), (len(word), 1))
        odd = parity.copy()
        kinds = np.empty((len(word), orders.pieces), np.int64)
        for place in range(orders.pieces):
            rest = word if place < orders.head else bit
            digit = (beyond[state] <= rest[:, None]).sum(1) - 1
            if orders.halved and place == orders.pieces - 2:
                digit = odd
            odd = (odd + digit) % 2
            rest -= orders.below[state, digit]
            kinds[:, place] = (np.cumsum(left > 0, 1) == digit[:, None] + 1).argmax(1)
            left[every, kinds[:, place]] -= 1
            state = orders.child[state, digit]
        return kinds


def _first(positions: np.ndarray, keep: int) -> list[bytes]:
    """Return the first `keep` rows in ascending order."""
    if len(positions) > keep:
        order = np.lexsort(positions.T[::-1])
        positions = positions[order[:keep]]
    return sorted(row.tobytes() for row in positions)


class WantedPositions:
    """Positions whose depths are wanted: looked up in the table after each layer until they are found."""

    def __init__(self, listing: Listing, goals: Iterable[Goal], watch: Watch) -> None:
        bits, rows = [np.empty(0, np.int64)], [np.empty((0, len(listing.empty)), np.uint8)]
        for goal in dict.fromkeys(goals):
            for some in meeting(listing.plan, goal):
                places = listing.ranks.bits(some)
                held = places >= 0  # others are not in the table
                bits.append(places[held])
                rows.append(some[held])
        watch.reserve(4 * sum(some.nbytes for some in (*bits, *rows)))
        self.bits, first = np.unique(np.concatenate(bits), return_index=True)
        self.rows = np.concatenate(rows)[first]

    def found(self, words_at: Callable[[np.ndarray], np.ndarray]) -> list[bytes]:
        """Return the wanted positions that are seen by now, in ascending order, and remove them.

        words_at  returns some words of the table
        """
        if not len(self.bits):
            return []
        known = (words_at(self.bits >> 6) >> (self.bits & 63).astype(np.uint64) & np.uint64(1)).astype(bool)
        if not known.any():
            return []
        found = self.rows[known]
        self.bits, self.rows = self.bits[~known], self.rows[~known]
        width = found.shape[1]
        shown = found.tobytes()
        return sorted(shown[first : first + width] for first in paced(range(0, len(shown), width)))
