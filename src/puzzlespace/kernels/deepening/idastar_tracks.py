"""Depth-first search below a bound along tracks (see `tracks`): rows and columns in turn, the greatest of two tables.

Solutions go along rows and columns in turn, and the last track of a solution is the one of depth 0. So the tracks of a
solution of `bound` moves have depths of at most bound - 1, bound - 2, …, 0. The stack holds words of tracks; positions
are not needed.

search = (views, board, first axis, path, words, depths, cells)

views    two of (bits, numbers, sizes, masks, shifts): two tables of the same board
masks    uint64 [axes, cells, 3], shifts uint64 [axes, 2]: from a track of that axis through a cell
board    (rows, columns, start, goal): start and goal uint8 [cells], 0 for the blank
path     int64 [depth + 1, 3]: the line of the track, the line of the track before it, the next line to try
words, depths  uint64 and int64 [depth + 1, lines, 2]: of the tracks that a track leads to; row 0 holds the first track
         itself
cells    (scratch) uint8 [cells]
"""

from __future__ import annotations

import numpy as np

from ..loop import inner, loop
from ..prefetch import prefetch
from .search_loop import ENTERED, NONE, PRUNED, search_loop
from .state import NEVER
from .tracks import FIRST, bit_at, bit_index, turned

LINE, CAME, NEXT = 0, 1, 2


@inner
def bit_of(view, axis, line, word):
    """Return the bit of a track."""
    return bit_at(view[0], bit_index(view[1], view[2], view[2][FIRST + axis] + line, word))


@loop
def depth_of(view, axis, line, word, goal):
    """Return the depth of a track, by descending to goal = (axis, line, word)."""
    below = np.int64(0)
    rows, columns = view[2][FIRST + 2], view[2][FIRST + 3]
    while axis != goal[0] or line != goal[1] or word != goal[2]:
        below += 1
        wanted = ((bit_of(view, axis, line, word) * 2 + (axis != goal[0])) - 1) >> 1 & 1
        for other in range(columns if axis == 0 else rows):
            cell = line * columns + other if axis == 0 else other * columns + line
            after = turned(word, view[3][axis, cell], view[4][axis])
            if bit_of(view, 1 - axis, other, after) == wanted:
                axis, line, word = 1 - axis, other, after
                break
    return below


@inner
def go_over(view, step, word):
    """Return the word and the bit index of the track that a step = (axis, cell, line) leads to; prefetch its bit."""
    axis, cell, line = step
    word = turned(word, view[3][axis, cell], view[4][axis])
    place = bit_index(view[1], view[2], view[2][FIRST + 1 - axis] + line, word)
    prefetch(view[0], place >> 6)
    return word, place


@inner
def deeper(view, place, depth):
    """Return the depth of a track, given its bit index and the depth of the track before."""
    return depth + 1 if bit_at(view[0], place) == (depth + 1) >> 1 & 1 else depth - 1


@inner
def slide(cells, row, axis, end, columns):
    """Move the blank along the track of a row of the path to a line."""
    blank = row[LINE] * columns + row[CAME] if axis == 0 else row[CAME] * columns + row[LINE]
    stride = (1 if end > row[CAME] else -1) * (1 if axis == 0 else columns)
    for _ in range(abs(end - row[CAME])):
        cells[blank] = cells[blank + stride]
        blank += stride
    cells[blank] = 0


@inner
def arrives(board, path, bound, first, cells):
    """Return whether the path leads to the goal: along its last track to the blank's place there."""
    _, columns, start, goal = board
    for cell in range(len(start)):
        cells[cell] = start[cell]
    blank = np.int64(0)
    while goal[blank]:
        blank += 1
    for depth in range(bound):
        axis = (first + depth) & 1
        last = blank % columns if axis == 0 else blank // columns
        slide(cells, path[depth], axis, path[depth + 1, LINE] if depth + 1 < bound else last, columns)
    differ = 0
    for cell in range(len(start)):
        differ += cells[cell] != goal[cell]
    return differ == 0


@inner
def arrived(search, depth, bound):
    """Return whether the path is a solution; its last track is at depth bound - 1."""
    _, board, first, path, _, _, cells = search
    return depth == bound - 1 and arrives(board, path, bound, first, cells)


@inner
def open_up(search, depth, bound):
    """Write words and depths of the tracks that the last one of the path leads to; return how many there are."""
    views, board, first, path, words, depths, _ = search
    if depth == bound - 1:
        return 0, NEVER
    row, below, deep = path[depth], words[depth + 1], depths[depth + 1]
    axis, slot, columns = (first + depth) & 1, row[LINE] if depth else 0, board[1]
    count, above = columns if axis == 0 else board[0], words[depth, slot]
    for line in range(count):
        if line != row[CAME]:
            step = axis, row[LINE] * columns + line if axis == 0 else line * columns + row[LINE], line
            below[line, 0], deep[line, 0] = go_over(views[0], step, above[0])
            below[line, 1], deep[line, 1] = go_over(views[1], step, above[1])
    for line in range(count):
        if line != row[CAME]:
            deep[line, 0] = deeper(views[0], deep[line, 0], depths[depth, slot, 0])
            deep[line, 1] = deeper(views[1], deep[line, 1], depths[depth, slot, 1])
    row[NEXT] = 0
    return count - 1, NEVER


@inner
def attempt(search, depth, bound):
    """Go to the next track, if it is within the bound."""
    _, board, first, path, _, depths, _ = search
    row = path[depth]
    line = row[NEXT]
    if depth == bound - 1 or line == (board[1] if (first + depth) & 1 == 0 else board[0]):
        return NONE, 0, NEVER
    row[NEXT] = line + 1
    below = depths[depth + 1, line]
    if line == row[CAME] or max(below[0], below[1]) > bound - 2 - depth:
        return PRUNED, 0, NEVER
    path[depth + 1, LINE], path[depth + 1, CAME] = line, row[LINE]
    return ENTERED, 0, NEVER


@inner
def leave(search, depth, bound):
    """Do nothing: the track before is still on the path."""


deepen = search_loop("deepen_tracks", arrived, open_up, attempt, leave)
