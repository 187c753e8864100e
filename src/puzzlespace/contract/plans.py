"""The answer of `plan`: what a count takes here and on a cluster."""

from __future__ import annotations

from dataclasses import dataclass

from ..limits.numbers import whole
from .result import Result

MOST_SECONDS = 1000 * 365.25 * 86400
"""Longer times are not told."""

MOST_BYTES = 10**18 - 1
"""Larger sizes are not told."""


@dataclass(frozen=True, slots=True)
class Between:
    """A number that is between two others; exact if they are equal. `most` is None if no upper bound is known."""

    least: float
    most: float | None

    @property
    def exact(self) -> bool:
        return self.least == self.most


@dataclass(frozen=True)
class Cluster:
    """The machines of a cluster; each counts as fast as this one.

    workers  the number of machines that count
    memory   bytes of memory of each
    disk     bytes of the folder that all of them see
    network  bits per second of each machine's link, and of the link of the shared folder
    """

    workers: int
    memory: int = 32 << 30
    disk: int = 1 << 40
    network: int = 10**10

    def __post_init__(self) -> None:
        for name in ("workers", "memory", "disk", "network"):
            whole(f"cluster: {name}", getattr(self, name), 1)


@dataclass(frozen=True, slots=True, repr=False)
class LayerPlan(Result):
    """One layer: positions (estimated unless `Plan.counted` says so), bytes of files, seconds."""

    positions: float
    read: float
    written: float
    sent: float
    seconds: float


@dataclass(frozen=True, repr=False)
class ClusterPlan(Result):
    """The simulated count on a cluster.

    method     'windows' (pieces of the table) or 'frontier' (runs of packed positions)
    pieces     the number of pieces, or of partitions
    piece      bytes of the largest piece; for partitions of its largest layer
    storage    bytes in the shared folder at most
    memory     bytes of memory that a worker needs at least
    resident   bytes of memory that a worker process of one core takes, with the program; for a table with depths
    layers     each layer
    processor  seconds of processor time of all machines together
    limited    what the workers wait for most: 'processors', 'network' or 'shared folder'
    fits       whether memory and disk of the cluster are large enough
    """

    cluster: Cluster
    method: str
    pieces: int
    piece: float
    storage: float
    memory: float
    resident: float
    layers: tuple[LayerPlan, ...]
    processor: float
    limited: str
    fits: bool

    @property
    def seconds(self) -> float:
        return sum(layer.seconds for layer in self.layers)


@dataclass(frozen=True, repr=False)
class Plan(Result):
    """What counting the depths of a puzzle takes.

    positions     that can be reached; `reason` says where the numbers come from
    engine        the engine that counts, and how it stores positions (`numbering`, `each`)
    counted       the first layers that are exact; the others are estimated
    depth         the estimated number of the last layer
    layers        each layer when it is counted here
    memory        bytes of memory for counting in memory
    files         bytes of temporary files if it is counted in files, 0 if it cannot
    saved         bytes of a saved table, 0 if they depend on the layers; `snapshots` the most while it is saved
    where         'memory', 'files' (the bits, or the layers, are in temporary files) or 'nowhere'
    free          bytes of memory that are free here, or the limit if there is one (`limited`)
    room          bytes of disk for temporary files
    seconds       wall-clock time here; with enough disk if it fits nowhere
    processor     seconds of processor time
    advice        what to do if the memory is too small, '' if it is large enough
    notes         what else must be known to read the numbers
    cluster       the simulated cluster, None if none was described
    """

    puzzle: str
    metric: str
    origin: str
    positions: Between
    reason: str
    engine: str
    numbering: str
    each: str
    counted: int
    depth: int
    layers: tuple[LayerPlan, ...]
    memory: Between
    files: int
    saved: int
    snapshots: int
    where: str
    free: int
    limited: bool
    room: int
    seconds: Between
    processor: Between
    advice: str
    cluster: ClusterPlan | None = None
    notes: tuple[str, ...] = ()

    @property
    def beyond(self) -> bool:
        """Whether no machine can count so many positions: it takes more than MOST_SECONDS or MOST_BYTES."""
        fewest = min(self.memory.least, self.files or self.memory.least)
        return self.seconds.least > MOST_SECONDS or fewest > MOST_BYTES

    @property
    def vague(self) -> bool:
        """Whether only the least is of use: with the most positions, no machine can count them."""
        most = [(self.seconds.most, MOST_SECONDS), (self.memory.most, MOST_BYTES), (self.files, MOST_BYTES)]
        return any(each is None or each > limit for each, limit in most)

    @property
    def read(self) -> float:
        """Bytes of files read."""
        return sum(layer.read for layer in self.layers)

    @property
    def written(self) -> float:
        """Bytes of files written."""
        return sum(layer.written for layer in self.layers)
