"""Every position that jumps lead to, one bit each: a class of positions at a time, its words 64 positions at a time.

A jump takes one peg away, so positions are worked off by how many pegs they have. Nothing is made canonical: where
symmetries are asked for, the lemma of Cauchy and Frobenius counts what they leave as it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from ..errors import UnsupportedError
from ..result import Watch
from .pegs_board import MOST_FREE, Jumps

if TYPE_CHECKING:
    from ..kernels.pegs_bits import Tables

LOW = 6
"""The free cells that number the positions within a word."""

MOST_CYCLES = 30
"""Symmetries with more cycles leave too many positions as they are to try them all."""

AT_ONCE = 1 << 22
"""Words looked at between two looks at the limits."""


def tables(jumps: Jumps, constants: int) -> Tables:
    """Return what the loops need to know of a board; `constants` names the class (`Jumps.bound`)."""
    from ..kernels.pegs_bits import Tables as Made

    free, high = jumps.free, max(0, jumps.free - LOW)
    chunks, number = max(1, -(-high // 8)), len(jumps.mask)
    patterns = np.zeros((chunks, 256), np.uint16)
    ready = np.zeros((chunks, 256, -(-number // 64)), np.uint64)
    for chunk in range(chunks):
        for byte in range(256):
            word = byte << 8 * chunk + LOW
            patterns[chunk, byte] = sum(((word & mask).bit_count() & 1) << row for row, mask in enumerate(jumps.sums))
            covered = 255 << 8 * chunk + LOW & (1 << free) - 1
            for jump, (mask, want) in enumerate(zip(jumps.mask, jumps.want, strict=True)):
                if (word ^ want) & mask & covered == 0:
                    ready[chunk, byte, jump >> 6] |= np.uint64(1 << (jump & 63))
    patterns[0] ^= np.uint16(constants)
    opened = _opened(jumps)
    shifts = [_shift(_here(jumps) - 1 & mask, want) for mask, want in zip(jumps.mask, jumps.want, strict=True)]
    return Made(
        patterns,
        _levels(jumps),
        ready,
        np.array(opened, np.uint64).reshape(1 << len(jumps.sums), number),
        np.array([(mask & (1 << free) - 1) >> LOW for mask in jumps.mask], np.int64),
        np.array([max(shift, 0) for shift in shifts], np.uint64),
        np.array([max(-shift, 0) for shift in shifts], np.uint64),
        np.array([_contents(jumps, 0, within) & -1 << free for within in range(1 << LOW)], np.uint64),
    )


def _shift(mask: int, want: int) -> int:
    """Return how far a jump, that flips these bits within a word, moves the number of a position."""
    return (mask & ~want) - (mask & want)


def _contents(jumps: Jumps, pattern: int, within: int) -> int:
    """Return the bound cells and the low free cells of a position: bits at their places in a position's word."""
    bound = sum(
        (pattern >> row & 1 ^ (within & mask).bit_count() & 1) << jumps.free + row
        for row, mask in enumerate(jumps.sums)
    )
    return bound | within


def _here(jumps: Jumps) -> int:
    """Return how many positions a word has."""
    return 1 << min(LOW, jumps.free)


def _levels(jumps: Jumps) -> np.ndarray:
    found = np.zeros((1 << len(jumps.sums), LOW + len(jumps.sums) + 1), np.uint64)
    for pattern in range(len(found)):
        for within in range(_here(jumps)):
            found[pattern, _contents(jumps, pattern, within).bit_count()] |= np.uint64(1 << within)
    return found


def _opened(jumps: Jumps) -> list[list[int]]:
    left_open = (1 << len(jumps.sums)) - 1 << jumps.free | (1 << LOW) - 1
    found: list[list[int]] = []
    for pattern in range(1 << len(jumps.sums)):
        contents = [_contents(jumps, pattern, within) for within in range(_here(jumps))]
        found.append(
            [
                sum(((each ^ want) & mask & left_open == 0) << within for within, each in enumerate(contents))
                for mask, want in zip(jumps.mask, jumps.want, strict=True)
            ]
        )
    return found


