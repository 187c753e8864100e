"""Programs that test sentences on packed positions; `kernels.packed.sentences` describes and runs them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from ...kernels.packed.sentences import ALIKE, CONNECTED, COUNT, EXACT, FALSE, HIDES, SHOWN, SHOWS, SUM, TRUE
from ...limits.watch import paced
from ...model import sentence as say
from ...model.effects import allowed
from ...model.facts import cells_changed_by
from ...model.model import Model
from ...model.rule import Rule
from .positions import Packing

EVERY = (1 << 64) - 1
MOST_ADDED = 1 << 17
"""Rules have a program of their own until these have so many cases; all further ones share that for any position."""

FAR = 1 << 61
"""A bound of sums that none reaches."""


@dataclass
class Laws:
    """One array of programs that say whether a position is forbidden, and where those for each rule begin.

    starts  by rule of the model; `whole` for all others
    """

    values: np.ndarray
    whole: int
    starts: dict[int, int]

    def start(self, rule: int) -> int:
        """Return where the program for the end of a rule begins."""
        return self.starts.get(rule, self.whole)


def laws_of(model: Model, packing: Packing, rules: Iterable[int]) -> Laws:
    """Return programs for the laws of a model: one for any position, and one for the end of each of some rules.

    A rule leads from positions that are not forbidden. So only those cases have to be tested that depend on cells that
    it writes, and what is known of these need not be tested.
    """
    writer = _Writer(packing)
    cases = tuple(say.Some(tuple(law.sentence for law in model.metric.laws)).flat)
    whole = writer.add(say.Some(cases), TRUE, FALSE)
    starts: dict[int, int] = {}
    added = 0
    by_cell: dict[int, set[int]] = {}
    for number, case in enumerate(paced(cases)):
        for cell in case.cells():
            by_cell.setdefault(cell, set()).add(number)
    for number in paced(tuple(rules)):
        rule = model.rules[number]
        changed = cells_changed_by(rule, model.symbols)
        concerned = sorted(set().union(*(by_cell.get(cell, ()) for cell in changed)))
        added += len(concerned)
        if added > MOST_ADDED:
            break
        writer.known = after_rule(rule, model.symbols)
        starts[number] = writer.add(say.Some(tuple(cases[each] for each in concerned)), TRUE, FALSE)
    return Laws(np.array(writer.values, np.uint64), whole, starts)


def after_rule(rule: Rule, symbols: int) -> dict[int, int]:
    """Return for the cells of a rule the symbols that they may show after it, as sets."""
    found: dict[int, int] = {}
    for cell, read, table in zip(rule.cells, rule.source, rule.table, strict=True):
        before = allowed(rule.need[read], symbols)
        found[cell] = sum(1 << symbol for symbol in {each if table is None else table[each] for each in before})
    return found


class _Writer:
    """Appends tests to a program, the last ones first: each knows where to go on.

    known  what is known of some cells: the set of symbols that each may show
    """

    def __init__(self, packing: Packing) -> None:
        self.packing = packing
        self.values = [0] * (max(TRUE, FALSE) + 1)
        self.parts: dict[tuple[int, ...], int] = {}
        self.tables: dict[tuple[int, ...], int] = {}
        self.known: dict[int, int] = {}

    def add(self, said: say.Sentence, true: int, false: int) -> int:
        """Return where the tests of a sentence begin, which go on at `true` or `false`."""
        match said:
            case say.Not():
                return self.add(said.part, false, true)
            case say.Every():
                exact = [part for part in said.parts if isinstance(part, say.Shows)]
                others = [part for part in said.parts if not isinstance(part, say.Shows)]
                for part in reversed(others):
                    true = self.add(part, true, false)
                return self._shows([(part.cell, part.need) for part in exact], true, false)
            case say.Some():
                for part in reversed(said.parts):
                    false = self.add(part, true, false)
                return false
            case say.Shows():
                return self._shows([(said.cell, said.need)], true, false)
            case say.Counted():
                return self._counted(said, true, false)
            case say.Compared():
                return self._compared(said, true, false)
            case say.Alike():
                return self._alike(said, true, false)
        assert isinstance(said, say.Connected)
        return self._connected(said, true, false)

    def _test(self, kind: int, true: int, false: int, number: int, fields: Iterable[int]) -> int:
        if true == false:
            return true
        test = kind, true, false, number, *(field & EVERY for field in fields)
        if test not in self.parts:
            self.parts[test] = self._append(test)
        return self.parts[test]

    def _append(self, values: Iterable[int]) -> int:
        at = len(self.values)
        self.values.extend(value & EVERY for value in values)
        return at

    def _table(self, values: tuple[int, ...]) -> int:
        if values not in self.tables:
            self.tables[values] = self._append(values)
        return self.tables[values]

    def _may(self, cell: int) -> int:
        """Return the set of symbols that a cell may show."""
        if self.packing.places[cell] is None:
            return 1 << self.packing.fixed[cell]
        return self.known.get(cell, (1 << self.packing.symbols) - 1)

    def _shows(self, needs: Iterable[tuple[int, int]], true: int, false: int) -> int:
        """Test that each of some cells shows a symbol of a set."""
        wanted: dict[int, int] = {}
        for cell, need in needs:
            may = self._may(cell)
            both = may & need & wanted.get(cell, may)
            if not both:
                return false
            if both != may:
                wanted[cell] = both
        demand = self.packing.demand(wanted.items())
        if demand is None:
            return false
        for word, shift, symbols in demand.tests:
            true = self._test(SHOWN, true, false, word, (shift, symbols))
        words = [(word, mask, demand.want[word]) for word, mask in enumerate(demand.mask) if mask]
        return self._test(EXACT, true, false, len(words), sum(words, ())) if words else true

    def _place(self, cell: int) -> tuple[int, int]:
        place = self.packing.places[cell]
        assert place is not None
        return place

    def _counted(self, said: say.Counted, true: int, false: int) -> int:
        open_cells = [cell for cell in said.among_cells if self._may(cell) & said.need and self._may(cell) & ~said.need]
        here = sum(1 for cell in said.among_cells if not self._may(cell) & ~said.need)
        low, high = said.low - here, said.high - here
        if low > len(open_cells) or high < 0 or low > high:
            return false
        if low <= 0 and high >= len(open_cells):
            return true
        need = said.need & ((1 << self.packing.symbols) - 1)
        places = sum(map(self._place, open_cells), ())
        return self._test(COUNT, true, false, len(open_cells), (need, low, high, *places))

    def _compared(self, said: say.Compared, true: int, false: int) -> int:
        low = -FAR if said.low is None else said.low
        high = FAR if said.high is None else said.high
        fields: list[int] = []
        least = most = 0
        for cell, table in said.terms:
            values = {table[symbol] for symbol in say.symbols_of(self._may(cell))}
            if len(values) == 1:
                low, high = low - min(values), high - min(values)
            else:
                least, most = least + min(values), most + max(values)
                fields += [*self._place(cell), self._table(table)]
        if low > most or high < least:
            return false
        if low <= least and most <= high:
            return true
        return self._test(SUM, true, false, len(fields) // 3, (low, high, *fields))

    def _alike(self, said: say.Alike, true: int, false: int) -> int:
        may = EVERY
        for cell in said.among_cells:
            may &= self._may(cell)
        if not may:
            return false
        if may & (may - 1) == 0:
            return self._shows([(cell, may) for cell in said.among_cells], true, false)
        places = [self._place(cell) for cell in said.among_cells]
        return self._test(ALIKE, true, false, len(places), sum(places, ())) if len(places) > 1 else true

    def _connected(self, said: say.Connected, true: int, false: int) -> int:
        fields = [said.need & ((1 << self.packing.symbols) - 1)]
        for cell, near in enumerate(said.links):
            if self._may(cell) & said.need and self._may(cell) & ~said.need:
                place = self._place(cell)
            else:
                place = (SHOWS if self._may(cell) & said.need else HIDES), 0
            fields += [*place, self._table((len(near), *near))]
        return self._test(CONNECTED, true, false, len(said.links), fields)
