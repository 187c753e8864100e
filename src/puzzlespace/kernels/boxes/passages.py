"""The push that every box must make, and all boxes before it, or behind it, searched together."""

import numpy as np

from ..arrays import copy
from ..loop import helper, kernel, loop
from .deadlocks import corral_of, frozen
from .floor import FAR, boxes_of, flood, set_all
from .matching import matched
from .nodes import ENTRIES, FOUND, FULL, GENERATED, LINKS, NODES, SOLVED, STATUS, WORKED, next_node, put_off, slot_of


@helper
def _on_side(side, player, near, boxes, count, before, known, taken, mark, stamp, queue, live, inner):
    """Return the least number of pushes of the boxes before the passage (`side` 1) or behind it (0); -1 if not known.

    known  (keys, players, slots, costs int32 [nodes]) of `gather`
    """
    keys, players, slots, costs = known
    inner[:] = 0
    for i in range(count):
        if before[boxes[i]] == side:
            taken[boxes[i]] = 1
            number = live[boxes[i]]
            inner[number >> 6] |= np.uint64(1) << np.uint64(number & 63)
    least, _ = flood(near, taken, player, mark, stamp, queue)
    for i in range(count):
        taken[boxes[i]] = 0
    node = slots[slot_of(inner, least, keys, players, slots)]
    return costs[node] if node >= 0 else -1


@helper
def excess_around(player, near, boxes, count, gathered, taken, mark, stamp, queue, live, inner):
    """Return the excess of all boxes before the passage, and a bound of all pushes; 0 if they are not known.

    gathered  (before uint8 [cells], dist int16 [cells, parts], part, known before, known behind): see `_on_side`;
              empty arrays without a passage
    """
    before, dist, part, known, behind = gathered
    if len(known[2]) == 0:
        return 0, 0
    alone = 0
    for i in range(count):
        if before[boxes[i]]:
            alone += dist[boxes[i], part[boxes[i], player]]
    cost = _on_side(np.int64(1), player, near, boxes, count, before, known, taken, mark, stamp, queue, live, inner)
    if cost < 0:
        cost = alone
    other = 0
    if cost < FAR:
        other = _on_side(
            np.int64(0), player, near, boxes, count, before, behind, taken, mark, stamp + 1, queue, live, inner
        )
    return (FAR if cost >= FAR else cost - alone), cost + max(other, 0)


@helper
def _reaching(into, part, goals, skip_end, skip_way, seen, queue):
    """Mark the (cell, part) from which a lone box reaches a goal without one of the pushes."""
    seen[:] = 0
    count, at = 0, 0
    for goal in goals:
        for p in range(seen.shape[1]):
            seen[goal, p] = 1
            queue[count, 0], queue[count, 1] = goal, p
            count += 1
    while at < count:
        cell, p = queue[at, 0], queue[at, 1]
        at += 1
        for each in range(into.shape[1]):
            a, b = into[cell, each, 0], into[cell, each, 1]
            if a < 0:
                break
            if part[cell, b] != p or (cell == skip_end and each == skip_way) or seen[b, part[b, a]]:
                continue
            seen[b, part[b, a]] = 1
            queue[count, 0], queue[count, 1] = b, part[b, a]
            count += 1


@kernel
def passage(into, out, part, dist, live, goals, boxes, before):
    """Find the push that most boxes must make to come to any goal; return (its end, its number in `into`) or (-1, -1).

    Of those with as many boxes, the one with the most cells before it.

    before  uint8 [cells]: written: whether a box in a cell must make the push
    """
    cells = len(into)
    seen = np.zeros((cells, part.shape[1]), np.uint8)
    inside = np.zeros(cells, np.uint8)
    queue = np.zeros((seen.shape[0] * seen.shape[1], 2), np.int16)
    most, end, way = 2 * cells - 1, -1, -1
    for cell in range(cells):
        for each in range(into.shape[1]):
            if into[cell, each, 0] < 0:
                break
            if live[cell] < 0 or live[into[cell, each, 1]] < 0:
                continue
            _reaching(into, part, goals, cell, each, seen, queue)
            score = 0
            for other in range(cells):
                inside[other] = live[other] >= 0 and not seen[other].any()
                score += inside[other]
            for box in boxes:
                score += cells * inside[box]
            if score > most and _only_way(inside, into[cell, each, 1], cell, out, part, dist):
                most, end, way = score, cell, each
                copy(before, inside)
    return end, way


