"""Encode a ranking as the flat array that `kernels/table/ranks.py` reads."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...kernels.table.rank_columns import Header
from ...kernels.table.rank_columns import Part as Column
from ...ranking.counting import CountingTable
from ...ranking.numbering import Arrangement, Listed, Part, Pivot, Ranking

MOST = 1 << 62
"""Ranks must be less than this, to fit a signed word."""

ITEMS = 62
"""The most different pieces in one order: they are the bits of a word."""


def fits(ranking: Ranking) -> bool:
    """Return whether all numbers of the ranking fit the words of the kernels."""
    signs = any(pivot.relation.signed for pivot in ranking.pivots)
    return (
        ranking.size < MOST
        and (not signs or ranking.model.symbols <= ITEMS)
        and all(_part_fits(part, ranking.model.symbols) for part in ranking.parts)
    )


def _part_fits(part: Part, symbols: int) -> bool:
    if isinstance(part, Listed):
        return symbols ** len(part.cells) < MOST
    different = len(set(part.items)) == len(part.items)
    if different:
        return len(part.items) <= ITEMS
    return part.orders * len(part.items) < MOST and len(part.items) < 256


class _Code:
    """The growing array; `put` appends words and returns their offset."""

    def __init__(self) -> None:
        self.words: list[int] = [0] * Header.END

    def put(self, words: Sequence[int]) -> int:
        at = len(self.words)
        self.words += words
        return at


def rank_code(ranking: Ranking) -> np.ndarray:
    """Return the code of a ranking, without parts of a single content; kernels leave their cells unchanged."""
    model = ranking.model
    deciding = {pivot.part for pivot in ranking.pivots}
    kept = [n for n, part in enumerate(ranking.parts) if part.size > 1 or n in deciding]
    code = _Code()
    members = next((p.classes.members for p in ranking.parts if isinstance(p, Arrangement)), ())
    members = members or tuple((symbol,) for symbol in range(model.symbols))
    at = {symbol: code.put(each) for each in members for symbol in each}
    at = {symbol: at[each[0]] for each in members for symbol in each}
    sizes = {symbol: len(each) for each in members for symbol in each}
    parts = [_part(ranking.parts[n], code, model.symbols) for n in kept]
    relations = [_relation(pivot, code, kept.index(pivot.part), model.cells) for pivot in ranking.pivots]
    header = [0] * Header.END
    header[Header.PARTS], header[Header.RELATIONS] = len(parts), len(relations)
    header[Header.CELLS], header[Header.SYMBOLS] = model.cells, model.symbols
    header[Header.MEMBERS] = code.put([at[symbol] for symbol in range(model.symbols)])
    header[Header.SIZES] = code.put([sizes[symbol] for symbol in range(model.symbols)])
    header[Header.PART_AT] = code.put([word for part in parts for word in part])
    header[Header.RELATION_AT] = code.put([word for relation in relations for word in relation])
    code.words[: Header.END] = header
    return np.array(code.words, np.int64)


def _part(part: Part, code: _Code, symbols: int) -> list[int]:
    listed = isinstance(part, Listed)
    found = {Column.CELL_AT: code.put(part.cells), Column.CELLS: len(part.cells), Column.SIZE: part.size}
    if listed:
        found[Column.LISTED] = 1
        found[Column.KEYS] = code.put([_key(content, symbols) for content in part.contents])
        return [found.get(column, 0) for column in list(Column)[:-1]]
    items = sorted(set(part.items))
    members = part.classes.members
    state, kinds = _states(part.table, code)
    found |= {
        Column.ORDERS: part.orders,
        Column.CHOICES: part.choices,
        Column.UNITS: len(part.items),
        Column.HALVED: int(part.halved),
        Column.DIFFERENT: int(len(items) == len(part.items)),
        Column.TAB: code.put(_tab(part, items, symbols)),
        Column.STATE: state,
        Column.KINDS: kinds,
        Column.COUNTS: code.put([part.items.count(c) for c in items]),
        Column.ITEMS: len(items),
        Column.FIRST_OF: code.put([members[c][0] for c in items]),
        Column.SPECIAL: code.put([0, *(members[c][0] for c, _ in part.special), max(part.body, 0)]),
    }
    return [found.get(column, 0) for column in list(Column)[:-1]]


def _key(content: bytes, base: int) -> int:
    number = 0
    for symbol in content:
        number = number * base + symbol
    return number


def _tab(part: Arrangement, items: Sequence[int], symbols: int) -> list[int]:
    words = []
    for place, cell in enumerate(part.cells):
        for symbol in range(symbols):
            c = part.classes.class_of[symbol]
            kind = part.kind_at(place, symbol)
            item = items.index(c) if kind == 0 else 0
            numbered = cell not in part.dropped and kind >= 0
            digit, size = (part.classes.members[c].index(symbol), len(part.classes.members[c])) if numbered else (0, 1)
            words.append((kind if kind >= 0 else 255) | item << 8 | digit << 16 | size << 24)
    return words


def _states(table: CountingTable | None, code: _Code) -> tuple[int, int]:
    """Return (offset of the counting table's first row, number of kinds), or (-1, 0) without a table."""
    if table is None:
        return -1, 0
    kinds = len(table.child[0])
    first = len(code.words)
    for child, before in zip(table.child, table.before, strict=True):
        code.put([first + to * 2 * kinds if to >= 0 else -1 for to in child])
        code.put(before)
    return first, kinds


def _relation(pivot: Pivot, code: _Code, part: int, cells: int) -> list[int]:
    relation = pivot.relation
    sets = sorted(relation.signed)
    weights = code.put([weight for weights in relation.weight for weight in weights])
    sign = code.put([next((n for n, s in enumerate(sets) if c in s), -1) for c in range(cells)])
    return [relation.modulus, pivot.value, pivot.cell, part, weights, len(sets), sign]
