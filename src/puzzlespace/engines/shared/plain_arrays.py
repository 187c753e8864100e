"""The moves from many positions at once, read from the rules alone: for checks, and independent of all engines.

Positions are the columns of an array of symbols. A rule is applied to all of them, then the one that may follow it.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from ...limits.watch import checkpoint
from ...model.model import Model
from ...model.rule import ANY, Rule


@dataclass(frozen=True)
class ArrayRule:
    """A rule as tables by symbol, one for each of its cells.

    fits   whether a symbol is allowed; None if all are
    turns  the new symbol; None if the symbol is carried unchanged
    """

    rule: Rule
    fits: tuple[np.ndarray | None, ...]
    turns: tuple[np.ndarray | None, ...]

    @classmethod
    def of(cls, rule: Rule, symbols: int) -> ArrayRule:
        """Return the tables of a rule."""
        fits = [None if need == ANY else np.array([need >> s & 1 for s in range(symbols)], bool) for need in rule.need]
        turns = [None if table is None else np.array(table, np.uint8) for table in rule.table]
        return cls(rule, tuple(fits), tuple(turns))

    def children(self, positions: np.ndarray) -> np.ndarray:
        """Return the positions after the rule, of those that it changes."""
        checkpoint()
        cells = self.rule.cells
        for cell, table in zip(cells, self.fits, strict=True):
            if table is not None:
                positions = positions[:, np.flatnonzero(table[positions[cell]])]
        found, changed = positions.copy(), np.zeros(positions.shape[1], bool)
        for cell, source, table in zip(cells, self.rule.source, self.turns, strict=True):
            old = positions[cells[source]]
            found[cell] = old if table is None else table[old]
            changed |= found[cell] != positions[cell]
        return found if changed.all() else found[:, changed]


class ArrayMoves:
    """The moves of a model, for many positions at once.

    least  arrays are faster for more positions than this; None if they are not used: for free rules, moves that count
           differently or exhaust their rules, rules that several may follow, and models with stages or laws
    """

    def __init__(self, model: Model) -> None:
        metric = model.metric
        usual = not (metric.free or metric.costs or metric.exhausts or metric.lawful)
        few = usual and all(len(after) < 2 for after in model.followers)
        self.least = (12 if metric.after else 4) * len(model.rules) if few else None
        self.model = model
        self.rules: list[ArrayRule] = []

    def children(self, positions: Collection[bytes]) -> set[bytes]:
        """Return all positions one move from some positions."""
        if not self.rules:
            self.rules = [ArrayRule.of(rule, self.model.symbols) for rule in self.model.rules]
        followers, columns = self.model.followers, self._columns(positions)
        found: set[bytes] = set()
        for number, rule in enumerate(self.rules):
            fresh = self._positions(rule.children(columns))
            found |= fresh
            met: dict[int, set[bytes]] = {number: set(fresh)}
            while followers[number] and fresh:
                (number,) = followers[number]
                known = met.setdefault(number, set())
                fresh = self._positions(self.rules[number].children(self._columns(fresh))) - known
                known |= fresh
                found |= fresh
        return found

    def _columns(self, positions: Collection[bytes]) -> np.ndarray:
        rows = np.frombuffer(b"".join(positions), np.uint8).reshape(-1, self.model.cells)
        return np.ascontiguousarray(rows.T)

    def _positions(self, columns: np.ndarray) -> set[bytes]:
        cells, data = self.model.cells, columns.T.tobytes()
        return {data[at : at + cells] for at in range(0, len(data), cells)}
