"""Save layers to a folder, one run each, while they are counted, so that this can be interrupted and resumed.

Each layer is written as a run as soon as it is found. From time to time, new runs are flushed to the disk, and then
`progress.json` lists all runs. At the end the manifest does.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from ..contract.answers import Layers
from ..contract.questions import Depths, Engine
from ..engines import frontier
from ..engines.shared import selfcheck
from ..errors import SelfCheckError, TableError
from ..limits.watch import Watch
from ..model.model import Model
from ..search.merge import KeptLayers, Store
from ..search.runs import Run
from ..storage.files import MANIFEST, PROGRESS, TEMPORARY, flush_folder, locked, need_room, usable, write_json
from .identity import describe
from .manifests import HARDEST, is_runs
from .runs import Keys, layer_note, layers_opened, path_of, rebuilt
from .runs_engines import ENGINES, counted, refuses
from .save import SHARE, SLACK, Saving, found_begun


class FolderStore(Store):
    """A store that keeps the run of every layer in a folder; every manifest begins with `identity`."""

    keeping = True

    def __init__(self, saving: Saving, identity: dict[str, Any], before: float = 0.0) -> None:
        super().__init__()
        self.saving, self.identity, self.before = saving, identity, before
        self.began = self.noted = time.perf_counter()
        self.cost = 0.0
        self.flushed = 0

    @property
    def folder(self) -> Path:
        return self.saving.folder

    def path(self, depth: int) -> Path:
        return path_of(self.folder, depth)

    def found(self, depth: int, run: Run) -> None:
        """Record a layer; write `progress.json` if it was not written for long enough."""
        super().found(depth, run)
        wait = max(self.saving.every, SHARE * self.cost) if self.saving.every else 0.0
        if time.perf_counter() - self.noted >= wait:
            self.note()

    def open(self, begun: dict[str, Any]) -> None:
        """Take the layers of a manifest; raise TableError if a file does not match it. Delete all other files."""
        for depth, run in enumerate(layers_opened(self.folder, begun)):
            self.layers[depth] = run
            run.check_size()
        self.flushed = len(self.layers)
        self.tidy()

    def count(self, depths: Callable[[Depths, Watch], Layers], asked: KeptLayers, watch: Watch) -> Layers:
        """Count a question whose layers this store keeps, and check the answer; note what was found if it is stopped.

        Raises SelfCheckError before a wrong table would be finished.
        """
        need_room(self.folder, SLACK)
        try:
            layers = depths(asked, watch)
            selfcheck.hold(asked, layers)
        except BaseException:
            with suppress(TableError):
                self.note()
            raise
        if layers.stopped is not None:
            self.note()
        return layers

    def need(self, wanted: int) -> None:
        """Raise TableError if the disk has less than `wanted` bytes free."""
        need_room(self.folder, wanted)

    def state(self) -> dict[str, Any]:
        """Flush all layers to the disk; return their fields of a manifest."""
        runs = [self.layers[depth] for depth in range(len(self.layers))]
        try:
            for run in runs[self.flushed :]:
                with open(run.path, "rb") as file:
                    os.fsync(file.fileno())
            flush_folder(self.folder)
        except OSError as error:
            raise TableError(f"{self.folder}: cannot be written: {error.strerror or error}") from error
        self.flushed = len(runs)
        return {"counts": [run.size for run in runs], "layers": [layer_note(run) for run in runs]}

    def note(self) -> None:
        """Write `progress.json`."""
        began = time.perf_counter()
        seconds = self.before + began - self.began
        write_json(self.folder / PROGRESS, self.identity | self.state() | {"seconds": seconds})
        self.noted = time.perf_counter()
        self.cost = self.noted - began

    def finish(self, hardest: tuple[bytes, ...]) -> None:
        """Write the manifest and delete the files that are needed only to resume."""
        made = {"by": self.saving.program, "when": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())}
        seconds = self.before + time.perf_counter() - self.began
        table = {
            "hardest": [position.hex() for position in hardest],
            "data": {"bytes": sum(run.bytes for run in self.layers.values())},
            "made": made | {"seconds": round(seconds, 3)},
        }
        write_json(self.folder / MANIFEST, self.identity | self.state() | table)
        (self.folder / PROGRESS).unlink(missing_ok=True)
        self.tidy()

    def tidy(self) -> None:
        """Delete the files that no manifest lists: parts of layers, layers not recorded, unfinished files."""
        named = {run.path for run in self.layers.values()}
        for path in [*self.folder.glob("*.run"), *self.folder.glob("*" + TEMPORARY)]:
            if path not in named:
                path.unlink(missing_ok=True)


def saving_engine(saving: Saving, name: str = frontier.ENGINE.name) -> Engine:
    """Return an engine of `runs_engines`, by name, that saves the layers that it counts to a folder.

    Its `depths` raises TableError if the folder cannot be used or contains something else, and SelfCheckError if a
    check of the layers fails.
    """
    engine = next(each for each in ENGINES if each.name == name)

    def depths(question: Depths, watch: Watch) -> Layers:
        return counted(question, watch, engine) if question.collect else _save(engine, question, watch, saving)

    return Engine(name, partial(refuses, engine), depths=depths, lawful=engine.lawful)


def _save(engine: Engine, question: Depths, watch: Watch, saving: Saving) -> Layers:
    model = question.model
    sources = tuple(sorted(set(question.sources)))
    with usable(saving.folder):
        saving.folder.mkdir(parents=True, exist_ok=True)
    with locked(saving.folder):
        store = _store(model, sources, saving)
        asked = KeptLayers(model, sources, max(question.keep, HARDEST), store=store)
        layers = store.count(partial(counted, engine=engine), asked, watch)
        if layers.stopped is None:
            store.finish(layers.deepest[:HARDEST])
            _check(store, model)
        return layers


def _check(store: FolderStore, model: Model) -> None:
    """Check a sample of the finished table; if it is wrong, make the table unfinished and raise SelfCheckError."""
    from ..engines.shared.audit import SECONDS, SHARE, check_total
    from .runs_opened import RunTable
    from .runs_verify import check_some

    seconds = time.perf_counter() - store.began
    try:
        table = RunTable(store.folder, model)
        check_some(table, max(SECONDS, SHARE * seconds))
        check_total(model, table.sources, sum(table.counts), seconds)
    except SelfCheckError:
        store.note()
        (store.folder / MANIFEST).unlink()
        raise


def _store(model: Model, sources: tuple[bytes, ...], saving: Saving) -> FolderStore:
    """Return a store with the layers of the last note, or a new one with its first note written."""
    begun = found_begun(model, sources, saving)
    keys = Keys.of(model, sources)
    store = FolderStore(
        saving, describe(model, sources, keys.numbering(), saving.note), begun["seconds"] if begun else 0.0
    )
    if begun is None:
        store.note()
        return store
    if not is_runs(begun):
        raise TableError(f"{saving.folder}: the unfinished table there is of the engine table")
    rebuilt(begun, model, saving.folder)
    store.open(begun)
    return store
