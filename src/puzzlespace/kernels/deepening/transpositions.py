"""Positions that a depth-first search has been at, in a table of fixed size: the least depth of each in this round.

table   uint64 [slots, words + 1]: the position, then round << 13 | depth << 1 | whether it leads to a goal; two slots
        stand together, the first for the position nearest the root, the second for any
state   see `state`; then the number of the round, and the bits of a hash that do not choose the slot
"""

from __future__ import annotations

import numpy as np

from ..loop import helper
from ..packed.expand_wide import hashw
from .state import OWN

NEW, SEEN, GOOD = 0, 1, 2

STAMP, SHIFT = OWN, OWN + 1

DEPTHS = 12
"""Bits of a depth."""


@helper
def same(table, slot, keys, row):
    """Return whether the slot holds the position of the row."""
    differs = False
    for word in range(table.shape[1] - 1):
        differs = differs or table[slot, word] != keys[row, word]
    return not differs


@helper
def pair_of(table, keys, row, state):
    """Return the first of the two slots of a position."""
    return np.int64(hashw(keys, row, table.shape[1] - 1) >> np.uint64(state[SHIFT])) & ~np.int64(1)


@helper
def enter(table, slot, keys, row, meta):
    """Write a position and what is known of it into a slot."""
    for word in range(table.shape[1] - 1):
        table[slot, word] = keys[row, word]
    table[slot, table.shape[1] - 1] = np.uint64(meta)


@helper
def visit(table, keys, row, depth, state):
    """Note that the row is at this depth; return SEEN or GOOD where it was at most so deep before in this round."""
    words = table.shape[1] - 1
    first = pair_of(table, keys, row, state)
    chosen = first + 1
    for slot in range(first, first + 2):
        meta = np.int64(table[slot, words])
        fresh = meta >> (DEPTHS + 1) == state[STAMP]
        before = meta >> 1 & ((1 << DEPTHS) - 1)
        if fresh and same(table, slot, keys, row):
            if before <= depth:
                return GOOD if meta & 1 and before == depth else SEEN
            chosen = slot
            break
        if slot == first and (not fresh or before > depth):
            chosen = first
    enter(table, chosen, keys, row, state[STAMP] << (DEPTHS + 1) | depth << 1)
    return NEW


@helper
def confirm(table, keys, row, depth, state):
    """Note that the row at this depth leads to a goal."""
    first = pair_of(table, keys, row, state)
    slot = first if same(table, first, keys, row) else first + 1
    enter(table, slot, keys, row, state[STAMP] << (DEPTHS + 1) | depth << 1 | 1)
