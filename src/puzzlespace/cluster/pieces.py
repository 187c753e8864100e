"""The files of a piece of a table: words with an index, and patches.

A piece is a run of blocks of a row. It has one bit for each position that is known and, if depths are kept, the low and
the high bits of the depths mod 3. Each of these kinds is in a file of words with an index: for each block the CRC-32 of
its words, whether the last layer added to it, and whether it is full.

If layers add little, the file of words stays, and a *patch* is written beside it: the flags of all blocks, and the bits
that came since, by words. A new patch takes the place of the one before. If there is only a patch, nothing else is
known in the piece.

`entry` is what the manifest says of a piece: by kind the line of the file of words (None if there is only a patch), by
the kind with + the line of the patch.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from ..errors import TableError
from .jobs import Line
from .places import Storage, write_all

INDEX = np.dtype([("sum", "<u4"), ("flags", "u1")])
FRESH, FULL = 1, 2

KNOWN, LOW, HIGH = "known", "low", "high"
KINDS = KNOWN, LOW, HIGH

CACHED = 1 << 19
"""Bytes that are summed while they are in the processor's cache."""

Entry = Mapping[str, Any]


def patch_of(kind: str) -> str:
    """Return the key of the patch of a kind in an entry."""
    return kind + "+"


def lines_of(entry: Entry, kinds: Iterable[str] = KINDS) -> list[Line]:
    """Return the lines of the files of a piece."""
    found = [entry.get(key) for kind in kinds for key in (kind, patch_of(kind))]
    return [line for line in found if line]


def version_of(entry: Entry | None, kind: str) -> str:
    """Return the name of what an entry says of a kind; '' if nothing."""
    if entry is None or kind not in entry:
        return ""
    base, patch = entry[kind], entry.get(patch_of(kind))
    return (base[0] if base else "") + ("+" + patch[0] if patch else "")


