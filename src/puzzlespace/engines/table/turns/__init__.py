"""Depth tables of puzzles with two turns: one bit for each orbit of positions under a turn, not for each position.

Two turns, each with all its powers, are all moves, as on two wheels that share pieces. A shortest solution uses them
alternately. So of each turn only the orbits that were reached are kept, and a step leads from the orbits of one to
those of the other. Turns of orders p and q take N/p and N/q bits for N positions. docs/methods/turns.md has the proof.

As in `products`, a position is a row and a column. An orbit of rows is stored once, in the *frame* of its first row.

numbering  the rows, blocks and columns of positions, and which models fit
counting   the count, layer by layer
"""

from __future__ import annotations

from ....contract.answers import Layers
from ....contract.questions import Depths
from ....limits.watch import Watch
from .numbering import ASKED as ASKED
from .numbering import TurnPlan
from .numbering import plan as plan


def depths(plan: TurnPlan, question: Depths, watch: Watch, threads: int | None = None) -> Layers:
    """Count the positions at each distance from the nearest source. No layers can be kept or handed over."""
    from ..counting import count_with  # imported here so that a refusal does not load Numba
    from .counting import TurnCount

    return count_with(lambda: TurnCount(plan, watch), question, watch, threads)
