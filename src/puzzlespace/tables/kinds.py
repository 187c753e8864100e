"""Finished tables of either kind: depths by rank (`opened.BitTable`), or layers as runs (`runs_opened.RunTable`)."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ..contract.answers import Layers
from ..contract.questions import Depths, Engine
from ..errors import InputError
from ..limits.watch import Watch
from ..model.model import Model
from ..storage.files import PROGRESS, there
from . import asking, manifests, runs_engines
from .manifests import is_runs
from .opened import AT_ONCE, BitTable
from .runs_opened import RunTable

if TYPE_CHECKING:
    from .save import Saving


def table_of(folder: Path, model: Model, at_once: int = AT_ONCE) -> BitTable | RunTable:
    """Return the finished table in a folder; raise TableError if there is none, it is damaged or of another model.

    at_once  the most bytes of a table whose counts are compared with its bits when it is opened
    """
    manifest = manifests.finished(folder)
    kind = RunTable if is_runs(manifest) else BitTable
    return kind(folder, model, manifest, at_once)


def answering_engine(folder: Path, model: Model) -> Engine:
    """Return the engine that answers from the table in a folder; raises TableError as `table_of` does."""
    table = table_of(folder, model)
    if isinstance(table, RunTable):
        engine = runs_engines.engine_for(table.counted)
        return asking.answering_engine(table, engine.name, runs_engines.counted, table.rows)
    return asking.answering_engine(table, "table", _count_ranks)


# Engines are imported here so that answering from a table does not load them


def _count_ranks(question: Depths, watch: Watch) -> Layers:
    from ..engines import table

    return table.depths(question, watch)


def verify(folder: Path, model: Model, sample: int, full: bool) -> dict[str, int]:
    """Check a table; return how much was checked ('bytes', 'states', 'sampled').

    sample  the number of positions whose neighbours are checked
    full    count the whole table again and compare every position
    Raises TableError with the first fault, SelfCheckError if the ranking is wrong.
    """
    from . import runs_verify, verify

    table = table_of(folder, model)
    if isinstance(table, RunTable):
        return runs_verify.verify(table, sample, full)
    return verify.verify(table, sample, full)


def write_parquet(folder: Path, model: Model, path: Path) -> None:
    """Write the depths to a Parquet file: by rank, or with each position for a table of runs.

    Raises UnsupportedError without pyarrow, InputError if the file cannot be written.
    """
    from . import export, runs_export

    table = table_of(folder, model)
    if isinstance(table, RunTable):
        runs_export.write_parquet(table, path)
    else:
        export.write_parquet(table, path)


def saving_engine(saving: Saving, model: Model, engine: str = "auto") -> Engine:
    """Return an engine that saves a table to a folder.

    engine  'table', or one that saves its layers (`runs_engines`). 'auto' is the kind of the table that is begun
            in the folder, or for a new table `table` if the model has a ranking and reversible moves, else layers
    Raises InputError for any other name.
    """
    from . import runs_save, save

    names = [each.name for each in runs_engines.ENGINES]
    if engine not in ("auto", "table", *names):
        raise InputError(f"engine: expected {', '.join(names)} or table to save a table, found {engine!r}")
    if engine == "auto":
        unfinished = saving.resume and there(saving.folder / PROGRESS)
        runs = is_runs(manifests.begun(saving.folder)) if unfinished else not _ranked(model)
        engine = runs_engines.engine_for(model).name if runs else "table"
    return save.saving_engine(saving) if engine == "table" else runs_save.saving_engine(saving, engine)


def _ranked(model: Model) -> bool:
    """Return whether the positions of a model have ranks, and depths mod 3 determine which neighbours are nearer."""
    from ..engines.table import choose
    from .save import refusal

    return refusal(model) is None and choose(model) is not None
