"""The sizes of all layers, estimated from the first ones and the number of positions.

The first layers are counted for a moment. From there the growth rate of the layers, ln(size / size before), is taken to
fall by the same amount from layer to layer, and STEEPER times as fast once it is below 0: layers rise slowly and end
abruptly in the tables that are known (`benchmarks/plan.py`). The amount is the one for which all layers together have
the number of positions. This is an estimate, not a bound.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import exp, log, sqrt

from ...contract.needs import estimated
from ...contract.questions import Depths, Engine
from ...errors import InputError
from ...limits.watch import Limits, Progress, Watch, checkpoint

STEEPER = 3.0
"""How much faster the growth rate falls when layers become smaller."""

MOST_LAYERS = 5000
"""The most layers that are estimated."""

SECONDS, POSITIONS = 1.2, 450_000
"""What counting the first layers takes at most."""


BYTES = 400
"""Memory for each position that is generated then, with all copies of it in NumPy (measured)."""


@dataclass(frozen=True)
class Growth:
    """The sizes of the layers.

    sizes     of all layers; the first `counted` are exact
    complete  whether all layers were counted
    children  the number of moves tried for each position, on average
    each      seconds for each of these moves, on average
    """

    sizes: tuple[float, ...]
    counted: int
    complete: bool
    children: float
    each: float = 0.0

    @property
    def found(self) -> int:
        """The number of positions in the layers that were counted."""
        return int(sum(self.sizes[: self.counted]))

    def reaching(self, total: float) -> Growth:
        """Return the growth up to `total` positions, or up to MOST_ESTIMATED."""
        if self.complete or total <= self.found:
            return self
        return replace(self, sizes=tuple(extended(self.sizes[: self.counted], estimated(total))))


def probe(question: Depths, engine: Engine, within: Watch) -> Growth:
    """Count the first layers with an engine, for a moment."""
    assert engine.depths is not None
    left = within.memory_left(POSITIONS * BYTES)
    positions = POSITIONS if left is None else max(1, min(POSITIONS, left // BYTES))
    tried: dict[int, tuple[int, float]] = {}  # when each layer was complete: moves from all layers before it, seconds

    def report(progress: Progress) -> None:
        tried[progress.layer] = progress.generated, watch.seconds

    limits = Limits(seconds=SECONDS, positions=positions)
    watch = Watch(limits, report, within=within, thresholds=within.thresholds)
    layers = engine.depths(replace(question, keep=0, collect=(), wanted=None), watch)
    within.tick(0)
    counts = layers.counts
    moves, expanded, seconds = watch.generated, sum(counts), watch.seconds
    last = tried.get(len(counts) - 1, (0, 0.0))
    early = max((each for each in tried.values() if 4 * each[0] <= moves), default=(0, 0.0))  # what comes first is slow
    if not layers.complete and last[0]:
        (moves, seconds), expanded = last, sum(counts[:-1])
    return Growth(
        tuple(map(float, counts)), len(counts), layers.complete, max(1.0, moves / max(1, expanded)),
        (seconds - early[1]) / max(1, moves - early[0]),
    )  # fmt: skip


def extended(first: tuple[float, ...], total: float) -> list[float]:
    """Return the sizes of all layers that begin with `first` and have about `total` positions."""
    if not first or total < sum(first):
        raise InputError(f"layers: expected at least the {sum(first):,.0f} positions that were found, found {total:,}")
    begun, first = first, _smooth(first)
    rate = _rate(first)
    low, high = 1e-9, 10.0
    for _ in range(60):
        checkpoint()
        middle = sqrt(low * high)
        if sum(_continued(first, rate, middle, 2 * total)) > total:
            low = middle
        else:
            high = middle
    found = _continued(first, rate, high, 2 * total)
    more, known = sum(found[len(first) :]), sum(begun)
    if not more:
        return [*begun, total - known] if total > known else [*begun]
    scale = (total - known) / more
    return [*begun, *(size * scale for size in found[len(first) :])]


def _smooth(sizes: tuple[float, ...]) -> tuple[float, ...]:
    """Return sizes without zeros if moves count more than one: each is the mean of some sizes up to it."""
    gap = longest = 0
    for size in sizes:
        gap = 0 if size else gap + 1
        longest = max(longest, gap)
    if not longest:
        return sizes
    windows = (sizes[max(0, end - longest) : end + 1] for end in range(len(sizes)))
    return tuple(sum(window) / len(window) for window in windows)


def _rate(first: tuple[float, ...]) -> float:
    """Return the growth rate after the last layer: that of a line through the last third of the rates, at its end."""
    known = len(first) - 1
    if known < 1:
        return 1.0
    last = range(max(1, known - max(3, known // 3) + 1), known + 1)
    rates = [log(first[n] / first[n - 1]) for n in last]
    mean, middle = sum(rates) / len(rates), sum(last) / len(last)
    spread = sum((n - middle) ** 2 for n in last)
    slope = min(0.0, sum((n - middle) * (r - mean) for n, r in zip(last, rates, strict=True)) / spread) if spread else 0
    return max(0.02, mean + slope * (known - middle))


def _continued(first: tuple[float, ...], rate: float, fall: float, most: float) -> list[float]:
    """Return the layers if the growth rate falls by `fall` from layer to layer; they end above `most` positions."""
    found, total, size = list(first), sum(first), first[-1]
    while len(found) < MOST_LAYERS:
        rate -= fall * (STEEPER if rate < 0 else 1)
        size *= exp(max(rate, -50.0))
        if size < 1:
            break
        found.append(size)
        total += size
        if total > most:
            break
    return found
