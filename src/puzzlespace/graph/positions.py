"""All positions of a puzzle with the moves between them, as flat arrays, computed with NumPy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ..engines.packed.arrays import PackedRules, packed_keys
from ..engines.packed.positions import Packing, refusal
from ..errors import UnsupportedError
from ..kernels.graph.stress import spread
from ..kernels.packed.numpy_marks import contained, distinct, marks, rows_of, steps
from ..limits.watch import Watch
from ..model.model import Model


@dataclass(frozen=True)
class Graph:
    """Positions and moves. The moves of position v lead to targets[starts[v]:starts[v + 1]].

    symbols   uint8 [n, cells]: the positions, sources first, then layer by layer
    layers    int32 [n]: the number of moves from the nearest source
    costs     int64, for each target what the move counts; None if all moves count one
    complete  whether these are all reachable positions; if not, further layers and the moves to them are missing
    """

    symbols: np.ndarray
    layers: np.ndarray
    starts: np.ndarray
    targets: np.ndarray
    complete: bool
    costs: np.ndarray | None = None

    def __len__(self) -> int:
        return len(self.symbols)

    def position(self, number: int) -> bytes:
        """Return a position by its number."""
        return self.symbols[number].tobytes()

    @cached_property
    def numbers(self) -> dict[bytes, int]:
        """The number of each position."""
        return {row.tobytes(): number for number, row in enumerate(self.symbols)}

    @cached_property
    def backward(self) -> tuple[np.ndarray, np.ndarray]:
        """The reversed moves as (starts, targets): the positions before each position."""
        origins = np.repeat(np.arange(len(self), dtype=np.int32), np.diff(self.starts))
        return _rows(self.targets, origins, len(self))

    @cached_property
    def either(self) -> tuple[np.ndarray, np.ndarray]:
        """The neighbours of each position by moves in either direction, without duplicates, as (starts, targets)."""
        origins = np.repeat(np.arange(len(self), dtype=np.int64), np.diff(self.starts))
        ends = self.targets.astype(np.int64)
        pairs = np.unique(np.concatenate([origins * len(self) + ends, ends * len(self) + origins]))
        return _rows(pairs // len(self), (pairs % len(self)).astype(np.int32), len(self))

    @property
    def pairs(self) -> np.ndarray:
        """int64 [m, 2]: every pair of positions that a move joins once, in either direction, the lower number first."""
        starts, targets = self.either
        owners = np.repeat(np.arange(len(self), dtype=np.int64), np.diff(starts))
        return np.column_stack([owners, targets])[owners < targets]

    def goals(self, model: Model) -> np.ndarray:
        """Return the numbers of the positions that meet one of the model's goals."""
        met = np.zeros(len(self), bool)
        for goal in model.goals:
            fits = np.ones(len(self), bool)
            for cell, need in enumerate(goal.need):
                allowed = np.array([need >> symbol & 1 for symbol in range(model.symbols)], bool)
                fits &= allowed[self.symbols[:, cell]]
            for symbol, count in goal.counts:
                fits &= (self.symbols == symbol).sum(axis=1) == count
            if goal.sentence is not None:
                fits &= goal.sentence.among(lambda cell: self.symbols[:, cell])
            met |= fits
        return np.flatnonzero(met)

    def from_start(self) -> np.ndarray:
        """Return int32 [n]: the distance from the first position; the graph is complete and has one source."""
        if self.costs is None:
            return self.layers
        origins = np.repeat(np.arange(len(self)), np.diff(self.starts))
        return _by_cost(origins, self.targets, self.costs, [0], len(self))

    def distances(self, goals: Sequence[int] | np.ndarray) -> np.ndarray:
        """Return int32 [n]: the distance to one of the goals (numbers); -1 if none can be reached."""
        if self.costs is not None:
            origins = np.repeat(np.arange(len(self)), np.diff(self.starts))
            return _by_cost(self.targets, origins, self.costs, goals, len(self))
        found, queue = np.empty(len(self), np.int32), np.empty(len(self), np.int32)
        spread(*self.backward, np.array(goals, np.int64), found, queue)
        return found


