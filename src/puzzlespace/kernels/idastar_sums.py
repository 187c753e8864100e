"""Depth-first search below a bound for puzzles of one blank, where the bound is a sum over pieces.

A link is a way for the blank: from cell b to cell a, while the piece at a comes to b (or a block makes room).

links   int64 [L + 1, 6] by the blank's cell: (cell the blank leaves, cell it goes to, the link back, first place in
        `edits` or -1, number of edits, first link of the cell it goes to); the last row closes the list
edits   int64 [E, 3]: (cell, label before, label after), what a block's link needs and writes
cost    int64 [L, labels]: what a link takes off the slack when a label moves: one move, plus the change of its bound
cells   uint8 [cells]: the label in each cell, 0 the blank
stack   int64 [depth + 1, 2]: the link that led to each depth (row 0: -1), the slack there
state   int64: [depth, next link to try, links to try before it pauses, positions generated, least overrun, first cell]
"""

from __future__ import annotations

import numpy as np

from .loop import loop

PAUSED, ENDED, FOUND = 0, 1, 2
NEVER = 1 << 20
"""A cost that no slack bears: the label cannot use the link."""


@loop
def shift(links, edits, link, cells):
    """Use the link: the piece at its end comes to where the blank is, or the block at its end makes room."""
    first = links[link, 3]
    if first < 0:
        cells[links[link, 0]] = cells[links[link, 1]]
        cells[links[link, 1]] = 0
    else:
        for edit in range(first, first + links[link, 4]):
            cells[edits[edit, 0]] = np.uint8(edits[edit, 2])


@loop
def blocked(links, edits, link, cells):
    """Return whether the block that a link is for does not lie there."""
    differ = 0
    for edit in range(links[link, 3], links[link, 3] + links[link, 4]):
        differ += cells[edits[edit, 0]] != edits[edit, 1]
    return differ != 0


@loop
def deepen(links, edits, cost, cells, stack, state, bound):
    """Go on with the search; return PAUSED, ENDED (nothing left), or FOUND: `stack` is a way to the goal.

    A position as deep as the bound that still has slack is the goal: nothing is left to bound.
    """
    depth, link, budget, over = state[0], state[1], state[2], state[4]
    generated = np.int64(0)
    came, slack = stack[depth, 0], stack[depth, 1]
    undo = links[came, 2] if came >= 0 else np.int64(-1)
    leaves = state[5] if came < 0 else links[came, 1]
    while budget > 0:
        if links[link, 0] != leaves:
            if depth == 0:
                state[1], state[3], state[4] = link, state[3] + generated, over
                return ENDED
            shift(links, edits, undo, cells)
            depth -= 1
            link, leaves = came + 1, links[came, 0]
            came, slack = stack[depth, 0], stack[depth, 1]
            undo = links[came, 2] if came >= 0 else np.int64(-1)
            continue
        if link == undo or (links[link, 3] >= 0 and blocked(links, edits, link, cells)):
            link += 1
            continue
        left = slack - cost[link, cells[links[link, 1]]]
        budget -= 1
        generated += 1
        if left < 0:
            over = min(over, -left)
            link += 1
            continue
        shift(links, edits, link, cells)
        depth += 1
        came, slack, undo = link, left, links[link, 2]
        stack[depth, 0], stack[depth, 1] = came, slack
        leaves, link = links[came, 1], links[came, 5]
        if depth == bound:
            state[0], state[1], state[3], state[4] = depth, link, state[3] + generated, over
            return FOUND
    state[0], state[1], state[3], state[4] = depth, link, state[3] + generated, over
    return PAUSED
