"""Kernels that generate the children of packed positions and put each into the bucket of its hash.

Buckets are linked lists of blocks in one arena that all threads share. Each thread owns its book and a range of free
blocks, so there are no locks. Functions ending in 1 are for positions of one word, those ending in w for several.

code    uint64: all rules in one array, because passing a tuple of arrays to inner functions is slow. code[0] is the
        number of bits per cell, [1] the number S of trigger symbols, [2] the number W of words per position. From 3 on:
        W words per trigger symbol, the symbol repeated in every cell; W words with the lowest bit of every cell;
        S * W * 64 + 2 offsets of records. The records to try if trigger s is at bit b of word w begin at the offset
        with index (s * W + w) * 64 + b and end where the next ones begin; the last ones are always tried. A record is
        [next record, offset of its followers or 0, numbers of tests, moved and looked-up parts,
         (mask, want, keep, put) per word, (word, shift, symbols) per test,
         (from word, to word, mask, left, right) per moved part,
         (from word, shift, to word, shift, offset of the table) per looked-up part]
        and followers are [their number, offsets of their records].
arena   uint64, blocks of 2^book[3] words: the previous block of the list (all bits set if there is none), then children
book    int64: next free block, end of the thread's range, 64 - bits of the hash that select the bucket, bits of an
        offset within a block, number of buckets, three unused; then per bucket the offset of its next child (0 before
        the first); then per bucket its first block and its number of blocks
pool    uint64 [n, words + 1]: positions reached within one move, each with the offset of its followers
"""

from __future__ import annotations

import numpy as np

from ..bits import lowest
from ..loop import helper, loop

FULL = -1
CRAMPED = -2

HEAD = 8
"""Index in the book of the first bucket."""


@helper
def hash1(key):
    """Return the hash of one word; its highest bits are the best mixed."""
    return (key ^ (key >> np.uint64(29))) * np.uint64(0x9E3779B97F4A7C15)


@loop
def place(mixed, words, arena, book):
    """Return the offset in the arena for a child with that hash, or -1 if no free block is left."""
    bucket = np.int64(mixed >> np.uint64(book[2]))
    to = book[8 + bucket]
    within = to & ((np.int64(1) << book[3]) - 1)
    if within == 0 or within + words > np.int64(1) << book[3]:
        to = begin_block(bucket, to, arena, book)
        if to < 0:
            return to
    book[8 + bucket] = to + words
    return to


@helper
def begin_block(bucket, to, arena, book):
    """Start a block for the bucket whose next child would go to `to`; return the offset of its first child, or -1."""
    block = book[0]
    if block == book[1]:
        return np.int64(-1)
    book[0] = block + 1
    tally = 8 + book[4] + 2 * bucket
    arena[block << book[3]] = np.uint64(0xFFFFFFFFFFFFFFFF)
    if book[tally + 1] == 0:
        book[tally] = block
    else:
        arena[block << book[3]] = np.uint64((to - 1) >> book[3])
    book[tally + 1] += 1
    return (block << book[3]) + 1


@helper
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
def follow1(code, key, followers, pool, arena, book):
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
            to = place(hash1(child), 1, arena, book)
            if to < 0:
                return FULL
            arena[to] = child
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


@helper
def attempt1(code, slot, key, pool, arena, book):
    """Emit the children by the rules whose records begin at code[slot]; return how many, FULL or CRAMPED."""
    emitted = 0
    at, end = np.int64(code[slot]), np.int64(code[slot + 1])
    while at < end:
        child = child1(code, at, key)
        if child != key:
            to = place(hash1(child), 1, arena, book)
            if to < 0:
                return FULL
            arena[to] = child
            emitted += 1
            if code[at + 1] != np.uint64(0):
                more = follow1(code, child, code[at + 1], pool, arena, book)
                if more < 0:
                    return more
                emitted += more
        at = np.int64(code[at])
    return emitted


@loop
def expand1(code, keys, span, pool, arena, book):
    """Emit the children of keys[span[0]:span[1]]; return how many.

    span  (in/out)  span[0] becomes the first position not expanded, span[2] the reason: 0, FULL or CRAMPED. Some
          children of that position may have been emitted; the next call emits them again.
    """
    total = 0
    span[2] = 0
    width, symbols = np.int64(code[0]), np.int64(code[1])
    lows = code[3 + symbols]
    slots = 4 + symbols
    for row in range(span[0], span[1]):
        key = keys[row]
        done = attempt1(code, slots + symbols * 64, key, pool, arena, book)
        for symbol in range(symbols):
            differs = key ^ code[3 + symbol]
            folded = differs
            for shift in range(1, width):
                folded |= differs >> np.uint64(shift)
            here = ~folded & lows
            while here and done >= 0:
                emitted = attempt1(code, slots + symbol * 64 + lowest(here), key, pool, arena, book)
                done = emitted if emitted < 0 else done + emitted
                here &= here - np.uint64(1)
        if done < 0:
            span[0], span[2] = row, done
            return total
        total += done
    span[0] = span[1]
    return total