@kernel
def _only_way(inside, last, end, out, part, dist):
    """Return whether a lone box leaves some cells only by a push from `last` to `end`, or else is dead."""
    for cell in range(len(inside)):
        if not inside[cell]:
            continue
        for each in range(out.shape[1]):
            a, c = out[cell, each, 0], out[cell, each, 1]
            if a < 0:
                break
            if not inside[c] and (c != end or cell != last) and dist[c, part[c, cell]].min() < FAR:
                return False
    return True


@loop
def passage_distances(into, part, before, end, way, dist, queue):
    """Write dist[cell, part of the player]: the pushes of a lone box until it has made the push; FAR for never."""
    dist[:] = FAR
    a, b = into[end, way, 0], into[end, way, 1]
    dist[b, part[b, a]] = 1
    queue[0, 0], queue[0, 1] = b, part[b, a]
    count, at = 1, 0
    while at < count:
        cell, p = queue[at, 0], queue[at, 1]
        at += 1
        for each in range(into.shape[1]):
            a, b = into[cell, each, 0], into[cell, each, 1]
            if a < 0:
                break
            if part[cell, b] != p or not before[b] or dist[b, part[b, a]] < FAR:
                continue
            dist[b, part[b, a]] = dist[cell, p] + 1
            queue[count, 0], queue[count, 1] = b, part[b, a]
            count += 1


@helper
def _next_to_expand(room, nodes, lists, slots, state, links):
    """Return the next node to expand if the arrays have room for so many more; else -1, with state[STATUS] set."""
    while True:
        full = len(nodes[0]) - state[NODES] < room or len(links) - state[LINKS] < room
        if full or len(lists[0][0]) - state[ENTRIES] < room or 2 * (state[NODES] + room) > len(slots):
            state[STATUS] = FULL
            return -1
        node = next_node(nodes, lists, state, True)
        if node >= 0 or state[STATUS] != SOLVED:
            return node
        state[FOUND] = 0


@helper
def _child_of(key, player, nodes, slots, state):
    """Return the node of a position, and whether it is new; the rest of a new one is to be written."""
    keys, players, _, _ = nodes
    at = slot_of(key, player, keys, players, slots)
    if slots[at] >= 0:
        return slots[at], False
    child = state[NODES]
    state[NODES] += 1
    slots[at] = child
    copy(keys[child], key)
    players[child] = player
    return child, True


@helper
def _reached(child, depth, new, nodes, lists, state):
    """Let a node wait that is new, or that is reached by fewer pushes than before."""
    depths, rests = nodes[2], nodes[3]
    if new or depths[child] > depth:
        depths[child] = depth
        put_off(child, depth, rests[child], 0, lists, state)


@helper
def _link(node, child, cost, links, state):
    """Note that a push leads from a node to another."""
    at = state[LINKS]
    links[at, 0], links[at, 1], links[at, 2] = node, child, cost
    state[LINKS] = at + 1


