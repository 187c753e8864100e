"""The rows of a Rush Hour board in a text: numbers before and behind are left out, separators of rows and letters."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from math import isqrt

from ..errors import FormatError, Word
from .red_cars import SIGNS

SMALLEST, LARGEST = 3, 16
"""The smallest and the largest side of a board."""

NUMBER = re.compile(r"0|[1-9]\d{0,11}")
"""A number of moves or positions, before or behind a board."""

Parts = Sequence[Sequence[Word]]
"""The words between line ends and '/'."""


def rows_of(text: str) -> list[list[Word]]:
    """Return the letters of each row of the board. Raises FormatError unless all rows have as many."""
    parts = [part for number, line in enumerate(text.split("\n"), 1) for part in _parts(line, number) if part]
    tried = [_rows(each) for each in _without_numbers(parts)]
    found = next(
        (rows for rows in tried if _regular(rows) and all(letter in SIGNS for r in rows for letter in r)), None
    )
    rows = found or next(filter(_regular, tried), tried[-1])
    if not _regular(rows):
        raise _irregular(rows)
    return rows


def _parts(line: str, number: int) -> Iterator[list[Word]]:
    for part in re.finditer(r"[^/]+", line):
        words = re.finditer(r"\S+", part.group())
        yield [Word(word.group(), number, part.start() + word.start() + 1) for word in words]


def _without_numbers(parts: Parts) -> Iterator[Parts]:
    """Yield the parts as they are, then without a number before, behind, and at both ends."""
    yield parts
    for before, behind in ((1, 0), (0, 1), (1, 1)):
        words = [word for part in parts for word in part]
        ends = [*words[:before], *words[len(words) - behind :]]
        if len(words) > before + behind and all(NUMBER.fullmatch(word) for word in ends):
            left = [[word for word in part if not any(word is end for end in ends)] for part in parts]
            yield [part for part in left if part]


def _rows(parts: Parts) -> list[list[Word]]:
    """Return the letters of each row: of each word, or of each part if its words are letters."""
    words = [word for part in parts for word in part]
    spaced = len(words) > 1 and all(len(word) == 1 for word in words)
    rows = [_letters(part) for part in parts] if spaced else [_letters([word]) for word in words]
    if len(rows) == 1:
        side = isqrt(len(rows[0]))
        if side * side == len(rows[0]):
            return [rows[0][at : at + side] for at in range(0, side * side, side)]
    return rows


def _letters(words: Sequence[Word]) -> list[Word]:
    return [Word(letter, word.line, word.column + at) for word in words for at, letter in enumerate(word)]


def _regular(rows: Sequence[Sequence[Word]]) -> bool:
    lengths = {len(row) for row in rows}
    return len(lengths) == 1 and all(SMALLEST <= side <= LARGEST for side in (len(rows), *lengths))


def _irregular(rows: Sequence[Sequence[Word]]) -> FormatError:
    """Return the error for rows that are no board."""
    if not rows:
        return FormatError("expected the letters of a board, found none")
    width = max((len(row) for row in rows), key=[len(row) for row in rows].count)
    other = next((row for row in rows if len(row) != width), None)
    if other is not None:
        number = next(at for at, row in enumerate(rows, 1) if row is other)
        return FormatError.at(
            other[0], f"expected one board in rows of {width} letters, found {len(other)} letters in row {number}"
        )
    wanted = f"a square board, such as 36 letters, or rows, from {SMALLEST}x{SMALLEST} to {LARGEST}x{LARGEST}"
    found = f"{len(rows[0])} letters" if len(rows) == 1 else f"{len(rows)} rows of {width}"
    return FormatError.at(rows[0][0], f"expected {wanted}, found {found}")
