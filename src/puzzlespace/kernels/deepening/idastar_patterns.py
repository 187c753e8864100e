"""Depth-first search below a bound for puzzles of one blank, where the bound comes from added pattern tables.

When a position is opened, the table words of all its children are prefetched before the first of them is read, so that
the cache misses overlap. Walking distance or inversions may be a second bound: the greater counts.

search = (board, ways, data, held, totals, cells, stack, opened, lines, rows); board, ways and cells are those of
`idastar_sums`

stack    int64 [depth + 1, 3 + 5 * images]: link, count and state as in `idastar_sums`; then per image (view, cells,
         column, value, total) before the link
opened   int64 [depth + 1, links of a state, 1 + 5 * images]: index in `kids`; then per image (view, cells, column,
         value, total) after the link

data = (views, owner, place, low, high, row_of, turns, tables, cost):
views    int64 [views, 7]: pieces k, first entry in `tables`, in `row_of`, in `turns`, columns k!, words of a row in
         one plane, planes
owner    int64 [images, labels]: the view that a label counts in, -1 if it counts alone
place    int64 [images, cells]: the place of a cell's image in the order of the numbering
low, high, row_of, turns, tables   see `patterns`; concatenated for all views
cost     int64 [links, labels]: as in `idastar_sums`, for labels that count alone; NEVER if a label cannot use a link

held     int64 [views, 3]: occupied cells, column and value of each view
totals   int64 [images]: the bound from each image
lines    the `data` of `idastar_lines`, or None
rows     the stack of `idastar_lines`, or None
"""

from __future__ import annotations

import numpy as np

from ..bits import popcount
from ..loop import inner
from ..prefetch import prefetch
from . import idastar_lines
from .idastar_sums import AT, CAME, COUNT, arrived, blocked, shift, use
from .patterns import number
from .search_loop import ENTERED, NONE, PRUNED, search_loop
from .state import NEVER

PARTS, HEAD = 3, 1


@inner
def locate(data, held, view, start, end):
    """Return (cells, column, word) of a view after its piece went from place `start` to `end`; prefetch the word."""
    views, low, high, row_of, turns, tables = data[0], data[3], data[4], data[5], data[6], data[7]
    k, columns, words = views[view, 0], views[view, 4], views[view, 5]
    cells, column = held[view, 0], held[view, 1]
    left = cells ^ (np.int64(1) << start)
    i = popcount(np.uint64(cells & ((np.int64(1) << start) - np.int64(1))))
    j = popcount(np.uint64(left & ((np.int64(1) << end) - np.int64(1))))
    if i != j:
        column = np.int64(turns[views[view, 3] + (i * k + j) * columns + column])
    cells = left | (np.int64(1) << end)
    row = np.int64(row_of[views[view, 2] + number(cells, low, high) * data[2].shape[1] + start])
    at = views[view, 1] + row * words * views[view, 6] + (column >> np.int64(6))
    prefetch(tables, at)
    return cells, column, at


@inner
def read(data, view, column, at, value):
    """Return the value at a word of a view, given the value one move before."""
    views, tables = data[0], data[7]
    shift = np.uint64(column & np.int64(63))
    code = np.int64((tables[at] >> shift) & np.uint64(1)) << np.int64(1)
    if views[view, 6] == 1:
        code |= (value + 1) & np.int64(1)
    else:
        code |= np.int64((tables[at + views[view, 5]] >> shift) & np.uint64(1))
    return value + ((code - value + np.int64(1)) & np.int64(3)) - np.int64(1)


@inner
def look_ahead(data, held, ends, label, found):
    """Find the table word of every image after a label went from one cell to the other, and prefetch it.

    ends   (cell the piece leaves, cell it comes to)
    found  (out)  per image: view, cells, column, word of the table
    """
    for image in range(len(data[1])):
        at, view = HEAD + 5 * image, data[1][image, label]
        found[at] = view
        if view >= 0:
            start, end = data[2][image, ends[0]], data[2][image, ends[1]]
            found[at + 1], found[at + 2], found[at + 3] = locate(data, held, view, start, end)


