"""A hash set of codes with their depths mod 3 that grows as needed; see `kernels.blocks.code_set`."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ...kernels.blocks import code_set, moves
from ...kernels.blocks.layers import descend, parents
from ...kernels.packed.numpy_marks import distinct
from ...limits.thresholds import Threshold
from ...limits.watch import Watch
from .codes import LEAST

FULLEST = 0.8
"""The greatest load factor of a table."""

NEAR, FARTHEST = 9, 12
"""An entry is less than 2^FARTHEST slots from its home slot; with less than 2^NEAR, tables would have to grow early."""

KEPT_WHOLE = Threshold(1 << 21)
"""Positions up to which the table stores all positions.

16 MB of codes.
"""

SLOTS = 1 << 16
"""Slots that are read at once."""


def mark_of(depth: int) -> int:
    """Return the mark of positions with this depth."""
    return depth % 3 + 1


def unmixed(mixed: np.ndarray, bits: int) -> np.ndarray:
    """Return the codes of `bits` bits that `kernels.blocks.code_set.mix` turns into these."""
    mask = np.uint64((1 << bits) - 1)
    first, second = (np.uint64(pow(factor, -1, 1 << bits)) for factor in (code_set.FIRST, code_set.SECOND))
    codes = mixed * second & mask
    codes ^= codes >> np.uint64((bits + 1) >> 1)
    return codes * first & mask


class CodeSet:
    """A set of codes of `bits` bits with marks.

    held    the number of codes
    places  the slots of the table
    form    the layout of an entry, see `kernels.blocks.code_set.enter`
    """

    def __init__(self, bits: int, watch: Watch, size_bits: int = LEAST) -> None:
        self.bits = bits
        self.watch = watch
        self.held = 0
        self._make(min(bits, size_bits))

    def _make(self, size_bits: int) -> None:
        """Allocate 2^size_bits free slots."""
        low = self.bits - size_bits
        short = 30 - low >= NEAR
        far = min(FARTHEST, (30 if short else 62) - low)
        kind = np.uint32 if short else np.uint64
        size = (1 << size_bits) + (1 << far)
        self.watch.reserve(size * np.dtype(kind).itemsize)
        self.size_bits = size_bits
        self.form = np.array([self.bits, low, far], np.int64)
        self.places = np.zeros(size, kind)

    @property
    def room(self) -> int:
        """How many more codes may be added: unlimited if each code has a slot of its own."""
        if self.size_bits == self.bits:
            return 1 << self.bits
        return int(FULLEST * (1 << self.size_bits)) - self.held

    def enter(self, codes: np.ndarray, depth: int) -> None:
        """Add codes of a depth; the set must not contain any of them."""
        while True:
            with np.errstate(over="ignore"):
                if self.room >= len(codes) and code_set.enter_all(self.places, self.form, codes, mark_of(depth)):
                    break
            self.enlarge()
        self.held += len(codes)

    def codes(self, depth: int) -> Iterator[np.ndarray]:
        """Yield the codes of this depth (mod 3), those of some slots at a time."""
        _, low, far = self.form.astype(np.uint64)
        for first in range(0, len(self.places), SLOTS):
            entries = self.places[first : first + SLOTS].astype(np.uint64)
            at = np.flatnonzero(entries & np.uint64(3) == mark_of(depth))
            entries = entries[at]
            homes = (at + first).astype(np.uint64) - (entries >> np.uint64(2) & (np.uint64(1) << far) - np.uint64(1))
            yield unmixed(homes << low | entries >> far + np.uint64(2), self.bits)

    def copy(self) -> CodeSet:
        """Return a copy that shares the table, for reading only, until `forget` or `enlarge` makes it a new one."""
        other = CodeSet.__new__(CodeSet)
        other.__dict__.update(self.__dict__)
        return other

    def enlarge(self) -> None:
        """Move all codes to a larger table."""
        self._rebuild(self.size_bits + (2 if self.size_bits < 18 and self.size_bits + 2 <= self.bits else 1), 0)

    def widen(self, wanted: int) -> None:
        """Move all codes to a table for `wanted` codes unless this one is large enough."""
        size = int(wanted / FULLEST).bit_length()
        if size > self.size_bits < self.bits:
            self._rebuild(min(self.bits, size), 0)

    def forget(self, depth: int, wanted: int) -> None:
        """Remove all codes but those of this depth and the previous one; make room for `wanted` more."""
        size = max(LEAST, int((self.held + wanted) / FULLEST).bit_length())
        self._rebuild(min(self.bits, size), mark_of(depth + 1))

    def _rebuild(self, size_bits: int, left_out: int) -> None:
        """Move the codes to a table of at least 2^size_bits slots, without those of one mark (0: all codes)."""
        places, form = self.places, self.form
        while True:
            self._make(size_bits)
            with np.errstate(over="ignore"):
                held = code_set.rehash(places, form, self.places, self.form, left_out)
            if held >= 0:
                break
            size_bits += 1
        self.held = held

    def holding(self, board: moves.BlockBoard, codes: np.ndarray, depth: int) -> np.ndarray:
        """Return those of the codes that are in the set with this depth (mod 3), without tags."""
        out = np.empty(len(codes), np.uint64)
        with np.errstate(over="ignore"):
            return out[: code_set.among(board, (self.places, self.form), codes, mark_of(depth), out)]

    def ways(self, board: moves.BlockBoard, scratch: moves.Scratch, codes: np.ndarray, depth: int) -> list[np.ndarray]:
        """Return the codes on all shortest paths from codes of a depth to the ends, one array for each lower depth."""
        rows: list[np.ndarray] = []
        for nearer in range(depth - 1, -1, -1):
            codes = self._parents(board, scratch, codes, nearer)
            rows.append(codes)
        return rows

    def way(self, board: moves.BlockBoard, scratch: moves.Scratch, codes: np.ndarray, depth: int) -> list[np.ndarray]:
        """Return the codes on one shortest path from the first of some codes of a depth to an end, one per array."""
        out = np.empty(depth, np.uint64)
        with np.errstate(over="ignore"):
            descend(board, scratch, (self.places, self.form), codes[0], mark_of(depth - 1), out)
        return [out[at : at + 1] for at in range(depth)]

    def _parents(self, board: moves.BlockBoard, scratch: moves.Scratch, codes: np.ndarray, depth: int) -> np.ndarray:
        """Return the codes of this depth one move from some untagged codes, sorted, without duplicates."""
        found: list[np.ndarray] = []
        out = np.empty(max(4 * len(scratch.codes), 8 * len(codes)), np.uint64)
        span = np.array([0, mark_of(depth)], np.int64)
        while span[0] < len(codes):
            with np.errstate(over="ignore"):
                written = parents(board, scratch, (self.places, self.form), codes, span, out)
            found.append(distinct(out[:written]))
        return found[0] if len(found) == 1 else distinct(np.concatenate(found))
