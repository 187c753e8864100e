"""How many positions searches must expand, from one end and from both, with lower bounds and without.

    python benchmarks/both_ends.py

Counts, not times: all distances are known from the whole graph, so for each question (a random start and the goal) the
least number of positions is counted that any search of its kind expands before a shortest solution is proved:

one end     breadth-first from the start: positions less than C moves away, C the length of a solution
both ends   breadth-first from both ends, divided at the best depth
bound       from the start, positions with depth + bound < C: A*, and at least so many for IDA*
both+bound  from both ends with a bound on each side, divided at the best depth: at least so many for MM and NBS

docs/methods/both-ends.md

Bounds are distances in quotients of the graph: positions in which the pieces of a group are at the same places are one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

import numpy as np

from puzzlespace.api.loader import load
from puzzlespace.engines.deepening import listed
from puzzlespace.graph.positions import Graph, explored
from puzzlespace.limits.watch import Watch
from puzzlespace.model.model import Model

QUESTIONS = 20
Bound = Callable[[int], np.ndarray]
"""The bound of all positions to a goal, by its number."""


@dataclass(frozen=True)
class Case:
    """A puzzle, and the names and makers of its bounds."""

    spec: str
    bounds: dict[str, Callable[[Model, Graph], Bound]]


def quotient(graph: Graph, labels: np.ndarray) -> Bound:
    """Return the distances of the classes of positions."""
    origins = np.repeat(np.arange(len(graph)), np.diff(graph.starts))
    count = int(labels.max()) + 1
    pairs = np.unique(labels[origins] * count + labels[graph.targets])
    ends, there = pairs // count, pairs % count
    starts = np.concatenate([[0], np.cumsum(np.bincount(ends, minlength=count))]).astype(np.int64)
    whole = Graph(np.zeros((count, 1), np.uint8), np.zeros(count, np.int32), starts, there.astype(np.int32), True)
    return lambda goal: whole.distances([int(labels[goal])])[labels]


def greatest(bounds: Sequence[Bound]) -> Bound:
    return lambda goal: np.max([bound(goal) for bound in bounds], axis=0)


def added(bounds: Sequence[Bound]) -> Bound:
    return lambda goal: np.sum([bound(goal) for bound in bounds], axis=0)


def pieces(*groups: Sequence[int]) -> Callable[[Model, Graph], Bound]:
    """The greatest of the distances of some groups of symbols, as in tables of pieces."""

    def make(model: Model, graph: Graph) -> Bound:
        found = []
        for group in groups:
            shown = np.where(np.isin(graph.symbols, group), graph.symbols, 255)
            found.append(quotient(graph, np.unique(shown, axis=0, return_inverse=True)[1].ravel()))
        return greatest(found)

    return make


def cells(
    *groups: Sequence[int], joined: Callable[[Sequence[Bound]], Bound] = greatest
) -> Callable[[Model, Graph], Bound]:
    """The distances of what some groups of cells show."""

    def make(model: Model, graph: Graph) -> Bound:
        parts = [np.unique(graph.symbols[:, group], axis=0, return_inverse=True)[1].ravel() for group in groups]
        return joined([quotient(graph, part) for part in parts])

    return make


def adjacency(model: Model, graph: Graph) -> Bound:
    """The bound of adjacent pairs."""

    def bound(goal: int) -> np.ndarray:
        found = listed.read(model, (graph.position(goal),), 0)
        assert not isinstance(found, str)
        return np.array([found.bound.bound(graph.position(number)) for number in range(len(graph))])

    return bound


def counts(depths: np.ndarray, bounds: np.ndarray, length: int) -> np.ndarray:
    """Return how many positions of each depth have depth + bound < length."""
    chosen = (depths >= 0) & (depths + bounds < length)
    return np.bincount(depths[chosen], minlength=length + 1)


def cover(ahead: np.ndarray, behind: np.ndarray, length: int) -> int:
    """Return the least number of positions expanded from both ends before a length is proved; all moves cost 1.

    A pair of a position at depth i from the start and one at depth j from the goal excludes nothing shorter while
    i + j + 1 < length, so one of both is expanded: all to depth t - 1 on one side, and to length - 2 - t on the other.
    """
    return min(int(ahead[:first].sum() + behind[: length - 1 - first].sum()) for first in range(length))


THREE = pieces(range(3), range(3, 6), range(6, 9))
FIVE = pieces(range(5), range(4, 9))
CASES = (
    Case("pancake:8", {"gap": adjacency, "4-4 pieces": pieces(range(4), range(4, 8))}),
    Case("topspin:9,4", {"3-3-3 pieces": THREE, "5-5 pieces": FIVE}),
    Case("lrx:9", {"3-3-3 pieces": THREE, "5-5 pieces": FIVE}),
    Case("hanoi:4,8", {"5 largest": cells(range(3, 8)), "5+3 disks": cells(range(3, 8), range(3), joined=added)}),
    Case("eight", {"4-4 pieces": pieces(range(1, 5), range(5, 9))}),
)
HEADS = "positions", "length", "bound", "one end", "both ends", "bound", "both+bound"


def main() -> int:
    heads = "".join(
        f"{head:>11}" for head in ("positions", "length", "bound", "one end", "both ends", "bound", "both+bound")
    )
    print(f"{'puzzle':<13}{'bound':<13}{heads}")
    for case in CASES:
        model = load(case.spec).model()
        goal = model.goals[0].position
        assert goal is not None
        graph = explored(model, (goal,), 1 << 24, Watch())
        for name, make in case.bounds.items():
            bound, random = make(model, graph), Random(1)
            far, rows = bound(0), []
            for _ in range(QUESTIONS):
                start = random.randrange(1, len(graph))
                length = int(graph.layers[start])
                there, back = graph.distances([start]), bound(start)
                assert (far <= graph.layers).all()
                assert (back <= there).all()
                none = np.zeros_like(there)
                blind, bounded = (
                    (counts(there, ahead, length), counts(graph.layers, behind, length))
                    for ahead, behind in ((none, none), (far, back))
                )
                found = (blind[0].sum(), cover(*blind, length), bounded[0].sum(), cover(*bounded, length))
                rows.append((length, far[start], *found))
            mean = np.mean(rows, axis=0)
            shown = "".join(f"{each:>11.1f}" for each in mean[:2]) + "".join(f"{each:>11,.0f}" for each in mean[2:])
            print(f"{case.spec:<13}{name:<13}{len(graph):>11,}{shown}", flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
