"""Which moves of a puzzle may be made: their names, and the rules and the metric that these leave."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from ..errors import InputError
from ..limits.watch import paced
from ..model.effects import Form, canonical, inverse
from ..model.metric import Metric
from ..model.rule import Rule
from .board import Board
from .draft import BLANK
from .letters import Letters, View

MOST_TURNS = 100
"""The most times that a word repeats a move."""

MOST_POWERS = 10_000
"""The most moves if each power of a listed move is a move of its own."""


POWERS = "run"
"""The metric in which all powers of a listed move count as one."""


@dataclass(frozen=True, slots=True)
class Allowed:
    """Names of moves, as a person types them.

    only   the moves that may be made; () for all
    avoid  moves that are never made
    """

    only: tuple[str, ...] = ()
    avoid: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.only or self.avoid)

    def __str__(self) -> str:
        only = f"only the moves {', '.join(self.only)}" if self.only else ""
        avoid = f"without the moves {', '.join(self.avoid)}" if self.avoid else ""
        return ", ".join(filter(None, (only, avoid)))


ALL = Allowed()
"""Every move may be made."""


class Naming(Protocol):
    """The parts of a puzzle that names of moves depend on."""

    @property
    def board(self) -> Board: ...
    @property
    def view(self) -> View: ...
    @property
    def symbols(self) -> int: ...
    def naming(self, rules: Sequence[Rule]) -> tuple[tuple[int, ...], str]: ...


@dataclass(frozen=True, slots=True)
class MovedKind:
    """What a rule does with one kind of pieces.

    names   of the move, the brief one first
    symbol  of the pieces; None if the rule has these names whatever it moves
    alike   names that it would have if pieces of this symbol were not alike
    """

    names: tuple[str, ...]
    symbol: int | None = None
    alike: tuple[str, ...] = ()


def cases(puzzle: Naming, rule: Rule, exhausts: bool = False) -> Iterator[MovedKind]:
    """Yield what a rule does with each kind of pieces that it can move.

    exhausts  whether a move makes all rules of a direction, which then is its name
    """
    if exhausts and rule.motion is not None:
        yield MovedKind((rule.motion.direction,))
        return
    cells, way = puzzle.naming([rule])
    way = way.partition(" by ")[0]  # which of several players pushes does not matter
    view = puzzle.view
    if not cells or cells[0] not in rule.cells or not isinstance(view, Letters):
        yield MovedKind((way,))
        return
    need, place = rule.need[rule.cells.index(cells[0])], puzzle.board.names[cells[0]]
    for symbol, letters in enumerate(view.letters):
        if need >> symbol & 1 and letters and letters != (BLANK,):
            names = tuple(name for each in letters for name in (f"{each} {way}", f"{each} {place} {way}"))
            yield MovedKind(names, symbol) if len(letters) == 1 else MovedKind((), symbol, names)


def turned(word: str, known: Mapping[str, Rule]) -> tuple[Rule, int] | None:
    """Return the rule and how often a word uses it: `R`, `R'`, `R2`, `R2'`, `A1^2`; None if it is no move."""
    if word in known:
        return known[word], 1
    found = re.fullmatch(r"(.+)\^([0-9]{1,3})('?)", word) or re.fullmatch(r"(.*?\D)([0-9]{1,3})('?)", word)
    name = found[1] + found[3] if found else ""
    return (known[name], int(found[2])) if found and name in known and 0 < int(found[2]) <= MOST_TURNS else None


def restricted(
    puzzle: Naming, rules: Sequence[Rule], metric: Metric, allowed: Allowed
) -> tuple[tuple[Rule, ...], Metric]:
    """Return the rules and the metric without the moves that are not allowed.

    In a metric whose moves consist of several steps of pieces, no step may be one that is not allowed. If powers of a
    listed move count as one move, each power is allowed or not, and then is a rule of its own. Steps that cost nothing
    and what happens by itself stay.
    Raises InputError for a name that no move of the metric has, or that some of several like pieces would have, and if
    no move is left.
    """
    if metric.name == POWERS and metric.after and not metric.lawful and all(rule.motion is None for rule in rules):
        return _powers(puzzle, rules, metric, allowed)
    kept = _by_name(puzzle, rules, metric, allowed)
    return _renumbered(kept, metric)


def _by_name(puzzle: Naming, rules: Sequence[Rule], metric: Metric, allowed: Allowed) -> dict[int, Rule]:
    """Return the rules that are left, by their numbers before; needs leave out the pieces that may not move so."""
    fixed = {*metric.free, *(number for stage in metric.automatic for number in stage.rules)}
    only = {*allowed.only, *_undone(rules, puzzle.symbols, allowed.only)}
    avoid, kept, used = {*allowed.avoid}, dict[int, Rule](), set[str]()
    moves = 0
    for number, rule in enumerate(paced(rules)):
        if number in fixed:
            kept[number] = rule
            continue
        left, whole, narrowed = 0, False, False
        for case in cases(puzzle, rule, metric.exhausts):
            _check_alike(case, allowed)
            used.update(case.names)
            may = (not only or not only.isdisjoint(case.names)) and avoid.isdisjoint(case.names)
            whole |= may and case.symbol is None
            narrowed |= not may and case.symbol is not None
            left |= (1 << case.symbol) * may if case.symbol is not None else 0
        if whole or (left and not narrowed):
            kept[number] = rule
        elif left:
            kept[number] = _for_symbols(puzzle, rule, left)
        moves += number in kept
    _check_used(metric, allowed, lambda word: word in used)
    _check_left(moves)
    return kept


def _for_symbols(puzzle: Naming, rule: Rule, symbols: int) -> Rule:
    """Return a rule that moves only pieces of some symbols, a bit set."""
    at = rule.cells.index(puzzle.naming([rule])[0][0])
    return replace(rule, need=(*rule.need[:at], symbols, *rule.need[at + 1 :]))


def _undone(rules: Sequence[Rule], symbols: int, words: Iterable[str]) -> list[str]:
    """Return the names of the listed moves that undo some of the words, if these are called so: `R'` of `R`."""
    known = {rule.name: rule for rule in rules if rule.motion is None}
    found: list[str] = []
    for word in words:
        move, other = known.get(word), known.get(f"{word}'")
        back = inverse(move, symbols) if move is not None and other is not None else None
        if back is not None and other is not None and canonical(back, symbols) == canonical(other, symbols):
            found.append(other.name)
    return found


def _renumbered(kept: Mapping[int, Rule], metric: Metric) -> tuple[tuple[Rule, ...], Metric]:
    """Return the rules in order, and the metric with their new numbers."""
    new = {number: place for place, number in enumerate(kept)}

    def still(numbers: Sequence[int]) -> tuple[int, ...]:
        return tuple([new[number] for number in numbers if number in new])

    after = tuple([still(metric.after[number]) for number in paced(kept)]) if metric.after else ()
    return tuple(kept.values()), replace(
        metric,
        after=after if any(after) else (),
        free=still(metric.free),
        costs=tuple([metric.costs[number] for number in kept]) if metric.costs else (),
        automatic=tuple([replace(stage, rules=still(stage.rules)) for stage in metric.automatic]),
    )


def _powers(puzzle: Naming, rules: Sequence[Rule], metric: Metric, allowed: Allowed) -> tuple[tuple[Rule, ...], Metric]:
    """Return what `restricted` returns if each power of a listed move is a move."""
    symbols = puzzle.symbols
    names = {rule.name: rule for rule in reversed(rules)}
    known = {rule.name: _all_powers(puzzle, rule) for rule in paced(rules)}
    if sum(map(len, known.values())) > MOST_POWERS:
        raise InputError(f"only: expected moves with at most {MOST_POWERS:,} powers to choose from, found more")

    def meant(words: Iterable[str], families: bool) -> set[Form]:
        found: set[Form] = set()
        for word in words:
            move = turned(word, names)
            if move is not None and families and word in names and not word.endswith("'"):
                found.update(known[word])
            elif move is not None:
                powers = list(known[move[0].name])
                found.update(powers[(move[1] - 1) % (len(powers) + 1) :][:1])  # the last power is the one before none
        return found

    _check_used(metric, allowed, lambda word: bool(meant([word], False)))
    every = {form: rule for name in reversed(known) for form, rule in known[name].items()}
    every = {form: every[form] for powers in known.values() for form in powers}
    may = (meant(allowed.only, True) if allowed.only else {*every}) - meant(allowed.avoid, False)
    _check_left(len(may))
    whole = [number for number, rule in enumerate(rules) if may.issuperset(known[rule.name])]
    if may == {form for number in whole for form in known[rules[number].name]}:
        return _renumbered({number: rules[number] for number in whole}, metric)
    firsts = {canonical(rule, symbols): rule for rule in reversed(rules)}
    chosen = {form: firsts.get(form, every[form]) for form in may}
    listed = [form for form in every if form in may]
    listed.sort(key=lambda form: form not in firsts)
    return tuple([chosen[form] for form in listed]), replace(metric, after=())


def _all_powers(puzzle: Naming, rule: Rule) -> dict[Form, Rule]:
    """Return a listed move and its powers up to the one before the identity, by their effects."""
    found = {canonical(rule, puzzle.symbols): rule}
    power = rule
    while len(found) <= MOST_POWERS:
        power = _composed(power, rule)
        if not power.cells:
            break
        name = puzzle.naming([rule] * (len(found) + 1))[1]
        found.setdefault(canonical(power, puzzle.symbols), replace(power, name=name))
    return found


def _composed(first: Rule, then: Rule) -> Rule:
    """Return the rule that makes one listed move and then another, without the cells that it leaves as they are."""
    before = {
        cell: (first.cells[source], table)
        for cell, source, table in zip(first.cells, first.source, first.table, strict=True)
    }
    came: dict[int, tuple[int, tuple[int, ...] | None]] = dict(before)
    for cell, source, table in zip(then.cells, then.source, then.table, strict=True):
        origin, earlier = before.get(then.cells[source], (then.cells[source], None))
        came[cell] = origin, _one_table(earlier, table)
    cells = sorted(cell for cell, (origin, table) in came.items() if origin != cell or table is not None)
    return replace(
        then,
        cells=tuple(cells),
        need=(then.need[0],) * len(cells),
        source=tuple([cells.index(came[cell][0]) for cell in cells]),
        table=tuple([came[cell][1] for cell in cells]),
    )


def _one_table(first: tuple[int, ...] | None, then: tuple[int, ...] | None) -> tuple[int, ...] | None:
    """Return the table that maps symbols as two tables do one after the other; None if it leaves all as they are."""
    if first is None or then is None:
        return first or then
    made = tuple([then[symbol] for symbol in first])
    return None if made == tuple(range(len(made))) else made


def _check_alike(case: MovedKind, allowed: Allowed) -> None:
    for option, words in (("only", allowed.only), ("avoid", allowed.avoid)):
        word = next((word for word in words if word in case.alike), None)
        if word is not None:
            raise InputError(f"{option}: {word} is a move of one of several like pieces; 'distinct:' tells them apart")


def _check_used(metric: Metric, allowed: Allowed, known: Callable[[str], bool]) -> None:
    """Raise InputError for a word that names no move of the metric."""
    for option, words in (("only", allowed.only), ("avoid", allowed.avoid)):
        for word in words:
            if not known(word):
                raise InputError(f"{option}: {word} is not the name of one move in the metric {metric.name}")


def _check_left(moves: int) -> None:
    if not moves:
        raise InputError("avoid: expected some moves to be left, found none")
