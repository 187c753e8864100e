"""All positions of a level in a hash table, numbered in the order in which they are found, with the moves between them.

A position is packed into the words of one row of `keys`: for each word of a cell that may change its code; the same of
the board that `restart` brings back, if checkpoints can change it, all 0 if the level is won; then one bit that says
whether the level is won. A code has a field for each layer of which something may change in the word: 0 if it has none
of these objects, else which one it has. Two positions are compared in full.

store  (keys, table, links, counts)
    keys    uint64 [room, words]
    table   uint64 [slots, more than there is room for]: half a hash, half a word with the number + 1; 0 is a free slot
    links   int32 [room, inputs]: the number of the position after each input, NONE if the input changes nothing
    counts  int64 [3]: positions found, moves found, positions whose moves were left out
form   (fixed, free, places, ends, fields, objects, sites)
    fixed    uint64 [slots]: the objects that never change: of the board, and of the one for `restart` if it is kept
    free     int64 [n]: the slots in which something may change
    places   int64 [slots + 1]: the first bit of each slot in a row of keys, and the one that says whether it is won
    ends     int64 [slots + 1]: the first field of each slot, and the end of all
    fields   uint64 [n, 4]: the objects of a field, its first bit in the code, its bits, its first one in `objects`
    objects  uint64 [n]: the objects of each field, in order
    sites    int32 [bits]: the slot of each bit of a row of keys
"""

import numpy as np

from ..bits import lowest, popcount
from ..loop import inner, loop
from .board import (
    LATEST,
    PARENT,
    PASSED,
    RESTART,
    TOUCHED,
    became_parent,
    changed_parent,
    loaded,
    reset,
    restored,
    slots_of,
    words_of,
)
from .lost import hopeless
from .turn import FULL, LONG, WON, condition_met, played

FOUND, MOVES, LEFT_OUT = range(3)
DONE, NO_ROOM, UNKNOWN = range(3)
"""Why moves end: all are made; positions may not find room; those of a position must be made in plain Python."""

NONE = -1
ONE, HALF, WORD = np.uint64(1), np.uint64(32), np.uint64(64)
LOW = np.uint64(0xFFFFFFFF)
ZERO = np.uint64(0)


@inner
def code_of(form, at, objects):
    """Return the code of the objects of a slot."""
    ends, fields, code = form[3], form[4], ZERO
    for field in range(ends[at], ends[at + 1]):
        here = objects & fields[field, 0]
        if here != ZERO:
            code |= (ONE + np.uint64(popcount(fields[field, 0] & (here - ONE)))) << fields[field, 1]
    return code


@inner
def decoded_slot(form, keys, row, at):
    """Return the objects of a slot in a row of keys."""
    places, ends, fields, objects = form[2], form[3], form[4], form[5]
    place = np.uint64(places[at])
    word, low = place >> np.uint64(6), place & np.uint64(63)
    code = keys[row, word] >> low
    if low + np.uint64(places[at + 1] - places[at]) > WORD:
        code |= keys[row, word + ONE] << (WORD - low)
    here = form[0][at]
    for field in range(ends[at], ends[at + 1]):
        number = code >> fields[field, 1] & fields[field, 2]
        if number != ZERO:
            here |= objects[fields[field, 3] + number - ONE]
    return here


@inner
def change_code(form, keys, row, at, before, after):
    """Change the objects of a slot in a row of keys."""
    places, code = form[2], code_of(form, at, before) ^ code_of(form, at, after)
    place = np.uint64(places[at])
    word, low = place >> np.uint64(6), place & np.uint64(63)
    keys[row, word] ^= code << low
    if low + np.uint64(places[at + 1] - places[at]) > WORD:
        keys[row, word + ONE] ^= code >> (WORD - low)


@inner
def packed(form, keys, row, board, won):
    """Write a board as a row of keys."""
    free = form[1]
    for word in range(keys.shape[1]):
        keys[row, word] = ZERO
    for number in range(len(free)):
        change_code(form, keys, row, free[number], ZERO, board[free[number]])
    if won:
        set_won(form, keys, row)


