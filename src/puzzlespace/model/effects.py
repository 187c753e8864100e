"""What rules do: their canonical forms, which are equal for rules that do the same, and their inverses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from operator import itemgetter

from ..limits.watch import paced
from .kept import RuleTuple, keeping, kept
from .rule import Motion, Rule, constant, deeds


def allowed(need: int, symbols: int) -> list[int]:
    """Return the symbols that a need allows."""
    return list(_allowed(need, symbols))


@lru_cache(1 << 12)
def _allowed(need: int, symbols: int) -> tuple[int, ...]:
    return tuple([symbol for symbol in range(symbols) if need >> symbol & 1])


Pairs = tuple[tuple[int, int], ...]


@lru_cache(1 << 12)
def _pairs(need: int, table: tuple[int, ...] | None, symbols: int) -> Pairs:
    """Return the (old, new) symbols of a cell with a need and a table; cached, because many rules have equal ones."""
    return tuple([(s, s if table is None else table[s]) for s in _allowed(need, symbols)])


@lru_cache(1 << 12)
def _image(pairs: Pairs) -> tuple[int, bool, tuple[int, ...]]:
    """Return (new symbols of the pairs as a bit set, whether they all differ, the same sorted)."""
    new = tuple(sorted({after for _, after in pairs}))
    return sum([1 << symbol for symbol in new]), len(new) == len(pairs), new


def outcomes(rule: Rule, symbols: int) -> list[tuple[int, tuple[tuple[int, int], ...]]]:
    """Return for each cell of the rule the origin of its new symbol: (index of the cell read, (old, new) pairs)."""
    return [
        (source, _pairs(rule.need[source], table, symbols))
        for source, table in zip(rule.source, rule.table, strict=True)
    ]


Form = tuple[object, ...]
"""A canonical form of a rule without its name: equal for rules with the same effect.

For every cell, sorted: the cell, the symbols allowed, and its effect. This is ("put", symbol) if the new symbol is
always the same, else ("carry", cell read, (old, new) pairs).
"""


def canonical(rule: Rule, symbols: int) -> Form:
    """Return the canonical form of a rule."""
    return _form(rule.cells, _parts(rule, symbols))


def canonicals(rules: Sequence[Rule], symbols: int) -> Iterator[Form]:
    """Yield the canonical form of each rule; together they can take much memory."""
    numbers, first = kept(rules, deeds)
    parts = [_parts(rule, symbols) for rule in paced(first)]
    for number, rule in zip(numbers, paced(rules), strict=True):
        yield _form(rule.cells, parts[number])


Part = tuple[tuple[int, ...], Form | None, int, Pairs]
"""What canonical forms say of a cell: the symbols allowed, its effect if that is to put a symbol, index read, pairs."""


def _parts(rule: Rule, symbols: int) -> list[Part]:
    found: list[Part] = []
    for need, (source, pairs) in zip(rule.need, outcomes(rule, symbols), strict=True):
        new = _image(pairs)[2]
        found.append((_allowed(need, symbols), ("put", *new) if len(new) == 1 else None, source, pairs))
    return found


def _form(cells: Sequence[int], parts: Sequence[Part]) -> Form:
    rows = [
        (cell, symbols, put or ("carry", cells[source], pairs))
        for cell, (symbols, put, source, pairs) in zip(cells, parts, strict=True)
    ]
    rows.sort(key=itemgetter(0))
    return tuple(rows)


@lru_cache(1 << 12)
def _undoing(pairs: Pairs, symbols: int) -> tuple[int, ...] | None:
    """Return the inverse table; None if it is the identity."""
    back = {new: was for was, new in pairs}
    return None if all(new == was for was, new in pairs) else tuple([back.get(s, s) for s in range(symbols)])


def inverse(rule: Rule, symbols: int) -> Rule | None:
    """Return the inverse rule, or None if the new symbols do not determine the old ones."""
    deed = _undone(rule, symbols)
    return None if deed is None else _inverse(rule, deed)


Deed = tuple[tuple[int, ...], tuple[int, ...], tuple[tuple[int, ...] | None, ...]]
"""`Rule.need`, `Rule.source` and `Rule.table`."""


def _undone(rule: Rule, symbols: int) -> Deed | None:
    """Return what undoes a rule, or None.

    An old symbol is determined if only one was allowed, or if exactly one cell received it by a one-to-one table.
    """
    effects = outcomes(rule, symbols)
    need = tuple([_image(pairs)[0] for _, pairs in effects])
    source: list[int] = []
    table: list[tuple[int, ...] | None] = []
    read_by: dict[int, list[tuple[int, Pairs]]] | None = None
    for index in range(len(rule.cells)):
        old = _allowed(rule.need[index], symbols)
        if len(old) == 1:
            source.append(index)
            table.append(constant(old[0], symbols))
            continue
        if read_by is None:
            read_by = {}
            for cell, (read, pairs) in enumerate(effects):
                if _image(pairs)[1]:
                    read_by.setdefault(read, []).append((cell, pairs))
        readers = read_by.get(index, ())
        if not readers or len(readers) > 1:
            return None
        cell, pairs = readers[0]
        source.append(cell)
        table.append(_undoing(pairs, symbols))
    return need, tuple(source), tuple(table)


def _inverse(rule: Rule, deed: Deed) -> Rule:
    motion = rule.motion and Motion(
        rule.motion.shape,
        rule.motion.target,
        rule.motion.origin,
        "back " + rule.motion.direction,
        tuple("back " + direction for direction in rule.motion.also),
        rule.motion.whole,
        rule.motion.free,
        rule.motion.length,
    )
    return Rule(f"undo {rule.name}", rule.cells, *deed, motion)


def each_inverse(rules: Sequence[Rule], symbols: int) -> Iterator[Rule | None]:
    """Yield the inverse of each rule, or None if it loses the old contents."""
    numbers, first = kept(rules, deeds)
    undone = [_undone(rule, symbols) for rule in paced(first)]
    for number, rule in zip(numbers, paced(rules), strict=True):
        deed = undone[number]
        yield None if deed is None else _inverse(rule, deed)


def inverses(rules: Sequence[Rule], symbols: int) -> RuleTuple[Rule] | None:
    """Return the inverses of all rules, or None if some rule loses the old contents."""
    found: list[Rule] = []
    for rule in each_inverse(rules, symbols):
        if rule is None:
            return None
        found.append(rule)
    return keeping(found)


def generators(rules: Sequence[Rule], symbols: int) -> tuple[int, ...]:
    """Return for each listed move the lesser of its number and that of its inverse; -1 for rules that move a piece."""
    numbers = {form: number for number, form in enumerate(canonicals(rules, symbols))}
    found = [-1 if rule.motion is not None else number for number, rule in enumerate(rules)]
    listed = [(number, back) for number, back in enumerate(each_inverse(rules, symbols)) if back is not None]
    for (number, _), form in zip(listed, canonicals([back for _, back in listed], symbols), strict=True):
        found[number] = min(found[number], numbers.get(form, number))
    return tuple(found)
