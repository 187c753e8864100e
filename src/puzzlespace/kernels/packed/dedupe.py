"""Kernels that remove duplicates and known positions from the children, one bucket at a time to fit the cache.

A set of positions is partitioned by hash: part p is keys[starts[p]:starts[p + 1]]. Bucket p of the children is compared
with part p of the sets only. Each part is put into a hash table of whole keys with open addressing, so it is exact.
Functions ending in 1 are for positions of one word, those ending in w for several.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..loop import helper, loop
from .expand import hash1
from .expand_wide import hashw


class Chains(NamedTuple):
    """Buckets of children as linked lists of blocks.

    arena   uint64, blocks of len(arena) / len(used) words: the next block of the list (all bits set at its end), then
            children
    used    int64 [blocks]: number of children in the block
    heads   int64 [buckets]: the first block, or -1
    totals  int64 [buckets]: number of children in the bucket
    fresh   (out)  int64 [buckets]: number of different new children, which are moved to the front of the list
    """

    arena: np.ndarray
    used: np.ndarray
    heads: np.ndarray
    totals: np.ndarray
    fresh: np.ndarray


@loop
def table_bits(wanted):
    """Return the logarithm of the size of a table that at most `wanted` keys fill to at most two thirds."""
    bits = 4
    while (1 << bits) * 2 < wanted * 3:
        bits += 1
    return bits


@helper
def claim1(table, left, bits, key):
    """Add the key to the table of 2^bits slots; return whether it is new.

    left  the number of bits of the hash that select the part; the next bits are the home slot
    All bits set is a free slot, so the caller must treat that key itself.
    """
    mask = (np.uint64(1) << np.uint64(bits)) - np.uint64(1)
    at = hash1(key) << np.uint64(left) >> np.uint64(64 - bits)
    while True:
        found = table[at]
        if found == key:
            return False
        if found == np.uint64(0xFFFFFFFFFFFFFFFF):
            table[at] = key
            return True
        at = (at + np.uint64(1)) & mask


@helper
def fill1(table, left, bits, keys):
    """Add the keys to the table, except the one with all bits set; return whether that one is among them."""
    has_full = False
    for index in range(len(keys)):
        if keys[index] == np.uint64(0xFFFFFFFFFFFFFFFF):
            has_full = True
        else:
            claim1(table, left, bits, keys[index])
    return has_full


@loop
def sift1(sets, chains, span, table, left):
    """Drop duplicates and known positions from the buckets span[0] … span[1] - 1.

    sets   the sets of known positions, (keys, starts) of each
    table  uint64 working memory, large enough for the largest bucket with its parts
    left   the number of bits of the hash that select the bucket
    """
    arena, used, heads, totals, fresh = chains
    size = len(arena) // len(used)
    for part in range(span[0], span[1]):
        wanted = totals[part]
        for _, starts in sets:
            wanted += starts[part + 1] - starts[part]
        bits = table_bits(wanted)
        table[: 1 << bits] = np.uint64(0xFFFFFFFFFFFFFFFF)
        has_full = False
        for keys, starts in sets:
            has_full |= fill1(table, left, bits, keys[starts[part] : starts[part + 1]])
        block = heads[part]
        to, at, new = block, 0, 0
        while block >= 0:
            for index in range(block * size + 1, block * size + 1 + used[block]):
                key = arena[index]
                if key == np.uint64(0xFFFFFFFFFFFFFFFF):
                    taken, has_full = not has_full, True
                else:
                    taken = claim1(table, left, bits, key)
                if taken:
                    if at == used[to]:
                        to, at = np.int64(arena[to * size]), 0
                    at += 1
                    arena[to * size + at] = key
                    new += 1
            block = np.int64(arena[block * size])
        fresh[part] = new


@helper
def load(pool, row, arena, at):
    """Copy one position from arena[at:] to a row of the pool."""
    for word in range(pool.shape[1]):
        pool[row, word] = arena[at + word]


@helper
def findw(table, left, bits, pool, held):
    """Return the slot that holds the position in row `held` of the pool, or the free slot for it.

    A slot holds 0 if it is free, else 1 + a row of the pool.
    """
    mask = (np.uint64(1) << np.uint64(bits)) - np.uint64(1)
    at = hashw(pool, held, pool.shape[1]) << np.uint64(left) >> np.uint64(64 - bits)
    while table[at] > 0:
        other = table[at] - 1
        same = True
        for word in range(pool.shape[1]):
            same = same and pool[other, word] == pool[held, word]
        if same:
            return at
        at = (at + np.uint64(1)) & mask
    return at


@helper
def claimw(table, left, bits, pool, held):
    """Add row `held` of the pool to the table; return whether it is new."""
    at = findw(table, left, bits, pool, held)
    if table[at] > 0:
        return False
    table[at] = held + 1
    return True


@helper
def fillw(table, left, bits, pool, keys):
    """Append the keys to the pool, which has `table[-1]` rows, and add them to the table; all must be new."""
    held = np.int64(table[-1])
    for index in range(len(keys)):
        for word in range(keys.shape[1]):
            pool[held, word] = keys[index, word]
        held += claimw(table, left, bits, pool, held)
    table[-1] = held


@loop
def siftw(sets, chains, span, scratch, left):
    """Do what `sift1` does for positions of several words.

    scratch  (table int64, pool uint64 [n, words]), large enough for the largest bucket with its parts; the last entry
             of the table is not a slot but the number of rows of the pool
    """
    table, pool = scratch
    arena, used, heads, totals, fresh = chains
    size, words = len(arena) // len(used), pool.shape[1]
    for part in range(span[0], span[1]):
        wanted = totals[part]
        for _, starts in sets:
            wanted += starts[part + 1] - starts[part]
        bits = table_bits(wanted)
        table[: 1 << bits] = 0
        table[-1] = 0
        for keys, starts in sets:
            fillw(table, left, bits, pool, keys[starts[part] : starts[part + 1]])
        held = np.int64(table[-1])
        block = heads[part]
        to, at, new = block, 0, 0
        while block >= 0:
            for index in range(used[block]):
                load(pool, held, arena, block * size + 1 + index * words)
                if claimw(table, left, bits, pool, held):
                    if at == used[to]:
                        to, at = np.int64(arena[to * size]), 0
                    for word in range(words):
                        arena[to * size + 1 + at * words + word] = pool[held, word]
                    at += 1
                    new += 1
                    held += 1
            block = np.int64(arena[block * size])
        fresh[part] = new


@loop
def common(one, other, scratch, left, out):
    """Write the intersection of two sets (keys [n, words], starts) to `out`; return how many. Scratch as in `siftw`."""
    table, pool = scratch
    keys, starts = one
    others, begins = other
    written = 0
    for part in range(len(starts) - 1):
        held = starts[part + 1] - starts[part]
        if held == 0:
            continue
        bits = table_bits(held)
        table[: 1 << bits] = 0
        table[-1] = 0
        fillw(table, left, bits, pool, keys[starts[part] : starts[part + 1]])
        for index in range(begins[part], begins[part + 1]):
            for word in range(pool.shape[1]):
                pool[held, word] = others[index, word]
            if table[findw(table, left, bits, pool, held)] > 0:
                for word in range(pool.shape[1]):
                    out[written, word] = others[index, word]
                written += 1
    return written


@loop
def copy_parts(source, span, words, out, places):
    """Copy the parts span[0] … span[1] - 1 of a set (flat keys, starts) to the flat `out`, part p to places[p].

    starts, places  in positions of `words` words
    """
    keys, starts = source
    for part in range(span[0], span[1]):
        to = places[part] * words
        for index in range(starts[part] * words, starts[part + 1] * words):
            out[to] = keys[index]
            to += 1


@loop
def copy_chains(chains, span, words, out, places):
    """Copy the new children of the buckets span[0] … span[1] - 1 to the flat `out`, bucket p to places[p]."""
    arena, used, heads, _, fresh = chains
    size = len(arena) // len(used)
    for part in range(span[0], span[1]):
        to = places[part] * words
        left = fresh[part] * words
        block = heads[part]
        while left > 0:
            begin = block * size + 1
            count = min(left, used[block] * words)
            for index in range(begin, begin + count):
                out[to] = arena[index]
                to += 1
            left -= count
            block = np.int64(arena[block * size])
