"""Drawings in texts, and the words of a drawing fitted to the cells of a board."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..errors import FormatError, Word, plural
from .board import Board, without_beside
from .draft import NOTHING, WILD, Drawing


def fit(board: Board, drawing: Drawing) -> tuple[str, ...]:
    """Return the words of a drawing, one for each cell of a board; raise FormatError if it does not fit the board.

    Cells that are not on the board have the word '*' if the drawing leaves their rows out.
    """
    rows = [row for row in drawing.rows if row]
    if board.beside and len(rows) < len(board.rows) and not (len(rows) == 1 and len(rows[0]) == board.cells):
        return (*fit(without_beside(board), drawing), *(WILD,) * board.beside)
    if len(rows) == 1 and len(board.rows) > 1 and len(rows[0]) == board.cells:
        return rows[0]
    if len(rows) == 1 < len(board.rows) and len(rows[0]) > max(map(len, board.rows)):
        found = f"one of {len(rows[0])}"
        raise FormatError.at(
            rows[0][0],
            f"expected {plural(len(board.rows), 'row')}, or one of {plural(board.cells, 'place')}, found {found}",
        )
    if len(rows) != len(board.rows):
        raise FormatError.at(_first(rows), f"expected {plural(len(board.rows), 'row')}, found {len(rows)}")
    words: list[str] = []
    for number, (row, cells) in enumerate(zip(rows, board.rows, strict=True), 1):
        written = row
        if not board.grid:
            row = tuple(word for word in row if word != NOTHING)
        if len(row) != len(cells):
            last = row[min(len(row), len(cells) + 1) - 1] if row else written[0]
            raise FormatError.at(last, f"expected {len(cells)} places in row {number}, found {len(row)}")
        for word, cell in zip(row, cells, strict=True):
            if (word == NOTHING) != (cell is None):
                wanted = "'#' (no cell here)" if cell is None else "a cell's symbol (there is a cell here)"
                raise FormatError.at(word, f"expected {wanted}, found {word!r}")
            if cell is not None:
                words.append(word)
    return tuple(words)


def drawing_of(text: str, narrow: int = 0) -> Drawing:
    """Return the drawing in a text: words separated by spaces if some row has spaces, else one character per cell.

    narrow  the number of rows if the board is one cell wide, else 0: then each row is one word, perhaps with a '#'
    """
    rows = [
        (number, row)
        for number, line in enumerate(text.split("\n"), 1)
        for row in re.finditer(r"[^/]*[^/\s][^/]*", line)
    ]
    spaced = any(len(row.group().split()) > 1 for _, row in rows) or len(rows) == narrow
    each = re.compile(r"\S+" if spaced else r"\S")
    words = tuple(
        tuple(Word(word.group(), number, row.start() + word.start() + 1) for word in each.finditer(row.group()))
        for number, row in rows
    )
    if len(rows) == narrow and all(len(row) == 2 and row[1] == NOTHING for row in words):
        words = tuple(row[:1] for row in words)
    return Drawing(words, spaced)


def _first(rows: Sequence[Sequence[str]]) -> str:
    return rows[0][0] if rows else ""