def _by_cost(
    origins: np.ndarray, targets: np.ndarray, costs: np.ndarray, sources: Sequence[int] | np.ndarray, count: int
) -> np.ndarray:
    """Return int32 [count]: the distance from one of the sources along edges of these costs; -1 if out of reach."""
    starts, order = _rows(origins, np.arange(len(origins)), count)
    far = np.iinfo(np.int32).max
    found = np.full(count, far, np.int32)
    found[np.asarray(sources, np.int64)] = 0
    distance = 0
    while True:
        here = np.flatnonzero(found == distance)
        sizes = starts[here + 1] - starts[here]
        first = np.repeat(starts[here] - np.concatenate([[0], np.cumsum(sizes)[:-1]]), sizes) if len(here) else here
        edges = order[first + np.arange(len(first))]
        np.minimum.at(found, targets[edges], (distance + costs[edges]).astype(np.int32))
        beyond = found[(found > distance) & (found < far)]
        if not len(beyond):
            return np.where(found == far, -1, found).astype(np.int32)
        distance = int(beyond.min())


def _rows(owners: np.ndarray, values: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Return (starts, values) with the values grouped by owner."""
    order = np.argsort(owners, kind="stable")
    starts = np.concatenate([[0], np.cumsum(np.bincount(owners, minlength=count))]).astype(np.int64)
    return starts, values[order]


def explored(model: Model, sources: Sequence[bytes], most: int, watch: Watch) -> Graph:
    """Return the graph of the positions that the sources can reach: complete layers with at most `most` positions.

    Raises UnsupportedError if positions cannot be packed, LimitError at a limit of `watch`.
    """
    if model.metric.free or model.metric.exhausts or model.metric.lawful:
        return _explored_freely(model, sources, most, watch)
    reason = refusal(model, sources)
    if reason:
        raise UnsupportedError(f"positions and moves as a graph: {reason}")
    packing = Packing.of(model, sources)
    plans = PackedRules.by_cost(model, packing, sources)
    layer = rows_of(distinct(marks(packed_keys(packing, sources))))
    layers, edges, count, complete = [layer], [], 0, True
    seen = marks(layer)
    while len(layer):
        made = [(*_moves(plan, layer, count, watch), cost) for cost, plan in plans]
        edges += made
        count += len(layer)
        watch.layer(len(layers) - 1, len(layer), count)
        fresh = distinct(np.concatenate([children for _, children, _ in made]))
        fresh = fresh[~contained(fresh, seen)]
        if len(seen) + len(fresh) > most:
            complete = False
            break
        seen = np.sort(np.concatenate([seen, fresh]), kind="stable")
        layer = rows_of(fresh)
        layers.append(layer)
    graph = _graph(packing, layers, edges, complete)
    return graph if model.metric.costs else replace(graph, costs=None)


def _explored_freely(model: Model, sources: Sequence[bytes], most: int, watch: Watch) -> Graph:
    """Return the graph by `Model.moves`: moves that are more than rules and their followers are not packed."""
    layer = sorted({model.settled(source) for source in sources})
    numbers = {position: number for number, position in enumerate(layer)}
    depths, edges, complete = [0] * len(layer), list[list[tuple[bytes, int]]](), True
    while layer:
        children = [
            [(child, model.cost(rules)) for child, rules in model.moves(position).items()] for position in layer
        ]
        edges += children
        watch.tick(sum(map(len, children)))
        watch.layer(depths[-1], len(layer), len(numbers))
        layer = sorted({child for row in children for child, _ in row if child not in numbers})
        if len(numbers) + len(layer) > most:
            complete = False
            break
        depths += [depths[-1] + 1] * len(layer)
        numbers.update({child: number for number, child in enumerate(layer, len(numbers))})
    pairs = [
        (owner, numbers[child], cost) for owner, row in enumerate(edges) for child, cost in row if child in numbers
    ]
    found = np.array(pairs, np.int64).reshape(-1, 3)
    starts, order = _rows(found[:, 0], np.arange(len(found)), len(numbers))
    targets = found[order, 1].astype(np.int32)
    symbols = np.frombuffer(b"".join(numbers), np.uint8).reshape(len(numbers), model.cells)
    costs = found[order, 2] if model.metric.costs else None
    return Graph(symbols, np.array(depths, np.int32), starts, targets, complete, costs)


def _moves(plan: PackedRules, keys: np.ndarray, first: int, watch: Watch) -> tuple[np.ndarray, np.ndarray]:
    """Return every move from some rows of words as (number of the position, mark of the child), without duplicates.

    first  the number of the first row
    """
    origins = np.arange(len(keys))
    found: list[tuple[np.ndarray, np.ndarray]] = [(origins[:0], marks(keys[:0]))]
    seen = np.empty(0, np.int64)
    known = marks(keys[:0])
    groups = None
    while len(keys):
        pending = []
        for rows, numbers, made in steps(plan.rules, plan.padded, keys, groups):
            watch.tick(len(made))
            found.append((origins[rows], marks(made)))
            group = plan.rules.group[numbers]
            free = group >= 0
            pending.append((origins[rows[free]], group[free], marks(made[free])))
        if not pending:
            break
        owner, group, child = (np.concatenate(parts) for parts in zip(*pending, strict=True))
        fresh = distinct(child)
        missing = fresh[~contained(fresh, known)]
        if len(missing):  # the numbers of children change, so the pairs seen so far are renumbered
            everything = np.sort(np.concatenate([known, missing]))
            seen = _renumbered(seen, known, everything)
            known = everything
        ways = max(1, len(plan.rules.follow))
        pairs = (owner * ways + group) * max(1, len(known)) + np.searchsorted(known, child)
        pairs, chosen = np.unique(pairs, return_index=True)
        chosen = chosen[~contained(pairs, seen)]
        seen = np.union1d(seen, pairs)
        origins, groups, keys = owner[chosen], group[chosen], rows_of(child[chosen])
    return _once(found, first)


def _renumbered(pairs: np.ndarray, before: np.ndarray, after: np.ndarray) -> np.ndarray:
    """Return pairs whose last part is an index into `after` instead of `before`."""
    if not len(before):
        return pairs
    head, child = np.divmod(pairs, len(before))
    return head * len(after) + np.searchsorted(after, before)[child]


def _once(found: list[tuple[np.ndarray, np.ndarray]], first: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the moves without duplicates, sorted by origin and child."""
    owners, children = (np.concatenate(parts) for parts in zip(*found, strict=True))
    names = distinct(children)
    pairs = np.unique(owners * max(1, len(names)) + np.searchsorted(names, children))
    owners, numbers = np.divmod(pairs, max(1, len(names)))
    return owners + first, names[numbers]


def _graph(packing: Packing, layers: list[np.ndarray], edges: list, complete: bool) -> Graph:
    """Return the graph of layers (rows of words) and moves (numbers, marks, cost)."""
    keys = np.concatenate(layers)
    names = marks(keys)
    order = np.argsort(names, kind="stable")
    ordered = names[order]
    owners = np.concatenate([owner for owner, _, _ in edges])
    children = np.concatenate([child for _, child, _ in edges])
    costs = np.repeat([cost for _, _, cost in edges], [len(owner) for owner, _, _ in edges])
    if not complete:
        inside = contained(children, ordered)
        owners, children, costs = owners[inside], children[inside], costs[inside]
    targets = order[np.searchsorted(ordered, children)]
    other = owners != targets  # a sequence of rules may lead back to its beginning
    starts, kept = _rows(owners[other], np.flatnonzero(other), len(keys))
    depth = np.repeat(np.arange(len(layers), dtype=np.int32), [len(layer) for layer in layers])
    return Graph(_symbols(packing, keys), depth, starts, targets[kept].astype(np.int32), complete, costs[kept])


def _symbols(packing: Packing, keys: np.ndarray) -> np.ndarray:
    """Return the symbol of every cell, uint8 [n, cells]."""
    found = np.empty((len(keys), len(packing.fixed)), np.uint8)
    found[:] = np.frombuffer(packing.fixed, np.uint8)
    for cell, word, shift in packing.packed:
        found[:, cell] = keys[:, word] >> np.uint64(shift) & np.uint64((1 << packing.width) - 1)
    return found
