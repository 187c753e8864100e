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
from .pegs_board import CHAIN, SET
from .pegs_layers import Field, Layer, Pusher, Sieve
from .pegs_reach import Reach


class Ways:
    """All positions on ways of jumps from a start to goals of one number of pegs, of the start's class.

    task    what is to be known of each: SET nothing more, COUNT the ways on to the goals, CHAIN the moves left to them
    layers  for each number of pegs the positions on a way, up to symmetries that keep the start and the goals; no key
            where there is no way
    """

    def __init__(self, field: Field, start: int, goals: Sequence[int], task: int, watch: Watch) -> None:
        self.field = field
        self.start = start
        self.goals = goals
        self.task = task
        self.watch = watch
        self.top, self.end = start.bit_count(), goals[0].bit_count()
        self.layers: dict[int, Layer] = {}
        self._find()

    def _find(self) -> None:
        """Fill `layers`: from the middle down, then, with what is to be known, from the goals up."""
        middle = (self.top + self.end) // 2
        down, up = self._reached(middle)
        field, free = self.field, self.field.jumps.free
        met = np.sort(np.concatenate([field.least(each) for each in down.listed(middle, up)]))
        if not len(met):
            return
        known = {middle: Layer(met, np.empty((0, 2), np.uint64))}
        pusher = Pusher(field.ahead, SET, self.watch)
        for pegs in range(middle, self.end, -1):
            known[pegs - 1] = pusher.grow(known[pegs], Sieve(up.words, free, turned=True))
        pusher = Pusher(field.back, self.task, self.watch)
        layer = field.layer(self.goals, self.task)
        if not np.array_equal(layer.keys, known[self.end].keys):
            layer = _part(layer, known[self.end].keys)
        self.layers[self.end] = layer
        for pegs in range(self.end, self.top):
            if pegs < middle:
                layer = pusher.fill(layer, known[pegs + 1]) if self.task else known[pegs + 1]
            else:
                layer = pusher.grow(layer, Sieve(down.words, free))
            self.layers[pegs + 1] = layer
            self.watch.layer(pegs + 1 - self.end, len(layer.keys), self.classes)

    def _reached(self, middle: int) -> tuple[Reach, Reach]:
        """Return what jumps lead to from the start, and from the opposites of the goals, as far as the middle."""
        jumps, cells = self.field.jumps, len(self.field.jumps.order)
        others = [(1 << cells) - 1 ^ goal for goal in self.goals]
        down = Reach(jumps, [self.start], self.watch)
        up = down if others == [self.start] else Reach(jumps, others, self.watch)
        down.grow(self.watch, middle)
        up.grow(self.watch, cells - middle)
        return down, up

    @property
    def classes(self) -> int:
        """How many positions lie on a way, up to symmetry."""
        return sum(len(layer.keys) for layer in self.layers.values())

    @property
    def positions(self) -> int:
        """How many positions lie on a way."""
        return sum(int(self.field.sizes(layer.keys).sum()) for layer in self.layers.values())

    @property
    def number(self) -> int:
        """How many ways there are (task COUNT)."""
        if not self.layers:
            return 0
        low, high = self.layers[self.top].values[0]
        return int(low) + (int(high) << 64)

    @property
    def moves(self) -> int | None:
        """The fewest moves from the start to a goal (task CHAIN); None where there is no way."""
        return int(self.layers[self.top].values[0, 0]) if self.layers else None


def _part(layer: Layer, keys: np.ndarray) -> Layer:
    """Return the part of a layer that has these keys."""
    kept = np.isin(layer.keys, keys)
    return Layer(layer.keys[kept], layer.values[kept] if len(layer.values) else layer.values)


class Guide:
    """How many moves are left from a position on a way: its jumps, or the fewest chains of one peg's jumps."""

    def __init__(self, ways: Ways) -> None:
        self.field = ways.field
        self.end = ways.end
        self.layers = ways.layers
        self.chain = ways.task == CHAIN

    def left(self, position: bytes) -> int | None:
        """Return the moves left, or None off all ways."""
        word = self.field.jumps.word(position)
        layer = self.layers.get(word.bit_count())
        row = layer.row(min(self.field.images(word))) if layer else None
        if layer is None or row is None:
            return None
        return int(layer.values[row, 0]) if self.chain else word.bit_count() - self.end

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
