"""The set of codes found in compiled loops, each with its depth mod 3.

The set is open addressing that keeps no more of a code than its place in the table does not tell (quotienting, Cleary
1984): a code of `bits` bits is mixed one to one, its high bits are the place where it belongs, and an entry holds the
low bits, how far from that place it stands, and the depth mod 3 (1 to 3; an entry 0 is free). So no code is lost or
taken for another, and an entry takes four bytes where that is enough.
"""

from __future__ import annotations

import numpy as np

from ..loop import inner, loop
from .moves import untagged


@inner
def mix(code, bits):
    """Return the code mixed one to one within its `bits` bits."""
    mask = np.uint64(0xFFFFFFFFFFFFFFFF) >> np.uint64(64 - bits)
    code = code * np.uint64(0x9E3779B97F4A7C15) & mask
    code ^= code >> np.uint64((bits + 1) >> 1)
    return code * np.uint64(0xD6E8FEB86659FD93) & mask


@inner
def enter(table, mixed, form, mark):
    """Enter a mixed code with its mark; return 1 where it is new, 0 where it was there, -1 where no place is near.

    form  int64: bits of a code, low bits kept of a mixed one, bits that say how far an entry stands from its place
    """
    low = np.uint64(form[1])
    at = mixed >> low
    step = np.uint64(4)
    wanted = (mixed & ((np.uint64(1) << low) - np.uint64(1))) << np.uint64(form[2] + 2)
    for _ in range(np.int64(1) << form[2]):
        entry = np.uint64(table[at])
        if entry == np.uint64(0):
            table[at] = wanted | np.uint64(mark)
            return 1
        if entry ^ wanted < step:
            return 0
        at += np.uint64(1)
        wanted += step
    return -1


@inner
def mark_of(table, mixed, form):
    """Return the mark of a mixed code, 0 where it is not there."""
    low = np.uint64(form[1])
    at = mixed >> low
    wanted = (mixed & ((np.uint64(1) << low) - np.uint64(1))) << np.uint64(form[2] + 2)
    for _ in range(np.int64(1) << form[2]):
        entry = np.uint64(table[at])
        if entry == np.uint64(0):
            return 0
        if entry ^ wanted < np.uint64(4):
            return np.int64(entry & np.uint64(3))
        at += np.uint64(1)
        wanted += np.uint64(4)
    return 0


@loop
def enter_all(table, form, layer, mark):
    """Enter codes with a mark; return whether all found a place."""
    fits = True
    for index in range(len(layer)):
        fits = fits and enter(table, mix(layer[index], form[0]), form, mark) >= 0
    return fits


@loop
def rehash(old, form, new, other, left_out):
    """Enter all but one mark of a table into another of the form `other`; return how many, or -1.

    left_out  the mark; -1 is returned where an entry finds no place near
    """
    far = (np.uint64(1) << np.uint64(form[2])) - np.uint64(1)
    entered = 0
    for at in range(len(old)):
        entry = np.uint64(old[at])
        mark = np.int64(entry & np.uint64(3))
        if mark and mark != left_out:
            off = np.int64(entry >> np.uint64(2) & far)
            low = entry >> np.uint64(form[2] + 2)
            mixed = np.uint64(at - off) << np.uint64(form[1]) | low
            if enter(new, mixed, other, mark) < 0:
                return -1
            entered += 1
    return entered


@loop
def among(board, table, layer, mark, out):
    """Write the codes of a layer that the table holds with that mark to `out`, without tags; return how many."""
    written = 0
    places, form = table
    for row in range(len(layer)):
        if mark_of(places, mix(layer[row], form[0]), form) == mark:
            out[written] = untagged(board, layer[row])
            written += 1
    return written
