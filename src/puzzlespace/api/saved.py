"""Saved depth tables of a puzzle: an engine that saves one, an engine that answers from one, and the opened table.

depths(puzzle, engine=saving(puzzle, "folder"))              counts into a folder; a stopped count can be resumed
distance(puzzle, position, engine=asking(puzzle, "folder"))  answers from the folder
open_table(puzzle, "folder").distance(position)              the table itself, which is fastest
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..contract.questions import Engine
from ..errors import InputError, TableError, UnsupportedError
from ..model.custom import Custom
from ..puzzle.allowed import Allowed
from ..puzzle.puzzle import Puzzle
from .arguments import checked
from .games import level_of
from .loader import from_text, load, puzzle_of, written

if TYPE_CHECKING:
    from ..tables.opened import BitTable
    from ..tables.runs_opened import RunTable
    from ..tables.save import Estimate


@checked
def saving(
    puzzle: Puzzle | Custom | str | Path,
    folder: str | Path,
    *,
    resume: bool = False,
    every: float | None = None,
    engine: str = "auto",
    metric: str = "",
    counts_only: bool = False,
) -> Engine:
    """Return an engine whose `depths` saves the table that it counts in a folder.

    resume  continue an unfinished table in the folder
    every   the least number of seconds between snapshots; 0: one after each layer
    engine  'table' for depths by rank, 'frontier', 'blocks', 'boxes' or 'gliders' for layers as sorted runs; 'auto':
            ranks, if the puzzle has a ranking in this metric
    counts_only  keep no depths, only the counts, and until they are complete what is needed to resume

    A puzzle written in Python needs an encoding whose layers can be in files, as `Arrays` and levels of games have. Its
    folder is continued, or answers (`asking`); `open_table` does not read it.

    The engine's `depths` raises TableError if the folder cannot be used, UnsupportedError if no table can be saved. For
    a puzzle written in Python, UnsupportedError is raised at once.

    >>> from tempfile import mkdtemp
    >>> folder = mkdtemp()
    >>> depths("slide:3x2", engine=saving("slide:3x2", folder)).depth
    21
    """
    from ..contract.version import __version__
    from ..tables.identity import Note
    from ..tables.kinds import saving_engine
    from ..tables.save import EVERY, Saving

    every = EVERY if every is None else every
    puzzle = level_of(puzzle) or puzzle
    if isinstance(puzzle, Custom):
        from ..tables.own_layers import refuses
        from ..tables.own_layers import saving_engine as own_layers

        if counts_only or metric or engine not in ("auto", "encoded"):
            raise InputError(f"{puzzle.name}: expected no counts_only, metric or engine for a puzzle written in Python")
        if reason := refuses(puzzle, "depths"):
            raise UnsupportedError(f"saving: {puzzle.name}: {reason}")
        return own_layers(Saving(Path(folder), resume, Note(puzzle.name), f"puzzlespace {__version__}", every))
    owner = puzzle_of(puzzle, "saving")
    note = Note(owner.name, written(owner), owner.allowed.only, owner.allowed.avoid)
    where = Saving(Path(folder), resume, note, f"puzzlespace {__version__}", every)
    if not counts_only:
        return saving_engine(where, owner.model(metric), engine)
    if engine not in ("auto", "table"):
        raise InputError(f"engine: expected table to save counts only, found {engine!r}")
    from ..tables.counts_save import counting_engine

    return counting_engine(where)


def finished(folder: str | Path) -> bool:
    """Return whether the folder has a finished table."""
    from ..storage.files import MANIFEST, there

    return there(Path(folder) / MANIFEST)


def estimate(puzzle: Puzzle, *, metric: str = "") -> Estimate | None:
    """Return the size of a saved table of a puzzle, or None if none can be saved by rank."""
    from ..tables.save import estimate as found

    return found(puzzle.model(metric))


@checked
def asking(puzzle: Puzzle | Custom | str | Path, folder: str | Path, *, metric: str = "") -> Engine:
    """Return an engine that answers from the finished table in a folder.

    For a puzzle written in Python or a level of a game, it answers `depths`, and `solve` from the start.

    Raises TableError if the folder has no such table, or it is damaged or of another puzzle.

    >>> from tempfile import mkdtemp
    >>> folder = mkdtemp()
    >>> table = depths("slide:3x2", engine=saving("slide:3x2", folder))
    >>> distance("slide:3x2", "1 2 3 / . 4 5", engine=asking("slide:3x2", folder)).distance
    2
    """
    from ..tables.kinds import answering_engine

    puzzle = level_of(puzzle) or puzzle
    if isinstance(puzzle, Custom):
        from ..tables.own_layers import refuses
        from ..tables.own_opened import asking_engine

        if reason := refuses(puzzle, "depths"):
            raise UnsupportedError(f"asking: {puzzle.name}: {reason}")
        if metric:
            raise InputError(f"metric: expected none for a puzzle written in Python, found {metric!r}")
        return asking_engine(Path(folder), puzzle)
    return answering_engine(Path(folder), puzzle_of(puzzle, "asking").model(metric))


@checked
def open_table(puzzle: Puzzle | str | Path, folder: str | Path, *, metric: str = "") -> BitTable | RunTable:
    """Return the finished table in a folder, which gives distances and best moves.

    Raises TableError if the folder has no such table, or it is damaged or of another puzzle.

    >>> from tempfile import mkdtemp
    >>> folder = mkdtemp()
    >>> table = depths("slide:3x2", engine=saving("slide:3x2", folder))
    >>> open_table("slide:3x2", folder).distance(read_position(load("slide:3x2"), "1 2 3 / . 4 5"))
    2
    """
    from ..tables.kinds import table_of

    return table_of(Path(folder), puzzle_of(puzzle, "a saved table").model(metric))


@dataclass(frozen=True)
class FinishedTable:
    """A finished table in a folder, by its manifest.

    rebuilt  the puzzle; None if it was written in Python or is a level of a game: the table does not contain it
    name     of the puzzle
    origin   'goal' if it measures to the puzzle's goal, else 'start'
    """

    folder: Path
    manifest: dict[str, Any]
    rebuilt: Puzzle | None

    @property
    def name(self) -> str:
        return self.manifest["puzzle"]["name"]

    @property
    def origin(self) -> str:
        return self.manifest["origin"]

    @property
    def puzzle(self) -> Puzzle:
        """The puzzle, rebuilt from the manifest. Raises UnsupportedError if the table does not contain it."""
        if self.rebuilt is None:
            what = f"this table does not contain its puzzle {self.name!r}"
            raise UnsupportedError(f"{self.folder}: {what}: only its counts and checksums can be read")
        return self.rebuilt

    @property
    def counts(self) -> tuple[int, ...]:
        """The number of positions at each depth, compared with the data. Raises TableError if it is damaged."""
        if self.rebuilt is not None:
            return open_table(self.rebuilt, self.folder, metric=self.manifest["metric"]).counts
        from ..tables import own_files

        return own_files.counts(self.folder, self.manifest)

    def verify(self, sample: int, full: bool) -> dict[str, int]:
        """Check the table; see `tables.kinds.verify`. Without its puzzle no positions are sampled."""
        from ..tables import kinds, own_files

        if self.rebuilt is None and not full:
            return own_files.verify(self.folder, self.manifest)
        return kinds.verify(self.folder, self.puzzle.model(self.manifest["metric"]), sample, full)


def kept(folder: str | Path) -> FinishedTable:
    """Return the finished table in a folder, with the puzzle rebuilt from its manifest, if that contains it.

    Raises TableError if there is none, it is damaged, or its puzzle cannot be read.
    """
    from ..tables.manifests import finished, is_own

    found = finished(Path(folder))
    if is_own(found):
        return FinishedTable(Path(folder), found, None)
    name, text = found["puzzle"]["name"], found["puzzle"]["text"]
    try:
        puzzle = from_text(text, f"{name}.pzl", name) if text else _by_size(name)
        allowed = Allowed(*(_names(found["puzzle"].get(key, []), folder) for key in ("moves", "avoid")))
        puzzle = replace(puzzle, allowed=allowed) if allowed else puzzle
    except InputError as error:
        raise TableError(f"{folder}: its puzzle {name!r} cannot be read: {error}") from error
    if found["metric"] not in puzzle.metrics:
        raise TableError(f"{folder}: damaged: its puzzle {name!r} has no metric {found['metric']!r}")
    return FinishedTable(Path(folder), found, puzzle)


def _names(found: object, folder: str | Path) -> tuple[str, ...]:
    """Return names of moves from a manifest; raise TableError if they are no list of texts."""
    if not isinstance(found, list) or not all(isinstance(each, str) for each in found):
        raise TableError(f"{folder}: damaged: expected a list of names of moves, found another value")
    return tuple(found)


def _by_size(spec: str) -> Puzzle:
    """Return the puzzle of a family spec; a manifest cannot name a file or a catalogue puzzle."""
    if ":" not in spec:
        raise InputError("expected its text or a size such as hanoi:3,7")
    return load(spec)
