"""Positions found: a hash table, and lists by length of those to expand.

The lists are (entries, heads, shelves):

entries  (node int32 [m], depth int32 [m], next int32 [m], next of the shelf int32 [m], class int16 [m]): the nodes that
         wait; depth -1 if the node was taken by another list
heads    int32 [2, lengths]: the first entry of each length, -1 for none; positions that shut boxes out, see `class_of`,
         have lists of their own. The current length has none while it is swept
shelves  int32 [depths, classes]: the first entry of each depth and class with the current length while it is swept, -1
         for none; before, the first row has those of each class, whatever their depth. The second half of the classes
         is of positions that shut boxes out
"""

import numpy as np

from ..loop import helper, loop
from .floor import FAR

(
    NODES, ENTRIES, FRONT, GENERATED, FOUND, STATUS, LINKS, TURN, CLASS, LONG, EXPANDED, DIVES, NARROW, WIDTH,
    DEPTH, TAKEN, SWEPT, FIELDS,
) = range(18)  # fmt: skip
"""Fields of the state: nodes, entries of the lists, the current length, positions generated, whether a goal was taken
from the list, why the kernel returned, links of `gather`, nodes taken of the current length, the last class that was
taken from, whether a node was left out because its length has no list, positions expanded;
after how many nodes of a length it is swept, and how many nodes of each depth the first sweep takes; of the sweep how
many it takes (0: none began), the depth, how many of it were taken, and of all; and the number of fields."""

DIVE, SHUT = 64, 4
"""After so many nodes the search goes on in the next class; one time of so many, with one that shuts boxes out."""

WORKED, FULL, SOLVED, EXHAUSTED = range(4)
"""Why the search kernel returned: the stride is done, an array is full, a shortest solution is found, no more nodes."""


@loop
def slot_of(key, player, keys, players, slots):
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


@loop
def rehash(keys, players, count, slots):
    """Enter all nodes into an empty hash table."""
    for node in range(count):
        slots[slot_of(keys[node], np.int64(players[node]), keys, players, slots)] = node


@helper
def _waits(entry, nodes, entries):
    """Return whether the node of an entry is still to be expanded, at this depth."""
    return entries[1][entry] == nodes[2][entries[0][entry]]


@helper
def _of_next_class(nodes, lists, state):
    """Return the entry that waits, of the next class that has one; -1 for none."""
    entries, _, shelves = lists
    half, classes = shelves.shape[1] // 2, shelves[0]
    shut = state[TURN] // DIVE % SHUT == 0
    for _ in range(2):
        for _ in range(half):
            state[CLASS] = (state[CLASS] + 1) % half
            at = state[CLASS] + half * shut
            while classes[at] >= 0:
                entry = np.int64(classes[at])
                classes[at] = entries[3][entry]
                if _waits(entry, nodes, entries):
                    return entry
        shut = not shut
    return -1


@helper
def _shelve(lists, state, swept):
    """Put the entries of the current length on the shelves of their classes, or of their depths and classes."""
    entries, heads, shelves = lists
    _, depth_of, next_of, later, class_of = entries
    shelves[: state[FRONT] + 1 if swept else 1] = -1
    for shut in range(2):
        entry = heads[shut, state[FRONT]]
        while entry >= 0:
            depth = max(depth_of[entry], 0) if swept else 0
            later[entry] = shelves[depth, class_of[entry]]
            shelves[depth, class_of[entry]] = entry
            entry = next_of[entry]
        if swept:
            heads[shut, state[FRONT]] = -1


@helper
def _begin_length(lists, state):
    """Go to the next length that has entries, and sort them by class; return whether there is one."""
    heads = lists[1]
    while state[FRONT] < heads.shape[1] and heads[0, state[FRONT]] < 0 and heads[1, state[FRONT]] < 0:
        state[FRONT] += 1
    if state[FRONT] == heads.shape[1]:
        return False
    state[WIDTH] = state[TURN] = 0
    _shelve(lists, state, False)
    return True


