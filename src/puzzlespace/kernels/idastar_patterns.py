"""Depth-first search below a bound for puzzles of one blank, where the bound comes from added pattern tables.

links, edits, cells, stack and state are those of `idastar_sums`; a stack row goes on with (view, cells, column, value,
sum) of each image before its link was used.

data = (views, owner, place, low, high, look_up, turns, tables, cost):
views    int64 [views, 5]: pieces k, first entry in `tables`, in `look_up`, in `turns`, columns k!
owner    int64 [images, labels]: the view that a label counts in, -1 where it counts alone
place    int64 [images, cells]: the place of a cell's image in the order of the numbering
low, high, look_up, turns, tables   see `patterns`; those of all views one behind the other
cost     int64 [links, labels]: as in `idastar_sums`, for labels that count alone; NEVER where a link is not for a label
held     int64 [views, 3]: occupied cells, column and value of each view
totals   int64 [images]: the bound from each image
fresh    int64 [images, 5]: scratch
"""

from __future__ import annotations

import numpy as np

from .bits import popcount
from .idastar_sums import ENDED, FOUND, NEVER, PAUSED, blocked, shift
from .loop import loop
from .patterns import number


@loop
def look(data, held, view, start, end, blank):
    """Return (cells, column, value) of a view after its piece went from place `start` to `end`."""
    views, low, high, look_up, turns, tables = data[0], data[3], data[4], data[5], data[6], data[7]
    k, columns = views[view, 0], views[view, 4]
    cells, column = held[view, 0], held[view, 1]
    left = cells ^ (np.int64(1) << start)
    i = popcount(np.uint64(cells & ((np.int64(1) << start) - np.int64(1))))
    j = popcount(np.uint64(left & ((np.int64(1) << end) - np.int64(1))))
    if i != j:
        column = np.int64(turns[views[view, 3] + (i * k + j) * columns + column])
    cells = left | (np.int64(1) << end)
    row = np.int64(look_up[views[view, 2] + number(cells, low, high) * data[2].shape[1] + blank])
    return cells, column, np.int64(tables[views[view, 1] + row * columns + column])


@loop
def weigh(data, held, totals, fresh, link, ends, label, most):
    """Work out what every image says once the link is used; return the overrun of `most`, 0 for none.

    ends   (cell the piece leaves, cell it comes to)
    fresh  (out)  per image: view, cells, column, value, total
    """
    extra = data[8][link, label]
    if extra >= NEVER:
        return extra
    for image in range(len(totals)):
        view = data[1][image, label]
        fresh[image, 0] = view
        if view < 0:
            total = totals[image] + extra - 1
        else:
            start, end = data[2][image, ends[0]], data[2][image, ends[1]]
            cells, column, value = look(data, held, view, start, end, start)
            fresh[image, 1], fresh[image, 2], fresh[image, 3] = cells, column, value
            total = totals[image] - held[view, 2] + value
        if total > most:
            return total - most
        fresh[image, 4] = total
    return np.int64(0)


@loop
def enter(held, totals, fresh, row):
    """Take over what `weigh` worked out; keep what was in the row of the stack."""
    for image in range(len(totals)):
        at, view = 2 + 5 * image, fresh[image, 0]
        row[at], row[at + 4] = view, totals[image]
        totals[image] = fresh[image, 4]
        if view >= 0:
            for part in range(3):
                row[at + 1 + part] = held[view, part]
                held[view, part] = fresh[image, 1 + part]


@loop
def leave(held, totals, row):
    """Bring back what `enter` kept."""
    for image in range(len(totals)):
        at, view = 2 + 5 * image, row[2 + 5 * image]
        totals[image] = row[at + 4]
        if view >= 0:
            for part in range(3):
                held[view, part] = row[at + 1 + part]


@loop
def deepen(board, data, held, totals, fresh, cells, stack, state, bound):
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
            leave(held, totals, stack[depth])
            depth -= 1
            link, leaves, came = came + 1, links[came, 0], stack[depth, 0]
            undo = links[came, 2] if came >= 0 else np.int64(-1)
            continue
        if link == undo or (links[link, 3] >= 0 and blocked(links, edits, link, cells)):
            link += 1
            continue
        ends = (links[link, 1], links[link, 0])
        budget -= 1
        state[3] += 1
        over = weigh(data, held, totals, fresh, link, ends, cells[ends[0]], bound - depth - 1)
        if over > 0:
            state[4] = min(state[4], over)
            link += 1
            continue
        shift(links, edits, link, cells)
        depth += 1
        enter(held, totals, fresh, stack[depth])
        came, undo, stack[depth, 0] = link, links[link, 2], link
        leaves, link = links[came, 1], links[came, 5]
        if depth == bound:
            state[0], state[1] = depth, link
            return FOUND
    state[0], state[1] = depth, link
    return PAUSED
