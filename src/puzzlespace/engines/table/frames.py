"""Depth tables by frames: a frame is the placement of blanks, blocks and other special pieces.

Frames are the rows of the table, orders of the other pieces its columns; most moves leave the order unchanged.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations

import numpy as np

from ...contract.answers import Layers
from ...contract.questions import Depths
from ...errors import InputError
from ...limits.thresholds import USUAL, Threshold, Thresholds
from ...limits.watch import Watch
from ...model.facts import orbits
from ...model.goal import Goal
from ...model.metric import Metric
from ...model.model import Model
from ...ranking.counting import rank_order, unrank_order, unrank_orders
from ...structure import frames
from ...structure.frames import FrameGraph, FrameMove, OrderFrame, Turn
from ...structure.possible import usable
from . import OneBit
from .one_bit import count_layers, one_bit
from .order_turns import OrderTables, block, orders_of, table_bytes
from .pair_weights import inverted
from .row_column import TASK_WORDS, Arcs, ColumnTables, RowField

PART = 1 << 16
"""Columns of a table that are computed at once."""

SIGNED = 10
"""Bytes for each order of one parity beside its tables: the parities and the ranks after one turn, of all orders."""

LEAST_ORDERS = Threshold(64)
"""The least number of orders for which it is worthwhile: at least 2."""

WRITTEN = Threshold(1000)
"""The most positions that are unranked one by one, without a list of all orders.

Measured: an eighth and eight times as many changed `depths goat` by at most 3 %.
"""

MOST_FRAMES = Threshold(20_000)
"""The most frames: they are found one by one in plain Python. With five rules that takes a tenth of a second."""

MOST_TRIED = 1_000_000
"""The most times that rules are tried on frames to find them."""

TRIED_AGAIN = Threshold(200_000)
"""About how often rules are tried on frames to find the best reading of orders.

