"""All solutions up to a length, also those that are longer than a shortest one.

A solution passes through no position twice, and ends at the first goal that it reaches. Two solutions are different as
in `paths`: by their positions, or by listed moves between the same positions.

A solution of at most n moves has in its first half positions at most n / 2 moves from the start, and in the second half
positions at most so far from a goal. These are found first, the second ones if moves can be taken back; else all that
are at most n moves from the start. Then follows how far each is from a goal, among them. A depth-first search takes
only moves after which a goal can still be reached in time: without the rule that no position is passed twice, every
path that it follows would lead to a solution.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from heapq import heappop, heappush
from itertools import count
from typing import Any

from ..contract.questions import Search, Space
from ..limits.watch import Watch, checkpoint
from .paths import Step, steps_of

Steps = list[tuple[Step, int]]
"""Moves from a position: the position and the rules of each, and what it counts."""


class NearPaths:
    """The positions on solutions of at most `most` moves.

    steps  the moves of each of these positions, none of goals
    left   for each position how far it is from a goal
    Raises LimitError at a limit.
    """

    def __init__(self, question: Search, most: int, watch: Watch) -> None:
        space, self.start = question.space, question.start
        ends = question.goals if space.backward is not None else None
        half = most if ends is None else most // 2
        found = _reached(_steps_within(space), [self.start], half, watch)
        if ends is not None and space.backward is not None:
            found |= _reached(_steps_within(space.backward), ends, most - half, watch)
        self.steps: dict[Any, Steps] = {}
        for position in found:
            made = [] if space.is_goal(position) else steps_of(space, position, 0)
            watch.tick(len(made))
            self.steps[position] = [each for each in made if each[0][0] in found]
        self.left = _distances(space, self.steps)

    def paths(self, length: int) -> Iterator[tuple[Step, ...]]:
        """Yield the solutions of exactly this length."""
        if self.left.get(self.start) == 0:
            if length == 0:
                yield ((self.start, ()),)
            return
        path: dict[Any, tuple[Step, int]] = {self.start: ((self.start, ()), 0)}
        rest = [iter(self.steps[self.start])]
        while rest:
            checkpoint()
            step, cost = next(rest[-1], (None, 0))
            if step is None:
                rest.pop()
                path.popitem()
                continue
            child = step[0]
            total = next(reversed(path.values()))[1] + cost
            left = self.left.get(child)
            if child in path or left is None or total + left > length:
                continue
            if left > 0:
                path[child] = step, total
                rest.append(iter(self.steps[child]))
            elif total == length:
                yield (*(each for each, _ in path.values()), step)


def _steps_within(space: Space) -> Callable[[Any], Iterable[tuple[Any, int]]]:
    return lambda position: [(step[0], cost) for step, cost in steps_of(space, position, 0)]


def _reached(
    steps: Callable[[Any], Iterable[tuple[Any, int]]], ends: Iterable[Any], most: int, watch: Watch
) -> set[Any]:
    """Return the positions at most so far from the ends."""
    costs, done, order = dict.fromkeys(ends, 0), set[Any](), count()
    waiting = [(0, next(order), position) for position in costs]
    while waiting:
        cost, _, position = heappop(waiting)
        if position in done:
            continue
        done.add(position)
        made = list(steps(position)) if cost < most else []
        watch.tick(len(made))
        for child, more in made:
            if cost + more < costs.get(child, most + 1):
                costs[child] = cost + more
                heappush(waiting, (cost + more, next(order), child))
    return done


def _distances(space: Space, steps: dict[Any, Steps]) -> dict[Any, int]:
    """Return how far each position is from a goal, by moves of the positions that were found."""
    before: dict[Any, list[tuple[Any, int]]] = {}
    for position, made in steps.items():
        checkpoint()
        for (child, _), cost in made:
            before.setdefault(child, []).append((position, cost))
    order, left = count(), dict[Any, int]()
    waiting = [(0, next(order), position) for position in steps if space.is_goal(position)]
    while waiting:
        cost, _, position = heappop(waiting)
        if position in left:
            continue
        checkpoint()
        left[position] = cost
        for parent, more in before.get(position, ()):
            if parent not in left:
                heappush(waiting, (cost + more, next(order), parent))
    return left
