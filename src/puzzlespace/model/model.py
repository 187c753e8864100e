"""Model: a puzzle of moves as frozen data, which is checked on construction.

A *position* is `bytes`: the symbol that each cell shows. A *rule* is an elementary change of the board. A *move* is
what a person counts as one: a sequence of rules, each of which may follow the previous one according to the metric.
Engines see nothing of a puzzle but its model.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from itertools import compress, count
from operator import ne
from typing import TYPE_CHECKING, Any

from ..errors import EndlessError, ModelError
from ..limits.watch import checkpoint, paced
from . import effects, trying
from .changes import Change, change_of
from .effects import canonicals
from .free import FreeRules
from .goal import Goal, anchor_of
from .kept import Caching, keeping, kept
from .matching import Matching
from .metric import STEP, Metric
from .reversal import MoveRules, contains
from .rule import MAX_SYMBOLS, Rule, check_rules
from .shapes import Shapes

if TYPE_CHECKING:
    from .domain import Domain
    from .settling import Settling


@dataclass(frozen=True)
class Model(Caching):
    """A puzzle as an engine sees it. Positions have `cells` symbols, each less than `symbols`.

    Results are kept with the rules (`kept.RuleTuple`) if they depend on nothing else, and else with `bare`.

    domain  sentences that are true of every position, because no rule makes them false; no search tests them

    The constructor raises ModelError if a rule, goal or position does not fit, so that nothing fails later.
    """

    cells: int
    symbols: int
    rules: tuple[Rule, ...]
    metric: Metric = STEP
    start: bytes | None = None
    goals: tuple[Goal, ...] = ()
    shapes: Shapes | None = field(default=None)
    domain: Domain = ()

    def __post_init__(self) -> None:
        if not 0 < self.symbols <= MAX_SYMBOLS:
            raise ModelError(f"model: expected 1 to {MAX_SYMBOLS} symbols, found {self.symbols}")
        object.__setattr__(self, "rules", keeping(self.rules))
        kept(self.rules, check_rules, self.cells, self.symbols)
        if self.metric.after and len(self.metric.after) != len(self.rules):
            raise ModelError(
                f"metric {self.metric.name}: expected {len(self.rules)} lists of rules, found {len(self.metric.after)}"
            )
        for follower in {r for after in (*paced(self.metric.after), self.metric.free) for r in after}:
            if not 0 <= follower < len(self.rules):
                raise ModelError(
                    f"metric {self.metric.name}: expected a rule below {len(self.rules)}, found {follower}"
                )
        if self.start is not None:
            self.check(self.start)
        costs = self.metric.costs
        if costs and (self.metric.after or len(costs) != len(self.rules) or min(costs) < 1):
            raise ModelError(f"metric {self.metric.name}: expected a cost of 1 or more for each rule, and no followers")
        if self.metric.lawful:
            from .settling import unsuitable  # most models have no laws and no stages

            wrong = unsuitable(self.metric, len(self.rules), self.cells, self.symbols)
            if wrong is not None:
                raise ModelError(f"metric {self.metric.name}: {wrong}")
        for goal in self.goals:
            if len(goal.need) != self.cells:
                raise ModelError(f"goal: expected {self.cells} cells, found {len(goal.need)}")
            if goal.sentence is not None and not goal.sentence.fits(self.cells, self.symbols):
                raise ModelError(f"goal: expected {self.cells} cells and numbers for each of {self.symbols} symbols")
        if not all(sentence.fits(self.cells, self.symbols) for sentence in self.domain):
            raise ModelError(f"domain: expected {self.cells} cells and numbers for each of {self.symbols} symbols")

    def __getstate__(self) -> dict[str, Any]:
        """Return the fields alone for pickling: what is computed from them is computed again."""
        return {each.name: getattr(self, each.name) for each in fields(self)}

    @cached_property
    def bare(self) -> Model:
        """The model without start and goals: one object for all models with equal rules, metric, shapes and domain."""
        return kept(self.rules, _without_positions, self.cells, self.symbols, self.metric, self.shapes, self.domain)

    @property
    def anchor(self) -> bytes | None:
        """A position that determines the pieces: the start, else a goal that is one position, else None."""
        return anchor_of(self.start, self.goals)

    def check(self, position: bytes) -> bytes:
        """Return the position; raise ModelError if its length or a symbol is wrong."""
        if len(position) != self.cells:
            raise ModelError(f"position: expected {self.cells} cells, found {len(position)}")
        if max(position, default=0) >= self.symbols:
            raise ModelError(f"position: expected symbols below {self.symbols}, found {max(position)}")
        return position

    def is_goal(self, position: bytes) -> bool:
        """Return whether the position meets one of the goals."""
        alone, others = self._goal_positions
        return position in alone or any(goal.holds(position) for goal in others)

    @cached_property
    def _goal_positions(self) -> tuple[frozenset[bytes], tuple[Goal, ...]]:
        """The goals that are one position, and the others."""
        alone = {goal.position for goal in self.goals if not goal.counts}
        others = tuple([goal for goal in self.goals if goal.counts or goal.position is None])
        return frozenset(position for position in alone if position is not None), others

    def steps(self, position: bytes) -> list[tuple[int, bytes]]:
        """Return (rule, position) for every rule that changes the position.

        If positions are forbidden or something happens by itself, the pairs are the moves: their rules, and where they
        end.
        """
        if self.metric.lawful:
            return [(path[0], child) for child, path in self._lawful(position)]
        checkpoint()
        found: list[tuple[int, bytes]] = []
        changes = self._changes
        for number in self._tried(position):
            child = (changes[number] or self._change(number))(position)
            if child is not None and child != position:
                found.append((number, child))
        return found

    def _tried(self, position: bytes) -> Iterable[int]:
        """Return rules among which are all that apply at a position, in the order of `trying.candidates`."""
        if self._matching is not None:
            sets, numbers = self._matching
            return [numbers[place] for place in sets.met(position)]
        always, triggered = self._candidates
        tried = [*always]
        for symbol, by_cell in triggered:
            cell = position.find(symbol)
            while cell >= 0:
                tried += by_cell[cell]
                cell = position.find(symbol, cell + 1)
        return tried

    def _lawful(self, position: bytes) -> Iterator[tuple[bytes, tuple[int, ...]]]:
        """Yield (position one move away, its rule and those that happened by themselves), as the rules are tried."""
        settling, by_itself = self._settling, bool(self.metric.automatic)
        ready = settling.ready(position)
        for number in paced(self._tried(position)):
            child = self.applied(number, position) if number not in self.automatic else None
            if child is None or (child == position and not by_itself):
                continue
            made: tuple[int, ...] = ()
            if by_itself:
                child, made = settling.settled(child, ready, self.rules[number].cells)
            if child != position and settling.broken(child) is None:
                yield child, (number, *made)

    @cached_property
    def automatic(self) -> frozenset[int]:
        """The rules that happen by themselves."""
        return frozenset(number for stage in self.metric.automatic for number in stage.rules)

    @cached_property
    def _settling(self) -> Settling:
        from .settling import Settling

        return Settling(self.metric, self.rules, self.applied, self.symbols)

    def settle(self, position: bytes) -> bytes:
        """Return the position after everything has happened by itself that happens before the first move.

        Stages that are `once` happen after moves only. Raises EndlessError if this never ends.
        """
        return self._settling.settled(position, self._settling.ready(position), once=False)[0]

    def settle_after_move(self, position: bytes) -> bytes:
        """Return the position after everything has happened by itself that happens after the rule of a move.

        Raises EndlessError if this never ends.
        """
        return self._settling.settled(position, self._settling.ready(position))[0]

    def is_settled(self, position: bytes) -> bool:
        """Return whether nothing more happens by itself at a position, but for what happens once after a move."""
        try:
            return not self.metric.automatic or self.settle(position) == position
        except EndlessError:
            return False

    def broken(self, position: bytes) -> str | None:
        """Return the name of the first law that forbids the position, or None."""
        return self._settling.broken(position)

    def is_stable(self, position: bytes) -> bool:
        """Return whether a move can end at a position: no law forbids it, and nothing more happens by itself.

        What happens once after each move does not matter.
        """
        return self.is_settled(position) and self.broken(position) is None

    def applied(self, number: int, position: bytes) -> bytes | None:
        """Return what `Rule.apply` returns for a rule, in less time."""
        return (self._changes[number] or self._change(number))(position)

    def _change(self, number: int) -> Change:
        """Prepare a rule."""
        checkpoint()
        change = self._changes[number] = change_of(self.rules[number], self.cells, self.symbols)
        return change

    @cached_property
    def _changes(self) -> list[Change | None]:
        """The rules that are prepared, see `changes`; None for the others."""
        return kept(self.rules, trying.unprepared, self.cells, self.symbols)

    def rules_at(self, cell: int) -> tuple[int, ...]:
        """Return the numbers of the rules that test or write a cell."""
        return kept(self.rules, trying.by_cell, self.cells)[cell]

    def rule_between(self, before: bytes, after: bytes) -> int | None:
        """Return the first rule of `steps` that leads from one position to another, or None."""
        return next(self._rules_between(before, after), None)

    def _rules_between(self, before: bytes, after: bytes) -> Iterator[int]:
        """Yield the rules of `steps` that lead from one position to another, in the same order."""
        if self._candidates[1] or self._matching is not None:
            yield from (number for number, child in self.steps(before) if child == after)
            return
        checkpoint()
        cell = changed_cell(before, after)
        numbers = () if cell is None else self.rules_at(cell)
        yield from (number for number in numbers if self.applied(number, before) == after)

    def moves(self, position: bytes) -> dict[bytes, tuple[int, ...]]:
        """Return every position one move away, each with a shortest sequence of rules that makes the move.

        Rules that happen by themselves follow the rule of the move.
        """
        if self.metric.lawful:
            made = list(self._lawful(position))
            if self.metric.costs:
                made.sort(key=lambda move: -self.cost(move[1]))
            return dict(made)
        if not self.metric.after and not self.metric.free:
            steps = self.steps(position) if not self.metric.costs else reversed(self._cheapest_first(position))
            return {child: (number,) for number, child in steps}
        found: dict[bytes, tuple[int, ...]] = {}
        for child, path in self._exhausted(position) if self.metric.exhausts else self._paths(position):
            found.setdefault(child, path)
        return found

    def move_between(self, before: bytes, after: bytes) -> tuple[int, ...]:
        """Return the rules by which `moves` leads from one position to another; raise KeyError if no move does."""
        metric = self.metric
        if metric.after or metric.free or metric.costs or metric.lawful:
            return self.moves(before)[self.settled(after)]
        found = (*self._rules_between(before, after),)
        if not found:
            raise KeyError(after)
        return found[-1:]

    def ways(self, position: bytes) -> dict[bytes, tuple[tuple[int, ...], ...]]:
        """Return every position one move away, with a sequence of rules for each different move that leads there.

        Moves of pieces are equal if the same piece moves to the same place, so only one leads to each position. Listed
        moves are equal if they are powers of the same generator or its inverse.
        """
        if self.metric.exhausts:
            return {child: (path,) for child, path in self.moves(position).items()}
        found: dict[bytes, dict[int, tuple[int, ...]]] = {}
        for child, path in self._paths(position):
            found.setdefault(child, {}).setdefault(self.generators[path[0]], path)
        return {child: tuple(paths.values()) for child, paths in found.items()}

    def _paths(self, position: bytes) -> Iterator[tuple[bytes, tuple[int, ...]]]:
        """Yield (position one move away, sequence of rules), the shortest first; positions can occur several times."""
        if self.metric.lawful:
            yield from sorted(self._lawful(position), key=lambda move: self.cost(move[1]))
            return
        if not self.metric.free:
            yield from self._chains(position, self._cheapest_first(position))
            return
        own, departures = self._walking.departures(position, self.steps)
        for before, walk, first in departures:
            for child, path in self._chains(before, first):
                settled = self.settled(child)
                if settled != own:
                    yield settled, walk() + path

    def walks(self, position: bytes) -> dict[bytes, tuple[int, ...]]:
        """Return the positions that free rules lead to, nearest first, each with a shortest sequence of these rules."""
        return self._walking.walks(position) if self.metric.free else {position: ()}

    def settled(self, position: bytes) -> bytes:
        """Return the position that stands for all that free rules lead to from this one: the least of them."""
        return self._walking.settled(position) if self.metric.free else position

    @cached_property
    def _walking(self) -> FreeRules:
        return FreeRules(self.rules, self.metric.free, self.cells, self.symbols, self._candidates, self.applied)

    def _chains(self, position: bytes, first: Iterable[tuple[int, bytes]]) -> Iterator[tuple[bytes, tuple[int, ...]]]:
        """Yield (position, sequence of rules) for all moves that begin with one of the (rule, position) `first`."""
        seen: set[tuple[bytes, tuple[int, ...]]] = set()
        changes = self._changes
        layer = [(child, (number,)) for number, child in first]
        while layer:
            following: list[tuple[bytes, tuple[int, ...]]] = []
            for child, path in paced(layer):
                if child != position:
                    yield child, path
                allowed = self.followers[path[-1]]
                if not allowed or (child, allowed) in seen:
                    continue
                seen.add((child, allowed))
                for number in allowed:
                    grandchild = (changes[number] or self._change(number))(child)
                    if grandchild is not None and grandchild != child:
                        following.append((grandchild, (*path, number)))
            layer = following

    def _exhausted(self, position: bytes) -> Iterator[tuple[bytes, tuple[int, ...]]]:
        """Yield (position one move away, sequence of rules) for each group of rules that changes the position."""
        checkpoint()
        for group in dict.fromkeys(self.followers):
            now, path, count = position, list[int](), -1
            while len(path) > count:
                count = len(path)
                for number in group:
                    child = self.applied(number, now)
                    if child is not None and child != now:
                        now = child
                        path.append(number)
            if path:
                yield now, tuple(path)

    def _cheapest_first(self, position: bytes) -> list[tuple[int, bytes]]:
        """Return `steps`, by their costs if these differ."""
        steps, costs = self.steps(position), self.metric.costs
        return sorted(steps, key=lambda step: costs[step[0]]) if costs else steps

    def cost(self, rules: Sequence[int]) -> int:
        """Return what a move counts that this sequence of rules makes: 1 unless the metric has costs.

        What happens by itself costs nothing.
        """
        if self.metric.automatic:
            rules = rules[:1]
        return sum(self.metric.costs[number] for number in rules) if self.metric.costs else 1

    @cached_property
    def generators(self) -> tuple[int, ...]:
        """For each listed move the lesser of its number and that of its inverse; -1 for rules that move a piece."""
        return kept(self.rules, effects.generators, self.symbols)

    @cached_property
    def counted_apart(self) -> tuple[int, ...]:
        """For each rule its generator if solutions that use another move between the same positions differ, else -1."""
        return tuple([each if rule.listed else -1 for each, rule in zip(self.generators, self.rules, strict=True)])

    def different(self, position: bytes) -> dict[bytes, tuple[tuple[int, ...], ...]]:
        """Return `ways` without the moves that are not counted apart from an earlier one."""
        apart, found = self.counted_apart, dict[bytes, tuple[tuple[int, ...], ...]]()
        for child, paths in self.ways(position).items():
            first = {apart[path[0]]: path for path in reversed(paths)}
            found[child] = tuple(reversed(first.values()))
        return found

    @cached_property
    def followers(self) -> tuple[tuple[int, ...], ...]:
        """For each rule the rules that may follow it within a move, sorted; () for all in the metric `step`."""
        return tuple(tuple(sorted(set(after))) for after in paced(self.metric.after)) or ((),) * len(self.rules)

    @cached_property
    def _candidates(self) -> trying.Candidates:
        """The rules to try always, and those to try only if a given cell shows a rare symbol, such as the blank."""
        return kept(self.rules, trying.candidates, self.cells, self.symbols)

    @cached_property
    def _matching(self) -> tuple[Matching, tuple[int, ...]] | None:
        """What finds the rules that apply, see `trying.matched`; None unless many would be tried one by one."""
        if self.anchor is None or trying.tried(self._candidates, self.anchor) <= trying.MANY:
            return None
        return kept(self.rules, trying.matched, self.cells, self.symbols)

    @property
    def backward(self) -> Model | None:
        """The model whose moves undo the moves of this one, or None. Its moves stay in the domain.

        None if some rule loses the old contents, if something happens by itself, and if the start or a goal that is one
        position breaks a law: moves lead out of such a position, but not into it.
        """
        return self._backward

    @cached_property
    def _backward(self) -> Model | None:
        if self.metric.exhausts or self.metric.automatic or self._ends_broken:
            return None
        inverses = kept(self.rules, effects.inverses, self.symbols)
        if inverses is not None and self.domain:
            from .domain import within

            inverses = kept(inverses, within, self.domain, self.symbols)
        if inverses is None:
            return None
        before: list[list[int]] = [[] for _ in self.rules]
        for number, after in enumerate(paced(self.metric.after)):
            for follower in after:
                before[follower].append(number)
        metric = replace(self.metric, after=tuple(map(tuple, before)) if self.metric.after else ())
        return replace(self, rules=inverses, metric=metric)

    @cached_property
    def _ends_broken(self) -> bool:
        """Whether the start or a goal that is one position breaks a law."""
        if not self.metric.laws:
            return False
        return any(end is not None and self.broken(end) for end in (self.start, *(g.position for g in self.goals)))

    @cached_property
    def reversible(self) -> bool:
        """Whether every move can be undone by a move: the inverses of rules, and of their followers, are rules too.

        False if something happens by itself, or the start or a goal that is one position breaks a law.
        """
        if self.metric.automatic or self._ends_broken:
            return False
        return kept(self.rules, _reversible, self.cells, self.symbols, self.metric)

    @cached_property
    def fingerprint(self) -> str:
        """Sixteen hex digits that depend on the rules, the metric and the board, but not on start and goals."""
        known = hashlib.sha256(f"[{self.cells}, {self.symbols}, [".encode())
        for number, form in enumerate(canonicals(self.rules, self.symbols)):  # in parts: hundreds of MB are possible
            known.update(f"{', ' if number else ''}{form}".encode())
        known.update(b"], (")
        for number, after in enumerate(paced(self.metric.after)):
            known.update(f"{', ' if number else ''}{after}".encode())
        known.update(b",)]" if len(self.metric.after) == 1 else b")]")
        if self.metric.free:
            known.update(f"free {self.metric.free}".encode())
        if self.metric.costs:
            known.update(f"{self.metric.costs}".encode())
        if self.metric.exhausts:
            known.update(b"exhausts")
        if self.metric.automatic:
            known.update(f"automatic {[(stage.rules, stage.once) for stage in self.metric.automatic]}".encode())
        if self.metric.laws:
            known.update(f"laws {[law.sentence for law in self.metric.laws]}".encode())
        return known.hexdigest()[:16]


def _without_positions(
    rules: tuple[Rule, ...], cells: int, symbols: int, metric: Metric, shapes: Shapes | None, domain: Domain
) -> Model:
    return Model(cells, symbols, rules, metric, shapes=shapes, domain=domain)


def _reversible(rules: tuple[Rule, ...], cells: int, symbols: int, metric: Metric) -> bool:
    model = Model(cells, symbols, rules, metric)
    back = model.backward
    there = MoveRules(symbols, model.rules, model.followers, metric.costs)
    return back is not None and contains(there, MoveRules(symbols, back.rules, back.followers))


def changed_cell(before: bytes, after: bytes) -> int | None:
    """Return the first cell in which two positions differ, or None."""
    return next(compress(count(), map(ne, before, after)), None)
