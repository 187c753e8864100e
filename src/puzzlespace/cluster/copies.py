"""The pieces of a table that a worker holds in memory, and the next layer of them.

A worker keeps the blocks that it read or wrote in anonymous memory, which is reserved for the whole table and taken
page by page; pieces that were not used for longest are dropped.
"""

from __future__ import annotations

import mmap
import sys
from collections import OrderedDict
from contextlib import suppress
from typing import Any, NamedTuple

import numpy as np

from ..engines.table.mod3 import NO_WORDS
from ..engines.table.slide.counting import Arc, Work
from ..kernels.table.windows import add_rule, step_layer
from .cuts import PieceCut, spans
from .jobs import Job, Line
from .pieces import (
    FRESH,
    FULL,
    HIGH,
    KINDS,
    KNOWN,
    LOW,
    Patch,
    PieceFile,
    patch_of,
    read_patch,
    version_of,
    write_piece,
)

NEXT, OLDER = "next", "older"

PLANES = {1: LOW, 2: HIGH}
"""The plane in which positions of a depth have their bit set, by the depth mod 3."""

LARGE = 1 << 24
"""Bytes of a table from which large pages of memory are asked for."""

PATCHED = 16
"""A patch has at most one word of so many of a piece."""

SPARSE = 8
"""A layer of a piece is sparse if at most one block of so many is fed: only these are read."""

RESERVE = 0x4000 if sys.platform == "linux" else 0
"""The flag of `mmap` for memory that is not counted before it is touched (MAP_NORESERVE)."""


def reserved(rows: int, words: int) -> tuple[mmap.mmap, np.ndarray]:
    """Return memory, all 0, of which pages are taken when they are touched, and the array on it."""
    size = max(1, 8 * rows * words)
    if hasattr(mmap, "MAP_ANONYMOUS"):
        pages = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | RESERVE)
        if size >= LARGE and hasattr(mmap, "MADV_HUGEPAGE"):
            with suppress(OSError):  # a kernel without large pages
                pages.madvise(mmap.MADV_HUGEPAGE)
    else:
        pages = mmap.mmap(-1, size)
    return pages, np.frombuffer(pages, np.uint64, count=rows * words).reshape(rows, words)


class Held(NamedTuple):
    """A piece in memory: the name and depth of its version, and which blocks are there."""

    name: str
    depth: int
    there: np.ndarray

    def grows_to(self, name: str, depth: int) -> bool:
        """Return whether a patch makes this version another one: the same file of words, and no later layer."""
        return self.name.split("+")[0] == name.split("+")[0] and self.depth <= depth


