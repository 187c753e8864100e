"""Positions found: a hash table, and lists by length of those to expand."""

import numpy as np
from numba import njit

from .floor import FAR

NODES, ENTRIES, FRONT, GENERATED, FOUND, STATUS, LINKS, TURN, DRAW = range(9)
"""Fields of the state: nodes, entries of the lists, the current length, positions generated, whether a goal was taken
from the list, why the kernel returned, links of `gather`, nodes taken, and the last number drawn."""

DIVE, DRAWN = 512, 64
"""After so many nodes the search goes on elsewhere: at the best of so many entries drawn at random."""

WORKED, FULL, SOLVED, EXHAUSTED = range(4)
"""Why the search kernel returned: the stride is done, an array is full, a shortest solution is found, no more nodes."""


@njit(cache=True, nogil=True)
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


@njit(cache=True, nogil=True)
def rehash(keys, players, count, slots):
    """Enter all nodes into an empty hash table."""
    for node in range(count):
        slots[slot_of(keys[node], players[node], keys, players, slots)] = node


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
def next_node(nodes, entries, heads, state, every):
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
def put_off(node, depth, rest, entries, heads, state):
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
