"""Where patterns can lie: along directions of a grid, along lines, along ways from neighbour to neighbour."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

from ...errors import FormatError, Word
from ...limits.watch import paced
from ...puzzle.words import shown
from .rows import ALONG, DIRECTIONS, GRID_WAYS, LINE, PATH
from .scope import Scope

Way = tuple[int, int]
"""A direction on a grid: (columns, rows) from one cell to the next."""

RIGHT, LEFT, UP, DOWN = (1, 0), (-1, 0), (0, -1), (0, 1)
SLANTING = ((-1, -1), (1, -1), (-1, 1), (1, 1))
LEAPS = ((-1, -2), (1, -2), (-2, -1), (2, -1), (-2, 1), (2, 1), (-1, 2), (1, 2))
WAYS: dict[str, tuple[Way, ...]] = {
    "right": (RIGHT,), "left": (LEFT,), "up": (UP,), "down": (DOWN,),
    "up-right": ((1, -1),), "down-right": ((1, 1),), "down-left": ((-1, 1),), "up-left": ((-1, -1),),
    "row": (RIGHT, LEFT), "column": (UP, DOWN), "straight": (RIGHT, LEFT, UP, DOWN),
    "diagonal": SLANTING, "around": (RIGHT, LEFT, UP, DOWN, *SLANTING), "knight": LEAPS,
}  # fmt: skip
assert tuple(WAYS) == GRID_WAYS

Shape = tuple[tuple[str, ...], ...]
"""For each word of each row: '' for a cell, 'edge' or 'stop' for what may be behind the end of a line."""

Spot = tuple[tuple[int | None, ...], ...]


class Placement(Protocol):
    """One direction, or all lines.

    longest  the most cells in a row
    """

    @property
    def longest(self) -> int: ...

    def spots(self, shape: Shape) -> Iterator[Spot]:
        """Yield the cell of each word for every place of a shape; None behind the end of a line."""
        ...


def tracks_of(shapes: Sequence[Shape], directions: Sequence[Word], scope: Scope, place: Word) -> list[Placement]:
    """Return the tracks for patterns of these shapes along some directions. Raises FormatError.

    place  where an error is shown if directions are missing
    """
    if all(shape == (("",),) for shape in shapes):
        return [Anywhere(scope)]
    if not directions:
        raise FormatError.at(place, f"expected a direction ({', '.join(DIRECTIONS)}) after this, found none")
    ways: dict[Way, None] = {}
    found: list[Placement] = []
    for word in directions:
        _check(word, shapes, scope)
        if word in WAYS:
            ways |= dict.fromkeys(WAYS[word])
        else:
            found.append(Paths(scope) if word == PATH else LineTracks(scope, word == ALONG))
    return [*(OnGrid(scope, way) for way in ways), *found]


def _check(word: Word, shapes: Sequence[Shape], scope: Scope) -> None:
    """Raise FormatError if patterns of these shapes cannot lie in a direction on this board."""
    if word not in DIRECTIONS:
        raise FormatError.at(word, f"expected a direction ({', '.join(DIRECTIONS)}), found {shown(word)}")
    if word in WAYS and not scope.board.grid:
        raise FormatError.at(
            word, f"expected {LINE}, {ALONG} or {PATH} on a board that is no grid, found {shown(word)}"
        )
    if word == "knight" and any(len(row) != 2 or any(row) for shape in shapes for row in shape if shape != (("",),)):
        raise FormatError.at(word, "expected a pattern of two cells for a knight's leap, found another length")
    if word == ALONG and (scope.board.grid or not scope.board.straight):
        raise FormatError.at(word, f"expected a board with lines: for {ALONG!r}, found one without")
    if word not in WAYS and any(len(shape) > 1 for shape in shapes):
        raise FormatError.at(word, f"expected a direction of a grid for a pattern of several rows, found {shown(word)}")
    if word == PATH and any(end in ("edge", "stop") for shape in shapes for row in shape for end in row):
        raise FormatError.at(word, "expected no 'edge' or 'stop' along a path, found one")
    if any(0 not in way for way in WAYS.get(word, ())) and word != "knight" and scope.floor.walls:
        raise FormatError.at(word, f"expected no slanting direction beside walls between cells, found {shown(word)}")


@dataclass(frozen=True)
class Anywhere:
    """Patterns of one cell fit every cell of the board."""

    scope: Scope
    longest: int = 1

    def spots(self, shape: Shape) -> Iterator[Spot]:
        yield from (((cell,),) for cell in range(self.scope.board.cells))


@dataclass(frozen=True)
class OnGrid:
    """A direction of a grid."""

    scope: Scope
    way: Way

    @property
    def longest(self) -> int:
        board = self.scope.board
        return max(len(board.rows), *(len(row) for row in board.rows))

    @cached_property
    def _at(self) -> dict[Way, int]:
        return {place: cell for cell, place in enumerate(self.scope.board.places)}

    def cell(self, place: Way) -> int | None:
        """Return the cell at a place of the grid, or None."""
        return self._at.get(place)

    def spots(self, shape: Shape) -> Iterator[Spot]:
        first = next(at for at, end in enumerate(shape[0]) if end not in ("edge", "stop"))
        for base in self.scope.board.places:
            spot = self.spot(shape, (base[0] - first * self.way[0], base[1] - first * self.way[1]))
            if spot is not None:
                yield spot

    def spot(self, shape: Shape, begin: Way) -> Spot | None:
        """Return the cells of a shape whose first word is at a place; None if it does not lie on the board."""
        (dx, dy), (x, y) = self.way, begin
        found: list[tuple[int | None, ...]] = []
        for number, row in enumerate(shape):
            places = [(x + at * dx - number * dy, y + at * dy + number * dx) for at in range(len(row))]
            cells = [self._at.get(place) for place in places]
            for at, end in enumerate(row):
                inner = places[at - 1] if at else places[min(1, len(row) - 1)]
                walled = len(row) > 1 and self._walled(places[at], inner)
                if end and walled:
                    cells[at] = None
                inside = not end and (at == 0 or not row[at - 1])
                if (end == "edge" and cells[at] is not None) or (not end and cells[at] is None):
                    return None
                if inside and at and walled:
                    return None
                if (
                    number
                    and not end
                    and not shape[number - 1][at]
                    and self._walled(places[at], (places[at][0] + dy, places[at][1] - dx))
                ):
                    return None
            found.append(tuple(cells))
        return tuple(found)

    def _walled(self, one: Way, other: Way) -> bool:
        """Return whether there is a wall between two neighbouring places."""
        way = (other[0] - one[0], other[1] - one[1])
        return abs(way[0]) + abs(way[1]) == 1 and self.scope.floor.wall(one, way)


@dataclass(frozen=True)
class LineTracks:
    """The lines of the board, in both senses or only in the sense in which they are written."""

    scope: Scope
    one_way: bool = False

    @property
    def longest(self) -> int:
        return max((len(chain) for chain in self._chains), default=1)

    @cached_property
    def _chains(self) -> list[tuple[int, ...]]:
        return [chain for line in self.scope.board.lines for chain in _unwalled(line, self.scope)]

    def spots(self, shape: Shape) -> Iterator[Spot]:
        (row,) = shape
        if row == ("",):
            yield from (((cell,),) for cell in range(self.scope.board.cells))
            return
        found = self._along(row)
        yield from sorted(found, key=lambda spot: [-1 if cell is None else cell for cell in spot[0]])

    def _along(self, row: tuple[str, ...]) -> Iterator[Spot]:
        begin = row[0] in ("edge", "stop")
        for chain in paced(self._chains):
            for line in (chain,) if self.one_way else (chain, chain[::-1]):
                for base in range(len(line)):
                    cells = [
                        line[at] if 0 <= at < len(line) else None for at in range(base - begin, base - begin + len(row))
                    ]
                    inside = [cell for cell, end in zip(cells, row, strict=True) if end not in ("edge", "stop")]
                    beyond = any(end == "edge" and cell is not None for cell, end in zip(cells, row, strict=True))
                    if None not in inside and len(set(inside)) == len(inside) and not beyond:
                        yield (tuple(cells),)


def _unwalled(line: Sequence[int], scope: Scope) -> Iterator[tuple[int, ...]]:
    """Yield the parts of a line between walls."""
    part = [line[0]]
    for before, cell in zip(line, line[1:], strict=False):
        if _wall(before, cell, scope):
            yield tuple(part)
            part = []
        part.append(cell)
    yield tuple(part)


def _wall(one: int, other: int, scope: Scope) -> bool:
    if not scope.floor.walls:
        return False
    (x, y), (to_x, to_y) = scope.board.places[one], scope.board.places[other]
    return scope.floor.wall((x, y), (to_x - x, to_y - y))


@dataclass(frozen=True)
class Paths:
    """All ways from neighbour to neighbour without a cell twice."""

    scope: Scope

    @property
    def longest(self) -> int:
        return self.scope.board.cells

    @cached_property
    def _near(self) -> dict[int, list[int]]:
        near: dict[int, list[int]] = {cell: [] for cell in range(self.scope.board.cells)}
        for cell, other in self.scope.board.directions:
            if not _wall(cell, other, self.scope):
                near[cell].append(other)
        return {cell: sorted(others) for cell, others in near.items()}

    def spots(self, shape: Shape) -> Iterator[Spot]:
        for first in range(self.scope.board.cells):
            for way in paced(self._ways((first,), len(shape[0]))):
                yield (way,)

    def _ways(self, way: tuple[int, ...], length: int) -> Iterator[tuple[int, ...]]:
        if len(way) == length:
            yield way
            return
        for cell in self._near[way[-1]]:
            if cell not in way:
                yield from self._ways((*way, cell), length)
