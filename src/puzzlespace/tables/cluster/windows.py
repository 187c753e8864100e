"""Tasks for tables of sliding puzzles: each computes new pieces of a table from pieces of the last layer.

A piece is a row times a run of blocks (docs/methods/windows.md). Its file has one bit for each position that is known,
and an index: for each block the CRC-32 of its words, whether the last layer added to it, and whether it is full. If
depths are kept, two more files of the same form have the low and the high bits of the depths mod 3.

A worker keeps the pieces that it read or wrote in anonymous memory, which is reserved for the whole table and taken
page by page; pieces that were not used for longest are dropped.
"""

from __future__ import annotations

import mmap
import sys
import zlib
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from ...engines.table.mod3 import NO_WORDS
from ...engines.table.slide.counting import Arc, Ground
from ...engines.table.slide.positions import Listing
from ...errors import TableError
from ...kernels.table.windows import RUNS, add_rule, step_layer
from ...limits.thresholds import Thresholds
from ..identity import rebuilt
from .jobs import Job, Line
from .places import Storage

INDEX = np.dtype([("sum", "<u4"), ("flags", "u1")])
FRESH, FULL = 1, 2

KNOWN, LOW, HIGH = "known", "low", "high"

RESERVE = 0x4000 if sys.platform == "linux" else 0
"""The flag of `mmap` for memory that is not counted before it is touched (MAP_NORESERVE)."""


def reserved(rows: int, words: int) -> tuple[mmap.mmap, np.ndarray]:
    """Return memory, all 0, of which pages are taken when they are touched, and the array on it."""
    size = max(1, 8 * rows * words)
    if hasattr(mmap, "MAP_ANONYMOUS"):
        pages = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | RESERVE)
    else:
        pages = mmap.mmap(-1, size)
    return pages, np.frombuffer(pages, np.uint64, count=rows * words).reshape(rows, words)


class PieceCut:
    """The ground of a table and its pieces: piece p of a row has blocks first[p] … first[p + 1] - 1."""

    def __init__(self, job: Job) -> None:
        facts = job.facts
        plan = slide_plan(job)
        self.ground = Ground(plan, job.sources, facts["block"])
        self.ground.build()
        start = self.ground.shape.start
        self.first = pieces(start, facts["piece"])
        self.of_block = np.repeat(np.arange(len(self.first) - 1), np.diff(self.first))
        self.rows, self.words, self.blocks = len(self.ground.rows), plan.words, len(start) - 1
        self.into: dict[int, list[Arc]] = {row: [] for row in range(self.rows)}
        for arc in self.ground.arcs:
            self.into[arc[2]].append(arc)
        self.by_target = {(arc[0], arc[2]): arc for arc in self.ground.arcs}
        self.listing = Listing(plan, self.ground.orders, self.ground.rows)
        self.fed: dict[tuple[int, int, int], np.ndarray] = {}

    @property
    def two_tables(self) -> bool:
        """Whether a layer must not be added to the table that it is computed from."""
        return self.ground.colours is None

    def targets(self, depth: int) -> list[int]:
        """Return the rows that the layer of a depth may add to."""
        ground = self.ground
        if ground.colours is None:
            return list(range(self.rows))
        colour = (min(ground.first) + depth) % 2
        return [row for row in range(self.rows) if ground.colours[row] == colour]

    def span(self, piece: int) -> tuple[int, int]:
        """Return (first block, last block + 1) of a piece."""
        return int(self.first[piece]), int(self.first[piece + 1])

    def where(self, span: tuple[int, int]) -> slice:
        """Return the words of some blocks within a row."""
        start = self.ground.shape.start
        return slice(int(start[span[0]]), int(start[span[1]]))

    def reaching(self, row: int) -> set[int]:
        """Return the rows from which one move leads to a row."""
        found: set[int] = set()
        for arc in self.into[row]:
            each: Arc | None = arc
            while each is not None:
                found.add(each[1])
                each = self.before(each)
        return found

    def before(self, arc: Arc) -> Arc | None:
        """Return the arc that may precede one within the same move."""
        link = self.ground.plan.slides.before[arc[0]]
        return self.by_target.get((link, arc[1])) if link >= 0 else None

    def feeding(self, window: int, blocks: np.ndarray) -> np.ndarray:
        """Return the blocks of a source row from which a window leads to some blocks, ascending."""
        program = self.ground.program
        if program.rows[window, 0] != RUNS:
            return blocks
        key = window, int(blocks[0]), int(blocks[-1])
        run = key[2] - key[1] + 1 == len(blocks)
        if run and key in self.fed:
            return self.fed[key]
        row = program.row[program.rows[window, 1] + blocks]
        begin, many = program.first[row], program.first[row + 1] - program.first[row]
        index = np.repeat(begin - (np.cumsum(many) - many), many) + np.arange(many.sum())
        mask = np.zeros(self.blocks, bool)
        mask[np.repeat(blocks, many) + program.runs[index, 3]] = True
        found = np.flatnonzero(mask)
        if run:
            self.fed[key] = found
        return found

    def unused(self, span: tuple[int, int]) -> np.ndarray:
        """Return the words of some blocks in which only bits are set that stand for no position."""
        orders, shape = self.ground.orders, self.ground.shape
        forms = orders.bits[orders.left == orders.tail]
        out: list[np.ndarray] = []
        for block in range(*span):
            kind = shape.kind[block]
            tails = shape.tails[shape.local[kind] : shape.local[kind + 1]]
            used = (forms[0] + 0 * tails if orders.halved else forms[tails]).astype(np.uint64)
            words = ~np.uint64(0) << np.minimum(used, np.uint64(63))
            words[used == np.uint64(64)] = 0
            out.append(words)
        return np.concatenate(out)


