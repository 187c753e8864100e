"""The set of all positions on any path of jumps from a start to goals, as a bit set.

The positions reached by jumps from the start down to a middle number of pegs, and by jumps taken back from the goals up
to it, intersect in the positions of the middle layer that are on a path. All others are found from these, upwards and
downwards. Taking a jump back is a jump with pegs and holes exchanged, so the goals' half is the same search in the
opposite class. Numbers of paths or of moves are then propagated along jumps within the set.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from ...errors import LimitError
from ...limits.watch import Watch
from ...model.model import Model
from .layers import Layer, PegField, Pusher, Sieve
from .reach import LOW, PegReach, count_classes, jump_from, opposed, tables, within_word
from .values import CHAIN, COUNT

if TYPE_CHECKING:
    from ...kernels.pegs.bits import JumpTables


@dataclass(frozen=True)
class Ends:
    """A start, and goals of its class with equal numbers of pegs, as words."""

    start: int
    goals: tuple[int, ...]


class Ways:
    """All positions on paths of jumps between the ends.

    task       the value of each position: SET none, COUNT the paths to the goals, CHAIN the fewest moves to them
    turned     count paths or moves from the start instead
    words      one bit for each position of the start's class, set if it is on a path
    positions  the number of positions on paths
    layers     for each number of pegs the values of the positions on paths, up to symmetries that preserve the ends
    """

    def __init__(self, field: PegField, ends: Ends, task: int, watch: Watch, turned: bool = False) -> None:
        from ...kernels.bit_arrays import count_bits

        self.field = field
        self.jumps = field.jumps
        self.ends = ends
        self.task = task
        self.watch = watch
        self.turned = turned
        self.top, self.end = ends.start.bit_count(), ends.goals[0].bit_count()
        self.constants = self.jumps.bound(ends.start)
        self.words = self._on_ways((self.top + self.end) // 2)
        self.positions = int(count_bits(self.words, 0, len(self.words)))
        self.layers = self._carried() if task else {}

    def _on_ways(self, middle: int) -> np.ndarray:
        """Return the set of all positions on a path, from those with the middle number of pegs."""
        from ...kernels.pegs.bits import join_opposites, meet, turn

        jumps, watch, cells = self.jumps, self.watch, len(self.jumps.order)
        others = [(1 << cells) - 1 ^ goal for goal in self.ends.goals]
        down = PegReach(jumps, [self.ends.start], watch)
        alike = others == [self.ends.start]
        up = down if alike else PegReach(jumps, others, watch)
        self.board = down.tables
        down.grow(watch, middle)
        up.grow(watch, cells - middle)
        watch.reserve(8 * len(down.words))
        words = np.zeros(len(down.words), np.uint64)
        spare, real = np.uint64((1 << LOW) - within_word(jumps)), max(1, 1 << jumps.free >> LOW)
        meet((down.words[:real], up.words[:real]), (middle, self.board), spare, words)
        self._follow((words, down.words), tables(opposed(jumps), self.constants), middle, self.top)
        if alike:
            join_opposites(words[:real], spare)
        else:
            turn(up.words[:real], spare)
            self._follow((words, up.words), self.board, middle, self.end)
        return words

    def _follow(self, sets: tuple[np.ndarray, np.ndarray], board: JumpTables, first: int, last: int) -> None:
        """Add all positions within a sieve that jumps reach, from one number of pegs to another."""
        step = 1 if last > first else -1
        found = 0
        for pegs in range(first, last, step):
            here = jump_from(sets, pegs, board, self.watch)
            found += here
            self.watch.layer(abs(pegs - first), here, found)
        jump_from(sets, last, board._replace(ready=np.empty((*board.ready.shape[:2], 0), np.uint64)), self.watch)

    def _carried(self) -> dict[int, Layer]:
        """Return the values of all positions on a path, propagated along jumps from one end to the other."""
        board, layers, begun = self.field.back, range(self.end, self.top + 1), self.ends.goals
        if self.turned:
            board, layers, begun = self.field.ahead, range(self.top, self.end - 1, -1), (self.ends.start,)
        pusher, sieve = Pusher(board, self.task, self.watch), Sieve(self.words, self.jumps.free)
        known = {layers[0]: self.field.layer([word for word in begun if self.holds(word)], self.task)}
        held = 0
        for pegs, following in pairwise(layers):
            known[following] = pusher.grow(known[pegs], sieve)
            held += len(known[pegs].keys)
            self.watch.layer(abs(following - layers[0]), len(known[following].keys), held)
        return known

    def holds(self, word: int) -> bool:
        """Return whether a position is on a path."""
        at, bit = divmod(word & (1 << self.jumps.free) - 1, 1 << LOW)
        return self.jumps.bound(word) == self.constants and bool(int(self.words[at]) >> bit & 1)

    def value(self, word: int) -> int | None:
        """Return the moves of a position (CHAIN) or the paths of its class (COUNT); None if it is not on a path."""
        if not self.holds(word):
            return None
        layer = self.layers[word.bit_count()]
        row = layer.row(min(self.field.images(word)))
        assert row is not None
        low, high = layer.values[row]
        return int(low) + (int(high) << 64) if self.task == COUNT else int(low)

    @property
    def number(self) -> int:
        """The number of paths (task COUNT)."""
        return self.value(self.ends.start) or 0


def together(groups: Sequence[Ways], field: PegField) -> tuple[int, int | None]:
    """Return how many positions are on a path of any group, and how many up to symmetries that preserve all ends.

    groups  all with the same start
    field   the board with these symmetries
    """
    from ...kernels.bit_arrays import count_bits

    first = groups[0]
    words = np.bitwise_or.reduce([each.words for each in groups])
    positions = int(count_bits(words, 0, len(words)))
    return positions, count_classes(words, positions, field, first.board)


class Guide:
    """The number of moves left from a position on a path: jumps, or the fewest chains of one peg's jumps.

    If the ways are `turned`, it leads back to the start by moves that take moves back.
    """

    def __init__(self, ways: Ways) -> None:
        self.ways = ways
        self.end = ways.top if ways.turned else ways.end

    def left(self, position: bytes) -> int | None:
        """Return the number of moves left, or None if the position is not on a path."""
        word = self.ways.jumps.word(position)
        if self.ways.task == CHAIN:
            return self.ways.value(word)
        return abs(word.bit_count() - self.end) if self.ways.holds(word) else None

    def following(self, model: Model, position: bytes, left: int) -> list[bytes]:
        """Return the positions after one move with one move less left."""
        return [child for child in model.moves(position) if self.left(child) == left - 1]


def one_way(model: Model, guide: Guide, start: bytes) -> list[frozenset[bytes]]:
    """Return the lexicographically least shortest solution, one position per layer."""
    left = guide.left(start)
    assert left is not None
    path = [start]
    while left:
        path.append(min(guide.following(model, path[-1], left)))
        left -= 1
    return [frozenset({position}) for position in path]


def all_ways(model: Model, guide: Guide, start: bytes, most: int) -> list[frozenset[bytes]]:
    """Return all positions on shortest solutions, layer by layer; raise LimitError if there are more than `most`."""
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
