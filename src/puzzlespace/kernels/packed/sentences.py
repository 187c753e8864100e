"""Tests of sentences on packed positions in rows of words: goals and forbidden positions.

A program is an array of uint64, and the offset of its first test. A test is [kind, where to go on if it is true, where
if it is false, number, ...] with these fields after the number:

EXACT      (word, mask, wanted bits) per word; the number of words
SHOWN      shift, symbols; the number is the word
COUNT      symbols, low, high, (word, shift) per cell; the number of cells
SUM        low, high, (word, shift, offset of the table of numbers) per cell; the number of cells
ALIKE      (word, shift) per cell; the number of cells
CONNECTED  symbols, (word, shift, offset of the neighbours) per cell; the number of cells. The word is SHOWS if the cell
           always shows one of the symbols, and HIDES if it never does; neighbours are [their number, cells]
Bounds and numbers are signed. `engines/packed/programs.py` makes programs.
"""

from __future__ import annotations

import numpy as np

from ..loop import helper

EXACT, SHOWN, COUNT, SUM, ALIKE, CONNECTED = range(6)

SHOWS, HIDES = (1 << 64) - 1, (1 << 64) - 2

FALSE, TRUE = 0, 1
"""Where a program ends; tests have larger offsets."""


@helper
def told(program, at, width, keys, row, reached):
    """Return whether the program that begins at `at` ends with TRUE for a row of words.

    reached  int64, working memory for twice as many cells as a test of CONNECTED has
    """
    field = (np.uint64(1) << np.uint64(width)) - np.uint64(1)
    while at > TRUE:
        kind = np.int64(program[at])
        part = at + 4
        number = np.int64(program[at + 3])
        true = True
        if kind == EXACT:
            for _ in range(number):
                if keys[row, np.int64(program[part])] & program[part + 1] != program[part + 2]:
                    true = False
                    break
                part += 3
        elif kind == SHOWN:
            symbol = keys[row, number] >> program[part] & field
            true = program[part + 1] >> symbol & np.uint64(1) != np.uint64(0)
        elif kind == COUNT:
            symbols, low, high = program[part], np.int64(program[part + 1]), np.int64(program[part + 2])
            part += 3
            found = np.int64(0)
            for _ in range(number):
                symbol = keys[row, np.int64(program[part])] >> program[part + 1] & field
                found += np.int64(symbols >> symbol & np.uint64(1))
                part += 2
            true = low <= found <= high
        elif kind == SUM:
            low, high = np.int64(program[part]), np.int64(program[part + 1])
            part += 2
            found = np.int64(0)
            for _ in range(number):
                symbol = keys[row, np.int64(program[part])] >> program[part + 1] & field
                found += np.int64(program[np.int64(program[part + 2]) + np.int64(symbol)])
                part += 3
            true = low <= found <= high
        elif kind == ALIKE:
            first = keys[row, np.int64(program[part])] >> program[part + 1] & field
            for _ in range(1, number):
                part += 2
                if keys[row, np.int64(program[part])] >> program[part + 1] & field != first:
                    true = False
                    break
        else:
            true = connected(program, part, number, field, keys, row, reached)
        at = np.int64(program[at + 1 if true else at + 2])
    return at == TRUE


@helper
def connected(program, part, cells, field, keys, row, reached):
    """Return whether the cells that show one of the symbols hang together; see CONNECTED."""
    symbols = program[part]
    part += 1
    missing, held = np.int64(0), np.int64(0)
    for cell in range(cells):
        word = np.int64(program[part + 3 * cell])
        shown = word == -1
        if word >= 0:
            symbol = keys[row, word] >> program[part + 3 * cell + 1] & field
            shown = symbols >> symbol & np.uint64(1) != np.uint64(0)
        reached[cell] = np.int64(shown)
        if shown:
            missing += 1
            if held == 0:
                reached[cells] = cell
                held = 1
    if held:
        reached[reached[cells]] = 0
        missing -= 1
    while held:
        held -= 1
        near = np.int64(program[part + 3 * reached[cells + held] + 2])
        for index in range(near + 1, near + 1 + np.int64(program[near])):
            cell = np.int64(program[index])
            if reached[cell] != 0:
                reached[cell] = 0
                missing -= 1
                reached[cells + held] = cell
                held += 1
    return missing == 0
