"""The kernels of `expand` for positions of several words, which are rows of arrays."""

from __future__ import annotations

import numpy as np

from ..bits import lowest
from ..loop import helper, inner, loop
from .expand import CHILD, CRAMPED, FULL, NEVER, TRIED, hash1, place, unhash1


@helper
def hashw(keys, row, words):
    """Return the hash of the first `words` words of a row; for one word equal to `hash1`."""
    mixed = np.uint64(0)
    for word in range(words):
        mixed = hash1(mixed ^ keys[row, word])
    return mixed


@inner
def decode(source, at, words, bits, top, out, row):
    """Write the position stored at source[at:] to a row of `out`; return its marks.

    bits, top  how many bits select the part, and these bits of the hash in their place
    """
    mixed = np.uint64(0)
    for word in range(words - 1):
        out[row, word] = source[at + word]
        mixed = hash1(mixed ^ source[at + word])
    record = source[at + words - 1]
    out[row, words - 1] = unhash1(record >> bits | top) ^ mixed
    return record & ((np.uint64(1) << bits) - np.uint64(1))


@helper
def emitw(keys, row, tag, words, arena, link, free, book):
    """Put a row of words into its bucket; return whether there was room."""
    mixed = hashw(keys, row, words)
    to = place(mixed, words, arena, link, free, book)
    if to < 0:
        return False
    for word in range(words - 1):
        arena[to + word] = keys[row, word]
    arena[to + words - 1] = mixed << np.uint64(64 - book[2]) | tag
    return True


@helper
def testsw(code, at, keys, row):
    """Return the offset after the tests of the record if the rule applies to keys[row], else -1."""
    words = np.int64(code[2])
    for word in range(words):
        if keys[row, word] & code[at + 5 + 4 * word] != code[at + 6 + 4 * word]:
            return np.int64(-1)
    field = (np.uint64(1) << code[0]) - np.uint64(1)
    part = at + 5 + 4 * words
    for _ in range(np.int64(code[at + 2])):
        symbol = keys[row, np.int64(code[part])] >> code[part + 1] & field
        if code[part + 2] >> symbol & np.uint64(1) == np.uint64(0):
            return np.int64(-1)
        part += 3
    return part


@helper
def madew(code, at, keys, row, out, to):
    """Write what the rule recorded at `at` makes of keys[row] to out[to]; return whether it applies."""
    part = testsw(code, at, keys, row)
    if part < 0:
        return False
    words = np.int64(code[2])
    for word in range(words):
        out[to, word] = (keys[row, word] & code[at + 7 + 4 * word]) ^ code[at + 8 + 4 * word]
    for _ in range(np.int64(code[at + 3])):
        taken = keys[row, np.int64(code[part])] & code[part + 2]
        out[to, np.int64(code[part + 1])] ^= taken << code[part + 3] >> code[part + 4]
        part += 5
    field = (np.uint64(1) << code[0]) - np.uint64(1)
    for _ in range(np.int64(code[at + 4])):
        symbol = np.int64(keys[row, np.int64(code[part])] >> code[part + 1] & field)
        out[to, np.int64(code[part + 2])] ^= code[np.int64(code[part + 4]) + symbol] << code[part + 3]
        part += 5
    return True


@helper
def childw(code, at, keys, row, out, to):
    """Write the child of keys[row] by the rule recorded at `at` to out[to]; return whether it exists and differs."""
    if not madew(code, at, keys, row, out, to):
        return False
    differs = False
    for word in range(np.int64(code[2])):
        differs = differs or out[to, word] != keys[row, word]
    return differs


@helper
def heldw(pool, held, followers):
    """Return whether an earlier row of the pool has the position of row `held` with these followers."""
    last = pool.shape[1] - 1
    for other in range(held):
        if pool[other, last] == followers:
            same = True
            for word in range(last):
                same = same and pool[other, word] == pool[held, word]
            if same:
                return True
    return False


@helper
def followw(code, followers, pool, arena, link, free, book):
    """Do what `follow1` does for the position in pool row 0; the row after the last one holds the next child."""
    words = pool.shape[1] - 1
    pool[0, words] = followers
    held, emitted, done = 1, 0, 0
    while done < held:
        listed = np.int64(pool[done, words])
        for index in range(listed + 1, listed + 1 + np.int64(code[listed])):
            at = np.int64(code[index])
            if not childw(code, at, pool, done, pool, held):
                continue
            if not emitw(pool, held, np.uint64(CHILD), words, arena, link, free, book):
                return FULL
            emitted += 1
            if code[at + 1] == np.uint64(0) or heldw(pool, held, code[at + 1]):
                continue
            if held + 2 > len(pool):
                return CRAMPED
            pool[held, words] = code[at + 1]
            held += 1
        done += 1
    return emitted


