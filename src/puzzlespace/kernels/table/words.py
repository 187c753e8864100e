"""One layer of a table of all orders of n pieces, for moves that permute the cells: two words for each head.

Cells 0 … 4 are the tail, the others the head. d[i] is the number of smaller pieces in cells 0 … i-1. A head is numbered
by the sum of d[i] * i! / 120 over its cells, the tail by the sum of d[i] * i!. So the 120 orders of the tail below one
head are bits 0 … 119 of two words, and bits with the same d[4] are 24 consecutive ones, a *chunk*.

A move within head and tail maps heads to heads, and permutes the bits of every head alike: a *turn*, of which each byte
is looked up. If one piece of the tail and one of the head are exchanged, let the other pieces of the head be given: six
pieces are left. The six heads before the move, one for each of them, then lead to six heads after it, chunk by chunk.

Single bits are moved by unranking and ranking (`push`, `pull`) where that takes less time.
"""

import numpy as np

from ..bits import atomic_or, lowest, popcount
from ..loop import inlined, kernel

TAIL = 5
"""The cells of the tail."""

U64 = np.uint64
CHUNK = U64(0xFFFFFF)
HIGH = U64((1 << 56) - 1)
"""The bits of the second word that are used."""


@kernel
def _take(left, number):
    """Return the piece of a set that has so many smaller ones in it."""
    for _ in range(number):
        left &= left - U64(1)
    return lowest(left)


@inlined
def _start(number, cells, digits):
    """Write the digits of a number: digit l has as many values as there are pieces but l, the first counts most."""
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
def _fill(level, digits, left, read, goes, pieces):
    """Put the piece of each digit from `level` on into the cell to which its cell goes; left[l]: pieces before that."""
    for each in range(max(0, level), len(digits)):
        piece = _take(left[each], digits[each])
        left[each + 1] = left[each] ^ U64(1) << U64(piece)
        pieces[goes[read[each]]] = piece


@inlined
def _number(low, units, pieces):
    """Return the sum of d[i] * units[i] over the cells from `low` on."""
    n = len(pieces)
    seen, found = (U64(1) << U64(n)) - U64(1), np.int64(0)
    for cell in range(n - 1, low - 1, -1):
        one = U64(1) << U64(pieces[cell])
        seen ^= one
        found += np.int64(popcount(seen & (one - U64(1)))) * units[cell]
    return found


@kernel
def group_targets(goes, hole, units, out, first, last):
    """Write the six heads that have given pieces in all head cells but one, for groups first … last - 1; return 0.

    A group is what the other head cells contain, read from the last cell to the first.
    goes   int64 [cells]: the cell to which the content of each cell goes; only those of the head cells read are used
    hole   (the head cell that is not read, the one that is not filled)
    units  int64 [cells]: i! / 120 for the head cells
    out    uint32 [group, index of the piece in the hole among the six pieces left]
    """
    n = len(goes)
    pieces, digits = np.zeros(n, np.int64), np.zeros(n - TAIL - 1, np.int64)
    read, left = np.zeros(n - TAIL - 1, np.int64), np.zeros(n - TAIL, np.uint64)
    for level in range(len(read)):
        read[level] = n - 1 - level if n - 1 - level > hole[0] else n - 2 - level
    left[0] = (U64(1) << U64(n)) - U64(1)
    _start(first, n, digits)
    level = 0
    for group in range(first, last):
        _fill(level, digits, left, read, goes, pieces)
        rest = left[len(read)]
        for index in range(6):
            pieces[hole[1]] = lowest(rest)
            rest &= rest - U64(1)
            out[group, index] = _number(TAIL, units, pieces)
        level = _next(digits, n)
    return 0


