"""Iterative deepening: rounds below a bound on the length, which grows to the least length left open.

`deepen` is the driver of all searches of this engine (Korf 1985, Depth-first iterative-deepening, Artificial
Intelligence 27). `Rounds` are depth-first, on all processors. A small round starts from the start, a large one from
all positions a few moves away. These positions and their order do not depend on the number of threads. The answer is
the solution of the first of them that has one, so it does not depend on the threads either.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Collection, Hashable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from threading import Lock
from time import sleep
from typing import TYPE_CHECKING, Any

from ...contract.answers import Geodesics
from ...contract.questions import Search
from ...errors import LimitError
from ...kernels.deepening.state import BUDGET, ENDED, EXPANDED, FOUND, GENERATED, LEAST, NEVER, OWN, PAUSED
from ...limits.threads import Crew, processors
from ...limits.thresholds import Threshold
from ...limits.watch import STRIDE, Watch
from ...model.model import Model
from ..shared.walk_back import walk_back
from .unsolvable import Exhaust

if TYPE_CHECKING:
    import numpy as np

DEEPEST = 4000
"""The most moves of a path that is searched."""

WAIT = 0.001
"""Seconds that a thread waits if the moves granted to other threads may reach the limit of positions."""

NOTHING = NEVER >> 1
"""Bounds and excesses from here on are sentinels: nothing that was pruned leads to a goal."""

Layers = Sequence[Collection[Hashable]]
"""Positions on solutions by depth."""

DIVIDED_FROM = Threshold(20_000_000)
"""After a round of more positions than this, the next one is divided among threads: parts take time to prepare."""

PARTS = Threshold(96)
"""The least number of positions from which a divided round starts: many for each thread, so that none waits long."""

SLOTS = Threshold(1 << 21)
"""Slots of each thread's transposition table: a power of two. 32 MB for positions of one word."""


def deepen(rounds: _DepthFirst, watch: Watch) -> Geodesics:
    """Return what the first round with a solution finds, or the length proved when a limit stopped the search.

    The first round allows the length that is proved already, by `watch.known`.
    """
    length = proved = max(rounds.least, watch.known.bound)
    watch.known.prove(proved)
    try:
        while True:
            layers, least = rounds.look(length, watch)
            if layers:
                return Geodesics(tuple(map(frozenset, layers)), watch.generated, watch.seconds, len(layers) - 1)
            if least is None:
                return Geodesics((), watch.generated, watch.seconds)
            proved = max(proved, least)
            watch.known.prove(proved)
            length = max(least, length)
    except LimitError as error:
        return Geodesics((), watch.generated, watch.seconds, proved, error)


def within_budget(watch: Watch, budget: int | None, run: Callable[[], Geodesics]) -> tuple[Geodesics, bool]:
    """Return what a search finds, and whether its budget stopped it: the positions that it may generate."""
    asked = watch.limits
    most = None if budget is None else watch.generated + budget
    if most is None or (asked.positions is not None and asked.positions <= most):
        return run(), False
    watch.limits = replace(asked, positions=most)
    try:
        found = run()
    finally:
        watch.limits = asked
    return found, found.stopped is not None and found.stopped.kind == "positions"


@dataclass
class Descent(ABC):
    """A depth-first search from a position in a compiled loop. Subclasses prepare its arrays and run the loop.

    root   the bound of the position
    state  see `kernels.deepening.state`
    bound  moves that this round allows
    said   what the loop returned last
    """

    start: bytes
    root: int
    state: np.ndarray
    bound: int = field(default=0, init=False)
    said: int = field(default=PAUSED, init=False)

    @property
    def generated(self) -> int:
        """The positions generated in this round."""
        return int(self.state[GENERATED])

    @property
    def expanded(self) -> int:
        """The positions expanded in this round."""
        return int(self.state[EXPANDED])

    @property
    def least(self) -> int:
        """The least excess over the bound among the positions that were pruned."""
        return int(self.state[LEAST])

    def begin(self, bound: int, every: bool, number: int) -> None:
        """Begin the round with that number, for solutions of `bound` moves: all of them, or the first."""
        self.bound, self.said = bound, PAUSED
        self.state[:OWN] = 0, 0, 0, NEVER, 1, bound, 0

    def go(self, budget: int) -> int:
        """Continue until about `budget` positions are generated; return the result of the loop."""
        self.state[BUDGET] = budget
        self.said = self.run()
        return self.said

    @abstractmethod
    def run(self) -> int:
        """Run the loop until its budget is spent; return its result, FOUND, ENDED or PAUSED."""

    def stay(self, arrived: bool) -> int:
        """Return the result of a round of no moves; the start may be the goal."""
        self.state[LEAST] = 1
        return FOUND if arrived and self.said != FOUND else ENDED

    @abstractmethod
    def found(self) -> list[tuple[int, bytes]]:
        """Return (depth, position) for positions on shortest solutions that the last call of `go` found."""


