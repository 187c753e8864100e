"""From all positions on shortest solutions to one solution, their number, or all of them.

Two solutions are different where they pass through different positions: two ways of making one move are one.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import Any

from .result import Space

Layers = Sequence[frozenset[Hashable]]


def first_path(space: Space, layers: Layers) -> tuple[Any, ...]:
    """Return the shortest solution that is least in the order of positions."""
    path: list[Any] = [min(layers[0])]  # type: ignore[type-var]
    for layer in layers[1:]:
        path.append(_least(child for child in space.moves(path[-1]) if child in layer))
    return tuple(path)


def _least(positions: Iterator[Any]) -> Any:
    """Return the least position, or the first where positions have no order."""
    found = list(positions)
    try:
        return min(found)
    except TypeError:
        return found[0]


def count_paths(space: Space, layers: Layers) -> int:
    """Return how many shortest solutions there are."""
    ways: dict[Hashable, int] = dict.fromkeys(layers[0], 1)
    for layer in layers[1:]:
        following: dict[Hashable, int] = dict.fromkeys(layer, 0)
        for position, count in ways.items():
            for child in space.moves(position):
                if child in following:
                    following[child] += count
        ways = following
    return sum(ways.values())


def all_paths(space: Space, layers: Layers) -> Iterator[tuple[Any, ...]]:
    """Yield every shortest solution, in the order of positions."""
    last = len(layers) - 1
    stack: list[tuple[Any, ...]] = [(position,) for position in _sorted(layers[0])]
    while stack:
        path = stack.pop()
        if len(path) > last:
            yield path
            continue
        children = [child for child in space.moves(path[-1]) if child in layers[len(path)]]
        stack += [(*path, child) for child in reversed(_sorted(children))]


def _sorted(positions: Any) -> list[Any]:
    try:
        return sorted(positions)
    except TypeError:
        return list(positions)
