"""All positions of pushed boxes, counted layer by layer: `kernels/boxes/layers.py` finds them.

A position is the set of cells with boxes of each kind, as bits, and the cell of the player. If steps do not count as
moves, it is the cell within the player's reach for which the position is least, as in the model.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from ...errors import UnsupportedError
from ...kernels import boxes as kernel
from ...kernels.boxes import layers as loops
from ...limits.watch import STRIDE, Watch
from ...model.goal import Goal
from ...model.model import Model
from ...search.layers import DECODED
from ...structure.boxes import Warehouse
from ...structure.quick import METRICS
from ..packed.rows import PackedRows
from ..shared.draws import fits
from .arrays import neighbours, pushes_onward, pushes_out

NODES = 1 << 12
"""Positions for which there is room at first."""

MOST_INT32 = 1 << 32
"""The most slots of a hash table with 32 bits a slot: half as many nodes have numbers below 2^31."""


class BoxLayers(PackedRows):
    """All positions found, in the order of their layers. A layer is the numbers of its first node and of the one after.

    nodes  (keys uint64 [n, words], players int16 [n]): see `kernels.boxes.layers.expand`
    slots  int32, or int64 if the numbers of the nodes need it: the hash table of the nodes
    state  int64 [3]: the fields of `kernels.boxes.layers`
    Words are uint64 [n, words + 1]: the key and the player.
    """

    def __init__(
        self, level: Warehouse, model: Model, goals: Sequence[Goal], watch: Watch, sources: Sequence[bytes]
    ) -> None:
        super().__init__(model, sources, goals)
        self.level, self.watch = level, watch
        self.greatest = level.player > level.blank
        self.counts = METRICS.index(level.metric)
        out = pushes_out(level)
        self.arrays = neighbours(level), out, pushes_onward(level, out)
        self.words = -(-level.cells // 64)
        self.end()

    def end(self) -> None:
        self.nodes = np.zeros((0, self.words * len(self.level.boxes)), np.uint64), np.zeros(0, np.int16)
        self.slots = np.zeros(0, np.int32)
        self.state = np.zeros(3, np.int64)

    def enter(self, positions: Sequence[bytes]) -> tuple[int, int]:
        """Raises UnsupportedError for a source that is no position of the level."""
        level, boxes = self.level, len(self.level.boxes_in(positions[0]))
        if any(each.count(level.player) != 1 or len(level.boxes_in(each)) != boxes for each in positions):
            raise UnsupportedError("engine boxes: positions to measure from differ in their pieces")
        words = self.read(np.frombuffer(b"".join(positions), np.uint8).reshape(len(positions), -1))
        if self.leave(words) != list(positions) or any(self.model.settled(each) != each for each in positions):
            raise UnsupportedError("engine boxes: a position to measure from is not a position of this level")
        return self.begin(words)

    def begin(self, words: np.ndarray, earlier: Iterable[np.ndarray] = ()) -> tuple[int, int]:
        self.end()
        boxes, ways = sum(map(int.bit_count, words[0, :-1].tolist())), self.arrays[1].shape[1]
        stretches = self.level.cells if self.counts == kernel.RUN else 1
        self.room = (boxes * stretches + 1) * ways + len(self.arrays[0][0])
        for part in earlier:
            self._append(part)
        first = self.state[loops.NEXT] = self.state[loops.NODES]
        self._append(words)
        self._hash()
        return int(first), int(self.state[loops.NODES])

    def _append(self, words: np.ndarray) -> None:
        """Append positions to the nodes, not to their hash table."""
        first = int(self.state[loops.NODES])
        last = first + len(words)
        if last + self.room > len(self.nodes[0]):
            self._enlarge(max(NODES, 2 * (last + self.room)))
        keys, players = self.nodes
        keys[first:last], players[first:last] = words[:, :-1], words[:, -1]
        self.state[loops.NODES] = last

    def following(self, layer: tuple[int, int], watch: Watch, bound: int) -> tuple[int, int]:
        state, last, why = self.state, layer[1], loops.PAUSE
        while why != loops.DONE:
            left, stride, made = watch.positions_left, watch.thresholds[STRIDE], int(state[loops.GENERATED])
            stride = stride if left is None else max(1, min(stride, left + 1))
            why = loops.expand(
                self.counts, self.arrays, self.greatest, self.nodes, self.slots, state, self.room, last, stride
            )
            watch.tick(int(state[loops.GENERATED]) - made, bound)
            if why == loops.FULL:
                self._enlarge(2 * len(self.slots))
        return last, int(state[loops.NODES])

    def size(self, layer: tuple[int, int]) -> int:
        return layer[1] - layer[0]

    def pieces(self, layer: tuple[int, int]) -> Iterator[np.ndarray]:
        most, (keys, players) = self.watch.thresholds[DECODED], self.nodes
        for begin in range(*layer, most):
            part = slice(begin, min(begin + most, layer[1]))
            yield np.column_stack([keys[part], players[part].astype(np.uint64)])

    def earlier(self, layer: tuple[int, int]) -> Iterator[np.ndarray]:
        return self.pieces((0, layer[0]))

    def leave(self, words: np.ndarray) -> list[bytes]:
        return [row.tobytes() for row in self.handed(words)]

    def met(self, layer: tuple[int, int]) -> np.ndarray:
        found: set[bytes] = set()
        for words in self.pieces(layer):
            self.watch.glance()
            shown = self.handed(words)
            found |= {row.tobytes() for goal in self.goals for row in shown[fits(shown, goal)]}
        return self.read(np.frombuffer(b"".join(sorted(found)), np.uint8).reshape(len(found), self.level.cells))

    def _enlarge(self, slots: int) -> None:
        """Make room for half as many nodes as slots."""
        size = 1 << (slots - 1).bit_length()
        more = size // 2 - len(self.nodes[0])
        kind = np.int32 if size <= MOST_INT32 else np.int64
        slot = np.dtype(kind).itemsize
        self.watch.reserve((8 * self.nodes[0].shape[1] + 2 + slot) * size)  # the nodes, their copy, and the slots
        self.nodes = tuple(np.concatenate([each, np.zeros((more, *each.shape[1:]), each.dtype)]) for each in self.nodes)
        self.slots = np.empty(size, kind)
        self._hash()

    def _hash(self) -> None:
        self.slots[:] = -1
        kernel.rehash(*self.nodes, int(self.state[loops.NODES]), self.slots)

    def handed(self, words: np.ndarray) -> np.ndarray:
        shown = np.full((len(words), self.level.cells), self.level.blank, np.uint8)
        keys = np.ascontiguousarray(words[:, :-1])
        bits = np.unpackbits(keys.view(np.uint8), axis=1, bitorder="little")
        bits = bits.reshape(len(words), len(self.level.boxes), 64 * self.words)
        for kind, box in enumerate(self.level.boxes):
            shown[bits[:, kind, : self.level.cells] > 0] = box
        shown[np.arange(len(shown)), words[:, -1].astype(np.int64)] = self.level.player
        return shown

    def read(self, shown: np.ndarray) -> np.ndarray:
        bits = np.zeros((len(shown), len(self.level.boxes), 64 * self.words), np.uint8)
        for kind, box in enumerate(self.level.boxes):
            bits[:, kind, : self.level.cells] = shown == box
        keys = np.packbits(bits, axis=-1, bitorder="little").reshape(len(shown), 8 * self.nodes[0].shape[1])
        keys = keys.view(np.uint64)
        return np.column_stack([keys, (shown == self.level.player).argmax(axis=1).astype(np.uint64)])
