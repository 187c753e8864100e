"""Compiled loops over the positions on ways: one bit each, and what is known of each in the order of those bits.

Positions are numbered as in `pegs_bits`. The opposite of a position, with holes for pegs, has the number with all bits
the other way round; so a set of opposites is read from its end, each word with its bits in the opposite order.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .bits import lowest, popcount
from .loop import loop
from .pegs_bits import able_here, pattern_of

MOVES = 48
"""In a value that tells the fewest moves, they stand above so many bits for the places of the peg that jumped last."""


class Known(NamedTuple):
    """A set of positions, and what is known of each.

    words   uint64: one bit for each position of the class
    ranks   uint32: how many positions come before each word's
    values  uint64 [n, 1]: the fewest moves above MOVES, below them the places that the peg jumping last can be in at so
            few; or [n, 2]: a number of ways, its low and its high word
    """

    words: np.ndarray
    ranks: np.ndarray
    values: np.ndarray


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
def meet(words, others, chosen, spare, out):
    """Write to `out` which positions of `words` have their opposite in `others`.

    chosen  (pegs, tables): only positions with so many pegs
    spare   how many bits of a word stand for no position
    """
    pegs, tables = chosen
    most = tables.level.shape[1]
    for word in range(len(words)):
        rest = pegs - popcount(np.uint64(word))
        if 0 <= rest < most and words[word]:
            other = turned(others[len(others) - 1 - word]) >> spare
            out[word] = words[word] & other & tables.level[pattern_of(tables.patterns, word), rest]


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


@loop
def rank_words(words, ranks):
    """Write how many positions come before each word's; return how many there are."""
    total = np.int64(0)
    for word in range(len(words)):
        ranks[word] = total
        total += popcount(words[word])
    return total


@loop
def rank_of(known, word, bit):
    """Return the number of a position among all of the set."""
    below = (np.uint64(1) << np.uint64(bit)) - np.uint64(1)
    return np.int64(known.ranks[word]) + popcount(known.words[word] & below)


@loop
def better_chain(values, number, moves, marks):
    """Note that a position takes so many moves if the last jump ends at one of the marks."""
    before = values[number, 0] >> np.uint64(MOVES)
    if moves < before:
        values[number, 0] = moves << np.uint64(MOVES) | marks
    elif moves == before:
        values[number, 0] |= marks


@loop
def add_ways(values, number, other):
    """Add the other position's number of ways to one's; return whether the sum passes 2^128."""
    low, high = values[other, 0], values[other, 1]
    before = values[number, 0]
    values[number, 0] = before + low
    carry = np.uint64(1) if values[number, 0] < before else np.uint64(0)
    old = values[number, 1]
    values[number, 1] = old + high + carry
    return values[number, 1] < old or (high == np.uint64(0xFFFFFFFFFFFFFFFF) and carry > 0)


@loop
def carry(known, pegs, tables, ends, span):
    """Carry what is known of the positions with so many pegs along every jump within the set.

    ends  int64 [2, jumps]: the place of the peg that jumps, before and after
    span  (first, last): only from positions of words[first:last]
    Return (how many positions those were, whether a number of ways passes 2^128).
    """
    words, values = known.words, known.values
    level, allowed, flip, up, down = tables.level, tables.open, tables.flip, tables.up, tables.down
    total, passed = np.int64(0), False
    for word in range(span[0], span[1]):
        rest = pegs - popcount(np.uint64(word))
        if rest < 0 or rest >= level.shape[1] or words[word] == np.uint64(0):
            continue
        pattern = pattern_of(tables.patterns, word)
        source = words[word] & level[pattern, rest]
        if source == np.uint64(0):
            continue
        total += popcount(source)
        for group in range(tables.ready.shape[2]):
            able = able_here(tables.ready, word, group)
            while able:
                jump = 64 * group + lowest(able)
                able &= able - np.uint64(1)
                there = word ^ flip[jump]
                landed = (source & allowed[pattern, jump]) << up[jump] >> down[jump] & words[there]
                back = np.int64(down[jump]) - np.int64(up[jump])
                while landed:
                    bit = np.int64(lowest(landed))
                    landed &= landed - np.uint64(1)
                    origin, number = rank_of(known, word, bit + back), rank_of(known, there, bit)
                    if values.shape[1] == 2:
                        passed |= add_ways(values, number, origin)
                        continue
                    value = values[origin, 0]
                    goes_on = value >> np.uint64(ends[0, jump]) & np.uint64(1)
                    moves = (value >> np.uint64(MOVES)) + np.uint64(1) - goes_on
                    better_chain(values, number, moves, np.uint64(1) << np.uint64(ends[1, jump]))
    return total, passed
