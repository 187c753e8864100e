"""From a start to goals by jumps: exactly the positions on some way between them, up to symmetry.

Jumps from the start down to a middle number of pegs, and jumps taken back from the goals up to it, meet in those
positions of the middle layer that lie on a way. From these alone the ways are followed up and down. Taking a jump back
is a jump with pegs and holes exchanged, so the goals' half is the same search on the other class.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..errors import LimitError
from ..model import Model
from ..result import Watch
from .pegs_board import CHAIN, SET
from .pegs_layers import Field, Layer, Pusher, Sieve
from .pegs_reach import Reach


@dataclass(frozen=True)
class Ends:
    """A start, and goals of one number of pegs, all of the start's class, as words."""

    start: int
    goals: tuple[int, ...]


class Ways:
    """All positions on ways of jumps between the ends.

    task    what is to be known of each: SET nothing more, COUNT the ways on to the goals, CHAIN the moves left to them
    turned  whether it shall be known from the start instead: the ways from it, the moves made
    layers  for each number of pegs the positions on a way, up to symmetries that keep the start and the goals; no key
            where there is no way
    """

    def __init__(self, field: Field, ends: Ends, task: int, watch: Watch, turned: bool = False) -> None:
        self.field = field
        self.task = task
        self.watch = watch
        self.turned = turned
        self.top, self.end = ends.start.bit_count(), ends.goals[0].bit_count()
        self.layers: dict[int, Layer] = {}
        self._find(ends)

    def _find(self, ends: Ends) -> None:
        """Fill `layers`: from the middle to one end; then, with what is to be known, from that end to the other."""
        middle = (self.top + self.end) // 2
        down, up = self._reached(ends, middle)
        field, free = self.field, self.field.jumps.free
        met = np.sort(np.concatenate([field.least(each) for each in down.listed(middle, up)]))
        if not len(met):
            return
        sieves = Sieve(down.words, free), Sieve(up.words, free, turned=True)
        boards, begun, first, step = (field.back, field.ahead), ends.goals, self.end, 1
        if self.turned:
            sieves, boards, begun, first, step = sieves[::-1], boards[::-1], (ends.start,), self.top, -1
        known = {middle: Layer(met, np.empty((0, 2), np.uint64))}
        pusher = Pusher(boards[1], SET, self.watch)
        for pegs in range(middle, first, -step):
            known[pegs - step] = pusher.grow(known[pegs], sieves[1])
        pusher = Pusher(boards[0], self.task, self.watch)
        layer = _part(field.layer(begun, self.task), known[first].keys)
        self.layers[first] = layer
        for pegs in range(first, self.top + self.end - first, step):
            if (middle - pegs) * step > 0:
                layer = pusher.fill(layer, known.pop(pegs + step)) if self.task else known.pop(pegs + step)
            else:
                layer = pusher.grow(layer, sieves[0])
            self.layers[pegs + step] = layer
            self.watch.layer(abs(pegs + step - first), len(layer.keys), self.classes)

    def _reached(self, ends: Ends, middle: int) -> tuple[Reach, Reach]:
        """Return what jumps lead to from the start, and from the opposites of the goals, as far as the middle."""
        jumps, cells = self.field.jumps, len(self.field.jumps.order)
        others = [(1 << cells) - 1 ^ goal for goal in ends.goals]
        down = Reach(jumps, [ends.start], self.watch)
        up = down if others == [ends.start] else Reach(jumps, others, self.watch)
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
    """How many moves are left from a position on a way: its jumps, or the fewest chains of one peg's jumps.

    Where the ways were turned it leads back to the start, by moves that take moves back.
    """

    def __init__(self, ways: Ways) -> None:
        self.field = ways.field
        self.end = ways.top if ways.turned else ways.end
        self.layers = ways.layers
        self.chain = ways.task == CHAIN

    def left(self, position: bytes) -> int | None:
        """Return the moves left, or None off all ways."""
        word = self.field.jumps.word(position)
        layer = self.layers.get(word.bit_count())
        row = layer.row(min(self.field.images(word))) if layer else None
        if layer is None or row is None:
            return None
        return int(layer.values[row, 0]) if self.chain else abs(word.bit_count() - self.end)

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
