"""The distances of a projection: positions that look alike count as one, and every move between them is possible."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from math import inf

from ..limits.watch import checkpoint
from ..model.goal import Goal
from ..model.sentence import Sentence, Shows
from ..structure.reached import ReachedFacts
from .projection_conditions import KeptConditions, all_of, function_of
from .projection_phases import Phase, counted_rules, live_phases
from .projection_rules import ProjectedRule, ProjectionView, RuleProjector, TooLargeError

RULE_WORK = 40
"""What projecting a rule counts, in rules tried."""

NODE_WORK = 30
"""What a node counts, in rules tried."""

NOWHERE = -1
"""The number of a node that no position is like."""

Advanced = tuple[int, ProjectedRule, int, int, bool]
"""The bits with which a rule is not possible, the rule, what it counts, the phase after it, and whether it is binding.

A move does not end as long as a binding rule changes the position.
"""

Listed = dict[tuple[int, int, bool], Advanced]

Indexed = list[tuple[int, list[Advanced]]]
"""Rules that are not possible if a number has one of some bits."""


@dataclass
class Work:
    """The work that is left, in rules tried."""

    left: int

    def take(self, amount: int) -> None:
        """Use some of it; raise TooLargeError if too little is left."""
        self.left -= amount
        if self.left < 0:
            raise TooLargeError


@dataclass(frozen=True, eq=False)
class ProjectionTable:
    """The least that moves count from everything that is kept of positions to goals; infinity if there is no way.

    counted  the rules that begin moves that count something and may change what is kept
    """

    view: ProjectionView
    left: dict[bytes, float]
    nodes: int
    counted: frozenset[int]

    def bound(self, position: bytes) -> float:
        """Return what the moves from a position count at least; 0 for positions that the start does not reach."""
        return self.left.get(self.view.of(position), 0)


@dataclass(frozen=True)
class ProjectedGoals:
    """The goals of a question: all goal positions, or sets of positions if they are not listed."""

    listed: Sequence[bytes] | None
    goals: Sequence[Goal]

    def cells(self, symbols: int) -> frozenset[int]:
        """Return the cells on which it depends whether a position is a goal; all of them if symbols are counted."""
        found, every = set[int](), (1 << symbols) - 1
        for goal in self.goals:
            if goal.counts:
                return frozenset(range(len(goal.need)))
            found |= {cell for cell, need in enumerate(goal.need) if every & ~need}
            found |= goal.sentence.cells() if goal.sentence is not None else set()
        return frozenset(found)

    def seen_by(self, projector: RuleProjector) -> Callable[[int], bool]:
        """Return the function that returns whether a position that looks like this may be a goal."""
        if self.listed is not None:
            return {projector.number(projector.view.of(goal)) for goal in self.listed}.__contains__
        return KeptConditions(projector).goals(self.goals)


class Exploration:
    """Everything that moves lead to from the start, as a projection sees it. A *node* is a phase and a number.

    before  for each node the nodes before it, each with what the step counts
    """

    def __init__(self, view: ProjectionView, facts: ReachedFacts, phases: Sequence[Phase], work: Work) -> None:
        self.view, self.facts, self.work, self.phases = view, facts, work, phases
        self.projector = RuleProjector(view, facts)
        assert facts.model.start is not None
        self.start = self.projector.number(view.of(facts.model.start))
        self.numbers: list[dict[int, int]] = [{} for _ in phases]
        self.nodes: list[tuple[int, int]] = []
        self.before: list[list[tuple[int, int]]] = []
        self.touching: set[int] = set()
        laws = [law.sentence for law in facts.model.metric.laws]
        self._lawful = function_of(all_of(KeptConditions(self.projector).may(law, False) for law in laws))
        self._law_work = int(sum(map(weight, laws)) / 10 + 1) if laws else 0

    def run(self, most: int) -> None:
        """Find all nodes; raise TooLargeError if there are more than `most`, or too little work is left."""
        indexed = [self._index(advances) for advances in self._projected()]
        self._number(0, self.start)
        for node, (phase, shown) in enumerate(self.nodes):
            checkpoint()
            if len(self.nodes) > most:
                raise TooLargeError
            tried, certain = NODE_WORK + len(indexed[phase]), False
            for bad, listed in indexed[phase]:
                if not shown & bad:
                    tried += len(listed)
                    certain |= self._follow(node, phase, shown, listed)
            if phase and not certain:
                self._lead(node, 0, 0, shown)
            self.work.take(tried)

    def _follow(self, node: int, phase: int, shown: int, listed: Sequence[Advanced]) -> bool:
        """Make rules; return whether one of them certainly changes the position, so that the move goes on."""
        certain = False
        for bad, rule, cost, following, binding in listed:
            if shown & bad:
                continue
            child = shown & rule.keep | rule.put
            for field, left, right in rule.carried:
                child |= (shown & field) << left >> right
            if (child == shown and following == phase) or (rule.limits and not _within(shown, rule)):
                continue
            self._lead(node, cost, following, child)
            if binding and child != shown and rule.uncertain is not None and not shown & rule.uncertain:
                certain = True
        return certain

    def _lead(self, node: int, cost: int, phase: int, shown: int) -> None:
        """Note a step to a node, unless no position is like this."""
        number = self.numbers[phase].get(shown)
        if number is None:
            number = self._number(phase, shown) if self._is_allowed(phase, shown) else NOWHERE
            self.numbers[phase][shown] = number
        if number != NOWHERE:
            self.before[number].append((node, cost))

    def _number(self, phase: int, shown: int) -> int:
        number = self.numbers[phase][shown] = len(self.nodes)
        self.nodes.append((phase, shown))
        self.before.append([])
        return number

    def _is_allowed(self, phase: int, shown: int) -> bool:
        """Return whether some positions are like this: no law is certainly broken, conserved symbols are as many."""
        if not all(low <= (shown & bits).bit_count() <= high for bits, low, high in self.projector.limits):
            return False
        if phase or not self._law_work:
            return True
        self.work.take(self._law_work)
        return self._lawful(shown)

    def _projected(self) -> list[list[Advanced]]:
        """Return the rules of each phase, without those that only change what is not kept."""
        rules = self.facts.model.rules
        cases: dict[int, list[ProjectedRule]] = {}
        found: list[Listed] = []
        for number, phase in enumerate(self.phases):
            kept: Listed = {}
            for rule, cost, following in phase.advances:
                needless = following in (0, number) or phase.quiet
                if needless and self.projector.places.keys().isdisjoint(rules[rule].cells):
                    continue
                if rule not in cases:
                    checkpoint()
                    self.work.take(RULE_WORK)
                    cases[rule] = self.projector.projected(rules[rule])
                    if not all(case.idle for case in cases[rule]):
                        self.touching.add(rule)
                for case in cases[rule]:
                    if case.idle and needless:
                        continue
                    key = id(case), following, rule in phase.binding
                    if key not in kept or kept[key][2] > cost:
                        kept[key] = case.bad, case, cost, *key[1:]
            found.append(kept)
        live = live_phases([[(not each[1].idle, each[3]) for each in kept.values()] for kept in found])
        return [[(a, b, c, n if n in live else 0, d) for a, b, c, n, d in each.values()] for each in found]

    def _index(self, advances: Sequence[Advanced]) -> Indexed:
        """Return the rules by one of their needs: the one that fewest places of the start meet."""
        width, every = self.projector.width, (1 << self.projector.count) - 1
        shown = self.projector.kept(self.start)
        often = [shown.count(number) for number in range(self.projector.count)]
        found: dict[int, list[Advanced]] = {}
        for each in advances:
            needs = [
                (sum(count for number, count in enumerate(often) if classes >> number & 1), place, classes)
                for place, classes in each[1].needs
            ]
            _, place, classes = min(needs, default=(0, 0, every))
            found.setdefault((every & ~classes) << width * place, []).append(each)
        return list(found.items())

    def table(self, goals: ProjectedGoals) -> ProjectionTable:
        """Return the distances to the goals."""
        is_goal = goals.seen_by(self.projector)
        left: list[float] = [inf] * len(self.nodes)
        waiting: list[tuple[float, int]] = []
        for node, (phase, shown) in enumerate(self.nodes):
            checkpoint()
            if not phase and is_goal(shown):
                left[node] = 0
                waiting.append((0, node))
        heapify(waiting)
        while waiting:
            far, node = heappop(waiting)
            if far > left[node]:
                continue
            checkpoint()
            for parent, cost in self.before[node]:
                if far + cost < left[parent]:
                    left[parent] = far + cost
                    heappush(waiting, (far + cost, parent))
        kept = self.projector.kept
        found = {kept(each): left[number] for number, (phase, each) in enumerate(self.nodes) if not phase}
        return ProjectionTable(self.view, found, len(self.nodes), counted_rules(self.phases, self.touching))


def weight(said: Sentence) -> float:
    """Return about the work of asking whether a sentence may be true, in rules tried."""
    if isinstance(said, Shows):
        return 1
    parts: Sequence[Sentence] = getattr(said, "parts", ())
    return 1 + sum(map(weight, parts)) if parts else 20 + 10 * len(said.cells())


def _within(shown: int, rule: ProjectedRule) -> bool:
    return all((shown & bits).bit_count() <= most for bits, most in rule.limits)
