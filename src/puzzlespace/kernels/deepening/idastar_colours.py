"""Depth-first search below a bound for moves that carry a line of pieces, with tables of coloured pieces.

search = (data, cells, stack), data = (first, local, tables, offsets, shape, lines, barred, goal):
first, local  int64 [views, halves]: see `colours`; tables uint8: concatenated, offsets int64 [views]
lines    int64 [views, cells, ways, steps, 3]: see `colours`; indexed by the blank's cell on the board, with the fields
         and cells of the view's image
barred   int64 [cells, ways, steps]: after that move, a bit set of the ways that continue its line or go back
goal     uint8 [cells]
cells    uint8 [cells]: the symbol in each cell
stack    int64 [depth + 2, 4 + 2 * views]: way and step to try next, cell of the blank, ways barred; the word of each
         view, and its word after the last step that was tried
"""

from __future__ import annotations

import numpy as np

from ..loop import inner
from .colours import number, turned
from .search_loop import ENTERED, NONE, PRUNED, search_loop
from .state import NEVER

WAY, STEP, BLANK, BARS, WORDS = 0, 1, 2, 3, 4


@inner
def weigh(data, row, way, step, views, most):
    """Advance one step along the way; return the greatest depth of all views, or any depth above `most`."""
    bits, cut = data[4]
    blank, worst = row[BLANK], np.int64(0)
    for view in range(views):
        at = data[5][view, blank, way, step]
        word = row[WORDS + view] if step == 0 else row[WORDS + views + view]
        if at[1] != at[2]:
            word = turned(word, bits, at[1], at[2])
        row[WORDS + views + view] = word
        if worst > most:
            continue
        place = number(word, cut, data[0][view], data[1][view]) * len(data[7]) + at[0]
        worst = max(worst, np.int64(data[2][data[3][view] + place]))
    return worst


@inner
def carry(cells, line, blank, steps):
    """Move the blank along a line."""
    for step in range(steps):
        cells[blank] = cells[line[step, 0]]
        blank = line[step, 0]
        cells[blank] = 0


@inner
def bring_back(cells, line, blank, steps):
    """Undo `carry`."""
    for step in range(steps - 1, -1, -1):
        before = line[step - 1, 0] if step else blank
        cells[line[step, 0]] = cells[before]
    cells[blank] = 0


@inner
def same(cells, goal):
    """Return whether all cells are as in the goal."""
    differ = 0
    for cell in range(len(goal)):
        differ += cells[cell] != goal[cell]
    return differ == 0


@inner
def arrived(search, depth, bound):
    """Return whether the position is the goal, after all moves. No child is within the bound then."""
    data, cells, _ = search
    return depth == bound and same(cells, data[7])


@inner
def open_up(search, depth, bound):
    """Do nothing: children are weighed one after the other."""
    return 0, NEVER


@inner
def attempt(search, depth, bound):
    """Carry the line at the next step along a way, if that is within the bound."""
    data, cells, stack = search
    lines, views = data[5][0], len(data[3])
    row = stack[depth]
    way, step, blank = row[WAY], row[STEP], row[BLANK]
    if way == lines.shape[1]:
        return NONE, 0, NEVER
    if row[BARS] >> way & 1 or step == lines.shape[2] or lines[blank, way, step, 0] < 0:
        row[WAY], row[STEP] = way + 1, 0
        return PRUNED, 0, NEVER
    row[STEP] = step + 1
    over = weigh(data, row, way, step, views, bound - depth - 1) - (bound - depth - 1)
    if over > 0:
        return PRUNED, 1, over
    carry(cells, lines[blank, way], blank, step + 1)
    below = stack[depth + 1]
    below[WAY], below[STEP] = 0, 0
    below[BLANK], below[BARS] = lines[blank, way, step, 0], data[6][blank, way, step]
    for view in range(views):
        below[WORDS + view] = row[WORDS + views + view]
    return ENTERED, 1, NEVER


@inner
def leave(search, depth, bound):
    """Bring the line back."""
    data, cells, stack = search
    above = stack[depth - 1]
    bring_back(cells, data[5][0][above[BLANK], above[WAY]], above[BLANK], above[STEP])


deepen = search_loop("deepen_colours", arrived, open_up, attempt, leave)
