"""The kernel that generates children if something happens by itself after each rule, or positions are forbidden."""

from __future__ import annotations

import numpy as np

from ..loop import inner, loop, specialised
from .expand import FULL, TRIED
from .expand_wide import emitw, expand_rows, madew
from .happening import settle
from .sentences import told


@inner
def attempt(code, tries, own, rules, ends, slot, marks, scratch, pool, arena, link, free, book):
    """Emit the children of the position in row 0 of `key` by the rules of a slot; return how many, FULL or LONG.

    After LONG, row 0 of `pool` is the position in which something goes on for long.

    rules    as in `expand`, but the first word is where the program in `laws` begins that says whether a position
             that the rule made is forbidden
    ends     (stage, happens, offsets, fields, reading, laws); see `happening` and `sentences`
    scratch  (key, slots, `pending` of `happening`, `reached` of `sentences`)
    """
    stage, happens, offsets, fields, reading, laws = ends
    key, _, pending, reached = scratch
    emitted = 0
    words, end = key.shape[1], np.int64(happens[0] > 0)  # the row of `pool` in which a move ends
    for index in range(tries[slot], tries[slot + 1]):
        if marks & own[index] != np.uint64(0):
            continue
        rule = tries[index] * TRIED
        if not madew(code, np.int64(rules[rule + 8]), key, 0, pool, 0):
            continue
        if end:
            done = settle(stage, happens, offsets, fields, reading, key, pool, pending)
            if done < 0:
                return done
        differs = False
        for word in range(words):
            differs = differs or pool[end, word] != key[0, word]
        if differs and not told(laws, np.int64(rules[rule]), code[0], pool, end, reached):
            if not emitw(pool, end, rules[rule + 7], words, arena, link, free, book):
                return FULL
            emitted += 1
    return emitted


expand_lawful = loop(specialised(expand_rows, "expand_lawful", attempt=attempt))
