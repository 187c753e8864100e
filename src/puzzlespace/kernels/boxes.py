"""Pushed boxes: regions of the player, box distances, minimum-cost matching, deadlocks, best-first search (A*).

docs/methods/boxes.md describes the methods and proves what is pruned.
"""

import numpy as np
from numba import njit

FAR = 20_000
"""A distance or a sum of distances from here on means: never."""

NEVER = 255
"""The excess of two boxes without a solution; greater ones count as NEVER - 1."""

MOST_WORK = 300_000_000
"""The most pushes of two boxes times pairs of goals for which excesses are computed: some seconds."""

NODES, ENTRIES, FRONT, GENERATED, FOUND, STATUS, LINKS, TURN, DRAW = range(9)
"""Fields of the state: nodes, entries of the lists, the current length, positions generated, whether a goal was taken
from the list, why the kernel returned, links of `gather`, nodes taken, and the last
number drawn."""

DIVE, DRAWN = 512, 64
"""After so many nodes the search goes on elsewhere: at the best of so many entries drawn at random."""

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
def parts_without(near, walls, part, mark, queue):
    """Write for each cell the part of each other cell if the cell is taken out.

    The parts beside the cell are numbered from 0; near.shape[1] - 1 stands for all other cells and the cell itself.

    walls  uint8 [cells]: cells that nobody enters
    part   int8 [cells, cells]
    """
    cells, ways = len(near), near.shape[1]
    taken = walls.copy()
    for out in range(cells):
        part[out, :] = ways - 1
        if walls[out]:
            continue
        taken[out] = 1
        mark[:] = 0
        count = 0
        for k in range(ways):
            cell = near[out, k]
            if cell < 0:
                break
            if not taken[cell] and not mark[cell]:
                _, size = flood(near, taken, cell, mark, 1, queue)
                for at in range(size):
                    part[out, queue[at]] = count
                count += 1
        taken[out] = 0


@njit(cache=True, nogil=True)
def box_distances(into, walls, part, goals, dist, queue):
    """Write dist[cell, part of the player, goal]: the pushes that bring a lone box there; FAR if never.

    into   int16 [cells, ways, 2]: the pushes (cell of the player, of the box) that end in a cell; -1 after the last
    walls  uint8 [cells]: cells that nobody enters; a goal among them has a box that never moves
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
            cell, p = queue[at, 0], queue[at, 1]
            at += 1
            for each in range(into.shape[1]):
                a, b = into[cell, each, 0], into[cell, each, 1]
                if a < 0:
                    break
                if walls[a] or walls[b] or part[cell, b] != p:
                    continue
                q = part[b, a]
                if dist[b, q, goal] == FAR:
                    dist[b, q, goal] = dist[cell, p, goal] + 1
                    queue[count, 0], queue[count, 1] = b, q
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


@njit(cache=True, nogil=True)
def _pair_regions(near, walls, cells_of, count, label, first, players):
    """Number the regions of the player for each set of two boxes; return how many there are.

    cells_of  int16: the `count` cells that can have a box
    label     int8 [sets, cells]: written: the region of each cell, -1 for boxes and walls
    first     int32 [sets + 1]: written: the number of the first region of each set
    players   int16 [n]: written: a cell of each region
    Returns -1 if there are too many regions.
    """
    cells = len(near)
    taken, mark, queue = walls.copy(), np.zeros(cells, np.int32), np.zeros(cells, np.int16)
    total, number, stamp = 0, 0, 0
    for j in range(count):
        for i in range(j):
            taken[cells_of[i]], taken[cells_of[j]] = 1, 1
            first[number] = total
            label[number, :] = -1
            regions = 0
            for cell in range(cells):
                if taken[cell] or label[number, cell] >= 0:
                    continue
                if total == len(players) or regions == 127:
                    return -1
                stamp += 1
                _, size = flood(near, taken, cell, mark, stamp, queue)
                for at in range(size):
                    label[number, queue[at]] = regions
                players[total] = cell
                regions += 1
                total += 1
            taken[cells_of[i]], taken[cells_of[j]] = 0, 0
            number += 1
    first[number] = total
    return total


@njit(cache=True, nogil=True)
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


@njit(cache=True, nogil=True)
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


@njit(cache=True, nogil=True)
def _make_pairs(number, level, walls, tables, work):
    """Write the excesses of a table into the pools, unless there is no room or it takes too long.

    work  (players int16, begins int32, links int32 [n, 4], cost uint8, heads int32, entries int32 [n, 2])
    """
    near, into, goals = level
    part, dist, live, where, pools, size = tables[2], tables[3], tables[4], tables[5], tables[6], tables[7]
    rank = tables[8]
    players, begins, links, cost, heads, entries = work
    cells, count, free = len(near), 0, 0
    cells_of = np.zeros(cells, np.int16)
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
    regions = _pair_regions(near, walls, cells_of, count, label, first, players)
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


@njit(cache=True, nogil=True)
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
    work    see `_make_pairs`
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
    mark, queue = np.zeros(len(near), np.int32), np.zeros(len(near), np.int16)
    parts_without(near, fixed, part[number], mark, queue)
    box_distances(into, fixed, part[number], goals, dist[number], np.zeros((len(near) * dist.shape[2], 2), np.int16))
    for cell in range(len(near)):
        live[number, cell] = -1
        for p in range(dist.shape[2]):
            for goal in range(len(goals)):
                if dist[number, cell, p, goal] < FAR and not fixed[cell]:
                    live[number, cell] = 0
    for k in range(4):
        where[number, k] = -1
    _make_pairs(number, level, fixed, tables, work)
    return number


@njit(cache=True, nogil=True)
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
def _corral(near, out, taken, live, goal_at, mark, reached, label, parts, chosen, boxes, count, queue, allowed):
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


@njit(cache=True, nogil=True)
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


@njit(cache=True, nogil=True)
def deadlocked(box, player, boxes, count, live, triples):
    """Return whether the box with two others cannot be brought to goals."""
    one = np.uint64(1)
    word, shift = player >> 6, np.uint64(player & 63)
    three = np.zeros(3, np.int16)
    for i in range(count):
        for j in range(i):
            if boxes[i] == box or boxes[j] == box:
                continue
            three[0], three[1], three[2] = live[box], live[boxes[i]], live[boxes[j]]
            _sorted3(three, 3)
            if not triples[number_of(three, 3), word] >> shift & one:
                return True
    return False


@njit(cache=True, nogil=True)
def _places(i, player, boxes, count, table, tables, row):
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


@njit(cache=True, nogil=True)
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


@njit(cache=True, nogil=True)
def _excess(boxes, player, count, table, tables, places, matching, goal_of, listed, weights, used, before, others):
    """Return the sum of the excesses of pairs of boxes without a common box, the greatest ones first; FAR for never.

    places    int64 [boxes, boxes]: the rows of `_places`
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
    size = 0
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


