"""Klotski boards of 4x5 with one 2x2 block in one word, as in collections of Huarong Dao.

Nine hexadecimal digits: the first is the cell (row by row from 0) of the block's upper left corner, the other 32 bits
are up to sixteen pairs, one for each other cell in reading order that no earlier piece covers: 00 empty, 01 a
horizontal block, 10 a vertical one, 11 a single cell. Zeros at the end may be omitted. Klotski is `1A9BF0C00`.

Five digits of base 32 (1-9 and the letters except I, L, O): the number of that code among the codes of all boards with
at least two empty cells, in order. The same board is `4WVE1`.

Twenty letters row by row: equal letters are one piece, `@` or `.` is empty; rows may be separated by `/`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from ..errors import FormatError, Word
from ..puzzle.draft import BLANK, WILD, Draft, Drawing
from .base import Format, parser
from .grids import matter

WIDTH, HEIGHT = 4, 5
CELLS = WIDTH * HEIGHT
PIECES = ((), ((0, 0), (1, 0)), ((0, 0), (0, 1)), ((0, 0),))
"""The cells of the piece of each pair of bits, as (column, row) from its first cell."""

SQUARE = ((0, 0), (1, 0), (0, 1), (1, 1))
CORNERS = tuple(cell for cell in range(CELLS - WIDTH) if cell % WIDTH < WIDTH - 1)
"""Cells where the upper left corner of the 2x2 block can be."""

LETTERS = "ABCDEFGHIJKLMNOPQRST"
DIGITS = "123456789ABCDEFGHJKMNPQRSTUVWXYZ"
CODE = re.compile("[0-9A-Fa-f]{6,9}")
SHORT = re.compile(f"[{DIGITS}]{{5}}")
EMPTY = "@"
NAMES = re.compile(r"[A-Za-z\[@.]+")
"""Pieces of a board in letters; the fourteenth single cell is called [."""


def fits(text: str) -> bool:
    """Return whether the text is a code of six or more digits, a short one with a digit, or a board of letters."""
    word = text.strip()
    code = CODE.fullmatch(word) or SHORT.fullmatch(word)
    return (code is not None and not word.isalpha()) or _letters(word)


def _letters(word: str) -> bool:
    flat = word.replace("/", "")
    return len(flat) == CELLS and not flat.isalpha() and NAMES.fullmatch(flat) is not None


def _draft(text: str) -> Draft:
    found = [(word, line) for line, row in enumerate(text.split("\n"), 1) for word in re.finditer(r"\S+", row)]
    if not found:
        raise FormatError("expected the code of a board, found none")
    words = [Word(word.group(), line, word.start() + 1) for word, line in found]
    if len(words) > 1 and any(len(word) != WIDTH for word in words):
        raise FormatError.at(words[1], f"expected one code, found {str(words[1])[:20]!r} after it")
    cells = _board(words)
    square = _square(cells)
    goal = [WILD] * CELLS
    for column, row in SQUARE:
        goal[(HEIGHT - 2 + row) * WIDTH + 1 + column] = cells[square]
    return Draft(rule="slide", count="piece", blocks="all", start=_drawing(cells), goals=(_drawing(goal),))


def _drawing(cells: Sequence[str]) -> Drawing:
    return Drawing(tuple(tuple(cells[at : at + WIDTH]) for at in range(0, CELLS, WIDTH)), spaced=False)


def _board(words: Sequence[Word]) -> list[str]:
    """Return the letter in each cell."""
    letters = [
        Word(letter, word.line, word.column + at) for word in words for at, letter in enumerate(word) if letter != "/"
    ]
    first = words[0]
    if len(letters) == CELLS:
        for letter in letters:
            if not NAMES.fullmatch(letter):
                raise FormatError.at(letter, f"expected a piece's letter, {EMPTY} or {BLANK}, found {str(letter)!r}")
        return [Word(letter.replace(EMPTY, BLANK), letter.line, letter.column) for letter in letters]
    if len(words) == 1 and SHORT.fullmatch(first.upper()):
        return _filled(first, _unranked(first))
    if len(words) == 1 and re.fullmatch("[0-9A-Fa-f]{1,9}", first):
        return _filled(first, first.ljust(9, "0"))
    raise FormatError.at(first, f"expected {CELLS} letters, 9 hexadecimal digits or 5 of base 32, found {first[:40]!r}")


def _square(cells: Sequence[str]) -> int:
    """Return the cell of the upper left corner of the one 2x2 block; raise FormatError without one or with two."""
    found = [
        corner
        for corner in CORNERS
        if cells[corner] != BLANK
        and [cell for cell in range(CELLS) if cells[cell] == cells[corner]] == sorted(_cells(corner, SQUARE) or ())
    ]
    if len(found) != 1:
        place = cells[found[1]] if found else cells[0]
        raise FormatError.at(place, f"expected one block of 2x2, found {len(found) or 'none'}")
    return found[0]


def _cells(first: int, shape: Sequence[tuple[int, int]]) -> tuple[int, ...] | None:
    """Return the cells of a piece, or None if it would leave the board."""
    x, y = first % WIDTH, first // WIDTH
    if any(x + column >= WIDTH or y + row >= HEIGHT for column, row in shape):
        return None
    return tuple((y + row) * WIDTH + x + column for column, row in shape)


def _filled(place: Word, code: str) -> list[str]:
    """Return the letters of the board with this code of nine digits, given in reading order."""
    corner = int(code[0], 16)
    if corner not in CORNERS:
        raise FormatError.at(place, f"expected a cell for the corner of the 2x2 block, found the digit {code[0]!r}")
    pairs = [int(code[1:], 16) >> shift & 3 for shift in range(30, -2, -2)]
    owner: dict[int, int] = dict.fromkeys(_cells(corner, SQUARE) or (), corner)
    for cell in range(CELLS):
        if cell in owner:
            continue
        covered = _cells(cell, PIECES[pairs.pop(0)]) if pairs else ()
        if covered is None or any(other in owner for other in covered):
            raise FormatError.at(place, f"expected a board, found a piece in cell {cell} without room in {code!r}")
        owner |= dict.fromkeys(covered, cell)
        owner.setdefault(cell, -1)
    if any(pairs):
        raise FormatError.at(place, f"expected zeros behind the last cell, found more pieces in {code!r}")
    firsts = sorted({first for first in owner.values() if first >= 0})
    return [LETTERS[firsts.index(owner[cell])] if owner[cell] >= 0 else BLANK for cell in range(CELLS)]


class Begun(NamedTuple):
    """A code up to a cell.

    taken  a bit for each covered cell
    empty  the number of cells that must still be empty, at least
    """

    cell: int
    taken: int
    empty: int


@cache
def _ways(begun: Begun) -> int:
    """Return the number of ways to complete a code."""
    if begun.cell == CELLS:
        return int(begun.empty == 0)
    return sum(map(_ways, _after(begun).values()))


def _after(begun: Begun) -> dict[int, Begun]:
    """Return what follows for each pair of bits that is possible in a cell; key -1: it is covered."""
    cell, taken, empty = begun
    ahead = taken >> cell + 1 << cell + 1
    if taken >> cell & 1:
        return {-1: Begun(cell + 1, ahead, empty)}
    found = {0: Begun(cell + 1, ahead, max(0, empty - 1))}
    for pair in (1, 2, 3):
        covered = _cells(cell, PIECES[pair])
        if covered is not None and not any(taken >> other & 1 for other in covered):
            found[pair] = Begun(cell + 1, ahead | sum(1 << other for other in covered if other > cell), empty)
    return found


def _unranked(short: Word) -> str:
    """Return the nine digits of the board with this number. Raises FormatError."""
    left = 0
    for digit in short.upper():
        left = left * len(DIGITS) + DIGITS.index(digit)
    for corner in CORNERS:
        begun = _with_square(corner)
        if left < _ways(begun):
            bits = "".join(f"{pair:02b}" for pair in _pairs(begun, left)).ljust(32, "0")
            return f"{corner:X}{int(bits, 2):08X}"
        left -= _ways(begun)
    raise FormatError.at(short, f"expected the number of one of {boards():,} boards, found {str(short)!r}")


def boards() -> int:
    """Return the number of boards with one 2x2 block and at least two empty cells."""
    return sum(_ways(_with_square(corner)) for corner in CORNERS)


def _with_square(corner: int) -> Begun:
    """Return a code of which only the 2x2 block is known."""
    return Begun(0, sum(1 << cell for cell in _cells(corner, SQUARE) or ()), 2)


def _pairs(begun: Begun, left: int) -> Iterator[int]:
    """Yield the pairs of bits of the board with the number `left` among the completions of a code."""
    while begun.cell < CELLS:
        for pair, after in _after(begun).items():
            if left < _ways(after):
                if pair >= 0:
                    yield pair
                begun = after
                break
            left -= _ways(after)


def write(draft: Draft) -> str:
    """Return the nine digits, or twenty letters if the letters are not in reading order; `parse` reads the same draft.

    Raises FormatError if the format cannot express the puzzle.
    """
    draft = matter(draft)
    cells = [str(word) for row in draft.start.rows for word in row] if draft.start is not None else []
    text = "".join(word.replace(BLANK, EMPTY) for word in cells)
    if len(text) == CELLS == len(cells) and NAMES.fullmatch(text):
        code = _code(cells)
        for each in (code, text):
            if each and _draft(each) == draft:
                return each + "\n"
    raise FormatError("expected a 4x5 board whose one 2x2 block goes to the middle below, found another puzzle")


def _code(cells: Sequence[str]) -> str:
    """Return the nine digits of a board; '' if a piece has another shape."""
    corner = _square(cells)
    bits = ""
    done = {cells[corner]}
    for cell in range(CELLS):
        if cells[cell] in done:
            continue
        where = tuple(other for other in range(CELLS) if cells[other] == cells[cell]) if cells[cell] != BLANK else ()
        pair = next((pair for pair, shape in enumerate(PIECES) if _cells(cell, shape) == where), None)
        if pair is None:
            return ""
        bits += f"{pair:02b}"
        done |= {cells[cell]} - {BLANK}
    return f"{corner:X}{int(bits.ljust(32, '0'), 2):08X}"


parse = parser(_draft)

FORMAT = Format("hrd", "Klotski board of 4x5 in one word", (".hrd",), parse, write, fits)
