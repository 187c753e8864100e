"""What happens by itself after a move, on packed positions in rows of words.

A set of rules has a bit for each rule of each stage, in their order; the rules of each stage begin with a new word.

stage    uint64: the rules of all stages, in the form of `code` in `expand`
happens  int64: [number of stages, words of a set of rules, how many rules are made before the caller is asked whether
         this ends, whether positions that are expanded are settled]; then per stage its first word in a set of rules,
         the end of its words, and whether it is `once`
offsets  int64: for each bit of a set of rules the offset of the rule in `stage`
fields   int64 [bits of a position, 3]: the first row of the bit's cell in `reading`, the cell's shift and bits
reading  uint64 [rows + 1, 2, words of a set]: for each cell and symbol the rules that read or write the cell and allow
         the symbol there, and those that do not allow it; at last all rules
pending  uint64: working memory for a set of rules, and a word for each stage
"""

from __future__ import annotations

import numpy as np

from ..bits import lowest
from ..loop import helper
from .expand_wide import madew

LONG = -3
"""So many rules were made that it may never end."""

NONE = np.uint64(0)


@helper
def touch(fields, reading, before, row, after, to, words, pending):
    """Add the rules that may apply to after[to] although they did not apply to before[row].

    Return whether a cell differs.
    """
    size, differs = reading.shape[2], False
    for word in range(words):
        different = before[row, word] ^ after[to, word]
        while different != NONE:
            differs = True
            bit = word * 64 + lowest(different)
            shift = np.uint64(fields[bit, 1])
            field = (np.uint64(1) << np.uint64(fields[bit, 2])) - np.uint64(1)
            different &= ~(field << shift)
            rules = fields[bit, 0] + np.int64(after[to, word] >> shift & field)
            for index in range(size):
                pending[index] |= reading[rules, 0, index]
    return differs


@helper
def fitting(fields, reading, keys, row, words, first, end, pending):
    """Write to pending[first:end] the rules of a stage that apply to keys[row]."""
    for index in range(first, end):
        pending[index] = reading[len(reading) - 1, 0, index]
    for word in range(words):
        bit = 0
        while bit < 64:
            width = fields[word * 64 + bit, 2]
            if width == 0:
                bit += 1
                continue
            field = (np.uint64(1) << np.uint64(width)) - np.uint64(1)
            rules = fields[word * 64 + bit, 0] + np.int64(keys[row, word] >> np.uint64(bit) & field)
            for index in range(first, end):
                pending[index] &= ~reading[rules, 1, index]
            bit += width


@helper
def settle(stage, happens, offsets, fields, reading, key, pool, pending):
    """Let happen by itself what happens in row 0 of `pool`, which a rule made from row 0 of `key`.

    Return 0, the result being in row 1, or LONG. Row 2 is working memory.
    """
    stages, size, words = happens[0], happens[1], key.shape[1]
    for word in range(words):
        pool[1, word] = pool[0, word]
    for index in range(size):
        pending[index] = NONE
    if happens[3]:
        touch(fields, reading, key, 0, pool, 1, words, pending)
    for number in range(stages):
        first, end, once = happens[4 + 3 * number], happens[5 + 3 * number], happens[6 + 3 * number]
        pending[size + number] = NONE
        if once or not happens[3]:
            fitting(fields, reading, pool, 1, words, first, end, pending)
    made, changed = 0, True
    while changed:
        changed = False
        for number in range(stages):
            index, end, once = happens[4 + 3 * number], happens[5 + 3 * number], happens[6 + 3 * number]
            if pending[size + number] != NONE:
                continue
            while index < end:
                if pending[index] == NONE:
                    index += 1
                    continue
                bit = lowest(pending[index])
                applies = madew(stage, offsets[index * 64 + bit], pool, 1, pool, 2)
                if not (applies and touch(fields, reading, pool, 1, pool, 2, words, pending)):
                    pending[index] &= pending[index] - np.uint64(1)
                    continue
                changed = True
                made += 1
                if made == happens[2]:
                    return LONG
                for word in range(words):
                    pool[1, word] = pool[2, word]
                if once:
                    pending[size + number] = np.uint64(1)
                    break
                index = happens[4 + 3 * number]
    return 0
