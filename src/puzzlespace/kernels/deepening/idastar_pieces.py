"""Depth-first search below a bound by listed moves, with pattern tables of `heuristics.piece_tables`.

turns    uint8 [moves, pieces, states]: the state of each piece after a move
after    int32 [states, moves]: the automaton of redundant sequences: its state after a move, -1 if the move may not
         follow; state 0 is the start
table    uint8: all tables, one after the other, see `piece_tables`
views    (shape int64 [views, 8]: that of the table, where the table begins in `table`, whether the inverse position is
         looked up, and whether a move changes the depth by at most 1; radix int64 [views, k];
         pieces int64 [views, k], cell uint8 [views, k, states], variant uint8 [views, k, states]: see
         `piece_tables.number_of`)
inverse  (piece uint8 [pieces, states], state uint8 [pieces, states]): see `heuristics.inverses`; twin uint8 [pieces]:
         scratch, the inverse position
goals    uint8 [goals, pieces]
states   uint8 [depth + 1, pieces]: the positions of the path
path     int64 [depth + 1, 3]: the state of the automaton, the next move to try, the view to ask first about what
         follows
numbers  int64 [depth + 1, moves]: where the depth after each move is in `table`, in the view to ask first
values   uint8 [depth + 1, views]: the depth of each position of the path in each view, or what it is assumed to be at
         most, or `UNSEEN`; an assumption only decides whether the view is asked
queue    int64 [views, 2]: scratch, the views to ask about a position, and where the depth is in `table`
keys     uint64 [1, words]: scratch; visited: a transposition table, of no slots if there is none
state    see `state`, then `transpositions`; then the bound, the bits of a state in a key, and how many moves more than
         the greatest depth known must be left for a position to be recorded: below others there is little to leave out
"""

from __future__ import annotations

import numpy as np

from ..loop import inner, loop
from ..prefetch import prefetch
from .piece_tables import UNSEEN, number_after, number_of
from .state import BUDGET, DEPTH, ENDED, FOUND, GENERATED, LEAST, PAUSED
from .transpositions import NEW, SHIFT, visit

STATE, NEXT, LEAD = 0, 1, 2
OFFSET, INVERSE, NEAR = 5, 6, 7

BOUND, BITS, SLACK = SHIFT + 1, SHIFT + 2, SHIFT + 3

GROWTH = 3
"""A move seldom changes the depth of the inverse position in a view by more; it is asked only if that could prune."""


@inner
def place_of(views, view, states):
    """Return where the depth of a position is in the table of a view."""
    shape, radix, pieces, cell, variant = views
    number = number_of(shape[view], radix[view], pieces[view], cell[view], variant[view], states)
    return shape[view, OFFSET] + number


@inner
def depth_of(table, views, view, states):
    """Return the depth of a position in a view."""
    return np.int64(table[place_of(views, view, states)])


@inner
def look_ahead(turns, after, table, views, view, states, numbers):
    """Write where the depth after each move is in the table of a view, and load it, so that cache misses overlap."""
    shape, radix, pieces, cell, variant = views
    for move in range(turns.shape[0]):
        if after[move] >= 0:
            number = number_after(
                shape[view], radix[view], pieces[view], cell[view], variant[view], turns[move], states
            )
            numbers[move] = shape[view, OFFSET] + number
            prefetch(table, numbers[move])


@inner
def invert(inverse, states, twin):
    """Write the inverse position to `twin`."""
    about, back = inverse
    for piece in range(states.shape[0]):
        twin[about[piece, states[piece]]] = back[piece, states[piece]]


@inner
def pack(states, keys, bits):
    """Write the states of all pieces to the words of a key."""
    word, at = 0, 0
    keys[0, 0] = np.uint64(0)
    for piece in range(states.shape[0]):
        if at + bits > 64:
            word, at = word + 1, 0
            keys[0, word] = np.uint64(0)
        keys[0, word] |= np.uint64(states[piece]) << np.uint64(at)
        at += bits