class PathDescent(Descent):
    """A search whose loop stops at one solution."""

    def found(self) -> list[tuple[int, bytes]]:
        return list(enumerate(self.path())) if self.said == FOUND else []

    @abstractmethod
    def path(self) -> Sequence[bytes]:
        """Return the positions of the solution at which the loop stopped."""


Make = Callable[[Sequence[bytes], int], Descent]

Order = Callable[[bytes], Any]
"""The sort key of a move, given the position that it leads to."""


@dataclass
class RoundParts:
    """The positions at one depth from which a round begins, in order, and how they are reached from the start."""

    positions: list[bytes]
    depth: int = 0
    parents: dict[bytes, list[Any]] = field(default_factory=dict)

    @classmethod
    def of(cls, model: Model, start: bytes, most: int, order: Order, enough: int) -> RoundParts:
        """Return the first layer of `enough` positions, at most `most` moves from the start; `order` sorts moves."""
        parents: dict[bytes, list[Any]] = {start: []}
        layer, depth = [start], 0
        while 0 < len(layer) < enough and depth < most:
            following: dict[bytes, list[Any]] = {}
            for position in layer:
                for child in sorted(model.moves(position), key=order):
                    if child not in parents:
                        following.setdefault(child, []).append(position)
            parents.update(following)
            layer, depth = list(following), depth + 1
        return cls(layer, depth, parents)

    def path(self, position: bytes) -> list[bytes]:
        """Return the positions on one shortest path to one of these, the start first."""
        found = [position]
        for _ in range(self.depth):
            found.append(self.parents[found[-1]][0])
        return found[::-1]

    def before(self, position: bytes, every: bool) -> list[set[Hashable]]:
        """Return by depth the positions before one of these: on all shortest paths to it, or on one path."""
        if not every:
            return [{each} for each in self.path(position)[:-1]]
        return [set(layer) for layer in walk_back(self.parents, [position], self.depth)[:-1]]  # type: ignore[arg-type]


@dataclass
class Rounds:
    """Depth-first rounds.

    make     returns a descent from the end of a path for a thread, which then no longer uses its descent before
    exhaust  searches for a proof that no goal can be reached; None if one is known to be reachable
    sparing  whether a round for one solution prunes more than a round for all of them, and so comes first
    slow     the time for a position, compared with a search along links
    order    sorts moves as the descents try them, so that a divided round does no more work than a whole one
    """

    make: Make
    exhaust: Exhaust | None = None
    sparing: bool = False
    slow: int = 1
    order: Order = bytes

    def search(self, question: Search, watch: Watch) -> Geodesics:
        """Return the positions on all shortest solutions, or on one if the question does not ask for every."""
        return deepen(_DepthFirst(self, question), watch)


