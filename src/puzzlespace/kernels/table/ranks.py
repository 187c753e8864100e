"""Rank and unrank in machine words, and one layer by unrank, move, rank: compiled twins of `ranking/numbering.py`.

A ranking is one flat array of int64, `code`, with offsets into itself, so that only one array is passed. `Header`,
`Part` and `RelationColumn` name the columns. Formulas: docs/methods/rankings.md.

tab      for each cell of a part and each symbol one packed word: bits 0-7 the kind of piece (0 if numbered by order,
         255 none), 8-15 its item, 16-23 its index in its class, 24-31 the size of its class (1 if not numbered)
state    a row of a counting table: the next row by kind (-1 for none), then the number of smaller words by kind
"""

from typing import NamedTuple

import numpy as np

from ..bits import atomic_or, lowest, popcount
from ..loop import kernel
from .rank_columns import Header, Part, RelationColumn

H_PARTS, H_PART_AT, H_RELATIONS, H_RELATION_AT, H_CELLS, H_SYMBOLS, H_MEMBERS, H_SIZES = map(int, list(Header)[:-1])
(P_LISTED, P_CELL_AT, P_CELLS, P_SIZE, P_ORDERS, P_CHOICES, P_UNITS, P_HALVED, P_DIFFERENT, P_TAB, P_STATE, P_KINDS,
 P_COUNTS, P_ITEMS, P_FIRST_OF, P_SPECIAL, P_KEYS, P_END) = map(int, Part)  # fmt: skip
R_MODULUS, R_VALUE, R_CELL, R_PART, R_WEIGHT, R_SETS, R_SIGN, R_END = map(int, RelationColumn)


@kernel
def unrank_different(number, n, units):
    """Write to units[:n] the permutation with sum d[i] * i! = number, d[i] the number of smaller ones in units[:i].

    From the last place down, each digit picks one of the unused items. Up to 16 items are hexadecimal digits of one
    word, so that picking is a shift; more are bits of a word.
    """
    for place in range(1, n):
        rest = number // np.int64(place + 1)
        units[place] = number - rest * np.int64(place + 1)
        number = rest
    units[0] = 0
    if n <= 16:
        pool = np.uint64(0xFEDCBA9876543210)
        for place in range(n - 1, -1, -1):
            shift = np.uint64(units[place]) * np.uint64(4)
            below = (np.uint64(1) << shift) - np.uint64(1)
            units[place] = np.int64(pool >> shift & np.uint64(15))
            pool = pool & below | pool >> np.uint64(4) & ~below
        return
    unused = (np.uint64(1) << np.uint64(n)) - np.uint64(1)
    for place in range(n - 1, -1, -1):
        left = unused
        for _ in range(units[place]):
            left &= left - np.uint64(1)
        units[place] = lowest(left)
        unused ^= np.uint64(1) << np.uint64(units[place])


@kernel
def unrank_alike(number, code, part, units, left):
    """Write the order of items, some alike, that has this number to `units`; `left` is working memory."""
    orders = code[part + P_ORDERS]
    for item in range(code[part + P_ITEMS]):
        left[item] = code[code[part + P_COUNTS] + item]
    for place in range(code[part + P_UNITS] - 1, -1, -1):
        item = 0
        share = orders * left[0] // np.int64(place + 1)
        while number >= share:
            number -= share
            item += 1
            share = orders * left[item] // np.int64(place + 1)
        units[place] = item
        orders = share
        left[item] -= 1


@kernel
def _rank_placement(position, code, part):
    """Return the rank of the special pieces' placement: one step in the counting table per cell."""
    state, cell_at, tab = code[part + P_STATE], code[part + P_CELL_AT], code[part + P_TAB]
    kinds, symbols = code[part + P_KINDS], code[H_SYMBOLS]
    number = np.int64(0)
    for i in range(code[part + P_CELLS]):
        kind = code[tab + i * symbols + position[code[cell_at + i]]] & 255
        number += code[state + kinds + kind]
        state = code[state + kind]
    return number


@kernel
def _rank_different(position, code, part):
    """Return order * choices + choice of an arrangement of different pieces.

    The order is the sum of d[i] * i!, by Horner's rule from the last place, with the unused items as bits (Korf and
    Schultze 2005). The choices are digits, the last cell's the most significant.
    """
    cell_at, tab, symbols = code[part + P_CELL_AT], code[part + P_TAB], code[H_SYMBOLS]
    place = code[part + P_UNITS] - 1
    unused = (np.uint64(2) << np.uint64(place)) - np.uint64(1) if place >= 0 else np.uint64(0)
    order, choice = np.int64(0), np.int64(0)
    for i in range(code[part + P_CELLS] - 1, -1, -1):
        word = code[tab + i * symbols + position[code[cell_at + i]]]
        if word & 255 == 0:
            bit = np.uint64(1) << np.uint64(word >> 8 & 255)
            if place > 0:
                order = (order + popcount(unused & (bit - np.uint64(1)))) * place
            unused ^= bit
            place -= 1
        choice = choice * (word >> 24) + (word >> 16 & 255)
    return (order >> code[part + P_HALVED]) * code[part + P_CHOICES] + choice


