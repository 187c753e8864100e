"""One shortest solution, their number, or all of them, from the layers of positions on shortest solutions.

Two solutions are different if they pass through different positions, or if they use different listed moves between the
same positions. Two ways to move the same piece to the same place are one move (`Model.ways`).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import Any

from ..contract.questions import Space
from ..limits.watch import checkpoint, paced
from ..model.model import Model

Layers = Sequence[frozenset[Hashable]]

Step = tuple[Any, tuple[int, ...]]
"""A position and the sequence of rules that led there; () for the first, and for puzzles written in Python."""


def first_path(space: Space, layers: Layers) -> tuple[Step, ...]:
    """Return the lexicographically least shortest solution."""
    path: list[Step] = [(in_order(layers[0])[0], ())]
    for layer in layers[1:]:
        steps = [step for step in _steps(space, path[-1][0]) if step[0] in layer]
        child = in_order(child for child, _ in steps)[0]
        path.append(next(step for step in steps if step[0] == child))
    return tuple(path)


def _steps(space: Space, position: Any) -> list[Step]:
    """Return every move from a position, with all different moves to the same position."""
    if isinstance(space, Model):
        return [(child, path) for child, paths in space.ways(position).items() for path in paths]
    return [(child, ()) for child in dict.fromkeys(space.moves(position))]


def count_paths(space: Space, layers: Layers) -> int:
    """Return the number of shortest solutions."""
    ways: dict[Hashable, int] = dict.fromkeys(layers[0], 1)
    for layer in layers[1:]:
        following: dict[Hashable, int] = dict.fromkeys(layer, 0)
        for position, count in paced(ways.items()):
            for child, _ in _steps(space, position):
                if child in following:
                    following[child] += count
        ways = following
    return sum(ways.values())


def all_paths(space: Space, layers: Layers) -> Iterator[tuple[Step, ...]]:
    """Yield every shortest solution, in lexicographic order of positions."""
    stack: list[tuple[Step, ...]] = [((position, ()),) for position in in_order(layers[0])]
    while stack:
        path = stack.pop()
        checkpoint()
        if len(path) == len(layers):
            yield path
            continue
        steps = [step for step in _steps(space, path[-1][0]) if step[0] in layers[len(path)]]
        order = {child: index for index, child in enumerate(in_order(child for child, _ in steps))}
        steps.sort(key=lambda step: order[step[0]])
        stack += [(*path, step) for step in reversed(steps)]


def in_order(positions: Iterable[Any]) -> list[Any]:
    """Return positions sorted, or in the given order if they cannot be compared."""
    found = list(positions)
    try:
        return sorted(found)
    except TypeError:
        return found
