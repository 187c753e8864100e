"""Sequences of moves of such puzzles: `R U2 R' F3`, `(R U)3`, the conjugate `[x: U]`, the commutator `[R, U]`."""

from __future__ import annotations

import re
from collections.abc import Callable

from ..errors import FormatError, Word
from .orbits import Orbit, Turn

MOST_TOKENS, MOST_DEPTH, MOST_TIMES = 500, 20, 100
"""Most parts of a sequence, brackets within brackets, and times that a part is repeated."""


def worked_out(text: Word, orbits: list[Orbit], move: Callable[[Word], Turn]) -> Turn:
    """Return what a sequence does; `move` gives the move of a name. Raises FormatError with the place in the text."""
    return _Sequence(text, orbits, move).read()


class _Sequence:
    """Reads parts from left to right. at: the number of the next token."""

    def __init__(self, text: Word, orbits: list[Orbit], move: Callable[[Word], Turn]) -> None:
        self.text = text
        self.orbits = orbits
        self.move = move
        self.tokens = [token for token in re.split(r"\s+|(?<=[][(),:])|(?=[][(),:])", text) if token]
        self.at = 0
        self.still = Turn("", {}, {})

    def read(self) -> Turn:
        """Return what the whole sequence does."""
        if len(self.tokens) > MOST_TOKENS:
            raise self.wrong(f"at most {MOST_TOKENS} parts", f"{len(self.tokens)}")
        found = self.parts(0)
        if self.at < len(self.tokens):
            raise self.wrong("the end of the sequence", repr(self.tokens[self.at]))
        return found

    def wrong(self, wanted: str, found: str) -> FormatError:
        return FormatError.at(self.text, f"expected {wanted} in {str(self.text)[:40]!r}, found {found}")

    def next(self, wanted: str = "") -> str:
        """Return the next token and go on; raise FormatError where it is another than the wanted one."""
        token = self.tokens[self.at] if self.at < len(self.tokens) else "its end"
        if wanted and token not in wanted.split():
            raise self.wrong(f"{wanted.replace(' ', ' or ')}", repr(token))
        self.at += 1
        return token

    def parts(self, depth: int) -> Turn:
        """Return what the parts up to a closing bracket do together."""
        if depth > MOST_DEPTH:
            raise self.wrong(f"at most {MOST_DEPTH} brackets within each other", "more")
        done = self.still
        while self.at < len(self.tokens) and self.tokens[self.at] not in (")", "]", ",", ":"):
            done = done.then(self.part(depth), self.orbits, "")
        return done

    def part(self, depth: int) -> Turn:
        token = self.next()
        if token == "(":
            inner = self.parts(depth + 1)
            self.next(")")
            return self.repeated(inner, self.times())
        if token == "[":
            first = self.parts(depth + 1)
            kind = self.next(": ,")
            second = self.parts(depth + 1)
            self.next("]")
            done = first.then(second, self.orbits, "").then(first.undone(self.orbits), self.orbits, "")
            done = done if kind == ":" else done.then(second.undone(self.orbits), self.orbits, "")
            return self.repeated(done, self.times())
        found = re.fullmatch(r"(\d*[A-Za-z_]+)(\d*'?)", token)
        if found is None:
            raise self.wrong("the name of a move", repr(token[:40]))
        return self.repeated(self.move(Word(found[1], self.text.line, self.text.column)), found[2])

    def times(self) -> str:
        """Return how often a bracket is repeated, where that is said behind it."""
        said = self.at < len(self.tokens) and re.fullmatch(r"\d*'?", self.tokens[self.at])
        return self.next() if said else ""

    def repeated(self, turn: Turn, times: str) -> Turn:
        """Return a part done some times over, backwards with a stroke."""
        found = re.fullmatch(r"(\d{0,3})('?)", times)
        if found is None or int(found[1] or 1) > MOST_TIMES:
            raise self.wrong(f"a number up to {MOST_TIMES}, perhaps with a stroke", repr(times[:40]))
        done = self.still
        for _ in range(int(found[1] or 1)):
            done = done.then(turn, self.orbits, "")
        return done.undone(self.orbits) if found[2] else done
