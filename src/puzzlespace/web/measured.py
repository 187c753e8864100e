"""Distances of all positions of a puzzle, saved in the shared folder: as a graph if small, else as a depth table."""

from __future__ import annotations

import hashlib
import json
import os
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from ..analysis.impossible import goal_positions, placement_bound
from ..api.planning.positions import positions
from ..api.questions import depths, solve
from ..api.saved import open_table, saving
from ..contract.answers import DepthTable, Layers
from ..contract.needs import estimated
from ..contract.questions import Depths, Engine
from ..errors import InputError, LimitError, TableError, UnsupportedError
from ..graph import explore
from ..graph.positions import Graph, explored
from ..limits.watch import Limits, Progress, Watch
from ..model.model import Model
from ..puzzle.puzzle import Puzzle
from ..tables.opened import BitTable
from .japanese import with_japanese
from .wire import UNKNOWN

SUMMARY = "summary.json"
"""Written last: a folder with this file is complete."""

FIRST = 400_000
"""Up to so many placements a graph is tried before a table; with blocks always, as few placements are reachable."""

AT_ONCE, AT_ONCE_SLOW = 10_000_000, 100_000
"""Up to so many positions, all are counted unasked; the second if their placements cannot be numbered."""

NUMBERED = 1_000_000_000
"""Up to so many placements are numbered, so that they are counted fast."""

RATE, RATE_SLOW = 3_000_000.0, 20_000.0
"""About how many positions are counted in a second on two processors; the second as above."""

LISTED = 60
"""The most hardest positions in the gallery, one of each class."""

Report = Callable[[Progress], None]