@njit(cache=True, nogil=True)
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


@njit(cache=True, nogil=True)
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
    node = slots[_slot(inner, least, keys, players, slots)]
    return costs[node] if node >= 0 else -1


@njit(cache=True, nogil=True)
def _sides(player, near, boxes, count, gathered, taken, mark, stamp, queue, live, inner):
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
    cost = _on_side(1, player, near, boxes, count, before, known, taken, mark, stamp, queue, live, inner)
    if cost < 0:
        cost = alone
    other = 0
    if cost < FAR:
        other = _on_side(0, player, near, boxes, count, before, behind, taken, mark, stamp + 1, queue, live, inner)
    return (FAR if cost >= FAR else cost - alone), cost + max(other, 0)


@njit(cache=True, nogil=True)
def _costs(table, player, boxes, count, tables, cost):
    """Write the distances of each box to each goal."""
    part, dist = tables[2], tables[3]
    for i in range(count):
        p = part[table, boxes[i], player]
        for j in range(dist.shape[3]):
            cost[i, j] = dist[table, boxes[i], p, j]


@njit(cache=True, nogil=True)
def _elsewhere(nodes, entries, state):
    """Return the node with the least bound of some that wait with the current length, drawn at random; -1 for none.

    It is taken from its list by another depth.
    """
    _, _, depths, rests = nodes
    node_of, depth_of, _ = entries
    best = -1
    for _ in range(DRAWN if state[ENTRIES] else 0):
        state[DRAW] = (state[DRAW] * 6364136223846793005 + 1442695040888963407) & 0x7FFFFFFFFFFFFFFF
        entry = (state[DRAW] >> 24) % state[ENTRIES]
        node = node_of[entry]
        waits = depth_of[entry] == depths[node] and depths[node] + rests[node] == state[FRONT] and rests[node] > 0
        if waits and (best < 0 or rests[node] < rests[node_of[best]]):
            best = entry
    if best < 0:
        return -1
    depth_of[best] = -1
    return node_of[best]


@njit(cache=True, nogil=True)
def _next(nodes, entries, heads, state, every):
    """Return the next node to expand; -1, with state[STATUS] set, if there is none."""
    _, _, depths, rests = nodes
    node_of, depth_of, next_of = entries
    while True:
        state[TURN] += 1
        if state[TURN] % DIVE == 0:
            node = _elsewhere(nodes, entries, state)
            if node >= 0:
                return node
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
            continue  # reached by fewer pushes since, and expanded then, or taken elsewhere
        depth_of[entry] = -1
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


@njit(cache=True, nogil=True)
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
                before[:] = inside
    return end, way


@njit(cache=True, nogil=True)
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


