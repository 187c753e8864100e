"""The tokens of a sentence, read from left to right: words, signs of comparisons, parentheses."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar

from ...errors import FormatError, Word
from ...puzzle.words import did_you_mean, part, shown, words
from ..sentences import listed
from .scope import Scope

SIGNS = ("=", "!=", "<", "<=", ">", ">=")
PLUS, MINUS = "+", "-"
COMPARING = (*SIGNS, PLUS, MINUS)

GLUED = re.compile(r"[<>=!]+|[+()]|[^<>=!+()]+")
"""The tokens of a word without spaces, such as 'a=b' or '(a'."""

Found = TypeVar("Found")


class Tokens:
    """The tokens of a sentence, and how far they are read.

    opened  the parentheses that are open
    """

    def __init__(self, text: Word, scope: Scope) -> None:
        self.text = text
        self.scope = scope
        self.opened: list[Word] = []
        self._tokens = list(_tokens(text, scope))
        self._read = 0

    @property
    def next(self) -> Word:
        """The token that is read next; '' at the end."""
        return self.ahead(0)

    @property
    def last(self) -> Word:
        """The token that was read last."""
        return self._tokens[self._read - 1]

    def ahead(self, number: int) -> Word:
        """Return the token so many places after the next one; '' after the end."""
        place = self._read + number
        return self._tokens[place] if place < len(self._tokens) else part(self.text, len(self.text))

    def take(self) -> Word:
        """Read the next token."""
        word = self.next
        self._read += 1
        return word

    def passed(self, word: str) -> bool:
        """Read the next token if it is this word; return whether it is."""
        if self.next != word:
            return False
        self._read += 1
        return True

    def whole(self) -> Word:
        """Read the next token together with all that stand beside it without spaces; parentheses stand alone."""
        word = self.take()
        while self.next and word not in "()" and self.next not in "()" and self.next.column == word.column + len(word):
            word = Word(word + self.take(), word.line, word.column)
        return word

    def begins(self, keyword: str) -> bool:
        """Return whether the next token is this keyword, not a cell or symbol of this name that is compared."""
        word, sign = self.next, self.ahead(1)
        if word != keyword:
            return False
        names = names_of(word, self.scope, "cell", "symbol", "kind")
        if not names or sign not in COMPARING:
            return True
        if names_of(sign, self.scope, "symbol", "kind"):
            raise ambiguous(word, [f"a word of sentences before the symbol {str(sign)!r}", *names])
        return False

    @property
    def ends(self) -> tuple[str, ...]:
        """The tokens that can follow a sentence."""
        return ("", "and", "or", ")") if self.opened else ("", "and", "or")

    def several(
        self, meaning: Callable[[Word], Found | None], expected: Sequence[str], ends: Sequence[str]
    ) -> list[Found]:
        """Read one or more names, until one of `ends`.

        meaning   what a name stands for; None for other words
        expected  the kinds of names, for errors: 'cell', 'symbol', 'kind', 'place'
        """
        found: list[Found] = []
        while True:
            word = self.next
            value = meaning(word) if word else None
            if found and word in ends:
                if value is not None:
                    raise ambiguous(word, ["a word of sentences", *names_of(word, self.scope, *expected)])
                return found
            if value is None:
                further = [repr(each) for each in ends if each] if found else []
                known = known_names(self.scope, *expected)
                raise self.error(_either([*(f"a {each}" for each in expected), *further]), known)
            found.append(value)
            self.take()

    def error(self, expected: str, known: Iterable[str] = (), hint: str = "") -> FormatError:
        """Return the error that something else is expected than the next token."""
        word = self.next
        named = names_of(word, self.scope, "cell", "symbol", "kind", "place") if word else []
        found = shown(word) if word else "the end of the sentence" if self._tokens else "none"
        if len(named) == 1 and word not in (*COMPARING, *"()"):
            found = named[0]
        return FormatError.at(word, f"expected {expected}, found {found}", hint or hint_of(word, known))


def hint_of(word: str, known: Iterable[str]) -> str:
    """Return a hint that names the nearest known word, or lists them; '' if there are none."""
    known = list(dict.fromkeys(known))
    if not known:
        return ""
    return (did_you_mean(word, known) if word else "") or f"known are {listed(known)}"


def names_of(word: str, scope: Scope, *which: str) -> list[str]:
    """Return what has this name, among 'cell', 'symbol', 'kind' and 'place'; as errors name it."""
    return [f"the {each} {str(word)!r}" for each in which if word in known_names(scope, each)]


def known_names(scope: Scope, *which: str) -> list[str]:
    """Return all names of cells, symbols, kinds or places."""
    known = {
        "cell": (*scope.board.names, *scope.also),
        "symbol": scope.letters,
        "kind": scope.kinds,
        "place": scope.places,
    }
    return [name for each in which for name in known[each]]


def single(word: Word, scope: Scope, *which: str) -> None:
    """Raise FormatError if a word is the name of more than one of these."""
    names = names_of(word, scope, *which)
    if len(names) > 1:
        raise ambiguous(word, names)


def ambiguous(word: Word, readings: Sequence[str]) -> FormatError:
    """Return the error that a word can be read in several ways."""
    return FormatError.at(
        word,
        f"expected a word with one meaning here, found {shown(word)}: it is {' and '.join(readings)}",
        "give one of them another name; a kind of one symbol can stand for a symbol",
    )


def _either(words: Sequence[str]) -> str:
    return " or ".join(filter(None, [", ".join(words[:-1]), words[-1]]))


def _tokens(text: Word, scope: Scope) -> Iterator[Word]:
    known = {*known_names(scope, "cell", "symbol", "kind", "place")}
    for word in words(text):
        if word in known:
            yield word
        else:
            yield from words(word, GLUED.pattern)
