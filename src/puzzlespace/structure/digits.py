"""Positions as numbers written in digits, if each rule changes one cell and needs only cells that come before it.

The disks of a Tower of Hanoi are such cells, the smallest first, and so are the rings of a Chinese puzzle. If each cell
alone can go from every symbol to every other one, all combinations of symbols can be reached from each other: bring the
cells that a rule needs into place, which by induction is possible, then use the rule. So the digits number exactly the
positions that can be reached.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate
from math import prod
from operator import mul
from typing import TYPE_CHECKING

from ..errors import InputError
from ..limits.watch import paced
from ..model.effects import allowed
from ..model.model import Model
from ..model.rule import Rule

if TYPE_CHECKING:
    import numpy as np

MOST_STEPS = 1024
"""The most changes of a digit: which of them a position allows is a set of bits for each part of the number."""


@dataclass(frozen=True)
class Step:
    """A change of one digit.

    place     the digit that changes, from `old` to `new`
    needs     for some earlier digits the values that they may have, as a bit set
    """

    place: int
    old: int
    new: int
    needs: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Digits:
    """How positions are numbered: the digit of cells[0] counts 1, each further one the product of the radices before.

    start    a position, for the cells that never change
    cells    the cells that change; a rule that changes one of them needs only cells before it
    symbols  for each of these cells the symbol of each digit
    steps    what rules change
    """

    start: bytes
    cells: tuple[int, ...]
    symbols: tuple[tuple[int, ...], ...]
    steps: tuple[Step, ...]

    @cached_property
    def radix(self) -> tuple[int, ...]:
        """The number of values of each digit."""
        return tuple(map(len, self.symbols))

    @cached_property
    def weights(self) -> tuple[int, ...]:
        """What each digit counts; the last entry is the number of positions."""
        return tuple(accumulate(self.radix, mul, initial=1))

    @property
    def positions(self) -> int:
        """The number of positions, all of which can be reached from each other."""
        return self.weights[-1]

    @cached_property
    def _value(self) -> tuple[dict[int, int], ...]:
        return tuple({symbol: value for value, symbol in enumerate(each)} for each in self.symbols)

    def rank(self, position: bytes) -> int:
        """Return the number of a position; raise InputError if it has none."""
        shown = bytearray(position)
        number = 0
        for cell, values, weight in zip(self.cells, self._value, self.weights, strict=False):
            if position[cell] not in values:
                expected = sorted(values)
                raise InputError(f"position: expected one of the symbols {expected} in cell {cell}, found another")
            number += weight * values[position[cell]]
            shown[cell] = self.start[cell]
        if shown != self.start:
            raise InputError("position: expected one of those that the moves lead to, found another")
        return number

    def unrank(self, number: int) -> bytes:
        """Return the position with this number."""
        shown = bytearray(self.start)
        for cell, symbols in zip(self.cells, self.symbols, strict=True):
            number, value = divmod(number, len(symbols))
            shown[cell] = symbols[value]
        return bytes(shown)

    def rows(self, numbers: np.ndarray) -> np.ndarray:
        """Return the positions of some numbers, one row of symbols each."""
        import numpy as np

        out = np.repeat(np.frombuffer(self.start, np.uint8)[None], len(numbers), axis=0)
        left = numbers.astype(np.int64)
        for cell, symbols in zip(self.cells, self.symbols, strict=True):
            left, value = np.divmod(left, len(symbols))
            out[:, cell] = np.array(symbols, np.uint8)[value]
        return out

    def part(self, first: int, last: int) -> Digits:
        """Return digits first … last - 1 as a puzzle of their own, whatever the others show.

        Each step changes one digit, so the distances of two parts that share no digit can be added: the sum is at most
        the distance of the whole (Felner, Korf and Hanan, Additive pattern database heuristics, JAIR 22, 2004).
        """
        steps = [
            Step(step.place - first, step.old, step.new, tuple((p - first, n) for p, n in step.needs if p >= first))
            for step in self.steps
            if first <= step.place < last
        ]
        return replace(
            self, cells=self.cells[first:last], symbols=self.symbols[first:last], steps=tuple(dict.fromkeys(steps))
        )

    @cached_property
    def reversible(self) -> bool:
        """Whether each step can be undone at once."""
        known = set(self.steps)
        return all(replace(step, old=step.new, new=step.old) in known for step in self.steps)


def read(model: Model) -> Digits | str:
    """Return how the positions that the model's anchor leads to are numbered, or why they are not."""
    return model.bare.kept(_read, model.anchor)


