"""Kept depths: two words of bits for 64 positions, low and high bit of the depth mod 3; both set: not seen yet.

A field is written once, when its position is found, and never changes again.
"""

import numpy as np
from numba import njit

from .bits import popcount


@njit(cache=True, nogil=True, inline="always")
def mark_word(planes, index, known, rest):
    """Give the positions of one word that are known and not kept yet the depth `rest` (mod 3)."""
    new = known & planes[index, 0] & planes[index, 1]
    if new:
        if rest != 1:
            planes[index, 0] &= ~new
        if rest != 2:
            planes[index, 1] &= ~new


@njit(cache=True, nogil=True)
def mark(known, planes, rest, first, last):
    """Give what is known and not kept yet in the words first … last the depth `rest` (mod 3); return 0."""
    for index in range(first, last):
        if known[index]:
            mark_word(planes, index, known[index], rest)
    return 0


@njit(cache=True, nogil=True)
def mark_rows(span, table, fresh, start, targets, planes, rest):
    """Do the same for rows of blocks, where a flag says whether the last layer changed a block; return 0.

    span     (first block, last block + 1)
    table    rows of bits; start[block] is the first word of a block
    targets  the rows to look at
    """
    for row in targets:
        base = row * table.shape[1]
        for block in range(span[0], span[1]):
            if fresh[row, block]:
                for index in range(start[block], start[block + 1]):
                    mark_word(planes, base + index, table[row, index], rest)
    return 0


@njit(cache=True, nogil=True)
def known_bits(planes, out):
    """Write to `out` which positions are kept."""
    for index in range(len(out)):
        out[index] = ~(planes[index, 0] & planes[index, 1])


@njit(cache=True, nogil=True)
def bits_of(planes, rest, out):
    """Write to `out` which positions have the depth `rest` (mod 3)."""
    for index in range(len(out)):
        low, high = planes[index, 0], planes[index, 1]
        if rest == 1:
            out[index] = low & ~high
        elif rest == 2:
            out[index] = high & ~low
        else:
            out[index] = ~(low | high)


@njit(cache=True, nogil=True)
def count_fields(planes, first, last, counts):
    """Add to counts[v] how many fields of the words first … last have the value v (3: not seen)."""
    for index in range(first, last):
        low, high = planes[index, 0], planes[index, 1]
        both = popcount(low & high)
        ones, twos = popcount(low) - both, popcount(high) - both
        counts[0] += 64 - ones - twos - both
        counts[1] += ones
        counts[2] += twos
        counts[3] += both


@njit(cache=True, nogil=True)
def write_depths(known, depths, depth, first, last):
    """Write `depth` for what is known and has no depth yet (255), a byte a position; return 0."""
    for index in range(first, last):
        word = known[index]
        base = index * 64
        while word:
            bit = popcount((word & (~word + np.uint64(1))) - np.uint64(1))
            if depths[base + bit] == 255:
                depths[base + bit] = depth
            word &= word - np.uint64(1)
    return 0
