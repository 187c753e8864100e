"""Rush Hour boards in one word: the letters of a square board row by row, 36 of them for 6x6.

`o` or `.` is empty, `x` a wall, any other letter a car of two or more cells, which moves lengthwise. The car A leaves
at the right end of its row: the goal is reached when it is at the edge. A line of a collection may have the number of
moves before the board and the number of positions after it. Each row may also be on its own line.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from math import isqrt
from string import ascii_uppercase

from ..errors import FormatError, Word
from ..puzzle.draft import BLANK, NOTHING, WILD, Draft, Drawing
from .base import Format, parser

EMPTY, WALL, TARGET = "o", "x", "A"
LETTERS = ascii_uppercase.replace(TARGET, "")
"""The names of other cars if their own letters cannot be used."""

SMALLEST, LARGEST = 3, 16
"""The smallest and the largest side of a board."""

Rows = Sequence[Sequence[str]]


def fits(text: str) -> bool:
    """Return whether the text is one board, perhaps between two numbers, of 5x5 or more, or of 4x4 with a car A.

    Or as many rows as each has letters, with a car A in one of them.
    """
    rows = text.split()
    if len(rows) >= SMALLEST and all(re.fullmatch(f"[A-Za-z.]{{{len(rows)}}}", row) for row in rows):
        return any(TARGET * 2 in row for row in rows)
    found = re.fullmatch(r"\s*(?:\d+\s+)?([A-Za-z.]{16,256})(?:\s+\d+)?\s*", text)
    if found is None or isqrt(len(found[1])) ** 2 != len(found[1]):
        return False
    board = found[1]
    return TARGET * 2 in board or (
        len(board) > 16 and not board.islower() and any(sign in board for sign in EMPTY + BLANK)
    )


def _draft(text: str) -> Draft:
    rows = _rows(text)
    cars = _cars(rows)
    if TARGET not in cars:
        raise FormatError.at(rows[0][0], f"expected a car {TARGET} that leaves at the right, found none")
    ((y, _), *_) = cars[TARGET]
    if any(row != y for row, _ in cars[TARGET]):
        raise FormatError.at(
            rows[y][cars[TARGET][0][1]], f"expected the car {TARGET} in one row, found it in one column"
        )
    out = len(rows) - len(cars[TARGET])
    walls = [[NOTHING if word == NOTHING else WILD for word in row] for row in rows]
    if NOTHING in walls[y][out:]:
        raise FormatError.at(rows[y][-1], f"expected a way out at the right of the car {TARGET}, found a wall")
    walls[y][out:] = [TARGET] * len(cars[TARGET])
    return Draft(
        rule="slide",
        along=True,
        count="run",
        blocks="all",
        start=Drawing(tuple(map(tuple, rows)), spaced=False),
        goals=(Drawing(tuple(map(tuple, walls)), spaced=False),),
    )


def _rows(text: str) -> list[list[Word]]:
    """Return the rows of the board, with the blanks and walls of drawings. Raises FormatError."""
    words = [word for line, row in enumerate(text.split("\n"), 1) for word in _words(row, line)]
    boards = [word for word in words if not word.isdecimal()]
    if not boards:
        raise FormatError("expected the letters of a board, found none")
    letters = [Word(letter, word.line, word.column + at) for word in boards for at, letter in enumerate(word)]
    side = isqrt(len(letters))
    if len(boards) > 1 and any(len(word) != side for word in boards):
        raise FormatError.at(boards[1], f"expected one board, or {side} rows of {side} letters, found more")
    if side**2 != len(letters) or not SMALLEST <= side <= LARGEST:
        wanted = f"a square board, such as 36 letters, from {SMALLEST}x{SMALLEST} to {LARGEST}x{LARGEST}"
        raise FormatError.at(boards[0], f"expected {wanted}, found {len(letters)} letters")
    shown = [_cell(letter) for letter in letters]
    return [shown[at : at + side] for at in range(0, len(shown), side)]


def _words(row: str, line: int) -> Iterator[Word]:
    return (Word(word.group(), line, word.start() + 1) for word in re.finditer(r"[^\s/]+", row))


def _cell(letter: Word) -> Word:
    if not (letter.isascii() and letter.isalpha()) and letter != BLANK:
        raise FormatError.at(letter, f"expected a car's letter, {EMPTY}, {BLANK} or {WALL}, found {str(letter)!r}")
    drawn = {EMPTY: BLANK, WALL: NOTHING}.get(letter, str(letter))
    return Word(drawn, letter.line, letter.column)


def _cars(rows: Rows) -> dict[str, list[tuple[int, int]]]:
    """Return (row, column) of every car's cells; raise FormatError unless they are two or more in a line."""
    cars: dict[str, list[tuple[int, int]]] = {}
    for y, row in enumerate(rows):
        for x, word in enumerate(row):
            if word not in (BLANK, NOTHING):
                cars.setdefault(str(word), []).append((y, x))
    for letter, cells in cars.items():
        (y, x), *_ = cells
        along = [[(y, x + k) for k in range(len(cells))], [(y + k, x) for k in range(len(cells))]]
        if len(cells) < 2 or cells not in along:
            found = "one cell" if len(cells) < 2 else "another shape"
            raise FormatError.at(
                rows[y][x], f"expected the car {letter} to be two or more cells in a line, found {found}"
            )
    return cars


