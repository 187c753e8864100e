"""Compiled loops that grow layers of positions of sliding pieces, and lead back through them."""

from __future__ import annotations

import numpy as np

from ..loop import inner, loop
from ..prefetch import prefetch
from .code_set import enter, mark_of, mix
from .goals import meets
from .moves import children, untagged

BATCH = 64
"""Children looked up together, their places in the table on the way from memory meanwhile."""

DONE, LAST, FULL, FAR, PAUSE = range(5)
"""Why a loop stopped: at the end of a layer, after the last one, or within a layer: too many entries, one would stand
too far from its place, rows enough."""

BEGIN, ROW, END, WRITTEN, FITS, MARK, MADE, BUDGET, ROWS, MOST, FOUND, ENOUGH, LAYERS, MET, UNTIL = range(15)
"""The entries of `state` in `layers`."""


@inner
def flush(scratch, held, table, buffer, state):
    """Enter the first `held` children; the new ones go to the buffer. Return whether all found a place."""
    places, form = table
    for index in range(held):
        mixed = mix(scratch.codes[index], form[0])
        scratch.mixed[index] = mixed
        prefetch(places, np.int64(mixed >> np.uint64(form[1])))
    written = np.uint64(state[WRITTEN])
    for index in range(held):
        new = enter(places, scratch.mixed[index], form, state[MARK])
        if new < 0:
            state[WRITTEN] = np.int64(written)
            return False
        buffer[written] = scratch.codes[index]
        written += np.uint64(new)
    state[WRITTEN] = np.int64(written)
    state[MADE] += held
    return True


@inner
def expand(board, scratch, table, buffer, state):
    """Enter all positions one move from buffer[ROW:END], and write the new ones; return why it stopped.

    Rows whose children are entered already may be done again without harm.
    """
    held, batch = 0, len(scratch.codes)
    end = min(state[END], state[ROW] + state[ROWS])
    for row in range(state[ROW], end):
        if state[WRITTEN] + batch > state[FITS]:
            return FULL
        held = children(board, buffer[row], scratch, held)
        if held + state[MOST] > batch or row + 1 == end:
            if not flush(scratch, held, table, buffer, state):
                return FAR
            held = 0
            state[ROWS] -= row + 1 - state[ROW]
            state[ROW] = row + 1
            if state[MADE] > state[BUDGET]:
                return PAUSE
    return DONE if end == state[END] else PAUSE


@loop
def layers(board, scratch, tests, table, out, state):
    """Grow layer after layer until something needs to be looked at; return why.

    table  the places and the form of the table, see `blocks_table.enter`
    out    (buffer, sizes, met): codes layer by layer; size and number of goals of each layer made; codes of the goals
    state  BEGIN and END of the layer to go on from in the buffer, the first ROW of it not done, and what is WRITTEN of
           the next; how much FITS table and buffer; the MARK of the next layer; children MADE (counted up) and their
           BUDGET; ROWS to do at most; the MOST children of a position; positions FOUND (counted up), and how many are
           ENOUGH to stop; LAYERS made and goals MET in `out`; whether to stop UNTIL goals are met
    """
    buffer, sizes, met = out
    while True:
        why = expand(board, scratch, table, buffer, state)
        if why != DONE:
            return why
        begin, end, goals = state[END], state[WRITTEN], state[MET]
        if begin == end:
            return LAST
        for row in range(begin, end if len(tests.masks) else begin):
            code = untagged(board, buffer[row])
            if meets(board, scratch, tests, code):
                met[goals] = code
                goals += 1
        sizes[state[LAYERS], 0] = end - begin
        sizes[state[LAYERS], 1] = goals - state[MET]
        state[BEGIN] = state[ROW] = begin
        state[END] = end
        state[MARK] = state[MARK] % 3 + 1
        state[FOUND] += end - begin
        state[LAYERS] += 1
        state[MET] = goals
        if state[LAYERS] == len(sizes) or state[FOUND] > state[ENOUGH] or (state[UNTIL] and goals):
            return DONE


@loop
def parents(board, scratch, table, layer, span, out):
    """Write the codes one move from layer[span[0]:] that have the mark span[1] to `out`; return how many.

    span[0] becomes the first row not done: the end, or where `out` has no room left. Codes have no tags here.
    """
    written = 0
    places, form = table
    for row in range(span[0], len(layer)):
        held = children(board, layer[row], scratch, 0)
        if written + held > len(out):
            span[0] = row
            return written
        for index in range(held):
            if mark_of(places, mix(scratch.codes[index], form[0]), form) == span[1]:
                out[written] = untagged(board, scratch.codes[index])
                written += 1
    span[0] = len(layer)
    return written


@loop
def descend(board, scratch, table, code, mark, out):
    """Write one way from a position back to `out`, the least code at each step; `mark` is that of the first one."""
    places, form = table
    for step in range(len(out)):
        held = children(board, code, scratch, 0)
        code = ~np.uint64(0)
        for index in range(held):
            child = untagged(board, scratch.codes[index])
            if child < code and mark_of(places, mix(child, form[0]), form) == mark:
                code = child
        out[step] = code
        mark = (mark + 1) % 3 + 1
