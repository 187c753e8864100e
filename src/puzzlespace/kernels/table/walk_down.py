"""Walk down a saved depth table of a sliding puzzle: move a piece, compute its bit index, read its depth mod 3."""

import numpy as np

from ..loop import kernel


@kernel
def bit_of(cells, numbers, rows, left):
    """Return the bit index of a position, or -1 if its row is not in the table.

    cells    the kind of piece at each place of the cell order; -1 is a blank
    numbers  (below, child, first state, pieces of the head, pieces of each kind, words of a row), see `Orders`
    rows     row by blanks (a mask of places) and parity of the order: rows[2 · mask + parity]
    left     working memory, one number per kind
    """
    below, child, state, head, counts, words = numbers
    left[:] = counts
    mask, parity, seen = 0, 0, 0
    word, bit = np.int64(0), np.int64(0)
    for place in range(len(cells)):
        kind = cells[place]
        if kind < 0:
            mask |= 1 << place
            continue
        digit = 0
        for other in range(kind):
            digit += left[other] > 0
            parity += left[other]
        if seen < head:
            word += below[state, digit]
        else:
            bit += below[state, digit]
        state = child[state, digit]
        left[kind] -= 1
        seen += 1
    row = rows[2 * mask + parity % 2] if counts.max() == 1 else rows[2 * mask]
    return np.int64(-1) if row < 0 else (row * words + word) * 64 + bit


@kernel
def value_of(bit, planes, touched, block):
    """Return the depth mod 3 at a bit index, or 3 if unreached or -1; mark in `touched` the blocks of words read."""
    if bit < 0:
        return np.int64(3)
    index = bit >> 6
    touched[index // block] = True
    touched[(index + planes.shape[1]) // block] = True
    shift = np.uint64(bit & 63)
    low, high = (planes[0, index] >> shift) & np.uint64(1), (planes[1, index] >> shift) & np.uint64(1)
    return np.int64(low) + 2 * np.int64(high)


@kernel
def descend(orders, links, numbers, rows, data, ends):
    """Write to `ends` for each position its distance (-1 if unreachable) and the bit index where its path down ends.

    orders  (in/out)  one row of cells for each position; set to the last position of its path
    links   [link, 2]  places that a piece leaves and enters
    data    (planes, touched, words of a block)
    """
    planes, touched, block = data
    left = np.empty_like(numbers[4])
    for index in range(len(orders)):
        cells = orders[index]
        bit = bit_of(cells, numbers, rows, left)
        value = value_of(bit, planes, touched, block)
        depth = 0 if value < 3 else -1
        going = value < 3
        while going:
            going = False
            for link in range(len(links)):
                origin, target = links[link]
                if cells[target] >= 0 or cells[origin] < 0:
                    continue
                cells[target], cells[origin] = cells[origin], cells[target]
                other = bit_of(cells, numbers, rows, left)
                if value_of(other, planes, touched, block) == (value + 2) % 3:
                    bit, value, depth, going = other, (value + 2) % 3, depth + 1, True
                    break
                cells[target], cells[origin] = cells[origin], cells[target]
        ends[index, 0] = depth
        ends[index, 1] = bit
