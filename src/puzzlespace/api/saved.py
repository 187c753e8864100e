"""Depth tables that last, for a puzzle: engines that save one and that answer from one, and a table opened.

api.depths(puzzle, engine=saving(puzzle, "folder"))          counts into a folder, to be gone on with if stopped
api.distance(puzzle, position, engine=asking(puzzle, "folder"))
open_table(puzzle, "folder").distance(position)              the table itself, quickest of all
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..contract.questions import Engine
from ..errors import InputError, TableError
from ..puzzle.puzzle import Puzzle
from .loader import from_text, load, written

if TYPE_CHECKING:
    from ..tables.opened import BitTable
    from ..tables.runs_opened import RunTable
    from ..tables.save import Estimate


def saving(
    puzzle: Puzzle,
    folder: str | Path,
    *,
    resume: bool = False,
    every: float | None = None,
    engine: str = "auto",
    metric: str = "",
) -> Engine:
    """Return the engine whose `depths` keeps the table it counts in a folder.

    resume  go on with an unfinished table that is there
    every   seconds between snapshots at least; 0: one after each layer
    engine  'table' for depths by rank, 'frontier' for layers as sorted runs; 'auto': ranks, where there are any for
            the puzzle by this metric
    Its `depths` raises TableError where the folder cannot be used, UnsupportedError where no table can be kept.
    """
    from ..contract.version import __version__
    from ..tables.identity import Note
    from ..tables.kinds import saver
    from ..tables.save import EVERY, Saving

    note = Note(puzzle.name, written(puzzle))
    every = EVERY if every is None else every
    return saver(Saving(Path(folder), resume, note, f"puzzlespace {__version__}", every), puzzle.model(metric), engine)


def finished(folder: str | Path) -> bool:
    """Return whether a table in a folder was counted to its end."""
    from ..storage.files import MANIFEST, there

    return there(Path(folder) / MANIFEST)


def estimate(puzzle: Puzzle, *, metric: str = "") -> Estimate | None:
    """Return what a kept table of a puzzle takes, or None where none can be kept."""
    from ..tables.save import estimate as found

    return found(puzzle.model(metric))


def asking(puzzle: Puzzle, folder: str | Path, *, metric: str = "") -> Engine:
    """Return the engine that answers from the finished table in a folder. Raises TableError."""
    from ..tables.kinds import asker

    return asker(Path(folder), puzzle.model(metric))


def open_table(puzzle: Puzzle | str | Path, folder: str | Path, *, metric: str = "") -> BitTable | RunTable:
    """Return the finished table in a folder, to ask for distances and best moves. Raises TableError."""
    from ..tables.kinds import table_of

    owner = puzzle if isinstance(puzzle, Puzzle) else load(str(puzzle))
    return table_of(Path(folder), owner.model(metric))


@dataclass(frozen=True)
class FinishedTable:
    """A finished table with its puzzle, as far as the folder tells.

    origin  'goal' where it measures to the puzzle's goal, else 'start'
    """

    puzzle: Puzzle
    manifest: dict[str, Any]

    @property
    def origin(self) -> str:
        return self.manifest["origin"]


def kept(folder: str | Path) -> FinishedTable:
    """Return what the manifest in a folder says, with the puzzle rebuilt from it. Raises TableError."""
    from ..tables.manifests import finished

    found = finished(Path(folder))
    name, text = found["puzzle"]["name"], found["puzzle"]["text"]
    try:
        puzzle = from_text(text, f"{name}.pzl", name) if text else _by_size(name)
    except InputError as error:
        raise TableError(f"{folder}: its puzzle {name!r} cannot be read: {error}") from error
    if found["metric"] not in puzzle.metrics:
        raise TableError(f"{folder}: damaged: its puzzle {name!r} has no metric {found['metric']!r}")
    return FinishedTable(puzzle, found)


def _by_size(spec: str) -> Puzzle:
    """Return the puzzle of a family spec; whatever else a manifest names is not looked for."""
    if ":" not in spec:
        raise InputError("expected its text or a size such as hanoi:3,7")
    return load(spec)