@njit(cache=True, nogil=True)
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


@njit(cache=True, nogil=True)
def _boxes_before(key, cell_of, boxes):
    """Write the cells of the boxes of a position; return how many."""
    count = 0
    for w in range(len(key)):
        for bit in range(64):
            if key[w] >> np.uint64(bit) & np.uint64(1):
                boxes[count] = cell_of[64 * w + bit]
                count += 1
    return count


@njit(cache=True, nogil=True)
def gather(level, way_out, nodes, entries, slots, heads, state, links, expanded, stride):
    """Expand positions with only the boxes before the passage, until about `stride` are generated; set state[STATUS].

    A box that has made the push of the passage is taken off. The moves of all nodes are kept.

    level     as in `search`
    way_out   (before uint8 [cells], end, way, dist int16 [cells, parts], part)
    nodes     (keys, players, depths, rests) as in `search`; rests are sums of `dist`
    entries   as in `search`
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
    mark, label, chosen = np.zeros(cells, np.int32), np.zeros(cells, np.int16), np.zeros(cells + 1, np.uint8)
    second, queue = np.zeros(cells, np.int32), np.zeros(cells, np.int16)
    allowed = np.zeros((cells, ways), np.uint8)
    boxes, moved = np.zeros(most, np.int16), np.zeros(most, np.int16)
    key = np.zeros(keys.shape[1], np.uint64)
    stamp = 0
    until = state[GENERATED] + stride
    while state[GENERATED] < until:
        room = most * ways
        full = len(keys) - state[NODES] < room or len(links) - state[LINKS] < room
        if full or len(entries[0]) - state[ENTRIES] < room or 2 * (state[NODES] + room) > len(slots):
            state[STATUS] = FULL
            return
        node = _next(nodes, entries, heads, state, True)
        if node < 0 and state[STATUS] == SOLVED:
            state[FOUND] = 0
            continue
        if node < 0:
            return
        known = expanded[node]
        expanded[node] = 1
        depth = depths[node] + 1
        count = _boxes_before(keys[node], cell_of, boxes)
        _set_all(boxes, count, taken, 1)
        stamp += 1
        flood(near, taken, players[node], mark, stamp, queue)
        first = _corral(near, out, taken, crossing, none, mark, stamp, label, rim, chosen, boxes, count, queue, allowed)
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
                key[:] = keys[node]
                key[live[box] >> 6] ^= np.uint64(1) << np.uint64(live[box] & 63)
                if not out_now:
                    taken[c] = 1
                    key[live[c] >> 6] ^= np.uint64(1) << np.uint64(live[c] & 63)
                    moved[:count] = boxes[:count]
                    moved[i] = c
                    stuck, _ = frozen(out, moved, count, crossing, none, fixed)
                    for k in range(count):
                        fixed[moved[k]] = 0
                player, _ = flood(near, taken, box, second, state[GENERATED] & 0x3FFFFFFF, queue)
                taken[c], taken[box] = 0, 1
                if not out_now and stuck:
                    continue
                at = _slot(key, player, keys, players, slots)
                child = slots[at]
                if child < 0:
                    child = state[NODES]
                    state[NODES] += 1
                    slots[at] = child
                    keys[child], players[child] = key, player
                    rest = 0
                    for k in range(count):
                        if k != i:
                            rest += dist[boxes[k], part[boxes[k], box]]
                    if not out_now:
                        rest += dist[c, part[c, box]]
                    depths[child], rests[child] = depth, min(rest, FAR)
                    _wait(child, depth, rests[child], entries, heads, state)
                elif depths[child] > depth:
                    depths[child] = depth
                    _wait(child, depth, rests[child], entries, heads, state)
                if not known:
                    links[state[LINKS], 0], links[state[LINKS], 1], links[state[LINKS], 2] = node, child, 1
                    state[LINKS] += 1
        _set_all(boxes, count, taken, 0)
    state[STATUS] = WORKED


@njit(cache=True, nogil=True)
def gather_behind(level, way_out, dist, total, nodes, entries, slots, heads, state, links, expanded, stride):
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
        room = total * ways + 1
        full = len(keys) - state[NODES] < room or len(links) - state[LINKS] < room
        if full or len(entries[0]) - state[ENTRIES] < room or 2 * (state[NODES] + room) > len(slots):
            state[STATUS] = FULL
            return
        node = _next(nodes, entries, heads, state, True)
        if node < 0 and state[STATUS] == SOLVED:
            state[FOUND] = 0
            continue
        if node < 0:
            return
        known = expanded[node]
        expanded[node] = 1
        count = _boxes_before(keys[node], cell_of, boxes)
        _set_all(boxes, count, taken, 1)
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
                key[:] = keys[node]
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
                at = _slot(key, player, keys, players, slots)
                child = slots[at]
                if child < 0:
                    child = state[NODES]
                    state[NODES] += 1
                    slots[at] = child
                    keys[child], players[child] = key, player
                    rest = matched_behind(
                        moved, size, box, total, end, last, part, dist, cost, duals, least, steps, used
                    )
                    depths[child], rests[child] = depth, min(rest, FAR)
                    _wait(child, depth, rests[child], entries, heads, state)
                elif depths[child] > depth:
                    depths[child] = depth
                    _wait(child, depth, rests[child], entries, heads, state)
                if not known:
                    links[state[LINKS], 0], links[state[LINKS], 1] = node, child
                    links[state[LINKS], 2] = i < count
                    state[LINKS] += 1
        _set_all(boxes, count, taken, 0)
    state[STATUS] = WORKED


@njit(cache=True, nogil=True)
def matched_behind(boxes, count, player, total, end, last, part, dist, cost, duals, least, steps, used):
    """Return the cost of a cheapest matching of boxes, and of those that are still to come to `end`, to goals."""
    for i in range(total):
        for j in range(total):
            if i < count:
                cost[i, j] = dist[boxes[i], part[boxes[i], player], j]
            else:
                cost[i, j] = dist[end, part[end, last], j]
    return matched(cost, total, duals[0], duals[1], duals[2], least, steps, used)


@njit(cache=True, nogil=True)
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


@njit(cache=True, nogil=True)
def search(
    level, tables, work, triples, gathered, nodes, lasts, entries, slots, heads, state, count, whole, every, stride
):  # fmt: skip
    """Expand nodes in the order of their length; set state[STATUS].

    Return when about `stride` positions are generated, or a table is made.

    level    (near, out, into, goals, goal_at, live, cell_of)
    tables   the distances with frozen boxes as walls, see `walled`
    work     see `_make_pairs`
    triples  the sets of three boxes that can be brought to goals, see `solvable`; or empty
    gathered  see `_sides`
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
        node = _next(nodes, entries, heads, state, every)
        if node < 0:
            return
        depth = depths[node] + 1
        _boxes_of(keys[node], cell_of, boxes)
        table = walls_of(0, boxes, count, out, goal_at, fixed, short, tables, work) if whole else 0
        if table < 0:
            continue
        for i in range(count):
            _places(i, players[node], boxes, count, table, tables, places[i])
        _set_all(boxes, count, taken, 1)
        stamp += 1
        flood(near, taken, players[node], mark, stamp, queue)
        first = -1
        if whole and not every:
            first = _corral(
                near, out, taken, alive[table], goal_at, mark, stamp, label, rim, chosen, boxes, count, queue, allowed
            )
        _costs(table, players[node], boxes, count, tables, cost)
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
                _exchanged(keys[node], live[box], live[c], key)
                at = _slot(key, player, keys, players, slots)
                child = slots[at]
                if child >= 0:
                    if depths[child] > depth:
                        depths[child] = depth
                        _wait(child, depth, rests[child], entries, heads, state)
                    continue
                if len(triples) and deadlocked(c, box, moved, count, live, triples):
                    continue
                after = table
                if whole:
                    after = walls_of(table, moved, count, out, goal_at, fixed, short, tables, work)
                    if after < 0:
                        continue
                others, both = _sides(
                    box, near, moved, count, gathered, passed, third, 2 * (state[GENERATED] & 0x1FFFFFFF), queue, live,
                    inner,
                )  # fmt: skip
                if others >= FAR or both >= FAR:
                    continue
                if after == table:
                    row = dist[table, c, part[table, c, box]]
                    rest = _rest_after(i, row, cost, count, matching, other, way, least, used)
                    if rest < FAR:
                        kept[:] = places[i]
                        _places(i, box, moved, count, table, tables, places[i])
                        for j in range(count):
                            places[j, i] = places[i, j]
                        rest += _excess(
                            moved, box, count, table, tables, places, other, goal_of, listed, weights, used,
                            gathered[0], others,
                        )  # fmt: skip
                        for j in range(count):
                            places[j, i] = kept[j]
                        places[i] = kept
                else:
                    _costs(after, box, moved, count, tables, cost_after)
                    rest = matched(cost_after, count, other[0], other[1], other[2], way, least, used)
                    if rest < FAR:
                        for j in range(count):
                            _places(j, box, moved, count, after, tables, places_after[j])
                        rest += _excess(
                            moved, box, count, after, tables, places_after, other, goal_of, listed, weights, used,
                            gathered[0], others,
                        )  # fmt: skip
                child = state[NODES]
                state[NODES] += 1
                slots[at] = child
                keys[child], players[child], lasts[child] = key, player, c
                depths[child], rests[child] = depth, min(max(rest, both), FAR)
                _wait(child, depth, rests[child], entries, heads, state)
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
