"""All positions that can be reached, as a graph: explored in whole, and laid out in space."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ..errors import InputError
from ..limits.watch import Limits, Progress, Watch
from ..puzzle.puzzle import Puzzle

if TYPE_CHECKING:
    from .positions import Graph

MOST = 200_000
"""Positions of a graph at most, where nothing else is asked for."""


def explore(
    puzzle: Puzzle,
    *,
    metric: str = "",
    around: bytes | None = None,
    most: int = MOST,
    limits: Limits = Limits(),
    progress: Callable[[Progress], None] | None = None,
) -> Graph:
    """Return the positions that can be reached from one, and the moves between them.

    around  where to begin (default: the start, else the goals that are one position)
    most    positions at most, in whole layers: `complete` tells whether these are all
    Raises InputError where there is nothing to begin from, LimitError where a limit stops it, UnsupportedError where
    positions are too large to pack.
    """
    from .positions import explored

    begin = around if around is not None else puzzle.start
    single = [goal.position for goal in puzzle.goals if goal.position is not None]
    sources = [begin] if begin is not None else single
    if not sources:
        raise InputError(f"{puzzle.name}: expected a position to begin from, found none")
    return explored(puzzle.model(metric), sources, most, Watch(limits, progress))
