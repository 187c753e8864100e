"""Breadth-first search for pieces on tracks: layers of words, and the positions seen."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb
from typing import TYPE_CHECKING

from ...contract.questions import Depths
from ...errors import UnsupportedError
from ...limits.machine import spare_memory
from ...limits.watch import Watch, paced, phase
from ...model.goal import Goal
from ...model.rule import ANY
from ...structure.glides import Reading

if TYPE_CHECKING:
    import numpy as np

ROOM, MOST_ROOM = 1 << 16, 1 << 22
"""The least and the most words in a block of a layer."""

SLOTS = 1 << 16
"""The first length of the hash table."""

MOST_BITS = 1 << 33
"""The most placements for which positions seen are bits: one gigabyte."""


class Arrivals:
    """The first positions with pieces in cells, as the layers of a count come."""

    def __init__(self, run: Gliders, question: Depths) -> None:
        import numpy as np

        self.run, reading = run, run.reading
        kinds = {symbol: kind for kind, (symbol, _) in enumerate(reading.kinds)}
        at = {cell: index for index, cell in enumerate(reading.cells)}
        others = dict(reading.others)
        self.wanted = {(c, s): (kinds[s], at[c]) for c, s in question.arrivals if s in kinds and c in at}
        self.first = {(c, s): (0, question.sources[0]) for c, s in question.arrivals if others.get(c) == s}
        if any(symbol == reading.blank for _, symbol in question.arrivals):
            raise UnsupportedError("engine gliders: expected pieces to arrive, found the blank")
        shape = len(reading.kinds), max(1, len(reading.cells))
        self.words, self.depths = np.zeros(shape, np.uint64), np.full(shape, -2, np.int32)
        for place in self.wanted.values():
            self.depths[place] = -1
        self.left = len(self.wanted)
        self.all = len(question.arrivals) == len(self.wanted) + len(self.first) > 0

    def note(self, layer: Sequence[np.ndarray], depth: int) -> bool:
        """Note the positions of a layer; return whether all arrivals are found."""
        bits, kinds, _, _ = self.run.pieces
        for block in layer:
            self.left = self.run.kernel.arrive(
                block, bits, kinds, self.run.scratch[0], depth, self.left, self.words, self.depths
            )
        return self.all and self.left == 0

    def found(self) -> dict[tuple[int, int], tuple[int, bytes]]:
        """Return the depth and a position for each arrival that was found."""
        position = self.run.reading.position
        return self.first | {
            pair: (int(self.depths[place]), position(int(self.words[place])))
            for pair, place in self.wanted.items()
            if self.depths[place] >= 0
        }


class Gliders:
    """One search: the arrays of a reading, and the positions seen. Layers are lists of blocks of words."""

    def __init__(self, reading: Reading, goals: Sequence[Goal], watch: Watch) -> None:
        import numpy as np

        from ...kernels import gliders as kernel

        self.kernel, self.reading, self.watch = kernel, reading, watch
        slots = np.array(reading.slots, np.int64)
        size, kinds = len(reading.cells), len(reading.kinds)
        with phase("tables of stops were computed"):
            self.tracks, self.origins = _arrays(reading, watch)
        self.most = len(slots) * int(np.diff(self.tracks[0]).max(initial=0))
        backward = int(np.diff(self.origins[0]).max(initial=0))
        self.neighbours = max(1, self.most, len(slots) * backward)
        waiting = kernel.BATCH + self.most
        self.scratch = (
            np.zeros(len(slots), np.int64), np.zeros(len(slots), np.int64),
            np.zeros(waiting, np.uint64), np.zeros(waiting, np.int64),
        )  # fmt: skip
        ends = np.array([[reading.slots.index(kind), reading.slots.index(kind) + reading.kinds[kind][1]]
                         for kind in reading.slots], np.int64).reshape(-1, 2)  # fmt: skip
        ranks = np.zeros((len(slots), size), np.int64)
        weight = 1
        for kind, (_, count) in enumerate(reading.kinds):
            for index in range(count):
                slot = reading.slots.index(kind) + index
                for cell in range(size if reading.placements <= MOST_BITS else 0):
                    ranks[slot, cell] = weight * comb(cell, index + 1)
            weight *= comb(size, count)
        self.pieces = (reading.bits, slots, ends, ranks)
        met = [each for goal in goals if (each := goal_rows(goal, reading)) is not None]
        self.goals = np.zeros((len(met), kinds + 1, max(size, 1)), np.int32)
        for number, rows in enumerate(met):
            self.goals[number] = rows
        left = watch.memory_left(reading.placements // 4)
        left = spare_memory() if left is None else left
        dense = reading.placements <= min(MOST_BITS, 4 * left)
        self.seen = np.zeros(reading.placements // 64 + 1 if dense else 0, np.uint64)
        self.words = np.zeros(0 if dense else SLOTS, np.uint64)
        self.state = np.zeros(5, np.int64)

    @property
    def seen_count(self) -> int:
        """The number of positions seen."""
        return int(self.state[self.kernel.SEEN])

    def entered(self, positions: Sequence[bytes]) -> list[np.ndarray]:
        """Return the first layer."""
        layer = self.reading.words(positions)
        while len(self.words) and 4 * len(layer) > len(self.words):
            self._enlarge(0)
        bits, _, _, ranks = self.pieces
        count = self.kernel.note(layer, bits, ranks, self.seen, self.words, self.scratch[0], self.state)
        return [layer[:count]]

    def following(self, layer: Sequence[np.ndarray], first_goal: bool, bound: int) -> tuple[list[np.ndarray], bool]:
        """Return the next layer, and whether it ends with a goal at which the search stopped."""
        import numpy as np

        kernel, state = self.kernel, self.state
        room = min(max(ROOM, sum(map(len, layer)) // 4), MOST_ROOM) + 2 * len(self.scratch[2])
        found: list[np.ndarray] = []
        out, goals = np.zeros(0, np.uint64), self.goals if first_goal else self.goals[:0]
        state[kernel.SIZE] = 0
        for block in layer:
            state[kernel.AT] = 0
            while True:
                done = int(state[kernel.GENERATED])
                kernel.expand(
                    block, out, self.pieces, self.tracks, goals, self.seen, self.words, self.scratch, state,
                    self.watch.thresholds.stride,
                )  # fmt: skip
                self.watch.tick(int(state[kernel.GENERATED]) - done, bound)
                status = int(state[kernel.STATUS])
                if status == kernel.MET:
                    return [*found, out[: state[kernel.SIZE]]], True
                if status == kernel.OUTPUT:
                    found.append(out[: state[kernel.SIZE]])
                    self.watch.reserve(8 * room, bound)
                    out = np.zeros(room, np.uint64)
                    state[kernel.SIZE] = 0
                elif status == kernel.TABLE:
                    self._enlarge(bound)
                elif status == kernel.DONE:
                    break
        return [*found, out[: state[kernel.SIZE]]], False

    def _enlarge(self, bound: int) -> None:
        import numpy as np

        self.watch.reserve(32 * len(self.words), bound)
        larger = np.zeros(4 * len(self.words), np.uint64)
        self.kernel.enlarge(self.words, larger)
        self.words = larger

    def goals_of(self, layer: Sequence[np.ndarray]) -> np.ndarray:
        """Return the goals of a layer."""
        import numpy as np

        found: list[np.ndarray] = []
        for block in layer:
            out = np.zeros(len(block), np.uint64)
            bits, kinds, _, _ = self.pieces
            found.append(out[: self.kernel.goals_among(block, bits, kinds, self.goals, self.scratch[0], out)])
        return np.concatenate(found) if found else np.zeros(0, np.uint64)

    def back(
        self, layers: Sequence[Sequence[np.ndarray]], reached: np.ndarray, every: bool
    ) -> tuple[frozenset[bytes], ...]:
        """Return the positions on shortest solutions to the positions `reached` of the last layer, by depth."""
        import numpy as np

        found: list[frozenset[bytes]] = []
        at = np.unique(reached)
        out = np.zeros(max(1, len(self.scratch[0]) * len(self.origins[1])), np.uint64)
        for depth in range(len(layers) - 1, -1, -1):
            at = at if every else at[:1]
            found.append(frozenset(self.reading.position(int(word)) for word in paced(at)))
            if not depth:
                break
            candidates: list[np.ndarray] = []
            for word in paced(at):
                count = self.kernel.before(word, self.pieces, self.tracks, self.origins, self.scratch, out)
                candidates.append(np.unique(out[:count]))
            wanted = np.unique(np.concatenate(candidates))
            kept: list[np.ndarray] = []
            for block in layers[depth - 1]:
                self.watch.tick(0, len(layers) - 1)
                room = np.zeros(len(block), np.uint64)
                kept.append(room[: self.kernel.among(block, wanted, room)])
            at = np.unique(np.concatenate(kept))
        return tuple(reversed(found))


def _arrays(reading: Reading, watch: Watch) -> tuple[tuple[np.ndarray, ...], tuple[np.ndarray, ...]]:
    """Return the tracks by kind and cell, and the tracks that have a stop in each cell, for the kernels."""
    import numpy as np

    size, kinds = len(reading.cells), len(reading.kinds)
    every = [(kind, cell, track) for kind in range(kinds) for cell in range(size)
             for track in reading.tracks[kind][cell]]  # fmt: skip
    watch.reserve(len(every) * (size + 8))
    begins = np.zeros((kinds, size + 1), np.int64)
    stops = np.zeros((len(every), max(size, 1)), np.uint8)
    free = np.zeros(len(every), np.uint8)
    targets = np.zeros((len(every), max((len(track.targets) for _, _, track in every), default=1)), np.int16)
    ending: dict[tuple[int, int], list[tuple[int, int]]] = {}
    number = 0
    for kind in range(kinds):
        for cell in paced(range(size)):
            begins[kind, cell] = number
            for track in reading.tracks[kind][cell]:
                stops[number], free[number] = track.free, track.free
                for other, code in track.codes.items():
                    stops[number, other] = code
                targets[number, : len(track.targets)] = track.targets
                for target in set(track.targets):
                    ending.setdefault((kind, target), []).append((number, cell))
                number += 1
        begins[kind, size] = number
    ends = np.zeros((kinds, size + 1), np.int64)
    listed: list[tuple[int, int]] = []
    for kind in range(kinds):
        for cell in range(size):
            ends[kind, cell] = len(listed)
            listed += ending.get((kind, cell), [])
        ends[kind, size] = len(listed)
    pairs = np.array(listed, np.int64).reshape(-1, 2)
    return (begins, stops, free, targets), (ends, pairs[:, 0].copy(), pairs[:, 1].copy())


def goal_rows(goal: Goal, reading: Reading) -> np.ndarray | None:
    """Return the row of a goal for the kernels; None if no position meets it."""
    import numpy as np

    counts = dict(reading.kinds)
    inside = len(reading.cells)
    counts[reading.blank] = inside - sum(counts.values())
    for _, symbol in reading.others:
        counts[symbol] = counts.get(symbol, 0) + 1
    if any(counts.get(symbol, 0) != count for symbol, count in goal.counts):
        return None
    if any(not goal.need[cell] >> symbol & 1 for cell, symbol in reading.others):
        return None
    rows = np.zeros((len(reading.kinds) + 1, max(inside, 1)), np.int32)
    for at, cell in enumerate(reading.cells):
        need = goal.need[cell]
        wanted = need != ANY and not need >> reading.blank & 1
        rows[-1, 0] += wanted
        for kind, (symbol, _) in enumerate(reading.kinds):
            rows[kind, at] = (2 if wanted else 1) if need >> symbol & 1 else 0
    return rows
