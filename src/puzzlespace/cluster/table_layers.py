"""The layers of a table by windows: which tasks they are, and what the manifest says of the pieces."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, groupby, pairwise
from typing import Any

import numpy as np

from ..errors import TableError
from ..model.model import Model
from ..storage.files import BLOCK, DATA, SUMS, checksum, need_room, write_blocks, write_file
from ..tables.save import PART, Saving, write_manifest
from . import mending
from .cuts import cut_of
from .desk import Desk
from .jobs import Job
from .pieces import HIGH, KNOWN, LOW, lines_of, read_piece
from .places import Line

TASKS = 6
"""Tasks of a layer for each slot, if there are enough pieces."""

MOST_BYTES = 1 << 28
"""The most bytes of pieces of a task, unless a piece has more: what is lost with a worker."""

Name = tuple[int, int]
"""(row, piece)"""


class Windows:
    """A count of a table by windows.

    pieces  what the manifest says of each piece, by 'row.piece'
    older   the files from before the last layer of the pieces that it added to; the hardest positions need them
    lost    whether some of these are missing
    """

    def __init__(self, desk: Desk, model: Model) -> None:
        self.desk = desk
        self.job = Job(desk.place, desk.facts, model)
        self.shape: dict[str, Any] = {}
        self.pieces: dict[str, Any] = {}
        self.older: dict[str, Any] = {}
        self.counts: list[int] = []
        self.state: Line = []
        self.lost = False

    @property
    def positions(self) -> int:
        """How many positions there are."""
        return self.shape["positions"]

    def noted(self) -> dict[str, Any]:
        """Return what is needed to continue."""
        return {"shape": self.shape, "pieces": self.pieces, "older": self.older, "lost": self.lost}

    def take(self, noted: dict[str, Any], counts: list[int]) -> None:
        """Continue from what was noted."""
        self.shape, self.pieces, self.older, self.lost = (noted[key] for key in ("shape", "pieces", "older", "lost"))
        self.counts = counts
        self._put_state()

    def names(self) -> set[str]:
        """Return the names of the files that are needed."""
        found = {line[0] for entry in (*self.pieces.values(), *self.older.values()) for line in lines_of(entry)}
        return found | {self.state[0]}

    def begin(self) -> None:
        """Make the sources the first layer."""
        answer = self.desk.ask("begin", [{}])[0]
        self.shape, self.pieces, self.older = answer["shape"], answer["made"], {}
        self.lost = False
        self.counts = [sum(entry["new"] for entry in self.pieces.values())]
        self._put_state()

    def _put_state(self) -> None:
        self.state = self._put("state", len(self.counts) - 1, self.pieces)

    def _put(self, stem: str, depth: int, pieces: dict[str, Any]) -> Line:
        return self.desk.place.put_json(stem, {"depth": depth, "pieces": pieces})

    def check_room(self, keep: bool) -> None:
        """Raise RoomError if the disk of a folder has less room than the layers in the middle of the count take.

        They are two copies of all bits, and with depths the bits of two more.
        """
        folder = self.desk.place.folder
        if folder is not None:
            held = sum((folder / name).stat().st_size for name in self.desk.place.names())
            wanted = (4 if keep else 2) * 8 * self.shape["rows"] * self.shape["words"]
            need_room(folder, wanted - held, self.positions)

    def step(self) -> bool:
        """Compute the next layer; return whether it has a position."""
        depth = len(self.counts)
        fresh = {row for (row, _), entry in self._named(self.pieces) if entry["depth"] == depth - 1}
        rows = [row for row in self.shape["targets"][depth % 2] if fresh & set(self.shape["from"][row])]
        names = [(row, piece) for row in rows for piece in range(self.shape["count"])]
        groups = self.grouped(name for name in names if not self.pieces.get(key_of(name), {}).get("full"))
        body = {"state": self.state, "memory": self.desk.workers.memory}
        homes = [group[0][1] / self.shape["count"] for group in groups]
        answers = self.desk.ask("step", [body | {"pieces": group} for group in groups], homes)
        made = {key: entry for answer in answers for key, entry in answer["made"].items()}
        if made:
            self.older = {key: {KNOWN: self.pieces[key][KNOWN]} for key in made if key in self.pieces}
            self.lost = False
            self.pieces = self.pieces | made
            self.counts.append(sum(entry["new"] for entry in made.values()))
            self._put_state()
        return bool(made)

    def _named(self, pieces: dict[str, Any]) -> list[tuple[Name, Any]]:
        return [((int(row), int(piece)), pieces[f"{row}.{piece}"]) for row, piece in (key.split(".") for key in pieces)]

    def grouped(self, names: Iterable[Name]) -> list[list[Name]]:
        """Return pieces in groups, one for each task: those of the same blocks together, which need the same files."""
        names = sorted(names, key=lambda name: (name[1], name[0]))
        tasks = max(TASKS * self.desk.workers.slots(), sum(map(self._bytes, names)) // MOST_BYTES, 1)
        units = [list(column) for _, column in groupby(names, key=lambda name: name[1])]
        if len(units) < tasks:
            units = [[name] for name in names]
        ends = [len(units) * task // tasks for task in range(tasks + 1)]
        return [list(chain(*units[begin:end])) for begin, end in pairwise(ends) if begin < end]

    def _bytes(self, name: Name) -> int:
        """Return the bytes of a piece without its index."""
        return 8 * self.shape["sizes"][name[1]]

    def repair(self) -> str:
        """Read all files; rebuild those that are damaged, or begin again. Return what was wrong and done, or ''."""
        older = self._put("older", len(self.counts) - 2, self.older)
        bad, lost = self._damaged(self.state, self.pieces), self._damaged(older, self.older)
        if not bad and not lost:
            return ""
        done = "it is needed only if this layer is the last"
        if bad:
            mended = mending.possible(bad, lost, self.shape) and self._mend(bad, older)
            done = "rebuilt from the pieces around it" if mended else "all layers are counted again"
            if not mended:
                self.begin()
                return f"{bad[0][3]}; {done}"
        self.older = {key: entry for key, entry in self.older.items() if key not in {key_of(each) for each in lost}}
        self.lost = bool(lost)
        return f"{[*bad, *lost][0][3]}; {done}"

    def _damaged(self, state: Line, pieces: dict[str, Any]) -> list[Any]:
        """Return (row, piece, kind, what is wrong) of each damaged file that a state names."""
        groups = self.grouped(name for name, _ in self._named(pieces))
        answers = self.desk.ask("check", [{"state": state, "pieces": group} for group in groups])
        return [each for answer in answers for each in answer["bad"]]

    def _mend(self, bad: Sequence[Any], older: Line) -> bool:
        """Write damaged files anew from the pieces around them; return whether that could be done."""
        for kinds in ((KNOWN,), (LOW, HIGH)):  # planes are computed from known bits
            files = [each[:3] for each in bad if each[2] in kinds]
            answers = self.desk.ask("mend", [{"state": self.state, "older": older, "files": [each]} for each in files])
            if any(answer["failed"] for answer in answers):
                return False
            for row, piece, kind, lines in (each for answer in answers for each in answer["made"]):
                self.pieces[f"{row}.{piece}"][kind] = lines
            self._put_state()
        return True

    def deepest(self, keep: int) -> tuple[bytes, ...]:
        """Return the first positions of the last layer, sorted."""
        if keep <= 0:
            return ()
        depth = len(self.counts) - 1
        groups = self.grouped(name for name, entry in self._named(self.pieces) if entry["depth"] == depth)
        body = {"older": self._put("older", depth - 1, self.older), "keep": keep, "state": self.state}
        found: list[bytes] = []
        width = len(self.job.sources[0])
        for answer in self.desk.ask("first", [body | {"pieces": group} for group in groups]):
            data = self.desk.place.get(answer["line"])
            found = sorted([*found, *(data[n : n + width] for n in range(0, len(data), width))])[:keep]
        return tuple(found)

    def save(self, saving: Saving, hardest: tuple[bytes, ...], seconds: float) -> None:
        """Write the finished table, the same bytes as one machine writes."""
        tally = [0, 0, 0]
        sums = write_blocks(saving.folder / DATA, chunked(self._planes(tally), PART))
        write_file(saving.folder / SUMS, [sums])
        size = 8 * self.shape["rows"] * self.shape["words"]
        wanted = [sum(self.counts) + 8 * size - self.positions, sum(self.counts[1::3]), sum(self.counts[2::3])]
        if tally != wanted:
            raise TableError(f"{saving.folder}: the depths of the pieces do not match the counts: {tally}, {wanted}")
        data = {"bytes": 2 * size, "block": BLOCK, "sums": checksum(sums)}
        write_manifest(saving, self.desk.facts["identity"], self.counts, hardest, data, seconds)

    def _planes(self, tally: list[int]) -> Iterator[np.ndarray]:
        """Yield both planes, piece by piece; count the known bits, and the bits of both planes, in `tally`."""
        cut = cut_of(self.job)
        for number, kind in ((1, LOW), (2, HIGH)):
            for row in range(self.shape["rows"]):
                for piece in range(self.shape["count"]):
                    self.desk.watch.tick(0, self.desk.depth)
                    entry, unused = self.pieces.get(key_of((row, piece))), cut.unused(cut.span(piece))
                    known, plane = (
                        read_piece(self.desk.place, entry, each, cut.sizes(piece), nothing)
                        for each, nothing in ((KNOWN, unused), (kind, 0 * unused))
                    )
                    tally[number] += int(np.bitwise_count(plane).sum())
                    tally[0] += int(np.bitwise_count(known).sum()) if kind == LOW else 0
                    yield plane | ~known


def key_of(name: Sequence[Any]) -> str:
    """Return the key of a piece in the manifest."""
    return f"{name[0]}.{name[1]}"


def chunked(parts: Iterable[np.ndarray], words: int) -> Iterator[np.ndarray]:
    """Yield the words of some arrays in arrays of equal size but the last; two buffers are used in turn."""
    rooms = np.empty(words, np.uint64), np.empty(words, np.uint64)
    number = filled = 0
    for part in parts:
        at = 0
        while at < len(part):
            more = min(words - filled, len(part) - at)
            rooms[number % 2][filled : filled + more] = part[at : at + more]
            at, filled = at + more, filled + more
            if filled == words:
                yield rooms[number % 2]
                number, filled = number + 1, 0
    if filled:
        yield rooms[number % 2][:filled]
