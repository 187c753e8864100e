"""The encoding of a puzzle written with NumPy: layers as sorted arrays.

A layer is a sorted array of *marks*, one for each position (`kernels.packed.numpy_marks`). The positions one move on
are sorted, and those of earlier layers are taken out. If every move can be undone, only the last two layers can contain
them; otherwise all earlier positions are stored in one sorted array.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np

from ..kernels.packed.numpy_marks import contained, distinct, marks, rows_of
from ..limits.watch import Watch
from ..model.arrays import Arrays
from .encoding import Encoding, RowsOf

AT_ONCE = 1 << 16
"""Positions whose moves are made at once."""

PARTS = 16
"""With layers on disk, so many times fewer are made at once: little memory is left, and NumPy is hardly slower."""


class SortedRows(Encoding):
    """Positions of `puzzle` as marks.

    at_once  positions whose moves are made at once
    """

    def __init__(self, puzzle: Arrays, at_once: int = AT_ONCE) -> None:
        self.puzzle, self.at_once = puzzle, at_once
        self.undone = puzzle.back is puzzle.following
        self.cells = puzzle.rows([puzzle.start]).shape[1]
        self.bits = 0 if puzzle.below is None else max(1, (puzzle.below - 1).bit_length())
        size = np.dtype(puzzle.width).itemsize * self.cells
        self.row_words = -(-self.cells // (64 // self.bits)) if self.bits else -(-size // 8)
        self.end()

    def _marks(self, rows: np.ndarray) -> np.ndarray:
        """Return the mark of each row: its numbers in as few bits as `Arrays.below` allows, or its bytes."""
        if self.bits:
            words = np.zeros((len(rows), self.row_words), np.uint64)
            for cell in range(self.cells):
                word, place = divmod(cell, 64 // self.bits)
                words[:, word] |= rows[:, cell].astype(np.uint64) << np.uint64(place * self.bits)
            return marks(words)
        size = rows.dtype.itemsize * rows.shape[1]
        wide = np.zeros((len(rows), 8 * self.row_words), np.uint8)
        wide[:, :size] = np.ascontiguousarray(rows).view(np.uint8).reshape(len(rows), size)
        return marks(wide.view(np.uint64))

    def _rows(self, words: np.ndarray) -> np.ndarray:
        """Return the rows that have these marks."""
        kind = np.dtype(self.puzzle.width)
        if self.bits:
            rows, keys = np.empty((len(words), self.cells), kind), rows_of(words)
            for cell in range(self.cells):
                word, place = divmod(cell, 64 // self.bits)
                rows[:, cell] = keys[:, word] >> np.uint64(place * self.bits) & np.uint64((1 << self.bits) - 1)
            return rows
        wide = np.ascontiguousarray(rows_of(words)).view(np.uint8)
        return np.ascontiguousarray(wide[:, : kind.itemsize * self.cells]).view(kind).reshape(len(words), self.cells)

    def enter(self, positions: Sequence[tuple[int, ...]]) -> np.ndarray:
        layer = distinct(self._marks(self.puzzle.rows(positions)))
        self.earlier = layer[:0]
        return layer

    def following(self, layer: np.ndarray, watch: Watch, bound: int) -> np.ndarray:
        watch.reserve(2 * (len(self.earlier) + len(layer)) * layer.itemsize, bound)
        known = np.sort(np.concatenate([self.earlier, layer]), kind="stable")
        self.earlier = known  # until the next layer is complete
        found: list[np.ndarray] = [layer[:0]]
        for first in range(0, len(layer), self.at_once):
            new = self._children(layer[first : first + self.at_once], watch, bound)
            found.append(new[~contained(new, known)])
        after = distinct(np.concatenate(found))
        if self.undone:
            self.earlier = layer
        return after

    def _children(self, words: np.ndarray, watch: Watch, bound: int) -> np.ndarray:
        """Return the positions one move from some words, sorted."""
        rows = self.puzzle.children(self._rows(words))
        watch.tick(len(rows), bound)
        watch.reserve(3 * len(rows) * words.itemsize, bound)
        self.ratio = max(self.ratio, len(rows) / max(1, len(words)))
        return distinct(self._marks(rows))

    def size(self, layer: np.ndarray) -> int:
        return len(layer)

    def pieces(self, layer: np.ndarray) -> Iterator[np.ndarray]:
        yield layer

    def leave(self, words: np.ndarray) -> list[tuple[int, ...]]:
        return list(map(tuple, self._rows(words).tolist()))

    def end(self) -> None:
        self.earlier = np.empty(0, np.uint64)

    def memory(self, sizes: Sequence[float]) -> float:
        """Count three copies of all positions that are compared, or one with those that are made of them."""
        most = 0.0
        for depth, (before, size, after) in enumerate(zip([0.0, *sizes], sizes, [*sizes[1:], 0.0], strict=False)):
            known = size + (before if self.undone else sum(sizes[:depth]))
            most = max(most, 3 * known, known + size + 5 * after)
        return 8 * self.row_words * most

    def met(self, layer: np.ndarray) -> np.ndarray:
        return self.among(layer)

    def among(self, words: np.ndarray) -> np.ndarray:
        return words[self.puzzle.met(self._rows(words))]

    def rows_of(self, words: np.ndarray) -> np.ndarray:
        return rows_of(words).copy()

    def words_of(self, rows: np.ndarray) -> np.ndarray:
        return marks(rows)

    def onward(self, rows: np.ndarray, watch: Watch, bound: int) -> np.ndarray:
        words, at_once = marks(rows), max(1, self.at_once // PARTS)
        parts = range(0, len(words), at_once)
        found = [self._children(words[first : first + at_once], watch, bound) for first in parts]
        return rows_of(distinct(np.concatenate(found)))

    def given_up(self, layer: np.ndarray) -> Iterator[tuple[int, RowsOf]]:
        earlier = self.earlier
        self.end()
        yield len(earlier), partial(self.as_rows, earlier)
        del earlier
        yield len(layer), partial(self.as_rows, layer)

    def take(self, rows: np.ndarray, earlier: np.ndarray, found: int) -> np.ndarray:
        self.earlier = np.sort(marks(earlier))
        return marks(rows)

    def common(self, layer: np.ndarray, other: Encoding, there: np.ndarray) -> np.ndarray:
        few, many = sorted((layer, there), key=len)
        return few[contained(few, many)]

    def before(self, words: np.ndarray, layer: np.ndarray, watch: Watch) -> np.ndarray:
        backward, wanted = self.puzzle.backward, np.sort(words)
        if backward is not None:
            earlier = distinct(self._marks(backward.children(self._rows(words))))
            return earlier[contained(earlier, layer)]
        found = [layer[:0]]
        waiting = [layer[first : first + self.at_once] for first in range(0, len(layer), self.at_once)]
        while waiting:  # parts of the layer from which a move leads to `words`, until each is one position
            watch.glance()
            part = waiting.pop()
            if contained(self._marks(self.puzzle.children(self._rows(part))), wanted).any():
                half = len(part) // 2
                if half:
                    waiting += [part[:half], part[half:]]
                else:
                    found.append(part)
        return np.sort(np.concatenate(found))
