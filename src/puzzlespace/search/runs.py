"""Runs: a layer as a file of sorted, delta-coded positions, in blocks that can be read and checked one by one.

A file is the blocks (`kernels.packed.runs`), followed by the index. The index has a row of little-endian words for each
block: its first position, its end in the file, the CRC-32 of its bytes. Equal layers give equal files.
"""

from __future__ import annotations

import hashlib
import os
import zlib
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from ..errors import TableError
from ..kernels.packed.numpy_marks import marks
from ..limits.thresholds import Threshold

BLOCK = 512
"""Positions per block: what is read and decoded to look up one position."""

CHECKED = 1 << 16
"""Positions that are read at once to check their order."""

TEMPORARY = ".tmp"

RUN_BLOCK = Threshold(BLOCK)
"""Positions per block of a temporary run."""

RUN_ENCODED = Threshold(1 << 16)
"""Positions of a run that are encoded at once."""


@dataclass
class Traffic:
    """The number of bytes of runs that were read and written."""

    read: int = 0
    written: int = 0


@dataclass(frozen=True)
class Run:
    """A finished run: `size` positions of `words` words in a file.

    index  uint64 [blocks, words + 2]
    block  positions per block
    base   where the first block begins in the file
    """

    path: Path
    words: int
    size: int
    index: np.ndarray
    traffic: Traffic = field(default_factory=Traffic)
    block: int = BLOCK
    base: int = 0

    @property
    def sums(self) -> str:
        """The SHA-256 of the index, which contains the checksums of all blocks."""
        return hashlib.sha256(self.index.tobytes()).hexdigest()

    @property
    def bytes(self) -> int:
        """The length of the file."""
        return self.end(len(self.index) - 1) + self.index.nbytes

    def end(self, block: int) -> int:
        """Return the end of a block in the file; the beginning of the first one for block -1."""
        return int(self.index[block, -2]) if block >= 0 else self.base

    def part(self, begin: int, length: int) -> bytes:
        """Return a part of the file; raise TableError if it cannot be read."""
        try:
            with open(self.path, "rb") as file:
                file.seek(begin)
                return file.read(length)
        except OSError as error:
            raise TableError(f"{self.path}: cannot be read: {error.strerror}") from error

    def data(self, first: int, last: int) -> bytes:
        """Return the bytes of blocks first … last - 1; raise TableError if a checksum does not match."""
        begin, length = self.end(first - 1), self.end(last - 1) - self.end(first - 1)
        found = self.part(begin, length)
        self.traffic.read += len(found)
        view, at = memoryview(found), 0
        for block, (end, wanted) in enumerate(self.index[first:last, -2:].tolist(), first):
            if zlib.crc32(view[at : end - begin]) != wanted:
                raise TableError(f"{self.path}: damaged: block {block:,} does not match its checksum")
            at = end - begin
        return found

    def rows(self, first: int, last: int) -> np.ndarray:
        """Return the positions of blocks first … last - 1 as rows of words."""
        from ..kernels.packed.runs import decode, decode1

        out = np.empty((min(last * self.block, self.size) - first * self.block, self.words), np.uint64)
        out[:: self.block] = self.index[first:last, : self.words]
        data = np.frombuffer(self.data(first, last), np.uint8)
        ends = self.index[first:last, -2].astype(np.int64) - self.end(first - 1)
        with np.errstate(over="ignore"):
            if self.words == 1:
                fine = decode1(data, ends, self.block, out[:, 0])
            else:
                fine = decode(data, ends, self.block, np.zeros(self.words, np.uint64), out)
            if not fine:
                raise TableError(f"{self.path}: damaged: a block of {first:,} to {last:,} does not hold its positions")
        return out

    def listed(self, number: int) -> list[int]:
        """Return the positions of one block as integers, without compiled kernels."""
        found, gap, shift = [whole(self.index[number, : self.words])], 0, 0
        for byte in self.data(number, number + 1):
            gap |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                found.append(found[-1] + gap + 1)
                gap = shift = 0
        if shift or len(found) != min(self.block, self.size - number * self.block):
            raise TableError(f"{self.path}: damaged: block {number:,} does not hold its positions")
        return found

    def check_size(self) -> None:
        """Raise TableError if the last block does not have the number of positions that follows from `size`."""
        if len(self.index):
            self.listed(len(self.index) - 1)

    def check_order(self) -> None:
        """Read the whole run; raise TableError if a checksum or count is wrong, or if it is not sorted."""
        last = None
        for rows in self.pieces(CHECKED):
            values = marks(rows)
            if (last is not None and values[0] <= last) or (values[1:] <= values[:-1]).any():
                raise TableError(f"{self.path}: its positions are not in order")
            last = values[-1]

    def pieces(self, most: int) -> Iterator[np.ndarray]:
        """Yield all positions in order, at most `most` at a time but at least a block."""
        stride = max(1, most // self.block)
        for first in range(0, len(self.index), stride):
            yield self.rows(first, min(first + stride, len(self.index)))


def whole(words: np.ndarray) -> int:
    """Return the words of a position as one integer."""
    return int.from_bytes(words.astype(">u8").tobytes(), "big")


def opened(path: Path, words: int, size: int, sums: str) -> Run:
    """Return the run in a file; raise TableError if its length or the checksum of its index does not match."""
    blocks = -(-size // BLOCK)
    try:
        with open(path, "rb") as file:
            length = os.fstat(file.fileno()).st_size
            file.seek(max(0, length - 8 * blocks * (words + 2)))
            found = file.read()
    except OSError as error:
        raise TableError(f"{path}: cannot be read: {error.strerror}") from error
    if hashlib.sha256(found).hexdigest() != sums:
        raise TableError(f"{path}: damaged: the checksum of its index does not match")
    run = Run(path, words, size, np.frombuffer(found, "<u8").reshape(blocks, words + 2))
    if length != run.bytes:
        raise TableError(f"{path}: damaged: expected {run.bytes:,} bytes, found {length:,}")
    return run


class Writer:
    """Writes a run from rows that are sorted and different. The file gets its name when it is finished.

    block    positions per block
    at_once  positions that are encoded at once, but at least a block
    Raises TableError if the system refuses.
    """

    def __init__(
        self,
        path: Path,
        words: int,
        traffic: Traffic | None = None,
        block: int = BLOCK,
        at_once: int = RUN_ENCODED.usual,
    ) -> None:
        self.path, self.words, self.block = path, words, block
        self.stride = max(1, at_once // block) * block
        self.traffic = traffic or Traffic()
        self.size, self.end = 0, 0
        self.index: list[np.ndarray] = []
        self.pending = np.empty((0, words), np.uint64)
        self.temporary = path.with_name(path.name + TEMPORARY)
        try:
            self.file = open(self.temporary, "wb")  # noqa: SIM115
        except OSError as error:
            raise self._refused(error) from error

    def _refused(self, error: OSError) -> TableError:
        return TableError(f"{self.path}: cannot be written: {error.strerror or error}")

    def append(self, rows: np.ndarray) -> None:
        """Write rows that are greater than all earlier ones."""
        self.pending = np.concatenate([self.pending, rows]) if len(self.pending) else rows
        whole = len(self.pending) // self.block * self.block
        self._encode(self.pending[:whole])
        self.pending = self.pending[whole:].copy()

    def _encode(self, rows: np.ndarray) -> None:
        from ..kernels.packed.runs import WIDEST, encode, encode1

        out = np.empty(min(len(rows), self.stride) * self.words * WIDEST, np.uint8)
        for first in range(0, len(rows), self.stride):
            part = rows[first : first + self.stride]
            ends = np.empty(-(-len(part) // self.block), np.int64)
            with np.errstate(over="ignore"):
                if self.words == 1:
                    length = encode1(part[:, 0], self.block, out, ends)
                else:
                    length = encode(part, self.block, np.zeros(self.words, np.uint64), out, ends)
            view = memoryview(out)[:length]  # type: ignore[arg-type]
            sums = [zlib.crc32(view[a:b]) for a, b in zip([0, *ends[:-1].tolist()], ends.tolist(), strict=True)]
            self._write(view)
            places = (ends + self.end).astype(np.uint64)
            self.index.append(np.column_stack([part[:: self.block], places, np.array(sums, np.uint64)]))
            self.size += len(part)
            self.end += length

    def _write(self, data: memoryview | bytes) -> None:
        try:
            self.file.write(data)
        except OSError as error:
            self.discard()
            raise self._refused(error) from error
        self.traffic.written += len(data)

    def flush(self) -> np.ndarray:
        """Write the remaining rows; return the index."""
        self._encode(self.pending)
        self.pending = self.pending[:0]
        return np.concatenate(self.index) if self.index else np.empty((0, self.words + 2), np.uint64)

    def finish(self) -> Run:
        """Write the index and give the file its name."""
        index = self.flush()
        self._write(index.astype("<u8").tobytes())
        try:
            self.file.close()
            os.replace(self.temporary, self.path)
        except OSError as error:
            self.discard()
            raise self._refused(error) from error
        return Run(self.path, self.words, self.size, index, self.traffic, self.block)

    def discard(self) -> None:
        """Delete the unfinished file."""
        with suppress(OSError):
            self.file.close()
        self.temporary.unlink(missing_ok=True)


class Reader:
    """Reads a run in order, up to one limit after the other."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.firsts = marks(run.index[:, : run.words])
        self.at = 0
        self.pending = np.empty((0, run.words), np.uint64)

    def below(self, limit: np.ndarray | None) -> np.ndarray:
        """Return the positions not yet read that are less than `limit` [1, words], or all if it is None."""
        from ..kernels.packed.runs import before

        last = len(self.firsts) if limit is None else int(np.searchsorted(self.firsts, marks(limit)[0]))
        if last > self.at:
            more = self.run.rows(self.at, last)
            self.pending = np.concatenate([self.pending, more]) if len(self.pending) else more
            self.at = last
        count = len(self.pending) if limit is None else before(self.pending, limit)
        found, self.pending = self.pending[:count], self.pending[count:].copy()
        return found


def in_order(rows: np.ndarray) -> np.ndarray:
    """Return the rows sorted, by radix sort; the given array may be overwritten."""
    if rows.shape[1] == 1:
        rows[:, 0].sort()
        return rows
    from ..kernels.packed.runs import scatter, tally

    counts = np.zeros((8 * rows.shape[1], 256), np.int64)
    tally(rows, counts)
    other = np.empty_like(rows)
    for word in reversed(range(rows.shape[1])):
        for byte in range(8):
            each = counts[8 * word + byte]
            if each.max() < len(rows):
                scatter(rows, word, 8 * byte, np.cumsum(each) - each, other)
                rows, other = other, rows
    return rows
