"""Few pieces on many cells, one word a position; the piece in whose way the others are is looked up by their cells.

A word has the cells of the pieces, so many bits for each, ascending among pieces that are alike. A *track* begins at a
cell. Its row of `stops` has a code for each other cell of the board: the least code of all other pieces decides. An
even code 2 * (k + 1) ends the move in the k-th target of the track, an odd one forbids it.

Positions seen are bits, by their rank among all placements, or words + 1 in a hash table.
"""

import numpy as np

from ..loop import helper, loop
from ..prefetch import prefetch

AT, SIZE, GENERATED, SEEN, STATUS = range(5)
"""Fields of the state: the next position to expand, words written, positions generated and seen, the status."""

EXPANDING, DONE, OUTPUT, TABLE, WORKED, MET = range(6)
"""Status: all are expanded, the output or the hash table is full, the stride is over, a goal was found."""

BATCH = 64
"""Positions that wait until their bits are in the cache."""

MIX = np.uint64(0x9E3779B97F4A7C15)


@helper
def unpack(word, bits, cells):
    """Write the cells of a word."""
    low = (np.uint64(1) << np.uint64(bits)) - np.uint64(1)
    for slot in range(len(cells)):
        cells[slot] = np.int64(word >> np.uint64(bits * slot) & low)


@helper
def moved(cells, slot, target, ends, out):
    """Write the cells after a piece moved to `target`, ascending among pieces that are alike.

    ends  (first, end) of the slots of pieces that are alike, for each slot
    """
    first, end = ends[slot, 0], ends[slot, 1]
    for other in range(len(cells)):
        out[other] = cells[other]
    at = slot
    while at + 1 < end and out[at + 1] < target:
        out[at] = out[at + 1]
        at += 1
    while at > first and out[at - 1] > target:
        out[at] = out[at - 1]
        at -= 1
    out[at] = target


@helper
def pack(cells, bits):
    """Return the word of some cells."""
    word = np.uint64(0)
    for slot in range(len(cells)):
        word |= np.uint64(cells[slot]) << np.uint64(bits * slot)
    return word


@helper
def stop_of(cells, slot, track, stops, free):
    """Return the code of a track for a piece."""
    code = np.int64(free[track])
    for other in range(len(cells)):
        if other != slot:
            code = min(code, np.int64(stops[track, cells[other]]))
    return code


@helper
def enter(words, word):
    """Put a word into the hash table; return whether it was not there."""
    mixed = word * MIX
    last = np.uint64(len(words) - 1)
    at = (mixed ^ mixed >> np.uint64(32)) & last
    while words[at]:
        if words[at] == word + np.uint64(1):
            return False
        at = (at + np.uint64(1)) & last
    words[at] = word + np.uint64(1)
    return True


@loop
def enlarge(old, words):
    """Put all words of a hash table into a larger one."""
    for index in range(len(old)):
        if old[index]:
            enter(words, old[index] - np.uint64(1))


@helper
def _meets(cells, goals, kinds):
    """Return whether a position is a goal.

    goals  [goal, kind, cell]: 0: no such piece may be there; 2: the goal wants a piece there; else 1. The last kind has
           the number of cells where the goal wants pieces
    """
    for goal in range(len(goals)):
        wanted = np.int64(goals[goal, goals.shape[1] - 1, 0])
        for slot in range(len(cells)):
            here = np.int64(goals[goal, kinds[slot], cells[slot]])
            if here == 0:
                wanted = -1
                break
            wanted -= here - 1
        if wanted == 0:
            return True
    return False


@helper
def _rank(cells, ranks):
    """Return the rank of a placement among all placements."""
    rank = np.int64(0)
    for slot in range(len(cells)):
        rank += ranks[slot, cells[slot]]
    return rank


@helper
def _is_new(word, rank, seen, words, state):
    """Mark a position as seen; return whether it was not."""
    if len(words):
        if not enter(words, word):
            return False
    else:
        bit = np.uint64(1) << np.uint64(rank & 63)
        if seen[rank >> 6] & bit:
            return False
        seen[rank >> 6] |= bit
    state[SEEN] += 1
    return True


@loop
def note(layer, bits, ranks, seen, words, cells, state):
    """Mark positions as seen, and keep only those that were not, at the front of the layer; return how many."""
    kept = 0
    for index in range(len(layer)):
        unpack(layer[index], bits, cells)
        if _is_new(layer[index], _rank(cells, ranks), seen, words, state):
            layer[kept] = layer[index]
            kept += 1
    return kept


@helper
def _keep(count, coming, coming_ranks, out, seen, words, state, goals, kinds, bits, cells):
    """Write those of `count` positions that were not seen; return whether the last one written is a goal."""
    for index in range(count):
        if _is_new(coming[index], coming_ranks[index], seen, words, state):
            out[state[SIZE]] = coming[index]
            state[SIZE] += 1
            if len(goals):
                unpack(coming[index], bits, cells)
                if _meets(cells, goals, kinds):
                    return True
    return False


