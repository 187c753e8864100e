"""Breadth-first search from both ends in plain Python, for any hashable positions (`search.layers.find`).

If the goals are not listed or moves cannot be undone, only the layers from the start are found. No NumPy and no kernel
is imported.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import Any

from ..contract.answers import Geodesics, Position
from ..contract.questions import Depths, Engine, Prospect, Search, Space, Worth
from ..limits.watch import GLANCE, Watch
from ..model.custom import explain
from ..search.encoding import Encoding, Layer, Words
from ..search.layers import find
from .shared.walk_back import walk_back


def refuses(space: Space, question: str) -> str | None:
    """Return why the engine cannot answer: it builds no depth tables, because it stops where the sides meet."""
    return None if question == "search" else "it searches for one solution and builds no depth table"


def worth(question: Depths | Search, prospect: Prospect) -> Worth:
    """Return that this engine starts at once if both sides can be expanded, or why only one can."""
    if not isinstance(question, Search) or question.goals is None:
        return Worth(reason="the goal positions are not listed one by one")
    return Worth.unless("some moves cannot be traced back" if question.space.backward is None else None)


class PlainLayers(Encoding):
    """Layers of any hashable positions: each position with those of the layer before from which it was found."""

    record = False

    def __init__(self, space: Space) -> None:
        self.space = space
        self.parents: dict[Hashable, list[Any]] = {}
        self.depth = 0

    def enter(self, positions: Sequence[Position]) -> Layer:
        self.parents = {position: [] for position in positions}
        return dict(self.parents)

    def following(self, layer: Layer, watch: Watch, bound: int) -> Layer:
        following: dict[Hashable, list[Any]] = {}
        parents, moves, glance = self.parents, self.space.moves, watch.thresholds[GLANCE]
        pending, position = 0, None
        try:
            for position in layer:
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
        self.depth += 1
        return following

    def size(self, layer: Layer) -> int:
        return len(layer)

    def pieces(self, layer: Layer) -> Iterator[Words]:
        yield list(layer)

    def leave(self, words: Words) -> Sequence[Position]:
        return words

    def met(self, layer: Layer) -> Words:
        return [position for position in layer if self.space.is_goal(position)]

    def common(self, layer: Layer, other: Encoding, there: Layer) -> Words:
        return list(layer.keys() & there.keys())

    def ways(self, met: Words, layers: Sequence[Layer], every: bool, watch: Watch) -> list[Words]:
        return [list(each) for each in reversed(walk_back(self.parents, met, self.depth))]


def search(question: Search, watch: Watch) -> Geodesics:
    """Find every position on a shortest solution."""
    space, backward = question.space, None
    if question.goals is not None and space.backward is not None:
        backward = PlainLayers(space.backward)
    return find(question, watch, PlainLayers(space), backward)


ENGINE = Engine("bidirectional", refuses, search=search, speed=2, worth=worth, lawful=True, arrays=False)
