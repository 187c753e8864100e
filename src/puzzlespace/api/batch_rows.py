"""The rows of a batch: one position a line, in our own or other programs' notation, or in a column of a CSV file."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from ..errors import FormatError, InputError, Word
from ..puzzle.draft import BLANK
from ..puzzle.plain import blank_sign, opened
from ..puzzle.puzzle import Puzzle
from . import batch_columns, questions
from .batch_columns import Columns

NUMBER = re.compile(r"\d+(\.\d+)?")


@dataclass(frozen=True)
class BatchRow:
    """A row of a batch.

    text    the position as it is written
    puzzle  the puzzle with this position as its start; None if it cannot be read
    error   why it cannot be read
    """

    line: int
    text: str
    puzzle: Puzzle | None = None
    error: FormatError | None = None


def rows(puzzle: Puzzle, lines: Iterable[str], file: str = "batch", aimed: bool = False) -> Iterator[BatchRow]:
    """Yield each position of a batch. Empty lines, text after ';' and lines that begin with '#' are ignored.

    A first line with names of columns is the header of a CSV file (`batch_columns`). Else a row of numbers may have
    other numbers before and behind the position, such as its own number and the length of a solution: in the same
    places in all rows. In a file whose fields semicolons separate, a semicolon begins no comment.

    aimed  whether the puzzle has a goal that the caller chose; then the file must have no goals
    Raises FormatError if the header does not say where the positions are, or has goals that it must not have.
    """
    reading = _Reading(puzzle)
    listed = list(enumerate(lines, 1))
    content = [(number, row) for number, row in listed if not reading.ignored(row)]
    columns = _columns(puzzle, *content[0], file) if content else None
    if columns is not None:
        header = content[0][0]
        if aimed and columns.goal:
            problem = "expected no column of goals beside the goal that is given"
            raise FormatError(problem, line=header, column=1, file=file, row=content[0][1])
        goals: dict[str, Puzzle] = {}
        if columns.between == ";":
            content[1:] = [(line, row) for line, row in listed[header:] if row.strip() and row.strip()[0] != "#"]
        for number, row in content[1:]:
            yield _row(puzzle, _cut(columns, row, number), row, file, number, columns.goal_in(row), goals)
        return
    parts = [(number, row, _plain(row, number)) for number, row in content]
    reading.settle(part for *_, part in parts)
    for number, row, part in parts:
        yield _row(puzzle, reading.position(part), row, file, number)


def _columns(puzzle: Puzzle, line: int, row: str, file: str) -> Columns | None:
    """Return where the columns of a header have the position; None if the first row is a position."""
    try:
        return batch_columns.columns(puzzle, row)
    except FormatError as error:
        raise FormatError(error.problem, line=line, column=error.column, file=file, row=row, hint=error.hint) from None


def _row(
    puzzle: Puzzle,
    text: Word | FormatError,
    row: str,
    file: str,
    line: int,
    goal: str | None = None,
    goals: dict[str, Puzzle] | None = None,
) -> BatchRow:
    """Return a row that was read.

    goal   the row's goal, if the file has goals
    goals  the puzzle with each goal of earlier rows, which is extended
    """
    try:
        if isinstance(text, FormatError):
            raise text
        if goal is not None and goals is not None:
            puzzle = _with_goal(puzzle, goal, goals)
        return BatchRow(line, str(text), questions.with_start(puzzle, str(text)))
    except InputError as error:
        shown = str(text) if isinstance(text, Word) else row.strip()
        place = getattr(text, "column", 0)
        return BatchRow(line, shown, error=_placed(error, row, file, line, place))


def _with_goal(puzzle: Puzzle, goal: str, goals: dict[str, Puzzle]) -> Puzzle:
    """Return the puzzle with the goal of a row. Raises FormatError."""
    if not goal:
        raise FormatError("expected a goal, found an empty column")
    if goal not in goals:
        try:
            goals[goal] = questions.with_goal(puzzle, goal)
        except InputError as error:
            raise FormatError(f"goal: {getattr(error, 'problem', error)}", hint=getattr(error, "hint", "")) from None
    return goals[goal]


def _placed(error: InputError, row: str, file: str, line: int, begins: int) -> FormatError:
    """Return an error of a position with its place in the file, where the position begins at column `begins`."""
    found = error if isinstance(error, FormatError) else FormatError(str(error).removeprefix("position: "))
    column = max(found.column, 1) + begins - 1 if begins else 0
    return FormatError(found.problem, line=line, column=column, file=file, row=row, hint=found.hint)


def _plain(row: str, line: int) -> Word:
    """Return a row without its comment and outer spaces, with its place."""
    text = row.partition(";")[0].strip()
    return Word(text, line, row.index(text) + 1)


def _cut(columns: Columns, row: str, line: int) -> Word | FormatError:
    """Return the position in a row of a CSV file."""
    try:
        text = columns.position_in(row)
    except IndexError:
        return FormatError("expected as many columns as in the first line, found fewer", line=line, column=1)
    if not text:
        return FormatError("expected a position, found an empty column", line=line, column=1)
    return Word(text, line, row.find(text) + 1)


class _Reading:
    """How the positions of a puzzle are found in rows."""

    def __init__(self, puzzle: Puzzle) -> None:
        self.signs = puzzle.kind.blanks
        self.cells = puzzle.board.cells
        self.symbols = getattr(puzzle.view, "symbols", {})
        self.walled = puzzle.board.rows[0][0] is None
        whole = puzzle.anchor
        self.whole = Counter(puzzle.view.decode(whole)) if whole is not None and self.symbols else None
        self.places: set[int] = set()

    def ignored(self, row: str) -> bool:
        """Return whether a row is empty or a comment; on boards whose first place has no cell '#' begins a position."""
        text = row.partition(";")[0].strip()
        return not text or (text[0] == "#" and not self.walled)

    def settle(self, texts: Iterable[str]) -> None:
        """Find the place of the position in rows of numbers: the one that suits all rows that have one."""
        suits = [places for text in texts if (places := self._suits(_words(text, self.symbols)))]
        self.places = set.intersection(*suits) if suits else set()

    def position(self, text: Word) -> Word | FormatError:
        """Return the position in a row, without the numbers before and behind it."""
        words = _words(text, self.symbols)
        if not self._surrounded(words):
            return text
        suits = self._suits(words)
        places = self.places or suits
        if len(places) > 1 and suits:
            first, last = min(places), max(places)
            return FormatError(
                f"expected {self.cells} numbers, or more in the same places in all rows, found {len(words)}: the "
                f"position may begin at number {first + 1} or at number {last + 1}",
                line=text.line,
                column=1,
            )
        place = next(iter(places), None)
        if place is None or place + self.cells > len(words):
            return text
        begin, end = words[place].column - 1, words[place + self.cells - 1]
        return Word(text[begin : end.column - 1 + len(end)], text.line, text.column + begin)

    def _surrounded(self, words: Sequence[str]) -> bool:
        """Return whether a row is made of numbers, and has more than a position."""
        return len(words) > self.cells and all(
            NUMBER.fullmatch(word) or word == BLANK or word in self.signs for word in words
        )

    def _suits(self, words: Sequence[str]) -> set[int]:
        """Return the places at which a row of more numbers has all pieces of the puzzle."""
        if self.whole is None or not self._surrounded(words):
            return set()
        return {place for place in range(len(words) - self.cells + 1) if self._whole(words[place:][: self.cells])}

    def _whole(self, words: Sequence[str]) -> bool:
        try:
            sign = blank_sign(words, self.symbols, self.signs)
        except FormatError:
            return False
        return Counter(BLANK if word == sign else str(word) for word in words) == self.whole


def _words(text: str, symbols: Iterable[str]) -> list[Word]:
    """Return the words of a row with their columns; commas separate words like spaces."""
    plain = opened(text, list(symbols))
    return [Word(word.group(), 1, word.start() + 1) for word in re.finditer(r"\S+", plain)]
