"""Kernels for depth tables of some pieces of listed moves: breadth-first from the goals, a byte for each arrangement.

The k pieces of a table are in different cells of an orbit of n cells, each in one of its variants. The number of an
arrangement is (row * places + place) * turns + turn: `row` numbers the cells of the first pieces, `place` the cells and
variants of the others, `turn` the variants of the first ones. Cells are numbered like partial permutations: each by how
many cells before it are free. A move takes a row to a row, places to places and turns to turns, by two short lists that
are the same for the whole row; so the inner loop reads and writes memory in two rows only.

shape    int64: see the names below
radix    int64 [k]: the variants of each piece
cell     uint8 [moves, k, states], variant uint8 [moves, k, states]: the cell and variant of each piece after a move
table    uint8 [rows, places * turns]: the depth of each arrangement, `UNSEEN` if none is known
scratch  int64 [6, places or turns]: for `list_places` and `list_turns`
"""

from __future__ import annotations

import numpy as np

from ..bits import popcount
from ..loop import inner, loop

PIECES, FIRST, CELLS, PLACES, TURNS = range(5)
"""k, how many pieces choose the row, n, and the numbers of places and of turns."""

UNSEEN = 255

COSTLY = 3
"""Finding the place after a move of one piece is as fast as listing about this many places."""


@inner
def free_before(used, cell):
    """Return how many cells before one are not used."""
    return cell - np.int64(popcount(np.uint64(used) & ((np.uint64(1) << np.uint64(cell)) - np.uint64(1))))


@inner
def free_cell(used, index):
    """Return the cell that is not used and has `index` such cells before it."""
    free = ~np.uint64(used)
    for _ in range(index):
        free &= free - np.uint64(1)
    return np.int64(popcount((free & (~free + np.uint64(1))) - np.uint64(1)))


@inner
def unrank(row, shape, cells):
    """Write the cells of the first pieces of a row to `cells`; return the set of them as bits."""
    n, first = shape[CELLS], shape[FIRST]
    for piece in range(first - 1, -1, -1):
        cells[piece] = row % (n - piece)
        row //= n - piece
    used = np.int64(0)
    for piece in range(first):
        cells[piece] = free_cell(used, cells[piece])
        used |= np.int64(1) << cells[piece]
    return used


