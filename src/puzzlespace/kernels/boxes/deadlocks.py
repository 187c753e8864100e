"""Positions without a solution that a look tells: three boxes, frozen boxes; and corrals, whose pushes come first."""

import numpy as np

from ..arrays import copy
from ..loop import helper, loop
from .floor import flood


@helper
def number_of(one, two, three):
    """Return the number of a set of three live cells among all such sets."""
    low, high = min(one, two, three), np.int64(max(one, two, three))
    middle = np.int64(one) + two + three - low - high
    return low + middle * (middle - 1) // 2 + high * (high - 1) * (high - 2) // 6


@helper
def _has(bits, number, cell):
    """Return whether the bit of a player's cell is set for a set of boxes."""
    return bits[number, cell >> 6] >> np.uint64(cell & 63) & np.uint64(1)


@helper
def _note(near, taken, player, mark, stamp, queue, bits, number, boxes, stack, top):
    """Set the bits of all cells that the player can come to, and put the position on the stack."""
    _, size = flood(near, taken, player, mark, stamp, queue)
    for k in range(size):
        bits[number, queue[k] >> 6] |= np.uint64(1) << np.uint64(queue[k] & 63)
    copy(stack[top], boxes)
    stack[top, 3] = player


@loop
def solvable(near, into, live, cell_of, goals, bits, stack, work):
    """Set the bit of each player's cell for each set of three boxes that can be brought to as many goals.

    By pulls from all sets of goals: exact for these boxes alone, so a set without its bit is a deadlock among more.

    into   int16 [cells, ways, 2]: the pushes (cell of the player, of the box) that end in a cell; -1 after the last
    bits   uint64 [sets, words of cells]
    stack  int16 [depth, 4]: the cells of the boxes as live numbers, and a cell of the player
    work   (taken uint8 [cells], mark int32 [cells], other int32 [cells], queue int16 [cells], boxes int16 [3], here
           int16 [3]), all 0
    Returns False if the stack is too small.
    """
    cells = len(near)
    taken, mark, other, queue, boxes, here = work
    stamp, top = np.int64(0), np.int64(0)
    for i in range(len(goals)):
        for j in range(i):
            for k in range(j):
                boxes[0], boxes[1], boxes[2] = live[goals[i]], live[goals[j]], live[goals[k]]
                taken[goals[i]], taken[goals[j]], taken[goals[k]] = 1, 1, 1
                number = number_of(boxes[0], boxes[1], boxes[2])
                for cell in range(cells):
                    if not taken[cell] and not _has(bits, number, cell):
                        if top == len(stack):
                            return False
                        stamp += 1
                        _note(near, taken, cell, other, stamp, queue, bits, number, boxes, stack, top)
                        top += 1
                taken[goals[i]], taken[goals[j]], taken[goals[k]] = 0, 0, 0
    while top:
        top -= 1
        player = np.int64(stack[top, 3])
        copy(here, stack[top, :3])
        for k in range(3):
            taken[cell_of[here[k]]] = 1
        stamp += 1
        reached = stamp
        flood(near, taken, player, mark, reached, queue)
        for k in range(3):
            end = cell_of[here[k]]
            for each in range(into.shape[1]):
                a, b = np.int64(into[end, each, 0]), into[end, each, 1]
                if a < 0:
                    break
                if mark[b] != reached or taken[a] or live[b] < 0:
                    continue
                copy(boxes, here)
                boxes[k] = live[b]
                number = number_of(boxes[0], boxes[1], boxes[2])
                if _has(bits, number, a):
                    continue
                if top == len(stack):
                    return False
                taken[end], taken[b] = 0, 1
                stamp += 1
                _note(near, taken, a, other, stamp, queue, bits, number, boxes, stack, top)
                taken[end], taken[b] = 1, 0
                top += 1
        for k in range(3):
            taken[cell_of[here[k]]] = 0
    return True


@helper
def frozen(out, boxes, count, live, goal_at, fixed):
    """Mark the boxes that can never move again; return (whether one is not on a goal, the goals with the others).

    The greatest set of boxes of which none can be the first to move: every push of each needs a cell with another of
    them, or ends in a cell from which no box reaches a goal.

    out      int16 [cells, ways, 2]: the pushes (cell of the player, cell behind) of a box in a cell; -1 after the last
    goal_at  int16 [cells]: the number of the goal in a cell, -1 for none
    fixed    uint8 [cells], all 0 before; written
    """
    for i in range(count):
        fixed[boxes[i]] = 1
    changed = True
    while changed:
        changed = False
        for i in range(count):
            cell = boxes[i]
            if not fixed[cell]:
                continue
            for each in range(out.shape[1]):
                a, c = out[cell, each, 0], out[cell, each, 1]
                if a < 0:
                    break
                if not fixed[a] and not fixed[c] and live[c] >= 0:
                    fixed[cell] = 0
                    changed = True
                    break
    found, bits = False, np.uint64(0)
    for i in range(count):
        if fixed[boxes[i]]:
            goal = goal_at[boxes[i]]
            found |= goal < 0
            bits |= np.uint64(1) << np.uint64(goal & 63)
    return found, bits


