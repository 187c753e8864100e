"""Boards: cells, the lines through them, and where they are drawn; grids, hexagons, triangles, any lines or links."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from ..errors import InputError
from ..limits.watch import paced

COMPASS = {
    (1, 0): "right", (-1, 0): "left", (0, 1): "down", (0, -1): "up",
    (1, 1): "down-right", (-1, -1): "up-left", (1, -1): "up-right", (-1, 1): "down-left",
}  # fmt: skip


MOST_STRETCHED = 1 << 16
"""The most cells on stretches of lines: more than a file can have if no line visits a cell twice."""


class BoardJump(NamedTuple):
    """A jump from a cell over another one; the direction is '' unless lines are straight."""

    cell: int
    over: int
    landing: int
    direction: str


@dataclass(frozen=True)
class Board:
    """The cells of a puzzle.

    names     the name of each cell, in reading order
    rows      the drawing: cell numbers row by row, None for a place without a cell
    lines     chains of cells: neighbours on a chain are adjacent, three in a row allow a jump
    grid      whether the cells are squares of a grid; only then directions have names and blocks are possible
    columns   for boards that are not grids: the text column of each cell of each row
    straight  whether lines are straight; False for plain links, which have no direction
    beside    the number of cells at the end that are not on the board: they have rows of their own below it, which
              drawings may leave out
    upright   if each row is a stack, which pictures draw upright, its first cell at the bottom: how wide a stack is,
              in cells; else 0
    """

    names: tuple[str, ...]
    rows: tuple[tuple[int | None, ...], ...]
    lines: tuple[tuple[int, ...], ...]
    grid: bool = True
    columns: tuple[tuple[int, ...], ...] = ()
    straight: bool = True
    beside: int = 0
    upright: int = 0

    @property
    def cells(self) -> int:
        """The number of cells."""
        return len(self.names)

    @property
    def steps(self) -> tuple[tuple[int, int, str], ...]:
        """(cell, neighbour, first direction) for all neighbours, without duplicates; '' if lines are not straight."""
        return tuple((a, b, directions[0]) for (a, b), directions in self.directions.items())

    @cached_property
    def directions(self) -> dict[tuple[int, int], tuple[str, ...]]:
        """For each (cell, neighbour), sorted, the directions of the step: one for each line with this link.

        A direction enters a cell at most once. Lines that are not straight have the direction ''.
        """
        found: dict[tuple[int, int], dict[str, None]] = {}
        for number, line in enumerate(paced(self.stretches)):
            for chain, sense in ((line, "+"), (line[::-1], "-")):
                for a, b in pairwise(chain):
                    found.setdefault((a, b), {})[self._direction(a, b, f"{number}{sense}")] = None
        return {pair: tuple(directions) for pair, directions in sorted(found.items())}

    @cached_property
    def stretches(self) -> tuple[tuple[int, ...], ...]:
        """The longest stretches of lines that visit no cell twice, without duplicates and reverses.

        A line that visits no cell twice is one stretch. Raises InputError if the stretches have too many cells.
        """
        found: dict[tuple[int, ...], None] = {}
        total = 0
        for line in paced(self.lines):
            for stretch in _without_return(line):
                if stretch not in found and stretch[::-1] not in found:
                    found[stretch] = None
                    total += len(stretch)
                if total > MOST_STRETCHED:
                    raise InputError(
                        f"lines: expected at most {MOST_STRETCHED:,} cells on stretches of lines that come to no cell"
                        " twice, found more"
                    )
        return tuple(found)

    @cached_property
    def jumps(self) -> tuple[BoardJump, ...]:
        """All jumps along lines."""
        found: dict[tuple[int, int, int], str] = {}
        for number, line in enumerate(paced(self.lines)):
            for chain, sense in ((line, "+"), (line[::-1], "-")):
                for a, b, c in zip(chain, chain[1:], chain[2:], strict=False):
                    found.setdefault((a, b, c), self._direction(a, b, f"{number}{sense}"))
        return tuple(BoardJump(*cells, direction) for cells, direction in sorted(found.items()))

    def _direction(self, a: int, b: int, line: str) -> str:
        if not self.straight:
            return ""
        if not self.grid:
            return line
        (x1, y1), (x2, y2) = self.places[a], self.places[b]
        return COMPASS.get((x2 - x1, y2 - y1), line)

    @cached_property
    def places(self) -> tuple[tuple[int, int], ...]:
        """(column, row) in `rows` of each cell."""
        found = {cell: (x, y) for y, row in enumerate(self.rows) for x, cell in enumerate(row) if cell is not None}
        return tuple(found[cell] for cell in range(self.cells))

    def cell(self, name: str) -> int | None:
        """Return the cell with this name, or None."""
        return self._numbers.get(name)

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {name: cell for cell, name in enumerate(self.names)}


def _without_return(line: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Yield the longest stretches of a line that visit no cell twice: a-b-c and b-c-a of a-b-c-a."""
    begin, last = 0, dict[int, int]()
    for place, cell in enumerate(line):
        if last.get(cell, -1) >= begin:
            yield tuple(line[begin:place])
            begin = last[cell] + 1
        last[cell] = place
    yield tuple(line[begin:])


