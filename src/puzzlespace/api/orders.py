"""What orders of positions have in common, of chosen depths or of any."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from ..analysis.impossible import few_goals
from ..errors import LimitError, UnsupportedError
from ..limits.watch import Limits, Progress, Watch, phase
from ..model.goal import Goal
from ..model.model import Model
from ..puzzle.answers import Generated
from ..puzzle.puzzle import Puzzle
from . import saved
from .questions import symmetries, with_goal, with_start
from .table_making import MOST, TRIED

if TYPE_CHECKING:
    from ..symmetry import SymmetryGroup

MOST_COUNT = 100_000
"""The most positions of one order."""

Report = Callable[[Progress], None]

Candidate = tuple[int, bytes, tuple[bytes, ...]]
"""Depth, position, and a shortest solution if it is known."""


@dataclass(frozen=True)
class Order:
    """An order of positions: what is asked for, and the watch that measures it."""

    puzzle: Puzzle
    model: Model
    origin: str
    first: int
    last: int
    count: int
    seed: int
    pattern: Goal | None
    one_solution: bool
    distinct: bool
    solutions: bool
    watch: Watch
    report: Report | None

    @property
    def limits(self) -> Limits:
        """What is left of the limits."""
        limits, watch = self.watch.limits, self.watch
        seconds = None if limits.seconds is None else max(limits.seconds - watch.seconds, 1e-6)
        positions = None if limits.positions is None else max(limits.positions - watch.generated, 1)
        return Limits(seconds, limits.memory, positions)

    def placed(self, position: bytes) -> Puzzle:
        """Return the puzzle whose shortest solutions are those of a position."""
        return with_start(self.puzzle, position) if self.origin == "goal" else with_goal(self.puzzle, position)

    @cached_property
    def group(self) -> SymmetryGroup:
        """The symmetries that keep the depth of every position. Raises UnsupportedError if not all are known."""
        owner = self.puzzle
        if self.origin == "start":
            assert self.model.start is not None
            owner = with_goal(owner, self.model.start)
        found = symmetries(owner, metric=self.model.metric.name, limits=self.limits)
        if not found.complete:
            raise UnsupportedError(f"{owner.name}: not all of its symmetries are known, so distinct cannot be checked")
        return found

    def images(self, position: bytes) -> Sequence[bytes]:
        """Return all images of a position under these symmetries; raise UnsupportedError if they are too many."""
        group = self.group
        try:
            return group.orbit(position)
        except LimitError as error:
            self.watch.tick(0)
            raise UnsupportedError(f"{self.puzzle.name}: {error}") from None

    @cached_property
    def sources(self) -> tuple[bytes, ...]:
        """The positions from which walks begin. Raises UnsupportedError if they cannot be listed."""
        model = self.model
        several = len(model.goals) > 1 or any(goal.position is None for goal in model.goals)
        if model.start is not None and (self.origin == "start" or (several and model.reversible)):
            return (model.start,)
        return self.goals

    @cached_property
    def goals(self) -> tuple[bytes, ...]:
        """All goal positions. Raises UnsupportedError if they cannot be listed, or there are none."""
        with phase("the goal positions were listed"):
            found = few_goals(self.model)
        if not found:
            none = "the goal positions cannot be listed to walk from them; use origin='start'"
            none = none if found is None else "no way of placing the pieces meets a goal"
            raise UnsupportedError(f"{self.puzzle.name}: {none}")
        return found


def seed_of(seed: int | None) -> int:
    """Return the seed, or a random one if there is none."""
    return secrets.randbelow(10**6) if seed is None else seed


def tried_first(order: Order) -> int | None:
    """Return the most positions to generate until walks are tried instead; None if a table of all positions fits."""
    from ..engines.table import oversize

    found = saved.estimate(order.puzzle, metric=order.model.metric.name)
    fits = found is not None and found.positions <= MOST[found.fast] and oversize(order.model) is None
    return None if fits else TRIED


def with_work(order: Order, answer: Generated) -> Generated:
    """Return an answer with the work that it took."""
    return replace(answer, generated=order.watch.generated, seconds=order.watch.seconds)
