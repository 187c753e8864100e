"""Depth-first search below a bound by listed moves, with a coset table of `heuristics.coset_tables`.

A solution grows from both of its ends: a move is tried first, or the inverse of one last. So a node of the search is a
position on one of two sides, the position reached or its inverse, and the moves tried lead on from there. At each node,
the side with fewer moves to try is chosen: those that cannot come first are left out (docs/methods/cosets.md).

turns     uint8 [moves, pieces, states]: the state of each piece after a move
after     int64 [2, moves + 1]: the moves that may follow each on each side, as bits; the last ones: the first moves
bits      uint8 [classes, values]: the coset table
steps     (places, turned, second), uint16 [moves, values] each: the coordinates after a move, see `cosets`
lists     (own int32 [pairs]: class << shift | symmetry; conjugates uint16 [symmetries, values];
          numbers of codes, int32 each, of places, turns and the second orbit)
views     (renamed int64 [views, moves]: which move the image of each move is;
          ahead, back int64 [views, pieces, states]: parts of the codes of the images of a position and of its inverse;
          `back` has no rows if inverses are unknown;
          idle int64 [views]: the moves that cannot come first if the inverse position has the depth left, as bits)
inverse   (piece, state), uint8 [pieces, states] each: see `heuristics.inverses`
goal      uint8 [pieces]
states    uint8 [depth + 1, pieces]: the positions of the path, each on its side
marks     int64 [depth + 1, views, 3]: their coordinates
path      int64 [depth + 1, 7]: see the names below
kids      uint8 [depth + 1, moves, pieces]: the positions after the moves that are left
rated     uint8 [depth + 1, 1 + 2 views, moves]: these moves, upper bounds on the depths after each, and the depths of
          the inverse positions
values    uint8 [depth + 1, views]: upper bounds on the depths of the positions of the path
barred    int64 [depth + 1, 2, moves]: the moves that cannot come next after each of these moves, on the same side, and
          on the other one, as bits
desk      int64 [5, moves + views], asked int64 [moves, views, 2]: scratch
state     see `state`; then the bound, the shift
"""

from __future__ import annotations

import numpy as np

from ..bits import popcount
from ..loop import inner, loop
from ..prefetch import prefetch
from .cosets import SECOND, TURNED, UNSEEN
from .state import BUDGET, DEPTH, ENDED, FOUND, GENERATED, LEAST, OWN, PAUSED

CAME, LAST, SIDE, MOVE, NEXT, KIDS, OPEN = range(7)
"""The last move on each side, the side, the move that led there, the next child, how many there are, or -1, and the
moves that may be tried, as bits."""

BOUND, SHIFT = OWN, OWN + 1


@inner
def entry(own, conjugates, pair, value, shift):
    """Return where the depth of a pair and a value is in the table."""
    to = np.int64(own[pair])
    return (to >> shift) * conjugates.shape[1] + conjugates[to & ((1 << shift) - 1), value]


@inner
def coordinates(codes, lists, states):
    """Return the coordinates of a position, each -1 if it has none; codes: int64 [pieces, states]."""
    total = np.int64(0)
    for piece in range(states.shape[0]):
        total += codes[piece, states[piece]]
    place = np.int64(lists[2][total & ((1 << TURNED) - 1)])
    turn = np.int64(lists[3][total >> TURNED & ((1 << (SECOND - TURNED)) - 1)])
    return place, turn, np.int64(lists[4][total >> SECOND])


@loop
def depths(codes, lists, bits, turns, shift, states, out):
    """Write the depth of a position by each of some codes, `UNSEEN` if it cannot be reached."""
    table = bits.reshape(-1)
    for view in range(codes.shape[0]):
        place, turn, value = coordinates(codes[view], lists, states)
        out[view] = UNSEEN
        if place >= 0 and turn >= 0 and value >= 0 and lists[0][place * turns + turn] >= 0:
            out[view] = table[entry(lists[0], lists[1], place * turns + turn, value, shift)]


