"""Tasks for layers of packed positions, in partitions by the high bits of a hash of the position.

`expand` writes the children of some positions of the last layer as one file with a sorted run for each partition.
`merge` writes the new layer of some partitions: all positions of these runs that are in no earlier layer (in the last
two if every move can be undone). `join` writes a whole layer as one run, the file of a saved table.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, Any

import numpy as np

from ..engines.frontier.merge import merged
from ..engines.frontier.runs import BLOCK, Run, Traffic, Writer, in_order
from ..engines.packed.arrays import PackedRules, packed_keys
from ..engines.packed.front import alternates
from ..engines.packed.hashed_layers import BITS, Compiled, KeyParts
from ..errors import TableError
from ..limits.thresholds import Thresholds
from ..limits.watch import Watch
from ..tables.runs import rebuilt
from .jobs import Job
from .places import Line, Place

COPIES = 6
"""Copies of a child in memory: in the arena, in its set, in its layer, sorted, encoded."""

MERGED = 6
"""Copies of a position in memory while ranges are merged."""

KEPT = 4096
"""Directories of sheaves that a thread of a worker keeps."""

ROW = np.dtype([("part", "<u8"), ("size", "<u8"), ("base", "<u8"), ("index", "<u8"), ("sum", "<u8")])
"""A row of a sheaf's directory: partition, positions, where its blocks and its index begin, CRC-32 of the index."""


@dataclass(frozen=True)
class StoredRun(Run):
    """A run in a file of the place."""

    place: Place | None = None

    def part(self, begin: int, length: int) -> bytes:
        assert self.place is not None
        return self.place.read(self.path.name, begin, length)


