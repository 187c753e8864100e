"""The exact distance of every position to the goal, and draws from the positions at a distance."""

from __future__ import annotations

import math
import shutil
import tempfile
import weakref
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from ..analysis.impossible import few_goals
from ..errors import InputError, UnsupportedError
from ..limits.watch import Limits, Watch, answering, phase
from ..model.model import Model
from ..puzzle.puzzle import Puzzle
from . import saved
from .measuring import measured

if TYPE_CHECKING:
    from numpy.random import Generator

    from ..graph.positions import Graph
    from ..tables.opened import BitTable
    from ..tables.runs_opened import RunTable

MOST_GRAPH = 200_000
"""The most positions of a puzzle whose moves cannot be undone, or have costs: they are listed in memory."""

MOST_LAYER = 1 << 20
"""A layer of a table with up to so many positions is listed once; from larger ones POOL positions are drawn at once."""

POOL = 1024


class ExactDistances(Protocol):
    """The distances of all positions that are drawn from.

    counts  the number of positions at each distance
    """

    counts: dict[int, int]

    def distance(self, position: bytes) -> int | None:
        """Return the distance to the nearest goal; None if no goal can be reached."""
        ...

    def draw(self, depth: int, chance: Generator) -> bytes:
        """Return a position at this distance; all of them have the same chance."""
        ...


def exact_distances(
    puzzle: Puzzle, model: Model, table: str | Path | None = None, limits: Limits = Limits()
) -> ExactDistances:
    """Return the distances of a puzzle: from a depth table if every move can be undone, else from a list of positions.

    table  the folder of a finished table to the goal, which is used instead; without it a table is counted into a
           folder that is removed at the end of the program
    Raises UnsupportedError if neither can be made, LimitError at a limit, TableError for another table.
    """
    if not model.goals:
        raise InputError(f"{puzzle.name}: expected a goal to measure to, found none")
    watch = answering(limits)
    if table is not None:
        return TableDistances(_opened(puzzle, model, Path(table)))
    metric = model.metric
    if model.reversible and not (metric.costs or metric.free or metric.exhausts or metric.automatic):
        with suppress(UnsupportedError):
            return _counted(puzzle, model, watch)
    return ListedDistances.of(puzzle, model, watch)


def _counted(puzzle: Puzzle, model: Model, watch: Watch) -> TableDistances:
    """Return the distances from a table that is counted now, into a folder that is removed with them."""
    folder = Path(tempfile.mkdtemp(prefix="puzzlespace-"))
    try:
        engine = saved.saving(puzzle, folder / "table", metric=model.metric.name, every=math.inf)
        found = measured(puzzle, model, "goal", 0, watch, engine)
        if found.stopped is not None:
            raise found.stopped
        distances = TableDistances(_opened(puzzle, model, folder / "table"))
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    weakref.finalize(distances, shutil.rmtree, folder, True)
    return distances


def _opened(puzzle: Puzzle, model: Model, folder: Path) -> BitTable | RunTable:
    """Return the table in a folder; raise InputError unless it measures to the goal."""
    origin = saved.kept(folder).origin
    if origin != "goal":
        raise InputError(f"{folder}: expected a table to the goal, found one from the {origin}")
    return saved.open_table(puzzle, folder, metric=model.metric.name)


class TableDistances:
    """Distances from a depth table on disk."""

    def __init__(self, table: BitTable | RunTable) -> None:
        self.table = table
        self.counts = dict(enumerate(table.counts))
        self._layers: dict[int, Sequence[bytes]] = {}
        self._pools: dict[int, tuple[Generator, list[bytes]]] = {}

    def distance(self, position: bytes) -> int | None:
        return self.table.distance(position)

    def draw(self, depth: int, chance: Generator) -> bytes:
        if self.counts[depth] > MOST_LAYER:
            owner, pool = self._pools.get(depth, (None, []))
            if owner is not chance or not pool:  # another source of chance must not get what an earlier one left
                pool = list(self.table.sample(depth, POOL, int(chance.integers(1 << 62))))
                self._pools[depth] = chance, pool
            return pool.pop()
        if depth not in self._layers:
            self._layers[depth] = [row.tobytes() for row in self.table.layer(depth)]
        layer = self._layers[depth]
        return layer[int(chance.integers(len(layer)))]


class ListedDistances:
    """Distances of positions that are all listed in memory."""

    def __init__(self, graph: Graph, goals: Sequence[int]) -> None:
        import numpy as np

        self.graph = graph
        self.distances = graph.distances(goals)
        depths, counts = np.unique(self.distances[self.distances >= 0], return_counts=True)
        self.counts = dict(zip(depths.tolist(), counts.tolist(), strict=True))

    @classmethod
    def of(cls, puzzle: Puzzle, model: Model, watch: Watch) -> ListedDistances:
        """Return the distances of all positions that the start reaches; without a start, that the goals reach."""
        from ..graph.positions import explored

        sources = (model.start,) if model.start is not None else few_goals(model) or ()
        if not sources:
            raise UnsupportedError(f"{puzzle.name}: expected a start, or goal positions that can be listed, found none")
        with phase("the positions were listed"):
            graph = explored(model, sources, MOST_GRAPH, watch)
        if not graph.complete:
            raise UnsupportedError(
                f"{puzzle.name}: it has more than {MOST_GRAPH:,} positions, and no depth table of it can be made"
            )
        goals = graph.goals(model)
        if not len(goals):
            raise UnsupportedError(f"{puzzle.name}: expected a goal that can be reached, found none")
        return cls(graph, goals.tolist())

    def distance(self, position: bytes) -> int | None:
        number = self.graph.numbers.get(position)
        found = -1 if number is None else int(self.distances[number])
        return None if found < 0 else found

    def draw(self, depth: int, chance: Generator) -> bytes:
        import numpy as np

        there = np.flatnonzero(self.distances == depth)
        return self.graph.position(int(there[int(chance.integers(len(there)))]))
