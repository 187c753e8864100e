"""Pattern tables of positions written in digits: the distances of some neighbouring digits, whatever the others show.

For a Tower of Hanoi the last digits are the largest disks. Each step changes one digit, so the distances of the first
and of the last digits are added (A. Felner, R. Korf and S. Hanan, Additive pattern database heuristics, JAIR 22, 2004).
"""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from ..kernels.bit_arrays import settle
from ..kernels.table.digits import pull, write_depths
from ..limits.threads import Crew
from ..limits.watch import checkpoint
from ..structure.digits import Digits
from .digit_steps import ALL_WORDS, WordSteps

DEEPEST = 254
"""What greater distances are stored as: neighbours still differ by at most one, and no distance is too great."""


class DigitTable:
    """The distances of all values of some digits to the nearest of some goals; the steps can be undone.

    bits  uint8 [positions]
    """

    def __init__(self, digits: Digits, goals: Sequence[int]) -> None:
        self.digits, self.goals = digits, sorted(set(goals))
        self.bits = np.zeros(0, np.uint8)

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the table."""
        return (self.digits.positions,)

    @property
    def size(self) -> int:
        """The size of the table in bytes."""
        return prod(self.shape)

    @property
    def identity(self) -> dict[str, Any]:
        """What the table depends on."""
        steps = sorted((step.place, step.old, step.new, step.needs) for step in self.digits.steps)
        moves = hashlib.sha256(repr(steps).encode()).hexdigest()
        return {"table": "digits", "radix": list(self.digits.radix), "moves": moves, "goals": self.goals}

    @property
    def scratch(self) -> int:
        """The bytes that building it needs besides."""
        return self.digits.positions // 3 + WordSteps.size(self.digits)

    def build(self, threads: int) -> int:
        """Fill the table; return the number of entries."""
        steps = WordSteps(self.digits)
        words = self.digits.positions // steps.used
        seen, edge = np.zeros((2, words), np.uint64)
        for goal in self.goals:
            edge[goal // steps.used] |= np.uint64(1 << goal % steps.used)
        seen[:] = edge
        self.bits = np.full(self.digits.positions, DEEPEST, np.uint8)
        crew = Crew(min(threads, max(1, words >> 12)))
        size = max(1, min(words, 1 << 14))
        spans = [(first, min(first + size, words)) for first in range(0, words, size)]
        depth, new = 0, 1
        while new and depth < DEEPEST:
            counts: list[int] = []

            def write(thread: int, span: tuple[int, int], depth: int = depth) -> bool:
                write_depths(edge, steps.used, depth, self.bits, span)
                return True

            def step(thread: int, span: tuple[int, int]) -> bool:
                pull((seen, edge, edge), steps.full, steps.inner, steps.outer, ALL_WORDS, span)
                return True

            def end(thread: int, span: tuple[int, int], counts: list[int] = counts) -> bool:
                counts.append(int(settle(seen, edge, *span)))
                return True

            for work in (write, step, end):
                crew.run(deque(spans), work, checkpoint)
            new, depth = sum(counts), depth + 1
        return self.digits.positions


def divided(digits: Digits, most: int) -> int:
    """Return how many first digits have a table of their own if the last ones get as large a table as possible.

    most  the most entries of a table; if no division is so small, the tables are as small as possible
    """
    sizes = [(weight, digits.positions // weight) for weight in digits.weights]
    for first, both in enumerate(sizes):
        if max(both) <= most:
            return first
    return min(range(len(sizes)), key=lambda first: max(sizes[first]))
