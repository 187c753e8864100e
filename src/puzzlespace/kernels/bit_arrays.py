"""Arrays of words with a bit for each position."""

import numpy as np

from .bits import lowest, popcount
from .loop import kernel


@kernel
def count_bits(words, first, last):
    """Return the number of bits set in words[first:last]."""
    total = np.int64(0)
    for index in range(first, last):
        total += popcount(words[index])
    return total


@kernel
def count_common(one, two, first, last):
    """Return the number of bits set in both one[first:last] and two[first:last]."""
    total = np.int64(0)
    for index in range(first, last):
        total += popcount(one[index] & two[index])
    return total


@kernel
def any_new(seen, edge, first, last):
    """Return the first word of edge[first:last] with a bit that is not in `seen`, plus one; 0 if there is none."""
    for index in range(first, last):
        if edge[index] & ~seen[index]:
            return index + 1
    return 0


@kernel
def settle(seen, edge, first, last):
    """Remove seen positions from edge[first:last], mark the rest as seen, and return how many remain.

    seen  (in/out)  one bit per position: in this layer or an earlier one
    edge  (in/out)  in: the layer and the positions one move from it; out: the new layer
    """
    total = np.int64(0)
    for index in range(first, last):
        word = edge[index]
        if word:
            word &= ~seen[index]
            edge[index] = word
            seen[index] |= word
            total += popcount(word)
    return total


@kernel
def new_bits(words, before, out, first, last):
    """Write the bits of words[first:last] that `before` has not to `out`, which is 0; return how many.

    Words without such bits are not written: in a file they take no room.
    """
    total = np.int64(0)
    for index in range(first, last):
        word = words[index] & ~before[index]
        if word:
            out[index] = word
            total += popcount(word)
    return total


@kernel
def add_bits(words, more, first, last):
    """Set in words[first:last] the bits of `more`; return how many it has. Words that do not change are not written."""
    total = np.int64(0)
    for index in range(first, last):
        word = more[index]
        if word:
            words[index] |= word
            total += popcount(word)
    return total


@kernel
def list_bits(words, first, last, out):
    """Write the indices of the bits set in words[first:last] to `out`, in ascending order; return how many."""
    written = np.int64(0)
    for index in range(first, last):
        word = words[index]
        while word:
            out[written] = np.int64(index) * np.int64(64) + np.int64(lowest(word))
            written += np.int64(1)
            word &= word - np.uint64(1)
    return written