class Copies:
    """The pieces that a worker holds in memory, in a table of which only these pages are taken.

    The table has sections of `cut.rows` rows: known bits; those of the next layer, if there are two tables; the planes,
    if depths are kept; known bits before the last layer. The name of a version that is in no file yet begins with ~.

    held       what is there, by (row of the table, piece)
    unwritten  the flags of each version that is in no file
    notes      the words to which the last call of `following` added, and the bits; None if they are too many, or if the
               words before the layer are kept
    """

    def __init__(self, job: Job, cut: PieceCut) -> None:
        self.job, self.cut = job, cut
        sections = [KNOWN, *([NEXT] if cut.two_tables else []), *([LOW, HIGH] if job.facts["depths"] else []), OLDER]
        self.section = {name: number * cut.rows for number, name in enumerate(sections)}
        self.pages, self.table = reserved(len(sections) * cut.rows, cut.words)
        self.fresh = np.zeros((2 * cut.rows, cut.blocks), bool)
        self.full = np.zeros((2 * cut.rows, cut.blocks), bool)
        self.held: OrderedDict[tuple[int, int], Held] = OrderedDict()
        self.unwritten: dict[str, np.ndarray] = {}
        self.named, self.small = 0, False
        self.files: dict[str, PieceFile] = {}
        self.flagged: set[tuple[int, int]] = set()
        self.state: Any = {}
        self.patches: dict[str, Patch] = {}
        self.notes: tuple[np.ndarray, np.ndarray] | None = None
        largest = int(np.diff(cut.ground.shape.start).max())
        room = job.facts["piece"] // PATCHED
        notes = np.zeros(room, np.int64), np.zeros(room, np.uint64), np.zeros(1, np.int64)
        self.work = np.zeros(largest, np.uint64), np.zeros(largest, np.uint64), notes
        self.levels: list[tuple[np.ndarray, np.ndarray]] = []
        self.read = self.written = self.bytes = 0

    @property
    def depth(self) -> int:
        """The depth of the layer that is computed."""
        return self.state["depth"] + 1

    def advise(self, memory: int) -> None:
        """Ask for large pages of memory if the whole table fits it: else few blocks of each would be held."""
        if self.table.nbytes > memory and not self.small and hasattr(mmap, "MADV_NOHUGEPAGE"):
            self.small = True
            with suppress(OSError):  # a kernel without large pages
                self.pages.madvise(mmap.MADV_NOHUGEPAGE)

    def begin(self, state: Any) -> None:
        """Continue with another layer."""
        if state is not self.state:
            self.state = state
            self.fresh[:] = False
            self.flagged.clear()
            self.files.clear()
            self.patches.clear()

    def sizes(self, piece: int) -> np.ndarray:
        """Return the words of each block of a piece."""
        return self.cut.sizes(piece)

    def entry(self, row: int, piece: int) -> Any:
        """Return what the manifest says of a piece, or None if nothing was found there yet."""
        return self.state["pieces"].get(f"{row}.{piece}")

    def file(self, line: Line, piece: int) -> PieceFile:
        """Return a file of a piece, whose index is read once in a layer."""
        if line[0] not in self.files:
            self.files[line[0]] = PieceFile(self.job.place, line, self.sizes(piece))
        return self.files[line[0]]

    def patch(self, entry: Any, kind: str, piece: int) -> Patch | None:
        """Return the patch of a kind of a piece, which is read once in a layer; None if it has none."""
        line = (entry or {}).get(patch_of(kind))
        if not line:
            return None
        if line[0] not in self.patches:
            self.patches[line[0]] = read_patch(self.job.place, line, len(self.sizes(piece)))
            self.read += line[1]
        return self.patches[line[0]]

    def flags(self, entry: Any, piece: int, which: int) -> np.ndarray:
        """Return for each block of a piece whether a flag is set."""
        if entry is None:
            return np.zeros(len(self.sizes(piece)), bool)
        if version_of(entry, KNOWN) in self.unwritten:
            return self.unwritten[version_of(entry, KNOWN)] & which != 0
        patch = self.patch(entry, KNOWN, piece)
        return self.file(entry[KNOWN], piece).flags(which) if patch is None else patch.flags & which != 0

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
        entry, (first, last) = self.entry(row, piece), self.cut.span(piece)
        name, depth, line = version_of(entry, kind), -1 if entry is None else entry["depth"], (entry or {}).get(kind)
        at = self.section[kind] + row
        held = self.held.get((at, piece))
        if held is None or held.name != name:
            patch = self.patch(entry, kind, piece)
            if held is not None and held.grows_to(name, depth):
                self._add(patch, at, piece, first + np.flatnonzero(held.there))
                self.held[at, piece] = Held(name, depth, held.there)
            else:
                self.forget(at, piece)
                self.held[at, piece] = Held(name, depth, np.zeros(last - first, bool))
        there = self.held[at, piece].there
        self.held.move_to_end((at, piece))
        for begin, end in spans(blocks[~there[blocks - first]]):
            words = self.table[at, self.cut.where((begin, end))]
            if line is not None:
                self.file(line, piece).fill(begin - first, end - first, words)
                self.read += words.nbytes
            else:
                words[:] = self.cut.unused((begin, end)) if kind == KNOWN else 0
            self._add(self.patch(entry, kind, piece), at, piece, np.arange(begin, end))
            there[begin - first : end - first] = True
            self.bytes += words.nbytes

    def _add(self, patch: Patch | None, at: int, piece: int, blocks: np.ndarray) -> None:
        """Set the bits of a patch in some blocks of a row of the table."""
        if patch is not None:
            start = self.cut.where(self.cut.span(piece)).start
            for where in map(self.cut.where, spans(blocks)):
                patch.add_to(self.table[at, where], where.start - start)

    def made(self, at: int, piece: int, held: Held) -> None:
        """Record what is there of a piece."""
        self.forget(at, piece)
        self.held[at, piece] = held
        self.bytes += 8 * int(self.sizes(piece)[held.there].sum())

    def drop(self, budget: int) -> None:
        """Drop the pieces that were not used for longest until all take at most `budget` bytes."""
        while self.bytes > budget and len(self.held) > 1:
            at, piece = next(iter(self.held))
            self.forget(at, piece)
            self.release(at, piece)

    def forget(self, at: int, piece: int) -> None:
        """Count a piece as not held."""
        found = self.held.pop((at, piece), None)
        if found is not None:
            self.bytes -= 8 * int(self.sizes(piece)[found.there].sum())

    def release(self, at: int, piece: int) -> None:
        """Give the pages of a piece back to the system."""
        where = self.cut.where(self.cut.span(piece))
        page = mmap.PAGESIZE
        begin = -(-8 * (at * self.cut.words + where.start) // page) * page
        end = 8 * (at * self.cut.words + where.stop) // page * page
        if end > begin and hasattr(mmap, "MADV_DONTNEED"):
            self.pages.madvise(mmap.MADV_DONTNEED, begin, end - begin)

    def level(self, number: int) -> tuple[np.ndarray, np.ndarray]:
        """Return a row of working memory and its flags."""
        while len(self.levels) <= number:
            self.levels.append((reserved(1, self.cut.words)[1][0], np.zeros(self.cut.blocks, bool)))
        return self.levels[number]

    def source(self, arc: Arc, blocks: np.ndarray, number: int = 1) -> tuple[np.ndarray, np.ndarray] | None:
        """Return the row from which an arc leads to some blocks, and its flags; None if nothing in it is new.

        If the arc may follow another one within a move, these are the positions of the row with those that the other
        arc brings. Working memory from level `number` on is used.
        """
        wanted = self.cut.feeding(arc[3], blocks)
        row = arc[1]
        self.note_fresh(row, wanted)
        fresh = self.fresh[row]
        before = self.cut.before(arc)
        brought = None if before is None else self.source(before, wanted, number + 1)
        if brought is None:
            new = wanted[fresh[wanted]]
            if not len(new):
                return None
            self.load(KNOWN, row, new)
            return self.table[row], fresh
        assert before is not None
        self.load(KNOWN, row, wanted)
        onward = self.level(number)
        self.add(before, brought, wanted, (self.level(0)[0], self.table[row], fresh, *onward))
        return onward

    def add(self, arc: Arc, source: tuple[np.ndarray, np.ndarray], blocks: np.ndarray, rows: tuple) -> None:
        """Run `add_rule` for some blocks; `rows` are those from the next row to add to on."""
        ground = self.cut.ground
        window = arc[3], ground.rows[arc[1]][1]
        for span in spans(blocks):
            add_rule(span, window, ground.shape, ground.program, (*source, *rows), self.work[:2])

    def following(self, row: int, piece: int, older: bool) -> dict[str, Any] | None:
        """Compute the next layer of a piece in memory; return what the manifest says of it, or None if nothing is new.

        older  whether the whole piece is held, and the words before the layer are kept in the section OLDER
        If there are two tables, the new words are in the section NEXT.
        """
        cut, every = self.cut, np.arange(*self.cut.span(piece))
        self.notes = None
        size = (self._chained if cut.ground.plan.slides.chained else self._direct)(row, every, older)
        if not size:
            return None
        at, span = row + self.section.get(NEXT, 0), slice(*cut.span(piece))
        self.named += 1
        name = f"~{self.named}"
        self.unwritten[name] = FRESH * self.fresh[at, span] + FULL * self.full[at, span]
        found = {**(self.entry(row, piece) or {}), "depth": self.depth, "new": size}
        found["full"] = bool(self.full[at, span].all())
        for kind in (KNOWN, self.plane) if self.plane else (KNOWN,):
            found[kind], found[patch_of(kind)] = [name, 0, 0], None
            if kind != KNOWN or not cut.two_tables:
                section = self.section[kind] + row
                self.made(section, piece, Held(name, self.depth, self.held[section, piece].there))
        return found

    @property
    def plane(self) -> str:
        """The plane to which the layer is added, or ''."""
        return PLANES.get(self.depth % 3, "") if self.job.facts["depths"] else ""

    def _target(self, row: int, blocks: np.ndarray, older: bool) -> int:
        """Hold the blocks that a layer is added to; return their row: a copy in the second table if there is one."""
        self.load(KNOWN, row, blocks)
        where = self.cut.where((int(blocks[0]), int(blocks[-1]) + 1))
        if older:
            self.table[self.section[OLDER] + row, where] = self.table[row, where]
        if self.plane:
            self.load(self.plane, row, blocks)
        if not self.cut.two_tables:
            return row
        self.table[self.section[NEXT] + row, where] = self.table[row, where]
        return self.section[NEXT] + row

    def _work(self, row: int, piece: int, older: bool) -> Work:
        """Return working memory for a layer; without room for notes if there were too many, or no patch is written."""
        index, bits, many = self.work[2]
        many[0] = 0
        entry = self.entry(row, piece)
        noted = not older and not self.cut.two_tables and (entry is None or entry["new"] <= len(index))
        room = len(index) if noted else 0
        return *self.work[:2], (index[:room], bits[:room], many)

    def _fed(self, every: np.ndarray, arcs: list[tuple[Arc, tuple[np.ndarray, np.ndarray]]]) -> np.ndarray:
        """Return the blocks of a piece that something new leads to, or all if they are not few."""
        fed = np.zeros(len(every), bool)
        for arc, (_, fresh) in arcs:
            wanted = self.cut.feeding(arc[3], every)
            if SPARSE * np.count_nonzero(fresh[wanted]) > len(wanted):
                return every
            fed |= self.cut.is_fed(arc[3], every, fresh)
        return every if SPARSE * np.count_nonzero(fed) > len(every) else every[fed]

    def _direct(self, row: int, every: np.ndarray, older: bool) -> int:
        """Add the next layer to a piece; return how many positions it has there."""
        cut, ground = self.cut, self.cut.ground
        arcs = [(arc, found) for arc in cut.into[row] if (found := self.source(arc, every)) is not None]
        if not arcs:
            return 0
        blocks = every if older or cut.two_tables else self._fed(every, arcs)
        if not len(blocks):
            return 0
        at, piece, span = self._target(row, blocks, older), int(cut.of_block[every[0]]), slice(every[0], every[-1] + 1)
        self.fresh[at, span] = False
        self.full[at, span] = self.flags(self.entry(row, piece), piece, FULL)
        changed = [] if cut.two_tables else [row]
        changed += [self.section[self.plane] + row] if self.plane else []
        before = [self.held[each, piece] for each in changed]
        for each in changed:
            self.forget(each, piece)  # until the new version is complete
        columns = (
            [at], [0, len(arcs)], [arc[1] for arc, _ in arcs], [arc[3] for arc, _ in arcs],
            [ground.rows[arc[1]][1] for arc, _ in arcs],
        )  # fmt: skip
        given = tuple(np.array(column, np.int64) for column in columns)
        # the loop adds to row `at` of the plane, which begins so that this is the row of the section
        plane = self.table[self.section[self.plane] + row - at :].reshape(-1) if self.plane else NO_WORDS
        tables = (self.table, self.fresh, self.full, plane)
        work = self._work(row, piece, older)
        size = 0
        for some in spans(blocks):
            size += int(step_layer(some, tables, ground.shape, ground.program, given, work))
        for each, held in zip(changed, before, strict=True):
            self.made(each, piece, held)
        index, bits, (many,) = work[2]
        if many <= len(index):
            self.notes = index[:many] - (at * cut.words + cut.where((span.start, span.stop)).start), bits[:many].copy()
        return size

    def _chained(self, row: int, every: np.ndarray, older: bool) -> int:
        """Do what `_direct` does if moves are chains of slides."""
        none = np.empty(0, np.uint64), np.empty(0, bool)
        at = -1
        for arc in self.cut.into[row]:
            source = self.source(arc, every)
            if source is not None:
                at = self._target(row, every, older) if at < 0 else at
                self.add(arc, source, every, (self.table[at], self.table[row], self.fresh[row], *none))
        if at < 0:
            return 0
        start = self.cut.ground.shape.start
        where = self.cut.where((int(every[0]), int(every[-1]) + 1))
        known = self.table[at, where]
        new = known & ~self.table[row, where]
        if self.plane:
            self.table[self.section[self.plane] + row, where] |= new
        many = np.bitwise_count(new).astype(np.int64)
        first = start[every] - where.start
        self.fresh[at, every] = np.add.reduceat(many, first) > 0
        self.full[at, every] = np.bitwise_and.reduceat(known, first) == ~np.uint64(0)
        return int(many.sum())

    def publish(self, row: int, piece: int, entry: dict[str, Any], section: str) -> None:
        """Write the versions of a piece that are in no file, and put their lines into its entry.

        section  where its known bits are
        """
        flags = self.unwritten.pop(entry[KNOWN][0])
        old = self.entry(row, piece)
        for kind in KINDS:
            if not (entry.get(kind) or [""])[0].startswith("~"):
                continue
            at = self.section[section if kind == KNOWN else kind] + row
            stem = f"piece-{row}-{piece}-{entry['depth']}-{kind}"
            own = flags if kind == KNOWN else 0 * flags
            patch = self._patched(old, kind, piece, own)
            if patch is not None:
                entry[kind], entry[patch_of(kind)] = (old or {}).get(kind), patch.write(self.job.place, stem)
                self.written += entry[patch_of(kind)][1]
                there = self.held[at, piece].there
            else:
                if section != NEXT or kind != KNOWN:
                    self._complete(old, kind, row, piece)
                entry[kind], there = self.write(stem, at, piece, own), np.ones(len(own), bool)
            if at >= self.cut.rows and section == NEXT and kind == KNOWN:
                self.release(at, piece)
            else:
                self.made(at, piece, Held(version_of(entry, kind), entry["depth"], there))

    def _patched(self, old: Any, kind: str, piece: int, flags: np.ndarray) -> Patch | None:
        """Return the patch for the last layer of a piece; None if there would be too many words."""
        if self.notes is None:
            return None
        patch = self.patch(old, kind, piece)
        if patch is None:
            patch = Patch(np.zeros(0, np.int64), np.zeros(0, np.uint64), flags)
        patch = patch.and_then(*self.notes, flags)
        return patch if PATCHED * len(patch.index) <= self.sizes(piece).sum() else None

    def _complete(self, old: Any, kind: str, row: int, piece: int) -> None:
        """Hold the blocks of a new version that the layer did not change, which are those of the old one."""
        at, first = self.section[kind] + row, self.cut.span(piece)[0]
        held = self.held[at, piece]
        self.made(at, piece, Held(version_of(old, kind), held.depth, held.there))
        self._load(kind, row, piece, first + np.arange(len(held.there)))

    def write(self, stem: str, at: int, piece: int, flags: np.ndarray) -> Line:
        """Write a piece of a row of the table; return its line."""
        where = self.cut.where(self.cut.span(piece))
        line = write_piece(self.job.place, stem, self.table[at, where], self.sizes(piece), flags)
        self.written += line[1]
        return line

    def advance(self, new: dict[str, Any]) -> None:
        """Make the next layer, whose entries are given, the last one."""
        for key, entry in new.items():
            row, piece = map(int, key.split("."))
            old = self.entry(row, piece)
            if old is not None:
                self.unwritten.pop(version_of(old, KNOWN), None)
            if self.cut.two_tables:
                where = self.cut.where(self.cut.span(piece))
                self.table[row, where] = self.table[self.section[NEXT] + row, where]
                held = Held(entry[KNOWN][0], entry["depth"], np.ones(len(self.sizes(piece)), bool))
                self.made(row, piece, held)
        self.begin({"depth": self.depth, "pieces": self.state["pieces"] | new})
