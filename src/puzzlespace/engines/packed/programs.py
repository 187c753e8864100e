"""Programs that test sentences on packed positions; `kernels.packed.sentences` describes and runs them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from ...kernels.packed.sentences import ALIKE, CONNECTED, COUNT, EXACT, FALSE, HIDES, SHOWN, SHOWS, SUM, TRUE
from ...model import sentence as say
from .positions import Packing

EVERY = (1 << 64) - 1
FAR = 1 << 62
"""A bound of sums that none reaches."""


def program(sentences: Iterable[say.Sentence], packing: Packing) -> np.ndarray:
    """Return the program that says whether one of the sentences is true."""
    writer = _Writer(packing)
    writer.values[0] = writer.add(say.Some(tuple(sentences)), TRUE, FALSE)
    return np.array(writer.values, np.uint64)


class _Writer:
    """Appends tests to a program, the last ones first: each knows where to go on."""

    def __init__(self, packing: Packing) -> None:
        self.packing = packing
        self.values = [0] * (max(TRUE, FALSE) + 1)
        self.parts: dict[tuple[int, ...], int] = {}

    def add(self, said: say.Sentence, true: int, false: int) -> int:
        """Return where the tests of a sentence begin, which go on at `true` or `false`."""
        match said:
            case say.Not():
                return self.add(said.part, false, true)
            case say.Every():
                exact = [part for part in said.parts if isinstance(part, say.Shows)]
                if len(exact) > 1:
                    others = [part for part in said.parts if not isinstance(part, say.Shows)]
                    then = self.add(say.Every(tuple(others)), true, false)
                    return self._shows(exact, then, false)
                for part in reversed(said.parts):
                    true = self.add(part, true, false)
                return true
            case say.Some():
                for part in reversed(said.parts):
                    false = self.add(part, true, false)
                return false
            case say.Shows():
                return self._shows([said], true, false)
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

    def _need(self, need: int) -> int:
        return need & ((1 << self.packing.symbols) - 1)

    def _shows(self, parts: Sequence[say.Shows], true: int, false: int) -> int:
        needs: dict[int, int] = {}
        for part in parts:
            needs[part.cell] = needs.get(part.cell, EVERY) & part.need
        demand = self.packing.demand(needs.items())
        if demand is None:
            return false
        for word, shift, symbols in demand.tests:
            true = self._test(SHOWN, true, false, word, (shift, symbols))
        words = [(word, mask, demand.want[word]) for word, mask in enumerate(demand.mask) if mask]
        return self._test(EXACT, true, false, len(words), sum(words, ())) if words else true

    def _places(self, cells: Iterable[int]) -> tuple[list[tuple[int, int]], list[int]]:
        """Return the places of cells that change, and the symbols of the others."""
        places, shown = [], []
        for cell in cells:
            place = self.packing.places[cell]
            if place is None:
                shown.append(self.packing.fixed[cell])
            else:
                places.append(place)
        return places, shown

    def _counted(self, said: say.Counted, true: int, false: int) -> int:
        places, shown = self._places(said.among_cells)
        here = sum(said.need >> symbol & 1 for symbol in shown)
        low, high = said.low - here, said.high - here
        if low > len(places) or high < 0 or low > high:
            return false
        if low <= 0 and high >= len(places):
            return true
        fields = self._need(said.need), low, high, *sum(places, ())
        return self._test(COUNT, true, false, len(places), fields)

    def _compared(self, said: say.Compared, true: int, false: int) -> int:
        terms = [(self.packing.places[cell], table) for cell, table in said.terms]
        known = sum(table[self.packing.fixed[cell]] for cell, table in said.terms if self.packing.places[cell] is None)
        low = -FAR if said.low is None else said.low - known
        high = FAR if said.high is None else said.high - known
        fields = [low, high]
        for place, table in terms:
            if place is not None:
                fields += [*place, self._append(table)]
        if len(fields) == 2:
            return true if low <= 0 <= high else false
        return self._test(SUM, true, false, (len(fields) - 2) // 3, fields)

    def _alike(self, said: say.Alike, true: int, false: int) -> int:
        places, shown = self._places(said.among_cells)
        if shown:
            same = [say.Shows(cell, 1 << shown[0]) for cell in said.among_cells]
            return self._shows(same, true, false)
        return self._test(ALIKE, true, false, len(places), sum(places, ())) if len(places) > 1 else true

    def _connected(self, said: say.Connected, true: int, false: int) -> int:
        fields = [self._need(said.need)]
        for cell, near in enumerate(said.links):
            always = SHOWS if said.need >> self.packing.fixed[cell] & 1 else HIDES
            fields += [*(self.packing.places[cell] or (always, 0)), self._append((len(near), *near))]
        return self._test(CONNECTED, true, false, len(said.links), fields)