@inner
def set_won(form, keys, row):
    """Note in a row of keys that the level is won."""
    place = np.uint64(form[2][-1])
    keys[row, place >> np.uint64(6)] |= ONE << (place & np.uint64(63))


@inner
def unpacked(form, keys, row, board):
    """Write the board of a row of keys; return whether the level is won."""
    fixed, free = form[0], form[1]
    for at in range(np.uint64(len(fixed))):
        board[at] = fixed[at]
    for number in range(len(free)):
        board[free[number]] = decoded_slot(form, keys, row, free[number])
    return is_won(form, keys, row)


@inner
def is_won(form, keys, row):
    """Return whether the level is won in a row of keys."""
    place = np.uint64(form[2][-1])
    return keys[row, place >> np.uint64(6)] >> (place & np.uint64(63)) & ONE != ZERO


@inner
def moved_on(game, work, form, keys, before, row):
    """Make the board of a row of keys the parent instead of that of another row: only cells that differ are changed."""
    shape, cells, places, sites = game[18], work[0], form[2], form[6]
    restored(work, shape, PARENT)
    size = np.uint64(len(cells))
    for word in range(keys.shape[1]):
        bits = keys[row, word] ^ keys[before, word]
        while bits != ZERO:
            slot = np.uint64(sites[64 * word + lowest(bits)])
            end = places[slot + ONE] - 64 * word
            bits &= ~ZERO << np.uint64(end) if end < 64 else ZERO
            objects = decoded_slot(form, keys, row, slot)
            if slot < size:
                changed_parent(work, shape, slot, objects)
            else:
                work[11][RESTART, slot - size] = objects
    became_parent(work, game[17], game[20])


@inner
def half_hash(keys, row):
    """Return half a hash of a row of keys."""
    mixed = ZERO
    for word in range(keys.shape[1]):
        mixed = (mixed ^ keys[row, word]) * np.uint64(0x9E3779B97F4A7C15)
        mixed ^= mixed >> np.uint64(29)
    return mixed * np.uint64(0xD6E8FEB86659FD93) >> HALF


@inner
def home(tag, table):
    """Return the first slot for half a hash."""
    slots = np.uint64(len(table))
    return tag * slots >> HALF


@inner
def next_slot(at, table):
    """Return the slot after one; the first comes after the last."""
    at += ONE
    return at if at < np.uint64(len(table)) else ZERO


@inner
def numbered(keys, table, row):
    """Return the number of the position in a row of keys; it is entered as number `row` if it is new."""
    tag = half_hash(keys, row)
    at = home(tag, table)
    while True:
        entry = table[at]
        if entry == ZERO:
            table[at] = tag << HALF | np.uint64(row + 1)
            return row
        if entry >> HALF == tag:
            number, same = np.int64(entry & LOW) - 1, True
            for word in range(keys.shape[1]):
                if keys[number, word] != keys[row, word]:
                    same = False
                    break
            if same:
                return number
        at = next_slot(at, table)


@loop
def rehashed(old, first, end, table):
    """Enter some slots of a table into a larger one."""
    for slot in range(first, end):
        entry = old[slot]
        if entry != ZERO:
            at = home(entry >> HALF, table)
            while table[at] != ZERO:
                at = next_slot(at, table)
            table[at] = entry


@loop
def entered(form, store, boards, won, numbers):
    """Enter boards, for which there is room; write the number of each."""
    keys, table, counts = store[0], store[1], store[3]
    for at in range(len(boards)):
        row = counts[FOUND]
        packed(form, keys, row, boards[at], won[at])
        numbers[at] = numbered(keys, table, row)
        if numbers[at] == row:
            counts[FOUND] = row + 1


@loop
def entered_rows(store, rows):
    """Enter positions given as rows of keys, for which there is room."""
    keys, table, counts = store[0], store[1], store[3]
    for at in range(len(rows)):
        row = counts[FOUND]
        for word in range(keys.shape[1]):
            keys[row, word] = rows[at, word]
        if numbered(keys, table, row) == row:
            counts[FOUND] = row + 1


