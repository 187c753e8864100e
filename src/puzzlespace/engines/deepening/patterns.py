"""The arrays of `kernels.deepening.idastar_patterns` for one position and one pattern database."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate
from math import factorial
from threading import Lock
from typing import Any

import numpy as np

from ...errors import UnsupportedError
from ...heuristics.database import DEFAULT_MEMORY, Database, grid_of, refusal
from ...heuristics.grouping import choose, least_bytes
from ...heuristics.inversion import Inversion
from ...heuristics.kept import KEPT_BYTES
from ...heuristics.labels import Labels
from ...heuristics.spelling import Division
from ...heuristics.walking import Walking
from ...kernels.deepening import idastar_patterns as kernel
from ...kernels.deepening.state import DEPTH
from ...limits.threads import processors
from ...limits.thresholds import Threshold, Thresholds
from ...limits.watch import Watch, phase
from ...structure.slides import Slides
from . import blank_links, pruning
from .blank_links import LinkDescent, Links, sums
from .iterations import DEEPEST, Rounds
from .latest import Latest
from .lines import Lines

_KEPT: dict[tuple[Any, ...], Database] = {}
"""The last database, for further positions of the same puzzle."""

_ARRAYS: Latest[PatternArrays] = Latest()

_LOCK = Lock()

ENTRIES_PER_POSITION = 6
"""Table entries that are computed in the time in which a search generates one position."""

SMALL_TABLES = Threshold(4 << 20)
"""Bytes of pattern databases that are quickly computed."""

BELOW_SMALL: Threshold[int | None] = Threshold(None)
"""Positions that a search with small tables may generate; None: as many as in the time of computing larger ones."""


def database(
    slides: Slides, goal: bytes, pieces: Labels, watch: Watch, ways: tuple[Division, ...] = ((),), small: bool = False
) -> Database:
    """Return the tables of the groups asked for, or of groups as large as the memory allows; the last are cached.

    small  only tables that are computed in some tenths of a second, unless the larger ones are cached
    Raises UnsupportedError if the puzzle has no such patterns, InputError for more pieces than there are, LimitError
    if the tables pass the limit of memory.
    """
    reason = refusal(slides, goal)
    if reason:
        raise UnsupportedError(f"heuristic pattern: {reason}")
    memory = _memory(watch)
    key = (slides.model.fingerprint, goal, pieces.targets, memory, ways)
    with _LOCK:
        if small and key not in _KEPT:
            key, memory = (*key, small), min(memory, watch.thresholds[SMALL_TABLES])
        if key not in _KEPT:
            last = list(_KEPT.items())
            _KEPT.clear()
            groups, *more = (choose(slides, goal, pieces, memory, groups) for groups in ways)
            base = Database(slides, goal, pieces, groups, tuple(more))
            same = [other for its, other in last if its[:3] == key[:3] and other.ways == base.ways]
            del last
            _KEPT[key] = same[0] if same else _made(base, watch)
        return _KEPT[key]


def _memory(watch: Watch) -> int:
    return DEFAULT_MEMORY if watch.limits.memory is None else watch.limits.memory // 2


def quick(slides: Slides, goal: bytes, pieces: Labels, watch: Watch) -> int:
    """Return how many positions a search below small tables may generate before larger tables are worthwhile."""
    most = watch.thresholds[BELOW_SMALL]
    if most is not None:
        return most
    groups = choose(slides, goal, pieces, _memory(watch))
    return 8 * sum(least_bytes(grid_of(slides), len(group)) for group in groups) // ENTRIES_PER_POSITION


def _made(base: Database, watch: Watch) -> Database:
    watch.reserve(sum(least_bytes(base.grid, len(group)) for group in base.patterns))
    with phase("tables of the lower bound were made"):
        base.fill(processors(), watch.reserve, watch.thresholds[KEPT_BYTES])
    return base


def rounds(
    base: Database,
    pieces: Labels,
    by: Thresholds,
    walking: Walking | None = None,
    inversion: Inversion | None = None,
) -> Rounds:
    """Return the rounds of a search below the bound of a database, or the greater of it and one for rows and columns.

    pieces  those of the start
    """
    arrays = arrays_of(base)
    lines = Lines.of(walking, inversion, arrays.links) if walking or inversion else None
    last: list[PatternDescent] = []

    def descend(start: bytes, here: Labels) -> LinkDescent:
        if here.cells != pieces.cells:
            return arrays.descent(start, here, lines)
        if not last or not last[0].back:
            last[:] = [arrays.descent(start, here, lines)]
        return last[0]

    return blank_links.rounds(base.slides, pieces, descend, by)


def arrays_of(base: Database) -> PatternArrays:
    """Return the arrays of a database. The last ones are cached with their database, so that its id stays unique."""
    return _ARRAYS.of(id(base), lambda: PatternArrays(base))


class PatternArrays:
    """The arrays of `kernels.deepening.idastar_patterns` that the searches from all positions share."""

    def __init__(self, base: Database) -> None:
        self.base = base
        self.links = Links(base.slides, base.pieces)
        self.cost = _cost(base, self.links)
        self.lookups = *_joined(base), self.cost
        self.parts = 5 * len(base.images)

    def descent(self, start: bytes, pieces: Labels, lines: Lines | None) -> PatternDescent:
        """Return a search from a position; `lines` are a second bound, if there is one."""
        links = self.links.of(pieces)
        held, totals = _held(self.base, pieces, start.index(self.base.slides.blank))
        stack = np.zeros((DEEPEST + 1, kernel.PARTS + self.parts), np.int64)
        opened = np.zeros((DEEPEST + 1, links.width, kernel.HEAD + self.parts), np.int64)
        data, rows = (lines.data, lines.stack(start)) if lines else (None, None)
        loop = kernel.deepen_below_lines if lines else kernel.deepen
        here = held, totals, links.cells(start), stack, opened, data, rows
        root = int(totals.max()) if lines is None or rows is None else max(int(totals.max()), lines.bound(rows[0]))

        def go(ways: pruning.Ways, state: np.ndarray) -> int:
            return loop((links.arrays, ways, self.lookups, *here), state)

        return PatternDescent.of(links, root, go, stack, start)


@dataclass
class PatternDescent(LinkDescent):
    """A search whose arrays the next round can use again."""

    @property
    def back(self) -> bool:
        """Whether the search is back at its root, as a new round requires."""
        return int(self.state[DEPTH]) == 0


def _joined(base: Database) -> tuple[Any, ...]:
    owner = np.full((len(base.images), len(base.pieces.symbols) + 2), -1, np.int64)
    views, rows_of, turns = [], Concatenation(np.int32), Concatenation(np.uint16)
    tables, bits = _concatenated(base)
    for image, group in enumerate(base.images):
        for view in group:
            numbering, table = base.numberings[view.table], base.tables[view.table]
            for piece in view.pieces:
                owner[image, piece + 1] = len(views)
            parts = tables[view.table], rows_of.at(numbering.rows[0]), turns.at(numbering.turn)
            views.append((numbering.k, *parts, factorial(numbering.k), numbering.shape[1], table.planes))
    place = [[base.grid.place[cell] for cell in (group[0].image if group else ())] for group in base.images]
    low, high = max(base.numberings, key=lambda each: each.k).parts
    arrays = np.array(views, np.int64), owner, np.array(place, np.int64), low, high
    return *arrays, rows_of.whole(), turns.whole(), bits


def _concatenated(base: Database) -> tuple[list[int], np.ndarray]:
    """Move the bits of all tables into one array, where each table keeps a part; return the offsets and the array."""
    ends = list(accumulate(table.bits.size for table in base.tables))
    bits = np.empty(ends[-1] if ends else 0, np.uint64)
    begins = [0, *ends][: len(ends)]
    for table, at in zip(base.tables, begins, strict=True):
        part = bits[at : at + table.bits.size].reshape(table.bits.shape)
        part[:] = table.bits
        table.bits = part
    return begins, bits


class Concatenation:
    """A concatenation of arrays. An array that is added twice is stored once."""

    def __init__(self, kind: type) -> None:
        self.kind = kind
        self.arrays: dict[int, tuple[int, np.ndarray]] = {}
        self.size = 0

    def at(self, array: np.ndarray) -> int:
        """Return the offset of an array, which is added unless it is there already."""
        if id(array) not in self.arrays:
            self.arrays[id(array)] = self.size, array
            self.size += array.size
        return self.arrays[id(array)][0]

    def whole(self) -> np.ndarray:
        """Return the concatenation."""
        return np.concatenate([array.reshape(-1) for _, array in self.arrays.values()]).astype(self.kind, copy=False)


def _cost(base: Database, links: Links) -> np.ndarray:
    """Return `cost` as for a sum over pieces; only pieces in no group have distances."""
    none = (0,) * len(base.goal)
    return sums(links, [base.alone.get(piece, none) for piece in range(len(links.labels.symbols))])


def _held(base: Database, pieces: Labels, blank: int) -> tuple[np.ndarray, np.ndarray]:
    """Return `held` and `totals` for a position."""
    held, totals = [], []
    for group, values in zip(base.images, base.values(pieces, blank), strict=True):
        totals.append(base.own(pieces, group) + sum(values))
        for view, value in zip(group, values, strict=True):
            cells = [view.image[pieces.cells[piece]] for piece in view.pieces]
            _, column = base.numberings[view.table].index(cells, view.image[blank])
            held.append((sum(1 << base.grid.place[cell] for cell in cells), column, value))
    return np.array(held, np.int64), np.array(totals, np.int64)
