"""The actions of a puzzle's planning task.

A move is one action if one rule makes it. Else it begins with an action that costs what the move counts, and goes on in
phases with actions that cost nothing: rules that may follow, what happens by itself, and tests of laws.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from ..errors import UnsupportedError
from ..limits.watch import checkpoint, paced
from ..model.goal import Goal
from ..model.model import Model
from ..model.rule import only
from ..model.sentence import Counted, Every, Needs, Sentence, TooManyCasesError, needs_of
from .actions import READY, Facts, RuleActions, TaskAction, inside, outside

MOST_BINDINGS = 64
"""The most cases of an action with parameters; planners list all of them."""

MOST_TRIED = 4096
"""The most cases of a rule that happens by itself: whether it changes something needs parameters."""

MOST_ACTIONS = 50_000
"""The most actions of a task: about ten megabytes of text."""

Then = Callable[[], int]
"""Returns the phase that follows."""


@dataclass
class Task:
    """A planning task.

    phases  the number of each phase by what identifies it
    goal    what cells show in the goal; None if actions that finish lead to it
    """

    model: Model
    facts: Facts
    actions: list[TaskAction] = field(default_factory=list[TaskAction])
    phases: dict[Hashable, int] = field(default_factory=lambda: dict[Hashable, int]({"ready": READY}))
    goal: tuple[tuple[int, int], ...] | None = None

    @property
    def costs(self) -> bool:
        """Whether some action does not cost 1."""
        return any(action.cost != 1 for action in self.actions)


def task_of(model: Model) -> Task:
    """Return the task of a model in its metric. Raises UnsupportedError if it cannot be said in PDDL."""
    task = Task(model, Facts(model.symbols))
    metric = model.metric
    if metric.lawful:
        _Lawful(task).add()
    elif metric.exhausts:
        _Tilts(task).add()
    else:
        _add_chains(task)
    _add_goals(task, model.goals)
    return task


class _Phases:
    """Adds phases: each is made when an action first leads to it."""

    def __init__(self, task: Task) -> None:
        self.task, self.rules, self.facts = task, task.model.rules, task.facts
        self.pending: list[tuple[int, Callable[[int], Iterator[TaskAction]]]] = []
        self.made: dict[int, RuleActions] = {}

    def phase(self, name: Hashable, actions: Callable[[int], Iterator[TaskAction]]) -> int:
        """Return the number of a phase; `actions` yields those that are possible in it."""
        phases = self.task.phases
        if name not in phases:
            phases[name] = len(phases)
            self.pending.append((phases[name], actions))
        return phases[name]

    def finish(self) -> None:
        """Add the actions of all phases that were named."""
        while self.pending:
            checkpoint()
            number, actions = self.pending.pop()
            _extend(self.task, (replace(action, before=number) for action in actions(number)))

    def of_rule(self, number: int) -> RuleActions:
        """Return the actions of a rule that is tried in a phase."""
        if number not in self.made:
            self.made[number] = found = RuleActions(self.rules[number], self.facts)
            if found.bindings > MOST_TRIED:
                raise UnsupportedError(
                    f"format pddl: what happens by itself ({found.rule.name}) has too many cases ({found.bindings:,})"
                )
        return self.made[number]

    def tried(self, rule: int, changed: Then, else_: Then) -> Iterator[TaskAction]:
        """Yield the actions that make a rule if it changes the position, and go on if it does not."""
        actions = self.of_rule(rule)
        yield from (replace(action, after=changed()) for action in actions.changing())
        yield from (replace(action, after=else_()) for action in actions.idle())


class _Tilts(_Phases):
    """Moves that go on until none of their rules applies."""

    def add(self) -> None:
        for group in dict.fromkeys(self.task.model.followers):
            begin = TaskAction(self.rules[group[0]].name, cost=1, after=self.at(group, 0, False))
            _extend(self.task, [begin])
        self.finish()

    def at(self, group: tuple[int, ...], place: int, changed: bool) -> int:
        """Return the phase in which a rule of a group is tried; `changed` tells whether one has changed something."""
        if place == len(group):
            return self.at(group, 0, False) if changed else READY

        def actions(_: int) -> Iterator[TaskAction]:
            return self.tried(
                group[place], lambda: self.at(group, place + 1, True), lambda: self.at(group, place + 1, changed)
            )

        return self.phase((group, place, changed), actions)


class _Lawful(_Phases):
    """Moves after which something happens by itself, and some positions are forbidden."""

    def __init__(self, task: Task) -> None:
        super().__init__(task)
        model = task.model
        self.stages = model.metric.automatic
        self.laws = [case for law in model.metric.laws for case in _cases(law.sentence, model.symbols, law.name)]
        self.by_itself = {cell for number in model.automatic for cell in self.rules[number].cells}
        self.broken = model.start is not None and model.broken(model.start) is not None

    def add(self) -> None:
        model = self.task.model
        for number, rule in enumerate(paced(self.rules)):
            if number in model.automatic:
                continue
            cost = model.metric.costs[number] if model.metric.costs else 1
            made = RuleActions(rule, self.facts)
            for action in _one_move(made):
                laws = self.in_question(made, action)
                after = self.stage(0, 0, False, (), laws) if self.stages else self.judged(laws)
                _extend(self.task, [replace(action, cost=cost, after=after)])
        self.finish()

    def in_question(self, rule: RuleActions, action: TaskAction) -> tuple[int, ...]:
        """Return the forbidden cases that a rule can lead to; all of them if the start is forbidden."""
        touched = self.by_itself | {slot.cell for slot in rule.written}
        new = {cell: symbol for cell, symbol in action.shows if isinstance(symbol, int)}
        new |= {cell: symbol for cell, _, symbol in action.writes if isinstance(symbol, int)}
        unsure = self.by_itself | {cell for cell, _, symbol in action.writes if not isinstance(symbol, int)}
        unsure |= {cell for cell, *_ in action.depends}
        return tuple(
            number
            for number, case in enumerate(self.laws)
            if (self.broken or not touched.isdisjoint(case))
            and all(cell in unsure or cell not in new or need >> new[cell] & 1 for cell, need in case.items())
        )

    def stage(self, number: int, place: int, changed: bool, over: tuple[int, ...], laws: tuple[int, ...]) -> int:
        """Return the phase in which a rule of a stage is tried.

        changed  whether a rule has changed something since the first stage began
        over     the stages that are over because they happen once
        """
        if number == len(self.stages):
            return self.stage(0, 0, False, over, laws) if changed else self.judged(laws)
        stage = self.stages[number]
        if place == len(stage.rules) or number in over:
            return self.stage(number + 1, 0, changed, over, laws)

        def then() -> int:
            if stage.once:
                return self.stage(number + 1, 0, True, (*over, number), laws)
            return self.stage(number, 0, True, over, laws)

        def actions(_: int) -> Iterator[TaskAction]:
            return self.tried(stage.rules[place], then, lambda: self.stage(number, place + 1, changed, over, laws))

        return self.phase(("stage", number, place, changed, over, laws), actions)

    def judged(self, laws: tuple[int, ...]) -> int:
        """Return the phase in which the first of some forbidden cases is excluded, then the others."""
        if not laws:
            return READY

        def actions(_: int) -> Iterator[TaskAction]:
            case = self.laws[laws[0]]
            return (replace(each, after=self.judged(laws[1:])) for each in outside(case, self.facts, "allowed"))

        return self.phase(("law", laws), actions)


def _add_chains(task: Task) -> None:
    """Add moves of one rule and those that may follow it; free rules cost nothing."""
    model, free = task.model, frozenset(task.model.metric.free)
    phases: dict[int, int] = {}
    for number, after in enumerate(model.followers):
        if after:
            phases[number] = task.phases.setdefault(after, len(task.phases))
    before: dict[int, set[int]] = {}
    for number, phase in phases.items():
        for follower in model.followers[number]:
            before.setdefault(follower, set()).add(phase)
    costs = model.metric.costs
    for number, rule in enumerate(paced(model.rules)):
        made = RuleActions(rule, task.facts)
        alone = model.followers[number] in ((), (number,))
        actions = _one_move(made) if alone else made.changing()
        cost = 0 if number in free else costs[number] if costs else 1
        begun = [replace(action, cost=cost, after=phases.get(number, READY)) for action in actions]
        _extend(task, begun)
        for phase in sorted(before.get(number, ())):
            _extend(task, (replace(action, before=phase, cost=0) for action in begun))
    _extend(task, (TaskAction("end of the move", before=phase) for phase in sorted(set(phases.values()))))


def _one_move(rule: RuleActions) -> list[TaskAction]:
    """Return the action of a rule, whether or not it changes the position."""
    return [rule.with_parameters() if rule.bindings <= MOST_BINDINGS else rule.with_conditions()]


def _add_goals(task: Task, goals: Sequence[Goal]) -> None:
    if not goals:
        raise UnsupportedError("format pddl: expected a puzzle with a goal, found none")
    cases = [case for goal in goals for case in _cases(_sentence(task.model, goal), task.model.symbols, "the goal")]
    if not cases:
        raise UnsupportedError("format pddl: no position meets the goal")
    ends = [inside(case, task.facts, "goal") for case in cases]
    if len(ends) == 1 and not ends[0].parameters:
        task.goal = tuple([(cell, symbol) for cell, symbol in ends[0].shows if isinstance(symbol, int)])
    else:
        _extend(task, (replace(end, finishes=True) for end in ends))


def _sentence(model: Model, goal: Goal) -> Sentence:
    """Return what is true of the positions of a goal as one sentence."""
    parts: list[Sentence] = [needs_of(enumerate(need & (1 << model.symbols) - 1 for need in goal.need))]
    every = tuple(range(model.cells))
    parts += [Counted(only(symbol), every, count, count) for symbol, count in goal.counts]
    return Every((*parts, *([] if goal.sentence is None else [goal.sentence])))


def _cases(sentence: Sentence, symbols: int, what: str) -> list[Needs]:
    try:
        return sentence.cases(symbols)
    except TooManyCasesError:
        raise UnsupportedError(f"format pddl: {what} has too many cases to be listed for a planner") from None


def _extend(task: Task, actions: Iterable[TaskAction]) -> None:
    task.actions += actions
    if len(task.actions) > MOST_ACTIONS:
        raise UnsupportedError(f"format pddl: the task has more than {MOST_ACTIONS:,} actions")
