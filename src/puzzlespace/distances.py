"""The distance to the goal of every position of a small puzzle at once, for players and maps."""

from __future__ import annotations

from pathlib import Path

from . import api, choice
from .errors import LimitError, UnsupportedError
from .model import ANY, Goal
from .puzzle import Puzzle
from .result import Depths, Limits, Watch

MOST = 200_000
"""So many positions are few enough to be kept one by one."""

TRIED = 40
"""The search stops after so many positions generated for each that may be kept."""


def distances(
    puzzle: Puzzle | str | Path, *, metric: str = "", most: int = MOST, limits: Limits = Limits()
) -> dict[bytes, int]:
    """Return the number of moves to the goal of every position that can reach it.

    Raises LimitError where these are more than `most` or a limit is passed, UnsupportedError where moves cannot be
    traced back or the goal positions cannot be listed, InputError where there is no goal.
    """
    owner = puzzle if isinstance(puzzle, Puzzle) else api.load(puzzle)
    model = owner.model(metric)
    target = model if model.reversible else model.backward
    if target is None:
        raise UnsupportedError("distances to the goal need moves that can be traced back")
    tried = most * TRIED if limits.positions is None else min(limits.positions, most * TRIED)
    watch = Watch(Limits(limits.seconds, limits.memory, tried))
    counted = api.depths(owner, origin="goal", metric=metric, keep=0, limits=watch.limits)
    if counted.stopped is not None:
        raise counted.stopped
    if counted.states > most:
        raise LimitError("positions", f"{counted.states:,} positions are more than {most:,}")
    sources = api.goal_sources(owner, model, watch, "auto")
    everything = Goal((ANY,) * model.cells)
    _, layers = choice.depths(Depths(target, sources, 0, (everything,)), watch, "frontier")
    if layers.stopped is not None:
        raise layers.stopped
    return {bytes(position): depth for position, depth in layers.collected}
