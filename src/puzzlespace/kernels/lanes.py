"""Sums of four numbers at a time, in one vector register.

A loop over rows that are chosen by data is otherwise compiled into gathers, which take several times as long.
"""

import numpy as np

from .loop import UNCOMPILED, intrinsic

if UNCOMPILED:

    def sum_of_rows(rows, group, states, depth, node):
        """Return the sums of rows[group, piece, states[depth, node, piece]] over all pieces, a tuple of `SUMS`.

        rows    int64 [groups, pieces, states, SUMS]
        states  uint8 [depths, nodes, pieces]
        """
        chosen = rows[group, np.arange(rows.shape[1]), states[depth, node]]
        return tuple(chosen.sum(axis=0).tolist())

else:
    sum_of_rows = intrinsic("sum_of_rows")
