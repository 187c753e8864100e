"""The lower bounds on the number of moves to the goal, one file each; docs/adding-a-bound.md says how to add one."""

from __future__ import annotations

from ..contract.bound import Bound
from . import assignment, distance, inversion, pattern, pegs, projection, walking

BOUNDS: tuple[Bound, ...] = (
    distance.BOUND,
    assignment.BOUND,
    inversion.BOUND,
    walking.BOUND,
    pattern.BOUND,
    pegs.BOUND,
    projection.BOUND,
)
"""Every lower bound: adding one is one file and one line here.

A search without a name takes the first one that fits and is `automatic`.
"""

BOUND_NAMES: tuple[str, ...] = ("", *(bound.name for bound in BOUNDS))
"""The names of the lower bounds that an engine can be told to use; '': the engine chooses."""
