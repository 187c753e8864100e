"""Count depths with the positions seen and the last layer in files of a folder, without keeping any depths.

Of the files, `seen.bits` has all positions seen, but perhaps those of the last complete layer, which has a file of its
own; `progress.json` says how many layers are complete. Small layers are lists of bit indices, `layer-00003.list`;
`seen.bits` lacks those after the last layer of bits. So the count can go on after any interruption, and takes about
three bits a position of disk. If layers alternate between the parities, no file is changed: from time to time a new
one, `seen-00012.bits`, has the positions of all layers up to this one. At the end only `progress.json` is left, with
the counts.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from ..contract.answers import Layers
from ..contract.questions import Depths, Engine, model_of
from ..engines.shared import selfcheck
from ..engines.table import memory_left
from ..engines.table.bit_index import kinds, places_of
from ..engines.table.one_bit import LayerFiles, ResumableDepths
from ..errors import TableError, UnsupportedError
from ..limits.watch import Watch, paced
from ..model.model import Model
from ..storage.files import (
    HOLDER,
    LOCK,
    PROGRESS,
    TEMPORARY,
    block_sums,
    flush_folder,
    locked,
    need_room,
    read_blocks,
    read_json,
    there,
    usable,
    write_blocks,
    write_file,
    write_json,
)
from .identity import check_model, describe, numbering_of, rebuilt, sources_of
from .save import PART, SHARE, Saving

FORMAT, VERSION = "puzzlespace counts of depths", 1

SEEN = "seen.bits"
LAYER = re.compile(r"layer-\d{5,}\.(bits|list)")
KEPT = re.compile(r"(layer|seen)-\d{5,}\.(bits|list)")

NO_SLIDES = "sliding puzzles are counted otherwise: keep depths (without counts_only=True), or count on a cluster"


@dataclass
class FolderFiles(LayerFiles):
    """The files of a count in a folder; `progress.json` begins with `identity`."""

    saving: Saving = field(kw_only=True)
    identity: dict[str, Any] = field(kw_only=True)
    before: float = 0.0
    watch: Watch = field(default_factory=Watch)
    again: float = 0.0  # when the positions seen are written again

    def layer(self, depth: int, words: int) -> np.ndarray:
        """Return the file of a layer; all 0 unless the layer is complete."""
        kept = depth < len(self.counts) and not there(self._list(depth))
        return self._opened(f"layer-{depth:05}.bits", words, kept)

    def _list(self, depth: int) -> Path:
        return self.saving.folder / f"layer-{depth:05}.list"

    def earlier(self, words: int) -> np.ndarray:
        """Return the file of the seen positions, in which those of the last complete layer may be missing."""
        return self._opened(SEEN, words, kept=len(self.counts) > 0)

    def _opened(self, name: str, words: int, kept: bool) -> np.ndarray:
        path = self.saving.folder / name
        if kept and not (there(path) and path.stat().st_size == 8 * words):
            raise TableError(f"{path}: damaged: expected {8 * words:,} bytes; start again in an empty folder")
        with usable(path):
            return np.memmap(path, np.uint64, "r+" if kept else "w+", shape=words)

    def check(self, seen: int, layer: int) -> None:
        """Raise TableError if so many positions seen, or in the last layer, do not match the counts."""
        if (seen, layer) != (sum(self.counts), self.counts[-1]):
            what = f"expected {sum(self.counts):,} positions, {self.counts[-1]:,} of them in the last layer"
            text = f"{what}; found {seen:,} and {layer:,}; start again in an empty folder"
            raise TableError(f"{self.saving.folder}: damaged: {text}")

    def complete(self, size: int, layer: np.ndarray) -> None:
        """Record that a layer of `size` is complete."""
        self.flush(layer)
        self._list(len(self.counts)).unlink(missing_ok=True)  # of a run that stopped before it was noted
        self.counts.append(size)
        self.note()

    def listed(self, bits: np.ndarray) -> None:
        """Record that a layer is complete, the bit indices of its positions: it has no file, nor is it added."""
        data = bits.astype("<i8").tobytes()
        write_file(self._list(len(self.counts)), (data, block_sums(data)))
        self.counts.append(len(bits))
        self.note()
        self._remove(name for name in self._names() if LAYER.fullmatch(name) and name.endswith(".bits"))

    def lists(self) -> list[np.ndarray]:
        """Return the listed layers since the last one that has a file, if the last complete layer is listed."""
        found, depth = list[np.ndarray](), len(self.counts) - 1
        while depth >= 0 and there(path := self._list(depth)):
            with usable(path):
                read = path.read_bytes()
            data = read[: 8 * self.counts[depth]]
            if len(data) != 8 * self.counts[depth] or data + block_sums(data) != read:
                raise TableError(f"{path}: damaged; start again in an empty folder")
            found.insert(0, np.frombuffer(data, "<i8").astype(np.int64))
            depth -= 1
        return found

    def added(self, earlier: np.ndarray) -> None:
        """Record that the file of the seen positions has those of the last complete layer."""
        self.flush(earlier)
        last = f"layer-{len(self.counts) - 1:05}.bits"
        self._remove(name for name in self._names() if LAYER.fullmatch(name) and name != last)

    def due(self) -> bool:
        """Return whether the positions seen are to be written, for a count that changes no file of them."""
        return self.watch.seconds >= self.again

    def write_seen(self, seen: np.ndarray, sizes: Sequence[int]) -> None:
        """Write the positions seen, and record that further layers, of these sizes, are complete."""
        began = self.watch.seconds
        name = f"seen-{len(self.counts) + len(sizes) - 1:05}.bits"
        with usable(self.saving.folder):
            write_blocks(self.saving.folder / name, paced(seen[n : n + PART] for n in range(0, len(seen), PART)))
        self.counts += sizes
        self.note()
        self._remove(other for other in self._names() if KEPT.fullmatch(other) and other != name)
        self.again = self.watch.seconds + SHARE * (self.watch.seconds - began)

    def read_seen(self, seen: np.ndarray) -> None:
        """Read the positions seen when they were written last."""
        names = [f"seen-{depth:05}.bits" for depth in range(len(self.counts))]
        written = [path for name in names if there(path := self.saving.folder / name)]
        if written:
            read_blocks(written[-1], seen)

    def note(self, hardest: tuple[bytes, ...] | None = None) -> None:
        """Write `progress.json`; `hardest` are the last positions of a count that is finished."""
        state: dict[str, Any] = {"counts": self.counts, "seconds": round(self.before + self.watch.seconds, 3)}
        state |= {"hardest": None if hardest is None else [position.hex() for position in hardest]}
        write_json(self.saving.folder / PROGRESS, self.identity | state)

    def finish(self, hardest: tuple[bytes, ...]) -> None:
        """Note that the count is finished, and remove its files."""
        self.note(hardest)
        self.clear()

    def clear(self) -> None:
        """Remove the files of a count that is finished."""
        self._remove(name for name in self._names() if name == SEEN or KEPT.fullmatch(name))

    def flush(self, words: np.ndarray) -> None:
        """Wait until a file is on the disk."""
        with usable(self.saving.folder):
            assert isinstance(words, np.memmap)
            words.flush()
            flush_folder(self.saving.folder)

    def _names(self) -> list[str]:
        return [path.name for path in self.saving.folder.iterdir()]

    def _remove(self, names: Any) -> None:
        for name in names:
            (self.saving.folder / name).unlink(missing_ok=True)


def counting_engine(saving: Saving) -> Engine:
    """Return the engine `table` that counts with its files in a folder, and keeps the counts only.

    Its `depths` raises TableError if the folder cannot be used or contains something else.
    """

    def depths(question: Depths, watch: Watch) -> Layers:
        return _count(question, watch, saving)

    return Engine("table", _refusal, depths=depths)


def _refusal(space: Any, question: str) -> str | None:
    from ..engines import table

    model = model_of(space)
    refused = table.refuses(space, question)
    if refused is None and model is not None and model.anchor is not None:
        chosen = table.choose(model)
        return NO_SLIDES if chosen is not None and chosen.kind == "slide" else None
    return refused


def _count(question: Depths, watch: Watch, saving: Saving) -> Layers:
    model, folder = question.model, saving.folder
    sources = tuple(sorted(set(question.sources)))
    with usable(folder):
        folder.mkdir(parents=True, exist_ok=True)
    with locked(folder):
        begun = _begun(model, sources, saving)
        if begun is not None and begun["hardest"] is not None:
            FolderFiles(saving=saving, identity={}).clear()  # a run may have stopped before it did
            hardest = tuple(map(bytes.fromhex, begun["hardest"]))[: question.keep]
            return Layers(tuple(begun["counts"]), hardest, True, 0, begun["seconds"])
        if begun is not None:
            places = rebuilt(begun, model, folder)
        else:
            places = places_of(kinds(model, sources)[0].within(memory_left(watch)), sources)
        plan: Any = places.chosen.plan
        if places.kind == "slide":
            raise UnsupportedError(NO_SLIDES)
        if begun is None:
            need_room(folder, plan.one_bit.files, places.positions)
        identity = describe(model, sources, numbering_of(places), saving.note)
        identity |= {"format": FORMAT, "version": VERSION}
        counts = list(begun["counts"]) if begun else []
        before = begun["seconds"] if begun else 0.0
        files = FolderFiles(counts, saving=saving, identity=identity, before=before, watch=watch)
        if begun is None:
            files.note()
        asked = ResumableDepths(model, sources, question.keep, files=files)
        layers = places.chosen.count(plan, asked, watch, None)
        selfcheck.hold(asked, layers)
        if layers.stopped is None:
            files.finish(layers.deepest)
        return layers


def _begun(model: Model, sources: tuple[bytes, ...], saving: Saving) -> dict[str, Any] | None:
    """Return the state of the count to resume, or None for a new one; raise TableError if there is something else."""
    folder, path = saving.folder, saving.folder / PROGRESS
    if not there(path):
        with usable(folder):
            names = [each.name for each in folder.iterdir()]
        other = next((name for name in names if name not in (LOCK, HOLDER) and not name.endswith(TEMPORARY)), None)
        if other is not None:
            raise TableError(f"{folder}: expected an empty folder, found {other}")
        return None
    found = read_json(path)
    if found.get("format") != FORMAT or found.get("version") != VERSION:
        raise TableError(f"{path}: expected the counts of a run with counts_only=True, found something else")
    if not saving.resume:
        raise TableError(f"{folder}: counts are there already; continue them with resume=True")
    check_model({**found, "hardest": found["hardest"] or []}, model, folder)
    if sources_of(found) != sources:
        raise TableError(f"{folder}: the count there measures from other positions")
    return found
