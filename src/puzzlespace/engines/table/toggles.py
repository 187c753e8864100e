"""Depth tables of moves that toggle a set of two-sided cells in place, such as Lights Out.

Positions are sums of moves over GF(2). The rank of a position has one bit for each move of a basis: whether the sum
contains it. Every move is an exclusive or with a mask: one bit for a basis move, several bits for any other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...contract.answers import Layers
from ...contract.questions import Depths
from ...errors import InputError
from ...limits.thresholds import USUAL, Thresholds
from ...limits.watch import Watch
from ...model.model import Model
from ...structure.permutations import actions
from . import OneBit
from .counting import Task, spans
from .one_bit import Ordered, Sets, count_layers, one_bit

MOST = 40
"""The most basis moves; tables of more would not fit any memory."""

ASKED = USUAL
"""With these values no model is too small: for a table that is asked for by the name of its kind."""


@dataclass(frozen=True)
class TogglePlan:
    """A basis of the moves, and every move as a mask of basis moves.

    sides  the two symbols of each cell: that of the anchor and the other
    basis  for each basis move the cells that it toggles, as a mask
    masks  for each move the basis moves of which it is the sum, as a mask
    """

    sides: tuple[tuple[int, int], ...]
    basis: tuple[int, ...]
    masks: tuple[int, ...]

    @property
    def positions(self) -> int:
        return 1 << len(self.basis)

    @property
    def bytes(self) -> int:
        return 2 * 8 * max(1, self.positions // 64)

    @property
    def one_bit(self) -> OneBit:
        return one_bit(max(1, self.positions // 64), 0)

    @cached_property
    def reduced(self) -> tuple[tuple[int, int], ...]:
        """The basis in echelon form: (cells toggled, basis moves), both as masks."""
        return _echelon([(cells, 1 << bit) for bit, cells in enumerate(self.basis)])

    def rank(self, position: bytes) -> int:
        turned = 0
        for cell, (symbol, sides) in enumerate(zip(position, self.sides, strict=True)):
            if symbol not in sides:
                raise InputError(f"position: expected one of the symbols {sides} in cell {cell}, found {symbol}")
            turned |= (symbol != sides[0]) << cell
        number = 0
        for cells, moves in self.reduced:
            if turned >> (cells.bit_length() - 1) & 1:
                turned ^= cells
                number ^= moves
        if turned:
            raise InputError("position: expected a sum of moves, found one that no moves lead to")
        return number

    def ranks(self, rows: np.ndarray) -> np.ndarray:
        """Return the ranks of positions, one row of symbols each; -1 for those that have none."""
        sides = np.array(self.sides, np.uint8).T
        turned = rows != sides[0]
        fits = (~turned | (rows == sides[1])).all(axis=1)
        number = np.zeros(len(rows), np.int64)
        for cells, moves in self.reduced:
            chosen = turned[:, cells.bit_length() - 1].copy()
            turned[chosen] ^= np.array([cells >> cell & 1 for cell in range(rows.shape[1])], bool)
            number[chosen] ^= moves
        return np.where(fits & ~turned.any(axis=1), number, -1)

    def unrank(self, number: int) -> bytes:
        return self.rows(np.array([number]))[0].tobytes()

    def rows(self, numbers: np.ndarray) -> np.ndarray:
        """Return the positions of some ranks, one row of symbols each."""
        rows = np.empty((len(numbers), len(self.sides)), np.uint8)
        for cell, (shown, other) in enumerate(self.sides):
            turning = np.int64(sum(1 << bit for bit, cells in enumerate(self.basis) if cells >> cell & 1))
            turned = numbers & turning
            for by in (32, 16, 8, 4, 2, 1):
                turned = turned ^ turned >> by
            rows[:, cell] = np.where(turned & 1, other, shown)
        return rows


def _echelon(rows: Sequence[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Return the rows (cells, moves) in echelon form: no later row has the leading cell of a row."""
    found: list[tuple[int, int]] = []
    for cells, moves in rows:
        for other, sum_of in found:
            if cells >> (other.bit_length() - 1) & 1:
                cells, moves = cells ^ other, moves ^ sum_of
        if cells:
            found.append((cells, moves))
    return tuple(found)


def plan(model: Model, by: Thresholds = USUAL) -> TogglePlan | None:
    """Return the basis, or None if moves do anything but toggle cells."""
    moves = actions(model)
    if model.metric.after or model.start is None or not moves:
        return None
    turned: dict[int, None] = {}
    sides = {cell: {shown} for cell, shown in enumerate(model.start)}
    for move in moves:
        cells = 0
        for cell, (source, table, shown) in enumerate(zip(move.source, move.table, model.start, strict=True)):
            other = table[shown]
            sides[cell].add(other)
            if source != cell or len(sides[cell]) > 2 or table[other] != shown:
                return None
            cells |= (other != shown) << cell
        turned[cells] = None
    turned.pop(0, None)
    if any(not _turns(move.table[cell], both) for move in moves for cell, both in sides.items()):
        return None
    return _based(model.start, sides, list(turned))


def _turns(table: Sequence[int], sides: set[int]) -> bool:
    """Return whether a table of symbols fixes or exchanges both sides of a cell."""
    led = [table[side] for side in sides]
    return led in (list(sides), list(sides)[::-1])


def _based(start: bytes, sides: dict[int, set[int]], turned: list[int]) -> TogglePlan | None:
    """Return the plan; the basis is all moves that are not a sum of earlier ones."""
    basis: list[int] = []
    found: list[tuple[int, int]] = []
    masks: list[int] = []
    for cells in turned:
        left, moves = cells, 0
        for other, sum_of in found:
            if left >> (other.bit_length() - 1) & 1:
                left, moves = left ^ other, moves ^ sum_of
        if left:
            bit = 1 << len(basis)
            basis.append(cells)
            found.append((left, moves ^ bit))
            masks.append(bit)
        else:
            masks.append(moves)
    if not basis or len(basis) > MOST:
        return None
    pairs = tuple((shown, *(sides[cell] - {shown}), shown)[:2] for cell, shown in enumerate(start))
    return TogglePlan(pairs, tuple(basis), tuple(masks))  # type: ignore[arg-type]


def depths(plan: TogglePlan, question: Depths, watch: Watch, threads: int | None = None) -> Layers:
    """Count the positions at each distance from the nearest source."""
    return count_layers(lambda: XorField(plan), plan, question, watch, threads)


class XorField:
    """Bits by rank; with fewer than 64 positions the upper bits of the only word are unused."""

    def __init__(self, plan: TogglePlan) -> None:
        self.plan = plan
        self.words = max(1, plan.positions // 64)
        self.masks = np.array(sorted(plan.masks, key=lambda mask: (mask & 63, mask)), np.int64)

    def bit(self, position: bytes) -> int:
        return self.plan.rank(position)

    def places(self, rows: np.ndarray) -> np.ndarray:
        """Return the bit indices of positions of the table, one row of symbols each."""
        return self.plan.ranks(rows)

    def rows(self, bits: np.ndarray) -> np.ndarray:
        return self.plan.rows(bits)

    def phases(self, seen: np.ndarray, edge: np.ndarray, threads: int) -> Iterator[list[Task]]:
        from ...kernels.table.toggles import pull_words

        yield [(pull_words, (seen, edge, self.masks, span)) for span in spans(self.words, threads)]

    def ordered(self, sets: Sets, size: int, unseen: int, threads: int) -> Ordered:
        seen, _, fresh = sets
        return False, self.phases(seen, fresh, threads)
