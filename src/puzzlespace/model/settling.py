"""What happens by itself after a rule, and which positions are forbidden."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from heapq import heapify, heappop, heappush

from ..errors import EndlessError
from ..limits.watch import checkpoint, paced
from .matching import Matching, matching
from .metric import Metric
from .rule import Rule
from .sentence import Needs, Sentence, Some, TooManyCasesError

Applied = Callable[[int, bytes], bytes | None]
"""Returns what a rule, by its number, makes of a position; None if it does not apply."""

State = tuple[bytes, int, tuple[bool, ...]]
"""A position, the stage that made the last rule, and which stages are over: what happens next depends on these."""


@dataclass(frozen=True)
class Settling:
    """The stages and laws of a metric; `applied` makes the rules of the model."""

    metric: Metric
    rules: Sequence[Rule]
    applied: Applied
    symbols: int

    def broken(self, position: bytes) -> str | None:
        """Return the name of the first law that forbids the position, or None."""
        for law, (sets, others) in zip(self.metric.laws, self._cases, strict=True):
            if (sets is not None and sets.found(position)) or any(case.holds(position) for case in others):
                return law.name
        return None

    @cached_property
    def _cases(self) -> list[tuple[Matching | None, tuple[Sentence, ...]]]:
        """For each law the cases in which it is true: those that are few needs of cells, as sets, and the others."""
        found: list[tuple[Matching | None, tuple[Sentence, ...]]] = []
        for law in self.metric.laws:
            needs: list[Needs] = []
            others: list[Sentence] = []
            for case in paced(tuple(Some((law.sentence,)).flat)):
                try:
                    needs += case.cases(self.symbols)
                except TooManyCasesError:
                    others.append(case)
            sets = matching([each.items() for each in needs], self.symbols)
            found.append((None, (law.sentence,)) if sets is None else (sets, tuple(others)))
        return found

    def ready(self, position: bytes) -> list[list[int]]:
        """Return for each stage the rules, by their places in it, that change the position."""
        found: list[list[int]] = []
        for stage, sets in zip(self.metric.automatic, self._stages, strict=True):
            places = range(len(stage.rules)) if sets is None else sets.met(position)
            found.append([place for place in paced(places) if self._made(stage.rules[place], position) is not None])
        return found

    @cached_property
    def _stages(self) -> list[Matching | None]:
        """For each stage what finds the rules that apply, by their places in it."""
        return [
            matching([zip(self.rules[n].cells, self.rules[n].need, strict=True) for n in stage.rules], self.symbols)
            for stage in self.metric.automatic
        ]

    def settled(
        self, position: bytes, ready: Sequence[Sequence[int]], changed: Iterable[int] = (), once: bool = True
    ) -> tuple[bytes, tuple[int, ...]]:
        """Return the position after everything has happened by itself, and the rules that this made.

        A state that is seen again is found by comparing with one state, which is replaced after 1, 2, 4 … rules
        (Brent 1980, "An improved Monte Carlo factorization algorithm", BIT 20).

        ready    what `ready` returns for the position, or for one that differs in the cells `changed` at most
        once     whether the stages that are `once` happen, too
        Raises EndlessError if it never ends.
        """
        pending = [_Pending(places) for places in ready]
        self._touch(pending, changed)
        made: list[int] = []
        since: list[bytes] = []
        marked: State | None = None
        power = 1
        for rule, state in self._happening(position, pending, once):
            made.append(rule)
            position = state[0]
            since.append(position)
            if state == marked:
                raise EndlessError(since)
            if len(made) == power:
                marked, since, power = state, [], 2 * power
        return position, tuple(made)

    def _happening(self, position: bytes, pending: Sequence[_Pending], once: bool) -> Iterator[tuple[int, State]]:
        """Yield every rule that happens by itself, with the state after it."""
        stages = self.metric.automatic
        over = tuple([stage.once and not once for stage in stages])
        changed = True
        while changed:
            changed = False
            for number, stage in enumerate(stages):
                while not over[number]:
                    checkpoint()
                    rule, child = self._first(position, stage.rules, pending[number])
                    if child is None:
                        break
                    position, changed = child, True
                    self._touch(pending, self.rules[rule].cells)
                    if stage.once:
                        over = (*over[:number], True, *over[number + 1 :])
                    yield rule, (position, number, over)

    def _first(self, position: bytes, rules: tuple[int, ...], pending: _Pending) -> tuple[int, bytes | None]:
        """Return the first of the rules of a stage that changes a position, and what it makes of it."""
        while pending.places:
            rule = rules[pending.places[0]]
            child = self._made(rule, position)
            if child is not None:
                return rule, child
            pending.drop()
        return -1, None

    def _made(self, rule: int, position: bytes) -> bytes | None:
        """Return what a rule makes of a position, or None if it changes nothing."""
        child = self.applied(rule, position)
        return None if child == position else child

    def _touch(self, pending: Sequence[_Pending], cells: Iterable[int]) -> None:
        """Note that rules must be tried again after some cells have changed."""
        for each, by_cell in zip(pending, self._by_cell, strict=True):
            for cell in cells:
                for place in by_cell.get(cell, ()):
                    each.add(place)

    @cached_property
    def _by_cell(self) -> list[dict[int, list[int]]]:
        """For each stage and cell the rules that test or write the cell, by their places in the stage."""
        found: list[dict[int, list[int]]] = []
        for stage in self.metric.automatic:
            places: dict[int, list[int]] = {}
            for place, rule in enumerate(paced(stage.rules)):
                for cell in self.rules[rule].cells:
                    places.setdefault(cell, []).append(place)
            found.append(places)
        return found


class _Pending:
    """The rules of a stage that may change a position, by their places in it: a heap without duplicates."""

    def __init__(self, places: Iterable[int]) -> None:
        self.places = list(places)
        self._inside = set(self.places)
        heapify(self.places)

    def add(self, place: int) -> None:
        if place not in self._inside:
            self._inside.add(place)
            heappush(self.places, place)

    def drop(self) -> None:
        """Remove the first one."""
        self._inside.remove(heappop(self.places))


def unsuitable(metric: Metric, rules: int, cells: int, symbols: int) -> str | None:
    """Return what is wrong with the stages and laws of a metric for a model of so many rules, cells and symbols."""
    if metric.after or metric.free or metric.exhausts:
        return "expected moves of one rule each if positions are forbidden or something happens by itself"
    for stage in metric.automatic:
        if len(set(stage.rules)) < len(stage.rules):
            return f"expected different rules in a stage, found {stage.rules}"
        wrong = next((number for number in stage.rules if not 0 <= number < rules), None)
        if wrong is not None:
            return f"expected a rule below {rules} in a stage, found {wrong}"
    law = next((law for law in metric.laws if not law.sentence.fits(cells, symbols)), None)
    return law and f"law {law.name!r}: expected cells below {cells} and numbers for each of {symbols} symbols"
