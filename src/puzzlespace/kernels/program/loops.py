"""Breadth-first layers of a rule program: any rules as flat arrays, positions in a few words each, found by hashing.

A position is `WIDTH` words. All positions found are in `words`, in the order of their distance, so a layer is a range
of numbers. A slot of the hash table has the upper half of a hash and the number of a position plus one, or 0. If a
position is one word below 2 to the power of 63, it may have the whole hash instead: words with equal hashes are equal,
and none has the hash 0. Then a position is looked up in one place of the memory, not in two, but has no number there.

`sets` begins with the sets of the rules that may follow another one: in the same move, or from a position that it has
found, for which `came` has the number of the set. The first one has all rules. Then come, for each span of tested cells
and for all that these may show, the rules that do not exclude it. The intersection of those of a position are the rules
that apply, whatever their number. At last come, for rules that always change the same bits, these bits.

The same source becomes machine code and, for browsers, WebAssembly: it makes no arrays and never asks for their length.
"""

import numpy as np

from ..bits import lowest
from ..loop import inner, loop
from .fields import (
    AT,
    BATCH,
    BEGINS,
    BITS,
    BUDGET,
    CARRIES,
    CARRY,
    CELL_SHIFT,
    CELL_WORD,
    CELLS,
    CLASSES,
    COUNT,
    CROWDED,
    DONE,
    END,
    ENTRY,
    FIXED,
    FULL,
    GENERATED,
    KEYED,
    LISTED,
    MARKED,
    MARKING,
    MASK,
    MASK_OF,
    NEXT,
    PAUSED,
    PER_WORD,
    PLACE,
    RIGHT,
    ROOM,
    SETS,
    SOURCE_SHIFT,
    SOURCE_WORD,
    SPAN,
    SPANS,
    SPANS_END,
    STATUS,
    TABLE,
    TO_WORD,
    WAITING,
    WIDTH,
    WRITTEN,
)

MIX = np.uint64(0x9E3779B97F4A7C15)

UNUSED = np.uint64(1 << 63)
"""No position of a keyed table."""


@inner
def hashed(words, begin, width):
    """Return the hash of a position."""
    found = UNUSED
    for number in range(width):
        found = (found ^ words[begin + number]) * MIX
        found ^= found >> np.uint64(32)
    return found


@inner
def slot_of(table, mask, words, begin, position, width, mixed):
    """Return the slot of a position, or the empty one where it belongs."""
    slot = np.int64(mixed) & mask
    high = mixed >> np.uint64(32)
    while table[slot]:
        if table[slot] >> np.uint64(32) == high:
            other = (np.int64(table[slot] & np.uint64(0xFFFFFFFF)) - 1) * width
            same = True
            for number in range(width):
                same &= words[other + number] == position[begin + number]
            if same:
                return slot
        slot = (slot + 1) & mask
    return slot


@loop
def enter(program, state, words, table):
    """Put all positions found into an empty hash table."""
    width = program[WIDTH]
    for number in range(state[COUNT]):
        mixed = hashed(words, number * width, width)
        slot = np.int64(mixed) & state[MASK]
        while table[slot]:
            slot = (slot + 1) & state[MASK]
        table[slot] = mixed if state[KEYED] else mixed >> np.uint64(32) << np.uint64(32) | np.uint64(number + 1)


@inner
def fitting(spans, at, end, sets, words, begin, found, number):
    """Return one word of a set without what the cells of some spans exclude.

    spans  has fields of the spans from `at` to `end`
    found  the word of the set, `number` its place
    """
    while found and at < end:
        shown = np.int64(words[begin + spans[at + PLACE]] >> np.uint64(spans[at + RIGHT])) & spans[at + MASK_OF]
        found &= sets[spans[at + LISTED] + shown * spans[SETS] + number]
        at += SPAN
    return found


