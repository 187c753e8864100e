"""Rounds of growing bounds, on all processors: small rounds from the start, large ones from positions a few moves on.

Depth-first search below a bound that grows to the least length it left open (Korf 1985, Depth-first iterative-
deepening, Artificial Intelligence 27). The positions that a large round is divided into, and their order, do not depend
on the number of threads; the solution found is that of the first of them which has one, so neither does the answer.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from threading import Lock
from time import sleep
from typing import Any, Protocol

from ...contract.answers import Geodesics
from ...contract.questions import Search
from ...errors import LimitError
from ...kernels.deepening.idastar_sums import ENDED, FOUND
from ...limits.threads import Crew, processors
from ...limits.watch import Watch
from ...model.model import Model
from ..shared.walk_back import walk_back
from .unsolvable import Exhaust

DEEPEST = 4000
"""The longest way that is followed."""

WAIT = 0.001
"""Seconds that a thread waits for what others generate where they may come to the limit of positions."""

NOTHING = 1 << 19
"""Bounds and overruns from here on stand for none: what is left out, if anything, never leads to a goal."""


class Descent(Protocol):
    """A depth-first search from one position.

    root       the bound of the position
    generated  positions generated in this round
    least      by how much the best of what was left out passes the bound
    """

    @property
    def root(self) -> int: ...

    @property
    def generated(self) -> int: ...

    @property
    def least(self) -> int: ...

    def begin(self, bound: int, every: bool, number: int) -> None:
        """Begin the round of that number: ways of `bound` moves; all of them, or the first."""
        ...

    def go(self, budget: int) -> int:
        """Go on for so many moves; return what the kernels say."""
        ...

    def found(self) -> list[tuple[int, bytes]]:
        """Return (depth, position) of what the last call of `go` found to lie on shortest ways."""
        ...


Make = Callable[[Sequence[bytes], int], Descent]

Order = Callable[[bytes], Any]
"""What moves from a position are sorted by, given where they lead."""


@dataclass
class RoundParts:
    """Positions that a round begins from: `positions` at the same depth, in order, and how the start leads to them."""

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
        """Return the positions on one shortest way to one of these, the start first."""
        found = [position]
        for _ in range(self.depth):
            found.append(self.parents[found[-1]][0])
        return found[::-1]

    def before(self, position: bytes, every: bool) -> list[set[Hashable]]:
        """Return the positions on all shortest ways to one of these, or on one way, by depth."""
        if not every:
            return [{each} for each in self.path(position)[:-1]]
        return [set(layer) for layer in walk_back(self.parents, [position], self.depth)[:-1]]  # type: ignore[arg-type]


@dataclass
class Rounds:
    """The rounds of one search.

    make     returns a descent from the end of a path for a thread; the one it returned before is used no more
    exhaust  looks through what can be reached meanwhile, or None where that is known to hold a goal
    sparing  whether a round for one way leaves out more than a round for all of them, and so comes first
    slow     how much longer a position takes than along links
    order    sorts moves as the descents try them: a round divided does the work of a whole one, up to the solution
    proved   moves that are known to be needed at least: the first round is of so many
    """

    make: Make
    exhaust: Exhaust | None = None
    sparing: bool = False
    slow: int = 1
    order: Order = bytes
    proved: int = 0

    def search(self, question: Search, watch: Watch) -> Geodesics:
        """Return the positions on all shortest solutions, or on one where the question does not ask for every."""
        bound, number = self.make([question.start], 0).root, 0
        parts, every = RoundParts([question.start]), question.every and not self.sparing
        assert isinstance(question.space, Model)
        if bound >= NOTHING:
            return Geodesics((), watch.generated, watch.seconds)
        bound = max(bound, self.proved)
        try:
            while bound < DEEPEST:
                number += 1
                this = _Round(self.make, parts, every, bound, number)
                this.run(watch)
                if this.layers and every < question.every:
                    every = True
                    continue
                if this.layers:
                    return Geodesics(tuple(map(frozenset, this.layers)), watch.generated, watch.seconds, bound)
                if this.least >= NOTHING or (self.exhaust and self.exhaust.proves(watch, number)):
                    return Geodesics((), watch.generated, watch.seconds)
                bound += this.least
                if parts.depth == 0 and this.generated * self.slow > watch.thresholds.divided_from:
                    parts = RoundParts.of(question.space, question.start, bound, self.order, watch.thresholds.parts)
        except LimitError as error:
            return Geodesics((), watch.generated, watch.seconds, bound, error)
        error = LimitError("positions", f"no way of {DEEPEST:,} moves or fewer leads to the goal", DEEPEST)
        return Geodesics((), watch.generated, watch.seconds, DEEPEST, error)


@dataclass
class _Round:
    """One round: what its threads share.

    best    the first part with a solution so far
    layers  positions on solutions by depth
    afoot   moves that threads may try before they say what they generated
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
    afoot: int = 0
    lock: Any = field(default_factory=Lock)

    def run(self, watch: Watch) -> None:
        """Look through all parts; raise LimitError at a limit."""
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
            before = descent.generated
            with self.lock:
                stride = self._stride(watch)
                self.afoot += stride
            if stride == 0:
                watch.tick(0, self.bound)  # what came before this round may have passed the limit
                sleep(WAIT)
                continue
            said = descent.go(stride)
            with self.lock:
                self.afoot -= stride
                if said == FOUND or self.every:
                    self._take(part, descent.found())
                made = descent.generated - before
                self.generated += made
                watch.tick(made, self.bound)
                watch.layer(self.bound, self.generated, watch.generated, bound=True)
        with self.lock:
            self.least = min(self.least, descent.least)

    def _stride(self, watch: Watch) -> int:
        """Return how many moves to try before the limits are looked at; 0 while others may reach the limit."""
        most, stride = watch.limits.positions, watch.thresholds.stride
        return stride if most is None else max(0, min(stride, most - watch.generated - self.afoot + 1))

    def _beaten(self, part: int) -> bool:
        """Return whether another part has what this one could find."""
        return not self.every and self.best is not None and self.best <= part

    def _take(self, part: int, found: Iterable[tuple[int, bytes]]) -> None:
        """Take in positions on shortest ways from a part on."""
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
