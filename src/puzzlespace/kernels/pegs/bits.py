"""Kernels on sets of peg positions of one class: one bit per position, a block of 8 words at a time.

A jump changes three cells, so certain sums modulo 2 are invariant. They determine the *bound* cells from the k *free*
cells. The number of a position has as bit i the i-th free cell: bits 0 … 5 select the bit within a word, 6 … 8 the word
within a block, the others the block. `JumpTables` describes the board. A set has a whole number of blocks, even with
fewer than 9 free cells.

The opposite of a position, with pegs and holes exchanged, has the number with all bits inverted. So the set of the
opposites is the set read from its end, with the bits of each word reversed.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..bits import lowest, popcount
from ..lanes import move_lanes
from ..loop import helper, loop


class JumpTables(NamedTuple):
    """A board as arrays. The *pattern* of a block is the bound cells of its position 0, one bit each.

    The number of a block fixes some free cells; the other cells, bound ones included, vary within the block.

    patterns  uint16 [chunks, 256]: the pattern is the exclusive or of these over the bytes of the block's number
    level     uint64 [patterns, t, 8]: the positions of a block that have t pegs in the varying cells
    ready     uint64 [chunks, 256, n]: the jumps, 64 in a word, that this byte of the block's number allows
    open      uint64 [patterns, jumps, 8]: the positions of a block whose varying cells allow the jump
    flip      int64 [jumps]: exclusive or that the jump applies to the number of a position's word
    up, down  uint64 [jumps]: how far the jump shifts positions within their word
    bound     uint64 [512]: the bound cells of a block's positions, as bits of the board, without its pattern
    """

    patterns: np.ndarray
    level: np.ndarray
    ready: np.ndarray
    open: np.ndarray
    flip: np.ndarray
    up: np.ndarray
    down: np.ndarray
    bound: np.ndarray


@helper
def pattern_of(patterns, block):
    """Return the pattern of a block, see `JumpTables`."""
    found = patterns[0, block & 255]
    for chunk in range(1, patterns.shape[0]):
        found ^= patterns[chunk, block >> (8 * chunk) & 255]
    return np.int64(found)


@helper
def able_here(ready, block, group):
    """Return the jumps of a group of 64 that the number of a block allows, one bit each."""
    able = ready[0, block & 255, group]
    for chunk in range(1, ready.shape[0]):
        able &= ready[chunk, block >> (8 * chunk) & 255, group]
    return able


@helper
def holds_any(words, block):
    """Return whether a block contains any position."""
    found = words[8 * block]
    for lane in range(1, 8):
        found |= words[8 * block + lane]
    return found != np.uint64(0)


@loop
def take(words, block, level, source):
    """Write the positions of a block that are in `level` [8] to `source` [8]; return how many."""
    number = np.int64(0)
    for lane in range(8):
        source[lane] = words[8 * block + lane] & level[lane]
        number += popcount(source[lane])
    return number


@helper
def sift(words, block, level, sieve):
    """Remove the positions of a block that are in `level` [8] and not in the sieve."""
    for lane in range(8):
        words[8 * block + lane] &= sieve[8 * block + lane] | ~level[lane]


@loop
def jump_on(sets, pegs, tables, source, first, last):
    """Add all positions one jump from those with `pegs` pegs in blocks first … last - 1; return how many have `pegs`.

    sets    (in/out)  (words, sieve): one bit for each position of the class. Unless `sieve` is empty, positions with
            `pegs` pegs that are not in it are removed first
    source  uint64 [8], working memory
    """
    words, sieve = sets
    patterns, level, ready, allowed, flip, up, down, _ = tables
    rows, jumps = allowed.reshape(-1), len(flip)
    total = np.int64(0)
    for block in range(first, last):
        rest = pegs - popcount(np.uint64(block))
        if rest < 0 or rest >= level.shape[1] or not holds_any(words, block):
            continue
        pattern = pattern_of(patterns, block)
        if len(sieve) > 0:
            sift(words, block, level[pattern, rest], sieve)
        number = take(words, block, level[pattern, rest], source)
        if number == 0:
            continue
        total += number
        for group in range(ready.shape[2]):
            able = able_here(ready, block, group)
            while able:
                jump = 64 * group + lowest(able)
                able &= able - np.uint64(1)
                row = 8 * (pattern * jumps + jump)
                there = 8 * (block ^ flip[jump] >> 3)
                move_lanes(words, there, source, rows, row, (up[jump], down[jump], np.uint64(flip[jump] & 7)))
    return total


@loop
def count_fixed(words, cycles, free, tables):
    """Return how many positions of a set a symmetry fixes: those that are unions of its cycles.

    cycles  uint64: the cells of each cycle of the symmetry, as a mask
    free    the number of free cells
    """
    found = np.int64(0)
    low = (np.uint64(1) << np.uint64(free)) - np.uint64(1)
    position = np.uint64(0)
    for step in range(1, (np.int64(1) << len(cycles)) + 1):
        index = position & low
        if words[np.int64(index >> np.uint64(6))] >> (index & np.uint64(63)) & np.uint64(1):
            pattern = np.uint64(pattern_of(tables.patterns, np.int64(index >> np.uint64(9))))
            bound = tables.bound[np.int64(index & np.uint64(511))]
            found += position & ~low == pattern << np.uint64(free) ^ bound
        changed = lowest(np.uint64(step))
        if changed < len(cycles):
            position ^= cycles[changed]
    return found


@loop
def list_level(words, pegs, tables, span, out):
    """Write the positions of a set that have `pegs` pegs to `out`, by number; return how many.

    span  int64 [3]: (in/out) the first block, set to the block to continue with; the block to end before; the number
          of free cells
    out   uint64, with room for at least 512 positions; the loop ends if the next block might not fit
    """
    written = 0
    block = span[0]
    while block < span[1] and written + 512 <= len(out):
        rest = pegs - popcount(np.uint64(block))
        if 0 <= rest < tables.level.shape[1] and holds_any(words, block):
            pattern = pattern_of(tables.patterns, block)
            for lane in range(8):
                left = words[8 * block + lane] & tables.level[pattern, rest, lane]
                while left:
                    within = 64 * lane + lowest(left)
                    left &= left - np.uint64(1)
                    bound = np.uint64(pattern) << np.uint64(span[2]) ^ tables.bound[within]
                    out[written] = bound | np.uint64(512 * block + within)
                    written += 1
        block += 1
    span[0] = block
    return written


@loop
def turned(word):
    """Return the word with its bits reversed."""
    word = word >> np.uint64(1) & np.uint64(0x5555555555555555) | (word & np.uint64(0x5555555555555555)) << np.uint64(1)
    word = word >> np.uint64(2) & np.uint64(0x3333333333333333) | (word & np.uint64(0x3333333333333333)) << np.uint64(2)
    word = word >> np.uint64(4) & np.uint64(0x0F0F0F0F0F0F0F0F) | (word & np.uint64(0x0F0F0F0F0F0F0F0F)) << np.uint64(4)
    word = word >> np.uint64(8) & np.uint64(0x00FF00FF00FF00FF) | (word & np.uint64(0x00FF00FF00FF00FF)) << np.uint64(8)
    half = word >> np.uint64(16) & np.uint64(0x0000FFFF0000FFFF)
    word = half | (word & np.uint64(0x0000FFFF0000FFFF)) << np.uint64(16)
    return word >> np.uint64(32) | word << np.uint64(32)


@loop
def meet(sets, chosen, spare, out):
    """Write to `out` the positions of one set whose opposites are in another.

    sets    (words, others)
    chosen  (pegs, tables): only positions with `pegs` pegs
    spare   the number of unused bits of a word
    """
    words, others = sets
    pegs, tables = chosen
    for word in range(len(words)):
        rest = pegs - popcount(np.uint64(word >> 3))
        if 0 <= rest < tables.level.shape[1] and words[word]:
            other = turned(others[len(others) - 1 - word]) >> spare
            level = tables.level[pattern_of(tables.patterns, word >> 3), rest, word & 7]
            out[word] = words[word] & other & level


@loop
def turn(words, spare):
    """Replace each position by its opposite."""
    last = len(words) - 1
    for word in range((len(words) + 1) // 2):
        one, other = turned(words[word]) >> spare, turned(words[last - word]) >> spare
        words[word], words[last - word] = other, one


@loop
def join_opposites(words, spare):
    """Add the opposite of each position."""
    last = len(words) - 1
    for word in range((len(words) + 1) // 2):
        both = words[word] | turned(words[last - word]) >> spare
        words[word], words[last - word] = both, turned(both) >> spare
