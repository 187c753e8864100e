"""The depth table in the user's cache folder that answers questions about a puzzle: found again by what it is of.

A table answers only what it was made for: its fingerprint, metric, goals and checksums are checked each time. A damaged
or outdated table is removed with a warning, and the search answers.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from threading import Lock

from ..contract.questions import Engine
from ..errors import PuzzlespaceError, TableWarning
from ..model.model import Model
from ..puzzle.puzzle import Puzzle
from ..storage import cache

KIND, TABLE = "depths", "table"
"""The kind of entry, and the folder of the table in it."""

OPEN = 2
"""Tables that stay open for further questions."""


@dataclass(frozen=True)
class CachedTable:
    """The table of a puzzle in the cache folder, made or not.

    puzzle  as it was loaded, for a table to the goal: which of several goals count depends on its start
    origin  whether it measures to the 'goal' or from the 'start'
    make    makes the table if that is worth it; None: it is only used
    """

    puzzle: Puzzle
    model: Model
    origin: str
    make: Callable[[CachedTable], None] | None = None

    @cached_property
    def place(self) -> Path:
        """The entry of the table. Puzzles that differ in the start alone share it, unless the table depends on it."""
        model = self.model
        several = len(model.goals) > 1 or any(goal.position is None for goal in model.goals)
        start = model.start if several or self.origin == "start" else None
        goals = model.goals if self.origin == "goal" else ()
        return cache.folder(KIND, cache.key_of(model.fingerprint, model.metric.name, start, goals))

    @property
    def known(self) -> bool:
        """Whether the table was made, or tried and found too large: then the entry holds no table."""
        return os.path.isdir(cache.root() / KIND) and cache.found(self.place)

    def engine(self) -> Engine | None:
        """Return the engine that answers from the table, or None if there is no table. Raises TableError."""
        if not self.known or not os.path.exists(self.place / TABLE):
            return None
        found = _opened(self.place / TABLE, self.model)
        cache.touch(self.place)
        return found

    def give_up(self, error: PuzzlespaceError) -> None:
        """Remove the table after an error, warn of it, and make the table anew if it is to be made."""
        warnings.warn(f"{error}; {'made anew' if self.make else 'removed'}", TableWarning, stacklevel=2)
        cache.drop(self.place)
        if self.make is not None:
            self.make(self)


_open: dict[tuple[object, ...], Engine] = {}
_lock = Lock()


def _opened(folder: Path, model: Model) -> Engine:
    """Return the engine of a table; the last few stay open until one of their files changes."""
    from ..tables.kinds import answering_engine  # loads arrays

    try:
        files = sorted((entry.name, entry.stat().st_mtime_ns, entry.stat().st_size) for entry in os.scandir(folder))
    except OSError:
        files = []
    key = (folder, *files)
    with _lock:
        found = _open.pop(key, None)
    found = answering_engine(folder, model) if found is None else found
    with _lock:
        _open[key] = found
        while len(_open) > OPEN:
            _open.pop(next(iter(_open)))
    return found
