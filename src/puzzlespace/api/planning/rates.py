"""How fast this machine counts: measured on a small puzzle in about a second, and kept in the cache folder."""

from __future__ import annotations

import json
import os
import platform
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path

from ...contract.needs import Needs, Reference
from ...contract.questions import Depths
from ...contract.version import __version__
from ...limits.threads import processors
from ...limits.watch import Progress, Watch, checkpoint, phase
from ...model.model import Model
from ...storage import cache

KIND, FILE = "rates", "rate.json"
"""The kind of entry in the cache folder, and the file in it."""

ROOM = 1 << 16
"""Bytes that an entry takes at most."""

WRITTEN = 1 << 26
"""Bytes that are written to measure the disk."""

LITTLE = 1 << 20
"""Bytes of tables of moves that take no longer than everything else before the first layer."""

CHECKED = 0.1
"""Seconds of the plain search that every count is compared with."""

Opened = Callable[[str, str], tuple[Model, tuple[bytes, ...], float]]
"""Returns the model of a spec and a metric, the positions to measure from, and the moves tried for each position."""


@dataclass(frozen=True)
class Rate:
    """The time of one kind of work on this machine.

    table     seconds of processor time for a unit of work that goes through a table
    position  the same for a unit of work for positions
    fixed     seconds of processor time before the first layer and after the last one, while `made` bytes of tables of
              moves are made
    busy      the processor cores at work on average
    """

    table: float
    position: float
    fixed: float
    made: float
    busy: float

    def before(self, needs: Needs) -> float:
        """Return the seconds before and after the layers: most of it makes the tables of moves."""
        return CHECKED + self.fixed * (needs.made + LITTLE) / (self.made + LITTLE)


def rate_of(needs: Needs, opened: Opened, watch: Watch) -> tuple[Rate, bool]:
    """Return the rate for an engine's work, and whether it was kept from an earlier measurement."""
    reference = needs.reference
    assert reference is not None  # else `rate_by`
    return _kept(reference.kind, lambda: _measured(reference, opened, watch), Rate)


def rate_by(each: float, needs: Needs) -> Rate:
    """Return the rate if each move of a position takes so many seconds on one processor core."""
    _, units = needs.work((1.0,), 1.0)[0]
    return Rate(0.0, each / units, 0.0, 0.0, 1.0)


@dataclass(frozen=True)
class DiskRate:
    """Bytes per second that are written to the disk for temporary files."""

    written: float


def disk_rate() -> DiskRate:
    """Return how fast the disk is written."""
    return _kept("disk", _measured_disk, DiskRate)[0]


def _kept(kind: str, measure, shape):  # type: ignore[no-untyped-def]
    """Return a measurement from the cache folder, or measure and keep it."""
    place = cache.folder(KIND, cache.key_of(__version__, kind, _machine(), processors()))
    found = _read(place / FILE, shape)
    if found is not None:
        cache.touch(place)
        return found, True
    with phase("the rate of this machine was measured"):
        made = measure()
    with cache.making(place, ROOM, f"rate of {kind}") as ready:
        if ready:
            (place / FILE).write_text(json.dumps(asdict(made)))
    return made, False


def _read(path: Path, shape):  # type: ignore[no-untyped-def]
    """Return a measurement from a file, or None if there is none or it is damaged."""
    try:
        found = shape(**json.loads(path.read_text()))
    except (OSError, ValueError, TypeError):
        return None
    values = asdict(found).values()
    return found if all(isinstance(each, (int, float)) and 0 <= each < 1e15 for each in values) else None


def _machine() -> str:
    """Return the name of the processor."""
    try:
        with open("/proc/cpuinfo") as file:
            return next(line.partition(":")[2].strip() for line in file if line.startswith("model name"))
    except (OSError, StopIteration):
        return f"{platform.machine()} {platform.processor()}"


def _measured(reference: Reference, opened: Opened, watch: Watch) -> Rate:
    """Count the reference, after a smaller puzzle that loads the compiled loops; return its rate."""
    warm, begin, _ = opened(reference.warm, reference.metric)
    reference.engine.depths(Depths(warm, begin, 0), Watch(within=watch, thresholds=watch.thresholds))
    model, sources, children = opened(reference.spec, reference.metric)
    engine = reference.engine
    times: list[tuple[int, float]] = []

    def report(progress: Progress) -> None:
        times.append((progress.size, time.process_time()))

    began, wall = time.process_time(), time.perf_counter()
    layers = engine.depths(Depths(model, sources, 0), Watch(report=report, within=watch, thresholds=watch.thresholds))
    if layers.stopped is not None:
        raise layers.stopped
    spent, passed = time.process_time() - began, time.perf_counter() - wall
    busy = min(max(1.0, spent / max(passed, 1e-9)), float(processors()))
    needs = reference.needs(model, sources, None)
    sizes = [size for size, _ in times]
    units = needs.work(sizes, children)[: len(times)]
    seconds = [after - before for (_, before), (_, after) in pairwise(times)]
    if not seconds or max(seconds) <= 0:  # all layers are reported at once, at the end
        units, seconds = [(sum(x for x, _ in units), sum(y for _, y in units))], [spent]
    table, position = fitted([(*unit, second) for unit, second in zip(units, seconds, strict=False)])
    return Rate(table, position, max(0.0, spent - sum(seconds)), needs.made, busy)


def fitted(rows: list[tuple[float, float, float]]) -> tuple[float, float]:
    """Return a, b ≥ 0 such that a·x + b·y is nearest to z for rows (x, y, z), and equal to it in total."""
    xx, xy, yy = (sum(row[i] * row[j] for row in rows) for i, j in ((0, 0), (0, 1), (1, 1)))
    xz, yz = (sum(row[i] * row[2] for row in rows) for i in (0, 1))
    sums = [sum(row[i] for row in rows) for i in range(3)]
    determinant = xx * yy - xy * xy
    a, b = ((xz * yy - yz * xy) / determinant, (yz * xx - xz * xy) / determinant) if determinant > 0 else (-1.0, -1.0)
    if a < 0 or b < 0:
        a, b = (0.0, 1.0) if sums[1] else (1.0, 0.0)
    total = a * sums[0] + b * sums[1]
    scale = max(sums[2], 1e-9) / total if total else 0.0
    return a * scale, b * scale


def _measured_disk() -> DiskRate:
    """Write a file to the disk for temporary files, flush it, and return the rate."""
    part = os.urandom(1 << 20)
    began = time.perf_counter()
    with tempfile.TemporaryFile() as file:
        for _ in range(WRITTEN >> 20):
            file.write(part)
            checkpoint()
        file.flush()
        os.fsync(file.fileno())
    return DiskRate(WRITTEN / max(1e-6, time.perf_counter() - began))
