"""Whether a goal can be reached at all, found out bit by bit while a depth-first search runs.

Where moves go in circles a depth-first search below growing bounds never ends without a solution. So layers from the
start and from the goals, a small part of all the work, are grown beside it: where one side comes to its end and never
met the other, there is no solution. Where the sides meet, there is one, and nothing more is looked at.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ..model import Model
from ..result import Search, Watch
from .frontier import wake
from .packing import Packing, refusal


@dataclass
class Exhaust:
    """Layers from both ends of a question with goals one by one."""

    question: Search
    used: int = 0
    met: bool = False
    fronts: list = field(default_factory=list)

    def proves(self, watch: Watch, rounds: int) -> bool:
        """Go on as far as the work of so many rounds allows; return whether there is no solution."""
        by = watch.thresholds
        most = max(0, watch.generated - by.exhaust_after) // by.exhaust_share
        most += max(0, rounds - by.exhaust_rounds) * by.exhaust_each
        while not self.met and self.used < most:
            if not self.fronts and not self._begin():
                return False
            before = watch.generated
            forward, backward = self.fronts
            side = backward if backward.size < forward.size else forward
            wake(by.compile_frontier, forward, backward)
            side.grow(watch)
            self.used += watch.generated - before
            if not side.size:
                return True
            self.met = len(forward.way.common(forward.layer, backward.layer)) > 0
        return False

    def _begin(self) -> bool:
        """Make the two ends; return whether positions of the puzzle can be packed."""
        from .front import Front

        model, goals = self.question.space, self.question.goals
        assert isinstance(model, Model)
        assert goals
        ends = (self.question.start, *goals)
        if model.backward is None or refusal(model, ends):
            self.met = True
            return False
        packing = Packing.of(model, ends)
        sides = (model, ends[:1]), (model.backward, goals)
        self.fronts = [Front(space, packing, roots, record=False) for space, roots in sides]
        return True
