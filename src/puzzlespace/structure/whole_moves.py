"""Compose the rules of a move to one rule, so that a metric with few paths of rules needs no closure.

Two rules in sequence compose to one rule. But a rule that leaves a position unchanged does not count as a step of a
move (`Model.moves`), which a composed rule cannot express. So rules are composed only if every rule but the last
changes every position to which it applies, or is followed by itself (then the position stays unchanged anyway).
"""

from __future__ import annotations

from collections.abc import Sequence

from ..limits.watch import checkpoint, paced
from ..model.effects import allowed, canonical, outcomes
from ..model.metric import Metric
from ..model.model import Model
from ..model.rule import ANY, Rule

MOST = 3
"""Composed rules are used if there are at most MOST times as many as rules of the model."""


def joined(model: Model) -> Model | None:
    """Return the model with every move as one rule and the metric `step`; None if not possible or too many rules."""
    if not model.metric.after:
        return model
    firm = [always_changes(rule, model.symbols) for rule in paced(model.rules)]
    found: dict[tuple[object, ...], Rule] = {}
    seen: set[tuple[object, ...]] = set()
    pending = list(enumerate(model.rules))
    while pending:
        checkpoint()
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
    rules = tuple(rule for rule in paced(found.values()) if not changes_nothing(rule, model.symbols))
    return Model(model.cells, model.symbols, rules, Metric(), model.start, model.goals, model.shapes)


def compose(first: Rule, then: Rule, symbols: int) -> Rule | None:
    """Return the rule that does `first`, then `then`; None if no position allows this."""
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
    """Return (source, table) for each place: the rule's, or the identity for cells that it does not have."""
    found: list[Effect] = [(index, None) for index in range(cells)]
    for cell, source, table in zip(rule.cells, rule.source, rule.table, strict=True):
        found[place[cell]] = place[rule.cells[source]], table
    return found


def _chained(first: Sequence[int] | None, then: tuple[int, ...] | None) -> tuple[int, ...] | None:
    if first is None:
        return then
    return tuple(first) if then is None else tuple(then[symbol] for symbol in first)


def always_changes(rule: Rule, symbols: int) -> bool:
    """Return whether there is a cell whose symbol the rule changes in every position to which it applies."""
    for index, (source, pairs) in enumerate(outcomes(rule, symbols)):
        here = set(allowed(rule.need[index], symbols))
        if all(old != new for old, new in pairs) if source == index else not here & {new for _, new in pairs}:
            return True
    return False


def changes_nothing(rule: Rule, symbols: int) -> bool:
    """Return whether the rule changes no position to which it applies."""
    return all(
        all(old == new for old, new in pairs)
        if source == index
        else allowed(rule.need[index], symbols) == sorted({new for _, new in pairs}) and len(pairs) == 1
        for index, (source, pairs) in enumerate(outcomes(rule, symbols))
    )
