"""Tasks for layers of packed positions, in partitions by the high bits of a hash of the position.

`expand` writes the children of some positions of the last layer as one file with a sorted run for each partition.
`merge` writes the new layer of some partitions: all positions of these runs that are in no earlier layer (in the last
two if every move can be undone). `join` writes a whole layer as one run, the file of a saved table.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import numpy as np

from ..engines.packed.arrays import PackedRules, packed_keys
from ..engines.packed.front import alternates
from ..engines.packed.hashed_layers import LAYER_BITS, Compiled, KeyParts
from ..errors import TableError
from ..limits.thresholds import Thresholds
from ..limits.watch import Watch
from ..search.merge import LEAST_AT_ONCE, MOST_AT_ONCE, merged
from ..search.runs import BLOCK, RUN_BLOCK, RUN_ENCODED, Run, Traffic, Writer, in_order
from ..tables.runs import rebuilt
from .jobs import Job
from .places import Storage

COPIES = 6
"""Copies of a child in memory: in the arena, in its set, in its layer, sorted, encoded."""

MERGED = 6
"""Copies of a position in memory while ranges are merged."""

Segment = list[Any]
"""[name, positions, begin, end, CRC-32 of its index]: where a run is in a file; its index follows."""

Sheaf = list[Any]
"""[name, bytes, segment by partition] of a file of runs."""


@dataclass(frozen=True)
class StoredRun(Run):
    """A run in a file of the place."""

    place: Storage | None = None

    def part(self, begin: int, length: int) -> bytes:
        assert self.place is not None
        return self.place.read(self.path.name, begin, length)


class _RunWriter(Writer):
    """Writes the blocks of one run into an open file."""

    def __init__(self, file: IO[bytes], base: int, words: int, path: Path, block: int) -> None:
        self.path, self.words, self.block = path, words, block
        self.stride = max(1, RUN_ENCODED.usual // self.block) * self.block
        self.traffic = Traffic()
        self.size, self.end = 0, base
        self.index: list[np.ndarray] = []
        self.pending = np.empty((0, words), np.uint64)
        self.file = file  # type: ignore[assignment]

    def whole(self, rows: Iterable[np.ndarray]) -> bytes:
        """Write all positions, in order, in parts, and then the index; return that."""
        for some in rows:
            self.append(some)
        index = self.flush().astype("<u8").tobytes()
        self.file.write(index)
        return index

    def discard(self) -> None:
        """Leave the file to its owner."""


def write_sheaf(place: Storage, stem: str, words: int, runs: Iterable[tuple[int, Iterable[np.ndarray]]]) -> Sheaf:
    """Write runs, each followed by its index, as one file.

    runs  (partition, its positions in order, in parts)
    """
    found: dict[str, Segment] = {}
    end = 0
    with place.new(stem) as (name, file):
        for part, rows in runs:
            writer = _RunWriter(file, end, words, Path(name), RUN_BLOCK.usual)
            index = writer.whole(rows)
            if writer.size:
                found[str(part)] = [name, writer.size, end, writer.end, zlib.crc32(index)]
            end = writer.end + len(index)
    return [name, end, found]


def opened(job: Job, segment: Segment) -> StoredRun:
    """Return a run in a sheaf; raise TableError if the checksum of its index does not match."""
    name, size, base, end, wanted = segment
    words, block = job.facts["words"], RUN_BLOCK.usual
    blocks = -(-size // block)
    index = np.frombuffer(job.place.checked(name, end, 8 * blocks * (words + 2), wanted), "<u8")
    return StoredRun(Path(name), words, size, index.reshape(blocks, words + 2), Traffic(), block, base, job.place)


class Hand:
    """What a thread of a worker needs to expand positions."""

    def __init__(self, job: Job) -> None:
        self.packing = rebuilt(job.facts["identity"], job.model, Path(job.place.url)).packing
        self.rules = PackedRules.of(job.model, self.packing, job.sources)
        self.method = Compiled(LAYER_BITS.usual, 1)
        self.words = self.packing.words

    def keys(self, positions: Iterable[bytes]) -> KeyParts:
        """Return positions as a layer."""
        return self.method.wrap(packed_keys(self.packing, tuple(positions)))

    def segments(self, layer: KeyParts, partitions: int) -> list[tuple[int, list[np.ndarray]]]:
        """Return the rows of each partition, sorted; the layer is given up."""
        rows = self.method.keys(layer)
        self.method.recycle(layer)
        ends = np.concatenate([[0], np.cumsum(layer.sizes)])
        starts = ends[:: (1 << LAYER_BITS.usual) // partitions]
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
    runs = hand.segments(hand.keys(dict.fromkeys(job.sources)), job.facts["partitions"])
    return {
        "made": [write_sheaf(job.place, "layer-0", hand.words, runs)],
        "alternates": alternates(job.model, job.sources),
    }


def expand(job: Job, message: Any) -> dict[str, Any]:
    """Write the children of some partitions of the last layer as sheaves.

    message  state: the line of the state; parts: partitions; memory: bytes
    """
    state, hand = job.state(message["state"]), _hand(job)
    hand.method.most = max(1 << 24, message["memory"] // 4)
    watch, stem, made = Watch(), f"made-{state['depth'] + 1}", []
    for rows in _gathered(job, hand, state, message):
        new = hand.method.children(hand.rules, rows, watch)
        made.append(write_sheaf(job.place, stem, hand.words, hand.segments(new, job.facts["partitions"])))
    return {"made": made, "generated": watch.generated, "written": sum(sheaf[1] for sheaf in made)}


def _gathered(job: Job, hand: Hand, state: Any, message: Any) -> Iterable[np.ndarray]:
    """Yield the positions of the partitions, as many at once as fit the memory with their children."""
    most = _most(message["memory"], hand.words, COPIES * max(1.0, hand.method.ratio))
    waiting: list[np.ndarray] = []
    held = 0
    for segment in (state["layer"][str(part)] for part in message["parts"] if str(part) in state["layer"]):
        for rows in opened(job, segment).pieces(most):
            waiting.append(rows)
            held += len(rows)
            if held >= most:
                yield np.concatenate(waiting)
                waiting, held = [], 0
    if waiting:
        yield np.concatenate(waiting)


def _most(memory: int, words: int, copies: float) -> int:
    """Return how many positions fit the memory, with so many copies of each."""
    return max(LEAST_AT_ONCE.usual, int(memory / (8 * words * copies)))


def _merging(message: Any, words: int) -> Watch:
    """Return a watch whose thresholds keep merging within the memory."""
    return Watch(thresholds=Thresholds({MOST_AT_ONCE: _most(message["memory"], words, MERGED)}))


def merge(job: Job, message: Any) -> dict[str, Any]:
    """Write the next layer of some partitions as a sheaf.

    message  state, made: lines of the state and of the list of sheaves; parts: partitions; memory: bytes
    """
    state, words, watch = job.state(message["state"]), job.facts["words"], _merging(message, job.facts["words"])
    sheaves = [runs for _, _, runs in job.state(message["made"])]
    traffic = [0]

    def following(part: str) -> Iterable[np.ndarray]:
        parts, others = ([opened(job, of[part]) for of in some if part in of] for some in (sheaves, state["seen"]))
        if parts:
            yield from merged(parts, others, watch)
        traffic[0] += sum(run.traffic.read for run in (*parts, *others))

    runs = ((part, following(str(part))) for part in message["parts"])
    sheaf = write_sheaf(job.place, f"layer-{state['depth'] + 1}", words, runs)
    return {"made": [sheaf], "read": traffic[0], "written": sheaf[1]}


def join(job: Job, message: Any) -> dict[str, Any]:
    """Write layers as one run each; return for each its name, positions, and the checksum of its index.

    message  layers: [line of its partitions, depth] …; memory: bytes
    """
    return {"layers": [_joined(job, job.state(line), depth, message) for line, depth in message["layers"]]}


def _joined(job: Job, layer: dict[str, Any], depth: int, message: Any) -> dict[str, Any]:
    words, runs = job.facts["words"], [opened(job, segment) for segment in layer.values()]
    with job.place.new(f"joined-{depth}") as (name, file):
        writer = _RunWriter(file, 0, words, Path(name), BLOCK)
        index = writer.whole(merged(runs, (), _merging(message, words)))
    return {"name": name, "size": writer.size, "sums": hashlib.sha256(index).hexdigest()}


def check(job: Job, message: Any) -> dict[str, Any]:
    """Read whole layers; return for each what is wrong with it, or ''.

    message  layers: [line of its partitions, depth] …
    """
    return {"layers": [_damage(job, job.state(line)) for line, _ in message["layers"]]}


def _damage(job: Job, layer: dict[str, Any]) -> str:
    try:
        for segment in layer.values():
            for rows in opened(job, segment).pieces(LEAST_AT_ONCE.usual):
                del rows
    except TableError as error:
        return str(error)
    return ""


TASKS: dict[str, Callable[[Job, Any], dict[str, Any]]] = {
    "begin": begin, "expand": expand, "merge": merge, "join": join, "check": check,
}  # fmt: skip
