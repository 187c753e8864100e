"""How many pushes more two boxes need together than each alone."""

import numpy as np

from ..loop import helper
from .floor import FAR, flood

NEVER = 255
"""The excess of two boxes without a solution; greater ones count as NEVER - 1."""


MOST_WORK = 300_000_000
"""The most pushes of two boxes times pairs of goals for which excesses are computed: some seconds."""


@helper
def _pair_regions(near, walls, cells_of, count, label, first, players, mark, queue):
    """Number the regions of the player for each set of two boxes; return how many there are.

    walls     uint8 [cells]: cells that nobody enters; the same afterwards
    cells_of  int16: the `count` cells that can have a box
    label     int8 [sets, cells]: written: the region of each cell, -1 for boxes and walls
    first     int32 [sets + 1]: written: the number of the first region of each set
    players   int16 [n]: written: a cell of each region
    Returns -1 if there are too many regions.
    """
    cells = len(near)
    mark[:] = 0
    total, number, stamp = 0, 0, 0
    for j in range(count):
        for i in range(j):
            walls[cells_of[i]], walls[cells_of[j]] = 1, 1
            first[number] = total
            label[number, :] = -1
            regions = 0
            for cell in range(cells):
                if walls[cell] or label[number, cell] >= 0:
                    continue
                if total == len(players) or regions == 127:
                    walls[cells_of[i]], walls[cells_of[j]] = 0, 0
                    return -1
                stamp += 1
                _, size = flood(near, walls, cell, mark, stamp, queue)
                for at in range(size):
                    label[number, queue[at]] = regions
                players[total] = cell
                regions += 1
                total += 1
            walls[cells_of[i]], walls[cells_of[j]] = 0, 0
            number += 1
    first[number] = total
    return total


@helper
def _pair_pulls(into, walls, live, cells_of, count, part, label, first, players, begins, links):
    """Write the pushes that lead to each region of two boxes; return how many, -1 if there is no room.

    begins  int32 [regions + 1]: written: the first link of each region
    links   int32 [n, 4]: written: the region before, whether the boxes change their order (1) and which of them is
            pushed (2: the later one, before the push), and the indices 8 * cell + part of the box before and after it
    """
    total, number = 0, 0
    for j in range(count):
        for i in range(j):
            for region in range(first[number], first[number + 1]):
                begins[region] = total
                inside = label[number, players[region]]
                for later in range(2):
                    end = cells_of[j] if later else cells_of[i]
                    other = i if later else j
                    for each in range(into.shape[1]):
                        a, b = into[end, each, 0], into[end, each, 1]
                        if a < 0:
                            break
                        if walls[a] or walls[b] or live[b] < 0 or live[b] == other or label[number, b] != inside:
                            continue
                        if a == cells_of[other] or a == end:
                            continue
                        if total == len(links):
                            return -1
                        moved = np.int64(live[b])
                        low, high = min(moved, other), max(moved, other)
                        before = high * (high - 1) // 2 + low
                        was_later = moved > other
                        links[total, 0] = first[before] + label[before, a]
                        links[total, 1] = 2 * was_later + (was_later != (later == 1))
                        links[total, 2] = 8 * b + part[b, a]
                        links[total, 3] = 8 * end + part[end, b]
                        total += 1
            number += 1
    begins[first[number]] = total
    return total


