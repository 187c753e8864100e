"""Layers of packed positions by cost: layer d has the positions that can be reached at a cost of d, and at no less.

A rule of cost c leads from layer d - c to layer d, or to an earlier one. So layer d is made from the layers d - c by
the rules of each cost c (Dial, "Algorithm 360", CACM 12, 1969). Some layers are empty. If every move can be undone at
the same cost, the positions that it leads to are at most c layers away, so only the last layers are compared.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from ...kernels.packed.numpy_marks import contained, distinct, marks, rows_of
from ...limits.watch import Watch
from ...model.goal import Goal
from ...model.model import Model
from ...search.encoding import Encoding
from ..packed.arrays import Goals, PackedRules, least, packed_keys, positions_of, symbols_of
from ..packed.front import AT_ONCE, PARENTS_AT_ONCE, parents_among
from ..packed.numpy_layers import children
from ..packed.positions import Packing


class Priced(Encoding):
    """Layers of sorted marks, for models whose moves have different costs.

    plans   the rules of each cost
    recent  the layers from which rules still lead on, by their costs
    """

    def __init__(self, model: Model, packing: Packing, goals: Sequence[Goal] = (), record: bool = False) -> None:
        self.model, self.packing, self.record = model, packing, record
        self.goals = Goals(goals, packing)

    def enter(self, positions: Sequence[bytes]) -> np.ndarray:
        self.plans = PackedRules.by_cost(self.model, self.packing, positions)
        self.farthest = max(cost for cost, _ in self.plans)
        self.older = _Older(2 * self.farthest if self.model.reversible else None)
        self.depth = 0
        first = distinct(marks(packed_keys(self.packing, positions)))
        self.recent = {0: first}
        self.older.add(first)
        return first

    def following(self, layer: np.ndarray, watch: Watch, bound: int) -> np.ndarray:
        self.depth += 1
        found = [layer[:0]]
        for cost, plan in self.plans:
            before = self.recent.get(self.depth - cost)
            if before is not None and len(before):
                found.append(children(plan, before, watch))
        new = self.older.without(distinct(np.concatenate(found)))
        self.recent[self.depth] = new
        self.recent.pop(self.depth - self.farthest, None)
        self.older.add(new)
        return new

    @property
    def waiting(self) -> bool:
        return any(map(len, self.recent.values()))

    def size(self, layer: np.ndarray) -> int:
        return len(layer)

    def pieces(self, layer: np.ndarray) -> Iterator[np.ndarray]:
        for first in range(0, len(layer), AT_ONCE):
            yield rows_of(layer[first : first + AT_ONCE])

    def leave(self, words: np.ndarray) -> list[bytes]:
        return positions_of(self.packing, words)

    def handed(self, words: np.ndarray) -> np.ndarray:
        return symbols_of(self.packing, words)

    def least(self, words: np.ndarray, keep: int) -> list[bytes]:
        return positions_of(self.packing, least(words, keep))

    def met(self, layer: np.ndarray) -> np.ndarray:
        return np.concatenate([packed_keys(self.packing, ()), *map(self.goals.among, self.pieces(layer))])

    def ways(self, met: np.ndarray, layers: Sequence[np.ndarray], every: bool, watch: Watch) -> list[np.ndarray]:
        found = [[marks(packed_keys(self.packing, ()))] for _ in layers]
        found[-1].append(marks(met if every else met[:1]))
        at_once = watch.thresholds[PARENTS_AT_ONCE]
        for depth in range(len(layers) - 1, 0, -1):
            here = distinct(np.concatenate(found[depth]))
            for cost, plan in self.plans if len(here) else ():
                if cost <= depth and len(layers[depth - cost]):
                    earlier = parents_among(plan, rows_of(layers[depth - cost]), here, at_once)
                    if len(earlier):
                        found[depth - cost].append(marks(earlier if every else earlier[:1]))
                        if not every:
                            break
        return [rows_of(distinct(np.concatenate(each))) for each in reversed(found)]

    def end(self) -> None:
        del self.plans, self.recent, self.older


class _Older:
    """The positions of earlier layers, as sorted marks.

    window  how many layers are kept; None: all of them, in parts each of which is more than twice as large as the next
    """

    def __init__(self, window: int | None) -> None:
        self.window = window
        self.parts: list[np.ndarray] = []

    def add(self, layer: np.ndarray) -> None:
        if self.window is not None:
            self.parts = [*self.parts, layer][-self.window :]
        elif len(layer):
            while self.parts and len(self.parts[-1]) <= 2 * len(layer):
                layer = np.sort(np.concatenate([self.parts.pop(), layer]))
            self.parts.append(layer)

    def without(self, new: np.ndarray) -> np.ndarray:
        """Return those of some sorted marks that are in no earlier layer."""
        for part in self.parts:
            if len(part):
                new = new[~contained(new, part)]
        return new
