"""Layers as sorted arrays, with NumPy alone: all rules are compared with all positions of a batch at once."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ...kernels.packed.numpy_marks import contained, distinct, marks, rows_of
from ...limits.thresholds import Threshold
from ...limits.watch import Watch
from .arrays import PackedRules
from .positions import WORD

CELLS_AT_ONCE = Threshold(1 << 21)
"""Pairs of position and rule that NumPy compares at once.

Measured: an eighth and eight times as many changed the count of klotski by at most 2 %.
"""


class Flat:
    """Layers as sorted arrays of marks, without compiled kernels; `hashed_layers.Compiled` has the same methods."""

    compiled = False
    ratio = 4.0

    def wrap(self, keys: np.ndarray) -> np.ndarray:
        """Return the layer of some rows of words."""
        return distinct(marks(keys))

    def keys(self, layer: np.ndarray) -> np.ndarray:
        """Return the rows of words of a layer."""
        return rows_of(layer)

    def pieces(self, layer: np.ndarray, at_once: int) -> Iterator[np.ndarray]:
        """Yield copies of the rows of words of a layer, `at_once` at a time."""
        rows = self.keys(layer)
        for first in range(0, len(rows), at_once):
            yield rows[first : first + at_once].copy()

    def marked(self, layer: np.ndarray) -> bool:
        """Return False: moves that lead back are not marked."""
        return False

    def size(self, layer: np.ndarray) -> int:
        return len(layer)

    def merge(self, one: np.ndarray, other: np.ndarray) -> np.ndarray:
        """Return the union of two disjoint layers."""
        return np.sort(np.concatenate([one, other]))

    def recycle(self, layer: np.ndarray) -> None:
        """Do nothing; see `Compiled.recycle`."""

    def shrink(self, *layers: np.ndarray) -> list[np.ndarray]:
        """Return the layers; see `Compiled.shrink`."""
        return list(layers)

    def common(self, one: np.ndarray, other: np.ndarray) -> np.ndarray:
        """Return the intersection of two layers, as rows of words."""
        few, many = sorted((one, other), key=len)
        return rows_of(few[contained(few, many)])

    def following(self, plan: PackedRules, layer: np.ndarray, seen: tuple[np.ndarray, ...], watch: Watch) -> np.ndarray:
        """Return the positions one move from `layer` that are in none of the layers `seen`."""
        new = children(plan, layer, watch)
        for each in seen:
            new = new[~contained(new, each)]
        return new


def children(plan: PackedRules, layer: np.ndarray, watch: Watch) -> np.ndarray:
    """Return the positions one move from `layer`, as sorted marks."""
    found: list[np.ndarray] = []
    pending: list[np.ndarray] = []
    reach(plan, rows_of(layer), None, found, pending, watch)
    seen = layer[:0]
    while pending:
        fresh = distinct(np.concatenate(pending))
        if len(seen):
            fresh = fresh[~contained(fresh, seen)]
            seen = np.sort(np.concatenate([seen, fresh]))
        else:
            seen = fresh
        keys, groups = unpaired(fresh, plan)
        pending = []
        reach(plan, keys, groups, found, pending, watch)
    return distinct(np.concatenate(found)) if found else layer[:0]


def reach(plan: PackedRules, keys, groups, found: list[np.ndarray], pending: list[np.ndarray], watch: Watch) -> None:
    """Append the children of the keys by one rule to `found`, and those with followers, as pairs, to `pending`."""
    for _, numbers, made in plan.ends(keys, groups, watch.thresholds[CELLS_AT_ONCE]):
        watch.tick(len(made))
        if len(made):
            found.append(marks(made))
        group = plan.rules.group[numbers]
        free = group >= 0
        if free.any():
            pending.append(paired(made[free], group[free], plan))


def _spare(plan: PackedRules) -> int | None:
    """Return the first free bit of one-word positions if a number of a list of followers fits there; else None."""
    used = len(plan.packing.packed) * plan.packing.width
    fits = plan.packing.words == 1 and used + len(plan.rules.follow).bit_length() <= WORD
    return used if fits else None


def paired(keys: np.ndarray, group: np.ndarray, plan: PackedRules) -> np.ndarray:
    """Return one sortable value for each pair of a position and its list of followers."""
    spare = _spare(plan)
    if spare is not None:
        return keys[:, 0] | group.astype(np.uint64) << np.uint64(spare)
    return marks(np.column_stack([keys, group.astype(np.uint64)]))


def unpaired(values: np.ndarray, plan: PackedRules) -> tuple[np.ndarray, np.ndarray]:
    """Return positions and numbers of lists of followers; the inverse of `paired`."""
    spare = _spare(plan)
    if spare is not None:
        mask = np.uint64((1 << spare) - 1)
        return (values & mask)[:, None], (values >> np.uint64(spare)).astype(np.int64)
    rows = rows_of(values)
    return np.ascontiguousarray(rows[:, :-1]), rows[:, -1].astype(np.int64)
