"""Breadth-first layers from one end of a search, and the meeting of two searches."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from ...kernels.packed.numpy_marks import contained, distinct, marks, rows_of, steps
from ...limits.watch import Watch
from ...model.facts import bipartite
from ...model.model import Model
from .arrays import Goals, PackedRules, least, packed_keys, positions_of
from .numpy_layers import Flat, children
from .positions import Packing

AT_ONCE = 1 << 20
"""About how many positions of a layer are unpacked from it at once."""

SLOWER = 5
"""The factor by which NumPy is slower for positions of several words, measured on the 2x2x2 cube."""

MOST_TO_COLOUR = 20_000
"""A colouring of the positions is computed up to this many cells times rules; it saves at most a third of the work."""


class Front:
    """Breadth-first layers from one end.

    method   how layers are stored and computed: `numpy_layers.Flat` or `hashed_layers.Compiled`
    layer    the last layer, number `depth`
    older    positions, other than those of the last layer, that children may be equal to
    before   the previous layer, as soon as there is one
    found    the number of positions so far
    work     positions generated, times SLOWER if one takes several words; it decides when kernels are compiled
    history  all layers if `record` is set, to follow solutions back; else None
    dropped  whether `older` was dropped for a next layer that is not there yet
    """

    def __init__(self, model: Model, packing: Packing, ends: tuple[bytes, ...], record: bool) -> None:
        self.model = model
        self.ends = ends
        self.plan = PackedRules.of(model, packing, ends)
        self.method: Any = Flat()
        self.layer = self.method.wrap(packed_keys(packing, ends))
        self.older = self.before = self.method.wrap(packed_keys(packing, ()))
        self.alternates = False
        self.depth = 0
        self.found = self.size
        self.work = 0
        self.history = [self.layer] if record else None
        self.dropped = False

    @property
    def size(self) -> int:
        """The number of positions in the last layer."""
        return self.method.size(self.layer)

    @property
    def ahead(self) -> float:
        """The expected work for the next layer, by the average so far."""
        return self.size * self.work / max(1, self.found - self.size)

    @property
    def keys(self) -> np.ndarray:
        """The last layer as rows of words."""
        return self.method.keys(self.layer)

    def pieces(self) -> Iterator[np.ndarray]:
        """Yield the last layer as rows of words, a part at a time; see `Spilled.pieces`."""
        return self.method.pieces(self.layer, AT_ONCE)

    def first(self, keep: int) -> np.ndarray:
        """Return the first rows, sorted, of the last layer that is not empty."""
        found = packed_keys(self.plan.packing, ())
        for piece in self.method.pieces(self.layer if self.size else self.before, AT_ONCE) if keep else ():
            found = least(np.concatenate([found, least(piece, keep)]), keep)
        return found

    def take(self, layer: np.ndarray, older: np.ndarray) -> None:
        """Continue from these rows of words: the last layer and the older positions."""
        self.layer, self.older = self.method.wrap(layer), self.method.wrap(older)
        self.before = self.older

    def compile(self, method: Any) -> None:
        """Continue with compiled kernels."""
        coloured = self.model.reversible and alternates(self.model, self.ends)  # first, because it may raise LimitError
        plain, self.method, self.alternates = self.method, method, coloured
        kept = [method.wrap(plain.keys(layer)) for layer in self.history or [self.layer]]
        self.layer = kept[-1]
        self.older = method.wrap(plain.keys(self.older))
        self.before = self.older
        self.history = kept if self.history else None

    def grow(self, watch: Watch) -> None:
        """Replace the layer by the next one."""
        before = watch.generated
        marked = self.method.marked(self.layer)
        if marked and self.model.reversible and self.history is None and watch.memory_left() is None:
            self.method.recycle(self.older)
            self.older = self.before = self.method.wrap(packed_keys(self.plan.packing, ()))
            self.dropped = True
        seen = ((), (self.layer,), (self.older,), (self.older, self.layer))[2 * (not marked) + (not self.alternates)]
        new = self.method.following(self.plan, self.layer, seen, watch)
        stale = self.before, self.older
        self.before = self.layer
        self.older = self.layer if self.model.reversible else self.method.merge(self.older, self.layer)
        self.layer = new
        self.dropped = False
        if self.history is None:
            self.method.recycle(stale[0])
            if stale[1] is not stale[0]:
                self.method.recycle(stale[1])
        self.depth += 1
        self.found += self.size
        self.work += (watch.generated - before) * (1 if self.plan.packing.words == 1 else SLOWER)
        if self.history is not None:
            self.history.append(new)


def alternates(model: Model, ends: tuple[bytes, ...]) -> bool:
    """Return whether there is one end and a colouring of the positions that every rule changes."""
    if len(ends) != 1 or len(model.rules) * model.cells > MOST_TO_COLOUR:
        return False
    return bipartite(replace(model, start=ends[0])) is not None


def meeting(forward: Front, backward: Front | None, at_once: int) -> tuple[frozenset[bytes], ...]:
    """Return every position on a path through both last layers, by distance from the start; () if they do not meet.

    Without `backward`, return the paths to the model's goals in the last layer.

    at_once  as for `parents_among`
    """
    packing = forward.plan.packing
    if backward is None:
        goals = Goals(forward.model.goals, packing)
        met = np.concatenate([packed_keys(packing, ()), *(goals.among(piece) for piece in forward.pieces())])
    else:
        met = forward.method.common(forward.layer, backward.layer)
    if not len(met):
        return ()
    undo = None if forward.model.backward is None else PackedRules.of(forward.model.backward, packing, forward.ends)
    rows = ancestors(forward, met, undo, at_once)[::-1]
    if backward is not None:
        rows += ancestors(backward, met, forward.plan, at_once)[1:]
    return tuple(frozenset(positions_of(packing, each)) for each in rows)


def ancestors(front: Front, met: np.ndarray, undo: PackedRules | None, at_once: int) -> list[np.ndarray]:
    """Return `met` and the positions on shortest paths to them, one array per layer, the front's end last.

    undo     the rules that take moves back, or None
    at_once  as for `parents_among`
    """
    found = [met]
    for layer in reversed((front.history or [])[:-1]):
        if undo is None:
            found.append(parents_among(front.plan, front.method.keys(layer), marks(found[-1]), at_once))
        else:
            before = rows_of(children(undo, distinct(marks(found[-1])), Watch()))
            found.append(front.method.common(front.method.wrap(before), layer))
    return found


def parents_among(plan: PackedRules, keys: np.ndarray, targets: np.ndarray, at_once: int) -> np.ndarray:
    """Return the rows of `keys` that have a child among the targets (marks); `at_once` rows are expanded at once."""
    targets = distinct(targets)
    chosen = np.zeros(len(keys), bool)
    for begin in range(0, len(keys), at_once):
        part = keys[begin : begin + at_once]
        pairs, groups, origins = part, None, np.arange(begin, begin + len(part))
        seen = marks(np.empty((0, keys.shape[1] + 2), np.uint64))
        while len(pairs):
            pending = [seen[:0]]
            for rows, numbers, made in steps(plan.rules, plan.padded, pairs, groups):
                chosen[origins[rows[contained(marks(made), targets)]]] = True
                group = plan.rules.group[numbers]
                more = np.column_stack([made, group.astype(np.uint64), origins[rows].astype(np.uint64)])
                pending.append(marks(more[group >= 0]))
            fresh = distinct(np.concatenate(pending))
            fresh = fresh[~contained(fresh, seen)]
            seen = np.sort(np.concatenate([seen, fresh]))
            triples = rows_of(fresh)
            pairs, groups = np.ascontiguousarray(triples[:, :-2]), triples[:, -2].astype(np.int64)
            origins = triples[:, -1].astype(np.int64)
    return keys[chosen]
