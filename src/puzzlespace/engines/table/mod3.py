"""Keeping the depth of every position while a table counts: two bits each, the depth mod 3.

A table calls its keeper once for each layer. Which way the depths go on disk, and when, is the keeper's own affair.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...contract.questions import Depths

Room = Callable[[tuple[int, int], Any], np.ndarray]

NO_WORDS = np.empty(0, np.uint64)

UNSEEN = 3
"""The field of a position that is not reached."""


@dataclass
class Keeper:
    """Depths mod 3 of the positions found so far: planes[0] holds their low bits and planes[1] the high ones, by word.

    While a table counts, what is not reached yet has both bits clear, as depth 0 has: the table knows which is which,
    and layers of every third depth need not be written. After `end` it has both bits set.

    counts  positions of each layer that is kept whole; some at the beginning mean that a count goes on from there
    """

    counts: list[int] = field(default_factory=list)
    planes: np.ndarray = field(default_factory=lambda: np.empty((2, 0), np.uint64))

    def begin(self, words: int, none: np.ndarray | None = None, room: Room = np.zeros) -> None:
        """Take room for the bits of a table, where there are no layers to go on from.

        none  the bits of a row that stand for no position; every row has the same
        room  returns an array of words of some shape, all 0
        """
        if not self.counts:
            self.planes = room((2, words), np.uint64)

    def resume(self, known: np.ndarray) -> None:
        """Make ready to go on from the layers kept: write to `known` the bits of all their positions."""
        from ...kernels.table.mod3 import part

        part(self.planes, known)

    def plane(self, depth: int) -> np.ndarray:
        """Return the words in which positions of a depth have their bit set; none for every third depth."""
        return self.planes[depth % 3 - 1] if depth % 3 else NO_WORDS

    def rest(self, bit: int) -> int:
        """Return the depth modulo 3 of a bit that is reached."""
        low, high = (int(plane[bit >> 6]) >> (bit & 63) & 1 for plane in self.planes)
        return low + 2 * high

    def found(self, size: int, known: np.ndarray) -> None:
        """Take note of a layer of `size` positions, which is in the planes; `known` has the bits of all so far."""
        self.counts.append(int(size))

    def end(self, known: np.ndarray) -> None:
        """Mark what was never reached."""
        from ...kernels.table.mod3 import unseen

        unseen(self.planes.reshape(-1), known, 0, self.planes.reshape(-1))

    def last(self) -> np.ndarray:
        """Return bits among which are those of the last layer kept: all that are not known to be of another depth."""
        depth = len(self.counts) - 1
        if depth % 3:
            return self.plane(depth)
        return ~(self.planes[0] | self.planes[1])


@dataclass(frozen=True)
class KeptDepths(Depths):
    """The question for a depth table whose depths are kept."""

    keeper: Keeper = field(default_factory=Keeper)


def keeper_of(question: Depths) -> Keeper | None:
    """Return the keeper of a question that has one."""
    return question.keeper if isinstance(question, KeptDepths) else None


def kept_bytes(words: int) -> int:
    """Return the memory that keeping takes for so many words of bits."""
    return 16 * words
