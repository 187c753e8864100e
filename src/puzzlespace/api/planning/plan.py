"""`plan`: what counting the depths of a puzzle takes, before it is counted (docs/scale.md)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any

from ...analysis import impossible
from ...contract.needs import Needs
from ...contract.plans import MOST_BYTES, Between, Cluster, ClusterPlan, LayerPlan, Plan
from ...contract.questions import Depths, Engine, Space
from ...errors import InputError, UnsupportedError
from ...limits.machine import free_memory, machine_memory, spare_memory
from ...limits.memory import counted, disk_room, sized
from ...limits.watch import Limits, Progress, Watch, checkpoint, phase, watched
from ...model.custom import Custom
from ...model.model import Model
from ...puzzle.puzzle import Puzzle
from ...registry import ENGINES, REFERENCE, needs_of
from .. import choice, loader
from ..arguments import checked, cluster_plan
from ..asked import model_of
from ..clock import drawing
from ..measuring import custom_depths, default_origin, metric_of
from . import growth as layers
from . import rates, simulation
from .positions import reachable

MOST_SOURCES = 10_000
"""The most goal positions from which the first layers are counted."""


@checked
@drawing
def plan(
    puzzle: Puzzle | Custom | str | Path,
    *,
    metric: str = "",
    origin: str = "",
    engine: str = "auto",
    cluster: Cluster | None = None,
    limits: Limits = Limits(),
    progress: Callable[[Progress], None] | None = None,
) -> Plan:
    """Return what counting the depths of a puzzle takes: positions, bytes, time.

    Of a puzzle written in Python, or a level of a game, only the first layers are known: what they take is the least.

    metric, origin, engine  as for `depths`
    cluster                 also simulate the count on these machines
    limits                  `memory` is that of the count. They hold for planning as well: it counts the first layers
                            and, once for each kind of work, a small puzzle to measure this machine
    Raises UnsupportedError if no engine can say what it takes, LimitError at a limit.

    >>> plan("slide:4x4").positions.least
    10461394944000
    """
    cluster_plan("cluster", cluster)
    with watched(limits, progress) as watch:
        owner, model = model_of(puzzle, metric)
        if owner is None or not isinstance(model, Model):
            assert isinstance(model, Custom)
            if cluster is not None:
                raise UnsupportedError("its moves are Python functions: workers cannot build it")
            asked = custom_depths(model, origin)
            made = _Planning(model.name, model, origin or "start", asked.space, asked.sources, limits, watch)
            return made.plan(engine, None, ())
        if model.metric.lawful and cluster is not None:
            raise UnsupportedError(f"{owner.name}: {model.metric.beyond_rules}: it cannot be counted on a cluster")
        origin = origin or default_origin(model)
        if origin not in ("goal", "start"):
            raise InputError(f"origin: expected start or goal, found {origin!r}")
        counted_model, sources, note = _sources(owner, model, origin)
        made = _Planning(owner.name, model, origin, counted_model, sources, limits, watch)
        return made.plan(engine, cluster, () if not note else (note,))


def _sources(owner: Puzzle, model: Model, origin: str) -> tuple[Model, tuple[bytes, ...], str]:
    """Return the model that is counted, the positions to count from, and what is different from the count itself."""
    if origin == "start":
        if model.start is None:
            raise InputError(f"{owner.name}: expected a start to measure from, found none")
        return model, (model.start,), ""
    if model.backward is None:
        raise UnsupportedError("distances to the goal need moves that can be traced back; use origin='start'")
    counted_model = model if model.reversible else model.backward
    if len(model.goals) > 1 or any(goal.position is None for goal in model.goals):
        if model.start is not None and model.reversible:
            return model, (model.start,), "which goals the start reaches is not known: layers are those from the start"
        with phase("the goal positions were listed"):
            goals = impossible.goal_positions(model) or ()
        if 0 < len(goals) <= MOST_SOURCES:
            return counted_model, tuple(goals), ""
    elif model.goals:
        return counted_model, (model.goals[0].position,), ""  # type: ignore[return-value]
    if model.anchor is None:
        raise InputError(f"{owner.name}: expected a goal to measure to, or a start, found none")
    return model, (model.anchor,), "the goal positions are not listed before the count: layers are those from the start"


class _Planning:
    """The plan of one question."""

    def __init__(
        self,
        name: str,
        model: Space,
        origin: str,
        space: Space,
        sources: tuple[Any, ...],
        limits: Limits,
        watch: Watch,
    ) -> None:
        self.name, self.model, self.origin = name, model, origin
        self.space, self.sources = space, sources
        self.limits, self.watch = limits, watch
        self.free = spare_memory() if limits.memory is None else limits.memory
        self.room = disk_room()

    def plan(self, engine: str, cluster: Cluster | None, notes: tuple[str, ...]) -> Plan:
        """Return the plan with the named engine, or the first of those that 'auto' tries for which there is room."""
        with phase("the first layers were counted"):
            question, prober = Depths(self.space, self.sources, 0), _prober(self.space)
            if not isinstance(self.space, Model):
                layers.probe(question, prober, self.watch)  # the time to load and compile what it needs is not counted
            first = layers.probe(question, prober, self.watch)
        chosen, needs, positions, reason = self._chosen(engine, first)
        least = first.reaching(positions.least)
        most = least if positions.most is None else first.reaching(positions.most)
        where = self._where(needs, most)
        if not isinstance(self.space, Model) or self.space.metric.lawful:  # how long a move takes depends on the puzzle
            rate, kept = rates.rate_by(first.each, needs), True
        else:
            rate, kept = rates.rate_of(needs, self._reference, self.watch)
        planned = self._layers(needs, most, rate, where == "files" or (where == "nowhere" and needs.table > 0))
        seconds, processor = self._seconds(needs, (least, most), rate, planned)
        memory = Between(needs.memory(least.sizes), None if positions.most is None else needs.memory(most.sizes))
        if positions.most is None:
            seconds, processor = Between(seconds.least, None), Between(processor.least, None)
        if not positions.exact:
            which = "that were counted" if positions.most is None else "of the most"
            notes = (*notes, f"the number of positions is not known before the count; the layers are those {which}")
        if self.untold:
            words = f"the engine {self.untold} would count it; what it takes is not known, this is for {chosen.name}"
            notes = (*notes, words)
        if not kept:
            notes = (*notes, "the rate of this machine was measured just now; it is kept in the cache folder")
        found = Plan(
            self.name, metric_of(self.model), self.origin, positions, reason, chosen.name, needs.numbering, needs.each,
            first.counted, len(most.sizes) - 1, planned, memory, self._files(needs, most), needs.saved, needs.snapshots,
            where, self.free, self.limits.memory is not None, self.room, seconds, processor, "", None, notes,
        )  # fmt: skip
        found = replace(found, advice=_advice(found, needs.table > 0, needs.files > 0))
        return found if cluster is None else replace(found, cluster=self._cluster(needs, most, rate, cluster))

    def _chosen(self, name: str, first: layers.Growth) -> tuple[Engine, Needs, Between, str]:
        """Return the engine, what it needs, the number of positions and where that number comes from.

        If there is no room for any engine that 'auto' would use, the one with a numbering is returned: it needs least.
        """
        question = Depths(self.space, self.sources, 0)
        quiet = Watch(self.limits, within=self.watch, thresholds=self.watch.thresholds)
        memory = machine_memory() if self.limits.memory is None else self.limits.memory
        numbered: list[tuple[Engine, Needs, Between, str]] = []
        used = choice.engines_for(question, quiet, name)  # one after the other: to ask an engine may take long
        self.untold = ""
        others = ENGINES if name == "auto" and isinstance(self.space, Model) else ()
        for number, each in enumerate(chain(used, others)):
            if number == 0 and needs_of(each) is None:
                self.untold = each.name
            told = needs_of(each)
            if told is None:
                continue
            try:
                needs = told(self.space, self.sources, memory)
            except UnsupportedError:
                if name != "auto":
                    raise
                continue
            found = (each, needs, *self._positions(first, needs))
            if name != "auto" or self._where(needs, first.reaching(found[2].most or found[2].least)) != "nowhere":
                return found
            numbered.append(found)
        if not numbered:
            raise UnsupportedError(f"{self.name}: the engine that counts it cannot say beforehand what it takes")
        return max(numbered, key=lambda found: 0 < found[1].table <= MOST_BYTES)

    def _reference(self, spec: str, metric: str) -> tuple[Model, tuple[bytes, ...], float]:
        """Return the model of a reference puzzle, where it is measured from, and the moves tried for each position."""
        owner = loader.load(spec)
        model = owner.model(metric)
        space, sources, _ = _sources(owner, model, default_origin(model))
        return space, sources, layers.probe(Depths(space, sources, 0), _prober(space), self.watch).children

    def _positions(self, first: layers.Growth, needs: Needs) -> tuple[Between, str]:
        """Return the number of positions, and where it comes from."""
        if first.complete:
            return Between(first.found, first.found), "all layers were counted to plan"
        if needs.positions:
            return Between(needs.positions, needs.positions), "the engine knows it before the count"
        if len(self.sources) == 1 and isinstance(self.space, Model):
            with phase("the positions were counted without a search"):
                exact = reachable(self.space, self.sources[0])
            if exact is not None:
                return Between(exact, exact), "from the pieces and moves, without a search"
        least = first.found
        try:
            bound = impossible.placement_bound(self.model) if isinstance(self.model, Model) else 0
        except UnsupportedError:
            bound = 0
        both = [each for each in (needs.ranks, bound) if each]
        if not both:
            return Between(least, None), f"{least:,} were found to plan; how many there are is not known"
        words = "all ways to place the pieces, of which some may be out of reach"
        return Between(least, max(least, min(both))), f"at least those found to plan, at most {words}"

    def _where(self, needs: Needs, growth: layers.Growth) -> str:
        """Return where the count fits: 'memory', 'files' or 'nowhere'."""
        whole = needs.memory(growth.sizes)
        if needs.files:
            return "files" if whole <= self.free and self.room >= needs.files else "nowhere"
        if whole <= self.free:
            return "memory"
        files = self._files(needs, growth)
        if needs.table:
            return "files" if whole - needs.table <= self.free and self.room >= 2 * files else "nowhere"
        return "files" if 0 < files <= self.room else "nowhere"

    def _files(self, needs: Needs, growth: layers.Growth) -> int:
        """Return the bytes of temporary files if it is counted in files, 0 if it cannot be."""
        pairs = () if needs.table else needs.traffic(growth.sizes, growth.children)
        return needs.files or needs.table or int(max(map(sum, pairs), default=0))

    def _layers(self, needs: Needs, growth: layers.Growth, rate: rates.Rate, in_files: bool) -> tuple[LayerPlan, ...]:
        """Return each layer when it is counted on this machine."""
        disk = rates.disk_rate().written if in_files else 0.0
        cached = self._files(needs, growth) <= free_memory()  # then the system reads nothing from the disk again
        work = needs.work(growth.sizes, growth.children)
        traffic = needs.traffic(growth.sizes, growth.children) if in_files else [(0.0, 0.0)] * len(work)
        found: list[LayerPlan] = []
        for size, (table, position), (read, written) in zip(growth.sizes, work, traffic, strict=True):
            checkpoint()
            seconds = (table * rate.table + position * rate.position) / rate.busy
            moved = (written if cached else read + written) / disk if disk else 0.0
            found.append(LayerPlan(size, read, written, 0.0, max(seconds, moved)))
        return tuple(found)

    def _seconds(
        self, needs: Needs, both: tuple[layers.Growth, layers.Growth], rate: rates.Rate, planned: tuple[LayerPlan, ...]
    ) -> tuple[Between, Between]:
        """Return seconds here, and seconds of processor time."""
        processor = [
            rate.before(needs)
            + sum(t * rate.table + p * rate.position for t, p in needs.work(each.sizes, each.children))
            for each in both
        ]
        wall = rate.before(needs) + sum(layer.seconds for layer in planned)
        if both[0] == both[1]:
            return Between(wall, wall), Between(processor[1], processor[1])
        least = rate.before(needs) + (processor[0] - rate.before(needs)) / rate.busy
        return Between(min(least, wall), wall), Between(*processor)

    def _cluster(self, needs: Needs, growth: layers.Growth, rate: rates.Rate, cluster: Cluster) -> ClusterPlan:
        """Return the simulated count: pieces of a table of windows, or partitions of packed positions."""
        with phase("the cluster was simulated"):
            if needs.pieces is not None:
                return simulation.windows(needs, growth, rate, cluster)
            packed = next(each for each in ENGINES if each.name == "frontier")
            told = needs_of(packed)
            assert told is not None
            runs = told(self.space, self.sources, None)
            return simulation.frontier(runs, growth, rates.rate_of(runs, self._reference, self.watch)[0], cluster)


def _prober(space: Space) -> Engine:
    """Return the engine that counts the first layers: packed positions or an encoding if they fit, or the reference."""
    able = (each for each in ENGINES if each.name in ("frontier", "encoded") and each.refuses(space, "depths") is None)
    return next(able, REFERENCE)


def _advice(found: Plan, table: bool, one_bit: bool = False) -> str:
    """Return what to do if the count does not fit the memory; '' if it fits."""
    if found.beyond:
        number = counted(int(found.positions.least))
        return f"{number} positions cannot be counted by any machine; a single position may still be solved"
    if found.where == "memory":
        return ""
    if found.vague:
        return "whether all positions fit is not known before the count; it ends when the memory is used up"
    number = counted(int(found.positions.most or found.positions.least))
    most = "" if found.positions.exact else "up to "
    need = f"{most}{number} positions need {sized(int(found.memory.most or found.memory.least))}"
    here = f"here are {sized(found.free)} of memory and {sized(found.room)} of disk for temporary files"
    if found.where == "files":
        if one_bit:
            files = f"the rest in temporary files of {sized(found.files)}"
            return f"{need}; {here}: it is counted with one bit a position in memory, {files}"
        how = "" if table else ", if a limit of memory is set"
        return f"{need}; {here}: it is counted in temporary files of {sized(found.files)}{how}"
    if not found.files:
        return f"{need}; {here}"
    room = sized((2 if table else 1) * found.files)
    how = "" if table or one_bit else " and the limit of memory to what is free here"
    return f"{need}; {here}: set TMPDIR to a folder with {room} free{how}"
