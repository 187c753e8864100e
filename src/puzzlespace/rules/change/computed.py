"""Words after the arrow that are computed: `tile+1`, `cup1+cup2`, `turned(arrow)`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from ...errors import FormatError, Word
from ...model.rule import symbols_of
from ...puzzle.words import nearest, part, shown, words
from .scope import ANY, INDEXED, Scope

IMAGE = re.compile(r"([^\s()]+)\(([^\s()]+)\)")
SUM = re.compile(r"[^+-]+(?:[+-][^+-]+)+")
NUMBER = re.compile("[0-9]{1,4}")


@dataclass(frozen=True)
class Computed:
    """What a cell shows after a move, from what words of the pattern were before it.

    terms  the sum of the numbers of these words: (sign, word)
    add    what is added to the sum
    image  for each symbol of the one word of `terms` the symbol that the cell shows; () for a sum
    """

    terms: tuple[tuple[int, str], ...]
    add: int = 0
    image: tuple[int | None, ...] = ()

    @property
    def alone(self) -> str | None:
        """The word from which it is computed, if it is only one."""
        return self.terms[0][1] if len(self.terms) == 1 else None

    def symbol(self, symbols: Mapping[str, int], scope: Scope) -> int | None:
        """Return the symbol for these symbols of the words, or None if there is none."""
        if self.image:
            return self.image[symbols[self.terms[0][1]]]
        number = self.add + sum(sign * (scope.values[symbols[word]] or 0) for sign, word in self.terms)
        return scope.letters.index(str(number)) if str(number) in scope.letters else None


def is_computed(word: str, is_kind: Callable[[str], bool]) -> bool:
    """Return whether a word that is no symbol is written like a computed one."""
    if is_kind(word):
        return False
    if IMAGE.fullmatch(word) or "+" in word[1:-1] or is_kind(word.strip("+-")):
        return True
    return "-" in word[1:-1] and any(is_kind(each) for each in word.split("-"))


def computed_of(word: Word, scope: Scope) -> Computed:
    """Return the meaning of a computed word. Raises FormatError."""
    match = IMAGE.fullmatch(word)
    if match is not None:
        return _image(part(word, *match.span(1)), part(word, *match.span(2)), scope)
    if not SUM.fullmatch(word):
        raise FormatError.at(word, f"expected a sum such as 'tile+1', found {shown(word)}")
    terms: list[tuple[int, str]] = []
    add, sign = 0, 1
    for each in words(word, "[+-]|[^+-]+"):
        if each in ("+", "-"):
            sign = 1 if each == "+" else -1
        elif NUMBER.fullmatch(each):
            add += sign * int(each)
        else:
            _check_numbers(each, scope)
            terms.append((sign, str(each)))
    if not terms:
        raise FormatError.at(word, f"expected a kind in a sum, found numbers only: {shown(word)}")
    return Computed(tuple(terms), add)


def _check_numbers(word: Word, scope: Scope) -> None:
    """Raise FormatError if a word is no kind, or one with a symbol that is no number."""
    need = _need(word, scope)
    other = next((symbol for symbol in symbols_of(need) if scope.values[symbol] is None), None)
    if other is not None:
        raise FormatError.at(
            word, f"expected a kind of numbers in a sum, found {shown(word)}, which has {shown(scope.letters[other])}"
        )


def _need(word: Word, scope: Scope) -> int:
    need = scope.kinds.get(str(word), scope.kinds.get(_bare(word)))
    if need is None or not scope.is_kind(word):
        known = [name for name in scope.kinds if name != ANY]
        raise FormatError.at(word, f"expected a kind, found {shown(word)}", nearest(word, known) if known else "")
    return need


def _bare(word: str) -> str:
    match = INDEXED.fullmatch(word)
    return match[1] if match is not None else str(word)


def _image(name: Word, word: Word, scope: Scope) -> Computed:
    """Return `merged(tile)`: the symbol of `merged` at the place that the one of `tile` has in its row."""
    for each in (name, word):
        _need(each, scope)
    images, symbols = scope.orders.get(str(name)), scope.orders.get(str(word), scope.orders.get(_bare(word)))
    for each, order in ((name, images), (word, symbols)):
        if order is None:
            raise FormatError.at(each, f"expected a kind whose symbols are listed in an order, found {shown(each)}")
    assert images is not None
    assert symbols is not None
    if len(images) != len(symbols):
        raise FormatError.at(
            name, f"expected {len(symbols)} symbols in {shown(name)}, as {shown(word)} has, found {len(images)}"
        )
    pairs = dict(zip(symbols, images, strict=True))
    return Computed(((1, str(word)),), image=tuple(pairs.get(symbol) for symbol in range(len(scope.letters))))
