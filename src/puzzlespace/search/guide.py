"""A lower bound in one search: evaluated, and held against everything that the search knows of true distances.

True distances are known near the goals, by a few layers of moves taken back, and along every path to a goal that the
search finds: no position on it is farther from a goal than the rest of the path. A bound that claims more than that is
an error. Elsewhere it cannot be checked, so an answer says which bound it rests on. Only positions that the search
reaches are evaluated: a bound need not be right for others, which a person may not have thought of.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from heapq import heappop, heappush
from operator import index
from typing import Any, cast

from ..bounds.choosing import ChosenBound, chosen
from ..contract.bound import NO_WAY
from ..contract.questions import Search, has_costs
from ..contract.space import Space
from ..errors import BoundError, PuzzlespaceError, SelfCheckError
from ..limits.watch import Watch
from ..model.model import Model

NEAR, NEAR_MOVES = 400, 4_000
"""The most positions near the goals whose true distances are found out, and moves that are taken back for that."""

Step = tuple[Any, int]
"""A position, and what the move to it counts."""

Passed = tuple[Any, int, float]
"""A position on a path, its distance from the start, and its bound."""


def stepping(space: Space) -> Callable[[Any], Iterable[Step]]:
    """Return the function that returns the positions one move away, each with what the move counts."""
    moves = space.moves
    if has_costs(space):
        assert isinstance(space, Model)
        cost = space.cost
        return lambda position: [(child, cost(rules)) for child, rules in moves(position).items()]  # type: ignore[union-attr]
    return lambda position: [(child, 1) for child in moves(position)]


class BoundGuide:
    """The bound of one search, and the positions near the goals with their true distances.

    The constructor raises what `bounds.choosing.chosen` and `left` raise, and LimitError.
    """

    def __init__(self, question: Search, watch: Watch) -> None:
        self.bound: ChosenBound = chosen(question, watch)
        self.steps = stepping(question.space)
        self._evaluate = self.bound.evaluate
        self._batch: Callable[[Sequence[Any]], Sequence[Any]] | None = getattr(self._evaluate, "batch", None)
        self.near: dict[Any, int] = {}
        if self.bound.name:
            self._nearby = NearbyGoals(question)
            self.near = self._nearby.positions

    @property
    def batched(self) -> bool:
        """Whether many positions are evaluated faster together."""
        return self._batch is not None

    def left(self, position: Any) -> float:
        """Return how many moves are certainly left; raise BoundError if the value is invalid or known to be wrong."""
        value = self._evaluate(position)
        if type(value) is not int or value < 0:
            value = self._read(position, value)
        if value > self.near.get(position, value):
            self._check(position, value, self._nearby.distance(position))
        return value

    def all_left(self, positions: Sequence[Any]) -> list[float]:
        """Return what `left` returns, for each of the positions."""
        if self._batch is None:
            return [self.left(position) for position in positions]
        values = list(self._batch(positions))
        if len(values) != len(positions):
            words = f"expected a number for each of {len(positions)} positions, found {len(values)}"
            raise self._error(words, positions[0])
        found = [self._read(position, value) for position, value in zip(positions, values, strict=True)]
        for position, value in zip(positions, found, strict=True):
            if value > self.near.get(position, value):
                self._check(position, value, self._nearby.distance(position))
        return found

    def check_way(self, way: Iterable[Passed], total: int) -> None:
        """Raise BoundError if the rest of a path to a goal is shorter than the bound claims of a position on it.

        total  the length of the path
        """
        for position, cost, left in way:
            self._check(position, left, total - cost)

    def check_step(self, before: Any, left: float, step: Step, after: float) -> None:
        """Raise BoundError if a bound that is said to be consistent falls by more in a move than the move counts."""
        if self.bound.consistent and left > step[1] + after:
            words = f"it says that it is consistent, but a move that counts {step[1]} takes it from {left} to {after}"
            raise self._error(words, before)

    def changed(self, position: Any) -> PuzzlespaceError:
        """Return the error for a bound whose values for a position differ from call to call."""
        return self._error("expected the same number for a position each time, found others", position)

    def _check(self, position: Any, claimed: float, true: float) -> None:
        if claimed > true:
            said = "no goal can be reached" if claimed == NO_WAY else f"{claimed} or more moves are left"
            raise self._error(f"it claims that {said}, but {true} are enough", position)

    def _read(self, position: Any, value: Any) -> float:
        """Return a value as a whole number or NO_WAY; raise BoundError if it is neither."""
        if isinstance(value, float) and value == NO_WAY:
            return NO_WAY
        try:
            number = index(cast(Any, value))
        except TypeError:
            number = -1
        if number < 0:
            raise self._error(f"expected a whole number of 0 or more, or NO_WAY, found {value!r:.100}", position)
        return number

    def _error(self, problem: str, position: Any) -> PuzzlespaceError:
        """Return the error: a fault of this program if the bound is one of ours."""
        found = BoundError(self.bound.name, problem, position)
        return SelfCheckError(str(found)) if self.bound.ours else found


class NearbyGoals:
    """Positions near the goals, by moves taken back: the number of moves that each needs to a goal.

    Distances of a puzzle written in Python are right only if its function `back` is, so `distance` follows the moves.
    """

    def __init__(self, question: Search) -> None:
        self.positions: dict[Any, int] = {}
        self._onward: dict[Any, Any] = {}
        self._steps = stepping(question.space)
        goals, back = question.goals, question.space.backward
        if goals is not None and len(goals) <= NEAR:
            self._spread(goals, stepping(back) if back is not None else lambda position: ())

    def _spread(self, goals: Sequence[Any], before: Callable[[Any], Iterable[Step]]) -> None:
        waiting = [(0, number, goal) for number, goal in enumerate(goals)]
        least, made = dict.fromkeys(goals, 0), 0
        while waiting and len(self.positions) < NEAR and made < NEAR_MOVES:
            depth, _, position = heappop(waiting)
            if position in self.positions:
                continue
            self.positions[position] = depth
            for parent, cost in before(position):
                made += 1
                if depth + cost < least.get(parent, depth + cost + 1):
                    least[parent] = depth + cost
                    self._onward[parent] = position
                    heappush(waiting, (depth + cost, len(goals) + made, parent))

    def distance(self, position: Any) -> float:
        """Return the number of moves to a goal, or infinity if it is not known."""
        here, total = position, 0
        while here in self._onward:
            onward = self._onward[here]
            costs = [cost for child, cost in self._steps(here) if child == onward]
            if not costs:
                return NO_WAY
            total += min(costs)
            here = onward
        return total if position in self.positions else NO_WAY
