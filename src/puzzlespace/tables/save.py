"""Save a depth table to a folder while it is counted, so that it can be interrupted at any time and resumed.

From time to time, the layers so far are written as a *snapshot*: first a file of its own with the two bits of every
position, which is flushed, and then `progress.json`, which names it. At the end, the depths, their checksums and then
the manifest are written.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from ..contract.answers import Layers
from ..contract.questions import Depths, Engine, Space, beyond_rules, model_of
from ..engines.shared import selfcheck
from ..engines.table import check_device, memory_left
from ..engines.table.bit_index import Places, kinds, places_of
from ..engines.table.mod3 import Keeper, KeptDepths, kept_bytes
from ..errors import LimitError, TableError, UnsupportedError
from ..limits.memory import fits, words_in_file, zeros
from ..limits.watch import Watch
from ..model.model import Model
from ..storage.files import (
    BLOCK,
    DATA,
    HOLDER,
    LOCK,
    MANIFEST,
    PROGRESS,
    SUMS,
    TEMPORARY,
    checksum,
    locked,
    need_room,
    read_blocks,
    there,
    usable,
    write_blocks,
    write_file,
    write_json,
)
from . import manifests
from .identity import NO_NOTE, Note, check_model, describe, numbering_of, rebuilt, sources_of
from .manifests import HARDEST, SNAPSHOT
from .opened import occurring

EVERY = 2.0
"""The least seconds between snapshots; the wait is also at least SHARE times what the last snapshot took."""

SHARE = 10

PART = 1 << 18
"""Words that are written at once."""

SLACK = 1 << 22
"""Bytes for the manifests and checksums of a small table."""


@dataclass(frozen=True)
class Saving:
    """Where and how a table is saved.

    resume   continue the unfinished table in the folder
    note     the puzzle, for the manifest
    program  the name of the program, for the manifest
    every    the least seconds between snapshots; 0 for one after each layer
    """

    folder: Path
    resume: bool = False
    note: Note = NO_NOTE
    program: str = ""
    every: float = EVERY


@dataclass
class FolderKeeper(Keeper):
    """A keeper that writes snapshots to a folder; every manifest begins with `identity`."""

    saving: Saving = field(kw_only=True)
    identity: dict[str, Any] = field(kw_only=True)
    before: float = 0.0
    began: float = field(default_factory=time.perf_counter)
    written: float = field(default_factory=time.perf_counter)
    cost: float = 0.0
    sums: bytes = b""

    @property
    def seconds(self) -> float:
        """The seconds spent on the table, including earlier runs."""
        return self.before + time.perf_counter() - self.began

    def found(self, size: int, known: Callable[[], np.ndarray]) -> None:
        """Write a snapshot if there was none for long enough."""
        super().found(size, known)
        wait = max(self.saving.every, SHARE * self.cost) if self.saving.every else 0.0
        if time.perf_counter() - self.written >= wait:
            began = time.perf_counter()
            self.snapshot(known())
            self.written = time.perf_counter()
            self.cost = self.written - began

    def snapshot(self, known: np.ndarray) -> None:
        """Write the layers so far and the note that names them, then delete the previous snapshot."""
        folder = self.saving.folder
        name = f"{SNAPSHOT}{len(self.counts):05}.bits"
        sums = write_blocks(folder / name, self.parts(known))
        self.note(name, checksum(sums))
        for old in folder.glob(SNAPSHOT + "*"):
            if old.name != name:
                old.unlink()

    def end(self, known: np.ndarray) -> None:
        """Write all depths and their checksums."""
        folder = self.saving.folder
        self.sums = write_blocks(folder / DATA, self.parts(known))
        write_file(folder / SUMS, [self.sums])

    def parts(self, known: np.ndarray) -> Iterator[np.ndarray]:
        """Yield the planes with unreached positions marked, part by part; two buffers are used in turn."""
        from ..kernels.table.mod3 import mark_unreached

        flat, rooms = self.planes.reshape(-1), (zeros(PART), zeros(PART))
        for first in range(0, len(flat), PART):
            out = rooms[first // PART % 2][: len(flat) - first]
            mark_unreached(flat, known, first, out)
            yield out

    def note(self, name: str, sums: str) -> None:
        """Write `progress.json` with the name of a snapshot and its checksum; '' for no snapshot."""
        state = {"counts": self.counts if name else [], "file": name, "sums": sums, "seconds": self.seconds}
        write_json(self.saving.folder / PROGRESS, self.identity | state)

    def finish(self, hardest: tuple[bytes, ...]) -> None:
        """Write the manifest of the finished table and delete the files that are needed only to resume."""
        data = {"bytes": self.planes.nbytes, "block": BLOCK, "sums": checksum(self.sums)}
        write_manifest(self.saving, self.identity, self.counts, hardest, data, self.seconds)
        tidy(self.saving.folder)


def write_manifest(
    saving: Saving,
    identity: dict[str, Any],
    counts: list[int],
    hardest: tuple[bytes, ...],
    data: dict[str, Any],
    seconds: float,
) -> None:
    """Write the manifest of a finished table of bits."""
    made = {"by": saving.program, "when": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())}
    table = {
        "counts": counts,
        "hardest": [position.hex() for position in hardest],
        "data": data,
        "made": made | {"seconds": round(seconds, 3)},
    }
    write_json(saving.folder / MANIFEST, identity | table)


def tidy(folder: Path) -> None:
    """Delete the files that a finished table does not need."""
    for path in [folder / PROGRESS, *folder.glob(SNAPSHOT + "*"), *folder.glob("*" + TEMPORARY)]:
        path.unlink(missing_ok=True)


def refusal(space: Space) -> str | None:
    """Return why depths mod 3 of a space cannot be saved, or None."""
    model = model_of(space)
    if model is None:
        return "its moves are Python functions, not rules: a table of it cannot be saved"
    if beyond_rules(model) is not None:
        return f"{beyond_rules(model)}: its depths cannot be saved by rank; the engine frontier saves them in layers"
    if not model.reversible:
        return "not every move can be undone: depths mod 3 would not determine which neighbours are nearer"
    return None


@dataclass(frozen=True)
class Estimate:
    """The size of a table: number of ranks, bytes on the disk; and whether its kind is fast."""

    positions: int
    bytes: int
    fast: bool


def estimate(model: Model) -> Estimate | None:
    """Return the size of a saved table of a model, or None if no table can be saved."""
    anchor = model.anchor
    if anchor is None or refusal(model) is not None:
        return None
    try:
        chosen = kinds(model, [anchor])[0]
    except UnsupportedError:
        return None
    places = places_of(chosen, [anchor])
    return Estimate(places.positions, kept_bytes(places.words) * 65 // 64 + SLACK, chosen.fast)


def saving_engine(saving: Saving) -> Engine:
    """Return the engine `table` that saves the depth table that it counts to a folder.

    Its `depths` raises TableError if the folder cannot be used or contains something else, and SelfCheckError before a
    wrong table would be finished.
    """
    from ..engines import table

    def depths(question: Depths, watch: Watch) -> Layers:
        if question.collect:
            return table.depths(question, watch)
        return _save(question, watch, saving)

    return Engine("table", lambda space, question: refusal(space), depths=depths, devices=True)


def _save(question: Depths, watch: Watch, saving: Saving) -> Layers:
    model = question.model
    folder = saving.folder
    sources = tuple(sorted(set(question.sources)))
    if question.device == "gpu":
        check_device(kinds(model, sources)[0])
    with usable(folder):
        folder.mkdir(parents=True, exist_ok=True)
    with locked(folder):
        begun = found_begun(model, sources, saving)
        places = rebuilt(begun, model, folder) if begun else _places(model, sources, watch)
        need_room(folder, 2 * kept_bytes(places.words) + SLACK, places.positions)
        try:
            keeper = _keeper(describe(model, sources, numbering_of(places), saving.note), places, saving, begun, watch)
        except LimitError as error:
            return Layers((), (), False, watch.generated, watch.seconds, stopped=error)
        asked = KeptDepths(model, sources, max(question.keep, HARDEST), device=question.device, keeper=keeper)
        layers = places.chosen.count(places.chosen.plan, asked, watch, None)
        selfcheck.hold(asked, layers)
        if layers.stopped is None:
            keeper.finish(layers.deepest[:HARDEST])
        return layers


def _places(model: Model, sources: tuple[bytes, ...], watch: Watch) -> Places:
    """Return the bit indices for a new table: of the fastest kind that fits the memory."""
    return places_of(kinds(model, sources)[0].within(memory_left(watch)), sources)


def found_begun(model: Model, sources: tuple[bytes, ...], saving: Saving) -> dict[str, Any] | None:
    """Return the manifest of the unfinished table to resume, or None for a new table.

    Raises TableError if the folder has a finished table, another one, other files, or an unfinished one and `resume` is
    not set.
    """
    if there(saving.folder / MANIFEST):
        raise TableError(f"{saving.folder}: a finished depth table is there already")
    begun = unfinished(saving)
    if begun is not None:
        check_model(begun, model, saving.folder)
        if sources_of(begun) != sources:
            raise TableError(f"{saving.folder}: the unfinished table there measures from other positions")
    return begun


def unfinished(saving: Saving) -> dict[str, Any] | None:
    """Return the manifest of the unfinished table in a folder, or None if the folder is empty.

    Raises TableError if there are other files, or an unfinished table and `resume` is not set.
    """
    folder = saving.folder
    if not there(folder / PROGRESS):
        with usable(folder):
            other = next((each.name for each in folder.iterdir() if not _ours(each.name)), None)
        if other is not None:
            raise TableError(f"{folder}: expected an empty folder, found {other}")
        return None
    if not saving.resume:
        raise TableError(f"{folder}: an unfinished depth table is there; continue it with resume=True")
    return manifests.begun(folder)


def _ours(name: str) -> bool:
    """Return whether a file may be left over from a run that was stopped before its first note."""
    return name in (LOCK, HOLDER) or name.endswith(TEMPORARY)


def _keeper(
    identity: dict[str, Any], places: Places, saving: Saving, begun: dict[str, Any] | None, watch: Watch
) -> FolderKeeper:
    """Return a keeper with the layers of the last snapshot, or a new one with its first note written.

    Raises LimitError before reading if the layers fit neither memory nor disk, TableError if the snapshot is damaged.
    """
    keeper = FolderKeeper(saving=saving, identity=identity)
    if begun is None:
        keeper.note("", "")
        return keeper
    keeper.before = begun["seconds"]
    if begun["file"]:
        path = saving.folder / begun["file"]
        size = kept_bytes(places.words)
        keeper.planes = (zeros if fits(watch, size, size) else words_in_file)((2, places.words), np.uint64)
        if checksum(read_blocks(path, keeper.planes.reshape(-1))) != begun["sums"]:
            raise TableError(f"{path}: damaged: its checksum does not match; start again in an empty folder")
        keeper.counts = list(begun["counts"])
        wanted = [sum(keeper.counts[rest::3]) for rest in range(3)]
        if places.stride == 0:  # unused bits are saved as depth 0
            wanted[0] += 64 * places.words - places.used
        if occurring(keeper.planes) != wanted:
            raise TableError(f"{path}: damaged: its depths do not match its counts; start again in an empty folder")
    return keeper