@kernel
def gather(level, way_out, nodes, lists, slots, state, links, expanded, stride):
    """Expand positions with only the boxes before the passage, until about `stride` are generated; set state[STATUS].

    A box that has made the push of the passage is taken off. The moves of all nodes are kept.

    level     as in `search`
    way_out   (before uint8 [cells], end, way, dist int16 [cells, parts], part)
    nodes     (keys, players, depths, rests) as in `search`; rests are sums of `dist`
    lists     see `nodes`
    links     int32 [n, 3]: written: a node, one that a push leads to, and its cost, state[LINKS] of them
    expanded  uint8 [n]: written: whether the links of a node are written
    """
    near, out, into, _, _, live, cell_of = level
    before, end, way, dist, part = way_out
    keys, players, depths, rests = nodes
    cells, ways, most = len(near), out.shape[1], len(cell_of)
    none = np.full(cells, -1, np.int16)
    inside = live.copy()
    for cell in range(cells):
        if not before[cell]:
            inside[cell] = -1
    crossing = inside.copy()
    crossing[end] = live[end]
    start, last = into[end, way, 0], into[end, way, 1]
    taken, fixed, rim = np.zeros(cells, np.uint8), np.zeros(cells, np.uint8), np.zeros(cells, np.uint8)
    mark, label, chosen = np.zeros(cells, np.int32), np.zeros(cells, np.int32), np.zeros(cells + 1, np.uint8)
    second, queue = np.zeros(cells, np.int32), np.zeros(cells, np.int16)
    allowed = np.zeros((cells, ways), np.uint8)
    boxes, moved = np.zeros(most, np.int16), np.zeros(most, np.int16)
    key = np.zeros(keys.shape[1], np.uint64)
    stamp = 0
    until = state[GENERATED] + stride
    while state[GENERATED] < until:
        node = _next_to_expand(most * ways, nodes, lists, slots, state, links)
        if node < 0:
            return
        known = expanded[node]
        expanded[node] = 1
        depth = depths[node] + 1
        count = boxes_of(keys[node], cell_of, boxes)
        set_all(boxes, count, taken, 1)
        stamp += 1
        flood(near, taken, players[node], mark, stamp, queue)
        first = corral_of(
            near, out, taken, crossing, none, mark, stamp, label, rim, chosen, boxes, count, queue, allowed
        )
        for i in range(count):
            box = boxes[i]
            for each in range(ways):
                a, c = out[box, each, 0], out[box, each, 1]
                if a < 0:
                    break
                out_now = c == end and a == start and box == last
                if mark[a] != stamp or taken[c] or (first >= 0 and not allowed[box, each]):
                    continue
                if not out_now and inside[c] < 0:
                    continue
                state[GENERATED] += 1
                taken[box] = 0
                copy(key, keys[node])
                key[live[box] >> 6] ^= np.uint64(1) << np.uint64(live[box] & 63)
                if not out_now:
                    taken[c] = 1
                    key[live[c] >> 6] ^= np.uint64(1) << np.uint64(live[c] & 63)
                    copy(moved, boxes[:count])
                    moved[i] = c
                    stuck, _ = frozen(out, moved, count, crossing, none, fixed)
                    for k in range(count):
                        fixed[moved[k]] = 0
                player, _ = flood(near, taken, box, second, state[GENERATED] & 0x3FFFFFFF, queue)
                taken[c], taken[box] = 0, 1
                if not out_now and stuck:
                    continue
                child, new = _child_of(key, player, nodes, slots, state)
                if new:
                    rest = 0
                    for k in range(count):
                        if k != i:
                            rest += dist[boxes[k], part[boxes[k], box]]
                    if not out_now:
                        rest += dist[c, part[c, box]]
                    rests[child] = min(rest, FAR)
                _reached(child, depth, new, nodes, lists, state)
                if not known:
                    _link(node, child, 1, links, state)
        set_all(boxes, count, taken, 0)
    state[STATUS] = WORKED


