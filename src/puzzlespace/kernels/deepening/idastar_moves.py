"""Depth-first search below a bound for any rules that move pieces into blanks, in any metric.

The children of a position are stored in the rows after it: all positions one move away, each once, in the order of
the bits that the move changes. Four kinds are pruned: children too far from every goal; the previous position; a move
that could as well precede the last one, because the two read different cells, and that comes before it in the order;
and positions that this round has visited with as few moves (`transpositions`). The first of all shortest solutions in
that order is never pruned: if it were, there would be one of the same length before it.

plan, rows   see `idastar_bounds`
place   (frames, table, out): frames int64 [depth, 4]: next row to try, last row + 1, the row being tried, whether some
        row leads to a goal; table see `transpositions`; out uint64 [n, words + 1]: depth and position of each position
        on a solution
state   see `transpositions`; then the end of the rows, whether the row's children are still to be generated, rows of
        `out` in use, whether all solutions are wanted
"""

from __future__ import annotations

import numpy as np

from ..bits import lowest
from ..loop import helper, loop
from ..packed.expand_wide import childw
from .idastar_bounds import BOUND, FREE, RULES, THEN, bound_of, carry, is_goal
from .state import BUDGET, DEPTH, ENDED, EXPANDED, FOUND, GENERATED, LEAST, PAUSED
from .transpositions import GOOD, NEW, SHIFT, confirm, visit

CRAMPED = 3
"""What `deepen` returns if it needs more rows."""

END, AGAIN, OUT, EVERY = SHIFT + 1, SHIFT + 2, SHIFT + 3, SHIFT + 4
NEXT, LAST, ROW, SOLVED = 0, 1, 2, 3


