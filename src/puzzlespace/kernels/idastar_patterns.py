"""Depth-first search below a bound for puzzles of one blank, where the bound comes from added pattern tables.

links, edits, cells and state are those of `idastar_sums`. A position is opened once: what every link leads to is looked
up before any of it is used, so that the processor waits for all of these tables at the same time.

stack    int64 [depth + 1, 4 + 5 * images]: the link that led to each depth (row 0: -1), the state of `bars`, how many
         links were opened (-1: none yet), the next of them (before: the first of the cell); then per image (view,
         cells, column, value, total) before the link
opened   int64 [depth + 1, links of a cell, 3 + 5 * images]: for each link opened its number, the overrun of the bound,
         the state of `bars`; then per image (view, cells, column, value, total) after it

data = (views, owner, place, low, high, row_of, turns, tables, cost, bars):
views    int64 [views, 7]: pieces k, first entry in `tables`, in `row_of`, in `turns`, columns k!, words of a row in
         one plane, planes
owner    int64 [images, labels]: the view that a label counts in, -1 where it counts alone
place    int64 [images, cells]: the place of a cell's image in the order of the numbering
low, high, row_of, turns, tables   see `patterns`; those of all views one behind the other
cost     int64 [links, labels]: as in `idastar_sums`, for labels that count alone; NEVER where a link is not for a label
bars     int32 [states, links of a cell]: the state after each of them, -1 where it need not be tried (it undoes the
         last one, or another way leads to the same); at the start the state is the cell of the blank
held     int64 [views, 3]: occupied cells, column and value of each view
totals   int64 [images]: the bound from each image
"""

from __future__ import annotations

import numpy as np

from .bits import popcount
from .idastar_sums import ENDED, FOUND, NEVER, PAUSED, blocked, shift
from .loop import inner, loop
from .patterns import number

CAME, BARRED, COUNT, NEXT, PARTS = 0, 1, 2, 3, 4
HEAD = 3


@inner
def look(data, held, view, start, end):
    """Return (cells, column, value) of a view after its piece went from place `start` to `end`."""
    views, low, high, row_of, turns, tables = data[0], data[3], data[4], data[5], data[6], data[7]
    k, columns, words = views[view, 0], views[view, 4], views[view, 5]
    cells, column, value = held[view, 0], held[view, 1], held[view, 2]
    left = cells ^ (np.int64(1) << start)
    i = popcount(np.uint64(cells & ((np.int64(1) << start) - np.int64(1))))
    j = popcount(np.uint64(left & ((np.int64(1) << end) - np.int64(1))))
    if i != j:
        column = np.int64(turns[views[view, 3] + (i * k + j) * columns + column])
    cells = left | (np.int64(1) << end)
    row = np.int64(row_of[views[view, 2] + number(cells, low, high) * data[2].shape[1] + start])
    at = views[view, 1] + row * words * views[view, 6] + (column >> np.int64(6))
    shift = np.uint64(column & np.int64(63))
    code = np.int64((tables[at] >> shift) & np.uint64(1)) << np.int64(1)
    if views[view, 6] == 1:
        code |= (value + 1) & np.int64(1)
    else:
        code |= np.int64((tables[at + words] >> shift) & np.uint64(1))
    return cells, column, value + ((code - value + np.int64(1)) & np.int64(3)) - np.int64(1)


@inner
def weigh(data, held, totals, link, ends, label, found, most):
    """Work out what every image says once the link is used, up to the first above `most`; return the greatest.

    ends   (cell the piece leaves, cell it comes to)
    found  (out)  per image: view, cells, column, value, total
    """
    extra, worst = data[8][link, label], np.int64(0)
    for image in range(len(totals)):
        at, view = HEAD + 5 * image, data[1][image, label]
        found[at] = view
        total = totals[image] + extra - 1
        if view >= 0:
            start, end = data[2][image, ends[0]], data[2][image, ends[1]]
            cells, column, value = look(data, held, view, start, end)
            found[at + 1], found[at + 2], found[at + 3] = cells, column, value
            total = totals[image] - held[view, 2] + value
        found[at + 4] = total
        worst = max(worst, total)
        if worst > most:
            break
    return worst


@inner
def open_links(board, data, held, totals, cells, link, row, opened, most):
    """List every link from `link` on that can be used, with what it leads to.

    row     (in/out)  the row of the stack
    opened  (out)     the links, each with its overrun of `most`
    """
    links, edits = board
    bars, leaves, first, count = data[9], links[link, 0], link, 0
    while links[link, 0] == leaves:
        after = np.int64(bars[row[BARRED], link - first])
        if after >= 0 and not (links[link, 3] >= 0 and blocked(links, edits, link, cells)):
            label = cells[links[link, 1]]
            opened[count, 0], opened[count, 2] = link, after
            if data[8][link, label] >= NEVER:
                opened[count, 1] = NEVER
            else:
                ends = (links[link, 1], links[link, 0])
                opened[count, 1] = weigh(data, held, totals, link, ends, label, opened[count], most) - most
            count += 1
        link += 1
    row[COUNT], row[NEXT] = count, 0


@inner
def enter(held, totals, found, row):
    """Take over what was looked up for a link; keep what was before in the row of the stack."""
    for image in range(len(totals)):
        at, into = HEAD + 5 * image, PARTS + 5 * image
        view = found[at]
        row[into], row[into + 4] = view, totals[image]
        totals[image] = found[at + 4]
        if view >= 0:
            for part in range(3):
                row[into + 1 + part] = held[view, part]
                held[view, part] = found[at + 1 + part]


@inner
def leave(held, totals, row):
    """Bring back what `enter` kept."""
    for image in range(len(totals)):
        at = PARTS + 5 * image
        view = row[at]
        totals[image] = row[at + 4]
        if view >= 0:
            for part in range(3):
                held[view, part] = row[at + 1 + part]


@loop
def deepen(board, data, held, totals, opened, cells, stack, state, bound):
    """Go on with the search; return PAUSED, ENDED, or FOUND: `stack` is a way to the goal."""
    links, edits = board
    depth, budget, over = state[0], state[2], state[4]
    if depth == 0 and state[3] == 0:
        stack[0, BARRED], stack[0, COUNT], stack[0, NEXT] = state[5], -1, state[1]
    generated = np.int64(0)
    said = PAUSED
    while budget > 0:
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
        budget -= 1
        generated += 1
        if found[1] > 0:
            over = min(over, found[1])
            continue
        link = found[0]
        shift(links, edits, link, cells)
        depth += 1
        below = stack[depth]
        enter(held, totals, found, below)
        below[CAME], below[BARRED] = link, found[2]
        below[COUNT], below[NEXT] = -1, links[link, 5]
        if depth == bound:
            below[COUNT] = below[NEXT]
            said = FOUND
            break
    state[0], state[3], state[4] = depth, state[3] + generated, over
    return said
