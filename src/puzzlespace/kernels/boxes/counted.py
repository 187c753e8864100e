"""Best-first search (A*) of pushed boxes in the metrics `push`, `move` and `run`, with boxes of one or more kinds."""

import numpy as np

from ..arrays import copy
from ..loop import helper, loop
from .deadlocks import deadlocked
from .floor import FAR, box_distances, boxes_of, exchanged, flood, set_all
from .matching import matched, rest_after
from .nodes import ENTRIES, FULL, GENERATED, NODES, STATUS, WORKED, next_node, put_off, slot_of
from .pairs import excess_of, places_of
from .walls import walls_of

PUSH, MOVE, RUN = range(3)
"""What is counted: pushes, steps of the player, or pushes of one box on in one line as one."""


@helper
def _runs_of(table, tables, into, before, goals, runs, made, walls, queue):
    """Write the distances in runs of a table of `walled`, unless they are there."""
    if made[table]:
        return
    made[table] = 1
    for goal in range(len(goals)):
        walls[goals[goal]] = tables[0][table] >> np.uint64(goal & 63) & np.uint64(1)
    box_distances(into, before, walls, tables[2][table], goals, runs[table], queue)
    set_all(goals, len(goals), walls, 0)


@helper
def _cost_row(cell, kind, player, part, dist, column_kinds, row):
    """Write the distances of a box to each goal of its kind; a goal that is missing costs nothing."""
    p = part[cell, player]
    for j in range(len(column_kinds)):
        row[j] = FAR
        if column_kinds[j] == kind:
            row[j] = dist[cell, p, j] if j < dist.shape[2] else 0


@helper
def _walks(near, taken, first, mark, stamp, far, queue):
    """Mark the cells that the player can walk to, as `flood` does, and write how many steps that takes."""
    mark[first], far[first] = stamp, 0
    queue[0] = first
    count, at = 1, 0
    while at < count:
        cell = queue[at]
        at += 1
        for k in range(near.shape[1]):
            other = near[cell, k]
            if other < 0:
                break
            if mark[other] != stamp and not taken[other]:
                mark[other], far[other] = stamp, far[cell] + 1
                queue[count] = other
                count += 1


@loop
def walking(player, boxes, count, axes, totals, ends):
    """Return the least number of steps without a push: along each axis, what the pushes do not explain.

    axes    int16 [axes, cells]: a coordinate of each cell
    totals  int64 [axes]: the sums of the coordinates of the goals
    ends    int16 [n]: the cells in which the player can be after the last push
    """
    if len(axes) == 0 or len(ends) == 0:
        return 0
    best = FAR
    for end in ends:
        steps = 0
        for axis in range(len(axes)):
            left = np.int64(axes[axis, end]) - axes[axis, player] - totals[axis]
            for i in range(count):
                left += axes[axis, boxes[i]]
            steps += abs(left)
        best = min(best, steps)
    return best


def counted_work(cells, parts, count, words):
    """Return the work space of `search_counted`, all 0: for cells, for positions, for matchings."""
    size = count + 1
    of_cells = (
        *np.zeros((3, cells), np.uint8), *np.zeros((3, cells), np.int32), np.zeros(cells, np.int16),
        np.zeros((cells * parts, 2), np.int16),
    )  # fmt: skip
    of_positions = *np.zeros((2, count), np.int16), np.zeros(words, np.uint64)
    of_matchings = (
        *np.zeros((2, size, count), np.int32), np.zeros(count, np.int32), np.zeros((count, count), np.int64),
        tuple(np.zeros((3, size), np.int32)), tuple(np.zeros((3, size), np.int32)),
        (*np.zeros((2, size), np.int32), np.zeros(size, np.bool_)),
        (np.zeros((count * count, 2), np.int16), np.zeros(count * count, np.int32)), np.zeros(size, np.int64),
    )  # fmt: skip
    return of_cells, of_positions, of_matchings


