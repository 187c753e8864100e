"""Layers larger than the memory: runs on disk, with delayed duplicate detection.

The last layer is read piece by piece. The children of a piece are sorted, without duplicates, and written as a part.
Then all parts and the older layers are merged: the new layer is every position in a part and in no older layer (Korf,
"Linear-time disk-based implicit graph search", JACM 55, 2008). If every move can be undone, only the last two layers
are compared, else all.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np

from ..contract.answers import Position
from ..errors import LimitError, UnsupportedError
from ..limits.thresholds import Threshold
from ..limits.watch import Watch
from . import compiler_memory
from .encoding import Encoding, Words
from .ends import End
from .merge import LEAST_AT_ONCE, Store, drop_parts, fits, merge, trim, write_layer, write_sorted
from .runs import RUN_BLOCK, Run

assert compiler_memory is not None  # memory used for compiling is not charged to the search

COPIES = 4
"""Copies of a child in memory at the same time: as it is made, in its set, sorted, and being written."""

SPILL_FROM: Threshold[int | None] = Threshold(None)
"""Layers of at least this many positions are put on disk; None: only if memory is too small."""


class Spilled(Encoding):
    """Positions of another encoding whose layers are runs on disk.

    within  the encoding that has begun
    depth   the number of the last layer
    """

    def __init__(self, within: Encoding, store: Store, depth: int, watch: Watch) -> None:
        self.within, self.store, self.depth = within, store, depth
        self.at_once = watch.thresholds[LEAST_AT_ONCE]
        self.row_words = within.row_words

    def enter(self, positions: Sequence[Position]) -> Run:
        raise UnsupportedError("a search on disk goes on from layers in memory, it begins with none")

    def size(self, layer: Run) -> int:
        return layer.size

    def pieces(self, layer: Run) -> Iterator[Words]:
        return map(self.within.words_of, layer.pieces(self.at_once))

    def leave(self, words: Words) -> Sequence[Position]:
        return self.within.leave(words)

    def handed(self, words: Words) -> object:
        return self.within.handed(words)

    def least(self, words: Words, keep: int) -> Sequence[Position]:
        return self.within.least(words, keep)

    def met(self, layer: Run) -> Words:
        return np.concatenate(list(map(self.within.among, self.pieces(layer))))

    def following(self, layer: Run, watch: Watch, bound: int) -> Run:
        trim()
        self.store.need(self._wanted(layer))
        parts: list[Run] = []
        try:
            for rows in self._cut(layer, watch):
                made = self.within.onward(rows, watch, bound)
                parts.append(write_sorted(self.store, self.store.part(len(parts)), made, watch))
            made = merge(self.store, self.store.path(self.depth + 1), parts, self._seen(layer), watch)
        finally:
            drop_parts(self.store, len(parts))
        self.depth += 1
        if made.size:
            self.store.found(self.depth, made)
        else:
            made.path.unlink()
        if self.within.undone:
            self.store.forget(self.depth - 2)
        return made

    def _wanted(self, layer: Run) -> int:
        """Return an estimate of the disk space for the next layer and its parts, in bytes."""
        each = min(8 * self.row_words, 2 * layer.bytes // layer.size + 1)
        return int(2 * self.within.ratio * layer.size * each) + (1 << 20)

    def _seen(self, layer: Run) -> list[Run]:
        """Return the layers that may contain children."""
        if not self.within.undone:
            return list(self.store.layers.values())
        older = [self.store.layers[self.depth - 1]] if self.depth else []
        return older if self.within.alternates else [*older, layer]

    def _cut(self, layer: Run, watch: Watch) -> Iterator[np.ndarray]:
        """Yield a layer in pieces whose children fit the memory limit."""
        first, blocks = 0, len(layer.index)
        while first < blocks:
            rows = fits(watch, self.row_words, COPIES * max(1.0, self.within.ratio))
            last = min(first + max(1, rows // layer.block), blocks)
            yield layer.rows(first, last)
            first = last


class OnDisk:
    """How the layers of a search are kept for later, continued after an interruption, and moved because they are large.

    store  None: layers are only moved, to a temporary folder
    """

    def __init__(self, store: Store | None) -> None:
        self.store = store

    def resume(self, end: End, watch: Watch) -> None:
        """Continue with the layers of the store: in memory if they fit, else on disk."""
        if self.store is None or not self.store.layers:
            return
        encoding, kept = end.encoding, self.store.layers
        sizes = [run.size for _, run in sorted(kept.items())]
        depth = max(kept)
        first = depth - 1 if encoding.undone else 0
        layer, older = kept[depth], [run for number, run in kept.items() if first <= number < depth]
        try:
            watch.reserve(3 * 8 * encoding.row_words * (layer.size + sum(run.size for run in older)))
            earlier = np.concatenate([np.empty((0, encoding.row_words), np.uint64), *map(_all, older)])
            end.go_on(encoding, encoding.take(_all(layer), earlier, sum(sizes)), sizes)
        except LimitError as limit:
            if limit.kind != "memory":
                raise
            end.go_on(Spilled(encoding, self.store, depth, watch), layer, sizes)

    def keep(self, end: End, watch: Watch) -> None:
        """Write the last layer if all are kept, unless it is already saved."""
        store, encoding = self.store, end.encoding
        if store is not None and store.keeping and _in_memory(end) and end.depth not in store.layers:
            write_layer(store, end.depth, end.size, partial(encoding.as_rows, end.layer), encoding.row_words, watch)

    def large(self, end: End, watch: Watch) -> bool:
        """Return whether the last layer is at least as large as the thresholds say, and still in memory."""
        most = watch.thresholds[SPILL_FROM]
        return most is not None and end.size >= most and _in_memory(end)

    def able(self, end: End, limit: LimitError) -> bool:
        """Return whether the layers are complete although a limit of memory was passed."""
        if limit.kind != "memory" or not _in_memory(end):
            return False
        return not end.encoding.dropped or (self.store is not None and end.depth - 1 in self.store.layers)

    def move(self, end: End, watch: Watch) -> None:
        """Write the last layers as runs and release them."""
        store = self.store = self.store or Store(watch.thresholds[RUN_BLOCK])
        encoding, depth = end.encoding, end.depth
        giving = encoding.given_up(end.release())
        for number in (depth - 1, depth):
            size, rows = next(giving)
            trim()
            if number >= 0 and number not in store.layers:
                write_layer(store, number, size, rows, encoding.row_words, watch)
            del rows
        next(giving, None)
        end.go_on(Spilled(encoding, store, depth, watch), store.layers[depth], end.sizes)


def _in_memory(end: End) -> bool:
    return not isinstance(end.encoding, Spilled)


def _all(run: Run) -> np.ndarray:
    """Return all positions of a run."""
    return run.rows(0, len(run.index))
