"""Finished tables of either kind: depths by rank (`opened.Table`), or layers as runs (`runs_opened.RunTable`)."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ..contract.questions import Engine
from ..errors import InputError
from ..model.model import Model
from ..storage.files import PROGRESS, there
from . import manifests, opened, runs_opened
from .manifests import is_runs
from .opened import BitTable
from .runs_opened import RunTable

if TYPE_CHECKING:
    from .save import Saving


def table_of(folder: Path, model: Model) -> BitTable | RunTable:
    """Return the finished table of a model that is in a folder. Raises TableError."""
    return RunTable(folder, model) if is_runs(manifests.finished(folder)) else BitTable(folder, model)


def asker(folder: Path, model: Model) -> Engine:
    """Return the engine that answers from the table in a folder. Raises TableError."""
    kind = runs_opened if is_runs(manifests.finished(folder)) else opened
    return kind.asker(folder, model)


def verify(folder: Path, model: Model, sample: int, full: bool) -> dict[str, int]:
    """Return how much was checked. Raises TableError with the first thing that is wrong.

    sample  positions whose neighbours are looked at
    full    count the whole table again and compare every position
    """
    from . import runs_verify, verify

    table = table_of(folder, model)
    if isinstance(table, RunTable):
        return runs_verify.verify(table, sample, full)
    return verify.verify(folder, model, sample, full)


def write_parquet(folder: Path, model: Model, path: Path) -> None:
    """Write the depths as Parquet: by rank, or with each position. Raises UnsupportedError without pyarrow."""
    from . import export, runs_export

    table = table_of(folder, model)
    if isinstance(table, RunTable):
        runs_export.write_parquet(table, path)
    else:
        export.write_parquet(folder, model, path)


def saver(saving: Saving, model: Model, engine: str = "auto") -> Engine:
    """Return the engine that keeps a table in a folder: the named one, the one that began there, or the one that can.

    Raises InputError where the name is of no engine that keeps tables.
    """
    from . import runs_save, save

    if engine not in ("auto", "table", "frontier"):
        raise InputError(f"engine: expected table or frontier to keep a table, found {engine!r}")
    if engine == "auto":
        unfinished = saving.resume and there(saving.folder / PROGRESS)
        runs = is_runs(manifests.begun(saving.folder)) if unfinished else not _ranked(model)
        engine = "frontier" if runs else "table"
    return runs_save.saver(saving) if engine == "frontier" else save.saver(saving)


def _ranked(model: Model) -> bool:
    """Return whether the positions of a model have ranks, and their depths mod 3 tell which way is nearer."""
    from ..engines.table import choose
    from .save import refusal

    return refusal(model) is None and choose(model) is not None
