"""Search from both ends: moves forward and backward that lower bounds do not exclude.

A position is a row of words: as many pieces as fit each word, so many bits for each.
"""

import numpy as np

from ..loop import helper, loop
from .layers import AT, DONE, GENERATED, MIX, OUTPUT, SEEN, SIZE, STATUS, TABLE, WORKED, moved, stop_of

FAR = 255
"""The distance of a cell that is never reached."""


@helper
def _unpack(row, bits, cells):
    """Write the cells of a row of words."""
    low = (np.uint64(1) << np.uint64(bits)) - np.uint64(1)
    slot = 0
    for w in range(len(row)):
        word = row[w]
        for _ in range(min(63 // bits, len(cells) - slot)):
            cells[slot] = np.int64(word & low)
            word >>= np.uint64(bits)
            slot += 1


@helper
def _pack(cells, bits, row):
    """Write the row of words of some cells."""
    slot = 0
    for w in range(len(row)):
        word = np.uint64(0)
        for place in range(min(63 // bits, len(cells) - slot)):
            word |= np.uint64(cells[slot]) << np.uint64(bits * place)
            slot += 1
        row[w] = word


@helper
def _slot_of(rows, row):
    """Return the place of a row in the hash table: with it, or free. The first word of a row is stored plus one."""
    mixed = np.uint64(0)
    for w in range(len(row)):
        mixed = (mixed ^ row[w]) * MIX
        mixed ^= mixed >> np.uint64(32)
    last = np.uint64(len(rows) - 1)
    at = mixed & last
    while rows[at, 0]:
        same = rows[at, 0] == row[0] + np.uint64(1)
        for w in range(1, len(row)):
            same &= rows[at, w] == row[w]
        if same:
            break
        at = (at + np.uint64(1)) & last
    return at


@helper
def _enter(rows, row):
    """Put a row into the hash table; return whether it was not there."""
    at = _slot_of(rows, row)
    if rows[at, 0]:
        return False
    rows[at, 0] = row[0] + np.uint64(1)
    for w in range(1, len(row)):
        rows[at, w] = row[w]
    return True


@loop
def enter_all(layer, rows):
    """Put positions into the hash table."""
    for index in range(len(layer)):
        _enter(rows, layer[index])


@loop
def enlarge_rows(old, rows):
    """Put all positions of a hash table into a larger one. The old one is of no use afterwards."""
    for index in range(len(old)):
        if old[index, 0]:
            old[index, 0] -= np.uint64(1)
            _enter(rows, old[index])


@loop
def distances(begins, targets, counts, far, queue):
    """Write the fewest moves of a piece alone that may stop wherever another piece could stop it.

    begins   int64 [kind, cell + 1]: the tracks of each cell
    targets  int16 [track, stop]; counts int64 [track]: how many stops each has
    far      uint8 [kind, cell, cell], FAR before; a distance of FAR - 1 means: at least so many
    """
    for kind in range(far.shape[0]):
        for first in range(far.shape[1]):
            far[kind, first, first] = 0
            queue[0] = first
            count, at = 1, 0
            while at < count:
                cell = queue[at]
                at += 1
                for track in range(begins[kind, cell], begins[kind, cell + 1]):
                    for stop in range(counts[track]):
                        target = targets[track, stop]
                        if far[kind, first, target] == FAR:
                            far[kind, first, target] = min(far[kind, first, cell] + 1, FAR - 1)
                            queue[count] = target
                            count += 1


@helper
def _cost(row, first, end, cells, aims, far):
    """Return the least sum of distances from the pieces of a kind to their aims, or a bound of it.

    It is exact for up to three pieces; for more it is the greater one of two sums: each piece to its nearest aim, and
    each aim from its nearest piece.
    row  the row of the aims
    far  uint8 [cell, cell] of the kind: of a piece and an aim
    """
    if end - first == 1:
        return np.int64(far[cells[first], aims[row, first]])
    if end - first == 2:
        one = np.int64(far[cells[first], aims[row, first]]) + far[cells[first + 1], aims[row, first + 1]]
        other = np.int64(far[cells[first], aims[row, first + 1]]) + far[cells[first + 1], aims[row, first]]
        return min(one, other)
    if end - first == 3:
        best = np.int64(1 << 30)
        for k in range(3):
            one, other = first + (k + 1) % 3, first + (k + 2) % 3
            start = np.int64(far[cells[first], aims[row, first + k]])
            best = min(best, start + far[cells[first + 1], aims[row, one]] + far[cells[first + 2], aims[row, other]])
            best = min(best, start + far[cells[first + 1], aims[row, other]] + far[cells[first + 2], aims[row, one]])
        return best
    total, reverse = np.int64(0), np.int64(0)
    for i in range(first, end):
        nearest, least = np.int64(FAR), np.int64(FAR)
        for j in range(first, end):
            nearest = min(nearest, np.int64(far[cells[i], aims[row, j]]))
            least = min(least, np.int64(far[cells[j], aims[row, i]]))
        total += nearest
        reverse += least
    return max(total, reverse)


@helper
def _costs(cells, kinds, ends, aims, far, costs, totals):
    """Write for each row of aims the bound of each kind and their sum; return the least sum."""
    best = np.int64(1 << 30)
    for row in range(len(aims)):
        total, slot = np.int64(0), 0
        while slot < len(cells):
            costs[row, kinds[slot]] = _cost(row, slot, ends[slot, 1], cells, aims, far[kinds[slot]])
            total += costs[row, kinds[slot]]
            slot = ends[slot, 1]
        totals[row] = total
        best = min(best, total)
    return best


@loop
def least_moves(row, pieces, aims, far, costs, totals, cells):
    """Return a lower bound of the moves from a position to one of the rows of aims; at least FAR means: never."""
    bits, kinds, ends, _ = pieces
    _unpack(row, bits, cells)
    return _costs(cells, kinds, ends, aims, far, costs, totals)


@helper
def _within(after, slot, kinds, ends, aims, far, costs, totals, most):
    """Return whether a bound is at most `most` after a move of the piece of a slot.

    costs, totals  those before the move
    """
    kind, first = kinds[slot], ends[slot, 0]
    for row in range(len(aims)):
        rest = totals[row] - costs[row, kind]
        if rest <= most and rest + _cost(row, first, ends[slot, 1], after, aims, far[kind]) <= most:
            return True
    return False


@helper
def _end(forward, index, slot, cells, stops, free, targets, through, where):
    """Return where a move takes the piece of a slot, or whence it came if moves are taken back; -1 if there is none.

    index  the track, or the number of a track and its first cell in `origins`
    """
    track = index if forward else through[index]
    if not forward:
        for other in range(len(cells)):
            if cells[other] == where[index]:
                return np.int64(-1)
    code = stop_of(cells, slot, track, stops, free)
    if code & 1:
        return np.int64(-1)
    target = np.int64(targets[track, (code >> 1) - 1])
    if forward:
        return target
    return np.int64(where[index]) if target == cells[slot] else np.int64(-1)


@loop
def onward(forward, layer, out, pieces, tracks, origins, aims, far, most, rows, work, state, stride):
    """Write the new positions one move from those of a layer, or one move before them, that the bound allows.

    forward  whether moves are made; else they are taken back
    origins  as in `before`
    aims     int64 [row, slot]: positions that are to be reached, their cells in the order of a word
    far      uint8 [kind, cell, cell]: the distance of a piece and an aim
    most     the bound that positions are allowed
    rows     the hash table
    work     (cells, cells after a move, costs int64 [row, kind], totals int64 [row], pruned int64 [1]: how many
             positions the bound did not allow, a row)
    state    as in `expand`, which also says how this returns
    """
    bits, kinds, ends, _ = pieces
    begins, stops, free, targets = tracks
    before, through, where = origins
    cells, after, costs, totals, pruned, row = work
    until = state[GENERATED] + stride
    while True:
        if state[AT] == len(layer):
            state[STATUS] = DONE
            return
        if state[GENERATED] >= until:
            state[STATUS] = WORKED
            return
        _unpack(layer[state[AT]], bits, cells)
        count = 0
        lists = begins if forward else before
        for slot in range(len(cells)):
            count += lists[kinds[slot], cells[slot] + 1] - lists[kinds[slot], cells[slot]]
        if len(out) - state[SIZE] < count:
            state[STATUS] = OUTPUT
            return
        if 2 * (state[SEEN] + count) > len(rows):
            state[STATUS] = TABLE
            return
        state[AT] += 1
        _costs(cells, kinds, ends, aims, far, costs, totals)
        for slot in range(len(cells)):
            kind, here = kinds[slot], cells[slot]
            for index in range(lists[kind, here], lists[kind, here + 1]):
                target = _end(forward, index, slot, cells, stops, free, targets, through, where)
                if target < 0:
                    continue
                state[GENERATED] += 1
                moved(cells, slot, target, ends, after)
                if not _within(after, slot, kinds, ends, aims, far, costs, totals, most):
                    pruned[0] += 1
                    continue
                _pack(after, bits, row)
                if _enter(rows, row):
                    state[SEEN] += 1
                    for w in range(len(row)):
                        out[state[SIZE], w] = row[w]
                    state[SIZE] += 1


@loop
def rows_beside(forward, row, pieces, tracks, origins, work, out):
    """Write all positions one move from a position, or one move before it; return how many."""
    bits, kinds, ends, _ = pieces
    begins, stops, free, targets = tracks
    before, through, where = origins
    cells, after = work[0], work[1]
    lists = begins if forward else before
    _unpack(row, bits, cells)
    count = 0
    for slot in range(len(cells)):
        kind, here = kinds[slot], cells[slot]
        for index in range(lists[kind, here], lists[kind, here + 1]):
            target = _end(forward, index, slot, cells, stops, free, targets, through, where)
            if target >= 0:
                moved(cells, slot, target, ends, after)
                _pack(after, bits, out[count])
                count += 1
    return count


@loop
def known(layer, rows, out):
    """Write the positions of a layer that are in a hash table; return how many."""
    count = 0
    for index in range(len(layer)):
        if rows[_slot_of(rows, layer[index]), 0]:
            for w in range(layer.shape[1]):
                out[count, w] = layer[index, w]
            count += 1
    return count