@inner
def narrow(table, own, conjugates, shift, desk, asked, rated, first, span, bars, count, left, over):
    """Keep of the moves of desk[0] those after which no view is deeper than `left`; return how many, and the excess.

    asked  the pair and the value after each of the moves in each of the views, numbered by desk[4], of a span; -1 if
           the view cannot be deeper
    rated  gets the depths, from row `first` on
    bars   int64 [views]: what each view bars if its depth is `left`: desk[1] gets these bits. A move is dropped if all
           moves of desk[2] are barred.
    All entries are loaded before the first one is used, so that cache misses overlap.
    """
    for at in range(count):
        for order in range(span[0], span[1]):
            if asked[at, order, 0] >= 0:
                place = entry(own, conjugates, asked[at, order, 0], asked[at, order, 1], shift)
                asked[at, order, 0] = place
                prefetch(table, place)
    kept = 0
    for at in range(count):
        move, barred, good = desk[0, at], desk[1, at], True
        for order in range(span[0], span[1]):
            if asked[at, order, 0] >= 0:
                view, depth = desk[4, order], np.int64(table[asked[at, order, 0]])
                rated[first + view, move] = depth
                if depth > left:
                    over = min(over, depth - left)
                    good = False
                    break
                if depth == left:
                    barred |= bars[view]
        if good and left > 0 and desk[2, at] & ~barred == 0:
            over = min(over, 1)
            good = False
        if good:
            desk[0, kept], desk[1, kept], desk[2, kept], desk[3, kept] = move, barred, desk[2, at], desk[3, at]
            kept += 1
    return kept, over


@inner
def expand(
    depth, turns, after, table, steps, lists, views, goal, states, marks, path, kids, rated, barred, desk, asked, state,
    values,
):  # fmt: skip
    """List the moves from a node that may lead to a solution; return how many were tried, and the least excess.

    The deepest view of the node is asked first, then all others, then all of the inverse position.
    """
    renamed, _, back, idle = views
    own, conjugates = lists[0], lists[1]
    left, shift, ways = state[BOUND] - depth - 1, state[SHIFT], renamed.shape[0]
    turned = steps[1].shape[1]
    side, over = path[depth, SIDE], state[LEAST]
    other = after[1 - side, path[depth, CAME + 1 - side]]
    count, lead = 0, 0
    for move in range(turns.shape[0]):
        if path[depth, OPEN] >> move & 1:
            desk[0, count], desk[1, count], desk[2, count] = move, 0, other
            count += 1
    tried = count
    for view in range(ways):
        desk[4, view] = view
        if values[depth, view] > values[depth, lead]:
            lead = view
    desk[4, 0], desk[4, lead] = lead, 0
    for group in range(2):
        span = (0, 1) if group == 0 else (1, ways)
        for at in range(count):
            for order in range(span[0], span[1]):
                view = desk[4, order]
                most = np.int64(values[depth, view]) + 1
                if most < left:
                    rated[depth, 1 + view, desk[0, at]] = most
                    asked[at, order, 0] = -1
                else:
                    move = renamed[view, desk[0, at]]
                    place, turn = steps[0][move, marks[depth, view, 0]], steps[1][move, marks[depth, view, 1]]
                    asked[at, order, 0] = np.int64(place) * turned + turn
                    asked[at, order, 1] = steps[2][move, marks[depth, view, 2]]
                    prefetch(own, asked[at, order, 0])
        count, over = narrow(
            table, own, conjugates, shift, desk, asked, rated[depth], 1, span, idle, count, left, over
        )  # fmt: skip
    for at in range(count):
        move = desk[0, at]
        desk[3, at], desk[1, at], desk[2, at] = desk[1, at], 0, after[side, move]
        for piece in range(turns.shape[1]):
            kids[depth, move, piece] = turns[move, piece, states[depth, piece]]
        for order in range(back.shape[0]):
            place, turn, value = coordinates(back[desk[4, order]], lists, kids[depth, move])
            asked[at, order, 0], asked[at, order, 1] = place * turned + turn, value
            prefetch(own, asked[at, order, 0])
    if back.shape[0]:
        count, over = narrow(
            table, own, conjugates, shift, desk, asked, rated[depth], 1 + ways, (0, ways), idle, count, left, over
        )  # fmt: skip
    kept = 0
    for at in range(count):
        move = desk[0, at]
        same = True
        if left == 0:
            for piece in range(goal.shape[0]):
                same = same and kids[depth, move, piece] == goal[piece]
        if same:
            rated[depth, 0, kept] = move
            barred[depth, 0, move], barred[depth, 1, move] = desk[1, at], desk[3, at]
            kept += 1
        else:
            over = min(over, 1)
    path[depth, NEXT], path[depth, KIDS] = 0, kept
    return tried, over