@inner
def make(program, sets, rule, words, old, new):
    """Change a position by a rule that applies; return whether it is another one then.

    old, new  where the position, and a copy that is changed, begin in `words`
    """
    fixed, changed = program[program[FIXED] + rule], np.uint64(0)
    if fixed >= 0:
        for number in range(program[WIDTH]):
            words[new + number] ^= sets[fixed + number]
            changed |= sets[fixed + number]
        return changed != 0
    begins = program[BEGINS] + 2 * rule
    carry, entry, end = program[begins], program[begins + 1], program[begins + 2]
    while carry < entry:
        to, written, last = program[carry + TO_WORD], np.uint64(program[carry + WRITTEN]), program[carry + CARRIES]
        carry, after = carry + CARRIES + 1, np.uint64(0)
        while carry < last:
            word, turn = words[old + (program[carry] >> 6)], np.uint64(program[carry] & 63)
            word = word << turn | word >> (np.uint64(64) - turn & np.uint64(63))
            after |= word & np.uint64(program[carry + 1])
            carry += CARRY
        after ^= words[old + to] & written
        words[new + to] ^= after
        changed |= after
    low = (np.uint64(1) << np.uint64(program[BITS])) - np.uint64(1)
    while entry < end:
        shift = np.uint64(program[entry + CELL_SHIFT])
        before = words[old + program[entry + CELL_WORD]] >> shift & low
        after = words[old + program[entry + SOURCE_WORD]] >> np.uint64(program[entry + SOURCE_SHIFT]) & low
        after = np.uint64(program[program[entry + TABLE] + np.int64(after)])
        words[new + program[entry + CELL_WORD]] ^= (before ^ after) << shift
        changed |= before ^ after
        entry += ENTRY
    return changed != 0


@inner
def is_new(parts, first, last, part, size, stride):
    """Return whether a part differs in its first `size` words from all those from `first` to before `last`."""
    for other in range(first, last):
        number = np.int64(0)
        while number < size and parts[other * stride + number] == parts[part * stride + number]:
            number += 1
        if number == size:
            return False
    return True


@inner
def moves_from(program, sets, waiting, words, position, parts, first, came):
    """Write the parts of all moves from a position, from part `first` on; return where they end, -1 for want of room.

    A part is the words of a position, the class of the rules that may come next, the position that the move begins at
    with what `came` will have for the other one in the upper half, and room for a hash.
    """
    width, size, classes = program[WIDTH], program[SETS], program[CLASSES]
    stride, joined = width + 3, False
    for each in range(width):
        parts[first * stride + each] = words[position * width + each]
    parts[first * stride + width] = np.uint64(came[position])
    part, last = first, first + 1
    while part < last:
        group = np.int64(parts[part * stride + width])
        part += 1
        if group < 0:
            continue
        here = (part - 1) * stride
        for number in range(size):
            rules = sets[group * size + number]
            rules = fitting(program, program[SPANS], program[SPANS_END], sets, parts, here, rules, number)
            while rules:
                if last == waiting:
                    return np.int64(-1)
                rule, begin = number * 64 + np.int64(lowest(rules)), last * stride
                rules &= rules - np.uint64(1)
                for each in range(width):
                    parts[begin + each] = parts[here + each]
                if not make(program, sets, rule, parts, here, begin):
                    continue
                parts[begin + width] = np.uint64(program[classes + rule])
                parts[begin + width + 1] = np.uint64(position | program[program[NEXT] + rule] << 32)
                if program[classes + rule] < 0:
                    last += 1
                elif is_new(parts, first + 1, last, last, width + 1, stride):  # in position and class
                    last += 1
                    joined = True
    if joined:  # several ways may lead to a position
        end, last = last, first + 1
        for each in range(first + 1, end):
            if is_new(parts, first, last, each, width, stride):
                for number in range(width + 2):
                    parts[last * stride + number] = parts[each * stride + number]
                last += 1
    last -= 1  # the position itself gives way to the last part
    for each in range(width + 2):
        parts[first * stride + each] = parts[last * stride + each]
    return last


@inner
def enter_keys(state, words, table, parts, last, came):
    """Add the positions of all parts that are not in a keyed table; return DONE, or FULL."""
    for part in range(0, 4 * last, 4):
        mixed = parts[part + 3]
        slot = np.int64(mixed) & state[MASK]
        while table[slot] and table[slot] != mixed:
            slot = (slot + 1) & state[MASK]
        if table[slot] == 0:
            if state[COUNT] == state[ROOM]:
                return np.int64(FULL)
            words[state[COUNT]] = parts[part]
            came[state[COUNT]] = np.uint8(parts[part + 2] >> np.uint64(32))
            state[COUNT] += 1
            table[slot] = mixed
    return np.int64(DONE)


