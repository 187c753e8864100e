"""What the letters of a Rush Hour board mean: blanks, walls, cars, and which car is the red one, that must leave.

The red car is X, `x`, R or `r` if it lies in a row, or else A. If several of them lie in rows, the one in the row of
the exit is meant: the third of six, the middle row of other boards.

`x` that is not the red car is a wall in each of its cells. If these are in a line and other cars have lower-case
letters too, it is a car. `o` is a car if its cells are in a line, blanks have another sign, and other cars have
lower-case letters.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from string import ascii_letters

from ..errors import FormatError, Word
from ..puzzle.diagnostics import Diagnostic
from ..puzzle.draft import BLANK, NOTHING

EMPTY, WALL, TARGET = "o", "x", "A"
BLANKS = f"{BLANK}0-_"
"""The signs of a blank besides `o`."""

SIGNS = ascii_letters + BLANKS + NOTHING
RED = {"X": 0, "x": 0, "R": 1, "r": 1, TARGET: 2}
"""The letters of the red car; a lower number is the more usual letter if both occur."""

USUAL = 6
"""The side of the boards whose exit is known."""

Rows = Sequence[Sequence[str]]
Cells = dict[str, list[tuple[int, int]]]
"""(row, column) of the cells with each letter."""


@dataclass(frozen=True)
class Meaning:
    """A board that was read: blanks, walls and cars in the signs of drawings.

    red          the letter of the red car
    diagnostics  which car is red, and what else could be meant
    """

    rows: list[list[Word]]
    cells: Cells
    red: str
    diagnostics: tuple[Diagnostic, ...]


def cells_of(rows: Rows) -> Cells:
    """Return the cells of every letter."""
    cells: Cells = {}
    for y, row in enumerate(rows):
        for x, word in enumerate(row):
            if word not in BLANKS and word != NOTHING:
                cells.setdefault(str(word), []).append((y, x))
    return cells


def straight(where: Sequence[tuple[int, int]]) -> bool:
    """Return whether cells in reading order are two or more side by side in a row or a column."""
    steps = {(y - b, x - a) for (b, a), (y, x) in zip(where, where[1:], strict=False)}
    return steps in ({(0, 1)}, {(1, 0)})


def across(where: Sequence[tuple[int, int]]) -> bool:
    """Return whether they are so in a row."""
    return straight(where) and where[0][0] == where[-1][0]


def meaning(written: Sequence[Sequence[Word]]) -> Meaning:
    """Return what the letters of a board mean. Raises FormatError if the red car cannot be told."""
    for letter in (letter for row in written for letter in row):
        if letter not in SIGNS:
            wanted = f"a car's letter, a blank (o {' '.join(BLANKS)}) or a wall (x {NOTHING})"
            raise FormatError.at(letter, f"expected {wanted}, found {str(letter)!r}")
    blanks, told = _blank_or_car(written)
    drawn = [[_renamed(word, dict.fromkeys(blanks, BLANK)) for word in row] for row in written]
    red, doubt = _red(drawn)
    wall, more = _wall_or_car(drawn, red)
    rows = [[_renamed(word, dict.fromkeys(wall, NOTHING)) for word in row] for row in drawn]
    return Meaning(rows, cells_of(rows), red, (*doubt, *told, *more))


def _renamed(word: str, names: dict[str, str]) -> Word:
    return Word(names.get(word, word), getattr(word, "line", 0), getattr(word, "column", 0))


def _blank_or_car(rows: Rows) -> tuple[str, tuple[Diagnostic, ...]]:
    """Return the signs of blanks, and what is said about `o`."""
    where = cells_of(rows).get(EMPTY, [])
    others = dict.fromkeys(str(word) for row in rows for word in row if word in BLANKS)
    if not where or not others:
        return EMPTY + BLANKS, ()
    word, shape = rows[where[0][0]][where[0][1]], straight(where)
    signs = f"blanks are {' '.join(others)} too"
    if not _lower(rows):
        said = f"{EMPTY} was read as a blank; {signs}"
        return EMPTY + BLANKS, (Diagnostic.at(word, "blank-or-car", said),) if shape else ()
    if shape:
        said = f"{EMPTY} was read as a car, because {signs[:-4]} and other cars have lower-case letters"
        return BLANKS, (Diagnostic.at(word, "blank-or-car", said, severity="note"),)
    said = f"{EMPTY} was read as a blank, because its cells are not two or more in a line; {signs}"
    return EMPTY + BLANKS, (Diagnostic.at(word, "blank-or-car", said),)


def _wall_or_car(rows: Rows, red: str) -> tuple[str, tuple[Diagnostic, ...]]:
    """Return the letter of walls, '' if `x` is a car, and what is said about it."""
    where = cells_of(rows).get(WALL, [])
    if red == WALL or not straight(where):
        return ("" if red == WALL else WALL), ()
    word = rows[where[0][0]][where[0][1]]
    if not _lower(rows):
        said = f"{WALL} was read as walls, because cars have upper-case letters"
        return WALL, (Diagnostic.at(word, "wall-or-car", said, severity="note"),)
    said = f"{WALL} was read as a car, because its cells are in a line and other cars have lower-case letters"
    return "", (Diagnostic.at(word, "wall-or-car", said, f"walls may be written {NOTHING}"),)


def _lower(rows: Rows) -> bool:
    """Return whether cars have lower-case letters besides `x`, `o`, and `r`, which is used for the red car only."""
    return any(letter.islower() for letter in cells_of(rows).keys() - {WALL, EMPTY, "r"})


def _red(rows: Rows) -> tuple[str, tuple[Diagnostic, ...]]:
    """Return the letter of the red car and what is said about it; raise FormatError if there is none or several."""
    cells = cells_of(rows)
    lying = [letter for letter in RED if across(cells.get(letter, ()))]
    usual = len(rows) == USUAL and all(len(row) == USUAL for row in rows)
    exit_row = (len(rows) - 1) // 2
    inside = [letter for letter in lying if cells[letter][0][0] == exit_row]
    meant = inside or (lying if usual else _likely(lying, _lower(rows)))
    if not meant:
        raise _none(rows, cells)
    if len(meant) > 1:
        raise _several(rows, cells, meant, f"row {exit_row + 1}, the row of the exit" if inside else "rows")
    (red,) = meant
    (y, x), *_ = cells[red]
    word, said = rows[y][x], f"red car {red} to the right edge of row {y + 1}"
    told = [Diagnostic.at(word, "red-car", said, severity="note")]
    rivals = [each for each in lying if RED[each] < RED[red] or (each != red and not inside)]
    if WALL in rivals and inside and not _lower(rows):
        rivals.remove(WALL)
    if rivals:
        said = f"expected one car that may be the red one, found {', '.join(rivals)} and {red}: {red} was taken"
        told.append(Diagnostic.at(word, "several-red-cars", said))
    if usual and not inside:
        said = f"expected the red car in row {exit_row + 1}, the row of the exit, found {red} in row {y + 1}"
        told.append(Diagnostic.at(word, "red-car-row", said))
    return red, tuple(told)


def _likely(lying: Sequence[str], lower: bool) -> Sequence[str]:
    """Return the letters that are likelier the red car if the row of the exit is not known."""
    named = [letter for letter in lying if letter != TARGET and (letter != WALL or lower)]
    return named or [letter for letter in lying if letter != WALL] or lying


def _none(rows: Rows, cells: Cells) -> FormatError:
    wanted = f"a red car ({', '.join([*RED][:-1])} or {TARGET}) in one row"
    upright = next((letter for letter in RED if letter in cells and straight(cells[letter])), None)
    if upright is None:
        return FormatError.at(rows[0][0], f"expected {wanted}, found none")
    y, x = cells[upright][0]
    return FormatError.at(rows[y][x], f"expected {wanted}, found {upright} in one column")


def _several(rows: Rows, cells: Cells, meant: Sequence[str], where: str) -> FormatError:
    y, x = cells[meant[1]][0]
    found = f"{', '.join(meant[:-1])} and {meant[-1]} in {where}"
    hint = "give the cars that are not red other letters"
    if WALL in meant:
        hint += f"; walls may be written {NOTHING}"
    return FormatError.at(rows[y][x], f"expected one red car, found {found}", hint)
