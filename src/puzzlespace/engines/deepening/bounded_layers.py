"""Breadth-first layers that keep only what a lower bound leaves possible, with a growing bound on the length.

In a space with many ways to the same position a depth-first search comes back to it again and again. Layers with
duplicates removed do not; a position at depth g is dropped if g and the lower bound from it together pass the allowed
length. The allowed length may pass the optimum: the first layer with a goal still is the shortest, because every
position on a shortest solution is kept (Zhou & Hansen 2006, Breadth-first heuristic search, Artificial Intelligence
170).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from ...contract.answers import Geodesics
from ...contract.questions import Search
from ...limits.watch import GLANCE, Watch
from ..shared.walk_back import walk_back
from .iterations import Layers, deepen

Bound = Callable[[bytes], int]


def search(question: Search, bound: Bound, watch: Watch) -> Geodesics:
    """Return every position on a shortest solution, or the length proved when a limit stopped the search."""
    return deepen(BoundedLayers(question, bound), watch)


@dataclass
class BoundedLayers:
    """The rounds of one question.

    bounds  the lower bounds computed so far
    """

    question: Search
    bound: Bound
    bounds: dict[bytes, int] = field(default_factory=dict)
    doubling = True

    @property
    def least(self) -> int:
        return self.bound(self.question.start)

    def look(self, length: int, watch: Watch) -> tuple[Layers, int | None]:
        moves, is_goal, bounds = self.question.space.moves, self.question.space.is_goal, self.bounds
        parents: dict[bytes, list[Any]] = {self.question.start: []}
        layer: list[Any] = [self.question.start]
        least: int | None = None
        glance = watch.thresholds[GLANCE]
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
                            bounds[child] = self.bound(child)
                        total = depth + bounds[child]
                        if total <= length:
                            following[child] = [position]
                        elif least is None or total < least:
                            least = total
                if pending >= glance:
                    watch.tick(pending)
                    pending = 0
            watch.tick(pending)
            parents.update(following)
            layer = list(following)
        return (), least
