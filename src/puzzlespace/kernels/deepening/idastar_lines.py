"""Depth-first search below a bound for rectangles: walking distance and inversions of rows and columns.

board, ways, cells and state are those of `idastar_sums`; the slack in `state` is not read.

stack    int64 [depth + 1, 8]: the link that led to each depth, how many of `opened` are left to try there (-1: not
         opened); then for rows and for columns (entry, inversions, moves needed)
opened   int64 [depth + 1, links of a state, 4]: index in `kids`; entry, inversions, moves needed of the axis it changes

data = (axes, columns, after, mends, passes, between):
axes     uint8 [links]: the axis that the link changes (0 rows, 1 columns)
columns  uint8 [links, labels]: the column of `after` that tells where a label goes
after    uint32 [entries, columns]: the entry after a move, and its depth from bit 20 on
mends    uint32 [2, inversions]: the least number of moves that removes so many inversions
passes   int8 [links, labels, labels]: the change of the inversions when a label passes another; 0 for a blank
between  uint8 [links, m]: the cells that the piece passes, padded with the blank's cell
"""

from __future__ import annotations

import numpy as np

from ..loop import inner, loop
from .idastar_sums import CAME, COUNT, FIRST, shift
from .state import BUDGET, DEPTH, ENDED, FOUND, GENERATED, LEAST, NEVER, PAUSED

ENTRY_BITS = 20
PARTS = 2


@inner
def weigh(data, link, label, cells, now):
    """Return (entry, inversions, moves needed) of the axis that the link changes, after it moves the label."""
    axes, columns, after, mends, passes, between = data
    axis = axes[link]
    found = after[now[PARTS + 3 * axis], columns[link, label]]
    count = now[PARTS + 1 + 3 * axis]
    for at in range(between.shape[1]):
        count += passes[link, label, cells[between[link, at]]]
    needed = max(np.int64(found >> ENTRY_BITS), np.int64(mends[axis, count]))
    return np.int64(found & ((1 << ENTRY_BITS) - 1)), count, needed


@inner
def enter(axes, link, parts, now, then):
    """Fill the row `then` of the stack, one link after the row `now`; `parts` are the new values of its axis."""
    own = PARTS + 3 * axes[link]
    other = PARTS + 3 - 3 * axes[link]
    for part in range(3):
        then[own + part] = parts[part]
        then[other + part] = now[other + part]


@inner
def follow(data, link, label, cells, now, then):
    """Fill the row `then` for a link that moves the label; return its bound."""
    enter(data[0], link, weigh(data, link, label, cells, now), now, then)
    return then[PARTS + 2] + then[PARTS + 5]


@inner
def open_ways(board, ways, data, cells, at, row, opened, most):
    """List the links with a bound of at most `most`; return how many were tried, and the least excess of the others."""
    links = board[0]
    first, kids = ways
    axes = data[0]
    count, least = np.int64(0), np.int64(NEVER)
    begin, end = first[at], first[at + 1]
    for kid in range(begin, end):
        link = kids[kid, 0]
        entry, inversions, needed = weigh(data, link, cells[links[link, 1]], cells, row)
        over = needed + row[PARTS + 5 - 3 * axes[link]] - most
        opened[count, 0], opened[count, 1], opened[count, 2], opened[count, 3] = kid, entry, inversions, needed
        count += over <= 0
        least = min(least, NEVER if over <= 0 else over)
    row[COUNT] = count
    return np.int64(end) - np.int64(begin), least


@loop
def deepen(board, ways, data, cells, stack, opened, state, bound):
    """Continue the search; return PAUSED, ENDED, or FOUND: `stack` is a solution."""
    links, edits = board
    kids, axes = ways[1], data[0]
    depth, generated, over = state[DEPTH], np.int64(0), state[LEAST]
    at, said = state[FIRST], PAUSED
    fresh = stack[depth, COUNT] < 0
    while True:
        row = stack[depth]
        if fresh:
            tried, least = open_ways(board, ways, data, cells, at, row, opened[depth], bound - depth - 1)
            generated += tried
            over = min(over, least)
        fresh = True
        if generated >= state[BUDGET]:
            break
        while row[COUNT] == 0 and depth > 0:
            shift(links, edits, links[row[CAME], 2], cells)
            depth -= 1
            row = stack[depth]
        if row[COUNT] == 0:
            said = ENDED
            break
        row[COUNT] -= 1
        found, below = opened[depth, row[COUNT]], stack[depth + 1]
        link, at = kids[found[0], 0], np.int64(kids[found[0], 1])
        enter(axes, link, found[1:], row, below)
        shift(links, edits, link, cells)
        depth += 1
        below[CAME], below[COUNT] = link, 0
        if depth == bound:
            said = FOUND
            break
    state[DEPTH], state[GENERATED], state[LEAST] = depth, state[GENERATED] + generated, over
    return said