@loop
def search_counted(
    counts, level, lines, ground, tables, work, triples, nodes, lists, slots, state, scratch, kinds, whole, every,
    stride,
):  # fmt: skip
    """Expand nodes in the order of their length; set state[STATUS].

    Return when about `stride` positions are generated.

    counts   PUSH, MOVE or RUN. In the metric `move` the player of a node is in the cell where the last push left it,
             else in the least cell of its region
    level    (near, out, into, goals, goal_at, live, cell_of): as for `search`; cell_of has a stretch for each kind
    lines    (onward int16 [cells, ways]: the way in the cell behind of the push that may follow at no cost; before: see
             `box_distances`; runs int16 [tables, cells, parts, goals]; made uint8 [tables])
    ground   (axes, totals, ends): see `walking`
    tables   the distances with frozen boxes as walls, see `walled`
    nodes    (keys uint64 [n, words], players int16 [n], depths int32 [n], rests int16 [n])
    lists    see `nodes`; all are of one class
    scratch  see `counted_work`
    kinds    (the kind of each box in the order of the key, the kind of each column: of each goal, then of the boxes
             without one)
    whole    whether every box must come to a goal
    every    whether all nodes on shortest solutions are to be expanded
    """
    near, out, into, goals, goal_at, live, cell_of = level
    onward, before, runs, made = lines
    axes, totals, ends = ground
    box_kinds, column_kinds = kinds
    part, alive = tables[2], tables[4]
    dist = runs if counts == RUN else tables[3]
    keys, players, depths, rests = nodes
    cells, ways, count = len(near), out.shape[1], len(box_kinds)
    stretch = 64 * (keys.shape[1] // (1 + box_kinds[count - 1]))
    paired = counts != RUN and box_kinds[count - 1] == 0
    short = (near, into, goals)
    of_cells, of_positions, of_matchings = scratch
    taken, fixed, none, mark, far, second, queue, pulls = of_cells
    boxes, moved, key = of_positions
    cost, cost_after, row, places, matching, other, (steps, least, used), (listed, weights), goal_of = of_matchings
    stamp, until = np.int64(0), state[GENERATED] + stride
    room = count * ways * (cells if counts == RUN else 1)
    while state[GENERATED] < until:
        full = len(keys) - state[NODES] < room or len(lists[0][0]) - state[ENTRIES] < room
        if full or 2 * (state[NODES] + room) > len(slots):
            state[STATUS] = FULL
            return
        node = next_node(nodes, lists, state, every)
        if node < 0:
            return
        boxes_of(keys[node], cell_of, boxes)
        table = walls_of(np.int64(0), boxes, count, out, goal_at, fixed, short, tables, work) if whole else 0
        if table < 0:
            continue
        if counts == RUN:
            _runs_of(table, tables, into, before, goals, runs, made, fixed, pulls)
        set_all(boxes, count, taken, 1)
        stamp += 1
        _walks(near, taken, np.int64(players[node]), mark, stamp, far, queue)
        for i in range(count):
            _cost_row(boxes[i], box_kinds[i], np.int64(players[node]), part[table], dist[table], column_kinds, cost[i])
        matched(cost, count, matching[0], matching[1], matching[2], steps, least, used)
        copy(moved, boxes)
        for i in range(count):
            box = np.int64(boxes[i])
            first = stretch * box_kinds[i]
            taken[box] = 0
            for each in range(ways):
                if out[box, each, 0] < 0:
                    break
                if mark[out[box, each, 0]] != stamp or (whole and alive[table, box] < 0):
                    continue
                depth = depths[node] + 1
                if counts == MOVE:
                    depth += far[out[box, each, 0]]
                here, way = box, np.int64(each)
                while way >= 0:
                    stand, here, way = here, np.int64(out[here, way, 1]), np.int64(onward[here, way])
                    if taken[here] or (whole and alive[table, here] < 0):
                        break
                    if counts != RUN:
                        way = np.int64(-1)
                    state[GENERATED] += 1
                    player = stand
                    if counts != MOVE:
                        taken[here] = 1
                        player, _ = flood(near, taken, stand, second, state[GENERATED] & 0x3FFFFFFF, queue)
                        taken[here] = 0
                    exchanged(keys[node], first + live[box], first + live[here], key)
                    at = slot_of(key, player, keys, players, slots)
                    child = np.int64(slots[at])
                    if child >= 0:
                        if depths[child] > depth:
                            depths[child] = depth
                            put_off(child, depth, rests[child], 0, lists, state)
                        continue
                    moved[i] = here
                    if len(triples) and deadlocked(here, stand, moved, count, live, triples):
                        break
                    after = table
                    if whole:
                        after = walls_of(table, moved, count, out, goal_at, fixed, short, tables, work)
                        if after < 0:
                            break
                        if counts == RUN:
                            _runs_of(after, tables, into, before, goals, runs, made, fixed, pulls)
                    if after == table:
                        _cost_row(moved[i], box_kinds[i], stand, part[after], dist[after], column_kinds, row)
                        rest = rest_after(i, row, cost, count, matching, other, steps, least, used)
                    else:
                        for j in range(count):
                            _cost_row(
                                moved[j], box_kinds[j], stand, part[after], dist[after], column_kinds, cost_after[j]
                            )
                        rest = matched(cost_after, count, other[0], other[1], other[2], steps, least, used)
                    if rest < FAR and paired:
                        for j in range(count):
                            places_of(j, stand, moved, count, after, tables, places[j])
                        rest += excess_of(
                            moved, stand, count, after, tables, places, other, goal_of, listed, weights, used, none, 0
                        )
                    if rest < FAR and counts == MOVE:
                        rest += walking(stand, moved, count, axes, totals, ends)
                    rest = min(rest, FAR)
                    child = state[NODES]
                    state[NODES] += 1
                    slots[at] = child
                    copy(keys[child], key)
                    players[child] = player
                    depths[child], rests[child] = depth, rest
                    put_off(child, depth, rest, 0, lists, state)
                    if rest == FAR:
                        break
            moved[i] = box
            taken[box] = 1
        set_all(boxes, count, taken, 0)
    state[STATUS] = WORKED
