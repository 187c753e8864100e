"""Warnings about rows that may be meant in another way: they fit nowhere, or have words without an effect."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import reduce
from operator import or_

from ...errors import Word
from ...limits.watch import paced
from ...model.facts import possible_symbols
from ...model.rule import Rule
from ...model.sentence import Law, Sentence
from ...puzzle.diagnostics import Diagnostic
from ...puzzle.draft import Draft, Drawing
from ...puzzle.puzzle import COST
from .always import always
from .conditions import read
from .patterns import MANY
from .scope import Scope
from .words import Declared


def doubts(
    draft: Draft, scope: Scope, known: Declared, rows: Sequence[tuple[Word, Sequence[Rule]]], laws: Sequence[Law]
) -> tuple[Diagnostic, ...]:
    """Return what may be meant in another way, for a draft that was read from a file.

    rows  each row of moves and of what happens by itself, with its rules
    laws  those of the rows of `forbid:`
    """
    if not draft.places:
        return ()
    known_moves = scope.start is not None and draft.shared is None  # other rules may move symbols, too
    shown = (
        None
        if not known_moves or scope.start is None
        else possible_symbols([rule for _, rules in rows for rule in rules], scope.start)
    )
    absent = () if shown is None else tuple(_absent(draft, scope, shown))
    said = {each.line for each in absent}
    goals = [read(goal, scope) if isinstance(goal, Word) and goal != "start" else None for goal in draft.goals]
    never = "this row is never made: it fits nowhere, changes nothing, leaves a range, or needs what is never there"
    return (
        *absent,
        *(Diagnostic.at(word, "never-fits", never) for word in _never_made(rows, shown) if word.line not in said),
        *unused(draft, known), *_costs(draft), *idle_laws(draft, scope, laws), *idle_goals(draft, scope, goals),
    )  # fmt: skip


def idle_laws(draft: Draft, scope: Scope, laws: Sequence[Law]) -> Iterator[Diagnostic]:
    """Yield a warning for each row of `forbid:` that is true of all positions or of none."""
    for row, law in zip(draft.changes.get("forbid", ()), laws, strict=True):
        found = always(law.sentence, scope)
        if found is not None:
            said = "every position, so no move is possible" if found else "no position, so it forbids nothing"
            yield Diagnostic.at(row, "idle-law", f"this sentence is true of {said}")


def idle_goals(draft: Draft, scope: Scope, said: Sequence[Sentence | None]) -> Iterator[Diagnostic]:
    """Yield a warning for each goal that every position meets, or none; `said`: the goals that are sentences."""
    for goal, sentence in zip(draft.goals, said, strict=True):
        found = None if sentence is None else always(sentence, scope)
        if found is not None and isinstance(goal, Word):
            yield Diagnostic.at(goal, "idle-goal", f"{'every' if found else 'no'} position meets this goal")


def unused(draft: Draft, known: Declared) -> Iterator[Diagnostic]:
    """Yield a warning for each kind that no row and no goal names."""
    texts = [row for key, rows in draft.changes.items() if key != "kinds" for row in rows]
    texts += [goal for goal in draft.goals if isinstance(goal, str)]
    used = {str(word) for members in known.kinds.values() for word in members}
    for text in texts:
        for word in re.findall(r"[^\s,(){}\[\]]+", text):
            used |= {word, bare := word.removesuffix(MANY), bare.rstrip("0123456789")}
    for name in known.kinds:
        if name not in used:
            yield Diagnostic.at(name, "unused-kind", f"no move, no sentence and no goal has the kind {str(name)!r}")


def _absent(draft: Draft, scope: Scope, shown: Sequence[int]) -> Iterator[Diagnostic]:
    """Yield a warning for each symbol of moves that no position can have."""
    here = reduce(or_, shown)
    gone = {letter for symbol, letter in enumerate(scope.letters) if not here >> symbol & 1}
    for word in dict.fromkeys(word for goal in draft.goals if isinstance(goal, Drawing) for word in goal.words):
        if word in gone:
            yield Diagnostic.at(word, "never-occurs", f"this goal is never reached: no position has {str(word)!r}")
    for key in ("moves", "after"):
        for row in draft.changes.get(key, ()):
            row = row if isinstance(row, Word) else Word(row)
            for match in re.finditer(r"(?<![+-]\s)(?<!\S)[^\s,]+(?![^\s,])(?!\s+[+-]\s)", row):
                word = match[0].partition("[")[0].removesuffix(MANY) or match[0]
                if word in gone:
                    gone.remove(word)
                    place = Word(word, row.line, row.column + match.start())
                    yield Diagnostic.at(
                        place, "never-occurs", f"no position has {word!r}: the start does not, and no move makes it"
                    )


def _never_made(rows: Sequence[tuple[Word, Sequence[Rule]]], shown: Sequence[int] | None) -> Iterator[Word]:
    """Yield the rows that fit nowhere, or need something that is never there."""
    for place, rules in rows:
        tests = (zip(rule.cells, rule.need, strict=True) for rule in paced(rules))
        if not any(shown is None or all(shown[cell] & need for cell, need in test) for test in tests):
            yield place


def _costs(draft: Draft) -> Iterator[Diagnostic]:
    """Yield a warning if weights are used by no cost, and if moves have costs that nothing counts."""
    weights, moves = draft.changes.get("weights", ()), draft.changes.get("moves", ())
    if weights and not any(re.search(r"\scost\s+(greatest|sum)\s*$", row) for row in moves):
        said = "weights change nothing without 'cost greatest' or 'cost sum': no move is forbidden by them"
        yield Diagnostic.at(draft.place("weights"), "no-effect", said)
    if draft.count == COST:
        return
    for row in moves:
        match = re.search(r"(?<=\s)cost\s+\S+\s*$", row)
        if match is not None:
            place = Word("cost", row.line, row.column + match.start()) if isinstance(row, Word) else "cost"
            yield Diagnostic.at(place, "no-effect", f"costs change nothing without 'count: {COST}'")
            return