@helper
def equal(keys, a, b):
    """Return whether two rows are the same position."""
    differs = False
    for word in range(keys.shape[1] // 2):
        differs = differs or keys[a, word] != keys[b, word]
    return not differs


@helper
def before(keys, a, b, c, d):
    """Return whether what differs between rows a and b comes before what differs between rows c and d."""
    first, second = np.uint64(0), np.uint64(0)
    for word in range(keys.shape[1] // 2):
        first, second = keys[a, word] ^ keys[b, word], keys[c, word] ^ keys[d, word]
        if first != second:
            break
    return first < second


@helper
def step(plan, rows, at, source, begin, state):
    """Add the child by the rule recorded at `at`, unless it is listed already; return whether there was room."""
    keys, sums = rows
    end = state[END]
    if end == len(keys):
        return False
    if not childw(plan[0], at, keys, source, keys, end):
        return True
    then = np.int64(plan[0][at + 1])
    for other in range(begin, end):
        if equal(keys, other, end) and (then == 0 or sums[other, THEN] == then):
            return True
    rule = plan[1][plan[1][RULES] + at]
    carry(plan, rows, source, end, rule)
    sums[end, THEN] = then
    words = keys.shape[1] // 2
    for word in range(words):
        keys[end, words + word] = plan[0][plan[1][rule + 2] + word]
        if source >= begin:
            keys[end, words + word] |= keys[source, words + word]
    state[END] = end + 1
    return True


@helper
def attempt(plan, rows, slot, row, begin, state):
    """Add the children by the rules whose records begin at code[slot]; return whether there was room."""
    code = plan[0]
    at, end = np.int64(code[slot]), np.int64(code[slot + 1])
    while at < end:
        if not step(plan, rows, at, row, begin, state):
            return False
        at = np.int64(code[at])
    return True


@helper
def first_steps(plan, rows, row, begin, state):
    """Add the children that one rule leads to; return whether there was room."""
    code, keys = plan[0], rows[0]
    width, words = np.int64(code[0]), np.int64(code[2])
    triggers = np.int64(code[1]) * words
    slots = 3 + triggers + words
    fits = attempt(plan, rows, slots + triggers * 64, row, begin, state)
    for index in range(triggers):
        word = index % words
        differs = keys[row, word] ^ code[3 + index]
        folded = differs
        for shift in range(1, width):
            folded |= differs >> np.uint64(shift)
        here = ~folded & code[3 + triggers + word]
        while here and fits:
            fits = attempt(plan, rows, slots + index * 64 + lowest(here), row, begin, state)
            here &= here - np.uint64(1)
    return fits


@helper
def children(plan, rows, row, begin, state):
    """Write all positions one move away from a row to rows begin … state[END] - 1; return whether there was room."""
    code, sums = plan[0], rows[1]
    state[END] = begin
    if not first_steps(plan, rows, row, begin, state):
        return False
    source = begin
    while source < state[END]:
        listed = sums[source, THEN]
        if listed:
            for index in range(listed + 1, listed + 1 + np.int64(code[listed])):
                if not step(plan, rows, np.int64(code[index]), source, begin, state):
                    return False
        source += 1
    state[EXPANDED] += 1
    state[GENERATED] += state[END] - begin
    state[BUDGET] -= state[END] - begin
    return True


@helper
def listed(keys, child, first, last):
    """Return whether a row is the same position as one of the rows from `first` to before `last`."""
    other = first
    while other < last and not equal(keys, other, child):
        other += 1
    return other < last


@helper
def idle(plan, rows, child, frames, frame, state):
    """Return whether a child is redundant: no move, listed before, one move from the last row too, or out of order."""
    keys, sums = rows
    row, begin = frames[frame, ROW], frames[frame, LAST]
    if (sums[child, THEN] and listed(keys, child, begin, child)) or equal(keys, child, row):
        return True
    if frame == 0:
        return False
    last = frames[frame - 1, ROW]
    if equal(keys, child, last) or (plan[1][FREE] and listed(keys, child, frames[frame - 1, LAST], begin)):
        return True
    if state[EVERY] or not before(keys, child, row, row, last):
        return False
    common = np.uint64(0)
    for word in range(keys.shape[1] // 2, keys.shape[1]):
        common |= keys[child, word] & keys[row, word]
    return common == 0


@helper
def exchange(rows, a, b):
    """Exchange two rows."""
    keys, sums = rows
    for word in range(keys.shape[1]):
        keys[a, word], keys[b, word] = keys[b, word], keys[a, word]
    for column in range(sums.shape[1]):
        sums[a, column], sums[b, column] = sums[b, column], sums[a, column]


@helper
def settle(plan, rows, frames, frame, state, bound):
    """Keep the children that are not pruned, in order, as the rows of the next frame."""
    keys, sums = rows
    row, begin = frames[frame, ROW], frames[frame, LAST]
    kept = begin
    for child in range(begin, state[END]):
        if idle(plan, rows, child, frames, frame, state):
            continue
        sums[child, BOUND] = bound_of(plan, rows, child)
        over = frame + 1 + sums[child, BOUND] - bound
        if over > 0:
            state[LEAST] = min(state[LEAST], over)
            continue
        at = kept
        if child != kept:
            exchange(rows, child, kept)
        while at > begin and before(keys, at, row, at - 1, row):
            exchange(rows, at, at - 1)
            at -= 1
        kept += 1
    frames[frame + 1, NEXT], frames[frame + 1, LAST], frames[frame + 1, SOLVED] = begin, kept, 0


@helper
def keep(place, keys, frame, state):
    """Record that the row being tried in a frame lies on a solution."""
    frames, table, out = place
    row = frames[frame, ROW]
    frames[frame, SOLVED] = 1
    confirm(table, keys, row, frame, state)
    out[state[OUT], 0] = np.uint64(frame)
    for word in range(keys.shape[1] // 2):
        out[state[OUT], 1 + word] = keys[row, word]
    state[OUT] += 1


@helper
def arrive(plan, rows, place, frame, state, bound):
    """Visit the row being tried in a frame; return whether its children are to be generated, or FOUND."""
    frames, table = place[0], place[1]
    keys, row = rows[0], frames[frame, ROW]
    said = visit(table, keys, row, frame, state)
    if said == GOOD:
        frames[frame, SOLVED] = 1
    if said != NEW:
        return 0
    if rows[1][row, BOUND] == 0 and is_goal(plan, keys, row):
        if not state[EVERY]:
            return FOUND
        keep(place, keys, frame, state)
        return 0
    if frame == bound:
        state[LEAST] = min(state[LEAST], 1)
        return 0
    return 1


@loop
def deepen(plan, rows, place, state, bound):
    """Continue the search; return PAUSED, ENDED, CRAMPED, or FOUND: `frames` are a solution."""
    frames, out = place[0], place[2]
    frame = state[DEPTH]
    while state[BUDGET] > 0 and state[OUT] + 1 < len(out):
        if state[AGAIN] == 0 and frames[frame, NEXT] == frames[frame, LAST]:
            if frame == 0:
                return ENDED
            frame -= 1
            if frames[frame + 1, SOLVED]:
                keep(place, rows[0], frame, state)
            continue
        if state[AGAIN] == 0:
            frames[frame, ROW] = frames[frame, NEXT]
            frames[frame, NEXT] += 1
            said = arrive(plan, rows, place, frame, state, bound)
            if said == FOUND:
                state[DEPTH] = frame
                return FOUND
            state[BUDGET] -= 1
            if said == 0:
                continue
        state[AGAIN] = 0
        if not children(plan, rows, frames[frame, ROW], frames[frame, LAST], state):
            state[DEPTH], state[AGAIN] = frame, 1
            return CRAMPED
        settle(plan, rows, frames, frame, state, bound)
        frame += 1
    state[DEPTH] = frame
    return PAUSED
