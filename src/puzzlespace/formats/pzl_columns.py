"""Text columns: the column of each word of a drawn board, and writing words back into their columns.

Words of different lengths may be aligned by their first or by their last letters. The board's columns are those of the
two that have fewer different values, so `8  9  10  11` below `1  2  3  4` is read as it looks.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from ..puzzle.draft import Drawing

TAB = 8
Rows = list[list[int]]


def width(text: str, column: int = 0) -> int:
    """Return the column in which a text that begins in `column` ends, in a terminal.

    Wide characters take two, combining marks none, tabs go up to the next stop.
    """
    for character in text:
        if character == "\t":
            column += TAB - column % TAB
        elif not unicodedata.combining(character):
            column += 2 if unicodedata.east_asian_width(character) in "WF" else 1
    return column


def begins(lead: str, text: str, pattern: str) -> list[int]:
    """Return the column in which each match of `pattern` begins in a text that follows `lead`."""
    found: list[int] = []
    column, end = width(lead), 0
    for match in re.finditer(pattern, text):
        column = width(text[end : match.start()], column)
        found.append(column)
        column, end = width(match.group(), column), match.end()
    return found


def columns(where: Rows, drawing: Drawing) -> tuple[tuple[int, ...], ...]:
    """Return the column of each word, counted from the least; `where` has the column in which each word begins."""
    ends = _ends(where, drawing)
    best = where if not drawing.spaced or _different(where) <= _different(ends) else ends
    least = min(min(row) for row in best)
    return tuple(tuple(column - least for column in row) for row in best)


def _ends(where: Sequence[Sequence[int]], drawing: Drawing) -> Rows:
    """Return the column of the last letter of each word."""
    return [
        [column + width(word) - 1 for column, word in zip(*each, strict=True)]
        for each in zip(where, drawing.rows, strict=True)
    ]


def _different(rows: Sequence[Sequence[int]]) -> int:
    return len({column for row in rows for column in row})


def placed(drawing: Drawing) -> list[str]:
    """Return the rows of a drawn board, from which `columns` returns the same columns."""
    here = drawing.columns
    if fits(drawing, here) and (not drawing.spaced or _different(here) <= _different(_ends(here, drawing))):
        return lay(drawing.rows, here)
    where = [
        [column - width(word) + 1 for column, word in zip(*each, strict=True)]
        for each in zip(here, drawing.rows, strict=True)
    ]
    least = min(min(row) for row in where)
    return lay(drawing.rows, [[column - least for column in row] for row in where])


def fits(drawing: Drawing, where: Sequence[Sequence[int]]) -> bool:
    """Return whether the words of a drawing can begin in these columns without touching."""
    if [len(row) for row in drawing.rows] != [len(row) for row in where]:
        return False
    return all(
        column + width(word) + drawing.spaced <= following
        for row, here in zip(drawing.rows, where, strict=True)
        for word, column, following in zip(row, here, here[1:], strict=False)
    )


def lay(rows: Sequence[Sequence[str]], where: Sequence[Sequence[int]]) -> list[str]:
    """Return rows of text in which each word begins in its column."""
    found: list[str] = []
    for row, here in zip(rows, where, strict=True):
        parts: list[str] = []
        end = 0
        for word, column in zip(row, here, strict=True):
            parts += [" " * (column - end), word]
            end = width(word, max(column, end))
        found.append("".join(parts))
    return found
