"""The arrays of `kernels.idastar_patterns` for one position and one pattern database."""

from __future__ import annotations

from math import factorial
from threading import Lock
from typing import Any

import numpy as np

from ..errors import UnsupportedError
from ..heuristics.database import DEFAULT_MEMORY, Database, refusal
from ..heuristics.grouping import choose
from ..heuristics.labels import Labels
from ..heuristics.slides import Slides
from ..kernels import idastar_patterns
from ..result import Watch
from . import deepening
from .crew import processors
from .deepening import LinkDescent, Links, sums
from .deepening_rounds import DEEPEST, Rounds

_KEPT: dict[tuple[Any, ...], Database] = {}
"""The database made last, for further positions of the same puzzle."""

_LOCK = Lock()


def database(slides: Slides, goal: bytes, pieces: Labels, watch: Watch) -> Database:
    """Return tables for the puzzle, as large as the limit of memory leaves room for; the last ones are kept.

    Raises UnsupportedError where the puzzle has no additive patterns.
    """
    reason = refusal(slides, goal)
    if reason:
        raise UnsupportedError(f"heuristic pattern: {reason}")
    memory = DEFAULT_MEMORY if watch.limits.memory is None else watch.limits.memory // 2
    key = (slides.model.fingerprint, goal, pieces.targets, memory)
    with _LOCK:
        if key not in _KEPT:
            _KEPT.clear()
            _KEPT[key] = _made(slides, goal, pieces, memory, watch)
        return _KEPT[key]


def _made(slides: Slides, goal: bytes, pieces: Labels, memory: int, watch: Watch) -> Database:
    groups = choose(slides, goal, pieces, memory)
    base = Database(slides, goal, pieces, groups, by_region=True)
    if base.size > memory:
        base = Database(slides, goal, pieces, groups, by_region=False)
    watch.reserve(base.size + base.scratch)
    base.build(processors())
    return base


def rounds(base: Database, pieces: Labels) -> Rounds:
    """Return the rounds of a search below the bound of a database; `pieces` are those of the start."""
    return deepening.rounds(base.slides, pieces, lambda start, here: _descent(start, base, here))


def _descent(start: bytes, base: Database, pieces: Labels) -> LinkDescent:
    links = Links(base.slides, pieces)
    data = _data(base, links)
    blank = start.index(base.slides.blank)
    held, totals = _held(base, pieces, blank)
    images = len(base.images)
    stack = np.zeros((DEEPEST + 1, 2 + 5 * images), np.int64)
    cells, fresh = links.cells(start), np.zeros((images, 5), np.int64)
    board = (links.table, links.edits)

    def kernel(state: np.ndarray, bound: int) -> int:
        return idastar_patterns.deepen(board, data, held, totals, fresh, cells, stack, state, bound)

    return LinkDescent(links, int(totals.max()), kernel, stack, start)


def _data(base: Database, links: Links) -> tuple[Any, ...]:
    """Return `data`."""
    labels = len(links.labels.symbols)
    owner = np.full((len(base.images), labels + 2), -1, np.int64)
    views, looks, turns = [], Chain(np.int32), Chain(np.uint16)
    offsets = np.cumsum([0, *(table.size for table in base.tables)])
    for image, group in enumerate(base.images):
        for view in group:
            numbering = base.numberings[view.table]
            for piece in view.pieces:
                owner[image, piece + 1] = len(views)
            parts = looks.at(numbering.look_up), turns.at(numbering.turn)
            views.append((numbering.k, offsets[view.table], *parts, factorial(numbering.k)))
    place = [[base.grid.place[cell] for cell in (group[0].image if group else ())] for group in base.images]
    low, high = max(base.numberings, key=lambda each: each.k).parts
    arrays = np.array(views, np.int64), owner, np.array(place, np.int64), low, high
    return (*arrays, looks.whole(), turns.whole(), base.store, _cost(base, links))


class Chain:
    """Arrays one behind the other, each taken in once."""

    def __init__(self, kind: type) -> None:
        self.kind = kind
        self.arrays: dict[int, tuple[int, np.ndarray]] = {}
        self.size = 0

    def at(self, array: np.ndarray) -> int:
        """Return where the array begins."""
        if id(array) not in self.arrays:
            self.arrays[id(array)] = self.size, array
            self.size += array.size
        return self.arrays[id(array)][0]

    def whole(self) -> np.ndarray:
        """Return all of them."""
        return np.concatenate([array.reshape(-1) for _, array in self.arrays.values()]).astype(self.kind, copy=False)


def _cost(base: Database, links: Links) -> np.ndarray:
    """Return `cost`: as for a sum over pieces, but only pieces in no group have distances."""
    none = (0,) * len(base.goal)
    return sums(links, [base.alone.get(piece, none) for piece in range(len(links.labels.symbols))])


def _held(base: Database, pieces: Labels, blank: int) -> tuple[np.ndarray, np.ndarray]:
    """Return `held` and `totals` for a position."""
    held, totals = [], []
    own = sum(table[pieces.cells[piece]] for piece, table in base.alone.items())
    for group in base.images:
        totals.append(own)
        for view in group:
            numbering = base.numberings[view.table]
            cells = [view.image[pieces.cells[piece]] for piece in view.pieces]
            _, column = numbering.index(cells, view.image[blank])
            value = base.read(view, pieces.cells, blank)
            held.append((sum(1 << base.grid.place[cell] for cell in cells), column, value))
            totals[-1] += value
    return np.array(held, np.int64), np.array(totals, np.int64)
