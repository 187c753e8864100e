"""Which rules could ever apply from a position, if no piece were in the way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from operator import or_

from ..limits.watch import paced
from ..model.facts import image, symbol_classes
from ..model.kept import kept
from ..model.model import Model
from ..model.rule import Rule, deeds, symbols_of


def possible_rules(model: Model, position: bytes) -> tuple[Rule, ...]:
    """Return the rules that could ever apply from a position, forwards or backwards, if no piece were in the way.

    An abstract interpretation with a set of possible symbols for each cell, initially the symbol that it shows. A rule
    applies if each of its cells has a possible symbol that it allows, and there are enough pieces; it then adds the
    symbols that it writes. Taken back, it adds those that it reads. This is repeated up to a fixed point. The result is
    a superset of the rules that can be used.
    """
    numbers, first = kept(model.rules, deeds)
    everything = (1 << model.symbols) - 1
    if all(need & everything == everything for rule in paced(first) for need in rule.need):
        return model.rules
    classes = symbol_classes(model.rules, model.symbols)
    stock = Counter(classes[symbol] for symbol in position)
    in_stock = [_in_stock(rule, classes, stock) for rule in paced(first)]
    left = [number for number, deed in enumerate(numbers) if in_stock[deed]]
    shown = [1 << symbol for symbol in position]
    reached = lru_cache(1 << 14)(lambda deed, *shown: _reached(first[deed], shown, model.symbols))
    usable: set[int] = set()
    grown = True
    while grown:
        grown = False
        for number in paced(left):
            cells = model.rules[number].cells
            before = tuple([shown[cell] for cell in cells])
            after = reached(numbers[number], *before)
            if after is None:
                continue
            usable.add(number)
            if after != before:
                grown = True
                for cell, symbols in zip(cells, after, strict=True):
                    shown[cell] = symbols
    if len(usable) == len(model.rules):
        return model.rules
    return tuple(rule for number, rule in enumerate(model.rules) if number in usable)


def _reached(rule: Rule, shown: Sequence[int], symbols: int) -> tuple[int, ...] | None:
    """Return the symbols that the cells of a rule may show after it, or before it, or without it.

    shown  the symbols that they may show, as far as is known
    None if the rule was impossible.
    """
    before, after = _before(rule, shown), _after(rule, shown, symbols)
    if before is None and after is None:
        return None
    found = list(map(or_, shown, after or shown))
    for index, (source, table) in enumerate(zip(rule.source, rule.table, strict=True)):
        if before is not None:
            found[index] |= before[source] if table is None else image(before[source], table)
    return tuple(found)


def _in_stock(rule: Rule, classes: Sequence[int], stock: Counter[int]) -> bool:
    """Return whether there are as many symbols of each class as a rule needs."""
    wanted: Counter[int] = Counter()
    for need in rule.need:
        among = {label for symbol, label in enumerate(classes) if need >> symbol & 1}
        if len(among) == 1:
            wanted.update(among)
    return all(stock[label] >= count for label, count in wanted.items())


def _before(rule: Rule, shown: Sequence[int]) -> list[int] | None:
    """Return for each cell of a rule the possible symbols that it allows, or None if a cell has none."""
    masks = [need & symbols for need, symbols in zip(rule.need, shown, strict=True)]
    return masks if all(masks) else None


def _after(rule: Rule, shown: Sequence[int], symbols: int) -> list[int] | None:
    """Return for each cell the symbols that it may have shown before the rule, or None if the rule was impossible."""
    found: list[int] = []
    everything = (1 << symbols) - 1
    for index, need in enumerate(rule.need):
        old = need & everything
        for cell, (source, table) in enumerate(zip(rule.source, rule.table, strict=True)):
            if source == index:
                old = sum(1 << s for s in symbols_of(old) if shown[cell] >> _new(table, s) & 1)
        found.append(old)
    return found if all(found) else None


def _new(table: Sequence[int] | None, symbol: int) -> int:
    return symbol if table is None else table[symbol]
