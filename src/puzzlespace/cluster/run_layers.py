"""The layers of packed positions as sorted runs: which tasks they are, and what the manifest says of the partitions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ..engines.frontier.runs import Run, opened
from ..engines.packed.arrays import positions_of
from ..errors import TableError
from ..limits.thresholds import Thresholds
from ..model.model import Model
from ..tables.identity import sources_of
from ..tables.runs import Keys, path_of
from ..tables.runs_save import FolderStore
from ..tables.save import Saving
from .desk import Desk
from .workers import Answer

RUN_BLOCK = Thresholds().run_block
"""Positions of a block of a run."""

TASKS = 3
"""Tasks of a layer for each slot, if there is enough work."""

LEAST_CHILDREN, LEAST_POSITIONS = 1 << 22, 1 << 17
"""The least bytes of children, or positions, for which a layer has one more task."""

MOST_POSITIONS = 1 << 23
"""The most positions of a task: what is lost with a worker."""

Partitions = dict[str, Any]
"""[line of a sheaf, positions] of each partition of a layer that is not empty."""


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
        return {line[0] for layer in self.layers.values() for line, _ in layer.values()}

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
        place, partitions = desk.place, self.facts["partitions"]
        layers = {str(depth): self.layers[depth]}
        state = place.put_json("state", {"depth": depth, "layers": layers, "seen": self.seen(depth)})
        body = {"state": state, "memory": desk.workers.memory}
        answers = desk.ask("expand", [body | {"slices": each} for each in self.slices(depth)])
        desk.watch.tick(sum(answer["generated"] for answer in answers))
        sheaves = [line for answer in answers for line in answer["made"]]
        made = place.put_json("made", sheaves)
        children = sum(line[1] for line in sheaves)
        tasks = max(1, min(TASKS * max(1, desk.workers.slots()), children // LEAST_CHILDREN, partitions))
        parts = [part.tolist() for part in np.array_split(np.arange(partitions), tasks)]
        answers = desk.ask("merge", [body | {"made": made, "parts": each} for each in parts])
        layer = _layer(answers)
        empty = [answer["line"][0] for answer in answers if not answer["sizes"]]
        place.delete([*(line[0] for line in sheaves), made[0], state[0], *empty])
        if layer:
            self.layers[depth + 1] = layer
            self.counts.append(_size(layer))
            if self.model.reversible and not self.facts["depths"]:
                self.layers = {each: self.layers[each] for each in self.layers if each >= depth}
        return bool(layer)

    def slices(self, depth: int) -> list[list[tuple[int, int, int]]]:
        """Return the blocks of a layer in slices of about equal size, one list for each task."""
        total, slots = self.counts[depth], max(1, self.desk.workers.slots())
        tasks = max(1, min(TASKS * slots, total // LEAST_POSITIONS), -(-total // MOST_POSITIONS))
        most = -(-sum(-(-size // RUN_BLOCK) for _, size in self.layers[depth].values()) // tasks)
        found: list[list[tuple[int, int, int]]] = [[]]
        room = most
        for part, (_, size) in sorted(self.layers[depth].items(), key=lambda each: int(each[0])):
            first, blocks = 0, -(-size // RUN_BLOCK)
            while first < blocks:
                if not room:
                    found.append([])
                    room = most
                last = min(blocks, first + room)
                found[-1].append((int(part), first, last))
                room -= last - first
                first = last
        return found

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
    return {str(part): [answer["line"], size] for answer in answers for part, size in answer["sizes"].items()}


def _size(layer: Partitions) -> int:
    return sum(size for _, size in layer.values())
