"""Rules that lead to no new position right after another one, so that a search in breadth leaves them out.

Let a rule lead from a position of layer d - 1 to one of layer d, and a second rule on from there. If the two together
change nothing, or only what a third rule changes at once, they lead to a position that is at most d moves away: all
these are known before layer d is expanded. (Taylor and Korf, "Pruning duplicate nodes in depth-first search", AAAI
1993, leave out longer sequences as well. Here that would be wrong: a position keeps only the first rule that found it.)
"""

from __future__ import annotations

from collections.abc import Sequence

from ..limits.watch import paced
from ..model.effects import allowed, canonical
from ..model.model import Model
from ..model.rule import Rule
from .whole_moves import changes_nothing, compose

MOST_TRIPLES = 1 << 14
"""Two rules are compared with a third one at most so often; beyond, no rule of the puzzle is left out."""


def redundant(model: Model) -> list[set[int]]:
    """Return for each rule the numbers of those that are redundant after it: only rules that write the same cells.

    All sets are empty unless every rule is a move that counts one, after which nothing happens by itself.
    """
    found = [set[int]() for _ in model.rules]
    groups: dict[frozenset[int], list[int]] = {}
    for number, rule in enumerate(paced(model.rules)):
        groups.setdefault(frozenset(_written(rule)), []).append(number)
    if not model.metric.single or sum(len(group) ** 3 for group in groups.values()) > MOST_TRIPLES:
        return found
    for group in groups.values():
        rules = [model.rules[number] for number in group]
        for number, first in zip(group, paced(rules), strict=True):
            for other, then in zip(group, rules, strict=True):
                both = compose(first, then, model.symbols)
                if both is None or _is_one(both, rules, model):
                    found[number].add(other)
    return found


def _written(rule: Rule) -> list[int]:
    """Return the cells that a rule may change."""
    return [
        cell
        for place, (cell, source, table) in enumerate(zip(rule.cells, rule.source, rule.table, strict=True))
        if source != place or table is not None
    ]


def _is_one(both: Rule, rules: Sequence[Rule], model: Model) -> bool:
    """Return whether a rule changes nothing, or wherever it applies another one does the same."""
    if changes_nothing(both, model.symbols):
        return True
    example = bytearray(model.cells)
    for cell, need in zip(both.cells, both.need, strict=True):
        example[cell] = allowed(need, model.symbols)[0]
    before = bytes(example)
    after = both.apply(before)
    form = canonical(both, model.symbols)
    stay = Rule("", both.cells, both.need, tuple(range(len(both.cells))), (None,) * len(both.cells))
    alike = (compose(stay, rule, model.symbols) for rule in rules if rule.apply(before) == after)
    return any(each is not None and canonical(each, model.symbols) == form for each in alike)
