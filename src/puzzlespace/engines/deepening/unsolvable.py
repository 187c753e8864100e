"""A proof that no goal can be reached, computed step by step while a depth-first search runs.

If moves go in circles and there is no solution, a depth-first search below growing bounds never ends. So layers from
the start and from the goals are computed beside it, with a small share of the work. If one side ends before the two
meet, there is no solution. If they meet, there is one, and the layers stop.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ...contract.questions import Search
from ...limits.watch import Watch
from ...model.model import Model
from ..packed.positions import Packing, refusal
from ..packed.switching import switch_if_large


@dataclass
class Exhaust:
    """Layers from both ends of a question; from the start alone if its goals are not listed one by one."""

    question: Search
    used: int = 0
    met: bool = False
    fronts: list = field(default_factory=list)

    def proves(self, watch: Watch, rounds: int) -> bool:
        """Continue within the share of the work of so many rounds; return whether there is no solution."""
        by = watch.thresholds
        most = max(0, watch.generated - by.exhaust_after) // by.exhaust_share
        most += max(0, rounds - by.exhaust_rounds) * by.exhaust_each
        while not self.met and self.used < most:
            if not self.fronts and not self._begin():
                return False
            before = watch.generated
            side = min(reversed(self.fronts), key=lambda front: front.size)
            switch_if_large(by.compile_frontier, by, *self.fronts)
            side.grow(watch)
            self.used += watch.generated - before
            if not side.size:
                return True
            self.met = self._meet()
        return False

    def _begin(self) -> bool:
        """Create both sides; return whether positions can be packed."""
        from ..packed.front import Front

        model, goals = self.question.space, self.question.goals or ()
        assert isinstance(model, Model)
        ends = (self.question.start, *goals)
        if refusal(model, ends):
            self.met = True
            return False
        assert model.backward is not None  # of models that are not reversible, nothing is asked
        packing = Packing.of(model, ends)
        sides = [(model, ends[:1]), (model.backward, goals)][: 2 if goals else 1]
        self.fronts = [Front(space, packing, roots, record=False) for space, roots in sides]
        return True

    def _meet(self) -> bool:
        """Return whether the two sides have met, or the only one has met a goal."""
        from ..packed.arrays import Goals

        forward, *backward = self.fronts
        if backward:
            return len(forward.method.common(forward.layer, backward[0].layer)) > 0
        goals = Goals(forward.model.goals, forward.plan.packing)
        return any(len(goals.among(piece)) > 0 for piece in forward.pieces())
