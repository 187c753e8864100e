"""Depth tables with rows, filled breadth-first on all threads."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

import numpy as np

from ..kernels.deepening.piece_tables import UNSEEN, count
from ..limits.threads import Crew
from ..limits.watch import checkpoint

GATHERED = 2
"""If fewer entries are left than this many times those at a depth, they are asked for a move there."""

AT_ONCE = 1 << 20
"""About how many entries a thread processes at a time."""


def threads_for(bits: np.ndarray, most: int) -> int:
    """Return the number of threads that fill a table."""
    return min(most, max(1, bits.size >> 20))


def each_span(bits: np.ndarray, threads: int, run: Callable[[int, np.ndarray], object]) -> None:
    """Call `run` with the number of a thread and a span of rows, for all rows; limits are looked at between them."""
    rows, width = bits.shape
    stride = max(1, min(rows, AT_ONCE // width + 1))
    spans = [np.array([row, min(row + stride, rows)], np.int64) for row in range(0, rows, stride)]
    Crew(threads).run(deque(spans), lambda thread, span: run(thread, span) is not False, checkpoint)


def fill(
    bits: np.ndarray, threads: int, deepest: int, step: Callable[[int, bool], Callable[[int, np.ndarray], None]]
) -> int:
    """Fill a table whose goals are 0 and whose other entries are `UNSEEN`; return the number of entries reached.

    deepest  what greater depths are stored as
    step     returns what a thread does to a span of rows, given the depth and whether few entries are left
    """
    total, depth = 0, 0
    while True:
        counts: list[int] = []
        each_span(bits, threads, lambda _, span, depth=depth, counts=counts: counts.append(count(bits, depth, span)))
        reached = sum(counts)
        total += reached
        if not reached or depth == deepest:
            break
        each_span(bits, threads, step(depth, bits.size - total < GATHERED * reached))
        depth += 1
    if reached:
        bits[bits == UNSEEN] = deepest
    return total
