"""One layer of a table of turns: one bit for each orbit of positions under a turn.

Two turns, each with all its powers, are all moves. For each of the two there is a table of the orbits that were
reached; a step leads from the orbits of one turn to those of the other. A row of a table holds the orbits of one orbit
of rows, in the frame of its first row: bit (block, column) stands for the positions that the turn's powers bring there.
From the frame of one table to that of the other, blocks are permuted and so are the columns within each.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from ..bits import lowest, popcount
from ..prefetch import prefetch

LANES = 8
"""The most words of a block, and the words of each entry of a table of columns."""

COLUMNS = 64 * LANES
"""The most columns."""

NIBBLE = 16 * LANES
"""The words of a table of columns for four columns: an entry for each set of them."""

LINE = 8
"""The words of a cache line."""


class OrbitShape(NamedTuple):
    """The sizes of one table.

    blocks  blocks of a row
    width   words of a block
    last    the bits in use of a block's last word
    flags   words with one bit for each block of a row
    order   how many rows of the other table lead to a row: the order of the turn
    """

    blocks: int
    width: int
    last: np.uint64
    flags: int
    order: int


class OrbitWays(NamedTuple):
    """The ways from the rows of the other table.

    rows     [row, power] the row of the other table
    numbers  [row, power] the number of its permutation; -1: none
    sizes    [row] the powers that are different rows of positions: the first ones
    blocks   [permutation, block] the block of the other table that becomes this block
    columns  [permutation, word] for each four columns and each set of them the columns that they become
    """

    rows: np.ndarray
    numbers: np.ndarray
    sizes: np.ndarray
    blocks: np.ndarray
    columns: np.ndarray


@njit(cache=True, nogil=True)
def _permute(source, at, width, columns, out, to):
    """Write the block source[at : at + width] to out[to : to + LANES], its columns permuted."""
    a, b, c, d = np.uint64(0), np.uint64(0), np.uint64(0), np.uint64(0)
    e, f, g, h = np.uint64(0), np.uint64(0), np.uint64(0), np.uint64(0)
    four, first = np.uint64(15), np.uint64(0)
    for index in range(width):
        word = source[np.uint64(at + index)]
        if not word:
            first += np.uint64(16 * NIBBLE)
            continue
        for _ in range(16):  # unsigned indices, so that the eight lanes become vector instructions
            entry = first + (word & four) * np.uint64(LANES)
            a |= columns[entry]
            b |= columns[entry + np.uint64(1)]
            c |= columns[entry + np.uint64(2)]
            d |= columns[entry + np.uint64(3)]
            e |= columns[entry + np.uint64(4)]
            f |= columns[entry + np.uint64(5)]
            g |= columns[entry + np.uint64(6)]
            h |= columns[entry + np.uint64(7)]
            word >>= np.uint64(4)
            first += np.uint64(NIBBLE)
    out[to], out[to + 1], out[to + 2], out[to + 3] = a, b, c, d
    out[to + 4], out[to + 5], out[to + 6], out[to + 7] = e, f, g, h


@njit(cache=True, nogil=True)
def _lead(source, row, power, block, shape, ways, brought):
    """Write to lane `power` of `brought` what one row of the other table brings to a block."""
    number, other, to = ways.numbers[row, power], ways.rows[row, power], power * LANES
    if number < 0:
        at = (other * shape.blocks + block) * shape.width
        for index in range(shape.width):
            brought[to + index] = source[at + index]
    else:
        at = (other * shape.blocks + ways.blocks[number, block]) * shape.width
        _permute(source, at, shape.width, ways.columns[number], brought, to)


@njit(cache=True, nogil=True)
def _is_full(words, at, shape):
    """Return whether all bits of a block are set."""
    if words[at + shape.width - 1] != shape.last:
        return False
    common = ~np.uint64(0)
    for index in range(at, at + shape.width - 1):
        common &= words[index]
    return common == ~np.uint64(0)


@njit(cache=True, nogil=True)
def _gain(row, block, old, source, changed, shape, ways, gained, brought):
    """Write the bits that the other table adds to a block; return (the powers looked at, as bits; whether any is new).

    Only blocks that changed in the last layer can add something.
    """
    fresh, any_fresh = changed
    looked, found = np.uint64(0), np.uint64(0)
    for index in range(shape.width):
        gained[index] = np.uint64(0)
    for power in range(shape.order):
        other, number = ways.rows[row, power], ways.numbers[row, power]
        there = block if number < 0 else ways.blocks[number, block]
        if any_fresh[other] and fresh[other * shape.flags + (there >> 6)] >> np.uint64(there & 63) & np.uint64(1):
            _lead(source, row, power, block, shape, ways, brought)
            for index in range(shape.width):
                gained[index] |= brought[power * LANES + index]
            looked |= np.uint64(1) << np.uint64(power)
    if looked:
        at = (row * shape.blocks + block) * shape.width
        for index in range(shape.width):
            gained[index] &= ~old[at + index]
            found |= gained[index]
    return looked, found != 0


@njit(cache=True, nogil=True)
def _note(row, block, power, shape, words, at, gained, notes):
    """Return how many gained positions are not in words[at:]; note them while there is room.

    notes  (numbers, written): a number is ((row * order + power) * blocks + block) * COLUMNS + column; written[0] is
           how many there are, or 1 + the capacity if they did not fit
    """
    numbers, written = notes
    first = ((np.int64(row) * shape.order + power) * shape.blocks + block) * COLUMNS
    total = np.int64(0)
    for index in range(shape.width):
        word = gained[index] & ~words[at + index]
        count = popcount(word)
        total += count
        if written[0] + count > len(numbers):
            written[0] = len(numbers) + 1
            continue
        while word:
            numbers[written[0]] = first + index * 64 + lowest(word)
            written[0] += 1
            word &= word - np.uint64(1)
    return total


@njit(cache=True, nogil=True)
def _load(source, row, changed, shape, ways):
    """Start to load the rows that lead to a row: their blocks will be read in another order."""
    for power in range(shape.order):
        other = ways.rows[row, power]
        if changed[1][other] and ways.numbers[row, power] >= 0:
            first = other * shape.blocks * shape.width
            for index in range(first, first + shape.blocks * shape.width, LINE):
                prefetch(source, index)


@njit(cache=True, nogil=True)
def step_rows(span, tables, changed, shape, ways, notes):
    """Compute one layer of the rows span[0] … span[1]-1 of a table; return how many positions are new.

    A gained position is new unless the other table has it already: the other table is `later` if it has words, which
    may be one layer ahead, else `source`.

    tables   (old, new, source, later): the table, the table to write, which may be the same, the other table as it was
             before the layer and as it is now
    changed  (own, others, now): for each (flags of blocks, flags of rows). Own: where `new` is one layer behind `old`,
             or no words; others: where the source changed in the last layer; now: where this table does, written here
    notes    see `_note`
    """
    old, new, source, later = tables
    (own, own_rows), others, (now, now_rows) = changed
    gained = np.zeros(LANES, np.uint64)
    brought = np.zeros(LANES * shape.order, np.uint64)
    fresh = np.zeros(shape.flags, np.uint64)
    total = np.int64(0)
    for row in range(span[0], span[1]):
        fresh[:] = np.uint64(0)
        behind = len(own_rows) > 0 and own_rows[row] != 0
        live = False
        for power in range(shape.order):
            live |= others[1][ways.rows[row, power]] != 0
        if live:
            _load(source, row, others, shape, ways)
        found = False
        for block in range(shape.blocks if live or behind else 0):
            at = (row * shape.blocks + block) * shape.width
            looked, some = np.uint64(0), False
            if live and not _is_full(old, at, shape):
                looked, some = _gain(row, block, old, source, others, shape, ways, gained, brought)
            if some:
                for power in range(ways.sizes[row]):
                    if len(later):
                        _lead(later, row, power, block, shape, ways, brought)
                    elif not looked >> np.uint64(power) & np.uint64(1):
                        _lead(source, row, power, block, shape, ways, brought)
                    total += _note(row, block, power, shape, brought, power * LANES, gained, notes)
                for index in range(shape.width):
                    new[at + index] = old[at + index] | gained[index]
                fresh[block >> 6] |= np.uint64(1) << np.uint64(block & 63)
                found = True
            elif behind and own[row * shape.flags + (block >> 6)] >> np.uint64(block & 63) & np.uint64(1):
                for index in range(shape.width):
                    new[at + index] = old[at + index]
        for index in range(shape.flags):
            now[row * shape.flags + index] = fresh[index]
        now_rows[row] = found
    return total
