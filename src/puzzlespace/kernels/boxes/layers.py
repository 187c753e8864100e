"""All positions of pushed boxes, layer by layer. Pushes cannot be undone, so every position is kept."""

import numpy as np

from ..arrays import copy
from ..loop import helper, kernel
from .counted import MOVE, RUN
from .floor import boxes_of, exchanged, flood
from .nodes import slot_of

NEXT, NODES, GENERATED = range(3)
"""Fields of the state: the next node to expand, the number of nodes, positions generated."""

DONE, FULL, PAUSE = range(3)
"""Why `expand` returned: the layer is expanded, the arrays are nearly full, about `stride` positions are generated."""


@helper
def _end(near, taken, first, greatest, mark, stamp, queue):
    """Mark the free cells connected with `first` by `stamp`; return the least of them, or the greatest."""
    end, size = flood(near, taken, first, mark, stamp, queue)
    for at in range(size if greatest else 0):
        end = max(end, np.int64(queue[at]))
    return end


@helper
def _note(key, player, nodes, slots, state):
    """Append a position to the nodes unless it is there."""
    keys, players = nodes
    state[GENERATED] += 1
    at = slot_of(key, player, keys, players, slots)
    if slots[at] < 0:
        slots[at] = state[NODES]
        copy(keys[state[NODES]], key)
        players[state[NODES]] = player
        state[NODES] += 1


@kernel
def expand(counts, level, greatest, nodes, slots, state, room, last, stride):
    """Append what is one move away from the nodes state[NEXT] … last - 1 and was not found before; return why it ended.

    counts    PUSH, MOVE or RUN. In the metric `move` a node has the player's own cell, else a cell for all in reach
    level     (near int16 [cells, ways]: the neighbours of a cell, then -1; out int16 [cells, ways, 2]: for each push of
              a box in a cell the cell of the player and the one behind, then -1; onward int16 [cells, ways]: the way in
              the cell behind of the push that may follow at no cost, -1 for none)
    greatest  whether the greatest of the cells in reach stands for them, else the least
    nodes     (keys uint64 [n, words]: the cells of the boxes of each kind as bits, in stretches of whole words;
              players int16 [n])
    slots     int32 or int64: the hash table of the nodes, see `slot_of`
    room      more than the number of positions that one position leads to
    """
    near, out, onward = level
    keys, players = nodes
    cells, ways = len(near), out.shape[1]
    stretch = 64 * ((cells + 63) // 64)
    every = np.arange(64 * keys.shape[1])
    boxes = np.zeros(len(every), np.int64)
    taken, mark, second = np.zeros(cells, np.uint8), np.zeros(cells, np.int32), np.zeros(cells, np.int32)
    queue, key = np.zeros(cells, np.int16), np.zeros(keys.shape[1], np.uint64)
    until, stamp = state[GENERATED] + stride, 0
    while state[NEXT] < last:
        if state[GENERATED] >= until:
            return PAUSE
        if len(keys) - state[NODES] < room or 2 * (state[NODES] + room) > len(slots):
            return FULL
        node = state[NEXT]
        state[NEXT] += 1
        player = np.int64(players[node])
        count = boxes_of(keys[node], every, boxes)
        for bit in boxes[:count]:
            taken[bit % stretch] = 1
        stamp += 1
        if counts == MOVE:
            mark[player] = stamp
            for k in range(near.shape[1]):
                if near[player, k] >= 0 and not taken[near[player, k]]:
                    _note(keys[node], np.int64(near[player, k]), nodes, slots, state)
        else:
            flood(near, taken, player, mark, stamp, queue)
        for bit in boxes[:count]:
            box = bit % stretch
            taken[box] = 0
            for each in range(ways):
                if out[box, each, 0] < 0:
                    break
                if mark[out[box, each, 0]] != stamp:
                    continue
                here, way = box, np.int64(each)
                while way >= 0:
                    stand, here, way = here, np.int64(out[here, way, 1]), np.int64(onward[here, way])
                    if taken[here]:
                        break
                    end = stand
                    if counts != RUN:
                        way = np.int64(-1)
                    if counts != MOVE:
                        taken[here] = 1
                        end = np.int64(
                            _end(near, taken, stand, greatest, second, (state[GENERATED] & 0x3FFFFFFF) + 1, queue)
                        )
                        taken[here] = 0
                    exchanged(keys[node], bit, bit - box + here, key)
                    _note(key, end, nodes, slots, state)
            taken[box] = 1
        taken[:] = 0
    return DONE