@inner
def attempt(code, tries, own, rules, ends, slot, marks, scratch, pool, arena, link, free, book):
    """Emit the children of the position in row 0 of `key` by the rules of a slot; return how many, FULL or CRAMPED."""
    key, emitted = scratch[0], 0
    words = key.shape[1]
    for index in range(tries[slot], tries[slot + 1]):
        if marks & own[index] != np.uint64(0):
            continue
        rule = tries[index] * TRIED
        at = np.int64(rules[rule + 8])
        if childw(code, at, key, 0, pool, 0):
            if not emitw(pool, 0, rules[rule + 7], words, arena, link, free, book):
                return FULL
            emitted += 1
            if code[at + 1] != np.uint64(0):
                more = followw(code, code[at + 1], pool, arena, link, free, book)
                if more < 0:
                    return more
                emitted += more
    return emitted


@inner
def listed_by_trigger(code, tries, key, slots):
    """Write the slots whose trigger the position in row 0 of `key` has to `slots`; return how many."""
    width, words = np.int64(code[0]), np.int64(code[2])
    triggers = np.int64(code[1]) * words
    slots[0] = triggers * 64
    held = np.int64(tries[triggers * 64] < tries[triggers * 64 + 1])
    for index in range(triggers):
        word = index % words
        differs = key[0, word] ^ code[3 + index]
        folded = differs
        for shift in range(1, width):
            folded |= differs >> np.uint64(shift)
        here = ~folded & code[3 + triggers + word]
        while here:
            slots[held] = index * 64 + lowest(here)
            held += 1
            here &= here - np.uint64(1)
    return held


@inner
def listed_by_net(code, net, key, slots):
    """Write the slots of the nodes that the position in row 0 of `key` leads to, to `slots`; return how many."""
    field = (np.uint64(1) << code[0]) - np.uint64(1)
    held, top, node = np.int64(0), len(slots), np.int64(1)
    while node > 0:
        if net[node + 3] >= 0:
            slots[held] = net[node + 3]
            held += 1
        after, further = np.int64(net[node + 2]), np.int64(0)
        if net[node] >= 0:
            symbol = np.int64(key[0, net[node]] >> np.uint64(net[node + 1]) & field)
            further = np.int64(net[node + 4 + symbol])
        if further > 0 and after > 0:
            top -= 1
            slots[top] = after
        node = further if further > 0 else after
        if node == 0 and top < len(slots):
            node = slots[top]
            top += 1
    return held


def expand_rows(code, tries, own, rules, net, ends, source, segments, span, scratch, pool, arena, link, free, book):
    """Emit the children of the positions in the span; return how many. See `expand1`.

    A copy with another `attempt` is `expand_lawful`.

    net      int32: if it is not empty, rules are found by it instead of by their triggers: nodes [word, shift, next
             node, slot, node for each symbol]; a node is its offset, and 0 means none; the first one is at 1. The
             rules of the slot (-1: none) may apply; others are found from the node for the symbol that the cell shows
             (there is none if the word is -1) and from the next node
    ends     what `attempt` needs besides rules
    scratch  working memory: (`key`, uint64 [1, words]: the position that is expanded; `slots`, int64; what `attempt`
             needs)
    """
    total = 0
    span[3] = 0
    key, slots = scratch[0], scratch[1]
    words = np.int64(code[2])
    bits = np.uint64(64 - book[2])
    for number in range(span[0], span[1]):
        begin, part = segments[number, 0], segments[number, 2]
        top = np.uint64(part) << np.uint64(book[2])
        for row in range(span[2], segments[number, 1]):
            marks = np.uint64(NEVER)
            if part >= 0:
                marks |= decode(source, begin + row * words, words, bits, top, key, np.int64(0))
            else:
                for word in range(words):
                    key[0, word] = source[begin + row * words + word]
            held = listed_by_net(code, net, key, slots) if len(net) else listed_by_trigger(code, tries, key, slots)
            done = np.int64(0)
            while held > 0 and done >= 0:
                held -= 1
                slot = slots[held]
                more = attempt(code, tries, own, rules, ends, slot, marks, scratch, pool, arena, link, free, book)
                done = more if more < 0 else done + more
            if done < 0:
                span[0], span[2], span[3] = number, row, done
                return total
            total += done
        span[2] = 0
    span[0] = span[1]
    return total


expandw = loop(expand_rows)
