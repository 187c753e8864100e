"""Depth-first search below a bound for rectangles: walking distance and inversions of rows and columns.

links, edits, cells, stack and state are those of `idastar_sums`; a stack row is (link, unused, entry of the rows, of
the columns, inversions along the rows, along the columns, moves needed across rows, across columns).

data = (kinds, after, depths, mends, ranks, between):
kinds    int64 [links, 2]: axis that the link changes (0 rows, 1 columns), way
after    int32 [2, entries, 2, lines + 1]: the entry after a piece of a class moves along the axis; class by `ranks`
depths   int64 [2, entries]: the depth of each entry
mends    int64 [2, inversions]: the moves that so many inversions need
ranks    int64 [2, 2, labels]: per axis the class of a label, and its number in the goal
between  int64 [links, m]: the cells that the piece passes, -1 for none
"""

from __future__ import annotations

import numpy as np

from .idastar_sums import ENDED, FOUND, PAUSED, shift
from .loop import loop


@loop
def weigh(data, link, label, cells, now, then):
    """Fill the row `then` of the stack from the row `now` for a link that moves the label; return the bound there."""
    kinds, after, depths, mends, ranks, between = data
    axis, way = kinds[link, 0], kinds[link, 1]
    for part in range(2, 8):
        then[part] = now[part]
    entry = np.int64(after[axis, now[2 + axis], way, ranks[axis, 0, label]])
    rank, change = ranks[axis, 1, label], np.int64(0)
    for at in range(between.shape[1]):
        if between[link, at] >= 0:
            change += 1 if ranks[axis, 1, cells[between[link, at]]] < rank else -1
    if way == 1:
        change = -change
    then[2 + axis] = entry
    then[4 + axis] = now[4 + axis] - change
    then[6 + axis] = max(depths[axis, entry], mends[axis, then[4 + axis]])
    return then[6] + then[7]


@loop
def deepen(board, data, cells, stack, state, bound):
    """Go on with the search; return PAUSED, ENDED, or FOUND: `stack` is a way to the goal."""
    links, edits = board
    depth, link, budget = state[0], state[1], state[2]
    came = stack[depth, 0]
    undo = links[came, 2] if came >= 0 else np.int64(-1)
    leaves = state[5] if came < 0 else links[came, 1]
    while budget > 0:
        if links[link, 0] != leaves:
            if depth == 0:
                state[1] = link
                return ENDED
            shift(links, edits, undo, cells)
            depth -= 1
            link, leaves, came = came + 1, links[came, 0], stack[depth, 0]
            undo = links[came, 2] if came >= 0 else np.int64(-1)
            continue
        if link == undo:
            link += 1
            continue
        budget -= 1
        state[3] += 1
        over = weigh(data, link, cells[links[link, 1]], cells, stack[depth], stack[depth + 1]) + depth + 1 - bound
        if over > 0:
            state[4] = min(state[4], over)
            link += 1
            continue
        shift(links, edits, link, cells)
        depth += 1
        came, undo, stack[depth, 0] = link, links[link, 2], link
        leaves, link = links[came, 1], links[came, 5]
        if depth == bound:
            state[0], state[1] = depth, link
            return FOUND
    state[0], state[1] = depth, link
    return PAUSED
