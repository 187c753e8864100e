"""Depth-first search below a bound for moves that carry a line of pieces, with tables of coloured pieces.

data = (first, local, tables, offsets, shape, lines, barred, goal):
first, local  int64 [views, halves]: see `colours`; tables uint8: concatenated, offsets int64 [views]
lines    int64 [views, cells, ways, steps, 3]: see `colours`; indexed by the blank's cell on the board, with the fields
         and cells of the view's image
barred   int64 [cells, ways, steps]: after that move, a bit set of the ways that continue its line or go back
goal     uint8 [cells]
cells    uint8 [cells]: the symbol in each cell
stack    int64 [depth + 2, 4 + 2 * views]: way and step to try next, cell of the blank, ways barred; the word of each
         view, and its word after the last step that was tried
state    see `state`
"""

from __future__ import annotations

import numpy as np

from ..loop import inner, loop
from .colours import number, turned
from .state import BUDGET, DEPTH, ENDED, FOUND, GENERATED, LEAST, PAUSED

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


@loop
def deepen(data, cells, stack, state, bound):
    """Continue the search; return PAUSED, ENDED, or FOUND: `stack` is a solution."""
    lines, views = data[5][0], len(data[3])
    depth = state[DEPTH]
    while state[BUDGET] > 0:
        row = stack[depth]
        way, step, blank = row[WAY], row[STEP], row[BLANK]
        if way == lines.shape[1]:
            if depth == 0:
                return ENDED
            depth -= 1
            state[DEPTH] = depth
            above = stack[depth]
            bring_back(cells, lines[above[BLANK], above[WAY]], above[BLANK], above[STEP])
            continue
        if row[BARS] >> way & 1 or step == lines.shape[2] or lines[blank, way, step, 0] < 0:
            row[WAY], row[STEP] = way + 1, 0
            continue
        row[STEP] = step + 1
        state[BUDGET] -= 1
        state[GENERATED] += 1
        over = weigh(data, row, way, step, views, bound - depth - 1) - (bound - depth - 1)
        if over > 0:
            state[LEAST] = min(state[LEAST], over)
            continue
        carry(cells, lines[blank, way], blank, step + 1)
        depth += 1
        state[DEPTH] = depth
        below = stack[depth]
        below[WAY], below[STEP] = 0, 0
        below[BLANK], below[BARS] = lines[blank, way, step, 0], data[6][blank, way, step]
        for view in range(views):
            below[WORDS + view] = row[WORDS + views + view]
        if depth == bound and same(cells, data[7]):
            return FOUND
    return PAUSED
