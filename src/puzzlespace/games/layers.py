"""The encoding of the positions of a level: numbers, in the order in which a search by layers finds them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from ..limits.watch import Watch
from ..search.encoding import Encoding, Words
from .moves import GamePosition, LevelMoves
from .positions import FEW, Positions


class GameLayers(Encoding):
    """Layers of a level; each is a range of numbers of positions."""

    def __init__(self, moves: LevelMoves, few: int = FEW) -> None:
        self.moves, self.few = moves, few

    def enter(self, positions: Sequence[Any]) -> range:
        self.positions = Positions(self.moves, positions, self.few)
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

    def met(self, layer: range) -> np.ndarray:
        return np.array(self.positions.won(layer.start, layer.stop), np.int64)

    def before(self, words: Words, layer: range, watch: Watch) -> np.ndarray:
        return np.array(self.positions.leading(np.sort(words), layer.start, layer.stop), np.int64)
