"""The algorithms of textbooks in plain Python, which count what textbooks count.

The engines answer as fast as they can: in batches, with tables, for all shortest solutions at once. So their numbers
are not those of a textbook. Here each algorithm is written once as it is taught, and all count in the same way:

expanded   positions whose moves were generated, each time that they were
generated  the moves of these positions; the start is not counted
held       the greatest number of positions that were held at once, those that wait and those that are finished

Ties are broken in the same way everywhere: what is equal is taken in the order in which it was generated.
Sources: Russell and Norvig, "Artificial Intelligence" (breadth-first, uniform cost, A*); Hart, Nilsson and Raphael 1968
(A*, with positions expanded again if the bound is not consistent); Pohl 1970 (weighted A*) and 1971 (both ends);
Korf 1985 (IDA*); Bisiani 1987 (beam).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import count
from typing import Any

from ..contract.bound import NO_WAY, Evaluate
from ..contract.questions import Search, has_costs
from ..errors import InputError, UnsupportedError
from ..limits.watch import Watch
from .guide import BoundGuide, Step, stepping

GLANCE = 256
"""Positions generated between two looks at the limits."""

Path = list[Any]
"""The positions from the start to a goal; empty if none was found."""


@dataclass(eq=False)
class TextbookSearch:
    """One search and its counts."""

    question: Search
    watch: Watch
    expanded: int = 0
    generated: int = 0
    held: int = 0
    _told: int = 0
    guide: BoundGuide | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        self._steps = stepping(self.question.space)
        self.is_goal = self.question.space.is_goal

    def left(self) -> Evaluate:
        """Return the lower bound of the question, which raises BoundError where it is found to be wrong."""
        self.guide = BoundGuide(self.question, self.watch)
        return self.guide.left

    def steps(self, position: Any, steps: Callable[[Any], Any] | None = None) -> list[Step]:
        """Return the moves of a position, which is expanded; raise LimitError at a limit."""
        made = list((steps or self._steps)(position))
        self.expanded += 1
        self.generated += len(made)
        if self.generated - self._told >= GLANCE:
            self.watch.tick(self.generated - self._told)
            self._told = self.generated
        return made

    def hold(self, positions: int) -> None:
        """Note how many positions are held now."""
        self.held = max(self.held, positions)

    def checked(self, path: Path) -> Path:
        """Return a path to a goal; raise BoundError if the bound claims more than the rest of it anywhere."""
        if path and self.guide is not None:
            costs = [0]
            for before, after in zip(path, path[1:], strict=False):
                costs.append(costs[-1] + min(cost for child, cost in self._steps(before) if child == after))
            ways = [(position, cost, self.guide.left(position)) for position, cost in zip(path, costs, strict=True)]
            self.guide.check_way(ways, costs[-1])
        return path


def _back(parents: dict[Any, Any], position: Any) -> Path:
    path = [position]
    while (position := parents[position]) is not None:
        path.append(position)
    return path[::-1]


def breadth_first(search: TextbookSearch, _: float) -> Path:
    """Take the position that waits longest; a position is compared with the goal when it is generated."""
    _equal_moves(search, "bfs")
    start = search.question.start
    if search.is_goal(start):
        return [start]
    parents, waiting = {start: None}, deque([start])
    while waiting:
        position = waiting.popleft()
        for child, _cost in search.steps(position):
            if child not in parents:
                parents[child] = position
                search.hold(len(parents))
                if search.is_goal(child):
                    return _back(parents, child)
                waiting.append(child)
    return []


def uniform_cost(search: TextbookSearch, _: float) -> Path:
    """Take the position nearest to the start (Dijkstra); it is compared with the goal when it is taken."""
    return _best_first(search, lambda position: 0, 1)


def astar(search: TextbookSearch, _: float) -> Path:
    """Take the position of least distance + bound, of these the farthest from the start; the goal as `uniform_cost`."""
    return search.checked(_best_first(search, search.left(), 1))


def weighted_astar(search: TextbookSearch, weight: float) -> Path:
    """Take the position of least distance + weight * bound; the rest is as in `astar`."""
    return _best_first(search, search.left(), weight)


def _best_first(search: TextbookSearch, left: Evaluate, weight: float) -> Path:
    start, order = search.question.start, count()
    costs, bounds, parents, done = {start: 0}, {start: left(start)}, {start: None}, set[Any]()
    waiting = [(weight * bounds[start], 0, next(order), start)] if bounds[start] < NO_WAY else []
    search.hold(1)
    while waiting:
        _, farness, _, position = heappop(waiting)
        if position in done or -farness != costs[position]:
            continue  # it was reached on a shorter path later
        if search.is_goal(position):
            return _back(parents, position)
        done.add(position)
        for child, more in search.steps(position):
            cost = costs[position] + more
            if cost >= costs.get(child, cost + 1):
                continue
            if child not in bounds:
                bounds[child] = left(child)
            costs[child], parents[child] = cost, position
            done.discard(child)
            if bounds[child] < NO_WAY:
                heappush(waiting, (cost + weight * bounds[child], -cost, next(order), child))
        search.hold(len(costs))
    return []


def iterative_deepening(search: TextbookSearch, _: float) -> Path:
    """Go depth-first, in rounds: a round cuts off where distance + bound is above its limit.

    The next limit is the least number that was cut off. Moves are tried in the order in which they are listed; a
    position of the path is not entered again. A position is compared with the goal when it is entered.
    """
    left, start = search.left(), search.question.start
    limit = left(start)
    while limit < NO_WAY:
        path, following = _round(search, left, start, limit)
        if path:
            return search.checked(path)
        limit = following
    return []


def _round(search: TextbookSearch, left: Evaluate, start: Any, limit: float) -> tuple[Path, float]:
    """Return a path to a goal, or none and the least length that was cut off."""
    if search.is_goal(start):
        return [start], limit
    path: dict[Any, int] = {start: 0}
    rest: list[Iterator[Step]] = [iter(search.steps(start))]
    following: float = NO_WAY
    while rest:
        search.hold(len(path))
        position = next(reversed(path))
        child, more = next(rest[-1], (None, 0))
        if more == 0:
            rest.pop()
            del path[position]
        elif child not in path:
            cost = path[position] + more
            length = cost + left(child)
            if length > limit:
                following = min(following, length)
            elif search.is_goal(child):
                return [*path, child], limit
            else:
                path[child] = cost
                rest.append(iter(search.steps(child)))
    return [], following


def bidirectional(search: TextbookSearch, _: float) -> Path:
    """Expand the smaller one of two layers, from the start and from the goals, until the layers have a common position.

    All positions of a layer are expanded before the two sides are compared.
    """
    _equal_moves(search, "bidirectional")
    question = search.question
    if question.goals is None or question.space.backward is None:
        raise UnsupportedError("bidirectional: it needs goals that are listed one by one, and moves taken back")
    back = stepping(question.space.backward)
    sides: tuple[dict[Any, Any], dict[Any, Any]] = {question.start: None}, dict.fromkeys(question.goals)
    layers = [list(side) for side in sides]
    while all(layers):
        search.hold(sum(map(len, sides)))
        met = next((each for each in layers[0] if each in sides[1]), None)
        if met is not None:
            return _back(sides[0], met) + _back(sides[1], met)[-2::-1]
        near = int(len(layers[1]) < len(layers[0]))
        parents, following = sides[near], list[Any]()
        for position in layers[near]:
            for child, _cost in search.steps(position, back if near else None):
                if child not in parents:
                    parents[child] = position
                    following.append(child)
        layers[near] = following
    return []


def beam(search: TextbookSearch, width: float) -> Path:
    """Expand a layer, and keep only the `width` new positions of least bound; the goal as `breadth_first`."""
    left, start = search.left(), search.question.start
    if search.is_goal(start):
        return [start]
    parents, layer = {start: None}, [start]
    while layer:
        made: dict[Any, Any] = {}
        for position in layer:
            for child, _cost in search.steps(position):
                if child not in parents and child not in made:
                    made[child] = position
                    search.hold(len(parents) + len(made))
                    if search.is_goal(child):
                        return [*_back(parents, position), child]
        layer = [each for each in sorted(made, key=left) if left(each) < NO_WAY][: int(width)]
        parents.update((each, made[each]) for each in layer)
    return []


def _equal_moves(search: TextbookSearch, name: str) -> None:
    if has_costs(search.question.space):
        raise UnsupportedError(f"{name}: it counts every move as one, and these have different costs")


@dataclass(frozen=True)
class Algorithm:
    """One algorithm.

    find     find(search, number) returns a path to a goal
    bounded  whether it uses a lower bound
    proves   whether its solution is a shortest one if the bound never claims too much
    number   the number after a colon in its name, such as 2 in 'weighted-astar:2'; None if it takes none
    """

    name: str
    find: Callable[[TextbookSearch, float], Path]
    bounded: bool = False
    proves: bool = True
    number: float | None = None

    def proof(self, search: TextbookSearch, found: bool) -> str:
        """Return in words what is proved of an answer."""
        bound = search.guide.bound if search.guide is not None else None
        rests = f" if the bound {bound.name!r} never claims too much" if bound is not None and not bound.ours else ""
        if self.proves:
            return f"proved{rests}"
        if found and self.find is weighted_astar:
            assert self.number is not None
            return f"not proved: at most {self.number:g} times the shortest{rests}"
        return "not proved" if found or self.find is beam else f"proved{rests}"


ALGORITHMS = (
    Algorithm("bfs", breadth_first),
    Algorithm("uniform-cost", uniform_cost),
    Algorithm("bidirectional", bidirectional),
    Algorithm("astar", astar, bounded=True),
    Algorithm("idastar", iterative_deepening, bounded=True),
    Algorithm("weighted-astar", weighted_astar, bounded=True, proves=False, number=2),
    Algorithm("beam", beam, bounded=True, proves=False, number=100),
)


def algorithm(name: str) -> Algorithm:
    """Return an algorithm by its name, such as 'beam:50'; raise InputError for an unknown one."""
    word, colon, given = name.partition(":")
    found = next((each for each in ALGORITHMS if each.name == word), None)
    if found is None:
        raise InputError(f"algorithm: expected one of {', '.join(each.name for each in ALGORITHMS)}, found {name!r}")
    if not colon:
        return found
    what = "a whole number" if found.find is beam else "a number"
    try:
        number = float(given) if found.number is not None else NO_WAY
    except ValueError:
        number = NO_WAY
    if not 1 <= number < NO_WAY or (found.find is beam and number % 1):
        takes = f"{what} of 1 or more" if found.number is not None else "no number"
        raise InputError(f"algorithm {word}: expected {takes} after ':', found {given!r}")
    return Algorithm(name, found.find, found.bounded, found.proves, number)


def run(chosen: Algorithm, search: TextbookSearch) -> Sequence[Any]:
    """Return the path that an algorithm finds; raise LimitError at a limit."""
    search.hold(1)
    path = chosen.find(search, 0 if chosen.number is None else chosen.number)
    search.watch.tick(search.generated - search._told)
    return path
