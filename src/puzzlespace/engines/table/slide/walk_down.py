"""Many distances at once from a saved table of a sliding puzzle: a kernel walks down from each position."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from ....kernels.table.windows_orders import Orders
    from .numbering import Row, SlidePlan

MOST_PLACES = 20
"""The most places: rows are looked up in an array over all sets of blank places."""


class SlideDescent:
    """The arrays of a plan, its rows and its orders for the kernel."""

    def __init__(self, plan: SlidePlan, rows: dict[Row, int], orders: Orders) -> None:
        self.plan = plan
        places = {cell: number for number, cell in enumerate(plan.order)}
        self.links = np.array([(places[a], places[b]) for a, b in plan.slides.links], np.int64)
        self.rows = np.full(2 << len(plan.order), -1, np.int64)
        for (blanks, parity), number in rows.items():
            self.rows[2 * sum(1 << place for place in blanks) + parity] = number
        counts = np.array(plan.counts, np.int64)
        child = orders.child.astype(np.int64)
        self.numbers = (orders.below, child, orders.root, orders.head, counts, plan.words)
        self.kind = np.full(256, -1, np.int64)
        self.kind[list(plan.kinds)] = np.arange(len(plan.kinds))

    def ends(self, positions: Sequence[bytes], planes: np.ndarray, touched: np.ndarray, block: int) -> np.ndarray:
        """Return (distance, bit index where the walk ends) of each position; the distance is -1 if it is unreachable.

        touched  (out)  flags for the blocks of `block` words that were read
        """
        from ....kernels.table.walk_down import descend

        cells = np.frombuffer(b"".join(positions), np.uint8).reshape(len(positions), -1)
        orders = self.kind[cells[:, list(self.plan.order)]]
        ends = np.empty((len(positions), 2), np.int64)
        descend(orders, self.links, self.numbers, self.rows, (planes, touched, block), ends)
        return ends


def descent(plan: SlidePlan, rows: dict[Row, int], orders: Orders) -> SlideDescent | None:
    """Return the compiled walk, or None if moves are chains of slides or there are too many places."""
    if plan.slides.chained or len(plan.order) > MOST_PLACES:
        return None
    return SlideDescent(plan, rows, orders)