def _cycles(place: Sequence[int]) -> list[int]:
    """Return the cycles of a permutation, as masks."""
    found: dict[int, int] = {}
    for first in range(len(place)):
        mask, at = 1 << first, place[first]
        while at != first:
            mask, at = mask | 1 << at, place[at]
        found[mask] = mask
    return list(found)


class Reach:
    """The positions reached by jumps from some sources of one class and one number of pegs.

    words   one bit for each position of the class
    counts  counts[d]: how many positions are d jumps from the sources
    """

    def __init__(self, jumps: Jumps, sources: list[int], watch: Watch) -> None:
        self.jumps = jumps
        self.pegs = sources[0].bit_count()
        self.constants = jumps.bound(sources[0])
        if any((jumps.bound(s), s.bit_count()) != (self.constants, self.pegs) for s in sources):
            raise UnsupportedError(
                "engine pegs: the sources differ in their number of pegs, or in a sum that jumps keep"
            )
        if jumps.free > MOST_FREE:
            raise UnsupportedError(f"engine pegs: a set of 2^{jumps.free} bits is more than it makes")
        size = 1 << max(0, jumps.free - LOW)
        watch.reserve(8 * size)
        self.words = np.zeros(size, np.uint64)
        for source in sources:
            index = source & (1 << jumps.free) - 1
            self.words[index >> LOW] |= np.uint64(1 << (index & (1 << LOW) - 1))
        self.counts: list[int] = []

    @cached_property
    def tables(self) -> Tables:
        """What the loops need to know of the board and the class."""
        return tables(self.jumps, self.constants)

    @property
    def bottom(self) -> int:
        """The number of pegs in the last layer grown to, its positions not yet tried."""
        return self.pegs - len(self.counts)

    def grow(self, watch: Watch, bottom: int = 0) -> None:
        """Find everything that has at least `bottom` pegs, layer by layer."""
        from ..kernels.pegs_bits import jump_on

        while self.bottom > bottom:
            found = 0
            for first in range(0, len(self.words), AT_ONCE):
                with np.errstate(over="ignore"):
                    last = min(first + AT_ONCE, len(self.words))
                    here = int(jump_on(self.words, self.bottom, self.tables, first, last))
                watch.tick(here)
                found += here
            if not found:
                return
            self.counts.append(found)
            watch.layer(len(self.counts) - 1, found, sum(self.counts))

    def classes(self, places: Sequence[Sequence[int]]) -> int | None:
        """Return how many positions there are up to symmetries that keep the sources; None where it is too much work.

        places  where each symmetry takes each bit, for all symmetries of a group
        By Cauchy and Frobenius it is the mean number of positions that a symmetry leaves as they are.
        """
        from ..kernels.pegs_bits import count_fixed

        fixed = 0
        for place in places:
            cycles = _cycles(place)
            if len(cycles) == len(place):
                fixed += sum(self.counts)
                continue
            if len(cycles) > MOST_CYCLES:
                return None
            with np.errstate(over="ignore"):
                fixed += int(count_fixed(self.words, np.array(cycles, np.uint64), self.jumps.free, self.tables))
        return fixed // len(places)

    def listed(self, pegs: int, opposite: Reach | None = None, room: int = 1 << 20) -> Iterator[np.ndarray]:
        """Yield the positions that have so many pegs, as words, some at a time (each array lasts until the next).

        opposite  only those whose opposite, with holes for pegs, is in this set
        """
        from ..kernels.pegs_bits import list_level

        out = np.empty(room, np.uint64)
        span = np.array([0, len(self.words), self.jumps.free, (1 << LOW) - _here(self.jumps)], np.int64)
        sets = self.words, opposite.words if opposite else self.words[:0]
        while span[0] < span[1]:
            yield out[: list_level(sets, pegs, self.tables, span, out)]