class PieceFile:
    """A file of a piece: words, and their index, which is read and checked at once."""

    def __init__(self, place: Storage, line: Line, sizes: np.ndarray) -> None:
        name, length, wanted = line
        self.place, self.name = place, name
        self.end = np.concatenate([[0], np.cumsum(8 * sizes)])
        size = len(sizes) * INDEX.itemsize
        data = place.read(name, length - size, size)
        if length != self.end[-1] + size or zlib.crc32(data) != wanted:
            raise TableError(f"{place.url}/{name}: damaged: the checksum of its index does not match")
        self.index = np.frombuffer(data, INDEX)

    def flags(self, which: int) -> np.ndarray:
        """Return for each block whether a flag is set."""
        return self.index["flags"] & which != 0

    def words(self, first: int, last: int) -> np.ndarray:
        """Return the words of some blocks; raise TableError if a checksum does not match."""
        found = np.empty(int(self.end[last] - self.end[first]) // 8, "<u8")
        self.fill(first, last, found)
        return found

    def fill(self, first: int, last: int, words: np.ndarray) -> None:
        """Read the words of some blocks into an array, as `words` does."""
        room = memoryview(words).cast("B")  # type: ignore[arg-type]
        begin, end, wanted = int(self.end[first]), self.end.tolist(), self.index["sum"].tolist()
        for some, rest in portions(self.end, first, last):
            self.place.fill(self.name, end[some], room[end[some] - begin : end[rest] - begin])
            for block in range(some, rest):
                if zlib.crc32(room[end[block] - begin : end[block + 1] - begin]) != wanted[block]:
                    raise TableError(f"{self.place.url}/{self.name}: damaged: a block does not match its checksum")


def portions(end: np.ndarray, first: int, last: int) -> Iterator[tuple[int, int]]:
    """Yield (first block, last block + 1) of parts that fit the processor's cache, so that sums need no second read.

    end  where each block begins, in bytes
    """
    while first < last:
        rest = max(first + 1, min(last, int(np.searchsorted(end, end[first] + CACHED, side="right")) - 1))
        yield first, rest
        first = rest


def crc_of(words: np.ndarray, sizes: np.ndarray) -> list[int]:
    """Return the CRC-32 of each block of a piece."""
    view = memoryview(np.ascontiguousarray(words, "<u8")).cast("B")  # type: ignore[arg-type]
    end = np.concatenate([[0], np.cumsum(8 * sizes)]).tolist()
    return [zlib.crc32(view[end[block] : end[block + 1]]) for block in range(len(sizes))]


def write_piece(place: Storage, stem: str, words: np.ndarray, sizes: np.ndarray, flags: np.ndarray) -> Line:
    """Write a piece; return its line.

    sizes  the words of each block; flags: its flags
    """
    view = memoryview(np.ascontiguousarray(words, "<u8")).cast("B")  # type: ignore[arg-type]
    ends = np.concatenate([[0], np.cumsum(8 * sizes)])
    end = ends.tolist()
    sums: list[int] = []
    index = np.empty(len(sizes), INDEX)
    with place.new(stem) as file:
        with open(file.path, "wb", buffering=0) as opened:
            for first, last in portions(ends, 0, len(sizes)):
                sums += [zlib.crc32(view[end[block] : end[block + 1]]) for block in range(first, last)]
                write_all(opened, view[end[first] : end[last]])
            index["sum"], index["flags"] = sums, flags
            tail = index.tobytes()
            write_all(opened, memoryview(tail))
        return [file.publish(), end[-1] + len(tail), zlib.crc32(tail)]


class Patch:
    """Bits that came to a piece: words by their index in the piece, ascending, and the flags of all its blocks."""

    def __init__(self, index: np.ndarray, bits: np.ndarray, flags: np.ndarray) -> None:
        self.index, self.bits, self.flags = index, bits, flags

    def and_then(self, index: np.ndarray, bits: np.ndarray, flags: np.ndarray) -> Patch:
        """Return the patch with later bits, which has their flags."""
        found, at = np.unique(np.concatenate([self.index, index]), return_inverse=True)
        words = np.zeros(len(found), np.uint64)
        np.bitwise_or.at(words, at, np.concatenate([self.bits, bits]))
        return Patch(found, words, flags)

    def add_to(self, words: np.ndarray, first: int) -> None:
        """Set the bits in words of the piece, which begin with word `first`."""
        some = slice(*np.searchsorted(self.index, [first, first + len(words)]))
        words[self.index[some] - first] |= self.bits[some]

    def write(self, place: Storage, stem: str) -> Line:
        """Write a file; return its line."""
        data = (
            self.flags.astype("u1").tobytes() + self.index.astype("<u4").tobytes() + self.bits.astype("<u8").tobytes()
        )
        with place.new(stem) as file:
            file.path.write_bytes(data)
            return [file.publish(), len(data), zlib.crc32(data)]


def read_patch(place: Storage, line: Line, blocks: int) -> Patch:
    """Return the patch of a file of a piece with so many blocks; raise TableError if it does not match its line."""
    name, length, wanted = line
    data = place.read(name, 0, length)
    if zlib.crc32(data) != wanted:
        raise TableError(f"{place.url}/{name}: damaged: its checksum does not match")
    many = (length - blocks) // 12
    flags = np.frombuffer(data, "u1", blocks)
    return Patch(
        np.frombuffer(data, "<u4", many, blocks).astype(np.int64),
        np.frombuffer(data, "<u8", many, blocks + 4 * many),
        flags,
    )


def read_piece(place: Storage, entry: Entry | None, kind: str, sizes: np.ndarray, nothing: np.ndarray) -> np.ndarray:
    """Return all words of a kind of a piece; `nothing` if the entry says nothing of it. Raises TableError."""
    words = nothing.copy()
    if entry is not None and entry.get(kind):
        words = PieceFile(place, entry[kind], sizes).words(0, len(sizes))
    if entry is not None and entry.get(patch_of(kind)):
        read_patch(place, entry[patch_of(kind)], len(sizes)).add_to(words, 0)
    return words
