"""Depth tables of slides: the blanks choose a row of bits, the order of the pieces a bit of it.

numbering      how positions are numbered, and which fit
order_numbers  numbers of orders of pieces
counting       the running count, layer by layer
positions      from bits back to positions
walk_down      many distances at once from a kept table
"""

from __future__ import annotations

from ....contract.answers import Layers
from ....contract.questions import Depths
from ....limits.watch import Watch
from .numbering import SlidePlan
from .numbering import plan as plan


def depths(plan: SlidePlan, question: Depths, watch: Watch, threads: int | None = None) -> Layers:
    """Count the positions at each distance from the nearest source; see `counting.depths`."""
    from . import counting  # a refusal needs no compiler

    return counting.depths(plan, question, watch, threads)
