"""Depths mod 3 as two bit planes: the low and the high bit of each position; both bits set if it was not reached.

While the layers are still counted, both bits of unreached positions are clear instead.
"""

import numpy as np

from ..bits import popcount
from ..loop import kernel


@kernel
def mark(layer, plane, first, last):
    """Set the bits of a layer in words first … last - 1 of a plane; return 0."""
    for index in range(first, last):
        plane[index] |= layer[index]
    return 0


@kernel
def mark_unreached(flat, known, first, out):
    """Write the words of both planes from `first` on to `out`, with both bits set for unreached positions.

    flat   both planes, one after the other
    known  one bit for each reached position
    """
    words = len(known)
    for index in range(len(out)):
        at = first + index
        out[index] = flat[at] | ~known[at if at < words else at - words]


@kernel
def unmark_unreached(planes, known):
    """Undo `mark_unreached`: clear both bits of unreached positions, and write the reached ones to `known`."""
    for index in range(len(known)):
        both = planes[0, index] & planes[1, index]
        known[index] = ~both
        planes[0, index] ^= both
        planes[1, index] ^= both


@kernel
def write_depths(known, depths, depth, first, last):
    """Write `depth` to depths[position] for each reached position whose depth is still 255; return 0."""
    for index in range(first, last):
        word = known[index]
        base = index * 64
        while word:
            bit = popcount((word & (~word + np.uint64(1))) - np.uint64(1))
            if depths[base + bit] == 255:
                depths[base + bit] = depth
            word &= word - np.uint64(1)
    return 0
