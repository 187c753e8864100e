"""Kernels that generate the children of packed positions and put each into the bucket of its hash.

In compiled layers a position of several words is stored as its words but the last; then follows the *record*: the hash
of the position, which determines the last word, shifted left by as many bits as select its part. These bits are known
from the part. In their place are *marks*: the lowest bits of the record. `dedupe` describes them.

Buckets are linked lists of blocks in one arena that all threads share. Each thread owns its book and a range of the
free blocks, so there are no locks. Functions ending in 1 are for positions of one word, those ending in w for several.

code      uint64: all rules in one array, because passing a tuple of arrays to inner functions is slow. code[0] is the
          number of bits per cell, [1] the number S of trigger symbols, [2] the number W of words per position. From 3
          on: W words per trigger symbol, the symbol repeated in every cell; W words with the lowest bit of every cell;
          S * W * 64 + 2 offsets of rules. The rules to try if trigger s is at bit b of word w begin at the offset
          with index (s * W + w) * 64 + b and end where the next ones begin; the last ones are always tried. A rule is
          [next rule, offset of its followers or 0, numbers of tests, moved and looked-up parts,
           (mask, want, keep, put) per word, (word, shift, symbols) per test,
           (from word, to word, mask, left, right) per moved part,
           (from word, shift, to word, shift, offset of the table) per looked-up part]
          and followers are [their number, offsets of their rules].
tries     int64: for each slot the index of its first entry in `tries`, and last the end of the entries. An entry is the
          number of a rule that may be tried there. The slots are those of `code`, in the same order
own       uint64, as long as `tries`: the marks of positions that do not try the entry: those where it leads back to the
          layer before, and NEVER for entries that only fill up a slot (so that most slots have equal numbers of
          entries, and the loop over them is predicted)
rules     uint64, TRIED words per rule: for positions of one word mask, want, keep, put, and the mask, left and right of
          one moved part; then the mark that children get, and the offset of the rule in `code`, or 0 if the words
          before say all
source    uint64: the positions to expand, in segments
segments  int64 [n, 3]: the offset of the first position in `source`, the number of positions, and their part. If the
          part is -1, the last word is not a record but plain
span      int64 (in/out): the first segment, the end of the segments, the first row of the first segment, and the reason
          to stop: 0, FULL or CRAMPED. The kernel moves the first segment and row to the first position not expanded.
          Some children of that position may have been emitted; the next call emits them again
pairs     (uint64, int64) working memory for one word: positions, and the rules to try; BATCH longer than `tries`
pool      uint64 [n, words + 1]: positions reached within one move, each with the offset of its followers
arena     uint64, blocks of 2^book[3] words
link      int64 [blocks]: the previous block of the bucket, -1 if there is none
free      int64: blocks that are free
book      int64: next index in `free`, end of the thread's range there, 64 - bits of the hash that select the bucket,
          bits of an offset within a block, number of buckets, three unused; then per bucket the offset of its next
          child (0 before the first); then per bucket its last block (-1 before the first) and its number of blocks
"""

from __future__ import annotations

import numpy as np

from ..bits import lowest
from ..loop import helper, inner, loop
from ..prefetch import prefetch

FULL = -1
CRAMPED = -2

HEAD = 8
"""Index in the book of the first bucket."""

CHILD = 1
"""The mark of children of rules without followers that have no mark of their own, and of rules with followers."""

NEVER = 1 << 63
"""A mark of every position that is expanded."""

TRIED = 9
"""Words of a rule in `rules`."""

BATCH = 256
"""Pairs of a position and a rule are listed until they are so many; then the children are made."""

FACTOR = 0x9E3779B97F4A7C15
INVERSE = pow(FACTOR, -1, 1 << 64)


@inner
def hash1(key):
    """Return the hash of one word; its highest bits are the best mixed."""
    return (key ^ (key >> np.uint64(29))) * np.uint64(FACTOR)


@inner
def unhash1(mixed):
    """Return the word that has this hash."""
    key = mixed * np.uint64(INVERSE)
    return key ^ (key >> np.uint64(29)) ^ (key >> np.uint64(58))


@inner
def place(mixed, words, arena, link, free, book):
    """Return the offset in the arena for a child with that hash, or -1 if no free block is left."""
    bucket = np.int64(mixed >> np.uint64(book[2]))
    to = book[8 + bucket]
    within = to & ((np.int64(1) << book[3]) - 1)
    if within == 0 or within + words > np.int64(1) << book[3]:
        to = begin_block(bucket, link, free, book)
        if to < 0:
            return to
    book[8 + bucket] = to + words
    return to


@helper
def begin_block(bucket, link, free, book):
    """Start a block for the bucket; return its offset in the arena, or -1 if no free block is left."""
    if book[0] == book[1]:
        return np.int64(-1)
    block = free[book[0]]
    book[0] += 1
    tally = 8 + book[4] + 2 * bucket
    link[block] = book[tally]
    book[tally] = block
    book[tally + 1] += 1
    return block << book[3]


