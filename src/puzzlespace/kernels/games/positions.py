"""All positions of a level in a hash table, numbered in the order in which they are found, with the moves between them.

A position is packed into the words of one row of `keys`: for each cell that may change the bits of the objects that may
change, then one bit that says whether the level is won. Two positions are compared in full.

store  (keys, table, links, counts)
    keys    uint64 [room, words]
    table   uint64 [slots, a power of two]: half a hash and half a word with the number + 1; 0 is a free slot
    links   int32 [room, inputs]: the number of the position after each input, NONE if the input changes nothing
    counts  int64 [2]: positions found, moves found
form   (fixed, runs, mask, numbers, places)
    fixed    uint64 [cells]: the objects that never change
    runs     uint64 [n, 3]: runs of neighbouring bits that may change: the first, how many are before, the run's bits
    mask     uint64 [1]: all bits that may change
    numbers  int64 [2]: how many these are, and the bits of all cells
    places   int64 [cells]: the first bit of each cell in a row of keys, or NONE if nothing may change there
"""

import numpy as np

from ..bits import gathered, lowest
from ..loop import inner, kernel, loop
from .board import HEIGHT, PARENT, TOUCHED, WIDTH, lines_of, loaded, reset
from .turn import FULL, LONG, WON, condition_met, played

FOUND, MOVES = range(2)
DONE, NO_ROOM, UNKNOWN = range(3)
"""Why moves end: all are made; positions may not find room; those of a position must be made in plain Python."""

NONE = -1
ONE, HALF, WORD = np.uint64(1), np.uint64(32), np.uint64(64)
LOW = np.uint64(0xFFFFFFFF)
ZERO = np.uint64(0)


@inner
def packed(form, keys, row, board, size, won):
    """Write a board as a row of keys."""
    mask, bits, places = form[2][0], np.uint64(form[3][0]), form[4]
    for word in range(keys.shape[1]):
        keys[row, word] = ZERO
    for at in range(size):
        if places[at] == NONE:
            continue
        code, place = gathered(board[at], mask), np.uint64(places[at])
        word, low = place >> np.uint64(6), place & np.uint64(63)
        keys[row, word] |= code << low
        if low + bits > WORD:
            keys[row, word + ONE] |= code >> (WORD - low)
    if won:
        place = np.uint64(form[3][1])
        keys[row, place >> np.uint64(6)] |= ONE << (place & np.uint64(63))


@inner
def unpacked(form, keys, row, board, size):
    """Write the board of a row of keys; return whether the level is won."""
    fixed, runs, bits, places = form[0], form[1], np.uint64(form[3][0]), form[4]
    full = (ONE << bits) - ONE if bits < WORD else ~ZERO
    for at in range(size):
        if places[at] == NONE:
            board[at] = fixed[at]
            continue
        place = np.uint64(places[at])
        word, low = place >> np.uint64(6), place & np.uint64(63)
        code = keys[row, word] >> low
        if low + bits > WORD:
            code |= keys[row, word + ONE] << (WORD - low)
        code &= full
        here = fixed[at]
        for run in range(len(runs)):
            here |= (code >> runs[run, 1] & runs[run, 2]) << runs[run, 0]
        board[at] = here
    place = np.uint64(form[3][1])
    return keys[row, place >> np.uint64(6)] >> (place & np.uint64(63)) & ONE != ZERO


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
def numbered(keys, table, row):
    """Return the number of the position in a row of keys; it is entered as number `row` if it is new."""
    tag, last = half_hash(keys, row), np.uint64(len(table) - 1)
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
        at = at + ONE & last


@loop
def rehashed(old, first, end, table):
    """Enter some slots of a table into a larger one."""
    last = np.uint64(len(table) - 1)
    for slot in range(first, end):
        entry = old[slot]
        if entry != ZERO:
            at = home(entry >> HALF, table)
            while table[at] != ZERO:
                at = at + ONE & last
            table[at] = entry


@loop
def entered(form, store, boards, won, numbers):
    """Enter boards, for which there is room; write the number of each."""
    keys, table, counts = store[0], store[1], store[3]
    for at in range(len(boards)):
        row = counts[FOUND]
        packed(form, keys, row, boards[at], boards.shape[1], won[at])
        numbers[at] = numbered(keys, table, row)
        if numbers[at] == row:
            counts[FOUND] = row + 1


@loop
def decoded(form, store, numbers, boards, won):
    """Write the boards of some positions, and whether the level is won there."""
    for at in range(len(numbers)):
        won[at] = unpacked(form, store[0], numbers[at], boards[at], boards.shape[1])


@loop
def won_positions(form, store, first, end, out):
    """Write the numbers of the won positions from `first` to before `end`; return how many."""
    keys, place, total = store[0], form[3][1], 0
    for number in range(first, end):
        if keys[number, place >> 6] >> np.uint64(place & 63) & ONE != ZERO:
            out[total] = number
            total += 1
    return total


@inner
def packed_after(form, work, shape, keys, parent, row, won):
    """Write the board of a turn as a row of keys, from that of its parent; return whether they differ."""
    cells, state, saved = work[0], work[5], work[11]
    mask, bits, height, places = form[2][0], np.uint64(form[3][0]), shape[HEIGHT], form[4]
    for word in range(keys.shape[1]):
        keys[row, word] = keys[parent, word]
    left, differs = state[TOUCHED + 1], won
    while left != ZERO:
        first, end = lines_of(shape, 1, lowest(left))
        left &= left - ONE
        for at in range(first * height, end * height):
            if cells[at] != saved[PARENT, at]:
                differs = True
                code, place = gathered(cells[at] ^ saved[PARENT, at], mask), np.uint64(places[at])
                word, low = place >> np.uint64(6), place & np.uint64(63)
                keys[row, word] ^= code << low
                if low + bits > WORD:
                    keys[row, word + ONE] ^= code >> (WORD - low)
    if won:
        place = np.uint64(form[3][1])
        keys[row, place >> np.uint64(6)] |= ONE << (place & np.uint64(63))
    return differs


@kernel
def extended(game, work, form, store, restart, inputs, most, first, end):
    """Make the moves of positions from `first` to before `end`; return how far, and why (DONE, NO_ROOM, UNKNOWN)."""
    keys, table, links, counts = store
    shape = game[18]
    size = shape[WIDTH] * shape[HEIGHT]
    board = np.empty(size, np.uint64)
    room = min(len(keys), len(table) // 4 * 3) - len(inputs)
    reset(work, shape)
    for number in range(first, end):
        if counts[FOUND] > room:
            return number, NO_ROOM
        for each in range(len(inputs)):
            links[number, each] = NONE
        if unpacked(form, keys, number, board, size):
            continue
        loaded(work, shape, game[17], game[20], board)
        moves = 0
        for each in range(len(inputs)):
            ends = played(game, work, shape, restart, inputs[each], most)
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


@kernel
def noted_conditions(game, work, form, store, first, end, met):
    """Note for each win condition whether any position from `first` to before `end` meets it."""
    shape = game[18]
    board = np.empty(shape[WIDTH] * shape[HEIGHT], np.uint64)
    reset(work, shape)
    for number in range(first, end):
        unpacked(form, store[0], number, board, len(board))
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
