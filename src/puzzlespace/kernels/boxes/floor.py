"""Where a player can walk, and how far one box alone is from a goal."""

import numpy as np

from ..arrays import copy
from ..loop import helper, loop

FAR = 20_000
"""A distance or a sum of distances from here on means: never."""


@loop
def flood(near, taken, first, mark, stamp, queue):
    """Mark the free cells connected with `first` by `stamp`; return (the least of them, how many)."""
    mark[first] = stamp
    queue[0] = first
    count, at, least = 1, 0, first
    while at < count:
        cell = queue[at]
        at += 1
        for k in range(near.shape[1]):
            other = near[cell, k]
            if other < 0:
                break
            if mark[other] != stamp and not taken[other]:
                mark[other] = stamp
                queue[count] = other
                count += 1
                if other < least:
                    least = other
    return least, count


@helper
def boxes_of(key, cell_of, boxes):
    """Write the cells of the boxes of a position; return how many."""
    count = 0
    for w in range(len(key)):
        for bit in range(64):
            if key[w] >> np.uint64(bit) & np.uint64(1):
                boxes[count] = cell_of[64 * w + bit]
                count += 1
    return count


@helper
def set_all(cells, count, marks, value):
    """Write a value for each of `count` cells."""
    for i in range(count):
        marks[cells[i]] = value


@helper
def exchanged(key, one, other, moved):
    """Write a position with a box in one live cell instead of another one."""
    copy(moved, key)
    moved[one >> 6] ^= np.uint64(1) << np.uint64(one & 63)
    moved[other >> 6] ^= np.uint64(1) << np.uint64(other & 63)


@loop
def parts_without(near, walls, part, mark, queue):
    """Write for each cell the part of each other cell if the cell is taken out.

    The parts beside the cell are numbered from 0; near.shape[1] - 1 stands for all other cells and the cell itself.

    walls  uint8 [cells]: cells that nobody enters; the same afterwards
    part   int8 [cells, cells]
    """
    cells, ways = len(near), near.shape[1]
    for out in range(cells):
        part[out, :] = ways - 1
        if walls[out]:
            continue
        walls[out] = 1
        mark[:] = 0
        count = 0
        for k in range(ways):
            cell = near[out, k]
            if cell < 0:
                break
            if not walls[cell] and not mark[cell]:
                _, size = flood(near, walls, np.int64(cell), mark, np.int64(1), queue)
                for at in range(size):
                    part[out, queue[at]] = count
                count += 1
        walls[out] = 0


@loop
def box_distances(into, before, walls, part, goals, dist, queue):
    """Write dist[cell, part of the player, goal]: the pushes or runs that bring a lone box there; FAR if never.

    into    int16 [cells, ways, 2]: the pushes (cell of the player, of the box) that end in a cell; -1 after the last
    before  int16 [cells, ways]: the way in the box's cell of the push that this one may follow at no cost, -1 for none;
            without rows every push counts
    walls   uint8 [cells]: cells that nobody enters; a goal among them has a box that never moves
    """
    dist[:] = FAR
    for goal in range(len(goals)):
        count, at = 0, 0
        for p in range(dist.shape[1]):
            dist[goals[goal], p, goal] = 0
            if not walls[goals[goal]]:
                queue[count, 0], queue[count, 1] = goals[goal], p
                count += 1
        while at < count:
            end, p = queue[at, 0], queue[at, 1]
            at += 1
            for each in range(into.shape[1]):
                if into[end, each, 0] < 0:
                    break
                cell, way = end, np.int64(each)
                if part[end, into[end, each, 1]] != p:
                    continue
                while way >= 0:
                    a, b = into[cell, way, 0], into[cell, way, 1]
                    if walls[a] or walls[b]:
                        break
                    q = part[b, a]
                    if dist[b, q, goal] == FAR:
                        dist[b, q, goal] = dist[end, p, goal] + 1
                        queue[count, 0], queue[count, 1] = b, q
                        count += 1
                    way = np.int64(before[cell, way]) if len(before) else -1
                    cell = b
