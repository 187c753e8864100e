"""Keep the depth of every position while a table counts: the depth mod 3, two bits each.

A table calls its keeper once for each layer. The keeper decides how and when depths are written to disk.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from ...contract.questions import Depths

Room = Callable[..., np.ndarray]
"""Returns an array of a given shape and data type, all 0."""

NO_WORDS = np.empty(0, np.uint64)

UNSEEN = 3
"""The two bits of an unreached position."""


@dataclass
class Keeper:
    """Depths mod 3 of the positions found so far: planes[0] has the low bits, planes[1] the high bits.

    While a table counts, unreached positions have both bits clear, like depth 0: the table itself has the seen
    positions, so that every third layer need not be written. After `end` they have both bits set.

    counts  sizes of the layers that are kept completely; if not empty at the beginning, the count continues after them
    """

    counts: list[int] = field(default_factory=list)
    planes: np.ndarray = field(default_factory=lambda: np.empty((2, 0), np.uint64))

    def begin(self, words: int, none: np.ndarray | None = None, room: Room = np.zeros) -> None:
        """Allocate the planes, unless there are layers to continue after.

        none  the unused bits of a row, equal in all rows
        room  returns an array of words with a given shape, all 0
        """
        if not self.counts:
            self.planes = room((2, words), np.uint64)

    def resume(self, known: np.ndarray) -> None:
        """Prepare to continue after the kept layers: write the bits of all their positions to `known`."""
        from ...kernels.table.mod3 import unmark_unreached

        unmark_unreached(self.planes, known)

    def plane(self, depth: int) -> np.ndarray:
        """Return the plane in which positions of a depth have their bit set; empty for depths divisible by 3."""
        return self.planes[depth % 3 - 1] if depth % 3 else NO_WORDS

    def rest(self, bit: int) -> int:
        """Return the depth mod 3 of a reached position, by its bit index."""
        low, high = (int(plane[bit >> 6]) >> (bit & 63) & 1 for plane in self.planes)
        return low + 2 * high

    def found(self, size: int, known: Callable[[], np.ndarray]) -> None:
        """Record that a layer of `size` positions is counted.

        known  returns the bits of all positions so far; after that the planes have the depths of all of them
        """
        self.counts.append(int(size))

    def end(self, known: np.ndarray) -> None:
        """Set both bits of unreached positions."""
        from ...kernels.table.mod3 import mark_unreached

        mark_unreached(self.planes.reshape(-1), known, 0, self.planes.reshape(-1))

    def last(self, part: slice = slice(None)) -> np.ndarray:
        """Return a superset of the last kept layer: all positions with its depth mod 3, and perhaps unreached ones.

        part  the words that are wanted
        """
        depth = len(self.counts) - 1
        if depth % 3:
            return self.plane(depth)[part]
        return ~(self.planes[0, part] | self.planes[1, part])


@dataclass(frozen=True)
class KeptDepths(Depths):
    """The question for a depth table whose depths are kept."""

    keeper: Keeper = field(default_factory=Keeper)


def keeper_of(question: Depths) -> Keeper | None:
    """Return the keeper of a question, or None."""
    return question.keeper if isinstance(question, KeptDepths) else None


def kept_bytes(words: int) -> int:
    """Return the bytes that the planes take for a table of `words` words."""
    return 16 * words


SUMMED = 1 << 14
"""Bytes of a saved table that share a checksum of four bytes (`storage.files.BLOCK`)."""


def saved_bytes(kept: int) -> int:
    """Return the bytes on the disk of the planes and their checksums, without the manifest."""
    return kept + 4 * -(-kept // SUMMED)
