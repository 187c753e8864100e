"""What a count takes that was refused, or stopped, because memory or disk is too small for it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..contract.answers import DepthTable
from ..errors import PuzzlespaceError, RoomError
from ..limits.machine import spare_memory
from ..limits.stopping import graced
from ..limits.watch import Limits
from ..puzzle.puzzle import Puzzle
from .terminal import stopped

if TYPE_CHECKING:
    from ..contract.plans import Plan

PLANNING = 10.0
"""Seconds, at most, to plan a count that was refused."""

ROOM = 512 << 20
"""Bytes of memory that planning may take; with less, only the limit is said."""


@dataclass(frozen=True)
class Count:
    """A count of depths, as `plan` takes it."""

    puzzle: Puzzle
    metric: str
    origin: str
    engine: str
    limits: Limits

    def stopped(self, table: DepthTable) -> int:
        """Print why a count stopped, and after a lack of memory what it takes; return the exit code."""
        code = stopped(table.stopped)
        if table.stopped is not None and table.stopped.kind == "memory":
            from ..render import planned  # most counts are not refused

            plan = self._plan(table.seconds)
            words = planned.refusal(plan) if plan is not None else ""
            if words:
                print(f"puzzlespace: {words}", file=sys.stderr)
        return code

    @contextmanager
    def room(self, keep: bool) -> Iterator[None]:
        """Add to an error for a disk that is too small what counting takes, and saving if depths are kept."""
        try:
            yield
        except RoomError as error:
            plan = self._plan(0.0)
            if plan is None:
                raise
            from ..render import planned

            raise RoomError(f"{error}; {planned.saving(plan, keep)}") from None

    def _plan(self, spent: float) -> Plan | None:
        """Return the plan, or None if the time that is left does not suffice."""
        left = PLANNING if self.limits.seconds is None else min(PLANNING, self.limits.seconds - spent)
        if left <= 0 or spare_memory() < ROOM:
            return None
        from ..api.planning.plan import plan

        try:
            limits = Limits(left, self.limits.memory)
            with graced(0.0):  # the limits hold for planning, although the answer is being printed
                return plan(self.puzzle, metric=self.metric, origin=self.origin, engine=self.engine, limits=limits)
        except PuzzlespaceError:
            return None
