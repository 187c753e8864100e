"""A hash set of codes, each with a mark: its depth mod 3, as 1 to 3.

Open addressing with quotienting (Cleary 1984). A code of `bits` bits is mixed by a bijection. The high bits of the
mixed code are its home slot. An entry holds the low bits, the displacement from the home slot, and the mark; 0 is a
free slot. The set is exact: two codes never share an entry. An entry takes four bytes if that is enough.
"""

from __future__ import annotations

import numpy as np

from ..loop import inner, loop
from .moves import untagged

FIRST, SECOND = 0x9E3779B97F4A7C15, 0xD6E8FEB86659FD93
"""The odd factors of `mix`."""


@inner
def mix(code, bits):
    """Return the image of the code under a bijection of `bits`-bit words that spreads codes evenly."""
    mask = np.uint64(0xFFFFFFFFFFFFFFFF) >> np.uint64(64 - bits)
    code = code * np.uint64(FIRST) & mask
    code ^= code >> np.uint64((bits + 1) >> 1)
    return code * np.uint64(SECOND) & mask


@inner
def enter(table, mixed, form, mark):
    """Add a mixed code with its mark; return 1 if it is new, 0 if it is present, -1 if no free slot is near enough.

    form  int64 [3]: bits of a code, low bits of a mixed code that an entry holds, bits of the displacement
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
    """Return the mark of a mixed code, or 0 if the set does not contain it."""
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
    """Add codes with a mark; return whether all found a slot."""
    fits = True
    for index in range(len(layer)):
        fits = fits and enter(table, mix(layer[index], form[0]), form, mark) >= 0
    return fits


@loop
def rehash(old, form, new, other, left_out):
    """Copy the entries of a table to another of the form `other`; return how many, or -1 if one found no slot.

    left_out  entries with this mark are not copied
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
    """Write the codes of a layer that have that mark in the table to `out`, without tags; return how many."""
    written = 0
    places, form = table
    for row in range(len(layer)):
        if mark_of(places, mix(layer[row], form[0]), form) == mark:
            out[written] = untagged(board, layer[row])
            written += 1
    return written
