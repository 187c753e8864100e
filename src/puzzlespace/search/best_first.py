"""Best-first search over any space, below any lower bound: A*, IDA*, and A* that goes on as IDA* when memory ends.

A* (Hart, Nilsson and Raphael 1968) expands the position with the least *length*, distance from the start plus bound.
If the bound is not consistent, a position can be reached on a shorter path after it was expanded; it is then expanded
again. When the memory for positions is used up, the search goes on as IDA* (Korf 1985) below all positions that wait:
depth-first, in rounds of growing length, with a table of the positions that were visited (Sen and Bagchi,
"Fast recursive formulations for best-first search that allow controlled use of memory", IJCAI 1989). IDA* alone is the
same with the start as the only position that waits.

Costs of moves are whole numbers of 1 or more. If all shortest solutions are wanted, every position on one is found.
docs/methods/best-first.md has the proofs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from heapq import heappop, heappush
from typing import Any

from ..contract.answers import Geodesics
from ..contract.bound import NO_WAY
from ..contract.questions import Search
from ..errors import LimitError
from ..limits.machine import spare_memory
from ..limits.thresholds import Threshold
from ..limits.watch import Watch
from .guide import BoundGuide, Passed, Step

AT_ONCE = 256
"""The most positions that are expanded together if the bound evaluates many positions faster together."""

GLANCE = 256
"""Positions generated between two looks at the limits."""

STORED, VISITED = 0.75, 0.9
"""A* stores positions until this share of the memory is used, and the table of a round until the second one is."""

ROUND_BITS = 32
"""The bits for the number of a round."""

BETWEEN = 1_000
"""Positions stored between two looks at the memory."""

STORED_POSITIONS: Threshold[int | None] = Threshold(None)
"""The most positions that A* stores; None: as many as fit the memory."""

VISITED_POSITIONS: Threshold[int | None] = Threshold(None)
"""The most positions in the table of a round of IDA*; None: as many as fit the memory."""


class StoredNode:
    """A position that is stored: its distance from the start so far, its bound, and the positions before it.

    expanded  whether its moves were followed from this distance
    """

    __slots__ = ("cost", "expanded", "left", "parents")

    def __init__(self, cost: int, left: float, parents: list[Any]) -> None:
        self.cost, self.left, self.parents, self.expanded = cost, left, parents, False


def astar(question: Search, watch: Watch) -> Geodesics:
    """Return the positions on shortest solutions: on all if the question asks for every, else on one.

    Raises BoundError for a bound that is found to be wrong, SelfCheckError if that is one of ours, and what
    `bounds.choosing.chosen` raises.
    """
    return _answered(question, watch, None)


def idastar(question: Search, watch: Watch) -> Geodesics:
    """Do what `astar` does, without storing positions but those of the table of a round."""
    return _answered(question, watch, 0)


def _answered(question: Search, watch: Watch, most: int | None) -> Geodesics:
    search: SpaceSearch | None = None
    try:
        search = SpaceSearch(question, watch, watch.thresholds[STORED_POSITIONS] if most is None else most)
        return search.run()
    except LimitError as error:
        found = Geodesics((), watch.generated, watch.seconds, error.bound, error)
        return found if search is None else search.stopped(error)


class StorageRoom:
    """Says when the positions that are stored have used up a share of the memory that is free at first.

    most  the number of positions instead, if it is not None
    """

    def __init__(self, watch: Watch, share: float, most: int | None) -> None:
        self.watch, self.most = watch, most
        self._needed = (1 - share) * self._free()
        self._next = 0

    def _free(self) -> int:
        left = self.watch.memory_left()
        return spare_memory() if left is None else max(left, 0)

    def is_used(self, stored: int) -> bool:
        """Return whether no more than `stored` positions are to be stored, now and later."""
        if self.most is None and stored >= self._next:
            self._next = stored + BETWEEN
            if self._free() < self._needed:
                self.most = stored  # memory that is dropped may be used again, although the process still holds it
        return self.most is not None and stored >= self.most


class SpaceSearch:
    """One search.

    nodes    the positions that are stored
    waiting  by length and distance from the start: the positions that are to be expanded; some are outdated
    certain  a lower bound on the length of solutions that holds without the bound of the search
    visited  the table of rounds: for each position the least distance at which it was visited, the last round in which
             it was, and in the last bit whether it led to a goal then
    nearest_dead  the least distance of a position from which the bound says that no goal can be reached
    """

    def __init__(self, question: Search, watch: Watch, most: int | None) -> None:
        self.question, self.watch = question, watch
        self.room = StorageRoom(watch, STORED, most)
        self.table_room = StorageRoom(watch, VISITED, watch.thresholds[VISITED_POSITIONS])
        self.generated = self._told = 0
        self.guide = BoundGuide(question, watch)
        self.certain, self.proved = 0, watch.known.bound if self.guide.bound.ours else 0
        self.nodes: dict[Any, StoredNode] = {}
        self.visited: dict[Any, int] = {}
        self.waiting: dict[tuple[float, int], list[Any]] = {}
        self.keys: list[tuple[float, int]] = []
        self.length: int | None = None
        self.goals: list[Any] = []
        self.nearest_dead = NO_WAY

    def run(self) -> Geodesics:
        """Return the answer; raise LimitError at a limit."""
        start = self.question.start
        self._store(start, 0, self.guide.left(start), [])
        if self.question.space.is_goal(start):
            self.guide.check_way(self._way(start), 0)
        while self._next_key() is not None and not self._is_over():
            if self.room.is_used(len(self.nodes)):
                return self._below()
            self._expand(self._taken())
        self._tell()
        if self.length is None:
            return self._no_solution()
        self.certain = max(self.certain, self._certain())
        return self._solved(self._back([(goal, self.length) for goal in self.goals]))

    def _is_over(self) -> bool:
        """Return whether the shortest solution is found, or all if all are wanted."""
        if self.length is None:
            return False
        return not self.question.every or self.keys[0][0] > self.length

    def _store(self, position: Any, cost: int, left: float, parents: list[Any]) -> None:
        self.nodes[position] = StoredNode(cost, left, parents)
        if left == NO_WAY:
            self.nearest_dead = min(self.nearest_dead, cost)
        else:
            self._wait(position, cost, left)

    def _wait(self, position: Any, cost: int, left: float) -> None:
        key = cost + left, -cost
        listed = self.waiting.get(key)
        if listed is None:
            self.waiting[key] = [position]
            heappush(self.keys, key)
        else:
            listed.append(position)

    def _next_key(self) -> tuple[float, int] | None:
        """Return the least length of a position that waits, the greatest distance first, or None if none does."""
        while self.keys:
            key = self.keys[0]
            listed = self.waiting[key]
            while listed and not self._waits(listed[-1], -key[1]):
                listed.pop()
            if listed:
                return key
            heappop(self.keys)
            del self.waiting[key]
        return None

    def _waits(self, position: Any, cost: int) -> bool:
        node = self.nodes[position]
        return node.cost == cost and not node.expanded

    def _taken(self) -> list[Any]:
        """Return the positions to expand next, all at one distance and of one length; take goals out."""
        key = self.keys[0]
        self._prove(int(key[0]))
        listed, taken = self.waiting[key], list[Any]()
        while listed and len(taken) < (AT_ONCE if self.guide.batched else 1):
            position = listed.pop()
            if not self._waits(position, -key[1]):
                continue
            self.nodes[position].expanded = True
            if self.question.space.is_goal(position):
                self._reached(position)
                break
            taken.append(position)
        return taken

    def _reached(self, goal: Any) -> None:
        """Note a goal, which is as near as any if the bound never claims too much."""
        cost = self.nodes[goal].cost
        self.guide.check_way(self._way(goal), cost)
        if self.length is not None and cost != self.length:
            raise self.guide.changed(goal)
        self.length = cost
        self.goals.append(goal)

    def _expand(self, positions: list[Any]) -> None:
        self.watch.expand(len(positions))
        made = [(position, list(self.guide.steps(position))) for position in positions]
        new = list(dict.fromkeys(child for _, steps in made for child, _ in steps if child not in self.nodes))
        lefts = dict(zip(new, self.guide.all_left(new), strict=True))
        for position, steps in made:
            node = self.nodes[position]
            for child, cost in steps:
                self._reach(position, node, child, node.cost + cost, lefts)
            self.generated += len(steps)
        if self.generated - self._told >= GLANCE:
            self._tell()

    def _reach(self, position: Any, node: StoredNode, child: Any, cost: int, lefts: dict[Any, float]) -> None:
        """Note that a child is reached from a position, at a distance from the start."""
        known = self.nodes.get(child)
        if known is None:
            self._store(child, cost, lefts[child], [position])
            known = self.nodes[child]
            if self.question.space.is_goal(child):
                self.guide.check_way(self._way(child), cost)
        elif cost < known.cost:
            known.cost, known.parents, known.expanded = cost, [position], False
            if known.left != NO_WAY:
                self._wait(child, cost, known.left)
        elif cost == known.cost and self.question.every:
            known.parents.append(position)
        self.guide.check_step(position, node.left, (child, cost - node.cost), known.left)

    def _way(self, position: Any) -> Iterator[Passed]:
        """Yield the positions on a path from the start to a stored position, the last one first."""
        while True:
            node = self.nodes[position]
            yield position, node.cost, node.left
            if not node.parents:
                return
            position = node.parents[0]

    def _back(self, ends: Iterable[Step]) -> dict[int, set[Any]]:
        """Return by distance the stored positions on shortest paths to the ends; on one path unless all are wanted."""
        found: dict[int, set[Any]] = {}
        waiting = [position for position, _ in ends][: None if self.question.every else 1]
        seen = set(waiting)
        while waiting:
            position = waiting.pop()
            node = self.nodes[position]
            found.setdefault(node.cost, set()).add(position)
            for parent in node.parents if self.question.every else node.parents[:1]:
                if parent not in seen:
                    seen.add(parent)
                    waiting.append(parent)
        return found

    def _tell(self) -> None:
        """Report what was generated; raise LimitError at a limit."""
        new, self._told = self.generated - self._told, self.generated
        self.watch.tick(new, self.proved if self.guide.bound.ours else 0)

    def _prove(self, length: int) -> None:
        """Note that no solution is shorter than this, if the bound never claims too much."""
        if length <= self.proved:
            return
        self.proved = length
        self.watch.layer(length, self.generated, len(self.nodes), bound=True)
        if self.guide.bound.ours:
            self.watch.known.prove(length)
        else:
            self.certain = max(self.certain, self._certain())

    def _certain(self) -> int:
        """Return a lower bound on the length of solutions that needs no bound: each leaves the positions expanded."""
        if self.guide.bound.ours:
            return 0
        left = [(node.cost, position) for position, node in self.nodes.items() if not node.expanded]
        is_goal = self.question.space.is_goal
        most = self.length if self.length is not None else max((cost for cost, _ in left), default=0) + 1
        return min([most, *(cost if is_goal(position) else cost + 1 for cost, position in left if cost < most)])

    def _below(self) -> Geodesics:
        """Return the answer of IDA* below the positions that wait."""
        self._tell()
        self.certain = max(self.certain, self._certain())
        listed = [(position, -cost) for (_, cost), each in self.waiting.items() for position in each]
        ends = list(dict.fromkeys(position for position, cost in listed if self._waits(position, cost)))
        limit = self.length if self.length is not None else int(self.keys[0][0])
        number = 0
        while True:
            number += 1
            self._prove(limit)
            done = DeepeningRound(self, limit, self.nearest_dead + 1, number)
            done.run(ends)
            if done.met or self.length is not None:
                return self._joined(done, limit)
            if not self.guide.bound.ours and done.certain < NO_WAY:
                self.certain = max(self.certain, int(done.certain))
            if done.following == NO_WAY:
                return self._no_solution()
            limit = int(done.following)

    def _joined(self, done: DeepeningRound, limit: int) -> Geodesics:
        """Return the positions on solutions that a round found, and on the paths that are stored."""
        if self.question.every:
            self.certain = max(self.certain, int(min(limit, done.certain)))
        self._tell()
        self.length = limit
        ends = [*done.roots, *((goal, limit) for goal in self.goals if self.nodes[goal].cost == limit)]
        layers = self._back(ends)
        for cost, positions in done.layers.items():
            layers.setdefault(cost, set()).update(positions)
        return self._solved(layers)

    def _solved(self, layers: dict[int, set[Any]]) -> Geodesics:
        assert self.length is not None
        assumed = not self.guide.bound.ours and self.certain < self.length
        bound = self.certain if assumed else self.length
        listed = tuple(frozenset(layers.get(depth, ())) for depth in range(self.length + 1))
        return Geodesics(
            listed, self.watch.generated, self.watch.seconds, bound,
            rests_on=self.guide.bound.name, assumed=assumed,
        )  # fmt: skip

    def _no_solution(self) -> Geodesics:
        """Return that there is no solution; this rests on the bound if that said so of some position."""
        self._tell()
        assumed = self.nearest_dead < NO_WAY and not self.guide.bound.ours
        return Geodesics(
            (), self.watch.generated, self.watch.seconds, self.certain if assumed else None,
            rests_on=self.guide.bound.name, assumed=assumed,
        )  # fmt: skip

    def stopped(self, error: LimitError) -> Geodesics:
        """Return what is proved when a limit stops the search."""
        bound = max(error.bound, self.certain, self.proved if self.guide.bound.ours else 1)
        return Geodesics(
            (), self.watch.generated, self.watch.seconds, bound, error,
            rests_on=self.guide.bound.name,
        )  # fmt: skip


@dataclass(eq=False)
class PathEntry:
    """A position on the path of a depth-first search: the steps that are left to follow, and whether one met a goal."""

    position: Any
    cost: int
    left: float
    steps: Iterator[tuple[float, Step]]
    leads: bool = False


@dataclass(eq=False)
class DeepeningRound:
    """One round of IDA*: all paths of at most `limit` moves below some stored positions.

    number       the number of the round
    layers       by distance: the positions on solutions
    roots        the stored positions from which goals were met, with their distances
    following    the least length that was cut off
    certain      a lower bound on the length of solutions through positions that were cut off
    """

    search: SpaceSearch
    limit: int
    certain: float
    number: int
    layers: dict[int, set[Any]] = field(default_factory=dict[int, set[Any]])
    roots: list[Step] = field(default_factory=list[Step])
    following: float = NO_WAY
    met: bool = False

    def run(self, ends: Iterable[Any]) -> None:
        """Search below the positions that wait, those nearest to a goal first; stop at a goal unless all are wanted."""
        nodes, every = self.search.nodes, self.search.question.every
        self.path: list[PathEntry] = []
        self.on_path: set[Any] = set()
        for position in sorted(ends, key=lambda position: nodes[position].left):
            node = nodes[position]
            self._enter(position, node.cost, node.left)
            while self.path and (every or not self.met):
                self._step()
            for frame in self.path:
                self.layers.setdefault(frame.cost, set()).add(frame.position)
            if position in self.layers.get(node.cost, ()):
                self.roots.append((position, node.cost))
            if self.met and not every:
                return

    def _enter(self, position: Any, cost: int, left: float) -> bool:
        """Begin with a position, unless it is cut off; return whether it is known that it leads to a goal."""
        search = self.search
        if cost + left > self.limit:
            self._cut(position, cost, left)
            return False
        before = search.visited.get(position)
        if before is not None and before >> ROUND_BITS + 1 < cost:
            return False
        mark = (cost << ROUND_BITS) + self.number << 1
        if before is not None and before | 1 == mark | 1:
            return before != mark
        if position in self.on_path:
            return False
        if before is not None or not search.table_room.is_used(len(search.visited)):
            search.visited[position] = mark
        if search.question.space.is_goal(position):
            self._reached(position, cost, left)
            return True
        search.watch.expand(1)
        self.path.append(PathEntry(position, cost, left, iter(self._sorted_steps(position, cost, left))))
        self.on_path.add(position)
        return False

    def _cut(self, position: Any, cost: int, left: float) -> None:
        self.following = min(self.following, cost + left)
        if not self.search.guide.bound.ours and cost < self.certain:
            is_goal = self.search.question.space.is_goal(position)
            self.certain = min(self.certain, cost + (not is_goal))
            if is_goal:
                self._check_way(position, cost, left)

    def _sorted_steps(self, position: Any, cost: int, left: float) -> list[tuple[float, Step]]:
        """Return the steps to follow, those nearest to a goal first, each with the bound after it."""
        search, nodes, every = self.search, self.search.nodes, self.search.question.every
        steps = list(search.guide.steps(position))
        search.generated += len(steps)
        if search.generated - search._told >= GLANCE:
            search._tell()
        asked: list[Step] = []
        for child, more in steps:
            known = nodes.get(child)
            if known is None or known.cost > cost + more or (every and known.cost == cost + more):
                asked.append((child, more))
        lefts = search.guide.all_left([child for child, _ in asked])
        for step, after in zip(asked, lefts, strict=True):
            search.guide.check_step(position, left, step, after)
            if after == NO_WAY:
                search.nearest_dead = min(search.nearest_dead, cost + step[1])
        return sorted(zip(lefts, asked, strict=True), key=lambda each: each[0] + each[1][1])

    def _step(self) -> None:
        """Follow the next step of the last position on the path, or go back."""
        frame = self.path[-1]
        following = next(frame.steps, None)
        if following is not None:
            left, (child, more) = following
            frame.leads |= self._enter(child, frame.cost + more, left)
            return
        self.path.pop()
        self.on_path.discard(frame.position)
        if frame.leads:
            self._note(frame.position, frame.cost)
            if self.path:
                self.path[-1].leads = True

    def _note(self, position: Any, cost: int) -> None:
        self.layers.setdefault(cost, set()).add(position)
        if position in self.search.visited:
            self.search.visited[position] |= 1

    def _reached(self, goal: Any, cost: int, left: float) -> None:
        self._check_way(goal, cost, left)
        if cost != self.limit:
            raise self.search.guide.changed(goal)
        self.met = True
        self._note(goal, cost)

    def _check_way(self, goal: Any, cost: int, left: float) -> None:
        """Hold the whole path to a goal against the bound."""
        stored = self.search._way(self.path[0].position if self.path else goal)
        passed = [(frame.position, frame.cost, frame.left) for frame in self.path]
        self.search.guide.check_way([*stored, *passed, (goal, cost, left)], cost)
