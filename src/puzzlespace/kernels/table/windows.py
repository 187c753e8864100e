"""Slides on tables of bits over the orders of the pieces: whole words copied, chunks of words shifted, words permuted.

The table has one row per *node* (cell of the blank, and parity of the order where all pieces differ) and one word per
head (`windows_orders`). A rule that slides a piece between neighbours of the cell order copies a row; any other rotates
a window of the order. Every kernel here *gathers*: for the words of one block of heads of a target row it fetches the
bits that one rule brings there from a source row.

A block is a run of heads with the same first places. `fresh[block]` of a row says whether the last layer changed it: a
block is looked at again only where something it is fed from is fresh.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from ..bits import popcount

RUNS, CHUNKS, TURN = 0, 1, 2


class Shape(NamedTuple):
    """How the heads fall into blocks.

    start   [blocks + 1]   first word of each block
    kind    [blocks]       blocks of one kind have the same tree below them
    parity  [blocks]       parity of the digits of the first places (0 unless orders are halved)
    local   [kinds + 1]    where the words of a kind begin in `tails`
    tails   by kind, word  which form the tail of the word has: parity of the head's other digits, or state of the tail
    """

    start: np.ndarray
    kind: np.ndarray
    parity: np.ndarray
    local: np.ndarray
    tails: np.ndarray


class Program(NamedTuple):
    """What every window does. `rows[window]` = (what, base, turn, before, odd).

    what      RUNS, CHUNKS or TURN
    base      where the window begins in `row` (RUNS) or `begin` (CHUNKS)
    turn      number of the permutation of bits in a word, or -1; `before` says that it comes before the chunks
    odd       whether the chunks change the parity of the order
    row       [base + block]  row of `first` for a block
    first     [row + 1]  where the runs of a row begin in `runs`
    runs      (to, from, words, block): counted from the first word and number of the block
    begin     [base + kind]  where the words of a kind of block begin in `word`
    word      [word + 1]  where the chunks of a word begin in `chunks`, in order of the bits they fill
    chunks    length << 40 | shift << 32 | word they come from
    turns     [turn, form of the tail, byte of the word, value of the byte]: the bits it becomes
    fives     whether every word has five chunks of twelve bits
    """

    rows: np.ndarray
    row: np.ndarray
    first: np.ndarray
    runs: np.ndarray
    begin: np.ndarray
    word: np.ndarray
    chunks: np.ndarray
    turns: np.ndarray
    fives: bool


@njit(cache=True, nogil=True, inline="always")
def add_runs(row, program, where, source, fresh, gained):
    """Or whole words of fresh blocks of the source row into `gained`; return whether there were any."""
    block, base = where
    found = False
    for k in range(program.first[row], program.first[row + 1]):
        if fresh[block + program.runs[k, 3]]:
            found = True
            target, origin = np.uint64(program.runs[k, 0]), np.uint64(base + program.runs[k, 1])
            for i in range(program.runs[k, 2]):
                gained[target + np.uint64(i)] |= source[origin + np.uint64(i)]
    return found


@njit(cache=True, nogil=True, inline="always")
def add_chunks(begin, count, program, source, gained):
    """Or into each word of `gained` its chunks: runs of bits that share the first piece of the tail."""
    chunks = program.chunks
    for index in range(count):
        filled = np.uint64(0)
        place = np.uint64(0)
        for k in range(program.word[begin + index], program.word[begin + index + 1]):
            chunk = chunks[k]
            length = chunk >> np.uint64(40)
            bits = source[chunk & np.uint64(0xFFFFFFFF)] >> ((chunk >> np.uint64(32)) & np.uint64(63))
            filled |= (bits & ((np.uint64(1) << length) - np.uint64(1))) << place
            place += length
        gained[index] |= filled


@njit(cache=True, nogil=True, inline="always")
def twelve(chunk, source):
    """Return the twelve bits that a chunk stands for."""
    return (source[chunk & np.uint64(0xFFFFFFFF)] >> ((chunk >> np.uint64(32)) & np.uint64(63))) & np.uint64(0xFFF)


@njit(cache=True, nogil=True, inline="always")
def add_fives(begin, count, program, source, gained):
    """Do what `add_chunks` does where every word has five chunks of twelve bits: tails of five different pieces."""
    chunks = program.chunks
    first = np.uint64(program.word[begin])
    for index in range(count):
        k = first + np.uint64(5) * np.uint64(index)
        gained[index] |= (
            twelve(chunks[k], source)
            | twelve(chunks[k + np.uint64(1)], source) << np.uint64(12)
            | twelve(chunks[k + np.uint64(2)], source) << np.uint64(24)
            | twelve(chunks[k + np.uint64(3)], source) << np.uint64(36)
            | twelve(chunks[k + np.uint64(4)], source) << np.uint64(48)
        )


@njit(cache=True, nogil=True)
def add_parts(begin, count, program, source, gained):
    """Add the chunks of a block by the faster way that fits."""
    if program.fives:
        add_fives(begin, count, program, source, gained)
    else:
        add_chunks(begin, count, program, source, gained)


@njit(cache=True, nogil=True, inline="always")
def add_turned(turns, tails, flip, source, gained):
    """Or into each word of `gained` the word of `source` with its bits permuted as the form of its tail says."""
    byte = np.uint64(255)
    for index in range(len(tails)):
        word = source[index]
        if word:
            table = turns[tails[index] ^ flip]
            gained[index] |= (
                table[0, word & byte]
                | table[1, (word >> np.uint64(8)) & byte]
                | table[2, (word >> np.uint64(16)) & byte]
                | table[3, (word >> np.uint64(24)) & byte]
                | table[4, (word >> np.uint64(32)) & byte]
                | table[5, (word >> np.uint64(40)) & byte]
                | table[6, (word >> np.uint64(48)) & byte]
                | table[7, word >> np.uint64(56)]
            )


@njit(cache=True, nogil=True, inline="always")
def gather(window, parity, shape, program, rows, work):
    """Or into `gained` what one window brings to one block; return whether anything it comes from is fresh.

    window  (window, block)
    parity  of the orders of the source row
    rows    (source, fresh) rows of the table and of its flags
    work    (gained, spare)
    """
    number, block = window
    what, base = program.rows[number, 0], program.rows[number, 1]
    source, fresh = rows
    gained, spare = work
    start = shape.start[block]
    kind = shape.kind[block]
    if what == RUNS:
        return add_runs(program.row[base + block], program, (block, start), source, fresh, gained)
    if not fresh[block]:
        return False
    turn = program.rows[number, 2]
    count = shape.start[block + 1] - start
    words = source[start : start + count]
    tails = shape.tails[shape.local[kind] : shape.local[kind] + count]
    flip = shape.parity[block] ^ parity ^ program.rows[number, 4]
    if what == TURN:
        add_turned(program.turns[turn], tails, flip, words, gained)
        return True
    begin = program.begin[base + kind]
    if turn < 0:
        add_parts(begin, count, program, words, gained)
        return True
    spare[:count] = np.uint64(0)
    if program.rows[number, 3]:
        add_turned(program.turns[turn], tails, flip, words, spare)
        add_parts(begin, count, program, spare, gained)
    else:
        add_parts(begin, count, program, words, spare)
        add_turned(program.turns[turn], tails, flip, spare, gained)
    return True


@njit(cache=True, nogil=True)
def keep_new(words, gained):
    """Drop from `gained` what `words` has and add the rest to it; return how many are new, and whether all are set."""
    new = np.int64(0)
    full = ~np.uint64(0)
    for index in range(len(words)):
        before = words[index]
        extra = gained[index] & ~before
        gained[index] = extra
        words[index] = before | extra
        full &= before | extra
        new += popcount(extra)
    return new, full == ~np.uint64(0)


@njit(cache=True, nogil=True)
def note(first, words, notes):
    """Write number (from `first`) and bits of the words that are not 0 to the notes while there is room.

    notes  (numbers, bits, written); written[0] beyond the room says that some are missing
    """
    numbers, bits, written = notes
    for index in range(len(words)):
        if words[index]:
            if written[0] >= len(numbers):
                written[0] = len(numbers) + 1
                return
            numbers[written[0]] = first + index
            bits[written[0]] = words[index]
            written[0] += 1


@njit(cache=True, nogil=True, inline="always")
def keep(first, words, plane):
    """Set the bits of some words in a plane from word `first` on; a plane of no words is not kept."""
    if len(plane):
        for index in range(len(words)):
            plane[first + index] |= words[index]


@njit(cache=True, nogil=True)
def step_layer(span, tables, shape, program, arcs, work):
    """Find one layer within some blocks where every rule leads from rows of one colour to rows of the other, in place.

    span    (first block, last block + 1)
    tables  (table, fresh, full, plane): visited bits, flags for each row and block, and words that keep what is new
    arcs    (targets, first, source, window, parity): the rows to fill; those from first[t] on lead into targets[t]
    work    (gained, spare, notes)
    Returns the number of new positions.
    """
    table, fresh, full, plane = tables
    targets, first, sources, windows, parity = arcs
    gained, spare, notes = work
    total = np.int64(0)
    for block in range(span[0], span[1]):
        start, stop = shape.start[block], shape.start[block + 1]
        for number in range(len(targets)):
            target = targets[number]
            new = np.int64(0)
            if not full[target, block]:
                gained[: stop - start] = np.uint64(0)
                found = False
                for k in range(first[number], first[number + 1]):
                    rows = (table[sources[k]], fresh[sources[k]])
                    window = (windows[k], block)
                    found |= gather(window, parity[k], shape, program, rows, (gained, spare))
                if found:
                    words = table[target, start:stop]
                    new, full[target, block] = keep_new(words, gained[: stop - start])
                    if new:
                        note(target * table.shape[1] + start, gained[: stop - start], notes)
                        keep(target * table.shape[1] + start, gained[: stop - start], plane)
            fresh[target, block] = new > 0
            total += new
    return total


@njit(cache=True, nogil=True)
def add_rule(span, window, shape, program, rows, work):
    """Add to a row what one rule brings there, and keep source rows for the rules that may follow in the same move.

    window  (window, parity of the orders of the source row)
    rows    (source, its flags, next row to add to, old row, its flags, onward row, its flags); an onward row of no
            words is not kept
    work    (gained, spare)
    The onward row is the old row with what the rule brought: where the blank may go on from.
    """
    source, fresh, following, old, old_fresh, onward, onward_fresh = rows
    gained = work[0]
    for block in range(span[0], span[1]):
        start, stop = shape.start[block], shape.start[block + 1]
        gained[: stop - start] = np.uint64(0)
        found = gather((window[0], block), window[1], shape, program, (source, fresh), work)
        if found:
            for index in range(start, stop):
                following[index] |= gained[index - start]
        if len(onward):
            onward_fresh[block] = found or old_fresh[block]
            for index in range(start, stop):
                onward[index] = old[index] | gained[index - start]


@njit(cache=True, nogil=True)
def end_layer(span, tables, shape, work):
    """Make the next table the old one within some blocks; return the number of new positions.

    tables  (old table, flags, next table, words that keep what is new)
    work    (gained, notes)
    """
    old, fresh, following, plane = tables
    gained, notes = work
    total = np.int64(0)
    for block in range(span[0], span[1]):
        start, stop = shape.start[block], shape.start[block + 1]
        for row in range(len(old)):
            for index in range(start, stop):
                gained[index - start] = following[row, index]
            words = old[row, start:stop]
            new, _ = keep_new(words, gained[: stop - start])
            fresh[row, block] = new > 0
            if new:
                note(row * old.shape[1] + start, gained[: stop - start], notes)
                keep(row * old.shape[1] + start, gained[: stop - start], plane)
            total += new
    return total