@helper
def _next_swept(nodes, lists, state):
    """Return the next entry of a sweep: of each depth in turn at most so many as the sweep is wide; -1 if none waits.

    Classes take turns within a depth. The next sweep is twice as wide. One that finds nothing is the last.
    """
    entries, _, shelves = lists
    classes = shelves.shape[1]
    while True:
        if state[TAKEN] < state[WIDTH]:
            for _ in range(classes):
                state[CLASS] = (state[CLASS] or classes) - 1
                while shelves[state[DEPTH], state[CLASS]] >= 0:
                    entry = np.int64(shelves[state[DEPTH], state[CLASS]])
                    shelves[state[DEPTH], state[CLASS]] = entries[3][entry]
                    if _waits(entry, nodes, entries):
                        state[TAKEN] += 1
                        state[SWEPT] += 1
                        return entry
        state[TAKEN] = 0
        state[DEPTH] += 1
        if state[DEPTH] > state[FRONT]:
            if not state[SWEPT]:
                return -1
            state[DEPTH] = state[SWEPT] = 0
            state[WIDTH] *= 2


@helper
def _next_dived(nodes, lists, state):
    """Return the newest entry of the current length, which has one, or every DIVE times that of the next class."""
    rests = nodes[3]
    entries, heads, _ = lists
    shut = np.int64(heads[0, state[FRONT]] < 0)
    entry = np.int64(heads[shut, state[FRONT]])
    state[TURN] += 1
    if state[TURN] % DIVE == 0 and rests[entries[0][entry]] > 0:
        other = _of_next_class(nodes, lists, state)
        if other >= 0:
            return other
    heads[shut, state[FRONT]] = entries[2][entry]
    return entry


@helper
def next_node(nodes, lists, state, every):
    """Return the next node to expand; -1, with state[STATUS] set, if there is none, or no room for sweeps."""
    rests = nodes[3]
    entries, heads, shelves = lists
    while True:
        if state[WIDTH]:
            entry = _next_swept(nodes, lists, state)
            if entry < 0:
                state[WIDTH] = 0
                continue
        elif heads[0, state[FRONT]] < 0 and heads[1, state[FRONT]] < 0:
            if state[FOUND]:
                state[STATUS] = SOLVED
                return -1
            if not _begin_length(lists, state):
                state[STATUS] = EXHAUSTED
                state[FRONT] -= 1
                return -1
            continue
        elif state[TURN] >= state[DIVES] and not every:
            if len(shelves) <= state[FRONT]:
                state[STATUS] = FULL
                return -1
            _shelve(lists, state, True)
            state[WIDTH], state[DEPTH], state[TAKEN], state[SWEPT] = state[NARROW], 0, 0, 0
            continue
        else:
            entry = _next_dived(nodes, lists, state)
        if not _waits(entry, nodes, entries):
            continue  # reached by fewer pushes since, and expanded then, or taken elsewhere
        entries[1][entry] = -1
        node = entries[0][entry]
        if rests[node] > 0:
            state[EXPANDED] += 1
            return node
        state[FOUND] = 1
        if not every:
            state[STATUS] = SOLVED
            return -1


@helper
def put_off(node, depth, rest, kind, lists, state):
    """Put a node into the list of its length, unless no goal can be reached from it.

    kind  its class
    All smaller lengths are done, so a length that seems less than the current one is at least that.
    """
    entries, heads, shelves = lists
    node_of, depth_of, next_of, later, class_of = entries
    length = max(depth + rest, state[FRONT])
    if rest >= FAR:
        return
    if length >= heads.shape[1]:
        state[LONG] = 1
        return
    entry = state[ENTRIES]
    state[ENTRIES] += 1
    node_of[entry], depth_of[entry], class_of[entry] = node, depth, kind
    swept = length == state[FRONT] and state[WIDTH] > 0
    if not swept:
        shut = np.int64(2 * kind >= shelves.shape[1])
        next_of[entry] = heads[shut, length]
        heads[shut, length] = entry
    if length == state[FRONT]:
        row = depth if swept else 0
        later[entry] = shelves[row, kind]
        shelves[row, kind] = entry
