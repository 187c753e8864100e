"""Sequences of listed moves: `R U2 R'`, `(R U R' U')6`, the commutator `[R, U]`, the conjugate `[F: R U R']`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..errors import FormatError, Word
from ..puzzle.allowed import MOST_TURNS

MOST_DEPTH = 20
"""The most brackets within each other."""

MOST_MOVES = 10_000
"""The most moves of a sequence."""

Parts = list[tuple[Word, bool]]
"""Words of moves, each with whether it is taken back."""


def words_of(text: str, begin: int = 0, brackets: bool = True) -> list[Word]:
    """Return the words of a text, which spaces or commas separate, and its brackets.

    begin     where the words begin in the first line
    brackets  whether brackets are words of their own; commas and colons then are too
    """
    pattern = r"[(\[:,]|[)\]](?:\^?[0-9]+)?'?|[^\s,:()\[\]]+" if brackets else r"[^\s,]+"
    bare = " " * begin + text[begin:]
    return [
        Word(found.group(), number, found.start() + 1)
        for number, line in enumerate(bare.split("\n"), 1)
        for found in re.finditer(pattern, line)
    ]


def flattened(words: Sequence[Word]) -> Parts:
    """Return the moves of a sequence one by one. Raises FormatError at a word that does not fit."""
    reader = _Reader(words)
    found = reader.parts("", 0)
    if reader.at < len(words):
        raise FormatError.at(words[reader.at], f"expected a move or the end, found {str(words[reader.at])!r}")
    return found


class _Reader:
    """Reads words from left to right; `at` is the index of the next one."""

    def __init__(self, words: Sequence[Word]) -> None:
        self.words, self.at = words, 0

    def parts(self, ends: str, depth: int) -> Parts:
        """Return the moves up to a word that begins with one of `ends`; outside of brackets commas separate moves."""
        found: Parts = []
        while self.at < len(self.words) and self.words[self.at][0] not in (ends or ")]:"):
            word = self.words[self.at]
            self.at += 1
            if word[0] in "([":
                found += self.bracket(word, depth + 1)
            elif word[0] in ")]:":
                raise FormatError.at(word, f"expected a move or {_either(ends)}, found {str(word)!r}")
            elif word != ",":
                found.append((word, False))
            if len(found) > MOST_MOVES:
                raise FormatError.at(word, f"expected at most {MOST_MOVES:,} moves, found more")
        return found

    def bracket(self, opened: Word, depth: int) -> Parts:
        """Return the moves of a bracket that was opened, with its repetitions."""
        if depth > MOST_DEPTH:
            raise FormatError.at(opened, f"expected at most {MOST_DEPTH} brackets within each other, found more")
        if opened == "(":
            return _repeated(self.parts(")", depth), self.closing(opened, ")"))
        first = self.parts(",:]", depth)
        between = self.closing(opened, ",:")
        second = self.parts("]", depth)
        found = [*first, *second, *_undone(first), *(_undone(second) if between == "," else [])]
        return _repeated(found, self.closing(opened, "]"))

    def closing(self, opened: Word, ends: str) -> Word:
        """Return the next word, which begins with one of `ends`, and advance."""
        if self.at >= len(self.words) or self.words[self.at][0] not in ends:
            problem = f"expected {_either(ends)} after this {str(opened)!r}"
            found = repr(str(self.words[self.at])) if self.at < len(self.words) else "the end"
            raise FormatError.at(opened, f"{problem}, found {found}")
        self.at += 1
        return self.words[self.at - 1]


def _either(ends: str) -> str:
    return " or ".join(repr(end) for end in ends)


def _undone(parts: Parts) -> Parts:
    """Return the moves that take these back."""
    return [(word, not undone) for word, undone in reversed(parts)]


def _repeated(parts: Parts, closed: Word) -> Parts:
    """Return the moves as often as a closing bracket says: `)6`, `)'`, `]2'`."""
    times = int(re.sub("[^0-9]", "", closed) or 1)
    if not 0 < times <= MOST_TURNS:
        raise FormatError.at(closed, f"expected a number of repetitions from 1 to {MOST_TURNS}, found {times}")
    if times * len(parts) > MOST_MOVES:
        raise FormatError.at(closed, f"expected at most {MOST_MOVES:,} moves, found more")
    return (_undone(parts) if closed.endswith("'") else parts) * times
