"""One layer of a table of rows: position = (row, column), and each move maps a row to a row.

A move permutes the columns of its source row by one table. Each thread owns the target rows that it fills, so there are
no locks. For a target row, each move that leads to it either pushes the bits of the source row through the table or, if
the target row has fewer unseen bits than that, tests for each unseen bit whether its source is set. Row r has the words
r * width … (r + 1) * width - 1; column c is bit c of them.
"""

import numpy as np

from ..bits import atomic_or, lowest, popcount
from ..loop import kernel


@kernel
def count_rows(seen, edge, width, out):
    """Write the number of positions of the layer in each row to `out`."""
    for row in range(len(out)):
        total = np.int64(0)
        for index in range(row * width, (row + 1) * width):
            total += popcount(seen[index] & edge[index])
        out[row] = total


@kernel
def _push(seen, edge, source, target, width, there):
    """Set in row `target` of the edge the target of each bit in row `source` of the layer."""
    period, base = len(there), np.int64(0)
    for index in range(width):
        word = seen[source * width + index] & edge[source * width + index]
        while word:
            column = np.int64(index * 64 + lowest(word))
            if column - base >= period:
                base = column - column % period
            column = base + np.int64(there[column - base])
            edge[target * width + (column >> 6)] |= np.uint64(1) << np.uint64(column & 63)
            word &= word - np.uint64(1)


@kernel
def _probe(seen, edge, source, target, sizes, back):
    """Set in row `target` of the edge the unseen bits whose source in row `source` is seen, hence in the layer."""
    _, width, last = sizes
    period, base = len(back), np.int64(0)
    for index in range(width):
        here = target * width + index
        word = ~(seen[here] | edge[here])
        if index == width - 1:
            word &= last
        fresh = np.uint64(0)
        while word:
            low = lowest(word)
            column = np.int64(index * 64 + low)
            if column - base >= period:
                base = column - column % period
            column = base + np.int64(back[column - base])
            fresh |= (seen[source * width + (column >> 6)] >> np.uint64(column & 63) & np.uint64(1)) << np.uint64(low)
            word &= word - np.uint64(1)
        edge[here] |= fresh


@kernel
def pull_rows(bits, sizes, arcs, tables, span):
    """Add what leads to the target rows span[0] … span[1]-1 to the edge; return how many positions were generated.

    bits    (seen, edge), see `engines.table.counting`
    sizes   (bits set in each row of the layer, words per row, mask of the columns in a row's last word)
    arcs    (source, table): move m leads to row r from row source[m, r], or from none if that is -1, by table[m, r], or
            by table[m, 0] if the array has one column; table -1 is the identity
    tables  (begins, there, back): table t is the entries begins[t] … begins[t+1]-1 of `there` (from source to target)
            and of `back` (from target to source); a table shorter than a row applies to each block of columns
    """
    seen, edge = bits
    counts, width, last = sizes
    sources, numbers = arcs
    varied = numbers.shape[1] > 1
    begins, there, back = tables
    generated, before = np.int64(0), np.empty(width, np.uint64)
    for row in range(span[0], span[1]):
        unseen = popcount(last) - 64
        for index in range(width):
            unseen += popcount(~seen[row * width + index])
            before[index] = edge[row * width + index]
        for move in range(len(sources)):
            source, number = sources[move, row], numbers[move, row if varied else 0]
            if source < 0 or counts[source] == 0 or unseen <= 0:
                continue
            generated += counts[source]
            if number < 0:
                for index in range(width):
                    edge[row * width + index] |= seen[source * width + index]
            elif counts[source] <= unseen:
                _push(seen, edge, source, row, width, there[begins[number] : begins[number + 1]])
            else:
                _probe(seen, edge, source, row, sizes, back[begins[number] : begins[number + 1]])
        for index in range(width):  # what was seen is taken away again; other threads may have read it for the layer
            edge[row * width + index] = before[index] | edge[row * width + index] & ~seen[row * width + index]
    return generated


@kernel
def push_rows(bits, sizes, arcs, tables, span):
    """Set in `seen` what the rows span[0] … span[1]-1 of the layer lead to; return how many positions were generated.

    bits    (layer, seen): the layer is read in order
    sizes   (words per row, whether no other thread writes to `seen` at the same time)
    arcs    (target, table): move m leads from row r to row target[m, r], or nowhere if that is -1; tables as in
            `pull_rows`
    tables  (begins, there)
    """
    layer, seen = bits
    width, alone = sizes
    targets, numbers = arcs
    varied = numbers.shape[1] > 1
    begins, tables = tables
    generated, here = np.int64(0), np.empty(width, np.uint64)
    for row in range(span[0], span[1]):
        count = np.int64(0)
        for index in range(width):
            here[index] = layer[row * width + index]
            count += popcount(here[index])
        if not count:
            continue
        for move in range(len(targets)):
            target, number = np.int64(targets[move, row]) * width, numbers[move, row if varied else 0]
            if target < 0:
                continue
            generated += count
            if number < 0:
                for index in range(width):
                    bit = here[index] & ~seen[target + index]
                    if bit and alone:
                        seen[target + index] |= bit
                    elif bit:
                        atomic_or(seen, target + index, bit)
                continue
            there = tables[begins[number] : begins[number + 1]]
            period, base = len(there), np.int64(0)
            for index in range(width):
                word = here[index]
                while word:
                    column = np.int64(index * 64 + lowest(word))
                    word &= word - np.uint64(1)
                    if column - base >= period:
                        base = column - column % period
                    column = base + np.int64(there[column - base])
                    place, bit = target + (column >> 6), np.uint64(1) << np.uint64(column & 63)
                    if alone:
                        seen[place] |= bit
                    elif not seen[place] & bit:
                        atomic_or(seen, place, bit)
    return generated


@kernel
def probe_rows(bits, sizes, arcs, tables, span):
    """Write the unseen positions of rows span[0] … span[1]-1 that seen ones lead to, in order; return how many.

    bits    (seen, fresh): `fresh` is written, words without new positions are not
    sizes   (words per row, mask of the columns in a row's last word)
    arcs    as in `pull_rows`
    tables  (begins, back)
    """
    seen, fresh = bits
    width, last = sizes
    sources, numbers = arcs
    varied = numbers.shape[1] > 1
    begins, tables = tables
    found, left = np.int64(0), np.empty(width, np.uint64)
    for row in range(span[0], span[1]):
        unseen = np.uint64(0)
        for index in range(width):
            left[index] = ~seen[row * width + index] & (last if index == width - 1 else ~np.uint64(0))
            unseen |= left[index]
        if not unseen:
            continue
        for move in range(len(sources)):
            source, number = np.int64(sources[move, row]) * width, numbers[move, row if varied else 0]
            if source < 0:
                continue
            if number < 0:
                for index in range(width):
                    left[index] &= ~seen[source + index]
                continue
            back = tables[begins[number] : begins[number + 1]]
            period, base = len(back), np.int64(0)
            for index in range(width):
                word, gone = left[index], np.uint64(0)
                while word:
                    low = lowest(word)
                    word &= word - np.uint64(1)
                    column = np.int64(index * 64 + low)
                    if column - base >= period:
                        base = column - column % period
                    column = base + np.int64(back[column - base])
                    gone |= (seen[source + (column >> 6)] >> np.uint64(column & 63) & np.uint64(1)) << np.uint64(low)
                left[index] &= ~gone
        for index in range(width):
            new = ~seen[row * width + index] & (last if index == width - 1 else ~np.uint64(0)) & ~left[index]
            if new:
                fresh[row * width + index] = new
                found += popcount(new)
    return found