@inner
def place_after(place, shape, radix, cell, variant, before, after, digits):
    """Return the place after a move of one place; arguments as those of `list_places`; digits: int64 [k], scratch."""
    n, first, last = shape[CELLS], shape[FIRST], shape[PIECES]
    for piece in range(last - 1, first - 1, -1):
        size = (n - piece) * radix[piece]
        digits[piece] = place % size
        place //= size
    number, here, there = np.int64(0), before, after
    for piece in range(first, last):
        count = radix[piece]
        at = free_cell(here, digits[piece] // count)
        state = at * count + digits[piece] % count
        goes = np.int64(cell[piece, state])
        number = (number * (n - piece) + free_before(there, goes)) * count + variant[piece, state]
        here |= np.int64(1) << at
        there |= np.int64(1) << goes
    return number


@inner
def list_places(shape, radix, cell, variant, before, after, scratch):
    """Write to scratch[0] the place after the move of each place; `before` and `after`: cells of the first pieces."""
    n, first = shape[CELLS], shape[FIRST]
    scratch[0, 0], scratch[1, 0], scratch[2, 0] = 0, before, after
    size = 1
    for piece in range(first, shape[PIECES]):
        count = radix[piece]
        following = size * (n - piece) * count
        # Written from the end, so that no entry is overwritten before it is read.
        at = following
        for entry in range(size - 1, -1, -1):
            number, here, there = scratch[0, entry], scratch[1, entry], scratch[2, entry]
            for place in range(n - 1, -1, -1):
                if here >> place & 1:
                    continue
                for turn in range(count - 1, -1, -1):
                    state = place * count + turn
                    goes = np.int64(cell[piece, state])
                    at -= 1
                    scratch[0, at] = (number * (n - piece) + free_before(there, goes)) * count + variant[piece, state]
                    scratch[1, at] = here | np.int64(1) << place
                    scratch[2, at] = there | np.int64(1) << goes
        size = following


@inner
def list_turns(shape, radix, variant, cells, scratch):
    """Write to scratch[3] the turn after the move of each turn of the first pieces, which are in these cells."""
    scratch[3, 0] = 0
    size = 1
    for piece in range(shape[FIRST]):
        count = radix[piece]
        at = size * count
        for entry in range(size - 1, -1, -1):
            number = scratch[3, entry]
            for turn in range(count - 1, -1, -1):
                at -= 1
                scratch[3, at] = number * count + variant[piece, cells[piece] * count + turn]
        size *= count


@inner
def collect(table, row, depth, shape, found):
    """Write place and turn of the entries of a row at `depth` to `found`; return how many there are."""
    count, column = 0, 0
    for place in range(shape[PLACES]):
        for turn in range(shape[TURNS]):
            if table[row, column] == depth:
                found[0, count], found[1, count] = place, turn
                count += 1
            column += 1
    return count


@inner
def row_after(shape, radix, cell, cells):
    """Return the row after a move, and the set of the cells of its first pieces as bits; cells: those before."""
    row, used = np.int64(0), np.int64(0)
    for piece in range(shape[FIRST]):
        goes = np.int64(cell[piece, cells[piece] * radix[piece]])
        row = row * (shape[CELLS] - piece) + free_before(used, goes)
        used |= np.int64(1) << goes
    return row, used


@loop
def spread(table, shape, radix, moves, depth, span, cells, found, scratch):
    """Number the positions before those at `depth` in the rows of a span.

    moves  (cell, variant) of the inverse moves
    cells  int64 [2 k], found int64 [2, columns]: scratch
    """
    cell, variant = moves
    first, turns = shape[FIRST], shape[TURNS]
    digits = cells[shape[PIECES] :]
    for row in range(span[0], span[1]):
        here = collect(table, row, depth, shape, found)
        if here == 0:
            continue
        used = unrank(row, shape, cells)
        for move in range(cell.shape[0]):
            target, after = row_after(shape, radix, cell[move], cells)
            listed = COSTLY * here * (shape[PIECES] - first) > shape[PLACES]
            if listed:
                list_places(shape, radix, cell[move], variant[move], used, after, scratch)
            list_turns(shape, radix, variant[move], cells, scratch)
            for index in range(here):
                place = found[0, index]
                if listed:
                    place = scratch[0, place]
                else:
                    place = place_after(place, shape, radix, cell[move], variant[move], used, after, digits)
                column = place * turns + scratch[3, found[1, index]]
                if table[target, column] == UNSEEN:
                    table[target, column] = depth + 1


@loop
def count(table, depth, span):
    """Return how many positions of a span of rows are at `depth`."""
    total = 0
    for row in range(span[0], span[1]):
        for column in range(table.shape[1]):
            total += table[row, column] == depth
    return total


@loop
def gather(table, shape, radix, moves, depth, span, cells, found, scratch):
    """Number the positions of a span of rows that a move takes to `depth`; the other arguments as those of `spread`.

    moves  (cell, variant) of the moves
    It is faster than `spread` if fewer positions are left than are at `depth`, since most need few moves.
    """
    cell, variant = moves
    first, turns = shape[FIRST], shape[TURNS]
    digits = cells[shape[PIECES] :]
    for row in range(span[0], span[1]):
        left = collect(table, row, UNSEEN, shape, found)
        if left == 0:
            continue
        used = unrank(row, shape, cells)
        for move in range(cell.shape[0]):
            source, after = row_after(shape, radix, cell[move], cells)
            listed = COSTLY * left * (shape[PIECES] - first) > shape[PLACES]
            if listed:
                list_places(shape, radix, cell[move], variant[move], used, after, scratch)
            list_turns(shape, radix, variant[move], cells, scratch)
            kept = 0
            for index in range(left):
                place, turn = found[0, index], found[1, index]
                there = place
                if listed:
                    there = scratch[0, place]
                else:
                    there = place_after(place, shape, radix, cell[move], variant[move], used, after, digits)
                if table[source, there * turns + scratch[3, turn]] == depth:
                    table[row, place * turns + turn] = depth + 1
                else:
                    found[0, kept], found[1, kept] = place, turn
                    kept += 1
            left = kept
            if left == 0:
                break


@inner
def number_of(shape, radix, pieces, cell, variant, states):
    """Return the number of the arrangement of some pieces.

    pieces, cell, variant  int64 [k], uint8 [k, states], uint8 [k, states]: of each piece of the table, which piece it
                           is, and the cell and variant that its state stands for
    """
    n, first = shape[CELLS], shape[FIRST]
    row, place, turn, used = np.int64(0), np.int64(0), np.int64(0), np.int64(0)
    for piece in range(shape[PIECES]):
        state = states[pieces[piece]]
        at = np.int64(cell[piece, state])
        digit = free_before(used, at)
        used |= np.int64(1) << at
        if piece < first:
            row = row * (n - piece) + digit
            turn = turn * radix[piece] + variant[piece, state]
        else:
            place = (place * (n - piece) + digit) * radix[piece] + variant[piece, state]
    return (row * shape[PLACES] + place) * shape[TURNS] + turn


@inner
def number_after(shape, radix, pieces, cell, variant, turn, states):
    """Return the number that `number_of` returns after a move; turn uint8 [pieces, states]: what it does."""
    n, first = shape[CELLS], shape[FIRST]
    row, place, turned, used = np.int64(0), np.int64(0), np.int64(0), np.int64(0)
    for index in range(shape[PIECES]):
        piece = pieces[index]
        state = turn[piece, states[piece]]
        at = np.int64(cell[index, state])
        digit = free_before(used, at)
        used |= np.int64(1) << at
        if index < first:
            row = row * (n - index) + digit
            turned = turned * radix[index] + variant[index, state]
        else:
            place = (place * (n - index) + digit) * radix[index] + variant[index, state]
    return (row * shape[PLACES] + place) * shape[TURNS] + turned


@loop
def numbers(shape, radix, pieces, cell, variant, states, out):
    """Write the number of the arrangement in each row of states to `out`."""
    for row in range(states.shape[0]):
        out[row] = number_of(shape, radix, pieces, cell, variant, states[row])
