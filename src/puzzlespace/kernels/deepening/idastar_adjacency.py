"""Depth-first search below a bound by listed moves, with the bound of `heuristics.adjacency`.

A position is a row of uint8 with one more cell that no move changes. It has a number of bad pairs, and a move changes
only the pairs that it does not carry: those it breaks are taken off, those it makes are looked up.

moves    (source uint8 [moves, cells], table uint8 [moves, cells, symbols]): where the content of each cell comes from,
         and what becomes of a symbol that comes to it
pairs    (pairs uint8 [pairs, 2], good uint8 [pairs, symbols, symbols])
changed  (begin int64 [moves, 3], lists int64): for each move the pairs that it breaks, from the first index to the
         second, and the pairs that it makes, to the third
after    uint8 [moves + 1, moves]: whether a move may follow another one; the last row is for the start
goals    uint8 [goals, cells]
cells    uint8 [depth + 1, cells]: the positions of the path
path     int64 [depth + 1, 3]: the move that led there, the next move to try, the number of bad pairs
state    see `state`; then the bound and the pairs that a move makes good at most
"""

from __future__ import annotations

import numpy as np

from ..loop import inner, loop
from .state import BUDGET, DEPTH, ENDED, FOUND, GENERATED, LEAST, OWN, PAUSED

CAME, NEXT, BAD = 0, 1, 2

BOUND, MOST = OWN, OWN + 1


@inner
def bad_before(pairs, changed, move, cells):
    """Return how many of the pairs that a move breaks are bad."""
    at, good = pairs
    begin, lists = changed
    found = np.int64(0)
    for index in range(begin[move, 0], begin[move, 1]):
        pair = lists[index]
        found += 1 - good[pair, cells[at[pair, 0]], cells[at[pair, 1]]]
    return found


@inner
def bad_after(moves, pairs, changed, move, cells):
    """Return how many of the pairs that a move makes are bad, given the position before it."""
    source, table = moves
    at, good = pairs
    begin, lists = changed
    found = np.int64(0)
    for index in range(begin[move, 1], begin[move, 2]):
        pair = lists[index]
        one, two = at[pair, 0], at[pair, 1]
        first = table[move, one, cells[source[move, one]]]
        second = table[move, two, cells[source[move, two]]]
        found += 1 - good[pair, first, second]
    return found


@inner
def met(goals, cells):
    """Return whether a position is one of the goals."""
    for goal in range(goals.shape[0]):
        same = True
        for cell in range(goals.shape[1]):
            if goals[goal, cell] != cells[cell]:
                same = False
                break
        if same:
            return True
    return False


@loop
def deepen(moves, pairs, changed, after, goals, cells, path, state):
    """Continue the search; return PAUSED, ENDED, or FOUND: the path leads to a goal."""
    source, table = moves
    count, width = source.shape
    bound, most = state[BOUND], state[MOST]
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
        bad = path[depth, BAD] - bad_before(pairs, changed, move, cells[depth])
        bad += bad_after(moves, pairs, changed, move, cells[depth])
        excess = depth + 1 + (bad + most - 1) // most - bound
        if excess > 0:
            over = min(over, excess)
            continue
        for cell in range(width):
            cells[depth + 1, cell] = table[move, cell, cells[depth, source[move, cell]]]
        depth += 1
        path[depth, CAME], path[depth, NEXT], path[depth, BAD] = move, 0, bad
        if bad == 0 and met(goals, cells[depth]):
            path[depth, NEXT] = count
            said = FOUND
            break
        if depth == bound:
            over = min(over, 1)
    state[DEPTH], state[GENERATED], state[LEAST] = depth, generated, over
    return said