def _read(model: Model, anchor: bytes | None) -> Digits | str:
    if model.metric.beyond_rules is not None:
        return model.metric.beyond_rules
    if anchor is None or model.metric.after or model.metric.free:
        return "there is no position to begin from, or a move is several rules"
    found: list[tuple[Rule, int]] = []
    for rule in paced(model.rules):
        changed = _changed(rule, model.symbols)
        if changed is None or len(changed) > 1:
            return "a rule changes several cells, or brings what another cell shows"
        found += [(rule, index) for index in changed]
    values = _values(anchor, found)
    cells = sorted(cell for cell, shown in values.items() if len(shown) > 1)
    steps: dict[tuple[int, int, int, tuple[tuple[int, int], ...]], None] = {}
    for rule, index in paced(found):
        for step in _steps(rule, index, values, anchor):
            steps[step] = None
    if not cells or len(steps) > MOST_STEPS:
        return f"no cell changes, or there are more than {MOST_STEPS} changes of one"
    for cell in paced(cells):
        arcs = [(old, new) for place, old, new, _ in steps if place == cell]
        if not _joined(values[cell], arcs) or not _joined(values[cell], [(new, old) for old, new in arcs]):
            return "a cell cannot go from every symbol to every other one"
    order = _order(cells, [(step[0], [cell for cell, _ in step[3]]) for step in steps])
    if order is None:
        return "cells need each other"
    place = {cell: number for number, cell in enumerate(order)}
    symbols = tuple(tuple(sorted(values[cell])) for cell in order)

    def digit_needs(needs: Sequence[tuple[int, int]]) -> Iterable[tuple[int, int]]:
        for cell, need in needs:
            shown = symbols[place[cell]]
            yield place[cell], sum((need >> symbol & 1) << value for value, symbol in enumerate(shown))

    found_steps = []
    for cell, old, new, needs in steps:
        shown = symbols[place[cell]]
        found_steps.append(Step(place[cell], shown.index(old), shown.index(new), tuple(sorted(digit_needs(needs)))))
    return Digits(anchor, tuple(order), symbols, tuple(found_steps))


def _changed(rule: Rule, symbols: int) -> list[int] | None:
    """Return which cells of a rule change; None if one gets what another cell shows."""
    changed = []
    for index, (need, source, table) in enumerate(zip(rule.need, rule.source, rule.table, strict=True)):
        if source != index:
            return None
        if table is not None and any(table[symbol] != symbol for symbol in allowed(need, symbols)):
            changed.append(index)
    return changed


def _values(anchor: bytes, found: Sequence[tuple[Rule, int]]) -> dict[int, set[int]]:
    """Return for each cell the symbols that rules can make of the anchor's if all cells that they need are right."""
    values = {cell: {symbol} for cell, symbol in enumerate(anchor)}
    tables: dict[int, list[tuple[int, tuple[int, ...]]]] = {}
    for rule, index in found:
        tables.setdefault(rule.cells[index], []).append((rule.need[index], rule.table[index] or ()))
    for cell, some in paced(tables.items()):
        pending = list(values[cell])
        while pending:
            symbol = pending.pop()
            for need, table in some:
                if need >> symbol & 1 and table[symbol] not in values[cell]:
                    values[cell].add(table[symbol])
                    pending.append(table[symbol])
    return values


def _steps(
    rule: Rule, index: int, values: dict[int, set[int]], anchor: bytes
) -> Iterable[tuple[int, int, int, tuple[tuple[int, int], ...]]]:
    """Yield (cell, old symbol, new symbol, needs of other cells) for a rule; nothing if it can never be used."""
    needs = []
    for other, (cell, need) in enumerate(zip(rule.cells, rule.need, strict=True)):
        possible = sum(1 << symbol for symbol in values[cell])
        if other == index or not possible & ~need:
            continue
        if not possible & need:
            return
        needs.append((cell, possible & need))
    table = rule.table[index]
    assert table is not None
    for old in sorted(values[rule.cells[index]]):
        if rule.need[index] >> old & 1 and table[old] != old:
            yield rule.cells[index], old, table[old], tuple(sorted(needs))


def _joined(values: set[int], arcs: Sequence[tuple[int, int]]) -> bool:
    """Return whether the arcs lead from the first of the values to all of them."""
    pending = [min(values)]
    seen = set(pending)
    while pending:
        here = pending.pop()
        for old, new in arcs:
            if old == here and new not in seen:
                seen.add(new)
                pending.append(new)
    return seen == values


def _order(cells: Sequence[int], needed: Sequence[tuple[int, list[int]]]) -> list[int] | None:
    """Return the cells in an order in which each comes after those that its rules need, or None if there is none."""
    before = {cell: {other for place, others in needed if place == cell for other in others} for cell in cells}
    order: list[int] = []
    while len(order) < len(cells):
        ready = [cell for cell in cells if cell not in order and before[cell] <= set(order)]
        if not ready:
            return None
        order += ready[:1]
    return order


def word_digits(digits: Digits) -> int:
    """Return how many of the first digits number the bits of a word of 64."""
    return sum(prod(digits.radix[: count + 1]) <= 64 for count in range(len(digits.radix)))
