"""Kernel on layers of peg positions in moves that are chains of jumps, below a bound from full regions.

A position is two words, for boards of up to 128 cells; of each symmetry class only the least one is kept. The bound is
the greatest number of disjoint full regions. It is looked up: the regions fall into groups that share no cell, and each
group has a table with the number for each set of full ones.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..bits import popcount
from ..loop import helper, loop
from .layers import first_slot

NUMBER, GENERATED, GOAL = range(3)
"""Places in `ChainLayer.state`: the positions so far, the moves made, the row of a goal or -1."""

DONE, FULL, LONG = 0, 1, 2
"""How a loop ended: DONE; FULL if the next layer has no more room; LONG if there is none for the moves of a peg."""


class ChainBoard(NamedTuple):
    """Jumps by the place of the peg, and what the bound needs. A place is a cell's bit; sets of places are two words.

    first    int64 [places + 1]: the jumps of place p are first[p] .. first[p + 1] - 1
    over, to, flip  uint64 [jumps, 2]: the place that it goes over, the one that it enters, all three
    target   int64 [jumps]: the place that it enters
    images   uint64 [chunks, 2048, symmetries, 2]: the image of 11 bits of a position under each symmetry
    begin    int64 [places + 1]: the regions with place p are beside[begin[p]] .. beside[begin[p + 1] - 1]
    beside   uint64 [n, 2]
    goals    uint64 [n, 2]: all with equal numbers of pegs
    variants int64 [n + 1]: goals differ in the regions that are full in them; variant v has the groups
             variants[v] .. variants[v + 1] - 1, and the bound is the least of all variants
    groups   int64 [groups + 1]: the regions of group g are groups[g] .. groups[g + 1] - 1
    regions  uint64 [n, 2]
    bases    int64 [groups]: where the table of a group begins
    table    uint8: the greatest number of disjoint regions of a set of them, one bit for each
    """

    first: np.ndarray
    over: np.ndarray
    to: np.ndarray
    flip: np.ndarray
    target: np.ndarray
    images: np.ndarray
    begin: np.ndarray
    beside: np.ndarray
    goals: np.ndarray
    variants: np.ndarray
    groups: np.ndarray
    regions: np.ndarray
    bases: np.ndarray
    table: np.ndarray


class ChainLayer(NamedTuple):
    """A layer that is being found: a hash table with open addressing, and its keys in the order of discovery.

    slots    int32 [a power of two]: the row of a key, or -1
    keys     uint64 [room, 2]
    parents  int32 [room]: the row of a parent in the layer before
    state    int64 [3], see NUMBER
    """

    slots: np.ndarray
    keys: np.ndarray
    parents: np.ndarray
    state: np.ndarray


class ChainMoves(NamedTuple):
    """The positions that the moves of one peg lead to, in a hash table.

    slots  int32 [a power of two], all -1 between two pegs
    words  uint64 [room, 2]
    ends   int64 [room]: the place of the peg
    """

    slots: np.ndarray
    words: np.ndarray
    ends: np.ndarray


@helper
def holds(sets, row, low, high):
    """Return whether a position has a peg in each place of a set."""
    return low & sets[row, 0] == sets[row, 0] and high & sets[row, 1] == sets[row, 1]


@helper
def touches(sets, row, low, high):
    """Return whether a position has a peg in any place of a set."""
    return (low & sets[row, 0] | high & sets[row, 1]) != 0


@helper
def key_slot(slots, keys, low, high):
    """Return the slot that holds a position, or the free slot for it."""
    mask = len(slots) - 1
    slot = first_slot(low ^ high * np.uint64(0xD6E8FEB86659FD93), mask)
    while slots[slot] >= 0 and (keys[slots[slot], 0] != low or keys[slots[slot], 1] != high):
        slot = (slot + 1) & mask
    return slot


@helper
def least_of_class(images, low, high):
    """Return the least image of a position."""
    if images.shape[2] == 1:
        return low, high
    best, top = ~np.uint64(0), ~np.uint64(0)
    for symmetry in range(images.shape[2]):
        one, other = np.uint64(0), np.uint64(0)
        for chunk in range(images.shape[0]):
            shift = np.uint64(11 * chunk)
            if shift < np.uint64(64):
                content = low >> shift
                if shift > np.uint64(53):
                    content |= high << (np.uint64(64) - shift)
            else:
                content = high >> (shift - np.uint64(64))
            at = np.int64(content & np.uint64(2047))
            one |= images[chunk, at, symmetry, 0]
            other |= images[chunk, at, symmetry, 1]
        if other < top or (other == top and one < best):
            best, top = one, other
    return best, top


@helper
def full_regions(board, low, high):
    """Return the greatest number of disjoint regions that are full and not full in a goal; the least of all goals."""
    least = np.int64(1 << 20)
    for variant in range(len(board.variants) - 1):
        total = np.int64(0)
        for group in range(board.variants[variant], board.variants[variant + 1]):
            full = np.int64(0)
            begin = board.groups[group]
            for number in range(begin, board.groups[group + 1]):
                full |= np.int64(holds(board.regions, number, low, high)) << (number - begin)
            total += np.int64(board.table[board.bases[group] + full])
        least = min(least, total)
    return least


@helper
def fills(board, low, high, place):
    """Return whether a region with this place is full."""
    found = False
    for number in range(board.begin[place], board.begin[place + 1]):
        found |= holds(board.beside, number, low, high)
    return found


@helper
def moves_of(board, low, high, place, moves):
    """Write the position itself and all that moves of the peg at a place lead to; return how many, -1: no room."""
    slots, words, ends = moves
    words[0, 0], words[0, 1], ends[0] = low, high, place
    slots[key_slot(slots, words, low, high)] = 0
    number, row = np.int64(1), np.int64(0)
    while row < number:
        here, there, at = words[row, 0], words[row, 1], ends[row]
        for jump in range(board.first[at], board.first[at + 1]):
            if touches(board.over, jump, here, there) and not touches(board.to, jump, here, there):
                one, other = here ^ board.flip[jump, 0], there ^ board.flip[jump, 1]
                slot = key_slot(slots, words, one, other)
                if slots[slot] < 0:
                    if number == len(words):
                        return np.int64(-1)
                    slots[slot] = number
                    words[number, 0], words[number, 1], ends[number] = one, other, board.target[jump]
                    number += 1
        row += 1
    return number


@helper
def forget(moves, number):
    """Empty the hash table of the moves of a peg; those entered last go first, so that the others are found."""
    for row in range(number - 1, -1, -1):
        moves.slots[key_slot(moves.slots, moves.words, moves.words[row, 0], moves.words[row, 1])] = -1


@helper
def is_in(goals, low, high):
    """Return whether a position is a goal."""
    found = False
    for row in range(len(goals)):
        found |= goals[row, 0] == low and goals[row, 1] == high
    return found


@helper
def enter_child(board, following, low, high, parent):
    """Add a position to the next layer, unless its class is there; return its row, -1 if there is no room."""
    low, high = least_of_class(board.images, low, high)
    slots, keys, parents, state = following
    slot = key_slot(slots, keys, low, high)
    if slots[slot] >= 0:
        return np.int64(slots[slot])
    number = state[NUMBER]
    if number == len(keys):
        return np.int64(-1)
    slots[slot], keys[number, 0], keys[number, 1], parents[number] = number, low, high, parent
    state[NUMBER] = number + 1
    return number


@helper
def enter_moves(board, following, moves, number, parent, left):
    """Add the positions after the moves of one peg from which at most `left` moves may be enough; return DONE or FULL.

    Without the peg, the regions that are full need at most `left` moves. They stay full, and a move can fill only
    regions where it ends. Stop at a goal.
    """
    pegs = popcount(board.goals[0, 0]) + popcount(board.goals[0, 1])
    for row in range(1, number):
        low, high = moves.words[row, 0], moves.words[row, 1]
        count = popcount(low) + popcount(high)
        met = count == pegs and is_in(board.goals, low, high)
        if not met:
            if left == 0 or count <= pegs:
                continue
            if fills(board, low, high, moves.ends[row]) and full_regions(board, low, high) > left:
                continue
        entered = enter_child(board, following, low, high, parent)
        if entered < 0:
            return FULL
        if met:
            following.state[GOAL] = entered
            break
    return DONE


@loop
def extend(board, keys, rows, left, following, moves):
    """Add all positions one move from keys[rows[0] : rows[1]] from which at most `left` moves may be enough.

    rows[0] is the row to go on with afterwards. Return DONE, FULL or LONG; stop at a goal.
    """
    for row in range(rows[0], rows[1]):
        rows[0] = row
        for place in range(len(board.first) - 1):
            bit = np.uint64(1) << np.uint64(place & 63)
            if not keys[row, place >> 6] & bit:
                continue
            low, high = keys[row, 0], keys[row, 1]
            others = full_regions(board, low ^ bit, high) if place < 64 else full_regions(board, low, high ^ bit)
            if others > left:
                continue
            number = moves_of(board, low, high, place, moves)
            if number < 0:
                return LONG
            following.state[GENERATED] += number - 1
            ended = enter_moves(board, following, moves, number, row, left)
            forget(moves, number)
            if ended != DONE or following.state[GOAL] >= 0:
                return ended
    rows[0] = rows[1]
    return DONE


@loop
def bound_at(board, low, high):
    """Return the bound of a position."""
    return full_regions(board, low, high)


@loop
def place_keys(slots, keys):
    """Enter keys into an empty hash table."""
    for row in range(len(keys)):
        slots[key_slot(slots, keys, keys[row, 0], keys[row, 1])] = row
