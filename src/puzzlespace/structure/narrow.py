"""The rules without the cells that no rule changes: what these show is known, so positions need no bits for them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from ..limits.watch import paced
from ..model.facts import changed_cells
from ..model.goal import Goal
from ..model.model import Model
from ..model.rule import ANY, Rule, constant


@dataclass(frozen=True)
class Narrowing:
    """The cells that may change, `cells`, and for the others the symbols of a position, `shown`, that they keep."""

    cells: tuple[int, ...]
    shown: bytes

    @classmethod
    def of(cls, model: Model, sources: Sequence[bytes]) -> Narrowing:
        """Return the narrowing for all positions that some sources reach, or from which they are reached.

        It has all cells if there is no source, and always one at least.
        """
        if not sources:
            return cls(tuple(range(model.cells)), bytes(model.cells))
        return cls(changed_cells(model, sources) or (0,), sources[0])

    @cached_property
    def board(self) -> list[int]:
        """For each cell its number among those that may change; for the others -1 less the symbol."""
        numbers = {cell: number for number, cell in enumerate(self.cells)}
        return [numbers.get(cell, -1 - symbol) for cell, symbol in enumerate(self.shown)]

    def model(self, model: Model) -> Model:
        """Return the rules and the metric on the cells that may change."""
        if len(self.cells) == model.cells:
            return model.bare
        rules = tuple([self._rule(rule, model.symbols) for rule in paced(model.rules)])
        return Model(len(self.cells), model.symbols, rules, model.metric)

    def _rule(self, rule: Rule, symbols: int) -> Rule:
        """Return a rule on fewer cells; one that changes nothing if no cell is left, or another cell forbids it."""
        places = [self.board[cell] for cell in rule.cells]
        fits = all(place >= 0 or need >> -1 - place & 1 for place, need in zip(places, rule.need, strict=True))
        stay = [at for at, place in enumerate(places) if place >= 0]
        if not fits or not stay:
            return Rule(rule.name, (0,), (ANY,), (0,), (None,))
        number = {at: place for place, at in enumerate(stay)}
        source, table = list[int](), list[tuple[int, ...] | None]()
        for at in stay:
            origin, mapped = rule.source[at], rule.table[at]
            if origin not in number:  # what it shows is known
                symbol = -1 - places[origin]
                mapped = constant(symbol if mapped is None else mapped[symbol], symbols)
            source.append(number.get(origin, number[at]))
            table.append(mapped)
        cells, need = tuple([places[at] for at in stay]), tuple([rule.need[at] for at in stay])
        return Rule(rule.name, cells, need, tuple(source), tuple(table))

    def needs(self, goal: Goal) -> list[tuple[int, int]] | None:
        """Return what a goal needs of the cells that may change; None if another cell forbids it."""
        if not all(place >= 0 or need >> -1 - place & 1 for place, need in zip(self.board, goal.need, strict=True)):
            return None
        return [(number, goal.need[cell]) for number, cell in enumerate(self.cells)]

    def taken(self, position: bytes) -> bytes:
        """Return the symbols of the cells that may change."""
        return bytes([position[cell] for cell in self.cells])

    def whole(self, symbols: bytes) -> list[bytes]:
        """Return whole positions, from the symbols of the cells that may change, one position behind the other."""
        width, cells = len(self.cells), len(self.board)
        count = len(symbols) // width
        if width < cells:
            found = bytearray(self.shown * count)
            for number, cell in enumerate(self.cells):
                found[cell::cells] = symbols[number::width]
            symbols = bytes(found)
        return [symbols[begin : begin + cells] for begin in range(0, len(symbols), cells)]
