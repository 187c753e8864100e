"""Depth tables of coloured pieces on a rectangle where a move carries a line of them: tracks in place of positions.

A *track* is all positions that moves along one row (or one column) lead between. Every position is on one of a row and
on one of a column, a shortest way never follows the same one twice, and two tracks that share a position are one move
apart. So a table needs the tracks alone, half as many as there are positions. From tracks of rows every way to a given
track is even or odd, so that depths of neighbours differ by one, and one bit of (depth >> 1) tells which is nearer.

A *word* holds the colours of all pieces, in the order of the cells by rows, as three planes of bits (2, 1 and 0 of the
number of the colour). A track of a row is (row, word). A track of a column is (column, word with the blank in row 0):
to go over from the one to the other, fields of the column hop over width - 1 others, which is a fixed few masks and
shifts for each cell.

Plane 2 says which fields have colours of the *high* group (4 to 7). It is the *row* of the table; the order of the low
group is the column, and the order of the high group, of which there are 64 at most, is the bit.

bits     uint64 [rows, lines, low orders]: lines are the tracks of rows, then those of columns
sources  (rows, low turns, high turns), each int32 [2, cells, rows]: where tracks of columns (0) or of rows (1) come
         from, through a cell: the row, and how its orders turn
low      int32 [turns, low orders]: the order of the low group before
high     uint64 [turns, 8, 256]: the bits of the high group's orders, where the ones of each byte go
still    bool [turns]: whether they stay where they are
"""

from __future__ import annotations

import numpy as np

from ..bits import gathered, popcount
from ..loop import inner, loop

LENGTH, LOW, HIGH, ORDERS, LINES = 0, 1, 2, 3, 4
FIRST = 5
"""Of the array `sizes`: fields of a word, fields of each group, orders of the low group, lines; then, by axis, the
first line, and last the rows and columns that cells are counted by."""


@inner
def turned(word, masks, shifts):
    """Return the word of the track that is reached through a cell."""
    return (word & masks[0]) | (word & masks[1]) << shifts[0] | (word & masks[2]) >> shifts[1]


@inner
def placed(numbers, sizes, line, word):
    """Return where the bit of a track is: 64 * index + bit; numbers = (of rows, of low orders, of high orders)."""
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
def looked_up(bits, place):
    """Return the bit of a place; bits is flat."""
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
    """Or into `found` what a line leads to, where not all is `done`; return whether there was anything.

    near    (bits, seen), each uint64 [low orders], of that line; parity tells the depths that count
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
    """Mark what was found and not done as done, with its bit; return how many there are."""
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
    """Find all tracks of depth + 1 in some rows; return how many there are.

    bits   (in/out)  see above
    seen   (in/out)  uint64, like `bits`: which tracks have a depth
    step   (axis, depth, rows, columns, whole): the axis of the tracks gone on from, 0 for rows; the board; a word
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
