"""Search from both ends, length by length: layers from the start and back from the goals, cut by lower bounds.

For each length L, positions are left out if the moves to them and a lower bound of those that follow are more than L
together. The side with the smaller layer goes on until both have L moves. If they have a position in common, L is the
least length.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ...limits.watch import STRIDE, paced
from ...model.goal import Goal
from ...structure.glides import WORD, Reading
from . import layers
from .layers import Gliders, goal_rows

if TYPE_CHECKING:
    import numpy as np

SHARE = 4
"""So many times as many positions as there are placements are generated, at most: layers from one end take fewer."""


class Side:
    """Layers from one end, with the bound of the moves to the other one."""

    def __init__(self, run: Gliders, forward: bool, ends: np.ndarray, aims: np.ndarray, far: np.ndarray) -> None:
        import numpy as np

        self.run, self.forward, self.ends, self.aims, self.far = run, forward, ends, aims, far
        size, kinds = aims.shape[1], len(run.reading.kinds)
        self.pruned = np.zeros(1, np.int64)
        self.work = (
            np.zeros(size, np.int64), np.zeros(size, np.int64), np.zeros((len(aims), kinds), np.int64),
            np.zeros(len(aims), np.int64), self.pruned, np.zeros(run.reading.width, np.uint64),
        )  # fmt: skip
        self.slots = layers.SLOTS
        self.begin()

    def begin(self) -> None:
        """Go back to the end."""
        import numpy as np

        kernel = self.run.kernel
        while 4 * len(self.ends) > self.slots:
            self.slots *= 4
        self.rows = np.zeros((self.slots, self.run.reading.width), np.uint64)
        self.layers: list[list[np.ndarray]] = [[self.ends]]
        self.pruned[0] = 0
        self.state = np.zeros(5, np.int64)
        kernel.enter_all(self.ends, self.rows)
        self.state[kernel.SEEN] = len(self.ends)

    @property
    def size(self) -> int:
        """The number of positions of the last layer."""
        return sum(map(len, self.layers[-1]))

    def bound(self) -> int:
        """Return the least bound of the ends."""
        kernel, (cells, _, costs, totals, _, _) = self.run.kernel, self.work
        return min(
            int(kernel.least_moves(row, self.run.board, self.aims, self.far, costs, totals, cells))
            for row in paced(self.ends)
        )

    def advance(self, length: int) -> None:
        """Add a layer of positions from which the other end may be reached, in `length` moves in all."""
        import numpy as np

        kernel, run, state, watch = self.run.kernel, self.run, self.state, self.run.watch
        most = length - len(self.layers)
        width = run.reading.width
        room = min(max(layers.ROOM, self.size // 4), layers.MOST_ROOM) + run.neighbours
        found: list[np.ndarray] = []
        out = np.zeros((0, width), np.uint64)
        state[kernel.SIZE] = 0
        for block in self.layers[-1]:
            state[kernel.AT] = 0
            while True:
                done = int(state[kernel.GENERATED])
                kernel.onward(
                    self.forward, block, out, run.board, run.tracks, run.origins, self.aims, self.far, most,
                    self.rows, self.work, state, watch.thresholds[STRIDE],
                )  # fmt: skip
                watch.tick(int(state[kernel.GENERATED]) - done, length)
                status = int(state[kernel.STATUS])
                if status == kernel.OUTPUT:
                    found.append(out[: state[kernel.SIZE]])
                    watch.reserve(8 * room * width, length)
                    out = np.zeros((room, width), np.uint64)
                    state[kernel.SIZE] = 0
                elif status == kernel.TABLE:
                    watch.reserve(4 * self.rows.nbytes, length)
                    larger = np.zeros((4 * len(self.rows), width), np.uint64)
                    kernel.enlarge_rows(self.rows, larger)
                    self.rows = larger
                elif status == kernel.DONE:
                    break
        watch.expand(sum(map(len, self.layers[-1])))
        self.layers.append([*found, out[: state[kernel.SIZE]]])


class Meeting:
    """One search from both ends. The goals must say where every piece is."""

    def __init__(self, run: Gliders, start: bytes, goals: Sequence[bytes]) -> None:
        import numpy as np

        self.run, self.impossible, self.proved = run, False, 0
        kernel, reading = run.kernel, run.reading
        begins, _, _, targets = run.tracks
        counts = np.array(
            [len(t.targets) for rows in reading.tracks for row in rows for t in row], np.int64
        )  # in the order of the tracks
        size = len(reading.cells)
        far = np.full((len(reading.kinds), size, size), 255, np.uint8)
        kernel.distances(begins, targets, counts, far, np.zeros(size, np.int64))
        first, last = reading.rows([start]), np.unique(reading.rows(list(goals)), axis=0)
        self.forth = Side(run, True, first, self._cells(last), far)
        self.back = Side(run, False, last, self._cells(first), far.transpose(0, 2, 1).copy())

    def _cells(self, rows: np.ndarray) -> np.ndarray:
        """Return the cells of the pieces of some positions, one row for each."""
        import numpy as np

        bits, (size,) = self.run.reading.bits, self.run.scratch[0].shape
        words, places = np.divmod(np.arange(size), WORD // bits)
        low = np.uint64((1 << bits) - 1)
        return (rows[:, words] >> (places * bits).astype(np.uint64) & low).astype(np.int64)

    def length(self) -> int | None:
        """Return the least length; None if there is no solution, or if layers from one end take less work.

        In the first case `impossible` is set.
        """
        watch, reading = self.run.watch, self.run.reading
        most = SHARE * reading.placements
        length = max(1, self.forth.bound())
        while True:
            watch.layer(length, self.forth.size, watch.generated, bound=True)
            watch.known.prove(length)
            if self._meets(length):
                return length
            length += 1
            work = sum(int(side.state[self.run.kernel.GENERATED]) for side in (self.forth, self.back))
            if self.impossible or (work > most and reading.width == 1):
                return None

    def _meets(self, length: int) -> bool:
        """Search for solutions of this length, if there are no shorter ones."""
        self.proved = length
        self.forth.begin()
        self.back.begin()
        while len(self.forth.layers) + len(self.back.layers) < length + 2:
            side = min(self.forth, self.back, key=lambda side: side.size)
            side.advance(length)
            if not side.size:
                self.impossible = not side.pruned[0]
                return False
        return len(self._middle()) > 0

    def _middle(self) -> np.ndarray:
        """Return the positions that both sides have in their last layers."""
        return _common(self.run, self.back.layers[-1], self.forth.rows, self.proved)

    def layers(self, every: bool) -> tuple[frozenset[bytes], ...]:
        """Return the positions on shortest solutions, by depth: on all, or on one."""
        middle = _sorted(self._middle(), every)
        before = self._onward(middle, self.forth, every)
        return (*reversed(before), self._positions(middle), *self._onward(middle, self.back, every))

    def _onward(self, rows: np.ndarray, side: Side, every: bool) -> list[frozenset[bytes]]:
        """Return the positions on shortest ways from some positions of the last layer to the end of a side."""
        import numpy as np

        run, found = self.run, list[frozenset[bytes]]()
        out = np.zeros((run.neighbours, rows.shape[1]), np.uint64)
        for layer in reversed(side.layers[:-1]):
            near: list[np.ndarray] = []
            for row in paced(rows):
                count = run.kernel.rows_beside(
                    not side.forward, row, run.board, run.tracks, run.origins, side.work, out
                )  # fmt: skip
                near.append(out[:count].copy())
            beside = np.concatenate(near)
            table = np.zeros((1 << (2 * len(beside)).bit_length(), rows.shape[1]), np.uint64)
            run.kernel.enter_all(beside, table)
            rows = _sorted(_common(run, layer, table, self.proved), every)
            found.append(self._positions(rows))
        return found

    def _positions(self, rows: np.ndarray) -> frozenset[bytes]:
        return frozenset(self.run.reading.position(*map(int, row)) for row in paced(rows))


def _common(run: Gliders, layer: Sequence[np.ndarray], table: np.ndarray, bound: int) -> np.ndarray:
    """Return the positions of a layer that are in a hash table."""
    import numpy as np

    found: list[np.ndarray] = []
    for block in layer:
        run.watch.tick(0, bound)
        out = np.zeros(block.shape, np.uint64)
        found.append(out[: run.kernel.known(block, table, out)])
    return np.concatenate(found)


def _sorted(rows: np.ndarray, every: bool) -> np.ndarray:
    """Return all positions in order, or the first one."""
    import numpy as np

    return np.unique(rows, axis=0)[: None if every else 1]


def placed(goals: Sequence[Goal], reading: Reading) -> list[bytes] | None:
    """Return the positions of goals that can be met if each says where every piece is, else None."""
    found: list[bytes] = []
    for goal in paced(goals):
        rows = goal_rows(goal, reading)
        if rows is None:
            continue
        wanted = [
            (at, kind) for kind in range(len(reading.kinds)) for at in range(len(reading.cells)) if rows[kind, at] == 2
        ]
        counts = [sum(kind == other for _, other in wanted) for kind in range(len(reading.kinds))]
        if any(some > count for some, (_, count) in zip(counts, reading.kinds, strict=True)):
            continue
        if counts != [count for _, count in reading.kinds] or len({at for at, _ in wanted}) < len(wanted):
            return None
        position = bytearray(reading.blank for _ in range(len(goal.need)))
        for cell, symbol in reading.others:
            position[cell] = symbol
        for at, kind in wanted:
            position[reading.cells[at]] = reading.kinds[kind][0]
        if goal.holds(bytes(position)):
            found.append(bytes(position))
    return found


def solve(
    run: Gliders, start: bytes, goals: Sequence[bytes], every: bool
) -> tuple[tuple[frozenset[bytes], ...], int | None] | None:
    """Return the positions on shortest solutions, and their length; None if layers from one end take less work."""
    if not goals:
        return (), None
    search = Meeting(run, start, goals)
    length = search.length()
    if length is None:
        return ((), None) if search.impossible else None
    return search.layers(every), length
