"""Kernels for coset tables, see `heuristics.coset_tables`: classes of pairs under symmetries, and breadth-first depths.

A pair is place * turns + turn: two coordinates of the first orbit. A row of the table is a class of pairs, a column a
value of the coordinate of the second orbit. To look up a pair and a value, the symmetry that takes the pair to the
first one of its class is applied to the value.

table  uint8 [classes, values]: the depth of each entry, `UNSEEN` if none is known
first  int32 [classes]: the first pair of each class
own    int32 [pairs]: class << shift | symmetry
kept   uint64 [classes]: the symmetries that keep the first pair, as bits
places, turned  uint16 [moves, values]: the value of each coordinate of the first orbit after a move
steps  (places, turned, joined), joined uint16 [symmetries, moves, values]: the coordinate of the second orbit after a
       move, and then a symmetry
conjugates  uint16 [symmetries, values]
form   int64: the depth, the shift, the rows from and to which are worked on

The row after the next move is prefetched while one is worked on: the table is larger than the cache.
"""

from __future__ import annotations

import numpy as np

from ..loop import inner, loop
from ..prefetch import prefetch
from .piece_tables import UNSEEN

UNREACHED, REACHED = -1, -2
"""Pairs without a class."""

TURNED, SECOND = 20, 40
"""Where the codes of turns and of the second orbit begin in a word."""

LINE = 64
"""The bytes of a cache line."""

MARKS = 8
"""Where the marks of moves begin in a word of the table, after the depth."""


