"""Keeping the depth of every position while a table counts: two bits each, the depth mod 3.

A table calls its keeper once for each layer. Which way the depths go on disk, and when, is the keeper's own affair.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..result import Depths

Room = Callable[[tuple[int, int], Any], np.ndarray]

UNSEEN = 3
"""The field of a position that is not reached."""


@dataclass
class Keeper:
    """Depths mod 3 of the positions found so far: planes[word] = (low bits, high bits) of 64 positions.

    counts  positions of each layer that is kept whole; some at the beginning mean that a count goes on from there
    """

    counts: list[int] = field(default_factory=list)
    planes: np.ndarray = field(default_factory=lambda: np.empty((0, 2), np.uint64))

    def begin(self, words: int, none: np.ndarray | None = None, room: Room = np.empty) -> None:
        """Take room for the bits of a table. Nothing is done where the planes are there already.

        none  the bits of a row that stand for no position (kept as depth 0); every row has the same
        room  returns an array of words of some shape
        """
        if len(self.planes) == 0:
            self.planes = room((words, 2), np.uint64)
            row = np.zeros(words, np.uint64) if none is None else none
            for each in self.planes.reshape(-1, len(row), 2):
                each[:] = ~row[:, None]

    def found(self, size: int) -> None:
        """Take note of a layer of `size` positions: the planes still hold just the layers before it."""

    def known(self, out: np.ndarray | None = None) -> np.ndarray:
        """Return the bits of all positions kept, in `out` where that is given."""
        from ..kernels.keeping import known_bits

        out = np.empty(len(self.planes), np.uint64) if out is None else out
        known_bits(self.planes, out)
        return out

    def last(self) -> np.ndarray:
        """Return bits among which are those of the last layer kept: its depth mod 3."""
        from ..kernels.keeping import bits_of

        out = np.empty(len(self.planes), np.uint64)
        bits_of(self.planes, (len(self.counts) - 1) % 3, out)
        return out


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
