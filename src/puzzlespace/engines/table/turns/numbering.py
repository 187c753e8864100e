"""The rows, blocks and columns of positions, and which models have two turns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import NamedTuple

import numpy as np

from ....limits.threads import processors
from ....limits.thresholds import USUAL, Threshold, Thresholds
from ....model.model import Model
from ....ranking.find import MOST_LISTED
from ..factor_tables import Coordinate
from ..products import MOST_VALUES, ROW_COLUMNS, ProductPlan, coordinates, joint

MOST_MOVES = 32
"""The most moves of both turns together: each pair of powers has a permutation of blocks and one of columns."""

COLUMNS = 512
"""The most columns of a block; `kernels/table/turns.py` numbers so many."""

LEAST_TURNS = Threshold(1 << 22)
"""The least number of positions for which it is worthwhile."""

ASKED = Thresholds({LEAST_TURNS: 0, ROW_COLUMNS: 16, MOST_LISTED: 0})
"""With these values no model is too small: for a table that is asked for by the name of its kind."""


class Element(NamedTuple):
    """What a turn does: the row, the block and the column that each becomes."""

    rows: np.ndarray
    blocks: np.ndarray
    columns: np.ndarray

    def then(self, other: Element) -> Element:
        """Return this turn followed by the other."""
        return Element(other.rows[self.rows], other.blocks[self.blocks], other.columns[self.columns])

    @property
    def key(self) -> bytes:
        """Equal elements have equal keys."""
        return b"".join(part.tobytes() for part in self)


@dataclass(frozen=True)
class TurnPlan:
    """The rows, blocks and columns of positions, and the two turns.

    product  its rows are the largest coordinate, its columns all others, the smallest last
    columns  how many columns a block has; a row has the other factor of the product's columns as blocks
    turns    for each turn its powers, from the identity on; the turn with more powers comes first
    """

    product: ProductPlan
    columns: int
    turns: tuple[tuple[Element, ...], tuple[Element, ...]]

    @property
    def positions(self) -> int:
        return self.product.positions

    @property
    def blocks(self) -> int:
        """The number of blocks of a row."""
        return self.product.sizes[1] // self.columns

    @cached_property
    def bytes(self) -> int:
        """The first turn's table is there twice, because a layer of the other reads it as it was before the layer.

        Each thread has a transposed row for each power, and two more.
        """
        first, second = (len(np.unique(least_rows(turn))) for turn in self.turns)
        row = 8 * self.blocks * -(-self.columns // 64)
        turned = 8 * self.columns * -(-self.blocks // 64) * (len(self.turns[0]) + 2)
        pairs = 2 * len(self.turns[0]) * len(self.turns[1]) * 4 * (self.blocks + self.columns)
        return (2 * first + second) * row + processors() * turned + pairs + 64 * self.product.sizes[0]

    def rank(self, position: bytes) -> int:
        return self.product.rank(position)

    def unrank(self, number: int) -> bytes:
        return self.product.unrank(number)

    def numbers(self, sources: Sequence[bytes]) -> np.ndarray:
        """Return the numbers of some positions, in ascending order."""
        return np.unique(np.array([self.rank(position) for position in sources], np.int64))

    def split(self, numbers: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the rows, blocks and columns of some numbers."""
        rows, rest = np.divmod(numbers, self.product.sizes[1])
        blocks, columns = np.divmod(rest, self.columns)
        return rows, blocks, columns

    def joined(self, rows: np.ndarray, blocks: np.ndarray, columns: np.ndarray) -> np.ndarray:
        """Return the numbers of positions with these rows, blocks and columns."""
        return (rows.astype(np.int64) * self.blocks + blocks) * self.columns + columns

    def led(self, numbers: np.ndarray, power: Element) -> np.ndarray:
        """Return the numbers of the positions that a turn makes of some positions."""
        rows, blocks, columns = self.split(numbers)
        return self.joined(power.rows[rows], power.blocks[blocks], power.columns[columns])

    def show(self, numbers: np.ndarray) -> np.ndarray:
        """Return the positions with some numbers, one row of symbols each."""
        return self.product.show(*np.divmod(numbers, self.product.sizes[1]))


def least_rows(powers: Sequence[Element]) -> np.ndarray:
    """Return for each row the least row of its orbit."""
    return np.minimum.reduce([power.rows for power in powers])


def plan(model: Model, by: Thresholds = USUAL) -> TurnPlan | None:
    """Return the plan, or None if the moves are not the powers of two turns, or coordinates are too few or too many."""
    if model.metric.after or not 2 <= len(model.rules) <= MOST_MOVES:
        return None
    found = coordinates(model, by)
    if found is None or len(found[1]) < 2 or prod(each.size for each in found[1]) < by[LEAST_TURNS]:
        return None
    listed = [each for each in found[1] if isinstance(each, Coordinate)]
    if len(listed) < len(found[1]):
        return None
    ranking, ordered = found[0], sorted(listed, key=lambda each: -each.size)
    most = min(COLUMNS, by[ROW_COLUMNS])
    if ordered[-1].size > COLUMNS:
        return None
    last = len(ordered) - 1
    while last > 1 and prod(each.size for each in ordered[last - 1 :]) <= most:
        last -= 1
    parts = ordered[:1], ordered[1:last], ordered[last:]
    if prod(each.size for each in parts[1]) > by[MOST_VALUES]:
        return None
    turns = _turns([Element(*each) for each in zip(*(_moved(group, len(model.rules)) for group in parts), strict=True)])
    if turns is None:
        return None
    product = ProductPlan(ranking, (ordered[0],), tuple(ordered[1:]))
    return TurnPlan(product, prod(each.size for each in parts[2]), turns)


def _moved(group: Sequence[Coordinate], moves: int) -> np.ndarray:
    """Return [move, value] for some coordinates together; without any there is one value."""
    return joint(group).astype(np.int64) if group else np.zeros((moves, 1), np.int64)


def _turns(moves: Sequence[Element]) -> tuple[tuple[Element, ...], tuple[Element, ...]] | None:
    """Return the two turns whose powers are the moves, without their identity; None if there are not two."""
    still = Element(*(np.arange(len(part), dtype=part.dtype) for part in moves[0]))
    left = {move.key: move for move in moves}
    left.pop(still.key, None)
    found: list[tuple[Element, ...]] = []
    while left:
        powers = max((_powers(move, still) for move in left.values()), key=len)
        if len(found) == 2 or any(left.pop(power.key, None) is None for power in powers[1:]):
            return None
        found.append(powers)
    if len(found) != 2:
        return None
    return (found[0], found[1]) if len(found[0]) >= len(found[1]) else (found[1], found[0])


def _powers(move: Element, still: Element) -> tuple[Element, ...]:
    """Return the identity and the powers of a move, or so many of them that they cannot all be moves."""
    found, power = [still], move
    while power.key != still.key and len(found) <= MOST_MOVES:
        found.append(power)
        power = power.then(move)
    return tuple(found)
