"""Random walks whose ends are solved: positions of a chosen depth where layers are too large to count."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from ..contract.answers import Solution, Status
from ..errors import SelfCheckError, UnsupportedError
from ..limits.watch import checkpoint
from . import batches
from .orders import Candidate, Order

CHUNK = 16
"""Walks whose ends are solved together, with walks of the same length."""

HOPELESS = 25
"""The search by walks gives up after this many chunks without a position that fits."""


class Walks:
    """Random walks from the goal (or the start), whose ends are solved.

    A position on a shortest solution has the depth that the solution shows: the rest of a shortest solution is one. So
    every end that is deep enough gives a position of exactly the depth asked for. The length of the walks adapts, so
    that most ends are deep enough, and few deeper than necessary.
    """

    def __init__(self, order: Order, sources: tuple[bytes, ...]) -> None:
        self.order = order
        self.sources = sources
        self.engine = ""
        self.deepest = 0
        self.solved = 0
        self.length = max(4, 2 * order.last)
        self.most = 1000 + 200 * order.last

    @property
    def words(self) -> str:
        """Why there are no more candidates."""
        return (
            f"{self.solved:,} random walks were solved, the deepest end at depth {self.deepest}; positions that meet "
            "all conditions are rare, or there are none"
        )

    def candidates(self) -> Iterator[Candidate]:
        """Yield positions with depths and solutions; they may repeat. End if nothing new is found for long."""
        order, chance = self.order, Random(self.order.seed)
        known: set[bytes] = set()
        dull = 0
        while dull < HOPELESS:
            ends = [self.end(chance) for _ in range(CHUNK)]
            deep = 0
            fresh = False
            answers = list(batches.solve(map(order.placed, ends), metric=order.model.metric.name, limits=order.limits))
            order.watch.generated += sum(answer.generated for answer in answers)
            if self._starts_apart(answers):
                continue
            for answer in answers:
                self._count(answer)
                chosen = chance.random()
                if answer.moves is None or answer.moves < order.first:
                    continue
                deep += 1
                depth = order.first + int(chosen * (min(order.last, answer.moves) - order.first + 1))
                path = tuple(map(bytes, answer.path))
                path = path[len(path) - 1 - depth :] if order.origin == "goal" else path[: depth + 1]
                position = path[0 if order.origin == "goal" else -1]
                if position not in known and (order.pattern is None or order.pattern.holds(position)):
                    known.add(position)
                    fresh = True
                    yield depth, position, path
            dull = 0 if fresh else dull + 1
            if deep < CHUNK // 2:
                self.length = min(self.most, self.length * 3 // 2)
            elif deep > CHUNK - 3:
                self.length = max(order.first + 1, self.length * 9 // 10)

    def _starts_apart(self, answers: Sequence[Solution]) -> bool:
        """Return whether the start, from which the walks begin, reaches no goal; then they begin from all goals."""
        order = self.order
        apart = order.origin == "goal" and self.sources == (order.model.start,)
        if not apart or all(answer.status is not Status.IMPOSSIBLE for answer in answers):
            return False
        self.sources = order.goals
        return True

    def _count(self, answer: Solution) -> None:
        if answer.stopped is not None:
            raise answer.stopped
        if answer.status is not Status.OPTIMAL:
            raise SelfCheckError("expected a solution of a position from which the goal was reached, found none")
        self.solved += 1
        self.engine = answer.engine
        self.deepest = max(self.deepest, answer.moves or 0)

    def end(self, chance: Random) -> bytes:
        """Return the end of a random walk that never takes a move back at once, if there is another."""
        order, sources = self.order, self.sources
        model = order.model.backward if order.origin == "goal" else order.model
        if model is None:
            raise UnsupportedError("walks from the goal need moves that can be traced back; use origin='start'")
        position = before = sources[int(chance.random() * len(sources))]
        for _ in range(self.length + int(chance.random() * 2)):
            checkpoint()
            following = [child for child in model.moves(position) if child != before]
            if not following:
                following = [before] if model.reversible else []
            if not following:
                break
            before, position = position, following[int(chance.random() * len(following))]
        return position
