"""Best-first search (A*) for a player who pushes boxes, in the metric `push`; docs/methods/boxes.md.

Positions are the boxes as a set of bits and the least cell of the player's region. The lower bound is a minimum-cost
matching of boxes and goals. Pruned are cells from which no box reaches a goal, pairs and triples of boxes that cannot
be brought to goals, boxes that can never move again, and pushes that can wait because a corral must be opened first.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..contract.answers import Geodesics
from ..contract.questions import Depths, Engine, Prospect, Search, Space, Worth, model_of
from ..errors import LimitError
from ..limits.watch import Watch, paced, phase
from ..model.model import ANY, Model, Recent, Rule, only, single_symbol

if TYPE_CHECKING:
    import numpy as np

LENGTHS = 1 << 16
"""More than any length of a solution plus its bound."""

ROOM = 1 << 14
"""The first number of nodes for which there is room."""

TABLE_WORK = 60_000_000
"""The most sets of boxes times cells of a table of sets that cannot be solved: about a second."""


@dataclass(frozen=True)
class Warehouse:
    """The rules of a player, boxes of one kind and one goal, read from a model.

    steps   (cell, neighbour) of the player
    pushes  (cell of the player, cell of the box, cell behind it)
    goals   the cells that must have a box
    """

    cells: int
    player: int
    box: int
    blank: int
    steps: tuple[tuple[int, int], ...]
    pushes: tuple[tuple[int, int, int], ...]
    goals: tuple[int, ...]


def _read(model: Model) -> Warehouse | str:
    if model.metric.name != "push" or model.metric.after or not model.metric.free:
        return "it counts pushes, and walking must be free"
    free = set(model.metric.free)
    first = model.rules[model.metric.free[0]]
    player, blank = (single_symbol(need) for need in first.need)
    pushing = next((rule for number, rule in enumerate(paced(model.rules)) if number not in free), None)
    box = single_symbol(pushing.need[1]) if pushing is not None and len(pushing.cells) == 3 else None
    if player is None or blank is None or box is None:
        return "there are no boxes to push, or boxes of several kinds"
    steps: list[tuple[int, int]] = []
    pushes: list[tuple[int, int, int]] = []
    for number, rule in enumerate(paced(model.rules)):
        if number in free and _moves(rule, (player, blank), (1, 0)):
            steps.append((rule.cells[0], rule.cells[1]))
        elif number not in free and _moves(rule, (player, box, blank), (2, 0, 1)):
            pushes.append((rule.cells[0], rule.cells[1], rule.cells[2]))
        else:
            return "some rules are not steps of a player or pushes of boxes of one kind"
    near = set(steps)
    if not all({(a, b), (b, a), (b, c), (c, b)} <= near for a, b, c in pushes):
        return "the player cannot walk where boxes are pushed"
    if len(model.goals) != 1 or model.goals[0].counts or model.start is None:
        return "there is no start, or not one goal"
    if model.start.count(player) != 1:
        return "there are several players"
    goals: list[int] = []
    for cell, need in enumerate(model.goals[0].need):
        empty = need >> blank & 1 and need >> player & 1
        if need == only(box):
            goals.append(cell)
        elif need != ANY and not empty:
            return "the goal says where the player is"
        elif need != ANY and not need >> box & 1 and model.start.count(box) > _wanted(model, box):
            return "the goal wants cells free, and there are more boxes than goals"
    return Warehouse(model.cells, player, box, blank, tuple(steps), tuple(pushes), tuple(goals))


def _wanted(model: Model, box: int) -> int:
    return sum(need == only(box) for need in model.goals[0].need)


def _moves(rule: Rule, symbols: tuple[int, ...], source: tuple[int, ...]) -> bool:
    """Return whether a rule needs exactly these symbols and carries them as `source` says."""
    return rule.need == tuple(map(only, symbols)) and rule.source == source and not any(rule.table)


_recent = Recent(_read)


def refuses(space: Space, question: str) -> str | None:
    """Return why the engine cannot answer, or None."""
    if question != "search":
        return "it searches for a solution and builds no depth table"
    model = model_of(space)
    if model is None:
        return "its moves are Python functions, not rules"
    found = _recent.of(model)
    return found if isinstance(found, str) else None


def worth(question: Depths | Search, prospect: Prospect) -> Worth:
    """Return how many positions plain Python may generate before, or why this engine cannot answer."""
    return refuses(question.space, "search") or prospect.watch.thresholds.attempt_boxes


def search(question: Search, watch: Watch) -> Geodesics:
    """Return the positions on shortest solutions: on all if the question asks for every, else on one."""
    model = question.space
    assert isinstance(model, Model)
    if model.is_goal(question.start):
        return Geodesics((frozenset([question.start]),), 0, watch.seconds, 0)
    level = _recent.of(model)
    assert isinstance(level, Warehouse)
    try:
        best = PushSearch(level, question.start, question.every, watch)
        length = best.run()
        layers = () if length is None else best.layers(length, model)
    except LimitError as error:
        return Geodesics((), watch.generated, watch.seconds, error.bound, error)
    return Geodesics(layers, watch.generated, watch.seconds, length)


class PushSearch:
    """One search: the level as arrays, and the nodes with their lists by length.

    Raises LimitError at a limit, with the length that is proved so far.
    """

    def __init__(self, level: Warehouse, start: bytes, every: bool, watch: Watch) -> None:
        import numpy as np

        from ..kernels import boxes as kernel

        self.kernel, self.level, self.every, self.watch = kernel, level, every, watch
        self.start = start
        boxes = [cell for cell, symbol in enumerate(start) if symbol == level.box]
        self.count, self.whole = len(boxes), len(boxes) == len(level.goals)
        watch.reserve(level.cells**2 + 8 * level.cells * (len(level.goals) + 1), 0)
        near = _rows([[b for a, b in level.steps if a == cell] for cell in range(level.cells)])
        self.into = _pairs([[(a, b) for a, b, c in level.pushes if c == cell] for cell in range(level.cells)])
        out = _pairs([[(a, c) for a, b, c in level.pushes if b == cell] for cell in range(level.cells)])
        part = np.empty((level.cells, level.cells), np.int8)
        parts = int(kernel.parts_without(near, part))
        self.goals = np.array(level.goals, np.int16)
        dist = np.empty((level.cells, parts, len(level.goals)), np.int32)
        kernel.box_distances(np.array(level.pushes, np.int16).reshape(-1, 3), part, self.goals, dist)
        alive = (dist < kernel.FAR).any(axis=(1, 2)) if self.whole else np.ones(level.cells, bool)
        self.cell_of = np.flatnonzero(alive).astype(np.int16)
        self.live = np.full(level.cells, -1, np.int16)
        self.live[self.cell_of] = np.arange(len(self.cell_of), dtype=np.int16)
        is_goal = np.zeros(level.cells, np.uint8)
        is_goal[self.goals] = 1
        self.arrays = (near, out, self.live, self.cell_of, is_goal, part, dist)
        self.near, self.dist, self.part = near, dist, part
        self.state = np.zeros(6, np.int64)
        self.solvable_start = all(self.live[cell] >= 0 for cell in boxes)
        if self.solvable_start:
            self._enter(boxes)

    def _enter(self, boxes: list[int]) -> None:
        """Make the arrays of the search with the start as the only node."""
        import numpy as np

        kernel, words = self.kernel, -(-len(self.cell_of) // 64)
        with phase("tables of deadlocks were computed"):
            self.tables = (self._table(2), self._table(3)) if self.whole else (self._no_table(), self._no_table())
        self.nodes = (
            np.zeros((ROOM, words), np.uint64), np.zeros(ROOM, np.int16), np.zeros(ROOM, np.int32),
            np.zeros(ROOM, np.int16),
        )  # fmt: skip
        self.entries = tuple(np.zeros(ROOM, np.int32) for _ in range(3))
        self.slots = np.full(4 * ROOM, -1, np.int32)
        self.heads = np.full(LENGTHS, -1, np.int32)
        keys, players, _, rests = self.nodes
        for cell in boxes:
            keys[0, self.live[cell] >> 6] |= np.uint64(1) << np.uint64(self.live[cell] & 63)
        taken = np.zeros(self.level.cells, np.uint8)
        taken[boxes] = 1
        scratch = np.zeros(self.level.cells, np.int32), np.zeros(self.level.cells, np.int16)
        player = self.start.index(bytes([self.level.player]))
        players[0], _ = kernel.flood(self.near, taken, player, scratch[0], 1, scratch[1])
        rests[0] = min(self._bound(boxes, player), kernel.FAR)
        self.state[kernel.NODES] = 1
        kernel.rehash(keys, players, 1, self.slots)
        if rests[0] < kernel.FAR:
            self.state[kernel.ENTRIES] = 1
            self.entries[2][0] = -1
            self.heads[rests[0]] = 0
            self.state[kernel.FRONT] = rests[0]

    def _no_table(self) -> np.ndarray:
        import numpy as np

        return np.zeros((0, 1), np.uint64)

    def _table(self, size: int) -> np.ndarray:
        """Return the sets of `size` boxes that can be brought to goals, by the cells of the player; empty if too large.

        Boxes of another number are not in it, so it proves nothing for them.
        """
        import numpy as np

        count, words = len(self.cell_of), -(-self.level.cells // 64)
        sets = count * (count - 1) // 2 if size == 2 else count * (count - 1) * (count - 2) // 6
        if self.count < size or sets * self.level.cells > TABLE_WORK:
            return self._no_table()
        self.watch.reserve(8 * sets * words, int(self.state[self.kernel.FRONT]))
        depth = 4 * sets + 64
        while True:
            bits = np.zeros((sets, words), np.uint64)
            stack = np.zeros((depth, 4), np.int16)
            if self.kernel.solvable(
                self.near, self.into, self.live, self.cell_of, self.goals, size, bits, stack
            ):  # fmt: skip
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
        kernel, state, watch = self.kernel, self.state, self.watch
        if not self.solvable_start or not state[kernel.ENTRIES]:
            return None
        front = int(state[kernel.FRONT])
        while True:
            done = int(state[kernel.GENERATED])
            kernel.search(
                self.arrays, self.tables, self.nodes, self.entries, self.slots, self.heads, state, self.count,
                self.whole, self.every, watch.thresholds.stride,
            )  # fmt: skip
            status, length = int(state[kernel.STATUS]), int(state[kernel.FRONT])
            watch.tick(int(state[kernel.GENERATED]) - done, length if status != kernel.EXHAUSTED else 0)
            if status in (kernel.SOLVED, kernel.EXHAUSTED):
                return length if status == kernel.SOLVED else None
            if length > front:
                watch.layer(length, int(state[kernel.NODES]), int(state[kernel.GENERATED]), bound=True)
                front = length
            if status == kernel.FULL:
                self._make_room()

    def _make_room(self) -> None:
        """Double the arrays that are nearly full."""
        import numpy as np

        kernel, state = self.kernel, self.state
        length = int(state[kernel.FRONT])
        room = self.count * self.arrays[1].shape[1] + 1
        if len(self.nodes[0]) - state[kernel.NODES] < room:
            self.watch.reserve(2 * sum(each.nbytes for each in self.nodes), length)
            self.nodes = tuple(np.concatenate([each, np.zeros_like(each)]) for each in self.nodes)
        if len(self.entries[0]) - state[kernel.ENTRIES] < room:
            self.watch.reserve(2 * sum(each.nbytes for each in self.entries), length)
            self.entries = tuple(np.concatenate([each, np.zeros_like(each)]) for each in self.entries)
        if 2 * (state[kernel.NODES] + room) > len(self.slots):
            self.watch.reserve(2 * self.slots.nbytes, length)
            self.slots = np.full(2 * len(self.slots), -1, np.int32)
            kernel.rehash(self.nodes[0], self.nodes[1], int(state[kernel.NODES]), self.slots)

    def layers(self, length: int, model: Model) -> tuple[frozenset[bytes], ...]:
        """Return the positions on shortest solutions by depth: on all of them, or on one."""
        import numpy as np

        _, _, depths, rests = self.nodes
        size = int(self.state[self.kernel.NODES])
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
                    node, self.near, self.into, self.live, self.cell_of, self.nodes, self.slots, self.count, found
                )
                earlier.update(found[:count].tolist())
            layer = earlier if self.every else {min(earlier)}
        return tuple(reversed(every))

    def _position(self, node: int) -> bytes:
        """Return a position of a node."""
        level, position = self.level, bytearray([self.level.blank] * self.level.cells)
        for number, cell in enumerate(self.cell_of):
            if int(self.nodes[0][node, number >> 6]) >> (number & 63) & 1:
                position[cell] = level.box
        position[self.nodes[1][node]] = level.player
        return bytes(position)


def _rows(lists: list[list[int]]) -> np.ndarray:
    """Return int16 rows of numbers, -1 after the last; each row has at least one -1."""
    import numpy as np

    width = max(map(len, lists), default=0) + 1
    return np.array([row + [-1] * (width - len(row)) for row in lists], np.int16)


def _pairs(lists: list[list[tuple[int, int]]]) -> np.ndarray:
    """Return int16 rows of pairs, (-1, -1) after the last; each row has at least one."""
    import numpy as np

    width = max(map(len, lists), default=0) + 1
    rows: list[list[Any]] = [[*row, *[(-1, -1)] * (width - len(row))] for row in lists]
    return np.array(rows, np.int16)


ENGINE = Engine("boxes", refuses, search=search, speed=3000, worth=worth)
