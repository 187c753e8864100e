"""Positions found: a hash table, and lists by length of those to expand.

The lists are (entries, heads, classes):

entries  (node int32 [m], depth int32 [m], next int32 [m], next of the class int32 [m], class int16 [m]): the nodes that
         wait; depth -1 if the node was taken by another list
heads    int32 [2, lengths]: the first entry of each length, -1 for none; positions that shut boxes out, see `class_of`,
         have lists of their own
classes  int32 [classes]: the first entry of each class with the current length, -1 for none; the second half is of
         positions that shut boxes out
"""

import numpy as np

from ..loop import helper, loop
from .floor import FAR

NODES, ENTRIES, FRONT, GENERATED, FOUND, STATUS, LINKS, TURN, CLASS, LONG, EXPANDED = range(11)
"""Fields of the state: nodes, entries of the lists, the current length, positions generated, whether a goal was taken
from the list, why the kernel returned, links of `gather`, nodes taken, the last class that was taken from, whether
a node was left out because its length has no list, and positions expanded."""

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
    entries, _, classes = lists
    half = len(classes) // 2
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
def _begin_length(lists, state):
    """Go to the next length that has entries, and sort them by class; return whether there is one."""
    entries, heads, classes = lists
    while state[FRONT] < heads.shape[1] and heads[0, state[FRONT]] < 0 and heads[1, state[FRONT]] < 0:
        state[FRONT] += 1
    if state[FRONT] == heads.shape[1]:
        return False
    _, _, next_of, later, class_of = entries
    for at in range(len(classes)):
        classes[at] = -1
    for shut in range(2):
        entry = heads[shut, state[FRONT]]
        while entry >= 0:
            later[entry] = classes[class_of[entry]]
            classes[class_of[entry]] = entry
            entry = next_of[entry]
    return True


@helper
def next_node(nodes, lists, state, every):
    """Return the next node to expand; -1, with state[STATUS] set, if there is none."""
    rests = nodes[3]
    entries, heads, _ = lists
    node_of, depth_of, next_of, _, _ = entries
    while True:
        shut = heads[0, state[FRONT]] < 0
        if shut and heads[1, state[FRONT]] < 0:
            if state[FOUND]:
                state[STATUS] = SOLVED
                return -1
            if not _begin_length(lists, state):
                state[STATUS] = EXHAUSTED
                state[FRONT] -= 1
                return -1
            continue
        state[TURN] += 1
        entry = np.int64(heads[np.int64(shut), state[FRONT]])
        other = -1
        if state[TURN] % DIVE == 0 and rests[node_of[entry]] > 0:
            other = _of_next_class(nodes, lists, state)
        if other >= 0:
            entry = other
        else:
            heads[np.int64(shut), state[FRONT]] = next_of[entry]
        if not _waits(entry, nodes, entries):
            continue  # reached by fewer pushes since, and expanded then, or taken elsewhere
        depth_of[entry] = -1
        node = node_of[entry]
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
    entries, heads, classes = lists
    node_of, depth_of, next_of, later, class_of = entries
    length = max(depth + rest, state[FRONT])
    if rest >= FAR:
        return
    if length >= heads.shape[1]:
        state[LONG] = 1
        return
    entry = state[ENTRIES]
    state[ENTRIES] += 1
    shut = np.int64(2 * kind >= len(classes))
    node_of[entry], depth_of[entry], next_of[entry], class_of[entry] = node, depth, heads[shut, length], kind
    heads[shut, length] = entry
    if length == state[FRONT]:
        later[entry] = classes[kind]
        classes[kind] = entry
