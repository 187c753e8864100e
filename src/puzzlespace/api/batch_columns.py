"""The header of a batch: which columns have the positions, and which the goals.

A position is in one column, or in one column for each cell: numbered from 0 or 1 in reading order, or with the names of
the cells. What is numbered or named is placed by its number or name, in whatever order the columns are.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass

from ..errors import FormatError, InputError
from ..puzzle.board import Board
from ..puzzle.diagnostics import listening
from ..puzzle.puzzle import Puzzle
from . import questions

COLUMNS = ("position", "start", "board", "state", "tiles")
"""Names of columns that have positions."""

GOALS = ("goal", "target")
"""Names of columns that have goals."""

NAMED = re.compile(r"([a-z]+)s?(?:[ _-]?(?:position|board|state|tiles))?(?:[ _]*[(\[].*)?")
"""The name of a column: its first word, perhaps with one of the others, and a remark in brackets."""

NUMBERED = re.compile(r"([a-z][a-z _.-]*?)[ _.-]?\[?(\d+)\]?")
PLACED = re.compile(r"(?:r|row)[ _-]?(\d+)[ _,-]?(?:c|col|column)[ _-]?(\d+)")
WORDS = re.compile(r"[^\W\d][\w .()\[\]-]*")

NAMES = f"a column of positions is named {', '.join(COLUMNS)}; columns of cells are named t0, t1, … or as the cells"


@dataclass(frozen=True)
class Columns:
    """Where a row has its position and its goal: the numbers of the fields, () for no goal.

    between  what separates fields: ',', ';', a tab, or spaces
    """

    between: str
    position: tuple[int, ...]
    goal: tuple[int, ...] = ()

    def position_in(self, row: str) -> str:
        """Return the position in a row. Raises IndexError if the row is too short."""
        return self._text(row, self.position)

    def goal_in(self, row: str) -> str | None:
        """Return the goal in a row; None if the file has no goals. Raises IndexError if the row is too short."""
        with suppress(IndexError):  # then the position is missing too, or the goal is
            return self._text(row, self.goal) if self.goal else None
        return ""

    def _text(self, row: str, numbers: Sequence[int]) -> str:
        fields = split(row, self.between)
        return " ".join(fields[number].partition(";")[0].strip() for number in numbers).strip()


def split(row: str, between: str) -> list[str]:
    """Return the fields of a row."""
    if between == " ":
        return row.split()
    return next(csv.reader([row], delimiter=between, skipinitialspace=between != "\t"), [])


def columns(puzzle: Puzzle, row: str) -> Columns | None:
    """Return what the first row of a batch says about the columns; None if it is no header but a position.

    Raises FormatError if it is a header that does not say where the positions are, or not in one way.
    """
    between, shown = _fields(row.removeprefix("\ufeff"))
    names = [name.lower() for name in shown]
    symbols = getattr(puzzle.view, "symbols", {})
    if not names or any(name in symbols for name in (*names, *shown)):
        return None
    if ";" in row and _is_position(puzzle, row):
        return None  # the rest is a comment
    found = [*_single(names, COLUMNS), *_cells(names, puzzle.board)]
    goals = [*_single(names, GOALS), *_numbered(names, puzzle.board, goals=True)]
    if not found and not goals and not (_like_names(names) and not _is_position(puzzle, row, shown[0])):
        return None
    for what, several in (("position", found), ("goal", goals)):
        if len(several) > 1:
            first = " and ".join(repr(shown[each[0]]) for each in several)
            raise FormatError(f"expected one column with the {what}, found {first}", column=1)
    if not found:
        raise FormatError(
            f"expected the name of a column with the position, found {', '.join(shown)}", column=1, hint=NAMES
        )
    return Columns(between, found[0], goals[0] if goals else ())


def _fields(row: str) -> tuple[str, list[str]]:
    """Return what separates the fields of a header, and the fields; spaces only separate names of cells."""
    bare = row.partition(";")[0]
    between = next((each for each in ("\t", ",") if each in bare), ";" if ";" in row else " ")
    fields = [field.strip() for field in split(row if between == ";" else bare, between)]
    if between == " " and not all(_is_cell(field.lower()) for field in fields):
        return ",", [row.strip()]
    return between, fields


def _is_cell(name: str) -> bool:
    return bool(NUMBERED.fullmatch(name) or PLACED.fullmatch(name))


def _like_names(names: Sequence[str]) -> bool:
    """Return whether fields look like names of columns, of which there are several."""
    return len(names) > 1 and (all(map(WORDS.fullmatch, names)) or sum(map(_is_cell, names)) > len(names) // 2)


def _single(names: Sequence[str], known: Sequence[str]) -> Iterator[tuple[int, ...]]:
    """Yield the columns of one of the known names."""
    for number, name in enumerate(names):
        named = NAMED.fullmatch(name)
        if named is not None and (named[1] in known or named[1].removesuffix("s") in known):
            yield (number,)


def _cells(names: Sequence[str], board: Board) -> Iterator[tuple[int, ...]]:
    """Yield the columns of the cells, in the order of the cells, of each group of columns that has all of them."""
    cells = {name.lower(): cell for cell, name in enumerate(board.names)}
    named = {cells[name]: number for number, name in enumerate(names) if name in cells}
    placed = _placed(names, board)
    if board.cells > 1 and len(named) == board.cells:
        yield tuple(named[cell] for cell in range(board.cells))
    elif len(placed) == board.cells:
        yield tuple(placed[cell] for cell in range(board.cells))
    else:
        yield from _numbered(names, board, goals=False)


def _placed(names: Sequence[str], board: Board) -> dict[int | None, int]:
    """Return the column of each cell whose row and column are named, from 0 or 1: `r0c0`, `row 1 col 2`.

    A place without a cell is None.
    """
    places = {number: found for number, name in enumerate(names) if (found := PLACED.fullmatch(name))}
    first = [min((int(found[part]) for found in places.values()), default=0) for part in (1, 2)]
    cells: dict[int | None, int] = {}
    for number, found in places.items():
        row, column = (int(found[part + 1]) - min(first[part], 1) for part in (0, 1))
        inside = row < len(board.rows) and column < len(board.rows[row])
        cells[board.rows[row][column] if inside else None] = number
    return cells if len(cells) == len(places) else {}


def _numbered(names: Sequence[str], board: Board, *, goals: bool) -> Iterator[tuple[int, ...]]:
    """Yield the columns of the cells of each group with one word and the numbers of the cells, by these numbers.

    goals  whether these are the goals' columns, or those of positions
    Raises FormatError if a group has as many columns as the board has cells, or is the goal's, but has other numbers.
    """
    groups: dict[str, list[tuple[int, int]]] = {}
    for number, name in enumerate(names):
        found = NUMBERED.fullmatch(name)
        if found is not None:
            groups.setdefault(found[1], []).append((int(found[2]), number))
    for prefix, group in groups.items():
        if (prefix in (*GOALS, "g")) != goals or not (goals or len(group) == board.cells):
            continue
        if sorted(number for number, _ in group) not in ([*range(board.cells)], [*range(1, board.cells + 1)]):
            raise FormatError(
                f"expected columns {prefix}0 to {prefix}{board.cells - 1}, or {prefix}1 to {prefix}{board.cells}, "
                f"each once, found {', '.join(f'{prefix}{number}' for number, _ in group)}",
                column=1,
            )
        yield tuple(column for _, column in sorted(group))


def _is_position(puzzle: Puzzle, *texts: str) -> bool:
    """Return whether one of the texts can be read as a position or as moves."""
    for text in texts:
        with suppress(InputError), listening(lambda _: None):
            questions.with_start(puzzle, text.partition(";")[0].strip())
            return True
    return False
