"""One layer of a table of digits: each step changes one digit of the number and needs only digits before it.

The first digits number the bits of a word, the others the words. A step of one of the first moves bits within a word; a
step of another one leads from a word to a word at a fixed distance, for the bits whose digits it needs. Which steps
lead to a word is the intersection of two sets of bits, one for the lower and one for the upper half of the word's
number. Each thread gathers the bits for its own target words, so there are no locks.

If exchanging values of all digits changes no step and no source, only words are kept whose last digits, the *prefix*,
come first among their images. A step that changes a digit of the prefix may come from a word that is not kept: then the
bits are those of its image.
"""

import numpy as np

from ..bits import lowest, popcount
from ..loop import inlined, kernel

U1 = np.uint64(1)


@inlined
def _image(bits, word, wanted, classes):
    """Return the wanted bits of a word: what (seen, layer) have in its image that is kept."""
    seen, layer = bits
    stands, turned, values, places, slab = classes
    prefix = word // slab
    way, rest, at, unit = turned[prefix], word - prefix * slab, stands[prefix] * slab, 1
    while rest:
        at += values[way, rest % values.shape[1]] * unit
        rest //= values.shape[1]
        unit *= values.shape[1]
    while unit < slab:  # further digits are 0
        at += values[way, 0] * unit
        unit *= values.shape[1]
    here, some = seen[at] & layer[at] if len(layer) else seen[at], np.uint64(0)
    while wanted:
        bit = lowest(wanted)
        wanted &= wanted - U1
        some |= (here >> np.uint64(places[way, bit]) & U1) << np.uint64(bit)
    return some


@kernel
def pull(bits, full, inner, outer, classes, span):
    """Add to words span[0] … span[1]-1 of the edge what the layer leads to; return positions generated.

    bits   (seen, layer, edge): the layer is what the first two have, or all seen positions if the second is empty; then
           the new positions are returned
    full   the bits of a word that are positions
    inner  (masks, shifts): the bits of a word that are moved, and how far up, negative for down
    outer  (lower, upper, masks, far): step s leads to a word if bit s is set in lower[word % len(lower)] and in
           upper[word // len(lower)]; it comes from the word `far[s]` before, with the bits masks[s]
    classes  (stands, turned, values, places, slab); all words are kept if `stands` is empty
    slab     how many words have the same prefix; the words of the span are those of prefixes that are kept
    stands, turned  int64 [prefix]: the prefix that stands for it, and the permutation of values that leads there
    values, places  int64 [permutation, value], int64 [permutation, bit]: where values go, and bits within a word
    """
    seen, layer, edge = bits
    single = len(layer) > 0
    masks, shifts = inner
    lower, upper, kept, far = outer
    stands, slab = classes[0], classes[4]
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
                if len(stands) and abs(far[step]) >= slab and stands[origin // slab] != origin // slab:
                    some = _image((seen, layer), origin, kept[step], classes)
                else:
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
