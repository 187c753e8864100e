"""The set of codes found, each with its depth mod 3, in a table that grows; see `kernels.blocks.code_set`."""

from __future__ import annotations

import numpy as np

from ...kernels.blocks import code_set, moves
from ...kernels.blocks.layers import descend, parents
from ...kernels.packed.numpy_marks import distinct
from ...limits.watch import Watch
from .codes import LEAST

FULLEST = 0.8
"""A table is filled up to this part."""

NEAR, FARTHEST = 9, 12
"""An entry stands at most 2^FARTHEST places from where it belongs; fewer than 2^NEAR make tables grow early."""


def mark_of(depth: int) -> int:
    """Return the mark of positions of that depth."""
    return depth % 3 + 1


class CodeSet:
    """Codes of `bits` bits with marks; `held` of them.

    places  the table; form  how an entry is made, see `kernels.blocks.code_set.enter`
    """

    def __init__(self, bits: int, watch: Watch, size_bits: int = LEAST) -> None:
        self.bits = bits
        self.watch = watch
        self.held = 0
        self._make(min(bits, size_bits))

    def _make(self, size_bits: int) -> None:
        """Take room for 2^size_bits places, all free."""
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
        """How many more codes may enter: any number where each of them has a place of its own."""
        if self.size_bits == self.bits:
            return 1 << self.bits
        return int(FULLEST * (1 << self.size_bits)) - self.held

    def enter(self, codes: np.ndarray, depth: int) -> None:
        """Enter codes of a depth; none may be there already."""
        while True:
            with np.errstate(over="ignore"):
                if self.room >= len(codes) and code_set.enter_all(self.places, self.form, codes, mark_of(depth)):
                    break
            self.enlarge()
        self.held += len(codes)

    def copy(self) -> CodeSet:
        """Return a table of the same codes that shares what it may not change: only `forget` and `enlarge` are safe."""
        other = CodeSet.__new__(CodeSet)
        other.__dict__.update(self.__dict__)
        return other

    def enlarge(self) -> None:
        """Go over to a larger table."""
        self._rebuild(self.size_bits + (2 if self.size_bits < 18 and self.size_bits + 2 <= self.bits else 1), 0)

    def widen(self, wanted: int) -> None:
        """Go over to a table that fits so many codes, if this one does not."""
        size = int(wanted / FULLEST).bit_length()
        if size > self.size_bits < self.bits:
            self._rebuild(min(self.bits, size), 0)

    def forget(self, depth: int, wanted: int) -> None:
        """Keep but the codes of that depth and the one before, in a table that fits `wanted` more than these."""
        size = max(LEAST, int((self.held + wanted) / FULLEST).bit_length())
        self._rebuild(min(self.bits, size), mark_of(depth + 1))

    def _rebuild(self, size_bits: int, left_out: int) -> None:
        """Go over to a table of 2^size_bits places or more, without the codes of one mark (0: with all)."""
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
        """Return those of the codes that are held with that depth, without tags."""
        out = np.empty(len(codes), np.uint64)
        with np.errstate(over="ignore"):
            return out[: code_set.among(board, (self.places, self.form), codes, mark_of(depth), out)]

    def ways(self, board: moves.BlockBoard, scratch: moves.Scratch, codes: np.ndarray, depth: int) -> list[np.ndarray]:
        """Return the codes on all ways from some codes of a depth to the ends, one array for each depth below."""
        rows: list[np.ndarray] = []
        for nearer in range(depth - 1, -1, -1):
            codes = self._parents(board, scratch, codes, nearer)
            rows.append(codes)
        return rows

    def way(self, board: moves.BlockBoard, scratch: moves.Scratch, codes: np.ndarray, depth: int) -> list[np.ndarray]:
        """Return the codes on one way from the first of some codes of a depth to an end, one array for each."""
        out = np.empty(depth, np.uint64)
        with np.errstate(over="ignore"):
            descend(board, scratch, (self.places, self.form), codes[0], mark_of(depth - 1), out)
        return [out[at : at + 1] for at in range(depth)]

    def _parents(self, board: moves.BlockBoard, scratch: moves.Scratch, codes: np.ndarray, depth: int) -> np.ndarray:
        """Return the codes of that depth one move from some codes, which have no tags; each once, in order."""
        found: list[np.ndarray] = []
        out = np.empty(max(4 * len(scratch.codes), 8 * len(codes)), np.uint64)
        span = np.array([0, mark_of(depth)], np.int64)
        while span[0] < len(codes):
            with np.errstate(over="ignore"):
                written = parents(board, scratch, (self.places, self.form), codes, span, out)
            found.append(distinct(out[:written]))
        return found[0] if len(found) == 1 else distinct(np.concatenate(found))
