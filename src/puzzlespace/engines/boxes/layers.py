"""All positions of pushed boxes, counted layer by layer: `kernels/boxes/layers.py` finds them.

A position is the set of cells with boxes of each kind, as bits, and the cell of the player. If steps do not count as
moves, it is the cell within the player's reach for which the position is least, as in the model.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from ...errors import UnsupportedError
from ...kernels import boxes as kernel
from ...kernels.boxes import layers as loops
from ...limits.watch import STRIDE, Watch
from ...model.goal import Goal
from ...model.model import Model
from ...search.encoding import Encoding
from ...search.layers import DECODED
from ...structure.boxes import Warehouse
from ...structure.quick import METRICS
from ..shared.draws import meeting
from .arrays import neighbours, pushes_onward, pushes_out

NODES = 1 << 12
"""Positions for which there is room at first."""

MOST_INT32 = 1 << 32
"""The most slots of a hash table with 32 bits a slot: half as many nodes have numbers below 2^31."""


class BoxLayers(Encoding):
    """All positions found, in the order of their layers. A layer is the numbers of its first node and of the one after.

    nodes  (keys uint64 [n, words], players int16 [n]): see `kernels.boxes.layers.expand`
    slots  int32, or int64 if the numbers of the nodes need it: the hash table of the nodes
    state  int64 [3]: the fields of `kernels.boxes.layers`
    Words are rows of symbols.
    """

    def __init__(self, level: Warehouse, model: Model, goals: Sequence[Goal], watch: Watch) -> None:
        self.level, self.model, self.goals, self.watch = level, model, goals, watch
        self.greatest = level.player > level.blank
        self.counts = METRICS.index(level.metric)
        out = pushes_out(level)
        self.arrays = neighbours(level), out, pushes_onward(level, out)
        self.words = -(-level.cells // 64)
        self.state = np.zeros(3, np.int64)
        self.end()

    def end(self) -> None:
        self.nodes = np.zeros((0, self.words * len(self.level.boxes)), np.uint64), np.zeros(0, np.int16)
        self.slots = np.zeros(0, np.int32)

    def enter(self, positions: Sequence[bytes]) -> tuple[int, int]:
        boxes, ways = len(self.level.boxes_in(positions[0])), self.arrays[1].shape[1]
        stretches = self.level.cells if self.counts == kernel.RUN else 1
        self.room = (boxes * stretches + 1) * ways + len(self.arrays[0][0])
        self._enlarge(max(NODES, len(positions) + 2 * self.room))
        self._enter(self.model, list(positions), boxes)
        return 0, int(self.state[loops.NODES])

    def _enter(self, model: Model, sources: list[bytes], boxes: int) -> None:
        """Make the sources the first layer. Raises UnsupportedError for one that is no position of the level."""
        keys, players = self.nodes
        for number, source in enumerate(sources):
            if source.count(self.level.player) != 1 or len(self.level.boxes_in(source)) != boxes:
                raise UnsupportedError("engine boxes: positions to measure from differ in their pieces")
            players[number] = source.index(self.level.player)
            for kind, cells in enumerate(self.level.placed(source)):
                for cell in cells:
                    keys[number, kind * self.words + (cell >> 6)] |= np.uint64(1 << (cell & 63))
        found = [row.tobytes() for row in self.rows(0, len(sources))]
        if found != sources or any(model.settled(each) != each for each in sources):
            raise UnsupportedError("engine boxes: a position to measure from is not a position of this level")
        self.state[loops.NODES] = len(sources)
        self._hash()

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
        most = self.watch.thresholds[DECODED]
        for begin in range(*layer, most):
            yield self.rows(begin, min(begin + most, layer[1]))

    def leave(self, words: np.ndarray) -> list[bytes]:
        return [row.tobytes() for row in words]

    def handed(self, words: np.ndarray) -> np.ndarray:
        return words

    def met(self, layer: tuple[int, int]) -> np.ndarray:
        found: set[bytes] = set()
        for rows in self.pieces(layer):
            self.watch.glance()
            found |= {row.tobytes() for goal in self.goals for row in meeting(rows, goal)}
        return np.frombuffer(b"".join(sorted(found)), np.uint8).reshape(len(found), self.level.cells)

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

    def rows(self, first: int, last: int) -> np.ndarray:
        """Return the positions of nodes first … last - 1, one row of symbols each."""
        keys, players = (each[first:last] for each in self.nodes)
        rows = np.full((last - first, self.level.cells), self.level.blank, np.uint8)
        bits = np.unpackbits(keys.view(np.uint8), axis=1, bitorder="little").reshape(len(rows), -1, 64 * self.words)
        for kind, box in enumerate(self.level.boxes):
            rows[bits[:, kind, : self.level.cells] > 0] = box
        rows[np.arange(len(rows)), players] = self.level.player
        return rows
