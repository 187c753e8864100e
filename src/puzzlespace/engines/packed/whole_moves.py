"""Whole moves as single rules: a path of rules is a rule again, so a metric of few paths needs no closure at all.

The cells, needs, sources and tables of two rules one after the other compose to those of one rule. Along a path that a
metric allows, a rule that leaves some position as it is does not count as taken (`Model.moves`), which one rule cannot
express; paths are joined only where every rule but the last changes every position it can be used on, or is followed by
itself (then what is left unchanged stays so).
"""

from __future__ import annotations

from collections.abc import Sequence

from ...limits.watch import paced
from ...model.model import ANY, Metric, Model, Rule, allowed, canonical, outcomes

MOST = 3
"""Joined rules are worth it up to so many times as many as the model's own."""


def joined(model: Model) -> Model | None:
    """Return the model in which every move is one rule and the metric is `step`, or None where that does not pay."""
    if not model.metric.after:
        return model
    firm = [always_changes(rule, model.symbols) for rule in paced(model.rules)]
    found: dict[tuple[object, ...], Rule] = {}
    seen: set[tuple[object, ...]] = set()
    pending = list(enumerate(model.rules))
    while pending:
        last, rule = pending.pop()
        form = canonical(rule, model.symbols)
        followers = model.followers[last]
        if (form, followers) in seen:
            continue
        seen.add((form, followers))
        found.setdefault(form, rule)
        too_many = max(len(found), len(seen) // 2) > MOST * len(model.rules)
        if too_many or not all(firm[last] or other == last for other in followers):
            return None
        for other in followers:
            then = compose(rule, model.rules[other], model.symbols)
            if then is not None:
                pending.append((other, then))
    rules = tuple(rule for rule in found.values() if not changes_nothing(rule, model.symbols))
    return Model(model.cells, model.symbols, rules, Metric(), model.start, model.goals, model.shapes)


def compose(first: Rule, then: Rule, symbols: int) -> Rule | None:
    """Return the rule that does `first` and `then`, or None where no position allows both in turn."""
    cells = (*first.cells, *(cell for cell in then.cells if cell not in first.cells))
    place = {cell: index for index, cell in enumerate(cells)}
    after = _effects(first, place, len(cells))
    need = [*first.need, *(ANY for _ in cells[len(first.need) :])]
    for cell, wanted in zip(then.cells, then.need, strict=True):
        origin, table = after[place[cell]]
        kept = [s for s in allowed(need[origin], symbols) if wanted >> (s if table is None else table[s]) & 1]
        if not kept:
            return None
        need[origin] = ANY if len(kept) == symbols else sum(1 << s for s in kept)
    effects = list(after)
    for cell, source, table in zip(then.cells, then.source, then.table, strict=True):
        origin, before = after[place[then.cells[source]]]
        effects[place[cell]] = origin, _chained(before, table)
    source, tables = zip(*effects, strict=True)
    return Rule(f"{first.name} {then.name}", cells, tuple(need), source, tables)


Effect = tuple[int, tuple[int, ...] | None]


def _effects(rule: Rule, place: dict[int, int], cells: int) -> list[Effect]:
    """Return for each place (source, table): the rule's, and `stays` for cells it does not name."""
    found: list[Effect] = [(index, None) for index in range(cells)]
    for cell, source, table in zip(rule.cells, rule.source, rule.table, strict=True):
        found[place[cell]] = place[rule.cells[source]], table
    return found


def _chained(first: Sequence[int] | None, then: tuple[int, ...] | None) -> tuple[int, ...] | None:
    if first is None:
        return then
    return tuple(first) if then is None else tuple(then[symbol] for symbol in first)


def always_changes(rule: Rule, symbols: int) -> bool:
    """Return whether some cell surely shows another symbol after the rule than before."""
    for index, (source, pairs) in enumerate(outcomes(rule, symbols)):
        here = set(allowed(rule.need[index], symbols))
        if all(old != new for old, new in pairs) if source == index else not here & {new for _, new in pairs}:
            return True
    return False


def changes_nothing(rule: Rule, symbols: int) -> bool:
    """Return whether every cell surely shows the same symbol after the rule as before."""
    return all(
        all(old == new for old, new in pairs)
        if source == index
        else allowed(rule.need[index], symbols) == sorted({new for _, new in pairs}) and len(pairs) == 1
        for index, (source, pairs) in enumerate(outcomes(rule, symbols))
    )
