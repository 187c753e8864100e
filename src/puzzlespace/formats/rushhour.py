"""Rush Hour boards: the letters of the cells row by row, one word for a square board, 36 letters for 6x6.

`.`, `o`, `0`, `-` or `_` is blank, `x` or `#` a wall, any other letter a car of two or more cells, which moves
lengthwise. Upper and lower case are different letters. The red car leaves at the right end of its row: the goal is
reached when it is at the edge. `red_cars` says which car that is.

Rows may be on lines or separated by `/` or spaces; then the board need not be square. Letters may have spaces between.
A line of a collection may have the number of moves before the board and the number of positions after it.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from contextlib import suppress
from itertools import product
from string import ascii_letters, ascii_uppercase

from ..errors import FormatError
from ..puzzle.draft import BLANK, NOTHING, WILD, Draft, Drawing
from .base import Format, parser
from .red_cars import EMPTY, RED, SIGNS, TARGET, WALL, Cells, Rows, across, cells_of, meaning, straight
from .rush_rows import LARGEST, SMALLEST, rows_of

LETTERS = [letter for letter in ascii_uppercase + ascii_letters[:26] if letter not in (EMPTY, *RED)]
"""The names of other cars if their own letters cannot be used."""

LONGEST = 1000
"""The most characters of a text that can be one board."""


def fits(text: str) -> bool:
    """Return whether the text is one board in which half of the letters or more are cars.

    One of these lies in a row and may be the red one, unless the board is one word of more than 16 letters. A board in
    one word has 16 or more. Two boards with an empty line between are not one.
    """
    if len(text) > LONGEST or re.search(r"\S[^\S\n]*\n\s*\n", text.rstrip()):
        return False
    try:
        letters = [word for row in rows_of(text) for word in row]
    except FormatError:
        return False
    first, last = letters[0], letters[-1]
    single = first.line == last.line and last.column - first.column == len(letters) - 1
    if (single and len(letters) < 16) or sum(letter not in SIGNS for letter in letters) > (len(letters) > 16):
        return False
    cells = cells_of(rows_of(text))
    cars = [letter for letter, where in cells.items() if letter != EMPTY and straight(where)]
    if 2 * len(cars) < max(1, len(cells.keys() - {EMPTY, WALL})):
        return False
    return (single and len(letters) > 16) or any(letter in RED and across(cells[letter]) for letter in cars)


def _draft(text: str) -> Draft:
    written = rows_of(text)
    read = meaning(written)
    _check_cars(read.rows)
    (y, *_), *others = read.cells[read.red]
    size = 1 + len(others)
    goal = [[NOTHING if word == NOTHING else WILD for word in row] for row in read.rows]
    if NOTHING in goal[y][-size:]:
        raise FormatError.at(written[y][-1], f"expected a way out at the right of the car {read.red}, found a wall")
    goal[y][-size:] = [read.red] * size
    return Draft(
        rule="slide",
        along=True,
        count="run",
        blocks="all",
        start=Drawing(tuple(map(tuple, read.rows)), spaced=False),
        goals=(Drawing(tuple(map(tuple, goal)), spaced=False),),
        diagnostics=read.diagnostics,
    )


def _check_cars(rows: Rows) -> Cells:
    """Return the cells of every car; raise FormatError unless they are two or more in a line."""
    cells = cells_of(rows)
    for letter, where in cells.items():
        if not straight(where):
            y, x = where[0]
            found = "one cell" if len(where) == 1 else "another shape"
            raise FormatError.at(
                rows[y][x], f"expected the car {letter} to be two or more cells in a line, found {found}"
            )
    return cells


def write(draft: Draft) -> str:
    """Return the board in one word, or rows separated by '/' unless it is square; `parse` reads the same puzzle.

    Letters are kept if the format then reads the same cars and the same red one; otherwise all cars are renamed. Raises
    FormatError if the format cannot express the puzzle.
    """
    if draft.rule != "slide" or not draft.along or draft.start is None or draft.gates is not None or draft.board:
        raise _cannot("another puzzle")
    if draft.changes or draft.ground or draft.parts:
        raise _cannot("another puzzle")
    rows = [[NOTHING if word in draft.fixed else str(word) for word in row] for row in draft.start.rows]
    sides = {len(rows), *map(len, rows)}
    if len({*map(len, rows)}) != 1 or not all(SMALLEST <= side <= LARGEST for side in sides):
        raise _cannot(f"rows of other lengths than {SMALLEST} to {LARGEST}")
    cars = _check_cars(rows)
    if draft.blocks != "all" and not cars.keys() <= set(draft.blocks):
        raise _cannot("pieces of one cell")
    red = _target(draft, rows)
    for names, wall, blank in product(_namings(cars, red), (WALL, NOTHING), (EMPTY, BLANK)):
        drawn = [[names.get(word, word) for word in row] for row in rows]
        text = ("" if len(sides) == 1 else "/").join("".join(row) for row in drawn)
        text = text.replace(BLANK, blank).replace(NOTHING, wall)
        with suppress(FormatError):
            again = meaning(rows_of(text))
            if again.red == names[red] and again.rows == drawn:
                return text + "\n"
    raise _cannot(f"{len(cars)} cars")


def _namings(cars: Collection[str], red: str) -> list[dict[str, str]]:
    """Return the letters to write for the cars: their own ones if they are letters, and others."""
    others = [car for car in cars if car != red]
    found = [{car: car for car in cars}] if all(car in SIGNS and car.isalpha() for car in cars) else []
    if len(others) <= len(LETTERS):
        found.append({red: TARGET} | dict(zip(others, LETTERS, strict=False)))
    return found


def _target(draft: Draft, rows: Rows) -> str:
    """Return the letter of the car that the goal puts at the right edge."""
    goal = draft.goals[0] if len(draft.goals) == 1 else None
    if isinstance(goal, Drawing):
        shown = [[WILD if word in (NOTHING, *draft.fixed) else str(word) for word in row] for row in goal.rows]
        letters = {word for row in shown for word in row} - {WILD}
        if len(letters) == 1:
            (letter,) = letters
            row = next(row for row in rows if letter in row)
            wanted = [[WILD] * len(each) for each in rows]
            wanted[rows.index(row)][-row.count(letter) :] = [letter] * row.count(letter)
            if shown == wanted:
                return letter
    raise _cannot("another goal")


def _cannot(found: str) -> FormatError:
    return FormatError(f"expected a board of cars, one of which leaves at the right, found {found}")


parse = parser(_draft)

FORMAT = Format("rushhour", "Rush Hour board in one word", (".rush", ".rushhour"), parse, write, fits)