@loop
def expand(layer, out, pieces, tracks, goals, seen, words, scratch, state, stride):
    """Write the new positions one move from those of a layer, until a limit of the state or `stride` is reached.

    layer    words
    pieces   (bits, kinds [slot], ends [slot, 2], ranks [slot, cell])
    tracks   (begins [kind, cell + 1], stops [track, cell], free [track], targets [track, stop])
    goals    as in `_meets`: after one of them is written, nothing else is
    seen     uint64 bits by rank, or empty
    words    the hash table, or empty
    scratch  (cells, cells after a move, words, ranks): positions wait until BATCH are there, and their bits come into
             the cache
    """
    bits, kinds, ends, ranks = pieces
    begins, stops, free, targets = tracks
    cells, after, coming, coming_ranks = scratch
    until = state[GENERATED] + stride
    count = 0
    while True:
        status, most = EXPANDING, 0
        if state[AT] == len(layer):
            status = DONE
        elif state[GENERATED] >= until:
            status = WORKED
        else:
            unpack(layer[state[AT]], bits, cells)
            for slot in range(len(cells)):
                most += begins[kinds[slot], cells[slot] + 1] - begins[kinds[slot], cells[slot]]
            if len(out) - state[SIZE] < count + most:
                status = OUTPUT
            elif len(words) and 2 * (state[SEEN] + count + most) > len(words):
                status = TABLE
        if status != EXPANDING or count >= BATCH:
            if _keep(count, coming, coming_ranks, out, seen, words, state, goals, kinds, bits, after):
                state[STATUS] = MET
                return
            count = 0
        if status != EXPANDING:
            state[STATUS] = status
            return
        state[AT] += 1
        for slot in range(len(cells)):
            kind = kinds[slot]
            for track in range(begins[kind, cells[slot]], begins[kind, cells[slot] + 1]):
                code = stop_of(cells, slot, track, stops, free)
                if code & 1:
                    continue
                moved(cells, slot, np.int64(targets[track, (code >> 1) - 1]), ends, after)
                coming[count] = pack(after, bits)
                if len(seen):
                    coming_ranks[count] = _rank(after, ranks)
                    prefetch(seen, coming_ranks[count] >> 6)
                count += 1
                state[GENERATED] += 1


@loop
def arrive(layer, bits, kinds, cells, depth, left, words, depths):
    """Note the first positions with a piece of each kind in each cell; return how many are missing.

    left    how many were missing
    words   uint64 [kind, cell]: written with `depths`
    depths  int32 [kind, cell]: the depth of the first position; -1 while it is missing, -2 if it is not wanted
    """
    for index in range(len(layer)):
        if left == 0:
            break
        unpack(layer[index], bits, cells)
        for slot in range(len(cells)):
            if depths[kinds[slot], cells[slot]] == -1:
                depths[kinds[slot], cells[slot]] = depth
                words[kinds[slot], cells[slot]] = layer[index]
                left -= 1
    return left


@loop
def goals_among(layer, bits, kinds, goals, cells, out):
    """Write the words of goals to `out`; return how many."""
    count = 0
    for index in range(len(layer)):
        unpack(layer[index], bits, cells)
        if _meets(cells, goals, kinds):
            out[count] = layer[index]
            count += 1
    return count


@loop
def before(word, pieces, tracks, origins, scratch, out):
    """Write the words of all positions from which a move leads to a position; return how many.

    origins  (begins [kind, cell + 1], track): the tracks with a stop in each cell, and ...
             where they begin
    """
    bits, kinds, ends, _ = pieces
    _, stops, free, targets = tracks
    begins, through, where = origins
    cells, earlier, _, _ = scratch
    unpack(word, bits, cells)
    count = 0
    for slot in range(len(cells)):
        target, kind = cells[slot], kinds[slot]
        for index in range(begins[kind, target], begins[kind, target + 1]):
            track, origin = through[index], where[index]
            taken = False
            for other in range(len(cells)):
                taken |= cells[other] == origin
            if taken:
                continue
            code = stop_of(cells, slot, track, stops, free)
            if not code & 1 and targets[track, (code >> 1) - 1] == target:
                moved(cells, slot, np.int64(origin), ends, earlier)
                out[count] = pack(earlier, bits)
                count += 1
    return count


@loop
def among(layer, wanted, out):
    """Write the words of a layer that are in a sorted array; return how many."""
    count = 0
    for index in range(len(layer)):
        word = layer[index]
        low, high = 0, len(wanted)
        while low < high:
            middle = (low + high) >> 1
            if wanted[middle] < word:
                low = middle + 1
            else:
                high = middle
        if low < len(wanted) and wanted[low] == word:
            out[count] = word
            count += 1
    return count
