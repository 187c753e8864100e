"""A transposition table of fixed size: the least depth in this round of positions that a search has visited.

table   uint64 [slots, words + 1]: the position, then round << 13 | depth << 1 | whether it leads to a goal; two slots
        form a bucket, the first for the position nearest the root, the second for the last one
state   see `state`; then the number of the round, and how far a hash is shifted to select a slot
"""

from __future__ import annotations

import numpy as np

from ..loop import helper
from ..packed.expand_wide import hashw
from .state import OWN

NEW, SEEN, GOOD = 0, 1, 2
"""The results of `visit`: first visit at so little depth, visited before, and known to lead to a goal."""

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
    """Write a position and its last word into a slot."""
    for word in range(table.shape[1] - 1):
        table[slot, word] = keys[row, word]
    table[slot, table.shape[1] - 1] = np.uint64(meta)


@helper
def visit(table, keys, row, depth, state):
    """Record a row at this depth; return NEW, or SEEN or GOOD if this round has visited it at no greater depth."""
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
    """Record that the row at this depth leads to a goal."""
    first = pair_of(table, keys, row, state)
    slot = first if same(table, first, keys, row) else first + 1
    enter(table, slot, keys, row, state[STAMP] << (DEPTHS + 1) | depth << 1 | 1)
