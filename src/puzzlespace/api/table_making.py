"""Depth tables made for the user's cache folder, where later questions find them: once, if that is worth it."""

from __future__ import annotations

import math
import shutil
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from ..analysis.impossible import placement_bound
from ..errors import InputError, LimitError, SelfCheckError, TableError, UnsupportedError
from ..limits.thresholds import Thresholds
from ..limits.watch import Limits, Progress, Watch
from ..model.model import Model
from ..puzzle.puzzle import Puzzle
from ..storage import cache
from . import measuring, saved
from .cached import TABLE, CachedTable

Use = Literal["use", "make", "off"]
"""What a question does with the table of its puzzle in the cache folder; see `questions.solve`."""

SOME = Thresholds().some_placements
"""Up to so many placements a search is as quick as a table."""

WORDS = {"goal": "to the goal", "start": "from the start"}

MOST = {True: 1 << 30, False: 1 << 23}
"""A table is made if it numbers at most so many positions: of a fast kind, or of the other one. Either takes a few
seconds."""

TRIED, TRIED_BYTES = 5_000_000, 1 << 26
"""If the size of a table is not known before: the positions generated to try it, once, and the bytes set aside."""


def cached_table(
    use: Use,
    puzzle: Puzzle,
    model: Model,
    origin: str = "goal",
    limits: Limits = Limits(),
    report: Callable[[Progress], None] | None = None,
) -> CachedTable | None:
    """Return the table in the cache folder that may answer, made now if `use` says so; None if none may answer.

    limits, report  for making it
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
    making = TableMaking(limits, report)
    table = CachedTable(puzzle, model, origin, making.make)
    if not table.known:
        making.make(table)
    return table


@dataclass(frozen=True)
class TableMaking:
    """How tables are made: within limits, with reports of progress."""

    limits: Limits
    report: Callable[[Progress], None] | None

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
        """Count the table; raise LimitError if a limit that a person asked for stops it.

        If the table turns out to be larger than what is tried, the entry stays without a table, and says so.
        """
        folder = table.place / TABLE
        engine = saved.saving(table.puzzle, folder, every=math.inf, metric=table.model.metric.name)
        done = measuring.measured(table.puzzle, table.model, table.origin, 0, Watch(limits, self.report), engine)
        if done.stopped is None:
            return
        if done.stopped.kind != "positions":
            raise done.stopped
        shutil.rmtree(folder, ignore_errors=True)

    def _worth(self, table: CachedTable) -> tuple[int, Limits] | None:
        """Return bytes and limits for a table that is worth making: neither tiny nor long in the making.

        None if it is not worth making, or if a person limits time or positions: the answer has them to itself.
        """
        limits = self.limits
        if limits.seconds is not None or limits.positions is not None or _small(table.model):
            return None
        found = saved.estimate(table.puzzle, metric=table.model.metric.name)
        if found is None:
            return TRIED_BYTES, replace(limits, positions=TRIED)
        return (found.bytes, limits) if found.positions <= MOST[found.fast] else None


def _small(model: Model) -> bool:
    """Return whether a search is as quick as a table."""
    try:
        return placement_bound(model) <= SOME
    except UnsupportedError:
        return True
