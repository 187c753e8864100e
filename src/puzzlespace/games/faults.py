"""Mistakes in a game with which it still runs, as in the original: the part is skipped, and a warning says so."""

from __future__ import annotations

from ..errors import FormatError
from ..puzzle.diagnostics import Diagnostic

MOST = 5
"""The most mistakes with which a game still runs."""


class Faults:
    """The mistakes and warnings of one game."""

    def __init__(self) -> None:
        self.found: list[Diagnostic] = []
        self.mistakes = 0

    def skip(self, word: str, text: str) -> None:
        """Note a mistake whose part is skipped. Raises FormatError if there are more than `MOST`."""
        self.mistakes += 1
        if self.mistakes > MOST:
            raise FormatError.at(word, text, f"a game runs with at most {MOST} mistakes, and this is one more")
        self.found.append(Diagnostic.at(word, "game-mistake", text))

    def warn(self, word: str, text: str) -> None:
        """Note something odd that changes nothing."""
        self.found.append(Diagnostic.at(word, "game-odd", text, severity="note"))