@helper
def _pair_excess(goals, rank, live, first, begins, links, dist, excess, cost, heads, entries):
    """Write for each region of two boxes and each pair of goals how many pushes more they need than each box alone.

    A push costs one and the difference of the distances alone, so the costs are not negative (Dijkstra 1959; lists by
    cost: Dial 1969).

    rank     int16 [goals]: the number of each goal among those without a frozen box, -1 for others
    dist     int16 [cells, parts, goals]
    excess   uint8 [regions, goals of the earlier box, goals of the later box], by rank; NEVER before
    cost     uint8 [2 * regions], heads int32 [NEVER], entries int32 [n, 2]: work space
    """
    for g in range(len(goals)):
        for h in range(g):
            if rank[g] < 0 or rank[h] < 0:
                continue
            low, high = min(live[goals[g]], live[goals[h]]), max(live[goals[g]], live[goals[h]])
            number = np.int64(high) * (high - 1) // 2 + low
            swapped = live[goals[g]] > live[goals[h]]  # order 0: the earlier box goes to goal g
            cost[:] = NEVER
            heads[:] = -1
            size = 0
            for region in range(first[number], first[number + 1]):
                node = 2 * region + swapped
                cost[node] = 0
                entries[size, 0], entries[size, 1] = node, heads[0]
                heads[0] = size
                size += 1
            here = 0
            while here < NEVER:
                entry = heads[here]
                if entry < 0:
                    here += 1
                    continue
                heads[here] = entries[entry, 1]
                node = entries[entry, 0]
                if cost[node] != here:
                    continue
                region, order = node >> 1, node & 1
                if order:
                    excess[region, rank[h], rank[g]] = here
                else:
                    excess[region, rank[g], rank[h]] = here
                for link in range(begins[region], begins[region + 1]):
                    change, later = links[link, 1] & 1, links[link, 1] >> 1
                    before_order = order ^ change
                    goal = g if later == before_order else h
                    after, before = links[link, 3], links[link, 2]
                    rest = np.int64(dist[after >> 3, after & 7, goal])
                    if rest >= FAR:
                        continue
                    more = here + 1 + rest - np.int64(dist[before >> 3, before & 7, goal])
                    more = min(more, NEVER - 1)
                    earlier = 2 * links[link, 0] + before_order
                    if more < cost[earlier]:
                        cost[earlier] = more
                        entries[size, 0], entries[size, 1] = earlier, heads[more]
                        heads[more] = size
                        size += 1


@helper
def make_pairs(number, level, walls, tables, work):
    """Write the excesses of a table into the pools, unless there is no room or it takes too long.

    work  (players int16, begins int32, links int32 [n, 4], cost uint8, heads int32, entries int32 [n, 2], ground): the
          last is (mark int32 [cells], queue int16 [cells], cells_of int16 [cells], pulls int16 [cells * parts, 2], none
          int16 [0, 0])
    """
    near, into, goals = level
    part, dist, live, where, pools, size = tables[2], tables[3], tables[4], tables[5], tables[6], tables[7]
    rank = tables[8]
    players, begins, links, cost, heads, entries, (mark, queue, cells_of, _, _) = work
    cells, count, free = len(near), np.int64(0), np.int64(0)
    for cell in range(cells):
        if live[number, cell] >= 0:
            live[number, cell] = count
            cells_of[count] = cell
            count += 1
    for goal in range(len(goals)):
        rank[number, goal] = -1 if walls[goals[goal]] else free
        free += not walls[goals[goal]]
    sets = count * (count - 1) // 2
    labels, firsts, excesses = pools
    used, begun, filled = size[1], size[2], size[3]
    if free < 2 or used + sets * cells > len(labels) or begun + sets + 1 > len(firsts):
        return
    label = labels[used : used + sets * cells].reshape(sets, cells)
    first = firsts[begun : begun + sets + 1]
    regions = _pair_regions(near, walls, cells_of, count, label, first, players, mark, queue)
    if regions < 0 or filled + regions * free * free > len(excesses):
        return
    links_count = _pair_pulls(
        into, walls, live[number], cells_of, count, part[number], label, first, players, begins, links
    )
    if links_count < 0 or links_count * free * free > MOST_WORK:
        return
    excess = excesses[filled : filled + regions * free * free].reshape(regions, free, free)
    excess[:] = NEVER
    _pair_excess(
        goals, rank[number], live[number], first, begins, links, dist[number], excess, cost[: 2 * regions], heads,
        entries,
    )  # fmt: skip
    where[number, 0], where[number, 1], where[number, 2], where[number, 3] = used, begun, filled, free
    size[1], size[2], size[3] = used + sets * cells, begun + sets + 1, filled + regions * free * free


