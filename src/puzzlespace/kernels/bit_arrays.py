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
def settle(seen, found, first, last):
    """Remove seen positions from found[first:last], mark the rest as seen, and return how many remain.

    seen   (in/out)  one bit per position: in this layer or an earlier one
    found  (in/out)  in: candidates; out: the new layer
    """
    total = np.int64(0)
    for index in range(first, last):
        word = found[index]
        if word:
            word &= ~seen[index]
            found[index] = word
            seen[index] |= word
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
