"""Depth tables with rows, filled or counted by spans of rows on all threads."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

import numpy as np

from ..kernels.deepening import piece_tables as kernel
from ..limits.threads import Crew
from ..limits.watch import checkpoint

Run = Callable[[int, np.ndarray], object]
"""What a thread does to a span of rows."""

AT_ONCE = 1 << 20
"""About how many entries a thread processes at a time."""


def threads_for(entries: int, most: int) -> int:
    """Return the number of threads that fill a table."""
    return min(most, max(1, entries >> 20))


def each_span(shape: tuple[int, ...], threads: int, run: Run) -> None:
    """Call `run` with the number of a thread and a span of rows, for all rows; limits are looked at between them.

    shape  how many rows there are, and how many entries each has
    """
    rows, width = shape
    stride = max(1, min(rows, AT_ONCE // width + 1))
    spans = [np.array([row, min(row + stride, rows)], np.int64) for row in range(0, rows, stride)]
    Crew(threads).run(deque(spans), lambda thread, span: run(thread, span) is not False, checkpoint)


def count(bits: np.ndarray, threads: int, depth: int) -> int:
    """Return how many entries are at a depth."""
    counts: list[int] = []
    each_span(bits.shape, threads, lambda _, span: counts.append(kernel.count(bits, depth, span)))
    return sum(counts)
