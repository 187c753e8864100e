"""Damaged pieces of a table by windows are computed from the pieces around them.

A position is known after a layer if it is a source, or if a neighbour was known before that layer. If every move leads
to a row of the other colour, the depths of neighbours differ by 1: so a position that is no source has a depth of r
mod 3 if it has a neighbour of depth r - 1 mod 3, and none of depth r mod 3.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from ..errors import TableError
from ..kernels.table.windows import add_rule
from .copies import reserved
from .cuts import PieceCut, cut_of, spans
from .jobs import Job, Line
from .pieces import FRESH, FULL, HIGH, KNOWN, LOW, Entry, Patch, PieceFile, crc_of, patch_of, read_patch, write_piece

PieceName = tuple[int, int, str]
"""(row, piece, kind of file)"""

Reader = Callable[[int, int, np.ndarray, np.ndarray], None]
"""Fills some blocks of a row: row, piece, the blocks, the words of the whole row."""


def possible(bad: Iterable[PieceName], older: Iterable[PieceName], shape: Any) -> bool:
    """Return whether the files around some damaged ones are whole, and tell what they held.

    older  damaged files from before the last layer
    shape  what `windows.begin` says of the table
    """
    bad = list(bad)
    if not {kind for _, _, kind in bad} <= set(shape["mended"]):
        return False
    rows = {row for row, *_ in (*bad, *older)}
    return not any(rows & set(shape["from"][row]) for row, *_ in bad)


def mend(job: Job, message: Any) -> dict[str, Any]:
    """Write damaged files of pieces anew; return their lines, or {'failed': why}.

    message  state, older: lines of the state and of the one before, which has only the pieces that the last layer added
             to; files: [row, piece, kind] …
    """
    cut, state, older = cut_of(job), job.state(message["state"]), job.state(message["older"])
    made = []
    for row, piece, kind in message["files"]:
        around = _Around(job, cut, state, older["pieces"])
        words = around.known(row, piece) if kind == KNOWN else around.plane(row, piece, kind)
        entry = state["pieces"][f"{row}.{piece}"]
        if not _alike(job, entry, kind, around.sizes(piece), words):
            return {"failed": f"{entry[kind][0]}: what the pieces around it tell differs from its checksums"}
        flags = np.zeros(len(around.sizes(piece)), np.uint8)
        if kind == KNOWN:
            first = np.concatenate([[0], np.cumsum(around.sizes(piece))[:-1]])
            flags |= FULL * (np.bitwise_and.reduceat(words, first) == ~np.uint64(0)).astype(np.uint8)
            flags |= np.uint8(FRESH if entry["depth"] == state["depth"] else 0)
        stem = f"piece-{row}-{piece}-{entry['depth']}-{kind}"
        made.append([row, piece, kind, write_piece(job.place, stem, words, around.sizes(piece), flags)])
    return {"made": made, "failed": ""}


def _alike(job: Job, entry: Entry, kind: str, sizes: np.ndarray, words: np.ndarray) -> bool:
    """Return whether words match the checksums of a damaged file; true if they cannot be known."""
    if entry.get(patch_of(kind)):
        return True
    try:
        index = PieceFile(job.place, entry[kind], sizes).index
    except TableError:
        return True
    return crc_of(words, sizes) == index["sum"].tolist()


class _Around:
    """The files of a layer, and of the one before, around a piece."""

    def __init__(self, job: Job, cut: PieceCut, state: Any, older: Any) -> None:
        self.job, self.cut, self.state, self.older = job, cut, state, older
        self.files: dict[str, PieceFile] = {}
        self.patches: dict[str, Patch] = {}
        largest = int(np.diff(cut.ground.shape.start).max())
        self.work = np.zeros(largest, np.uint64), np.zeros(largest, np.uint64)

    def sizes(self, piece: int) -> np.ndarray:
        """Return the words of each block of a piece."""
        return self.cut.sizes(piece)

    def known(self, row: int, piece: int) -> np.ndarray:
        """Return the known bits of a piece after the last layer."""
        span = self.cut.span(piece)
        return self._reached(row, piece, self._known_before) | self.cut.unused(span) | self._sources(row, piece)

    def _sources(self, row: int, piece: int) -> np.ndarray:
        where = self.cut.where(self.cut.span(piece))
        found = np.zeros(where.stop - where.start, np.uint64)
        for at, word, bit in map(self.cut.listing.place, self.job.sources):
            if at == row and where.start <= word < where.stop:
                found[word - where.start] |= np.uint64(1 << bit)
        return found

    def plane(self, row: int, piece: int, kind: str) -> np.ndarray:
        """Return a plane of the depths mod 3 of a piece."""
        residue = {LOW: 1, HIGH: 2}[kind]
        before, same = (self._reached(row, piece, self._of_depth(mod)) for mod in (residue - 1, residue))
        span = self.cut.span(piece)
        words = np.zeros(self.cut.words, np.uint64)
        self._fill(KNOWN, row, piece, np.arange(*span), words)
        known = words[self.cut.where(span)] & ~self.cut.unused(span)
        return known & before & ~same & ~self._sources(row, piece)

    def _reached(self, row: int, piece: int, read: Reader) -> np.ndarray:
        """Return the positions of a piece that have a neighbour among those that `read` tells."""
        cut = self.cut
        ground, every = cut.ground, np.arange(*cut.span(piece))
        found = reserved(1, cut.words)[1][0]
        none = np.empty(0, np.uint64), np.empty(0, bool)
        for arc in cut.into[row]:
            wanted = cut.feeding(arc[3], every)
            source, flags = reserved(1, cut.words)[1][0], np.zeros(cut.blocks, bool)
            flags[wanted] = True
            of = cut.of_block[wanted]
            for each in np.unique(of).tolist():
                read(arc[1], each, wanted[of == each], source)
            window = arc[3], ground.rows[arc[1]][1]
            rows = (source, flags, found, found, flags, *none)
            add_rule((int(every[0]), int(every[-1]) + 1), window, ground.shape, ground.program, rows, self.work)
        return found[cut.where(cut.span(piece))].copy()

    def _known_before(self, row: int, piece: int, blocks: np.ndarray, words: np.ndarray) -> None:
        """Fill blocks with the positions known before the last layer."""
        entry = self.state["pieces"].get(f"{row}.{piece}")
        if entry is not None and entry["depth"] == self.state["depth"]:
            entry = self.older.get(f"{row}.{piece}")
        self._read(entry or {}, KNOWN, piece, blocks, words)

    def _of_depth(self, residue: int) -> Reader:
        """Return what fills blocks with the positions whose depth mod 3 is this one."""

        def read(row: int, piece: int, blocks: np.ndarray, words: np.ndarray) -> None:
            if residue:
                self._fill({1: LOW, 2: HIGH}[residue], row, piece, blocks, words)
                return
            self._fill(KNOWN, row, piece, blocks, words)
            other = reserved(1, self.cut.words)[1][0]
            for kind in (LOW, HIGH):
                self._fill(kind, row, piece, blocks, other)
                for span in map(self.cut.where, spans(blocks)):
                    words[span] &= ~other[span]

        return read

    def _fill(self, kind: str, row: int, piece: int, blocks: np.ndarray, words: np.ndarray) -> None:
        """Fill blocks from a file as it is after the last layer."""
        self._read(self.state["pieces"].get(f"{row}.{piece}", {}), kind, piece, blocks, words)

    def _read(self, entry: Entry, kind: str, piece: int, blocks: np.ndarray, words: np.ndarray) -> None:
        base, start = self.cut.span(piece)[0], self.cut.where(self.cut.span(piece)).start
        line, patch = entry.get(kind), entry.get(patch_of(kind))
        if patch and patch[0] not in self.patches:
            self.patches[patch[0]] = read_patch(self.job.place, patch, len(self.sizes(piece)))
        for first, last in spans(blocks):
            room = words[self.cut.where((first, last))]
            if line is None:
                room[:] = self.cut.unused((first, last)) if kind == KNOWN else 0
            else:
                if line[0] not in self.files:
                    self.files[line[0]] = PieceFile(self.job.place, line, self.sizes(piece))
                self.files[line[0]].fill(first - base, last - base, room)
            if patch:
                self.patches[patch[0]].add_to(room, self.cut.where((first, last)).start - start)


def rebuilt_with(pieces: dict[str, Any], made: Sequence[tuple[int, int, str, Line]]) -> dict[str, Any]:
    """Return what the manifest says of all pieces, with the lines of files that were written anew."""
    found = {key: dict(entry) for key, entry in pieces.items()}
    for row, piece, kind, line in made:
        found[f"{row}.{piece}"] |= {kind: line, patch_of(kind): None}
    return found
