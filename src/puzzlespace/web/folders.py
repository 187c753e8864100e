"""The distances of a puzzle in a folder, as a graph or as a depth table, with NumPy."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path

import numpy as np

from ..analysis.impossible import goal_positions
from ..api.questions import depths
from ..api.saved import open_table
from ..contract.answers import DepthTable, Layers
from ..contract.questions import Depths, Engine
from ..errors import UnsupportedError
from ..graph import explore
from ..graph.positions import Graph, explored
from ..limits.watch import Limits, Progress, Watch
from ..model.model import Model
from ..puzzle.puzzle import Puzzle
from ..tables.opened import BitTable
from .bounds import LISTED
from .wire import UNKNOWN

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
