"""Invariant sums modulo a small prime p. Each one divides the number of positions to be ranked by p."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ..limits.watch import paced
from ..model.effects import allowed, outcomes
from ..model.facts import parities
from ..model.model import Model
from ..model.rule import Rule


@dataclass(frozen=True, slots=True)
class Relation:
    """An invariant sum: weights of the symbols shown, plus (modulus 2 only) inversions within sets of cells.

    weight[cell][symbol]  from 0 to modulus-1
    signed                sets of cells whose contents all differ; their inversions are added
    """

    modulus: int
    weight: tuple[tuple[int, ...], ...]
    signed: frozenset[tuple[int, ...]] = frozenset()

    def value(self, position: Sequence[int]) -> int:
        """Return the sum for a position."""
        total = sum(self.weight[cell][symbol] for cell, symbol in enumerate(position))
        for cells in self.signed:
            total += sum(position[a] > position[b] for i, a in enumerate(cells) for b in cells[i + 1 :])
        return total % self.modulus

    def minus(self, other: Relation, factor: int) -> Relation:
        """Return this sum minus `factor` times another of the same modulus."""
        weight = tuple(
            tuple((a - factor * b) % self.modulus for a, b in zip(mine, theirs, strict=True))
            for mine, theirs in zip(self.weight, other.weight, strict=True)
        )
        return replace(self, weight=weight, signed=self.signed ^ other.signed if factor % 2 else self.signed)


def relations(model: Model, modulus: int, symbols: frozenset[int] | None = None) -> tuple[Relation, ...]:
    """Return a basis of the sums that every rule preserves.

    symbols  the only symbols that may have weights; None for all
    With modulus 2, signs of permutations take part for cells in which the model's start shows different symbols.
    """
    if modulus == 2:
        return tuple(Relation(2, p.weight, frozenset(p.signed)) for p in parities(model, 0, symbols))
    usable = symbols if symbols is not None else frozenset(range(model.symbols))
    system = _System(modulus)
    for rule in paced(model.rules):
        for row in _equations(rule, model, usable):
            system.add(row)
    unknowns = [cell * model.symbols + symbol for cell in range(model.cells) for symbol in sorted(usable)]
    return tuple(_relation(vector, model, modulus) for vector in system.kernel(unknowns))


def _relation(vector: dict[int, int], model: Model, modulus: int) -> Relation:
    rows = [[0] * model.symbols for _ in range(model.cells)]
    for unknown, value in vector.items():
        rows[unknown // model.symbols][unknown % model.symbols] = value
    return Relation(modulus, tuple(map(tuple, rows)))


Row = dict[int, int]


def _equations(rule: Rule, model: Model, usable: frozenset[int]) -> list[Row]:
    """Return linear forms in the weights that vanish if the rule preserves the sum for all contents of its cells."""
    read: list[dict[int, Row]] = []
    for index, cell in enumerate(rule.cells):
        read.append({s: _row(cell, s, -1, model, usable) for s in allowed(rule.need[index], model.symbols)})
    for index, (source, pairs) in enumerate(outcomes(rule, model.symbols)):
        for old, new in pairs:
            _sum(read[source][old], _row(rule.cells[index], new, 1, model, usable))
    base: Row = {}
    found: list[Row] = []
    for choices in read:
        first, *others = choices.values()
        _sum(base, first)
        found += [_sum(dict(other), first, -1) for other in others]
    return [base, *found]


def _row(cell: int, symbol: int, factor: int, model: Model, usable: frozenset[int]) -> Row:
    return {cell * model.symbols + symbol: factor} if symbol in usable else {}


def _sum(row: Row, other: Row, factor: int = 1) -> Row:
    for unknown, value in other.items():
        row[unknown] = row.get(unknown, 0) + factor * value
    return row


class _System:
    """Homogeneous linear equations modulo a prime, in echelon form with leading coefficients 1."""

    def __init__(self, modulus: int) -> None:
        self.modulus = modulus
        self.rows: dict[int, Row] = {}

    def add(self, row: Row) -> None:
        row = self._clean(row)
        while row:
            pivot = max(row)
            if pivot not in self.rows:
                back = pow(row[pivot], -1, self.modulus)
                self.rows[pivot] = self._clean({unknown: value * back for unknown, value in row.items()})
                return
            row = self._clean(_sum(row, self.rows[pivot], -row[pivot]))

    def kernel(self, unknowns: list[int]) -> list[Row]:
        """Return a basis of the solution space."""
        found = []
        for free in unknowns:
            if free in self.rows:
                continue
            vector = {free: 1}
            for pivot in sorted(self.rows):
                value = -sum(c * vector.get(u, 0) for u, c in self.rows[pivot].items() if u != pivot) % self.modulus
                if value:
                    vector[pivot] = value
            found.append(vector)
        return found

    def _clean(self, row: Row) -> Row:
        return {unknown: value % self.modulus for unknown, value in row.items() if value % self.modulus}
