"""Best-first search (A*) on positions written in digits, by length: all positions that may lie on a solution of it.

Two bits for each position: 0 if it is not expanded, else its distance from the start mod 3, plus 1. The bound never
falls by more than a move makes up for, so a position whose distance plus bound is the length has its least distance
when it is first generated (P. Hart, N. Nilsson and B. Raphael, 1968), and it is marked at once. Positions of greater
sums wait, unmarked, in the list of their length; some wait several times.
"""

import numpy as np

from .bits import lowest
from .loop import kernel

HERE, NEXT, LAST, LENGTH, GENERATED, FOUND, EXPANDED = range(7)
"""Fields of the state: positions in the three lists, the length, positions generated, whether a goal was generated,
and positions expanded."""

U1 = np.uint64(1)


@kernel
def mark_of(marks, number):
    """Return the two bits of a position."""
    return np.int64(marks[number >> 2]) >> 2 * (number & 3) & 3


@kernel
def bound(tables, cut, number):
    """Return the sum of the distances of the first and of the last digits."""
    first, last = tables
    return np.int64(first[number % cut]) + np.int64(last[number // cut])


@kernel
def admit(waiting, count, marks, tables, cut, length):
    """Mark waiting positions that are not marked yet, and keep only these at the front of the list; return how many."""
    kept = 0
    for index in range(count):
        number = np.int64(waiting[index])
        if mark_of(marks, number) == 0:
            depth = length - bound(tables, cut, number)
            marks[number >> 2] |= np.uint8((depth % 3 + 1) << 2 * (number & 3))
            waiting[kept] = number
            kept += 1
    return kept


@kernel
def expand(lists, marks, steps, tables, cut, goals, state, stride, every):
    """Expand positions until the first list is empty, a list may overflow, or about `stride` are generated.

    lists   marked positions of the length, and those of the next two lengths, unmarked
    steps   (lower, upper, far, first): step s is possible if bit s is set in lower[number % len(lower)] and in
            upper[number // len(lower)]; it adds far[s], to one of the first digits if first[s]
    tables  the distances of the first digits, number % cut, and of the last ones, number // cut
    goals   numbers of the goals
    every   whether to go on after a goal
    """
    here, following, later = lists
    lower, upper, far, first = steps
    near, remote = tables
    length, size, groups, room = state[LENGTH], len(lower), lower.shape[1], len(far)
    most = state[GENERATED] + stride
    while state[HERE] and state[GENERATED] < most:
        if len(here) - state[HERE] < room or len(following) - state[NEXT] < room or len(later) - state[LAST] < room:
            return
        state[HERE] -= 1
        state[EXPANDED] += 1
        number = np.int64(here[state[HERE]])
        one, two = np.int64(near[number % cut]), np.int64(remote[number // cut])
        depth = length - one - two + 1
        low, high = number % size, number // size
        for group in range(groups):
            left = lower[low, group] & upper[high, group]
            while left:
                step = group * 64 + lowest(left)
                left &= left - U1
                state[GENERATED] += 1
                child = number + far[step]
                if mark_of(marks, child):
                    continue
                rest = np.int64(near[child % cut]) + two if first[step] else one + np.int64(remote[child // cut])
                more = depth + rest - length
                if more == 1:
                    following[state[NEXT]] = child
                    state[NEXT] += 1
                elif more == 2:
                    later[state[LAST]] = child
                    state[LAST] += 1
                else:
                    marks[child >> 2] |= np.uint8((depth % 3 + 1) << 2 * (child & 3))
                    here[state[HERE]] = child
                    state[HERE] += 1
                    if rest == 0:
                        for goal in goals:
                            if goal == child:
                                state[FOUND] = 1
                                if not every:
                                    return


@kernel
def before(numbers, marks, steps, rest, out):
    """Write the marked positions one step from some others whose distance is `rest` mod 3 to `out`; return how many."""
    lower, upper, far, _ = steps
    size, count = len(lower), 0
    for index in range(len(numbers)):
        number = np.int64(numbers[index])
        for group in range(lower.shape[1]):
            left = lower[number % size, group] & upper[number // size, group]
            while left:
                step = group * 64 + lowest(left)
                left &= left - U1
                child = number + far[step]
                if mark_of(marks, child) == rest + 1:
                    out[count] = child
                    count += 1
    return count
