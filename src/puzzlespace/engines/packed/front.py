"""The encoding of positions as packed words: layers in NumPy at first, by compiled kernels once they are large."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any
from weakref import WeakSet

import numpy as np

from ...kernels.packed.numpy_marks import contained, distinct, marks, rows_of
from ...limits.machine import grown, held_memory
from ...limits.thresholds import Threshold, Thresholds
from ...limits.watch import Watch
from ...model.facts import bipartite
from ...model.goal import Goal
from ...model.model import Model
from ...search.encoding import Encoding, RowsOf
from .arrays import NET_FROM, Goals, PackedRules, least, packed_keys, positions_of, symbols_of
from .numpy_layers import Flat, children
from .positions import Packing

if TYPE_CHECKING:
    from .hashed_layers import Compiled  # loads the compiler

AT_ONCE = 1 << 20
"""About how many positions of a layer are unpacked from it at once."""

SLOWER = 5
"""The factor by which NumPy is slower for positions of several words, measured on the 2x2x2 cube, and below laws."""

COMPARED = 300
"""NumPy compares about so many words of positions with those of rules while it generates a position."""

MOST_TO_COLOUR = 20_000
"""A colouring of the positions is computed up to this many cells times rules; it saves at most a third of the work."""

COMPILE_FRONTIER: Threshold[int | None] = Threshold(500_000)
"""The work (positions generated, see `Front`) from which on kernels are compiled, as loading them takes time; None:
never.

