"""One layer of a table of all orders of n pieces, for moves that permute the cells: two words for each head.

A position is the list of the cells q[0], …, q[n-1] of its pieces; a move replaces each cell by the one to which its
piece goes. d[i] is the number of smaller cells among q[0] … q[i-1], and the number of a position is the sum of
d[i] * i!. The first five pieces are the *tail*, and the cells of the others are the *head*: the 120 orders of the tail
below one head are bits 0 … 119 of two words; those with the same d[4] are 24 consecutive bits, a *chunk*. The 42 heads
with the same d[7] … d[n-1] are a *page*: seven cells are left to the first seven pieces.

A move leads from a page to a page. What it does within depends only on how it orders the seven cells that are left, its
*arrangement*: it leads each of the 42 heads to one, and permutes its bits, a *turn*. A turn leads each chunk to a
chunk, and permutes the bits of that in one of 24 ways, each of which is looked up a byte at a time. So all turns
together need a table that fits the fastest caches.

Where a layer has few positions, each is moved alone (`push`).
"""

import numpy as np

from ..bits import atomic_or, lowest, popcount
from ..loop import inlined, kernel

TAIL = 5
"""The pieces of the tail."""

FIRST = 7
"""The pieces whose cells differ within a page."""

ORDERS, HEADS = 120, 42
"""The orders of the tail, and the heads of a page."""

U64 = np.uint64
CHUNK = U64(2**24 - 1)
"""The bits of a chunk."""

ALL_LOW, ALL_HIGH = U64(2**64 - 1), U64(2**56 - 1)
"""The bits of the two words that are orders."""


@kernel
def _take(left, number):
    """Return the cell of a set that has so many smaller ones in it."""
    for _ in range(number):
        left &= left - U64(1)
    return lowest(left)


@inlined
def _start(number, cells, digits):
    """Write the digits of a number: digit l has as many values as there are cells but l, the first counts most."""
    for level in range(len(digits) - 1, -1, -1):
        digits[level] = number % (cells - level)
        number //= cells - level


@inlined
def _next(digits, cells):
    """Add one to a number; return the first digit that changes."""
    level = len(digits) - 1
    while level > 0 and digits[level] == cells - level - 1:
        digits[level] = 0
        level -= 1
    if level >= 0:
        digits[level] += 1
    return level


@inlined
def _chunk(turned, bits):
    return U64(turned[0, bits & U64(255)] | turned[1, bits >> U64(8) & U64(255)] | turned[2, bits >> U64(16)])


@inlined
def _turned(turn, within, chunks, low, high):
    """Return the two words after a turn; uint64 [5] `chunks` is written."""
    chunks[0] = low & CHUNK
    chunks[1] = low >> U64(24) & CHUNK
    chunks[2] = (low >> U64(48) | high << U64(16)) & CHUNK
    chunks[3] = high >> U64(8) & CHUNK
    chunks[4] = high >> U64(32)
    a = _chunk(within[turn[0, 1]], chunks[turn[0, 0]])
    b = _chunk(within[turn[1, 1]], chunks[turn[1, 0]])
    c = _chunk(within[turn[2, 1]], chunks[turn[2, 0]])
    d = _chunk(within[turn[3, 1]], chunks[turn[3, 0]])
    e = _chunk(within[turn[4, 1]], chunks[turn[4, 0]])
    return a | b << U64(24) | c << U64(48), c >> U64(16) | d << U64(8) | e << U64(32)


@inlined
def _list(fresh, word, listed):
    """Count the bits of a word, and list their indices if all before are listed and there is room."""
    count = popcount(fresh)
    if listed[0] == listed[1] and listed[1] + count <= len(listed) - 2:
        rest = fresh
        while rest:
            listed[2 + listed[1]] = 64 * word + lowest(rest)
            listed[1] += 1
            rest &= rest - U64(1)
    listed[0] += count


