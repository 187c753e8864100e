"""The domain of a puzzle: sentences that all its positions meet, because no move breaks them.

No search tests them. They tell positions from arrangements of the same pieces that no move leads to and nobody means,
such as a jug with more than it holds. Rules that take moves back need more for this than their inverses: putting a
piece on a stack tells nothing of the stack that it came from.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from ..limits.watch import paced
from .kept import RuleTuple, keeping, kept
from .rule import ANY, Rule, deeds, only
from .sentence import Needs, Sentence, Shows, TooManyCasesError

Domain = tuple[Sentence, ...]
"""Sentences that are true of every position."""


def inside(rule: Rule, shown: Mapping[int, int], symbols: int) -> Rule | None:
    """Return a rule that leaves in each cell only what it may show; None if it never can.

    shown  the symbols that cells may show, as in `Rule.need`; all others may show anything
    """
    if shown.keys().isdisjoint(rule.cells):
        return rule
    every, need = (1 << symbols) - 1, list(rule.need)
    for cell, source, table in zip(rule.cells, rule.source, rule.table, strict=True):
        origin = rule.cells[source]
        if cell not in shown or (table is None and origin == cell):
            continue
        before = need[source] & shown.get(origin, every)
        written = enumerate(range(symbols) if table is None else table)
        fits = before & sum([only(old) for old, new in written if shown[cell] >> new & 1])
        if not fits:
            return None
        if fits != before & every:
            need[source] = fits
    return rule if need == [*rule.need] else replace(rule, need=tuple(need))


def within(rules: Sequence[Rule], domain: Domain, symbols: int) -> RuleTuple[Rule] | None:
    """Return the rules, each with the needs that keep it in a domain; None if needs cannot say this."""
    found: list[Rule] = []
    for rule, extras in _extras(rules, domain, symbols):
        needs: Needs = {}
        for _, more in extras:
            if more is None:
                return None
            for cell, need in more.items():
                needs[cell] = needs.get(cell, need) & need
        if not all(needs.values()):
            return None
        found.append(_needing(rule, needs) if needs else rule)
    return keeping(found)


def _extras(
    rules: Sequence[Rule], domain: Domain, symbols: int
) -> Iterator[tuple[Rule, list[tuple[int, Needs | None]]]]:
    """Yield each rule with the numbers of the sentences about its cells, and what `_extra` returns for them.

    It is worked out once for rules and sentences that differ only in their cells.
    """
    at: dict[int, list[int]] = {}
    cells = [tuple(sorted(sentence.cells())) for sentence in domain]
    for number, about in enumerate(cells):
        for cell in about:
            at.setdefault(cell, []).append(number)
    size = 1 + max((*at, *(cell for rule in paced(rules) for cell in rule.cells)), default=0)
    shown, cases = narrowed((ANY,) * size, domain), _cases(domain, symbols)
    forms = [_form(each, about) for each, about in zip(cases, cells, strict=True)]
    known: dict[object, tuple[tuple[int, int], ...] | None] = {}
    for deed, rule in zip(kept(rules, deeds)[0], paced(rules), strict=True):
        place = {cell: index for index, cell in enumerate(rule.cells)}
        own = tuple([shown[cell] for cell in rule.cells])
        found: list[tuple[int, Needs | None]] = []
        for number in sorted({number for cell in rule.cells for number in at.get(cell, ())}):
            about = cells[number]
            key = deed, forms[number], own, tuple([(place.get(cell, -1), shown[cell]) for cell in about])
            if key not in known:
                extra = _extra(rule, cases[number], shown, symbols)
                known[key] = None if extra is None else _placed(extra, place, about)
            more = known[key]
            found.append((number, None if more is None else {(rule.cells + about)[index]: n for index, n in more}))
        yield rule, found


def _placed(needs: Needs, place: Mapping[int, int], about: Sequence[int]) -> tuple[tuple[int, int], ...]:
    """Return needs with indices of cells instead of cells: first those of a rule, then those of a sentence."""
    return tuple([(place[c] if c in place else len(place) + about.index(c), need) for c, need in needs.items()])


def _form(cases: list[Needs] | None, cells: Sequence[int]) -> object:
    """Return what is equal for the cases of sentences that differ only in their cells."""
    if cases is None:
        return None
    return tuple([tuple([(cells.index(cell), need) for cell, need in case.items()]) for case in cases])


def narrowed(need: Sequence[int], domain: Sequence[Sentence]) -> tuple[int, ...]:
    """Return needs of cells without the symbols that a domain never has there."""
    found = list(need)
    for sentence in domain:
        if isinstance(sentence, Shows):
            found[sentence.cell] &= sentence.need
    return tuple(found)


def _cases(domain: Iterable[Sentence], symbols: int) -> list[list[Needs] | None]:
    """Return the cases of each sentence; None if they are too many."""
    found: list[list[Needs] | None] = []
    for sentence in domain:
        try:
            found.append(sentence.cases(symbols))
        except TooManyCasesError:
            found.append(None)
    return found


def _extra(rule: Rule, cases: list[Needs] | None, shown: Sequence[int], symbols: int) -> Needs | None:
    """Return what cells must show before a rule, besides its own needs, so that a sentence stays true.

    None if it can be true after the rule in several ways, or in none.

    shown  what each cell can show
    """
    if cases is None:
        return None
    own = {c: need & shown[c] & (1 << symbols) - 1 for c, need in zip(rule.cells, rule.need, strict=True)}
    if not all(own.values()) or not any(cell in own for case in cases for cell in case):
        return {}
    found: list[Needs] = []
    for case in cases:
        before = _before(rule, case, own, shown, symbols)
        if before == {}:
            return {}
        if before is not None and before not in found:
            found.append(before)
    if len(found) != 1:
        return None
    return {} if _follows(found[0], cases, own, shown) else found[0]


def _follows(needs: Needs, cases: list[Needs], own: Needs, shown: Sequence[int]) -> bool:
    """Return whether cells meet needs wherever they show what is in `own` and one of the cases is met."""
    for case in cases:
        both = {cell: need & own.get(cell, shown[cell]) for cell, need in {**own, **case}.items()}
        if all(both.values()) and any(both.get(cell, shown[cell]) & ~need for cell, need in needs.items()):
            return False
    return True


def _before(rule: Rule, case: Needs, own: Needs, shown: Sequence[int], symbols: int) -> Needs | None:
    """Return what cells must show before a rule so that a case is true after it; None if it cannot be.

    own  what its cells can show where the rule applies
    """
    everything = (1 << symbols) - 1
    found: Needs = {}
    for cell, allowed in case.items():
        need, source = allowed & everything, cell
        if cell in own:
            index = rule.cells.index(cell)
            source, table = rule.cells[rule.source[index]], rule.table[index]
            if table is not None:
                need = sum([1 << old for old, new in enumerate(table) if allowed >> new & 1])
        found[source] = found.get(source, own.get(source, shown[source] & everything)) & need
    if not all(found.values()):
        return None
    return {cell: need for cell, need in found.items() if need != own.get(cell, shown[cell] & everything)}


def _needing(rule: Rule, needs: Needs) -> Rule:
    """Return a rule that needs more, also of cells that it neither tests nor writes."""
    others = tuple([cell for cell in needs if cell not in rule.cells])
    own = tuple([needs.get(cell, need) for cell, need in zip(rule.cells, rule.need, strict=True)])
    return replace(
        rule,
        cells=rule.cells + others,
        need=own + tuple([needs[cell] for cell in others]),
        source=(*rule.source, *range(len(rule.cells), len(rule.cells) + len(others))),
        table=rule.table + (None,) * len(others),
    )