def write(draft: Draft) -> str:
    """Return the board in one word; `parse` reads the same puzzle.

    Letters are kept if the car that leaves is A and every letter can be used; otherwise all cars are renamed. Raises
    FormatError if the format cannot express the puzzle.
    """
    if draft.rule != "slide" or not draft.along or draft.start is None or draft.gates is not None or draft.board:
        raise _cannot("another puzzle")
    rows = [[NOTHING if word in draft.fixed else str(word) for word in row] for row in draft.start.rows]
    if any(len(row) != len(rows) for row in rows) or not SMALLEST <= len(rows) <= LARGEST:
        raise _cannot("a board that is not square")
    cars = _cars(rows)
    if draft.blocks != "all" and not cars.keys() <= set(draft.blocks):
        raise _cannot("pieces of one cell")
    names = _names(cars, _target(draft, rows)) | {BLANK: EMPTY, NOTHING: WALL}
    return "".join(names[word] for row in rows for word in row) + "\n"


def _names(cars: Collection[str], target: str) -> dict[str, str]:
    """Return the letter to write for each car."""
    stand = all(len(car) == 1 and car.isascii() and car.isalpha() and car not in (EMPTY, WALL) for car in cars)
    if stand and target == TARGET:
        return {car: car for car in cars}
    others = [car for car in cars if car != target]
    if len(others) >= len(LETTERS):
        raise _cannot(f"{len(cars)} cars")
    return {target: TARGET} | dict(zip(others, LETTERS, strict=False))


def _target(draft: Draft, rows: Rows) -> str:
    """Return the letter of the car that the goal puts at the right edge."""
    goal = draft.goals[0] if len(draft.goals) == 1 else None
    if isinstance(goal, Drawing):
        shown = [[WILD if word in (NOTHING, *draft.fixed) else str(word) for word in row] for row in goal.rows]
        letters = {word for row in shown for word in row} - {WILD}
        if len(letters) == 1:
            (letter,) = letters
            row = next(row for row in rows if letter in row)
            cells = row.count(letter)
            wanted = [[WILD] * len(rows) for _ in rows]
            wanted[rows.index(row)][len(rows) - cells :] = [letter] * cells
            if shown == wanted:
                return letter
    raise _cannot("another goal")


def _cannot(found: str) -> FormatError:
    return FormatError(f"expected a square board of cars, one of which leaves at the right, found {found}")


parse = parser(_draft)

FORMAT = Format("rushhour", "Rush Hour board in one word", (".rush", ".rushhour"), parse, write, fits)