@inner
def weigh(data, held, totals, extra, found, most):
    """Compute the bound of every image, up to the first above `most`; return the greatest.

    found  (in/out)  per image: view, cells, column, word of the table, which becomes the value; total
    """
    worst = np.int64(0)
    for image in range(len(totals)):
        at = HEAD + 5 * image
        view = found[at]
        total = totals[image] + extra - 1
        if view >= 0:
            value = read(data, view, found[at + 2], found[at + 3], held[view, 2])
            found[at + 3] = value
            total = totals[image] - held[view, 2] + value
        found[at + 4] = total
        worst = max(worst, total)
        if worst > most:
            break
    return worst


@inner
def open_up(search, depth, bound):
    """List the links within the bound; return how many were tried, and the least excess of the others."""
    (links, edits), (first, kids), data, held, totals, cells, stack, opened, _, _ = search
    row, found, most = stack[np.uint64(depth)], opened[np.uint64(depth)], bound - depth - 1
    at = row[AT]
    listed, tried, least = np.int64(0), np.int64(0), np.int64(NEVER)
    for kid in range(first[at], first[at + 1]):
        link = kids[kid, 0]
        if links[link, 4] != 0 and blocked(links, edits, link, cells):
            continue
        tried += 1
        label = cells[links[link, 1]]
        if data[8][link, label] < NEVER:
            found[listed, 0] = kid
            look_ahead(data, held, (links[link, 1], links[link, 0]), label, found[listed])
            listed += 1
    count = np.int64(0)
    for place in range(listed):
        link = kids[found[place, 0], 0]
        over = weigh(data, held, totals, data[8][link, cells[links[link, 1]]], found[place], most) - most
        if over <= 0:
            if count < place:
                for part in range(found.shape[1]):
                    found[count, part] = found[place, part]
            count += 1
        else:
            least = min(least, over)
    row[COUNT] = count
    return tried, least


@inner
def enter(held, totals, found, row):
    """Make the values of a link the current ones; save the previous ones in the row of the stack."""
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
def restore(held, totals, row):
    """Restore the values that `enter` saved."""
    for image in range(len(totals)):
        at = PARTS + 5 * image
        view = row[at]
        totals[image] = row[at + 4]
        if view >= 0:
            for part in range(3):
                held[view, part] = row[at + 1 + part]


@inner
def attempt(search, depth, bound):
    """Use the last link that is left."""
    (links, edits), (_, kids), _, held, totals, cells, stack, opened, _, _ = search
    row = stack[np.uint64(depth)]
    count = row[COUNT] - 1
    if count < 0:
        return NONE, 0, NEVER
    row[COUNT] = count
    found, below = opened[np.uint64(depth), np.uint64(count)], stack[np.uint64(depth + 1)]
    use(links, edits, kids, found[0], cells, below)
    enter(held, totals, found, below)
    return ENTERED, 0, NEVER


@inner
def attempt_below_lines(search, depth, bound):
    """Use the last link that is left, if it is within the second bound.

    The second bound is computed only for links that are within the first one. These are few, and the second bound is
    computed for one position after the other.
    """
    (links, _), (_, kids), _, _, _, cells, stack, opened, lines, rows = search
    count = stack[depth, COUNT] - 1
    if count >= 0:
        link = kids[opened[depth, count, 0], 0]
        excess = idastar_lines.follow(lines, link, cells[links[link, 1]], cells, rows[depth], rows[depth + 1])
        excess += depth + 1 - bound
        if excess > 0:
            stack[depth, COUNT] = count
            return PRUNED, 0, excess
    return attempt(search, depth, bound)


@inner
def leave(search, depth, bound):
    """Use the link back, and restore the values before it."""
    (links, edits), _, _, held, totals, cells, stack, _, _, _ = search
    row = stack[np.uint64(depth)]
    shift(links, edits, links[row[CAME], 2], cells)
    restore(held, totals, row)


deepen = search_loop("deepen_patterns", arrived, open_up, attempt, leave)
deepen_below_lines = search_loop("deepen_patterns_and_lines", arrived, open_up, attempt_below_lines, leave)