@helper
def corral_of(near, out, taken, live, goal_at, mark, reached, label, parts, chosen, boxes, count, queue, allowed):
    """Find a corral whose boxes must be pushed first; return how many pushes are allowed, -1 without one.

    label    int32 [cells]: written: the part of each free cell out of reach, from 1; 0 for others
    chosen   uint8 [parts + 1]: work space
    allowed  uint8 [cells, ways]: written for the corral with the fewest pushes
    """
    number = np.int64(0)
    for cell in range(len(near)):
        label[cell] = 0
    for cell in range(len(near)):
        if mark[cell] == reached or taken[cell] or label[cell]:
            continue
        number += 1
        flood(near, taken, np.int64(cell), label, number, queue)
    fewest, best = 1 << 30, np.int64(-1)
    for first in range(1, number + 1):
        pushes = _closed(
            first, number, near, out, taken, live, goal_at, mark, reached, label, chosen, boxes, count, parts
        )
        if 0 <= pushes < fewest:
            fewest, best = pushes, first
    if best < 0:
        return -1
    _closed(best, number, near, out, taken, live, goal_at, mark, reached, label, chosen, boxes, count, parts)
    for i in range(count):
        cell = boxes[i]
        for each in range(out.shape[1]):
            a, c = out[cell, each, 0], out[cell, each, 1]
            if a < 0:
                break
            inward = parts[cell] and label[c] > 0 and chosen[label[c]]
            allowed[cell, each] = inward and mark[a] == reached
    return fewest


@helper
def _closed(first, number, near, out, taken, live, goal_at, mark, reached, label, chosen, boxes, count, rim):
    """Grow a part until the boxes beside it can only be pushed inwards; return the number of these pushes, or -1.

    first   the part to grow, of `number` parts
    chosen  uint8 [parts + 1]: written: whether a part is taken in
    rim     uint8 [cells]: written: whether a cell has a box beside the chosen parts
    -1 is returned too if the parts need no push: all boxes beside them on goals, and no goal free in them.
    """
    for k in range(number + 1):
        chosen[k] = 0
    chosen[first] = 1
    while True:
        unsolved = False
        for i in range(count):
            cell = boxes[i]
            rim[cell] = 0
            for k in range(near.shape[1]):
                other = near[cell, k]
                if other < 0:
                    break
                if label[other] > 0 and chosen[label[other]]:
                    rim[cell] = 1
                    break
            if rim[cell] and goal_at[cell] < 0:
                unsolved = True
        grown, pushes = False, 0
        for i in range(count):
            cell = boxes[i]
            if not rim[cell]:
                continue
            for each in range(out.shape[1]):
                a, c = out[cell, each, 0], out[cell, each, 1]
                if a < 0:
                    break
                if live[c] < 0 or (taken[a] and rim[a]) or (taken[c] and rim[c]):
                    continue
                if label[a] > 0 and chosen[label[a]]:
                    continue
                inward = label[c] > 0 and chosen[label[c]]
                if inward and mark[a] == reached:
                    pushes += 1
                    continue
                # not known to be impossible: take in the part that it needs, or give up
                if label[a] > 0:
                    chosen[label[a]] = 1
                    grown = True
                elif not inward and label[c] > 0:
                    chosen[label[c]] = 1
                    grown = True
                else:
                    return -1
            if grown:
                break
        if not grown:
            break
    if not unsolved:
        for cell in range(len(near)):
            if goal_at[cell] >= 0 and label[cell] > 0 and chosen[label[cell]]:
                unsolved = True
                break
    return pushes if unsolved else -1


@helper
def deadlocked(box, player, boxes, count, live, triples):
    """Return whether the box with two others cannot be brought to goals."""
    one = np.uint64(1)
    word, shift = player >> 6, np.uint64(player & 63)
    for i in range(count):
        for j in range(i):
            if boxes[i] == box or boxes[j] == box:
                continue
            if not triples[number_of(live[box], live[boxes[i]], live[boxes[j]]), word] >> shift & one:
                return True
    return False
