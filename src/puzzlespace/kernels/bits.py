"""Operations on words of bits: population count, lowest set bit, bit extraction, and an atomic or."""

import numpy as np

from .loop import UNCOMPILED, Deferred, intrinsic, kernel


def one_by_one(word, mask):
    """Do what `gathered` does, one bit of the mask after the other."""
    found, place = np.uint64(0), np.uint64(0)
    while mask:
        low = mask & (~mask + np.uint64(1))
        if word & low:
            found |= np.uint64(1) << place
        place += np.uint64(1)
        mask ^= low
    return found


def _fastest_gathered():
    """Return what `gathered` is, compiled: one instruction where the processor has it."""
    from llvmlite import binding
    from numba import config

    known = config.CPU_NAME is None and binding.get_host_cpu_features().get("bmi2")
    return intrinsic("gathered").made() if known else kernel(one_by_one).made()


if UNCOMPILED:

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
        return one_by_one(word, mask)

else:
    popcount, lowest, atomic_or = (intrinsic(name) for name in ("popcount", "lowest", "atomic_or"))
    gathered = Deferred("gathered", _fastest_gathered)


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
