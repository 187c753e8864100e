"""A finished table of runs: look up the layer of a position, and its best moves in the previous layer.

A look-up in a layer uses its index and reads one block, whose checksum is verified first. Moves need not be reversible:
from a position of depth d, the best moves are those to depth d - 1.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from ..contract.questions import WantedLayers
from ..engines.packed.arrays import symbols_of
from ..errors import TableError, UnsupportedError
from ..kernels.packed.numpy_marks import contained, marks
from ..model.model import Model
from ..search.runs import Run
from . import drawn
from .identity import check_model, sources_of
from .manifests import finished, is_runs
from .opened import AT_ONCE
from .runs import layer_opened, rebuilt

KEPT = 1 << 10
"""The most decoded blocks in the cache."""

MANY = 50
"""Compiled kernels are loaded for at least this many distances."""


class RunTable:
    """A finished table of runs of a model; the constructor raises TableError if it is damaged or of another model.

    manifest  of the folder, if it was read before
    sources   the positions to which it measures; or from which, if `onward`
    onward    whether it measures from its sources and moves cannot be undone
    hardest   the first positions of the last layer, sorted
    at_once   the most bytes of a table whose counts are compared with its bits when it is opened
    """

    def __init__(
        self, folder: Path, model: Model, manifest: dict[str, Any] | None = None, at_once: int = AT_ONCE
    ) -> None:
        self.folder, self.model = folder, model
        self.manifest = finished(folder) if manifest is None else manifest
        if not is_runs(self.manifest):
            raise TableError(f"{folder}: expected a table whose layers are runs")
        back = None if model.reversible else model.backward
        counted = back if back is not None and self.manifest["model"] == back.fingerprint else model
        check_model(self.manifest, counted, folder)
        self.counted = counted
        self.onward = counted is model and not model.reversible
        self.sources = sources_of(self.manifest)
        self.hardest = tuple(map(bytes.fromhex, self.manifest["hardest"]))
        self.keys = rebuilt(self.manifest, counted, folder)
        self._runs: dict[int, tuple[Run, np.ndarray]] = {}
        self._blocks: OrderedDict[tuple[int, int], frozenset[int]] = OrderedDict()
        self._sure = False
        if sum(noted["bytes"] for noted in self.manifest["layers"]) <= at_once:
            self.check_counts()

    @property
    def counts(self) -> tuple[int, ...]:
        """The number of positions at each depth, compared with the layers at the first access."""
        if not self._sure:
            self.check_counts()
        return tuple(self.manifest["counts"])

    def check_counts(self) -> None:
        """Compare the counts with the layers, and look up the positions that the manifest lists.

        The size of a layer follows from its index and its last block, because all other blocks are full. Raises
        TableError if anything does not match.
        """
        last = len(self.manifest["counts"]) - 1
        for depth in range(last + 1):
            self.run(depth).check_size()
        listed = [(0, source) for source in self.sources] + [(last, self.hardest[0])]
        for depth, position in listed:
            words = self.keys.words_of(position)
            if words is None or not self._holds(depth, words):
                raise TableError(f"{self.folder}: damaged: {position.hex(' ')} is listed and is not in layer {depth}")
        self._sure = True

    def run(self, depth: int) -> Run:
        """Return the run of a layer."""
        if depth not in self._runs:
            run = layer_opened(self.folder, depth, self.keys.words, self.manifest["layers"][depth])
            self._runs[depth] = run, marks(run.index[:, : run.words])
        return self._runs[depth][0]

    def _holds(self, depth: int, words: tuple[int, ...]) -> bool:
        """Return whether a layer contains the position with these words."""
        row = marks(np.array([words], np.uint64))[0]
        number = int(np.searchsorted(self._firsts(depth), row, "right")) - 1
        if number < 0:
            return False
        value = 0
        for word in words:
            value = value << 64 | word
        return value in self._block(depth, number)

    def _firsts(self, depth: int) -> np.ndarray:
        """Return the marks of the first positions of a layer's blocks."""
        self.run(depth)
        return self._runs[depth][1]

    def _block(self, depth: int, number: int) -> frozenset[int]:
        """Return the positions of a block as integers."""
        found = self._blocks.get((depth, number))
        if found is None:
            found = self._blocks[depth, number] = frozenset(self.run(depth).listed(number))
            if len(self._blocks) > KEPT:
                self._blocks.popitem(last=False)
        return found

    @cached_property
    def _likely(self) -> list[int]:
        """The depths, by size of the layer, the largest first."""
        counts = self.manifest["counts"]
        return sorted(range(len(counts)), key=lambda depth: -counts[depth])

    def distance(self, position: bytes) -> int | None:
        """Return the distance to the nearest source (from it if `onward`); None if the table does not contain it."""
        words = self._words_of(position)
        if words is None:
            return None
        return next((depth for depth in self._likely if self._holds(depth, words)), None)

    def _words_of(self, position: bytes) -> tuple[int, ...] | None:
        """Return the words of the position that stands for this one and all that free rules lead to from it."""
        words = self.keys.words_of(position)
        if words is None or not self.model.metric.free:
            return words
        return self.keys.words_of(self.model.settled(position))

    def distances(self, positions: Sequence[bytes]) -> list[int | None]:
        """Return the distance of each position, as `distance` does; many positions are looked up together."""
        if len(positions) < MANY:
            return [self.distance(position) for position in positions]
        words = {position: self._words_of(position) for position in positions}
        rows = np.array(sorted({each for each in words.values() if each is not None}), np.uint64)
        rows = rows.reshape(-1, self.keys.words)
        found = np.full(len(rows), -1)
        for depth in self._likely:
            left = np.flatnonzero(found < 0)
            found[left[self._among(depth, marks(rows[left]))]] = depth
        depths = dict(zip(map(tuple, rows.tolist()), found.tolist(), strict=True))
        of = {position: -1 if each is None else depths[each] for position, each in words.items()}
        return [None if of[position] < 0 else of[position] for position in positions]

    def _among(self, depth: int, wanted: np.ndarray) -> np.ndarray:
        """Return for each of some sorted marks whether a layer contains it."""
        run = self.run(depth)
        blocks = np.searchsorted(self._firsts(depth), wanted, "right") - 1
        here = np.zeros(len(wanted), bool)
        for block in np.unique(blocks[blocks >= 0]).tolist():
            mine = blocks == block
            here[mine] = contained(wanted[mine], marks(run.rows(block, block + 1)))
        return here

    def best(self, position: bytes) -> tuple[bytes, ...]:
        """Return the positions after all best moves; () for a source or if no source can be reached."""
        self._measures_to()
        depth = self.distance(position)
        return () if depth is None else tuple(self._nearer(position, depth))

    def _measures_to(self) -> None:
        if self.onward:
            raise UnsupportedError(f"{self.folder}: this table measures from its sources, and moves cannot be undone")

    def _nearer(self, position: bytes, depth: int) -> Iterator[bytes]:
        """Yield the positions one move away that are nearer; `depth` is that of the position."""
        for child in self.model.moves(position) if depth else ():
            words = self.keys.words_of(child)
            if words is not None and self._holds(depth - 1, words):
                yield child

    def holds(self, positions: Sequence[bytes]) -> list[bool]:
        """Return for each position whether the table contains it."""
        return [depth is not None for depth in self.distances(positions)]

    def layers(self, position: bytes, every: bool) -> Iterator[frozenset[bytes]]:
        """Yield the positions on shortest paths to the sources, layer by layer; on one path only unless `every`."""
        self._measures_to()
        depth = self.distance(position)
        layer = [position]
        for left in range(-1 if depth is None else depth, -1, -1):
            if not layer:
                raise TableError(f"{self.folder}: damaged: no neighbour of some position of depth {left + 1} is nearer")
            yield frozenset(layer)
            layer = sorted({child for each in layer for child in self._nearer(each, left)})[: None if every else 1]

    def layer(self, depth: int) -> np.ndarray:
        """Return all positions at a depth, sorted, one row of symbols each; raise InputError if there is none."""
        return drawn.layer(self._hand, self.counts, depth)

    def sample(self, depth: int, n: int, seed: int = 0) -> tuple[bytes, ...]:
        """Return `n` different positions at a depth, drawn uniformly; all of them if there are fewer.

        The same seed gives the same positions as `generate`. Raises InputError if there is no such depth.
        """
        return drawn.sample(self._hand, self.counts, depth, n, seed)

    def _hand(self, wanted: WantedLayers) -> None:
        """Hand over the layers that are wanted."""
        for depth in range(len(self.counts)):
            if wanted.hand(depth, self.rows(depth)):
                return

    def rows(self, depth: int) -> Iterator[np.ndarray]:
        """Yield the positions of a layer as rows of symbols, sorted, some thousands at a time."""
        return (symbols_of(self.keys.packing, piece) for piece in self.pieces(depth))

    def pieces(self, depth: int) -> Iterator[np.ndarray]:
        """Yield a layer as sorted rows of words, some thousands at a time."""
        return self.run(depth).pieces(1 << 16)

    @property
    def bytes(self) -> int:
        """The size of all layers in bytes."""
        return sum(self.run(depth).bytes for depth in range(len(self.counts)))
