"""Kernels for coset tables that tell places of more parts, see `heuristics.finer_cosets`.

An entry of the coset table is a pair of a row and a value, see `cosets`; it is divided by the places of more parts. The
entry of a row, a value and a place is (row * values + value) * places + place. Its code has two bits: one of the names
below. Codes only gain bits while a layer is found, so threads can set them at the same time.

bits    uint64: the codes of `CODES` entries in each word
form    int64: the shift, how many places there are, the rows from and to which are worked on
steps   as in `cosets`; then moved uint16 [symmetries, moves, places]: the place after a move, and then a symmetry
others  uint16 [symmetries, places]: what symmetries make of places

finer = (bits; number int32 [codes]: the place of each code; others;
         steps uint16 [moves, places]: the place after a move;
         codes int64 [2, views, members, states]: parts of the codes of the places in each view, of the position and of
         the inverse position; members int64: the pieces that are asked;
         idle int64 [views]: as in `idastar_cosets`, for the entries of this table;
         form int64: how many places there are, the depth of `LATEST`, and the least moves left for which entries are
         read)
"""

from __future__ import annotations

import numpy as np

from ..bits import atomic_or, lowest, popcount
from ..loop import inner, loop
from ..prefetch import prefetch

CODES = 32
"""The entries of a word."""

UNKNOWN, EARLIER, LATEST, NEXT = range(4)
"""Not reached yet; reached before the last layer; in the last layer; in the next one, which is being found."""

ODD = np.uint64(0x5555_5555_5555_5555)

LINE = 8
"""The words of a cache line."""


@inner
def set_bits(bits, entry, code):
    """Set bits of the code of an entry; other threads may do so at the same time."""
    atomic_or(bits, entry >> 5, np.uint64(code) << np.uint64(2 * (entry & 31)))


@inner
def code_of(bits, entry):
    """Return the code of an entry."""
    return np.int64(bits[entry >> 5] >> np.uint64(2 * (entry & 31)) & np.uint64(3))


@inner
def reach(bits, entry):
    """Put an entry in the next layer if it is not known yet; return whether it was not."""
    new = code_of(bits, entry) == UNKNOWN
    if new:
        set_bits(bits, entry, NEXT)
    return new


@loop
def spread(bits, first, own, kept, steps, conjugates, others, found, form):
    """Find the entries beside those of the last layer in some rows.

    found  uint16 [2, entries of a row]: scratch
    """
    places, turned, joined, moved = steps
    shift, count, turns, width = form[0], form[1], turned.shape[1], conjugates.shape[1]
    values, states = found[0], found[1]
    for row in range(form[2], form[3]):
        begin, end = row * width * count, (row + 1) * width * count
        here, value, after = 0, 0, begin + count
        for word in range(begin >> 5, (end + CODES - 1) >> 5):
            latest = bits[word] >> np.uint64(1) & ~bits[word] & ODD
            while latest != np.uint64(0):
                entry = CODES * word + (np.int64(lowest(latest)) >> 1)
                latest &= latest - np.uint64(1)
                if begin <= entry < end:
                    while entry >= after:
                        after += count
                        value += 1
                    values[here], states[here] = value, entry - after + count
                    here += 1
        if here == 0:
            continue
        place, turn = first[row] // turns, first[row] % turns
        for move in range(places.shape[0]):
            to = np.int64(own[np.int64(places[move, place]) * turns + turned[move, turn]])
            symmetry, start = to & ((1 << shift) - 1), (to >> shift) * width * count
            if here * LINE > width * count >> 5:
                for word in range(start >> 5, (start + width * count) >> 5, LINE):
                    prefetch(bits, word)
            several = kept[to >> shift] != np.uint64(1)
            for index in range(here):
                value_there = np.int64(joined[symmetry, move, values[index]])
                there = np.int64(moved[symmetry, move, states[index]])
                if reach(bits, start + value_there * count + there) and several:
                    for same in range(1, conjugates.shape[0]):
                        if kept[to >> shift] >> np.uint64(same) & np.uint64(1):
                            image = np.int64(conjugates[same, value_there]) * count + others[same, there]
                            reach(bits, start + image)


@loop
def count_next(bits, span):
    """Return how many entries are in the next layer, in some words."""
    total = 0
    for word in range(span[0], span[1]):
        total += popcount(bits[word] >> np.uint64(1) & bits[word] & ODD)
    return total


@loop
def advance(bits, span):
    """Make the next layer the last one, in some words."""
    for word in range(span[0], span[1]):
        high, low = bits[word] >> np.uint64(1) & ODD, bits[word] & ODD
        bits[word] = (high & low) << np.uint64(1) | (high ^ low)


@inner
def find_places(finer, across, states, marks):
    """Write the places of a position, or of its inverse, in each view; marks: uint16 [views, 4]."""
    number, codes, members = finer[1], finer[4], finer[5]
    for view in range(marks.shape[0]):
        code = np.int64(0)
        for member in range(members.shape[0]):
            code += codes[across, view, member, states[members[member]]]
        marks[view, 3] = number[code]


@inner
def least_of(finer, entry):
    """Return the least depth that an entry may have: 0 if its code is `EARLIER`."""
    code = code_of(finer[0], entry)
    return 0 if code == EARLIER else finer[7][1] + (2 if code == UNKNOWN else code - LATEST)


@loop
def look_up(finer, entries, out):
    """Write the least depths that some entries may have; entries, out: int64 [sides, views]."""
    for side in range(out.shape[0]):
        for view in range(out.shape[1]):
            out[side, view] = least_of(finer, entries[side, view])
