"""Kernels for depth tables of some pieces of listed moves: breadth-first from the goals, a byte for each arrangement.

The k pieces of a table are in different cells of an orbit of n cells, each in one of its variants. The number of an
arrangement is (row * places + place) * turns + turn: `row` numbers the cells of the first pieces, `place` the cells and
variants of the others, `turn` the variants of the first ones. Cells are numbered like partial permutations: each by how
many cells before it are free. A move takes a row to a row, places to places and turns to turns, by two short lists that
are the same for the whole row; so the inner loop reads and writes memory in two rows only.

shape    int64: see the names below
radix    int64 [k]: the variants of each piece
cell     uint8 [moves, k, states], variant uint8 [moves, k, states]: the cell and variant of each piece after a move
table    uint8 [rows * places * turns]: the depth of each arrangement, `UNSEEN` if none is known
sets     uint8 [sets, first]: the sets of cells of the first pieces; orders uint8 [orders, first]: which is where
places   uint16 or int32 [lists, places]: the place after a move of each place, which depends on the move and the set
listed   uint8 [lists]: whether a list of `places` has been written
latest   uint8 [2, rows]: the greatest even and the greatest odd depth at which entries of a row were numbered
span     int64: from which to which set, the thread, and whether every set keeps its lists; if not, each thread has some
cells    int64 [k], found [2, places * turns], scratch int64 [4, places or turns]: what a thread works with
"""

from __future__ import annotations

import numpy as np

from ..bits import lowest, popcount
from ..equal_bytes import equal_up_to
from ..loop import inner, loop
from ..prefetch import prefetch

PIECES, FIRST, CELLS, PLACES, TURNS = range(5)
"""k, how many pieces choose the row, n, and the numbers of places and of turns."""

UNSEEN = 255

SHIFT = 40
"""Columns are divided by the number of turns as fractions of so many bits."""


@inner
def free_before(used, cell):
    """Return how many cells before one are not used."""
    return cell - np.int64(popcount(np.uint64(used) & ((np.uint64(1) << np.uint64(cell)) - np.uint64(1))))


@inner
def list_places(shape, radix, cell, variant, before, after, scratch, places):
    """Write the place after the move of each place to `places`; `before` and `after`: cells of the first pieces."""
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
    for place in range(size):
        places[place] = scratch[0, place]


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
def row_after(shape, radix, cell, cells):
    """Return the row after a move, and the set of the cells of its first pieces as bits; cells: those before."""
    row, used = np.int64(0), np.int64(0)
    for piece in range(shape[FIRST]):
        goes = np.int64(cell[piece, cells[piece] * radix[piece]])
        row = row * (shape[CELLS] - piece) + free_before(used, goes)
        used |= np.int64(1) << goes
    return row, used


@inner
def arrange(shape, cells, among, order):
    """Put the first pieces into cells of a set in one order; return the row, and the set as bits."""
    row, used = np.int64(0), np.int64(0)
    for piece in range(shape[FIRST]):
        cells[piece] = among[order[piece]]
        row = row * (shape[CELLS] - piece) + free_before(used, cells[piece])
        used |= np.int64(1) << cells[piece]
    return row, used


@inner
def collect(table, row, value, shape, found):
    """Write place and turn of the entries of a row that have a value to `found`; return how many there are."""
    turns, width = np.uint64(shape[TURNS]), shape[PLACES] * shape[TURNS]
    inverse = (np.uint64(1) << np.uint64(SHIFT)) // turns + np.uint64(1)
    exact = shape[PLACES] < 1 << (64 - SHIFT - 1) and shape[TURNS] * width < 1 << SHIFT
    begin, count = row * width, 0
    for column in range(0, width, 64):
        bits = equal_up_to(table, begin + column, begin + width, value)
        while bits:
            at = np.uint64(column + lowest(bits))
            place = (at * inverse) >> np.uint64(SHIFT) if exact else at // turns
            found[0, count], found[1, count] = place, at - place * turns
            count += 1
            bits &= bits - np.uint64(1)
    return count


@inner
def slot_of(among, span, listed, moves):
    """Return where the lists of places of a set begin; if not all sets have a place, those of the last are dropped."""
    if span[3]:
        return among * moves
    for move in range(moves):
        listed[span[2] * moves + move] = 0
    return span[2] * moves


@inner
def list_once(listed, at, shape, radix, cell, variant, used, after, scratch, places):
    """List the places after a move, unless they are listed; see `list_places`."""
    if not listed[at]:
        list_places(shape, radix, cell, variant, used, after, scratch, places[at])
        listed[at] = 1