def with_beside(board: Board, names: Sequence[str]) -> Board:
    """Return the board with more cells that are not on it, in rows below it as wide as the board."""
    if not names:
        return board
    width = max(len(row) for row in board.rows)
    below = [list[int | None](range(at, min(at + width, len(names)))) for at in range(0, len(names), width)]
    rows = [[None if cell is None else board.cells + cell for cell in row] for row in below]
    if board.grid:
        rows = [row + [None] * (width - len(row)) for row in rows]
    columns = tuple(tuple(range(0, 2 * len(row), 2)) for row in rows) if board.columns else ()
    return replace(
        board, names=(*board.names, *map(str, names)), rows=(*board.rows, *map(tuple, rows)),
        columns=(*board.columns, *columns), beside=len(names),
    )  # fmt: skip


def without_beside(board: Board) -> Board:
    """Return the board without the cells that are not on it."""
    if not board.beside:
        return board
    count = board.cells - board.beside
    rows = [row for row in board.rows if all(cell is None or cell < count for cell in row)]
    return replace(
        board, names=board.names[:count], rows=tuple(rows), columns=board.columns[: len(rows)], beside=0
    )  # fmt: skip


def parts(board: Board, cells: Sequence[int]) -> list[tuple[int, ...]]:
    """Return the cells of a piece by its parts, more than one where they stand apart on a grid."""
    if not board.grid or len(cells) == 1:
        return [tuple(cells)]
    cell_at = {board.places[cell]: cell for cell in cells}
    return [tuple(cell_at[place] for place in part) for part in connected(list(cell_at))]


def grid_names(rows: Sequence[Sequence[bool]]) -> list[str]:
    """Return names such as 'd4' (column letter, row number from the top) for the true places, in reading order."""
    return [f"{_letters(x)}{y + 1}" for y, row in enumerate(rows) for x, here in enumerate(row) if here]


