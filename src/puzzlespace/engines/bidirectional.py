"""Breadth-first search from both ends: the side with the smaller layer grows next, until the sides meet.

Layers 0 to i from the start and 0 to j from the goals prove that i + j moves do not suffice while no position of the
last forward layer lies in the last backward layer; the first meeting is therefore a shortest solution (Pohl 1971,
"Bi-directional search", Machine Intelligence 6). Works on anything hashable; imports no kernel.
Where the goals are not listed or moves cannot be undone, only the forward side grows.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Any

from ..contract.answers import Geodesics
from ..contract.questions import Depths, Engine, Prospect, Search, Space, Worth
from ..errors import LimitError
from ..limits.watch import Watch

EVERY = 4096
"""Limits are looked at once in so many generated positions."""


def refuses(space: Space, question: str) -> str | None:
    """Return why it cannot answer: it counts no layers beyond the meeting, so depth tables are not for it."""
    return None if question == "search" else "it searches for one solution and builds no depth table"


def worth(question: Depths | Search, prospect: Prospect) -> Worth:
    """Return 0 if there are two sides to grow, or why there is only one."""
    if not isinstance(question, Search) or question.goals is None:
        return "the goal positions are not listed one by one"
    return "some moves cannot be traced back" if question.space.backward is None else 0


class _Side:
    """Layers grown from one end: `parents` of everything found, `layer` the last one, `depth` its number."""

    def __init__(self, moves: Callable[[Any], Iterable[Any]], ends: Iterable[Hashable]) -> None:
        self.moves = moves
        self.layer: dict[Hashable, list[Any]] = {position: [] for position in ends}
        self.parents = dict(self.layer)
        self.depth = 0

    def grow(self, watch: Watch, bound: int) -> None:
        """Replace the layer by the next one; raise LimitError with `bound` where a limit is passed."""
        following: dict[Hashable, list[Any]] = {}
        parents, moves = self.parents, self.moves
        pending = 0
        for position in self.layer:
            for child in moves(position):
                pending += 1
                if child in following:
                    following[child].append(position)
                elif child not in parents:
                    following[child] = [position]
            if pending >= EVERY:
                watch.tick(pending, bound)
                pending = 0
        watch.tick(pending, bound)
        parents.update(following)
        self.layer = following
        self.depth += 1

    def ways(self, met: frozenset[Hashable]) -> list[frozenset[Hashable]]:
        """Return `met` and its ancestors, one set per depth, down to this side's end."""
        layers = [met]
        for _ in range(self.depth):
            layers.append(frozenset(parent for position in layers[-1] for parent in self.parents[position]))
        return layers


def search(question: Search, watch: Watch) -> Geodesics:
    """Find every position on a shortest way from the start to a goal."""
    space = question.space
    forward = _Side(space.moves, [question.start])
    backward = None
    if question.goals is not None and space.backward is not None:
        backward = _Side(space.backward.moves, question.goals)
    try:
        return _meet(forward, backward, space.is_goal, watch)
    except LimitError as error:
        bound = forward.depth + (backward.depth if backward else 0) + 1
        return Geodesics((), watch.generated, watch.seconds, bound, error)


def _meet(forward: _Side, backward: _Side | None, is_goal: Callable[[Any], bool], watch: Watch) -> Geodesics:
    """Grow the sides until they meet or one has nothing left; without `backward` until a goal is reached."""
    while True:
        if backward is None:
            met = frozenset(position for position in forward.layer if is_goal(position))
        else:
            met = frozenset(forward.layer.keys() & backward.layer.keys())
        depth = forward.depth + (backward.depth if backward else 0)
        if met:
            beyond = backward.ways(met)[1:] if backward else []
            return Geodesics((*forward.ways(met)[::-1], *beyond), watch.generated, watch.seconds, depth)
        side = backward if backward and len(backward.layer) < len(forward.layer) else forward
        if not side.layer:
            return Geodesics((), watch.generated, watch.seconds)
        watch.layer(depth, len(side.layer), len(forward.parents) + (len(backward.parents) if backward else 0))
        side.grow(watch, depth + 1)


ENGINE = Engine("bidirectional", refuses, search=search, speed=2, worth=worth)
