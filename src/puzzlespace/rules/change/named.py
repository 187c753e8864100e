"""Patterns that begin with names of cells or places: `boat wolf L -> R`, `dial1 0 -> 1`, `a -> a + b`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from ...errors import FormatError, Word
from ...limits.watch import paced
from ...puzzle.words import shown
from .effects import After, Effect
from .patterns import Token, token_of
from .rows import Words
from .scope import Scope
from .words import NUMBER, SIGNS, Declared


@dataclass(frozen=True)
class Term:
    """A part of a sum: the number in a cell, or a number."""

    sign: int
    cell: Word | None
    number: int = 0


@dataclass(frozen=True)
class Named:
    """A pattern of named cells.

    names  names of cells and places
    shows  what they all show before, or None for anything
    after  what they all show after: a word, or a sum
    own    whether the sum begins with the number of the cell itself
    """

    names: Words
    shows: Token | None
    after: Token | tuple[Term, ...]
    own: bool


def named_of(before: Words, after: Words, scope: Scope, known: Declared) -> Named:
    """Return a pattern that begins with a name. Raises FormatError."""
    count = next((at for at, word in enumerate(before) if not known.named(word)), len(before))
    names, rest = before[:count], before[count:]
    if len(rest) > 1:
        hint = "a comma separates cells that show different things" if known.named(rest[1]) else ""
        raise FormatError.at(rest[1], f"expected ',' or the arrow after {shown(rest[0])}, found {shown(rest[1])}", hint)
    seen: set[str] = set()
    for name in names:
        if name in seen:
            hint = f"two different ones are '{name}1 {name}2'" if name in known.places else ""
            raise FormatError.at(name, f"expected every cell once, found {shown(name)} again", hint)
        seen.add(name)
    shows = _shown(rest[0], scope) if rest else None
    if len(after) == 1 and (after[0] in scope.letters or not (known.named(after[0]) or after[0] in SIGNS)):
        found = _shown(after[0], scope, after=True)
        _check_range(found, names, scope, known)
        return Named(names, shows, found, False)
    _check_no_name(names, after, known)
    terms = tuple(_terms(after, known))
    _check_numbers(names, terms, after[0], known)
    return Named(names, shows, terms, after[0] in SIGNS)


def _check_no_name(names: Words, after: Words, known: Declared) -> None:
    """Raise FormatError if names of cells stand after the arrow in front of what they show there."""
    if len(after) > 1 and known.named(after[0]) and after[1] not in SIGNS:
        raise FormatError.at(
            after[0], f"expected what {' '.join(names)} shows after the move, without a name, found {shown(after[0])}",
            "'turn white -> black' changes one cell, a comma separates cells, and '(a b)' exchanges two",
        )  # fmt: skip


def _shown(word: Word, scope: Scope, *, after: bool = False) -> Token:
    token = token_of(word, scope, after=after)
    if token.many or token.end or token.body or token.cells is not None:
        raise FormatError.at(word, f"expected a symbol or a kind for named cells, found {shown(word)}")
    return token


def _terms(after: Words, known: Declared) -> Iterator[Term]:
    """Yield the parts of a sum. Raises FormatError."""
    words = list(after) if after[0] in SIGNS else [Word("+"), *after]
    for at in range(0, len(words), 2):
        sign, value = words[at], words[at + 1] if at + 1 < len(words) else None
        if sign not in SIGNS:
            raise FormatError.at(sign, f"expected + or -, or one symbol for all named cells, found {shown(sign)}")
        if value is None:
            raise FormatError.at(sign, f"expected a cell or a number after {sign}, found none")
        if not known.named(value) and not NUMBER.fullmatch(value):
            raise FormatError.at(value, f"expected a cell or a number after {sign}, found {shown(value)}")
        factor = 1 if sign == "+" else -1
        cell = value if known.named(value) else None
        yield Term(factor, cell, 0 if cell is not None else factor * int(value))


def _check_numbers(names: Words, terms: Sequence[Term], place: Word, known: Declared) -> None:
    """Raise FormatError if a cell of a sum has no numbers. A cell alone may have any symbol."""
    if len(terms) == 1 and terms[0].cell is not None and terms[0].sign == 1:
        return
    for word in (*names, *(term.cell for term in terms if term.cell is not None)):
        cells = known.place(word) or known.places.get(known.indexed_place(word) or "", ())
        if any(cell not in known.ranges for cell in cells):
            raise FormatError.at(
                place, f"expected numbers: to say which numbers {shown(word)} may have, found no such row"
            )


def _check_range(found: Token, names: Words, scope: Scope, known: Declared) -> None:
    """Raise FormatError if a number is out of the range of a named cell."""
    for name in names:
        for cell in known.place(name) or ():
            low, high = known.ranges.get(cell, (0, -1))
            if low <= high and NUMBER.fullmatch(found.word) and not low <= int(found.word) <= high:
                raise FormatError.at(
                    found.word, f"expected a number from {low} to {high} for {name}, found {shown(found.word)}"
                )


Cells = dict[str, int]
"""The cell of each name, those of places chosen."""


def choices_of(names: Sequence[Word], known: Declared) -> Iterator[Cells]:
    """Yield for the names of a row their cells: each cell of a place, different ones for `person1` and `person2`."""
    words = list(dict.fromkeys(map(str, names)))
    options: list[tuple[int, ...]] = []
    for word in words:
        cell = known.cell(word)
        place = known.indexed_place(word)
        options.append((cell,) if cell is not None else known.places[place] if place else known.places[word])
    for chosen in paced(product(*options)):
        if len(set(chosen)) == len(chosen):
            yield dict(zip(words, chosen, strict=True))


def names_of(named: Named) -> Iterator[Word]:
    """Yield all names of a pattern."""
    yield from named.names
    if isinstance(named.after, tuple):
        yield from (term.cell for term in named.after if term.cell is not None)


def change_of(named: Named, cells: Cells, scope: Scope, known: Declared) -> Effect:
    """Return what a pattern does with these cells."""
    found = Effect()
    for name in named.names:
        cell = cells[str(name)]
        token = named.shows
        found.needs[cell] = token.need if token is not None else scope.every
        if token is not None and token.label:
            found.labels[cell] = token.label
        after = found.after[cell] = _after(named, cell, cells)
        if after.read is not None:
            found.needs[after.read] = found.needs.get(after.read, scope.every) & _in_range(cell, 0, scope, known)
        elif after.add is not None and not after.terms:
            found.needs[cell] &= _in_range(cell, after.add, scope, known)
    return found


def _in_range(cell: int, add: int, scope: Scope, known: Declared) -> int:
    """Return the symbols that a cell may show after `add` is added to them."""
    if cell not in known.ranges:
        return scope.every
    low, high = known.ranges[cell]
    values = enumerate(scope.values)
    return sum([1 << symbol for symbol, value in values if value is not None and low <= value + add <= high])


def _after(named: Named, cell: int, cells: Cells) -> After:
    if isinstance(named.after, Token):
        return after_of(named.after, named.after.label)
    terms = [(term.sign, cells[str(term.cell)]) for term in named.after if term.cell is not None]
    add = sum(term.number for term in named.after)
    if not named.own and len(named.after) == 1 and terms:
        return After(read=terms[0][1])
    if named.own and terms:
        terms.insert(0, (1, cell))
    return After(terms=tuple(terms), add=add)


def after_of(token: Token, label: str) -> After:
    """Return what a word after the arrow leaves in its cell."""
    if token.computed is not None:
        return After(computed=token.computed)
    if token.open or token.end:
        return After()
    if label:
        return After(label=label, need=token.need)
    return After(put=token.need.bit_length() - 1)
