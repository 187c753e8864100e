"""Depth-first search below a bound for puzzles of one blank, where the bound is a sum over pieces.

A link is a step of the blank: from cell b to cell a, while the piece at a comes to b (or a block leaves a). An
automaton says which links are tried after each other (`engines.deepening.pruning`). The *slack* of a position is the
bound minus its depth minus its own lower bound. A position is opened once: the slack of all its children is computed,
and those with a slack of at least 0 are listed, without a branch for each.

links   uint32 [L, 5]: (cell the blank leaves, cell it goes to, the link back, first index in `edits`, number of edits:
        0 if the link is for pieces of one cell)
edits   uint32 [E, 3]: (cell, label before, label after), what a block's link needs and writes
ways    (first, kids), the automaton: uint32 [states + 1], where the links of a state begin; uint32 [K, 2]: (link, next
        state), the link that is tried first at the end
cost    int32 [L, labels]: how much a link reduces the slack when a label moves: one move, plus the change of its bound
cells   uint8 [cells]: the label in each cell, 0 for the blank
stack   int64 [depth + 1, 2]: the link that led to each depth, how many of `opened` are left there, -1 if not opened
opened  int64 [depth + 1, links of a state, 2]: (index in `kids`, slack after it)
state   see `state`; then the automaton's state and the slack at the start

Indices are unsigned, because code for negative indices would take a quarter of the time.
"""

from __future__ import annotations

import numpy as np

from ..loop import inner, loop
from .state import BUDGET, DEPTH, ENDED, FOUND, GENERATED, LEAST, NEVER, OWN, PAUSED

CAME, COUNT = 0, 1
FIRST, SLACK = OWN, OWN + 1


@inner
def shift(links, edits, link, cells):
    """Use the link: the piece at its end comes to the cell of the blank, or the block at its end leaves it."""
    if links[link, 4] == 0:
        cells[links[link, 0]] = cells[links[link, 1]]
        cells[links[link, 1]] = 0
    else:
        for edit in range(links[link, 3], links[link, 3] + links[link, 4]):
            cells[edits[edit, 0]] = np.uint8(edits[edit, 2])


@inner
def blocked(links, edits, link, cells):
    """Return whether the link is for a block that is not there."""
    differ = 0
    for edit in range(links[link, 3], links[link, 3] + links[link, 4]):
        differ += cells[edits[edit, 0]] != edits[edit, 1]
    return differ != 0


@inner
def open_ways(board, ways, cost, cells, at, slack, opened):
    """List the links that the slack allows; return how many, how many were tried, the least excess of the others."""
    links, edits = board
    first, kids = ways
    count, tried, least = np.int64(0), np.int64(0), np.int64(NEVER)
    for kid in range(first[at], first[at + 1]):
        link = kids[kid, 0]
        if links[link, 4] != 0 and blocked(links, edits, link, cells):
            continue
        left = slack - cost[link, cells[links[link, 1]]]
        opened[count, 0], opened[count, 1] = kid, left
        count += left >= 0
        least = min(least, NEVER if left >= 0 else -left)
        tried += 1
    return count, tried, least


@loop
def deepen(board, ways, cost, cells, stack, opened, state, bound):
    """Continue the search; return PAUSED, ENDED, or FOUND: `stack` is a solution.

    A position at depth `bound` with a slack of at least 0 is the goal, because its own lower bound is 0.
    """
    links, edits = board
    kids = ways[1]
    depth, generated, over = state[DEPTH], np.int64(0), state[LEAST]
    count, at, slack = stack[depth, COUNT], state[FIRST], state[SLACK]
    fresh, said = count < 0, PAUSED
    while True:
        if fresh:
            count, tried, least = open_ways(board, ways, cost, cells, at, slack, opened[depth])
            generated += tried
            over = min(over, least)
            stack[depth, COUNT] = count
        fresh = True
        if generated >= state[BUDGET]:
            break
        while count == 0 and depth > 0:
            shift(links, edits, links[stack[depth, CAME], 2], cells)
            depth -= 1
            count = stack[depth, COUNT]
        if count == 0:
            said = ENDED
            break
        count -= 1
        stack[depth, COUNT] = count
        kid, slack = opened[depth, count, 0], opened[depth, count, 1]
        link, at = kids[kid, 0], np.int64(kids[kid, 1])
        shift(links, edits, link, cells)
        depth += 1
        stack[depth, CAME], stack[depth, COUNT] = link, 0
        if depth == bound:
            said = FOUND
            break
    state[DEPTH], state[GENERATED], state[LEAST] = depth, state[GENERATED] + generated, over
    return said
