"""All positions of a class that jumps reach, one bit each; kernels process 64 positions at a time.

A jump removes one peg, so positions are processed by number of pegs. Positions are not made canonical. The number of
positions up to symmetry follows from the lemma of Cauchy and Frobenius, which counts fixed points of symmetries.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from ...errors import UnsupportedError
from ...limits.memory import fits
from ...limits.thresholds import Threshold
from ...limits.watch import Watch
from ...structure.jumps import Jumps
from .values import MOST_FREE

if TYPE_CHECKING:
    from ...kernels.pegs.bits import JumpTables
    from .layers import PegField

LOW, BLOCK = 6, 9
"""The number of free cells that select the bit within a word, and within a block of words."""

MOST_CYCLES = 30
"""The most cycles of a symmetry; with more cycles, it may fix too many positions to test them all."""

LANES = 1 << BLOCK - LOW

EVERY = np.empty(0, np.uint64)
"""The sieve that every position passes."""

PEG_BLOCKS = Threshold(1 << 19)
"""Blocks of a set processed between two checks of the limits.

Measured: an eighth and eight times as many changed `solve english` by less than 1 %.
"""


def tables(jumps: Jumps, constants: int) -> JumpTables:
    """Return the arrays of a board for one class of positions; `constants` identifies the class (`Jumps.bound`)."""
    from ...kernels.pegs.bits import JumpTables as Made

    free, high = jumps.free, max(0, jumps.free - BLOCK)
    chunks, number = max(1, -(-high // 8)), len(jumps.mask)
    patterns = np.zeros((chunks, 256), np.uint16)
    ready = np.zeros((chunks, 256, -(-number // 64)), np.uint64)
    for chunk in range(chunks):
        for byte in range(256):
            word = byte << 8 * chunk + BLOCK
            patterns[chunk, byte] = sum(((word & mask).bit_count() & 1) << row for row, mask in enumerate(jumps.sums))
            covered = 255 << 8 * chunk + BLOCK & (1 << free) - 1
            for jump, (mask, want) in enumerate(zip(jumps.mask, jumps.want, strict=True)):
                if (word ^ want) & mask & covered == 0:
                    ready[chunk, byte, jump >> 6] |= np.uint64(1 << (jump & 63))
    patterns[0] ^= np.uint16(constants)
    shifts = [_shift(within_word(jumps) - 1 & mask, want) for mask, want in zip(jumps.mask, jumps.want, strict=True)]
    contents = _contents(jumps)
    return Made(
        patterns,
        _levels(jumps, contents),
        ready,
        _opened(jumps, contents),
        np.array([(mask & (1 << free) - 1) >> LOW for mask in jumps.mask], np.int64),
        np.array([max(shift, 0) for shift in shifts], np.uint64),
        np.array([max(-shift, 0) for shift in shifts], np.uint64),
        contents[0] & np.uint64((1 << 64) - (1 << free)),
    )


def _shift(mask: int, want: int) -> int:
    """Return the change of a position's number by a jump that flips these bits of a word."""
    return (mask & ~want) - (mask & want)


def _contents(jumps: Jumps) -> np.ndarray:
    """Return uint64 [patterns, 512]: the bound cells and the low free cells of a block's positions, as board bits."""
    low = np.arange(1 << BLOCK, dtype=np.uint64)
    for row, mask in enumerate(jumps.sums):
        odd = [(within & mask).bit_count() & 1 for within in range(1 << BLOCK)]
        low |= np.array(odd, np.uint64) << np.uint64(jumps.free + row)
    return np.arange(1 << len(jumps.sums), dtype=np.uint64)[:, None] << np.uint64(jumps.free) ^ low


def within_word(jumps: Jumps) -> int:
    """Return the number of positions per word."""
    return 1 << min(LOW, jumps.free)


def _packed(chosen: np.ndarray) -> np.ndarray:
    """Return bool [..., 512] as bits, uint64 [..., 8]."""
    return np.packbits(chosen, axis=-1, bitorder="little").view(np.uint64)


def _levels(jumps: Jumps, contents: np.ndarray) -> np.ndarray:
    pegs = sum(contents >> np.uint64(bit) & np.uint64(1) for bit in _left_open(jumps))
    real = np.arange(1 << BLOCK) < 1 << jumps.free
    return np.stack([_packed((pegs == number) & real) for number in range(len(_left_open(jumps)) + 1)], axis=1)


def _left_open(jumps: Jumps) -> list[int]:
    """Return the bits that vary within a block."""
    return [*range(min(BLOCK, jumps.free)), *range(jumps.free, len(jumps.order))]


def _opened(jumps: Jumps, contents: np.ndarray) -> np.ndarray:
    left_open = sum(1 << bit for bit in _left_open(jumps))
    found = [
        _packed((contents ^ np.uint64(want)) & np.uint64(mask & left_open) == 0)
        for mask, want in zip(jumps.mask, jumps.want, strict=True)
    ]
    return np.ascontiguousarray(np.stack(found, axis=1))


