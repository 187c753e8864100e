"""A simulated count on several machines: every task of every layer, one after the other (docs/scale.md, 'The cluster').

A task runs on one machine. It fetches what it needs from the shared folder, computes on all cores, and writes its
piece. Machines keep pieces in memory, the least recently used are dropped. The link of each machine and the link of
the shared folder carry one byte after the other. A layer ends with its last task.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import factorial, prod

from ...contract.needs import Arc, Needs, TablePieces
from ...contract.plans import Cluster, ClusterPlan, LayerPlan
from ...limits.watch import checkpoint
from .growth import Growth
from .rates import Rate

TASK = 0.005
"""Seconds that handing out a task and noting its result take (one scheduler serves all machines)."""

LAYER = 0.05
"""Seconds between two layers: the manifest is written and read."""

HANDLED = 1.1e-9
"""Seconds of processor time for each byte of a file that is read or written: copies and checksums.

`slide:2x7` on two local workers took 744 s for 602 GB (docs/records.md), and takes 72 s in memory on one machine.
"""

PIECE = 1 << 28
"""The most bytes of a piece."""

PER_WORKER = 8
"""The least number of pieces of a layer for each machine, so that all end at about the same time."""

MOST_PIECES = 20_000
"""The most pieces that are simulated; pieces are larger rather than more."""

PARTITIONS = 4
"""Partitions of the layers of the frontier for each machine."""


@dataclass
class Machine:
    """One machine: when it is free, and what it has in memory (name of a piece: its version and bytes)."""

    memory: float
    free: float = 0.0
    held: OrderedDict[int, tuple[int, float]] = field(default_factory=OrderedDict)
    full: float = 0.0

    def has(self, name: int, version: int) -> bool:
        """Return whether the piece is in memory in this version."""
        found = self.held.get(name)
        if found is None or found[0] != version:
            return False
        self.held.move_to_end(name)
        return True

    def keep(self, name: int, version: int, size: float) -> None:
        """Keep a piece; drop those that were not used for longest."""
        old = self.held.pop(name, None)
        self.full += size - (old[1] if old else 0.0)
        self.held[name] = (version, size)
        while self.full > self.memory and len(self.held) > 1:
            self.full -= self.held.popitem(last=False)[1][1]


class Schedule:
    """The machines, the shared folder, and the time that each of them is at work."""

    def __init__(self, cluster: Cluster, memory: float, cores: float) -> None:
        self.cluster, self.cores = cluster, cores
        self.link = cluster.network / 8
        self.machines = [Machine(memory) for _ in range(cluster.workers)]
        self.now = self.folder = self.scheduler = 0.0
        self.busy = {"processors": 0.0, "network": 0.0, "shared folder": 0.0}

    def machine_for(self, home: int) -> Machine:
        """Return the machine that had the piece last, or the one that is free first if that is earlier."""
        wanted = self.machines[home % len(self.machines)]
        if wanted.free <= self.now:
            return wanted
        first = min(self.machines, key=lambda each: each.free)
        return first if wanted.free > first.free + self.patience else wanted

    patience = 0.0

    def run(self, machine: Machine, fetched: float, seconds: float, written: float) -> None:
        """Run a task on a machine: fetch bytes, compute with all cores, write bytes."""
        seconds += HANDLED * (fetched + written) / self.cores
        self.scheduler = max(self.scheduler, self.now) + TASK
        begin = max(machine.free, self.now, self.scheduler)
        after = self._carry(begin, fetched) + seconds
        machine.free = self._carry(after, written)
        self.busy["processors"] += seconds
        self.busy["network"] += (fetched + written) / self.link
        self.patience = seconds

    @property
    def processor(self) -> float:
        """The seconds of processor time of all tasks."""
        return self.busy["processors"] * self.cores

    def _carry(self, begin: float, size: float) -> float:
        """Return when some bytes have passed the machine's link and the folder's, which serves one after the other."""
        if not size:
            return begin
        alone = size / self.link
        self.folder = max(self.folder, self.now) + alone
        self.busy["shared folder"] += alone
        return max(begin + alone, self.folder)

    def end(self) -> float:
        """End the layer; return the seconds that it took."""
        began = self.now
        self.now = max([self.now, self.folder, *(machine.free for machine in self.machines)]) + LAYER
        return self.now - began

    @property
    def limited(self) -> str:
        """What is at work for the largest share of the time."""
        shares = {
            "processors": self.busy["processors"] / self.cluster.workers,
            "network": self.busy["network"] / self.cluster.workers,
            "shared folder": self.busy["shared folder"],
        }
        return max(shares, key=lambda name: shares[name])


@dataclass(frozen=True)
class RowCut:
    """A row of a table, cut into pieces that agree in the leading places of the order of the pieces.

    places  how many
    """

    table: TablePieces
    places: int

    @cached_property
    def prefixes(self) -> list[tuple[int, ...]]:
        """The kinds at the leading places, of each piece."""
        found: list[tuple[int, ...]] = [()]
        for _ in range(self.places):
            found = [
                (*each, kind)
                for each in found
                for kind, count in enumerate(self.table.counts)
                if each.count(kind) < count
            ]
        return found

    @cached_property
    def number(self) -> dict[tuple[int, ...], int]:
        return {each: n for n, each in enumerate(self.prefixes)}

    @cached_property
    def shares(self) -> list[float]:
        """The share of a row that each piece has."""
        whole = _arrangements(self.table.counts)
        return [_arrangements(self._left(each)) / whole for each in self.prefixes]

    def _left(self, prefix: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(count - prefix.count(kind) for kind, count in enumerate(self.table.counts))

    @cached_property
    def _feeding(self) -> dict[tuple[int, tuple[int, int, bool]], list[int]]:
        return {}

    def feeding(self, piece: int, arc: Arc) -> list[int]:
        """Return the pieces of the source row from which a rule leads to this piece of the target row."""
        key = piece, arc.window
        if key not in self._feeding:
            self._feeding[key] = self._fed(piece, arc)
        return self._feeding[key]

    def _fed(self, piece: int, arc: Arc) -> list[int]:
        prefix, places = self.prefixes[piece], self.places
        first, last, left = arc.window
        if first >= places or last - first <= 1:
            return [piece]
        if last <= places:
            turned = prefix[first + 1 : last] + prefix[first : first + 1] if left else (
                prefix[last - 1 : last] + prefix[first : last - 1]
            )  # fmt: skip
            return [self.number[prefix[:first] + turned + prefix[last:]]]
        others = [kind for kind, count in enumerate(self._left(prefix)) if count]
        if left:
            return [self.number[prefix[:first] + prefix[first + 1 :] + (kind,)] for kind in others]
        return [
            found
            for kind in others
            if (found := self.number.get((*prefix[:first], kind, *prefix[first : places - 1]))) is not None
        ]


def _arrangements(counts: Sequence[int]) -> int:
    return factorial(sum(counts)) // prod(map(factorial, counts))


def cut_for(table: TablePieces, cluster: Cluster) -> RowCut:
    """Return the cut into the fewest pieces that are small enough, and enough for all machines."""
    most = min(PIECE, cluster.memory // 8)
    cut = RowCut(table, 0)
    for places in range(sum(table.counts) - 2):
        cut = RowCut(table, places)
        pieces = table.rows * len(cut.prefixes)
        if 8 * table.words * max(cut.shares) <= most and pieces >= 2 * PER_WORKER * cluster.workers:
            break
        following = pieces * max(1, sum(1 for count in table.counts if count))
        if following > MOST_PIECES:
            break
    return cut


def windows(needs: Needs, growth: Growth, rate: Rate, cluster: Cluster) -> ClusterPlan:
    """Return the simulated count of a table of windows."""
    table = needs.pieces
    assert table is not None
    cut = cut_for(table, cluster)
    count = len(cut.prefixes)
    sizes = [8 * table.words * share for share in cut.shares]
    memory = cluster.memory - 4 * max(sizes)
    schedule = Schedule(cluster, memory, rate.busy)
    into: dict[int, list[Arc]] = {}
    for arc in table.arcs:
        into.setdefault(arc.target, []).append(arc)
    work = needs.work(growth.sizes, growth.children)
    traffic = needs.traffic(growth.sizes, growth.children)
    colours = sorted(set(table.colours))
    weights = sum(arc.weight for arc in table.arcs) / len(colours) * table.words
    version = [0] * (table.rows * count)
    layers: list[LayerPlan] = []
    half = len(colours)
    for depth, (units, _) in enumerate(work):
        share = min(1.0, units / weights) if weights else 0.0
        changed = min(1.0, traffic[depth][1] * half / max(1.0, 8 * table.words * table.rows))
        targets = [
            row * count + piece
            for row in range(table.rows)
            if half == 1 or table.colours[row] == colours[(depth + 1) % 2]
            for piece in range(count)
        ]
        active = _some(targets, max(share, 1e-12) if units else 0.0)
        read = sent = written = 0.0
        for name in active:
            checkpoint()
            row, piece = divmod(name, count)
            machine = schedule.machine_for(name)
            fetched = _fetched(machine, name, row, piece, cut, into.get(row, []), version, sizes, count)
            out = sizes[piece] if changed else 0.0
            part = min(1.0, share * len(targets) / len(active))
            seconds = part * sizes[piece] / 8 * sum(arc.weight for arc in into.get(row, [])) * rate.table / rate.busy
            schedule.run(machine, fetched, seconds, out)
            if out:
                version[name] = depth + 1
                machine.keep(name, depth + 1, sizes[piece])
            read, written = read + fetched, written + out
        sent = read + written
        layers.append(LayerPlan(growth.sizes[depth], read, written, sent, schedule.end()))
    whole = 8.0 * table.words * table.rows
    least = 4 * max(sizes)
    fits = 2 * whole <= cluster.disk and least <= cluster.memory
    from .resident import of_table  # loads arrays and compiled loops

    return ClusterPlan(
        cluster, "windows", len(version), max(sizes), 2 * whole, least, of_table(needs, cluster), tuple(layers),
        schedule.processor, schedule.limited, fits,
    )  # fmt: skip


def _some(items: list[int], share: float) -> list[int]:
    """Return a share of the items, at least one unless it is 0, evenly spread."""
    wanted = min(len(items), -(-int(share * len(items) * 1000) // 1000) or (1 if share else 0))
    return [items[n * len(items) // wanted] for n in range(wanted)] if wanted else []


def _fetched(
    machine: Machine,
    name: int,
    row: int,
    piece: int,
    cut: RowCut,
    arcs: Iterable[Arc],
    version: Sequence[int],
    sizes: Sequence[float],
    count: int,
) -> float:
    """Return the bytes that a task fetches: its own piece and those that feed it, unless the machine has them.

    A piece that has no position yet is not fetched. Of pieces that feed only a part, only that part is fetched, and it
    is not kept.
    """
    total = 0.0
    if version[name] and not machine.has(name, version[name]):
        total += sizes[piece]
    for arc in arcs:
        feeding = cut.feeding(piece, arc)
        for each in feeding:
            at = arc.source * count + each
            if not version[at] or machine.has(at, version[at]):
                continue
            if len(feeding) == 1:
                machine.keep(at, version[at], sizes[each])
                total += sizes[each]
            else:
                total += sizes[piece] / len(feeding)
    return total


def frontier(needs: Needs, growth: Growth, rate: Rate, cluster: Cluster) -> ClusterPlan:
    """Return the simulated count by sorted runs, in partitions by a hash of the position."""
    work, traffic = needs.work(growth.sizes, growth.children), needs.traffic(growth.sizes, growth.children)
    partitions = PARTITIONS * cluster.workers
    schedule = Schedule(cluster, 0.0, rate.busy)
    layers: list[LayerPlan] = []
    largest = storage = 0.0
    for size, (_, units), (read, written) in zip(growth.sizes, work, traffic, strict=True):
        tasks = max(1, min(partitions, int(size)))
        seconds = units * rate.position / rate.busy / tasks
        passed = 0.0
        for _ in ("expand", "merge"):
            for number in range(tasks):
                checkpoint()
                machine = schedule.machine_for(number)
                schedule.run(machine, read / tasks / 2, seconds / 2, written / tasks / 2)
            passed += schedule.end()
        largest, storage = max(largest, read / tasks), max(storage, read + written)
        layers.append(LayerPlan(size, read, written, read + written, passed))
    fits = storage <= cluster.disk and 4 * largest <= cluster.memory
    from .resident import of_runs  # loads arrays and compiled loops

    resident = of_runs(needs, growth.sizes, growth.children, cluster)
    return ClusterPlan(
        cluster, "frontier", partitions, largest, storage, 4 * largest, resident, tuple(layers), schedule.processor,
        schedule.limited, fits,
    )  # fmt: skip
