"""Compiled loops that make the children of packed positions and throw each into the bucket of its hash.

Buckets are chains of blocks in one arena that all threads share: a thread owns its cursors and the lot of free blocks
it was given, so nothing is locked. The functions ending in 1 are for one word per position, those in w for several.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from .bits import lowest

FULL = -1
CRAMPED = -2


class Sink(NamedTuple):
    """Where one thread puts children.

    arena   uint64 [blocks, room] or [blocks, room, words]
    link    int64 [blocks]: the block filled before this one in the same bucket and thread, -1 for the first
    cursor  int64 [buckets, 4]: last block or -1, how many it holds, first block, number of blocks
    lot     int64 [3]: the next free block, the end of the lot, bits of the hash that do not choose the bucket
    """

    arena: np.ndarray
    link: np.ndarray
    cursor: np.ndarray
    lot: np.ndarray


class Pool(NamedTuple):
    """Room for the positions within one move: keys uint64 [n] or [n, words], the list of followers of each int64 [n]."""

    keys: np.ndarray
    groups: np.ndarray


@njit(cache=True, nogil=True)
def hash1(key):
    """Return the mixed bits of one word: bits above fold onto bits below, then a multiplication carries them up."""
    return (key ^ (key >> np.uint64(29))) * np.uint64(0x9E3779B97F4A7C15)


@njit(cache=True, nogil=True)
def place(sink, bucket):
    """Return (block, place in it) for one more child of the bucket; block -1 where the lot is used up."""
    cursor, lot = sink.cursor, sink.lot
    block, held = cursor[bucket, 0], cursor[bucket, 1]
    if block < 0 or held == sink.arena.shape[1]:
        if lot[0] == lot[1]:
            return np.int64(-1), held
        sink.link[lot[0]] = block
        block, held = lot[0], np.int64(0)
        lot[0] += 1
        cursor[bucket, 3] += 1
        if cursor[bucket, 0] < 0:
            cursor[bucket, 2] = block
        cursor[bucket, 0] = block
    cursor[bucket, 1] = held + 1
    return block, held


@njit(cache=True, nogil=True)
def emit1(key, sink):
    """Put the child into its bucket; return 1, or FULL."""
    block, held = place(sink, np.int64(hash1(key) >> np.uint64(sink.lot[2])))
    if block < 0:
        return FULL
    sink.arena[block, held] = key
    return 1


@njit(cache=True, nogil=True)
def child1(rules, rule, key):
    """Return what the rule makes of the position: the position itself where it cannot be used."""
    words, first = rules.words, rules.first
    if key & words[rule, 0, 0] != words[rule, 1, 0]:
        return key
    field = (np.uint64(1) << np.uint64(rules.width[0])) - np.uint64(1)
    for part in range(first[rule, 0], first[rule + 1, 0]):
        symbol = key >> rules.tests[part, 1] & field
        if rules.tests[part, 2] >> symbol & np.uint64(1) == np.uint64(0):
            return key
    child = (key & words[rule, 2, 0]) ^ words[rule, 3, 0]
    for part in range(first[rule, 1], first[rule + 1, 1]):
        child ^= (key & rules.moved[part, 2]) << rules.moved[part, 3] >> rules.moved[part, 4]
    for part in range(first[rule, 2], first[rule + 1, 2]):
        symbol = key >> rules.lookups[part, 1] & field
        child ^= rules.tables[rules.lookups[part, 4], symbol] << rules.lookups[part, 3]
    return child


@njit(cache=True, nogil=True)
def follow1(rules, child, group, sink, pool):
    """Emit every position that rules of the list `group`, and lists after it, make of `child` at no cost.

    Return how many were emitted, FULL, or CRAMPED where the pool is too small.
    """
    pool.keys[0], pool.groups[0] = child, group
    held, emitted, at = 1, 0, 0
    while at < held:
        key = pool.keys[at]
        for index in range(rules.follow[pool.groups[at]], rules.follow[pool.groups[at] + 1]):
            rule = rules.followers[index]
            made = child1(rules, rule, key)
            if made == key:
                continue
            if emit1(made, sink) < 0:
                return FULL
            emitted += 1
            after = rules.group[rule]
            if after < 0 or _held1(pool, held, made, after):
                continue
            if held == len(pool.groups):
                return CRAMPED
            pool.keys[held], pool.groups[held] = made, after
            held += 1
        at += 1
    return emitted


@njit(cache=True, nogil=True)
def _held1(pool, held, key, group):
    for index in range(held):
        if pool.keys[index] == key and pool.groups[index] == group:
            return True
    return False


@njit(cache=True, nogil=True)
def attempt1(rules, slot, key, sink, pool):
    """Emit the children by the rules of one slot; return how many, FULL or CRAMPED."""
    emitted = 0
    for index in range(rules.slots[slot], rules.slots[slot + 1]):
        rule = rules.candidates[index]
        child = child1(rules, rule, key)
        if child == key:
            continue
        if emit1(child, sink) < 0:
            return FULL
        emitted += 1
        if rules.group[rule] >= 0:
            more = follow1(rules, child, rules.group[rule], sink, pool)
            if more < 0:
                return more
            emitted += more
    return emitted


@njit(cache=True, nogil=True)
def expand1(rules, keys, span, sink, pool):
    """Emit the children of keys[span[0]:span[1]]; return how many.

    span[0] becomes the first position not done, span[2] 0, FULL or CRAMPED: why it stopped there. Children of that
    position that were emitted already are emitted again next time.
    """
    total = 0
    span[2] = 0
    always = len(rules.slots) - 2
    for row in range(span[0], span[1]):
        key = keys[row]
        done = attempt1(rules, always, key, sink, pool)
        for symbol in range(len(rules.patterns)):
            differs = key ^ rules.patterns[symbol, 0]
            folded = differs
            for shift in range(1, rules.width[0]):
                folded |= differs >> np.uint64(shift)
            here = ~folded & rules.lows[0]
            while here and done >= 0:
                emitted = attempt1(rules, symbol * 64 + lowest(here), key, sink, pool)
                done = emitted if emitted < 0 else done + emitted
                here &= here - np.uint64(1)
        if done < 0:
            span[0], span[2] = row, done
            return total
        total += done
    span[0] = span[1]
    return total