@helper
def places_of(i, player, boxes, count, table, tables, row):
    """Write where the excesses of a box with each other one begin, -1 if there are none: for frozen boxes."""
    live, where, pools = tables[4], tables[5], tables[6]
    cells = live.shape[1]
    used, begun, filled, free = where[table]
    label, first, _ = pools
    mine = np.int64(live[table, boxes[i]])
    for j in range(count):
        row[j] = -1
        other = np.int64(live[table, boxes[j]])
        if j != i and used >= 0 and mine >= 0 and other >= 0:
            low, high = min(mine, other), max(mine, other)
            number = high * (high - 1) // 2 + low
            region = np.int64(first[begun + number]) + label[used + number * cells + player]
            row[j] = filled + region * free * free


@helper
def _least_excess(place, one, two, boxes, player, table, tables, up, down):
    """Return the least excess of two boxes plus what their goals cost more than in the matching; FAR if there is none.

    up, down  dual values of the matching: the cost of a box and a goal less both is what this pair costs more
    """
    part, dist, live, rank = tables[2], tables[3], tables[4], tables[8]
    excess, free = tables[6][2], tables[5][table, 3]
    if live[table, boxes[one]] > live[table, boxes[two]]:
        one, two = two, one
    first, second = boxes[one], boxes[two]
    p, q = part[table, first, player], part[table, second, player]
    best = FAR
    for g in range(dist.shape[3]):
        if rank[table, g] < 0:
            continue
        more = np.int64(dist[table, first, p, g]) - up[one] - down[g]
        if more >= best:
            continue
        line = place + rank[table, g] * free
        for h in range(dist.shape[3]):
            if rank[table, h] < 0:
                continue
            here = np.int64(excess[line + rank[table, h]])
            if here < NEVER and more + here < best:
                best = min(best, more + here + dist[table, second, q, h] - up[two] - down[h])
    return best


@helper
def excess_of(boxes, player, count, table, tables, places, matching, goal_of, listed, weights, used, before, others):
    """Return the sum of the excesses of pairs of boxes without a common box, the greatest ones first; FAR for never.

    places    int64 [boxes, boxes]: the rows of `places_of`
    matching  (up, down, row_of) of a cheapest matching
    before    uint8 [cells]: the cells before the passage
    others    the excess of all boxes before the passage; pairs of other boxes can be added to it
    """
    up, down, row_of = matching
    live, where, rank = tables[4], tables[5], tables[8]
    excess, free = tables[6][2], where[table, 3]
    if where[table, 0] < 0:
        return others
    for j in range(count):
        goal_of[row_of[j]] = rank[table, j]
        used[j] = False
    size = np.int64(0)
    for i in range(count):
        for j in range(i):
            place = places[i, j]
            if place < 0:
                continue
            g, h = goal_of[i], goal_of[j]
            if live[table, boxes[i]] > live[table, boxes[j]]:
                g, h = h, g
            if excess[place + g * free + h] == 0:
                continue
            weight = _least_excess(place, i, j, boxes, player, table, tables, up, down)
            if weight >= FAR:
                return FAR
            if weight > 0:
                listed[size, 0], listed[size, 1], weights[size] = i, j, weight
                size += 1
    total = _disjoint(size, listed, weights, used)
    if others:
        for k in range(count):
            used[k] = before[boxes[k]]
        total = max(total, others + _disjoint(size, listed, weights, used))
    return total


@helper
def _disjoint(size, listed, weights, used):
    """Return the sum of the weights of pairs without a common box, the greatest ones first."""
    total = 0
    while True:
        best, most = -1, 0
        for k in range(size):
            if weights[k] > most and not used[listed[k, 0]] and not used[listed[k, 1]]:
                best, most = k, weights[k]
        if best < 0:
            return total
        total += most
        used[listed[best, 0]], used[listed[best, 1]] = True, True