def _letters(number: int) -> str:
    head = _letters(number // 26 - 1) if number >= 26 else ""
    return head + "abcdefghijklmnopqrstuvwxyz"[number % 26]


def grid(rows: Sequence[Sequence[bool]], *, diagonals: bool = False, names: Sequence[str] = ()) -> Board:
    """Return the board of a grid with cells where `rows` is true; its lines are the rows and columns, cut at gaps."""
    numbers: list[list[int | None]] = []
    count = 0
    for row in rows:
        numbers.append([])
        for here in row:
            numbers[-1].append(count if here else None)
            count += here
    height, width = len(numbers), max((len(row) for row in numbers), default=0)
    cells = {(x, y): cell for y, row in enumerate(numbers) for x, cell in enumerate(row) if cell is not None}
    ways = ((1, 0), (0, 1)) + (((1, 1), (-1, 1)) if diagonals else ())
    lines: list[tuple[int, ...]] = []
    for dx, dy in ways:
        for y in range(height):
            for x in range(width):
                if (x, y) in cells and (x - dx, y - dy) not in cells:
                    line = [cells[x, y]]
                    while (x + dx * len(line), y + dy * len(line)) in cells:
                        line.append(cells[x + dx * len(line), y + dy * len(line)])
                    if len(line) > 1:
                        lines.append(tuple(line))
    return Board(tuple(names) or tuple(grid_names(rows)), tuple(map(tuple, numbers)), tuple(lines))


def triangular(widths: Sequence[int]) -> Board:
    """Return the board of centred rows of these widths, part of a triangular lattice."""
    widest = max(widths)
    rows: list[tuple[int, ...]] = []
    columns: list[tuple[int, ...]] = []
    at: dict[tuple[int, int], int] = {}
    for y, width in enumerate(widths):
        first = 2 * (widest - width)
        rows.append(tuple(range(len(at), len(at) + width)))
        columns.append(tuple(first + 4 * k for k in range(width)))
        for column, cell in zip(columns[-1], rows[-1], strict=True):
            at[column, y] = cell
    lines: list[tuple[int, ...]] = []
    for dx, dy in ((4, 0), (2, 1), (-2, 1)):
        for (x, y), cell in at.items():
            if (x - dx, y - dy) not in at:
                line = [cell]
                while (x + dx * len(line), y + dy * len(line)) in at:
                    line.append(at[x + dx * len(line), y + dy * len(line)])
                if len(line) > 1:
                    lines.append(tuple(line))
    names = [f"{_letters(y)}{k + 1}" for y, row in enumerate(rows) for k in range(len(row))]
    return Board(tuple(names), tuple(rows), tuple(lines), grid=False, columns=tuple(columns))


def _centred(widths: Sequence[int]) -> list[list[bool]]:
    widest = max(widths)
    return [[abs(2 * x - widest + 1) < width for x in range(widest)] for width in widths]


GRIDS = {
    "english33": (3, 3, 7, 7, 7, 3, 3),
    "french37": (3, 5, 7, 7, 7, 5, 3),
    "wiegleb45": (3, 3, 3, 9, 9, 9, 3, 3, 3),
    "diamond41": (1, 3, 5, 7, 9, 7, 5, 3, 1),
    "star13": (1, 3, 5, 3, 1),
}
KNOWN = (*GRIDS, "triangle15", "grid", "hex", "triangle")
"""The first words of the names of boards."""

NAMED = (*GRIDS, "triangle15", "grid WxH", "hex N", "triangle N")


def named(words: Sequence[str], *, diagonals: bool = False) -> Board:
    """Return a board by name: 'english33', 'grid 4x3', 'hex 3' (side 3), 'triangle 5' …

    Raises InputError if the name is unknown or the size is not from 1 to 26.
    """
    name, *sizes = words
    if name in GRIDS and not sizes:
        return grid(_centred(GRIDS[name]), diagonals=diagonals)
    if name == "triangle15" and not sizes:
        return triangular(range(1, 6))
    if name == "grid" and len(sizes) == 1:
        width, height = _sizes(sizes[0].split("x"), 2)
        return grid([[True] * width] * height, diagonals=diagonals)
    if name == "hex" and len(sizes) == 1:
        (side,) = _sizes(sizes, 1)
        return triangular([*range(side, 2 * side), *range(2 * side - 2, side - 1, -1)])
    if name == "triangle" and len(sizes) == 1:
        (side,) = _sizes(sizes, 1)
        return triangular(range(1, side + 1))
    raise InputError(f"board: expected one of {', '.join(NAMED)}, found {' '.join(words)!r}")


def _sizes(words: Sequence[str], count: int) -> list[int]:
    if len(words) != count or not all(
        word.isdecimal() and word.isascii() and len(word) < 3 and 0 < int(word) <= 26 for word in words
    ):
        raise InputError(f"board: expected {count} whole numbers from 1 to 26, found {'x'.join(words)!r}")
    return [int(word) for word in words]


def connected(places: Sequence[tuple[int, int]]) -> list[list[tuple[int, int]]]:
    """Return the connected components of some squares, each in the given order, by first square."""
    left = dict.fromkeys(places)
    parts: list[list[tuple[int, int]]] = []
    while left:
        edge = [next(iter(left))]
        part = set(edge)
        while edge:
            x, y = edge.pop()
            left.pop((x, y), None)
            near = {(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)} & left.keys()
            edge += near - part
            part |= near
        parts.append([place for place in places if place in part])
    return parts
