"""A count on a cluster, layer by layer: the manifest, resuming, and the finished table.

The manifest (`cluster.json`) names the files of the last finished layer. It is written at most every two seconds, and
files that it does not need any more are deleted afterwards. So a count can be continued from it at any time.
"""

from __future__ import annotations

import json
import time
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby, zip_longest
from pathlib import Path
from typing import Any

import numpy as np

from ...contract.answers import Layers
from ...contract.questions import Depths
from ...engines.frontier.runs import Run, opened
from ...engines.packed.arrays import positions_of
from ...engines.packed.hashed_layers import BITS
from ...engines.shared import selfcheck
from ...engines.shared.audit import check_total
from ...errors import LimitError, TableError, UnsupportedError
from ...limits.memory import sized
from ...limits.thresholds import Thresholds
from ...limits.watch import Progress, Watch
from ...model.model import Model
from ...storage.files import (
    BLOCK,
    DATA,
    HOLDER,
    LOCK,
    MANIFEST,
    SUMS,
    TEMPORARY,
    checksum,
    locked,
    need_room,
    read_json,
    there,
    usable,
    write_blocks,
    write_file,
    write_json,
)
from ..identity import check_model, describe, numbering_of, sources_of
from ..manifests import HARDEST
from ..runs import Keys, path_of
from ..runs_save import FolderStore
from ..save import PART, SHARE, Saving, refusal, write_manifest
from . import jobs, mending, pieces, windows
from .jobs import Line
from .pieces import HIGH, KNOWN, LOW, lines_of, read_piece
from .places import Folder, Storage, place_of
from .workers import Answer, LateWorkers, Message, Workers, hired_late

NOTE = "cluster.json"
FILES = "cluster"
"""The manifest of an unfinished count, and the folder of its files unless another place is given."""

RUN_BLOCK = Thresholds().run_block
"""Positions of a block of a run."""

FORMAT, VERSION = "puzzlespace cluster count", 1

PIECE = 1 << 22
"""Words of a piece, at most (32 MB)."""

ROUNDS = 3
"""How often a task is tried if it reports an error, such as a full disk of one worker."""

TASKS = 3
"""Tasks of a layer for each slot, if there is enough work; of pieces twice as many."""

LEAST_PIECES, LEAST_CHILDREN, LEAST_POSITIONS = 1 << 25, 1 << 22, 1 << 17
"""The least bytes of pieces or children, or positions, for which a layer has one more task."""

MOST_BYTES, MOST_POSITIONS = 1 << 28, 1 << 23
"""The most bytes of pieces, or positions, of a task, unless a piece has more: what is lost with a worker."""

PARTITIONS = 4
"""Partitions of a layer for each slot at the beginning of a count."""

Work = Callable[[Message], Answer]


@dataclass(frozen=True)
class Counting:
    """How a table is counted on a cluster.

    saving      the folder, whether to resume, the note for the manifest
    where       the workers, see `workers.hired`
    work        the function that runs a task on a worker
    memory      bytes of memory, see `workers.hired`
    storage     the address of the files; '' for a folder in the folder of the table
    engine      'auto', 'table' (by windows) or 'frontier' (by runs)
    keep        whether depths are kept for a table that answers questions; else only the counts are found
    piece       the most words of a piece
    partitions  partitions of a layer, a power of two; 0: by the number of slots
    spells      whether a worker that has a whole layer of a table as one task goes on with the next layers
    """

    saving: Saving
    where: Any
    work: Work
    memory: int | None = None
    storage: str = ""
    engine: str = "auto"
    keep: bool = True
    piece: int = PIECE
    partitions: int = 0
    spells: bool = True


