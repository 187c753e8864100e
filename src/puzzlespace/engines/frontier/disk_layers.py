"""Layers larger than the memory: runs on disk, with delayed duplicate detection.

The last layer is read piece by piece. The children of a piece are sorted, without duplicates, and written as a part.
Then all parts and the older layers are merged: the new layer is every position in a part and in no older layer (Korf,
"Linear-time disk-based implicit graph search", JACM 55, 2008). If every move can be undone, only the last two layers
are compared, else all.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from ...errors import LimitError
from ...limits.watch import Watch
from ..packed.arrays import packed_keys
from ..packed.switching import compiled_layers
from .merge import Store, drop_parts, fits, merge, trim, write_layer, write_sorted
from .runs import Run

if TYPE_CHECKING:
    from ..packed.front import Front

COPIES = 4
"""Copies of a child in memory at the same time: in the arena, in its set, sorted, and being written."""


class Spilled:
    """A front, like `packed.front.Front`, whose layers are runs: `layer` is the last one, number `depth`."""

    def __init__(self, front: Front, store: Store, watch: Watch) -> None:
        self.plan, self.reversible, self.alternates = front.plan, front.model.reversible, front.alternates
        self.store, self.at_once = store, watch.thresholds.least_at_once
        self.method = front.method if front.method.compiled else compiled_layers(watch.thresholds)
        self.depth, self.found = front.depth, front.found
        self.words = self.plan.packing.words
        self.layer = self.before = store.layers[self.depth]

    @property
    def size(self) -> int:
        """The number of positions in the last layer."""
        return self.layer.size

    def pieces(self) -> Iterator[np.ndarray]:
        """Yield the last layer as rows of words, a part at a time."""
        return self.layer.pieces(self.at_once)

    def first(self, keep: int) -> np.ndarray:
        """Return the first rows, sorted, of the last layer that is not empty."""
        run = self.layer if self.layer.size else self.before
        return run.rows(0, -(-min(keep, run.size) // run.block))[:keep]

    def grow(self, watch: Watch) -> None:
        """Replace the layer by the next one; raise LimitError if the disk is too full."""
        trim()
        self.store.need(self._wanted())
        parts: list[Run] = []
        try:
            for rows in self._cut(watch):
                parts.append(self._part(len(parts), rows, watch))
            made = merge(self.store, self.store.path(self.depth + 1), parts, self._seen(), watch)
        finally:
            drop_parts(self.store, len(parts))
        self.depth += 1
        self.found += made.size
        self.before, self.layer = self.layer, made
        if made.size:
            self.store.found(self.depth, made)
        else:
            made.path.unlink()
        if self.reversible:
            self.store.forget(self.depth - 2)

    def _wanted(self) -> int:
        """Return an estimate of the disk space for the next layer and its parts, in bytes."""
        each = min(8 * self.words, 2 * self.layer.bytes // self.layer.size + 1)
        return int(2 * self.method.ratio * self.layer.size * each) + (1 << 20)

    def _seen(self) -> list[Run]:
        """Return the older layers that may contain children."""
        if not self.reversible:
            return list(self.store.layers.values())
        older = [self.store.layers[self.depth - 1]] if self.depth else []
        return older if self.alternates else [*older, self.layer]

    def _cut(self, watch: Watch) -> Iterator[np.ndarray]:
        """Yield the last layer in pieces whose children fit the memory limit."""
        first, blocks = 0, len(self.layer.index)
        while first < blocks:
            rows = fits(watch, self.words, COPIES * max(1.0, self.method.ratio))
            last = min(first + max(1, rows // self.layer.block), blocks)
            yield self.layer.rows(first, last)
            first = last

    def _part(self, number: int, rows: np.ndarray, watch: Watch) -> Run:
        """Write the children of some positions as a run."""
        new = self.method.children(self.plan, rows, watch)
        made = self.method.keys(new)
        self.method.recycle(new)
        return write_sorted(self.store, self.store.part(number), made, watch)


def spill(front: Front, store: Store, watch: Watch) -> Spilled:
    """Write the layers of a front as runs and release them; return the front that continues on disk."""
    method, words = front.method, front.plan.packing.words
    none = method.wrap(packed_keys(front.plan.packing, ()))
    front.layer, front.older = method.shrink(front.layer, front.older)
    trim()
    if front.depth and front.depth - 1 not in store.layers:
        write_layer(store, front.depth - 1, method, front.older, words, watch)
    [front.layer] = method.shrink(front.layer)
    front.older = front.before = none
    trim()
    if front.depth not in store.layers:
        write_layer(store, front.depth, method, front.layer, words, watch)
    front.layer = none
    method.shrink()
    return Spilled(front, store, watch)


def resumed(front: Front, store: Store, watch: Watch) -> Front | Spilled:
    """Return the front that continues with the layers of the store: in memory if they fit, else on disk."""
    front.depth = max(store.layers)
    front.work = front.found = sum(run.size for run in store.layers.values())
    first = front.depth - 1 if front.model.reversible else 0
    layer, older = (
        store.layers[front.depth],
        [run for depth, run in store.layers.items() if first <= depth < front.depth],
    )
    try:
        watch.reserve(3 * 8 * front.plan.packing.words * (layer.size + sum(run.size for run in older)))
    except LimitError:
        return Spilled(front, store, watch)
    front.take(_all(layer), np.concatenate([_all(run) for run in older] or [front.keys[:0]]))
    return front


def _all(run: Run) -> np.ndarray:
    """Return all positions of a run."""
    return run.rows(0, len(run.index))
