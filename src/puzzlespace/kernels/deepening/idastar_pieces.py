"""Depth-first search below a bound by listed moves, with pattern tables of `heuristics.piece_tables`.

search = (turns, after, table, views, inverse, goals, states, path, numbers, values, queue, keys, twin, visited, state)

turns    uint8 [moves, pieces, states]: the state of each piece after a move
after    int32 [states, moves]: the automaton of redundant sequences: its state after a move, -1 if the move may not
         follow; state 0 is the start
table    uint8: all tables, one after the other, see `piece_tables`
views    (shape int64 [views, 3]: how many pieces the table has, whether the inverse position is looked up, and whether
         a move changes the depth by at most 1; weight int64 [views, k], pieces int64 [views, k],
         cell uint8 [views, k, states], base int64 [views, k, states]: see `piece_tables.number_of`; the number is the
         place in `table`)
inverse  (piece uint8 [pieces, states], state uint8 [pieces, states]): see `heuristics.inverses`; twin uint8 [pieces]:
         scratch, the inverse position
goals    uint8 [goals, pieces]
states   (uint8 [depth + 1, pieces]: the positions of the path; uint8 [depth + 1, moves, pieces]: those after moves
         from them; uint8 [depth + 1, views]: the values of these that are assumed if a view is not asked)
path     int64 [depth + 1, 7]: the state of the automaton, the next move to try, the view to ask first about what
         follows, the number of views to ask, whether all are asked about all moves at once, the greatest depth
         known, and whether all are 0
numbers  int64 [depth + 1, moves, views]: where the depths after each move are in `table`, in the views to ask
values   uint8 [depth + 1, views]: the depth of each position of the path in each view, or what it is assumed to be at
         most, or `UNSEEN`; an assumption only decides whether the view is asked
queue    int64 [depth + 1, views]: the views to ask about what follows
keys     uint64 [1, words]: scratch; visited: a transposition table, of no slots if there is none
state    see `state`, then `transpositions`; then the bits of a state in a key, and how many moves more than the
         greatest depth known must be left for a position to be recorded: below others there is little to leave out;
         then about how many of the last positions were generated and how many of them the first view pruned; the
         other view that pruned last
"""

from __future__ import annotations

import numpy as np

from ..loop import inner, loop
from ..prefetch import prefetch
from .piece_tables import UNSEEN, number_after, number_of
from .search_loop import ENTERED, NONE, PRUNED, search_loop
from .state import NEVER
from .transpositions import NEW, SHIFT, visit

STATE, NEXT, LEAD, ASKED, EARLY, KNOWN, GOAL = range(7)
SIZE, INVERSE, NEAR = 0, 1, 2

BITS, SLACK, TRIED, LED, KILLER = range(SHIFT + 1, SHIFT + 6)

MANY = 1 << 16
"""So many of the last positions count at most."""

GROWTH = 3
"""A move seldom changes the depth of the inverse position in a view by more; it is asked only if that could prune."""


@inner
def place_of(views, view, states):
    """Return where the depth of a position is in the table of a view."""
    shape, weight, pieces, cell, base = views
    return number_of(weight[view], pieces[view], cell[view], base[view], shape[view, SIZE], states)


@inner
def depth_of(table, views, view, states):
    """Return the depth of a position in a view."""
    return np.int64(table[place_of(views, view, states)])


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
def enqueue(views, before, assumed, queue, lead, first, left):
    """List the views that may prune what follows a position, `lead` in front, then `first`; return their number.

    before, assumed  uint8 [views]: the depths of the position, and what those after a move are assumed to be at most
    left             the moves that are left after a move
    """
    queue[0] = lead
    asked = 1
    for view in range(len(before)):
        most = np.int64(before[view]) + (1 if views[0][view, NEAR] else GROWTH)
        assumed[view] = min(most, UNSEEN)
        if view != lead and most > left:
            queue[asked] = view
            if view == first:
                queue[asked], queue[1] = queue[1], queue[asked]
            asked += 1
    return asked


@inner
def load(table, views, inverse, queue, begin, end, states, twin, numbers):
    """Write where the depths of a position are in the views queue[begin:end], and load them, so that misses overlap."""
    inverted = False
    for at in range(begin, end):
        view = queue[at]
        if views[0][view, INVERSE] and not inverted:
            invert(inverse, states, twin)
            inverted = True
        numbers[at] = place_of(views, view, twin if views[0][view, INVERSE] else states)
        prefetch(table, numbers[at])


@inner
def turned(turn, states, after):
    """Write the position after a move to `after`."""
    for piece in range(states.shape[0]):
        after[piece] = turn[piece, states[piece]]


