"""Depth tables made once and used again: kept in the user's cache folder, found again by what they are of.

A table answers only what it was made for: its fingerprint, metric, goals and checksums are looked at each time. A
damaged or wrong one is made anew; if a table cannot answer, the search does.
"""

from __future__ import annotations

import math
import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from ..analysis.impossible import placement_bound
from ..contract.questions import Engine
from ..errors import LimitError, SelfCheckError, TableError, UnsupportedError
from ..limits.thresholds import Thresholds
from ..limits.watch import Limits
from ..model.model import Model
from ..puzzle.puzzle import Puzzle
from ..storage import cache
from . import questions, saved

Answer = TypeVar("Answer")

KIND, TABLE = "depths", "table"
"""The kind of entry, and the folder of the table in it."""

SOME = Thresholds().some_placements
"""Up to so many placements a search is as quick as a table."""

WORDS = {"goal": "to the goal", "start": "from the start"}

MOST = {True: 1 << 30, False: 1 << 23}
"""A table is made by itself where it numbers at most so many positions: of a fast kind, or of the other one. Either
takes a few seconds."""

TRIED, TRIED_BYTES = 5_000_000, 1 << 26
"""Where it is not known how large a table gets: so many positions generated are tried, once, and bytes set aside."""


@dataclass(frozen=True)
class WantedTable:
    """The table that would answer: of a puzzle by a metric, to the goal or from the start ('' as `depths` does).

    limits, report  for making it
    tell            told what a person should know
    """

    puzzle: Puzzle
    metric: str
    origin: str = ""
    limits: Limits = Limits()
    report: questions.Report | None = None
    tell: Callable[[str], None] = lambda words: None

    @property
    def measured(self) -> str:
        """What it measures: to the 'goal', or from the 'start'."""
        return self.origin or questions.default_origin(self.puzzle.model(self.metric))

    @property
    def place(self) -> Path:
        """Where in the cache it is, made or not: goat and its hardest start, say, share one."""
        model = self.puzzle.model(self.metric)
        chosen = len(model.goals) > 1 or any(goal.position is None for goal in model.goals)
        start = model.start if chosen or self.measured == "start" else None
        goals = model.goals if self.measured == "goal" else ()
        what = (model.fingerprint, model.metric.name, start, goals)
        return cache.folder(KIND, cache.key_of(*what))


def answer(wanted: WantedTable, ask: Callable[[str | Engine], Answer], make: bool = False) -> Answer:
    """Return what `ask` answers with the kept table as its engine, or with 'auto' where there is none that can.

    make  make the table where there is none and it is worth it
    """
    place = wanted.place
    if not cache.found(place) and not (make and _made(wanted, place)):
        return ask("auto")
    if not os.path.exists(place / TABLE):
        return ask("auto")
    try:
        return _asked(wanted, place, ask)
    except (SelfCheckError, TableError) as error:
        wanted.tell(f"{error}; made anew" if make else f"{error}; removed")
        cache.drop(place)
    if not (make and _made(wanted, place)):
        return ask("auto")
    return _asked(wanted, place, ask)


def _asked(wanted: WantedTable, place: Path, ask: Callable[[str | Engine], Answer]) -> Answer:
    """Ask with the table as the engine; where it cannot answer, without. Raises TableError."""
    try:
        found = ask(saved.asking(wanted.puzzle, place / TABLE, metric=wanted.metric))
    except UnsupportedError:
        return ask("auto")
    cache.touch(place)
    return found


def _made(wanted: WantedTable, place: Path) -> bool:
    """Make the table where it is worth it and fits; return whether it is there now."""
    owner, metric = wanted.puzzle, wanted.puzzle.model(wanted.metric).metric.name
    worth = _worth(wanted)
    if worth is None:
        return False
    size, limits = worth
    made = False
    try:
        with cache.making(place, size, f"{owner.name}, metric {metric}, {WORDS[wanted.measured]}") as ready:
            if ready:
                made = _count(wanted, place / TABLE, limits)
    except (LimitError, SelfCheckError, TableError, UnsupportedError):
        return False
    return made


def _count(wanted: WantedTable, folder: Path, limits: Limits) -> bool:
    """Count the table; return whether it is there. Raises LimitError where it is stopped by what a person asked for.

    One that turns out to be larger than what is tried is noted as such: the entry has no table.
    """
    engine = saved.saving(wanted.puzzle, folder, every=math.inf, metric=wanted.metric)
    done = questions.depths(
        wanted.puzzle, origin=wanted.measured, metric=wanted.metric, engine=engine, limits=limits,
        progress=wanted.report,
    )  # fmt: skip
    if done.stopped is None:
        return True
    if done.stopped.kind != "positions":
        raise done.stopped
    shutil.rmtree(folder, ignore_errors=True)
    return False


def _worth(wanted: WantedTable) -> tuple[int, Limits] | None:
    """Return bytes and limits for a table that is worth making: neither tiny nor long in the making.

    None where it is not, or where a person limits time or positions: the answer has them to itself.
    """
    limits = wanted.limits
    if limits.seconds is not None or limits.positions is not None or _small(wanted.puzzle.model(wanted.metric)):
        return None
    found = saved.estimate(wanted.puzzle, metric=wanted.metric)
    if found is None:
        return TRIED_BYTES, replace(limits, positions=TRIED)
    return (found.bytes, limits) if found.positions <= MOST[found.fast] else None


def _small(model: Model) -> bool:
    """Return whether a search is as quick as a table."""
    try:
        return placement_bound(model) <= SOME
    except UnsupportedError:
        return True
