"""The loops of `expand` for positions of several words: the same steps, with rows of words in place of one word."""

from __future__ import annotations

import numpy as np
from numba import njit

from .bits import lowest
from .expand import CRAMPED, FULL, hash1, place


@njit(cache=True, nogil=True)
def hashw(keys, row):
    """Return the mixed bits of a row of words; for one word what `hash1` returns."""
    mixed = np.uint64(0)
    for word in range(keys.shape[1]):
        mixed = hash1(mixed ^ keys[row, word])
    return mixed


@njit(cache=True, nogil=True)
def emitw(keys, row, sink):
    """Put a copy of keys[row] into its bucket; return 1, or FULL."""
    block, held = place(sink, np.int64(hashw(keys, row) >> np.uint64(sink.lot[2])))
    if block < 0:
        return FULL
    for word in range(keys.shape[1]):
        sink.arena[block, held, word] = keys[row, word]
    return 1


@njit(cache=True, nogil=True)
def usablew(rules, rule, keys, row):
    """Return whether the rule can be used on keys[row]."""
    for word in range(keys.shape[1]):
        if keys[row, word] & rules.words[rule, 0, word] != rules.words[rule, 1, word]:
            return False
    field = (np.uint64(1) << np.uint64(rules.width[0])) - np.uint64(1)
    for part in range(rules.first[rule, 0], rules.first[rule + 1, 0]):
        symbol = keys[row, rules.tests[part, 0]] >> rules.tests[part, 1] & field
        if rules.tests[part, 2] >> symbol & np.uint64(1) == np.uint64(0):
            return False
    return True


@njit(cache=True, nogil=True)
def childw(rules, rule, keys, row, out, at):
    """Write what the rule makes of keys[row] to out[at]; return whether it can be used and changes something."""
    if not usablew(rules, rule, keys, row):
        return False
    for word in range(keys.shape[1]):
        out[at, word] = (keys[row, word] & rules.words[rule, 2, word]) ^ rules.words[rule, 3, word]
    for part in range(rules.first[rule, 1], rules.first[rule + 1, 1]):
        taken = keys[row, rules.moved[part, 0]] & rules.moved[part, 2]
        out[at, rules.moved[part, 1]] ^= taken << rules.moved[part, 3] >> rules.moved[part, 4]
    field = (np.uint64(1) << np.uint64(rules.width[0])) - np.uint64(1)
    for part in range(rules.first[rule, 2], rules.first[rule + 1, 2]):
        symbol = keys[row, rules.lookups[part, 0]] >> rules.lookups[part, 1] & field
        out[at, rules.lookups[part, 2]] ^= rules.tables[rules.lookups[part, 4], symbol] << rules.lookups[part, 3]
    for word in range(keys.shape[1]):
        if out[at, word] != keys[row, word]:
            return True
    return False


@njit(cache=True, nogil=True)
def heldw(pool, held, group):
    """Return whether row `held` of the pool, with the list `group`, stands in the pool before."""
    for index in range(held):
        if pool.groups[index] == group:
            same = True
            for word in range(pool.keys.shape[1]):
                same = same and pool.keys[index, word] == pool.keys[held, word]
            if same:
                return True
    return False


@njit(cache=True, nogil=True)
def followw(rules, group, sink, pool):
    """Emit every position that lists from `group` on make of pool row 0 at no cost, as `follow1` does.

    The last row of the pool is kept free for the next child.
    """
    pool.groups[0] = group
    held, emitted, at = 1, 0, 0
    while at < held:
        for index in range(rules.follow[pool.groups[at]], rules.follow[pool.groups[at] + 1]):
            rule = rules.followers[index]
            if not childw(rules, rule, pool.keys, at, pool.keys, held):
                continue
            if emitw(pool.keys, held, sink) < 0:
                return FULL
            emitted += 1
            after = rules.group[rule]
            if after < 0 or heldw(pool, held, after):
                continue
            if held + 2 > len(pool.groups):
                return CRAMPED
            pool.groups[held] = after
            held += 1
        at += 1
    return emitted


@njit(cache=True, nogil=True)
def attemptw(rules, slot, keys, row, sink, pool):
    """Emit the children by the rules of one slot; return how many, FULL or CRAMPED."""
    emitted = 0
    for index in range(rules.slots[slot], rules.slots[slot + 1]):
        rule = rules.candidates[index]
        if not childw(rules, rule, keys, row, pool.keys, 0):
            continue
        if emitw(pool.keys, 0, sink) < 0:
            return FULL
        emitted += 1
        if rules.group[rule] >= 0:
            more = followw(rules, rules.group[rule], sink, pool)
            if more < 0:
                return more
            emitted += more
    return emitted


@njit(cache=True, nogil=True)
def expandw(rules, keys, span, sink, pool):
    """Emit the children of keys[span[0]:span[1]]; return how many. See `expand1`."""
    total = 0
    span[2] = 0
    words = keys.shape[1]
    for row in range(span[0], span[1]):
        done = attemptw(rules, len(rules.slots) - 2, keys, row, sink, pool)
        for index in range(len(rules.patterns) * words):
            symbol, word = index // words, index % words
            differs = keys[row, word] ^ rules.patterns[symbol, word]
            folded = differs
            for shift in range(1, rules.width[0]):
                folded |= differs >> np.uint64(shift)
            here = ~folded & rules.lows[word]
            while here and done >= 0:
                emitted = attemptw(rules, index * 64 + lowest(here), keys, row, sink, pool)
                done = emitted if emitted < 0 else done + emitted
                here &= here - np.uint64(1)
        if done < 0:
            span[0], span[2] = row, done
            return total
        total += done
    span[0] = span[1]
    return total