class _DepthFirst:
    """The rounds of one question: the positions that they begin from, and how many there were.

    least  moves that are needed at least
    """

    def __init__(self, rounds: Rounds, question: Search) -> None:
        assert isinstance(question.space, Model)
        self.rounds, self.question, self.model = rounds, question, question.space
        self.parts, self.number, self.large = RoundParts([question.start]), 0, False
        self.least = rounds.make([question.start], 0).root

    def look(self, length: int, watch: Watch) -> tuple[Layers, int | None]:
        """Return the layers of the solutions of at most this length, and the least length left open.

        The second is None if nothing was pruned: then there are no longer solutions.
        """
        if self.least >= NOTHING:
            return (), None
        if length >= DEEPEST:
            raise LimitError("positions", f"there is no solution of at most {DEEPEST:,} moves", DEEPEST)
        by = watch.thresholds
        if self.large and self.parts.depth == 0:
            self.parts = RoundParts.of(self.model, self.question.start, length, self.rounds.order, by[PARTS])
        every = self.question.every
        this = self._round(length, every and not self.rounds.sparing, watch)
        if this.layers and every > this.every:
            this = self._round(length, every, watch)
        if this.layers:
            return this.layers, None
        if this.least >= NOTHING or (self.rounds.exhaust and self.rounds.exhaust.proves(watch, self.number)):
            return (), None
        self.large = this.generated * self.rounds.slow > by[DIVIDED_FROM]
        return (), length + this.least

    def _round(self, bound: int, every: bool, watch: Watch) -> _Round:
        self.number += 1
        this = _Round(self.rounds.make, self.parts, every, bound, self.number)
        this.run(watch)
        return this


@dataclass
class _Round:
    """One round: what its threads share.

    best     the first part with a solution so far
    layers   positions on solutions by depth
    granted  moves that threads may try before they report what they generated
    """

    make: Make
    parts: RoundParts
    every: bool
    bound: int
    number: int
    least: int = NOTHING
    generated: int = 0
    layers: list[set[Hashable]] = field(default_factory=list)
    best: int | None = None
    granted: int = 0
    lock: Any = field(default_factory=Lock)

    def run(self, watch: Watch) -> None:
        """Search from all parts; raise LimitError at a limit."""
        jobs = deque(range(len(self.parts.positions)))
        threads = min(processors(), len(jobs))
        crew = Crew(threads)

        def work(thread: int, part: int) -> bool:
            self._look(part, thread, crew, watch)
            return True

        crew.run(jobs, work, partial(watch.tick, 0))
        watch.layer(self.bound, self.generated, watch.generated, bound=True)

    def _look(self, part: int, thread: int, crew: Crew, watch: Watch) -> None:
        if self._beaten(part):
            return
        descent = self.make(self.parts.path(self.parts.positions[part]), thread)
        bound = self.bound - self.parts.depth
        if descent.root > bound:
            with self.lock:
                self.least = min(self.least, descent.root - bound)
            return
        descent.begin(bound, self.every, self.number)
        said = None
        while said != ENDED and not crew.stopping and not self._beaten(part):
            before, opened = descent.generated, descent.expanded
            with self.lock:
                stride = self._stride(watch)
                self.granted += stride
            if stride == 0:
                watch.tick(0, self.bound)  # earlier rounds may have passed the limit already
                sleep(WAIT)
                continue
            said = descent.go(stride)
            with self.lock:
                self.granted -= stride
                if said == FOUND or self.every:
                    self._merge(part, descent.found())
                made = descent.generated - before
                self.generated += made
                watch.expand(descent.expanded - opened)
                watch.tick(made, self.bound)
                watch.layer(self.bound, self.generated, watch.generated, bound=True)
        with self.lock:
            self.least = min(self.least, descent.least)

    def _stride(self, watch: Watch) -> int:
        """Return how many moves to try before the limits are checked; 0 while other threads may reach the limit."""
        left, stride = watch.positions_left, watch.thresholds[STRIDE]
        return stride if left is None else max(0, min(stride, left - self.granted + 1))

    def _beaten(self, part: int) -> bool:
        """Return whether one solution is enough, and this part or an earlier one has one."""
        return not self.every and self.best is not None and self.best <= part

    def _merge(self, part: int, found: Iterable[tuple[int, bytes]]) -> None:
        """Merge the solutions of one part."""
        rows = list(found)
        if not rows or self._beaten(part):
            return
        if self.best != part or not self.layers:
            if not self.layers or not self.every:
                self.layers = [set() for _ in range(self.bound + 1)]
            for layer, more in zip(
                self.layers, self.parts.before(self.parts.positions[part], self.every), strict=False
            ):
                layer |= more
        self.best = part
        for depth, position in rows:
            self.layers[self.parts.depth + depth].add(position)