@loop
def greatest(table, views, inverse, states, twin):
    """Return the bound of a position: the greatest depth in any view; UNSEEN if no goal is reached from there."""
    invert(inverse, states, twin)
    found = np.int64(0)
    for view in range(views[0].shape[0]):
        found = max(found, depth_of(table, views, view, twin if views[0][view, INVERSE] else states))
    return found


@inner
def arrived(search, depth, bound):
    """Return whether the position is a goal, which may be before the last move."""
    goals, states, path = search[5], search[6], search[7]
    return path[depth, GOAL] != 0 and met(goals, states[0][depth])


@inner
def seen(search, depth, bound):
    """Return whether the round has visited the position before; it is recorded if enough moves are left below it."""
    positions, path, keys, visited, state = search[6][0], search[7], search[11], search[13], search[14]
    if depth == 0 or visited.shape[0] == 0 or bound - depth - path[depth, KNOWN] < state[SLACK]:
        return False
    pack(positions[depth], keys, state[BITS])
    return visit(visited, keys, 0, depth, state) != NEW


@inner
def open_up(search, depth, bound):
    """Choose the views to ask about what follows, and load their depths; nothing is generated yet."""
    turns, after, table, views, inverse, _, states, path, numbers, values, queue, _, twin, _, state = search
    count = turns.shape[0]
    if depth == bound:
        return 0, 1
    if seen(search, depth, bound):
        return 0, NEVER
    if state[TRIED] > MANY:
        state[TRIED] >>= 1
        state[LED] >>= 1
    (shape, weight, pieces, cell, base), (positions, kids, assumed) = views, states
    here, left, lead = positions[depth], bound - depth - 1, path[depth, LEAD]
    asked = enqueue(views, values[depth], assumed[depth], queue[depth], lead, state[KILLER], left)
    path[depth, NEXT], path[depth, ASKED], path[depth, EARLY] = 0, asked, 2 * state[LED] <= state[TRIED]
    for each in range(count):
        if after[path[depth, STATE], each] < 0:
            continue
        if path[depth, EARLY]:
            turned(turns[each], here, kids[depth, each])
            load(table, views, inverse, queue[depth], 0, asked, kids[depth, each], twin, numbers[depth, each])
        else:
            numbers[depth, each, 0] = number_after(
                weight[lead], pieces[lead], cell[lead], base[lead], shape[lead, SIZE], turns[each], here
            )
            prefetch(table, numbers[depth, each, 0])
    return 0, NEVER


@inner
def excess_of(depth, left):
    """Return the excess of a depth in a table over the moves left."""
    return depth - left if depth != UNSEEN else NEVER


@inner
def attempt(search, depth, bound):
    """Make the next move, if no view says that the goal is too far after it."""
    turns, after, table, views, inverse, _, states, path, numbers, values, queue, _, twin, _, state = search
    count, move, left = turns.shape[0], path[depth, NEXT], bound - depth - 1
    if move == count:
        return NONE, 0, NEVER
    path[depth, NEXT] = move + 1
    then = np.int64(after[path[depth, STATE], move])
    if then < 0:
        return PRUNED, 0, NEVER
    state[TRIED] += 1
    asked, lead, below = path[depth, ASKED], path[depth, LEAD], states[1][depth, move]
    most = np.int64(table[numbers[depth, move, 0]])
    if most > left:
        state[LED] += 1
        return PRUNED, 1, excess_of(most, left)
    if not path[depth, EARLY]:
        turned(turns[move], states[0][depth], below)
        load(table, views, inverse, queue[depth], 1, asked, below, twin, numbers[depth, move])
    best, known, greatest_known, at_end = lead, most, most, most == 0
    for at in range(1, asked):
        view = queue[depth, at]
        most = np.int64(table[numbers[depth, move, at]])
        known = max(known, most)
        at_end = at_end and most == 0
        if most > left:
            state[KILLER] = view
            return PRUNED, 1, excess_of(most, left)
        if not views[0][view, INVERSE] and most > greatest_known:
            best, greatest_known = view, most
    for view in range(values.shape[1]):
        values[depth + 1, view] = states[2][depth, view]
    for at in range(asked):
        values[depth + 1, queue[depth, at]] = table[numbers[depth, move, at]]
    for piece in range(len(below)):
        states[0][depth + 1, piece] = below[piece]
    row = path[depth + 1]
    row[STATE], row[NEXT], row[LEAD], row[KNOWN], row[GOAL] = then, count, best, known, at_end
    return ENTERED, 1, NEVER


@inner
def leave(search, depth, bound):
    """Do nothing: the position before is still in its row."""


deepen = search_loop("deepen_pieces", arrived, open_up, attempt, leave)
