"""Sentences and goals as conditions on what a projection keeps: whether some position that looks so may meet them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from ..model.goal import Goal
from ..model.sentence import Counted, Every, Not, Sentence, Shows, Some
from .projection_rules import RuleProjector
from .projection_sentences import outlook

Condition = bool | int | Callable[[int], bool]
"""Whether something may be: a number of a projection must have one of some bits, or a function says it; or a constant.

Bits are whole numbers of 1 or more, and no `bool`.
"""


def function_of(condition: Condition) -> Callable[[int], bool]:
    """Return a condition as a function."""
    if isinstance(condition, bool):
        return lambda shown: condition
    if isinstance(condition, int):
        return lambda shown: bool(shown & condition)
    return condition


def any_of(conditions: Iterable[Condition]) -> Condition:
    """Return the condition that one of some conditions holds."""
    bits, functions = 0, list[Callable[[int], bool]]()
    for condition in conditions:
        if condition is True:
            return True
        if callable(condition):
            functions.append(condition)
        elif condition is not False:
            bits |= condition
    if not functions:
        return bits or False
    return lambda shown: bool(shown & bits) or any(function(shown) for function in functions)


def all_of(conditions: Iterable[Condition]) -> Condition:
    """Return the condition that all of some conditions hold."""
    masks, functions = list[int](), list[Callable[[int], bool]]()
    for condition in conditions:
        if condition is False:
            return False
        if callable(condition):
            functions.append(condition)
        elif condition is not True:
            masks.append(condition)
    if not functions and len(masks) < 2:
        return masks[0] if masks else True
    return lambda shown: all(shown & mask for mask in masks) and all(function(shown) for function in functions)


@dataclass(frozen=True)
class KeptConditions:
    """Conditions on what one projection keeps."""

    projector: RuleProjector

    def goals(self, goals: Sequence[Goal]) -> Callable[[int], bool]:
        """Return the condition that a position may be one of some goals."""
        return function_of(any_of(map(self._goal, goals)))

    def _goal(self, goal: Goal) -> Condition:
        parts = [self.may(Shows(cell, need), True) for cell, need in enumerate(goal.need)]
        cells = tuple(range(len(goal.need)))
        parts += [self.may(Counted(1 << symbol, cells, count, count), True) for symbol, count in goal.counts]
        return all_of([*parts, True if goal.sentence is None else self.may(goal.sentence, True)])

    def may(self, said: Sentence, truth: bool) -> Condition:
        """Return the condition that a sentence may be true, or may be false."""
        if isinstance(said, Shows):
            return self._shows(said.cell, said.need if truth else ~said.need)
        if isinstance(said, Not):
            return self.may(said.part, not truth)
        if isinstance(said, Every | Some):
            joined = all_of if isinstance(said, Every) == truth else any_of
            return joined([self.may(part, truth) for part in said.parts])
        if self.projector.places.keys().isdisjoint(said.cells()):
            return outlook(said, self.projector.facts.possible)[not truth]
        if isinstance(said, Counted) and len(set(said.among_cells)) == len(said.among_cells):
            return self._counted(said, truth)
        shown = self.projector.shown
        return lambda number: outlook(said, shown(number))[not truth]

    def _shows(self, cell: int, need: int) -> bool | int:
        """Return the condition that a cell may show one of some symbols."""
        projector, wanted = self.projector, need & self.projector.facts.possible[cell]
        place = projector.places.get(cell)
        if place is None or not wanted:
            return bool(wanted)
        return projector.classes_of(wanted) << projector.width * place

    def _counted(self, said: Counted, truth: bool) -> Condition:
        """Return the condition that a number of cells may be, or may not be, between two."""
        always, some = self._bits(said.among_cells, said.need)
        not_sure, open_bits = self._bits(said.among_cells, ~said.need)
        size = len(said.among_cells) - not_sure
        low, high = said.low, said.high

        def within(shown: int) -> bool:
            greatest = always + (shown & some).bit_count()
            least = size - (shown & open_bits).bit_count()
            return least <= high and greatest >= low if truth else least < low or greatest > high

        return within

    def _bits(self, cells: Sequence[int], need: int) -> tuple[int, int]:
        """Return how many of some cells may always show one of some symbols, and the bits with which the others do."""
        conditions = [self._shows(cell, need) for cell in cells]
        return sum(1 for each in conditions if each is True), sum(
            each for each in conditions if not isinstance(each, bool)
        )
