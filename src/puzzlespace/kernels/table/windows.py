"""One layer of a bit table over the orders of sliding pieces: copy words, shift chunks of words, permute words.

The table has one row per *node* (the cell of the blank and, if all pieces differ, the parity of the order) and one word
per head (see `windows_orders`). A rule that slides a piece between neighbours of the cell order copies a row; any other
rule rotates a window of the order. Every kernel *gathers*: for one block of a target row it reads the bits that one
rule brings there from a source row.

A block is all heads that agree in their leading places. `fresh[block]` of a row is set if the last layer added to it.
A block is computed again only if one of its sources is fresh.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..bits import popcount
from ..loop import inlined, loop

RUNS, CHUNKS, TURN = 0, 1, 2


class Shape(NamedTuple):
    """How the heads are divided into blocks.

    start   [blocks + 1]   first word of each block
    kind    [blocks]       blocks of one kind have equal subtrees
    parity  [blocks]       parity of the digits of the leading places (0 unless orders are halved)
    local   [kinds + 1]    the first index of a kind in `tails`
    tails   [kind, word]   the form of the word's tail: parity of the other digits of the head, or state of the tail
    """

    start: np.ndarray
    kind: np.ndarray
    parity: np.ndarray
    local: np.ndarray
    tails: np.ndarray


class Program(NamedTuple):
    """The tables of all windows. `rows[window]` = (what, base, turn, before, odd).

    what      RUNS, CHUNKS or TURN
    base      first index of the window in `row` (RUNS) or `begin` (CHUNKS)
    turn      number of the bit permutation of a word, or -1; `before`: whether it is applied before the chunks
    odd       whether the chunks change the parity of the order
    row       [base + block]  the block's row of `first`
    first     [row + 1]  first index of a row in `runs`
    runs      (to, from, words, block), all relative to the first word and the number of the block
    begin     [base + kind]  first index of a kind of block in `word`
    word      [word + 1]  first index of a word in `chunks`, in the order of the bits that the chunks fill
    chunks    length << 40 | shift << 32 | source word
    turns     [turn, form of the tail, byte of the word, value of the byte]: the bits that it becomes
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


@inlined
def add_runs(row, program, where, source, fresh, gained):
    """Or whole words of fresh blocks of the source row into `gained`; return whether any source block is fresh."""
    block, base = where
    found = False
    for k in range(program.first[row], program.first[row + 1]):
        if fresh[block + program.runs[k, 3]]:
            found = True
            target, origin = np.uint64(program.runs[k, 0]), np.uint64(base + program.runs[k, 1])
            for i in range(program.runs[k, 2]):
                gained[target + np.uint64(i)] |= source[origin + np.uint64(i)]
    return found


@inlined
def add_chunks(begin, count, program, source, gained):
    """Or into each word of `gained` its chunks: consecutive bits that share the first piece of the tail."""
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


@inlined
def twelve(chunk, source):
    """Return the twelve bits of a chunk."""
    return (source[chunk & np.uint64(0xFFFFFFFF)] >> ((chunk >> np.uint64(32)) & np.uint64(63))) & np.uint64(0xFFF)


@inlined
def add_fives(begin, count, program, source, gained):
    """Do what `add_chunks` does if every word has five chunks of twelve bits: tails of five different pieces."""
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


@loop
def add_parts(begin, count, program, source, gained):
    """Add the chunks of a block, by `add_fives` if possible."""
    if program.fives:
        add_fives(begin, count, program, source, gained)
    else:
        add_chunks(begin, count, program, source, gained)


@inlined
def add_turned(turns, tails, flip, source, gained):
    """Or into each word of `gained` the word of `source`, its bits permuted according to the form of its tail."""
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


@inlined
def gather(window, parity, shape, program, rows, work):
    """Or into `gained` the bits that one window brings to one block; return whether any source block is fresh.

    window  (window, block)
    parity  of the orders of the source row
    rows    (source, fresh): source row of the table and of the flags
    work    (gained, spare): working memory
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


@loop
def keep_new(words, gained):
    """Remove the bits of `words` from `gained`, add the rest to `words`; return (how many, whether `words` is full)."""
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


@loop
def note(first, words, notes):
    """Append the words that are not 0 to the notes, each with its index counted from `first`.

    notes  (numbers, bits, written): written[0] is the number of notes, or 1 + the capacity if they did not fit
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


@inlined
def keep(first, words, plane):
    """Set the bits of some words in a plane from word `first` on; do nothing if the plane is empty."""
    if len(plane):
        for index in range(len(words)):
            plane[first + index] |= words[index]


@loop
def step_layer(span, tables, shape, program, arcs, work):
    """Compute one layer of some blocks in place; return the number of new positions.

    In place, because every rule leads from rows of one colour to rows of the other: no target row is a source row.

    span    (first block, last block + 1)
    tables  (table, fresh, full, plane): visited bits, flags for each row and block, and the plane for new positions
    arcs    (targets, first, source, window, parity): the rows to fill; arcs first[t] … first[t+1]-1 lead to targets[t]
    work    (gained, spare, notes): working memory, and the notes of `note`
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


@loop
def add_rule(span, window, shape, program, rows, work):
    """Add to a row the positions that one rule brings there.

    window  (window, parity of the orders of the source row)
    rows    (source, its flags, next row to add to, old row, its flags, onward row, its flags). The onward row is the
            old row with the positions that the rule brought: the source row for the rules that may follow within the
            same move. It is not computed if it has no words
    work    (gained, spare): working memory
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


@loop
def end_layer(span, tables, shape, work):
    """Add the next table to the old one within some blocks; return the number of new positions.

    tables  (old table, flags, next table, plane for new positions)
    work    (gained, notes): working memory, and the notes of `note`
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
