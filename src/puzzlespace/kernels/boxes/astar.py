"""Best-first search (A*) of positions of pushed boxes, and the way back through them."""

import numpy as np

from ..arrays import copy
from ..loop import helper, loop
from .deadlocks import corral_of, deadlocked
from .floor import FAR, boxes_of, exchanged, flood, set_all
from .matching import matched, rest_after
from .nodes import ENTRIES, FULL, GENERATED, NODES, STATUS, WORKED, next_node, put_off, slot_of
from .order import class_of, order_work
from .pairs import excess_of, places_of
from .passages import excess_around
from .walls import costs_of, walls_of


def search_work(cells, ways, count, words, parts, goals):
    """Return the work space of `search`, all 0: for cells, for positions, for matchings, and that of `class_of`."""
    size = count + 1
    of_cells = (
        *np.zeros((4, cells), np.uint8), *np.zeros((4, cells), np.int32), np.zeros(cells + 1, np.uint8),
        np.zeros(cells, np.int16), np.zeros((cells, ways), np.uint8),
    )  # fmt: skip
    of_positions = *np.zeros((2, count), np.int16), *np.zeros((2, words), np.uint64)
    of_matchings = (
        *np.zeros((2, size, count), np.int32), *np.zeros((2, count, count), np.int64),
        tuple(np.zeros((3, size), np.int32)), tuple(np.zeros((3, size), np.int32)),
        (*np.zeros((2, size), np.int32), np.zeros(size, np.bool_)),
        (np.zeros((count * count, 2), np.int16), np.zeros(count * count, np.int32)),
        np.zeros(count, np.int64), np.zeros(size, np.int64),
    )  # fmt: skip
    return of_cells, of_positions, of_matchings, order_work(cells, parts, goals)


def before_work(cells, count, words):
    """Return the work space of `before`, all 0."""
    marks, queue = np.zeros((2, cells), np.int32), np.zeros(cells, np.int16)
    return np.zeros(cells, np.uint8), *marks, queue, np.zeros(count, np.int16), np.zeros(words, np.uint64)


@helper
def _rest_of(i, player, boxes, count, table, after, tables, before, others, work):
    """Return a lower bound of the pushes from a position after one push of box `i`; FAR for never.

    player          where the box was before
    table, after    the tables of distances before and after the push
    before, others  see `excess_of`
    work            see `search_work`; the costs, the places and the matching are those of the position before the push
    """
    part, dist = tables[2], tables[3]
    cost, cost_after, places, places_after, matching, duals, (way, least, used), (listed, weights), kept, goal_of = work
    if after == table:
        row = dist[table, boxes[i], part[table, boxes[i], player]]
        rest = rest_after(i, row, cost, count, matching, duals, way, least, used)
    else:
        costs_of(after, player, boxes, count, tables, cost_after)
        rest = matched(cost_after, count, duals[0], duals[1], duals[2], way, least, used)
    if rest >= FAR:
        return FAR
    now = places
    if after == table:
        copy(kept, places[i])
        places_of(i, player, boxes, count, table, tables, places[i])
        for j in range(count):
            places[j, i] = places[i, j]
    else:
        now = places_after
        for j in range(count):
            places_of(j, player, boxes, count, after, tables, places_after[j])
    rest += excess_of(
        boxes, player, count, after, tables, now, duals, goal_of, listed, weights, used, before, others
    )  # fmt: skip
    if after == table:
        for j in range(count):
            places[j, i] = kept[j]
        copy(places[i], kept)
    return min(rest, FAR)


