"""Pushed boxes: regions of the player, box distances, minimum-cost matching, deadlocks, best-first search (A*).

docs/methods/boxes.md describes the methods and proves what is pruned.
"""

import numpy as np
from numba import njit

FAR = 20_000
"""A distance or a sum of distances from here on means: never."""

NODES, ENTRIES, FRONT, GENERATED, FOUND, STATUS = range(6)
"""Fields of the state: nodes, entries of the lists, the current length, positions generated, whether a goal was taken
from the list, and why the kernel returned."""

WORKED, FULL, SOLVED, EXHAUSTED = range(4)
"""Why the search kernel returned: the stride is done, an array is full, a shortest solution is found, no more nodes."""


@njit(cache=True, nogil=True)
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


@njit(cache=True, nogil=True)
def _boxes_of(key, cell_of, boxes):
    """Write the cells of the boxes of a position."""
    count = 0
    for w in range(len(key)):
        for bit in range(64):
            if key[w] >> np.uint64(bit) & np.uint64(1):
                boxes[count] = cell_of[64 * w + bit]
                count += 1


@njit(cache=True, nogil=True)
def _set_all(cells, count, marks, value):
    """Write a value for each of `count` cells."""
    for i in range(count):
        marks[cells[i]] = value


@njit(cache=True, nogil=True)
def _exchanged(key, one, other, moved):
    """Write a position with a box in one live cell instead of another one."""
    moved[:] = key
    moved[one >> 6] ^= np.uint64(1) << np.uint64(one & 63)
    moved[other >> 6] ^= np.uint64(1) << np.uint64(other & 63)


@njit(cache=True, nogil=True)
def parts_without(near, part):
    """Write for each cell the part of each other cell if the cell is taken out (-1 for itself); return the most."""
    cells = len(near)
    taken = np.zeros(cells, np.uint8)
    mark = np.zeros(cells, np.int32)
    queue = np.zeros(cells, np.int16)
    most = 1
    for out in range(cells):
        taken[out] = 1
        mark[:] = 0
        part[out, :] = -1
        count = 0
        for cell in range(cells):
            if cell != out and part[out, cell] < 0:
                _, size = flood(near, taken, cell, mark, count + 1, queue)
                for k in range(size):
                    part[out, queue[k]] = count
                count += 1
        most = max(most, count)
        taken[out] = 0
    return most


@njit(cache=True, nogil=True)
def box_distances(pushes, part, goals, dist):
    """Write dist[cell, part of the player, goal]: the pushes that bring a lone box there; FAR if never.

    pushes  int16 [n, 3]: the cell of the player, that of the box, and the cell behind it
    """
    dist[:] = FAR
    before = np.zeros((len(part), len(pushes)), np.int32)  # the pushes that end in a cell
    size = np.zeros(len(part), np.int32)
    for k in range(len(pushes)):
        end = pushes[k, 2]
        before[end, size[end]] = k
        size[end] += 1
    queue = np.zeros((dist.shape[0] * dist.shape[1], 2), np.int16)
    for goal in range(len(goals)):
        count, at = 0, 0
        for p in range(dist.shape[1]):
            dist[goals[goal], p, goal] = 0
            queue[count, 0], queue[count, 1] = goals[goal], p
            count += 1
        while at < count:
            cell, p = queue[at, 0], queue[at, 1]
            at += 1
            for each in range(size[cell]):
                a, b = pushes[before[cell, each], 0], pushes[before[cell, each], 1]
                if part[cell, b] == p and dist[b, part[b, a], goal] == FAR:
                    dist[b, part[b, a], goal] = dist[cell, p, goal] + 1
                    queue[count, 0], queue[count, 1] = b, part[b, a]
                    count += 1


@njit(cache=True, nogil=True)
def insert(cost, size, row, up, down, row_of, way, least, used):
    """Match a row to a column along a cheapest augmenting path (Kuhn 1955, Munkres 1957; O(n^2) for each row).

    up, down  dual values of rows and columns, cost[i, j] >= up[i] + down[j]
    row_of    the row of each column, -1 for none; it has one more place
    """
    column = size
    row_of[size], down[size] = row, 0
    for j in range(size + 1):
        least[j], used[j] = 1 << 30, False
    while True:
        used[column] = True
        here = row_of[column]
        step, following = 1 << 30, -1
        for j in range(size):
            if not used[j]:
                rest = cost[here, j] - up[here] - down[j]
                if rest < least[j]:
                    least[j], way[j] = rest, column
                if least[j] < step:
                    step, following = least[j], j
        for j in range(size + 1):
            if used[j]:
                up[row_of[j]] += step
                down[j] -= step
            else:
                least[j] -= step
        column = following
        if row_of[column] < 0:
            break
    while column != size:
        before = way[column]
        row_of[column] = row_of[before]
        column = before


