"""Kernels that measure one component of packings without ranks: its packings are rows in a hash table."""

from __future__ import annotations

import numpy as np

from ..loop import inner, loop
from .ranks import PIECE, STEP

MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
"""2^64 divided by the golden ratio: multiplication spreads the bits (Knuth, The Art of Computer Programming 6.4)."""


@inner
def _find(rows, slots, row):
    """Return the number of a row, or ~slot of the empty slot where it belongs."""
    code = np.uint64(0)
    for place in row:
        code = (code ^ np.uint64(place)) * MULTIPLIER
        code ^= code >> np.uint64(29)
    mask = len(slots) - 1
    slot = np.int64(code & np.uint64(mask))
    while slots[slot] >= 0:
        number = slots[slot]
        same = True
        for piece in range(len(row)):
            if rows[number, piece] != row[piece]:
                same = False
                break
        if same:
            return np.int64(number)
        slot = (slot + 1) & mask
    return ~slot


@inner
def _laid(here, segment, piece, place, row):
    """Write the packing with one piece at another place to `row`; places of like pieces stay in ascending order."""
    for index in range(len(row)):
        row[index] = here[index]
    first, last = segment[piece]
    while piece > first and row[piece - 1] > place:
        row[piece] = row[piece - 1]
        piece -= 1
    while piece < last and row[piece + 1] < place:
        row[piece] = row[piece + 1]
        piece += 1
    row[piece] = place


@inner
def _covered(tray, row):
    covered = tray.walls[0]
    for place in row:
        covered |= tray.cover[place]
    return covered


@inner
def _places(tray, place, others, queue, seen, visit):
    """Write the places that a piece reaches in one move to `queue`; return how many there are.

    seen  int64 [places], the number of the last visit of each place
    """
    metric, end = tray.flags[1], 0
    if metric != PIECE:
        for way in range(tray.go.shape[1]):
            after = tray.go[place, way]
            while after >= 0 and not tray.cover[after] & others:
                queue[end] = after
                end += 1
                if metric == STEP:
                    break
                after = tray.go[after, way]
        return end
    seen[place] = visit
    here, row = place, 0
    while True:
        for way in range(tray.go.shape[1]):
            after = tray.go[here, way]
            if after >= 0 and seen[after] != visit and not tray.cover[after] & others:
                seen[after] = visit
                queue[end] = after
                end += 1
        if row == end:
            return end
        here = queue[row]
        row += 1


@loop
def enter(rows, slots, state):
    """Put the first state[1] rows into an empty hash table."""
    for number in range(state[1]):
        slots[~_find(rows, slots, rows[number])] = number


@loop
def explore(tray, segment, rows, slots, state, work):
    """Append the packings that the rows reach; return whether there are no more.

    segment  int64 [pieces, 2]: the first and the last piece of the same kind
    rows     uint16 [most, pieces]: the place of each piece; the first state[1] rows are given
    slots    int64 [power of two]: the hash table of numbers of rows, -1 where it is empty
    state    int64 [4]: the next row to expand; how many there are; moves made; rows to expand in this call
    work     (queue int64 [places], seen int64 [places + 1], row uint16 [pieces])
    Ends with state[1] == len(rows) and False if there are more packings than rows.
    """
    queue, seen, row = work
    left = state[3]
    while state[0] < state[1] and left > 0:
        here = rows[state[0]]
        covered = _covered(tray, here)
        for piece in range(len(row)):
            seen[-1] += 1
            made = _places(tray, here[piece], covered ^ tray.cover[here[piece]], queue, seen, seen[-1])
            state[2] += made
            for index in range(made):
                _laid(here, segment, piece, queue[index], row)
                found = _find(rows, slots, row)
                if found < 0:
                    if state[1] == len(rows):
                        return False
                    for each in range(len(row)):
                        rows[state[1], each] = row[each]
                    slots[~found] = state[1]
                    state[1] += 1
        state[0] += 1
        left -= 1
    return state[0] == state[1]


@loop
def goals(tray, rows, wanted, depth):
    """Set the depth of all packings that meet a goal to 0.

    wanted  (uint8 [places], uint8 [cells]): which places, and blanks in which cells, the goal allows
    """
    allowed, blank = wanted
    for number in range(len(rows)):
        meets = True
        for place in rows[number]:
            meets = meets and allowed[place]
        covered = _covered(tray, rows[number])
        for cell in range(len(blank)):
            if not blank[cell] and not covered >> np.uint64(cell) & np.uint64(1):
                meets = False
        if meets:
            depth[number] = 0


@loop
def spread(tray, segment, rows, slots, depth, order, state, work):
    """Set the depth of all packings, from those with depth 0 on; return whether it is done.

    depth  int32 [packings], -1 where it is not known
    order  int32 [packings]: the packings by depth; the first state[1] are given
    state, work  as for `explore`; state[0] is the next entry of `order`
    """
    queue, seen, row = work
    left = state[3]
    while state[0] < state[1] and left > 0:
        number = order[state[0]]
        here = rows[number]
        covered = _covered(tray, here)
        for piece in range(len(row)):
            seen[-1] += 1
            made = _places(tray, here[piece], covered ^ tray.cover[here[piece]], queue, seen, seen[-1])
            state[2] += made
            for index in range(made):
                _laid(here, segment, piece, queue[index], row)
                child = _find(rows, slots, row)
                if depth[child] < 0:
                    depth[child] = depth[number] + 1
                    order[state[1]] = child
                    state[1] += 1
        state[0] += 1
        left -= 1
    return state[0] == state[1]
