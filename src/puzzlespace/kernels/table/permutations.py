"""One layer of a table of all permutations of n pieces, for moves that permute the cells.

The rank of a permutation is the sum of d[i] * i!, where d[i] is the number of smaller pieces in cells 0 … i-1. So
permutations that agree in their last cells have consecutive ranks. The 24 permutations that differ only in cells 0-3
are a *leaf*: 24 consecutive bits, three bytes. A move of these four cells alone permutes the bits of a leaf (`within`).

For any other move, the rank of the result is a sum over pairs of cells. Let i be the later one of the two cells to
which the pieces of a pair go: the pair adds i! if the piece that goes to i is the greater of the two. The search fills
the cells from the last to the first. It maintains the sum over all pairs of filled cells (`base`) and, for each empty
cell q and each remaining piece s, the sum over the pairs of q and the filled cells if s were put into q (`add[q, s]`,
with remaining pieces numbered by size). Putting the j-th remaining piece into cell b adds add[b, j] to the base and one
weight to every other entry. In a leaf, a rank is base + inner[leaf order] + four entries of `add`. No permutation is
ranked or unranked.

The moves are the last axis of `add`, so that one vector addition serves all moves. All numbers are unsigned.
"""

import numpy as np

from ..bits import lowest
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
def _leaf(bits, byte):
    """Return the 24 bits of the leaf that begins at a byte."""
    return U64(bits[byte]) | U64(bits[byte + 1]) << U64(8) | U64(bits[byte + 2]) << U64(16)


@kernel
def _set(bits, byte, word):
    """Set the 24 bits of a leaf."""
    bits[byte] |= np.uint8(word & U64(255))
    bits[byte + 1] |= np.uint8(word >> U64(8) & U64(255))
    bits[byte + 2] |= np.uint8(word >> U64(16))


@kernel
def _within(word, within):
    """Return the bits of a leaf one move of its own cells from `word`.

    within  uint64 [move, byte, 256]: the bits that each value of a byte becomes
    """
    found = U64(0)
    for m in range(within.shape[0]):
        found |= within[m, 0, word & U64(255)] | within[m, 1, word >> U64(8) & U64(255)] | within[m, 2, word >> U64(16)]
    return found


@kernel
def _push(byte, bits, add, base, leaves):
    """Set in found all permutations one move from the layer's bits of a leaf; return how many were generated."""
    layer, _, found = bits
    order, inner, within = leaves
    word = _leaf(layer, byte)
    if within.shape[0]:
        _set(found, byte, _within(word, within))
    moves, generated = len(base), 0
    for m in range(moves):
        left = word
        while left:
            leaf = lowest(left)
            a, b, c, d = order[leaf, 0], order[leaf, 1], order[leaf, 2], order[leaf, 3]
            target = base[m] + inner[m, leaf] + add[a + U64(m)] + add[b + U64(m)] + add[c + U64(m)] + add[d + U64(m)]
            found[target >> U64(3)] |= np.uint8(1) << np.uint8(target & U64(7))
            left &= left - U64(1)
            generated += 1
    return generated


@kernel
def _pull(byte, bits, add, base, leaves):
    """Set in found the unseen bits of a leaf that have a source in the layer; return how many sources were tested.

    Here `add` is for the inverse moves. A bit is not tested again after a source was found.
    """
    layer, seen, found = bits
    order, inner, within = leaves
    unseen = ~_leaf(seen, byte) & U64(0xFFFFFF)
    fresh = _within(_leaf(layer, byte), within) & unseen
    moves, tried = len(base), 0
    for m in range(moves):
        left = unseen & ~fresh
        while left:
            leaf = lowest(left)
            a, b, c, d = order[leaf, 0], order[leaf, 1], order[leaf, 2], order[leaf, 3]
            source = base[m] + inner[m, leaf] + add[a + U64(m)] + add[b + U64(m)] + add[c + U64(m)] + add[d + U64(m)]
            fresh |= (U64(layer[source >> U64(3)]) >> (source & U64(7)) & U64(1)) << U64(leaf)
            left &= left - U64(1)
            tried += 1
    _set(found, byte, fresh)
    return tried


@kernel
def _idle(bits, first, last, idle):
    """Return whether all bytes of the bits first … last - 1 equal `idle`."""
    mixed = np.uint8(0)
    for byte in range(first >> 3, last >> 3):
        mixed |= bits[byte] ^ idle
    return mixed == 0


@kernel
def sweep(top, bits, weights, leaves, pull):
    """Visit all permutations whose last two pieces are given, depth first; return how many were generated.

    top      the pieces of the last cell and the one before, each by its index among the remaining pieces
    bits     (layer, seen, found) as bytes; unless `pull`, found must be this thread's own
    weights  see `fill`; of the inverse moves if `pull`
    leaves   (order, inner, within): order [24, 4] index in the last level of `add` of the entry of each cell's piece,
             inner [move, 24] what the pairs within the leaf add, within [move, 3, 256] moves of the leaf's own cells
    pull     test unseen bits for a source in the layer, instead of generating the children of the layer's bits
    """
    n, moves = weights.shape[0], weights.shape[3]
    add, base = np.zeros((n, n * n * moves), np.uint64), np.zeros((n, moves), np.uint64)
    digit, size = np.zeros(n + 1, np.int64), np.ones(n + 1, np.int64)
    for cell in range(1, n + 1):
        size[cell] = size[cell - 1] * cell
    number, generated = np.int64(0), 0
    for depth in range(2):
        fill(add, base, n - 1 - depth, top[depth], weights)
        number += top[depth] * size[n - 1 - depth]
    cell = n - 3
    while cell < n - 2:
        done = cell < LEAF
        if done:
            if pull:
                generated += _pull(number >> 3, bits, add[LEAF - 1], base[LEAF - 1], leaves)
            else:
                generated += _push(number >> 3, bits, add[LEAF - 1], base[LEAF - 1], leaves)
        elif digit[cell] > cell:
            number -= size[cell + 1]
            done = True
        elif cell < 9 and _idle(bits[1 if pull else 0], number, number + size[cell], np.uint8(255 if pull else 0)):
            number += size[cell]
            digit[cell] += 1
        else:
            fill(add, base, cell, digit[cell], weights)
            cell -= 1
            digit[cell] = 0
        if done:
            cell += 1
            number += size[cell]
            digit[cell] += 1
    return generated


@kernel
def turn_all(top, weights, leaves, out):
    """Write to out[rank] the rank after one move, for all permutations whose last two pieces are given; return 0.

    top, weights  as in `sweep`, with a single move; leaves: (order, inner)
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
def merge(found, other, first, last):
    """Add words first … last - 1 of one thread's bits to `found`, and clear them; return 0."""
    for index in range(first, last):
        found[index] |= other[index]
        other[index] = 0
    return 0


@kernel
def unrank_rows(numbers, out):
    """Write the permutation of each rank to a row of `out`: the piece in each cell, from 0."""
    units = np.empty(out.shape[1], np.int64)
    for row in range(len(numbers)):
        unrank_different(numbers[row], out.shape[1], units)
        for place in range(out.shape[1]):
            out[row, place] = units[place]