class _RunWriter(Writer):
    """Writes the blocks of one run into an open file."""

    def __init__(self, file: IO[bytes], base: int, words: int, path: Path, block: int) -> None:
        self.path, self.words, self.block = path, words, block
        self.stride = max(1, Thresholds().run_encoded // self.block) * self.block
        self.traffic = Traffic()
        self.size, self.end = 0, base
        self.index: list[np.ndarray] = []
        self.pending = np.empty((0, words), np.uint64)
        self.file = file  # type: ignore[assignment]

    def whole(self, rows: Iterable[np.ndarray]) -> bytes:
        """Write all positions, in order, in parts; return the index."""
        for some in rows:
            self.append(some)
        return self.flush().astype("<u8").tobytes()

    def discard(self) -> None:
        """Leave the file to its owner."""


def write_sheaf(
    place: Place, stem: str, words: int, segments: Iterable[tuple[int, Iterable[np.ndarray]]]
) -> tuple[Line, dict[int, int]]:
    """Write runs, one for each partition, as one file: a *sheaf*. Return its line and the sizes of the partitions.

    segments  (partition, its positions in order, in parts)
    """
    rows: list[tuple[int, int, int, int, int]] = []
    indices: list[bytes] = []
    with place.new(stem) as (name, file):
        end, held = 0, 0
        for part, positions in segments:
            writer = _RunWriter(file, end, words, Path(name), Thresholds().run_block)
            data = writer.whole(positions)
            rows.append((part, writer.size, end, held, zlib.crc32(data)))
            indices.append(data)
            end, held = writer.end, held + len(data)
        directory = np.array(rows, ROW)
        directory["index"] += end
        table = directory.tobytes()
        file.write(b"".join(indices) + table)
    return [name, end + held + len(table), len(rows), zlib.crc32(table)], {
        part: size for part, size, *_ in rows if size
    }


def segment(job: Job, line: Line, part: int, words: int) -> StoredRun | None:
    """Return the run of a partition in a sheaf, or None if it has no position there."""
    place, (name, length, count, wanted) = job.place, line
    known: dict[str, np.ndarray] = job.mine("sheaves", dict)
    if name not in known:
        if len(known) >= KEPT:
            known.clear()
        size = count * ROW.itemsize
        known[name] = np.frombuffer(place.checked(name, length - size, size, wanted), ROW)
    directory = known[name]
    found = directory[directory["part"] == part]
    if not len(found) or not found["size"][0]:
        return None
    size, base, at, sum_ = (int(found[key][0]) for key in ("size", "base", "index", "sum"))
    block = Thresholds().run_block
    blocks = -(-size // block)
    index = np.frombuffer(place.checked(name, at, 8 * blocks * (words + 2), sum_), "<u8").reshape(blocks, words + 2)
    return StoredRun(Path(name), words, size, index, Traffic(), block, base, place)


class Hand:
    """What a thread of a worker needs to expand positions."""

    def __init__(self, job: Job) -> None:
        self.packing = rebuilt(job.facts["identity"], job.model, Path(job.place.url)).packing
        self.rules = PackedRules.of(job.model, self.packing, job.sources)
        self.method = Compiled(BITS, 1)
        self.words = self.packing.words

    def keys(self, positions: Iterable[bytes]) -> KeyParts:
        """Return positions as a layer."""
        return self.method.wrap(packed_keys(self.packing, tuple(positions)))

    def segments(self, layer: KeyParts, partitions: int) -> list[tuple[int, list[np.ndarray]]]:
        """Return the rows of each partition, sorted; the layer is given up."""
        rows = self.method.keys(layer)
        self.method.recycle(layer)
        ends = np.concatenate([[0], np.cumsum(layer.sizes)])
        starts = ends[:: (1 << BITS) // partitions]
        return [
            (part, [in_order(np.ascontiguousarray(rows[starts[part] : starts[part + 1]]))])
            for part in range(partitions)
            if starts[part] < starts[part + 1]
        ]


def _hand(job: Job) -> Hand:
    return job.mine("hand", lambda: Hand(job))


def begin(job: Job, message: Any) -> dict[str, Any]:
    """Write the sources as the first layer."""
    hand = _hand(job)
    segments = hand.segments(hand.keys(dict.fromkeys(job.sources)), job.facts["partitions"])
    line, sizes = write_sheaf(job.place, "layer-0", hand.words, segments)
    return {"line": line, "sizes": sizes, "words": hand.words, "alternates": alternates(job.model, job.sources)}


def expand(job: Job, message: Any) -> dict[str, Any]:
    """Write the children of some partitions of the last layer; return the lines of the sheaves.

    message  state: the line of the state; parts: partitions; memory: bytes
    """
    state, hand = job.state(message["state"]), _hand(job)
    method = hand.method
    method.most = max(1 << 24, message["memory"] // 4)
    watch = Watch()
    made: list[Line] = []
    for rows in _gathered(job, hand, state, message):
        new = method.children(hand.rules, rows, watch)
        made.append(
            write_sheaf(
                job.place, f"made-{state['depth'] + 1}", hand.words, hand.segments(new, job.facts["partitions"])
            )[0]
        )
    return {"made": made, "generated": watch.generated, "written": sum(line[1] for line in made)}


def _gathered(job: Job, hand: Hand, state: Any, message: Any) -> Iterable[np.ndarray]:
    """Yield the positions of the partitions, as many at once as fit the memory with their children."""
    most = _most(message["memory"], hand.words, COPIES * max(1.0, hand.method.ratio))
    waiting: list[np.ndarray] = []
    held = 0
    layer = state["layers"][str(state["depth"])]
    for part in message["parts"]:
        run = segment(job, layer[str(part)][0], part, hand.words) if str(part) in layer else None
        for rows in run.pieces(most) if run is not None else ():
            waiting.append(rows)
            held += len(rows)
            if held >= most:
                yield np.concatenate(waiting)
                waiting, held = [], 0
    if waiting:
        yield np.concatenate(waiting)


def _most(memory: int, words: int, copies: float) -> int:
    """Return how many positions fit the memory, with so many copies of each."""
    return max(Thresholds().least_at_once, int(memory / (8 * words * copies)))


def _merging(message: Any, words: int) -> Watch:
    """Return a watch whose thresholds keep merging within the memory."""
    return Watch(thresholds=replace(Thresholds(), most_at_once=_most(message["memory"], words, MERGED)))


def merge(job: Job, message: Any) -> dict[str, Any]:
    """Write the next layer of some partitions; return its line and their sizes.

    message  state, made: lines of the state and of the list of sheaves; parts: partitions; memory: bytes
    """
    state, sheaves, words = job.state(message["state"]), job.state(message["made"]), job.facts["words"]
    watch = _merging(message, words)
    traffic = [0]

    def following(part: int) -> Iterable[np.ndarray]:
        parts = [run for line in sheaves if (run := segment(job, line, part, words)) is not None]
        lines = [of[str(part)][0] for of in state["seen"] if str(part) in of]
        others = [run for line in lines if (run := segment(job, line, part, words)) is not None]
        if parts:
            yield from merged(parts, others, watch)
        traffic[0] += sum(run.traffic.read for run in (*parts, *others))

    segments = ((part, following(part)) for part in message["parts"])
    line, sizes = write_sheaf(job.place, f"layer-{state['depth'] + 1}", words, segments)
    return {"line": line, "sizes": sizes, "read": traffic[0], "written": line[1]}


def join(job: Job, message: Any) -> dict[str, Any]:
    """Write layers as one run each; return for each its name, positions, and the checksum of its index.

    message  layers: [line of its partitions, depth] …; memory: bytes
    """
    return {"layers": [_joined(job, job.state(line), depth, message) for line, depth in message["layers"]]}


def _joined(job: Job, layer: dict[str, Any], depth: int, message: Any) -> dict[str, Any]:
    words = job.facts["words"]
    parts = (segment(job, sheaf, int(part), words) for part, (sheaf, _) in layer.items())
    runs = [run for run in parts if run is not None]
    with job.place.new(f"joined-{depth}") as (name, file):
        writer = _RunWriter(file, 0, words, Path(name), BLOCK)
        index = writer.whole(merged(runs, (), _merging(message, words)))
        file.write(index)
    return {"name": name, "size": writer.size, "sums": hashlib.sha256(index).hexdigest()}


def check(job: Job, message: Any) -> dict[str, Any]:
    """Read whole layers; return for each what is wrong with it, or ''.

    message  layers: [line of its partitions, depth] …
    """
    return {"layers": [_damage(job, job.state(line)) for line, _ in message["layers"]]}


def _damage(job: Job, layer: dict[str, Any]) -> str:
    try:
        for part, (sheaf, size) in layer.items():
            run = segment(job, sheaf, int(part), job.facts["words"])
            if run is None or run.size != size:
                return f"{job.place.url}/{sheaf[0]}: damaged: expected {size:,} positions of a partition"
            for rows in run.pieces(Thresholds().least_at_once):
                del rows
    except TableError as error:
        return str(error)
    return ""


TASKS: dict[str, Callable[[Job, Any], dict[str, Any]]] = {
    "begin": begin, "expand": expand, "merge": merge, "join": join, "check": check,
}  # fmt: skip
