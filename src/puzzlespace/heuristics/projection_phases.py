"""What one move is, as phases: the rules that may come next, what they count, and where a move may end.

Phase 0 is between two moves. A metric in which each rule is a move has no other. With `after`, the rules that may
follow are a phase, in which they count nothing; so are the rules that happen by themselves after a move. Free rules
count nothing in phase 0. So every move of the puzzle is a path from phase 0 to phase 0 that counts as much. Paths may
be no moves: rules that happen by themselves are made in any order, and as often as one likes.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass, replace

from ..model.model import Model

Advance = tuple[int, int, int]
"""A rule, what it counts, and the phase after it."""


@dataclass(frozen=True)
class Phase:
    """The rules that are possible in a phase.

    In all phases but 0 the move may end, which counts nothing.

    binding  rules: the move does not end as long as one of them changes the position
    quiet    whether rules that change nothing can be left out: each rule that may come after one is in this phase, too,
             and counts no more
    """

    advances: tuple[Advance, ...]
    binding: frozenset[int] = frozenset()
    quiet: bool = False


def phases_of(model: Model) -> list[Phase]:
    """Return the phases of the moves of a model."""
    metric, numbers = model.metric, range(len(model.rules))
    costs = metric.costs or (1,) * len(model.rules)
    if metric.automatic:
        automatic = sorted(model.automatic)
        movers = tuple([(number, costs[number], 1) for number in numbers if number not in model.automatic])
        binding = frozenset(number for stage in metric.automatic if not stage.once for number in stage.rules)
        return [Phase(movers), Phase(tuple([(number, 0, 1) for number in automatic]), binding)]
    if not metric.after:
        free = frozenset(metric.free)
        return [Phase(tuple([(number, 0 if number in free else costs[number], 0) for number in numbers]))]
    return _chained(model)


def _chained(model: Model) -> list[Phase]:
    """Return the phases of moves of several rules: one for each set of rules that may follow."""
    metric, followers = model.metric, model.followers
    groups = {group: number for number, group in enumerate(dict.fromkeys(filter(None, followers)), 1)}
    after = [groups.get(group, 0) for group in followers]
    if metric.exhausts:
        first = [(number, 1, phase) for group, phase in groups.items() for number in group]
        chains = [Phase(tuple([(n, 0, phase) for n in group]), frozenset(group)) for group, phase in groups.items()]
    else:
        free = frozenset(metric.free)
        first = [(n, 0, 0) if n in free else (n, 1, after[n]) for n in range(len(model.rules))]
        chains = [Phase(tuple([(n, 0, after[n]) for n in group])) for group in groups]
    return [Phase(tuple(first), quiet=True), *chains]


def discounted(phases: Sequence[Phase], rules: Set[int]) -> Sequence[Phase]:
    """Return the phases if moves that begin with some rules count nothing."""
    if not rules:
        return phases
    first = tuple([(rule, 0 if rule in rules else cost, after) for rule, cost, after in phases[0].advances])
    return [replace(phases[0], advances=first, quiet=False), *phases[1:]]


def counted_rules(phases: Sequence[Phase], touching: Set[int]) -> frozenset[int]:
    """Return the rules with which moves begin that count something and in which one of some rules may be made."""
    live = live_phases([[(rule in touching, after) for rule, _, after in phase.advances] for phase in phases])
    return frozenset(rule for rule, cost, after in phases[0].advances if cost and (rule in touching or after in live))


def live_phases(phases: Sequence[Sequence[tuple[bool, int]]]) -> set[int]:
    """Return the phases within a move from which a rule of some kind can come, at once or later in the move.

    phases  for each phase its rules: whether the rule is of the kind, and the phase after it
    """
    live = {number for number, advances in enumerate(phases) if number and any(wanted for wanted, _ in advances)}
    while True:
        others = [number for number in range(1, len(phases)) if number not in live]
        more = {number for number in others if any(after in live for _, after in phases[number])}
        if not more:
            return live
        live |= more
