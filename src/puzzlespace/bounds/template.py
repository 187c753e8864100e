"""A template for a lower bound: wrong cells, divided by the most cells that a move changes. Copy it, rename it.

If a move changes at most k cells, it puts at most k of them right. So a position with n wrong cells needs n / k moves
or more, rounded up. With several goals the nearest one counts. The template is tested like every bound, but it is not
in `BOUNDS`.
"""

from __future__ import annotations

from ..contract.bound import Bound, Evaluate, Goals
from ..contract.space import Space
from ..limits.watch import Watch
from ..model.model import Model


def fits(space: Space, goals: Goals) -> str | None:
    """Return why the bound is not for this puzzle, or None."""
    if not isinstance(space, Model):
        return "it is for rules, and the moves of this puzzle are Python functions"
    if not space.metric.single:
        return "it is for the metric step, in which every rule is a move that counts one"
    return "the goal positions are not listed one by one" if not goals else None


def make(space: Space, goals: Goals, watch: Watch) -> Evaluate:
    """Return the function that evaluates positions."""
    assert isinstance(space, Model)
    assert goals
    most = max([len(rule.cells) for rule in space.rules], default=1)
    listed = list(goals)

    def left(position: bytes) -> int:
        wrong = min(sum(here != there for here, there in zip(position, goal, strict=True)) for goal in listed)
        return -(-wrong // most)

    return left


BOUND = Bound("template", fits, make, consistent=True)
