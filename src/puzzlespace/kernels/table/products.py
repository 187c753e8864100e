"""One layer of a table of rows: position = (row, column), and each move maps a row to a row.

A move permutes the columns of its source row by one table. Each thread owns the target rows that it fills, so there are
no locks. For a target row, each move that leads to it either pushes the bits of the source row through the table or, if
the target row has fewer unseen bits than that, tests for each unseen bit whether its source is set. Row r has the words
r * width … (r + 1) * width - 1; column c is bit c of them.
"""

import numpy as np

from ..bits import lowest, popcount
from ..loop import kernel


@kernel
def count_rows(words, width, out):
    """Write the number of bits set in each row to `out`."""
    for row in range(len(out)):
        total = np.int64(0)
        for index in range(row * width, (row + 1) * width):
            total += popcount(words[index])
        out[row] = total


@kernel
def _push(layer, source, found, target, width, there):
    """Set in row `target` of found the target of each bit in row `source` of the layer."""
    period, base = len(there), np.int64(0)
    for index in range(width):
        word = layer[source * width + index]
        while word:
            column = np.int64(index * 64 + lowest(word))
            if column - base >= period:
                base = column - column % period
            column = base + np.int64(there[column - base])
            found[target * width + (column >> 6)] |= np.uint64(1) << np.uint64(column & 63)
            word &= word - np.uint64(1)


@kernel
def _probe(layer, source, bits, target, sizes, back):
    """Set in row `target` of found the unseen bits whose source is set in row `source` of the layer."""
    seen, found = bits
    _, width, last = sizes
    period, base = len(back), np.int64(0)
    for index in range(width):
        here = target * width + index
        word = ~(seen[here] | found[here])
        if index == width - 1:
            word &= last
        fresh = np.uint64(0)
        while word:
            low = lowest(word)
            column = np.int64(index * 64 + low)
            if column - base >= period:
                base = column - column % period
            column = base + np.int64(back[column - base])
            fresh |= (layer[source * width + (column >> 6)] >> np.uint64(column & 63) & np.uint64(1)) << np.uint64(low)
            word &= word - np.uint64(1)
        found[here] |= fresh


@kernel
def pull_rows(bits, sizes, arcs, tables, span):
    """Fill the target rows span[0] … span[1]-1 of found; return how many positions were generated.

    bits    (layer, seen, found)
    sizes   (bits set in each row of the layer, words per row, mask of the columns in a row's last word)
    arcs    (first, source, table): arcs first[r] … first[r+1]-1 lead to row r, from row source[i] by table[i]; table -1
            is the identity
    tables  (begins, there, back): table t is the entries begins[t] … begins[t+1]-1 of `there` (from source to target)
            and of `back` (from target to source); a table shorter than a row applies to each block of columns
    """
    layer, seen, found = bits
    counts, width, last = sizes
    first, sources, numbers = arcs
    begins, there, back = tables
    generated = np.int64(0)
    for row in range(span[0], span[1]):
        unseen = popcount(last) - 64
        for index in range(row * width, (row + 1) * width):
            unseen += popcount(~seen[index])
        for arc in range(first[row], first[row + 1]):
            source, number = sources[arc], numbers[arc]
            if counts[source] == 0 or unseen <= 0:
                continue
            generated += counts[source]
            if number < 0:
                for index in range(width):
                    found[row * width + index] |= layer[source * width + index]
            elif counts[source] <= unseen:
                _push(layer, source, found, row, width, there[begins[number] : begins[number + 1]])
            else:
                _probe(layer, source, (seen, found), row, sizes, back[begins[number] : begins[number + 1]])
    return generated
