"""Which pieces go together in a pattern: groups as large as the memory allows, of goal places close together."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb, factorial, perm

from ..errors import UnsupportedError
from .database import Groups, edges_of, grid_of
from .groups import enough
from .labels import Labels
from .pattern import MOST_PIECES, Grid, PatternNumbering
from .slides import Slides
from .spelling import Division

MOST_ENDS = 50_000
"""Orders of the pieces of a group in the goal, at most: a table begins from each."""


def choose(slides: Slides, goal: bytes, pieces: Labels, memory: int, asked: Division = ()) -> Groups:
    """Return groups of pieces whose tables fit into so many bytes, or the groups asked for.

    Where sizes alone are known, a group is of goal places close together:
    each group begins with the piece whose goal place is farthest from the blank, and takes the piece with the most goal
    places beside its own; of several the one that leaves the fewest free neighbours, so that no hole is left behind.
    Raises InputError for sizes of more pieces than there are, UnsupportedError for groups that are too large or of
    blocks.
    """
    sizes = tuple(size for size in asked if isinstance(size, int))
    if asked and not sizes:
        return tuple(_of(slides, pieces, group) for group in asked if isinstance(group, tuple))
    near = [set[int]() for _ in goal]
    for a, b in edges_of(slides.model):
        near[a].add(b)
        near[b].add(a)
    left = [piece for piece, symbol in enumerate(pieces.symbols) if symbol in slides.units]
    home = {piece: min(pieces.targets[piece]) for piece in left}
    away = _steps(near, goal.index(slides.blank))
    groups: list[tuple[int, ...]] = []
    enough(sizes, len(left))
    _small(max(sizes, default=0))
    for size in sizes or sizes_of(len(left), grid_of(slides.model), memory, _most(pieces)):
        group = [max(left, key=lambda piece: (away[home[piece]], -piece))]
        while len(group) < size:
            taken = {home[piece] for piece in group}
            rest = [piece for piece in left if piece not in group]
            free = {home[piece] for piece in rest}
            group.append(max(rest, key=lambda p: (len(near[home[p]] & taken), -len(near[home[p]] & free), -p)))
        left = [piece for piece in left if piece not in group]
        groups.append(tuple(sorted(group)))
    return tuple(groups)


def _of(slides: Slides, pieces: Labels, symbols: Sequence[int]) -> tuple[int, ...]:
    """Return the pieces of some symbols."""
    if not set(symbols) <= set(slides.units):
        raise UnsupportedError("heuristic pattern: groups are of pieces of one cell that move; one asked for is not")
    group = tuple(piece for piece, symbol in enumerate(pieces.symbols) if symbol in symbols)
    _small(len(group))
    return group


def _small(count: int) -> None:
    """Raise UnsupportedError where a group has too many pieces."""
    if count > MOST_PIECES:
        raise UnsupportedError(f"heuristic pattern: a group has at most {MOST_PIECES} pieces, not {count}")


def _most(pieces: Labels) -> int:
    """Return how many pieces a group has at most: many like pieces can stand in the goal in too many orders."""
    alike = max(map(len, pieces.targets), default=0)
    return max(size for size in range(1, MOST_PIECES + 1) if size == 1 or perm(alike, size) <= MOST_ENDS)


def sizes_of(count: int, grid: Grid, memory: int, largest: int = MOST_PIECES) -> list[int]:
    """Return sizes of groups of at most `largest` pieces whose tables fit, as large as can be."""
    for most in range(min(largest, count), 0, -1):
        sizes = [most] * (count // most) + ([count % most] if count % most else [])
        if sum(least_bytes(grid, size) for size in sizes) <= memory:
            taken = {size: PatternNumbering(grid, size).bytes for size in set(sizes)}
            if sum(taken[size] for size in sizes) <= memory:
                return sizes
    return [1] * count


def least_bytes(grid: Grid, pieces: int) -> int:
    """Return what a table takes at least: a bit for each arrangement of the pieces."""
    return comb(len(grid.order), pieces) * factorial(pieces) // 8


def _steps(near: Sequence[set[int]], cell: int) -> list[int]:
    """Return how far each cell is from a cell."""
    steps = [len(near)] * len(near)
    steps[cell] = 0
    queue = [cell]
    for a in queue:
        for b in near[a]:
            if steps[b] == len(near):
                steps[b] = steps[a] + 1
                queue.append(b)
    return steps
