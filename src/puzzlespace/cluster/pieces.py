"""The files of a piece of a table: words with an index, and patches.

A piece is a run of blocks of a row. It has one bit for each position that is known and, if depths are kept, the low and
the high bits of the depths mod 3. Each of these kinds is in a file of words with an index: for each block the CRC-32 of
its words, whether the last layer added to it, and whether it is full.

If layers add little, the file of words stays, and a *patch* is written beside it: the flags of all blocks, and the bits
that came since, by words. A new patch takes the place of the one before. If there is only a patch, nothing else is
known in the piece.

`entry` is what the manifest says of a piece: by kind [line of the file of words, line of the patch], None for neither.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..errors import TableError
from .places import Line, Storage

INDEX = np.dtype([("sum", "<u4"), ("flags", "u1")])
FRESH, FULL = 1, 2

KNOWN, LOW, HIGH = "known", "low", "high"
KINDS = KNOWN, LOW, HIGH

CACHED = 1 << 19
"""Bytes that are summed while they are in the processor's cache."""

Entry = Mapping[str, Any]


def files_of(entry: Entry | None, kind: str) -> tuple[Line | None, Line | None]:
    """Return the lines of the file of words and of the patch of a kind."""
    base, patch = (entry or {}).get(kind) or (None, None)
    return base, patch


def lines_of(entry: Entry, kinds: Sequence[str] = KINDS) -> list[Line]:
    """Return the lines of the files of a piece."""
    return [line for kind in kinds for line in files_of(entry, kind) if line]


def version_of(entry: Entry | None, kind: str) -> tuple[str, str]:
    """Return the names of the files of a kind, '' for none."""
    base, patch = files_of(entry, kind)
    return base[0] if base else "", patch[0] if patch else ""


class PieceFile:
    """A file of a piece: words, and their index, which is read and checked at once.

    sizes  the words of each block
    """

    def __init__(self, place: Storage, line: Line, sizes: np.ndarray) -> None:
        name, length, wanted = line
        self.place, self.name, self.end = place, name, _ends(sizes)
        size = len(sizes) * INDEX.itemsize
        self.index = np.frombuffer(place.checked(name, length - size, size, wanted), INDEX)
        if length != self.end[-1] + size:
            raise TableError(f"{place.url}/{name}: damaged: its length does not match")

    def fill(self, first: int, last: int, words: np.ndarray) -> None:
        """Read the words of some blocks into an array; raise TableError if a checksum does not match."""
        room = memoryview(words).cast("B")  # type: ignore[arg-type]
        begin, end = int(self.end[first]), self.end.tolist()
        for some, rest in _portions(self.end, first, last):
            part = room[end[some] - begin : end[rest] - begin]
            part[:] = self.place.read(self.name, end[some], len(part))
            if sums_of(part, self.end[some : rest + 1]) != self.index["sum"][some:rest].tolist():
                raise TableError(f"{self.place.url}/{self.name}: damaged: a block does not match its checksum")


def _ends(sizes: np.ndarray) -> np.ndarray:
    """Return where each block begins, in bytes, and the end."""
    return np.concatenate([[0], np.cumsum(8 * sizes)])


def _portions(end: np.ndarray, first: int, last: int) -> Iterator[tuple[int, int]]:
    """Yield (first block, last block + 1) of parts that fit the processor's cache, so that sums need no second read."""
    while first < last:
        rest = max(first + 1, min(last, int(np.searchsorted(end, end[first] + CACHED, side="right")) - 1))
        yield first, rest
        first = rest


def sums_of(view: memoryview, end: np.ndarray) -> list[int]:
    """Return the CRC-32 of each block; `end` says where they begin, in bytes, and where the last one ends."""
    at = (end - end[0]).tolist()
    return [zlib.crc32(view[begin:after]) for begin, after in zip(at, at[1:], strict=False)]


def write_piece(place: Storage, stem: str, words: np.ndarray, sizes: np.ndarray, flags: np.ndarray) -> Line:
    """Write a piece; return its line.

    sizes  the words of each block; flags: its flags
    """
    view, end = memoryview(np.ascontiguousarray(words, "<u8")).cast("B"), _ends(sizes)  # type: ignore[arg-type]
    index = np.empty(len(sizes), INDEX)
    index["flags"] = flags
    with place.new(stem) as (name, file):
        for first, last in _portions(end, 0, len(sizes)):
            part = view[int(end[first]) : int(end[last])]
            index["sum"][first:last] = sums_of(part, end[first : last + 1])
            file.write(part)
        tail = index.tobytes()
        file.write(tail)
    return [name, len(view) + len(tail), zlib.crc32(tail)]


class Patch(NamedTuple):
    """Bits that came to a piece: words by their index in the piece, ascending, and the flags of all its blocks."""

    index: np.ndarray
    bits: np.ndarray
    flags: np.ndarray

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
        columns = self.flags.astype("u1"), self.index.astype("<u4"), self.bits.astype("<u8")
        return place.put(stem, b"".join(column.tobytes() for column in columns))


def read_patch(place: Storage, line: Line, blocks: int) -> Patch:
    """Return the patch of a file of a piece with so many blocks; raise TableError if it does not match its line."""
    data = place.get(line)
    many = (len(data) - blocks) // 12
    index = np.frombuffer(data, "<u4", many, blocks).astype(np.int64)
    return Patch(index, np.frombuffer(data, "<u8", many, blocks + 4 * many), np.frombuffer(data, "u1", blocks))


def read_piece(place: Storage, entry: Entry | None, kind: str, sizes: np.ndarray, nothing: np.ndarray) -> np.ndarray:
    """Return all words of a kind of a piece; `nothing` if the entry says nothing of it. Raises TableError."""
    words = nothing.copy()
    base, patch = files_of(entry, kind)
    if base:
        PieceFile(place, base, sizes).fill(0, len(sizes), words)
    if patch:
        read_patch(place, patch, len(sizes)).add_to(words, 0)
    return words


def full_blocks(words: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """Return for each block of a piece whether all bits are set."""
    return np.bitwise_and.reduceat(words, np.cumsum(sizes) - sizes) == ~np.uint64(0)
