"""Depth tables of sliding puzzles: the blanks select a row of bits, the order of the pieces a bit of the row.

numbering      the ranking of positions, and which models fit
order_numbers  ranks of orders of pieces
counting       the count, layer by layer
arrays         many positions at once
positions      from bits back to positions
on_device      the count on a graphics card
walk_down      many distances at once from a saved table
"""

from __future__ import annotations

from functools import partial

from ....contract.answers import Layers
from ....contract.questions import Depths
from ....limits.watch import Watch
from .numbering import ASKED as ASKED
from .numbering import SlidePlan
from .numbering import plan as plan


def depths(plan: SlidePlan, question: Depths, watch: Watch, threads: int | None = None) -> Layers:
    """Count the positions at each distance from the nearest source; see `counting.depths` and `on_device.opened`."""
    from . import counting, on_device  # imported here so that a refusal does not load Numba

    with on_device.opened(plan, question, watch) as device:
        if device is None:
            return counting.depths(plan, question, watch, threads)
        return counting.depths(plan, question, watch, make=partial(on_device.DeviceCount, device))
