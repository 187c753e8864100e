"""Counts on a cluster: what runs on a worker, and the engine that hands out the work."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..contract.answers import Layers
from ..contract.questions import Depths, Engine
from ..contract.version import __version__
from ..errors import InputError, TableError, UnsupportedError
from ..limits.watch import Watch
from ..model.model import Model
from ..puzzle.puzzle import Puzzle
from .loader import from_text, load, written

Where = Any
"""'local:4', 'tcp://HOST:PORT', …, a Dask `Client` or an executor; see `cluster.workers.hired`."""

PROGRAM = f"puzzlespace {__version__}"


def built(name: str, text: str) -> Puzzle:
    """Return a puzzle from its text, or from its name if it is a size such as slide:3x4.

    Raises InputError if neither is a puzzle.
    """
    if text:
        return from_text(text, f"{name}.pzl", name)
    if ":" not in name:
        raise InputError(f"{name}: expected the text of a puzzle or a size such as slide:3x4")
    return load(name)


def rebuilt(name: str, text: str, metric: str) -> Model:
    """Return the model of the puzzle that `built` returns."""
    return built(name, text).model(metric)


def work(message: str) -> dict[str, Any]:
    """Run a task on a worker; return its answer."""
    from ..cluster.tasks import answer

    return answer(message, PROGRAM, rebuilt)


def as_answered(
    where: Where, task: Callable[[str], dict[str, Any]], messages: Sequence[str]
) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield (number of the message, answer of the task) as the workers answer."""
    from ..cluster.workers import hired

    with hired(where) as workers:
        yield from workers.answers(task, messages, lambda: None)


def counting(
    puzzle: Puzzle,
    where: Where,
    folder: str | Path,
    *,
    resume: bool = False,
    metric: str = "",
    keep: bool = True,
    storage: str = "",
    engine: str = "auto",
    memory: int | None = None,
    every: float | None = None,
    **options: Any,
) -> Engine:
    """Return an engine whose `depths` counts on a cluster and saves the table in a folder.

    where    'local:4' (processes started here), 'tcp://HOST:PORT' (a running Dask scheduler), 'FILE.json' (the file in
             which it says where it is), 'threads:2', a Dask `Client`, or any
             `concurrent.futures.Executor`
    folder   the table; while it is counted also the files of the count, which all workers must see
    resume   continue the unfinished count in the folder
    keep     whether depths are saved; else only counts and hardest positions are found, with a third of the files
    storage  the address of the files of the count, such as s3://bucket/count; '' for the folder
    engine   'table' (sliding puzzles, by windows), 'frontier' (all puzzles with rules) or 'auto'
    memory   bytes for all workers together if they are started here, else for each task
    every    the least number of seconds between two manifests
    options  of `cluster.desk.Counting`: piece, partitions, small
    Its `depths` raises TableError if the folder cannot be used or the cluster is lost, UnsupportedError if the puzzle
    cannot be counted on a cluster or Dask is not installed.
    """
    from ..cluster import count
    from ..tables.identity import Note
    from ..tables.save import EVERY, Saving

    if engine not in ("auto", "table", "frontier"):
        raise InputError(f"engine: expected table or frontier to count on a cluster, found {engine!r}")
    note = Note(puzzle.name, written(puzzle))
    saving = Saving(Path(folder), resume, note, PROGRAM, EVERY if every is None else every)
    given = count.Counting(saving, where, work, memory, storage, engine, keep, **options)

    if resume:
        count.tidy(saving.folder)

    def refuses(space: Any, question: str) -> str | None:
        return None if isinstance(space, Model) else "its moves are Python functions: a worker cannot build it"

    def depths(question: Depths, watch: Watch) -> Layers:
        model = question.model
        if question.collect:
            return _collected(question, watch)
        _check_sent(puzzle, note, model)
        return count.depths(replace(question, wanted=None), watch, given)

    return Engine("cluster", refuses, depths=depths)


def _check_sent(puzzle: Puzzle, note: Any, model: Model) -> None:
    """Raise UnsupportedError if a worker would build another puzzle from the text."""
    from ..cluster import jobs

    identity = {"puzzle": {"name": puzzle.name}, "model": model.fingerprint}
    try:
        jobs.counted(rebuilt(note.name, note.text, model.metric.name), identity)
    except (InputError, TableError):
        text = f"{puzzle.name}: workers cannot build this puzzle, because no puzzle file can express it"
        raise UnsupportedError(text) from None


def _collected(question: Depths, watch: Watch) -> Layers:
    """Find the goal positions that the start reaches, on this machine."""
    from ..engines import frontier, table

    assert isinstance(question.space, Model)
    engine = table if table.choose(question.space) is not None else frontier
    return engine.depths(question, watch)
