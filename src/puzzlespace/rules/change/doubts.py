"""Warnings about rows that may be meant in another way: they fit nowhere, or have words without an effect."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ...errors import Word
from ...limits.watch import paced
from ...model.effects import outcomes
from ...model.rule import Rule
from ...model.sentence import Law
from ...puzzle.diagnostics import Diagnostic
from ...puzzle.draft import Draft
from ...puzzle.puzzle import COST
from .always import always
from .patterns import MANY
from .scope import Scope
from .words import Declared


def doubts(
    draft: Draft, scope: Scope, known: Declared, rules: Sequence[Rule], idle: Sequence[Word], laws: Sequence[Law]
) -> tuple[Diagnostic, ...]:
    """Return what may be meant in another way, for a draft that was read from a file.

    idle  the rows that fit nowhere
    laws  those of the rows of `forbid:`
    """
    if not draft.places:
        return ()
    never = "this row fits nowhere on the board, or changes nothing: it is never made"
    return (
        *(Diagnostic.at(word, "never-fits", never) for word in idle),
        *_unused(draft, known), *_absent(draft, scope, rules), *_costs(draft), *_idle_laws(draft, scope, laws),
    )  # fmt: skip


def _idle_laws(draft: Draft, scope: Scope, laws: Sequence[Law]) -> Iterator[Diagnostic]:
    """Yield a warning for each row of `forbid:` that is true of all positions or of none."""
    for row, law in zip(draft.changes.get("forbid", ()), laws, strict=True):
        found = always(law.sentence, scope)
        if found is not None:
            said = "every position, so no move is possible" if found else "no position, so it forbids nothing"
            yield Diagnostic.at(row, "idle-law", f"this sentence is true of {said}")


def _unused(draft: Draft, known: Declared) -> Iterator[Diagnostic]:
    """Yield a warning for each kind that no row and no goal names."""
    texts = [row for key, rows in draft.changes.items() if key != "kinds" for row in rows]
    texts += [goal for goal in draft.goals if isinstance(goal, str)]
    used = {str(word) for members in known.kinds.values() for word in members}
    for text in texts:
        for word in re.findall(r"[^\s,()\[\]]+", text):
            used |= {word, bare := word.removesuffix(MANY), bare.rstrip("0123456789")}
    for name in known.kinds:
        if name not in used:
            yield Diagnostic.at(name, "unused-kind", f"no move, no sentence and no goal has the kind {str(name)!r}")


def _absent(draft: Draft, scope: Scope, rules: Sequence[Rule]) -> Iterator[Diagnostic]:
    """Yield a warning for each symbol of moves that no position can have."""
    if scope.start is None:
        return
    here = _occurring(scope, rules)
    gone = {letter for symbol, letter in enumerate(scope.letters) if not here >> symbol & 1}
    for key in ("moves", "after"):
        for row in draft.changes.get(key, ()):
            row = row if isinstance(row, Word) else Word(row)
            for match in re.finditer(r"(?<![+-]\s)[^\s,]+", row):
                word = match[0].partition("[")[0].removesuffix(MANY) or match[0]
                if word in gone:
                    gone.remove(word)
                    place = Word(word, row.line, row.column + match.start())
                    yield Diagnostic.at(
                        place, "never-occurs", f"no position has {word!r}: the start does not, and no move makes it"
                    )


def _occurring(scope: Scope, rules: Sequence[Rule]) -> int:
    """Return the symbols that positions may have: those of the start, and those that rules make of these."""
    assert scope.start is not None
    here = 0
    for symbol in scope.start:
        here |= 1 << symbol
    before = 0
    while before != here:
        before = here
        for rule in paced(rules):
            if all(need & here for need in rule.need):
                for _, pairs in outcomes(rule, len(scope.letters)):
                    for old, new in pairs:
                        here |= (here >> old & 1) << new
    return here


def _costs(draft: Draft) -> Iterator[Diagnostic]:
    """Yield a warning if moves have costs that nothing counts."""
    if draft.count == COST:
        return
    for row in draft.changes.get("moves", ()):
        match = re.search(r"(?<=\s)cost\s+\S+\s*$", row)
        if match is not None:
            place = Word("cost", row.line, row.column + match.start()) if isinstance(row, Word) else "cost"
            yield Diagnostic.at(place, "no-effect", f"costs change nothing without 'count: {COST}'")
            return