@njit(cache=True, nogil=True)
def matched(cost, size, up, down, row_of, way, least, used):
    """Match all rows; return the cost."""
    up[:size] = 0
    down[:size] = 0
    row_of[:size] = -1
    for row in range(size):
        insert(cost, size, row, up, down, row_of, way, least, used)
    total = 0
    for j in range(size):
        total += cost[row_of[j], j]
    return total


@njit(cache=True, nogil=True)
def number_of(boxes, count):
    """Return the number of a set of one to three sorted live cells among those of its size."""
    number = np.int64(boxes[0])
    if count > 1:
        j = np.int64(boxes[1])
        number += j * (j - 1) // 2
    if count > 2:
        j = np.int64(boxes[2])
        number += j * (j - 1) * (j - 2) // 6
    return number


@njit(cache=True, nogil=True)
def _sorted3(boxes, count):
    for i in range(1, count):
        j = i
        while j > 0 and boxes[j - 1] > boxes[j]:
            boxes[j - 1], boxes[j] = boxes[j], boxes[j - 1]
            j -= 1


@njit(cache=True, nogil=True)
def _has(bits, number, cell):
    """Return whether the bit of a player's cell is set for a set of boxes."""
    return bits[number, cell >> 6] >> np.uint64(cell & 63) & np.uint64(1)


@njit(cache=True, nogil=True)
def _note(near, taken, player, mark, stamp, queue, bits, number, boxes, count, stack, top):
    """Set the bits of all cells that the player can come to, and put the position on the stack."""
    _, size = flood(near, taken, player, mark, stamp, queue)
    for k in range(size):
        bits[number, queue[k] >> 6] |= np.uint64(1) << np.uint64(queue[k] & 63)
    stack[top, :count] = boxes[:count]
    stack[top, 3] = player


@njit(cache=True, nogil=True)
def solvable(near, into, live, cell_of, goals, count, bits, stack):
    """Set the bit of each player's cell for each set of `count` boxes that can be brought to as many goals.

    By pulls from all sets of goals: exact for these boxes alone, so a set without its bit is a deadlock among more.

    into   int16 [cells, ways, 2]: the pushes (cell of the player, of the box) that end in a cell; -1 after the last
    bits   uint64 [sets, words of cells]
    stack  int16 [depth, 4]: the cells of the boxes as live numbers, and a cell of the player
    Returns False if the stack is too small.
    """
    cells = len(near)
    taken = np.zeros(cells, np.uint8)
    mark, other = np.zeros(cells, np.int32), np.zeros(cells, np.int32)
    queue = np.zeros(cells, np.int16)
    chosen = np.zeros(3, np.int64)
    boxes = np.zeros(3, np.int16)
    stamp, top = 0, 0
    for k in range(count):
        chosen[k] = k
    while len(goals) >= count:
        for k in range(count):
            boxes[k] = live[goals[chosen[k]]]
            taken[goals[chosen[k]]] = 1
        _sorted3(boxes, count)
        number = number_of(boxes, count)
        for cell in range(cells):
            if not taken[cell] and not _has(bits, number, cell):
                if top == len(stack):
                    return False
                stamp += 1
                _note(near, taken, cell, other, stamp, queue, bits, number, boxes, count, stack, top)
                top += 1
        for k in range(count):
            taken[goals[chosen[k]]] = 0
        k = count - 1
        while k >= 0 and chosen[k] == len(goals) - count + k:
            k -= 1
        if k < 0:
            break
        chosen[k] += 1
        for later in range(k + 1, count):
            chosen[later] = chosen[later - 1] + 1
    here = np.zeros(3, np.int16)
    while top:
        top -= 1
        player = stack[top, 3]
        here[:count] = stack[top, :count]
        for k in range(count):
            taken[cell_of[here[k]]] = 1
        stamp += 1
        reached = stamp
        flood(near, taken, player, mark, reached, queue)
        for k in range(count):
            end = cell_of[here[k]]
            for each in range(into.shape[1]):
                a, b = into[end, each, 0], into[end, each, 1]
                if a < 0:
                    break
                if mark[b] != reached or (taken[a] and a != end) or live[b] < 0 or a == end:
                    continue
                boxes[:count] = here[:count]
                boxes[k] = live[b]
                _sorted3(boxes, count)
                number = number_of(boxes, count)
                if _has(bits, number, a):
                    continue
                if top == len(stack):
                    return False
                taken[end], taken[b] = 0, 1
                stamp += 1
                _note(near, taken, a, other, stamp, queue, bits, number, boxes, count, stack, top)
                taken[end], taken[b] = 1, 0
                top += 1
        for k in range(count):
            taken[cell_of[here[k]]] = 0
    return True