def slide_plan(job: Job) -> Any:
    """Return the ranking of a job's model; raise TableError if this worker ranks differently."""
    return rebuilt(job.facts["identity"], job.model, Path(job.place.url)).chosen.plan


def pieces(start: np.ndarray, most: int) -> np.ndarray:
    """Return the first blocks of the pieces, with at most so many words unless a block has more, and the end."""
    first = [0]
    while first[-1] < len(start) - 1:
        wanted = int(np.searchsorted(start, start[first[-1]] + most, side="right")) - 1
        first.append(max(first[-1] + 1, wanted))
    return np.array(first)


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
        begin, end = int(self.end[first]), int(self.end[last])
        data = memoryview(self.place.read(self.name, begin, end - begin))
        for block in range(first, last):
            if zlib.crc32(data[self.end[block] - begin : self.end[block + 1] - begin]) != self.index["sum"][block]:
                raise TableError(f"{self.place.url}/{self.name}: damaged: a block does not match its checksum")
        return np.frombuffer(data, "<u8")


def write_piece(place: Storage, stem: str, words: np.ndarray, sizes: np.ndarray, flags: np.ndarray) -> Line:
    """Write a piece; return its line."""
    data = np.ascontiguousarray(words, "<u8")
    view = memoryview(data).cast("B")  # type: ignore[arg-type]
    end = np.concatenate([[0], np.cumsum(8 * sizes)])
    index = np.empty(len(sizes), INDEX)
    index["sum"] = [zlib.crc32(view[a:b]) for a, b in zip(end[:-1], end[1:], strict=True)]
    index["flags"] = flags
    tail = index.tobytes()
    with place.new(stem) as file:
        with open(file.path, "wb") as opened:
            opened.write(view)
            opened.write(tail)
        return [file.publish(), int(end[-1]) + len(tail), zlib.crc32(tail)]


