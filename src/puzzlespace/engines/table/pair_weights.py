"""The arrays for `kernels/table/permutations.py`: moves of different pieces as sums over pairs of cells."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from math import factorial

import numpy as np

from ...ranking.counting import rank_order

LEAF = 4
"""The cells of a leaf, as in `kernels/table/permutations.py`."""

Move = tuple[int, ...]
"""For each cell the source of its piece."""


def inverted(moves: Sequence[Move]) -> list[Move]:
    """Return the inverses of some moves."""
    return [tuple(np.argsort(move).tolist()) for move in moves]


def weights_of(moves: Sequence[Move], cells: int) -> np.ndarray:
    """Return uint64 [cell, greater, lower cell, move]: what a pair of cells adds to the rank after a move.

    `greater` is 1 if the piece in the lower cell is the greater one.
    """
    weights = np.zeros((cells, 2, cells, len(moves)), np.uint64)
    for m, move in enumerate(moves):
        goes = np.argsort(move)
        for low in range(cells):
            for high in range(low + 1, cells):
                later = factorial(max(goes[low], goes[high]))
                weights[high, int(goes[low] > goes[high]), low, m] = later
    return weights


def leaves_of(weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return two arrays for each order of a leaf: indices in `add` of its pieces, and what its pairs add per move."""
    orders = _orders()
    moves = weights.shape[3]
    inner = np.zeros((moves, len(orders)), np.uint64)
    for number, order in enumerate(orders):
        for high in range(LEAF):
            for low in range(high):
                inner[:, number] += weights[high, int(order[low] > order[high]), low]
    entries = [[(cell * LEAF + piece) * moves for cell, piece in enumerate(order)] for order in orders]
    return np.array(entries, np.uint64), inner


def _orders() -> list[tuple[int, ...]]:
    return sorted(permutations(range(LEAF)), key=rank_order)
