"""From rows of changes to rules: every place of their patterns, with names, conditions and costs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TypeVar

from ...errors import FormatError, Word, plural
from ...limits.watch import paced
from ...model.domain import inside
from ...model.rule import ANY, Rule, only
from ...puzzle.board import Board
from ...puzzle.words import shown
from ..listed import rule_of
from .bodies import Body, body_of, placed
from .bound import Conditions
from .effects import Effect, check_number, rules_of
from .named import Cells, Named, after_of, change_of, choices_of, named_of, names_of
from .numbers import poured
from .patterns import (
    MOST_PLACES,
    Counts,
    Pattern,
    Spot,
    Token,
    counts_of,
    needs_at,
    pattern_of,
    pattern_shape,
    spots,
    stretched,
)
from .rows import MoveRow, Words
from .scope import Scope
from .steering import ahead, steered
from .tracks import Placement
from .words import INDEXED, NUMBER, Declared


@dataclass(frozen=True)
class Lying:
    """A pattern on the board, before and after.

    origins  for each row, for each word with dots after the arrow the number of that before it
    body     the body that it moves, if it has one
    """

    before: Pattern
    after: Pattern
    origins: tuple[tuple[int, ...], ...]
    body: Body | None = None


@dataclass(frozen=True)
class Made:
    """A rule with what it costs, the cell at which its place begins, and whether its piece may go on."""

    rule: Rule
    cost: int
    first: int
    again: bool = False

    @property
    def targets(self) -> list[int]:
        """The cells to which the piece may have gone that was where the place begins."""
        rule = self.rule
        if self.first not in rule.cells:
            return []
        piece, found = rule.need[rule.cells.index(self.first)], list[int]()
        for cell, need, source, table in zip(rule.cells, rule.need, rule.source, rule.table, strict=True):
            carried = table is None and rule.cells[source] == self.first
            written = table is not None and piece == only(table[0]) and {*table} == {table[0]} and need != piece
            if cell != self.first and (carried or written):
                found.append(cell)
        return found


def made_of(row: MoveRow, scope: Scope, known: Declared, *, waiting: bool = False) -> Iterator[Made]:
    """Yield the rules of a row. Raises FormatError.

    waiting  whether a row that changes nothing is made: something happens by itself after it
    """
    conditions = Conditions(row, scope)
    changes = _changes(row, scope, known) if row.pour is None else poured(row.pour, scope, known)
    count = 0
    for change, places, cells, first in changes:
        name = " ".join(filter(None, (row.name, places)))
        cost = _cost(row, cells, known.weights)
        cases = conditions.cases(change)
        for each in rules_of(change, name, scope, known.ranges, cases, waiting and row.pour is None):
            rule = inside(each, scope.ranges, len(scope.letters))
            if rule is None:
                continue
            count += 1
            check_number(count, row.place)
            made = Made(rule, cost, first, row.again)
            if row.again and len(made.targets) != 1:
                raise FormatError.at(
                    row.place,
                    "expected one cell to which the first piece of a row with 'again' goes, "
                    f"found {'several' if made.targets else 'none'}",
                )
            yield made


def _cost(row: MoveRow, cells: Sequence[int], weights: Mapping[int, int]) -> int:
    """Return what a move of a row counts, with named cells. Raises FormatError."""
    word = row.cost
    if word is None:
        return 1
    if NUMBER.fullmatch(word) and int(word):
        return int(word)
    if word not in ("greatest", "sum"):
        raise FormatError.at(word, f"expected a number from 1 to 9999, 'greatest' or 'sum', found {shown(word)}")
    found = [weights[cell] for cell in cells if cell in weights]
    cost = max(found, default=0) if word == "greatest" else sum(found)
    if not cost:
        raise FormatError.at(word, "expected weights: of the named cells of this move, found none")
    return cost


Each = TypeVar("Each")

Found = Iterator[tuple[Effect, str, Sequence[int], int]]
"""Changes, each with the cells for its name, its named cells, and the cell where its place begins."""


def _changes(row: MoveRow, scope: Scope, known: Declared) -> Found:
    """Yield for every place of the patterns of a row what changes there."""
    named = [
        named_of(before, after, scope, known)
        for before, after in zip(row.before, row.after, strict=True)
        if _is_named(before, row, known)
    ]
    lying = [
        _lying(before, after, scope)
        for before, after in zip(row.before, row.after, strict=True)
        if not _is_named(before, row, known)
    ]
    _check_computed(named, lying)
    names = [name for each in named for name in names_of(each)]
    steering = (*row.ways, *filter(None, (row.towards, row.facing)))
    if not lying and steering:
        raise FormatError.at(steering[0], f"expected no direction for named cells, found {shown(steering[0])}")
    places = list(_few(_placed(lying, row, scope), row.place)) if lying else []
    for cells in choices_of(names, known):
        fixed = _joined([change_of(each, cells, scope, known) for each in named])
        if fixed is None:
            continue
        chosen = _called(names, cells, known, row, bool(lying))
        own = [cells[str(name)] for each in named for name in each.names]
        if not lying:
            yield fixed, chosen, own, own[0]
        for change, where, first in places:
            if change.fits(fixed):
                yield fixed.joined(change), " ".join(filter(None, (where, chosen))), own, first


def _check_computed(named: Sequence[Named], lying: Sequence[Lying]) -> None:
    """Raise FormatError if a word is computed from one that is not before the arrow."""
    before = [token for each in lying for line in each.before for token in line if not token.many]
    labels = {token.label for token in (*before, *(each.shows for each in named if each.shows is not None))}
    after = [token for each in lying for line in each.after for token in line]
    for token in (*after, *(each.after for each in named if isinstance(each.after, Token))):
        for _, word in token.computed.terms if token.computed is not None else ():
            if word not in labels:
                raise FormatError.at(
                    token.word, f"expected words that are before the arrow in {shown(token.word)}, found {shown(word)}"
                )


def _is_named(before: Words, row: MoveRow, known: Declared) -> bool:
    """Return whether a pattern begins with a name. Raises FormatError if its first word may be a symbol, too."""
    word = before[0]
    if word in known.shown and known.place(word) is not None and not row.ways and len(before) == 1:
        raise FormatError.at(
            word, f"expected a word with one meaning, found {shown(word)}, which is a cell or place and a symbol"
        )
    match = INDEXED.fullmatch(word)
    kind = str(word) if word in known.kinds else match[1] if match is not None and match[1] in known.kinds else ""
    if kind and word not in known.shown and known.cell(word) is not None:
        raise FormatError.at(
            word,
            f"expected a word with one meaning, found {shown(word)}, which is a cell and one of the kind {kind!r}",
            "give the kind another name",
        )
    return known.named(word)


def _called(names: Sequence[Word], cells: Cells, known: Declared, row: MoveRow, lying: bool) -> str:
    """Return the cells for the name of a move: those of places; without a name of the row, all named cells."""
    whole = not row.name and not lying
    written = dict.fromkeys(map(str, names))
    return " ".join(known.name(cells[name]) for name in written if whole or known.cell(name) is None)


def _joined(changes: Sequence[Effect]) -> Effect | None:
    """Return several changes as one; None if two of them have a cell in common."""
    found = Effect()
    for change in changes:
        if not found.fits(change):
            return None
        found = found.joined(change)
    return found


def _lying(before: Words, after: Words, scope: Scope) -> Lying:
    """Return a pattern before and after the arrow. Raises FormatError if they do not fit each other."""
    if len(before) != len(after):
        place = after[-1] if len(after) < len(before) else after[len(before)]
        raise FormatError.at(
            place, f"expected {plural(len(before), 'word')} after the arrow as before it, found {len(after)}"
        )
    there, back = pattern_of(before, scope), pattern_of(after, scope, after=True)
    if len(there) != len(back):
        raise FormatError.at(
            after[0], f"expected {plural(len(there), 'row')} after the arrow as before it, found {len(back)}"
        )
    for one, other in zip(there, back, strict=True):
        for token, new in zip(one, other, strict=True):
            if token.end != new.end:
                wanted = repr(token.end) if token.end else "a cell"
                raise FormatError.at(new.word, f"expected {wanted} here as before the arrow, found {shown(new.word)}")
            if new.cells is not None:
                raise FormatError.at(new.word, "expected no place after the arrow, found one")
    body = body_of(there, back, scope)
    return Lying(there, back, tuple(_origins(one, other) for one, other in zip(there, back, strict=True)), body)


def _origins(before: Sequence[Token], after: Sequence[Token]) -> tuple[int, ...]:
    """Return for each word with dots after the arrow the number of that before it: the same word, else in order."""
    one = [token.word for token in before if token.many]
    other = [token.word for token in after if token.many]
    if len(one) != len(other):
        words = other if len(other) > len(one) else one
        raise FormatError.at(
            words[-1],
            f"expected {plural(len(one), 'word')} with '...' after the arrow as before it, found {len(other)}",
        )
    left = list(range(len(one)))
    found: dict[int, int] = {}
    for at, word in enumerate(other):
        same = next((number for number in left if one[number] == word), None)
        if same is not None:
            found[at] = same
            left.remove(same)
    return tuple(found[at] if at in found else left.pop(0) for at in range(len(other)))


def _placed(lying: Sequence[Lying], row: MoveRow, scope: Scope) -> Iterator[tuple[Effect, str, int]]:
    """Yield what changes at every place of the patterns, the cells for its name, and the cell where it begins."""
    shapes = [pattern_shape(each.before) for each in lying]
    for track, needs in steered(row, shapes, scope, row.after[-1][-1]):
        options = [
            list(_few(_options(each, f"{number}.", track, scope), row.place)) for number, each in enumerate(lying)
        ]
        for chosen in paced(product(*options)):
            change = _joined([each for each, _ in chosen])
            if change is not None:
                change.needs |= {cell: change.needs.get(cell, scope.every) & need for cell, need in needs.items()}
                if row.towards is not None:
                    change.ahead = ahead(row.towards, track, chosen[0][1][0], scope)
                names = [_ends(cells, scope, row.turned) for _, cells in chosen]
                yield change, " ".join(names), chosen[0][1][0]


def _few(found: Iterator[Each], place: Word) -> Iterator[Each]:
    """Yield what is found; raise FormatError if it is more than MOST_PLACES."""
    for count, each in enumerate(found):
        if count == MOST_PLACES:
            raise FormatError.at(place, f"expected a row with at most {MOST_PLACES:,} places on the board, found more")
        yield each


def _options(lying: Lying, where: str, track: Placement, scope: Scope) -> Iterator[tuple[Effect, list[int]]]:
    """Yield what a pattern changes at every place on a track, and the cells of the pattern in their order."""
    if lying.body is not None:
        yield from placed(lying.body, track, scope)
        return
    for counts in counts_of(lying.before, track.longest):
        for spot in spots(lying.before, counts, track, scope):
            found = _change(lying, where, counts, spot, scope)
            yield found, [*found.after]


def _change(lying: Lying, where: str, counts: Counts, spot: Spot, scope: Scope) -> Effect:
    """Return what a pattern changes at one place."""
    found = Effect(length=sum(not token.end for token, _ in stretched(lying.before[0], counts[0])) - 1)
    for cell, (need, label) in needs_at(lying.before, counts, spot, scope, where).items():
        found.needs[cell] = need
        if label:
            found.labels[cell] = label
    for number, (row, c, cells) in enumerate(zip(lying.after, counts, spot, strict=True)):
        words = stretched(row, c, f"{where}{number}.", lying.origins[number])
        for (token, label), cell in zip(words, cells, strict=True):
            if cell is not None and not token.end:
                found.after[cell] = after_of(token, label)
    return found


def _ends(cells: Sequence[int], scope: Scope, turned: bool) -> str:
    """Return the cells where a pattern begins and ends: 'a1-c1', 'a1' for one cell."""
    ends = dict.fromkeys((cells[-1], cells[0]) if turned else (cells[0], cells[-1]))
    return "-".join(scope.board.names[cell] for cell in ends)


def listed_of(row: MoveRow, board: Board, table: tuple[int, ...], scope: Scope) -> Iterator[Made]:
    """Yield the rules of a row that is a listed move: one for each case of its condition."""
    assert row.listed is not None
    if row.again:
        raise FormatError.at(row.place, "expected no 'again' after a listed move, found one")
    rule = rule_of(row.listed, board, table)
    for case in Conditions(row, scope).cases(Effect()):
        tested = {cell: need for cell, need in case.items() if cell not in rule.cells}
        whole = Rule(
            rule.name, (*rule.cells, *tested),
            (*(case.get(cell, ANY) for cell in rule.cells), *tested.values()),
            (*rule.source, *range(len(rule.cells), len(rule.cells) + len(tested))),
            (*rule.table, *(None for _ in tested)),
        )  # fmt: skip
        made = inside(whole, scope.ranges, len(scope.letters))
        if made is not None:
            yield Made(made, _cost(row, (), {}), rule.cells[0])