class GraphFolder:
    """A graph with the distance of every position, as arrays in files."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.names, self.order = (self._array(name) for name in ("names", "order"))
        self.distance = self._array("distance")

    def _array(self, name: str) -> np.ndarray:
        return np.load(self.folder / f"{name}.npy", mmap_mode="r", allow_pickle=False)

    @cached_property
    def graph(self) -> Graph:
        """The graph itself."""
        return Graph(
            self._array("symbols"), self._array("layers"), self._array("starts"), self._array("targets"), True
        )  # fmt: skip

    @classmethod
    def save(cls, folder: Path, graph: Graph, distance: np.ndarray) -> None:
        """Write a graph and the distances to the goal."""
        names = graph.symbols.view(f"S{graph.symbols.shape[1]}")[:, 0]
        order = np.argsort(names, kind="stable").astype(np.int32)
        arrays = {
            "names": names[order], "order": order, "distance": distance, "symbols": graph.symbols,
            "layers": graph.layers, "starts": graph.starts, "targets": graph.targets,
        }  # fmt: skip
        folder.mkdir(parents=True, exist_ok=True)
        for name, array in arrays.items():
            np.save(folder / f"{name}.npy", array, allow_pickle=False)

    def numbers(self, positions: Sequence[bytes]) -> np.ndarray:
        """Return the number of every position; -1 if it is not in the graph."""
        asked = np.array(list(positions), self.names.dtype)
        at = np.minimum(np.searchsorted(self.names, asked), len(self.names) - 1)
        return np.where(self.names[at] == asked, self.order[at], -1)

    def distances(self, positions: Sequence[bytes]) -> list[int | None]:
        """Return the moves to the goal; None if it cannot be reached, UNKNOWN outside the graph.

        No move leaves the graph, so it has every path from its positions to a goal. A position outside may have a path
        to a goal outside.
        """
        numbers = self.numbers(positions).tolist()
        found = [int(self.distance[number]) if number >= 0 else None for number in numbers]
        return [UNKNOWN if each is None else None if each < 0 else each for each in found]

    def near(self, positions: Sequence[bytes]) -> list[int | None]:
        """Return the moves to the goal of a position and of positions one move away from it, as `distances` does."""
        return self.distances(positions)

    def sample(self, depth: int, origin: str, hardest: Sequence[bytes]) -> bytes | None:
        """Return a random position of that depth, or None."""
        return self._some((self.distance if origin == "goal" else self._array("layers")) == depth)

    def any_but(self, position: bytes) -> bytes | None:
        """Return a random other position that can be solved and is not solved yet, or None."""
        wanted = self.distance > 0
        here = self.numbers([position])
        wanted[here[here >= 0]] = False
        return self._some(wanted)

    def _some(self, wanted: np.ndarray) -> bytes | None:
        among = np.flatnonzero(wanted)
        return self.graph.position(int(random.choice(among))) if len(among) else None


class TableFolder:
    """A saved depth table."""

    def __init__(self, folder: Path, puzzle: Puzzle, metric: str) -> None:
        self.table = open_table(puzzle, folder / "table", metric=metric)
        single = [goal.position for goal in puzzle.goals]
        self.outside = None if len(single) == 1 and None not in single else UNKNOWN

    def distances(self, positions: Sequence[bytes]) -> list[int | None]:
        """Return the moves to the goal; None if it cannot be reached, UNKNOWN if the table does not decide it.

        A table of several goals measures only to those that the start reaches. Positions of other components may reach
        other goals.
        """
        return [self.outside if each is None else each for each in self.table.distances(list(positions))]

    def near(self, positions: Sequence[bytes]) -> list[int | None]:
        """Return the moves to the goal of a position and of positions one move away from it.

        The depths of neighbours differ by at most one, so the table's depth mod 3 determines them.
        """
        if not isinstance(self.table, BitTable):
            return self.distances(positions)
        here = self.table.distance(positions[0])
        values = [self.table.value(position) for position in positions]
        if here is None:
            return [self.outside] * len(positions)
        return [here + (value - values[0] + 1) % 3 - 1 if value < 3 else None for value in values]

    def any_but(self, position: bytes) -> bytes | None:
        """Return None: positions are not listed."""
        return None

    def sample(self, depth: int, origin: str, hardest: Sequence[bytes]) -> bytes | None:
        """Return a position of that depth, on a shortest path from a random hardest position; None if there is none."""
        if not hardest:
            return None
        position = random.choice(hardest)
        for _ in range(len(self.table.counts) - 1 - depth):
            nearer = self.table.best(position)
            if not nearer:
                return None
            position = random.choice(nearer)
        return position


def key_of(*words: str) -> str:
    """Return the name of the folder for the distances of a puzzle in a metric."""
    return hashlib.sha256("\0".join(words).encode(errors="surrogatepass")).hexdigest()[:32]


def opened(folder: Path, puzzle: Puzzle, metric: str) -> GraphFolder | TableFolder | None:
    """Return the distances in a complete folder, if there are any, and mark the folder as used."""
    os.utime(folder)
    if (folder / "names.npy").exists():
        return GraphFolder(folder)
    return TableFolder(folder, puzzle, metric) if (folder / "table").exists() else None


def summary(folder: Path) -> dict[str, Any] | None:
    """Return the numbers saved in a folder; None if it is not complete."""
    path = folder / SUMMARY
    return json.loads(path.read_text()) if path.exists() else None


def measure(puzzle: Puzzle, model: Model, folder: Path, limits: Limits, report: Report, most: int) -> dict[str, Any]:
    """Compute all depths, save them in a folder, and return the numbers. Raises LimitError, UnsupportedError."""
    small = _bound(model) <= FIRST or model.shapes is not None or not model.reversible
    first, second = (_by_graph, _by_table) if small else (_by_table, _by_graph)
    try:
        table, lost = first(puzzle, model, folder, limits, report, most)
    except (InputError, UnsupportedError):
        table, lost = second(puzzle, model, folder, limits, report, most)
    if table.stopped is not None:
        raise table.stopped
    found = numbers(puzzle, table, lost)
    (folder / SUMMARY).write_text(json.dumps(found))
    return found


@dataclass(frozen=True)
class CountEstimate:
    """What counting all positions takes.

    positions  the number of positions, or only of placements unless it is `exact`; None if nothing is known
    seconds    for which it is counted unasked; 0: not at all
    """

    positions: int | None
    exact: bool
    rate: float
    seconds: float

    @property
    def fields(self) -> dict[str, Any]:
        """The fields of its JSON object, without a number that says little."""
        told = self.positions if self.exact or not self.seconds else None
        seconds = estimated(self.positions) / self.rate if self.exact and self.positions is not None else None
        return {"positions": told, "exact": self.exact, "seconds": seconds}


def estimate(puzzle: Puzzle, model: Model, brief: float, tried: float) -> CountEstimate:
    """Return what counting all positions takes, without counting.

    brief  seconds for counts that are known to be quick
    tried  seconds for others, if far fewer positions may be reached than there are placements
    """
    found = positions(puzzle, model)
    many = None if found.most is None else int(found.most)
    blocks, numbered = model.shapes is not None, _bound(model) <= NUMBERED
    loose = not found.exact and (blocks or not model.reversible)
    slow = loose or (blocks and not numbered)
    few = many is not None and many <= (AT_ONCE_SLOW if slow else AT_ONCE)
    seconds = brief if few else tried if loose and (blocks or numbered) else 0.0
    return CountEstimate(many, found.exact, RATE_SLOW if slow else RATE, seconds)


def _bound(model: Model) -> int:
    try:
        return placement_bound(model)
    except UnsupportedError:
        return 0


def _by_table(
    puzzle: Puzzle, model: Model, folder: Path, limits: Limits, report: Report, most: int
) -> tuple[DepthTable, int]:
    folder.mkdir(parents=True, exist_ok=True)
    name = model.metric.name
    told = not puzzle.goals or model.reversible  # otherwise depths are from the start, and not saved
    engine = saving(puzzle, folder / "table", metric=name) if told else "auto"
    try:
        table = depths(puzzle, metric=name, engine=engine, keep=LISTED, classes=True, limits=limits, progress=report)
    except TableError as error:
        raise LimitError("memory", "a table of all positions would need more room than there is") from error
    return table, 0


def _by_graph(
    puzzle: Puzzle, model: Model, folder: Path, limits: Limits, report: Report, most: int
) -> tuple[DepthTable, int]:
    graph = whole_graph(puzzle, model, most, limits, report)
    distance = graph.distances(graph.goals(model))
    GraphFolder.save(folder, graph, distance)
    return graph_table(puzzle, model, graph, limits, report), int((distance < 0).sum()) if model.goals else 0


def whole_graph(puzzle: Puzzle, model: Model, most: int, limits: Limits, report: Report | None = None) -> Graph:
    """Return the positions that the start reaches; without a start those of the goals, if moves can be undone.

    Raises UnsupportedError if there are more than `most`, or no such positions; LimitError.
    """
    if puzzle.start is None:
        sources = goal_positions(model) if model.reversible else None
        if not sources:  # the positions that lead to the goals count, not the positions that goals lead to
            raise UnsupportedError(f"{puzzle.name}: a graph of positions needs a start, or moves that can be undone")
        graph = explored(model, sources, most, Watch(limits, report))
    else:
        graph = explore(puzzle, metric=model.metric.name, most=most, limits=limits, progress=report)
    if not graph.complete:
        raise UnsupportedError(f"more than {most:,} positions, and no table of them can be kept")
    return graph


def graph_table(puzzle: Puzzle, model: Model, graph: Graph, limits: Limits, report: Report | None = None) -> DepthTable:
    """Return the depth table that a graph of all positions gives."""
    origin = "start" if puzzle.start is not None and not len(graph.goals(model)) else ""
    return depths(
        puzzle, origin=origin, metric=model.metric.name, engine=graph_engine(graph, model), keep=LISTED, classes=True,
        limits=limits, progress=report,
    )  # fmt: skip


def graph_engine(graph: Graph, model: Model) -> Engine:
    """Return an engine that answers depth questions from a graph: from the start, or if moves can be undone."""

    def layers(question: Depths, watch: Watch) -> Layers:
        known = [graph.numbers[source] for source in question.sources if source in graph.numbers]
        if len(known) < len(question.sources):
            raise UnsupportedError("this graph does not hold all positions to measure from")
        from_start = known == [0]
        depth = graph.from_start() if from_start else graph.distances(known)
        counts = tuple(np.bincount(depth[depth >= 0]).tolist())
        deepest = sorted(graph.position(int(v)) for v in np.flatnonzero(depth == len(counts) - 1))
        collected = ()
        if question.collect:
            collected = tuple((graph.position(int(v)), int(depth[v])) for v in graph.goals(model))
        return Layers(counts, tuple(deepest[: question.keep]), True, 0, watch.seconds, collected)

    return Engine("graph", lambda space, question: None, depths=layers, general=True, lawful=True)


def numbers(puzzle: Puzzle, table: DepthTable, lost: int) -> dict[str, Any]:
    """Return the numbers of a table, and the reason if the start cannot be solved."""
    reason = None
    if puzzle.start is not None and puzzle.goals:  # `solve` looks for reasons before it searches, which is not wanted
        reason = solve(puzzle, metric=table.metric, cache="off", limits=Limits(positions=1)).reason
    told = {
        "origin": table.origin,
        "metric": table.metric,
        "states": table.states,
        "depth": table.depth,
        "counts": list(table.counts),
        "hardest": [puzzle.id(position) for position in table.hardest],
        "hardest_count": table.counts[-1],
        "classes": table.classes,
        "lost": lost,
        "reason": reason.text if reason is not None else "",
        "seconds": round(table.seconds, 3),
    }
    return with_japanese(told, "reason")