@inner
def put1(child, tag, arena, link, free, book):
    """Put a child into its bucket; return whether there was room."""
    mixed = hash1(child)
    to = place(mixed, 1, arena, link, free, book)
    if to < 0:
        return False
    arena[to] = mixed << np.uint64(64 - book[2]) | tag
    prefetch(arena, to + 16)
    return True


@inner
def child1(code, at, key):
    """Return the child of the position by the rule recorded at `at`; the position itself if the rule does not apply."""
    if key & code[at + 5] != code[at + 6]:
        return key
    field = (np.uint64(1) << code[0]) - np.uint64(1)
    part = at + 9
    for _ in range(np.int64(code[at + 2])):
        if code[part + 2] >> (key >> code[part + 1] & field) & np.uint64(1) == np.uint64(0):
            return key
        part += 3
    child = (key & code[at + 7]) ^ code[at + 8]
    for _ in range(np.int64(code[at + 3])):
        child ^= (key & code[part + 2]) << code[part + 3] >> code[part + 4]
        part += 5
    for _ in range(np.int64(code[at + 4])):
        symbol = np.int64(key >> code[part + 1] & field)
        child ^= code[np.int64(code[part + 4]) + symbol] << code[part + 3]
        part += 5
    return child


@helper
def follow1(code, key, followers, pool, arena, link, free, book):
    """Emit the children by the followers, and by their followers in turn, within the same move.

    Return how many, FULL, or CRAMPED if the pool is too small.
    """
    pool[0, 0], pool[0, 1] = key, followers
    held, emitted, done = 1, 0, 0
    while done < held:
        key, listed = pool[done, 0], np.int64(pool[done, 1])
        for index in range(listed + 1, listed + 1 + np.int64(code[listed])):
            at = np.int64(code[index])
            child = child1(code, at, key)
            if child == key:
                continue
            if not put1(child, np.uint64(CHILD), arena, link, free, book):
                return FULL
            emitted += 1
            known = code[at + 1] == np.uint64(0)
            for other in range(held):
                known = known or (pool[other, 0] == child and pool[other, 1] == code[at + 1])
            if not known:
                if held == len(pool):
                    return CRAMPED
                pool[held, 0], pool[held, 1] = child, code[at + 1]
                held += 1
        done += 1
    return emitted


@inner
def list1(tries, own, slot, key, marks, pairs, held):
    """Append the rules of a slot that are to be tried, without jumps that depend on the marks; return the new end."""
    keys, numbers = pairs
    for index in range(tries[slot], tries[slot + 1]):
        keys[held] = key
        numbers[held] = tries[index]
        held += np.int64(marks & own[index] == np.uint64(0))
    return held


@inner
def emit1(code, rules, pairs, held, pool, arena, link, free, book):
    """Emit the children of the listed pairs of positions and rules; return how many, FULL or CRAMPED."""
    keys, numbers = pairs
    emitted = 0
    for index in range(held):
        key, rule = keys[index], numbers[index] * TRIED
        at = np.int64(rules[rule + 8])
        if at != 0:
            child = child1(code, at, key)
            if child == key:
                continue
        else:
            if key & rules[rule] != rules[rule + 1]:
                continue
            moved = (key & rules[rule + 4]) << rules[rule + 5] >> rules[rule + 6]
            child = (key & rules[rule + 2]) ^ rules[rule + 3] ^ moved
            if child == key:
                continue
        if not put1(child, rules[rule + 7], arena, link, free, book):
            return FULL
        emitted += 1
        if at != 0 and code[at + 1] != np.uint64(0):
            more = follow1(code, child, code[at + 1], pool, arena, link, free, book)
            if more < 0:
                return more
            emitted += more
    return emitted


@loop
def expand1(code, tries, own, rules, source, segments, span, pairs, pool, arena, link, free, book):
    """Emit the children of the positions in the span; return how many."""
    total = 0
    span[3] = 0
    width, symbols = np.int64(code[0]), np.int64(code[1])
    lows = code[3 + symbols]
    bits = np.uint64(64 - book[2])
    low = (np.uint64(1) << bits) - np.uint64(1)
    always = tries[symbols * 64] < tries[symbols * 64 + 1]
    for number in range(span[0], span[1]):
        begin, part = segments[number, 0], segments[number, 2]
        top = np.uint64(part) << np.uint64(book[2])
        row = span[2]
        while row < segments[number, 1]:
            first, held = row, np.int64(0)
            while row < segments[number, 1] and held < BATCH:
                key, marks = source[begin + row], np.uint64(NEVER)
                row += 1
                if part >= 0:
                    marks |= key & low
                    key = unhash1(key >> bits | top)
                if always:
                    held = list1(tries, own, symbols * 64, key, marks, pairs, held)
                for symbol in range(symbols):
                    differs = key ^ code[3 + symbol]
                    folded = differs
                    for shift in range(1, width):
                        folded |= differs >> np.uint64(shift)
                    here = ~folded & lows
                    while here:
                        held = list1(tries, own, symbol * 64 + lowest(here), key, marks, pairs, held)
                        here &= here - np.uint64(1)
            done = emit1(code, rules, pairs, held, pool, arena, link, free, book)
            if done < 0:
                span[0], span[2], span[3] = number, first, done
                return total
            total += done
        span[2] = 0
    span[0] = span[1]
    return total