Plain Python tries 0.5 to 2.4 million rules a second, so this takes 0.1 to 0.4 s.
"""

WAYS = Threshold(24)
"""The most rules of which each is tried as the rule that a reading follows."""

MOST_ALIKE = 1 << 22
"""The most orders in a table if pieces are alike or orders have one parity."""

MOST_DIFFERENT = 1 << 26
"""The most orders in a table if all pieces differ."""

MOST_BYTES = 1 << 30
"""The most bytes of the tables of orders."""

COVERED = Threshold(7)
"""The least number of places whose orders a table covers."""

ASKED = Thresholds({LEAST_ORDERS: 2, WRITTEN: 0, TASK_WORDS: 1})
"""With these values no model is too small: for a table that is asked for by the name of its kind."""


@dataclass(frozen=True)
class FramePlan:
    """Frames, and the moves between them.

    model   the model, without rules that can never apply
    other   the symbol that represents all pieces of the order in a frame
    items   the pieces of the order, sorted
    frames  every reachable frame
    moves   the moves between them
    signs   for each frame the parity of its orders relative to the first frame; None if both parities are reachable
    odd     whether the anchor's order is odd, read in its own frame (only if all pieces differ)
    """

    model: Model
    other: int
    items: tuple[int, ...]
    frames: tuple[OrderFrame, ...]
    moves: tuple[FrameMove, ...]
    signs: tuple[int, ...] | None
    odd: int
    by: Thresholds = USUAL

    @cached_property
    def orders(self) -> int:
        """The number of orders that are ranked in each frame."""
        return orders_of(self.items) // (1 if self.signs is None else 2)

    @property
    def positions(self) -> int:
        return len(self.frames) * self.orders

    @cached_property
    def turns(self) -> tuple[tuple[int, Turn], ...]:
        """(parity of the orders it applies to, turn) for every table of orders that is needed."""
        return tuple(sorted({(self.sign(source), turn) for source, _, turn in self.moves}))

    @property
    def bytes(self) -> int:
        bits = 2 * 8 * len(self.frames) * -(-self.orders // 64)
        if self.signs is not None:  # a table has all orders of a row; the parities and one whole turn are beside them
            return bits + (8 * len(self.turns) + SIGNED) * self.orders
        return bits + table_bytes(self.items, [turn for _, turn in self.turns], self.by[COVERED])

    @property
    def one_bit(self) -> OneBit:
        words = len(self.frames) * -(-self.orders // 64)
        return one_bit(words, self.bytes - 16 * words)

    @cached_property
    def numbers(self) -> dict[bytes, int]:
        """The row of each frame."""
        return {frame: number for number, (frame, _) in enumerate(self.frames)}

    def sign(self, frame: int) -> int:
        """Return the parity of the orders of a frame; 0 if both parities are ranked."""
        return 0 if self.signs is None else self.signs[frame] ^ self.odd

    def number(self, position: bytes) -> tuple[int, int]:
        """Return (frame, order) of a position; raise InputError if it has none."""
        row = self.numbers.get(bytes(self.other if symbol in self.items else symbol for symbol in position))
        order = [position[cell] for cell in self.frames[row][1]] if row is not None else []
        if row is None or tuple(sorted(order)) != self.items:
            raise InputError("position: expected pieces placed as the rules lead to, found others")
        if self.signs is None:
            return row, rank_order(order)
        if _odd(order) != self.sign(row):
            raise InputError("position: expected an order of the other parity")
        return row, rank_order(order) >> 1

    def rank(self, position: bytes) -> int:
        row, column = self.number(position)
        return row * self.orders + column

    def unrank(self, number: int) -> bytes:
        row, column = divmod(number, self.orders)
        order = unrank_order(column if self.signs is None else column << 1, self.items)
        if self.signs is not None and _odd(order) != self.sign(row):
            order[0], order[1] = order[1], order[0]
        frame, cells = self.frames[row]
        position = bytearray(frame)
        for cell, piece in zip(cells, order, strict=True):
            position[cell] = piece
        return bytes(position)

    def show(self, rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
        """Return the positions of some frames and orders, one row of symbols each."""
        frames, cells, signs = self._frames
        out = frames[rows]
        columns = columns if self.signs is None else 2 * columns
        orders = self._orders_of(columns)
        if self.signs is not None:
            other = _odd_rows(orders) != signs[rows]
            orders[other, :2] = orders[other, 1::-1]
        out[np.arange(len(rows))[:, None], cells[rows]] = orders
        return out

    @cached_property
    def _frames(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """For each frame its symbols, the cells of the order, and the parity of the orders."""
        return (
            np.array([list(frame) for frame, _ in self.frames], np.uint8),
            np.array([cells for _, cells in self.frames]),
            np.array([self.sign(frame) for frame in range(len(self.frames))], bool),
        )

    def may_meet(self, goal: Goal) -> np.ndarray:
        """Return for each frame whether some order of its pieces may meet a goal."""
        allowed = np.array([[need >> symbol & 1 for symbol in range(self.model.symbols)] for need in goal.need], bool)
        placed = np.logical_or.reduce(allowed[:, list(set(self.items))], axis=1)
        frames, cells, _ = self._frames
        fits = allowed[np.arange(self.model.cells), frames]
        rows = np.arange(len(frames))[:, None]
        fits[rows, cells] = placed[cells]
        return np.logical_and.reduce(fits, axis=1)

    def _orders_of(self, numbers: np.ndarray) -> np.ndarray:
        """Return the orders of some ranks among all orders, one row of symbols each."""
        if len(numbers) <= self.by[WRITTEN]:
            return unrank_orders(numbers, self.items)
        if len(set(self.items)) < len(self.items):
            return self.tables.listed()[numbers]
        from ...kernels.table.permutations import unrank_rows

        orders = np.empty((len(numbers), len(self.items)), np.uint8)
        unrank_rows(numbers, orders)
        return np.array(self.items, np.uint8)[orders]

    @cached_property
    def tables(self) -> OrderTables:
        """The effect of turns on all orders."""
        return OrderTables(self.items, self.by[COVERED])


def _odd(order: Sequence[int]) -> int:
    return sum(order[a] > order[b] for b in range(len(order)) for a in range(b)) % 2


def _odd_rows(orders: np.ndarray) -> np.ndarray:
    """Return for each row whether its order is odd."""
    pairs = combinations(range(orders.shape[1]), 2)
    return np.bitwise_xor.reduce([orders[:, a] > orders[:, b] for a, b in pairs])


def plan(model: Model, by: Thresholds = USUAL) -> FramePlan | None:
    """Return the frames and their moves; None if there are too many or no pieces are left for an order."""
    if model.metric.after or model.start is None or not model.reversible:
        return None
    start = model.start
    model = replace(usable(model, start), metric=Metric())
    alike = frames.alike(model, start)
    items = tuple(sorted(symbol for symbol in start if symbol in alike))
    if len(items) == len(set(start)) == model.cells:
        items = items[:-1]
    different = len(set(items)) == len(items) > 1
    if not items or not by[LEAST_ORDERS] <= orders_of(items) <= (MOST_DIFFERENT if different else MOST_ALIKE):
        return None
    graph = _graph(model, start, items, by)
    if graph is None:
        return None
    signs = _signs(graph) if different else None
    cells = graph.frames[0].cells
    odd = _odd([start[cell] for cell in cells])
    if len({orbits(model)[items[0]][cell] for cell in cells}) > 1:
        return None  # `usable` drops rules for the anchor's pieces; with these pieces elsewhere, some might apply
    found = FramePlan(model, items[0], items, *graph, signs, odd, by)
    fits = signs is None or by[LEAST_ORDERS] <= found.orders <= MOST_ALIKE
    return found if fits and found.bytes < MOST_BYTES else None


def _graph(model: Model, start: bytes, items: tuple[int, ...], by: Thresholds) -> FrameGraph | None:
    """Return the frames and moves, with the reading of orders by which most moves leave the order unchanged."""
    ways: list[int | None] = [None, -1]
    if len(model.rules) <= by[WAYS]:
        ways += range(len(model.rules))
    graphs: list[FrameGraph] = []
    first, tried = frames.frame(start, frozenset(items)), 0
    most = min(by[MOST_FRAMES], MOST_TRIED // max(1, len(model.rules)))
    for way in ways:
        found = frames.graph(model, first, items[0], way, most)
        if found is None:
            return None
        graphs.append(found)
        tried += len(found.frames) * len(model.rules)
        if tried > by[TRIED_AGAIN]:
            break
    return min(graphs, key=lambda graph: _cost(graph, items, by[COVERED]))


def _cost(graph: FrameGraph, items: tuple[int, ...], least: int) -> float:
    """Return an estimate of the cost of a graph: its turns, and more for each table, which is slow to build."""
    turns = [turn for _, _, turn in graph.moves if turn != tuple(range(len(turn)))]
    made = sum(orders_of(block(items, turn, least)) for turn in set(turns))
    return len(turns) + 5 * made / orders_of(items)


def _signs(graph: FrameGraph) -> tuple[int, ...] | None:
    """Return a parity for each frame such that every move changes it by the parity of its turn, or None."""
    near: list[list[tuple[int, int]]] = [[] for _ in graph.frames]
    for source, target, turn in graph.moves:
        near[source].append((target, _odd(turn)))
        near[target].append((source, _odd(turn)))
    signs: dict[int, int] = {0: 0}
    pending = [0]
    while pending:
        frame = pending.pop()
        for neighbour, odd in near[frame]:
            if neighbour not in signs:
                signs[neighbour] = signs[frame] ^ odd
                pending.append(neighbour)
            elif signs[neighbour] != signs[frame] ^ odd:
                return None
    return tuple(signs[frame] for frame in range(len(graph.frames)))


def depths(plan: FramePlan, question: Depths, watch: Watch, threads: int | None = None) -> Layers:
    """Count the positions at each distance from the nearest source."""
    return count_layers(lambda: _field(plan), plan, question, watch, threads)


def _field(plan: FramePlan) -> RowField:
    number = {key: index for index, key in enumerate(plan.turns)}
    same = {turn for _, turn in plan.turns if turn == tuple(range(len(turn)))}

    def arcs(end: int) -> Arcs:
        """Return the moves by the frame at one end: 1 is the frame to which they lead."""
        rounds = _rounds(plan.moves, end)
        others, tables = np.full((2, max(1, len(rounds)), len(plan.frames)), -1, np.int32)
        for index, moves in enumerate(rounds):
            for move in moves:
                others[index, move[end]] = move[1 - end]
                tables[index, move[end]] = -1 if move.turn in same else number[plan.sign(move.before), move.turn]
        return Arcs(others, tables)

    return RowField(
        arcs(1), arcs(0), _tables(plan), len(plan.frames), plan.orders, plan.number, plan.show,
        may_meet=plan.may_meet, task=plan.by[TASK_WORDS],
    )  # fmt: skip


def _rounds(moves: Sequence[FrameMove], end: int) -> list[list[FrameMove]]:
    """Return the moves in groups with at most one move for each frame at one end: from it (0) or to it (1)."""
    rounds: list[list[FrameMove]] = []
    used: Counter[int] = Counter()
    for move in moves:
        frame = move[:2][end]
        if used[frame] == len(rounds):
            rounds.append([])
        rounds[used[frame]].append(move)
        used[frame] += 1
    return rounds


def _tables(plan: FramePlan) -> ColumnTables:
    """Return for every turn the rank after the turn of each order, and the inverse."""
    orders = OrderTables(plan.items, plan.by[COVERED])
    turns = plan.turns
    backs = [(sign ^ _odd(turn), back) for sign, turn in turns for back in inverted([turn])]
    lengths = [
        orders_of(block(plan.items, turn, plan.by[COVERED])) if plan.signs is None else plan.orders for _, turn in turns
    ]
    alike = len(set(plan.items)) < len(plan.items)
    found = ColumnTables.empty(lengths)
    for number, (there, back) in enumerate(zip(turns, backs, strict=True)):
        span = slice(*found.begins[number : number + 2])
        if plan.signs is not None:
            _signed(orders, *there, found.there[span])
            _signed(orders, *back, found.back[span])
            continue
        orders.turned(there[1], found.there[span])
        if alike:  # this takes one step of NumPy, a turn one for each exchange
            found.back[span][found.there[span]] = np.arange(lengths[number], dtype=np.uint32)
        else:
            orders.turned(back[1], found.back[span])
    return found


def _signed(orders: OrderTables, sign: int, turn: Turn, out: np.ndarray) -> None:
    """Write the table of a turn on the orders of one parity; of ranks 2c and 2c + 1, column c is the one with it."""
    odd = orders.odd()
    turned = np.empty(orders_of(block(orders.items, turn, orders.least)), np.uint32)
    orders.turned(turn, turned)
    for first in range(0, len(out), PART):
        part = slice(first, min(first + PART, len(out)))
        chosen = np.arange(2 * part.start, 2 * part.stop, 2) + (odd[2 * part.start : 2 * part.stop : 2] != sign)
        within = chosen % len(turned)
        out[part] = chosen - within + turned[within] >> 1
