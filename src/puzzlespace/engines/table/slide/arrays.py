"""Many positions of a sliding puzzle at once, with NumPy: one row of symbols for each position."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import comb

import numpy as np

from ....kernels.table.windows_orders import Orders
from ....limits.watch import checkpoint
from ....model.goal import Goal
from ....structure.slides import SlideBoard
from ..counting import AT_ONCE, row_blocks
from .numbering import Row, SlidePlan


def fitting(slides: SlideBoard, positions: Sequence[bytes]) -> list[bytes]:
    """Return those of the positions that `SlideBoard.fits`."""
    position = np.frombuffer(slides.position, np.uint8)
    live = set(slides.live)
    still = [cell for cell in range(len(position)) if cell not in live]
    right = [each for each in positions if len(each) == len(position)]
    flags = [
        (rows[:, still] == position[still]).all(axis=1) & (np.sort(rows, axis=1) == np.sort(position)).all(axis=1)
        for rows in row_blocks(right)
    ]
    fits = np.concatenate(flags) if flags else np.zeros(0, bool)
    return [right[number] for number in np.flatnonzero(fits)]


def rows_of(plan: SlidePlan, positions: Sequence[bytes]) -> set[Row]:
    """Return the rows of positions that fit the board."""
    found: set[Row] = set()
    for rows in row_blocks(positions):
        blanks, kinds = _parts(plan, rows)
        keys = np.unique(np.column_stack((blanks, _parities(plan, kinds))), axis=0)
        found.update((tuple(places), parity) for *places, parity in keys.tolist())
    return found


def _parts(plan: SlidePlan, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the places of the blanks in the cell order, and the orders of the pieces, as kinds 0, 1, …"""
    kind = np.full(256, -1, np.int64)
    kind[list(plan.kinds)] = np.arange(len(plan.kinds))
    kinds = kind[rows[:, list(plan.order)]]
    blank = kinds < 0
    return np.nonzero(blank)[1].reshape(len(rows), -1), kinds[~blank].reshape(len(rows), -1)


def _parities(plan: SlidePlan, kinds: np.ndarray) -> np.ndarray:
    """Return the parities of the orders, which are 0 unless all pieces differ."""
    odd = np.zeros(len(kinds), np.int64)
    for place in range(plan.pieces - 1) if plan.halved else ():
        odd += (kinds[:, place, None] > kinds[:, place + 1 :]).sum(axis=1)
    return odd % 2


class BoardRanks:
    """The bit indices of many positions; `positions.bit_index` has those of single ones."""

    def __init__(self, plan: SlidePlan, orders: Orders, rows: Mapping[Row, int]) -> None:
        self.plan = plan
        self.orders = orders
        places, blanks = len(plan.order), plan.slides.blanks
        self._ways = np.array([[comb(place, k + 1) for place in range(places)] for k in range(blanks)], np.int64)
        self._rows = np.full((comb(places, blanks), 2), -1, np.int64)
        for (row, parity), number in rows.items():
            self._rows[sum(comb(place, k + 1) for k, place in enumerate(row)), parity] = number

    def bits(self, rows: np.ndarray) -> np.ndarray:
        """Return the bit indices of positions that fit the board; -1 for those whose row is not in the table."""
        plan, orders = self.plan, self.orders
        blanks, kinds = _parts(plan, rows)
        row = self._rows[self._ways[np.arange(len(self._ways)), blanks].sum(axis=1), _parities(plan, kinds)]
        every = np.arange(len(rows))
        state = np.full(len(rows), orders.root)
        left = np.tile(np.array(plan.counts), (len(rows), 1))
        units = np.zeros((2, len(rows)), np.int64)
        for place in range(orders.pieces):
            kind = kinds[:, place]
            digit = np.cumsum(left > 0, axis=1)[every, kind] - 1
            units[int(place >= orders.head)] += orders.below[state, digit]
            state = orders.child[state, digit]
            left[every, kind] -= 1
        return np.where(row < 0, -1, (row * plan.words + units[0]) * 64 + units[1])


def meeting(plan: SlidePlan, goal: Goal) -> Iterator[np.ndarray]:
    """Yield every position of these pieces that meets the goal, of either parity, some at a time."""
    slides = plan.slides
    position = slides.position
    if any(position.count(symbol) != count for symbol, count in goal.counts):
        return
    live = set(slides.live)
    if any(not goal.need[cell] >> position[cell] & 1 for cell in range(len(position)) if cell not in live):
        return
    symbols = (slides.blank, *plan.kinds)
    allowed = {cell: [k for k, symbol in enumerate(symbols) if goal.need[cell] >> symbol & 1] for cell in live}
    cells = sorted(slides.live, key=lambda cell: len(allowed[cell]))
    if not allowed[cells[0]]:
        return
    stack = [(0, np.frombuffer(position, np.uint8)[None], np.array([[slides.blanks, *plan.counts]], np.int16))]
    while stack:
        checkpoint()
        filled, rows, left = stack.pop()
        if filled == len(cells):
            yield rows
            continue
        cell = cells[filled]
        source, kind = np.nonzero(left[:, allowed[cell]] > 0)
        kind = np.array(allowed[cell])[kind]
        rows, left = rows[source], left[source]
        rows[:, cell] = np.array(symbols, np.uint8)[kind]
        left[np.arange(len(left)), kind] -= 1
        for first in range(0, len(rows), AT_ONCE):
            part = slice(first, first + AT_ONCE)
            stack.append((filled + 1, rows[part], left[part]))
