"""Depth tables of positions that are products of coordinates.

Examples of coordinates: the places and the twists of corners, orbits of cells, the places and the sides of discs. Some
of them together are the row, the others the column. A move maps rows to rows, and columns by one small table that is
the same for every row.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import prod

import numpy as np

from ...contract.answers import Layers
from ...contract.questions import Depths
from ...errors import InputError
from ...limits.memory import words_in_file
from ...limits.thresholds import USUAL, Threshold, Thresholds
from ...limits.watch import Watch
from ...model.model import Model
from ...ranking.find import MOST_LISTED, find
from ...ranking.numbering import Arrangement, Listed, Ranking
from ...structure.permutations import Action, actions, orbits
from . import OneBit
from .factor_tables import AllOrders, Coordinate, all_orders, coordinate, phases, shown
from .one_bit import count_layers, one_bit
from .row_column import TASK_WORDS, Arcs, ColumnTables, RowField

ROW_COLUMNS = Threshold(1 << 11)
"""About how many columns a row has, so that its bits and tables fit the fastest cache.

Measured: an eighth and eight times as many changed counts of flip:5x5 and burnt:7 by at most 7 %.
"""

LEAST_COLUMNS = Threshold(32)
"""The least number of columns for which it is worthwhile.

Measured: an eighth and eight times as many changed counts of flip:5x5 and burnt:7 by at most 3 %.
"""

MOST_VALUES = Threshold(4_000_000)
"""The most values of a coordinate.

