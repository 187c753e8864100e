"""One layer of a table of turns: one bit for each orbit of positions under a turn.

Two turns, each with all its powers, are all moves. For each of the two there is a table of the orbits that were
reached; a step leads from the orbits of one turn to those of the other. A row of a table holds the orbits of one orbit
of rows, in the frame of its first row: bit (block, column) stands for the positions that the turn's powers bring there.
From the frame of one table to that of the other, blocks are permuted and so are the columns within each.

A row is stored block by block, `width` words each. Blocks are permuted while they are read, as whole words. Then 64
blocks at a time are transposed, so that a word holds 64 blocks of one column, and columns are permuted as whole words
too. A transposed row has `groups` words for each column, bit b of word g for block 64 g + b.
"""

from typing import NamedTuple

import numpy as np

from ..bits import lowest, popcount
from ..loop import kernel
from ..prefetch import prefetch

COLUMNS = 512
"""The most columns."""

LANES = 64
"""The words that are transposed beside each other, if a block has no more; 64 rows of them fit into the first cache."""

LINE = 8
"""The words of a cache line."""


class OrbitShape(NamedTuple):
    """The sizes of one table.

    blocks   blocks of a row
    columns  columns of a block
    width    words of a block
    groups   words of a column of a transposed row
    order    how many rows of the other table lead to a row: the order of the turn
    """

    blocks: int
    columns: int
    width: int
    groups: int
    order: int


class OrbitWays(NamedTuple):
    """The ways from the rows of the other table.

    rows     [row, power] the row of the other table
    numbers  [row, power] the number of its permutation
    sizes    [row] the powers that are different rows of positions: the first ones
    blocks   [permutation, block] the block of the other table that becomes this block
    columns  [permutation, column] the column that becomes this column; permutation 0 is the identity
    """

    rows: np.ndarray
    numbers: np.ndarray
    sizes: np.ndarray
    blocks: np.ndarray
    columns: np.ndarray


@kernel
def _transpose(tile, lanes):
    """Transpose 64 x 64 bits in place, `lanes` times: bit b of tile[a * lanes + lane] is exchanged with bit a of b."""
    half, mask = np.uint64(32), np.uint64(0xFFFFFFFF)
    while half:
        many = half * lanes
        for low in range(np.uint64(0), np.uint64(64) * lanes, np.uint64(2) * many):
            high = low + many
            for index in range(many):  # unsigned indices, so that this becomes vector instructions
                upper, lower = tile[low + np.uint64(index)], tile[high + np.uint64(index)]
                differ = ((upper >> half) ^ lower) & mask
                tile[high + np.uint64(index)] = lower ^ differ
                tile[low + np.uint64(index)] = upper ^ (differ << half)
        half >>= np.uint64(1)
        mask ^= mask << half


