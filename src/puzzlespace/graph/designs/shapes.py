"""The shapes that words of `pieces:` mean in a design file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ...errors import FormatError
from ...limits.watch import paced
from ...puzzle.board import Board

MOST_SHAPES = 20_000
"""The most shapes of all pieces."""

Offsets = tuple[tuple[int, int], ...]
"""The cells of a shape as (column, row), relative to its first cell in reading order."""


def shapes_of(word: str, board: Board) -> Iterator[Offsets]:
    """Yield the shapes that a word of `pieces:` means, if they fit the board."""
    wide = max(len(row) for row in board.rows)
    high = len(board.rows)
    if word == "wall":
        yield ((0, 0),)
    elif match := re.fullmatch("([0-9]{1,2})x([0-9]{1,2})", word):
        across, down = int(match[1]), int(match[2])
        if across <= wide and down <= high and across and down:
            yield tuple((x, y) for y in range(down) for x in range(across))
    elif match := re.fullmatch("any connected(?: up to ([0-9]{1,2}) cells?| of ([0-9]{1,2}) cells?)?", word):
        most = int(match[1] or match[2] or board.cells)
        for offsets in _connected(wide, high, most, word):
            if not match[2] or len(offsets) == most:
                yield offsets
    elif re.fullmatch("[o.]+(/[o.]+)*", word) and "o" in word:
        squares = [(x, y) for y, line in enumerate(word.split("/")) for x, sign in enumerate(line) if sign == "o"]
        if len(_grown_from(squares[0], set(squares))) < len(squares):
            raise FormatError.at(word, f"expected a connected shape, found {str(word)!r}")
        yield _from_first(squares)
    else:
        raise FormatError.at(
            word,
            f"expected a shape such as 2x2 (2 wide, 2 high), oo/o., 'any connected up to 4 cells' or wall, "
            f"found {str(word)!r}",
        )


def _grown_from(square: tuple[int, int], squares: set[tuple[int, int]]) -> set[tuple[int, int]]:
    found, edge = {square}, [square]
    while edge:
        x, y = edge.pop()
        near = {(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)} & squares - found
        found |= near
        edge += near
    return found


def _from_first(squares: Sequence[tuple[int, int]]) -> Offsets:
    """Return squares in reading order, relative to the first one."""
    ordered = sorted(squares, key=lambda square: (square[1], square[0]))
    x, y = ordered[0]
    return tuple((column - x, row - y) for column, row in ordered)


def _connected(wide: int, high: int, most: int, word: str) -> Iterator[Offsets]:
    """Yield all connected shapes of up to `most` cells that fit a rectangle, by size."""
    layer: set[Offsets] = {((0, 0),)}
    found = 0
    for size in range(1, most + 1):
        yield from sorted(layer)
        found += len(layer)
        if size == most:
            return
        following: set[Offsets] = set()
        for offsets in paced(layer):
            squares = set(offsets)
            for x, y in offsets:
                for square in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
                    if square not in squares:
                        more = [*squares, square]
                        columns, rows = {x for x, _ in more}, {y for _, y in more}
                        if max(columns) - min(columns) < wide and max(rows) - min(rows) < high:
                            following.add(_from_first(more))
            if found + len(following) > MOST_SHAPES:
                hint = "'any connected up to N cells' has fewer"
                raise FormatError.at(word, f"expected at most {MOST_SHAPES:,} shapes, found more", hint)
        layer = following
