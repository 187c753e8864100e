"""Sequences of moves of such puzzles: `R U2 R' F3`, `(R U)3`, the conjugate `[x: U]`, the commutator `[R, U]`."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection

from ..errors import FormatError, Word
from .orbits import Orbit, Turn

MOST_TOKENS, MOST_DEPTH, MOST_TIMES = 500, 20, 100
"""The most parts of a sequence, levels of brackets, and repetitions of a part."""


def worked_out(text: Word, orbits: list[Orbit], move: Callable[[Word], Turn], names: Collection[str] = ()) -> Turn:
    """Return the effect of a sequence as one move. Raises FormatError with the place in the text.

    move   returns the move of a name
    names  the names that are known: with digits at their end (`A1`), or with other signs (`R++`)
    """
    return _Sequence(text, orbits, move, names).read()


def powers(word: str) -> list[tuple[str, str]]:
    """Return the ways to read a word as a name and what is done with it.

    `U12'` is the inverse of U12, of U1 twice, or of U twelve times.
    """
    bare, stroke = (word[:-1], "'") if word.endswith("'") else (word, "")
    cuts = range(len(bare), len(bare.rstrip("0123456789")) - 1, -1)
    ways = [(word, ""), *((bare[:cut], bare[cut:] + stroke) for cut in cuts)]
    return [way for number, way in enumerate(ways) if way[0] and way not in ways[:number]]


class _Sequence:
    """A parser of sequences; `at` is the index of the next token."""

    def __init__(self, text: Word, orbits: list[Orbit], move: Callable[[Word], Turn], names: Collection[str]) -> None:
        self.text = text
        self.orbits = orbits
        self.move = move
        self.names = names
        self.tokens = [token for token in re.split(r"\s+|(?<=[][(),:])|(?=[][(),:])", text) if token]
        self.at = 0
        self.still = Turn("", {}, {})

    def read(self) -> Turn:
        """Return the effect of the whole sequence."""
        if len(self.tokens) > MOST_TOKENS:
            raise self.wrong(f"at most {MOST_TOKENS} parts", f"{len(self.tokens)}")
        found = self.parts(0)
        if self.at < len(self.tokens):
            raise self.wrong("the end of the sequence", repr(self.tokens[self.at]))
        return found

    def wrong(self, wanted: str, found: str) -> FormatError:
        return FormatError.at(self.text, f"expected {wanted} in {str(self.text)[:40]!r}, found {found}")

    def next(self, wanted: str = "") -> str:
        """Return the next token and advance; raise FormatError unless it is one of the `wanted`, if any."""
        token = self.tokens[self.at] if self.at < len(self.tokens) else "its end"
        if wanted and token not in wanted.split():
            raise self.wrong(f"{wanted.replace(' ', ' or ')}", repr(token))
        self.at += 1
        return token

    def parts(self, depth: int) -> Turn:
        """Return the effect of the parts up to a closing bracket."""
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
        return self.named(token)

    def named(self, token: str) -> Turn:
        """Return the power of a move that a token names; raise FormatError if two ways to read it differ."""
        ways = [way for way in powers(token) if way[0] in self.names]
        if not ways:
            found = re.fullmatch(r"(\d*[A-Za-z_]+)(\d*'?)", token)
            if found is None:
                raise self.wrong("the name of a move", repr(token[:40]))
            ways = [(found[1], found[2])]
        turns = [self.repeated(self.move(Word(name, self.text.line, self.text.column)), times) for name, times in ways]
        if any(not turn.same(turns[0], self.orbits) for turn in turns[1:]):
            raise self.wrong(
                "a move with one meaning", f"{token[:40]!r}: {' or a power of '.join(name[:40] for name, _ in ways)}"
            )
        return turns[0]

    def times(self) -> str:
        """Return the number of repetitions after a bracket, '' if there is none."""
        said = self.at < len(self.tokens) and re.fullmatch(r"\d*'?", self.tokens[self.at])
        return self.next() if said else ""

    def repeated(self, turn: Turn, times: str) -> Turn:
        """Return a part repeated `times` times; inverted if a stroke follows the number."""
        found = re.fullmatch(r"(\d{0,3})('?)", times)
        if found is None or int(found[1] or 1) > MOST_TIMES:
            raise self.wrong(f"a number up to {MOST_TIMES}, perhaps with a stroke", repr(times[:40]))
        done = self.still
        for _ in range(int(found[1] or 1)):
            done = done.then(turn, self.orbits, "")
        return done.undone(self.orbits) if found[2] else done
