"""Kernels that remove duplicates and known positions from the children, one bucket at a time to fit the cache.

A layer is partitioned by hash. Part p consists of the segments firsts[p] … firsts[p + 1] - 1; segment s is counts[s]
positions from source[places[s]] on, encoded as in `expand`. Bucket p of the children is compared with part p of known
layers only. Each part is put into a hash table of whole positions with open addressing, so it is exact. The marks of
equal positions are united. Functions ending in 1 are for positions of one word, those ending in w for several.

The marks of a record are never 0 in a table, so 0 is a free slot. The highest mark, SEEN, says that the position is
known. With b bits of marks, that of bit b - 1 is SEEN. The others say which moves lead back to the layer before
(`engines/packed/undoing.py`).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..loop import helper, inner, loop
from ..prefetch import prefetch
from .expand import HEAD, hash1
from .expand_wide import decode

AHEAD = 8
"""Positions between the one whose slot of the table is prefetched and the one that is put there."""


class Chains(NamedTuple):
    """The buckets of children, and what becomes of them.

    arena   uint64: blocks of len(arena) / len(link) words
    link    int64 [blocks] (in/out): in: the previous block of a bucket; out: the next block of a part, or the next one
            to free, or -1
    books   int64 [threads, …]: the books of `expand`
    fresh   int64 [buckets] (out): the number of different new children
    heads   int64 [buckets, 2] (out): the first block with new children, and the first one to free, or -1
    """

    arena: np.ndarray
    link: np.ndarray
    books: np.ndarray
    fresh: np.ndarray
    heads: np.ndarray


@loop
def table_bits(wanted):
    """Return the logarithm of the size of a table that at most `wanted` keys fill to at most two thirds."""
    bits = 4
    while (1 << bits) * 2 < wanted * 3:
        bits += 1
    return bits


@inner
def claim1(table, shift, bits, record):
    """Put the record into the table, whose slots are selected by the hash shifted right by `shift`."""
    mask = np.uint64(len(table) - 1)
    at = record >> shift
    found = table[at]
    while found != np.uint64(0) and (found ^ record) >> bits != np.uint64(0):
        at = (at + np.uint64(1)) & mask
        found = table[at]
    table[at] = found | record


@inner
def claim_all1(table, shift, bits, source, begin, count, drop, add):
    """Put `count` records from source[begin:] into the table, without the marks `drop` and with the marks `add`."""
    for index in range(begin, begin + count):
        prefetch(table, np.int64(source[min(index + AHEAD, begin + count - 1)] >> shift))
        claim1(table, shift, bits, source[index] & ~drop | add)


@loop
def sift1(sets, chains, prior, span, table, blocks, bits):
    """Drop duplicates and known positions from the buckets span[0] … span[1] - 1.

    sets    layers of known positions: (source, places, counts, firsts) of each
    prior   (places, counts, firsts) of new children of earlier rounds, in blocks of the arena
    table   uint64 working memory, large enough for the largest bucket with its parts
    blocks  int64 working memory, large enough for the blocks of the largest bucket
    bits    the number of bits of the hash that select the bucket, and of marks
    """
    arena, link, books, fresh, _ = chains
    size = len(arena) // len(link)
    low = (np.uint64(1) << np.uint64(bits)) - np.uint64(1)
    seen = np.uint64(1) << np.uint64(bits - 1)
    none = np.uint64(0)
    for part in range(span[0], span[1]):
        used, wanted = listed(chains, prior, part, 1, blocks)
        for _, _, counts, firsts in sets:
            for at in range(firsts[part], firsts[part + 1]):
                wanted += counts[at]
        log = table_bits(wanted)
        slots, shift = table[: 1 << log], np.uint64(64 - log)
        slots[:] = none
        for source, places, counts, firsts in sets:
            for at in range(firsts[part], firsts[part + 1]):
                claim_all1(slots, shift, np.uint64(bits), source, places[at], counts[at], low, seen)
        for at in range(prior[2][part], prior[2][part + 1]):
            claim_all1(slots, shift, np.uint64(bits), arena, prior[0][at], prior[1][at], none, none)
        for thread in range(len(books)):
            block = books[thread, HEAD + books[thread, 4] + 2 * part]
            count = books[thread, HEAD + part] - block * size
            while block >= 0:
                claim_all1(slots, shift, np.uint64(bits), arena, block * size, count, none, none)
                block = link[block]
                count = size
        new = 0
        for index in range(1 << log):
            record = slots[index]
            slots[new] = record
            new += np.int64(record != none) & np.int64(record & seen == none)
        fresh[part] = new
        done = 0
        while done < new:
            begin, count = blocks[done // size] * size, min(size, new - done)
            for index in range(count):
                arena[begin + index] = slots[done + index]
            done += count
        relink(chains, part, blocks, used, -(-new // size))


@helper
def listed(chains, prior, part, words, blocks):
    """Write the blocks of a bucket to `blocks`; return how many they are, and how many positions they hold at most."""
    arena, link, books, _, _ = chains
    size = len(arena) // len(link)
    used, held = 0, 0
    for at in range(prior[2][part], prior[2][part + 1]):
        blocks[used] = prior[0][at] // size
        used += 1
        held += prior[1][at]
    for thread in range(len(books)):
        block = books[thread, HEAD + books[thread, 4] + 2 * part]
        count = (books[thread, HEAD + part] - block * size) // words
        while block >= 0:
            blocks[used] = block
            used += 1
            held += count
            block = link[block]
            count = size // words
    return used, held


@helper
def relink(chains, part, blocks, used, kept):
    """Link the first `kept` of the blocks of a part to one list, and the others to another one."""
    _, link, _, _, heads = chains
    for at in range(used):
        link[blocks[at]] = -1 if at + 1 == kept or at + 1 == used else blocks[at + 1]
    heads[part, 0] = blocks[0] if kept else -1
    heads[part, 1] = blocks[kept] if kept < used else -1


@loop
def collect(chains, room, firsts, places, counts, free):
    """Write the blocks of the parts, as places and numbers of positions, and the blocks to free; return both numbers.

    room    how many positions fit a block
    firsts  (out) int64 [parts + 1]: the first block of each part
    """
    arena, link, _, fresh, heads = chains
    size = len(arena) // len(link)
    made, freed = 0, 0
    for part in range(len(fresh)):
        firsts[part] = made
        block, left = heads[part, 0], fresh[part]
        while block >= 0:
            places[made] = block * size
            counts[made] = min(left, room)
            left -= room
            made += 1
            block = link[block]
        block = heads[part, 1]
        while block >= 0:
            free[freed] = block
            freed += 1
            block = link[block]
    firsts[len(fresh)] = made
    return made, freed


@helper
def homew(source, at, words, shift):
    """Return the home slot of the position at source[at:]."""
    return np.int64(source[at + words - 1] >> shift)


@helper
def findw(table, words, shift, bits, source, at):
    """Return the offset in the table of the position at source[at:], or that of the free slot for it.

    A slot is free if its last word is 0.
    """
    last = words - 1
    slot = homew(source, at, words, shift)
    end = np.int64(1) << (np.int64(64) - np.int64(shift))
    while True:
        to = slot * words
        if table[to + last] == np.uint64(0):
            return to
        if (table[to + last] ^ source[at + last]) >> bits == np.uint64(0):
            same = True
            for word in range(last):
                same = same and table[to + word] == source[at + word]
            if same:
                return to
        slot += 1
        if slot == end:
            slot = np.int64(0)


@inner
def claim_allw(table, words, shift, bits, source, begin, count, drop, add):
    """Do what `claim_all1` does for positions of several words."""
    for index in range(count):
        at = begin + index * words
        ahead = begin + min(index + AHEAD, count - 1) * words
        prefetch(table, homew(source, ahead, words, shift) * words)
        to = findw(table, words, shift, bits, source, at)
        for word in range(words - 1):
            table[to + word] = source[at + word]
        table[to + words - 1] |= source[at + words - 1] & ~drop | add


@loop
def siftw(sets, chains, prior, span, table, blocks, bits, words):
    """Do what `sift1` does for positions of several words; a slot of the table has as many words as a position."""
    arena, link, books, fresh, _ = chains
    size = len(arena) // len(link)
    room, last = size // words, words - 1
    low = (np.uint64(1) << np.uint64(bits)) - np.uint64(1)
    seen = np.uint64(1) << np.uint64(bits - 1)
    none = np.uint64(0)
    for part in range(span[0], span[1]):
        used, wanted = listed(chains, prior, part, words, blocks)
        for _, _, counts, firsts in sets:
            for at in range(firsts[part], firsts[part + 1]):
                wanted += counts[at]
        log = table_bits(wanted)
        shift = np.uint64(64 - log)
        for slot in range(1 << log):
            table[slot * words + last] = none
        for source, places, counts, firsts in sets:
            for at in range(firsts[part], firsts[part + 1]):
                claim_allw(table, words, shift, np.uint64(bits), source, places[at], counts[at], low, seen)
        for at in range(prior[2][part], prior[2][part + 1]):
            claim_allw(table, words, shift, np.uint64(bits), arena, prior[0][at], prior[1][at], none, none)
        for thread in range(len(books)):
            block = books[thread, HEAD + books[thread, 4] + 2 * part]
            count = (books[thread, HEAD + part] - block * size) // words
            while block >= 0:
                claim_allw(table, words, shift, np.uint64(bits), arena, block * size, count, none, none)
                block = link[block]
                count = room
        new = 0
        for slot in range(1 << log):
            record = table[slot * words + last]
            if record != none and record & seen == none:
                to = blocks[new // room] * size + new % room * words
                for word in range(words):
                    arena[to + word] = table[slot * words + word]
                new += 1
        fresh[part] = new
        relink(chains, part, blocks, used, -(-new // room))


@loop
def common(one, other, table, bits, words, out):
    """Write the intersection of two layers (source, places, counts, firsts) to rows of `out`; return how many.

    table  uint64 working memory, large enough for the largest part of `one`
    """
    seen = np.uint64(1) << np.uint64(bits - 1)
    written, last = np.int64(0), words - 1
    for part in range(len(one[3]) - 1):
        wanted = 0
        for at in range(one[3][part], one[3][part + 1]):
            wanted += one[2][at]
        if wanted == 0:
            continue
        log = table_bits(wanted)
        shift = np.uint64(64 - log)
        for slot in range(1 << log):
            table[slot * words + last] = np.uint64(0)
        for at in range(one[3][part], one[3][part + 1]):
            claim_allw(table, words, shift, np.uint64(bits), one[0], one[1][at], one[2][at], np.uint64(0), seen)
        top = np.uint64(part) << np.uint64(64 - bits)
        for at in range(other[3][part], other[3][part + 1]):
            for index in range(other[2][at]):
                place = other[1][at] + index * words
                found = findw(table, words, shift, np.uint64(bits), other[0], place)
                if table[found + last] != np.uint64(0):
                    decode(other[0], place, words, np.uint64(bits), top, out, written)
                    written += 1
    return written


@loop
def copy_parts(layer, span, words, out, offsets):
    """Copy the parts span[0] … span[1] - 1 of a layer to `out`, part p from position number offsets[p] on."""
    source, places, counts, firsts = layer
    for part in range(span[0], span[1]):
        to = offsets[part] * words
        for at in range(firsts[part], firsts[part + 1]):
            for index in range(places[at], places[at] + counts[at] * words):
                out[to] = source[index]
                to += 1


@loop
def plain_rows(layer, span, bits, out):
    """Write the positions of the parts span[0] … span[1] - 1 of a layer to rows of `out`; return how many."""
    source, places, counts, firsts = layer
    words, written = out.shape[1], np.int64(0)
    for part in range(span[0], span[1]):
        top = np.uint64(part) << np.uint64(64 - bits)
        for at in range(firsts[part], firsts[part + 1]):
            for index in range(counts[at]):
                decode(source, places[at] + index * words, words, np.uint64(bits), top, out, written)
                written += 1
    return written


@loop
def encoded(rows, bits, parts, out):
    """Write the positions of rows of words to `out` as layers store them, without marks, and their parts to `parts`."""
    words = rows.shape[1]
    for row in range(len(rows)):
        mixed = np.uint64(0)
        for word in range(words):
            mixed = hash1(mixed ^ rows[row, word])
            out[row * words + word] = rows[row, word]
        out[row * words + words - 1] = mixed << np.uint64(bits)
        parts[row] = np.int64(mixed >> np.uint64(64 - bits))
