"""Find bytes of one value, 64 at a time."""

import numpy as np

from .bits import equal64, popcount
from .loop import inner, loop


@inner
def equal_up_to(array, begin, end, value):
    """Return which bytes of array[begin:end] have this value, of the first 64 at most; the others are not read."""
    if end - begin >= 64:
        return equal64(array, begin, value)
    if end >= 64:
        return equal64(array, end - 64, value) >> np.uint64(64 - (end - begin))
    found = np.uint64(0)
    for index in range(begin, end):
        if array[index] == value:
            found |= np.uint64(1) << np.uint64(index - begin)
    return found


@loop
def count_equal(array, value):
    """Return how many bytes of an array have this value."""
    total = 0
    for index in range(0, len(array), 64):
        total += popcount(equal_up_to(array, index, len(array), value))
    return total