@loop
def deepen(
    turns,
    after,
    bits,
    steps,
    lists,
    views,
    inverse,
    goal,
    states,
    marks,
    path,
    kids,
    rated,
    barred,
    desk,
    asked,
    values,
    state,
):
    """Continue the search; return PAUSED, ENDED, or FOUND: the path leads to a goal."""
    table = bits.reshape(-1)
    renamed, ahead, back, _ = views
    width, ways = turns.shape[1], renamed.shape[0]
    depth, generated = state[DEPTH], state[GENERATED]
    budget = state[BUDGET] + generated
    said = PAUSED
    while generated < budget:
        if path[depth, KIDS] < 0:
            tried, over = expand(
                depth, turns, after, table, steps, lists, views, goal, states, marks, path, kids, rated, barred, desk,
                asked, state, values,
            )  # fmt: skip
            generated += tried
            state[LEAST] = over
        if path[depth, NEXT] == path[depth, KIDS]:
            if depth == 0:
                said = ENDED
                break
            depth -= 1
            continue
        move = np.int64(rated[depth, 0, path[depth, NEXT]])
        path[depth, NEXT] += 1
        side, below, left = path[depth, SIDE], depth + 1, state[BOUND] - depth - 1
        path[below, CAME], path[below, LAST] = path[depth, CAME], path[depth, LAST]
        path[below, CAME + side], path[below, MOVE] = move, move
        path[below, NEXT], path[below, KIDS], path[below, SIDE] = 0, -1, side
        if left == 0:
            depth, path[below, KIDS] = below, 0
            said = FOUND
            break
        may = after[side, move]
        path[below, OPEN] = may & ~barred[depth, 0, move]
        if path[below, OPEN] != may:
            state[LEAST] = min(state[LEAST], 1)
        turned = False
        if back.shape[0]:
            may = after[1 - side, path[below, CAME + 1 - side]]
            other = may & ~barred[depth, 1, move]
            if popcount(np.uint64(other)) < popcount(np.uint64(path[below, OPEN])):
                turned, path[below, OPEN], path[below, SIDE] = True, other, 1 - side
                if other != may:
                    state[LEAST] = min(state[LEAST], 1)
        if turned:
            for piece in range(width):
                state_now = kids[depth, move, piece]
                states[below, inverse[0][piece, state_now]] = inverse[1][piece, state_now]
            for view in range(ways):
                place, turn, value = coordinates(ahead[view], lists, states[below])
                marks[below, view, 0], marks[below, view, 1], marks[below, view, 2] = place, turn, value
                values[below, view] = rated[depth, 1 + ways + view, move]
        else:
            for piece in range(width):
                states[below, piece] = kids[depth, move, piece]
            for view in range(ways):
                to = renamed[view, move]
                marks[below, view, 0] = steps[0][to, marks[depth, view, 0]]
                marks[below, view, 1] = steps[1][to, marks[depth, view, 1]]
                marks[below, view, 2] = steps[2][to, marks[depth, view, 2]]
                values[below, view] = rated[depth, 1 + view, move]
        depth = below
    state[DEPTH], state[GENERATED] = depth, generated
    return said
