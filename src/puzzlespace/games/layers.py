"""The encoding of the positions of a level: numbers, in the order in which a search by layers finds them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import accumulate, pairwise
from typing import Any

from ..limits.watch import Watch
from ..search.encoding import Encoding, RowsOf, Words
from .moves import GamePosition, LevelMoves
from .positions import FEW, Numbers, Positions

AT_ONCE = 1 << 13
"""Positions in files whose moves are made at once."""


class GameLayers(Encoding):
    """Layers of a level; each is a range of numbers of positions. In files, positions are rows of keys of the store.

    Words are numbers; of positions in files, which have none, they are rows.
    linked  whether the moves from all earlier positions are in memory
    """

    def __init__(self, moves: LevelMoves, few: int = FEW) -> None:
        self.moves, self.few, self.hopeful, self.filed, self.linked = moves, few, False, False, True

    def seek(self) -> None:
        self.hopeful = True

    def enter(self, positions: Sequence[Any]) -> range:
        self.positions = Positions(self.moves, positions, self.few)
        self.positions.hopeful = self.hopeful
        if self.filed:
            self.positions.compiled()
        return range(self.positions.found)

    def following(self, layer: range, watch: Watch, bound: int) -> range:
        self.positions.extend(layer.start, layer.stop, watch, bound)
        return range(layer.stop, self.positions.found)

    def size(self, layer: range) -> int:
        return len(layer)

    def pieces(self, layer: range) -> Iterator[range]:
        yield layer

    def leave(self, words: Words) -> list[GamePosition]:
        if getattr(words, "ndim", 1) == 1:
            return self.positions.listed(words)
        return self.positions.of(words).listed(range(len(words)))

    def memory(self, sizes: Sequence[float]) -> float:
        return self.positions.compiled().memory(sum(sizes))

    def met(self, layer: range) -> Numbers:
        return self.positions.won(layer.start, layer.stop)

    def before(self, words: Words, layer: range, watch: Watch) -> Numbers:
        return self.positions.leading(words, layer.start, layer.stop)

    def file(self) -> None:
        self.filed = True

    @property
    def row_words(self) -> int:  # a level with few positions is not in the store: loading the compiler takes longer
        store = self.positions.store
        return 0 if store is None else store.keys.shape[1]

    def rules(self) -> bytes:
        return self.positions.compiled().rules()

    def rows_of(self, words: Words) -> Any:
        return self.positions.compiled().rows(words.start, words.stop) if isinstance(words, range) else words.copy()

    def words_of(self, rows: Any) -> Words:
        return rows

    def among(self, words: Words) -> Words:
        return words[self.positions.of(words).won(0, len(words))]

    def onward(self, rows: Any, watch: Watch, bound: int) -> Any:
        from ..kernels.packed.numpy_marks import united  # with NumPy

        found = [rows[:0]]
        for first in range(0, len(rows), AT_ONCE):
            near = self.positions.of(rows[first : first + AT_ONCE])
            begun = near.found
            near.extend(0, begun, watch, bound)
            found.append(near.compiled().rows(begun, near.found))
        made = united(found)
        self.ratio = max(self.ratio, len(made) / max(1, len(rows)))
        return made

    def given_up(self, layer: range) -> Iterator[tuple[int, RowsOf]]:
        keys = self.positions.compiled().keys
        self.positions, self.linked = self.positions.of(), False
        yield layer.start, partial(_parts, keys[: layer.start])
        yield len(layer), partial(_parts, keys[layer.start : layer.stop])

    def take(self, rows: Any, earlier: Any, found: int) -> range:
        self.positions, self.linked = self.positions.of(earlier, rows), False
        return range(len(earlier), len(earlier) + len(rows))


def _parts(rows: Any, most: int) -> Iterator[Any]:
    """Yield copies of some rows, at most `most` at a time."""
    return (rows[first : first + most].copy() for first in range(0, len(rows), most))


class KnownLayers(GameLayers):
    """Layers of a level of which all positions are known.

    sizes  the numbers of positions at each number of moves from the start
    """

    def __init__(self, places: Positions, sizes: Sequence[int]) -> None:
        self.positions, self.ends = places, dict(pairwise(accumulate(sizes)))

    @property
    def row_words(self) -> int:
        return 0

    def enter(self, positions: Sequence[Any]) -> range:
        return range(1)

    def following(self, layer: range, watch: Watch, bound: int) -> range:
        return range(layer.stop, self.ends.get(layer.stop, layer.stop))
