"""Depth-first search below the greater of two bounds: added pattern tables, and walking distance or inversions.

board, opened, cells and state are those of `idastar_patterns`; bounds are `data` there and `data` of `idastar_lines`.
What passes the tables is weighed by lines: most does not pass, and lines are worked out one position after the other.

here    (held, totals, opened, cells)
stacks  (stack, rows): `stack` of `idastar_patterns`; rows int64 [depth + 1, 8], the stack of `idastar_lines`
"""

from __future__ import annotations

from . import idastar_lines
from .idastar_patterns import BARRED, CAME, COUNT, NEXT, enter, leave, open_links
from .idastar_sums import ENDED, FOUND, PAUSED, shift
from .loop import loop

across = idastar_lines.weigh


@loop
def deepen(board, bounds, here, stacks, state, bound):
    """Go on with the search; return PAUSED, ENDED, or FOUND: `stack` is a way to the goal."""
    links, edits = board
    data, lines = bounds
    held, totals, opened, cells = here
    stack, rows = stacks
    depth, said = state[0], PAUSED
    if depth == 0 and state[3] == 0:
        stack[0, BARRED], stack[0, COUNT], stack[0, NEXT] = state[5], -1, state[1]
    while said == PAUSED and state[2] > 0:
        row = stack[depth]
        if row[COUNT] < 0:
            open_links(board, data, held, totals, cells, row[NEXT], row, opened[depth], bound - depth - 1)
        if row[NEXT] == row[COUNT]:
            if depth == 0:
                said = ENDED
                break
            shift(links, edits, links[row[CAME], 2], cells)
            leave(held, totals, row)
            depth -= 1
            continue
        found = opened[depth, row[NEXT]]
        row[NEXT] += 1
        state[2] -= 1
        state[3] += 1
        excess, link = found[1], found[0]
        if excess <= 0:
            excess = depth + 1 - bound
            excess += across(lines, link, cells[links[link, 1]], cells, rows[depth], rows[depth + 1])
        if excess > 0:
            state[4] = min(state[4], excess)
            continue
        shift(links, edits, link, cells)
        depth += 1
        below = stack[depth]
        enter(held, totals, found, below)
        below[CAME], below[BARRED] = link, found[2]
        below[COUNT], below[NEXT] = -1, links[link, 5]
        if depth == bound:
            below[COUNT] = below[NEXT]
            said = FOUND
    state[0] = depth
    return said
