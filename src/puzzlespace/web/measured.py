"""Distances of all positions of a puzzle, kept on the shelf: as a graph where that is small, else as a depth table."""

from __future__ import annotations

import hashlib
import json
import os
import random
from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from .. import depths, open_table, saving
from ..analysis import placement_bound
from ..errors import InputError, LimitError, UnsupportedError
from ..graph import explore
from ..graph.positions import Graph
from ..model import Model
from ..puzzle import Puzzle
from ..result import Depths, DepthTable, Engine, Layers, Limits, Progress, Watch

SUMMARY = "summary.json"
"""Written last: a folder with it is whole."""

FIRST = 400_000
"""Up to so many placements a graph is tried before a table."""

LISTED = 60
"""Hardest positions that are kept for the gallery, one of each class."""

Report = Callable[[Progress], None]


class GraphFolder:
    """A graph with the distance of every position, as arrays in files."""

    kind = "graph"

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
        """Return the number of every position; -1 for those that are not there."""
        asked = np.array(list(positions), self.names.dtype)
        at = np.minimum(np.searchsorted(self.names, asked), len(self.names) - 1)
        return np.where(self.names[at] == asked, self.order[at], -1)

    def distances(self, positions: Sequence[bytes]) -> list[int | None]:
        """Return the moves to the goal; None where it cannot be reached."""
        numbers = self.numbers(positions)
        found = np.where(numbers >= 0, self.distance[numbers], -1)
        return [None if each < 0 else int(each) for each in found]

    def sample(self, depth: int, origin: str, hardest: Sequence[bytes]) -> bytes | None:
        """Return some position of that depth."""
        among = np.flatnonzero((self.distance if origin == "goal" else self._array("layers")) == depth)
        return self.graph.position(int(random.choice(among))) if len(among) else None


class TableFolder:
    """A kept depth table."""

    kind = "table"

    def __init__(self, folder: Path, puzzle: Puzzle, metric: str) -> None:
        self.table = open_table(puzzle, folder / "table", metric=metric)

    def distances(self, positions: Sequence[bytes]) -> list[int | None]:
        """Return the moves to the goal; None where it cannot be reached."""
        return self.table.distances(list(positions))

    def sample(self, depth: int, origin: str, hardest: Sequence[bytes]) -> bytes | None:
        """Return a position of that depth: one on a shortest way down from one of the hardest."""
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
    """Return the name of the folder that keeps what is known of a puzzle in a metric."""
    return hashlib.sha256("\0".join(words).encode(errors="surrogatepass")).hexdigest()[:32]


def opened(folder: Path, puzzle: Puzzle, metric: str) -> GraphFolder | TableFolder:
    """Return what is kept in a whole folder, and note that it was used."""
    os.utime(folder)
    return GraphFolder(folder) if (folder / "names.npy").exists() else TableFolder(folder, puzzle, metric)


def summary(folder: Path) -> dict[str, Any] | None:
    """Return the numbers kept in a folder; None where there is nothing whole."""
    path = folder / SUMMARY
    return json.loads(path.read_text()) if path.exists() else None


def measure(puzzle: Puzzle, model: Model, folder: Path, limits: Limits, report: Report, most: int) -> dict[str, Any]:
    """Work out all depths, keep them in a folder, and return the numbers. Raises LimitError, UnsupportedError."""
    small = _bound(model) <= FIRST or not model.reversible
    ways = (_by_graph, _by_table) if small else (_by_table, _by_graph)
    for number, way in enumerate(ways):
        try:
            table, lost = way(puzzle, model, folder, limits, report, most)
            break
        except (InputError, UnsupportedError):
            if number:
                raise
    else:
        raise AssertionError
    if table.stopped is not None:
        raise table.stopped
    found = _numbers(puzzle, table, lost)
    (folder / SUMMARY).write_text(json.dumps(found))
    return found


def _bound(model: Model) -> int:
    try:
        return placement_bound(model)
    except UnsupportedError:
        return 0


def _by_table(
    puzzle: Puzzle, model: Model, folder: Path, limits: Limits, report: Report, most: int
) -> tuple[DepthTable, int]:
    if puzzle.goals and not model.reversible:
        raise UnsupportedError("not every move can be undone: a table would not tell how far the goal is")
    folder.mkdir(parents=True, exist_ok=True)
    engine = saving(puzzle, folder / "table")
    name = model.metric.name
    return depths(puzzle, metric=name, engine=engine, keep=LISTED, classes=True, limits=limits, progress=report), 0


def _by_graph(
    puzzle: Puzzle, model: Model, folder: Path, limits: Limits, report: Report, most: int
) -> tuple[DepthTable, int]:
    name = model.metric.name
    graph = explore(puzzle, metric=name, most=most, limits=limits, progress=report)
    if not graph.complete:
        raise LimitError("positions", f"more than {most:,} positions, and no table of them can be kept")
    distance = graph.distances(graph.goals(model))
    GraphFolder.save(folder, graph, distance)
    table = depths(puzzle, metric=name, engine=graph_engine(graph, model), keep=LISTED, classes=True, limits=limits)
    return table, int((distance < 0).sum()) if model.goals else 0


def graph_engine(graph: Graph, model: Model) -> Engine:
    """Return the engine that answers depth questions about a model whose moves can be undone, or from the start."""

    def layers(question: Depths, watch: Watch) -> Layers:
        known = [graph.numbers[source] for source in question.sources if source in graph.numbers]
        if not known:
            raise UnsupportedError("the goal cannot be reached from the start")
        from_start = known == [0]
        depth = graph.layers if from_start else graph.distances(known)
        counts = tuple(np.bincount(depth[depth >= 0]).tolist())
        deepest = sorted(graph.position(int(v)) for v in np.flatnonzero(depth == len(counts) - 1))
        collected = ()
        if question.collect:
            collected = tuple((graph.position(int(v)), int(depth[v])) for v in graph.goals(model))
        return Layers(counts, tuple(deepest[: question.keep]), True, 0, watch.seconds, collected)

    return Engine("graph", lambda space, question: None, depths=layers)


def _numbers(puzzle: Puzzle, table: DepthTable, lost: int) -> dict[str, Any]:
    return {
        "origin": table.origin,
        "metric": table.metric,
        "states": table.states,
        "depth": table.depth,
        "counts": list(table.counts),
        "hardest": [puzzle.id(position) for position in table.hardest],
        "hardest_count": table.counts[-1],
        "classes": table.classes,
        "lost": lost,
        "seconds": round(table.seconds, 3),
    }