@njit(cache=True, nogil=True)
def frozen_off_goals(out, taken, boxes, count, live, is_goal, fixed):
    """Return whether some box that can never move again is not on a goal.

    The greatest set of boxes of which none can be the first to move: every push of each needs a cell with another of
    them, or ends in a cell from which no box reaches a goal.

    out    int16 [cells, ways, 2]: the pushes (cell of the player, cell behind) of a box in a cell; -1 after the last
    fixed  uint8 [cells], all 0 before and after
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
    found = False
    for i in range(count):
        if fixed[boxes[i]] and not is_goal[boxes[i]]:
            found = True
        fixed[boxes[i]] = 0
    return found


@njit(cache=True, nogil=True)
def _slot(key, player, keys, players, slots):
    """Return the place of a position in the hash table: with its node, or with -1."""
    mix = np.uint64(player) * np.uint64(0x9E3779B97F4A7C15)
    for w in range(len(key)):
        mix ^= key[w]
        mix *= np.uint64(0xFF51AFD7ED558CCD)
        mix ^= mix >> np.uint64(32)
    last = np.int64(len(slots) - 1)
    at = np.int64(mix & np.uint64(last))
    while slots[at] >= 0:
        node = slots[at]
        if players[node] == player:
            same = True
            for w in range(len(key)):
                if keys[node, w] != key[w]:
                    same = False
                    break
            if same:
                return at
        at = (at + 1) & last
    return at


@njit(cache=True, nogil=True)
def rehash(keys, players, count, slots):
    """Enter all nodes into an empty hash table."""
    for node in range(count):
        slots[_slot(keys[node], players[node], keys, players, slots)] = node


@njit(cache=True, nogil=True)
def _corral(near, out, taken, live, is_goal, mark, reached, label, parts, chosen, boxes, count, queue, allowed):
    """Find a corral whose boxes must be pushed first; return how many pushes are allowed, -1 without one.

    label    int16 [cells]: written: the part of each free cell out of reach, from 1; 0 for others
    chosen   uint8 [parts + 1]: work space
    allowed  uint8 [cells, ways]: written for the corral with the fewest pushes
    """
    number = 0
    for cell in range(len(near)):
        label[cell] = 0
    for cell in range(len(near)):
        if mark[cell] == reached or taken[cell] or label[cell]:
            continue
        number += 1
        flood(near, taken, cell, label, number, queue)
    fewest, best = 1 << 30, -1
    for first in range(1, number + 1):
        pushes = _closed(
            first, number, near, out, taken, live, is_goal, mark, reached, label, chosen, boxes, count, parts
        )
        if 0 <= pushes < fewest:
            fewest, best = pushes, first
    if best < 0:
        return -1
    _closed(best, number, near, out, taken, live, is_goal, mark, reached, label, chosen, boxes, count, parts)
    for i in range(count):
        cell = boxes[i]
        for each in range(out.shape[1]):
            a, c = out[cell, each, 0], out[cell, each, 1]
            if a < 0:
                break
            inward = parts[cell] and label[c] > 0 and chosen[label[c]]
            allowed[cell, each] = inward and mark[a] == reached
    return fewest


@njit(cache=True, nogil=True)
def _closed(first, number, near, out, taken, live, is_goal, mark, reached, label, chosen, boxes, count, rim):
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
            if rim[cell] and not is_goal[cell]:
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
            if is_goal[cell] and label[cell] > 0 and chosen[label[cell]]:
                unsolved = True
                break
    return pushes if unsolved else -1


@njit(cache=True, nogil=True)
def deadlocked(box, player, boxes, count, live, pairs, triples):
    """Return whether the box with another one, or with two others, cannot be brought to goals."""
    one = np.uint64(1)
    word, shift = player >> 6, np.uint64(player & 63)
    three = np.zeros(3, np.int16)
    mine = live[box]
    for i in range(count):
        if boxes[i] == box:
            continue
        other = live[boxes[i]]
        low, high = min(mine, other), max(mine, other)
        number = np.int64(high) * (high - 1) // 2 + low
        if len(pairs) and not pairs[number, word] >> shift & one:
            return True
        if len(triples):
            for j in range(i):
                if boxes[j] == box:
                    continue
                three[0], three[1], three[2] = mine, other, live[boxes[j]]
                _sorted3(three, 3)
                if not triples[number_of(three, 3), word] >> shift & one:
                    return True
    return False


@njit(cache=True, nogil=True)
def _next(nodes, entries, heads, state, every):
    """Return the next node to expand; -1, with state[STATUS] set, if there is none."""
    _, _, depths, rests = nodes
    node_of, depth_of, next_of = entries
    while True:
        while state[FRONT] < len(heads) and heads[state[FRONT]] < 0:
            if state[FOUND]:
                state[STATUS] = SOLVED
                return -1
            state[FRONT] += 1
        if state[FRONT] == len(heads):
            state[STATUS] = EXHAUSTED
            return -1
        entry = heads[state[FRONT]]
        heads[state[FRONT]] = next_of[entry]
        node = node_of[entry]
        if depths[node] != depth_of[entry]:
            continue  # reached by fewer pushes since, and expanded then
        if rests[node] > 0:
            return node
        state[FOUND] = 1
        if not every:
            state[STATUS] = SOLVED
            return -1


@njit(cache=True, nogil=True)
def _rest_after(row, dist, cost, count, matching, other, way, least, used):
    """Return the cost of a cheapest matching if the costs of one row become those of `dist`.

    cost      the costs of all rows, the same afterwards
    matching  (up, down, row_of) for these costs; `other` is work space of the same shape
    """
    up, down, row_of = other
    up[:], down[:], row_of[:] = matching[0], matching[1], matching[2]
    kept = cost[row].copy()
    low = 1 << 30
    for j in range(count):
        if j < len(dist):
            cost[row, j] = dist[j]
        low = min(low, cost[row, j] - down[j])
        if row_of[j] == row:
            row_of[j] = -1
    up[row] = low
    insert(cost, count, row, up, down, row_of, way, least, used)
    rest = 0
    for j in range(count):
        rest += cost[row_of[j], j]
    cost[row] = kept
    return rest


@njit(cache=True, nogil=True)
def search(level, tables, nodes, entries, slots, heads, state, count, whole, every, stride):
    """Expand nodes in the order of their length until about `stride` positions are generated; set state[STATUS].

    level    (near, out, live, cell_of, is_goal, part, dist)
    tables   (pairs, triples)
    nodes    (keys uint64 [n, words], players int16 [n], depths int16 [n], rests int16 [n])
    entries  (node int32 [m], depth int16 [m], next int32 [m]): the lists of nodes that wait, one for each length
    heads    int32 [lengths]: the first entry of each list, -1 for none
    whole    whether every box must come to a goal
    every    whether all nodes on shortest solutions are to be expanded; then no corral decides what is pushed first
    """
    near, out, live, cell_of, is_goal, part, dist = level
    pairs, triples = tables
    keys, players, depths, rests = nodes
    cells, ways, goals = len(near), out.shape[1], dist.shape[2]
    taken, fixed, rim = np.zeros(cells, np.uint8), np.zeros(cells, np.uint8), np.zeros(cells, np.uint8)
    mark, label, chosen = np.zeros(cells, np.int32), np.zeros(cells, np.int16), np.zeros(cells + 1, np.uint8)
    second, queue = np.zeros(cells, np.int32), np.zeros(cells, np.int16)
    allowed = np.zeros((cells, ways), np.uint8)
    boxes, moved = np.zeros(count, np.int16), np.zeros(count, np.int16)
    cost = np.zeros((count, count), np.int32)
    matching = np.zeros(count, np.int32), np.zeros(count + 1, np.int32), np.zeros(count + 1, np.int32)
    other = np.zeros(count, np.int32), np.zeros(count + 1, np.int32), np.zeros(count + 1, np.int32)
    way, least, used = np.zeros(count + 1, np.int32), np.zeros(count + 1, np.int32), np.zeros(count + 1, np.bool_)
    key = np.zeros(keys.shape[1], np.uint64)
    stamp = 0
    until = state[GENERATED] + stride
    while state[GENERATED] < until:
        room = count * ways
        full = len(keys) - state[NODES] < room or len(entries[0]) - state[ENTRIES] < room
        if full or 2 * (state[NODES] + room) > len(slots):
            state[STATUS] = FULL
            return
        node = _next(nodes, entries, heads, state, every)
        if node < 0:
            return
        depth = depths[node] + 1
        _boxes_of(keys[node], cell_of, boxes)
        _set_all(boxes, count, taken, 1)
        stamp += 1
        flood(near, taken, players[node], mark, stamp, queue)
        first = -1
        if whole and not every:
            first = _corral(
                near, out, taken, live, is_goal, mark, stamp, label, rim, chosen, boxes, count, queue, allowed
            )
        for i in range(count):
            p = part[boxes[i], players[node]]
            for j in range(goals):
                cost[i, j] = dist[boxes[i], p, j]
        matched(cost, count, matching[0], matching[1], matching[2], way, least, used)
        for i in range(count):
            box = boxes[i]
            for each in range(ways):
                a, c = out[box, each, 0], out[box, each, 1]
                if a < 0:
                    break
                if mark[a] != stamp or taken[c] or live[c] < 0 or (first >= 0 and not allowed[box, each]):
                    continue
                state[GENERATED] += 1
                moved[:] = boxes
                moved[i] = c
                taken[box], taken[c] = 0, 1
                dead = whole and (
                    deadlocked(c, box, moved, count, live, pairs, triples)
                    or frozen_off_goals(out, taken, moved, count, live, is_goal, fixed)
                )
                if not dead:
                    player, _ = flood(near, taken, box, second, state[GENERATED] & 0x3FFFFFFF, queue)
                    _exchanged(keys[node], live[box], live[c], key)
                    at = _slot(key, player, keys, players, slots)
                    child = slots[at]
                    if child < 0:
                        costs = dist[c, part[c, box]]
                        child = state[NODES]
                        state[NODES] += 1
                        slots[at] = child
                        keys[child], players[child] = key, player
                        rest = _rest_after(i, costs, cost, count, matching, other, way, least, used)
                        depths[child], rests[child] = depth, min(rest, FAR)
                        _wait(child, depth, rests[child], entries, heads, state)
                    elif depths[child] > depth:
                        depths[child] = depth
                        _wait(child, depth, rests[child], entries, heads, state)
                taken[box], taken[c] = 1, 0
        _set_all(boxes, count, taken, 0)
    state[STATUS] = WORKED


@njit(cache=True, nogil=True)
def _wait(node, depth, rest, entries, heads, state):
    """Put a node into the list of its length, unless no goal can be reached from it."""
    node_of, depth_of, next_of = entries
    length = depth + rest
    if rest >= FAR or length >= len(heads):
        return
    entry = state[ENTRIES]
    state[ENTRIES] += 1
    node_of[entry], depth_of[entry], next_of[entry] = node, depth, heads[length]
    heads[length] = entry
    if length < state[FRONT]:
        state[FRONT] = length


@njit(cache=True, nogil=True)
def before(node, near, into, live, cell_of, nodes, slots, count, found):
    """Write the nodes one push before a node to `found`; return how many. No array of the search changes."""
    keys, players, depths, _ = nodes
    cells = len(near)
    taken, mark, queue = np.zeros(cells, np.uint8), np.zeros(cells, np.int32), np.zeros(cells, np.int16)
    other = np.zeros(cells, np.int32)
    key = np.zeros(keys.shape[1], np.uint64)
    boxes = np.zeros(count, np.int16)
    _boxes_of(keys[node], cell_of, boxes)
    _set_all(boxes, count, taken, 1)
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
            _exchanged(keys[node], live[end], live[b], key)
            earlier = slots[_slot(key, player, keys, players, slots)]
            if earlier >= 0 and depths[earlier] == depths[node] - 1:
                found[number] = earlier
                number += 1
    return number
