"""The greatest of several projections: what each goal piece needs with the others ignored, or a few cells alone.

docs/methods/lower-bounds.md has the proof, heuristics/projection_choice.py how projections are chosen.
"""

from __future__ import annotations

from ..contract.bound import Bound, Evaluate, Goals
from ..contract.space import Space
from ..limits.watch import Watch, phase
from ..model.model import Model

MOST_LISTED = 2_000
"""The most goal positions that are looked at one by one."""

MOST_RULES = 20_000
"""The most rules of a puzzle: reading them again for each projection would take too long."""


def fits(space: Space, goals: Goals) -> str | None:
    """Return why the bound is not for this puzzle, or None."""
    if not isinstance(space, Model):
        return "it is for rules, and the moves of this puzzle are Python functions"
    if space.start is None:
        return "it begins with a start, and the puzzle has none"
    if len(space.rules) > MOST_RULES:
        return f"it is for at most {MOST_RULES:,} rules, and the puzzle has {len(space.rules):,}"
    return None


def make(space: Space, goals: Goals, watch: Watch) -> Evaluate:
    """Return the function that evaluates positions."""
    from ..heuristics import projection_choice as choice  # most questions need no bound
    from ..heuristics.projection_table import ProjectedGoals
    from ..structure import reached

    assert isinstance(space, Model)
    listed = goals if goals is not None and len(goals) <= MOST_LISTED else None
    with phase("projections for the lower bound were computed"):
        aim = ProjectedGoals(listed, space.goals)
        limits = watch.thresholds[choice.PROJECTION_WORK], watch.thresholds[choice.PROJECTION_NODES]
        sums = choice.ProjectionChoice(reached.read(space), aim, *limits).sums()
    if len(sums) == 1 and len(sums[0]) == 1:
        return sums[0][0].bound
    tables = list(dict.fromkeys(table for each in sums for table in each))
    rows = [[tables.index(table) for table in each] for each in sums]
    bounds = [table.bound for table in tables]

    def greatest(position: bytes) -> float:
        found = [bound(position) for bound in bounds]
        return max([sum([found[number] for number in row]) for row in rows], default=0)

    return greatest


BOUND = Bound("projection", fits, make, consistent=True, automatic=False)