def opposed(jumps: Jumps) -> Jumps:
    """Return the jumps taken back."""
    want = tuple(mask ^ each for mask, each in zip(jumps.mask, jumps.want, strict=True))
    return replace(jumps, want=want, origin=jumps.target, target=jumps.origin)


def jump_from(sets: tuple[np.ndarray, np.ndarray], pegs: int, board: JumpTables, watch: Watch) -> int:
    """Add to a bit set all positions one jump from its positions with `pegs` pegs; return how many have `pegs`.

    sets  (words, sieve), see `jump_on`
    """
    from ...kernels.pegs.bits import jump_on

    found, source = 0, np.empty(LANES, np.uint64)
    blocks, at_once = len(sets[0]) // LANES, watch.thresholds[PEG_BLOCKS]
    for first in range(0, blocks, at_once):
        with np.errstate(over="ignore"):
            here = int(jump_on(sets, pegs, board, source, first, min(first + at_once, blocks)))
        watch.tick(here)
        found += here
    return found


def count_classes(words: np.ndarray, total: int, field: PegField, board: JumpTables) -> int | None:
    """Return the number of positions of a set up to the symmetries of a field that preserve it, or None.

    None means that it would take too long, or that not all symmetries are known.

    words  one bit for each position of the class; `total` of them are set
    By the lemma of Cauchy and Frobenius this is the mean number of positions that a symmetry fixes.
    """
    from ...kernels.pegs.bits import count_fixed

    if not field.whole:
        return None
    fixed = 0
    for place in field.places:
        cycles = _cycles(place)
        if len(cycles) == len(place):
            fixed += total
            continue
        if len(cycles) > MOST_CYCLES:
            return None
        with np.errstate(over="ignore"):
            fixed += int(count_fixed(words, np.array(cycles, np.uint64), field.jumps.free, board))
    return fixed // len(field.places)


def _cycles(place: Sequence[int]) -> list[int]:
    """Return the cycles of a permutation, as masks."""
    found: dict[int, int] = {}
    for first in range(len(place)):
        mask, at = 1 << first, place[first]
        while at != first:
            mask, at = mask | 1 << at, place[at]
        found[mask] = mask
    return list(found)


def words_of(jumps: Jumps) -> int:
    """Return the number of words of a set of positions of a class."""
    return max(LANES, 1 << max(0, jumps.free - LOW))


class PegReach:
    """The positions reached by jumps from sources of one class with equal numbers of pegs.

    words   one bit for each position of the class
    counts  counts[d]: the number of positions d jumps from the sources
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
            raise UnsupportedError(f"engine pegs: a class has 2^{jumps.free} positions, more than 2^{MOST_FREE}")
        size = words_of(jumps)
        fits(watch, 8 * size, 0, 1 << jumps.free)
        self.words = np.zeros(size, np.uint64)
        for source in sources:
            index = source & (1 << jumps.free) - 1
            self.words[index >> LOW] |= np.uint64(1 << (index & (1 << LOW) - 1))
        self.counts: list[int] = []

    @cached_property
    def tables(self) -> JumpTables:
        """The arrays of the board and the class for the kernels."""
        return tables(self.jumps, self.constants)

    @property
    def bottom(self) -> int:
        """The number of pegs in the last layer, whose jumps were not made yet."""
        return self.pegs - len(self.counts)

    def grow(self, watch: Watch, bottom: int = -1) -> None:
        """Find all positions with at least `bottom` pegs, layer by layer, and count those with more."""
        while self.bottom > bottom and self.step(watch):
            pass

    def step(self, watch: Watch) -> bool:
        """Count the next layer and make the jumps from it; return whether it has positions."""
        found = jump_from((self.words, EVERY), self.bottom, self.tables, watch)
        if found:
            self.counts.append(found)
            watch.layer(len(self.counts) - 1, found, sum(self.counts))
            watch.known.facts["reached_at_least"] = sum(self.counts)
        return found > 0

    def classes(self, field: PegField) -> int | None:
        """Return the number of positions up to symmetries that preserve the sources, see `count_classes`."""
        return count_classes(self.words, sum(self.counts), field, self.tables)

    def listed(self, pegs: int, room: int = 1 << 20) -> Iterator[np.ndarray]:
        """Yield the positions with `pegs` pegs, as words, some at a time; each array is valid until the next one."""
        from ...kernels.pegs.bits import list_level

        out = np.empty(room, np.uint64)
        span = np.array([0, len(self.words) // LANES, self.jumps.free], np.int64)
        while span[0] < span[1]:
            yield out[: list_level(self.words, pegs, self.tables, span, out)]
