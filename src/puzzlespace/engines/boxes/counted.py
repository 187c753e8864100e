"""Best-first search (A*) in the metrics `move` and `run`, and with boxes of several kinds.

The bound and what is pruned are those of `pushes`, without corrals and passages. In the metric `move` a position has
the player's cell, and the bound the steps without a push that the coordinates prove; in the metric `run` the distances
are those in runs.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...limits.watch import Watch, paced
from ...model.model import Model
from ...structure.quick import METRICS
from .axes import axes
from .pushes import Nodes, PushSearch

if TYPE_CHECKING:
    import numpy as np


class CountedSearch(PushSearch):
    """One search; the positions are sets of boxes of each kind, and a cell of the player."""

    steps = 2  # in the metric `move`, a push moves the player as far as the box

    def __init__(self, model: Model, start: bytes, every: bool, watch: Watch) -> None:
        super().__init__(model, start, every, watch)
        self.stages = []

    def _begin(self) -> None:
        import numpy as np

        kernel, level = self.kernel, self.level
        near, out, into, goals, goal_at, live, cell_of = self.arrays
        self.counts = METRICS.index(level.metric)
        placed = level.placed(self.start)
        self.words = -(-len(cell_of) // 64)
        stretches = np.zeros((len(placed), 64 * self.words), np.int16)
        stretches[:, : len(cell_of)] = cell_of
        self.level_arrays = near, out, into, goals, goal_at, live, stretches.ravel()
        kinds = [kind for kind, cells in enumerate(placed) for _ in cells]
        spare = [kind for kind, cells in enumerate(placed) for _ in cells[level.goal_kinds.count(kind) :]]
        self.kinds = np.array(kinds, np.int16), np.array([*level.goal_kinds, *spare], np.int16)
        self._lines()
        self._ground()
        boxes, player = level.boxes_in(self.start), self.start.index(bytes([level.player]))
        self.nodes = Nodes(kernel, self.words * len(placed), self.watch)
        first = player if self.counts == kernel.MOVE else self.region(boxes, player)
        self.nodes.enter(self._key(placed), first, self._first_bound(boxes, player))

    def _lines(self) -> None:
        """Make the arrays of what may follow a push at no cost, and those of distances in runs."""
        import numpy as np

        from .arrays import pushes_onward

        level, kernel = self.level, self.kernel
        out, into = self.arrays[1:3]
        onward, before = pushes_onward(level, out), np.full(into.shape[:2], -1, np.int16)
        ends = [(c, into[c].tolist().index([a, b])) for a, b, c in level.pushes]
        for number, later in enumerate(level.onward):
            if later >= 0:
                before[ends[later]] = ends[number][1]
        tables = len(self.walled[0]) if self.counts == kernel.RUN else 0
        self.watch.reserve(2 * tables * self.walled[3][0].size, 0)
        runs = np.empty((tables, *self.walled[3].shape[1:]), np.int16)
        self.lines = onward, before, runs, np.zeros(tables, np.uint8)

    def _ground(self) -> None:
        """Make the arrays with which `walking` proves steps without a push."""
        import numpy as np

        level = self.level
        found = axes(level) if self.whole else np.zeros((0, level.cells), np.int16)
        goals = set(level.goals)
        ends = sorted({b for _, b, c in level.pushes if c in goals and b not in goals})
        self.ground = found, found[:, list(level.goals)].sum(axis=1, dtype=np.int64), np.array(ends, np.int16)

    def _first_bound(self, boxes: list[int], player: int) -> int:
        """Return a lower bound for the start: the first look of the search does better."""
        kernel = self.kernel
        if self.counts != kernel.MOVE:
            return 1
        import numpy as np

        return max(1, int(kernel.walking(player, np.array(boxes, np.int16), len(boxes), *self.ground)))

    def _key(self, placed: list[list[int]]) -> np.ndarray:
        """Return the words of boxes of each kind."""
        import numpy as np

        return np.concatenate([self.key_of(cells) for cells in placed])

    def _expand(self, nodes: Nodes) -> None:
        words = nodes.arrays[0].shape[1]
        scratch = self.kernel.counted_work(self.level.cells, self.part_count, self.count, words)
        self.kernel.search_counted(
            self.counts, self.level_arrays, self.lines, self.ground, self.walled, self.work, self.triples, nodes.arrays,
            nodes.lists, nodes.slots, nodes.state, scratch, self.kinds, self.whole, self.every, self._stride(),
        )  # fmt: skip

    def _room(self) -> int:
        runs = self.level.cells if self.counts == self.kernel.RUN else 1
        return self.count * self.arrays[1].shape[1] * runs + 1

    def layers(self, length: int, model: Model) -> tuple[frozenset[bytes], ...]:
        """Return the positions on shortest solutions by depth: on all of them, or on one."""
        import numpy as np

        assert self.nodes is not None
        _, _, depths, rests = self.nodes.arrays
        size = self.nodes.size
        ends = np.flatnonzero((rests[:size] == 0) & (depths[:size] == length))
        waiting: list[set[int]] = [set() for _ in range(length + 1)]
        waiting[length] = set(ends.tolist() if self.every else ends[:1].tolist())
        found: list[set[bytes]] = [set() for _ in range(length + 1)]
        for depth in range(length, -1, -1):
            for node in paced(sorted(waiting[depth])):
                found[depth].add(model.settled(self._position(node)))
                for earlier, between in self._earlier(node) if depth else ():
                    waiting[int(depths[earlier])].add(earlier)
                    for at, position in between:
                        found[at].add(position)
                    if not self.every:
                        break
        return tuple(map(frozenset, found))

    def _earlier(self, node: int) -> Iterator[tuple[int, list[tuple[int, bytes]]]]:
        """Yield the nodes one push or run before a node, with the (depth, position) between."""
        kernel, level = self.kernel, self.level
        position = self._position(node)
        player = position.index(bytes([level.player]))
        empty = bytearray(position)
        empty[player] = level.blank
        walks = {player} if self.counts == kernel.MOVE else set(self._walk(bytes(empty), player))
        into, before = self.arrays[2], self.lines[1]
        for end, symbol in enumerate(position):
            for way in range(into.shape[1]) if symbol in level.boxes else ():
                if int(into[end, way, 1]) not in walks:
                    continue
                cell, on = end, way
                while on >= 0:
                    a, b = map(int, into[cell, on])
                    if a < 0 or empty[a] != level.blank:
                        break
                    earlier = bytearray(empty)
                    earlier[end], earlier[b] = level.blank, symbol
                    yield from self._nodes_at(node, bytes(earlier), a)
                    cell, on = b, int(before[cell, on]) if self.counts == kernel.RUN else -1

    def _walk(self, position: bytes, player: int) -> dict[int, int]:
        """Return how many steps the player needs to each cell that it can walk to."""
        steps, waiting = {player: 0}, [player]
        for cell in waiting:
            for near in self.arrays[0][cell].tolist():
                if near >= 0 and near not in steps and position[near] == self.level.blank:
                    steps[near] = steps[cell] + 1
                    waiting.append(near)
        return steps

    def _nodes_at(self, node: int, position: bytes, player: int) -> Iterator[tuple[int, list[tuple[int, bytes]]]]:
        """Yield the nodes with these boxes from which the player comes to a cell just before the depth of a node."""
        assert self.nodes is not None
        depths = self.nodes.arrays[2]
        steps = self._walk(position, player)
        key, last = self._key(self.level.placed(position)), int(depths[node]) - 1
        if self.counts != self.kernel.MOVE:
            earlier = self._node(key, min(steps))
            if earlier >= 0 and depths[earlier] == last:
                yield earlier, []
            return
        for cell, count in steps.items():
            earlier = self._node(key, cell)
            if earlier >= 0 and depths[earlier] == last - count:
                yield earlier, list(self._between(position, steps, cell, last))

    def _between(self, position: bytes, steps: dict[int, int], first: int, last: int) -> Iterator[tuple[int, bytes]]:
        """Yield (depth, position) for the cells on shortest walks from a cell: on all, or on one."""
        layer = {first}
        while layer:
            for cell in layer:
                here = bytearray(position)
                here[cell] = self.level.player
                yield last - steps[cell], bytes(here)
            near = {
                other
                for cell in layer
                for other in self.arrays[0][cell].tolist()
                if other >= 0 and steps.get(other) == steps[cell] - 1
            }
            layer = near if self.every or not near else {min(near)}

    def _node(self, key: np.ndarray, player: int) -> int:
        """Return the node of a position, -1 without one."""
        assert self.nodes is not None
        keys, players = self.nodes.arrays[:2]
        return int(self.nodes.slots[self.kernel.slot_of(key, player, keys, players, self.nodes.slots)])

    def _position(self, node: int) -> bytes:
        assert self.nodes is not None
        level, position = self.level, bytearray([self.level.blank] * self.level.cells)
        for kind, symbol in enumerate(level.boxes):
            for number, cell in enumerate(self.cell_of):
                word = int(self.nodes.arrays[0][node, kind * self.words + (number >> 6)])
                if word >> (number & 63) & 1:
                    position[cell] = symbol
        position[self.nodes.arrays[1][node]] = level.player
        return bytes(position)