@kernel
def _batch(shape):
    """Return how many groups are transposed at once."""
    return max(1, min(shape.groups, LANES // shape.width))


@kernel
def _bring(words, row, number, shape, ways, tile, brought, to):
    """Write a row of a table to brought[to:], permuted and transposed."""
    batch = _batch(shape)
    lanes = batch * shape.width
    for first in range(0, shape.groups, batch):
        many = min(batch, shape.groups - first)
        for group in range(many):
            for bit in range(64):
                block, at = 64 * (first + group) + bit, bit * lanes + group
                if block < shape.blocks:
                    origin = (row * shape.blocks + ways.blocks[number, block]) * shape.width
                    for index in range(shape.width):
                        tile[at + index * batch] = words[origin + index]
                else:
                    for index in range(shape.width):
                        tile[at + index * batch] = np.uint64(0)
        _transpose(tile, np.uint64(lanes))
        for column in range(shape.columns):
            origin = np.int64(ways.columns[number, column])
            at, out = (origin & 63) * lanes + (origin >> 6) * batch, to + column * shape.groups + first
            for group in range(many):
                brought[np.uint64(out + group)] = tile[np.uint64(at + group)]


@kernel
def _add(gained, shape, tile, old, new, row):
    """Write a row of `old`, with the bits of a transposed row added, to `new`."""
    batch = _batch(shape)
    lanes = batch * shape.width
    for first in range(0, shape.groups, batch):
        many = min(batch, shape.groups - first)
        for column in range(64 * shape.width):  # the last word of a block may have bits that are no columns
            at = (column & 63) * lanes + (column >> 6) * batch
            for group in range(many):
                word = gained[column * shape.groups + first + group] if column < shape.columns else np.uint64(0)
                tile[np.uint64(at + group)] = word
        _transpose(tile, np.uint64(lanes))
        for block in range(64 * first, min(shape.blocks, 64 * (first + many))):
            at, to = (block & 63) * lanes + (block >> 6) - first, (row * shape.blocks + block) * shape.width
            for index in range(shape.width):
                new[to + index] = old[to + index] | tile[at + index * batch]


@kernel
def _load(words, row, shape):
    """Start to load a row: its blocks will be read in another order."""
    for index in range(row * shape.blocks * shape.width, (row + 1) * shape.blocks * shape.width, LINE):
        prefetch(words, index)


@kernel
def _lead(words, row, powers, asked, shape, ways, tile, brought):
    """Bring the rows of the other table that lead to a row with the powers asked for, each to its part of `brought`."""
    size = shape.columns * shape.groups
    for power in range(powers):
        if asked[power]:
            if power + 1 < powers:
                _load(words, ways.rows[row, power + 1], shape)
            _bring(words, ways.rows[row, power], ways.numbers[row, power], shape, ways, tile, brought, power * size)


@kernel
def _note(row, power, shape, gained, brought, notes):
    """Return how many gained positions are not in what a power brings; note them while there is room.

    notes  (numbers, written): a number is ((row * order + power) * blocks + block) * COLUMNS + column; written[0] is
           how many there are, or 1 + the capacity if they did not fit
    """
    numbers, written = notes
    size = shape.columns * shape.groups
    start, total = power * size, np.int64(0)
    for index in range(size):
        total += popcount(gained[np.uint64(index)] & ~brought[np.uint64(start + index)])
    if written[0] + total > len(numbers):
        written[0] = len(numbers) + 1
    if written[0] > len(numbers) or not total:
        return total
    first = (np.int64(row) * shape.order + power) * shape.blocks
    for column in range(shape.columns):
        for group in range(shape.groups):
            index = column * shape.groups + group
            word = gained[index] & ~brought[start + index]
            while word:
                numbers[written[0]] = (first + 64 * group + lowest(word)) * COLUMNS + column
                written[0] += 1
                word &= word - np.uint64(1)
    return total


@kernel
def step_rows(span, tables, changed, shape, ways, notes):
    """Compute one layer of the rows span[0] … span[1]-1 of a table; return how many positions are new.

    A gained position is new unless the other table has it already: the other table is `later` if it has words, which
    may be one layer ahead, else `source`.

    tables   (old, new, source, later): the table, the table to write, which may be the same, the other table as it was
             before the layer and as it is now
    changed  (own, others, now), one byte for each row. Own: where `new` is one layer behind `old`; others: where the
             source changed in the last layer; now: where this table does, written here
    notes    see `_note`
    """
    old, new, source, later = tables
    own, others, now = changed
    size = shape.columns * shape.groups
    tile = np.empty(64 * _batch(shape) * shape.width, np.uint64)
    brought = np.empty(size * shape.order, np.uint64)
    gained, before = np.empty(size, np.uint64), np.empty(size, np.uint64)
    fresh, wanted = np.empty(shape.order, np.uint8), np.empty(shape.order, np.uint8)
    total = np.int64(0)
    for row in range(span[0], span[1]):
        live, found = np.uint8(0), np.uint64(0)
        for power in range(shape.order):
            fresh[power] = others[ways.rows[row, power]]
            live |= fresh[power]
        if live:  # only rows that changed can add something
            _lead(source, row, shape.order, fresh, shape, ways, tile, brought)
            _bring(old, row, 0, shape, ways, tile, before, 0)
            for index in range(size):
                gained[index] = np.uint64(0)
            for power in range(shape.order):
                if fresh[power]:
                    for index in range(size):
                        gained[np.uint64(index)] |= brought[np.uint64(power * size + index)]
            for index in range(size):
                gained[np.uint64(index)] &= ~before[np.uint64(index)]
                found |= gained[np.uint64(index)]
        if found:
            powers = ways.sizes[row]
            for power in range(powers):
                wanted[power] = len(later) > 0 or fresh[power] == 0
            _lead(later if len(later) else source, row, powers, wanted, shape, ways, tile, brought)
            for power in range(powers):
                total += _note(row, power, shape, gained, brought, notes)
            _add(gained, shape, tile, old, new, row)
        elif own[row]:
            for index in range(row * shape.blocks * shape.width, (row + 1) * shape.blocks * shape.width):
                new[index] = old[index]
        now[row] = found != 0
    return total
