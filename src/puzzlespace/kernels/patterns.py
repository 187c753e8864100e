"""Depth tables of some pieces on a board with one blank, laid out by which cells are occupied, then by arrangement.

A row is a set of occupied cells with one region of the others, where the blank is; its columns are the k! orders of
the pieces along the occupied cells. A piece that moves takes a whole row to a row: its place among the k goes from i
to j, which permutes the columns in a way that depends on i and j alone. So all random access stays within one row.

near    int64 [n]: for each cell (in the order of the numbering) its neighbours, as bits
binom   int64 [n + 1, k + 2]: binomial coefficients
low     int32 [2^LOW], high int32 [k + 1, 2^(n - LOW)]: parts of the number of a set of cells; see `number`
row_of  int32 [sets * n]: the row of a set and the cell of the blank, -1 on occupied cells
sets    int64 [rows]: the occupied cells of each row, region int64 [rows]: the cells where the blank may be
turn    uint16 [k * k, k!]: the order after the piece at place i goes to place j
"""

from __future__ import annotations

import numpy as np

from .bits import lowest, popcount
from .loop import loop

LOW = 13
UNKNOWN = 255


@loop
def number(cells, low, high):
    """Return the number of a set of cells among those of its size, in colexicographic order."""
    part = cells & np.int64((1 << LOW) - 1)
    return np.int64(low[part]) + np.int64(high[popcount(np.uint64(part)), cells >> np.int64(LOW)])


@loop
def number_parts(binom, low, high):
    """Fill `low` and `high`."""
    for part in range(len(low)):
        rest, place = np.uint64(part), 0
        while rest and place + 1 < binom.shape[1]:
            place += 1
            low[part] += np.int32(binom[lowest(rest), place])
            rest &= rest - np.uint64(1)
    for before in range(high.shape[0]):
        for part in range(high.shape[1]):
            rest, place = np.uint64(part), before
            while rest and place + 1 < binom.shape[1]:
                place += 1
                high[before, part] += np.int32(binom[LOW + lowest(rest), place])
                rest &= rest - np.uint64(1)


@loop
def list_rows(near, k, low, high, row_of, sets, region):
    """Number the rows; return how many. With empty `sets` they are only counted."""
    n = len(near)
    rows = 0
    cells = (np.int64(1) << np.int64(k)) - np.int64(1)
    while cells >> np.int64(n) == 0:
        at = number(cells, low, high) * n
        free = ~cells & ((np.int64(1) << np.int64(n)) - np.int64(1))
        while free:
            grown = free & -free
            part = np.int64(0)
            while grown != part:
                part = grown
                rest = np.uint64(part)
                while rest:
                    grown |= near[lowest(rest)] & ~cells
                    rest &= rest - np.uint64(1)
            free &= ~part
            if len(sets):
                sets[rows], region[rows] = cells, part
                for cell in range(n):
                    if part >> np.int64(cell) & 1:
                        row_of[at + cell] = rows
            rows += 1
        step = cells & -cells
        ripple = cells + step
        cells = ripple | (((cells ^ ripple) >> np.int64(2)) // step)
    return rows


@loop
def list_turns(k, facts, order, turn):
    """Fill `turn`. Orders are numbered lexicographically; `order` is scratch for k numbers, twice."""
    for rank in range(turn.shape[1]):
        rest = rank
        for place in range(k):
            digit = rest // facts[k - 1 - place]
            rest %= facts[k - 1 - place]
            order[0, place] = digit
        unrank(k, order)
        for i in range(k):
            for j in range(k):
                turned = 0
                for place in range(k):
                    order[1, place] = order[0, source(i, j, place)]
                for place in range(k):
                    smaller = 0
                    for later in range(place + 1, k):
                        smaller += order[1, later] < order[1, place]
                    turned += smaller * facts[k - 1 - place]
                turn[i * k + j, rank] = np.uint16(turned)


@loop
def unrank(k, order):
    """Make digits (how many smaller ones stand later) into an order, in place, from the right."""
    for place in range(k - 1, -1, -1):
        for later in range(place + 1, k):
            if order[0, later] >= order[0, place]:
                order[0, later] += 1


@loop
def source(i, j, place):
    """Return the place that what stands at `place` came from when the piece at place i went to place j."""
    if place == j:
        return i
    if i < j and i <= place < j:
        return place + 1
    if j < i and j < place <= i:
        return place - 1
    return place


@loop
def spread(rows, now, following, active, board, listed):
    """Mark in `following` all that is one move of a piece from the columns marked in `now`, row by row.

    now, following  uint64 [rows, words]: a bit for each column
    active          uint8 [2, rows]: whether a row has bits in `now`; in `following`
    board           (near, low, high, row_of, turn, k)
    listed          uint16 [k!]: scratch
    """
    near, low, high, row_of, turn, k = board
    n = len(near)
    sets, region = rows
    for row in range(len(sets)):
        if not active[0, row]:
            continue
        count = list_columns(now[row], listed)
        cells, rest, place = sets[row], np.uint64(sets[row]), np.int64(0)
        while rest:
            a = lowest(rest)
            rest &= rest - np.uint64(1)
            into = np.uint64(near[a] & region[row])
            while into:
                b = lowest(into)
                into &= into - np.uint64(1)
                moved = cells ^ (np.int64(1) << a) ^ (np.int64(1) << b)
                to = row_of[number(moved, low, high) * n + a]
                j = popcount(np.uint64(moved & ((np.int64(1) << b) - np.int64(1))))
                active[1, to] = 1
                if place == j:
                    for word in range(now.shape[1]):
                        following[to, word] |= now[row, word]
                else:
                    mark(turn[place * k + j], listed, count, following[to])
            place += 1


@loop
def list_columns(words, listed):
    """Write the numbers of the bits set to `listed`; return how many."""
    count = 0
    for word in range(len(words)):
        bits = words[word]
        while bits:
            listed[count] = np.uint16(word * 64 + lowest(bits))
            count += 1
            bits &= bits - np.uint64(1)
    return count


@loop
def mark(turned, listed, count, words):
    """Set the bits of the turned columns."""
    for index in range(count):
        column = turned[listed[index]]
        words[column >> 6] |= np.uint64(1) << np.uint64(column & 63)


@loop
def settle(now, following, seen, active, depth, to_row, table):
    """Make what is new in `following` the new `now`, write its depth to the table; return how many are new.

    to_row  int64 [rows]: the row of the table for each row
    table   uint8 [rows of the table, k!], UNKNOWN where no depth is known
    """
    total = 0
    for row in range(len(now)):
        if active[0, row]:
            now[row] = 0
        active[0, row] = 0
        if not active[1, row]:
            continue
        active[1, row] = 0
        for word in range(now.shape[1]):
            bits = following[row, word] & ~seen[row, word]
            following[row, word] = 0
            if bits:
                now[row, word] = bits
                seen[row, word] |= bits
                active[0, row] = 1
                while bits:
                    column = word * 64 + lowest(bits)
                    if table[to_row[row], column] == UNKNOWN:
                        table[to_row[row], column] = np.uint8(depth)
                    total += 1
                    bits &= bits - np.uint64(1)
    return total
