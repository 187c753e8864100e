"""Another way to write the positions of a puzzle than its own drawings, such as the facelets of a cube."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from ..contract.answers import Reason as Reason
from ..errors import Word
from .diagnostics import Diagnostic


@dataclass(frozen=True)
class Written:
    """A position that was read: a word of the puzzle for each cell, and what is said about the reading."""

    words: tuple[str, ...]
    told: tuple[Diagnostic, ...] = ()


@dataclass(frozen=True)
class OwnMove:
    """A listed move of the puzzle that a word stands for, repeated."""

    word: Word
    name: str
    times: int


class Notation(Protocol):
    """Reads positions and words for moves. It knows which ones can be reached in terms of the puzzle's pieces."""

    def read(self, names: Sequence[str], text: str) -> Written | None:
        """Return the position in a text; None if it is not written in this way.

        names  the names of the cells
        Raises FormatError at a mistake, and if the text can be meant in two ways.
        """
        ...

    def fault(self, names: Sequence[str], words: Sequence[str]) -> Reason | None:
        """Return why a position and the solved one cannot be reached from each other; None if they can."""
        ...

    def is_move(self, word: str) -> bool:
        """Return whether a word is of the kind of words that `own_moves` reads."""
        ...

    def own_moves(self, words: Sequence[tuple[Word, bool]]) -> tuple[list[OwnMove], str]:
        """Return the puzzle's own moves that words stand for, and what is to be said about them, or ''.

        words  each with whether it is taken back
        Raises FormatError at a word that has no meaning for this puzzle.
        """
        ...
