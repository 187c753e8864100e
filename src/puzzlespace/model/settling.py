"""What happens by itself after a rule, and which positions are forbidden."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ..errors import EndlessError
from ..limits.watch import paced
from .metric import Metric

Applied = Callable[[int, bytes], bytes | None]
"""Returns what a rule, by its number, makes of a position; None if it does not apply."""

State = tuple[bytes, int, tuple[bool, ...]]
"""A position, the stage that made the last rule, and which stages are over: what happens next depends on these."""


@dataclass(frozen=True)
class Settling:
    """The stages and laws of a metric; `applied` makes the rules of the model."""

    metric: Metric
    applied: Applied

    def broken(self, position: bytes) -> str | None:
        """Return the name of the first law that forbids the position, or None."""
        return next((law.name for law in self.metric.laws if law.sentence.holds(position)), None)

    def settled(self, position: bytes, once: bool = True) -> tuple[bytes, tuple[int, ...]]:
        """Return the position after everything has happened by itself, and the rules that this made.

        A state that is seen again is found by comparing with one state, which is replaced after 2, 4, 8 … rules
        (Brent 1980, "An improved Monte Carlo factorization algorithm", BIT 20).

        once  whether the stages that are `once` happen, too
        Raises EndlessError if it never ends.
        """
        made: list[int] = []
        since: list[bytes] = []
        marked: State | None = None
        power = 1
        for rule, state in paced(self._happening(position, once)):
            made.append(rule)
            position = state[0]
            since.append(position)
            if state == marked:
                raise EndlessError(since)
            if len(made) == power:
                marked, since, power = state, [], 2 * power
        return position, tuple(made)

    def _happening(self, position: bytes, once: bool) -> Iterator[tuple[int, State]]:
        """Yield every rule that happens by itself, with the state after it."""
        stages = self.metric.automatic
        over = tuple([stage.once and not once for stage in stages])
        changed = True
        while changed:
            changed = False
            for number, stage in enumerate(stages):
                while not over[number]:
                    rule, child = self._first(position, stage.rules)
                    if child is None:
                        break
                    position, changed = child, True
                    if stage.once:
                        over = (*over[:number], True, *over[number + 1 :])
                    yield rule, (position, number, over)

    def _first(self, position: bytes, rules: tuple[int, ...]) -> tuple[int, bytes | None]:
        """Return the first of some rules that changes a position, and what it makes of it."""
        for number in rules:
            child = self.applied(number, position)
            if child is not None and child != position:
                return number, child
        return -1, None


def unsuitable(metric: Metric, rules: int, cells: int, symbols: int) -> str | None:
    """Return what is wrong with the stages and laws of a metric for a model of so many rules, cells and symbols."""
    if not metric.lawful:
        return None
    if metric.after or metric.free or metric.exhausts:
        return "expected moves of one rule each if positions are forbidden or something happens by itself"
    for stage in metric.automatic:
        if len(set(stage.rules)) < len(stage.rules):
            return f"expected different rules in a stage, found {stage.rules}"
        wrong = next((number for number in stage.rules if not 0 <= number < rules), None)
        if wrong is not None:
            return f"expected a rule below {rules} in a stage, found {wrong}"
    law = next((law for law in metric.laws if not law.sentence.fits(cells, symbols)), None)
    return law and f"law {law.name!r}: expected cells below {cells} and numbers for each of {symbols} symbols"
