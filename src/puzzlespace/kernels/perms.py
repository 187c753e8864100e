"""One layer on all permutations of n pieces, when each move carries pieces from cells to cells.

Permutations are numbered from the last cell to the first, number = sum of d[i] * i! with d[i] the smaller pieces among
cells 0 … i-1, so those that agree in their last cells are neighbours. All orders of cells 0-3 with the rest fixed are a
*leaf*: 24 neighbouring bits, three bytes. Moves among these four cells alone permute the bits of a leaf (`within`).

For any other move the number of the permutation it leads to is a sum over pairs of cells: the pair (a, b) adds i! where
i is the later one of the two cells its pieces go to, if the piece that goes there is the greater. So while the cells
are filled from the last to the first, the sums of all pairs of filled cells are known (`base`), and for each empty cell
q and each piece s that is left, what s in q would add with all filled cells (`add[q, s]`, pieces counted by size).
Filling cell b with the j-th piece left takes add[b, j] to the base and adds one weight to every other entry. In a leaf
a number is base + inner[leaf order] + four entries of `add`: nothing is ever ranked or unranked.

The moves are the last axis of all arrays, so that one addition serves them all.
"""

import numpy as np
from numba import njit

from .bits import atomic_or
from .ranks import unrank_different

LEAF = 4
"""Cells of a leaf."""


@njit(cache=True, nogil=True)
def fill(add, base, cell, piece, weights):
    """Put the `piece`-th smallest piece left into `cell`: level `cell` of add and base gives level cell - 1.

    add      int64 [level, q, piece, move]
    base     int64 [level, move]
    weights  int64 [cell, greater, q, move]: what a pair (q, cell) adds where the piece in q is smaller, or greater
    """
    moves = base.shape[1]
    for m in range(moves):
        base[cell - 1, m] = base[cell, m] + add[cell, cell, piece, m]
    for q in range(cell):
        for s in range(cell):
            greater = 1 if s >= piece else 0
            for m in range(moves):
                add[cell - 1, q, s, m] = add[cell, q, s + greater, m] + weights[cell, greater, q, m]


@njit(cache=True, nogil=True)
def _aim(add, base, inner, leaf, out):
    """Write the numbers that all moves lead to from one order of the leaf's pieces; leaf[q] is the piece in cell q."""
    a, b, c, d = leaf[0], leaf[1], leaf[2], leaf[3]
    for m in range(len(out)):
        out[m] = base[3, m] + inner[m] + add[3, 0, a, m] + add[3, 1, b, m] + add[3, 2, c, m] + add[3, 3, d, m]


@njit(cache=True, nogil=True)
def _within(word, within):
    """Return the bits of a leaf that the moves among its own cells lead to; within [move, byte, 256]."""
    found = np.uint32(0)
    for m in range(within.shape[0]):
        found |= within[m, 0, word & 255] | within[m, 1, word >> 8 & 255] | within[m, 2, word >> 16]
    return found


@njit(cache=True, nogil=True)
def _leaf(bits, byte):
    """Return the 24 bits of the leaf that begins at a byte."""
    return (
        np.uint32(bits[byte]) | np.uint32(bits[byte + 1]) << np.uint32(8) | np.uint32(bits[byte + 2]) << np.uint32(16)
    )


@njit(cache=True, nogil=True)
def _push(byte, bits, work, leaves, targets):
    """Set in found all that is one move from the layer's bits of a leaf; return how many were generated."""
    layer, seen, found = bits
    add, base = work
    order, inner, within = leaves
    word = _leaf(layer, byte)
    fresh = _within(word, within) & ~_leaf(seen, byte)
    for part in range(3):
        if fresh >> np.uint32(8 * part) & np.uint32(255):
            atomic_or(found, byte + part, np.uint8(fresh >> np.uint32(8 * part) & np.uint32(255)))
    generated = np.int64(0)
    for number in range(24):
        if word >> np.uint32(number) & np.uint32(1):
            generated += len(targets) + within.shape[0]
            _aim(add, base, inner[number], order[number], targets)
            for m in range(len(targets)):
                index, bit = targets[m] >> 3, np.uint8(1) << np.uint8(targets[m] & 7)
                if not (seen[index] | found[index]) & bit:
                    atomic_or(found, index, bit)
    return generated


