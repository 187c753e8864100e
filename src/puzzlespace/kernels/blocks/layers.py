"""Kernels that build the layers of positions of sliding blocks, and follow them back to the start."""

from __future__ import annotations

import numpy as np

from ..loop import inner, loop
from ..prefetch import prefetch
from .code_set import enter, mark_of, mix
from .goals import meets
from .moves import children, untagged

BATCH = 64
"""Children looked up together, after their slots were prefetched."""

DONE, LAST, FULL, FAR, PAUSE = range(5)
"""Why a loop stopped: DONE at the end of a layer, LAST after the last layer; or within a layer: FULL if the table or
the buffer is full, FAR if a code found no slot near its home slot, PAUSE if the budget is spent."""

BEGIN, ROW, END, WRITTEN, FITS, MARK, MADE, BUDGET, ROWS, MOST, MET = range(11)
"""The entries of `state` in `layers`."""


@inner
def flush(scratch, held, table, buffer, state):
    """Add the first `held` children to the table and the new ones to the buffer; return whether all found a slot."""
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
    """Add all positions one move from buffer[ROW:END] to the table, the new ones to the buffer; return why it ended.

    It is harmless to expand a row again.
    """
    held, batch = np.int64(0), len(scratch.codes)
    end = min(state[END], state[ROW] + state[ROWS])
    for row in range(state[ROW], end):
        if state[WRITTEN] + batch > state[FITS]:
            return FULL
        held = children(board, buffer[row], scratch, held)
        if held + state[MOST] > batch or row + 1 == end:
            if not flush(scratch, held, table, buffer, state):
                return FAR
            held = np.int64(0)
            state[ROWS] -= row + 1 - state[ROW]
            state[ROW] = row + 1
            if state[MADE] > state[BUDGET]:
                return PAUSE
    return DONE if end == state[END] else PAUSE


@loop
def layers(board, scratch, tests, table, out, state):
    """Build the next layer, unless the caller has to act first; return why it ended.

    table  (slots, form), see `code_set.enter`
    out    (buffer, met): codes layer by layer; codes of the goals of the layer
    state  (in/out)  indexed by the constants above:
           BEGIN, END      the current layer in the buffer; ROW: its first row not expanded yet
           WRITTEN         end of the next layer in the buffer; FITS: the most that table and buffer hold
           MARK            mark of the next layer
           MADE, BUDGET    children made so far, and the number at which to pause; ROWS: the most rows to expand
           MOST            the most children of one position
           MET             goals written to `out`
    """
    buffer, met = out
    why = expand(board, scratch, table, buffer, state)
    if why != DONE:
        return why
    begin, end, goals = state[END], state[WRITTEN], 0
    if begin == end:
        return LAST
    for row in range(begin, end if len(tests.masks) else begin):
        code = untagged(board, buffer[row])
        if meets(board, scratch, tests, code):
            met[goals] = code
            goals += 1
    state[BEGIN] = state[ROW] = begin
    state[END] = end
    state[MARK] = state[MARK] % 3 + 1
    state[MET] = goals
    return DONE


@loop
def parents(board, scratch, table, layer, span, out):
    """Write the codes one move from layer[span[0]:] that have the mark span[1] to `out`, without tags; return how many.

    span[0] becomes the first row not expanded: the end of the layer, or the row for which `out` has no room.
    """
    written = 0
    places, form = table
    for row in range(span[0], len(layer)):
        held = children(board, layer[row], scratch, np.int64(0))
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
    """Write a shortest path from a position back to the source to `out`, with the least code at each step.

    mark  the mark of the first code of the path
    """
    places, form = table
    for step in range(len(out)):
        held = children(board, code, scratch, np.int64(0))
        code = ~np.uint64(0)
        for index in range(held):
            child = untagged(board, scratch.codes[index])
            if child < code and mark_of(places, mix(child, form[0]), form) == mark:
                code = child
        out[step] = code
        mark = (mark + 1) % 3 + 1
