"""Rules and goals on arrays of packed positions with NumPy alone, for searches too small to be worth compiling.

Positions are rows of uint64 words, shape [n, words]. A set of positions is a sorted 1-D array of *marks*: the words
themselves if a position has one word, else the big-endian bytes of the row, which sort in the same order.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

CELLS_AT_ONCE = 1 << 21
"""Pairs of position and rule that are compared at once; this bounds the memory."""


class Rules(NamedTuple):
    """Packed rules as flat arrays. R rules, W words per position.

    words       uint64 [R, 4, W]: mask and wanted bits of the comparison, bits kept, bits flipped afterwards
    first       int64 [R + 1, 3]: rule r owns tests[first[r, 0]:first[r + 1, 0]], likewise moved (1) and lookups (2)
    tests       uint64 [., 3]: word, shift, allowed symbols as a bit set
    moved       uint64 [., 5]: from word, to word, bits taken, shift to the left, then to the right
    lookups     uint64 [., 5]: from word, shift, to word, shift, row of `tables`
    tables      uint64 [., 64]: new symbol by old symbol
    group       int64 [R]: the list of rules that may follow the rule within a move, or -1
    follow      int64 [G + 1]: list g is followers[follow[g]:follow[g + 1]]
    followers   int64 [.]: rules
    width       int64 [1]: bits per cell
    """

    words: np.ndarray
    first: np.ndarray
    tests: np.ndarray
    moved: np.ndarray
    lookups: np.ndarray
    tables: np.ndarray
    group: np.ndarray
    follow: np.ndarray
    followers: np.ndarray
    width: np.ndarray


class Padded(NamedTuple):
    """The variable parts of Rules padded to equal length with parts that do nothing: shape [R, most, 3 or 5].

    allowed  bool [G, R]: whether list g contains rule r
    """

    tests: np.ndarray
    moved: np.ndarray
    lookups: np.ndarray
    tables: np.ndarray
    allowed: np.ndarray


def padded(rules: Rules) -> Padded:
    """Return the parts of the rules, padded to equal length."""
    nothing = len(rules.tables)
    tables = np.vstack([rules.tables, np.zeros((1, 64), np.uint64)])
    allowed = np.zeros((len(rules.follow) - 1, len(rules.words)), bool)
    for group in range(len(allowed)):
        allowed[group, rules.followers[rules.follow[group] : rules.follow[group + 1]]] = True
    return Padded(
        _rows(rules, rules.tests, 0, [0, 0, 2**64 - 1]),
        _rows(rules, rules.moved, 1, [0, 0, 0, 0, 0]),
        _rows(rules, rules.lookups, 2, [0, 0, 0, 0, nothing]),
        tables,
        allowed,
    )


def _rows(rules: Rules, parts: np.ndarray, which: int, filler: list[int]) -> np.ndarray:
    first = rules.first[:, which]
    most = int(np.diff(first).max(initial=0))
    rows = np.empty((len(first) - 1, most, len(filler)), np.uint64)
    rows[:] = np.array(filler, np.uint64)
    for rule in range(len(rows)):
        mine = parts[first[rule] : first[rule + 1]]
        rows[rule, : len(mine)] = mine
    return rows


def matches(rules: Rules, more: Padded, keys: np.ndarray, groups: np.ndarray | None) -> tuple[np.ndarray, np.ndarray]:
    """Return (rows, rules), the rules that apply to each position.

    groups  for each position the list of rules to consider; None for all rules
    """
    fits = np.ones((len(keys), len(rules.words)), bool) if groups is None else more.allowed[groups]
    for word in range(keys.shape[1]):
        fits &= (keys[:, word, None] & rules.words[:, 0, word]) == rules.words[:, 1, word]
    found = np.flatnonzero(fits)  # several times as fast as np.nonzero for two dimensions
    rows = found // max(1, fits.shape[1])
    numbers = found - rows * fits.shape[1]
    field = np.uint64((1 << int(rules.width[0])) - 1)
    for part in range(more.tests.shape[1]):
        word, shift, symbols = more.tests[numbers, part].T
        symbol = keys[rows, word.astype(np.intp)] >> shift & field
        fine = (symbols >> symbol & np.uint64(1)).astype(bool)
        rows, numbers = rows[fine], numbers[fine]
    return rows, numbers


def applied(rules: Rules, more: Padded, keys: np.ndarray, numbers: np.ndarray) -> np.ndarray:
    """Return the child of each keys[i] by rule numbers[i]."""
    every = np.arange(len(keys))
    words = rules.words[numbers]
    result = (keys & words[:, 2]) ^ words[:, 3]
    field = np.uint64((1 << int(rules.width[0])) - 1)
    for part in range(more.moved.shape[1]):
        come, to, taken, left, right = more.moved[numbers, part].T
        result[every, to.astype(np.intp)] ^= (keys[every, come.astype(np.intp)] & taken) << left >> right
    for part in range(more.lookups.shape[1]):
        come, shift, to, back, table = more.lookups[numbers, part].T
        symbol = keys[every, come.astype(np.intp)] >> shift & field
        result[every, to.astype(np.intp)] ^= more.tables[table.astype(np.intp), symbol.astype(np.intp)] << back
    return result


def steps(
    rules: Rules,
    more: Padded,
    keys: np.ndarray,
    groups: np.ndarray | None = None,
    at_once: int = CELLS_AT_ONCE,
    idle: bool = False,
):
    """Yield (rows, rules, children) for every rule that changes a position, in batches that bound the memory.

    idle  also yield rules that apply and change nothing
    """
    stride = max(1, at_once // max(1, len(rules.words)))
    for begin in range(0, len(keys), stride):
        part = keys[begin : begin + stride]
        rows, numbers = matches(rules, more, part, None if groups is None else groups[begin : begin + stride])
        parents = part[rows]
        children = applied(rules, more, parents, numbers)
        changed = slice(None) if idle else (children != parents).any(axis=1)
        yield rows[changed] + begin, numbers[changed], children[changed]


def marks(keys: np.ndarray) -> np.ndarray:
    """Return the mark of each row: one sortable value, see the module's docstring."""
    if keys.shape[1] == 1:
        return np.ascontiguousarray(keys[:, 0])
    return np.ascontiguousarray(keys.astype(">u8")).view(f"S{8 * keys.shape[1]}")[:, 0]


def rows_of(values: np.ndarray) -> np.ndarray:
    """Return the rows of words that have these marks."""
    if values.dtype == np.uint64:
        return values[:, None]
    rows = np.ascontiguousarray(values).view(">u8").reshape(len(values), values.dtype.itemsize // 8)
    return rows.astype(np.uint64)


def distinct(values: np.ndarray) -> np.ndarray:
    """Return the different values in ascending order. (`np.unique` hashes first, which took forty times as long.)"""
    ordered = np.sort(values)
    first = np.ones(len(ordered), bool)
    first[1:] = ordered[1:] != ordered[:-1]
    return ordered[first]


def united(parts: Sequence[np.ndarray]) -> np.ndarray:
    """Return the different rows of some arrays of rows, sorted."""
    return rows_of(distinct(marks(np.concatenate(parts))))


def contained(values: np.ndarray, among: np.ndarray) -> np.ndarray:
    """Return for each value whether it is in the sorted array `among`."""
    if not len(among):
        return np.zeros(len(values), bool)
    return among[np.minimum(np.searchsorted(among, values), len(among) - 1)] == values
