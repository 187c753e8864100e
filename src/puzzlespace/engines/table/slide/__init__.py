"""Depth tables of sliding puzzles: the blanks select a row of bits, the order of the pieces a bit of the row.

numbering      the ranking of positions, and which models fit
order_numbers  ranks of orders of pieces
counting       the count, layer by layer
positions      from bits back to positions
walk_down      many distances at once from a saved table
"""

from __future__ import annotations

from ....contract.answers import Layers
from ....contract.questions import Depths
from ....limits.watch import Watch
from .numbering import SlidePlan
from .numbering import plan as plan


def depths(plan: SlidePlan, question: Depths, watch: Watch, threads: int | None = None) -> Layers:
    """Count the positions at each distance from the nearest source; see `counting.depths`."""
    from . import counting  # imported here so that a refusal does not load Numba

    return counting.depths(plan, question, watch, threads)