@loop
def decoded(form, store, numbers, boards, won):
    """Write the boards of some positions, and whether the level is won there."""
    for at in range(len(numbers)):
        won[at] = unpacked(form, store[0], numbers[at], boards[at])


@loop
def won_positions(form, store, first, end, out):
    """Write the numbers of the won positions from `first` to before `end`; return how many."""
    keys, place, total = store[0], form[2][-1], 0
    for number in range(first, end):
        if keys[number, place >> 6] >> np.uint64(place & 63) & ONE != ZERO:
            out[total] = number
            total += 1
    return total


@inner
def packed_after(form, work, shape, keys, parent, row, won):
    """Write the board of a turn as a row of keys, from that of its parent; return whether they differ."""
    cells, state, saved, fixed, words = work[0], work[5], work[11], form[0], words_of(work[18])
    for word in range(keys.shape[1]):
        keys[row, word] = keys[parent, word]
    left, differs = state[TOUCHED + 1], won
    while left != ZERO:
        first, end = slots_of(shape, words, lowest(left))
        left &= left - ONE
        for slot in range(first, end):
            if cells[slot] != saved[PARENT, slot]:
                differs = True
                change_code(form, keys, row, slot, saved[PARENT, slot], cells[slot])
    if len(fixed) > len(cells) and (won or state[PASSED] != ZERO):
        for slot in range(len(cells)):
            kept = len(cells) + slot
            after = fixed[kept] if won else saved[LATEST, slot]
            if after != saved[RESTART, slot]:
                differs = True
                change_code(form, keys, row, kept, saved[RESTART, slot], after)
    if won:
        set_won(form, keys, row)
    return differs


@loop
def extended(game, work, form, store, hopes, inputs, board, most, first, end):
    """Make the moves of positions from `first` to before `end`; return how far, and why (DONE, NO_ROOM, UNKNOWN).

    hopes  what `lost.hopeless` needs: moves of positions from which no win can be reached are left out
    """
    keys, table, links, counts = store
    shape = game[18]
    room = len(keys) - len(inputs)
    reset(work, shape)
    before = NONE
    for number in range(first, end):
        if counts[FOUND] > room:
            return number, NO_ROOM
        for each in range(len(inputs)):
            links[number, each] = NONE
        if is_won(form, keys, number):
            continue
        if before == NONE:
            unpacked(form, keys, number, board)
            loaded(work, shape, game[17], game[20], board)
        else:
            moved_on(game, work, form, keys, before, number)
        before, moves = number, 0
        if hopeless(hopes, work[0]):
            counts[LEFT_OUT] += 1
            continue
        for each in range(len(inputs)):
            ends = played(game, work, shape, inputs[each], most)
            if ends in (LONG, FULL):
                return number, UNKNOWN
            row = counts[FOUND]
            if packed_after(form, work, shape, keys, number, row, ends == WON):
                links[number, each] = numbered(keys, table, row)
                moves += 1
                if links[number, each] == row:
                    counts[FOUND] = row + 1
        counts[MOVES] += moves
    return end, DONE


@loop
def noted_conditions(game, work, form, store, board, first, end, met):
    """Note for each win condition whether any position from `first` to before `end` meets it."""
    shape = game[18]
    reset(work, shape)
    for number in range(first, end):
        unpacked(form, store[0], number, board)
        loaded(work, shape, game[17], game[20], board)
        for condition in range(len(met)):
            if not met[condition] and condition_met(game, work, shape, condition):
                met[condition] = True


@loop
def leading(links, wanted, first, end, out):
    """Write the numbers from `first` to before `end` from which a move leads to a wanted one; return how many.

    wanted  sorted numbers
    """
    total = 0
    for number in range(first, end):
        for each in range(links.shape[1]):
            there = links[number, each]
            if there == NONE:
                continue
            low, high = 0, len(wanted)
            while low < high:
                middle = low + high >> 1
                if wanted[middle] < there:
                    low = middle + 1
                else:
                    high = middle
            if low < len(wanted) and wanted[low] == there:
                out[total] = number
                total += 1
                break
    return total