@loop
def search(
    level, tables, work, triples, gathered, nodes, hints, lists, slots, ways_in, state, scratch, whole, every, stride
):  # fmt: skip
    """Expand nodes in the order of their length; set state[STATUS].

    Return when about `stride` positions are generated, or a table is made.

    level    (near, out, into, goals, goal_at, live, cell_of)
    tables   the distances with frozen boxes as walls, see `walled`
    work     see `make_pairs`
    triples  the sets of three boxes that can be brought to goals, see `solvable`; or empty
    gathered  see `excess_around`
    nodes    (keys uint64 [n, words], players int16 [n], depths int32 [n], rests int16 [n])
    hints    (last int16 [n], class int16 [n]): the cell of the box that was pushed last: its pushes are tried first;
             and see `class_of`
    lists    see `nodes`
    ways_in  see `class_of`
    scratch  see `search_work`
    whole    whether every box must come to a goal
    every    whether all nodes on shortest solutions are to be expanded; then no corral decides what is pushed first
    """
    near, out, into, goals, goal_at, live, cell_of = level
    alive, made = tables[4], tables[7]
    keys, players, depths, rests = nodes
    lasts, kinds = hints
    ways, short = out.shape[1], (near, into, goals)
    of_cells, of_positions, of_matchings, ordering = scratch
    taken, fixed, rim, passed, mark, second, third, label, chosen, queue, allowed = of_cells
    boxes, moved, key, inner = of_positions
    cost, _, places, _, matching, _, (way, least, used), _, _, _ = of_matchings
    count = len(boxes)
    stamp, tables_before = np.int64(0), made[0]
    until = state[GENERATED] + stride
    while state[GENERATED] < until and made[0] == tables_before:
        room = count * ways
        full = len(keys) - state[NODES] < room or len(lists[0][0]) - state[ENTRIES] < room
        if full or 2 * (state[NODES] + room) > len(slots):
            state[STATUS] = FULL
            return
        node = next_node(nodes, lists, state, every)
        if node < 0:
            return
        depth, stand = depths[node] + 1, np.int64(players[node])
        boxes_of(keys[node], cell_of, boxes)
        table = walls_of(np.int64(0), boxes, count, out, goal_at, fixed, short, tables, work) if whole else 0
        if table < 0:
            continue
        for i in range(count):
            places_of(i, stand, boxes, count, table, tables, places[i])
        set_all(boxes, count, taken, 1)
        stamp += 1
        flood(near, taken, stand, mark, stamp, queue)
        first = -1
        if whole and not every:
            first = corral_of(
                near, out, taken, alive[table], goal_at, mark, stamp, label, rim, chosen, boxes, count, queue, allowed
            )
        costs_of(table, stand, boxes, count, tables, cost)
        matched(cost, count, matching[0], matching[1], matching[2], way, least, used)
        latest = 0
        for i in range(count):
            if boxes[i] == lasts[node]:
                latest = i + 1
        for turn in range(count):
            i = (latest + turn) % count
            box = np.int64(boxes[i])
            for each in range(ways):
                a, c = out[box, each, 0], out[box, each, 1]
                if a < 0:
                    break
                if mark[a] != stamp or taken[c] or (first >= 0 and not allowed[box, each]):
                    continue
                if whole and (alive[table, c] < 0 or alive[table, box] < 0):
                    continue
                state[GENERATED] += 1
                copy(moved, boxes)
                moved[i] = c
                taken[box], taken[c] = 0, 1
                reached = state[GENERATED] & 0x3FFFFFFF
                player, _ = flood(near, taken, box, second, reached, queue)
                taken[box], taken[c] = 1, 0
                exchanged(keys[node], live[box], live[c], key)
                at = slot_of(key, player, keys, players, slots)
                child = np.int64(slots[at])
                if child >= 0:
                    if depths[child] > depth:
                        depths[child] = depth
                        put_off(child, depth, rests[child], kinds[child], lists, state)
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
                rest = _rest_of(i, box, moved, count, table, after, tables, gathered[0], others, of_matchings)
                child = state[NODES]
                state[NODES] += 1
                slots[at] = child
                copy(keys[child], key)
                players[child], lasts[child] = player, c
                depths[child], rests[child] = depth, min(max(rest, both), FAR)
                if rests[child] < FAR:
                    taken[box] = 0
                    kinds[child] = class_of(
                        moved, count, i, second, reached, short, taken, goal_at, ways_in, ordering
                    )  # fmt: skip
                    set_all(boxes, count, taken, 1)
                put_off(child, depth, rests[child], kinds[child], lists, state)
        set_all(boxes, count, taken, 0)
    state[STATUS] = WORKED


@loop
def before(node, near, into, live, cell_of, nodes, slots, work, found):
    """Write the nodes one push before a node to `found`; return how many. No array of the search changes.

    work  see `before_work`
    """
    keys, players, depths, _ = nodes
    taken, mark, other, queue, boxes, key = work
    count = len(boxes)
    boxes_of(keys[node], cell_of, boxes)
    set_all(boxes, count, taken, 1)
    flood(near, taken, np.int64(players[node]), mark, np.int64(1), queue)
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
            player, _ = flood(near, taken, np.int64(a), other, 1 + each + i * into.shape[1], queue)
            taken[end], taken[b] = 1, 0
            exchanged(keys[node], live[end], live[b], key)
            earlier = slots[slot_of(key, player, keys, players, slots)]
            if earlier >= 0 and depths[earlier] == depths[node] - 1:
                found[number] = earlier
                number += 1
    return number
