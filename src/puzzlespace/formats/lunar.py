"""Cards of Lunar Lockout in one word: the cells of a square board row by row, 25 of them for 5x5.

`_` or `-` is empty, `R` the robot that must stop on the cell in the middle, any other letter another robot. A robot
moves until another one stops it; it may not leave the board. Each row may also be a word of its own.
"""

from __future__ import annotations

import re
from math import isqrt

from ..errors import FormatError, Word
from ..puzzle.draft import BLANK, NOTHING, WILD, Draft, Drawing
from . import grids
from .base import Format, parser

EMPTY, RED = "_-", "R"

SMALLEST, LARGEST = 3, 15
"""The smallest and the largest side of a board; it is odd, so that there is a cell in the middle."""


def fits(text: str) -> bool:
    """Return whether the text is one board of 3x3 or more, with one robot R and an empty cell."""
    if text.count(RED) != 1:  # the quick look first: most large files end here
        return False
    found = re.fullmatch(r"\s*[A-Za-z_-]+(?:[\s/]+[A-Za-z_-]+)*\s*", text)
    letters = re.sub(r"[\s/]", "", text) if found else ""
    side = isqrt(len(letters))
    return side**2 == len(letters) and side >= SMALLEST and not {*EMPTY}.isdisjoint(letters)


def _draft(text: str) -> Draft:
    words = [
        Word(found.group(), line, found.start() + 1)
        for line, row in enumerate(text.split("\n"), 1)
        for found in re.finditer(r"[^\s/]+", row)
    ]
    if not words:
        raise FormatError("expected the letters of a board, found none")
    letters = [Word(letter, word.line, word.column + at) for word in words for at, letter in enumerate(word)]
    side = isqrt(len(letters))
    if len(words) > 1 and any(len(word) != side for word in words):
        raise FormatError.at(words[1], f"expected one board, or {side} rows of {side} letters, found others")
    if side**2 != len(letters) or side % 2 == 0 or not SMALLEST <= side <= LARGEST:
        wanted = f"a square board with a middle, such as 25 letters, from {SMALLEST}x{SMALLEST} to {LARGEST}x{LARGEST}"
        raise FormatError.at(words[0], f"expected {wanted}, found {len(letters)} letters")
    reds = [letter for letter in letters if letter == RED]
    if len(reds) != 1:
        raise FormatError.at((reds or letters)[-1], f"expected one robot {RED}, found {len(reds)}")
    for letter in letters:
        if letter not in EMPTY and not (letter.isascii() and letter.isalpha()):
            raise FormatError.at(letter, f"expected a robot's letter, _ or -, found {str(letter)!r}")
    cells = [Word(BLANK if letter in EMPTY else letter, letter.line, letter.column) for letter in letters]
    return _card(tuple(tuple(cells[at : at + side]) for at in range(0, len(cells), side)))


def _card(rows: tuple[tuple[str, ...], ...]) -> Draft:
    """Return the puzzle of a card."""
    goal = [[WILD] * len(rows) for _ in rows]
    goal[len(rows) // 2][len(rows) // 2] = RED
    return Draft(
        rule="glide",
        count="piece",
        edge="forbidden",
        start=Drawing(rows, spaced=False),
        goals=(Drawing(tuple(map(tuple, goal)), spaced=False),),
    )


def write(draft: Draft) -> str:
    """Return the card in one word. Raises FormatError if the format cannot express the puzzle."""
    bare = grids.matter(draft)
    rows = bare.start.rows if bare.start is not None else ()
    if len(rows) % 2 == 0 or any(len(row) != len(rows) or NOTHING in row for row in rows) or bare != _card(rows):
        raise FormatError(
            f"expected a square board of robots, of which {RED} must stop in the middle, with edge: forbidden, "
            "found another puzzle"
        )
    text = "".join(EMPTY[0] if word == BLANK else word for row in rows for word in row)
    if len(text) != len(rows) ** 2 or _draft(text) != bare:
        raise FormatError(f"expected one robot {RED}, and robots with names of one letter, found others")
    return text + "\n"


FORMAT = Format("lunar", "cards of Lunar Lockout in one word", (".lunar",), parser(_draft), write, fits)
