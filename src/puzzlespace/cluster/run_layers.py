"""The layers of packed positions as sorted runs: which tasks they are, and what the manifest says of the partitions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ..engines.packed.arrays import positions_of
from ..errors import TableError
from ..model.model import Model
from ..search.runs import Run, opened
from ..tables.identity import sources_of
from ..tables.runs import Keys, path_of
from ..tables.runs_save import FolderStore
from ..tables.save import Saving
from .desk import Desk
from .workers import Answer

LEAST_CHILDREN, LEAST_POSITIONS = 1 << 22, 1 << 17
"""The least bytes of children, or positions, for which a layer has one more task."""

Partitions = dict[str, Any]
"""The segment (see `runs.Segment`) of each partition of a layer that is not empty."""


class Runs:
    """A count of layers of packed positions. `layers` are those that are needed, by depth."""

    lost = False
    """Whether a file is missing that only the last layer needs: never."""

    positions = 0
    """How many positions there are: not known before they are counted."""

    def __init__(self, desk: Desk, model: Model) -> None:
        self.desk, self.facts, self.model = desk, desk.facts, model
        self.layers: dict[int, Partitions] = {}
        self.alternates = False
        self.counts: list[int] = []

    def noted(self) -> dict[str, Any]:
        """Return what is needed to continue."""
        return {"layers": {str(depth): layer for depth, layer in self.layers.items()}, "alternates": self.alternates}

    def take(self, noted: dict[str, Any], counts: list[int]) -> None:
        """Continue from what was noted."""
        self.layers = {int(depth): layer for depth, layer in noted["layers"].items()}
        self.alternates, self.counts = noted["alternates"], counts

    def names(self) -> set[str]:
        """Return the names of the files that are needed."""
        return {segment[0] for layer in self.layers.values() for segment in layer.values()}

    def check_room(self, keep: bool) -> None:
        """Do nothing: the sizes of layers are not known before they are counted."""

    def begin(self) -> None:
        """Make the sources the first layer."""
        answer = self.desk.ask("begin", [{}])[0]
        self.alternates = answer["alternates"]
        self.layers = {0: _layer([answer])}
        self.counts = [_size(self.layers[0])]

    def seen(self, depth: int) -> list[Partitions]:
        """Return the layers up to a depth that may contain children of the last one."""
        if not self.model.reversible:
            return [self.layers[each] for each in range(depth + 1)]
        older = [self.layers[depth - 1]] if depth else []
        return older if self.alternates else [*older, self.layers[depth]]

    def step(self) -> bool:
        """Compute the next layer; return whether it has a position."""
        desk, depth = self.desk, len(self.counts) - 1
        place = desk.place
        noted = {"depth": depth, "layer": self.layers[depth], "seen": self.seen(depth)}
        state = place.put_json("state", noted)
        body = {"state": state, "memory": desk.workers.memory}
        answers = desk.ask("expand", [body | each for each in self.tasks(self.counts[depth], LEAST_POSITIONS)])
        desk.watch.tick(sum(answer["generated"] for answer in answers))
        sheaves = [sheaf for answer in answers for sheaf in answer["made"]]
        made = place.put_json("made", sheaves)
        tasks = self.tasks(sum(size for _, size, _ in sheaves), LEAST_CHILDREN)
        answers = desk.ask("merge", [body | {"made": made} | each for each in tasks])
        layer = _layer(answers)
        empty = [name for answer in answers for name, _, runs in answer["made"] if not runs]
        place.delete([*(name for name, *_ in sheaves), made[0], state[0], *empty])
        if layer:
            self.layers[depth + 1] = layer
            self.counts.append(_size(layer))
            if self.model.reversible and not self.facts["depths"]:
                self.layers = {each: self.layers[each] for each in self.layers if each >= depth}
        return bool(layer)

    def tasks(self, work: int, least: int) -> list[dict[str, Any]]:
        """Return the partitions of each task, so that none has much less than the least work."""
        partitions = self.facts["partitions"]
        parts = np.array_split(np.arange(partitions), max(1, min(partitions, work // least)))
        return [{"parts": part.tolist()} for part in parts]

    def repair(self) -> str:
        """Read all files; go back to the layer before the first damaged one. Return what was wrong and done, or ''."""
        found = self._ask_of_layers("check", list(self.layers))
        bad = {depth: damage for depth, damage in zip(self.layers, found, strict=True) if damage}
        if not bad:
            return ""
        self.layers = {depth: layer for depth, layer in self.layers.items() if depth < min(bad)}
        self.counts = self.counts[: min(bad)]
        depth = len(self.counts) - 1
        needed = range(max(0, depth - 1), depth + 1) if self.model.reversible else range(depth + 1)
        if depth < 0 or any(each not in self.layers for each in needed):
            self.begin()
        return f"{bad[min(bad)]}; layers are counted again from {len(self.counts)} on"

    def _ask_of_layers(self, kind: str, depths: Sequence[int]) -> list[Any]:
        """Return the answer to a question about each layer; small layers in a row are one task."""
        groups: list[list[list[Any]]] = []
        room = 0
        for depth in depths:
            if room <= 0:
                groups.append([])
                room = LEAST_POSITIONS
            groups[-1].append([self.desk.place.put_json("layer", self.layers[depth]), depth])
            room -= _size(self.layers[depth])
        bodies = [{"layers": group, "memory": self.desk.workers.memory} for group in groups]
        answers = [each for answer in self.desk.ask(kind, bodies) for each in answer["layers"]]
        self.desk.place.delete(line[0] for group in groups for line, _ in group)
        return answers

    def joined(self, depths: Sequence[int], folder: Path) -> dict[int, Run]:
        """Write layers as runs to a folder."""
        found: dict[int, Run] = {}
        for depth, answer in zip(depths, self._ask_of_layers("join", depths), strict=True):
            path = path_of(folder, depth)
            self.desk.place.fetch(answer["name"], path)
            found[depth] = opened(path, self.facts["words"], answer["size"], answer["sums"])
            if found[depth].size != self.counts[depth]:
                raise TableError(f"{path}: {found[depth].size:,} positions, but {self.counts[depth]:,} were counted")
        return found

    def deepest(self, keep: int) -> tuple[bytes, ...]:
        """Return the first positions of the last layer, sorted."""
        if keep <= 0:
            return ()
        depth, folder = len(self.counts) - 1, self.desk.counting.saving.folder
        run = self.joined([depth], folder)[depth]
        rows = run.rows(0, min(len(run.index), -(-keep // run.block)))[:keep]
        packing = Keys.of(self.model, sources_of(self.facts["identity"])).packing
        run.path.unlink()
        return tuple(positions_of(packing, rows))

    def save(self, saving: Saving, hardest: tuple[bytes, ...], seconds: float) -> None:
        """Write the finished table, the same bytes as one machine writes."""
        store = FolderStore(saving, self.facts["identity"], seconds)
        store.layers = self.joined(range(len(self.counts)), saving.folder)
        store.finish(hardest)


def _layer(answers: Iterable[Answer]) -> Partitions:
    """Return the partitions of a layer from the answers of the tasks that wrote it."""
    return {part: segment for answer in answers for *_, runs in answer["made"] for part, segment in runs.items()}


def _size(layer: Partitions) -> int:
    return sum(segment[1] for segment in layer.values())
