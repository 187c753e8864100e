"""Depth-first search below a bound by listed moves, with the bound of `heuristics.adjacency`.

A position is a row of uint8 with one more cell that no move changes. It has a number of bad pairs, and a move changes
only the pairs that it does not carry: those it breaks are taken off, those it makes are looked up.

search = (moves, pairs, changed, after, likely, goals, cells, where, choice, path, most)

moves    (source uint8 [moves, cells], table uint8 [moves, cells, symbols], changes bool [moves]): where the content of
         each cell comes from, what becomes of a symbol that comes to it, and whether the move changes any symbol
pairs    (pairs uint8 [pairs, 2], good uint8 [pairs, symbols, symbols])
changed  (begin int64 [moves, 3], lists int64): for each move the pairs that it breaks, from the first index to the
         second, and the pairs that it makes, to the third
after    int32 [states, moves]: the automaton of redundant sequences: its state after a move, -1 if the move may not
         follow; state 0 is the start
likely   (anchors int64 [anchors], begin int64 [anchors, symbols + 1], symbols int64, first int64 [anchors, cells + 1],
         moves int64): cells from which one content of every pair that is made comes; for each of them and the symbol
         there, the symbols that can be good beside it; for each of them and the cell of such a symbol, the moves that
         make a pair of the two
goals    uint8 [goals, cells]
cells    uint8 [depth + 1, cells]: the positions of the path
where    uint8 [depth + 1, symbols]: a cell that shows each symbol if there is one, else any cell
choice   uint8 [depth + 1, moves]: the moves to try at each position of the path
path     int64 [depth + 1, 4]: the state of the automaton, the next of the moves to try, the number of bad pairs, and
         how many moves there are to try
most     how many pairs a move makes good at most

At a position with b bad pairs and r moves left, where a move makes at most k pairs good, only moves by which bad pairs
become fewer can be part of a solution if b > k(r - 1). A move breaks as many pairs as it makes, so it must make a good
one. If all pieces differ, such moves are looked up (`likely`) instead of tried.
"""

from __future__ import annotations

import numpy as np

from ..loop import inner
from .search_loop import ENTERED, NONE, PRUNED, search_loop
from .state import NEVER

STATE, NEXT, BAD, TRIED = range(4)


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
    source, table, _ = moves
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


@inner
def list_likely(likely, cells, where, choice):
    """Write the moves that may make a good pair to `choice`, each once; return how many."""
    anchors, begin, symbols, first, moves = likely
    listed = 0
    for anchor in range(anchors.shape[0]):
        shown = cells[anchors[anchor]]
        for partner in range(begin[anchor, shown], begin[anchor, shown + 1]):
            symbol = symbols[partner]
            cell = where[symbol]
            if cells[cell] == symbol:
                for index in range(first[anchor, cell], first[anchor, cell + 1]):
                    move, known = moves[index], False
                    for other in range(listed):
                        known = known or choice[other] == move
                    if not known:
                        choice[listed] = move
                        listed += 1
    return listed


@inner
def arrive(source, table, changes, before, cells, where):
    """Write the position after a move to `cells`, and where it shows each symbol to `where`."""
    if changes:
        for cell in range(source.shape[0]):
            cells[cell] = table[cell, before[source[cell]]]
    else:
        for cell in range(source.shape[0]):
            cells[cell] = before[source[cell]]
    for cell in range(source.shape[0]):
        where[cells[cell]] = cell


@inner
def arrived(search, depth, bound):
    """Return whether the position is a goal, which may be before the last move."""
    goals, cells, path = search[5], search[6], search[9]
    return path[depth, BAD] == 0 and met(goals, cells[depth])


@inner
def open_up(search, depth, bound):
    """List the moves to try, all moves or the likely ones; return the least excess of the others."""
    (source, _, _), _, _, _, likely, _, cells, where, choice, path, most = search
    path[depth, NEXT], path[depth, TRIED] = 0, 0
    if depth == bound:
        return 0, 1
    count = source.shape[0]
    if likely[0].shape[0] and path[depth, BAD] > most * (bound - depth - 1):
        path[depth, TRIED] = list_likely(likely, cells[depth], where[depth], choice[depth])
        if path[depth, TRIED] < count:
            return 0, depth + 1 + (path[depth, BAD] + most - 1) // most - bound
    else:
        path[depth, TRIED] = count
        for move in range(count):
            choice[depth, move] = move
    return 0, NEVER


@inner
def attempt(search, depth, bound):
    """Make the next move, if the number of bad pairs after it is within the bound."""
    moves, pairs, changed, after, _, _, cells, where, choice, path, most = search
    source, table, changes = moves
    tried = path[depth, NEXT]
    if tried == path[depth, TRIED]:
        return NONE, 0, NEVER
    path[depth, NEXT] = tried + 1
    move = np.int64(choice[depth, tried])
    then = np.int64(after[path[depth, STATE], move])
    if then < 0:
        return PRUNED, 0, NEVER
    bad = path[depth, BAD] - bad_before(pairs, changed, move, cells[depth])
    bad += bad_after(moves, pairs, changed, move, cells[depth])
    excess = depth + 1 + (bad + most - 1) // most - bound
    if excess > 0:
        return PRUNED, 1, excess
    arrive(source[move], table[move], changes[move], cells[depth], cells[depth + 1], where[depth + 1])
    path[depth + 1, STATE], path[depth + 1, BAD] = then, bad
    path[depth + 1, NEXT] = path[depth + 1, TRIED] = 0
    return ENTERED, 1, NEVER


@inner
def leave(search, depth, bound):
    """Do nothing: the position before is still in its row."""


deepen = search_loop("deepen_adjacency", arrived, open_up, attempt, leave)
