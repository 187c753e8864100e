"""The pieces of a table that a worker holds in memory, and the next layer of them.

A worker keeps the blocks that it read or wrote, and drops the pieces that were not used for longest. The compiled loops
run on rows of a whole table, so the memory is that of a table of which pages are taken only where they are touched;
Dask keeps and spills values by themselves, and cannot do that.
"""

from __future__ import annotations

import mmap
import sys
from collections import OrderedDict
from contextlib import suppress
from typing import Any, NamedTuple

import numpy as np

from ..engines.table.mod3 import NO_WORDS
from ..engines.table.slide.counting import LinkArc, Work
from ..kernels.table.windows import add_rule, step_layer
from .cuts import PieceCut, spans
from .jobs import Job
from .pieces import (
    FRESH,
    FULL,
    HIGH,
    KNOWN,
    LOW,
    Patch,
    PieceFile,
    files_of,
    read_patch,
    version_of,
    write_piece,
)
from .places import Line

NEXT = "next"

PLANES = {1: LOW, 2: HIGH}
"""The plane in which positions of a depth have their bit set, by the depth mod 3."""

PATCHED = 16
"""A patch has at most one word of so many of a piece."""

SPARSE = 8
"""A layer of a piece is sparse if at most one block of so many is fed: only these are read."""

LARGE = 1 << 24
"""Bytes of a table from which large pages of memory are asked for."""

RESERVE = 0x4000 if sys.platform == "linux" else 0
"""The flag of `mmap` for memory that is not counted before it is touched (MAP_NORESERVE)."""

Row = tuple[np.ndarray, np.ndarray]
"""The words of a row of the table, and for each block whether something in it is new."""


def reserved(rows: int, words: int, large: bool = True) -> tuple[mmap.mmap, np.ndarray]:
    """Return memory, all 0, of which pages are taken when they are touched, and the array on it.

    large  whether large pages are asked for: not if only few blocks of each are touched
    """
    size = max(1, 8 * rows * words)
    if hasattr(mmap, "MAP_ANONYMOUS"):
        pages = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | RESERVE)
        if size >= LARGE and hasattr(mmap, "MADV_HUGEPAGE"):
            with suppress(OSError):  # a kernel without large pages
                pages.madvise(mmap.MADV_HUGEPAGE if large else mmap.MADV_NOHUGEPAGE)
    else:
        pages = mmap.mmap(-1, size)
    return pages, np.frombuffer(pages, np.uint64, count=rows * words).reshape(rows, words)


class Held(NamedTuple):
    """A piece in memory: the names of its files, its depth, and which blocks are there."""

    version: tuple[str, str]
    depth: int
    there: np.ndarray


