"""The choice of groups for pattern databases: as large as the memory allows, with goal places close together."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb, factorial, perm

from ..errors import UnsupportedError
from ..structure.slides import Slides
from .database import Groups, grid_of
from .groups import check_sizes
from .labels import Labels
from .pattern import MOST_PIECES, Grid, PatternNumbering
from .spelling import Division

MOST_ENDS = 50_000
"""The most orders of the pieces of a group in the goal: each is a source of its table."""


def choose(slides: Slides, goal: bytes, pieces: Labels, memory: int, asked: Division = ()) -> Groups:
    """Return groups of pieces whose tables fit into `memory` bytes, or the groups asked for.

    A group of which only the size is given begins with the piece whose goal place is farthest from the blank. Then it
    takes the piece whose goal place has the most neighbours among those of the group; of several such pieces the one
    with the fewest other neighbours, so that no gaps remain. Raises InputError for sizes of more pieces than there
    are, UnsupportedError for groups that are too large or contain blocks.
    """
    sizes = tuple(size for size in asked if isinstance(size, int))
    if asked and not sizes:
        return tuple(_with_symbols(slides, pieces, group) for group in asked if isinstance(group, tuple))
    near = [set[int]() for _ in goal]
    for step in slides.steps:
        near[step.origin].add(step.target)
        near[step.target].add(step.origin)
    left = [piece for piece, symbol in enumerate(pieces.symbols) if symbol in slides.units]
    home = {piece: min(pieces.targets[piece]) for piece in left}
    away = _steps(near, goal.index(slides.blank))
    groups: list[tuple[int, ...]] = []
    check_sizes(sizes, len(left))
    _check_size(max(sizes, default=0))
    for size in sizes or sizes_of(len(left), grid_of(slides), memory, _most_pieces(pieces)):
        group = [max(left, key=lambda piece: (away[home[piece]], -piece))]
        while len(group) < size:
            taken = {home[piece] for piece in group}
            rest = [piece for piece in left if piece not in group]
            free = {home[piece] for piece in rest}
            group.append(max(rest, key=lambda p: (len(near[home[p]] & taken), -len(near[home[p]] & free), -p)))
        left = [piece for piece in left if piece not in group]
        groups.append(tuple(sorted(group)))
    return tuple(groups)


def _with_symbols(slides: Slides, pieces: Labels, symbols: Sequence[int]) -> tuple[int, ...]:
    """Return the pieces of some symbols; raise UnsupportedError for blocks, and for too many pieces."""
    if not set(symbols) <= set(slides.units):
        raise UnsupportedError("heuristic pattern: expected groups of pieces that have one cell and can move")
    group = tuple(piece for piece, symbol in enumerate(pieces.symbols) if symbol in symbols)
    _check_size(len(group))
    return group


def _check_size(count: int) -> None:
    """Raise UnsupportedError if a group has too many pieces."""
    if count > MOST_PIECES:
        raise UnsupportedError(f"heuristic pattern: a group has at most {MOST_PIECES} pieces, not {count}")


def _most_pieces(pieces: Labels) -> int:
    """Return the most pieces of a group: many equal pieces have too many orders in the goal."""
    alike = max(map(len, pieces.targets), default=0)
    return max(size for size in range(1, MOST_PIECES + 1) if size == 1 or perm(alike, size) <= MOST_ENDS)


def sizes_of(count: int, grid: Grid, memory: int, largest: int = MOST_PIECES) -> list[int]:
    """Return the greatest sizes of groups, at most `largest`, whose tables fit into `memory` bytes."""
    for most in range(min(largest, count), 0, -1):
        sizes = [most] * (count // most) + ([count % most] if count % most else [])
        if sum(least_bytes(grid, size) for size in sizes) <= memory:
            taken = {size: PatternNumbering(grid, size).bytes for size in set(sizes)}
            if sum(taken[size] for size in sizes) <= memory:
                return sizes
    return [1] * count


def least_bytes(grid: Grid, pieces: int) -> int:
    """Return a lower bound on the bytes of a table: one bit for each arrangement of the pieces."""
    return comb(len(grid.order), pieces) * factorial(pieces) // 8


def _steps(near: Sequence[set[int]], cell: int) -> list[int]:
    """Return the distance of every cell from a cell."""
    steps = [len(near)] * len(near)
    steps[cell] = 0
    queue = [cell]
    for a in queue:
        for b in near[a]:
            if steps[b] == len(near):
                steps[b] = steps[a] + 1
                queue.append(b)
    return steps
