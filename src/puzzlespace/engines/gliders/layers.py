"""Breadth-first search for pieces on tracks: layers of words, and the positions seen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import comb

import numpy as np

from ...kernels.packed.numpy_marks import contained
from ...limits.machine import spare_memory
from ...limits.watch import STRIDE, Watch, paced, phase
from ...model.goal import Goal
from ...model.model import Model
from ...model.rule import ANY
from ...search.encoding import Pairs
from ...structure.glides import Reading
from ..packed.rows import PackedRows

ROOM, MOST_ROOM = 1 << 16, 1 << 22
"""The least and the most words in a block of a layer."""

SLOTS = 1 << 16
"""The first length of the hash table."""

MOST_BITS = 1 << 33
"""The most placements for which positions seen are bits: one gigabyte."""

SLOTS_AT_ONCE = 1 << 13
"""Slots of the hash table, or words of bits, whose positions are listed at once."""


class Gliders(PackedRows):
    """The arrays of a reading, and the positions seen. Layers are lists of blocks of words.

    first_goal  whether `following` ends at the first goal; then its layer is not complete
    coming      the blocks of the layer that `following` found last, perhaps not all of them
    """

    def __init__(
        self,
        model: Model,
        reading: Reading,
        sources: Sequence[bytes],
        goals: Sequence[Goal],
        watch: Watch,
        first_goal: bool = False,
    ) -> None:
        from ...kernels import gliders as kernel

        super().__init__(model, sources, goals)
        self.undone = model.reversible
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
        self.met_by = np.zeros((len(met), kinds + 1, max(size, 1)), np.int32)
        for number, rows in enumerate(met):
            self.met_by[number] = rows
        left = watch.memory_left(reading.placements // 4)
        left = spare_memory() if left is None else left
        dense = reading.placements <= min(MOST_BITS, 4 * left)
        self.seen = np.zeros(reading.placements // 64 + 1 if dense else 0, np.uint64)

    def enter(self, positions: Sequence[bytes]) -> list[np.ndarray]:
        return self.begin(self.reading.words(positions))

    def begin(self, words: np.ndarray, earlier: Iterable[np.ndarray] = ()) -> list[np.ndarray]:
        self.seen = np.zeros(len(self.seen), np.uint64)
        self.words = np.zeros(0 if len(self.seen) else SLOTS, np.uint64)
        self.state = np.zeros(5, np.int64)
        self.coming: list[np.ndarray] = []
        for part in earlier:
            self._note(part)
        return [self._note(words)]

    def _note(self, words: np.ndarray) -> np.ndarray:
        """Note positions as seen; return those that were not."""
        while len(self.words) and 4 * (int(self.state[self.kernel.SEEN]) + len(words)) > len(self.words):
            self._enlarge(0)
        bits, _, _, ranks = self.board
        count = self.kernel.note(words, bits, ranks, self.seen, self.words, self.scratch[0], self.state)
        return words[:count]

    def earlier(self, layer: Sequence[np.ndarray]) -> Iterator[np.ndarray]:
        coming = np.sort(np.concatenate([self.words[:0], *self.coming]))
        for first in range(0, max(len(self.words), len(self.seen)), SLOTS_AT_ONCE):
            part = slice(first, first + SLOTS_AT_ONCE)
            if len(self.words):
                found = self.words[part]
                found = found[found > 0] - np.uint64(1)
            else:
                bits = np.unpackbits(self.seen[part].view(np.uint8), bitorder="little")
                found = self._unranked(np.flatnonzero(bits) + 64 * first)
            yield found[~contained(found, coming)]

    def _unranked(self, ranks: np.ndarray) -> np.ndarray:
        """Return the words of positions with these ranks."""
        words, size, slot = np.zeros(len(ranks), np.uint64), len(self.reading.cells), 0
        for _, count in self.reading.kinds:
            ranks, rest = np.divmod(ranks, comb(size, count))
            for index in range(count, 0, -1):
                sets = np.array([comb(cell, index) for cell in range(size)])
                cell = np.searchsorted(sets, rest, "right") - 1
                rest -= sets[cell]
                words |= cell.astype(np.uint64) << np.uint64(self.reading.bits * (slot + index - 1))
            slot += count
        return words

    def read(self, shown: np.ndarray) -> np.ndarray:
        return self.reading.read(shown)[:, 0]

    def handed(self, words: np.ndarray) -> np.ndarray:
        return self.reading.shown(words)

    def following(self, layer: Sequence[np.ndarray], watch: Watch, bound: int) -> list[np.ndarray]:
        kernel, state, found = self.kernel, self.state, []
        room = min(max(ROOM, self.size(layer) // 4), MOST_ROOM) + 2 * len(self.scratch[2])
        out, goals = np.zeros(0, np.uint64), self.met_by if self.first_goal else self.met_by[:0]
        state[kernel.SIZE] = 0
        for block in layer:
            state[kernel.AT] = 0
            while True:
                done = int(state[kernel.GENERATED])
                kernel.expand(
                    block, out, self.board, self.tracks, goals, self.seen, self.words, self.scratch, state,
                    watch.thresholds[STRIDE],
                )  # fmt: skip
                self.coming = [*found, out[: state[kernel.SIZE]]]
                watch.tick(int(state[kernel.GENERATED]) - done, bound)
                status = int(state[kernel.STATUS])
                if status == kernel.MET:
                    self.goal = out[state[kernel.SIZE] - 1 : state[kernel.SIZE]]
                    return self.coming
                if status == kernel.OUTPUT:
                    found = self.coming
                    watch.reserve(8 * room, bound)
                    out = np.zeros(room, np.uint64)
                    state[kernel.SIZE] = 0
                elif status == kernel.TABLE:
                    self._enlarge(bound)
                elif status == kernel.DONE:
                    break
        return self.coming

    def _enlarge(self, bound: int) -> None:
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
        self.seen, self.words, self.coming = np.zeros(0, np.uint64), np.zeros(0, np.uint64), []

    def met(self, layer: Sequence[np.ndarray]) -> np.ndarray:
        if self.first_goal:
            return self.words[:0] if self.goal is None else self.goal
        found: list[np.ndarray] = []
        for block in layer:
            out = np.zeros(len(block), np.uint64)
            bits, kinds, _, _ = self.board
            found.append(out[: self.kernel.goals_among(block, bits, kinds, self.met_by, self.scratch[0], out)])
        return np.unique(np.concatenate(found))

    def before(self, words: np.ndarray, layer: Sequence[np.ndarray], watch: Watch) -> np.ndarray:
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
