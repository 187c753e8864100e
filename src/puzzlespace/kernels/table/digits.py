"""One layer of a table of digits: each step changes one digit of the number and needs only digits before it.

The first digits number the bits of a word, the others the words. A step of one of the first moves bits within a word; a
step of another one leads from a word to a word at a fixed distance, for the bits whose digits it needs. Which steps
lead to a word is the intersection of two sets of bits, one for the lower and one for the upper half of the word's
number. Each thread gathers the bits for its own target words, so there are no locks.
"""

import numpy as np

from ..bits import lowest, popcount
from ..loop import kernel

U1 = np.uint64(1)


@kernel
def pull(bits, full, inner, outer, span):
    """Add to words span[0] … span[1]-1 of the edge what the layer leads to; return positions generated.

    bits   (seen, layer, edge): the layer is what the first two have, or all seen positions if the second is empty; then
           the new positions are returned
    full   the bits of a word that are positions
    inner  (masks, shifts): the bits of a word that are moved, and how far up, negative for down
    outer  (lower, upper, masks, far): step s leads to a word if bit s is set in lower[word % len(lower)] and in
           upper[word // len(lower)]; it comes from the word `far[s]` before, with the bits masks[s]
    """
    seen, layer, edge = bits
    single = len(layer) > 0
    masks, shifts = inner
    lower, upper, kept, far = outer
    size, groups = lower.shape
    generated, found = np.int64(0), np.int64(0)
    for word in range(span[0], span[1]):
        if not full & ~seen[word]:
            continue
        came, here = np.uint64(0), seen[word] & layer[word] if single else seen[word]
        if here:
            for step in range(len(masks)):
                some = here & masks[step]
                generated += popcount(some)
                came |= some << np.uint64(shifts[step]) if shifts[step] > 0 else some >> np.uint64(-shifts[step])
        low, high = word % size, word // size
        for group in range(groups):
            steps = lower[low, group] & upper[high, group]
            while steps:
                step = group * 64 + lowest(steps)
                steps &= steps - U1
                origin = word - far[step]
                some = seen[origin] & kept[step]
                if single:
                    some &= layer[origin]
                if some:
                    generated += popcount(some)
                    came |= some
        came &= ~seen[word]
        if came:  # a word of a file that is not written takes no room
            edge[word] |= came
            found += popcount(came)
    return generated if single else found


@kernel
def write_depths(layer, used, depth, depths, span):
    """Write `depth` for each bit of words span[0] … span[1]-1 of a layer; a word has the first `used` bits."""
    for word in range(span[0], span[1]):
        left = layer[word]
        while left:
            depths[word * used + lowest(left)] = depth
            left &= left - U1
    return 0
