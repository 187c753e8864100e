"""Layers in files for every encoding of a model: a row is a packed position, whatever the words of the encoding are.

So all engines write the same tables, each can continue a table that another one began, and one reader opens them. Rows
become words through rows of symbols, so an encoding says only how its words and rows of symbols turn into each other.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from functools import cached_property, partial

import numpy as np

from ...errors import LimitError
from ...kernels.packed.numpy_marks import united
from ...limits.watch import Watch
from ...model.goal import Goal
from ...model.model import Model
from ...search.encoding import Encoding, Layer, RowsOf
from .arrays import Goals, keys_of, symbols_of
from .positions import Packing, too_wide

AT_ONCE = 1 << 13
"""Positions that are turned into others, or whose moves are made, at once: a small search of its own on the disk."""


class PackedRows(Encoding):
    """An encoding of a model whose words are an array; `row_words` is 0 if its positions cannot be packed.

    sources  the positions with which the search begins
    goals    the goals of the search
    """

    def __init__(self, model: Model, sources: Sequence[bytes], goals: Sequence[Goal]) -> None:
        self.model, self.sources, self.goals = model, sources, goals

    @cached_property
    def row_words(self) -> int:
        return 0 if too_wide(self.model, self.sources) else self._packing.words

    @cached_property
    def _packing(self) -> Packing:
        return Packing.of(self.model, self.sources)

    @abstractmethod
    def begin(self, words: np.ndarray, earlier: Iterable[np.ndarray] = ()) -> Layer:
        """Return the layer of some different words, with which the search begins anew, after earlier positions."""

    @abstractmethod
    def earlier(self, layer: Layer) -> Iterator[np.ndarray]:
        """Yield the positions to which moves from the last layer may lead, without those of it; others may be too."""

    @abstractmethod
    def read(self, shown: np.ndarray) -> np.ndarray:
        """Return the words of positions, which are rows of symbols as `handed` returns them."""

    def rows_of(self, words: np.ndarray) -> np.ndarray:
        packed = [np.empty((0, self.row_words), np.uint64)]
        packed += [keys_of(self._packing, self.handed(part)) for part in _parts(words)]
        return np.concatenate(packed)

    def words_of(self, rows: np.ndarray) -> np.ndarray:
        return np.concatenate([self.read(symbols_of(self._packing, part)) for part in _parts(rows) or [rows]])

    def as_rows(self, layer: Layer, most: int) -> Iterator[np.ndarray]:
        return self._gathered(self.pieces(layer), self.size(layer), most)

    def _gathered(self, pieces: Iterable[np.ndarray], size: int, most: int) -> Iterator[np.ndarray]:
        """Yield `size` positions as rows, `most` at a time: few large parts are merged faster than many small ones."""
        rows, held, left = np.empty((min(size, most), self.row_words), np.uint64), 0, size
        for part in (part for words in pieces for part in _parts(words)):
            made = self.rows_of(part)
            while len(made):
                taken = made[: len(rows) - held]
                rows[held : held + len(taken)] = taken
                held, left, made = held + len(taken), left - len(taken), made[len(taken) :]
                if held == len(rows):
                    yield rows
                    rows, held = np.empty((min(left, most), self.row_words), np.uint64), 0

    def among(self, words: np.ndarray) -> np.ndarray:
        return self.words_of(Goals(self.goals, self._packing).among(self.rows_of(words)))

    def onward(self, rows: np.ndarray, watch: Watch, bound: int) -> np.ndarray:
        found = [rows[:0]]
        for part in _parts(rows):
            near = copy(self)
            layer = near.following(near.begin(near.words_of(part)), watch, bound)
            watch.tick(0, bound)
            found += near.as_rows(layer, max(1, near.size(layer)))
        made = united(found)
        self.ratio = max(self.ratio, len(made) / max(1, len(rows)))
        return made

    def given_up(self, layer: Layer) -> Iterator[tuple[int, RowsOf]]:
        size = sum(map(len, self.earlier(layer)))
        yield size, lambda most: self._gathered(self.earlier(layer), size, most)
        yield self.size(layer), partial(self.as_rows, layer)
        self.end()

    def take(self, rows: np.ndarray, earlier: np.ndarray, found: int) -> Layer:
        try:
            return self.begin(self.words_of(rows), map(self.words_of, _parts(earlier)))
        except LimitError:
            self.end()
            raise


def _parts(rows: np.ndarray) -> list[np.ndarray]:
    """Return some rows in parts that are turned into others at once."""
    return [rows[first : first + AT_ONCE] for first in range(0, len(rows), AT_ONCE)]
