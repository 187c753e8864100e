"""The layers of a table by windows: which tasks they are, and what the manifest says of the pieces."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, zip_longest
from typing import Any

import numpy as np

from ..errors import TableError
from ..model.model import Model
from ..storage.files import BLOCK, DATA, SUMS, checksum, write_blocks, write_file
from ..tables.save import PART, Saving, write_manifest
from . import jobs, mending, pieces
from .cuts import cut_of
from .desk import Desk
from .jobs import Line
from .pieces import HIGH, KNOWN, LOW, lines_of, read_piece

TASKS = 6
"""Tasks of a layer for each slot, if there is enough work."""

LEAST_PIECES = 1 << 25
"""The least bytes of pieces for which a layer has one more task."""

MOST_BYTES = 1 << 28
"""The most bytes of pieces of a task, unless a piece has more: what is lost with a worker."""


class Windows:
    """A count of a table by windows.

    pieces  what the manifest says of each piece, by 'row.piece'
    older   the files from before the last layer of the pieces that it added to; the hardest positions need them
    lost    whether some of these are missing
    """

    method = "windows"

    def __init__(self, desk: Desk, facts: dict[str, Any], model: Model) -> None:
        self.desk, self.facts = desk, facts
        self.job = jobs.Job(desk.place, desk.job, facts, model)
        self.shape: dict[str, Any] = {}
        self.pieces: dict[str, Any] = {}
        self.older: dict[str, Any] = {}
        self.counts: list[int] = []
        self.state: Line = []
        self.garbage: list[tuple[int, list[str]]] = []
        self.ended = self.lost = False

    def noted(self) -> dict[str, Any]:
        """Return what is needed to continue."""
        return {"shape": self.shape, "pieces": self.pieces, "older": self.older, "lost": self.lost}

    def take(self, noted: dict[str, Any], counts: list[int]) -> None:
        """Continue from what was noted."""
        self.shape, self.pieces, self.older = noted["shape"], noted["pieces"], noted["older"]
        self.lost = noted["lost"]
        self.counts = counts
        self._put_state()

    def names(self) -> set[str]:
        """Return the names of the files that are needed."""
        found = {line[0] for entry in (*self.pieces.values(), *self.older.values()) for line in lines_of(entry)}
        return found | {self.state[0]} if self.state else found

    def begin(self) -> None:
        """Make the sources the first layer."""
        answer = self.desk.ask("begin", [{}])[0]
        self.shape, self.pieces, self.older, self.ended = answer["shape"], answer["made"], {}, False
        self.lost = False
        self.counts = [sum(entry["new"] for entry in self.pieces.values())]
        self._put_state()

    def _put_state(self) -> None:
        old = self.state
        self.state = jobs.put_json(self.desk.place, "state", {"depth": len(self.counts) - 1, "pieces": self.pieces})
        if old:
            self.garbage.append((len(self.counts) - 1, [old[0]]))

    def bytes_of(self, piece: int) -> int:
        """Return the bytes of a piece without its index."""
        return 8 * self.shape["sizes"][piece]

    def step(self) -> int:
        """Compute the next layer, or several; return how many positions they have."""
        if self.ended:
            return 0
        depth = len(self.counts)
        fresh = {int(key.split(".")[0]) for key, entry in self.pieces.items() if entry["depth"] == depth - 1}
        rows = [row for row in self.shape["targets"][depth % 2] if fresh & set(self.shape["from"][row])]
        names = [(row, piece) for row in rows for piece in range(self.shape["count"])]
        names = [key for key in names if not self.pieces.get(f"{key[0]}.{key[1]}", {}).get("full")]
        groups = self.grouped(names)
        spell = self.spell() if len(groups) == 1 else None
        body = {"state": self.state, "memory": self.desk.workers.memory, "spell": spell}
        bodies = [body | {"pieces": group if spell is None else []} for group in groups]
        answers = self.desk.ask("step", bodies, [group[0][1] / self.shape["count"] for group in groups])
        made = {key: entry for answer in answers for key, entry in answer["made"].items()}
        sizes = [sum(layer) for layer in zip_longest(*(answer["sizes"] for answer in answers), fillvalue=0)]
        if not sizes:
            return 0
        self.lost = False
        last = depth + len(sizes) - 1
        gone = {kinds: self._gone(made, kinds) for kinds in ((KNOWN,), (LOW, HIGH))}
        if spell is None:
            self.older = {key: _known(self.pieces[key]) for key in made if key in self.pieces}
            self.garbage += [(last, gone[LOW, HIGH]), (last + 1, gone[KNOWN,])]
        else:
            self.older, self.ended = answers[0]["older"], answers[0]["ended"]
            copied = [line[0] for entry in self.older.values() for line in lines_of(entry)]
            self.garbage += [(last, gone[LOW, HIGH] + gone[KNOWN,]), (last + 1, copied)]
        self.pieces = self.pieces | made
        self.counts += sizes
        self._put_state()
        return sum(sizes)

    def _gone(self, made: dict[str, Any], kinds: Sequence[str]) -> list[str]:
        """Return the names of the files that new versions of pieces replace."""
        found: list[str] = []
        for key, entry in made.items():
            kept = {line[0] for line in lines_of(entry)}
            found += [line[0] for line in lines_of(self.pieces.get(key, {}), kinds) if line[0] not in kept]
        return found

    def spell(self) -> int | None:
        """Return how many positions a worker may find that goes on with the next layers (-1: any number).

        None if it does not go on, because the table does not fit its memory.
        """
        desk = self.desk
        taken = 8 * self.shape["rows"] * self.shape["words"] * self.shape["sections"]
        if not desk.counting.spells or taken > desk.workers.memory:
            return None
        left = desk.watch.positions_left
        return -1 if left is None else left

    def grouped(self, names: Iterable[tuple[int, int]]) -> list[list[tuple[int, int]]]:
        """Return pieces in groups, one for each task: those of the same blocks together, which need the same files."""
        names = sorted(names, key=lambda name: (name[1], name[0]))
        total = sum(self.bytes_of(piece) for _, piece in names)
        slots = max(1, self.desk.workers.slots())
        tasks = max(1, min(TASKS * slots, total // LEAST_PIECES), -(-total // MOST_BYTES))
        columns = [list(column) for _, column in groupby(names, key=lambda name: name[1])]
        units = columns if len(columns) >= tasks else [[name] for name in names]
        groups: list[list[tuple[int, int]]] = []
        held = 0
        for unit in units:
            size = sum(self.bytes_of(piece) for _, piece in unit)
            if not groups or held + size > total / tasks:
                groups.append([])
                held = 0
            groups[-1] += unit
            held += size
        return groups

    def superseded(self, depth: int) -> set[str]:
        """Return the files that are not needed after the layer of a depth."""
        found = {name for at, names in self.garbage if at <= depth for name in names}
        self.garbage = [(at, names) for at, names in self.garbage if at > depth]
        return found

    def repair(self) -> str:
        """Read all files; rebuild those that are damaged, or begin again. Return what was wrong and done, or ''."""
        place = self.desk.place
        older = jobs.put_json(place, "older", {"depth": len(self.counts) - 2, "pieces": self.older})
        bad = self._damaged(self.state, self.pieces)
        lost = self._damaged(older, self.older)
        done = ""
        if bad and mending.possible([each[:3] for each in bad], [each[:3] for each in lost], self.shape):
            done = self._mend([each[:3] for each in bad], older)
        if not bad and lost:
            done = "it is needed only if this layer is the last"
        if done:
            self.older = {key: entry for key, entry in self.older.items() if key not in _keys(lost)}
            self.lost = bool(lost)
        elif bad or lost:
            self.begin()
            done = "all layers are counted again"
        return "".join(f"{text}; {done}" for *_, text in [*bad, *lost][:1])

    def _damaged(self, state: Line, pieces: dict[str, Any]) -> list[tuple[int, int, str, str]]:
        """Return (row, piece, kind, what is wrong) of each damaged file that a state names."""
        groups = self.grouped([(int(row), int(piece)) for row, piece in (key.split(".") for key in pieces)])
        answers = self.desk.ask("check", [{"state": state, "pieces": group} for group in groups])
        return [tuple(each) for answer in answers for each in answer["bad"]]  # type: ignore[misc]

    def _mend(self, bad: Sequence[mending.PieceName], older: Line) -> str:
        """Write damaged files anew from the pieces around them; return what was done, or '' if that cannot be."""
        for kinds in ((KNOWN,), (LOW, HIGH)):  # planes are computed from known bits
            files = [each for each in bad if each[2] in kinds]
            bodies = [{"state": self.state, "older": older, "files": [each]} for each in files]
            answers = self.desk.ask("mend", bodies) if bodies else []
            if any(answer["failed"] for answer in answers):
                return ""
            self.pieces = mending.rebuilt_with(self.pieces, [each for answer in answers for each in answer["made"]])
            self._put_state()
        return "rebuilt from the pieces around it"

    def deepest(self, keep: int) -> tuple[bytes, ...]:
        """Return the first positions of the last layer, sorted."""
        if keep <= 0:
            return ()
        depth = len(self.counts) - 1
        last = [tuple(map(int, key.split("."))) for key, entry in self.pieces.items() if entry["depth"] == depth]
        older = jobs.put_json(self.desk.place, "older", {"depth": depth - 1, "pieces": self.older})
        groups = self.grouped(sorted(last))  # type: ignore[arg-type]
        bodies = [{"older": older, "keep": keep, "state": self.state, "pieces": group} for group in groups]
        found: list[bytes] = []
        width = len(self.job.sources[0])
        for answer in self.desk.ask("first", bodies):
            name, length, wanted = answer["line"]
            data = self.desk.place.read(name, 0, length)
            if zlib.crc32(data) != wanted:
                raise TableError(f"{self.desk.place.url}/{name}: damaged: its checksum does not match")
            found = sorted([*found, *(data[n : n + width] for n in range(0, length, width))])[:keep]
        return tuple(found)

    def save(self, saving: Saving, hardest: tuple[bytes, ...], seconds: float) -> None:
        """Write the finished table, the same bytes as one machine writes."""
        tally = [0, 0, 0]
        sums = write_blocks(saving.folder / DATA, chunked(self._planes(tally), PART))
        write_file(saving.folder / SUMS, [sums])
        size = 8 * self.shape["rows"] * self.shape["words"]
        unused = 8 * size - self.shape["positions"]
        wanted = [sum(self.counts) + unused, sum(self.counts[1::3]), sum(self.counts[2::3])]
        if tally != wanted:
            raise TableError(f"{saving.folder}: the depths of the pieces do not match the counts: {tally}, {wanted}")
        data = {"bytes": 2 * size, "block": BLOCK, "sums": checksum(sums)}
        write_manifest(saving, self.facts["identity"], self.counts, hardest, data, seconds)

    def _planes(self, tally: list[int]) -> Iterator[np.ndarray]:
        """Yield both planes, piece by piece; count the known bits, and the bits of both planes, in `tally`."""
        for number, kind in ((1, LOW), (2, HIGH)):
            for row in range(self.shape["rows"]):
                for piece in range(self.shape["count"]):
                    self.desk.watch.tick(0, self.desk.depth)
                    known, plane = self._piece(row, piece, kind)
                    tally[number] += int(np.bitwise_count(plane).sum())
                    tally[0] += int(np.bitwise_count(known).sum()) if kind == LOW else 0
                    yield plane | ~known

    def _piece(self, row: int, piece: int, kind: str) -> tuple[np.ndarray, np.ndarray]:
        entry, sizes, unused = (
            self.pieces.get(f"{row}.{piece}"),
            np.array(self.shape["blocks"][piece]),
            self._unused(piece),
        )
        known = read_piece(self.desk.place, entry, KNOWN, sizes, unused)
        return known, read_piece(self.desk.place, entry, kind, sizes, np.zeros(len(known), np.uint64))

    def _unused(self, piece: int) -> np.ndarray:
        cut = cut_of(self.job)
        return cut.unused(cut.span(piece))


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


def _known(entry: pieces.Entry) -> dict[str, Any]:
    """Return what an entry says of the known bits."""
    return {key: entry.get(key) for key in (KNOWN, pieces.patch_of(KNOWN))}


def _keys(files: Iterable[tuple]) -> set[str]:
    """Return the names of the pieces of some files."""
    return {f"{row}.{piece}" for row, piece, *_ in files}
