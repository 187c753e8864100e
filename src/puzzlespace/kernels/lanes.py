"""Operations on several words at a time, as written; compiled loops run vector instructions (intrinsics.py)."""

import numpy as np

from .widths import WORDS


def move_lanes(words, to, source, allowed, row, shifts):
    """Set words[to + (lane ^ turn)] |= (source[lane] & allowed[row + lane]) << up >> down, for all 8 lanes.

    to      a multiple of 8
    shifts  (up, down, turn)
    """
    up, down, turn = shifts
    for lane in range(WORDS):
        words[to + (lane ^ int(turn))] |= (source[lane] & allowed[row + lane]) << up >> down


def sum_of_rows(rows, group, states, depth, node):
    """Return the sums of rows[group, piece, states[depth, node, piece]] over all pieces, a tuple of `SUMS`.

    rows    int64 [groups, pieces, states, SUMS]
    states  uint8 [depths, nodes, pieces]
    """
    chosen = rows[group, np.arange(rows.shape[1]), states[depth, node]]
    return tuple(chosen.sum(axis=0).tolist())
