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
search  (board, ways, cost, cells, stack, opened), board = (links, edits)
stack   int64 [depth + 1, 4]: the link that led to each depth, how many of `opened` are left there; the automaton's
        state and the slack
opened  int64 [depth + 1, links of a state, 2]: (index in `kids`, slack after it)

Indices are unsigned, because code for negative indices would take a quarter of the time.
"""

from __future__ import annotations

import numpy as np

from ..loop import inner
from .search_loop import ENTERED, NONE, search_loop
from .state import NEVER

CAME, COUNT, AT, SLACK = range(4)


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
def use(links, edits, kids, kid, cells, below):
    """Use a listed link; below: the row of the stack after it."""
    link = kids[kid, 0]
    shift(links, edits, link, cells)
    below[CAME], below[COUNT], below[AT] = link, 0, kids[kid, 1]


@inner
def arrived(search, depth, bound):
    """Return whether all moves are made: then the position is the goal, because its own lower bound is 0."""
    return depth == bound


@inner
def open_up(search, depth, bound):
    """List the links that the slack allows; return how many were tried, the least excess of the others."""
    (links, edits), (first, kids), cost, cells, stack, opened = search
    row, found = stack[np.uint64(depth)], opened[np.uint64(depth)]
    at, slack = row[AT], row[SLACK]
    count, tried, least = np.int64(0), np.int64(0), np.int64(NEVER)
    for kid in range(first[at], first[at + 1]):
        link = kids[kid, 0]
        if links[link, 4] != 0 and blocked(links, edits, link, cells):
            continue
        left = slack - cost[link, cells[links[link, 1]]]
        found[count, 0], found[count, 1] = kid, left
        count += left >= 0
        least = min(least, NEVER if left >= 0 else -left)
        tried += 1
    row[COUNT] = count
    return tried, least


@inner
def attempt(search, depth, bound):
    """Use the last link that is left."""
    (links, edits), (_, kids), _, cells, stack, opened = search
    row = stack[np.uint64(depth)]
    count = row[COUNT] - 1
    if count < 0:
        return NONE, 0, NEVER
    row[COUNT] = count
    found, below = opened[np.uint64(depth), np.uint64(count)], stack[np.uint64(depth + 1)]
    use(links, edits, kids, found[0], cells, below)
    below[SLACK] = found[1]
    return ENTERED, 0, NEVER


@inner
def leave(search, depth, bound):
    """Use the link back."""
    (links, edits), _, _, cells, stack, _ = search
    shift(links, edits, links[stack[np.uint64(depth), CAME], 2], cells)


deepen = search_loop("deepen_sums", arrived, open_up, attempt, leave)
