"""From what cells show before and after a move to rules as data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product

from ...errors import FormatError, Word
from ...limits.watch import paced
from ...model.effects import allowed
from ...model.rule import Rule, constant, symbols_of
from ...model.sentence import Needs, Sentence
from .computed import Computed
from .scope import Scope

MOST_RULES = 1 << 17
"""The most rules of a puzzle: far more than can be searched, and few enough to build within a minute."""


@dataclass(frozen=True)
class After:
    """What a cell shows after a move; without any of these, what it showed before.

    put    a symbol
    label  the symbol of the cells with this label before the move; if there are none, one of `need`, each in a rule
    read   the cell whose symbol before the move it shows
    table  for each symbol of the cell `read` the symbol that it shows instead; () for the same
    terms  the sum of numbers: (sign, cell) of numbers that cells showed
    add    what is added to the sum, or without terms to the own number
    computed  what is computed from words of the pattern
    """

    put: int | None = None
    label: str = ""
    need: int = 0
    read: int | None = None
    table: tuple[int, ...] = ()
    terms: tuple[tuple[int, int], ...] = ()
    add: int | None = None
    computed: Computed | None = None

    @property
    def same(self) -> bool:
        """Whether the cell stays as it was."""
        return self == After()


@dataclass
class Effect:
    """What one move does at one place.

    needs   the symbols that cells must show, in their order
    labels  the label of cells whose symbol is one of several
    after   what cells show after the move
    length  the steps from the first to the last cell of the first pattern along a line
    ahead   what must be true of what lies ahead
    """

    needs: dict[int, int] = field(default_factory=dict[int, int])
    labels: dict[int, str] = field(default_factory=dict[int, str])
    after: dict[int, After] = field(default_factory=dict[int, After])
    length: int | None = None
    ahead: Sentence | None = None

    def fits(self, other: Effect) -> bool:
        """Return whether two patterns are in different cells."""
        return self.after.keys().isdisjoint(other.after)

    def joined(self, other: Effect) -> Effect:
        """Return both as one move."""
        common = {cell: self.needs[cell] & other.needs[cell] for cell in self.needs.keys() & other.needs.keys()}
        length = other.length if self.length is None else self.length
        return Effect(
            self.needs | other.needs | common, self.labels | other.labels, self.after | other.after, length,
            self.ahead or other.ahead,
        )  # fmt: skip


def rules_of(change: Effect, name: str, scope: Scope, ranges: Mapping[int, tuple[int, int]],
             cases: Sequence[Needs], waits: bool = False) -> Iterator[Rule]:  # fmt: skip
    """Yield the rules of a change: one, or one for each choice of symbols that must be named.

    cases  what other cells must show, in one of several ways
    waits  whether rules that change nothing are moves
    """
    change = _tabled(change, scope)
    choices = _choices(change, scope)
    for chosen in paced(product(*choices.values())):
        symbol = dict(zip(choices, chosen, strict=True))
        needs = _needs(change, symbol, scope)
        after = _after(change, symbol, scope, ranges) if needs is not None else None
        if needs is None or after is None:
            continue
        called = " ".join([name, *_new_letters(change, symbol, scope)]).strip()
        for case in cases:
            both = _both(needs, case, scope)
            if both is not None and (rule := _rule(called, both, after, change, symbol, scope, waits)) is not None:
                yield rule


def _tabled(change: Effect, scope: Scope) -> Effect:
    """Return a change in which what is computed from one cell alone is read there by a table: one rule for all."""
    needs, after = dict(change.needs), dict(change.after)
    for cell, each in change.after.items():
        computed = each.computed
        if computed is None or computed.alone is None:
            continue
        word = computed.alone
        cells = [other for other, label in change.labels.items() if label == word]
        if len(cells) == 1:
            table = [computed.symbol({word: symbol}, scope) for symbol in range(len(scope.letters))]
            shown = scope.ranges.get(cell, scope.every)
            fits = [symbol for symbol, new in enumerate(table) if new is not None and shown >> new & 1]
            needs[cells[0]] &= sum([1 << symbol for symbol in fits])
            whole = tuple(symbol if new is None else new for symbol, new in enumerate(table))
            after[cell] = After(read=cells[0], table=whole)
    return replace(change, needs=needs, after=after)


Choice = tuple[str, int]
"""A label ('label', -1) or a cell ('', cell) whose symbol is fixed for a rule."""


def _choices(change: Effect, scope: Scope) -> dict[Choice, list[int]]:
    """Return the labels and cells whose symbols must be named, each with the symbols that it may have."""
    found: dict[Choice, int] = {}
    where = list(change.labels.values())
    for cell, label in change.labels.items():
        if where.count(label) > 1:
            found[label, -1] = found.get((label, -1), scope.every) & change.needs[cell]
    for after in change.after.values():
        if after.label and after.label not in where:
            found[after.label, -1] = after.need
        for _, cell in after.terms:
            found["", cell] = change.needs.get(cell, scope.every)
        for _, word in after.computed.terms if after.computed is not None else ():
            for cell, label in change.labels.items():
                if label == word:
                    found[word, -1] = found.get((word, -1), scope.every) & change.needs[cell]
    return {key: allowed(need, len(scope.letters)) for key, need in found.items()}


def _new_letters(change: Effect, symbol: Mapping[Choice, int], scope: Scope) -> list[str]:
    """Return the letters of symbols that are chosen after the arrow: moves with different ones have different names."""
    before = set(change.labels.values())
    return [scope.letters[chosen] for (label, _), chosen in symbol.items() if label and label not in before]


def _needs(change: Effect, symbol: Mapping[Choice, int], scope: Scope) -> dict[int, int] | None:
    """Return what cells must show with these symbols; None if no symbol is left for one of them."""
    found: dict[int, int] = {}
    for cell, need in change.needs.items():
        label = change.labels.get(cell, "")
        found[cell] = need & 1 << symbol[label, -1] if (label, -1) in symbol else need
    for (label, cell), chosen in symbol.items():
        if not label:
            found[cell] = found.get(cell, scope.every) & 1 << chosen
    return found if all(found.values()) else None


def _after(change: Effect, symbol: Mapping[Choice, int], scope: Scope,
           ranges: Mapping[int, tuple[int, int]]) -> dict[int, After] | None:  # fmt: skip
    """Return what cells show, sums and chosen symbols as symbols; None if a number leaves its range."""
    found: dict[int, After] = {}
    for cell, after in change.after.items():
        if after.computed is not None:
            made = after.computed.symbol({label: chosen for (label, _), chosen in symbol.items()}, scope)
            if made is None or not scope.ranges.get(cell, scope.every) >> made & 1:
                return None
            found[cell] = After(put=made)
        elif after.terms:
            number = after.add or 0
            for sign, read in after.terms:
                number += sign * (scope.values[symbol["", read]] or 0)
            low, high = ranges[cell]
            if not low <= number <= high:
                return None
            found[cell] = After(put=scope.letters.index(str(number)))
        elif (after.label, -1) in symbol:
            found[cell] = After(put=symbol[after.label, -1])
        else:
            found[cell] = after
    return found


def _both(needs: Mapping[int, int], case: Needs, scope: Scope) -> dict[int, int] | None:
    found = dict(needs)
    for cell, need in case.items():
        found[cell] = found.get(cell, scope.every) & need
    return found if all(found.values()) else None


def _rule(name: str, needs: dict[int, int], after: Mapping[int, After], change: Effect,
          symbol: Mapping[Choice, int], scope: Scope, waits: bool) -> Rule | None:  # fmt: skip
    """Return the rule; None if it changes nothing, and does not wait."""
    first = {label: cell for cell, label in reversed(change.labels.items()) if (label, -1) not in symbol}
    origins = {cell: first[each.label] for cell, each in after.items() if each.label in first}
    origins |= {cell: each.read for cell, each in after.items() if each.read is not None}
    written = [cell for cell, each in after.items() if not each.same]
    tested = [cell for cell in needs if needs[cell] != scope.every or cell in origins.values()]
    cells = sorted({*tested, *written})
    needs = {cell: needs.get(cell, scope.every) for cell in cells}
    tables: dict[int, tuple[int, ...] | None] = dict.fromkeys(cells)
    changes = waits
    for cell in cells:
        each = after.get(cell, After())
        if each.put is not None:
            tables[cell] = constant(each.put, len(scope.letters))
            changes |= needs[cell] != 1 << each.put
        elif each.add is not None:
            tables[cell] = _added(each.add, scope)
            changes |= each.add != 0
        elif each.table:
            tables[cell] = each.table
            changes |= any(each.table[symbol] != symbol for symbol in symbols_of(needs[cell]))
        changes |= origins.get(cell, cell) != cell
    if not changes:
        return None
    order = {cell: index for index, cell in enumerate(cells)}
    return Rule(
        name, tuple(cells), tuple(needs.values()), tuple(order[origins.get(cell, cell)] for cell in cells),
        tuple(tables.values()), listed=False,
    )  # fmt: skip


def _added(add: int, scope: Scope) -> tuple[int, ...]:
    """Return the table of an addition; numbers whose sum is no symbol stay."""
    letters = {letter: symbol for symbol, letter in enumerate(scope.letters)}
    return tuple(
        symbol if value is None else letters.get(str(value + add), symbol) for symbol, value in enumerate(scope.values)
    )


def apart(cases: Sequence[Needs], every: int) -> list[Needs]:
    """Return cases of which at most one is met at a time, and one exactly if one of these is met."""
    found: list[Needs] = []
    for number, case in enumerate(cases):
        pieces = [case]
        for earlier in cases[:number]:
            pieces = [piece for each in pieces for piece in paced(_without(each, earlier, every))]
        found += pieces
    return found


def _without(case: Needs, other: Needs, every: int) -> Iterator[Needs]:
    """Yield cases that together are a case without another one."""
    if any(case.get(cell, every) & need == 0 for cell, need in other.items()):
        yield case
        return
    now = dict(case)
    for cell, need in other.items():
        outside = now.get(cell, every) & ~need
        if outside:
            yield now | {cell: outside}
        now[cell] = now.get(cell, every) & need


def check_number(count: int, place: Word) -> None:
    """Raise FormatError if the rows up to this one have too many rules."""
    if count > MOST_RULES:
        raise FormatError.at(place, f"expected at most {MOST_RULES:,} rules, found more with this row")
