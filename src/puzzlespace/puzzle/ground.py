"""The ground of a board of squares, as `ground:` draws it: walls between cells, stop cells and deflectors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise

from ..errors import FormatError, Word
from .board import Board

Place = tuple[int, int]
"""(column, row) of a square, also outside the board."""

CORNER, OPEN, ACROSS, ALONG = "+", " .", "|", "-"
STOP, NO_CELL = "o", "#"
TURNS = {"/": lambda x, y: (-y, -x), "\\": lambda x, y: (y, x)}
"""For each deflector the direction (columns, rows) after it of a piece that comes in a direction."""


@dataclass(frozen=True)
class Floor:
    """What lies on and between the squares.

    walls       pairs of neighbouring places in ascending order; one of them may lie outside the board
    stops       the stop cells
    deflectors  the sign of each cell that has a deflector
    letters     the letter under each cell, if letters are drawn
    rows        the drawing of walls, stop cells and deflectors
    """

    walls: frozenset[tuple[Place, Place]] = frozenset()
    stops: frozenset[int] = frozenset()
    deflectors: Mapping[int, str] = field(default_factory=dict[int, str], hash=False)
    letters: Mapping[int, str] = field(default_factory=dict[int, str], hash=False)
    rows: tuple[str, ...] = ()

    @property
    def segments(self) -> tuple[tuple[Place, Place], ...]:
        """The ends of each wall as corners of squares: (0, 0) is the top left corner of the first place."""
        return tuple(
            (there, (there[0], there[1] + 1) if here[1] == there[1] else (there[0] + 1, there[1]))
            for here, there in sorted(self.walls)
        )

    def wall(self, place: Place, way: tuple[int, int]) -> bool:
        """Return whether there is a wall between a place and the next one in a direction."""
        other = (place[0] + way[0], place[1] + way[1])
        return (min(place, other), max(place, other)) in self.walls

    def parts(self, board: Board, *cells: int) -> bool:
        """Return whether there is a wall between two of these cells that follow one another, side by side on a grid."""
        if not self.walls:
            return False
        places = [board.places[cell] for cell in cells]
        return any((min(pair), max(pair)) in self.walls for pair in pairwise(places))


NONE = Floor()


@lru_cache(maxsize=64)
def ground_of(board: Board, rows: tuple[str, ...]) -> Floor:
    """Return the ground that the rows of `ground:` draw; raise FormatError at the sign that is wrong.

    Rows of borders and rows of cells alternate, and so do the characters of a row.
    """
    if not rows:
        return NONE
    if not board.grid:
        raise FormatError.at(rows[0], "ground: expected a grid, found a board of lines or links")
    height, width = len(board.rows), max(len(row) for row in board.rows)
    _check_size(rows, height, width)
    walls: set[tuple[Place, Place]] = set()
    stops: set[int] = set()
    deflectors: dict[int, str] = {}
    for number, row in enumerate(rows):
        y, between_rows = divmod(number, 2)[0], number % 2 == 0
        for at, sign in enumerate(row):
            x, between = divmod(at, 2)[0], at % 2 == 0
            if between_rows and between:
                _check(row, at, CORNER)
            elif between_rows:
                if _check(row, at, ALONG + OPEN) == ALONG:
                    walls.add(((x, y - 1), (x, y)))
            elif between:
                if _check(row, at, ACROSS + OPEN) == ACROSS:
                    walls.add(((x - 1, y), (x, y)))
            else:
                cell = board.rows[y][x] if x < len(board.rows[y]) else None
                _check(row, at, OPEN + NO_CELL if cell is None else OPEN + STOP + "".join(TURNS))
                if cell is not None and sign == STOP:
                    stops.add(cell)
                elif cell is not None and sign in TURNS:
                    deflectors[cell] = sign
    return Floor(frozenset(walls), frozenset(stops), deflectors, rows=rows)


def _check_size(rows: Sequence[str], height: int, width: int) -> None:
    """Raise FormatError unless the rows have the height of the board, its width, and begin in one column."""
    if len(rows) != 2 * height + 1:
        raise FormatError.at(
            rows[-1],
            f"ground: expected {2 * height + 1} rows, one for each row of cells and of borders, found {len(rows)}",
        )
    for row in rows:
        if isinstance(row, Word) and isinstance(rows[0], Word) and row.column != rows[0].column:
            raise FormatError.at(
                row,
                "ground: expected every row to begin under the first one",
                "an opening at the left edge is written '.'",
            )
        if len(row) > 2 * width + 1:
            raise FormatError.at(
                _part(row, 2 * width + 1), f"ground: expected at most {2 * width + 1} signs in a row, found {len(row)}"
            )


def _check(row: str, at: int, allowed: str) -> str:
    """Return the sign of a row at a place; raise FormatError if it is not allowed there."""
    if row[at] not in allowed:
        signs = " ".join(sign for sign in allowed if sign != " ")
        if " " in allowed:
            raise FormatError.at(_part(row, at), f"ground: expected {signs} or a space here, found {row[at]!r}")
        raise FormatError.at(_part(row, at), f"ground: expected {signs} here, found {row[at]!r}")
    return row[at]


def _part(row: str, at: int) -> str:
    return Word(row[at], row.line, row.column + at) if isinstance(row, Word) else row[at]