@kernel
def _rank_alike(position, code, part, left):
    """Return order * choices + choice of an arrangement in which some pieces are alike; `left` is working memory."""
    cell_at, tab, symbols = code[part + P_CELL_AT], code[part + P_TAB], code[H_SYMBOLS]
    for item in range(code[part + P_ITEMS]):
        left[item] = code[code[part + P_COUNTS] + item]
    place, orders = code[part + P_UNITS], code[part + P_ORDERS]
    order, choice = np.int64(0), np.int64(0)
    for i in range(code[part + P_CELLS] - 1, -1, -1):
        word = code[tab + i * symbols + position[code[cell_at + i]]]
        if word & 255 == 0:
            item = word >> 8 & 255
            smaller = np.int64(0)
            for other in range(item):
                smaller += left[other]
            if smaller:
                order += orders * smaller // place
            if left[item] != place:
                orders = orders * left[item] // place
            left[item] -= 1
            place -= 1
        choice = choice * (word >> 24) + (word >> 16 & 255)
    return order * code[part + P_CHOICES] + choice


@kernel
def _rank_listed(position, code, part):
    """Return the index of the contents of a listed part, by bisection."""
    key, cell_at, keys = np.int64(0), code[part + P_CELL_AT], code[part + P_KEYS]
    for i in range(code[part + P_CELLS]):
        key = key * code[H_SYMBOLS] + np.int64(position[code[cell_at + i]])
    low, high = np.int64(0), code[part + P_SIZE]
    while high - low > 1:
        middle = (low + high) >> 1
        if code[keys + middle] <= key:
            low = middle
        else:
            high = middle
    return low


@kernel
def rank(position, code, scratch):
    """Return the rank of a position; `scratch` is working memory."""
    number = np.int64(0)
    part = code[H_PART_AT]
    for _ in range(code[H_PARTS]):
        if code[part + P_LISTED]:
            each = _rank_listed(position, code, part)
        else:
            if code[part + P_DIFFERENT]:
                each = _rank_different(position, code, part)
            else:
                each = _rank_alike(position, code, part, scratch)
            if code[part + P_STATE] >= 0:
                each += _rank_placement(position, code, part) * code[part + P_ORDERS] * code[part + P_CHOICES]
        number = number * code[part + P_SIZE] + each
        part += P_END
    return number


@kernel
def _fill_arrangement(number, code, part, scratch, position):
    """Write the contents of one arrangement; a choice that is not numbered is set to the first of its class."""
    symbols, choices, orders = code[H_SYMBOLS], code[part + P_CHOICES], code[part + P_ORDERS]
    choice = number % choices
    number //= choices
    placement = number // orders
    order = (number - placement * orders) << code[part + P_HALVED]
    units, state, kinds = scratch[256:], code[part + P_STATE], code[part + P_KINDS]
    if code[part + P_DIFFERENT]:
        unrank_different(order, code[part + P_UNITS], units)
    else:
        unrank_alike(order, code, part, units, scratch)
    n = 0
    for i in range(code[part + P_CELLS]):
        kind = np.int64(0)
        if state >= 0:
            kind = kinds - 1
            while code[state + kind] < 0 or code[state + kinds + kind] > placement:
                kind -= 1
            placement -= code[state + kinds + kind]
            state = code[state + kind]
        if kind == 0:
            symbol = code[code[part + P_FIRST_OF] + units[n]]
            n += 1
        else:
            symbol = code[code[part + P_SPECIAL] + kind]
        size = code[code[part + P_TAB] + i * symbols + symbol] >> 24
        if size > 1:
            symbol = code[code[code[H_MEMBERS] + symbol] + choice % size]
            choice //= size
        position[code[code[part + P_CELL_AT] + i]] = symbol


@kernel
def _fill_listed(number, code, part, position):
    """Write the contents of a listed part."""
    key, cell_at, symbols = code[code[part + P_KEYS] + number], code[part + P_CELL_AT], code[H_SYMBOLS]
    for i in range(code[part + P_CELLS] - 1, -1, -1):
        position[code[cell_at + i]] = key % symbols
        key //= symbols


