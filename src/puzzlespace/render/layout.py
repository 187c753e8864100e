"""The coordinates of a board's cells on paper, in units of the distance between the two nearest cells."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations, pairwise

from ..limits.watch import paced
from ..puzzle.board import Board
from ..puzzle.puzzle import Puzzle
from .outline import Point

COLUMNS_PER_ROW = 2.0
"""How many text columns are as wide as a row is high, if the board's links do not determine it."""

FLATTEST, STEEPEST = 1.0, 6.0
"""The least and the greatest number of text columns that are as wide as a row is high."""

DISK_HIGH, DISK_GROWTH, ROD = 0.5, 0.32, 0.14
"""In cells: the height of a disk of a tower, how much wider the next disk is, the thickness of a peg."""

BESIDE = 0.5
"""The room between a grid and the cells beside it, in cells."""

NEAREST = 300
"""The nearest pair of cells is sought on boards of up to this many cells; larger ones use the shortest link."""


@lru_cache(maxsize=32)
def squares(board: Board) -> tuple[Point, ...]:
    """Return the top left corner of each cell of a grid: stacks stand upright, cells beside the board lie apart."""
    if board.upright:
        high, wide = max(map(len, board.rows)), board.upright
        return tuple((wide * row + (wide - 1) / 2, float(high - 1 - column)) for column, row in board.places)
    last = board.cells - board.beside
    return tuple((float(x), y + BESIDE * (cell >= last)) for cell, (x, y) in enumerate(board.places))


@lru_cache(maxsize=32)
def middles(board: Board) -> tuple[Point, ...]:
    """Return the middle of each cell: x to the right, y down, the first column and row at 0.5.

    Cells of a grid are 1 apart. A drawn board is stretched so that its links have lengths as equal as possible: the
    hexagram's triangles become equilateral.
    """
    if board.grid or not board.columns:
        return tuple((x + 0.5, y + 0.5) for x, y in squares(board))
    at = [(0, 0)] * board.cells
    for y, (cells, columns) in enumerate(zip(board.rows, board.columns, strict=True)):
        for cell, column in zip((c for c in cells if c is not None), columns, strict=True):
            at[cell] = (column, y)
    links = sorted(edges(board))
    wide = 1 / _columns_per_row([(at[a][0] - at[b][0], at[a][1] - at[b][1]) for a, b in links])
    spread = [(x * wide, float(y)) for x, y in at]
    pairs = combinations(range(board.cells), 2) if board.cells <= NEAREST else links
    shortest = min((_length(spread[a], spread[b]) for a, b in paced(pairs)), default=1.0)
    left = min(x for x, _ in spread)
    return tuple(((x - left) / shortest + 0.5, y / shortest + 0.5) for x, y in spread)


def edges(board: Board) -> set[tuple[int, int]]:
    """Return every pair of neighbours on a line once, the smaller cell first."""
    return {(min(a, b), max(a, b)) for line in paced(board.lines) for a, b in pairwise(line)}


def _columns_per_row(steps: list[tuple[int, int]]) -> float:
    """Return how many text columns should be as wide as a row is high.

    X and Y are fitted by least squares to X dx^2 + Y dy^2 = 1, over the links that are at most twice as long in the
    text as the shortest. The ratio is sqrt(Y / X).
    """
    seen = [(dx * dx, dy * dy, dx * dx / COLUMNS_PER_ROW**2 + dy * dy) for dx, dy in steps]
    shortest = min((length for *_, length in seen), default=0)
    near = [(a, b) for a, b, length in seen if length <= 4 * shortest]
    aa, ab, bb = sum(a * a for a, _ in near), sum(a * b for a, b in near), sum(b * b for _, b in near)
    a, b = sum(a for a, _ in near), sum(b for _, b in near)
    determinant = aa * bb - ab * ab
    x, y = a * bb - b * ab, b * aa - a * ab
    if determinant <= 0 or x <= 0 or y <= 0:
        return COLUMNS_PER_ROW
    return max(FLATTEST, min(STEEPEST, (y / x) ** 0.5))


def _length(a: Point, b: Point) -> float:
    return ((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2) ** 0.5


def disk_width(disk: int) -> float:
    """Return the width of a disk of a tower, 0 for the smallest, in cells."""
    return 0.9 + DISK_GROWTH * disk


def tower_size(puzzle: Puzzle) -> tuple[float, float]:
    """Return width and height of a drawing of towers in cells."""
    disks = puzzle.board.cells
    return puzzle.symbols * (disk_width(disks - 1) + 0.3), disks * DISK_HIGH + 1.6