class Copies:
    """The pieces that a worker holds in memory, in a table of which only these pages are taken.

    The table has sections of `cut.rows` rows: known bits; those of the next layer, if there are two tables; the planes,
    if depths are kept.

    held    what is there, by (row of the table, piece)
    memory  bytes that all may take
    """

    def __init__(self, job: Job, cut: PieceCut, memory: int) -> None:
        self.job, self.cut, self.memory = job, cut, memory
        sections = [KNOWN, *([NEXT] if cut.two_tables else []), *([LOW, HIGH] if job.facts["depths"] else [])]
        self.section = {name: number * cut.rows for number, name in enumerate(sections)}
        rows = len(sections) * cut.rows
        self.roomy = 8 * rows * cut.words <= memory
        self.pages, self.table = reserved(rows, cut.words, self.roomy)
        self.fresh, self.full = (np.zeros((2 * cut.rows, cut.blocks), bool) for _ in range(2))
        self.held: OrderedDict[tuple[int, int], Held] = OrderedDict()
        self.state: Any = {}
        self.files: dict[str, PieceFile] = {}
        self.patches: dict[str, Patch] = {}
        self.flagged: set[tuple[int, int]] = set()
        self.levels: list[Row] = []
        room = job.facts["piece"] // PATCHED
        notes = np.zeros(room, np.int64), np.zeros(room, np.uint64), np.zeros(1, np.int64)
        self.work: Work = *(np.zeros(cut.largest, np.uint64) for _ in range(2)), notes  # type: ignore[assignment]
        self.read = self.written = self.bytes = 0

    def begin(self, state: Any) -> None:
        """Continue after a layer, of which this is the state."""
        self.read = self.written = 0
        if state is not self.state:
            self.state = state
            self.fresh[:] = False
            for each in (self.flagged, self.files, self.patches):
                each.clear()

    @property
    def depth(self) -> int:
        """The depth of the layer that is computed."""
        return self.state["depth"] + 1

    @property
    def plane(self) -> str:
        """The plane to which the layer is added, or ''."""
        return PLANES.get(self.depth % 3, "") if self.job.facts["depths"] else ""

    def entry(self, row: int, piece: int) -> Any:
        """Return what the manifest says of a piece, or None if nothing was found there yet."""
        return self.state["pieces"].get(f"{row}.{piece}")

    def file(self, line: Line, piece: int) -> PieceFile:
        """Return a file of a piece, whose index is read once in a layer."""
        if line[0] not in self.files:
            self.files[line[0]] = PieceFile(self.job.place, line, self.cut.sizes(piece))
        return self.files[line[0]]

    def patch(self, entry: Any, kind: str, piece: int) -> Patch | None:
        """Return the patch of a kind of a piece, which is read once in a layer; None if it has none."""
        line = files_of(entry, kind)[1]
        if line is not None and line[0] not in self.patches:
            self.patches[line[0]] = read_patch(self.job.place, line, len(self.cut.sizes(piece)))
            self.read += line[1]
        return None if line is None else self.patches[line[0]]

    def flags(self, entry: Any, piece: int, which: int) -> np.ndarray:
        """Return for each block of a piece whether a flag is set."""
        base, patch = files_of(entry, KNOWN)[0], self.patch(entry, KNOWN, piece)
        if patch is not None:
            return patch.flags & which != 0
        if base is not None:
            return self.file(base, piece).index["flags"] & which != 0
        return np.zeros(len(self.cut.sizes(piece)), bool)

    def note_fresh(self, row: int, blocks: np.ndarray) -> None:
        """Set the flags of a row for some blocks."""
        for piece in np.unique(self.cut.of_block[blocks]).tolist():
            if (row, piece) not in self.flagged:
                self.flagged.add((row, piece))
                entry = self.entry(row, piece)
                if entry is not None and entry["depth"] == self.state["depth"]:
                    self.fresh[row, slice(*self.cut.span(piece))] = self.flags(entry, piece, FRESH)

    def load(self, kind: str, row: int, blocks: np.ndarray) -> None:
        """Hold some blocks of a row."""
        of = self.cut.of_block[blocks]
        for piece in np.unique(of).tolist():
            self._load(kind, row, piece, blocks[of == piece])

    def _load(self, kind: str, row: int, piece: int, blocks: np.ndarray) -> None:
        entry, first = self.entry(row, piece), self.cut.span(piece)[0]
        at, version, depth = self.section[kind] + row, version_of(entry, kind), -1 if entry is None else entry["depth"]
        held = self.held.get((at, piece))
        if held is None or held.version != version:
            there = np.zeros(len(self.cut.sizes(piece)), bool)
            if held is not None and held.version[0] == version[0] and held.depth <= depth:  # only the patch grew
                there = held.there
                self._add(self.patch(entry, kind, piece), at, piece, first + np.flatnonzero(there))
            self.hold(at, piece, Held(version, depth, there))
        self.held.move_to_end((at, piece))
        there = self.held[at, piece].there
        missing = blocks[~there[blocks - first]]
        if len(missing):
            self._fill(kind, row, piece, missing)
            self.forget(at, piece)
            there[missing - first] = True
            self.hold(at, piece, Held(version, depth, there))

    def _fill(self, kind: str, row: int, piece: int, blocks: np.ndarray) -> None:
        """Read blocks of a piece into the table."""
        entry, first = self.entry(row, piece), self.cut.span(piece)[0]
        at, line = self.section[kind] + row, files_of(entry, kind)[0]
        for begin, end in spans(blocks):
            words = self.table[at, self.cut.where((begin, end))]
            if line is not None:
                self.file(line, piece).fill(begin - first, end - first, words)
                self.read += words.nbytes
            else:
                words[:] = self.cut.unused((begin, end)) if kind == KNOWN else 0
        self._add(self.patch(entry, kind, piece), at, piece, blocks)

    def _add(self, patch: Patch | None, at: int, piece: int, blocks: np.ndarray) -> None:
        """Set the bits of a patch in some blocks of a row of the table."""
        if patch is not None:
            start = self.cut.where(self.cut.span(piece)).start
            for where in map(self.cut.where, spans(blocks)):
                patch.add_to(self.table[at, where], where.start - start)

    def hold(self, at: int, piece: int, held: Held) -> None:
        """Record what is there of a piece, the last one to be dropped."""
        self.forget(at, piece)
        self.held[at, piece] = held
        self.bytes += 8 * int(self.cut.sizes(piece)[held.there].sum())

    def forget(self, at: int, piece: int) -> None:
        """Count a piece as not held."""
        found = self.held.pop((at, piece), None)
        if found is not None:
            self.bytes -= 8 * int(self.cut.sizes(piece)[found.there].sum())

    def release(self, at: int, piece: int) -> None:
        """Forget a piece, and give its pages back to the system."""
        self.forget(at, piece)
        where, page = self.cut.where(self.cut.span(piece)), mmap.PAGESIZE
        begin = -(-8 * (at * self.cut.words + where.start) // page) * page
        end = 8 * (at * self.cut.words + where.stop) // page * page
        if end > begin and hasattr(mmap, "MADV_DONTNEED"):
            self.pages.madvise(mmap.MADV_DONTNEED, begin, end - begin)

    def drop(self) -> None:
        """Drop the pieces that were not used for longest until the others fit the memory."""
        while self.bytes > self.memory and len(self.held) > 1:
            self.release(*next(iter(self.held)))

    def level(self, number: int) -> Row:
        """Return a row of working memory and its flags."""
        while len(self.levels) <= number:
            self.levels.append((reserved(1, self.cut.words)[1][0], np.zeros(self.cut.blocks, bool)))
        return self.levels[number]

    def source(self, arc: LinkArc, blocks: np.ndarray, number: int = 1) -> Row | None:
        """Return the row from which an arc leads to some blocks, and its flags; None if nothing in it is new.

        If the arc may follow another one within a move, these are the positions of the row with those that the other
        arc brings. Working memory from level `number` on is used.
        """
        wanted = self.cut.feeding(arc.window, blocks)
        row = arc.source
        self.note_fresh(row, wanted)
        fresh = self.fresh[row]
        before = self.cut.before(arc)
        brought = None if before is None else self.source(before, wanted, number + 1)
        if before is None or brought is None:
            new = wanted[fresh[wanted]]
            if not len(new):
                return None
            self.load(KNOWN, row, new)
            return self.table[row], fresh
        self.load(KNOWN, row, wanted)
        onward = self.level(number)
        self.add(before, brought, wanted, (self.level(0)[0], self.table[row], fresh, *onward))
        return onward

    def add(self, arc: LinkArc, source: Row, blocks: np.ndarray, rows: tuple) -> None:
        """Run `add_rule` for some blocks; `rows` are those from the next row to add to on."""
        ground = self.cut.ground
        window = arc.window, ground.rows[arc.source][1]
        for span in spans(blocks):
            add_rule(span, window, ground.shape, ground.program, (*source, *rows), self.work[:2])

    def step(self, row: int, piece: int) -> dict[str, Any] | None:
        """Compute the next layer of a piece and write it; return what the manifest says of it, None if nothing is new.

        The words that the layer changes are held again when their file is written: until then no version has them.
        """
        self.work[2][2][0] = 0
        there: dict[str, np.ndarray] = {}
        every = np.arange(*self.cut.span(piece))
        layer = self._chained if self.cut.ground.plan.slides.chained else self._direct
        found, notes = layer(row, every, there)
        at, span, old = row + self.section.get(NEXT, 0), slice(*self.cut.span(piece)), self.entry(row, piece)
        if not found:
            for kind, held in there.items():
                depth = -1 if old is None else old["depth"]
                self.hold(self.section[kind] + row, piece, Held(version_of(old, kind), depth, held))
            return None
        flags = FRESH * self.fresh[at, span] + FULL * self.full[at, span]
        made = {**(old or {}), "depth": self.depth, "new": found, "full": bool(self.full[at, span].all())}
        for kind in (KNOWN, self.plane) if self.plane else (KNOWN,):
            made[kind] = self._written(kind, row, piece, there.get(kind), flags if kind == KNOWN else 0 * flags, notes)
            if kind in there:
                held = there[kind] if made[kind][1] else np.ones(len(flags), bool)
                self.hold(self.section[kind] + row, piece, Held(version_of(made, kind), self.depth, held))
        if self.cut.two_tables:
            self.release(at, piece)
        if self.plane and not self.roomy:  # it is read again three layers later
            self.release(self.section[self.plane] + row, piece)
        return made

    def _written(
        self, kind: str, row: int, piece: int, there: np.ndarray | None, flags: np.ndarray, notes: Row | None
    ) -> list[Line | None]:
        """Write what the layer changed: a patch, or the whole piece; return the lines of both.

        there  the blocks that are held, None if the words are in the section NEXT; notes: the new bits, if they are few
        """
        place, old, stem = self.job.place, self.entry(row, piece), f"piece-{row}-{piece}-{self.depth}-{kind}"
        if notes is not None:
            none = Patch(np.zeros(0, np.int64), np.zeros(0, np.uint64), flags)
            patch = (self.patch(old, kind, piece) or none).and_then(*notes, flags)
            if PATCHED * len(patch.index) <= self.cut.sizes(piece).sum():
                line = patch.write(place, stem)
                self.written += line[1]
                return [files_of(old, kind)[0], line]
        at = self.section[NEXT if there is None else kind] + row
        if there is not None:
            self._fill(kind, row, piece, self.cut.span(piece)[0] + np.flatnonzero(~there))
        words = self.table[at, self.cut.where(self.cut.span(piece))]
        line = write_piece(place, stem, words, self.cut.sizes(piece), flags)
        self.written += line[1]
        return [line, None]

    def _target(self, row: int, piece: int, blocks: np.ndarray, there: dict[str, np.ndarray]) -> int:
        """Hold the blocks that a layer is added to; return their row: a copy in the second table if there is one.

        The words that will change are forgotten; `there` gets which blocks of them are in memory.
        """
        kinds = [*([] if self.cut.two_tables else [KNOWN]), *([self.plane] if self.plane else [])]
        for kind in {KNOWN, *kinds}:
            self.load(kind, row, blocks)
        for kind in kinds:
            there[kind] = self.held[self.section[kind] + row, piece].there
            self.forget(self.section[kind] + row, piece)
        at = row + self.section.get(NEXT, 0)
        if self.cut.two_tables:
            where = self.cut.where((int(blocks[0]), int(blocks[-1]) + 1))
            self.table[at, where] = self.table[row, where]
        return at

    def _fed(self, every: np.ndarray, arcs: list[tuple[LinkArc, Row]]) -> np.ndarray:
        """Return the blocks of a piece that something new leads to, or all if they are not few."""
        fed = np.zeros(len(every), bool)
        for arc, (_, fresh) in arcs:
            wanted = self.cut.feeding(arc.window, every)
            if SPARSE * np.count_nonzero(fresh[wanted]) > len(wanted):
                return every
            fed |= self.cut.is_fed(arc.window, every, fresh)
        return every if SPARSE * np.count_nonzero(fed) > len(every) else every[fed]

    def _direct(self, row: int, every: np.ndarray, there: dict[str, np.ndarray]) -> tuple[int, Row | None]:
        """Add the next layer to a piece; return how many positions it has there, and their words and bits if few."""
        cut, ground = self.cut, self.cut.ground
        arcs = [(arc, found) for arc in cut.into[row] if (found := self.source(arc, every)) is not None]
        blocks = every[:0] if not arcs else every if cut.two_tables else self._fed(every, arcs)
        if not len(blocks):
            return 0, None
        piece, span = int(cut.of_block[every[0]]), slice(every[0], every[-1] + 1)
        entry = self.entry(row, piece)
        full = self.flags(entry, piece, FULL)
        at = self._target(row, piece, blocks, there)
        self.fresh[at, span] = False
        self.full[at, span] = full
        columns = (
            [at], [0, len(arcs)], [arc.source for arc, _ in arcs], [arc.window for arc, _ in arcs],
            [ground.rows[arc.source][1] for arc, _ in arcs],
        )  # fmt: skip
        given = tuple(np.array(column, np.int64) for column in columns)
        # the loop adds to row `at` of the plane, which begins so that this is the row of the section
        plane = self.table[self.section[self.plane] + row - at :].reshape(-1) if self.plane else NO_WORDS
        index, bits, many = self.work[2]
        noted = not cut.two_tables and (entry is None or entry["new"] <= len(index))
        room = len(index) if noted else 0  # none if there were too many positions before, or no patch can be written
        tables, work = (self.table, self.fresh, self.full, plane), (*self.work[:2], (index[:room], bits[:room], many))
        size = sum(int(step_layer(each, tables, ground.shape, ground.program, given, work)) for each in spans(blocks))
        if many[0] > room:
            return size, None
        start = at * cut.words + cut.where(cut.span(piece)).start
        return size, (index[: many[0]] - start, bits[: many[0]].copy())

    def _chained(self, row: int, every: np.ndarray, there: dict[str, np.ndarray]) -> tuple[int, None]:
        """Do what `_direct` does if moves are chains of slides."""
        none = np.empty(0, np.uint64), np.empty(0, bool)
        at, piece = -1, int(self.cut.of_block[every[0]])
        for arc in self.cut.into[row]:
            source = self.source(arc, every)
            if source is not None:
                at = self._target(row, piece, every, there) if at < 0 else at
                self.add(arc, source, every, (self.table[at], self.table[row], self.fresh[row], *none))
        if at < 0:
            return 0, None
        where = self.cut.where(self.cut.span(piece))
        known = self.table[at, where]
        new = known & ~self.table[row, where]
        if self.plane:
            self.table[self.section[self.plane] + row, where] |= new
        many, first = np.bitwise_count(new).astype(np.int64), self.cut.ground.shape.start[every] - where.start
        self.fresh[at, every] = np.add.reduceat(many, first) > 0
        self.full[at, every] = np.bitwise_and.reduceat(known, first) == ~np.uint64(0)
        return int(many.sum()), None
