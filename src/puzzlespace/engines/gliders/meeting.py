"""Search from both ends, length by length: layers from the start and back from the goals, cut by lower bounds.

For each length L, positions are left out if the moves to them and a lower bound of those that follow are more than L
together. The side with the smaller layer goes on until both have L moves. If they have a position in common, L is the
least length.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ...limits.watch import paced
from ...model.model import Goal
from . import layers
from .layers import Gliders, goal_rows
from .reading import Reading

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
            np.zeros(len(aims), np.int64), self.pruned,
        )  # fmt: skip
        self.slots = layers.SLOTS
        self.begin()

    def begin(self) -> None:
        """Go back to the end."""
        import numpy as np

        kernel = self.run.kernel
        while 4 * len(self.ends) > self.slots:
            self.slots *= 4
        self.words = np.zeros(self.slots, np.uint64)
        self.layers: list[list[np.ndarray]] = [[self.ends]]
        self.pruned[0] = 0
        self.state = np.zeros(5, np.int64)
        kernel.enlarge(self.ends + np.uint64(1), self.words)
        self.state[kernel.SEEN] = len(self.ends)

    @property
    def size(self) -> int:
        """The number of positions of the last layer."""
        return sum(map(len, self.layers[-1]))

    def bound(self) -> int:
        """Return the least bound of the ends."""
        kernel, (cells, _, costs, totals, _) = self.run.kernel, self.work
        return min(
            int(kernel.least_moves(word, self.run.pieces, self.aims, self.far, costs, totals, cells))
            for word in paced(self.ends)
        )

    def advance(self, length: int) -> None:
        """Add a layer of positions from which the other end may be reached, in `length` moves in all."""
        import numpy as np

        kernel, run, state, watch = self.run.kernel, self.run, self.state, self.run.watch
        most = length - len(self.layers)
        moves = len(run.scratch[0]) * max(
            int(np.diff(run.tracks[0]).max(initial=0)), int(np.diff(run.origins[0]).max())
        )
        room = min(max(layers.ROOM, self.size // 4), layers.MOST_ROOM) + moves
        found: list[np.ndarray] = []
        out = np.zeros(0, np.uint64)
        state[kernel.SIZE] = 0
        for block in self.layers[-1]:
            state[kernel.AT] = 0
            while True:
                done = int(state[kernel.GENERATED])
                kernel.onward(
                    self.forward, block, out, run.pieces, run.tracks, run.origins, self.aims, self.far, most,
                    self.words, self.work, state, watch.thresholds.stride,
                )  # fmt: skip
                watch.tick(int(state[kernel.GENERATED]) - done, length)
                status = int(state[kernel.STATUS])
                if status == kernel.OUTPUT:
                    found.append(out[: state[kernel.SIZE]])
                    watch.reserve(8 * room, length)
                    out = np.zeros(room, np.uint64)
                    state[kernel.SIZE] = 0
                elif status == kernel.TABLE:
                    watch.reserve(32 * len(self.words), length)
                    larger = np.zeros(4 * len(self.words), np.uint64)
                    kernel.enlarge(self.words, larger)
                    self.words = larger
                elif status == kernel.DONE:
                    break
        self.layers.append([*found, out[: state[kernel.SIZE]]])


class Meeting:
    """One search from both ends. The goals must say where every piece is."""

    def __init__(self, run: Gliders, start: bytes, goals: Sequence[bytes]) -> None:
        import numpy as np

        self.run, kernel, reading = run, run.kernel, run.reading
        begins, _, _, targets = run.tracks
        counts = np.array(
            [len(t.targets) for rows in reading.tracks for row in rows for t in row], np.int64
        )  # in the order of the tracks
        size = len(reading.cells)
        far = np.full((len(reading.kinds), size, size), 255, np.uint8)
        kernel.distances(begins, targets, counts, far, np.zeros(size, np.int64))
        first, last = reading.words([start]), np.unique(reading.words(list(goals)))
        self.forth = Side(run, True, first, self._cells(last), far)
        self.back = Side(run, False, last, self._cells(first), far.transpose(0, 2, 1).copy())

    def _cells(self, words: np.ndarray) -> np.ndarray:
        """Return the cells of the pieces of some words, one row for each."""
        import numpy as np

        bits = self.run.reading.bits
        slots = np.arange(len(self.run.scratch[0]), dtype=np.uint64) * np.uint64(bits)
        return (words[:, None] >> slots & np.uint64((1 << bits) - 1)).astype(np.int64)

    def length(self) -> int | None:
        """Return the least length; None if both ends are not connected, or if layers from one end take less work."""
        watch, most = self.run.watch, SHARE * self.run.reading.placements
        length = max(1, self.forth.bound())
        while length < 255:
            watch.layer(length, self.forth.size, watch.generated, bound=True)
            if self._meets(length):
                return length
            length += 1
            if sum(int(side.state[self.run.kernel.GENERATED]) for side in (self.forth, self.back)) > most:
                break
        return None

    def _meets(self, length: int) -> bool:
        """Search for solutions of this length, if there are no shorter ones."""
        self.forth.begin()
        self.back.begin()
        while len(self.forth.layers) + len(self.back.layers) < length + 2:
            side = min(self.forth, self.back, key=lambda side: side.size)
            side.advance(length)
            if not side.size:
                return False
        return len(self._middle()) > 0

    def _middle(self) -> np.ndarray:
        """Return the positions that both sides have in their last layers."""
        import numpy as np

        found: list[np.ndarray] = []
        for block in self.back.layers[-1]:
            out = np.zeros(len(block), np.uint64)
            found.append(out[: self.run.kernel.known(block, self.forth.words, out)])
        return np.concatenate(found)

    def layers(self, every: bool) -> tuple[frozenset[bytes], ...]:
        """Return the positions on shortest solutions, by depth: on all, or on one."""
        import numpy as np

        run, at = self.run, self._middle()
        at = at if every else at[:1]
        found = list(run.back(self.forth.layers, at, every))
        out = np.zeros(max(1, len(run.scratch[0]) * len(run.tracks[1])), np.uint64)
        for layer in reversed(self.back.layers[:-1]):
            later = [
                out[: run.kernel.after(word, run.pieces, run.tracks, run.scratch, out)].copy() for word in paced(at)
            ]
            at = run.those_of(layer, np.unique(np.concatenate(later)))
            at = at if every else at[:1]
            found.append(run.positions(at))
        return tuple(found)


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
        position = bytearray(reading.position(0))
        for cell in reading.cells:
            position[cell] = reading.blank
        for at, kind in wanted:
            position[reading.cells[at]] = reading.kinds[kind][0]
        if goal.holds(bytes(position)):
            found.append(bytes(position))
    return found


def solve(
    run: Gliders, start: bytes, goals: Sequence[bytes], every: bool
) -> tuple[tuple[frozenset[bytes], ...], int] | None:
    """Return the positions on shortest solutions, and their length; None if there are none within the work allowed."""
    search = Meeting(run, start, goals)
    length = search.length()
    return None if length is None else (search.layers(every), length)