@kernel
def gather_behind(level, way_out, dist, total, nodes, lists, slots, state, links, expanded, stride):
    """Expand positions with only the boxes behind the passage, as `gather` does.

    The others come one by one through the passage, at no cost, if the player can be where it makes its push. A box
    that is pushed back to a cell before the passage is taken off.

    dist   int16 [cells, parts, goals]: the distances of a lone box
    total  the number of boxes
    nodes  rests are costs of cheapest matchings
    """
    near, out, into, _, goal_at, live, cell_of = level
    before, end, way, _, part = way_out
    keys, players, depths, rests = nodes
    cells, ways = len(near), out.shape[1]
    start, last = into[end, way, 0], into[end, way, 1]
    taken, fixed = np.zeros(cells, np.uint8), np.zeros(cells, np.uint8)
    mark, second, queue = np.zeros(cells, np.int32), np.zeros(cells, np.int32), np.zeros(cells, np.int16)
    boxes, moved = np.zeros(len(cell_of), np.int16), np.zeros(total + 1, np.int16)
    cost = np.zeros((total, total), np.int32)
    duals = np.zeros(total, np.int32), np.zeros(total + 1, np.int32), np.zeros(total + 1, np.int32)
    least, steps, used = np.zeros(total + 1, np.int32), np.zeros(total + 1, np.int32), np.zeros(total + 1, np.bool_)
    key = np.zeros(keys.shape[1], np.uint64)
    stamp = 0
    until = state[GENERATED] + stride
    while state[GENERATED] < until:
        node = _next_to_expand(total * ways + 1, nodes, lists, slots, state, links)
        if node < 0:
            return
        known = expanded[node]
        expanded[node] = 1
        count = boxes_of(keys[node], cell_of, boxes)
        set_all(boxes, count, taken, 1)
        stamp += 1
        flood(near, taken, players[node], mark, stamp, queue)
        for i in range(count + 1):
            for each in range(ways):
                if i == count:  # a box comes
                    if each or count == total or mark[start] != stamp or taken[end]:
                        break
                    box, c = last, end
                else:
                    box = boxes[i]
                    a, c = out[box, each, 0], out[box, each, 1]
                    if a < 0:
                        break
                    if mark[a] != stamp or taken[c] or live[c] < 0:
                        continue
                state[GENERATED] += 1
                copy(key, keys[node])
                size = 0
                for k in range(count):
                    if k != i:
                        moved[size] = boxes[k]
                        size += 1
                if i < count:
                    taken[box] = 0
                    key[live[box] >> 6] ^= np.uint64(1) << np.uint64(live[box] & 63)
                if not before[c]:
                    taken[c] = 1
                    moved[size] = c
                    size += 1
                    key[live[c] >> 6] ^= np.uint64(1) << np.uint64(live[c] & 63)
                player, _ = flood(near, taken, box, second, state[GENERATED] & 0x3FFFFFFF, queue)
                taken[c] = 0
                if i < count:
                    taken[box] = 1
                stuck, _ = frozen(out, moved, size, live, goal_at, fixed)
                for k in range(size):
                    fixed[moved[k]] = 0
                if stuck:
                    continue
                depth = depths[node] + (i < count)
                child, new = _child_of(key, player, nodes, slots, state)
                if new:
                    rest = matched_behind(
                        moved, size, box, total, end, last, part, dist, cost, duals, least, steps, used
                    )
                    rests[child] = min(rest, FAR)
                _reached(child, depth, new, nodes, lists, state)
                if not known:
                    _link(node, child, i < count, links, state)
        set_all(boxes, count, taken, 0)
    state[STATUS] = WORKED


@loop
def matched_behind(boxes, count, player, total, end, last, part, dist, cost, duals, least, steps, used):
    """Return the cost of a cheapest matching of boxes, and of those that are still to come to `end`, to goals."""
    for i in range(total):
        for j in range(total):
            if i < count:
                cost[i, j] = dist[boxes[i], part[boxes[i], player], j]
            else:
                cost[i, j] = dist[end, part[end, last], j]
    return matched(cost, total, duals[0], duals[1], duals[2], least, steps, used)


@kernel
def costs_to_go(links, count, nodes, size, expanded, costs):
    """Write the least number of pushes from each node to the end: exact or a lower bound.

    Nodes that were not expanded keep the bound that they have. The lists are by cost (Dial 1969).

    links     int32 [n, 3]: node, child and cost, `count` of them
    expanded  uint8 [nodes]
    costs     int32 [nodes]
    """
    rests = nodes[3]
    begins = np.zeros(size + 2, np.int64)
    for k in range(count):
        begins[links[k, 1] + 2] += 1
    for node in range(size + 1):
        begins[node + 1] += begins[node]
    parents = np.zeros((count, 2), np.int32)
    for k in range(count):
        at = links[k, 1] + 1
        parents[begins[at], 0], parents[begins[at], 1] = links[k, 0], links[k, 2]
        begins[at] += 1
    for node in range(size):
        costs[node] = FAR if expanded[node] and rests[node] else rests[node]
    heads = np.full(FAR + 1, -1, np.int32)
    entry_of, next_of = np.zeros(size + count, np.int32), np.zeros(size + count, np.int32)
    used = 0
    for node in range(size):
        if costs[node] < FAR:
            entry_of[used], next_of[used] = node, heads[costs[node]]
            heads[costs[node]] = used
            used += 1
    for cost in range(FAR):
        while heads[cost] >= 0:
            entry = heads[cost]
            heads[cost] = next_of[entry]
            node = entry_of[entry]
            if costs[node] != cost:
                continue
            for k in range(begins[node], begins[node + 1]):
                parent, more = parents[k, 0], cost + parents[k, 1]
                if costs[parent] > more:
                    costs[parent] = more
                    entry_of[used], next_of[used] = parent, heads[more]
                    heads[more] = used
                    used += 1