Measured: with an eighth `solve cube:2` took 2.4 times as long; with eight times `depths pancake:9` 1.02 times.
"""

PARENTS_AT_ONCE = Threshold(1 << 12)
"""Positions that are expanded at once to find those on a solution, if moves cannot be undone."""

PARENTS_COMPILED = 1 << 16
"""Positions that compiled kernels expand at once for this; if a solution leads through one of them, SPLIT parts are."""

SPLIT = 8


class PackedLayer:
    """A layer of `method`, `numpy_layers.Flat` or `hashed_layers.Compiled`; `Front` changes its form if it has to."""

    def __init__(self, method: Any, data: Any) -> None:
        self.method, self.data = method, data

    @property
    def keys(self) -> np.ndarray:
        """The layer as rows of words."""
        return self.method.keys(self.data)


class Switch:
    """Lets all ends of a search continue with compiled kernels once their work, with the next layers, reaches `most`.

    most  None: never
    """

    def __init__(self, most: int | None) -> None:
        self.most = most
        self.ends: WeakSet[Front] = WeakSet()  # they refer to it, so that their memory is free at once

    def look(self, by: Thresholds) -> None:
        """Compile the kernels if they are worth it now."""
        if self.most is None or any(end.method.compiled for end in self.ends):
            return
        if sum(end.work + end.ahead for end in self.ends) >= self.most:
            method = compiled_layers(by)
            for end in self.ends:
                end.compile(method)


class Front(Encoding):
    """Layers of positions packed into words; positions of the last layers are recognised by comparing with them.

    taken_back  the model of the moves taken back, or None
    partner     the other end of the search, which has the moves taken back, or None
    goals       the goals of the search
    record      whether all layers are needed to follow solutions back; if not, their memory is used again
    method      how layers are stored and computed: `numpy_layers.Flat` or `hashed_layers.Compiled`
    older       positions, other than those of the last layer, that children may be equal to
    previous    the previous layer, as soon as there is one
    work        positions generated, times SLOWER if one takes several words; it decides when kernels are compiled
    dropped     whether `older` was dropped for a next layer that is not there yet
    alternates  whether every rule changes the colour of a position
    """

    def __init__(
        self,
        model: Model,
        packing: Packing,
        goals: Sequence[Goal] = (),
        record: bool = False,
        taken_back: Model | None = None,
        switch: Switch | None = None,
    ) -> None:
        self.model, self.packing, self.record, self.taken_back = model, packing, record, taken_back
        self.goals = Goals(goals, packing)
        self.row_words, self.undone = packing.words, model.reversible
        self.partner: Front | None = None
        self.switch = switch or Switch(None)
        self.switch.ends.add(self)

    def enter(self, positions: Sequence[bytes]) -> PackedLayer:
        self.sources = tuple(positions)
        self.plan = PackedRules.of(self.model, self.packing, self.sources)
        self.method: Any = Flat()
        self.alternates = self.dropped = False
        self.work = 0
        self.layer = PackedLayer(self.method, self.method.wrap(packed_keys(self.packing, positions)))
        self.older = self.previous = self.method.wrap(packed_keys(self.packing, ()))
        self.found = self.size(self.layer)
        return self.layer

    @property
    def ahead(self) -> float:
        """The expected work for the next layer, by the average so far."""
        size = self.size(self.layer)
        return size * self.work / max(1, self.found - size)

    def size(self, layer: PackedLayer) -> int:
        return layer.method.size(layer.data)

    def pieces(self, layer: PackedLayer) -> Iterator[np.ndarray]:
        return layer.method.pieces(layer.data, AT_ONCE)

    def leave(self, words: np.ndarray) -> list[bytes]:
        return positions_of(self.packing, words)

    def handed(self, words: np.ndarray) -> np.ndarray:
        return symbols_of(self.packing, words)

    def least(self, words: np.ndarray, keep: int) -> list[bytes]:
        return positions_of(self.packing, least(words, keep))

    def met(self, layer: PackedLayer) -> np.ndarray:
        met = [packed_keys(self.packing, ()), *(self.goals.among(piece) for piece in self.pieces(layer))]
        found = np.concatenate(met)
        return least(found, len(found))

    def among(self, words: np.ndarray) -> np.ndarray:
        return self.goals.among(words)

    def as_rows(self, layer: PackedLayer, most: int) -> Iterator[np.ndarray]:
        return self.method.pieces(self.formed(layer), most)

    def words_of(self, rows: np.ndarray) -> np.ndarray:
        return rows

    def onward(self, rows: np.ndarray, watch: Watch, bound: int) -> np.ndarray:
        if not self.method.compiled:
            self.method = compiled_layers(watch.thresholds)
        new = self.method.children(self.plan, rows, watch)
        made = self.method.keys(new)
        self.method.recycle(new)
        return made

    @property
    def ratio(self) -> float:
        return self.method.ratio

    def given_up(self, layer: PackedLayer) -> Iterator[tuple[int, RowsOf]]:
        method = self.method
        none = method.wrap(packed_keys(self.packing, ()))
        last, older = method.shrink(self.formed(layer), self.older)
        self.layer = PackedLayer(method, none)
        self.older = self.previous = none
        del layer
        yield method.size(older), partial(method.pieces, older)
        del older
        [last] = method.shrink(last)
        yield method.size(last), partial(method.pieces, last)
        del last
        method.shrink()

    def formed(self, layer: PackedLayer) -> Any:
        """Return a layer as `method` has it."""
        if layer.method is not self.method:
            layer.method, layer.data = self.method, self.method.wrap(layer.keys)
        return layer.data

    def take(self, rows: np.ndarray, older: np.ndarray, found: int) -> PackedLayer:
        """Return the layer of rows of words after older ones, as the last of `found` positions."""
        self.older = self.previous = self.method.wrap(older)
        self.layer = PackedLayer(self.method, self.method.wrap(rows))
        self.work = self.found = found
        return self.layer

    def compile(self, method: Any) -> None:
        """Continue with compiled kernels."""
        coloured = self.model.reversible and alternates(self.model, self.sources)  # first: it may raise LimitError
        older = method.wrap(self.method.keys(self.older))
        self.method, self.alternates = method, coloured
        self.older = self.previous = older

    def following(self, layer: PackedLayer, watch: Watch, bound: int) -> PackedLayer:
        self.layer = layer
        self.switch.look(watch.thresholds)
        before, last = watch.generated, self.formed(layer)
        marked = self.method.marked(last)
        if marked and self.model.reversible and not self.record and watch.memory_left() is None:
            self.method.recycle(self.older)
            self.older = self.previous = self.method.wrap(packed_keys(self.packing, ()))
            self.dropped = True
        seen = ((), (last,), (self.older,), (self.older, last))[2 * (not marked) + (not self.alternates)]
        new = self.method.following(self.plan, last, seen, watch)
        stale = self.previous, self.older
        self.previous = last
        self.older = last if self.model.reversible else self.method.merge(self.older, last)
        self.layer = PackedLayer(self.method, new)
        self.dropped = False
        if not self.record:
            self.method.recycle(stale[0])
            if stale[1] is not stale[0]:
                self.method.recycle(stale[1])
        self.found += self.size(self.layer)
        slow = self.packing.words > 1 or self.model.metric.lawful
        compared = self.size(layer) * len(self.plan.packed) * self.packing.words
        if self.plan.settling is not None:
            compared += sum(self.plan.settling.compared)
            self.plan.settling.compared.clear()
        self.work += (watch.generated - before) * (SLOWER if slow else 1) + compared // COMPARED
        return self.layer

    def end(self) -> None:
        del self.plan, self.method, self.layer, self.older, self.previous

    def common(self, layer: PackedLayer, other: Encoding, there: PackedLayer) -> np.ndarray:
        return self.method.common(self.formed(layer), self.formed(there))

    def before(self, words: np.ndarray, layer: PackedLayer, watch: Watch) -> np.ndarray:
        if self.undoing is None:
            return self._parents(words, layer, watch)
        earlier = rows_of(children(self.undoing, distinct(marks(words)), Watch()))
        return self.method.common(self.method.wrap(earlier), self.formed(layer))

    def _parents(self, words: np.ndarray, layer: PackedLayer, watch: Watch) -> np.ndarray:
        """Return the positions of a layer from which a move leads to one of `words`."""
        at_once, method = watch.thresholds[PARENTS_AT_ONCE], layer.method
        if not method.compiled:
            return parents_among(self.plan, layer.keys, marks(words), at_once)
        targets, found = method.wrap(rows_of(distinct(marks(words)))), [words[:0]]
        for piece in method.pieces(layer.data, PARENTS_COMPILED):
            pending = [piece]
            while pending:
                rows = pending.pop()
                children = method.children(self.plan, rows, Watch())
                if len(method.common(children, targets)):
                    if len(rows) > at_once:
                        pending += np.array_split(rows, SPLIT)
                    else:
                        found.append(parents_among(self.plan, rows, marks(words), at_once))
                method.recycle(children)
        return np.concatenate(found)

    @cached_property
    def undoing(self) -> PackedRules | None:
        """The rules that take moves back, or None."""
        if self.partner is not None:
            return self.partner.plan
        return None if self.taken_back is None else PackedRules.of(self.taken_back, self.packing, self.sources)


def compiled_layers(by: Thresholds) -> Compiled:
    """Load the compiled kernels, without charging their memory to the search, and return the layers that use them."""
    before = held_memory(0)
    from ...search import compiler_memory
    from .hashed_layers import ARENA_BLOCK, ARENA_EXTRA, LAYER_BITS, Compiled

    assert compiler_memory is not None
    grown(held_memory(0) - before)
    return Compiled(by[LAYER_BITS], block=by[ARENA_BLOCK], extra=by[ARENA_EXTRA], net_from=by[NET_FROM])


def alternates(model: Model, ends: tuple[bytes, ...]) -> bool:
    """Return whether there is one end and a colouring of the positions that every rule changes."""
    if len(ends) != 1 or len(model.rules) * model.cells > MOST_TO_COLOUR:
        return False
    return bipartite(replace(model, start=ends[0])) is not None


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
            for rows, numbers, made in plan.ends(pairs, groups):
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