@njit(cache=True, nogil=True)
def _pull(byte, bits, work, leaves, targets):
    """Set in found the unseen bits of a leaf that a move leads to from the layer; return how many were tried.

    The moves of `work` are the inverse ones here; a bit is done with as soon as one of its sources is in the layer.
    """
    layer, seen, found = bits
    add, base = work
    order, inner, within = leaves
    unseen = ~_leaf(seen, byte) & np.uint32(0xFFFFFF)
    fresh = _within(_leaf(layer, byte), within) & unseen
    unseen ^= fresh
    tried = np.int64(0)
    for number in range(24):
        if unseen >> np.uint32(number) & np.uint32(1):
            _aim(add, base, inner[number], order[number], targets)
            for m in range(len(targets)):
                tried += 1
                if layer[targets[m] >> 3] >> np.uint8(targets[m] & 7) & np.uint8(1):
                    fresh |= np.uint32(1) << np.uint32(number)
                    break
    for part in range(3):
        found[byte + part] |= np.uint8(fresh >> np.uint32(8 * part) & np.uint32(255))
    return tried


@njit(cache=True, nogil=True)
def _idle(bits, first, last, pull):
    """Return whether bits first … last-1 hold nothing to do: no layer to push, or (pull) nothing unseen."""
    idle = np.uint8(255) if pull else np.uint8(0)
    for byte in range(first >> 3, last >> 3):
        if bits[byte] != idle:
            return False
    return True


@njit(cache=True, nogil=True)
def sweep(top, bits, weights, leaves, pull):
    """Go through all permutations whose last two pieces are given, depth first; return how many were generated.

    top      the pieces of the last cell and the one before, each counted among those left
    bits     (layer, seen, found) as bytes
    weights  see `fill`; of the moves where pushing, of their inverses where pulling
    leaves   (order [24, 4], inner [24, move], within [move, 3, 256]) of a leaf
    pull     fill in unseen bits instead of pushing the layer's bits
    """
    n, moves = weights.shape[0], weights.shape[3]
    add, base = np.zeros((n, n, n, moves), np.int64), np.zeros((n, moves), np.int64)
    digit, size = np.zeros(n, np.int64), np.ones(n + 1, np.int64)
    for cell in range(1, n + 1):
        size[cell] = size[cell - 1] * cell
    targets = np.empty(moves, np.int64)
    number, generated = np.int64(0), np.int64(0)
    lowest_cell = max(n - 2, LEAF)
    for depth in range(n - lowest_cell):
        fill(add, base, n - 1 - depth, top[depth], weights)
        number += top[depth] * size[n - 1 - depth]
    cell = lowest_cell - 1
    digit[cell] = 0
    while cell < lowest_cell:
        if cell < LEAF:
            if pull:
                generated += _pull(number >> 3, bits, (add, base), leaves, targets)
            else:
                generated += _push(number >> 3, bits, (add, base), leaves, targets)
            cell += 1
            number += size[cell]
            digit[cell] += 1
        elif digit[cell] > cell:
            number -= size[cell + 1]
            cell += 1
            if cell < lowest_cell:
                number += size[cell]
                digit[cell] += 1
        elif cell < 9 and _idle(bits[1] if pull else bits[0], number, number + size[cell], pull):
            number += size[cell]
            digit[cell] += 1
        else:
            fill(add, base, cell, digit[cell], weights)
            cell -= 1
            digit[cell] = 0
    return generated


@njit(cache=True, nogil=True)
def unrank_rows(numbers, out):
    """Fill each row of `out` with the permutation of that number: the piece of each cell, counted from 0."""
    units = np.empty(out.shape[1], np.int64)
    for row in range(len(numbers)):
        unrank_different(numbers[row], out.shape[1], units)
        for place in range(out.shape[1]):
            out[row, place] = units[place]
