"""Lower bounds of packed positions, from sums that a search updates with each move.

plan = (code, facts). Both are concatenations of several arrays, because each argument of a kernel costs time.
code    uint64: the rules as in `expand`; then a record for each goal; then for each rule the bits of the cells that it
        reads or writes, and the lowest bits of the cells between the two ends of its piece's move
facts   int64: a head, see below; then the parts whose offsets are in the head:
        RULES   for each offset in `code` where a record begins, the offset here of its rule: word and shift of the cell
                that the piece leaves, the offset of its bits in `code`, and for each symbol what the rule adds to the
                sum over pieces, what it adds to the number of a view, and which view that is (-1: none)
        VIEWS   for each view the offset here of its first slot, and slots - 1 (one less than a power of 2); a slot is
                the number of an arrangement (-1: empty), its cost for an even and for an odd matching
        CELLS   for each packed cell its word and shift, and the moves that each symbol needs alone from there; read
                only if a move carries several pieces
        GOALS   the offsets of the goals in `code`
rows = (keys, sums)
keys    uint64 [rows, 2 * words]: a position, and the bits of the cells of the move that led there
sums    int64 [rows, 4 + views]: sum over pieces, parity of the matching, followers, bound, number of each view
"""

from __future__ import annotations

import numpy as np

from ..bits import popcount
from ..loop import helper, loop
from ..packed.expand_wide import testsw

TOTAL, ODD, THEN, BOUND, VIEW = 0, 1, 2, 3, 4

JOINT, PARITY, SYMBOLS, RULES, FREE, VIEWS, VIEW_COUNT, CELLS, CELL_COUNT, GOALS, GOAL_COUNT = range(11)
"""The head of `facts`: pieces that one move can carry (0: any number), whether the parity of matchings is carried, the
symbols that a field can hold, whether rules may follow others at no cost, then places and counts."""

HEAD = 11

ENDLESS = 1 << 20
"""Sentinel: no goal can be reached."""


@loop
def carry(plan, rows, source, end, rule):
    """Fill the sums of row `end`, which the rule at facts[rule] made of the row `source`."""
    code, facts = plan
    keys, sums = rows
    field = (np.uint64(1) << code[0]) - np.uint64(1)
    symbol = np.int64(keys[source, facts[rule]] >> np.uint64(facts[rule + 1]) & field)
    for column in range(sums.shape[1]):
        sums[end, column] = sums[source, column]
    gain = rule + 3 + 3 * symbol
    sums[end, TOTAL] += facts[gain]
    view = facts[gain + 2]
    if view >= 0:
        sums[end, VIEW + view] += facts[gain + 1]
        if facts[PARITY]:
            words = np.int64(code[2])
            for word in range(words):
                lows = code[facts[rule + 2] + words + word]
                sums[end, ODD] ^= alike(code, keys[source, word], word, symbol, lows) & np.int64(1)


@helper
def alike(code, key, word, symbol, lows):
    """Return how many cells show the symbol, of those whose lowest bits are set in `lows`."""
    everywhere = code[3 + np.int64(code[1]) * np.int64(code[2]) + word]
    differs = key ^ everywhere * np.uint64(symbol)
    folded = differs
    for shift in range(1, np.int64(code[0])):
        folded |= differs >> np.uint64(shift)
    return np.int64(popcount(~folded & lows))


@helper
def stored(facts, view, number):
    """Return the slot of an arrangement, or -1 if no goal can be reached from it."""
    first, mask = facts[facts[VIEWS] + 2 * view], facts[facts[VIEWS] + 2 * view + 1]
    at = number & mask
    while facts[first + 3 * at] != number:
        if facts[first + 3 * at] < 0:
            return np.int64(-1)
        at = (at + 1) & mask
    return first + 3 * at


@helper
def of_views(facts, sums, row):
    """Return the bound of a row from its sum and its views."""
    even, odd = sums[row, TOTAL], np.int64(ENDLESS)
    for view in range(facts[VIEW_COUNT]):
        slot = stored(facts, view, sums[row, VIEW + view])
        if slot < 0:
            return np.int64(ENDLESS)
        a, b = facts[slot + 1], facts[slot + 2]
        even, odd = min(even + a, odd + b), min(even + b, odd + a)
    if not facts[PARITY]:
        return min(even, odd)
    return min(odd, np.int64(ENDLESS)) if sums[row, ODD] else even


@loop
def bound_of(plan, rows, row):
    """Return a lower bound on the moves from a row to a goal."""
    facts = plan[1]
    keys, sums = rows
    if facts[VIEW_COUNT]:
        return of_views(facts, sums, row)
    joint, total = facts[JOINT], sums[row, TOTAL]
    if joint == 1:
        return total
    if joint == 0:
        return min(total, np.int64(1))
    return max((total + joint - 1) // joint, most_of(plan, keys, row))


@helper
def most_of(plan, keys, row):
    """Return the most moves that one piece of the row needs alone."""
    code, facts = plan
    field = (np.uint64(1) << code[0]) - np.uint64(1)
    most, at = np.int64(0), facts[CELLS]
    for _ in range(facts[CELL_COUNT]):
        symbol = np.int64(keys[row, facts[at]] >> np.uint64(facts[at + 1]) & field)
        most = max(most, facts[at + 2 + symbol])
        at += 2 + facts[SYMBOLS]
    return most


@helper
def is_goal(plan, keys, row):
    """Return whether the row meets one of the goals."""
    code, facts = plan
    for goal in range(facts[GOALS], facts[GOALS] + facts[GOAL_COUNT]):
        if testsw(code, facts[goal], keys, row) >= 0:
            return True
    return False