class Copies:
    """The pieces that a worker holds in memory, in a table of which only these pages are taken.

    If there are two tables, rows from `cut.rows` on are those of the second one, which new pieces are made in.
    """

    def __init__(self, job: Job, cut: PieceCut) -> None:
        self.job, self.cut = job, cut
        tables = 2 if cut.two_tables else 1
        self.pages, self.table = reserved(tables * cut.rows, cut.words)
        self.fresh = np.zeros((tables * cut.rows, cut.blocks), bool)
        self.full = np.zeros((tables * cut.rows, cut.blocks), bool)
        self.held: OrderedDict[tuple[int, int], tuple[str, np.ndarray]] = OrderedDict()
        self.files: dict[str, PieceFile] = {}
        self.flagged: set[tuple[int, int]] = set()
        self.state: Any = {}
        largest = int(np.diff(cut.ground.shape.start).max())
        notes = np.zeros(0, np.int64), np.zeros(0, np.uint64), np.zeros(1, np.int64)
        self.work = np.zeros(largest, np.uint64), np.zeros(largest, np.uint64), notes
        self.levels: list[tuple[np.ndarray, np.ndarray]] = []
        self.read = self.bytes = 0

    def begin(self, state: Any) -> None:
        """Continue with another layer."""
        if state is not self.state:
            self.state = state
            self.fresh[:] = False
            self.flagged.clear()
            self.files.clear()

    def sizes(self, piece: int) -> np.ndarray:
        """Return the words of each block of a piece."""
        first, last = self.cut.span(piece)
        return np.diff(self.cut.ground.shape.start[first : last + 1])

    def entry(self, row: int, piece: int) -> Any:
        """Return what the manifest says of a piece, or None if nothing was found there yet."""
        return self.state["pieces"].get(f"{row}.{piece}")

    def file(self, line: Line, piece: int) -> PieceFile:
        """Return a file of a piece, whose index is read once in a layer."""
        if line[0] not in self.files:
            self.files[line[0]] = PieceFile(self.job.place, line, self.sizes(piece))
        return self.files[line[0]]

    def note_fresh(self, row: int, blocks: np.ndarray) -> None:
        """Set the flags of a row for some blocks."""
        for piece in np.unique(self.cut.of_block[blocks]).tolist():
            if (row, piece) not in self.flagged:
                self.flagged.add((row, piece))
                entry = self.entry(row, piece)
                if entry is not None and entry["depth"] == self.state["depth"]:
                    self.fresh[row, slice(*self.cut.span(piece))] = self.file(entry[KNOWN], piece).flags(FRESH)

    def load(self, row: int, blocks: np.ndarray) -> None:
        """Hold some blocks of a row."""
        of = self.cut.of_block[blocks]
        for piece in np.unique(of).tolist():
            self._load(row, piece, blocks[of == piece])

    def _load(self, row: int, piece: int, blocks: np.ndarray) -> None:
        entry = self.entry(row, piece)
        first, last = self.cut.span(piece)
        name = entry[KNOWN][0] if entry else ""
        old, there = self.held.get((row, piece), ("", None))
        if there is None or old != name:
            self.forget(row, piece)
            there = np.zeros(last - first, bool)
            self.held[row, piece] = name, there
        self.held.move_to_end((row, piece))
        for begin, end in spans(blocks[~there[blocks - first]]):
            if entry is None:
                words = self.cut.unused((begin, end))
            else:
                words = self.file(entry[KNOWN], piece).words(begin - first, end - first)
                self.read += words.nbytes
            self.table[row, self.cut.where((begin, end))] = words
            there[begin - first : end - first] = True
            self.bytes += words.nbytes

    def made(self, row: int, piece: int, name: str) -> None:
        """Record that a whole piece of this name is held."""
        first, last = self.cut.span(piece)
        self.forget(row, piece)
        self.held[row, piece] = name, np.ones(last - first, bool)
        self.bytes += 8 * int(self.sizes(piece).sum())

    def drop(self, budget: int) -> None:
        """Drop the pieces that were not used for longest until all take at most `budget` bytes."""
        while self.bytes > budget and len(self.held) > 1:
            row, piece = next(iter(self.held))
            self.forget(row, piece)
            self.release(row, piece)

    def forget(self, row: int, piece: int) -> None:
        """Count a piece as not held."""
        found = self.held.pop((row, piece), None)
        if found is not None:
            self.bytes -= 8 * int(self.sizes(piece)[found[1]].sum())

    def release(self, row: int, piece: int) -> None:
        """Give the pages of a piece back to the system."""
        where = self.cut.where(self.cut.span(piece))
        page = mmap.PAGESIZE
        begin = -(-8 * (row * self.cut.words + where.start) // page) * page
        end = 8 * (row * self.cut.words + where.stop) // page * page
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
            self.load(row, new)
            return self.table[row], fresh
        assert before is not None
        self.load(row, wanted)
        onward = self.level(number)
        self.add(before, brought, wanted, (self.level(0)[0], self.table[row], fresh, *onward))
        return onward

    def add(self, arc: Arc, source: tuple[np.ndarray, np.ndarray], blocks: np.ndarray, rows: tuple) -> None:
        """Run `add_rule` for some blocks; `rows` are those from the next row to add to on."""
        ground = self.cut.ground
        window = arc[3], ground.rows[arc[1]][1]
        for span in spans(blocks):
            add_rule(span, window, ground.shape, ground.program, (*source, *rows), self.work[:2])

    def following(self, row: int, piece: int) -> int:
        """Add the next layer to a piece in memory; return how many positions it has there.

        The piece is then in row `row`, or `cut.rows + row` if there are two tables.
        """
        cut, ground = self.cut, self.cut.ground
        span = cut.span(piece)
        every = np.arange(*span)
        if ground.plan.slides.chained:
            return self._chained(row, every)
        arcs = [arc for arc in cut.into[row] if self.source(arc, every) is not None]
        if not arcs:
            return 0
        at = self._target(row, every)
        entry = self.entry(row, piece)
        self.full[at, slice(*span)] = False if entry is None else self.file(entry[KNOWN], piece).flags(FULL)
        if not cut.two_tables:
            self.forget(row, piece)  # until its new version is complete
        columns = (
            [at], [0, len(arcs)], [arc[1] for arc in arcs], [arc[3] for arc in arcs],
            [ground.rows[arc[1]][1] for arc in arcs],
        )  # fmt: skip
        given = tuple(np.array(column, np.int64) for column in columns)
        tables = (self.table, self.fresh, self.full, NO_WORDS)
        return int(step_layer(span, tables, ground.shape, ground.program, given, self.work))

    def _target(self, row: int, blocks: np.ndarray) -> int:
        """Hold the blocks that a layer is added to; return their row: a copy in the second table if there is one."""
        self.load(row, blocks)
        if not self.cut.two_tables:
            return row
        where = self.cut.where((int(blocks[0]), int(blocks[-1]) + 1))
        self.table[self.cut.rows + row, where] = self.table[row, where]
        return self.cut.rows + row

    def _chained(self, row: int, every: np.ndarray) -> int:
        """Do what `step_layer` does if moves are chains of slides."""
        none = np.empty(0, np.uint64), np.empty(0, bool)
        at = -1
        for arc in self.cut.into[row]:
            source = self.source(arc, every)
            if source is not None:
                at = self._target(row, every) if at < 0 else at
                self.add(arc, source, every, (self.table[at], self.table[row], self.fresh[row], *none))
        if at < 0:
            return 0
        start = self.cut.ground.shape.start
        where = self.cut.where((int(every[0]), int(every[-1]) + 1))
        known = self.table[at, where]
        new = np.bitwise_count(known & ~self.table[row, where]).astype(np.int64)
        first = start[every] - where.start
        self.fresh[at, every] = np.add.reduceat(new, first) > 0
        self.full[at, every] = np.bitwise_and.reduceat(known, first) == ~np.uint64(0)
        return int(new.sum())


def spans(blocks: np.ndarray) -> Iterator[tuple[int, int]]:
    """Yield (first, last + 1) of the runs of consecutive numbers among ascending ones."""
    if len(blocks):
        cuts = np.flatnonzero(np.diff(blocks) != 1) + 1
        for part in np.split(blocks, cuts):
            yield int(part[0]), int(part[-1]) + 1


def cut_of(job: Job) -> PieceCut:
    """Return the cut of a job's table, which the threads of a worker share."""
    return job.once("cut", lambda: PieceCut(job))


def _copies(job: Job) -> Copies:
    return job.mine("copies", lambda: Copies(job, cut_of(job)))


def begin(job: Job, message: Any) -> dict[str, Any]:
    """Write the pieces that contain sources, and describe the cut."""
    cut = cut_of(job)
    copies = _copies(job)
    copies.begin({"depth": -1, "pieces": {}})
    placed: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for row, word, bit in map(cut.listing.place, job.sources):
        block = int(np.searchsorted(cut.ground.shape.start, word, side="right")) - 1
        placed.setdefault((row, int(cut.of_block[block])), []).append((word, bit))
    made = {}
    for (row, piece), bits in placed.items():
        span = cut.span(piece)
        copies.load(row, np.arange(*span))
        fresh = np.zeros(cut.blocks, bool)
        for word, bit in bits:
            copies.table[row, word] |= np.uint64(1 << bit)
            fresh[np.searchsorted(cut.ground.shape.start, word, side="right") - 1] = True
        copies.fresh[row] = fresh
        copies.full[row, slice(*span)] = False
        made[f"{row}.{piece}"] = _written(job, copies, (row, row, piece), 0, np.empty(0), len(bits), None)
    copies.drop(0)
    copies.held.clear()
    copies.bytes = 0
    each = range(len(cut.first) - 1)
    shape = {
        "rows": cut.rows,
        "words": cut.words,
        "positions": cut.rows * cut.ground.plan.orders,
        "count": len(each),
        "sizes": [int(copies.sizes(piece).sum()) for piece in each],
        "blocks": [copies.sizes(piece).tolist() for piece in each],
        "targets": [cut.targets(0), cut.targets(1)],
        "from": [sorted(cut.reaching(row)) for row in range(cut.rows)],
    }
    return {"made": made, "shape": shape}


def check(job: Job, message: Any) -> dict[str, Any]:
    """Read all files of some pieces; return what is wrong with the first damaged one, or ''.

    message  state: the line of the state; pieces: [row, piece] …
    """
    cut, state = cut_of(job), job.state(message["state"])
    for row, piece in message["pieces"]:
        entry = state["pieces"][f"{row}.{piece}"]
        first, last = cut.span(piece)
        sizes = np.diff(cut.ground.shape.start[first : last + 1])
        try:
            for kind in (KNOWN, LOW, HIGH):
                if kind in entry:
                    PieceFile(job.place, entry[kind], sizes).words(0, len(sizes))
        except TableError as error:
            return {"damage": str(error)}
    return {"damage": ""}


def step(job: Job, message: Any) -> dict[str, Any]:
    """Compute the next layer of some pieces; return the lines of those that it adds to.

    message  state: the line of the state; pieces: [row, piece] …; memory: bytes for copies
    """
    copies = _copies(job)
    copies.begin(job.state(message["state"]))
    depth = copies.state["depth"] + 1
    made, copies.read, written = {}, 0, 0
    for row, piece in message["pieces"]:
        before = np.empty(0, np.uint64)
        where = copies.cut.where(copies.cut.span(piece))
        entry = copies.entry(row, piece)
        if job.facts["depths"] and depth % 3 and not copies.cut.two_tables:
            copies.load(row, np.arange(*copies.cut.span(piece)))
            before = copies.table[row, where].copy()
        size = copies.following(row, piece)
        if size:
            at = copies.cut.rows + row if copies.cut.two_tables else row
            if copies.cut.two_tables:
                before = copies.table[row, where]
            line = made[f"{row}.{piece}"] = _written(job, copies, (at, row, piece), depth, before, size, entry)
            written += sum(line[kind][1] for kind in (KNOWN, LOW, HIGH) if kind in line)
            if not copies.cut.two_tables:
                copies.made(row, piece, line[KNOWN][0])
        elif not copies.cut.two_tables and entry is not None and (row, piece) not in copies.held:
            copies.made(row, piece, entry[KNOWN][0])
        if copies.cut.two_tables:
            copies.release(copies.cut.rows + row, piece)
        copies.drop(message["memory"])
    return {"made": made, "read": copies.read, "written": written}


def _written(
    job: Job, copies: Copies, place: tuple[int, int, int], depth: int, before: np.ndarray, size: int, entry: Any
) -> dict[str, Any]:
    """Write the files of a piece that changed; return what the manifest says of it.

    place   (row of the table in memory, row, piece)
    before  the words before the layer was added, if depths are kept
    entry   what the manifest says of the piece so far
    """
    at, row, piece = place
    span = copies.cut.span(piece)
    sizes = copies.sizes(piece)
    known = copies.table[at, copies.cut.where(span)]
    flags = FRESH * copies.fresh[at, slice(*span)] + FULL * copies.full[at, slice(*span)]
    stem = f"piece-{row}-{piece}-{depth}"
    found: dict[str, Any] = {KNOWN: write_piece(job.place, f"{stem}-{KNOWN}", known, sizes, flags)}
    found |= {"depth": depth, "new": size, "full": bool(copies.full[at, slice(*span)].all())}
    for kind, rest in ((LOW, 1), (HIGH, 2)):
        line = entry.get(kind) if entry else None
        if job.facts["depths"] and depth % 3 == rest:
            plane = known & ~before
            if line is not None:
                plane |= PieceFile(job.place, line, sizes).words(0, len(sizes))
            line = write_piece(job.place, f"{stem}-{kind}", plane, sizes, np.zeros(len(sizes), np.uint8))
        if line is not None:
            found[kind] = line
    return found


def first_of_last(job: Job, message: Any) -> dict[str, Any]:
    """Write the first positions, sorted, that the last layer added to some pieces; return the line of the file.

    message  state, older: lines of the state and of the one before; pieces: [row, piece] …; keep: how many
    """
    cut = cut_of(job)
    now, older = job.state(message["state"]), job.state(message["older"])
    start = cut.ground.shape.start
    least: Iterable[bytes] = ()
    for row, piece in message["pieces"]:
        span = cut.span(piece)
        sizes = np.diff(start[span[0] : span[1] + 1])
        words = PieceFile(job.place, now["pieces"][f"{row}.{piece}"][KNOWN], sizes).words(0, len(sizes))
        old = older["pieces"].get(f"{row}.{piece}")
        before = cut.unused(span) if old is None else PieceFile(job.place, old[KNOWN], sizes).words(0, len(sizes))
        bits = words & ~before
        numbers = np.flatnonzero(bits)
        notes = [(row * cut.words + int(start[span[0]]) + numbers, bits[numbers])]
        found = cut.listing.least(message["keep"], notes, Thresholds().slide_written)
        least = sorted([*least, *found])[: message["keep"]]
    data = b"".join(least)
    with job.place.new("first") as file:
        file.path.write_bytes(data)
        return {"line": [file.publish(), len(data), zlib.crc32(data)]}
