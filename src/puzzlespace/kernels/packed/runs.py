"""Kernels on runs: sorted, different positions, delta-coded in blocks.

Positions are rows of uint64 words [n, words], the most significant word first. A difference minus 1 is written as a
variable-length integer, seven bits a byte, lowest bits first; the top bit says that more bytes follow. The first
position of a block is not in the data but in the index.
"""

from __future__ import annotations

import numpy as np

from ..loop import helper, loop

WIDEST = 10
"""The most bytes that a difference takes per word."""


@loop
def order(rows, row, others, other):
    """Return -1, 0 or 1 if a row is less than, equal to or greater than the other."""
    for word in range(rows.shape[1]):
        if rows[row, word] != others[other, word]:
            return -1 if rows[row, word] < others[other, word] else 1
    return 0


@helper
def gap_before(rows, row, gap):
    """Write the difference between a row and the previous one, minus 1, to `gap` [words]."""
    borrow = np.uint64(1)
    for word in range(rows.shape[1] - 1, -1, -1):
        high, low = rows[row, word], rows[row - 1, word]
        gap[word] = high - low - borrow
        borrow = np.uint64(high < low or (high == low and borrow > np.uint64(0)))


@loop
def encode(rows, block, gap, out, ends):
    """Write the delta-coded rows to `out` (uint8); return the number of bytes.

    block  rows per block
    gap    uint64 [words], working memory
    ends   (out)  int64 [blocks]: the end of each block in `out`
    """
    at = 0
    for row in range(len(rows)):
        if row % block:
            gap_before(rows, row, gap)
            more = True
            while more:
                low = gap[-1] & np.uint64(127)
                rest = np.uint64(0)
                for word in range(len(gap) - 1, 0, -1):
                    gap[word] = gap[word] >> np.uint64(7) | gap[word - 1] << np.uint64(57)
                    rest |= gap[word]
                gap[0] >>= np.uint64(7)
                more = rest | gap[0] != np.uint64(0)
                out[at] = low | np.uint64(128) if more else low
                at += 1
        ends[row // block] = at
    return at


@loop
def encode1(keys, block, out, ends):
    """Do what `encode` does for positions of one word: keys [n]."""
    at = 0
    for row in range(len(keys)):
        if row % block:
            gap = keys[row] - keys[row - 1] - np.uint64(1)
            while gap > np.uint64(127):
                out[at] = gap & np.uint64(127) | np.uint64(128)
                gap >>= np.uint64(7)
                at += 1
            out[at] = gap
            at += 1
        ends[row // block] = at
    return at


@loop
def decode1(data, ends, block, out):
    """Do what `decode` does for positions of one word: out [n]."""
    at = 0
    for first in range(0, len(out), block):
        last, end = min(first + block, len(out)), ends[first // block]
        for row in range(first + 1, last):
            gap, shift, byte = np.uint64(0), np.uint64(0), np.uint64(128)
            while byte >= np.uint64(128):
                if at >= end or shift > np.uint64(63):
                    return False
                byte = np.uint64(data[at])
                gap |= (byte & np.uint64(127)) << shift
                at += 1
                shift += np.uint64(7)
            out[row] = out[row - 1] + gap + np.uint64(1)
        if at != end:
            return False
    return True


@loop
def add(out, row, gap):
    """Set a row to the previous one + gap + 1, and the gap to 0."""
    carry = np.uint64(1)
    for word in range(len(gap) - 1, -1, -1):
        before = out[row - 1, word]
        found = before + gap[word] + carry
        out[row, word] = found
        carry = np.uint64(found < before or (found == before and carry > np.uint64(0)))
        gap[word] = np.uint64(0)


@loop
def decode(data, ends, block, gap, out):
    """Decode blocks to `out`; return False if the data does not end exactly at the ends of the blocks.

    data  uint8, the bytes of the blocks
    ends  int64 [blocks]: the end of each block in `data`
    gap   uint64 [words], working memory, all 0
    out   (in/out)  the first row of each block is given, the others are written
    """
    at, most = 0, 64 * len(gap)
    for row in range(len(out)):
        end = ends[row // block]
        if row % block:
            shift, byte = 0, np.uint64(128)
            while byte >= np.uint64(128):
                if at >= end or shift >= most:
                    return False
                byte = np.uint64(data[at])
                part, word, bit = byte & np.uint64(127), len(gap) - 1 - shift // 64, np.uint64(shift % 64)
                gap[word] |= part << bit
                if word > 0 and bit > np.uint64(57):
                    gap[word - 1] |= part >> (np.uint64(64) - bit)
                at += 1
                shift += 7
            add(out, row, gap)
        if (row % block == block - 1 or row == len(out) - 1) and at != end:
            return False
    return True


@loop
def unique(rows):
    """Move the different rows of a sorted array to the front; return how many."""
    kept = 0
    for row in range(len(rows)):
        if kept == 0 or order(rows, row, rows, kept - 1) != 0:
            for word in range(rows.shape[1]):
                rows[kept, word] = rows[row, word]
            kept += 1
    return kept


@loop
def subtract(rows, others):
    """Move the rows that are not among the others to the front; return how many. Both arrays are sorted."""
    kept, other = 0, 0
    for row in range(len(rows)):
        while other < len(others) and order(others, other, rows, row) < 0:
            other += 1
        if other == len(others) or order(others, other, rows, row) != 0:
            for word in range(rows.shape[1]):
                rows[kept, word] = rows[row, word]
            kept += 1
    return kept


@loop
def before(rows, limits):
    """Return how many of the sorted rows are less than the row limits[0], by bisection."""
    low, high = 0, len(rows)
    while low < high:
        middle = (low + high) // 2
        if order(rows, middle, limits, 0) < 0:
            low = middle + 1
        else:
            high = middle
    return low


@loop
def tally(rows, counts):
    """Add to counts[8 * word + byte, value] how many rows have the value in that byte; byte 0 is the lowest."""
    for row in range(len(rows)):
        for word in range(rows.shape[1]):
            value = rows[row, word]
            for byte in range(8):
                counts[8 * word + byte, np.int64(value & np.uint64(255))] += 1
                value >>= np.uint64(8)


@loop
def scatter(rows, word, shift, places, out):
    """Copy the rows to `out`, sorted by one byte of a word: one pass of radix sort.

    places  (in/out)  int64 [256]: the index in `out` of the next row with each value
    """
    for row in range(len(rows)):
        value = np.int64(rows[row, word] >> np.uint64(shift) & np.uint64(255))
        to = places[value]
        places[value] = to + 1
        for each in range(rows.shape[1]):
            out[to, each] = rows[row, each]
