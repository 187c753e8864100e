"""Moves of different pieces as sums over pairs of cells, in the arrays that `kernels/table/permutations.py` runs on."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations, product
from math import factorial

import numpy as np

from ...ranking.counting import rank_order

LEAF = 4
"""Cells whose orders are neighbours in three bytes, as in `kernels/table/permutations.py`."""

Move = tuple[int, ...]
"""For each cell the cell that it gets its piece from."""


def inverted(moves: Sequence[Move]) -> list[Move]:
    """Return the moves that undo these."""
    return [tuple(np.argsort(move).tolist()) for move in moves]


def weights_of(moves: Sequence[Move], cells: int) -> np.ndarray:
    """Return uint64 [cell, greater, lower cell, move]: what a pair of cells adds to the number that a move leads to.

    `greater` says whether the piece in the lower cell is the greater one of the two.
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
    """Return for each order of a leaf where the entries of its pieces stand, and for each move what its pairs add."""
    orders = _orders()
    moves = weights.shape[3]
    inner = np.zeros((moves, len(orders)), np.uint64)
    for number, order in enumerate(orders):
        for high in range(LEAF):
            for low in range(high):
                inner[:, number] += weights[high, int(order[low] > order[high]), low]
    entries = [[(cell * LEAF + piece) * moves for cell, piece in enumerate(order)] for order in orders]
    return np.array(entries, np.uint64), inner


def within_of(moves: Sequence[Move]) -> np.ndarray:
    """Return for each move among the cells of a leaf, each of its three bytes and each value the bits it leads to."""
    orders = _orders()
    tables = np.zeros((len(moves), 3, 256), np.uint64)
    for m, move in enumerate(moves):
        led = [rank_order([order[move[cell]] for cell in range(LEAF)]) for order in orders]
        for byte, value, bit in product(range(3), range(256), range(8)):
            if value >> bit & 1:
                tables[m, byte, value] |= np.uint64(1 << led[8 * byte + bit])
    return tables


def _orders() -> list[tuple[int, ...]]:
    return sorted(permutations(range(LEAF)), key=rank_order)
