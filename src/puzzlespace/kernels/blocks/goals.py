"""Kernels that test positions of sliding blocks against goals."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..loop import inner, loop
from .moves import BODY, read, untagged


class Tests(NamedTuple):
    """Goals as arrays.

    masks  uint64 [goals, 2]: a mask of the code, and the wanted bits
    first  int64 [goals + 1]: the conditions of goal g are cells[first[g]:first[g + 1]]
    cells  uint64 [conditions, 2]: a cell and its allowed symbols as a bit set
    """

    masks: np.ndarray
    first: np.ndarray
    cells: np.ndarray


@inner
def shows(board, scratch, taken, cell, symbols):
    """Return whether the position in `scratch` shows one of the symbols in a cell."""
    symbol = board.fixed[cell]
    bit = board.shown[cell]
    if bit >= 0 and taken[bit >> 6] >> np.uint64(bit & 63) & np.uint64(1):
        symbol = board.flags[BODY]
        piece = 0
        for kind in range(len(board.kinds)):
            for _ in range(board.kinds[kind, 0]):
                if board.home[scratch.rows[piece]] == cell:
                    symbol = board.kinds[kind, 5]
                piece += 1
    return symbols >> np.uint64(symbol) & np.uint64(1) != np.uint64(0)


@inner
def meets(board, scratch, tests, code):
    """Return whether a position meets one of the goals."""
    masks, first, cells = tests
    for goal in range(len(masks)):
        if code & masks[goal, 0] != masks[goal, 1]:
            continue
        taken = read(board, code, scratch)
        fits = True
        for each in range(first[goal], first[goal + 1]):
            fits = fits and shows(board, scratch, taken, np.int64(cells[each, 0]), cells[each, 1])
        if fits:
            return True
    return False


@loop
def meeting(board, scratch, tests, layer, out):
    """Write the codes of a layer that meet one of the goals to `out`, without tags; return how many."""
    written = 0
    for row in range(len(layer)):
        code = untagged(board, layer[row])
        if meets(board, scratch, tests, code):
            out[written] = code
            written += 1
    return written
