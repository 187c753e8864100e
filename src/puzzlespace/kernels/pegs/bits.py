"""Compiled loops over one bit for each position of a class of peg positions, a block of 8 words at a time.

A jump changes three cells, so sums modulo 2 over certain cells never change; they leave k of the cells free. A position
is the number whose bit i is the i-th free cell: bit 0 … 5 choose the bit within a word, 6 … 8 the word within a block,
the rest the block. The other cells, called bound, follow from the free ones. `JumpTables` holds what the loops need to
know of the board. A set has a whole number of blocks, even if the free cells are fewer than 9.

The opposite of a position, with holes for pegs, has the number with all bits the other way round: a set of opposites is
the set read from its end, each word with its bits in the opposite order.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..bits import lowest, popcount
from ..loop import helper, loop
from .vectors import move_lanes


class JumpTables(NamedTuple):
    """A board for the loops. p is the pattern of a block: the bound cells of its position 0, one bit each.

    patterns  uint16 [chunks, 256]: p is the exclusive or, over the bytes of the block's number, of these
    level     uint64 [patterns, t, 8]: the positions of a block that have t pegs among the cells that it leaves open
    ready     uint64 [chunks, 256, n]: the jumps, 64 in a word, that this byte of the block's number allows
    open      uint64 [patterns, jumps, 8]: the positions of a block that the cells left open allow the jump from
    flip      int64 [jumps]: what the jump changes in the number of a position's word
    up, down  uint64 [jumps]: how far the jump shifts positions within their word
    bound     uint64 [512]: the bound cells of a block's positions, in place, but for its pattern
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
    """Return the pattern of a block."""
    found = patterns[0, block & 255]
    for chunk in range(1, patterns.shape[0]):
        found ^= patterns[chunk, block >> (8 * chunk) & 255]
    return np.int64(found)


@helper
def able_here(ready, block, group):
    """Return which jumps of a group of 64 the number of a block allows."""
    able = ready[0, block & 255, group]
    for chunk in range(1, ready.shape[0]):
        able &= ready[chunk, block >> (8 * chunk) & 255, group]
    return able


@helper
def holds_any(words, block):
    """Return whether a block has any position."""
    found = words[8 * block]
    for lane in range(1, 8):
        found |= words[8 * block + lane]
    return found != np.uint64(0)


@loop
def take(words, block, level, source):
    """Write those positions of a block that are in `level` [8] to `source` [8]; return how many."""
    number = np.int64(0)
    for lane in range(8):
        source[lane] = words[8 * block + lane] & level[lane]
        number += popcount(source[lane])
    return number


@helper
def sift(words, block, level, sieve):
    """Take away those positions of a block that are in `level` [8] and not in the sieve."""
    for lane in range(8):
        words[8 * block + lane] &= sieve[8 * block + lane] | ~level[lane]


@loop
def jump_on(sets, pegs, tables, source, first, last):
    """Add every position one jump from those with so many pegs in blocks first … last - 1; return how many those are.

    sets    (words, sieve): (in/out) one bit for each position of the class; where `sieve` is not empty, those positions
            with so many pegs that are not in it are taken away first
    source  uint64 [8], written over
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
    """Return how many positions of a set are unions of cycles, so that a symmetry leaves them as they are.

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
    """Write the positions of a set that have so many pegs to `out`, in the order of their numbers; return how many.

    span  [3]: (in/out) the block to begin with and, after it, where to go on; the block to end before; the free cells
    out   uint64, room for 512 positions at least; the loop ends where it might not hold the next block's
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
    """Return the word with its bits in the opposite order."""
    word = word >> np.uint64(1) & np.uint64(0x5555555555555555) | (word & np.uint64(0x5555555555555555)) << np.uint64(1)
    word = word >> np.uint64(2) & np.uint64(0x3333333333333333) | (word & np.uint64(0x3333333333333333)) << np.uint64(2)
    word = word >> np.uint64(4) & np.uint64(0x0F0F0F0F0F0F0F0F) | (word & np.uint64(0x0F0F0F0F0F0F0F0F)) << np.uint64(4)
    word = word >> np.uint64(8) & np.uint64(0x00FF00FF00FF00FF) | (word & np.uint64(0x00FF00FF00FF00FF)) << np.uint64(8)
    half = word >> np.uint64(16) & np.uint64(0x0000FFFF0000FFFF)
    word = half | (word & np.uint64(0x0000FFFF0000FFFF)) << np.uint64(16)
    return word >> np.uint64(32) | word << np.uint64(32)


@loop
def meet(sets, chosen, spare, out):
    """Write to `out` which positions of words have their opposite in others.

    sets    (words, others)
    chosen  (pegs, tables): only positions with so many pegs
    spare   how many bits of a word stand for no position
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
    """Put the opposite of each position in its place."""
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
