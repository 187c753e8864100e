"""Depth-first search below the greater of two bounds: added pattern tables, and walking distance or inversions.

board, opened, cells and state are those of `idastar_patterns`; bounds are `data` there and `data` of `idastar_lines`.
What passes the tables is weighed by lines: most does not pass, and lines are worked out one position after the other.

here    (held, totals, opened, cells)
stacks  (stack, rows): the stacks of `idastar_patterns` and of `idastar_lines`
"""

from __future__ import annotations

import numpy as np

from . import idastar_lines
from .idastar_lines import PARTS
from .idastar_patterns import enter, leave, open_ways
from .idastar_sums import BUDGET, CAME, COUNT, DEPTH, ENDED, FIRST, FOUND, GENERATED, LEAST, PAUSED, shift
from .loop import loop

weigh, take = idastar_lines.weigh, idastar_lines.enter


@loop
def deepen(board, ways, bounds, here, stacks, state, bound):
    """Go on with the search; return PAUSED, ENDED, or FOUND: `stack` is a way to the goal."""
    links, edits = board
    kids = ways[1]
    data, lines = bounds
    held, totals, opened, cells = here
    stack, rows = stacks
    depth, generated, over = state[DEPTH], np.int64(0), state[LEAST]
    at, said = state[FIRST], PAUSED
    fresh = stack[depth, COUNT] < 0
    while True:
        row = stack[depth]
        if fresh:
            most = bound - depth - 1
            tried, least = open_ways(board, ways, data, held, totals, cells, at, row, opened[depth], most)
            generated += tried
            over = min(over, least)
        fresh = True
        if generated >= state[BUDGET]:
            break
        while row[COUNT] == 0 and depth > 0:
            shift(links, edits, links[row[CAME], 2], cells)
            leave(held, totals, row)
            depth -= 1
            row = stack[depth]
        if row[COUNT] == 0:
            said = ENDED
            break
        row[COUNT] -= 1
        found, below = opened[depth, row[COUNT]], stack[depth + 1]
        link, at = kids[found[0], 0], np.int64(kids[found[0], 1])
        now, then = rows[depth], rows[depth + 1]
        take(lines[0], link, weigh(lines, link, cells[links[link, 1]], cells, now), now, then)
        excess = then[PARTS + 2] + then[PARTS + 5] + depth + 1 - bound
        if excess > 0:
            over = min(over, excess)
            fresh = False
            continue
        shift(links, edits, link, cells)
        enter(held, totals, found, below)
        depth += 1
        below[CAME], below[COUNT] = link, 0
        if depth == bound:
            said = FOUND
            break
    state[DEPTH], state[GENERATED], state[LEAST] = depth, state[GENERATED] + generated, over
    return said
