"""The ranks of all permutations of n pieces after a move that permutes the cells.

The rank of a permutation is the sum of d[i] * i!, where d[i] is the number of smaller pieces in cells 0 … i-1. So
permutations that agree in their last cells have consecutive ranks. The 24 permutations that differ only in cells 0-3
are a *leaf*.

The rank after the move is a sum over pairs of cells. Let i be the later one of the two cells to
which the pieces of a pair go: the pair adds i! if the piece that goes to i is the greater of the two. The search fills
the cells from the last to the first. It maintains the sum over all pairs of filled cells (`base`) and, for each empty
cell q and each remaining piece s, the sum over the pairs of q and the filled cells if s were put into q (`add[q, s]`,
with remaining pieces numbered by size). Putting the j-th remaining piece into cell b adds add[b, j] to the base and one
weight to every other entry. In a leaf, a rank is base + inner[leaf order] + four entries of `add`. No permutation is
ranked or unranked.

All numbers are unsigned.
"""

import numpy as np

from ..loop import kernel
from .ranks import unrank_different

LEAF = 4
"""The number of cells that vary within a leaf."""

U64 = np.uint64


@kernel
def fill(add, base, cell, piece, weights):
    """Put the `piece`-th smallest remaining piece into `cell`: compute level `cell` - 1 of add and base from `cell`.

    add      uint64 [level, (q * (level + 1) + piece) * moves + move]
    base     uint64 [level, move]
    weights  uint64 [cell, greater, q, move]: what the pair (q, cell) adds; `greater` is 1 if the greater piece is in q
    """
    moves = base.shape[1]
    here, there = add[cell], add[cell - 1]
    for m in range(moves):
        base[cell - 1, m] = base[cell, m] + here[(cell * (cell + 1) + piece) * moves + m]
    for q in range(cell):
        for s in range(cell):
            greater = 1 if s >= piece else 0
            old, new = (q * (cell + 1) + s + greater) * moves, (q * cell + s) * moves
            weight = weights[cell, greater, q]
            for m in range(moves):
                there[new + m] = here[old + m] + weight[m]


@kernel
def turn_all(top, weights, leaves, out):
    """Write to out[rank] the rank after one move, for all permutations whose last two pieces are given; return 0.

    top      the pieces of the last cell and the one before, each by its index among the remaining pieces
    weights  see `fill`, with a single move
    leaves   (order, inner): order [24, 4] index in the last level of `add` of the entry of each cell's piece,
             inner [move, 24] what the pairs within the leaf add
    """
    n = weights.shape[0]
    order, inner = leaves
    add, base = np.zeros((n, n * n), np.uint64), np.zeros((n, 1), np.uint64)
    digit, size = np.zeros(n + 1, np.int64), np.ones(n + 1, np.int64)
    for cell in range(1, n + 1):
        size[cell] = size[cell - 1] * cell
    number = np.int64(0)
    for depth in range(2):
        fill(add, base, n - 1 - depth, top[depth], weights)
        number += top[depth] * size[n - 1 - depth]
    cell, last = n - 3, add[LEAF - 1]
    while cell < n - 2:
        if cell < LEAF:
            for leaf in range(24):
                a, b, c, d = order[leaf, 0], order[leaf, 1], order[leaf, 2], order[leaf, 3]
                out[number + leaf] = base[LEAF - 1, 0] + inner[0, leaf] + last[a] + last[b] + last[c] + last[d]
        elif digit[cell] > cell:
            number -= size[cell + 1]
        else:
            fill(add, base, cell, digit[cell], weights)
            cell -= 1
            digit[cell] = 0
            continue
        cell += 1
        number += size[cell]
        digit[cell] += 1
    return 0


@kernel
def unrank_rows(numbers, out):
    """Write the permutation of each rank to a row of `out`: the piece in each cell, from 0."""
    units = np.empty(out.shape[1], np.int64)
    for row in range(len(numbers)):
        unrank_different(numbers[row], out.shape[1], units)
        for place in range(out.shape[1]):
            out[row, place] = units[place]
