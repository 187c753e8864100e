"""Depth-first search below a bound for rectangles: walking distance and inversions of rows and columns.

search = (board, ways, data, cells, stack, opened); board, ways and cells are those of `idastar_sums`

stack    int64 [depth + 1, 9]: link, count and state as in `idastar_sums`; then for rows and for columns (entry,
         inversions, moves needed)
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

from ..loop import inner
from .idastar_sums import AT, COUNT, arrived, leave, use
from .search_loop import ENTERED, NONE, search_loop
from .state import NEVER

ENTRY_BITS = 20
PARTS = 3


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
def open_up(search, depth, bound):
    """List the links within the bound; return how many were tried, and the least excess of the others."""
    (links, _), (first, kids), data, cells, stack, opened = search
    row, found, most = stack[np.uint64(depth)], opened[np.uint64(depth)], bound - depth - 1
    axes = data[0]
    count, least = np.int64(0), np.int64(NEVER)
    begin, end = first[row[AT]], first[row[AT] + 1]
    for kid in range(begin, end):
        link = kids[kid, 0]
        entry, inversions, needed = weigh(data, link, cells[links[link, 1]], cells, row)
        over = needed + row[PARTS + 5 - 3 * axes[link]] - most
        found[count, 0], found[count, 1], found[count, 2], found[count, 3] = kid, entry, inversions, needed
        count += over <= 0
        least = min(least, NEVER if over <= 0 else over)
    row[COUNT] = count
    return np.int64(end) - np.int64(begin), least


@inner
def attempt(search, depth, bound):
    """Use the last link that is left."""
    (links, edits), (_, kids), data, cells, stack, opened = search
    row = stack[np.uint64(depth)]
    count = row[COUNT] - 1
    if count < 0:
        return NONE, 0, NEVER
    row[COUNT] = count
    found, below = opened[np.uint64(depth), np.uint64(count)], stack[np.uint64(depth + 1)]
    kid = found[0]
    enter(data[0], kids[kid, 0], found[1:], row, below)
    use(links, edits, kids, kid, cells, below)
    return ENTERED, 0, NEVER


deepen = search_loop("deepen_lines", arrived, open_up, attempt, leave)