Measured: an eighth and eight times as many changed counts of flip:5x5 and burnt:7 by at most 6 %.
"""

ASKED = Thresholds({LEAST_COLUMNS: 1, ROW_COLUMNS: 16, TASK_WORDS: 1, MOST_LISTED: 0})
"""With these values no model is too small: for a table that is asked for by the name of its kind."""


Part = Coordinate | AllOrders


@dataclass(frozen=True)
class ProductPlan:
    """The coordinates of a position: those of the row and those of the column.

    ranking  has the blocks of cells that are read as one, and the cells that never change
    task     the fewest words of a task
    """

    ranking: Ranking
    rows: tuple[Part, ...]
    columns: tuple[Part, ...]
    task: int = TASK_WORDS.usual

    @cached_property
    def sizes(self) -> tuple[int, int]:
        """(number of rows, number of columns)"""
        return prod(c.size for c in self.rows), prod(c.size for c in self.columns)

    @property
    def positions(self) -> int:
        return self.sizes[0] * self.sizes[1]

    @property
    def bytes(self) -> int:
        rows, columns = self.sizes
        return 2 * 8 * rows * -(-columns // 64) + self._arcs + 16 * self.rows[0].moves * columns

    @property
    def _arcs(self) -> int:
        """The bytes of the moves of all rows."""
        return 8 * self.rows[0].moves * self.sizes[0]

    @property
    def one_bit(self) -> OneBit:
        rows, columns = self.sizes
        filed = self._arcs if self.large else 0
        found = one_bit(rows * -(-columns // 64), self._arcs - filed + 16 * self.rows[0].moves * columns)
        return OneBit(found.memory, found.files + filed)

    @property
    def large(self) -> bool:
        """Whether the moves of all rows are in files, which are read in order."""
        return isinstance(self.rows[-1], AllOrders) and len(self.rows) == 1

    def rank(self, position: bytes) -> int:
        row, column = self.number(position)
        return row * self.sizes[1] + column

    def unrank(self, number: int) -> bytes:
        row, column = divmod(number, self.sizes[1])
        return self.show(np.array([row]), np.array([column]))[0].tobytes()

    @cached_property
    def _still(self) -> tuple[int, ...]:
        """The cells of no coordinate."""
        read = {cell for c in (*self.rows, *self.columns) for cell in c.cells}
        return tuple(cell for cell in range(len(self.ranking.anchor)) if cell not in read)

    def number(self, position: bytes) -> tuple[int, int]:
        """Return (row, column) of a position; raise InputError if it has none."""
        merged = self.ranking.merged
        inner = merged.encode(position) if merged else position
        anchor = self.ranking.anchor
        if inner is None or any(inner[cell] != anchor[cell] for cell in self._still):
            raise InputError("position: expected one of those that the moves lead to, found another")
        found = []
        for group in (self.rows, self.columns):
            number = 0
            for each in group:
                number = number * each.size + each.value(inner)
            found.append(number)
        return found[0], found[1]

    def ranks(self, rows: np.ndarray) -> np.ndarray:
        """Return the ranks of positions, one row of symbols each; -1 for those that have none."""
        row, column = self.numbers(rows)
        return np.where(row < 0, -1, row * self.sizes[1] + column)

    def numbers(self, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the rows and columns of positions, one row of symbols each; -1 for those that have none."""
        merged = self.ranking.merged
        inner, fits = merged.encode_rows(rows) if merged else (rows, np.ones(len(rows), bool))
        still = list(self._still)
        fits &= (inner[:, still] == np.frombuffer(self.ranking.anchor, np.uint8)[still]).all(axis=1)
        found: list[np.ndarray] = []
        for group in (self.rows, self.columns):
            number = np.zeros(len(rows), np.int64)
            for each in group:
                value = each.values_of(inner)
                fits &= value >= 0
                number = number * each.size + value
            found.append(number)
        return np.where(fits, found[0], -1), np.where(fits, found[1], -1)

    def show(self, rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
        """Return the positions of some rows and columns, of any size, one row of symbols each."""
        out = np.repeat(np.frombuffer(self.ranking.anchor, np.uint8)[None], len(rows), axis=0)
        labels: dict[int, list[tuple[Part, np.ndarray]]] = {}
        for group, numbers in ((self.rows, rows), (self.columns, columns)):
            for each in reversed(group):
                numbers, value = numbers // each.size, (numbers % each.size).astype(np.int64)
                for cell, label in zip(each.cells, each.shown(value).T, strict=True):
                    labels.setdefault(cell, []).append((each, label))
        for cell, read in labels.items():
            out[:, cell] = _symbols(read)
        return self.ranking.merged.decode_rows(out) if self.ranking.merged else out


def _symbols(read: list[tuple[Part, np.ndarray]]) -> np.ndarray:
    """Return the symbols that have the given labels."""
    sizes = [max(each.label) + 1 for each, _ in read]
    table = np.zeros(sizes, np.uint8)  # `_labels` ensures one symbol for each combination of labels
    for symbol, labels in enumerate(zip(*(each.label for each, _ in read), strict=True)):
        table[labels] = symbol
    return table[tuple(label for _, label in read)]


def plan(model: Model, by: Thresholds = USUAL) -> ProductPlan | None:
    """Return the coordinates, or None if rules have conditions or some part has too many values."""
    found = coordinates(model, by)
    return None if found is None else _divided(*found, by)


@lru_cache(maxsize=2)
def coordinates(model: Model, by: Thresholds) -> tuple[Ranking, tuple[Part, ...]] | None:
    """Return a model's ranking and the coordinates that change; None as in `plan`, or if there is only one."""
    if model.metric.after or actions(model) is None:
        return None
    ranking = find(model, listed=by[MOST_LISTED])
    if ranking is None:
        return None
    moves, anchor = actions(ranking.model) or (), ranking.anchor
    labels = [(cells, label) for cells in orbits(moves) for label in _labels(cells, moves, anchor, ranking)]
    if len(labels) < 2:
        return None
    large = {cell for part in ranking.parts if _at_least(part) > by[MOST_VALUES] for cell in part.cells}
    orders = {each: all_orders(*each, moves, anchor) for each in labels if large.issuperset(each[0])}
    if large != {cell for each in orders.values() if each is not None for cell in each.cells}:
        return None
    found = [orders.get(each) or coordinate(*each, moves, anchor, by[MOST_VALUES]) for each in labels]
    return None if None in found else (ranking, tuple(part for part in found if part and part.size > 1))


def _at_least(part: Arrangement | Listed) -> int:
    """Return an estimate of the number of values of a part's largest coordinate, without listing them."""
    return part.orders if isinstance(part, Arrangement) else part.size


def _labels(cells: tuple[int, ...], moves: Sequence[Action], anchor: bytes, ranking: Ranking) -> list[tuple[int, ...]]:
    """Return the labels of the symbols for each coordinate of an orbit of cells.

    Two coordinates if classes and phases can be separated, none if the cells never change, else one. The labels
    together distinguish all symbols that can appear in the cells, and each combination of labels is a symbol.
    """
    symbols = len(moves[0].table[0])
    present = shown(cells, moves, anchor)
    if len(present) == 1:
        return []
    everything = [_dense(range(symbols), present)]
    part = next(part for part in ranking.parts if set(cells) <= set(part.cells))
    if not isinstance(part, Arrangement):
        return everything
    by_class: dict[int, list[int]] = {}
    for symbol in present:
        by_class.setdefault(part.classes.class_of[symbol], []).append(symbol)
    members = [tuple(each) for each in by_class.values()]
    phase = phases({move.table[cell] for move in moves for cell in cells}, members)
    if len(members) == 1 or phase is None or len(members[0]) == 1:
        return everything
    separate = [_dense(part.classes.class_of, present), _dense(phase, present)]
    combinations = {tuple(label[symbol] for label in separate) for symbol in present}
    possible = prod(len(set(labels)) for labels in zip(*combinations, strict=True))
    return separate if len(combinations) == len(present) == possible else everything


def _dense(label: Sequence[int], present: Sequence[int]) -> tuple[int, ...]:
    """Return the labels renumbered 0, 1, … for the symbols present; all other symbols get the next number."""
    number = {old: new for new, old in enumerate(sorted({label[symbol] for symbol in present}))}
    kept = set(present)
    return tuple(number[old] if symbol in kept else len(number) for symbol, old in enumerate(label))


def _divided(ranking: Ranking, found: tuple[Part, ...], by: Thresholds) -> ProductPlan | None:
    """Return the plan with the coordinates divided into rows and columns; None if one of them would be empty."""
    ordered = sorted(found, key=lambda each: each.size)
    columns: list[Part] = []
    while len(ordered) > 1 and prod(c.size for c in columns) * ordered[0].size <= by[ROW_COLUMNS]:
        columns.append(ordered.pop(0))
    if not columns and len(ordered) > 1 and ordered[0].size < 1 << 17:
        columns.append(ordered.pop(0))
    if not ordered or not columns or prod(c.size for c in columns) < by[LEAST_COLUMNS]:
        return None
    return ProductPlan(ranking, tuple(ordered), tuple(columns), by[TASK_WORDS])


def depths(plan: ProductPlan, question: Depths, watch: Watch, threads: int | None = None) -> Layers:
    """Count the positions at each distance from the nearest source."""
    return count_layers(lambda: _field(plan), plan, question, watch, threads)


def _field(plan: ProductPlan) -> RowField:
    rows, columns = (joint(group) for group in (plan.rows, plan.columns))
    tables, which = np.unique(columns, axis=0, return_inverse=True)
    same = (tables == np.arange(tables.shape[1])).all(axis=1)
    sources = words_in_file(rows.shape, rows.dtype) if plan.large else np.empty_like(rows)
    numbers = np.where(same[which], -1, which).astype(np.int32)
    for source, target in zip(sources, rows, strict=True):
        source[target] = np.arange(len(target), dtype=rows.dtype)
    return RowField(
        Arcs(sources, numbers.reshape(-1, 1)),
        Arcs(rows, numbers.reshape(-1, 1)),
        ColumnTables.of(list(tables)),
        *plan.sizes,
        plan.number,
        plan.show,
        plan.numbers,
        task=plan.task,
    )


def joint(group: Sequence[Part]) -> np.ndarray:
    """Return [move, value] for some coordinates combined, int32 if that will do; the first is the greatest digit."""
    after = group[0].after.astype(np.int32 if prod(each.size for each in group) < 1 << 31 else np.int64, copy=False)
    for each in group[1:]:
        after = (after[:, :, None] * each.size + each.after[:, None, :]).reshape(len(after), -1)
    return after
