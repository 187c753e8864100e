"""A proof that no goal can be reached, computed step by step while a depth-first search runs.

If moves go in circles and there is no solution, a depth-first search below growing bounds never ends. So layers from
the start and from the goals are computed beside it, with a small share of the work. If one end ends before the two
meet, there is no solution. If they meet, there is one, and the layers stop.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ...contract.questions import Search
from ...limits.thresholds import Threshold
from ...limits.watch import Watch
from ...search.ends import End, begun
from ...search.layers import met
from ..packed.positions import Packing, refusal

EXHAUST_AFTER = Threshold(20_000_000)
"""Positions generated before layers from both ends are computed along with the search."""

EXHAUST_SHARE = Threshold(200)
"""After them, one position of layers for this many positions of the search."""

EXHAUST_ROUNDS = Threshold(50)
"""Rounds before layers from both ends are computed along with the search."""

EXHAUST_EACH = Threshold(200)
"""After them, this many positions of layers for each further round."""


@dataclass
class Exhaust:
    """Layers from both ends of a question; from the start alone if its goals are not listed one by one."""

    question: Search
    used: int = 0
    met: bool = False
    ends: list[End] = field(default_factory=list[End])

    def proves(self, watch: Watch, rounds: int) -> bool:
        """Continue within the share of the work of so many rounds; return whether there is no solution."""
        by = watch.thresholds
        most = max(0, watch.generated - by[EXHAUST_AFTER]) // by[EXHAUST_SHARE]
        most += max(0, rounds - by[EXHAUST_ROUNDS]) * by[EXHAUST_EACH]
        while not self.met and self.used < most:
            if not self.ends and not self._begin(watch):
                return False
            before = watch.generated
            end = min(reversed(self.ends), key=lambda end: end.size)
            end.grow(watch)
            self.used += watch.generated - before
            if not end.size:
                return True
            self.met = self._meet()
        return False

    def _begin(self, watch: Watch) -> bool:
        """Create both ends; return whether positions can be packed."""
        from ..packed.front import COMPILE_FRONTIER, Front, Switch

        model, goals = self.question.model, self.question.goals or ()
        roots = (self.question.start, *goals)
        if refusal(model, roots):
            self.met = True
            return False
        assert model.backward is not None  # of models that are not reversible, nothing is asked
        packing, switch = Packing.of(model, roots), Switch(watch.thresholds[COMPILE_FRONTIER])
        self.ends = [begun(Front(model, packing, model.goals, switch=switch), roots[:1])]
        if goals:
            self.ends.append(begun(Front(model.backward, packing, switch=switch), goals))
        return True

    def _meet(self) -> bool:
        """Return whether the two ends have met, or the only one has met a goal."""
        return len(met(*self.ends)) > 0
