"""Depth tables made once for the user's cache folder, if that is worth it, and found there by later questions."""

from __future__ import annotations

import math
import shutil
from collections.abc import Callable
from dataclasses import dataclass, replace

from ..analysis.impossible import placement_bound
from ..contract.questions import SOME_PLACEMENTS
from ..errors import InputError, LimitError, SelfCheckError, TableError, UnsupportedError
from ..limits.known import KnownSoFar
from ..limits.watch import Limits, Progress, Watch
from ..model.model import Model
from ..puzzle.puzzle import Puzzle
from ..storage import cache
from . import measuring
from .arguments import Use
from .cached import TABLE, CachedTable

SOME = SOME_PLACEMENTS.usual
"""Up to so many placements a search is as fast as a table."""

WORDS = {"goal": "to the goal", "start": "from the start"}

MOST = {True: 1 << 30, False: 1 << 23}
"""The most positions of a table that is made, by whether its kind is fast. Either takes a few seconds."""

TRIED, TRIED_BYTES = 5_000_000, 1 << 26
"""If the size of a table is unknown beforehand: the positions generated to try it, once, and the bytes reserved."""


def cached_table(
    use: Use,
    puzzle: Puzzle,
    model: Model,
    origin: str = "goal",
    limits: Limits = Limits(),
    report: Callable[[Progress], None] | None = None,
    known: KnownSoFar | None = None,
) -> CachedTable | None:
    """Return the table in the cache folder that may answer, made now if `use` says so; None if none may answer.

    limits, report  for making it
    known           notes what is counted
    Raises InputError for an unknown `use`.
    """
    if use not in ("use", "make", "off"):
        raise InputError(f"cache: expected use, make or off, found {use!r}")
    if use == "off":
        return None
    if origin == "goal" and puzzle.loaded is not None:
        goals, start = puzzle.goals, puzzle.loaded.start
        puzzle = puzzle.loaded if puzzle.loaded.goals == goals else replace(puzzle, start=start, loaded=None)
        model = puzzle.model(model.metric.name)
    if use == "use":
        return CachedTable(puzzle, model, origin)
    making = TableMaking(limits, report, known or KnownSoFar())
    table = CachedTable(puzzle, model, origin, making.make)
    if not table.known:
        making.make(table)
    return table


@dataclass(frozen=True)
class TableMaking:
    """Makes tables within limits, and reports progress."""

    limits: Limits
    report: Callable[[Progress], None] | None
    known: KnownSoFar

    def make(self, table: CachedTable) -> None:
        """Make a table if it is worth it and fits."""
        worth = self._worth(table)
        if worth is None:
            return
        size, limits = worth
        about = f"{table.puzzle.name}, metric {table.model.metric.name}, {WORDS[table.origin]}"
        try:
            with cache.making(table.place, size, about) as ready:
                if ready:
                    self._count(table, limits)
        except (LimitError, SelfCheckError, TableError, UnsupportedError):
            return

    def _count(self, table: CachedTable, limits: Limits) -> None:
        """Count the table; raise LimitError if a limit of the caller stops it.

        If the table is larger than the number of positions tried, the entry stays without a table, so that it is not
        tried again.
        """
        from . import saved

        folder = table.place / TABLE
        engine = saved.saving(table.puzzle, folder, every=math.inf, metric=table.model.metric.name)
        watch = Watch(limits, self.report, known=self.known)
        done = measuring.measured(table.puzzle, table.model, table.origin, 0, watch, engine)
        if done.stopped is None:
            return
        if done.stopped.kind != "positions":
            raise done.stopped
        shutil.rmtree(folder, ignore_errors=True)

    def _worth(self, table: CachedTable) -> tuple[int, Limits] | None:
        """Return bytes and limits for a table that is worth making: not tiny, and made within seconds.

        None if it is not worth making, or if time or positions are limited, because the answer may need all of them.
        """
        limits = self.limits
        if limits.seconds is not None or limits.positions is not None or _small(table.model):
            return None
        from . import saved

        found = saved.estimate(table.puzzle, metric=table.model.metric.name)
        if found is None:
            return TRIED_BYTES, replace(limits, positions=TRIED)
        return (found.bytes, limits) if found.positions <= MOST[found.fast] else None


def _small(model: Model) -> bool:
    """Return whether a search is as fast as a table."""
    try:
        return placement_bound(model) <= SOME
    except UnsupportedError:
        return True