@kernel
def run_targets(goes, low, units, out, first, last):
    """Write to out[run] the run to which a move within the head takes each run of heads; return 0.

    goes   int64 [cells]: as above; the move changes no head cell below `low`
    units  int64 [cells]: i! / low! for the cells from `low` on
    """
    n = len(goes)
    pieces, digits = np.zeros(n, np.int64), np.zeros(n - low, np.int64)
    read, left = np.arange(n - 1, low - 1, -1), np.zeros(n - low + 1, np.uint64)
    left[0] = (U64(1) << U64(n)) - U64(1)
    _start(first, n, digits)
    level = 0
    for run in range(first, last):
        _fill(level, digits, left, read, goes, pieces)
        out[run] = _number(low, units, pieces)
        level = _next(digits, n)
    return 0


@inlined
def _turned(turn, low, high):
    """Return the two words after a turn: uint64 [byte, value, word]."""
    one, two = U64(0), U64(0)
    for byte in range(8):
        value = low >> U64(8 * byte) & U64(255)
        one |= turn[byte, value, 0]
        two |= turn[byte, value, 1]
    for byte in range(7):
        value = high >> U64(8 * byte) & U64(255)
        one |= turn[8 + byte, value, 0]
        two |= turn[8 + byte, value, 1]
    return one, two


@kernel
def move_heads(source, edge, kept, to, run, turn, first, last):
    """Move runs first … last - 1 of heads to the runs `to`, turned if there is a turn; return 0.

    source  (bits, mask): the bits that are moved are those that the mask has, too; an empty mask has all
    edge    where bits are added; may be empty
    kept    where bits replace others; may be empty
    run     heads in a run
    """
    source, mask = source
    adds, keeps, turns, masked = len(edge) > 0, len(kept) > 0, len(turn) > 0, len(mask) > 0
    words = U64(2 * run)
    for index in range(first, last):
        here, there = words * U64(index), words * U64(to[index])
        end = here + words
        if adds and not keeps and not turns and not masked:
            while here < end:
                edge[there] |= source[here]
                here += U64(1)
                there += U64(1)
        while here < end:
            low, high = source[here], source[here + U64(1)]
            if masked and low | high:
                low &= mask[here]
                high &= mask[here + U64(1)]
            if turns and low | high:
                low, high = _turned(turn, low, high)
            if adds:
                edge[there] |= low
                edge[there + U64(1)] |= high
            if keeps:
                kept[there] = low
                kept[there + U64(1)] = high
            here += U64(2)
            there += U64(2)
    return 0


@kernel
def exchange(source, edge, kept, heads, turns, first, last):
    """Exchange the piece of cell 4 and one of the head, for groups first … last - 1; return 0.

    source, edge, kept  as in `move_heads`
    heads  (uint32 [group, 6] from, to): the heads of each group; `from` is empty if they are consecutive
    turns  (before, after): turns of the tail, each may be empty
    """
    origin, to = heads
    before, after = turns
    source, mask = source
    adds, keeps, masked = len(edge) > 0, len(kept) > 0, len(mask) > 0
    chunks = np.zeros((6, 5), np.uint64)
    for group in range(first, last):
        some = U64(0)
        for x in range(6):
            here = 2 * (np.int64(origin[group, x]) if len(origin) else 6 * group + x)
            low, high = source[here], source[here + 1]
            if masked and low | high:
                low &= mask[here]
                high &= mask[here + 1]
            some |= low | high
            if len(before) and low | high:
                low, high = _turned(before, low, high)
            chunks[x, 0] = low & CHUNK
            chunks[x, 1] = low >> U64(24) & CHUNK
            chunks[x, 2] = (low >> U64(48) | high << U64(16)) & CHUNK
            chunks[x, 3] = high >> U64(8) & CHUNK
            chunks[x, 4] = high >> U64(32)
        for y in range(6):
            there = 2 * np.int64(to[group, y])
            low, high = U64(0), U64(0)
            if some:
                # In chunk k of the result, the k-th of the pieces other than y comes to cell 4.
                a = chunks[0, y - 1] if y > 0 else chunks[1, 0]
                b = chunks[1, y - 1] if y > 1 else chunks[2, y]
                c = chunks[2, y - 1] if y > 2 else chunks[3, y]
                d = chunks[3, y - 1] if y > 3 else chunks[4, y]
                e = chunks[4, y - 1] if y > 4 else chunks[5, y]
                low = a | b << U64(24) | c << U64(48)
                high = c >> U64(16) | d << U64(8) | e << U64(32)
                if len(after) and low | high:
                    low, high = _turned(after, low, high)
                if adds:
                    edge[there] |= low
                    edge[there + 1] |= high
            if keeps:
                kept[there] = low
                kept[there + 1] = high
    return 0


