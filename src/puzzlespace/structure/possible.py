"""Which rules could ever apply: from a position if no piece were in the way, or with its pieces."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from operator import or_

from ..limits.watch import paced
from ..model.facts import image, orbits, symbol_classes
from ..model.kept import RuleTuple, keeping, kept
from ..model.metric import Metric
from ..model.model import Model
from ..model.rule import Rule, deeds, single_symbols, symbols_of


def within_reach(model: Model, position: bytes) -> Model:
    """Return the model with the rules that could ever apply from a position, and with each rule as a move.

    They could apply forwards or backwards, if no piece were in the way.
    """
    return replace(model, rules=model.bare.kept(_rules_within_reach, position), metric=Metric())


def _rules_within_reach(model: Model, position: bytes) -> RuleTuple[Rule]:
    """Return the rules of `within_reach`.

    An abstract interpretation with a set of possible symbols for each cell, initially the symbol that it shows. A rule
    applies if each of its cells has a possible symbol that it allows, and there are enough pieces; it then adds the
    symbols that it writes. Taken back, it adds those that it reads. This is repeated up to a fixed point. The result is
    a superset of the rules that can be used.
    """
    numbers, first = kept(model.rules, deeds)
    everything = (1 << model.symbols) - 1
    if all(need & everything == everything for rule in paced(first) for need in rule.need):
        return keeping(model.rules)
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
        return keeping(model.rules)
    return keeping([rule for number, rule in enumerate(model.rules) if number in usable])


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


def usable(model: Model, anchor: bytes) -> Model:
    """Return the model without rules that can never apply to positions with the pieces of `anchor`.

    Such a rule needs more pieces of a class than there are, or a symbol in a cell that it never reaches. The model has
    no laws, and nothing happens by itself.
    """
    return replace(model.bare.kept(_usable, anchor), start=model.start, goals=model.goals)


def _usable(model: Model, anchor: bytes) -> Model:
    while True:
        classes = symbol_classes(model.rules, model.symbols)
        stock = Counter(classes[symbol] for symbol in anchor)
        possible = _possible(model, anchor)
        left = [
            number
            for number, rule in enumerate(paced(model.rules))
            if _in_stock(rule, classes, stock) and _before(rule, [possible[cell] for cell in rule.cells]) is not None
        ]
        if len(left) == len(model.rules):
            return model
        number = {old: new for new, old in enumerate(left)}
        given, followers = model.metric, [model.followers[old] for old in left]
        metric = replace(
            given,
            after=tuple([tuple([number[each] for each in row if each in number]) for row in followers if given.after]),
            free=tuple([number[each] for each in given.free if each in number]),
            costs=tuple([given.costs[old] for old in left if given.costs]),
        )
        model = replace(model, rules=tuple(model.rules[old] for old in left), metric=metric)


def _possible(model: Model, anchor: bytes) -> list[int]:
    """Return for each cell the symbols that it may show, as a bit set: their class is in their orbit in `anchor`."""
    classes, labels = symbol_classes(model.rules, model.symbols), orbits(model)
    held = {(classes[symbol], labels[symbol][cell]) for cell, symbol in enumerate(anchor)}
    return [
        sum(1 << s for s in range(model.symbols) if (classes[s], labels[s][cell]) in held)
        for cell in range(model.cells)
    ]


def narrowed(model: Model, anchor: bytes) -> Model:
    """Return the model whose rules need only symbols that the cells may show with the pieces of `anchor`.

    Each rule is a move. More sums are invariant.
    """
    possible = _possible(model, anchor)
    rules = [
        replace(r, need=tuple(n & possible[c] for c, n in zip(r.cells, r.need, strict=True)))
        for r in paced(model.rules)
    ]
    return replace(model, rules=tuple(rules), metric=Metric())


def often_needed(model: Model) -> frozenset[int]:
    """Return the least symbol of each class of which more than half of the rules need a symbol, such as the blank."""
    classes = symbol_classes(model.rules, model.symbols)
    wanted: Counter[int] = Counter()
    for rule in paced(model.rules):
        wanted.update({classes[symbol] for symbol in single_symbols(rule.need)})
    return frozenset(label for label, count in wanted.items() if 2 * count > len(model.rules))
