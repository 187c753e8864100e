"""Build the tables for the kernels of `windows` from the tree of orders, with NumPy, one window at a time.

A window is (first place, place after the last one, left): the blank jumps over the pieces of the window. The source
order is the target order with the window rotated; if `left`, the first piece of the window becomes its last.
"""

from __future__ import annotations

import numpy as np

from .windows import CHUNKS, RUNS, TURN, Program, Shape
from .windows_orders import Orders

Window = tuple[int, int, bool]


def block_depth(orders: Orders, windows: list[Window], least: int) -> int:
    """Return how many leading places select the block: the number that makes the tables of all windows smallest.

    A window that reaches from the head into the tail must lie within a block. A window across the border of the blocks
    is listed for each state in which it begins, any other for each kind of block.

    least  the least number of words of a block, unless the whole table has fewer; smaller blocks cost too much overhead
    """
    most = min((first for first, last, _ in windows if first < orders.head < last), default=orders.head)
    best = (listed(orders, windows, 0)[0], 0)
    for depth in range(1, most + 1):
        if max(orders.leaves[state] for state in orders.passed(depth)) < least:
            break
        best = min(best, (listed(orders, windows, depth)[0], -depth))
    return -best[1]


def listed(orders: Orders, windows: list[Window], depth: int) -> tuple[int, int]:
    """Return how many runs and chunks are listed if the first `depth` places select the block: in all, and at once."""
    sizes = [
        sum(orders.ways(state, min(max(last, depth), orders.head + 1) - anchor) for state in orders.passed(anchor))
        for first, last, _ in windows
        for anchor in (min(first, depth),)
        if last - first > 1 and first < orders.head
    ]
    return sum(sizes), max(sizes, default=0)


