"""Depth tables of coloured pieces on a rectangle, for moves that carry a line of them: of tracks, not of positions.

A *track* is all positions that moves along one row (or one column) join. Every position is on one track of a row and on
one of a column. A shortest solution never follows a track twice, and two tracks that share a position are one move
apart. So a table of the tracks suffices: they are half as many as the positions. All paths from tracks of rows to a
given track have the same parity, so the depths of neighbours differ by one, and one bit, bit 0 of (depth >> 1), says
which is nearer.

A *word* holds the colours of all pieces, in the order of the cells by rows, as three planes of bits (2, 1 and 0 of the
number of the colour). A track of a row is (row, word). A track of a column is (column, word with the blank in row 0).
From one to the other, fields of the column pass width - 1 others: a few masks and shifts, fixed for each cell.

Plane 2 marks the fields with colours of the *high* group (4 to 7). It selects the *row* of the table, the order of the
low group selects the column, and the order of the high group selects the bit; there are at most 64 of these orders.

bits     uint64 [rows, lines, low orders]: lines are the tracks of rows, then those of columns
sources  (rows, low turns, high turns), each int32 [2, cells, rows]: for a track of a column (0) or a row (1) and a cell
         where it crosses another track: the row of that track, and how the orders of the two groups turn
low      int32 [turns, low orders]: the order of the low group before the turn
high     uint64 [turns, 8, 256]: for each byte of a word and each of its values the bits after the turn
still    bool [turns]: whether a turn changes no order of the high group
"""

from __future__ import annotations

import numpy as np

from ..bits import gathered, popcount
from ..loop import inner, loop

LENGTH, LOW, HIGH, ORDERS, LINES = 0, 1, 2, 3, 4
FIRST = 5
"""Indices of the array `sizes`: fields of a word, fields of each group, orders of the low group, lines; then the first
line of each axis, and the rows and columns that number the cells."""


@inner
def turned(word, masks, shifts):
    """Return the word of the track that is reached through a cell."""
    return (word & masks[0]) | (word & masks[1]) << shifts[0] | (word & masks[2]) >> shifts[1]


@inner
def bit_index(numbers, sizes, line, word):
    """Return the bit index of a track, 64 * word + bit; numbers = (of rows, of low orders, of high orders)."""
    length, low, high = np.uint64(sizes[LENGTH]), np.uint64(sizes[LOW]), np.uint64(sizes[HIGH])
    whole = (np.uint64(1) << length) - np.uint64(1)
    one, two = word & whole, (word >> length) & whole
    top = word >> (length + length)
    rest = whole & ~top
    order = gathered(two, rest) << low | gathered(one, rest)
    bit = gathered(two, top) << high | gathered(one, top)
    row = np.int64(numbers[0][top]) * sizes[LINES] + line
    return (row * sizes[ORDERS] + np.int64(numbers[1][order])) << 6 | np.int64(numbers[2][bit])


@inner
def bit_at(bits, place):
    """Return the bit with an index; `bits` is flat."""
    return np.int64(bits[place >> 6] >> np.uint64(place & 63)) & 1


@inner
def spread_word(word, high):
    """Return the bits of the high group's orders after a turn."""
    found = np.uint64(0)
    for byte in range(8):
        found |= high[byte, np.int64((word >> np.uint64(8 * byte)) & np.uint64(255))]
    return found


@inner
def collect(near, turn, parity, whole, done, found):
    """Add to `found` what a line leads to, unless all of an order is `done`; return whether there was anything.

    near    (bits, seen), each uint64 [low orders], of that line; parity selects the depths that count
    turn    (low, high, still) of one turn
    whole   a word with a bit for every order of the high group
    """
    some = False
    for order in range(len(found)):
        if done[order] == whole:
            continue
        before = turn[0][order]
        new = near[0][before] if parity else near[1][before] & ~near[0][before]
        if new:
            some = True
            found[order] |= new if turn[2] else spread_word(new, turn[1])
    return some


@inner
def settle(found, done, bits, parity):
    """Mark what was found as done, and set its bits; return how much was not done before."""
    total = np.int64(0)
    for order in range(len(found)):
        new = found[order] & ~done[order]
        found[order] = np.uint64(0)
        if new:
            done[order] |= new
            total += popcount(new)
            if parity:
                bits[order] |= new
    return total


@loop
def spread(bits, seen, step, span, moves, found):
    """Find all tracks of depth + 1 in some rows of the table; return how many there are.

    bits   (in/out)  see above
    seen   (in/out)  uint64, like `bits`: which tracks have a depth
    step   (axis, depth, rows, columns, whole): the axis of the tracks of `depth`, 0 for rows; the board; a word
           with a bit for every order of the high group
    span   rows of the table to fill
    moves  (sources, turns), turns = (low, high, still)
    found  (scratch) uint64 [low orders], 0
    """
    axis, depth, rows, columns, whole = step
    sources, turns = moves
    crossing, along = (columns, rows) if axis == 0 else (rows, columns)
    into, outof = (rows, 0) if axis == 0 else (0, rows)
    total = np.int64(0)
    for row in range(span[0], span[1]):
        for line in range(crossing):
            done = seen[row, into + line]
            some = False
            for other in range(along):
                cell = other * columns + line if axis == 0 else line * columns + other
                source, high = sources[0][axis, cell, row], sources[2][axis, cell, row]
                turn = turns[0][sources[1][axis, cell, row]], turns[1][high], turns[2][high]
                near = bits[source, outof + other], seen[source, outof + other]
                some |= collect(near, turn, (depth >> 1) & 1, whole, done, found)
            if some:
                total += settle(found, done, bits[row, into + line], ((depth + 1) >> 1) & 1)
    return total