@loop
def reach(places, turned, own, queue, begin, end, count):
    """Mark the pairs beside those from `begin` to `end` in `queue` as `REACHED`, and append them; return its length.

    count  its length before; the first pair is marked and in it already
    """
    turns = turned.shape[1]
    for at in range(begin, end):
        pair = np.int64(queue[at])
        for move in range(places.shape[0]):
            there = np.int64(places[move, pair // turns]) * turns + turned[move, pair % turns]
            if own[there] == UNREACHED:
                own[there] = REACHED
                queue[count] = there
                count += 1
    return count


@inner
def image(place, turn, by_place, by_turn, part, name, variants):
    """Return what a symmetry makes of a pair."""
    rows, weight, number = by_place
    turn_rows, turn_weight, turn_number = by_turn
    code, turn_code = np.int64(0), np.int64(0)
    for cell in range(rows.shape[1]):
        group = rows[place, cell]
        there = name[group, cell * variants + turn_rows[turn, cell]]
        code += part[group] * weight[there // variants]
        turn_code += (there % variants) * turn_weight[there // variants]
    return np.int64(number[code]) * turn_rows.shape[0] + turn_number[turn_code]


@loop
def classify(by_place, by_turn, part, name, opposite, form, own, queue, kept):
    """Number the classes in the order of a part of `queue`, write their first pairs to it; return how many there are.

    form  int64: the variants, the shift, the begin and the end of the part, and how many classes there were
    """
    variants, shift, count = form[0], form[1], form[4]
    turns = by_turn[0].shape[0]
    for at in range(form[2], form[3]):
        pair = np.int64(queue[at])
        if own[pair] >= 0:
            continue
        for symmetry in range(part.shape[0]):
            there = image(pair // turns, pair % turns, by_place, by_turn, part[symmetry], name[symmetry], variants)
            if own[there] < 0:
                own[there] = count << shift | opposite[symmetry]
            if there == pair:
                kept[count] |= np.uint64(1) << np.uint64(symmetry)
        queue[count] = pair
        count += 1
    return count


@inner
def prefetch_row(table, own, steps, place, turn, move, shift):
    """Prefetch the row to which a move leads, if there is such a move."""
    if move < steps[0].shape[0]:
        to = np.int64(own[np.int64(steps[0][move, place]) * steps[1].shape[1] + steps[1][move, turn]]) >> shift
        cells, width = table.reshape(-1), table.shape[1]
        for column in range(0, width, LINE):
            prefetch(cells, to * width + column)


@inner
def write(table, row, column, kept, conjugates, depth):
    """Write a depth to an entry, and to those that are the same because a symmetry keeps the pair."""
    table[row, column] = depth
    if kept[row] != np.uint64(1):
        for symmetry in range(1, conjugates.shape[0]):
            if kept[row] >> np.uint64(symmetry) & np.uint64(1):
                table[row, conjugates[symmetry, column]] = depth


@loop
def spread(table, first, own, kept, steps, conjugates, form, found):
    """Number the entries beside those at a depth in some rows; found: uint16 [values], scratch."""
    places, turned, joined = steps
    depth, shift, turns = form[0], form[1], turned.shape[1]
    for row in range(form[2], form[3]):
        here = 0
        for column in range(table.shape[1]):
            if table[row, column] == depth:
                found[here] = column
                here += 1
        if here == 0:
            continue
        place, turn = first[row] // turns, first[row] % turns
        prefetch_row(table, own, steps, place, turn, 0, shift)
        for move in range(places.shape[0]):
            prefetch_row(table, own, steps, place, turn, move + 1, shift)
            to = np.int64(own[np.int64(places[move, place]) * turns + turned[move, turn]])
            target, symmetry = to >> shift, to & ((1 << shift) - 1)
            if kept[target] == np.uint64(1):
                for index in range(here):  # without branches: they could not be predicted
                    column = joined[symmetry, move, found[index]]
                    old = table[target, column]
                    table[target, column] = depth + 1 if old == UNSEEN else old
            else:
                for index in range(here):
                    column = joined[symmetry, move, found[index]]
                    if table[target, column] == UNSEEN:
                        write(table, target, column, kept, conjugates, depth + 1)


@loop
def gather(table, first, own, steps, form, found):
    """Number the entries in some rows beside one at a depth; the same as `spread` if moves are undone by moves.

    form   also: what entries that have no depth yet are, and what they become if they are beside none at this depth
    found  uint16 [values], scratch
    """
    places, turned, joined = steps
    depth, shift, low, high, turns = form[0], form[1], form[4], form[5], turned.shape[1]
    for row in range(form[2], form[3]):
        here = 0
        for column in range(table.shape[1]):
            if table[row, column] == low:
                found[here] = column
                here += 1
        place, turn = first[row] // turns, first[row] % turns
        for move in range(places.shape[0]):
            if here == 0:
                break
            prefetch_row(table, own, steps, place, turn, move + 1, shift)
            to = np.int64(own[np.int64(places[move, place]) * turns + turned[move, turn]])
            target, symmetry = to >> shift, to & ((1 << shift) - 1)
            left = 0
            for index in range(here):  # without branches: they could not be predicted
                column = found[index]
                met = table[target, joined[symmetry, move, column]] == depth
                table[row, column] = depth + 1 if met else low
                found[left] = column
                left += 1 - np.int64(met)
            here = left
        for index in range(here if high != low else 0):  # not before: a search may read, and no depth may be too great
            table[row, found[index]] = high


@loop
def mark(table, words, first, own, steps, cliques, form, near):
    """Write the words of some rows: the depth, and for each clique of moves which lead nearer and which farther.

    words    uint32 or uint64 [classes, values]
    cliques  int64 [., 2 + moves]: where the marks of each clique begin in a word, how many moves it has, and these
    near     uint8 [2 + moves, values], scratch: the depth after each move of a clique, the least one, and marks

    Moves of a clique lead to depths that differ by at most 1, from each other and from the depth before. The first mark
    of a clique is 1 if one of them leads nearer; each of the others, if its move leads to the greater one of the two
    depths.
    """
    places, turned, joined = steps
    shift, turns = form[1], turned.shape[1]
    for row in range(form[2], form[3]):
        place, turn = first[row] // turns, first[row] % turns
        for column in range(table.shape[1]):
            words[row, column] = table[row, column]
        for clique in range(cliques.shape[0]):
            begin, size = cliques[clique, 0], cliques[clique, 1]
            for at in range(size):
                move = cliques[clique, 2 + at]
                prefetch_row(table, own, steps, place, turn, move + 1, shift)
                to = np.int64(own[np.int64(places[move, place]) * turns + turned[move, turn]])
                target, symmetry = to >> shift, to & ((1 << shift) - 1)
                for column in range(table.shape[1]):
                    near[at, column] = table[target, joined[symmetry, move, column]]
            least, marks = near[size], near[size + 1]
            for column in range(table.shape[1]):
                least[column] = table[row, column]
            for at in range(size):
                for column in range(table.shape[1]):
                    least[column] = min(least[column], near[at, column])
            for column in range(table.shape[1]):
                marks[column] = np.uint8(least[column] < table[row, column])
            for at in range(size):
                for column in range(table.shape[1]):
                    marks[column] |= np.uint8(near[at, column] > least[column]) << np.uint8(1 + at)
            for column in range(table.shape[1]):
                words[row, column] = np.int64(words[row, column]) | np.int64(marks[column]) << begin
