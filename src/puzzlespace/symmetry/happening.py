"""What happens by itself as what a symmetry must preserve: the order of rules, as far as it may matter.

Two rules that happen by themselves are *joined* if both touch a cell that such a rule changes, or if they are in one
stage that happens once. Rules that are not joined, not even by others, do not notice each other. So what happens among
joined rules depends on nothing but their own order, and a symmetry may map joined rules to others that have the same
order in the same stages.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ..limits.watch import paced
from ..model.facts import Partition, cells_changed_by
from ..model.model import Model

Joined = tuple[tuple[int, ...], ...]
"""For each stage the rules that are joined, in their order."""


def joined_rules(model: Model, numbers: Sequence[int]) -> Counter[Joined]:
    """Return the groups of joined rules; `numbers` says as what a rule counts, the same for rules of equal effect."""
    automatic = sorted(model.automatic)
    place = {rule: at for at, rule in enumerate(automatic)}
    groups = Partition(len(automatic))
    changed = {cell for rule in paced(automatic) for cell in cells_changed_by(model.rules[rule], model.symbols)}
    first: dict[int, int] = {}
    for at, rule in enumerate(paced(automatic)):
        for cell in model.rules[rule].cells:
            if cell in changed:
                groups.merge(first.setdefault(cell, at), at)
    for stage in model.metric.automatic:
        for rule in stage.rules if stage.once else ():
            groups.merge(place[stage.rules[0]], place[rule])
    labels = groups.labels()
    found: dict[int, list[list[int]]] = {}
    for number, stage in enumerate(model.metric.automatic):
        for rule in stage.rules:
            stages = found.setdefault(labels[place[rule]], [[] for _ in model.metric.automatic])
            stages[number].append(numbers[rule])
    return Counter(tuple(map(tuple, stages)) for stages in found.values())
