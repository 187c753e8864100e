"""The ranks of different pieces that moves permute within one orbit of cells: pancakes, rings, reversals.

All orders are ranked; if only one parity is reachable, half of the bits stay clear.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import factorial

import numpy as np

from ...errors import InputError
from ...model.model import Model
from ...ranking.counting import rank_order
from ...structure.permutations import Action, actions, orbits


@dataclass(frozen=True)
class PermutationPlan:
    """The cells in the order in which they are ranked, and the moves as permutations of them.

    anchor  a position with the contents of all other cells, which never change
    """

    anchor: bytes
    cells: tuple[int, ...]
    moves: tuple[tuple[int, ...], ...]

    @property
    def positions(self) -> int:
        return factorial(len(self.cells))

    @cached_property
    def pieces(self) -> tuple[int, ...]:
        """The symbols of the pieces, sorted."""
        return tuple(sorted(self.anchor[cell] for cell in self.cells))

    def rank(self, position: bytes) -> int:
        shown = [position[cell] for cell in self.cells]
        rest = [cell for cell in range(len(position)) if cell not in self.cells]
        if tuple(sorted(shown)) != self.pieces or any(position[cell] != self.anchor[cell] for cell in rest):
            raise InputError("position: expected the pieces of the numbered ones, found others")
        return rank_order(shown)

    def ranks(self, rows: np.ndarray) -> np.ndarray:
        """Return the ranks of positions, one row of symbols each; -1 for those that have none."""
        cells = list(self.cells)
        shown = rows[:, cells]
        rest = np.delete(np.arange(rows.shape[1]), cells)
        anchor = np.frombuffer(self.anchor, np.uint8)
        fits = (rows[:, rest] == anchor[rest]).all(axis=1)
        return np.where(fits, rank_rows(shown, self.pieces), -1)

    def unrank(self, number: int) -> bytes:
        return self.rows(np.array([number]))[0].tobytes()

    def rows(self, numbers: np.ndarray) -> np.ndarray:
        """Return the positions of some ranks, one row of symbols each."""
        from ...kernels.table.permutations import unrank_rows

        orders = np.empty((len(numbers), len(self.cells)), np.uint8)
        unrank_rows(numbers, orders)
        rows = np.repeat(np.frombuffer(self.anchor, np.uint8)[None], len(numbers), axis=0)
        rows[:, list(self.cells)] = np.array(self.pieces, np.uint8)[orders]
        return rows


def rank_rows(shown: np.ndarray, pieces: Sequence[int]) -> np.ndarray:
    """Return the ranks of orders, one row of pieces each; -1 for those that have not all of `pieces`, sorted."""
    number = np.zeros(len(shown), np.int64)
    for place in range(1, shown.shape[1]):
        number += factorial(place) * (shown[:, :place] < shown[:, place, None]).sum(axis=1)
    return np.where((np.sort(shown, axis=1) == np.array(pieces)).all(axis=1), number, -1)


def read(model: Model) -> PermutationPlan | None:
    """Return the ranking, or None if moves do anything but permute different pieces within one orbit of cells."""
    moves = actions(model)
    if model.metric.after or model.start is None or not moves:
        return None
    moved = [cells for cells in orbits(moves) if len(cells) > 1]
    same = tuple(range(model.symbols))
    if len(moved) != 1 or any(table != same for move in moves for table in move.table):
        return None
    cells = moved[0]
    if len({model.start[cell] for cell in cells}) < len(cells):
        return None
    return _ordered(model.start, cells, moves)


def _ordered(anchor: bytes, cells: tuple[int, ...], moves: Sequence[Action]) -> PermutationPlan:
    """Return the plan with the cells that most moves change first, so that most moves fix the last cells."""
    often = Counter(cell for move in moves for cell in cells if move.source[cell] != cell)
    ordered = tuple(sorted(cells, key=lambda cell: (-often[cell], cell)))
    place = {cell: index for index, cell in enumerate(ordered)}
    sources = dict.fromkeys(tuple(place[move.source[cell]] for cell in ordered) for move in moves)
    sources.pop(tuple(range(len(cells))), None)
    return PermutationPlan(anchor, ordered, tuple(sources))
