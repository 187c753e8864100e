"""Breadth-first search from both ends: the side with the smaller layer is expanded next, until the sides meet.

If the last layers of both sides, at depths i and j, have no common position, no solution has i + j moves or fewer. So
the first meeting is a shortest solution (Pohl 1971, "Bi-directional search", Machine Intelligence 6). If the goals are
not listed or moves cannot be undone, only the forward side is expanded. The engine works on any hashable positions and
imports no kernel.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Any

from ..contract.answers import Geodesics
from ..contract.questions import Depths, Engine, Prospect, Search, Space, Worth
from ..errors import LimitError
from ..limits.watch import GLANCE, Watch
from ..model.custom import explain
from .shared.walk_back import walk_back


def refuses(space: Space, question: str) -> str | None:
    """Return why the engine cannot answer: it builds no depth tables, because it stops where the sides meet."""
    return None if question == "search" else "it searches for one solution and builds no depth table"


def worth(question: Depths | Search, prospect: Prospect) -> Worth:
    """Return that this engine starts at once if both sides can be expanded, or why only one can."""
    if not isinstance(question, Search) or question.goals is None:
        return Worth(reason="the goal positions are not listed one by one")
    return Worth.unless("some moves cannot be traced back" if question.space.backward is None else None)


class _Side:
    """Layers from one end: `parents` of all positions found, the last `layer`, and its number `depth`."""

    def __init__(self, space: Space, ends: Iterable[Hashable]) -> None:
        self.space = space
        self.layer: dict[Hashable, list[Any]] = {position: [] for position in ends}
        self.parents = dict(self.layer)
        self.depth = 0

    def grow(self, watch: Watch, bound: int) -> None:
        """Replace the layer by the next one; raise LimitError with `bound` at a limit."""
        following: dict[Hashable, list[Any]] = {}
        parents, moves, glance = self.parents, self.space.moves, watch.thresholds[GLANCE]
        pending, position = 0, None
        try:
            for position in self.layer:
                for child in moves(position):
                    pending += 1
                    if child in following:
                        following[child].append(position)
                    elif child not in parents:
                        following[child] = [position]
                    if pending >= glance:  # a function may yield children without end
                        watch.tick(pending, bound)
                        pending = 0
        except TypeError:
            explain(self.space, position)
            raise
        watch.tick(pending, bound)
        parents.update(following)
        self.layer = following
        self.depth += 1

    def ways(self, met: frozenset[Hashable]) -> tuple[frozenset[Hashable], ...]:
        """Return the ancestors of `met`, from this side's end to `met` itself, one set per depth."""
        return walk_back(self.parents, met, self.depth)


def search(question: Search, watch: Watch) -> Geodesics:
    """Find every position on a shortest solution."""
    space = question.space
    forward = _Side(space, [question.start])
    backward = None
    if question.goals is not None and space.backward is not None:
        backward = _Side(space.backward, question.goals)
    try:
        return _meet(forward, backward, space.is_goal, watch)
    except LimitError as error:
        bound = forward.depth + (backward.depth if backward else 0) + 1
        return Geodesics((), watch.generated, watch.seconds, bound, error)


def _meet(forward: _Side, backward: _Side | None, is_goal: Callable[[Any], bool], watch: Watch) -> Geodesics:
    """Expand the sides until they meet or one has no next layer; without `backward` until a goal is reached."""
    while True:
        if backward is None:
            met = frozenset(position for position in forward.layer if is_goal(position))
        else:
            met = frozenset(forward.layer.keys() & backward.layer.keys())
        depth = forward.depth + (backward.depth if backward else 0)
        if met:
            beyond = backward.ways(met)[-2::-1] if backward else ()
            return Geodesics((*forward.ways(met), *beyond), watch.generated, watch.seconds, depth)
        side = backward if backward and len(backward.layer) < len(forward.layer) else forward
        if not side.layer:
            return Geodesics((), watch.generated, watch.seconds)
        watch.layer(depth, len(side.layer), len(forward.parents) + (len(backward.parents) if backward else 0))
        watch.known.prove(depth + 1)
        side.grow(watch, depth + 1)


ENGINE = Engine("bidirectional", refuses, search=search, speed=2, worth=worth, lawful=True, arrays=False)
