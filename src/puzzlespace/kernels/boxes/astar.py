"""Best-first search (A*) of positions of pushed boxes, and the way back through them."""

import numpy as np
from numba import njit

from .deadlocks import corral_of, deadlocked
from .floor import FAR, boxes_of, exchanged, flood, set_all
from .matching import matched, rest_after
from .nodes import ENTRIES, FULL, GENERATED, NODES, STATUS, WORKED, next_node, put_off, slot_of
from .pairs import excess_of, places_of
from .passages import excess_around
from .walls import costs_of, walls_of


@njit(cache=True, nogil=True)
def search(
    level, tables, work, triples, gathered, nodes, lasts, entries, slots, heads, state, count, whole, every, stride
):  # fmt: skip
    """Expand nodes in the order of their length; set state[STATUS].

    Return when about `stride` positions are generated, or a table is made.

    level    (near, out, into, goals, goal_at, live, cell_of)
    tables   the distances with frozen boxes as walls, see `walled`
    work     see `make_pairs`
    triples  the sets of three boxes that can be brought to goals, see `solvable`; or empty
    gathered  see `excess_around`
    nodes    (keys uint64 [n, words], players int16 [n], depths int16 [n], rests int16 [n])
    lasts    int16 [n]: the cell of the box that was pushed last: its pushes are tried first
    entries  (node int32 [m], depth int16 [m], next int32 [m]): the lists of nodes that wait, one for each length
    heads    int32 [lengths]: the first entry of each list, -1 for none
    whole    whether every box must come to a goal
    every    whether all nodes on shortest solutions are to be expanded; then no corral decides what is pushed first
    """
    near, out, into, goals, goal_at, live, cell_of = level
    part, dist, alive, made = tables[2], tables[3], tables[4], tables[7]
    keys, players, depths, rests = nodes
    cells, ways = len(near), out.shape[1]
    short = (near, into, goals)
    taken, fixed, rim = np.zeros(cells, np.uint8), np.zeros(cells, np.uint8), np.zeros(cells, np.uint8)
    mark, label, chosen = np.zeros(cells, np.int32), np.zeros(cells, np.int16), np.zeros(cells + 1, np.uint8)
    second, queue = np.zeros(cells, np.int32), np.zeros(cells, np.int16)
    allowed = np.zeros((cells, ways), np.uint8)
    boxes, moved = np.zeros(count, np.int16), np.zeros(count, np.int16)
    cost, cost_after = np.zeros((count, count), np.int32), np.zeros((count, count), np.int32)
    matching = np.zeros(count, np.int32), np.zeros(count + 1, np.int32), np.zeros(count + 1, np.int32)
    other = np.zeros(count, np.int32), np.zeros(count + 1, np.int32), np.zeros(count + 1, np.int32)
    way, least, used = np.zeros(count + 1, np.int32), np.zeros(count + 1, np.int32), np.zeros(count + 1, np.bool_)
    listed, weights = np.zeros((count * count, 2), np.int16), np.zeros(count * count, np.int32)
    places, places_after = np.zeros((count, count), np.int64), np.zeros((count, count), np.int64)
    kept, goal_of = np.zeros(count, np.int64), np.zeros(count + 1, np.int64)
    key, inner = np.zeros(keys.shape[1], np.uint64), np.zeros(keys.shape[1], np.uint64)
    passed, third = np.zeros(cells, np.uint8), np.zeros(cells, np.int32)
    stamp, tables_before = 0, made[0]
    until = state[GENERATED] + stride
    while state[GENERATED] < until and made[0] == tables_before:
        room = count * ways
        full = len(keys) - state[NODES] < room or len(entries[0]) - state[ENTRIES] < room
        if full or 2 * (state[NODES] + room) > len(slots):
            state[STATUS] = FULL
            return
        node = next_node(nodes, entries, heads, state, every)
        if node < 0:
            return
        depth = depths[node] + 1
        boxes_of(keys[node], cell_of, boxes)
        table = walls_of(0, boxes, count, out, goal_at, fixed, short, tables, work) if whole else 0
        if table < 0:
            continue
        for i in range(count):
            places_of(i, players[node], boxes, count, table, tables, places[i])
        set_all(boxes, count, taken, 1)
        stamp += 1
        flood(near, taken, players[node], mark, stamp, queue)
        first = -1
        if whole and not every:
            first = corral_of(
                near, out, taken, alive[table], goal_at, mark, stamp, label, rim, chosen, boxes, count, queue, allowed
            )
        costs_of(table, players[node], boxes, count, tables, cost)
        matched(cost, count, matching[0], matching[1], matching[2], way, least, used)
        latest = 0
        for i in range(count):
            if boxes[i] == lasts[node]:
                latest = i + 1
        for turn in range(count):
            i = (latest + turn) % count
            box = boxes[i]
            for each in range(ways):
                a, c = out[box, each, 0], out[box, each, 1]
                if a < 0:
                    break
                if mark[a] != stamp or taken[c] or (first >= 0 and not allowed[box, each]):
                    continue
                if whole and (alive[table, c] < 0 or alive[table, box] < 0):
                    continue
                state[GENERATED] += 1
                moved[:] = boxes
                moved[i] = c
                taken[box], taken[c] = 0, 1
                player, _ = flood(near, taken, box, second, state[GENERATED] & 0x3FFFFFFF, queue)
                taken[box], taken[c] = 1, 0
                exchanged(keys[node], live[box], live[c], key)
                at = slot_of(key, player, keys, players, slots)
                child = slots[at]
                if child >= 0:
                    if depths[child] > depth:
                        depths[child] = depth
                        put_off(child, depth, rests[child], entries, heads, state)
                    continue
                if len(triples) and deadlocked(c, box, moved, count, live, triples):
                    continue
                after = table
                if whole:
                    after = walls_of(table, moved, count, out, goal_at, fixed, short, tables, work)
                    if after < 0:
                        continue
                others, both = excess_around(
                    box, near, moved, count, gathered, passed, third, 2 * (state[GENERATED] & 0x1FFFFFFF), queue, live,
                    inner,
                )  # fmt: skip
                if others >= FAR or both >= FAR:
                    continue
                if after == table:
                    row = dist[table, c, part[table, c, box]]
                    rest = rest_after(i, row, cost, count, matching, other, way, least, used)
                    if rest < FAR:
                        kept[:] = places[i]
                        places_of(i, box, moved, count, table, tables, places[i])
                        for j in range(count):
                            places[j, i] = places[i, j]
                        rest += excess_of(
                            moved, box, count, table, tables, places, other, goal_of, listed, weights, used,
                            gathered[0], others,
                        )  # fmt: skip
                        for j in range(count):
                            places[j, i] = kept[j]
                        places[i] = kept
                else:
                    costs_of(after, box, moved, count, tables, cost_after)
                    rest = matched(cost_after, count, other[0], other[1], other[2], way, least, used)
                    if rest < FAR:
                        for j in range(count):
                            places_of(j, box, moved, count, after, tables, places_after[j])
                        rest += excess_of(
                            moved, box, count, after, tables, places_after, other, goal_of, listed, weights, used,
                            gathered[0], others,
                        )  # fmt: skip
                child = state[NODES]
                state[NODES] += 1
                slots[at] = child
                keys[child], players[child], lasts[child] = key, player, c
                depths[child], rests[child] = depth, min(max(rest, both), FAR)
                put_off(child, depth, rests[child], entries, heads, state)
        set_all(boxes, count, taken, 0)
    state[STATUS] = WORKED


