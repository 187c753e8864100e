"""Depth tables of some pieces on a board with one blank, by the set of occupied cells, then by arrangement.

A row is a set of occupied cells and the connected region of the others that the blank is in. Its columns are the k!
orders of the pieces along the occupied cells. A move of a piece maps a whole row to a row: its place among the k goes
from i to j, which permutes the columns in a way that depends only on i and j. So random access stays within one row.

A table stores depths modulo four, because the depths of neighbours differ by at most one. A row consists of bit 1 of
the depth of each column, followed by bit 0 of each, unless the row determines bit 0 (`planes` 1: every move goes from a
cell of one colour to a cell of the other, so the colours of the occupied cells determine it).

near    int64 [n]: for each cell (in the order of the numbering) its neighbours, as bits
binom   int64 [n + 1, k + 2]: binomial coefficients
low     int32 [2^LOW], high int32 [k + 1, 2^(n - LOW)]: parts of the number of a set of cells; see `number`
row_of  int32 [sets * n]: the row of a set and the cell of the blank, -1 on occupied cells
sets    int64 [rows]: the occupied cells of each row, region int64 [rows]: the cells where the blank may be
turn    uint16 [k * k, k!]: the order after the piece at place i goes to place j; the same order if i = j
"""

from __future__ import annotations

import numpy as np

from ..bits import lowest, popcount
from ..loop import helper, loop

LOW = 13


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
    """Fill `turn`. Orders are numbered lexicographically; `order` is scratch: int64 [2, k]."""
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


@helper
def unrank(k, order):
    """Convert digits (how many smaller numbers follow) into an order, in place, from the right."""
    for place in range(k - 1, -1, -1):
        for later in range(place + 1, k):
            if order[0, later] >= order[0, place]:
                order[0, later] += 1


@loop
def source(i, j, place):
    """Return where the piece at `place` was before the piece at place i went to place j."""
    if place == j:
        return i
    if i < j and i <= place < j:
        return place + 1
    if j < i and j < place <= i:
        return place - 1
    return place


@loop
def spread(rows, now, following, active, board, listed):
    """Mark in `following` all arrangements one move of a piece from those marked in `now`, row by row.

    now, following  uint64 [rows, words]: a bit for each column; they may be the same array, as for `settle`
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


@helper
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
def settle(now, following, seen, active, depth, planes, table):
    """Replace `now` by what is new in `following`, write its depth to the table; return how many are new.

    `now` and `following` may be the same array if no row has both even and odd depths.

    table   (in/out)  uint64 [rows, planes * words]: for each row bit 1 of the depths, then bit 0 if `planes` is 2
    """
    total = np.int64(0)
    words = now.shape[1]
    for row in range(len(now)):
        if active[0, row]:
            now[row] = 0
        active[0, row] = 0
        if not active[1, row]:
            continue
        active[1, row] = 0
        for word in range(words):
            bits = following[row, word] & ~seen[row, word]
            following[row, word] = 0
            if bits:
                now[row, word] = bits
                seen[row, word] |= bits
                active[0, row] = 1
                total += popcount(bits)
                if depth & 2:
                    table[row, word] |= bits
                if planes == 2 and depth & 1:
                    table[row, words + word] |= bits
    return total


@helper
def code(table, row, column, planes, odd):
    """Return a depth modulo four; `odd` is its bit 0 if the table has one plane."""
    words = table.shape[1] // planes
    high = (table[row, column >> 6] >> np.uint64(column & 63)) & np.uint64(1)
    low = np.int64(odd)
    if planes == 2:
        low = np.int64((table[row, words + (column >> 6)] >> np.uint64(column & 63)) & np.uint64(1))
    return 2 * np.int64(high) + low


@loop
def descend(at, odd, rows, board, planes, table):
    """Descend from a row and column to the nearest source; return the number of moves.

    at   (in/out)  int64 [2]: the row and the column, in the end those of the source
    odd  whether the depth is odd, if the table has one plane
    """
    moves = np.int64(0)
    while step_down(at, odd, code(table, at[0], at[1], planes, odd), rows, board, planes, table):
        odd = 1 - odd
        moves += 1
    return moves


@helper
def step_down(at, odd, depth, rows, board, planes, table):
    """Make one move that reduces the depth (modulo four) by one; return whether there is such a move."""
    near, low, high, row_of, turn, k = board
    sets, region = rows
    n, cells, free = len(near), sets[at[0]], region[at[0]]
    rest, place = np.uint64(cells), np.int64(0)
    while rest:
        a = lowest(rest)
        rest &= rest - np.uint64(1)
        into = np.uint64(near[a] & free)
        while into:
            b = lowest(into)
            into &= into - np.uint64(1)
            moved = cells ^ (np.int64(1) << a) ^ (np.int64(1) << b)
            j = popcount(np.uint64(moved & ((np.int64(1) << b) - np.int64(1))))
            to, column = np.int64(row_of[number(moved, low, high) * n + a]), np.int64(turn[place * k + j, at[1]])
            if code(table, to, column, planes, 1 - odd) == (depth + 3) & 3:
                at[0], at[1] = to, column
                return True
        place += 1
    return False
