"""Best-first search (A*) for a player who pushes boxes of one kind, in the metric `push`.

Positions are the boxes as a set of bits and the least cell of the player's region. The lower bound is a minimum-cost
matching of boxes and goals. Pruned are cells from which no box reaches a goal, pairs and triples of boxes that cannot
be brought to goals, boxes that can never move again, and pushes that can wait because a corral must be opened first.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ...errors import LimitError, UnsupportedError
from ...limits.thresholds import Threshold
from ...limits.watch import STRIDE, Watch, paced, phase
from ...model.model import Model
from ...structure.boxes import Warehouse, read
from ..shared.growth import lengthen

if TYPE_CHECKING:
    import numpy as np

LENGTHS = 1 << 15
"""The lengths of solutions that have a list: depths of waiting nodes have 16 bits."""

STAGES = ((100_000, 200_000), (2_000_000, 3_000_000), (30_000_000, 20_000_000))
"""When the boxes before a passage are searched: after so many positions generated, up to so many positions."""

ROOM = 1 << 14
"""The first number of nodes for which there is room."""

ROWS = 64
"""So many lengths more than the current one have shelves, so that they are not made again at each length."""

SWEPT_AFTER = Threshold(1 << 14)
"""A length is swept after so many of its positions: lengths that end sooner need nothing but dives."""

FIRST_SWEEP = Threshold(128)
"""The first sweep of a length expands so many positions of each depth. Which number finds a solution soon is luck."""

MOST_NODES = (1 << 31) - 1
"""The most nodes, and the most entries in their lists: both have numbers of 32 bits."""

TABLE_WORK = 60_000_000
"""The most sets of boxes times cells of a table of sets: about a second."""

MOST_TABLES, TABLES_MEMORY, PAIRS_MEMORY = 1 << 12, 1 << 28, 1 << 30
"""The most tables of distances with frozen boxes as walls, and the most bytes for them and for pairs of boxes."""

MOST_WAYS, WAYS_MEMORY = 1 << 14, 1 << 26
"""The most sets of goals for which the ways to the others are kept, and the most bytes for them."""


class Nodes:
    """The positions of a best-first search, the lists of those that wait, and the state of the loop."""

    def __init__(self, kernel: Any, words: int, watch: Watch, classes: int = 2) -> None:
        import numpy as np

        self.kernel, self.watch = kernel, watch
        self.arrays = (
            np.zeros((ROOM, words), np.uint64), np.zeros(ROOM, np.int16), np.zeros(ROOM, np.int32),
            np.zeros(ROOM, np.int16),
        )  # fmt: skip
        self.hints = np.zeros(ROOM, np.int16), np.zeros(ROOM, np.int16)
        kinds = np.int32, np.int32, np.int32, np.int32, np.int16
        self.entries = tuple(np.zeros(ROOM, kind) for kind in kinds)
        self.shelves = np.full((1, classes), -1, np.int32)
        self.slots = np.full(4 * ROOM, -1, np.int32)
        self.heads = np.full((2, LENGTHS), -1, np.int32)
        self.state = np.zeros(kernel.FIELDS, np.int64)
        by = watch.thresholds
        self.state[kernel.DIVES], self.state[kernel.NARROW] = by[SWEPT_AFTER], by[FIRST_SWEEP]

    @property
    def lists(self) -> tuple[Any, ...]:
        """The lists of nodes that wait, as the kernel wants them."""
        return self.entries, self.heads, self.shelves

    @property
    def size(self) -> int:
        """The number of nodes."""
        return int(self.state[self.kernel.NODES])

    def enter(self, key: np.ndarray, player: int, rest: int) -> None:
        """Make a position the first node."""
        kernel = self.kernel
        keys, players, _, rests = self.arrays
        keys[0], players[0], rests[0] = key, player, rest
        self.state[kernel.NODES] = 1
        kernel.rehash(keys, players, 1, self.slots)
        self.state[kernel.LONG] = rest >= self.heads.shape[1]
        if rest < min(kernel.FAR, self.heads.shape[1]):
            self.state[kernel.ENTRIES], self.state[kernel.FRONT] = 1, rest
            self.entries[2][0], self.entries[3][0], self.heads[0, rest], self.shelves[0, 0] = -1, -1, 0, 0

    def make_room(self, room: int, bound: int) -> None:
        """Lengthen the arrays that are nearly full; raise LimitError if their numbers or bytes would not fit."""
        import numpy as np

        kernel, state = self.kernel, self.state
        if max(state[kernel.NODES], state[kernel.ENTRIES]) + room > MOST_NODES:
            raise LimitError("positions", f"stopped after {MOST_NODES:,} positions, the most that are listed", bound)
        if len(self.shelves) <= state[kernel.FRONT]:
            rows = int(state[kernel.FRONT]) + ROWS
            self.watch.reserve(4 * rows * self.shelves.shape[1], bound)
            shelves = np.full((rows, self.shelves.shape[1]), -1, np.int32)
            shelves[: len(self.shelves)] = self.shelves
            self.shelves = shelves
        if len(self.arrays[0]) - state[kernel.NODES] < room:
            lengthen((*self.arrays, *self.hints), room, self.watch, bound)
        if len(self.entries[0]) - state[kernel.ENTRIES] < room:
            lengthen(self.entries, room, self.watch, bound)
        if 2 * (state[kernel.NODES] + room) > len(self.slots):
            size = 2 * len(self.slots)
            self.watch.reserve(self.slots.nbytes, bound)  # the slots before are freed first
            self.slots = np.zeros(0, np.int32)
            self.slots = np.full(size, -1, np.int32)
            kernel.rehash(self.arrays[0], self.arrays[1], self.size, self.slots)


class PushSearch:
    """One search: the level as arrays, and the nodes with their lists by length.

    Raises LimitError at a limit, with the length that is proved so far.

    steps  at most how many times the bound counts the distance of a box
    """

    steps = 1

    def __init__(self, model: Model, start: bytes, every: bool, watch: Watch) -> None:
        import numpy as np

        from ...kernels import boxes as kernel
        from .arrays import neighbours, pushes_in, pushes_out

        level = read(model)
        assert isinstance(level, Warehouse)
        self.kernel, self.level, self.every, self.watch = kernel, level, every, watch
        self.start = start
        boxes = level.boxes_in(start)
        self.count, self.whole = len(boxes), len(boxes) == len(level.goals)
        cells, goals = level.cells, len(level.goals)
        near, out, self.into = neighbours(level), pushes_out(level), pushes_in(level)
        parts = near.shape[1]
        self.goals = np.array(level.goals, np.int16)
        self.walled, self.work = self._tables(near)
        free = np.zeros(cells, np.uint8)
        kernel.walled(np.uint64(0), free, (near, self.into, self.goals), self.walled, self.work)
        alive = self.walled[4][0] >= 0 if self.whole else np.ones(cells, bool)
        self.cell_of = np.flatnonzero(alive).astype(np.int16)
        self.live = np.full(cells, -1, np.int16)
        self.live[self.cell_of] = np.arange(len(self.cell_of), dtype=np.int16)
        goal_at = np.full(cells, -1, np.int16)
        goal_at[self.goals] = np.arange(goals, dtype=np.int16)
        self.arrays = (near, out, self.into, self.goals, goal_at, self.live, self.cell_of)
        self.near, self.part, self.dist = near, self.walled[2][0], self.walled[3][0]
        self.part_count, self.proved = parts, 0
        self.nodes: Nodes | None = None
        none = np.zeros((0, 1), np.uint64), np.zeros(0, np.int16), np.zeros(0, np.int32), np.zeros(0, np.int32)
        self.gathered = (np.zeros(cells, np.uint8), np.zeros((cells, parts), np.int16), self.part, none, none)
        self.stages = list(STAGES) if self.whole else []
        self.solvable_start = all(self.live[cell] >= 0 for cell in boxes)
        if self.solvable_start:
            with phase("tables of deadlocks were computed"):
                self.triples = self._triples()
            self._begin()

    def _tables(self, near: np.ndarray) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        """Return the tables for sets of walls, as many as fit the memory, and the working memory that fills them."""
        import numpy as np

        parts, cells, goals = near.shape[1], len(near), len(self.goals)
        each = cells * (cells + 2 * parts * goals + 2) + 40
        self.watch.reserve(2 * each, 0)
        live = self._live_cells(near, parts)
        left = self.watch.memory_left(8 * PAIRS_MEMORY)
        share = PAIRS_MEMORY if left is None else min(PAIRS_MEMORY, max(0, left) // 4)  # of the limit of memory
        number = max(1, min(MOST_TABLES, TABLES_MEMORY // each, share // each)) if self.whole else 1
        sets = live * (live - 1) // 2
        alike = self.level.metric != "run" and len(self.level.boxes) == 1
        paired = alike and self.whole and self.count > 1 and sets * cells <= TABLE_WORK
        pool = min(share // 4, sets * cells * number) if paired else 0
        excesses = min(share, 4 * sets * goals**2 * number) if paired else 0
        regions, links = (4 * sets + cells, 24 * sets) if paired and 1200 * sets < share else (0, 0)
        self.watch.reserve(number * each + pool + pool // 8 + excesses + 50 * links, 0)
        walled = (
            np.zeros(number, np.uint64), np.full(2 << (2 * number).bit_length(), -1, np.int32),
            np.empty((number, cells, cells), np.int8), np.empty((number, cells, parts, goals), np.int16),
            np.empty((number, cells), np.int16), np.empty((number, 4), np.int64),
            (np.empty(pool, np.int8), np.empty(pool // 32, np.int32), np.empty(excesses, np.uint8)),
            np.zeros(4, np.int64), np.empty((number, goals), np.int16),
        )  # fmt: skip
        work = (
            np.empty(regions, np.int16), np.empty(regions + 1, np.int32), np.empty((links, 4), np.int32),
            np.empty(2 * regions, np.uint8), np.empty(self.kernel.NEVER, np.int32),
            np.empty((2 * links + regions, 2), np.int32),
            (np.zeros(cells, np.int32), np.zeros(cells, np.int16), np.zeros(cells, np.int16),
             np.zeros((cells * parts, 2), np.int16), np.zeros((0, 0), np.int16)),
        )  # fmt: skip
        return walled, work

    def _live_cells(self, near: np.ndarray, parts: int) -> int:
        """Return how many cells can have a box that reaches a goal."""
        import numpy as np

        cells, goals = len(near), len(self.goals)
        part, dist = np.empty((cells, cells), np.int8), np.empty((cells, parts, goals), np.int16)
        free, mark, queue = np.zeros(cells, np.uint8), np.zeros(cells, np.int32), np.zeros(cells, np.int16)
        self.kernel.parts_without(near, free, part, mark, queue)
        queue = np.zeros((cells * parts, 2), np.int16)
        self.kernel.box_distances(self.into, np.empty((0, 0), np.int16), free, part, self.goals, dist, queue)
        return int((dist < self.kernel.FAR).any(axis=(1, 2)).sum())

    def _begin(self) -> None:
        """Enter the start as the only node."""
        kernel, level = self.kernel, self.level
        boxes = level.boxes_in(self.start)
        generated = int(self.nodes.state[kernel.GENERATED]) if self.nodes is not None else 0
        player = self.start.index(bytes([level.player]))
        self.ways_in = self._no_ways()
        self.nodes = Nodes(kernel, -(-len(self.cell_of) // 64), self.watch, 2 * kernel.REGIONS * (self.count + 1))
        self.nodes.enter(self.key_of(boxes), self.region(boxes, player), min(self._bound(boxes, player), kernel.FAR))
        self.nodes.state[kernel.GENERATED] = generated

    def _no_ways(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the arrays for the ways to goals: see `class_of`; empty if they are not used."""
        import numpy as np

        cells, left = self.level.cells, self.watch.memory_left(8 * WAYS_MEMORY)
        most = WAYS_MEMORY if left is None else min(WAYS_MEMORY, left // 8)
        rows = min(MOST_WAYS, 1 << (most // (8 * cells)).bit_length() >> 1)
        if not self.whole or len(self.level.goals) > 64:
            rows = 0
        self.watch.reserve(8 * rows * (cells + 1), self.proved)
        return np.zeros(rows, np.uint64), np.zeros((rows, cells), np.uint64)

    def key_of(self, boxes: list[int]) -> np.ndarray:
        """Return the word of boxes, as bits of live cells."""
        import numpy as np

        key = np.zeros(-(-len(self.cell_of) // 64), np.uint64)
        for cell in boxes:
            key[self.live[cell] >> 6] |= np.uint64(1) << np.uint64(self.live[cell] & 63)
        return key

    def region(self, boxes: list[int], player: int) -> int:
        """Return the least cell of the player's region."""
        import numpy as np

        taken = np.zeros(self.level.cells, np.uint8)
        taken[boxes] = 1
        scratch = np.zeros(self.level.cells, np.int32), np.zeros(self.level.cells, np.int16)
        return int(self.kernel.flood(self.near, taken, player, scratch[0], 1, scratch[1])[0])

    def _gather(self, most: int) -> None:
        """Compute what the boxes need until they have made the push that all of them must make; start again.

        most  the positions after which the search ends
        """
        import numpy as np

        kernel, level = self.kernel, self.level
        boxes = level.boxes_in(self.start)
        before = np.zeros(level.cells, np.uint8)
        cells = np.array(boxes, np.int16)
        end, way = kernel.passage(self.into, self.arrays[1], self.part, self.dist, self.live, self.goals, cells, before)
        inside = [cell for cell in boxes if before[cell]]
        if end < 0 or len(inside) < 2:
            self.stages = []
            return
        dist = np.empty((level.cells, self.part_count), np.int16)
        queue = np.empty((level.cells * self.part_count, 2), np.int16)
        kernel.passage_distances(self.into, self.part, before, end, way, dist, queue)
        way_out = (before, end, way, dist, self.part)
        player = self.start.index(bytes([level.player]))
        behind = [cell for cell in boxes if not before[cell]]
        rest = sum(int(dist[cell, self.part[cell, player]]) for cell in inside)
        known = self._expanded(inside, rest, most, lambda *rest: kernel.gather(self.arrays, way_out, *rest))
        size = len(boxes)
        duals = [np.zeros(size + 1, np.int32) for _ in range(5)]
        rest = int(kernel.matched_behind(
            np.array([*behind, 0], np.int16), len(behind), player, size, end, self.into[end, way, 1], self.part,
            self.dist, np.zeros((size, size), np.int32), tuple(duals[:3]), *duals[3:], np.zeros(size + 1, np.bool_),
        ))  # fmt: skip
        other = self._expanded(
            behind, rest, most, lambda *rest: kernel.gather_behind(self.arrays, way_out, self.dist, size, *rest)
        )
        self.gathered = (before, dist, self.part, known[:4], other[:4])
        if known[4] and other[4]:
            self.stages = []
        self._begin()

    def _expanded(self, boxes: list[int], rest: int, most: int, gather: Callable[..., None]) -> tuple[Any, ...]:
        """Search with some boxes only; return the nodes, the least pushes from each, and whether all were expanded."""
        import numpy as np

        kernel, watch = self.kernel, self.watch
        nodes = Nodes(kernel, -(-len(self.cell_of) // 64), watch)
        player = self.start.index(bytes([self.level.player]))
        nodes.enter(self.key_of(boxes), self.region(boxes, player), min(rest, kernel.FAR))
        links, expanded = np.zeros((16 * ROOM, 3), np.int32), np.zeros(ROOM, np.uint8)
        room = len(self.cell_of) * self.arrays[1].shape[1] + 1
        ended = False
        with phase("the boxes on each side of a passage were searched"):
            while nodes.size < most and not ended:
                done, opened = int(nodes.state[kernel.GENERATED]), int(nodes.state[kernel.EXPANDED])
                gather(nodes.arrays, nodes.lists, nodes.slots, nodes.state, links, expanded, self._stride())
                watch.expand(int(nodes.state[kernel.EXPANDED]) - opened)
                watch.tick(int(nodes.state[kernel.GENERATED]) - done, self.proved)
                ended = nodes.state[kernel.STATUS] == kernel.EXHAUSTED
                if nodes.state[kernel.STATUS] == kernel.FULL:
                    nodes.make_room(room, self.proved)
                    if len(links) - nodes.state[kernel.LINKS] < room:
                        lengthen([links], room, watch, self.proved)
                    expanded = np.concatenate([expanded, np.zeros(len(nodes.arrays[0]) - len(expanded), np.uint8)])
            size, count = nodes.size, int(nodes.state[kernel.LINKS])
            watch.reserve(16 * count + 16 * size, self.proved)
            costs = np.zeros(size, np.int32)
            kernel.costs_to_go(links, count, nodes.arrays, size, expanded, costs)
        return nodes.arrays[0], nodes.arrays[1], nodes.slots, costs, ended

    def _triples(self) -> np.ndarray:
        """Return the sets of three boxes that can be brought to goals, by the cells of the player; empty if too large.

        Boxes of another number are not in it, so it proves nothing for them.
        """
        import numpy as np

        count, cells = len(self.cell_of), self.level.cells
        sets = count * (count - 1) * (count - 2) // 6
        if not self.whole or self.count < 3 or sets * cells > TABLE_WORK:
            return np.zeros((0, 1), np.uint64)
        words = -(-cells // 64)
        self.watch.reserve(8 * sets * words, 0)
        depth = 4 * sets + 64
        while True:
            bits = np.zeros((sets, words), np.uint64)
            stack = np.zeros((depth, 4), np.int16)
            marks, queue = np.zeros((2, cells), np.int32), np.zeros(cells, np.int16)
            work = np.zeros(cells, np.uint8), *marks, queue, *np.zeros((2, 3), np.int16)
            if self.kernel.solvable(self.near, self.into, self.live, self.cell_of, self.goals, bits, stack, work):
                return bits
            depth *= 4

    def _bound(self, boxes: list[int], player: int) -> int:
        """Return the cost of a cheapest matching of boxes and goals."""
        import numpy as np

        cost = np.zeros((len(boxes), len(boxes)), np.int32)
        for i, box in enumerate(boxes):
            cost[i, : len(self.goals)] = self.dist[box, self.part[box, player]]
        duals = [np.zeros(len(boxes) + 1, np.int32) for _ in range(5)]
        used = np.zeros(len(boxes) + 1, np.bool_)
        return int(self.kernel.matched(cost, len(boxes), *duals, used))

    def run(self) -> int | None:
        """Return the length of the shortest solutions, None if there is none."""
        kernel, watch = self.kernel, self.watch
        if not self.solvable_start:
            return None
        while True:
            nodes = self.nodes
            assert nodes is not None
            state = nodes.state
            done, opened = int(state[kernel.GENERATED]), int(state[kernel.EXPANDED])
            self._expand(nodes)
            status, length = int(state[kernel.STATUS]), int(state[kernel.FRONT])
            ended = status == kernel.EXHAUSTED
            watch.expand(int(state[kernel.EXPANDED]) - opened)
            watch.tick(int(state[kernel.GENERATED]) - done, 0 if ended else max(length, self.proved))
            if status in (kernel.SOLVED, kernel.EXHAUSTED):
                return length if status == kernel.SOLVED else None
            if length > self.proved:
                watch.layer(length, nodes.size, int(state[kernel.GENERATED]), bound=True)
                self.proved = length
                watch.known.prove(length)
            if status == kernel.FULL:
                nodes.make_room(self._room(), self.proved)
            if self.stages and state[kernel.GENERATED] > self.stages[0][0]:
                self._gather(self.stages.pop(0)[1])

    def check_impossible(self) -> None:
        """Raise UnsupportedError if positions may have been left out because they are too far from a solution."""
        kernel, dist = self.kernel, self.dist
        near = dist[dist < kernel.FAR]
        each = (int(near.max()) if near.size else 0) + kernel.NEVER // 2
        far = self.steps * self.count * each + self.level.cells >= kernel.FAR
        if far or (self.nodes is not None and self.nodes.state[kernel.LONG]):
            raise UnsupportedError(f"engine boxes: no solution has fewer than {min(LENGTHS, kernel.FAR):,} moves")

    def _expand(self, nodes: Nodes) -> None:
        """Run the compiled loop for a while."""
        near, out = self.arrays[:2]
        words = nodes.arrays[0].shape[1]
        work = self.kernel.search_work(len(near), out.shape[1], self.count, words, self.part_count, len(self.goals))
        self.kernel.search(
            self.arrays, self.walled, self.work, self.triples, self.gathered, nodes.arrays, nodes.hints, nodes.lists,
            nodes.slots, self.ways_in, nodes.state, work, self.whole, self.every, self._stride(),
        )  # fmt: skip

    def _room(self) -> int:
        """Return more than the number of positions that one position leads to."""
        return self.count * self.arrays[1].shape[1] + 1

    def _stride(self) -> int:
        """Return how many positions to generate before the limits are looked at."""
        left, stride = self.watch.positions_left, self.watch.thresholds[STRIDE]
        return stride if left is None else max(1, min(stride, left + 1))

    def layers(self, length: int, model: Model) -> tuple[frozenset[bytes], ...]:
        """Return the positions on shortest solutions by depth: on all of them, or on one."""
        import numpy as np

        assert self.nodes is not None
        _, _, depths, rests = self.nodes.arrays
        size = self.nodes.size
        ends = np.flatnonzero((rests[:size] == 0) & (depths[:size] == length))
        layer = set(ends.tolist() if self.every else ends[:1].tolist())
        found = np.zeros(self.count * self.into.shape[1], np.int32)
        every: list[frozenset[bytes]] = []
        for depth in range(length, -1, -1):
            every.append(frozenset(model.settled(self._position(node)) for node in paced(layer)))
            if not depth:
                break
            earlier: set[int] = set()
            for node in paced(layer):
                count = self.kernel.before(
                    node, self.near, self.into, self.live, self.cell_of, self.nodes.arrays, self.nodes.slots,
                    self.kernel.before_work(self.level.cells, self.count, self.nodes.arrays[0].shape[1]), found,
                )  # fmt: skip
                earlier.update(found[:count].tolist())
            layer = earlier if self.every else {min(earlier)}
        return tuple(reversed(every))

    def _position(self, node: int) -> bytes:
        """Return a position of a node."""
        assert self.nodes is not None
        level, position = self.level, bytearray([self.level.blank] * self.level.cells)
        for number, cell in enumerate(self.cell_of):
            if int(self.nodes.arrays[0][node, number >> 6]) >> (number & 63) & 1:
                position[cell] = level.boxes[0]
        position[self.nodes.arrays[1][node]] = level.player
        return bytes(position)
