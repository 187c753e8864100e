"""Breadth-first layers that keep only what a lower bound leaves possible, with a growing bound on the length.

In a space with many ways to the same position a depth-first search comes back to it again and again. Layers with
duplicates removed do not; a position at depth g is dropped where g and the lower bound from it pass the allowed
length. The allowed length may pass the optimum: the first layer with a goal still is the shortest, as every position
on a shortest solution is kept (Zhou & Hansen 2006, Breadth-first heuristic search, Artificial Intelligence 170). It
grows by doubling steps, so that all rounds together cost little more than the last.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

from ...contract.answers import Geodesics
from ...contract.questions import Search
from ...errors import LimitError
from ...limits.watch import Watch
from ...model.model import Model
from ..shared.walk_back import walk_back

Bound = Callable[[bytes], int]


def search(question: Search, bound: Bound, watch: Watch) -> Geodesics:
    """Find every position on a shortest way from the start to a goal."""
    assert isinstance(question.space, Model)
    bounds: dict[bytes, int] = {}
    length, step = bound(question.start), 1
    proved = length
    try:
        while True:
            layers, least = _round(question, length, bound, bounds, watch)
            if layers is not None:
                return Geodesics(layers, watch.generated, watch.seconds, len(layers) - 1)
            if least is None:
                return Geodesics((), watch.generated, watch.seconds)
            proved = max(proved, least)
            length, step = max(least, length + step), 2 * step
    except LimitError as error:
        return Geodesics((), watch.generated, watch.seconds, proved, error)


def _round(
    question: Search, length: int, bound: Bound, bounds: dict[bytes, int], watch: Watch
) -> tuple[tuple[frozenset[Hashable], ...] | None, int | None]:
    """Return the layers of shortest solutions of at most this length, else None and the least length left open.

    bounds  (in/out)  the lower bounds worked out so far
    """
    moves, is_goal = question.space.moves, question.space.is_goal
    parents: dict[bytes, list[Any]] = {question.start: []}
    layer: list[Any] = [question.start]
    least: int | None = None
    depth = 0
    while layer:
        reached = [position for position in layer if is_goal(position)]
        if reached:
            return walk_back(parents, reached, depth), None  # type: ignore[arg-type]
        watch.layer(depth, len(layer), len(parents))
        depth += 1
        following: dict[bytes, list[Any]] = {}
        pending = 0
        for position in layer:
            for child in moves(position):
                pending += 1
                if child in following:
                    following[child].append(position)
                elif child not in parents:
                    if child not in bounds:
                        bounds[child] = bound(child)
                    total = depth + bounds[child]
                    if total <= length:
                        following[child] = [position]
                    elif least is None or total < least:
                        least = total
            if pending >= watch.thresholds.glance:
                watch.tick(pending)
                pending = 0
        watch.tick(pending)
        parents.update(following)
        layer = list(following)
    return None, least
