"""Classes of positions: those of one length are expanded in turn from each class, so that no dead end holds the search.

All positions of smaller lengths are done then, so any order is right.
"""

import numpy as np

from ..loop import helper, loop
from .floor import FAR, box_distances, flood, parts_without, set_all

REGIONS = 8
"""So many regions of the player, or more, make one class."""


def order_work(cells, parts, goals):
    """Return the work space of `class_of`, all 0."""
    walls, mark, queue = np.zeros(cells, np.uint8), np.zeros(cells, np.int32), np.zeros(cells, np.int16)
    part, dist = np.zeros((cells, cells), np.int8), np.zeros((cells, parts, goals), np.int16)
    return walls, mark, queue, part, dist, np.zeros((cells * parts, 2), np.int16), np.zeros((0, 0), np.int16)


@loop
def class_of(boxes, count, latest, mark, stamp, level, taken, goal_at, ways_in, work):
    """Return the class of a position: boxes on goals, regions of the player, and whether these boxes shut others out.

    Others are shut out if a box can come to no goal, or no box to some free goal, while no box on a goal moves. The box
    that was pushed last may be on its way, so it counts as on no goal.

    boxes    `count` cells
    latest   the box that was pushed last
    mark     int32 [cells]: `stamp` for the cells that the player can come to
    level    (near, into, goals)
    taken    uint8 [cells]: 1 at least for the boxes; 0 for all cells without a box afterwards
    ways_in  see `_row_of`; empty if nobody is shut out
    """
    near, _, goals = level
    bits, done, regions = np.uint64(0), 0, 0
    set_all(boxes, count, taken, 1)
    for cell in range(len(near)):
        if not taken[cell] and mark[cell] != stamp:
            regions += 1
            flood(near, taken, cell, mark, stamp, work[2])
    set_all(boxes, count, taken, 0)
    for i in range(count):
        if goal_at[boxes[i]] >= 0 and i != latest:
            bits |= np.uint64(1) << np.uint64(goal_at[boxes[i]] & 63)
            done += 1
    shut = False
    if len(ways_in[0]):
        ways = ways_in[1][_row_of(bits, level, ways_in, work)]
        reached = bits
        for i in range(count):
            if goal_at[boxes[i]] < 0 or i == latest:
                reached |= ways[boxes[i]]
                shut |= ways[boxes[i]] == 0
        shut |= reached != ~np.uint64(0) >> np.uint64(64 - len(goals))
    return REGIONS * (done + (count + 1) * shut) + min(regions, REGIONS - 1)


@helper
def _row_of(bits, level, ways_in, work):
    """Return the row of `ways_in` for boxes on some goals; it is computed unless it was the last one of its place.

    bits     the goals, at most 64, whose boxes are walls
    ways_in  (bits + 1 uint64 [rows], ways uint64 [rows, cells]): the goals that another box in each cell can come to
    """
    near, into, goals = level
    walls, mark, queue, part, dist, pulls, none = work
    known, ways = ways_in
    one = np.uint64(1)
    at = np.int64(bits * np.uint64(0x9E3779B97F4A7C15) >> np.uint64(20)) & (len(known) - 1)
    if known[at] == bits + one:
        return at
    known[at] = bits + one
    for goal in range(len(goals)):
        walls[goals[goal]] = bits >> np.uint64(goal) & one
    parts_without(near, walls, part, mark, queue)
    box_distances(into, none, walls, part, goals, dist, pulls)
    for cell in range(len(near)):
        ways[at, cell] = 0
        for goal in range(len(goals)):
            if not walls[cell] and not walls[goals[goal]]:
                for region in range(dist.shape[1]):
                    if dist[cell, region, goal] < FAR:
                        ways[at, cell] |= one << np.uint64(goal)
                        break
    set_all(goals, len(goals), walls, 0)
    return at
