"""What rules do: their canonical forms, which are equal for rules that do the same, and their inverses."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from ..limits.watch import paced
from .rule import Motion, Rule, constant


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


def canonical(rule: Rule, symbols: int) -> tuple[object, ...]:
    """Return a canonical form of the rule without its name: equal for rules with the same effect.

    For every cell, sorted: the cell, the symbols allowed, and its effect. This is ("put", symbol) if the new symbol is
    always the same, else ("carry", cell read, (old, new) pairs).
    """
    rows: list[tuple[object, ...]] = []
    for index, (source, pairs) in enumerate(outcomes(rule, symbols)):
        new = _image(pairs)[2]
        effect: tuple[object, ...] = ("put", *new) if len(new) == 1 else ("carry", rule.cells[source], pairs)
        rows.append((rule.cells[index], _allowed(rule.need[index], symbols), effect))
    return tuple(sorted(rows, key=lambda row: row[0]))  # type: ignore[arg-type,return-value]


@lru_cache(1 << 12)
def _undoing(pairs: Pairs, symbols: int) -> tuple[int, ...] | None:
    """Return the inverse table; None if it is the identity."""
    back = {new: was for was, new in pairs}
    return None if all(new == was for was, new in pairs) else tuple([back.get(s, s) for s in range(symbols)])


def inverse(rule: Rule, symbols: int) -> Rule | None:
    """Return the inverse rule, or None if the new symbols do not determine the old ones.

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
    return Rule(f"undo {rule.name}", rule.cells, need, tuple(source), tuple(table), motion)


def inverses(rules: Sequence[Rule], symbols: int) -> tuple[Rule, ...] | None:
    """Return the inverses of all rules, or None if some rule loses the old contents."""
    found = [inverse(rule, symbols) for rule in paced(rules)]
    undone = tuple([rule for rule in found if rule is not None])
    return undone if len(undone) == len(found) else None


def generators(rules: Sequence[Rule], symbols: int) -> tuple[int, ...]:
    """Return for each listed move the lesser of its number and that of its inverse; -1 for rules that move a piece."""
    numbers = {canonical(rule, symbols): number for number, rule in enumerate(paced(rules))}
    found: list[int] = []
    for number, rule in enumerate(paced(rules)):
        back = inverse(rule, symbols) if rule.motion is None else None
        undo = numbers.get(canonical(back, symbols), number) if back is not None else number
        found.append(-1 if rule.motion is not None else min(number, undo))
    return tuple(found)
