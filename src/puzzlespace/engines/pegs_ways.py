"""From a start to goals by jumps: exactly the positions on some way between them, up to symmetry.

Jumps from the start down to a middle number of pegs, and jumps taken back from the goals up to it, meet in those
positions of the middle layer that lie on a way. From these alone the ways are followed up and down. Taking a jump back
is a jump with pegs and holes exchanged, so the goals' half is the same search on the other class.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..errors import LimitError
from ..model import Model
from ..result import Watch
from .pegs_layers import CHAIN, COUNT, OPEN, SET, Field, Layer, Pusher, Sieve
from .pegs_reach import Reach


class Ways:
    """All positions on ways of jumps from a start to goals of one number of pegs, of the start's class.

    layers  for each number of pegs the positions on a way, up to symmetries that keep the start and the goals; no key
            where there is no way
    """

    def __init__(self, field: Field, start: int, goals: Sequence[int], watch: Watch) -> None:
        self.field = field
        self.start = start
        self.goals = goals
        self.watch = watch
        self.top, self.end = start.bit_count(), goals[0].bit_count()
        self.layers: dict[int, Layer] = {}
        self._find()

    def _find(self) -> None:
        """Fill `layers`."""
        jumps, watch = self.field.jumps, self.watch
        middle = (self.top + self.end) // 2
        cells = len(jumps.order)
        others = [(1 << cells) - 1 ^ goal for goal in self.goals]
        down = Reach(jumps, [self.start], watch)
        up = down if others == [self.start] else Reach(jumps, others, watch)
        down.grow(watch, middle)
        up.grow(watch, cells - middle)
        self.from_start = Sieve(down.words, jumps.free)
        self.to_goal = Sieve(up.words, jumps.free, turned=True)
        found = [self.field.least(each, self.to_goal) for each in down.listed(middle)]
        met = np.sort(np.concatenate(found))
        if not len(met):
            return
        self.layers[middle] = Layer(met, np.empty((0, 2), np.uint64))
        pusher = Pusher(self.field.back, SET, watch)
        for pegs in range(middle, self.top):
            self.layers[pegs + 1] = pusher.grow(self.layers[pegs], self.from_start)
        pusher = Pusher(self.field.ahead, SET, watch)
        for pegs in range(middle, self.end, -1):
            self.layers[pegs - 1] = pusher.grow(self.layers[pegs], self.to_goal)
        self.middle = middle

    @property
    def classes(self) -> int:
        """How many positions lie on a way, up to symmetry."""
        return sum(len(layer.keys) for layer in self.layers.values())

    @property
    def positions(self) -> int:
        """How many positions lie on a way."""
        return sum(int(self.field.sizes(layer.keys).sum()) for layer in self.layers.values())

    def carried(self, task: int) -> dict[int, Layer]:
        """Return the layers with the values of a task carried up from the goals."""
        pusher = Pusher(self.field.back, task, self.watch)
        found = {self.end: self.field.layer(self.goals, task)}
        for pegs in range(self.end, self.top):
            sieve = self.from_start if pegs + 1 >= self.middle else OPEN
            found[pegs + 1] = pusher.fill(found[pegs], self.layers[pegs + 1], sieve)
            self.watch.layer(pegs + 1 - self.end, len(found[pegs + 1].keys), self.classes)
        return found

    def count(self) -> int:
        """Return how many ways of single jumps there are."""
        if not self.layers:
            return 0
        low, high = self.carried(COUNT)[self.top].values[0]
        return int(low) + (int(high) << 64)


class Guide:
    """How many moves are left from a position on a way: its jumps, or the fewest chains of one peg's jumps."""

    def __init__(self, ways: Ways) -> None:
        self.field = ways.field
        self.end = ways.end
        self.layers = ways.carried(CHAIN) if ways.field.jumps.chain and ways.layers else ways.layers

    def left(self, position: bytes) -> int | None:
        """Return the moves left, or None off all ways."""
        word = self.field.jumps.word(position)
        layer = self.layers.get(word.bit_count())
        row = layer.row(min(self.field.images(word))) if layer else None
        if layer is None or row is None:
            return None
        return int(layer.values[row, 0]) if self.field.jumps.chain else word.bit_count() - self.end

    def following(self, model: Model, position: bytes, left: int) -> list[bytes]:
        """Return the positions one move on from which one move less is left."""
        return [child for child in model.moves(position) if self.left(child) == left - 1]


def one_way(model: Model, guide: Guide, start: bytes) -> list[frozenset[bytes]]:
    """Return the shortest solution that is least in the order of positions, one position to a layer."""
    left = guide.left(start)
    assert left is not None
    path = [start]
    while left:
        path.append(min(guide.following(model, path[-1], left)))
        left -= 1
    return [frozenset({position}) for position in path]


def all_ways(model: Model, guide: Guide, start: bytes, most: int) -> list[frozenset[bytes]]:
    """Return all positions on shortest solutions, layer by layer; raise LimitError where there are more than `most`."""
    left = guide.left(start)
    assert left is not None
    layers = [frozenset({start})]
    held = 1
    while left:
        following = {child for position in layers[-1] for child in guide.following(model, position, left)}
        held += len(following)
        if held > most:
            raise LimitError("positions", f"more than {most:,} positions lie on shortest solutions")
        layers.append(frozenset(following))
        left -= 1
    return layers