@inlined
def _order(head, units, pieces):
    """Write the pieces of the head cells, and those that are left to the tail cells, in ascending order."""
    n = len(pieces)
    left = (U64(1) << U64(n)) - U64(1)
    for cell in range(n - 1, TAIL - 1, -1):
        unit = units[cell] >> 7
        piece = _take(left, head // unit)
        head %= unit
        left ^= U64(1) << U64(piece)
        pieces[cell] = piece
    for cell in range(TAIL):
        pieces[cell] = lowest(left)
        left &= left - U64(1)


@inlined
def _bit(source, units, pieces):
    """Return the bit of the order in which each cell shows the piece of its source."""
    n = len(pieces)
    seen, target = (U64(1) << U64(n)) - U64(1), np.int64(0)
    for cell in range(n - 1, 0, -1):
        one = U64(1) << U64(pieces[source[cell]])
        seen ^= one
        target += np.int64(popcount(seen & (one - U64(1)))) * units[cell]
    return target


@kernel
def push(bits, moves, units, tails, alone, first, last):
    """Set in the edge all unseen orders one move from the layer's bits of some heads; return how many were generated.

    bits   (one, two, seen, edge): the layer is what the first two have, which are read in order; the edge may be `seen`
    moves  int64 [moves, cells]: the source of each cell
    units  int64 [cells]: what d[i] adds to the number of a bit
    tails  int64 [120, 5]: the order of the pieces of each tail, as indices of the tail's pieces in ascending order
    alone  whether no other thread adds to the edge at the same time
    """
    one, two, seen, edge = bits
    n = moves.shape[1]
    pieces, generated = np.zeros(n, np.int64), np.int64(0)
    for head in range(first, last):
        if one[2 * head] & two[2 * head] | one[2 * head + 1] & two[2 * head + 1]:
            _order(head, units, pieces)
            rest = pieces[:TAIL].copy()
            for half in range(2):
                word = one[2 * head + half] & two[2 * head + half]
                while word:
                    tail = 64 * half + lowest(word)
                    word &= word - U64(1)
                    for cell in range(TAIL):
                        pieces[cell] = rest[tails[tail, cell]]
                    for move in range(len(moves)):
                        target = _bit(moves[move], units, pieces)
                        bit = U64(1) << U64(target & 63) & ~seen[target >> 6]
                        if alone:
                            edge[target >> 6] |= bit
                        elif bit:
                            atomic_or(edge, target >> 6, bit)
                    generated += len(moves)
    return generated


@kernel
def pull(seen, edge, moves, units, tails, first, last):
    """Set in the edge the unseen bits of some heads that a move of a seen bit leads to; return how many were tried.

    moves  of the inverse moves; the others as in `push`
    """
    n = moves.shape[1]
    pieces, tried = np.zeros(n, np.int64), np.int64(0)
    for head in range(first, last):
        if ~seen[2 * head] | (~seen[2 * head + 1] & HIGH):
            _order(head, units, pieces)
            rest = pieces[:TAIL].copy()
            for half in range(2):
                word = ~seen[2 * head + half]
                if half:
                    word &= HIGH
                fresh = U64(0)
                while word:
                    low = lowest(word)
                    word &= word - U64(1)
                    for cell in range(TAIL):
                        pieces[cell] = rest[tails[64 * half + low, cell]]
                    for move in range(len(moves)):
                        tried += 1
                        origin = _bit(moves[move], units, pieces)
                        if seen[origin >> 6] >> U64(origin & 63) & U64(1):
                            fresh |= U64(1) << U64(low)
                            break
                if fresh:  # a word of a file that is not written takes no room
                    edge[2 * head + half] |= fresh
    return tried