@kernel
def _value(position, code, relation):
    """Return the value of a relation: the sum of weights, and of inversions within its signed sets."""
    total, symbols = np.int64(0), code[H_SYMBOLS]
    for cell in range(code[H_CELLS]):
        total += code[code[relation + R_WEIGHT] + cell * symbols + position[cell]]
    for group in range(code[relation + R_SETS]):
        seen = np.uint64(0)
        for cell in range(code[H_CELLS]):
            if code[code[relation + R_SIGN] + cell] == group:
                total += popcount(seen >> np.uint64(position[cell]))
                seen |= np.uint64(1) << np.uint64(position[cell])
    return total % code[relation + R_MODULUS]


@kernel
def _settle(code, relation, position):
    """Make a relation hold: set the choice that it determines, or exchange two pieces."""
    pivot, wanted = code[relation + R_CELL], code[relation + R_VALUE]
    if pivot >= 0:
        symbol = np.int64(position[pivot])
        for place in range(code[code[H_SIZES] + symbol]):
            position[pivot] = code[code[code[H_MEMBERS] + symbol] + place]
            if _value(position, code, relation) == wanted:
                return
    elif _value(position, code, relation) != wanted:
        part = code[H_PART_AT] + P_END * code[relation + R_PART]
        other = np.int64(-1)
        for i in range(code[part + P_CELLS]):
            cell = code[code[part + P_CELL_AT] + i]
            if code[code[part + P_TAB] + i * code[H_SYMBOLS] + position[cell]] & 255 == 0:
                if other >= 0:
                    position[other], position[cell] = position[cell], position[other]
                    return
                other = cell


@kernel
def unrank(number, code, scratch, position):
    """Write the position of a rank to `position`; cells that belong to no part stay as they are."""
    part = code[H_PART_AT] + P_END * code[H_PARTS]
    for _ in range(code[H_PARTS]):
        part -= P_END
        rest = number // code[part + P_SIZE]
        each = number - rest * code[part + P_SIZE]
        number = rest
        if code[part + P_LISTED]:
            _fill_listed(each, code, part, position)
        else:
            _fill_arrangement(each, code, part, scratch, position)
    for r in range(code[H_RELATIONS]):
        _settle(code, code[H_RELATION_AT] + r * R_END, position)


@kernel
def unrank_many(numbers, code, out):
    """Write the position of each rank to a row of `out`."""
    scratch = np.zeros(512, np.int64)
    for row in range(len(numbers)):
        unrank(numbers[row], code, scratch, out[row])


class RuleTable(NamedTuple):
    """Rules as arrays: rule r owns the slots first[r] … first[r+1]-1.

    slots   [slot, 2]: the cell that is tested and written, and the cell whose old symbol determines the new one
    need    [slot, symbol]: 1 if the symbol is allowed
    table   [slot, symbol]: new symbol by old symbol
    """

    first: np.ndarray
    slots: np.ndarray
    need: np.ndarray
    table: np.ndarray


@kernel
def _usable(rules, r, position):
    """Return whether rule r applies to the position."""
    for slot in range(rules.first[r], rules.first[r + 1]):
        if rules.need[slot, position[rules.slots[slot, 0]]] == 0:
            return False
    return True


@kernel
def expand(code, rules, bits, anchor, span):
    """Set in the edge every unseen position one rule from the layer's positions; return how many were generated.

    bits    (one, two, seen, edge): one bit per position; the layer is what the first two have, which are read in order.
            The edge is shared between threads; it may be `seen` itself
    anchor  a position: the contents of cells that belong to no part
    span    (first, last): words first … last - 1 of the layer
    """
    one, two, seen, edge = bits
    scratch = np.zeros(512, np.int64)
    position, child = anchor.copy(), anchor.copy()
    generated = np.int64(0)
    for index in range(span[0], span[1]):
        word = one[index] & two[index]
        while word:
            unrank(np.int64(index) * 64 + lowest(word), code, scratch, position)
            word &= word - np.uint64(1)
            child[:] = position
            for r in range(len(rules.first) - 1):
                if _usable(rules, r, position):
                    for slot in range(rules.first[r], rules.first[r + 1]):
                        child[rules.slots[slot, 0]] = rules.table[slot, position[rules.slots[slot, 1]]]
                    generated += 1
                    number = rank(child, code, scratch)
                    bit = np.uint64(1) << np.uint64(number & 63)
                    if not (seen[number >> 6] | edge[number >> 6]) & bit:
                        atomic_or(edge, number >> 6, bit)
                    for slot in range(rules.first[r], rules.first[r + 1]):
                        child[rules.slots[slot, 0]] = position[rules.slots[slot, 0]]
    return generated
