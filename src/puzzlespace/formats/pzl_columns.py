"""Text columns: in which one each word of a drawn board stands, and writing words back into their columns.

Words of different lengths may be written with their first or their last letters under each other; the board's columns
are those, of the two, that take fewer different values: so `8  9  10  11` under `1  2  3  4` stands as it looks.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from ..puzzle import Drawing

TAB = 8
Rows = list[list[int]]


def width(text: str) -> int:
    """Return how many columns a text takes in a terminal: wide characters two, marks none, tabs up to the next stop."""
    column = 0
    for character in text:
        if character == "\t":
            column += TAB - column % TAB
        elif not unicodedata.combining(character):
            column += 2 if unicodedata.east_asian_width(character) in "WF" else 1
    return column


def columns(begins: Rows, drawing: Drawing) -> tuple[tuple[int, ...], ...]:
    """Return the column of each word, counted from the least, given where each word begins."""
    ends = _ends(begins, drawing)
    best = begins if not drawing.spaced or _different(begins) <= _different(ends) else ends
    least = min(min(row) for row in best)
    return tuple(tuple(column - least for column in row) for row in best)


def _ends(begins: Sequence[Sequence[int]], drawing: Drawing) -> Rows:
    """Return where the last letter of each word stands."""
    return [
        [column + width(word) - 1 for column, word in zip(*each, strict=True)]
        for each in zip(begins, drawing.rows, strict=True)
    ]


def _different(rows: Sequence[Sequence[int]]) -> int:
    return len({column for row in rows for column in row})


def placed(drawing: Drawing) -> list[str]:
    """Return the rows of a drawn board such that `columns` finds its columns again."""
    here = drawing.columns
    if fits(drawing, here) and (not drawing.spaced or _different(here) <= _different(_ends(here, drawing))):
        return lay(drawing.rows, here)
    begins = [
        [column - width(word) + 1 for column, word in zip(*each, strict=True)]
        for each in zip(here, drawing.rows, strict=True)
    ]
    least = min(min(row) for row in begins)
    return lay(drawing.rows, [[column - least for column in row] for row in begins])


def fits(drawing: Drawing, begins: Sequence[Sequence[int]]) -> bool:
    """Return whether the words of a drawing can begin in these columns without touching."""
    if [len(row) for row in drawing.rows] != [len(row) for row in begins]:
        return False
    return all(
        column + width(word) + drawing.spaced <= following
        for row, here in zip(drawing.rows, begins, strict=True)
        for word, column, following in zip(row, here, here[1:], strict=False)
    )


def lay(rows: Sequence[Sequence[str]], begins: Sequence[Sequence[int]]) -> list[str]:
    """Return rows of text in which each word begins in its column."""
    found: list[str] = []
    for row, here in zip(rows, begins, strict=True):
        text = ""
        for word, column in zip(row, here, strict=True):
            text += " " * (column - width(text)) + word
        found.append(text)
    return found
