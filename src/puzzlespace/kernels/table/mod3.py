"""Kept depths: two planes of bits, the low and the high bit of each position's depth mod 3; both set: not reached.

While a table counts, both bits of what is not reached are clear.
"""

import numpy as np
from numba import njit

from ..bits import popcount


@njit(cache=True, nogil=True)
def mark(layer, plane, first, last):
    """Set the bits of a layer in the words first … last of a plane; return 0."""
    for index in range(first, last):
        plane[index] |= layer[index]
    return 0


@njit(cache=True, nogil=True)
def unseen(flat, known, first, out):
    """Write the words of both planes from `first` on to `out`, with both bits set for what is not known.

    flat  both planes, one behind the other
    """
    words = len(known)
    for index in range(len(out)):
        at = first + index
        out[index] = flat[at] | ~known[at if at < words else at - words]


@njit(cache=True, nogil=True)
def part(planes, known):
    """Undo `unseen`: clear both bits of what was not known, and write to `known` what was."""
    for index in range(len(known)):
        both = planes[0, index] & planes[1, index]
        known[index] = ~both
        planes[0, index] ^= both
        planes[1, index] ^= both


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
