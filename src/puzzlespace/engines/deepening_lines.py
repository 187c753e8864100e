"""The arrays of `kernels.idastar_lines` for one position: walking distance, inversions, or both."""

from __future__ import annotations

from dataclasses import dataclass
from threading import Lock
from typing import Any

import numpy as np

from ..heuristics.inversion import Inversion, moves
from ..heuristics.labels import Labels
from ..heuristics.walking import Walking
from ..kernels import idastar_lines
from . import deepening
from .deepening import LinkDescent, Links
from .deepening_rounds import DEEPEST, Rounds

_KEPT: dict[tuple[Any, ...], tuple[np.ndarray, ...]] = {}
"""The arrays made last, for further positions of the same puzzle: 0.1 s for 4x4."""

_LOCK = Lock()


def rounds(walking: Walking | None, inversion: Inversion | None, pieces: Labels) -> Rounds:
    """Return the rounds of a search below the greater of two bounds for each axis; one of them may be missing."""
    slides = _either(walking, inversion).slides
    lines = Lines.of(walking, inversion, Links(slides, pieces))

    def descend(start: bytes, here: Labels) -> LinkDescent:
        links, stack = Links(slides, here), lines.stack(start)
        cells, board = links.cells(start), (links.table, links.edits)

        def kernel(state: np.ndarray, bound: int) -> int:
            return idastar_lines.deepen(board, lines.data, cells, stack, state, bound)

        return LinkDescent(links, int(stack[0, 6] + stack[0, 7]), kernel, stack, start)

    return deepening.rounds(slides, pieces, descend)


def _either(walking: Walking | None, inversion: Inversion | None) -> Walking | Inversion:
    either = walking or inversion
    assert either is not None
    return either


@dataclass(frozen=True)
class Lines:
    """What the searches of all positions read; `data` of the kernel."""

    walking: Walking | None
    inversion: Inversion | None
    data: tuple[np.ndarray, ...]

    @classmethod
    def of(cls, walking: Walking | None, inversion: Inversion | None, links: Links) -> Lines:
        """Return the arrays of two bounds, of which one may be missing, on the links of a board."""
        either, symbols = _either(walking, inversion), links.labels.symbols
        key = either.slides.model.fingerprint, either.goal, symbols, walking is None, inversion is None
        with _LOCK:
            if key not in _KEPT:
                data = _data(walking, inversion, either.shape, links)
                _KEPT.clear()
                _KEPT[key] = data
            return cls(walking, inversion, _KEPT[key])

    def stack(self, start: bytes) -> np.ndarray:
        """Return a stack that begins at a position."""
        entries = [self.walking.number(axis, start) if self.walking else 0 for axis in (0, 1)]
        counts = [self.inversion.count(axis, start) if self.inversion else 0 for axis in (0, 1)]
        needed = [max(self.data[2][axis, entries[axis]], self.data[3][axis, counts[axis]]) for axis in (0, 1)]
        stack = np.zeros((DEEPEST + 2, 8), np.int64)
        stack[0, 2:] = *entries, *counts, *needed
        return stack


def _data(walking: Walking | None, inversion: Inversion | None, shape: Any, links: Links) -> tuple[np.ndarray, ...]:
    """Return `data`."""
    symbols = links.labels.symbols
    lines = max(shape.lines(0), shape.lines(1))
    size = max((len(axis.depths) for axis in walking.axes), default=1) if walking else 1
    after, depths = np.zeros((2, size, 2, lines), np.int32), np.zeros((2, size), np.int64)
    mends = np.zeros((2, len(symbols) ** 2 + 1), np.int64)
    ranks = np.zeros((2, 2, len(symbols) + 2), np.int64)
    for axis in (0, 1):
        if walking:
            table = walking.axes[axis]
            depths[axis, : len(table.depths)] = table.depths
            after[axis, : len(table.depths), :, : table.lines] = table.links
            ranks[axis, 0, 1 : len(symbols) + 1] = [table.classes[symbol] for symbol in symbols]
        if inversion:
            mends[axis] = [moves(count, shape.lines(1 - axis) - 1) for count in range(mends.shape[1])]
            ranks[axis, 1, 1 : len(symbols) + 1] = [inversion.ranks[axis][symbol] for symbol in symbols]
    kinds, between = _links(shape, links, inversion)
    return kinds, after, depths, mends, ranks, between


def _links(shape: Any, links: Links, inversion: Inversion | None) -> tuple[np.ndarray, np.ndarray]:
    """Return `kinds` and `between`."""
    count = len(links.rules)
    kinds, between = np.zeros((count, 2), np.int64), np.full((count, max(shape.width, shape.height)), -1, np.int64)
    for link in range(count):
        blank, end = int(links.table[link, 0]), int(links.table[link, 1])
        axis = int(shape.rows[blank] == shape.rows[end])
        kinds[link] = axis, int(shape.line(axis, end) > shape.line(axis, blank))
        if inversion:
            places = [inversion.orders[axis].index(cell) for cell in (blank, end)]
            passed = inversion.orders[axis][min(places) + 1 : max(places)]
            between[link, : len(passed)] = passed
    return kinds, between