@kernel
def pull(sets, moves, arranged, tables, listed, first, last):
    """Set all unseen positions of some pages to which a move of a seen one leads; return how many heads it tried.

    sets      (seen, edge, masks): new positions are set in the edge
    masks     uint64 [parity, 2]: the bits of the heads with an even, an odd sum of their d[i] that may be set. If each
              move changes the parity of positions, and only those of one parity may be set, the edge may be `seen`
    moves     int64 [move, cell]: the cell from which a move brings the piece of each cell
    arranged  uint16 [move, set of seven cells]: the arrangement, if these are the cells that are left after the move
    tables    (heads, turns, within, units)
    heads     uint16 [arrangement, head]: in the low six bits the head before the move, above them the turn
    turns     int64 [turn, chunk, 2]: the chunk before the move, and how its bits are permuted; turn 0 changes nothing
    within    uint32 [permutation of a chunk, byte, value]: the bits that the bits of each byte become
    units     int64 [pieces]: i! / 7! for pieces from the seventh on
    listed    int64 [2 + n]: how many were set, how many of them are listed, and their bit indices; may be empty
    """
    seen, edge, masks = sets
    heads, turns, within, units = tables
    n = moves.shape[1]
    levels = n - FIRST
    cells, digits, left = np.zeros(levels, np.int64), np.zeros(levels, np.int64), np.zeros(levels + 1, np.uint64)
    found, open_heads, chunks = np.zeros(2 * HEADS, np.uint64), np.zeros(HEADS, np.int64), np.zeros(TAIL, np.uint64)
    left[0] = (U64(1) << U64(n)) - U64(1)
    _start(first, n, digits)
    level, tried = 0, np.int64(0)
    for page in range(first, last):
        for each in range(max(0, level), levels):
            cells[each] = _take(left[each], digits[each])
            left[each + 1] = left[each] ^ U64(1) << U64(cells[each])
        parity = digits.sum()
        level = _next(digits, n)
        here, count = 2 * HEADS * page, 0
        for head in range(HEADS):
            mask = masks[parity + head % 6 + head // 6 & 1]
            if mask[0] & ~seen[here + 2 * head] | mask[1] & ~seen[here + 2 * head + 1]:
                open_heads[count] = head
                count += 1
        if count == 0:
            continue
        found[:] = U64(0)
        for move in range(len(moves)):
            rest, there = left[0], np.int64(0)
            for each in range(levels):
                one = U64(1) << U64(moves[move, cells[each]])
                rest ^= one
                there += np.int64(popcount(rest & (one - U64(1)))) * units[n - 1 - each]
            before = heads[arranged[move, left[levels]]]
            for index in range(count):
                head = open_heads[index]
                at = 2 * (HEADS * there + np.int64(before[head] & 63))
                low, high = seen[at], seen[at + 1]
                if low | high:
                    turn = before[head] >> 6
                    if turn and (low != ALL_LOW or high != ALL_HIGH):
                        low, high = _turned(turns[turn], within, chunks, low, high)
                    found[2 * head] |= low
                    found[2 * head + 1] |= high
        for index in range(count):
            head = open_heads[index]
            mask = masks[parity + head % 6 + head // 6 & 1]
            for half in range(2):
                word = here + 2 * head + half
                fresh = found[2 * head + half] & mask[half] & ~seen[word]
                if fresh:  # a word of a file that is not written takes no room
                    edge[word] |= fresh
                    if len(listed):
                        _list(fresh, word, listed)
        tried += count * len(moves)
    return ORDERS * tried


@kernel
def push(bits, moves, units, tails, alone, first, last):
    """Set in the edge all unseen positions one move from the layer's in some heads; return how many were generated.

    bits   (one, two, seen, edge): the layer is what the first two have, which are read in order; the edge may be `seen`
    moves  int64 [move, cell]: the cell to which the piece of each cell goes
    units  int64 [cells]: what d[i] adds to the number of a bit
    tails  int64 [120, 5]: the order of the cells of each tail, as indices of the tail's cells in ascending order
    alone  whether no other thread adds to the edge at the same time
    """
    one, two, seen, edge = bits
    n = moves.shape[1]
    cells, generated = np.zeros(n, np.int64), np.int64(0)
    everywhere = (U64(1) << U64(n)) - U64(1)
    for head in range(first, last):
        if one[2 * head] & two[2 * head] | one[2 * head + 1] & two[2 * head + 1]:
            left, number = everywhere, head
            for piece in range(n - 1, TAIL - 1, -1):
                unit = units[piece] >> 7
                cells[piece] = _take(left, number // unit)
                number %= unit
                left ^= U64(1) << U64(cells[piece])
            for piece in range(TAIL):
                cells[piece] = lowest(left)
                left &= left - U64(1)
            rest = cells[:TAIL].copy()
            for half in range(2):
                word = one[2 * head + half] & two[2 * head + half]
                while word:
                    tail = 64 * half + lowest(word)
                    word &= word - U64(1)
                    for piece in range(TAIL):
                        cells[piece] = rest[tails[tail, piece]]
                    for move in range(len(moves)):
                        free, target = everywhere, np.int64(0)
                        for piece in range(n - 1, 0, -1):
                            cell = U64(1) << U64(moves[move, cells[piece]])
                            free ^= cell
                            target += np.int64(popcount(free & (cell - U64(1)))) * units[piece]
                        bit = U64(1) << U64(target & 63) & ~seen[target >> 6]
                        if alone:
                            edge[target >> 6] |= bit
                        elif bit:
                            atomic_or(edge, target >> 6, bit)
                    generated += len(moves)
    return generated
