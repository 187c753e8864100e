"""Compiled loops over one bit for each position of a class of peg positions, 64 positions at a time.

A jump changes three cells, so sums modulo 2 over certain cells never change; they leave k of the cells free. A position
is the number whose bit i is the i-th free cell: bit 0 … 5 choose the bit within a word, the rest choose the word. The
other cells, called bound, follow from the free ones. `Tables` holds what the loops need to know of the board.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .bits import lowest, popcount
from .loop import loop


class Tables(NamedTuple):
    """A board for the loops. p is the pattern of a word: the bound cells of its position 0, one bit each.

    patterns  uint16 [chunks, 256]: p is the exclusive or, over the bytes of the word's number, of these
    level     uint64 [patterns, t]: the positions of a word that have t pegs among the cells that the word leaves open
    ready     uint64 [chunks, 256, n]: the jumps, 64 in a word, that this byte of the word's number allows
    open      uint64 [patterns, jumps]: the positions of a word that the cells left open allow the jump from
    flip      int64 [jumps]: what the jump changes in the word's number
    up, down  uint64 [jumps]: how far the jump shifts positions within their word
    bound     uint64 [64]: the bound cells of a word's positions, in place, but for its pattern
    """

    patterns: np.ndarray
    level: np.ndarray
    ready: np.ndarray
    open: np.ndarray
    flip: np.ndarray
    up: np.ndarray
    down: np.ndarray
    bound: np.ndarray


@loop
def pattern_of(patterns, word):
    """Return the pattern of a word."""
    found = patterns[0, word & 255]
    for chunk in range(1, patterns.shape[0]):
        found ^= patterns[chunk, word >> (8 * chunk) & 255]
    return np.int64(found)


@loop
def able_here(ready, word, group):
    """Return which jumps of a group of 64 the number of a word allows."""
    able = ready[0, word & 255, group]
    for chunk in range(1, ready.shape[0]):
        able &= ready[chunk, word >> (8 * chunk) & 255, group]
    return able


@loop
def jump_on(sets, pegs, tables, first, last):
    """Add every position one jump from those with so many pegs in words[first:last]; return how many those are.

    sets  (words, sieve): (in/out) one bit for each position of the class; where `sieve` is not empty, those positions
          with so many pegs that are not in it are taken away first
    """
    words, sieve = sets
    patterns, level, ready, allowed, flip, up, down, _ = tables
    most = level.shape[1]
    total = np.int64(0)
    for word in range(first, last):
        rest = pegs - popcount(np.uint64(word))
        if rest < 0 or rest >= most or words[word] == np.uint64(0):
            continue
        pattern = pattern_of(patterns, word)
        source = words[word] & level[pattern, rest]
        if len(sieve) > 0:
            words[word] &= sieve[word] | ~level[pattern, rest]
            source &= sieve[word]
        if source == np.uint64(0):
            continue
        total += popcount(source)
        for group in range(ready.shape[2]):
            able = able_here(ready, word, group)
            while able:
                jump = 64 * group + lowest(able)
                able &= able - np.uint64(1)
                moved = source & allowed[pattern, jump]
                words[word ^ flip[jump]] |= moved << up[jump] >> down[jump]
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
        word, bit = np.int64(index >> np.uint64(6)), np.int64(index & np.uint64(63))
        if words[word] >> np.uint64(bit) & np.uint64(1):
            pattern = np.uint64(pattern_of(tables.patterns, word))
            found += position & ~low == pattern << np.uint64(free) ^ tables.bound[bit]
        changed = lowest(np.uint64(step))
        if changed < len(cycles):
            position ^= cycles[changed]
    return found


@loop
def list_level(words, pegs, tables, span, out):
    """Write the positions of a set that have so many pegs to `out`, in the order of their numbers; return how many.

    span  [3]: (in/out) the word to begin with and, after it, where to go on; the word to end before; the free cells
    out   uint64, room for 64 positions at least; the loop ends where it might not hold the next word's
    """
    most = tables.level.shape[1]
    written = 0
    word = span[0]
    while word < span[1] and written + 64 <= len(out):
        rest = pegs - popcount(np.uint64(word))
        if 0 <= rest < most and words[word]:
            pattern = pattern_of(tables.patterns, word)
            left = words[word] & tables.level[pattern, rest]
            while left:
                bit = lowest(left)
                left &= left - np.uint64(1)
                bound = np.uint64(pattern) << np.uint64(span[2]) ^ tables.bound[bit]
                out[written] = bound | np.uint64(64 * word + bit)
                written += 1
        word += 1
    span[0] = word
    return written
