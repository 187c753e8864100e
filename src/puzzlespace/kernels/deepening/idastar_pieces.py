"""Depth-first search below a bound by listed moves, with pattern tables of `heuristics.piece_tables`.

turns    uint8 [moves, pieces, states]: the state of each piece after a move
after    uint8 [moves + 1, moves]: whether a move may follow another one; the last row is for the start
table    uint8: all tables, one after the other, see `piece_tables`
views    (shape int64 [views, 6]: that of the table, and where the table begins in `table`; radix int64 [views, k];
         pieces int64 [views, k], cell uint8 [views, k, states], variant uint8 [views, k, states]: see
         `piece_tables.number_of`)
goals    uint8 [goals, pieces]
states   uint8 [depth + 1, pieces]: the positions of the path
path     int64 [depth + 1, 2]: the move that led there, the next move to try
keys     uint64 [1, words]: scratch; visited: a transposition table, of no slots if there is none
state    see `state`, then `transpositions`; then the bound, the bits of a state in a key, and the view to ask first
"""

from __future__ import annotations

import numpy as np

from ..loop import inner, loop
from .piece_tables import UNSEEN, number_of
from .state import BUDGET, DEPTH, ENDED, FOUND, GENERATED, LEAST, PAUSED
from .transpositions import NEW, SHIFT, visit

CAME, NEXT = 0, 1
OFFSET = 5

BOUND, BITS, LEAD = SHIFT + 1, SHIFT + 2, SHIFT + 3


@inner
def depth_of(table, views, view, states):
    """Return the depth of a position in a view."""
    shape, radix, pieces, cell, variant = views
    number = number_of(shape[view], radix[view], pieces[view], cell[view], variant[view], states)
    return np.int64(table[shape[view, OFFSET] + number])


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


@loop
def greatest(table, views, states):
    """Return the bound of a position: the greatest depth in any view; UNSEEN if no goal is reached from there."""
    found = np.int64(0)
    for view in range(views[0].shape[0]):
        found = max(found, depth_of(table, views, view, states))
    return found


@loop
def deepen(turns, after, table, views, goals, states, path, keys, visited, state):
    """Continue the search; return PAUSED, ENDED, or FOUND: the path leads to a goal."""
    count, width = turns.shape[0], turns.shape[1]
    ways = views[0].shape[0]
    bound, lead = state[BOUND], state[LEAD]
    depth, generated, over = state[DEPTH], state[GENERATED], state[LEAST]
    budget = state[BUDGET] + generated
    said = PAUSED
    while generated < budget:
        move = path[depth, NEXT]
        if move == count or depth == bound:
            if depth == 0:
                said = ENDED
                break
            depth -= 1
            continue
        path[depth, NEXT] = move + 1
        if after[path[depth, CAME], move] == 0:
            continue
        generated += 1
        below = states[depth + 1]
        for piece in range(width):
            below[piece] = turns[move, piece, states[depth, piece]]
        left, most = bound - depth - 1, np.int64(0)
        for turn in range(ways):
            view = turn if turn else lead
            if turn == lead and turn:
                view = 0
            known = depth_of(table, views, view, below)
            most = max(most, known)
            if known > left:
                lead = view
                if known != UNSEEN:
                    over = min(over, known - left)
                break
        if most > left:
            continue
        if most == 0 and met(goals, below):
            depth += 1
            path[depth, CAME], path[depth, NEXT] = move, count
            said = FOUND
            break
        if left == 0:
            over = min(over, 1)
            continue
        if visited.shape[0]:
            pack(below, keys, state[BITS])
            if visit(visited, keys, 0, depth + 1, state) != NEW:
                continue
        depth += 1
        path[depth, CAME], path[depth, NEXT] = move, 0
    state[DEPTH], state[GENERATED], state[LEAST], state[LEAD] = depth, generated, over, lead
    return said
