"""Merge several runs in bounded memory: one range of positions after the other."""

from __future__ import annotations

import ctypes
import shutil
import tempfile
import weakref
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ..contract.questions import Depths
from ..errors import LimitError
from ..kernels.packed.numpy_marks import marks
from ..limits.thresholds import Threshold
from ..limits.watch import Watch
from .encoding import RowsOf
from .runs import BLOCK, RUN_ENCODED, Reader, Run, Traffic, Writer, in_order

SORTED = 3
"""Copies of a position in memory while rows are sorted and written."""

MERGED = 4
"""Copies of a position in memory while ranges are merged."""

LEAST_AT_ONCE = Threshold(1 << 14)
"""The least positions of runs that are processed at once, however small the memory is.

2^14 positions of one word take 128 kB.
"""

MOST_AT_ONCE = Threshold(1 << 25)
"""The most positions of runs that are processed at once, however large the memory is.

2^25 positions of one word take 256 MB.
"""


def fits(watch: Watch, words: int, copies: float) -> int:
    """Return how many positions fit the remaining memory, with `copies` copies of each."""
    left = watch.memory_left()
    by = watch.thresholds
    most = by[MOST_AT_ONCE] if left is None else min(by[MOST_AT_ONCE], int(left / (8 * words * copies)))
    return max(by[LEAST_AT_ONCE], most)


def trim() -> None:
    """Return free memory of the C library to the system, if the library can (glibc)."""
    with suppress(AttributeError, OSError, TypeError):
        ctypes.CDLL(None).malloc_trim(0)


class Store:
    """The runs of the layers of a search, in a temporary folder that is deleted with the store.

    layers   runs by depth: those that the search still needs, or all if `keeping`
    keeping  whether every layer is written and none is deleted
    block    positions per block of a run
    """

    keeping = False

    def __init__(self, block: int = BLOCK) -> None:
        self.block = block
        self.layers: dict[int, Run] = {}
        self.traffic = Traffic()

    @property
    def folder(self) -> Path:
        """The folder; it is created at the first use."""
        if not hasattr(self, "_made"):
            self._made = Path(tempfile.mkdtemp(prefix="puzzlespace-"))
            weakref.finalize(self, shutil.rmtree, self._made, True)
        return self._made

    def path(self, depth: int) -> Path:
        """Return the path for the run of a layer."""
        return self.folder / f"layer-{depth:05}.run"

    def part(self, number: int) -> Path:
        """Return the path for a part of a layer."""
        return self.folder / f"part-{number:05}.run"

    def found(self, depth: int, run: Run) -> None:
        """Record the complete run of a layer."""
        self.layers[depth] = run

    def forget(self, depth: int) -> None:
        """Delete a layer that the search does not need any more, unless `keeping`."""
        run = None if self.keeping else self.layers.pop(depth, None)
        if run is not None:
            run.path.unlink(missing_ok=True)

    def need(self, wanted: int) -> None:
        """Raise LimitError if the disk has less than `wanted` bytes free."""
        free = shutil.disk_usage(self.folder).free
        if free < wanted:
            text = f"the next layer needs {wanted:,} bytes on the disk of {self.folder}, {free:,} are free"
            raise LimitError("memory", text)


@dataclass(frozen=True)
class KeptLayers(Depths):
    """The question for a depth table whose layers are kept; the search continues after those that the store has."""

    store: Store | None = None


def write_sorted(store: Store, path: Path, rows: np.ndarray, watch: Watch) -> Run:
    """Sort different rows in place and write them as a run."""
    writer = Writer(path, rows.shape[1], store.traffic, store.block, watch.thresholds[RUN_ENCODED])
    writer.append(in_order(rows))
    return writer.finish()


def write_layer(store: Store, depth: int, size: int, rows_of: RowsOf, words: int, watch: Watch) -> None:
    """Write a layer as a run; sort and merge parts if memory is too small to sort all at once."""
    most = size if watch.limits.memory is None else min(size, fits(watch, words, SORTED))
    store.need(2 * 8 * words * size)
    parts: list[Run] = []
    try:
        for rows in rows_of(most):
            if len(rows) == size:
                store.found(depth, write_sorted(store, store.path(depth), rows, watch))
                return
            parts.append(write_sorted(store, store.part(len(parts)), rows, watch))
        store.found(depth, merge(store, store.path(depth), parts, (), watch))
    finally:
        drop_parts(store, len(parts))


def drop_parts(store: Store, count: int) -> None:
    """Delete the parts of a layer, including an unfinished one."""
    for number in range(count + 1):
        store.part(number).unlink(missing_ok=True)


def merge(store: Store, path: Path, parts: Sequence[Run], others: Sequence[Run], watch: Watch) -> Run:
    """Write the run of all positions in any of the parts and in none of the others."""
    writer = Writer(path, parts[0].words, store.traffic, store.block, watch.thresholds[RUN_ENCODED])
    try:
        for rows in merged(parts, others, watch):
            writer.append(rows)
        return writer.finish()
    except BaseException:
        writer.discard()
        raise


def merged(parts: Sequence[Run], others: Sequence[Run], watch: Watch) -> Iterator[np.ndarray]:
    """Yield all positions in any of the parts and in none of the others, sorted, range by range."""
    from ..kernels.packed.runs import subtract, unique

    readers, against = [Reader(run) for run in parts], [Reader(run) for run in others]
    for limit in limits([*parts, *others], watch):
        rows = np.concatenate([each.below(limit) for each in readers])
        rows = in_order(rows) if len(readers) > 1 else rows
        rows = rows[: unique(rows)]
        for each in against:
            rows = rows[: subtract(rows, each.below(limit))]
        yield rows
        watch.tick(0)


def limits(runs: Sequence[Run], watch: Watch) -> Iterator[np.ndarray | None]:
    """Yield the ends of ranges, such that the positions of all runs in a range fit the memory; None is the last end."""
    words = runs[0].words
    firsts = np.concatenate([run.index[:, :words] for run in runs])
    firsts = firsts[np.argsort(marks(firsts))]
    stride = max(1, fits(watch, words, MERGED) // runs[0].block - len(runs))
    for at in range(stride, len(firsts), stride):
        yield firsts[at : at + 1]
    yield None
