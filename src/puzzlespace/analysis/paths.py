"""One shortest solution, their number, or all of them, from the layers of positions on shortest solutions.

Two solutions are different if they pass through different positions, or if they use different listed moves between the
same positions. Two ways to move the same piece to the same place are one move (`Model.ways`). A layer may be empty if
moves count more than one.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import Any

from ..contract.questions import Space
from ..limits.watch import checkpoint, paced
from ..model.model import Model

Layers = Sequence[frozenset[Hashable]]

FEW = 4
"""Only moves into a layer are looked for, instead of all moves, if it has so few positions."""

Step = tuple[Any, tuple[int, ...]]
"""A position and the sequence of rules that led there; () for the first, and for puzzles written in Python."""


def first_path(space: Space, layers: Layers) -> tuple[Step, ...]:
    """Return the lexicographically least shortest solution."""
    path: list[Step] = [(in_order(layers[0])[0], ())]
    depth = 0
    while depth < len(layers) - 1:
        if isinstance(space, Model) and space.metric.single and len(layers[depth + 1]) <= FEW:
            depth += 1
            path.append(_least_step(space, path[-1][0], layers[depth]))
            continue
        steps = {
            step: to for step, to in steps_of(space, path[-1][0], depth) if to < len(layers) and step[0] in layers[to]
        }
        child = in_order(child for child, _ in steps)[0]
        step = next(step for step in steps if step[0] == child)
        path.append(step)
        depth = steps[step]
    return tuple(path)


def _least_step(model: Model, position: bytes, layer: frozenset[Any]) -> Step:
    """Return the least position of a layer that one rule leads to, and the first such rule."""
    for child in sorted(layer):
        number = model.rule_between(position, child)
        if number is not None:
            return child, (number,)
    raise IndexError("no move leads to the layer")


def steps_of(space: Space, position: Any, depth: int) -> list[tuple[Step, int]]:
    """Return every move from a position at a depth, with all different moves to the same position, and its depth."""
    if isinstance(space, Model):
        ways = space.different(position)
        return [((child, path), depth + space.cost(path)) for child, paths in ways.items() for path in paths]
    return [((child, ()), depth + 1) for child in dict.fromkeys(space.moves(position))]


def count_paths(space: Space, layers: Layers) -> int:
    """Return the number of shortest solutions."""
    ways: list[dict[Hashable, int]] = [dict.fromkeys(layer, 0) for layer in layers]
    ways[0] = dict.fromkeys(layers[0], 1)
    for depth, here in enumerate(ways[:-1]):
        for position, count in paced(here.items()):
            for (child, _), to in steps_of(space, position, depth):
                if to < len(ways) and child in ways[to]:
                    ways[to][child] += count
    return sum(ways[-1].values())


def all_paths(space: Space, layers: Layers) -> Iterator[tuple[Step, ...]]:
    """Yield every shortest solution, in lexicographic order of positions."""
    stack: list[tuple[tuple[Step, ...], int]] = [(((position, ()),), 0) for position in in_order(layers[0])]
    while stack:
        path, depth = stack.pop()
        checkpoint()
        if depth == len(layers) - 1:
            yield path
            continue
        steps = [
            (step, to) for step, to in steps_of(space, path[-1][0], depth) if to < len(layers) and step[0] in layers[to]
        ]
        order = {child: index for index, child in enumerate(in_order(child for (child, _), _ in steps))}
        steps.sort(key=lambda each: order[each[0][0]])
        stack += [((*path, step), to) for step, to in reversed(steps)]


def in_order(positions: Iterable[Any]) -> list[Any]:
    """Return positions sorted, or in the given order if they cannot be compared."""
    found = list(positions)
    try:
        return sorted(found)
    except TypeError:
        return found
