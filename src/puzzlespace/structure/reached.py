"""What every position shows that can be reached from a start: the symbols of each cell, and conserved numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ..limits.watch import checkpoint
from ..model.facts import possible_symbols
from ..model.model import Model
from ..model.rule import Rule, symbols_of


@dataclass(frozen=True)
class ReachedFacts:
    """Facts of all positions that can be reached from the start of a model.

    model      the model with the start, without goals
    possible   for each cell the symbols that it may show, as a bit set
    conserved  (symbols as a bit set, how many cells show one of them) for sets of symbols that are always as many
    """

    model: Model
    possible: tuple[int, ...]
    conserved: tuple[tuple[int, int], ...]


def read(model: Model) -> ReachedFacts:
    """Return the facts of all positions that can be reached from the start of a model."""
    assert model.start is not None
    return model.bare.kept(_read, model.start)


def _read(model: Model, start: bytes) -> ReachedFacts:
    possible = possible_symbols(model.rules, start)
    counts = [(each, sum(each >> symbol & 1 for symbol in start)) for each in conserved_sets(model.rules, possible)]
    return ReachedFacts(replace(model, start=start), tuple(possible), tuple(counts))


Change = tuple[tuple[int, int], ...]
"""(symbol, how many cells more show it), for the symbols of which there are more or fewer cells afterwards."""

MOST_EXTENDED = 500
"""The most sets of symbols that are tried for each symbol."""


def conserved_sets(rules: Sequence[Rule], possible: Sequence[int]) -> list[int]:
    """Return sets of symbols, as bit sets, of which no rule changes how many cells show one of them.

    Each symbol is extended: a rule that changes the number forces another symbol that it wins, or loses, into the set.
    """
    changes = sorted({change for rule in rules for change in _changes(rule, possible)})
    shown = 0
    for each in possible:
        shown |= each
    found: set[int] = set()
    for symbol in symbols_of(shown):
        checkpoint()
        pending, seen = [1 << symbol], set[int]()
        while pending and len(seen) < MOST_EXTENDED:
            each = pending.pop()
            if each not in seen and not any(each & known == known for known in found):
                seen.add(each)
                more = _extended(each, changes)
                found |= {each} if more is None else set()
                pending += more or ()
    return sorted(found)


def _extended(symbols: int, changes: Sequence[Change]) -> list[int] | None:
    """Return the sets with one symbol more that a change of their number forces; None if nothing changes it."""
    for change in changes:
        total = sum(more for symbol, more in change if symbols >> symbol & 1)
        if total:
            return [symbols | 1 << other for other, more in change if total * more < 0 and not symbols >> other & 1]
    return None


def _changes(rule: Rule, possible: Sequence[int]) -> Iterator[Change]:
    """Yield changes such that a set of symbols is conserved by a rule if it is conserved by each of them.

    What a cell shows before is lost there, and won where it is read. The first change is that of the first symbols that
    the cells may show; the others are the differences that another symbol of one cell makes.
    """
    checkpoint()
    shown = [list(symbols_of(need & possible[cell])) for cell, need in zip(rule.cells, rule.need, strict=True)]
    if not all(shown):
        return
    first = Counter[int]()
    for index, symbols in enumerate(shown):
        rows = [_won(rule, index, symbol) for symbol in symbols]
        first.update(rows[0])
        for row in rows[1:]:
            row.subtract(rows[0])
            yield _change(row)
    yield _change(first)


def _won(rule: Rule, index: int, symbol: int) -> Counter[int]:
    """Return what is won and lost because a cell of a rule shows a symbol."""
    found = Counter({symbol: -1})
    for source, table in zip(rule.source, rule.table, strict=True):
        if source == index:
            found[symbol if table is None else table[symbol]] += 1
    return found


def _change(counted: Counter[int]) -> Change:
    return tuple(sorted((symbol, more) for symbol, more in counted.items() if more))
