"""Operations on bits, as written; compiled loops run a few instructions of the processor instead (intrinsics.py)."""

import numpy as np


def popcount(word):
    """Return the number of bits set in the word."""
    return int(word).bit_count()


def lowest(word):
    """Return the index of the lowest set bit; the word must not be 0."""
    return (int(word) & -int(word)).bit_length() - 1


def atomic_or(words, index, mask):
    """Set the bits of `mask` in words[index], atomically."""
    words[index] |= mask


def gathered(word, mask):
    """Return the bits of the word that the mask selects, packed into the lowest bits (parallel bit extract)."""
    found, place = np.uint64(0), np.uint64(0)
    while mask:
        low = mask & (~mask + np.uint64(1))
        if word & low:
            found |= np.uint64(1) << place
        place += np.uint64(1)
        mask ^= low
    return found


def equal64(array, begin, value):
    """Return which of the bytes array[begin : begin + 64] have this value: bit i tells of array[begin + i]."""
    return np.uint64(sum(1 << index for index in range(64) if array[begin + index] == value))
