"""Which rules to try at a position: by the cell that changed, or by a rare symbol, such as the blank."""

from __future__ import annotations

from collections.abc import Sequence

from ..limits.watch import paced
from .changes import Change
from .effects import allowed
from .kept import kept
from .matching import Matching, matching
from .rule import Rule, single_symbol, single_symbols

Candidates = tuple[tuple[int, ...], tuple[tuple[int, tuple[tuple[int, ...], ...]], ...]]
"""The rules to try always, and for some symbols, by the cell that shows the symbol, those to try only then."""


def candidates(rules: Sequence[Rule], cells: int, symbols: int) -> Candidates:
    """Return when to try each rule: whenever a cell shows the rarest symbol that it needs, or always if none is."""
    wanted: dict[int, int] = {}
    for rule in paced(rules):
        for symbol in set(single_symbols(rule.need)):
            wanted[symbol] = wanted.get(symbol, 0) + 1
    always: list[int] = []
    triggered: dict[int, list[list[int]]] = {}
    walkers = {single_symbol(need) for rule in paced(rules) for need in _walker(rule)}
    for number, rule in enumerate(paced(rules)):
        if rule.motion is not None and rule.motion.whole:  # few pieces, many blanks: tried for the pieces
            index = rule.cells.index(rule.motion.origin)
            for symbol in allowed(rule.need[index], symbols):
                triggered.setdefault(symbol, [[] for _ in range(cells)])[rule.motion.origin].append(number)
            continue
        single = [
            (symbol not in walkers, -wanted[symbol], symbol, cell)
            for cell, need in zip(rule.cells, rule.need, strict=True)
            if (symbol := single_symbol(need)) is not None
        ]
        if not single:
            always.append(number)
            continue
        *_, symbol, cell = min(single)
        triggered.setdefault(symbol, [[] for _ in range(cells)])[cell].append(number)
    return tuple(always), tuple((symbol, tuple(map(tuple, cells))) for symbol, cells in sorted(triggered.items()))


def _walker(rule: Rule) -> tuple[int, ...]:
    """Return the need of the piece that a free rule moves."""
    if rule.motion is None or not rule.motion.free or rule.motion.origin not in rule.cells:
        return ()
    return (rule.need[rule.cells.index(rule.motion.origin)],)


def by_cell(rules: Sequence[Rule], cells: int) -> tuple[tuple[int, ...], ...]:
    """Return for each cell the numbers of the rules that test or write it."""
    found: list[list[int]] = [[] for _ in range(cells)]
    for number, rule in enumerate(paced(rules)):
        for cell in rule.cells:
            found[cell].append(number)
    return tuple(map(tuple, found))


MANY = 64
"""Rules to try at a position, from which on they are found by sets."""


def tried(found: Candidates, position: bytes) -> int:
    """Return how many rules are tried at a position, one by one."""
    always, triggered = found
    by_symbol = dict(triggered)
    return len(always) + sum(len(by_symbol[s][c]) for c, s in enumerate(position) if s in by_symbol)


def matched(rules: Sequence[Rule], cells: int, symbols: int) -> tuple[Matching, tuple[int, ...]] | None:
    """Return the sets that say which rules apply, and the rules in the order of `candidates`, by the sets' numbers.

    None if the sets take too much memory.
    """
    always, triggered = kept(rules, candidates, cells, symbols)
    order = [(number, ()) for number in always]
    for symbol, by_cell in triggered:
        for cell, numbers in enumerate(by_cell):
            order += [(number, ((cell, 1 << symbol),)) for number in numbers]
    needs = [(*zip(rules[number].cells, rules[number].need, strict=True), *more) for number, more in paced(order)]
    sets = matching(needs, symbols)
    return None if sets is None else (sets, tuple([number for number, _ in order]))


def unprepared(rules: Sequence[Rule], cells: int, symbols: int) -> list[Change | None]:
    """Return the place for each rule in its prepared form, see `changes`; none is prepared yet."""
    return [None] * len(rules)