class Builder:
    """Collects the rows of a Program, one window after the other.

    depth  the number of leading places that select the block
    """

    def __init__(self, orders: Orders, depth: int) -> None:
        self.orders = orders
        self.depth = depth
        digits, states = orders.spell(orders.root, depth)
        start = orders.number(digits, states, range(depth))
        self.start = np.append(start, orders.leaves[orders.root])
        self.states, self.kind = np.unique(states[:, -1], return_inverse=True)
        self.parity = digits.sum(1) % 2 if orders.halved else np.zeros(len(start), np.int64)
        self.forms: list[int] = []
        self.tails = self._tails()
        self.rows: list[tuple[int, int, int, int, int]] = []
        self.row: list[np.ndarray] = [np.zeros(0, np.int64)]
        self.first: list[np.ndarray] = [np.zeros(0, np.int64)]
        self.runs: list[np.ndarray] = [np.zeros((0, 4), np.int32)]
        self.begin: list[int] = []
        self.word: list[np.ndarray] = []
        self.chunks: list[np.ndarray] = []
        self.turns: dict[tuple[int, int, bool], np.ndarray] = {}

    def _tails(self) -> list[np.ndarray]:
        """Return for each kind of block the form of the tail in each of its words, see `Shape.tails`."""
        orders = self.orders
        spelt = [orders.spell(state, orders.head - self.depth) for state in self.states.tolist()]
        if orders.halved:
            self.forms = [0, 1]
            return [digits.sum(1) % 2 for digits, _ in spelt]
        self.forms = sorted({state for _, states in spelt for state in states[:, -1].tolist()})
        return [np.searchsorted(self.forms, states[:, -1]) for _, states in spelt]

    def shape(self) -> Shape:
        """Return how the heads are divided into blocks."""
        local = np.cumsum([0, *map(len, self.tails)])
        tails = np.concatenate(self.tails)
        return Shape(
            self.start, self.kind.astype(np.int64), self.parity.astype(np.int64), local, tails.astype(np.int32)
        )

    def program(self) -> Program:
        """Return the tables for all windows added so far."""
        turns = list(self.turns.values()) or [np.zeros((1, 8, 256), np.uint64)]
        sizes = np.concatenate([np.zeros(1, np.int64), *self.word]) if self.word else np.zeros(1, np.int64)
        return Program(
            np.array(self.rows, np.int64).reshape(-1, 5),
            np.concatenate(self.row),
            np.cumsum(np.concatenate([np.zeros(1, np.int64), *self.first])),
            np.concatenate(self.runs),
            np.array(self.begin or [0], np.int64),
            np.cumsum(sizes),
            np.concatenate(self.chunks) if self.chunks else np.zeros(0, np.uint64),
            np.stack(turns),
            self.orders.halved and self.orders.tail == 5,
        )

    def add(self, window: Window) -> int:
        """Add a window; return its number."""
        first, last, left = window
        if first >= self.orders.head and last - first > 1:
            self.rows.append((TURN, 0, self._turn(first, last, not left), 0, 0))
        elif first < self.orders.head < last and last - first > 1:
            self.rows.append(self._split(first, last, left))
        else:
            self.rows.append((RUNS, sum(map(len, self.row)), -1, 0, 0))
            self.row.append(self._runs(first, last, left))
        return len(self.rows) - 1

    def _runs(self, first: int, last: int, left: bool) -> np.ndarray:
        """List the runs of a window once for each state in which it begins; return for each block its row of `first`.

        A window that begins within the blocks is listed from their beginning; a window of one place moves nothing.
        """
        orders = self.orders
        anchor = min(first, self.depth) if last - first > 1 else self.depth
        digits, states = orders.spell(orders.root, anchor)
        block = np.searchsorted(self.start, orders.number(digits, states, range(anchor)))
        rows = np.zeros(len(self.kind), np.int64)
        for state in np.unique(states[:, -1]).tolist():
            base = sum(map(len, self.first))
            if last - first > 1:
                self._runs_of_state(state, anchor, range(first - anchor, last - anchor), left)
            else:
                self.first.append(np.ones(1, np.int64))
                self.runs.append(np.array([[0, 0, orders.leaves[state], 0]], np.int32))
            every = np.arange(len(self.first[-1]))
            rows[block[states[:, -1] == state][:, None] + every] = base + every
        return rows

    def _runs_of_state(self, state: int, anchor: int, window: range, left: bool) -> None:
        """List the runs below a state that follows `anchor` places, block by block."""
        orders = self.orders
        inner = range(self.depth - anchor)
        start = orders.number(*orders.spell(state, len(inner)), inner)
        places = range(max(window.stop, len(inner)))
        digits, states = orders.spell(state, len(places))
        target = orders.number(digits, states, places)
        words = orders.leaves[states[:, -1]]
        origin = orders.number(*orders.rotated(digits, states, window, left), places)
        block = np.searchsorted(start, target, side="right") - 1
        other = np.searchsorted(start, origin, side="right") - 1
        self.first.append(np.bincount(block, minlength=len(start)))
        columns = (target - start[block], origin - start[block], words, other - block)
        self.runs.append(np.column_stack([column.astype(np.int32) for column in columns]))

    def _split(self, first: int, last: int, left: bool) -> tuple[int, int, int, int, int]:
        """Add a window across the border of head and tail: one piece crosses the border, and the tail is rotated.

        If `left`, the rotation brings the piece to the first place of the tail before it crosses the border; else the
        rotation follows.
        """
        head = self.orders.head
        turn = self._turn(head, last, not left) if last - head > 1 else -1
        base = len(self.begin)
        for state in self.states.tolist():
            self.begin.append(sum(map(len, self.word)))
            self._chunks_of_kind(state, range(first - self.depth, head + 1 - self.depth), left)
        odd = (head - first) % 2 if self.orders.halved and not left else 0
        return (CHUNKS, base, turn, int(left), odd)

    def _chunks_of_kind(self, state: int, window: range, left: bool) -> None:
        orders = self.orders
        head = range(window.stop - 1)
        digits, states = orders.spell(state, window.stop)
        moved, passed = orders.rotated(digits, states, window, left)
        origin = orders.number(moved, passed, head).astype(np.uint64)
        shift = orders.number(moved, passed, window[-1:]).astype(np.uint64)
        length = orders.bits[states[:, -1]].astype(np.uint64)
        self.chunks.append(length << np.uint64(40) | shift << np.uint64(32) | origin)
        self.word.append(np.bincount(orders.number(digits, states, head)))

    def _turn(self, first: int, last: int, left: bool) -> int:
        """Return the number of the bit permutation of a word that rotates a window of the tail."""
        key = (first, last, left)
        if key not in self.turns:
            head = self.orders.head
            window = range(first - head, last - head)
            self.turns[key] = np.stack([self._turn_of_form(form, window, left) for form in self.forms])
        return list(self.turns).index(key)

    def _turn_of_form(self, form: int, window: range, left: bool) -> np.ndarray:
        """Return a bit permutation of words for one form of the tail: table [byte, value], the bits that it becomes."""
        orders = self.orders
        state = int(np.flatnonzero(orders.left == orders.tail)[0]) if orders.halved else form
        digits, states = orders.spell(state, orders.tail)
        if orders.halved and orders.tail > 1:
            even = digits.sum(1) % 2 == form
            digits, states = digits[even], states[even]
        places = range(orders.tail)
        goes = np.zeros(64, np.uint64)
        origin = orders.number(digits, states, places)
        target = orders.number(*orders.rotated(digits, states, window, left), places)
        goes[origin] = np.uint64(1) << target.astype(np.uint64)
        table = np.zeros((8, 256), np.uint64)
        for bit in range(8):
            with_bit = np.arange(256) >> bit & 1 == 1
            table[:, with_bit] |= goes[bit::8, None]
        return table
