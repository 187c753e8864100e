"""All exceptions, each with its exit code of the command line.

PuzzlespaceError
├── InputError (ValueError)        30   invalid input
│   ├── BoundError                 30   a lower bound from Python or another package that is wrong
│   ├── EndlessError               30   what happens by itself after a move never ends
│   ├── FormatError                30   … in a puzzle file or a drawing, with its place
│   └── ModelError                 30   … in rules or positions passed from Python
├── TableError (OSError)           30   a saved depth table is damaged, foreign or in use, or cannot be written
│   └── RoomError                  30   … because the disk has too little room
├── UnsupportedError (TypeError)   31   a valid question that this engine or command cannot answer
├── LimitError           20-22, 130     a limit of time, memory or positions was reached, or Ctrl-C
│   └── RefusedError             21     a count was not begun, because it is known to be hopeless
├── DeviceError                    70   a graphics card failed while it computed
└── SelfCheckError                 70   an answer failed a check of this program: a fault of ours, not of the puzzle
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence


def plural(count: int, noun: str) -> str:
    """Return '1 position', '7 positions'."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


class PuzzlespaceError(Exception):
    """The base class of every error that Puzzlespace raises on purpose."""

    exit_code = 70


class InputError(PuzzlespaceError, ValueError):
    """Invalid input; the message says what was expected."""

    exit_code = 30


class BoundError(InputError):
    """A lower bound claims more moves than are needed, is not as consistent as it says, or returns no whole number.

    name      the name of the bound
    problem   what was expected and what was found
    position  where, as the bound got it
    shown     the position as text
    """

    def __init__(self, name: str, problem: str, position: object, shown: str = "") -> None:
        super().__init__(problem)
        self.name, self.problem, self.position = name, problem, position
        text = shown or repr(position)
        self.shown = text if len(text) <= 2 * SHOWN else f"{text[:SHOWN]}...{text[-SHOWN:]}"

    def __reduce__(self) -> tuple[type[BoundError], tuple[str, str, object, str]]:
        return BoundError, (self.name, self.problem, self.position, self.shown)

    def __str__(self) -> str:
        return f"bound {self.name}: {self.problem}, at the position {self.shown}"


class ModelError(InputError):
    """Rules, positions or goals that do not fit together."""


class TableError(PuzzlespaceError, OSError):
    """A folder of a depth table is damaged, truncated, foreign or in use, or cannot be written."""

    exit_code = 30


class RoomError(TableError):
    """The disk has too little room for a table."""


class EndlessError(InputError):
    """What happens by itself after a move never ends.

    positions  those that follow one another for ever, each once
    drawn  the first of them as drawings, if the puzzle is known
    """

    MOST = 3
    """The most positions that the message shows, before the first one again."""

    def __init__(self, positions: Sequence[bytes], drawn: Sequence[str] = ()) -> None:
        self.positions = tuple(positions)
        self.drawn = tuple(drawn)
        first = self.drawn or tuple(str(list(position)) for position in self.positions[: self.MOST])
        shown = " -> ".join((*first, first[0]))
        more = f" (of {len(self.positions)} positions)" if len(self.positions) > self.MOST else ""
        super().__init__(
            f"what happens by itself after a move never ends: expected a position in which nothing more changes, "
            f"found {shown}{more}"
        )

    def __reduce__(self) -> tuple[type[EndlessError], tuple[tuple[bytes, ...], tuple[str, ...]]]:
        return EndlessError, (self.positions, self.drawn)


class UnsupportedError(PuzzlespaceError, TypeError):
    """A valid question that this engine or command cannot answer."""

    exit_code = 31


class LimitError(PuzzlespaceError):
    """A limit was reached, or Ctrl-C.

    kind   'seconds', 'memory' or 'positions'; 'interrupted' after Ctrl-C in the command line
    bound  the lower bound on the length of solutions proved so far
    """

    def __init__(self, kind: str, message: str, bound: int = 0) -> None:
        super().__init__(message)
        self.kind = kind
        self.bound = bound
        self.exit_code = {"seconds": 20, "memory": 21, "positions": 22, "interrupted": 130}[kind]