@inner
def enter_numbers(state, words, table, parts, last, width, marks, came):
    """Add the positions of all parts that are not in a table, or mark those that lead on; return DONE, or FULL."""
    stride = width + 3
    for part in range(last):
        met = parts[part * stride + width]
        if met and met >> np.uint64(32) == parts[part * stride + width + 2] >> np.uint64(32):  # so are its words
            other = np.int64(met & np.uint64(0xFFFFFFFF)) - 1
            parts[part * stride + width] = words[other * width]
    for part in range(last):
        mixed, begins = parts[part * stride + width + 2], parts[part * stride + width + 1]
        slot = slot_of(table, state[MASK], words, part * stride, parts, width, mixed)
        found = np.int64(table[slot] & np.uint64(0xFFFFFFFF)) - 1
        if state[MARKING]:
            if found >= state[END] and marks[found - state[MARKED]]:
                marks[np.int64(begins & np.uint64(0xFFFFFFFF)) - state[MARKED]] = 1
        elif found < 0:
            if state[COUNT] == state[ROOM]:
                return np.int64(FULL)
            for each in range(width):
                words[state[COUNT] * width + each] = parts[part * stride + each]
            came[state[COUNT]] = np.uint8(begins >> np.uint64(32))
            state[COUNT] += 1
            table[slot] = mixed >> np.uint64(32) << np.uint64(32) | np.uint64(state[COUNT])
    return np.int64(DONE)


@loop
def expand(program, sets, state, words, table, parts, marks, came):
    """Find the positions one move from those of a layer, until all are expanded, or a budget or room is spent.

    The moves of several positions are made before the positions that they lead to are looked up: so the processor waits
    for several places of the memory at once. If there is no room, all of them are expanded again, which finds the same.

    parts  room for `state[WAITING]` parts of moves
    marks  if `state[MARKING]`: a byte for each position from `state[MARKED]` on. Then all is known, the table has
           numbers, and positions are marked from which a move leads to a marked one of the next layer
    came   for each position the number of the set of rules that may lead from it to new ones
    """
    width = program[WIDTH]
    stride, budget, status = width + 3, state[GENERATED] + state[BUDGET], np.int64(DONE)
    while state[AT] < state[END] and status == DONE:
        at, last = state[AT], np.int64(0)
        while at < state[END] and last < BATCH:
            end = np.int64(-1)
            if last < state[WAITING]:
                end = moves_from(program, sets, state[WAITING], words, at, parts, last, came)
            if end < 0:
                break
            at, last = at + 1, end
        if at == state[AT]:
            status = np.int64(CROWDED)
            break
        for part in range(last):
            mixed = hashed(parts, part * stride, width)
            parts[part * stride + width + 2] = mixed
            parts[part * stride + width] = table[np.int64(mixed) & state[MASK]]  # it is in the cache now
        if state[KEYED]:
            status = enter_keys(state, words, table, parts, last, came)
        else:
            status = enter_numbers(state, words, table, parts, last, width, marks, came)
        if status == DONE:
            state[AT] = at
            state[GENERATED] += last
            if state[GENERATED] >= budget and at < state[END]:
                status = np.int64(PAUSED)
    state[STATUS] = status


@loop
def met(program, wanted, goals, state, words, marks):
    """Mark the positions of a layer that meet a goal.

    wanted  a program without rules: the spans that the goals test
    goals   as `sets` of a program: first the set of all goals
    """
    for position in range(state[AT], state[END]):
        for number in range(wanted[SETS]):
            begin = position * program[WIDTH]
            if fitting(wanted, wanted[SPANS], wanted[SPANS_END], goals, words, begin, goals[number], number):
                marks[position - state[AT]] = 1


@loop
def meet(program, state, words, table, others):
    """Look other positions up, from `state[AT]` to before `state[END]`, until one is found.

    `state[AT]` is then its number among the others, and `state[MARKED]` its number here; -1 if none is found.
    """
    width, end = program[WIDTH], state[END]
    state[MARKED] = -1
    for position in range(state[AT], end):
        mixed = hashed(others, position * width, width)
        slot = slot_of(table, state[MASK], words, position * width, others, width, mixed)
        if table[slot]:
            state[AT], state[MARKED] = position, np.int64(table[slot] & np.uint64(0xFFFFFFFF)) - 1
            break


@loop
def shown(program, state, words, numbers, symbols):
    """Write the symbols of the positions with some numbers, `state[END]` many, one row for each."""
    bits, per_word, cells = np.uint64(program[BITS]), program[PER_WORD], program[CELLS]
    low = (np.uint64(1) << bits) - np.uint64(1)
    for row in range(state[END]):
        begin, cell = numbers[row] * program[WIDTH], np.int64(0)
        while cell < cells:
            word = words[begin]
            begin += 1
            end = min(cell + per_word, cells)
            while cell < end:
                symbols[row * cells + cell] = np.int64(word & low)
                word >>= bits
                cell += 1