@inner
def met(goals, states):
    """Return whether a position is one of the goals."""
    for goal in range(goals.shape[0]):
        same = True
        for piece in range(goals.shape[1]):
            same = same and goals[goal, piece] == states[piece]
        if same:
            return True
    return False


@inner
def enqueue(table, views, inverse, before, after, states, twin, lead, first, left, queue):
    """Queue the views that may prune a position, `first` in front, and load its depths there; return their number.

    before, after  uint8 [views]: the depths of the position before, and the place for those of this one
    lead           the view that has been asked
    """
    asked, inverted = 0, False
    for view in range(views[0].shape[0]):
        if view == lead:
            continue
        most = np.int64(before[view]) + (1 if views[0][view, NEAR] else GROWTH)
        after[view] = most
        if most <= left:
            continue
        if views[0][view, INVERSE] and not inverted:
            invert(inverse, states, twin)
            inverted = True
        place = place_of(views, view, twin if views[0][view, INVERSE] else states)
        prefetch(table, place)
        queue[asked, 0], queue[asked, 1] = view, place
        if view == first:
            queue[asked, 0], queue[asked, 1] = queue[0, 0], queue[0, 1]
            queue[0, 0], queue[0, 1] = view, place
        asked += 1
    return asked


@loop
def greatest(table, views, inverse, states, twin):
    """Return the bound of a position: the greatest depth in any view; UNSEEN if no goal is reached from there."""
    invert(inverse, states, twin)
    found = np.int64(0)
    for view in range(views[0].shape[0]):
        found = max(found, depth_of(table, views, view, twin if views[0][view, INVERSE] else states))
    return found


@loop
def deepen(
    turns, after, table, views, inverse, goals, states, path, numbers, values, queue, keys, twin, visited, state
):
    """Continue the search; return PAUSED, ENDED, or FOUND: the path leads to a goal."""
    count, width = turns.shape[0], turns.shape[1]
    bound = state[BOUND]
    depth, generated, over = state[DEPTH], state[GENERATED], state[LEAST]
    budget = state[BUDGET] + generated
    said, killer = PAUSED, np.int64(0)
    while generated < budget:
        move = path[depth, NEXT]
        if move == count or depth == bound:
            if depth == 0:
                said = ENDED
                break
            depth -= 1
            continue
        if move == 0:
            look_ahead(turns, after[path[depth, STATE]], table, views, path[depth, LEAD], states[depth], numbers[depth])
        path[depth, NEXT] = move + 1
        then = np.int64(after[path[depth, STATE], move])
        if then < 0:
            continue
        generated += 1
        left, lead = bound - depth - 1, path[depth, LEAD]
        most = np.int64(table[numbers[depth, move]])
        if most > left:
            if most != UNSEEN:
                over = min(over, most - left)
            continue
        below = states[depth + 1]
        for piece in range(width):
            below[piece] = turns[move, piece, states[depth, piece]]
        values[depth + 1, lead] = most
        best, at_end, pruned, known = lead, most == 0, False, most
        asked = enqueue(table, views, inverse, values[depth], values[depth + 1], below, twin, lead, killer, left, queue)
        for turn in range(asked):
            view = queue[turn, 0]
            most = np.int64(table[queue[turn, 1]])
            values[depth + 1, view] = most
            known = max(known, most)
            at_end = at_end and most == 0
            if most > left:
                if most != UNSEEN:
                    over = min(over, most - left)
                pruned, killer = True, view
                break
            if not views[0][view, INVERSE] and most > values[depth + 1, best]:
                best = view
        if pruned:
            continue
        path[depth + 1, LEAD] = best
        if at_end and met(goals, below):
            depth += 1
            path[depth, STATE], path[depth, NEXT] = then, count
            said = FOUND
            break
        if left == 0:
            over = min(over, 1)
            continue
        if left - known >= state[SLACK] and visited.shape[0]:
            pack(below, keys, state[BITS])
            if visit(visited, keys, 0, depth + 1, state) != NEW:
                continue
        depth += 1
        path[depth, STATE], path[depth, NEXT] = then, 0
    state[DEPTH], state[GENERATED], state[LEAST] = depth, generated, over
    return said
