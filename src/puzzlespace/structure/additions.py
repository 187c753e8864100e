"""Moves as additions: what each adds to the cells modulo a prime, read from the rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import compress, count, product
from math import factorial

from ..limits.watch import paced
from ..model.effects import outcomes
from ..model.model import Model
from .quick import no_additions


@dataclass(frozen=True)
class Direction:
    """All moves whose effects are multiples of one effect.

    effect   what a press adds to each cell, modulo m
    letters  for each factor the number of different moves with that multiple of the effect
    costs    for each factor the least number of moves with that multiple as their sum
    ways     for each factor the sum of Π n^k/k! over the sets of so many moves: n moves of a factor occur k times
    """

    effect: tuple[int, ...]
    letters: dict[int, int]
    costs: tuple[int, ...]
    ways: tuple[Fraction, ...]

    def parts(self, factor: int) -> list[int]:
        """Return the factors of a shortest sequence of moves whose sum is this factor."""
        found: list[int] = []
        while factor:
            found.append(next(iter(self.firsts(factor))))
            factor = (factor - found[-1]) % len(self.costs)
        return found

    def firsts(self, factor: int) -> Iterator[int]:
        """Yield the factors with which a shortest sequence of moves for this factor can begin."""
        m = len(self.costs)
        return (each for each in self.letters if self.costs[(factor - each) % m] == self.costs[factor] - 1)

    def between(self, factor: int) -> list[int]:
        """Return the sums that occur within shortest sequences of moves for this factor, by their own costs."""
        m, costs = len(self.costs), self.costs
        return [each for each in range(m) if costs[each] + costs[(factor - each) % m] == costs[factor]]


@dataclass(frozen=True)
class Additions:
    """Moves as additions, seen from one position, in which every cell counts as 0.

    modulus     the prime m
    symbols     for each cell the symbols that it can show, by what was added to it; one symbol if no move changes it
    directions  the moves, those with multiples of one effect together
    """

    modulus: int
    symbols: tuple[bytes, ...]
    directions: tuple[Direction, ...]

    def position(self, presses: Iterable[tuple[Direction, int]]) -> bytes:
        """Return the position after moves: pairs of a direction and a factor."""
        total = [0] * len(self.symbols)
        for each, factor in presses:
            total = _plus(total, each, factor)
        return self.shown(total)

    def shown(self, total: Sequence[int]) -> bytes:
        """Return the position in which so much is added to each cell."""
        return bytes([shown[sum_ % len(shown)] for shown, sum_ in zip(self.symbols, total, strict=True)])


def _plus(total: Sequence[int], direction: Direction, factor: int) -> list[int]:
    if not factor:
        return list(total)
    return [old + factor * new for old, new in zip(total, direction.effect, strict=True)]


def read(model: Model, origin: bytes) -> Additions | str:
    """Return the moves as additions to a position, or why they do not add."""
    return model.bare.kept(_read, origin)


def _read(model: Model, origin: bytes) -> Additions | str:
    reason = no_additions(model)
    if reason is not None:
        return reason
    changes: list[dict[int, tuple[int, ...]]] = []
    tables: dict[int, list[tuple[int, ...]]] = {}
    everything = (1 << model.symbols) - 1
    for rule in paced(model.rules):
        changed: dict[int, tuple[int, ...]] = {}
        for index, (source, pairs) in enumerate(outcomes(rule, model.symbols)):
            if source != index or rule.need[index] & everything != everything:
                return "some moves depend on symbols, or carry them to other cells"
            table = changed[rule.cells[index]] = tuple(new for _, new in pairs)
            if len(set(table)) < model.symbols:
                return "some moves lose what a cell showed"
            tables.setdefault(rule.cells[index], []).append(table)
        changes.append(changed)
    symbols = [_circle(shown, tables.get(cell, ())) for cell, shown in enumerate(origin)]
    sizes = {len(each) for each in symbols} - {1}
    if len(sizes) > 1 or any(size % divisor == 0 for size in sizes for divisor in range(2, size)):
        return "the symbols of the cells do not change in circles of one prime length"
    effects: list[tuple[int, ...]] = []
    for changed in paced(changes):
        effect = [0] * model.cells
        for cell, table in changed.items():
            step = _step(symbols[cell], table)
            if step is None:
                return "some moves change the symbols of a cell in ways that are no multiples of each other"
            effect[cell] = step
        effects.append(tuple(effect))
    modulus = next(iter(sizes), 2)
    return Additions(modulus, tuple(symbols), _directions(model, effects, modulus))


def _step(circle: bytes, table: Sequence[int]) -> int | None:
    """Return how far a table leads each symbol along the circle, or None if not all of them equally far."""
    step = circle.find(table[circle[0]])
    along = circle[step:] + circle[: max(step, 0)]
    return step if step >= 0 and bytes(table[symbol] for symbol in circle) == along else None


def _circle(shown: int, tables: Iterable[tuple[int, ...]]) -> bytes:
    """Return the symbols through which the first move that changes this one leads, in order."""
    table = next((each for each in tables if each[shown] != shown), None)
    found = [shown]
    while table is not None and table[found[-1]] != shown:
        found.append(table[found[-1]])
    return bytes(found)


def _directions(model: Model, effects: Sequence[tuple[int, ...]], m: int) -> tuple[Direction, ...]:
    moves: dict[tuple[int, ...], dict[int, set[int]]] = {}
    for number, effect in enumerate(paced(effects)):
        factor = next(filter(None, effect), 0)
        if factor:
            unit = effect if factor == 1 else tuple([each * pow(factor, -1, m) % m for each in effect])
            moves.setdefault(unit, {}).setdefault(factor, set()).add(model.counted_apart[number])
    return tuple(
        _direction(unit, {factor: len(numbers) for factor, numbers in sorted(factors.items())}, m)
        for unit, factors in moves.items()
    )


def _direction(unit: tuple[int, ...], letters: dict[int, int], m: int) -> Direction:
    """Return a direction; sets of moves are counted letter by letter, each letter less than m times."""
    best: dict[int, tuple[int, Fraction]] = {0: (0, Fraction(1))}
    for factor, number in letters.items():
        found: dict[int, tuple[int, Fraction]] = {}
        for (total, (cost, ways)), times in product(best.items(), range(m)):
            key, more = (total + factor * times) % m, cost + times
            least, before = found.get(key, (more, Fraction(0)))
            if more <= least:
                here = ways * Fraction(number**times, factorial(times))
                found[key] = (more, here + (before if more == least else 0))
        best = found
    return Direction(unit, letters, tuple(best[f][0] for f in range(m)), tuple(best[f][1] for f in range(m)))


def path_of(moves: Additions, presses: Sequence[int]) -> Iterator[bytes]:
    """Yield the positions of one solution."""
    total = [0] * len(moves.symbols)
    shown = bytearray(moves.shown(total))
    yield bytes(shown)
    for each, number in zip(moves.directions, paced(presses), strict=True):
        for factor in each.parts(number):
            for cell in compress(count(), each.effect):
                total[cell] += factor * each.effect[cell]
                shown[cell] = moves.symbols[cell][total[cell] % len(moves.symbols[cell])]
            yield bytes(shown)
