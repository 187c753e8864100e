"""What a reader says about its input beside the puzzle: how it was read, and what may be meant in another way.

A reader attaches its diagnostics to the `Draft`; the `Puzzle` keeps them. Whoever loads a puzzle calls `tell`, which
hands them to the listener (the command line), or issues a `PuzzleWarning` for each warning.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, Literal

from ..errors import FormatError, PuzzleWarning

CODES: dict[str, str] = {
    "blank-or-car": "the letter `o` of a Rush Hour board is a blank or a car",
    "blank-sign": "another sign, such as `0` or `_`, is read as the blank `.`, or as a peg beside it",
    "facelets": "a position was read as the stickers of a cube, in the order that is named",
    "first-move": "only solutions that begin with certain moves are meant",
    "full-width": "full-width letters, digits or signs are read as their plain forms",
    "game-mistake": "a part of a PuzzleScript game has a mistake and is skipped, as the original program does",
    "game-odd": "a part of a PuzzleScript game changes nothing, or is read in one of several ways",
    "goal-count": "a goal shows a symbol, or '.', in more cells than any position can",
    "goal-open": "a goal leaves every cell open, so every position meets it",
    "idle-goal": "a goal that is a sentence is true of all positions, or of none",
    "idle-law": "a sentence under `forbid:` is true of all positions, or of none",
    "key-in-comment": "a key is in a comment, and the rows below it belong to the key above",
    "key-in-text": "an indented row of a descriptive text begins with a key",
    "latin-1": "the file is not in UTF-8 and was read as Latin-1",
    "letters-without-font": "letters of a card or a picture are in no font of this machine, and are left out",
    "like-pieces": "a letter of a goal with open cells stands for any of several like pieces",
    "missing-end": "a block of a `.tws` or `.def` file has no `End`; it ends where the next part begins",
    "moves-from": "moves that stand for a position are made from the start, or from the goal",
    "never-fits": "a row of moves fits nowhere on the board, changes nothing, or leaves the range of a cell",
    "never-occurs": "a symbol of moves is in no position",
    "no-effect": "a key changes nothing in this puzzle",
    "red-car": "the car of a Rush Hour board that must leave",
    "red-car-row": "the red car of a Rush Hour board is not in the row of the exit",
    "several-red-cars": "several cars of a Rush Hour board may be the red one",
    "single-cells": "equal letters that touch are read as single pieces, one for each cell",
    "some-moves": "only some of the moves may be made",
    "start-settles": "something happens by itself before the first move",
    "turned-back": "moves turn a whole cube, which is then turned back",
    "turned-goals": "the goal may be turned",
    "two-formats": "the text fits another format too",
    "unused-kind": "a kind of symbols is not used",
    "wall-or-car": "the letter `x` of a Rush Hour board is walls or a car",
}
"""Every code of a diagnostic with its meaning; docs/format.md has the same table."""


@dataclass(frozen=True)
class Diagnostic:
    """One note or warning.

    code      a word of `CODES`, stable, such as 'single-cells'
    text      one sentence
    line      with column and row: the place in the input (from 1; 0: unknown)
    severity  'note': how the input was read; 'warning': it may be meant in another way
    """

    code: str
    text: str
    severity: Literal["note", "warning"] = "warning"
    line: int = 0
    column: int = 0
    file: str = ""
    row: str = ""
    hint: str = ""

    def __post_init__(self) -> None:
        if self.code not in CODES:
            raise ValueError(f"diagnostic: expected a code of CODES, found {self.code!r}")

    @classmethod
    def at(
        cls, word: str, code: str, text: str, hint: str = "", severity: Literal["note", "warning"] = "warning"
    ) -> Diagnostic:
        """Return the diagnostic for the place that `word` came from; a plain str has no place."""
        return cls(code, text, severity, getattr(word, "line", 0), getattr(word, "column", 0), hint=hint)

    def as_error(self) -> FormatError:
        """Return the same words as an error."""
        return FormatError(
            self.text, line=self.line, column=self.column, file=self.file, row=self.row, hint=self.hint
        )  # fmt: skip

    def located(self, file: str, text: str) -> Diagnostic:
        """Return the same diagnostic with the file's name and the row of `text` it points to."""
        error = self.as_error().located(file, text)
        return Diagnostic(self.code, self.text, self.severity, self.line, self.column, error.file, error.row, self.hint)

    def __str__(self) -> str:
        """Return it as errors are shown: file, line, column, text, and the row with a caret under the place."""
        return str(self.as_error())

    @property
    def fields(self) -> dict[str, Any]:
        """The fields of its JSON object."""
        return {
            "code": self.code, "text": self.text, "file": self.file, "line": self.line, "column": self.column,
            "hint": self.hint,
        }  # fmt: skip


Listener = Callable[[Sequence[Diagnostic]], None]

_listener: ContextVar[Listener | None] = ContextVar("listener", default=None)


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Give every diagnostic told within the block to `listener`, which may raise an error."""
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)


def tell(found: Sequence[Diagnostic]) -> None:
    """Hand diagnostics to the listener; without one, issue a PuzzleWarning for each warning."""
    if not found:
        return
    listener = _listener.get()
    if listener is not None:
        listener(found)
        return
    for each in found:
        if each.severity == "warning":
            warnings.warn(str(each), PuzzleWarning, stacklevel=_outside())


def _outside() -> int:
    """Return the stack level, for the caller, of the first function outside this package."""
    package = __name__.partition(".")[0]
    frame, level = sys._getframe(1), 1
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == package:
        frame, level = frame.f_back, level + 1
    return level