@njit(cache=True, nogil=True)
def before(node, near, into, live, cell_of, nodes, slots, count, found):
    """Write the nodes one push before a node to `found`; return how many. No array of the search changes."""
    keys, players, depths, _ = nodes
    cells = len(near)
    taken, mark, queue = np.zeros(cells, np.uint8), np.zeros(cells, np.int32), np.zeros(cells, np.int16)
    other = np.zeros(cells, np.int32)
    key = np.zeros(keys.shape[1], np.uint64)
    boxes = np.zeros(count, np.int16)
    boxes_of(keys[node], cell_of, boxes)
    set_all(boxes, count, taken, 1)
    flood(near, taken, players[node], mark, 1, queue)
    number = 0
    for i in range(count):
        end = boxes[i]
        for each in range(into.shape[1]):
            a, b = into[end, each, 0], into[end, each, 1]
            if a < 0:
                break
            if mark[b] != 1 or taken[a] or live[b] < 0:
                continue
            taken[end], taken[b] = 0, 1
            player, _ = flood(near, taken, a, other, 1 + each + i * into.shape[1], queue)
            taken[end], taken[b] = 1, 0
            exchanged(keys[node], live[end], live[b], key)
            earlier = slots[slot_of(key, player, keys, players, slots)]
            if earlier >= 0 and depths[earlier] == depths[node] - 1:
                found[number] = earlier
                number += 1
    return number