@loop
def spread(table, shape, radix, moves, sets, orders, places, listed, latest, depth, span, cells, found, scratch):
    """Number the entries before those at `depth` in the rows of a span of sets; return how many.

    moves  (cell, variant) of the inverse moves
    The count is too great if several threads number an entry at the same time.
    """
    cell, variant = moves
    turns, width = shape[TURNS], shape[PLACES] * shape[TURNS]
    number, total = cell.shape[0], 0
    for among in range(span[0], span[1]):
        slot = slot_of(among, span, listed, number)
        for order in range(orders.shape[0]):
            row, used = arrange(shape, cells, sets[among], orders[order])
            if latest[depth & 1, row] != depth:
                continue
            following, then = row_after(shape, radix, cell[0], cells)
            for column in range(0, width, 64):
                prefetch(table, following * width + column)
            here = collect(table, row, depth, shape, found)
            for move in range(number):
                target, after = following, then
                if move + 1 < number:
                    following, then = row_after(shape, radix, cell[move + 1], cells)
                    for column in range(0, width, 64):
                        prefetch(table, following * width + column)
                list_once(listed, slot + move, shape, radix, cell[move], variant[move], used, after, scratch, places)
                begin, reached = target * width, 0
                if turns == 1:
                    for index in range(here):
                        at = begin + np.int64(places[slot + move, found[0, index]])
                        reached += table[at] == UNSEEN
                        table[at] = min(table[at], np.uint8(depth + 1))
                else:
                    list_turns(shape, radix, variant[move], cells, scratch)
                    for index in range(here):
                        place = np.int64(places[slot + move, found[0, index]])
                        at = begin + place * turns + scratch[3, found[1, index]]
                        reached += table[at] == UNSEEN
                        table[at] = min(table[at], np.uint8(depth + 1))
                if reached:
                    latest[depth + 1 & 1, target] = depth + 1
                    total += reached
    return total


@loop
def gather(table, shape, radix, moves, sets, orders, places, listed, latest, depth, span, cells, found, scratch):
    """Number the entries of a span of sets that a move takes to `depth`; the other arguments as those of `spread`.

    moves  (cell, variant) of the moves
    It is faster than `spread` if fewer entries are left than are at `depth`, since most need few moves.
    """
    cell, variant = moves
    turns, width = shape[TURNS], shape[PLACES] * shape[TURNS]
    number, total = cell.shape[0], 0
    for among in range(span[0], span[1]):
        slot = slot_of(among, span, listed, number)
        for order in range(orders.shape[0]):
            row, used = arrange(shape, cells, sets[among], orders[order])
            left = -1
            for move in range(number):
                source, after = row_after(shape, radix, cell[move], cells)
                if latest[depth & 1, source] != depth:
                    continue
                if left < 0:
                    left = whole = collect(table, row, UNSEEN, shape, found)
                if left == 0:
                    break
                list_once(listed, slot + move, shape, radix, cell[move], variant[move], used, after, scratch, places)
                list_turns(shape, radix, variant[move], cells, scratch)
                kept = 0
                for index in range(left):
                    place, turn = found[0, index], found[1, index]
                    there = np.int64(places[slot + move, place]) * turns + scratch[3, turn]
                    hit = table[source * width + there] == depth
                    table[row * width + place * turns + turn] = depth + 1 if hit else UNSEEN
                    found[0, kept], found[1, kept] = place, turn
                    kept += not hit
                left = kept
            if left >= 0 and left < whole:
                latest[depth + 1 & 1, row] = depth + 1
                total += whole - left
    return total


@loop
def count(table, depth, span):
    """Return how many positions of a span of rows are at `depth`."""
    total = 0
    for row in range(span[0], span[1]):
        for column in range(table.shape[1]):
            total += table[row, column] == depth
    return total


@inner
def number_of(weight, pieces, cell, base, last, states):
    """Return where the depth of the arrangement of `last` pieces is.

    weight  int64 [k]: how much each cell that is free before counts for a piece
    pieces  int64 [k]: which piece of the position each is
    cell    uint8 [k, states]: the cell that the state of that piece stands for
    base    int64 [k, states]: what the state counts if no cell before is used
    """
    number, used = np.int64(0), np.uint64(0)
    for piece in range(last):
        state = states[pieces[piece]]
        at = np.uint64(1) << np.uint64(cell[piece, state])
        number += base[piece, state] - popcount(used & (at - np.uint64(1))) * weight[piece]
        used |= at
    return number


@inner
def number_after(weight, pieces, cell, base, last, turn, states):
    """Return what `number_of` returns after a move; turn uint8 [pieces, states]: what it does."""
    number, used = np.int64(0), np.uint64(0)
    for index in range(last):
        piece = pieces[index]
        state = turn[piece, states[piece]]
        at = np.uint64(1) << np.uint64(cell[index, state])
        number += base[index, state] - popcount(used & (at - np.uint64(1))) * weight[index]
        used |= at
    return number


@loop
def numbers(weight, pieces, cell, base, states, out):
    """Write the number of the arrangement in each row of states to `out`."""
    for row in range(states.shape[0]):
        out[row] = number_of(weight, pieces, cell, base, len(weight), states[row])
