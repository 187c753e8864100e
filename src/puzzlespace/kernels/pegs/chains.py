"""Kernel on layers of peg positions in moves that are chains of jumps, below a bound from full regions.

One word is a position; of each symmetry class only the least one is kept (`layers.py` has the board). The bound is the
greatest number of disjoint full regions. It is looked up: the regions fall into groups that share no cell, and each
group has a table with the number for each set of full ones.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..bits import lowest, popcount
from ..loop import helper, loop
from .layers import find_images, slot_of

NUMBER, GENERATED, GOAL = range(3)
"""Places in `ChainLayer.state`: the positions so far, the moves made, the row of a goal or -1."""

DONE, FULL, LONG = 0, 1, 2
"""How a loop ended: DONE; FULL if the next layer has no more room; LONG if there is none for the moves of a peg."""


class ChainBoard(NamedTuple):
    """Jumps by the place of the peg, and what the bound needs.

    first    int64 [places + 1]: the jumps of place p are first[p] .. first[p + 1] - 1
    over, to uint64 [jumps]: the bit that a jump goes over, the bit that it enters
    target   int64 [jumps]: the place of the bit that it enters
    images   uint64 [chunks, 2048, symmetries], see `layers.PegBoard`
    begin    int64 [places + 1]: the regions with place p are beside[begin[p]] .. beside[begin[p + 1] - 1]
    beside   uint64 [n]: the bits of each of these regions
    goals    uint64 [n]: all with equal numbers of pegs
    variants int64 [n + 1]: goals differ in the regions that are full in them; variant v has the groups
             variants[v] .. variants[v + 1] - 1, and the bound is the least of all variants
    groups   int64 [groups + 1]: the regions of group g are groups[g] .. groups[g + 1] - 1
    regions  uint64 [n]: the bits of each region
    bases    int64 [groups]: where the table of a group begins
    table    uint8: the greatest number of disjoint regions of a set of them, one bit for each
    """

    first: np.ndarray
    over: np.ndarray
    to: np.ndarray
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
    keys     uint64 [room]
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
    words  uint64 [room]
    ends   int64 [room]: the place of the peg
    """

    slots: np.ndarray
    words: np.ndarray
    ends: np.ndarray


@helper
def full_regions(board, word):
    """Return the greatest number of disjoint regions that are full and not full in a goal; the least of all goals."""
    least = np.int64(1 << 20)
    for variant in range(len(board.variants) - 1):
        total = np.int64(0)
        for group in range(board.variants[variant], board.variants[variant + 1]):
            full = np.int64(0)
            begin = board.groups[group]
            for number in range(begin, board.groups[group + 1]):
                region = board.regions[number]
                full |= np.int64(word & region == region) << (number - begin)
            total += np.int64(board.table[board.bases[group] + full])
        least = min(least, total)
    return least


@helper
def fills(board, word, place):
    """Return whether a region with this place is full."""
    for number in range(board.begin[place], board.begin[place + 1]):
        if word & board.beside[number] == board.beside[number]:
            return True
    return False


@helper
def moves_of(board, word, place, moves):
    """Write the position itself and all that moves of the peg at a place lead to; return how many, -1: no room."""
    slots, words, ends = moves
    words[0], ends[0] = word, place
    slots[slot_of(slots, words, word)] = 0
    number, row = np.int64(1), np.int64(0)
    while row < number:
        here, at = words[row], ends[row]
        for jump in range(board.first[at], board.first[at + 1]):
            if here & board.over[jump] and not here & board.to[jump]:
                child = here ^ board.over[jump] ^ board.to[jump] ^ np.uint64(1) << np.uint64(at)
                slot = slot_of(slots, words, child)
                if slots[slot] < 0:
                    if number == len(words):
                        return np.int64(-1)
                    slots[slot] = number
                    words[number], ends[number] = child, board.target[jump]
                    number += 1
        row += 1
    return number


@helper
def forget(moves, number):
    """Empty the hash table of the moves of a peg; those entered last go first, so that the others are found."""
    for row in range(number - 1, -1, -1):
        moves.slots[slot_of(moves.slots, moves.words, moves.words[row])] = -1


@helper
def is_in(goals, word):
    """Return whether a position is a goal."""
    found = False
    for goal in goals:
        found |= goal == word
    return found


@helper
def enter_child(board, following, child, parent, scratch):
    """Add a position to the next layer, unless its class is there; return its row, -1 if there is no room."""
    if len(scratch) > 1:
        find_images(board.images, child, scratch)
        for image in scratch:
            child = min(child, image)
    slots, keys, parents, state = following
    slot = slot_of(slots, keys, child)
    if slots[slot] >= 0:
        return np.int64(slots[slot])
    number = state[NUMBER]
    if number == len(keys):
        return np.int64(-1)
    slots[slot], keys[number], parents[number] = number, child, parent
    state[NUMBER] = number + 1
    return number


@helper
def enter_moves(board, following, moves, number, parent, left, scratch):
    """Add the positions after the moves of one peg from which at most `left` moves may be enough; return DONE or FULL.

    Without the peg, the regions that are full need at most `left` moves. They stay full, and a move can fill only
    regions where it ends. Stop at a goal.
    """
    pegs = popcount(board.goals[0])
    for row in range(1, number):
        child = moves.words[row]
        count = popcount(child)
        met = count == pegs and is_in(board.goals, child)
        if not met:
            if left == 0 or count <= pegs:
                continue
            if fills(board, child, moves.ends[row]) and full_regions(board, child) > left:
                continue
        entered = enter_child(board, following, child, parent, scratch)
        if entered < 0:
            return FULL
        if met:
            following.state[GOAL] = entered
            break
    return DONE


@loop
def extend(board, keys, rows, left, following, moves, scratch):
    """Add all positions one move from keys[rows[0] : rows[1]] from which at most `left` moves may be enough.

    rows[0] is the row to go on with afterwards. Return DONE, FULL or LONG; stop at a goal.
    scratch  uint64 [symmetries]: working memory
    """
    for row in range(rows[0], rows[1]):
        rows[0] = row
        pegs = keys[row]
        while pegs:
            place = lowest(pegs)
            pegs &= pegs - np.uint64(1)
            if full_regions(board, keys[row] ^ np.uint64(1) << np.uint64(place)) > left:
                continue
            number = moves_of(board, keys[row], place, moves)
            if number < 0:
                return LONG
            following.state[GENERATED] += number - 1
            ended = enter_moves(board, following, moves, number, row, left, scratch)
            forget(moves, number)
            if ended != DONE or following.state[GOAL] >= 0:
                return ended
    rows[0] = rows[1]
    return DONE


@loop
def bound_at(board, word):
    """Return the bound of a position."""
    return full_regions(board, word)


@loop
def place_keys(slots, keys):
    """Enter keys into an empty hash table."""
    for row in range(len(keys)):
        slots[slot_of(slots, keys, keys[row])] = row
