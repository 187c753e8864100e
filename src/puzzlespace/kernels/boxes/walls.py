"""Tables of distances for each set of frozen boxes, which are walls for the others."""

import numpy as np

from ..loop import helper, loop
from .deadlocks import frozen
from .floor import FAR, box_distances, parts_without
from .pairs import make_pairs


@loop
def walled(bits, fixed, level, tables, work):
    """Return the number of the table of distances with frozen boxes as walls; 0, without walls, if there is no room.

    bits    the goals with these boxes
    fixed   uint8 [cells]: whether a cell has one of them
    level   (near, into, goals)
    tables  (bits uint64 [tables], slots int32, part int8 [tables, cells, cells], dist int16 [tables, cells, parts,
            goals], live int16 [tables, cells], where int64 [tables, 4], (label int8, first int32, excess uint8),
            size int64 [4], rank int16 [tables, goals]).
            `live` numbers the cells from which some goal can be reached, -1 for others. `where` has the first places
            in the pools: for each set of two live cells the region of each cell, the number of its first region, and
            the excesses of each region; -1 without them; and the number of goals
    work    see `make_pairs`
    """
    near, into, goals = level
    known, slots, part, dist, live, where, _, size, _ = tables
    last = np.uint64(len(slots) - 1)
    at = (bits * np.uint64(0x9E3779B97F4A7C15) >> np.uint64(20)) & last
    while slots[at] >= 0:
        if known[slots[at]] == bits:
            return np.int64(slots[at])
        at = (at + np.uint64(1)) & last
    if size[0] == len(known):
        return 0
    number = size[0]
    size[0] += 1
    slots[at] = number
    known[number] = bits
    mark, queue, _, pulls, none = work[6]
    parts_without(near, fixed, part[number], mark, queue)
    box_distances(into, none, fixed, part[number], goals, dist[number], pulls)
    for cell in range(len(near)):
        live[number, cell] = -1
        for p in range(dist.shape[2]):
            for goal in range(len(goals)):
                if dist[number, cell, p, goal] < FAR and not fixed[cell]:
                    live[number, cell] = 0
    for k in range(4):
        where[number, k] = -1
    make_pairs(number, level, fixed, tables, work)
    return number


@helper
def walls_of(table, boxes, count, out, goal_at, fixed, level, tables, work):
    """Return the number of the table with all frozen boxes as walls, -1 if one is not on a goal.

    table  the table of a position before: what is frozen there is frozen here
    fixed  uint8 [cells], all 0 before and after
    If there is no room for the table, it is one with fewer walls.
    """
    live = tables[4]
    while True:
        found, bits = frozen(out, boxes, count, live[table], goal_at, fixed)
        following = table
        if not found and bits and len(level[2]) <= 64:
            following = walled(bits, fixed, level, tables, work)
        for i in range(count):
            fixed[boxes[i]] = 0
        if found:
            return -1
        if following in (0, table):
            return table
        table = following


@helper
def costs_of(table, player, boxes, count, tables, cost):
    """Write the distances of each box to each goal."""
    part, dist = tables[2], tables[3]
    for i in range(count):
        p = part[table, boxes[i], player]
        for j in range(dist.shape[3]):
            cost[i, j] = dist[table, boxes[i], p, j]
