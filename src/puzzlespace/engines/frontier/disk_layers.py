"""Layers larger than the memory: runs on disk, with delayed duplicate detection.

The last layer is read piece by piece. The children of a piece are sorted, without duplicates, and written as a part.
Then all parts and the older layers are merged: the new layer is every position in a part and in no older layer (Korf,
"Linear-time disk-based implicit graph search", JACM 55, 2008). If every move can be undone, only the last two layers
are compared, else all.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from ...errors import LimitError, UnsupportedError
from ...limits.thresholds import Threshold
from ...limits.watch import Watch
from ...search.encoding import Encoding
from ...search.layers import End
from ..packed.arrays import packed_keys
from ..packed.front import Front, PackedLayer, compiled_layers
from .merge import LEAST_AT_ONCE, Store, drop_parts, fits, merge, trim, write_layer, write_sorted
from .runs import RUN_BLOCK, Run

COPIES = 4
"""Copies of a child in memory at the same time: in the arena, in its set, sorted, and being written."""

SPILL_FROM: Threshold[int | None] = Threshold(None)
"""Layers of at least this many positions are put on disk; None: only if memory is too small."""


class Spilled(Encoding):
    """Packed positions whose layers are runs on disk.

    front  the encoding that has begun
    depth  the number of the last layer
    """

    def __init__(self, front: Front, store: Store, depth: int, watch: Watch) -> None:
        self.front, self.store, self.depth = front, store, depth
        self.at_once = watch.thresholds[LEAST_AT_ONCE]
        self.method = front.method if front.method.compiled else compiled_layers(watch.thresholds)
        self.words = front.packing.words

    def enter(self, positions: Sequence[bytes]) -> Run:
        raise UnsupportedError("engine frontier: a search on disk goes on from layers in memory, it begins with none")

    def size(self, layer: Run) -> int:
        return layer.size

    def pieces(self, layer: Run) -> Iterator[np.ndarray]:
        return layer.pieces(self.at_once)

    def leave(self, words: np.ndarray) -> list[bytes]:
        return self.front.leave(words)

    def handed(self, words: np.ndarray) -> np.ndarray:
        return self.front.handed(words)

    def least(self, words: np.ndarray, keep: int) -> list[bytes]:
        return self.front.leave(words[:keep])

    def met(self, layer: Run) -> np.ndarray:
        met = [self.front.goals.among(piece) for piece in self.pieces(layer)]
        return np.concatenate([packed_keys(self.front.packing, ()), *met])

    def following(self, layer: Run, watch: Watch, bound: int) -> Run:
        trim()
        self.store.need(self._wanted(layer))
        parts: list[Run] = []
        try:
            for rows in self._cut(layer, watch):
                parts.append(self._part(len(parts), rows, watch))
            made = merge(self.store, self.store.path(self.depth + 1), parts, self._seen(layer), watch)
        finally:
            drop_parts(self.store, len(parts))
        self.depth += 1
        if made.size:
            self.store.found(self.depth, made)
        else:
            made.path.unlink()
        if self.front.model.reversible:
            self.store.forget(self.depth - 2)
        return made

    def _wanted(self, layer: Run) -> int:
        """Return an estimate of the disk space for the next layer and its parts, in bytes."""
        each = min(8 * self.words, 2 * layer.bytes // layer.size + 1)
        return int(2 * self.method.ratio * layer.size * each) + (1 << 20)

    def _seen(self, layer: Run) -> list[Run]:
        """Return the layers that may contain children."""
        if not self.front.model.reversible:
            return list(self.store.layers.values())
        older = [self.store.layers[self.depth - 1]] if self.depth else []
        return older if self.front.alternates else [*older, layer]

    def _cut(self, layer: Run, watch: Watch) -> Iterator[np.ndarray]:
        """Yield a layer in pieces whose children fit the memory limit."""
        first, blocks = 0, len(layer.index)
        while first < blocks:
            rows = fits(watch, self.words, COPIES * max(1.0, self.method.ratio))
            last = min(first + max(1, rows // layer.block), blocks)
            yield layer.rows(first, last)
            first = last

    def _part(self, number: int, rows: np.ndarray, watch: Watch) -> Run:
        """Write the children of some positions as a run."""
        new = self.method.children(self.front.plan, rows, watch)
        made = self.method.keys(new)
        self.method.recycle(new)
        return write_sorted(self.store, self.store.part(number), made, watch)


class OnDisk:
    """How the layers of packed positions are kept and moved: see `search.layers.Keeping`.

    store  None: layers are only moved, to a temporary folder
    """

    def __init__(self, store: Store | None) -> None:
        self.store = store

    def resume(self, end: End, watch: Watch) -> None:
        """Continue with the layers of the store: in memory if they fit, else on disk."""
        if self.store is None or not self.store.layers:
            return
        front, kept = _front(end), self.store.layers
        sizes = [run.size for _, run in sorted(kept.items())]
        depth = max(kept)
        first = depth - 1 if front.model.reversible else 0
        layer, older = kept[depth], [run for number, run in kept.items() if first <= number < depth]
        try:
            watch.reserve(3 * 8 * front.packing.words * (layer.size + sum(run.size for run in older)))
        except LimitError:
            end.go_on(Spilled(front, self.store, depth, watch), layer, sizes)
            return
        earlier = np.concatenate([packed_keys(front.packing, ()), *map(_all, older)])
        end.go_on(front, front.take(_all(layer), earlier, sum(sizes)), sizes)

    def keep(self, end: End, watch: Watch) -> None:
        """Write the last layer if all are kept, unless it is already saved."""
        store = self.store
        if store is not None and store.keeping and isinstance(end.encoding, Front) and end.depth not in store.layers:
            front = end.encoding
            write_layer(store, end.depth, front.method, front.formed(end.layer), front.packing.words, watch)

    def large(self, end: End, watch: Watch) -> bool:
        """Return whether the last layer is at least as large as the thresholds say, and still in memory."""
        most = watch.thresholds[SPILL_FROM]
        return most is not None and end.size >= most and isinstance(end.encoding, Front)

    def able(self, end: End, limit: LimitError) -> bool:
        """Return whether the layers are complete although a limit of memory was passed."""
        front = end.encoding
        if limit.kind != "memory" or not isinstance(front, Front):
            return False
        return not front.dropped or (self.store is not None and end.depth - 1 in self.store.layers)

    def move(self, end: End, watch: Watch) -> None:
        """Write the last layers as runs and release them."""
        store = self.store = self.store or Store(watch.thresholds[RUN_BLOCK])
        front = _front(end)
        method, words = front.method, front.packing.words
        none = method.wrap(packed_keys(front.packing, ()))
        layer, front.older = method.shrink(front.formed(end.layer), front.older)
        end.layer = end.last = front.layer = PackedLayer(method, none)
        trim()
        if end.depth and end.depth - 1 not in store.layers:
            write_layer(store, end.depth - 1, method, front.older, words, watch)
        [layer] = method.shrink(layer)
        front.older = front.previous = none
        trim()
        if end.depth not in store.layers:
            write_layer(store, end.depth, method, layer, words, watch)
        del layer
        method.shrink()
        end.go_on(Spilled(front, store, end.depth, watch), store.layers[end.depth], end.sizes)


def _front(end: End) -> Front:
    assert isinstance(end.encoding, Front)
    return end.encoding


def _all(run: Run) -> np.ndarray:
    """Return all positions of a run."""
    return run.rows(0, len(run.index))
