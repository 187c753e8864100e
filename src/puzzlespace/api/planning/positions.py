"""How many positions there are, as far as that is known without counting them."""

from __future__ import annotations

from dataclasses import replace

from ...analysis.impossible import placement_bound
from ...contract.plans import Between
from ...errors import UnsupportedError
from ...limits.machine import has_arrays
from ...model.model import Model
from ...puzzle.puzzle import Puzzle

ORBIT = 3.0
"""Seconds for the number of positions that listed moves reach."""


def positions(puzzle: Puzzle, model: Model, seconds: float = ORBIT) -> Between:
    """Return the number of positions that can be reached: said in the file, computed, or at most all placements.

    seconds  for which it is computed at most
    """
    said = [each.value for each in puzzle.known if each.what == "states"]
    exact = said[0] if said else reachable(model, model.anchor, seconds)
    if exact is not None:
        return Between(exact, exact)
    try:
        return Between(1, placement_bound(model))
    except UnsupportedError:
        return Between(1, None)


def reachable(model: Model, source: bytes | None, seconds: float = ORBIT) -> int | None:
    """Return how many positions a position reaches, if that is known without a search."""
    if source is None or not has_arrays():
        return None
    from ...engines.shared import audit  # loads arrays

    return audit.reachable(replace(model, start=source, goals=()), seconds)
