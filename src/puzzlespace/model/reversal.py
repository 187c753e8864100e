"""Whether the moves that undo moves are moves themselves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

from ..limits.watch import paced
from .effects import Form, canonicals
from .rule import Rule

Followers = Sequence[Sequence[int]]
"""For each rule those that may follow it within a move."""


@dataclass(frozen=True)
class MoveRules:
    """Rules and their followers; symbols are below `symbols`. `costs` has what each rule counts, if these differ."""

    symbols: int
    rules: Sequence[Rule]
    followers: Followers
    costs: Sequence[int] = ()


def contains(there: MoveRules, back: MoveRules) -> bool:
    """Return whether each move back is a move there; `back` has a rule for each of those there, which it undoes."""
    if not any(there.followers) and not any(back.followers):
        costs = there.costs or (1,) * len(there.rules)
        mine = set(zip(canonicals(there.rules, there.symbols), costs, strict=True))
        return all(form in mine for form in zip(canonicals(back.rules, there.symbols), costs, strict=True))
    names, others = _alike(there, back)
    if set(others) <= set(names):
        return True
    if there.costs:
        return False
    same: dict[Form, set[int]] = {}
    for number, form in enumerate(canonicals(there.rules, there.symbols)):
        same.setdefault(form, set()).add(number)
    undone = [set(same.get(form, ())) for form in canonicals(back.rules, there.symbols)]
    # Rules on several lines can be equal: a rule undoes another only if their followers undo each other, too.
    followers, changed = [set(after) for after in there.followers], True
    while changed:
        changed = False
        for number, after in enumerate(paced(back.followers)):
            still = {each for each in undone[number] if all(followers[each] & undone[f] for f in after)}
            changed |= len(still) < len(undone[number])
            undone[number] = still
    return all(undone)


def _alike(there: MoveRules, back: MoveRules) -> tuple[list[int], list[int]]:
    """Numbers for the rules there and back: equal if the rules and all that may follow are equivalent.

    Partition refinement: rules are distinguished by their effects, then by their followers' numbers, until stable.
    """
    forms = chain(canonicals(there.rules, there.symbols), canonicals(back.rules, there.symbols))
    shift = len(there.rules)
    after = [*there.followers, *(tuple(shift + each for each in row) for row in back.followers)]
    names: dict[object, int] = {}
    costs = (*there.costs, *there.costs) or (1,) * len(after)
    found = [names.setdefault(key, len(names)) for key in zip(forms, costs, strict=True)]
    count = 0
    while count < len(names):
        count, names = len(names), {}
        keys = ((own, frozenset(found[each] for each in row)) for own, row in zip(found, after, strict=True))
        found = [names.setdefault(key, len(names)) for key in keys]
    return found[:shift], found[shift:]
