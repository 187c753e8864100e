"""The encoding of the positions of a level: numbers, in the order in which a search by layers finds them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise
from typing import Any

from ..limits.watch import Watch
from ..search.encoding import Encoding, Words
from .moves import GamePosition, LevelMoves
from .positions import FEW, Numbers, Positions


class GameLayers(Encoding):
    """Layers of a level; each is a range of numbers of positions."""

    def __init__(self, moves: LevelMoves, few: int = FEW) -> None:
        self.moves, self.few, self.hopeful = moves, few, False

    def seek(self) -> None:
        self.hopeful = True

    def enter(self, positions: Sequence[Any]) -> range:
        self.positions = Positions(self.moves, positions, self.few)
        self.positions.hopeful = self.hopeful
        return range(self.positions.found)

    def following(self, layer: range, watch: Watch, bound: int) -> range:
        self.positions.extend(layer.start, layer.stop, watch, bound)
        return range(layer.stop, self.positions.found)

    def size(self, layer: range) -> int:
        return len(layer)

    def pieces(self, layer: range) -> Iterator[range]:
        yield layer

    def leave(self, words: Words) -> list[GamePosition]:
        return self.positions.listed(words)

    def met(self, layer: range) -> Numbers:
        return self.positions.won(layer.start, layer.stop)

    def before(self, words: Words, layer: range, watch: Watch) -> Numbers:
        return self.positions.leading(words, layer.start, layer.stop)


class KnownLayers(GameLayers):
    """Layers of a level of which all positions are known.

    sizes  the numbers of positions at each number of moves from the start
    """

    def __init__(self, places: Positions, sizes: Sequence[int]) -> None:
        self.positions, self.ends = places, dict(pairwise(accumulate(sizes)))

    def enter(self, positions: Sequence[Any]) -> range:
        return range(1)

    def following(self, layer: range, watch: Watch, bound: int) -> range:
        return range(layer.stop, self.ends.get(layer.stop, layer.stop))
