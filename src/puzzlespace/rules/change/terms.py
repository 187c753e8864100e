"""Comparisons in sentences: `a = b != c`, `a + b >= 4`, `anna = some man != bob`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, product
from math import prod

from ...errors import FormatError, Word
from ...limits.watch import paced
from ...model.sentence import Alike, Compared, Every, Not, Sentence, Shows, Some
from ...puzzle.words import shown
from .scope import Scope
from .tokens import MINUS, PLUS, SIGNS, Tokens, ambiguous, hint_of, known_names, names_of, single

NUMBER = re.compile("-?[0-9]+")
MOST_DIGITS = 9
NUMBERED = re.compile(r"(.*\D)[0-9]+")
"""A place with a number, such as 'man1': another cell than 'man2'."""

MOST_CHOICES = 1 << 14
"""The most combinations of cells of places for one comparison."""

QUANTIFIERS = ("some", "every")


@dataclass(frozen=True)
class Atom:
    """A cell, one of the cells of a place, or what stands in cells: symbols, a number.

    cells       one for a cell, all of a place, none for symbols
    quantifier  'some' or 'every' for a place
    place       the place without its number
    factor      -1 after a minus sign
    need        symbols, as in `Rule.need`, or None
    number      the number as which the word is written, or None
    """

    word: Word
    cells: tuple[int, ...] = ()
    quantifier: str = ""
    place: str = ""
    factor: int = 1
    need: int | None = None
    number: int | None = None

    def at(self, chosen: Mapping[str, int]) -> Atom:
        """Return it with the cell that is chosen of a place."""
        return Atom(self.word, (chosen[self.word],), factor=self.factor) if self.quantifier else self


Sum = tuple[Atom, ...]


def comparison(tokens: Tokens) -> Sentence:
    """Read a comparison."""
    terms, signs = [_sum(tokens)], list[Word]()
    while tokens.next in SIGNS or not signs:
        if tokens.next not in SIGNS:
            hint = "a comparison is written 'a = b'; each side of 'and' and 'or' is a whole sentence"
            if tokens.next == "on":
                shows = tokens.last
                hint = f"write 'some {shows} on ...', 'all {shows} on ...', 'no {shows} on ...' or 'a1 = {shows}'"
            raise tokens.error(f"one of {' '.join(SIGNS)}", hint=hint)
        signs.append(tokens.take())
        terms.append(_sum(tokens))
    _check_chain(terms, signs)
    places = _places([atom for term in terms for atom in term])
    combinations = prod(len(each.cells) for each in places)
    if combinations > MOST_CHOICES:
        raise FormatError.at(
            places[0].word, f"expected at most {MOST_CHOICES:,} combinations of cells, found {combinations:,}"
        )
    found: list[Sentence] = []
    for cells in paced(product(*(each.cells for each in places))):
        if len({*zip(cells, (each.place for each in places), strict=True)}) < len(places):
            continue  # one cell for two numbers of a place
        chosen = {str(each.word): cell for each, cell in zip(places, cells, strict=True)}
        fixed = [tuple(atom.at(chosen) for atom in term) for term in terms]
        links = [_link(*sides, sign, tokens.scope) for sides, sign in zip(pairwise(fixed), signs, strict=True)]
        found.append(links[0] if len(links) == 1 else Every(tuple(links)))
    if not places:
        return found[0]
    return Some(tuple(found)) if places[0].quantifier == "some" else Every(tuple(found))


def at_most(word: Word, low: int, high: int, scope: Scope) -> Sentence:
    """Return the sentence that the number in one cell is at most that in another; `word` is where errors are."""
    return _numbers((Atom(word, (low,)),), (Atom(word, (high,)),), "<=", scope)


def _check_chain(terms: Sequence[Sum], signs: Sequence[Word]) -> None:
    different = [sign for sign in signs if sign == "!="]
    if len(different) > 1:
        raise FormatError.at(
            different[1],
            "expected '!=' once in a comparison, found it again: neighbours may be meant, or that all are different",
            "'a != b and b != c' for neighbours; 'and a != c' after it if all are different",
        )
    places = [atom for term in terms for atom in term if atom.quantifier]
    every = next((atom for atom in places if atom.quantifier == "every"), None)
    if every is not None and len(terms) > 2 and not any(atom.quantifier == "some" for atom in places):
        raise FormatError.at(
            every.word,
            f"expected one sign beside 'every {every.word}', found more: all its cells may be meant, or those of which"
            " the rest is true",
            "two comparisons joined by 'and', or 'not' and 'some', say which",
        )
    for term in terms[1:-1]:
        if len(term) == 1 and (term[0].need or 0).bit_count() > 1:
            raise FormatError.at(
                term[0].word,
                f"expected a kind at an end of a comparison, found {shown(term[0].word)} between two signs: the same"
                " symbol on both sides may be meant, or any two of the kind",
                "'a = kind and b = kind' for any two; 'a = b = kind' for the same",
            )


def _places(atoms: Sequence[Atom]) -> list[Atom]:
    """Return the first atom for each place; all have the same quantifier."""
    found: dict[str, Atom] = {}
    for atom in atoms:
        if not atom.quantifier:
            continue
        first = next(iter(found.values()), atom)
        if first.quantifier != atom.quantifier:
            raise FormatError.at(
                atom.word,
                f"expected either 'some' or 'every' in a comparison, found both: '{first.quantifier} {first.word}' may"
                f" be the same cell for '{atom.quantifier} {atom.word}', or not",
                "name the cells of one of the places, joined by 'and' or 'or'",
            )
        found.setdefault(str(atom.word), atom)
    return list(found.values())


def _sum(tokens: Tokens) -> Sum:
    found = [_atom(tokens)]
    while tokens.next in (PLUS, MINUS):
        factor = 1 if tokens.take() == PLUS else -1
        found.append(replace(_atom(tokens), factor=factor))
    return tuple(found)


def _atom(tokens: Tokens) -> Atom:
    for quantifier in QUANTIFIERS:
        if tokens.begins(quantifier):
            tokens.take()
            return _of_place(tokens, quantifier)
    word, scope = tokens.next, tokens.scope
    single(word, scope, "cell", "symbol", "kind")
    cell, need = scope.cell(word), scope.need(word)
    number = scope.numbers.get(str(word), _number(word))
    if number is not None and (names := names_of(word, scope, "cell", "kind")):
        raise ambiguous(word, [*names, f"the number {number}"])
    if cell is None and need is None and number is None:
        raise _no_atom(tokens)
    tokens.take()
    return Atom(word, need=need, number=number) if cell is None else Atom(word, (cell,))


def _of_place(tokens: Tokens, quantifier: str) -> Atom:
    word, scope = tokens.next, tokens.scope
    single(word, scope, "cell", "place")
    place, numbered = str(word), NUMBERED.fullmatch(word)
    if numbered is not None and numbered[1] in scope.places:
        if scope.place(word) is not None:
            raise ambiguous(word, [*names_of(word, scope, "cell", "place"), f"a cell of the place {numbered[1]!r}"])
        place = numbered[1]
    cells = scope.place(place)
    if cells is None:
        raise tokens.error("a place", known_names(scope, "place"))
    return Atom(tokens.take(), cells, quantifier, place)


def _no_atom(tokens: Tokens) -> FormatError:
    word = tokens.next
    hint = f"'some {word}' is one of its cells, 'every {word}' is all of them" if word in tokens.scope.places else ""
    return tokens.error("a cell, a symbol or a number", known_names(tokens.scope, "cell", "symbol", "kind"), hint)


def _number(word: Word) -> int | None:
    if not NUMBER.fullmatch(word):
        return None
    if len(word.lstrip("-")) > MOST_DIGITS:
        raise FormatError.at(word, f"expected a number of at most {MOST_DIGITS} digits, found {shown(word)}")
    return int(word)


def _link(left: Sum, right: Sum, sign: Word, scope: Scope) -> Sentence:
    """Return what one sign says about its two sides."""
    if sign in ("=", "!=") and len(left) == len(right) == 1:
        plain = [atom.word for atom in left + right if not atom.cells and atom.need is None]
        if not plain:
            return _same(left[0], right[0], sign, scope)
        if not all(_shows_numbers(cell, scope) for atom in left + right for cell in atom.cells):
            raise FormatError.at(
                plain[0], f"expected a symbol, found {shown(plain[0])}", hint_of("", known_names(scope, "symbol"))
            )
    return _numbers(left, right, sign, scope)


def _same(left: Atom, right: Atom, sign: Word, scope: Scope) -> Sentence:
    """Return that the same stands on both sides, or not."""
    if left.cells and right.cells:
        found = Alike((*left.cells, *right.cells))
        return found if sign == "=" else Not(found)
    if not left.cells and not right.cells:
        raise FormatError.at(
            right.word,
            f"expected a cell on one side of {str(sign)!r}, found {shown(left.word)} and {shown(right.word)}",
        )
    (cell,), need = left.cells or right.cells, right.need if left.cells else left.need
    assert need is not None
    return Shows(cell, need if sign == "=" else scope.every & ~need)


def _numbers(left: Sum, right: Sum, sign: str, scope: Scope) -> Sentence:
    """Return a comparison of two sums."""
    constant, tables = 0, dict[int, tuple[int, ...]]()
    for sense, side in ((1, left), (-1, right)):
        for atom in side:
            factor = sense * atom.factor
            if atom.cells:
                cell = atom.cells[0]
                table = [factor * value for value in _values(atom, cell, scope)]
                before = tables.get(cell, (0,) * len(table))
                tables[cell] = tuple(map(sum, zip(before, table, strict=True)))
            else:
                constant += factor * _value(atom, scope)
    if not tables and not any(str(atom.word) in scope.numbers for atom in left + right):
        raise FormatError.at(left[0].word, f"expected a cell on one side of {str(sign)!r}, found numbers only")
    low, high = {
        "<": (None, -constant - 1), "<=": (None, -constant), ">": (1 - constant, None), ">=": (-constant, None),
    }.get(sign, (-constant, -constant))  # fmt: skip
    found = _short(Compared(tuple(tables.items()), low, high), scope)
    return Not(found) if sign == "!=" else found


def _short(compared: Compared, scope: Scope) -> Sentence:
    """Return a comparison of one cell as the symbols that it may show."""
    if len(compared.terms) != 1:
        return compared
    ((cell, table),) = compared.terms
    alone = Compared(((0, table),), compared.low, compared.high)
    return Shows(cell, sum(1 << each for each in scope.symbols(cell) if alone.holds(bytes((each,)))))


def _shows_numbers(cell: int, scope: Scope) -> bool:
    return all(scope.value(symbol) is not None for symbol in scope.symbols(cell))


def _values(atom: Atom, cell: int, scope: Scope) -> list[int]:
    """Return the number of each symbol; 0 for those that the cell never shows."""
    found = [0] * len(scope.letters)
    for symbol in scope.symbols(cell):
        value = scope.value(symbol)
        if value is None:
            name = (*scope.board.names, *scope.also)[cell]
            letter = scope.letters[symbol]
            raise FormatError.at(
                atom.word,
                f"expected a cell with numbers only, found {name!r}, which can show {letter!r}",
                "symbols are compared with '=' and '!='; cells that numbers: names show numbers only",
            )
        found[symbol] = value
    return found


def _value(atom: Atom, scope: Scope) -> int:
    """Return the number that a word stands for."""
    if atom.number is not None:
        return atom.number
    need = atom.need or 0
    value = scope.value(need.bit_length() - 1) if need.bit_count() == 1 else None
    if value is None:
        raise FormatError.at(
            atom.word, f"expected a cell or a number, found {names_of(atom.word, scope, 'symbol', 'kind')[0]}"
        )
    return value
