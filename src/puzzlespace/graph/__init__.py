"""The graph of all reachable positions, and its layout in space."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ..errors import InputError
from ..limits.watch import Limits, Progress, watched
from ..puzzle.puzzle import Puzzle

if TYPE_CHECKING:
    from .positions import Graph

MOST = 200_000
"""The most positions of a graph by default."""


def explore(
    puzzle: Puzzle,
    *,
    metric: str = "",
    around: bytes | None = None,
    most: int = MOST,
    limits: Limits = Limits(),
    progress: Callable[[Progress], None] | None = None,
) -> Graph:
    """Return the graph of the positions that can be reached from one, and of the moves between them.

    around  the position to begin with (default: the start, else the goals that are one position)
    most    the most positions, in complete layers; `Graph.complete` says whether these are all
    Raises InputError if there is no position to begin with, LimitError at a limit, UnsupportedError if positions are
    too large to pack.
    """
    from .positions import explored

    begin = around if around is not None else puzzle.start
    single = [goal.position for goal in puzzle.goals if goal.position is not None]
    sources = [begin] if begin is not None else single
    if not sources:
        raise InputError(f"{puzzle.name}: expected a position to begin from, found none")
    with watched(limits, progress) as watch:
        return explored(puzzle.model(metric), sources, most, watch)
