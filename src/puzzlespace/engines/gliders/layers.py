"""Breadth-first search for pieces on tracks: layers of words, and the positions seen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import comb
from typing import TYPE_CHECKING

from ...limits.machine import spare_memory
from ...limits.watch import STRIDE, Watch, paced, phase
from ...model.goal import Goal
from ...model.rule import ANY
from ...search.encoding import Encoding, Pairs
from ...structure.glides import Reading

if TYPE_CHECKING:
    import numpy as np

ROOM, MOST_ROOM = 1 << 16, 1 << 22
"""The least and the most words in a block of a layer."""

SLOTS = 1 << 16
"""The first length of the hash table."""

MOST_BITS = 1 << 33
"""The most placements for which positions seen are bits: one gigabyte."""


class Gliders(Encoding):
    """The arrays of a reading, and the positions seen. Layers are lists of blocks of words.

    first_goal  whether `following` ends at the first goal; then its layer is not complete
    """

    def __init__(self, reading: Reading, goals: Sequence[Goal], watch: Watch, first_goal: bool = False) -> None:
        import numpy as np

        from ...kernels import gliders as kernel

        self.kernel, self.reading, self.watch, self.first_goal = kernel, reading, watch, first_goal
        self.goal: np.ndarray | None = None
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
        self.board = (reading.bits, slots, ends, ranks)
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

    def enter(self, positions: Sequence[bytes]) -> list[np.ndarray]:
        layer = self.reading.words(positions)
        while len(self.words) and 4 * len(layer) > len(self.words):
            self._enlarge(0)
        bits, _, _, ranks = self.board
        count = self.kernel.note(layer, bits, ranks, self.seen, self.words, self.scratch[0], self.state)
        return [layer[:count]]

    def following(self, layer: Sequence[np.ndarray], watch: Watch, bound: int) -> list[np.ndarray]:
        import numpy as np

        kernel, state = self.kernel, self.state
        room = min(max(ROOM, self.size(layer) // 4), MOST_ROOM) + 2 * len(self.scratch[2])
        found: list[np.ndarray] = []
        out, goals = np.zeros(0, np.uint64), self.goals if self.first_goal else self.goals[:0]
        state[kernel.SIZE] = 0
        for block in layer:
            state[kernel.AT] = 0
            while True:
                done = int(state[kernel.GENERATED])
                kernel.expand(
                    block, out, self.board, self.tracks, goals, self.seen, self.words, self.scratch, state,
                    watch.thresholds[STRIDE],
                )  # fmt: skip
                watch.tick(int(state[kernel.GENERATED]) - done, bound)
                status = int(state[kernel.STATUS])
                if status == kernel.MET:
                    self.goal = out[state[kernel.SIZE] - 1 : state[kernel.SIZE]]
                    return [*found, out[: state[kernel.SIZE]]]
                if status == kernel.OUTPUT:
                    found.append(out[: state[kernel.SIZE]])
                    watch.reserve(8 * room, bound)
                    out = np.zeros(room, np.uint64)
                    state[kernel.SIZE] = 0
                elif status == kernel.TABLE:
                    self._enlarge(bound)
                elif status == kernel.DONE:
                    break
        return [*found, out[: state[kernel.SIZE]]]

    def _enlarge(self, bound: int) -> None:
        import numpy as np

        self.watch.reserve(32 * len(self.words), bound)
        larger = np.zeros(4 * len(self.words), np.uint64)
        self.kernel.enlarge(self.words, larger)
        self.words = larger

    def size(self, layer: Sequence[np.ndarray]) -> int:
        return sum(map(len, layer))

    def pieces(self, layer: Sequence[np.ndarray]) -> Iterator[np.ndarray]:
        yield from layer

    def leave(self, words: np.ndarray) -> list[bytes]:
        return [self.reading.position(int(word)) for word in paced(words)]

    def least(self, words: np.ndarray, keep: int) -> list[bytes]:
        return self.reading.least(words, keep)

    def end(self) -> None:
        self.seen, self.words = self.seen[:0].copy(), self.words[:0].copy()

    def met(self, layer: Sequence[np.ndarray]) -> np.ndarray:
        import numpy as np

        if self.first_goal:
            return self.words[:0] if self.goal is None else self.goal
        found: list[np.ndarray] = []
        for block in layer:
            out = np.zeros(len(block), np.uint64)
            bits, kinds, _, _ = self.board
            found.append(out[: self.kernel.goals_among(block, bits, kinds, self.goals, self.scratch[0], out)])
        return np.unique(np.concatenate(found))

    def before(self, words: np.ndarray, layer: Sequence[np.ndarray], watch: Watch) -> np.ndarray:
        import numpy as np

        out = np.zeros(max(1, len(self.scratch[0]) * len(self.origins[1])), np.uint64)
        candidates: list[np.ndarray] = []
        for word in paced(words):
            count = self.kernel.before(word, self.board, self.tracks, self.origins, self.scratch, out)
            candidates.append(np.unique(out[:count]))
        wanted = np.unique(np.concatenate(candidates))
        kept: list[np.ndarray] = []
        for block in layer:
            watch.tick(0)
            room = np.zeros(len(block), np.uint64)
            kept.append(room[: self.kernel.among(block, wanted, room)])
        return np.unique(np.concatenate(kept))

    def arrived(self, layer: Sequence[np.ndarray], pairs: Pairs) -> dict[tuple[int, int], bytes]:
        import numpy as np

        kinds = {symbol: kind for kind, (symbol, _) in enumerate(self.reading.kinds)}
        at = {cell: index for index, cell in enumerate(self.reading.cells)}
        others, still = dict(self.reading.others), [words for block in layer for words in block[:1]]
        found = {pair: self.reading.position(int(still[0])) for pair in pairs if others.get(pair[0]) == pair[1]}
        places = {pair: (kinds[pair[1]], at[pair[0]]) for pair in pairs if pair[1] in kinds and pair[0] in at}
        shape = len(kinds), max(1, len(at))
        words, depths = np.zeros(shape, np.uint64), np.full(shape, -2, np.int32)
        for place in places.values():
            depths[place] = -1
        left, (bits, slots, _, _) = len(places), self.board
        for block in layer if left else ():
            left = self.kernel.arrive(block, bits, slots, self.scratch[0], 0, left, words, depths)
        arrived = {
            pair: self.reading.position(int(words[place])) for pair, place in places.items() if not depths[place]
        }
        return found | arrived


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
