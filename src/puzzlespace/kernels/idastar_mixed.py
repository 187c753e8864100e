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
    depth, generated, over, said = state[DEPTH], np.int64(0), state[LEAST], PAUSED
    if stack[0, COUNT] < 0:
        at, most = state[FIRST], bound - 1
        generated, over = open_ways(board, ways, data, held, totals, cells, at, stack[0], opened[0], most)
    while generated < state[BUDGET]:
        row = stack[depth]
        count = row[COUNT]
        if count == 0:
            if depth == 0:
                said = ENDED
                break
            shift(links, edits, links[row[CAME], 2], cells)
            leave(held, totals, row)
            depth -= 1
            continue
        row[COUNT] = count - 1
        found, below = opened[depth, count - 1], stack[depth + 1]
        link = kids[found[0], 0]
        take(
            lines[0], link, weigh(lines, link, cells[links[link, 1]], cells, rows[depth]), rows[depth], rows[depth + 1]
        )
        excess = rows[depth + 1, PARTS + 2] + rows[depth + 1, PARTS + 5] + depth + 1 - bound
        if excess > 0:
            over = min(over, excess)
            continue
        shift(links, edits, link, cells)
        enter(held, totals, found, below)
        depth += 1
        below[CAME], below[COUNT] = link, 0
        if depth == bound:
            said = FOUND
            break
        at, most = kids[found[0], 1], bound - depth - 1
        tried, least = open_ways(board, ways, data, held, totals, cells, at, below, opened[depth], most)
        generated += tried
        over = min(over, least)
    state[DEPTH], state[GENERATED], state[LEAST] = depth, state[GENERATED] + generated, over
    return said