def let_go(error: BaseException | None) -> None:
    """Drop the frames that an error came through, which keep all that a search had in memory, before it is stored."""
    if error is not None:
        error.__traceback__ = error.__context__ = None


class RefusedError(LimitError):
    """A count was not begun, because it is known to be too large for this machine or to take very long.

    kind  'memory' or 'seconds': what is too small
    plan  what it takes, as the JSON object of `plan`; None if that was not computed
    """

    def __init__(self, kind: str, message: str, plan: dict[str, object] | None) -> None:
        super().__init__(kind, message)
        self.plan = plan
        self.exit_code = 21


class DeviceError(PuzzlespaceError):
    """A graphics card, or the program that it ran, failed; the message has the driver's name of the error."""

    exit_code = 70


class SelfCheckError(PuzzlespaceError):
    """An answer, or the ranking behind it, failed a check in the same run; the message says which and how."""

    exit_code = 70


class SelfCheckWarning(UserWarning):
    """A check found that an engine's answer is wrong, and another engine answered; says where the puzzle is saved."""


class PuzzleWarning(UserWarning):
    """A puzzle was read, but its text may be meant in another way; says where and how."""


class TableWarning(UserWarning):
    """A table in the cache folder was damaged or outdated; says what was wrong and what was done about it."""


class Word(str):
    """Text with its place in the file that it was read from (line and column from 1; 0: unknown)."""

    __slots__ = ("column", "line")
    line: int
    column: int

    def __new__(cls, text: str, line: int = 0, column: int = 0) -> Word:
        word = super().__new__(cls, text)
        word.line = line
        word.column = column
        return word


def visible(text: str) -> str:
    """Return the text without terminal control characters: a space for a tab, '?' for any other unprintable one."""
    if text.isprintable():
        return text
    return "".join(each if each.isprintable() or each == "\u3000" else " " if each == "\t" else "?" for each in text)


SHOWN = 100
"""The most characters of a row that an error shows on either side of the place."""


def _blank(character: str) -> str:
    """Return a space as wide as a character is in a terminal."""
    if unicodedata.combining(character):
        return ""
    return "\u3000" if unicodedata.east_asian_width(character) in "WF" else " "


def _shown(name: str) -> str:
    """Return a file's name for error messages: on one line, without its middle part if it is very long."""
    short = name if len(name) <= 2 * SHOWN else f"{name[:SHOWN]}...{name[-SHOWN:]}"
    return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in short)


class FormatError(InputError):
    """An error in a puzzle file: file, line, column, what is wrong, and the row with a caret under the place."""

    def __init__(
        self, problem: str, *, line: int = 0, column: int = 0, file: str = "", row: str = "", hint: str = ""
    ) -> None:
        super().__init__(problem)
        self.problem = problem
        self.line = line
        self.column = column
        self.file = file
        self.row = row
        self.hint = hint

    @classmethod
    def at(cls, word: str, problem: str, hint: str = "") -> FormatError:
        """Return the error for the place that `word` came from; a plain str has no place."""
        return cls(problem, line=getattr(word, "line", 0), column=getattr(word, "column", 0), hint=hint)

    def located(self, file: str, text: str) -> FormatError:
        """Return the same error with the file's name and the row of `text` it points to."""
        rows = text.split("\n")
        row = rows[self.line - 1].rstrip("\r") if 0 < self.line <= len(rows) else ""
        return FormatError(
            self.problem,
            line=self.line,
            column=self.column,
            file=self.file or file,
            row=self.row or row,
            hint=self.hint,
        )

    def __str__(self) -> str:
        place = ":".join([_shown(self.file) or "puzzle", *(str(n) for n in (self.line, self.column) if n)])
        lines = [f"{place}: {self.problem}"]
        if self.row:
            at = max(self.column - 1, 0)
            before, after = visible(self.row[:at][-SHOWN:]), visible(self.row[at:][:SHOWN])
            under = "".join(map(_blank, before))
            lines += [f"  {before}{after}", f"  {under}^"]
        if self.hint:
            lines.append(self.hint)
        return "\n".join(map(visible, lines))