@dataclass
class Desk:
    """Hands out the tasks of a job and reports progress."""

    place: Storage
    workers: Workers | LateWorkers
    counting: Counting
    watch: Watch
    facts: dict[str, Any]
    job: Line = field(default_factory=list)
    depth: int = 0
    found: int = 0
    whole: int = 0
    read: int = 0
    written: int = 0
    done: int = 0
    tasks: int = 0

    def ask(self, kind: str, bodies: Sequence[dict[str, Any]], homes: Sequence[float] = ()) -> list[Answer]:
        """Return the answers to tasks of one kind, in order; tasks that report an error are tried again.

        homes  see `Workers.answers`
        Raises TableError with the error that a task reports every time.
        """
        answers: list[Answer] = [{} for _ in bodies]
        left = list(range(len(bodies)))
        self.done, self.tasks = 0, len(bodies)
        for turn in range(ROUNDS):
            failed: list[int] = []
            problem = ""
            fixed = {"url": self.place.url, "job": self.job, "kind": kind}
            texts = [json.dumps(fixed | bodies[number]) for number in left]
            near = [homes[number] for number in left] if homes else ()
            for index, answer in self.workers.answers(self.counting.work, texts, self.look, near):
                if "error" in answer:
                    failed.append(left[index])
                    problem = answer["error"]
                else:
                    answers[left[index]] = answer
                    self.done += 1
                    self.read += answer.get("read", 0)
                    self.written += answer.get("written", 0)
            if not failed:
                return answers
            left = failed
            if turn + 1 < ROUNDS:
                time.sleep(0.2 * (turn + 1))
        raise TableError(f"{problem}; --resume continues the count")

    def look(self) -> None:
        """Check the limits and report progress."""
        self.watch.tick(0, self.depth)
        if self.watch.report is None:
            return
        seconds = self.watch.seconds
        share = ""
        if self.whole and self.found > self.whole // 100:
            left = seconds * (self.whole / self.found - 1)
            share = f" ({100 * self.found / self.whole:.0f} % of all, about {left:,.0f} s more)"
        words = (
            f"layer {self.depth}: {self.done} of {self.tasks} tasks, {self.found:,} positions in all{share}, "
            f"{sized(self.read)} read, {sized(self.written)} written, {self.workers.slots()} workers"
        )
        self.watch.report(Progress(self.depth, 0, self.found, self.watch.generated, seconds, words=words))


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
        most = desk.watch.limits.positions
        return -1 if most is None else max(0, most - desk.watch.generated)

    def grouped(self, names: Iterable[tuple[int, int]]) -> list[list[tuple[int, int]]]:
        """Return pieces in groups, one for each task: those of the same blocks together, which need the same files."""
        names = sorted(names, key=lambda name: (name[1], name[0]))
        total = sum(self.bytes_of(piece) for _, piece in names)
        slots = max(1, self.desk.workers.slots())
        tasks = max(1, min(2 * TASKS * slots, total // LEAST_PIECES), -(-total // MOST_BYTES))
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
        cut = windows.cut_of(self.job)
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


Partitions = dict[str, Any]
"""[line of a sheaf, positions] of each partition of a layer that is not empty."""


class Runs:
    """A count of layers of packed positions. `layers` are those that are needed, by depth."""

    method = "runs"

    def __init__(self, desk: Desk, facts: dict[str, Any], model: Model) -> None:
        self.desk, self.facts, self.model = desk, facts, model
        self.layers: dict[int, Partitions] = {}
        self.alternates = self.lost = False
        self.counts: list[int] = []

    def noted(self) -> dict[str, Any]:
        """Return what is needed to continue."""
        return {"layers": {str(depth): layer for depth, layer in self.layers.items()}, "alternates": self.alternates}

    def take(self, noted: dict[str, Any], counts: list[int]) -> None:
        """Continue from what was noted."""
        self.layers = {int(depth): layer for depth, layer in noted["layers"].items()}
        self.alternates, self.counts = noted["alternates"], counts

    def names(self) -> set[str]:
        """Return the names of the files that are needed."""
        return {line[0] for layer in self.layers.values() for line, _ in layer.values()}

    def begin(self) -> None:
        """Make the sources the first layer."""
        answer = self.desk.ask("begin", [{}])[0]
        self.alternates = answer["alternates"]
        self.layers = {0: _layer([answer])}
        self.counts = [_size(self.layers[0])]

    def seen(self, depth: int) -> list[Partitions]:
        """Return the layers up to a depth that may contain children of the last one."""
        if not self.model.reversible:
            return [self.layers[each] for each in range(depth + 1)]
        older = [self.layers[depth - 1]] if depth else []
        return older if self.alternates else [*older, self.layers[depth]]

    def step(self) -> int:
        """Compute the next layer; return its size."""
        place, depth = self.desk.place, len(self.counts) - 1
        layers = {str(depth): self.layers[depth]}
        state = jobs.put_json(place, "state", {"depth": depth, "layers": layers, "seen": self.seen(depth)})
        body = {"state": state, "memory": self.desk.workers.memory}
        answers = self.desk.ask("expand", [body | {"slices": each} for each in self.slices(depth)])
        self.desk.watch.tick(sum(answer["generated"] for answer in answers))
        sheaves = [line for answer in answers for line in answer["made"]]
        made = jobs.put_json(place, "made", sheaves)
        children = sum(line[1] for line in sheaves)
        tasks = max(
            1, min(TASKS * max(1, self.desk.workers.slots()), children // LEAST_CHILDREN, self.facts["partitions"])
        )
        parts = [part.tolist() for part in np.array_split(np.arange(self.facts["partitions"]), tasks)]
        answers = self.desk.ask("merge", [body | {"made": made, "parts": each} for each in parts])
        layer = _layer(answers)
        empty = [answer["line"][0] for answer in answers if not answer["sizes"]]
        place.delete([*(line[0] for line in sheaves), made[0], state[0], *empty])
        if layer:
            self.layers[depth + 1] = layer
            self.counts.append(_size(layer))
        return _size(layer)

    def slices(self, depth: int) -> list[list[tuple[int, int, int]]]:
        """Return the blocks of a layer in slices of about equal size, one list for each task."""
        total, slots = self.counts[depth], max(1, self.desk.workers.slots())
        tasks = max(1, min(TASKS * slots, total // LEAST_POSITIONS), -(-total // MOST_POSITIONS))
        most = -(-total // tasks // RUN_BLOCK) + 1
        found: list[list[tuple[int, int, int]]] = [[]]
        room = most
        for part, (_, size) in sorted(self.layers[depth].items(), key=lambda each: int(each[0])):
            first, blocks = 0, -(-size // RUN_BLOCK)
            while first < blocks:
                if not room:
                    found.append([])
                    room = most
                last = min(blocks, first + room)
                found[-1].append((int(part), first, last))
                room -= last - first
                first = last
        return found

    def superseded(self, depth: int) -> set[str]:
        """Return the files that are not needed after the layer of a depth; none if all layers are kept."""
        if self.facts["depths"] or not self.model.reversible:
            return set()
        gone = [self.layers.pop(each) for each in list(self.layers) if each < depth - 1]
        return {line[0] for layer in gone for line, _ in layer.values()}

    def repair(self) -> str:
        """Read all files; go back to the layer before the first damaged one. Return what was wrong and done, or ''."""
        bodies = [{"layer": jobs.put_json(self.desk.place, "layer", layer)} for layer in self.layers.values()]
        found = [answer["damage"] for answer in self.desk.ask("check", bodies)]
        self.desk.place.delete(body["layer"][0] for body in bodies)
        bad = [depth for depth, damage in zip(self.layers, found, strict=True) if damage]
        if not bad:
            return ""
        self.layers = {depth: layer for depth, layer in self.layers.items() if depth < min(bad)}
        self.counts = self.counts[: min(bad)]
        depth = len(self.counts) - 1
        needed = range(max(0, depth - 1), depth + 1) if self.model.reversible else range(depth + 1)
        if depth < 0 or any(each not in self.layers for each in needed):
            self.begin()
        return f"{next(filter(None, found))}; layers are counted again from {len(self.counts)} on"

    def joined(self, depths: Iterable[int], folder: Path) -> dict[int, Run]:
        """Write layers as runs to a folder."""
        depths = list(depths)
        lines = [jobs.put_json(self.desk.place, "layer", self.layers[depth]) for depth in depths]
        memory = self.desk.workers.memory
        bodies = [{"state": line, "depth": depth, "memory": memory} for line, depth in zip(lines, depths, strict=True)]
        found: dict[int, Run] = {}
        for depth, answer in zip(depths, self.desk.ask("join", bodies), strict=True):
            path = path_of(folder, depth)
            self.desk.place.fetch(answer["name"], path)
            found[depth] = opened(path, self.facts["words"], answer["size"], answer["sums"])
            if found[depth].size != self.counts[depth]:
                raise TableError(f"{path}: {found[depth].size:,} positions, but {self.counts[depth]:,} were counted")
        self.desk.place.delete(line[0] for line in lines)
        return found

    def deepest(self, keep: int) -> tuple[bytes, ...]:
        """Return the first positions of the last layer, sorted."""
        if keep <= 0:
            return ()
        depth, folder = len(self.counts) - 1, self.desk.counting.saving.folder
        run = self.joined([depth], folder)[depth]
        rows = run.rows(0, min(len(run.index), -(-keep // run.block)))[:keep]
        packing = Keys.of(self.model, sources_of(self.facts["identity"])).packing
        run.path.unlink()
        return tuple(positions_of(packing, rows))

    def save(self, saving: Saving, hardest: tuple[bytes, ...], seconds: float) -> None:
        """Write the finished table, the same bytes as one machine writes."""
        store = FolderStore(saving, self.facts["identity"], seconds)
        store.layers = self.joined(range(len(self.counts)), saving.folder)
        store.finish(hardest)


def _layer(answers: Iterable[Answer]) -> Partitions:
    """Return the partitions of a layer from the answers of the tasks that wrote it."""
    return {str(part): [answer["line"], size] for answer in answers for part, size in answer["sizes"].items()}


def _size(layer: Partitions) -> int:
    return sum(size for _, size in layer.values())


def depths(question: Depths, watch: Watch, counting: Counting) -> Layers:
    """Count the positions at each distance from the nearest source, and save the table if depths are kept.

    Raises TableError if the folder cannot be used, a file is damaged, or the cluster is lost; the count can then be
    resumed. Raises UnsupportedError if positions can be neither ranked by windows nor packed.
    """
    model = question.space
    if not isinstance(model, Model):
        raise UnsupportedError("its moves are Python functions, not rules: it cannot be counted on a cluster")
    saving, sources = counting.saving, tuple(sorted(set(question.sources)))
    with usable(saving.folder):
        saving.folder.mkdir(parents=True, exist_ok=True)
    with locked(saving.folder):
        begun = _begun(model, sources, counting)
        facts = begun["facts"] if begun else _facts(model, sources, counting, watch)

        def tell(workers: Workers) -> None:
            if workers.dashboard:
                watch.say(f"dashboard: {workers.dashboard}")

        with hired_late(counting.where, counting.memory or watch.limits.memory, tell) as workers:
            return _counted(question, watch, counting, begun, facts, workers)


def tidy(folder: Path) -> None:
    """Delete what a count that ended just after its table was finished left in the folder of the table."""
    if there(folder / MANIFEST) and there(folder / NOTE):
        with locked(folder), usable(folder):
            place_of(read_json(folder / NOTE)["url"]).remove()
            (folder / NOTE).unlink()


def _begun(model: Model, sources: tuple[bytes, ...], counting: Counting) -> dict[str, Any] | None:
    """Return the manifest of the count to resume, or None for a new one; raise TableError as `found_begun` does."""
    saving = counting.saving
    folder = saving.folder
    if there(folder / MANIFEST):
        raise TableError(f"{folder}: a finished depth table is there already")
    if not there(folder / NOTE):
        with usable(folder):
            names = [each.name for each in folder.iterdir()]
        ours = (LOCK, HOLDER, FILES)
        other = next((name for name in names if name not in ours and not name.endswith(TEMPORARY)), None)
        if other is not None:
            raise TableError(f"{folder}: expected an empty folder, found {other}")
        return None
    if not saving.resume:
        raise TableError(f"{folder}: an unfinished count on a cluster is there; continue it with --resume")
    found = read_json(folder / NOTE)
    if found.get("format") != FORMAT or found.get("version") != VERSION:
        raise TableError(f"{folder / NOTE}: expected the manifest of a count on a cluster, found something else")
    identity = found["facts"]["identity"]
    check_model(identity, model, folder)
    if sources_of(identity) != sources:
        raise TableError(f"{folder}: the unfinished count there measures from other positions")
    if found["facts"]["depths"] != counting.keep:
        raise TableError(f"{folder}: the unfinished count there {'keeps' if not counting.keep else 'keeps no'} depths")
    return found


def _facts(model: Model, sources: tuple[bytes, ...], counting: Counting, watch: Watch) -> dict[str, Any]:
    """Return the facts of a new job."""
    from ...engines.table.bit_index import kinds, places_of

    saving = counting.saving
    own = {"version": saving.program, "depths": counting.keep}
    chosen = None
    if counting.engine in ("auto", "table") and refusal(model) is None:
        try:
            chosen = kinds(model, sources)[0]
        except UnsupportedError:
            chosen = None
    if chosen is not None and chosen.kind == "slide":
        identity = describe(model, sources, numbering_of(places_of(chosen, sources)), saving.note)
        more = {"method": "windows", "block": watch.thresholds.slide_block, "piece": counting.piece}
    elif counting.engine == "table":
        raise UnsupportedError("only tables of sliding puzzles are counted on a cluster; use --engine frontier")
    else:
        keys = Keys.of(model, sources)
        identity = describe(model, sources, keys.numbering(), saving.note)
        more = {"method": "runs", "words": keys.words, "partitions": counting.partitions}
    return {"identity": identity, **own, **more}


class Counter:
    """A running count: its manifest, its layers, its end."""

    def __init__(self, desk: Desk, way: Windows | Runs, before: float) -> None:
        self.desk, self.way, self.before = desk, way, before
        self.saving = desk.counting.saving
        self.began = self.written = time.perf_counter()
        self.noted, self.cost = -1, 0.0
        self.kept: set[str] = set()
        self.waiting: set[str] = set()

    @property
    def seconds(self) -> float:
        """The seconds spent on the count, including earlier runs."""
        return self.before + time.perf_counter() - self.began

    def clean(self) -> None:
        """Delete the files that neither the last layer nor the manifest needs."""
        self.waiting |= self.way.superseded(len(self.way.counts) - 1)
        self.desk.place.delete(self.waiting - self.kept)
        self.waiting &= self.kept

    def note(self) -> None:
        """Flush the files of the last layer, write the manifest that names them, and delete older ones."""
        way, began = self.way, time.perf_counter()
        kept = way.names()
        self.desk.place.flush(kept | {self.desk.job[0]})
        note = {
            "format": FORMAT, "version": VERSION, "facts": self.desk.facts, "url": self.desk.place.url,
            "job": self.desk.job, "counts": way.counts, "state": way.noted(), "seconds": self.seconds,
        }  # fmt: skip
        write_json(self.saving.folder / NOTE, note)
        self.noted, self.kept = len(way.counts) - 1, kept
        self.clean()
        self.written = time.perf_counter()
        self.cost = self.written - began

    def run(self) -> LimitError | None:
        """Compute all layers; return the limit that stopped the count, or None at its end."""
        watch, way = self.desk.watch, self.way
        told = len(way.counts) - 1
        try:
            while True:
                for depth in range(told, len(way.counts)):
                    self.desk.depth, self.desk.found = depth, sum(way.counts[: depth + 1])
                    watch.layer(depth, way.counts[depth], self.desk.found)
                    watch.tick(way.counts[depth] if way.method == "windows" else 0, depth)
                told = len(way.counts)
                wait = max(self.saving.every, SHARE * self.cost) if self.saving.every else 0.0
                if time.perf_counter() - self.written >= wait:
                    self.note()
                self.clean()
                if not way.step():
                    if not way.lost:
                        return None
                    watch.say("a damaged file is needed for the hardest positions; all layers are counted again")
                    way.begin()
                    self.note()
                    self.tidy()
                    told = 0
        except LimitError as error:
            return error
        except KeyboardInterrupt:
            watch.say(f"puzzlespace: stopped; continue with --save {self.saving.folder} --resume")
            raise
        finally:
            if self.noted < len(way.counts) - 1:
                self.note()

    def tidy(self) -> None:
        """Delete the files that the manifest does not name: those of tasks whose answer was not awaited."""
        needed = self.way.names() | {self.desk.job[0]}
        self.desk.place.delete(name for name in self.desk.place.names() if name not in needed)


def _check_room(place: Storage, way: Windows, keep: bool) -> None:
    """Raise RoomError if the disk of a folder has less room than the layers in the middle of the count take.

    They are two copies of all bits, and with depths the bits of two more.
    """
    if isinstance(place, Folder):
        whole = 8 * way.shape["rows"] * way.shape["words"]
        held = sum((place.path / name).stat().st_size for name in place.names())
        need_room(place.path, (4 if keep else 2) * whole - held, way.shape["positions"])


def _counted(
    question: Depths,
    watch: Watch,
    counting: Counting,
    begun: dict[str, Any] | None,
    facts: dict[str, Any],
    workers: Workers | LateWorkers,
) -> Layers:
    model, saving = question.space, counting.saving
    assert isinstance(model, Model)
    url = begun["url"] if begun else counting.storage or str((saving.folder / FILES).resolve())
    place = place_of(url)
    place.create()
    desk = Desk(place, workers, counting, watch, facts)
    if facts["method"] == "runs" and not facts["partitions"]:
        slots = max(2, workers.slots())
        facts["partitions"] = min(1 << BITS, 1 << (PARTITIONS * slots - 1).bit_length())
    if begun:
        desk.job = begun["job"]
    else:
        desk.job = jobs.put_json(place, "job", facts)
    way = (Windows if facts["method"] == "windows" else Runs)(desk, facts, model)
    counter = Counter(desk, way, begun["seconds"] if begun else 0.0)
    if begun and begun["counts"]:
        way.take(begun["state"], begun["counts"])
        said = way.repair()
        if said:
            watch.say(said)
    else:
        way.begin()
    if isinstance(way, Windows):
        _check_room(place, way, counting.keep)
    counter.note()
    counter.tidy()
    desk.whole = way.shape["positions"] if isinstance(way, Windows) else 0
    stopped = counter.run()
    deepest: tuple[bytes, ...] = ()
    if stopped is None:
        try:
            deepest = way.deepest(max(question.keep, HARDEST) if counting.keep else question.keep)
        except LimitError as error:
            stopped = error
    answer = Layers(tuple(way.counts), deepest, stopped is None, watch.generated, watch.seconds, (), stopped=stopped)
    if stopped is None:
        asked = Depths(model, question.sources, len(deepest) or question.keep)
        selfcheck.hold(asked, answer)
        check_total(model, question.sources, sum(way.counts), counter.seconds)
        if counting.keep:
            way.save(saving, deepest[:HARDEST], counter.seconds)
        place.remove()
        (saving.folder / NOTE).unlink(missing_ok=True)
        jobs.closed(place.url)
    return answer
