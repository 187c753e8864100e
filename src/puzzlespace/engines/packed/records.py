"""Encode packed rules as one array of numbers for the compiled kernels; `kernels.packed.expand` describes it."""

from __future__ import annotations

from collections import Counter
from itertools import accumulate, chain

from ...limits.watch import paced
from ...model.model import Model
from .positions import MOST_SYMBOLS, WORD, PackedRule, Packing

Triggers = tuple[list[int], list[list[int]]]
"""What `triggers` returns."""


def follower_lists(model: Model, packed: list[PackedRule]) -> tuple[list[int], list[tuple[int, ...]]]:
    """Return for each rule the number of its list of followers (-1 if empty), and the different lists."""
    mine = {rule.number: index for index, rule in enumerate(packed)}
    groups: dict[tuple[int, ...], int] = {}
    group = []
    for rule in paced(packed):
        after = tuple(mine[number] for number in model.followers[rule.number] if number in mine)
        group.append(groups.setdefault(after, len(groups)) if after else -1)
    return group, list(groups)


def coded(
    packed: list[PackedRule], groups: tuple[list[int], list[tuple[int, ...]]], packing: Packing, found: Triggers
) -> list[int]:
    """Return header, slots, records, followers and tables as one list of numbers below 2^64."""
    symbols, slots = found
    lows = [sum(1 << s for _, w, s in packing.packed if w == word) for word in range(packing.words)]
    head = [packing.width, len(symbols), packing.words, *(low * symbol for symbol in symbols for low in lows), *lows]
    order = list(chain.from_iterable(slots))
    ends = record_ends(packed, packing, found)
    places = dict(zip(order, ends, strict=False))
    group, lists = groups
    listed = [(len(after), *(places[rule] for rule in after)) for after in lists]
    follow = list(accumulate(map(len, listed), initial=ends[-1]))
    tables = {table: 0 for rule in packed for *_, table in rule.lookups}
    for number, table in enumerate(tables):
        tables[table] = follow[-1] + number * MOST_SYMBOLS
    firsts = accumulate(map(len, slots), initial=0)
    then = [follow[group[rule]] if group[rule] >= 0 else 0 for rule in order]
    records = (record(packed[rule], links, tables) for rule, *links in zip(paced(order), ends[1:], then, strict=True))
    filled = ((*table, *(0,) * (MOST_SYMBOLS - len(table))) for table in tables)
    return [*head, *(ends[first] for first in firsts), *chain.from_iterable(chain(records, listed, filled))]


def record_ends(packed: list[PackedRule], packing: Packing, found: Triggers) -> list[int]:
    """Return the offset of the first record and the end of each record, in the order of the slots."""
    symbols, slots = found
    begin = 3 + (len(symbols) + 1) * packing.words + len(slots) + 1
    order = paced(chain.from_iterable(slots))
    return list(accumulate((length(packed[rule], packing.words) for rule in order), initial=begin))


def record_places(packed: list[PackedRule], packing: Packing, found: Triggers) -> dict[int, int]:
    """Return for each index into `packed` the offset of its record."""
    order = chain.from_iterable(found[1])
    return dict(zip(order, record_ends(packed, packing, found), strict=False))


def length(rule: PackedRule, words: int) -> int:
    """Return the length of the record of a rule."""
    return 5 + 4 * words + 3 * len(rule.demand.tests) + 5 * len(rule.moved) + 5 * len(rule.lookups)


def record(rule: PackedRule, links: list[int], tables: dict[tuple[int, ...], int]) -> list[int]:
    """Return the record of a rule; links are the offsets of the next record and of the followers."""
    found = [*links, len(rule.demand.tests), len(rule.moved), len(rule.lookups)]
    found += chain.from_iterable(zip(rule.demand.mask, rule.demand.want, rule.keep, rule.put, strict=True))
    found += chain.from_iterable(rule.demand.tests)
    found += chain.from_iterable((a, b, mask, max(0, by), max(0, -by)) for (a, b, by), mask in rule.moved.items())
    found += chain.from_iterable((*place, tables[table]) for *place, table in rule.lookups)
    return found


def triggers(packed: list[PackedRule], packing: Packing) -> Triggers:
    """Return the trigger symbols, and the rules by slot: (symbol, word, bit), and last the rules that are always tried.

    The trigger of a rule is the symbol that the fewest rules need exactly, so that few rules are tried per position.
    """
    exact = [[(symbol, *place) for place, symbol in rule.demand.exact.items()] for rule in paced(packed)]
    wanted = Counter(symbol for each in exact for symbol in {symbol for symbol, _, _ in each})
    chosen = [min(each, key=lambda e: (-wanted[e[0]], e[0], e[1], -e[2]), default=None) for each in paced(exact)]
    symbols = sorted({each[0] for each in chosen if each})
    slots: list[list[int]] = [[] for _ in range(len(symbols) * packing.words * WORD + 1)]
    for rule, each in enumerate(chosen):
        slot = -1 if each is None else (symbols.index(each[0]) * packing.words + each[1]) * WORD + each[2]
        slots[slot].append(rule)
    return symbols, slots
