"""Depth tables of coloured pieces on a board with one blank, for moves that carry a line of pieces.

A *word* holds the colours of all cells except the blank's, in the order of the cells, in a field of some bits each.
Its number is first[high half] + local[low half]. The index of a position is number * cells + cell of the blank, so a
move that does not change the word stays within a few bytes of the table.

first  int64 [high halves], local int64 [low halves]: the number of a word
lines  int64 [cells, ways, steps, 3]: for the blank's cell, each way and step along it (cell it comes to, field that the
       piece there leaves, field it goes to); -1 after the end of a way, and if there is no such way
"""

from __future__ import annotations

import numpy as np

from ..loop import inner, loop

UNKNOWN = 255


@inner
def turned(word, bits, out, into):
    """Return the word after a field is removed and inserted at another place."""
    one = np.int64(1)
    field = word >> (bits * out) & ((one << bits) - one)
    rest = (word & ((one << (bits * out)) - one)) | word >> (bits * (out + one)) << (bits * out)
    low = rest & ((one << (bits * into)) - one)
    return low | field << (bits * into) | rest >> (bits * into) << (bits * (into + one))


@inner
def number(word, cut, first, local):
    """Return the number of a word whose low half has `cut` bits."""
    return first[word >> cut] + local[word & ((np.int64(1) << cut) - np.int64(1))]


@loop
def spread(board, span, depth, table, touched):
    """Expand all positions of a depth whose high half is in `span`; return how many there are.

    board    (first, local, low halves listed, parts, lines, bits of a field, bits of the low half)
    parts    int64 [high halves in use, 3]: the half, its first number, the first of its low halves in the list
    table    (in/out)  uint8 [positions]
    touched  (in/out)  uint8 [2, numbers]: whether a number has positions of this depth, of the next one
    """
    first, local, listed, parts, lines, bits, cut = board
    cells = lines.shape[0]
    now, then = depth & 1, 1 - (depth & 1)
    total = 0
    for part in range(span[0], span[1]):
        high, base, begin = parts[part, 0], parts[part, 1], parts[part, 2]
        for at in range(parts[part + 1, 1] - base):
            if not touched[now, base + at]:
                continue
            touched[now, base + at] = 0
            whole = high << cut | listed[begin + at]
            for blank in range(cells):
                if table[(base + at) * cells + blank] != depth:
                    continue
                total += 1
                for way in range(lines.shape[1]):
                    word = whole
                    for step in range(lines.shape[2]):
                        to = lines[blank, way, step, 0]
                        if to < 0:
                            break
                        out, into = lines[blank, way, step, 1], lines[blank, way, step, 2]
                        if out != into:
                            word = turned(word, bits, out, into)
                        reached = number(word, cut, first, local)
                        if table[reached * cells + to] == UNKNOWN:
                            table[reached * cells + to] = np.uint8(depth + 1)
                            touched[then, reached] = 1
    return total
