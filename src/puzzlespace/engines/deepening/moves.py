"""Iterative deepening for any slide puzzle: the arrays of `kernels.deepening.idastar_moves`, and one search."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from ...contract.questions import Search
from ...heuristics.assignment import ENDLESS
from ...heuristics.sums import Sums, SumsView
from ...kernels.deepening import idastar_bounds as bounds
from ...kernels.deepening import idastar_moves as kernel
from ...kernels.deepening.state import DEPTH, FOUND, OWN
from ...kernels.deepening.transpositions import SHIFT, STAMP
from ...limits.threads import processors
from ...limits.thresholds import USUAL, Threshold, Thresholds
from ...limits.watch import Watch
from ...model.goal import Goal
from ...model.rule import Motion
from ..packed.arrays import positions_of
from ..packed.positions import PackedRule, Packing, packed_rules
from ..packed.records import coded, follower_lists, record, record_places, triggers
from .iterations import DEEPEST, SLOTS, Descent, Rounds

SLOW = 10
"""The time for a position, compared with a search along links."""

ROWS = Threshold(1 << 12)
"""Initial rows of the stack: at least two.

They double when full, so a smaller value costs at most one more copy of the rows.
"""

HANDED_OVER = Threshold(1 << 12)
"""Positions on shortest solutions that are returned at once."""


@dataclass
class Moves:
    """The arrays `plan` of `kernels.deepening.idastar_bounds`, which all threads of a search share."""

    question: Search
    goals: tuple[Goal, ...]
    sums: Sums

    def __post_init__(self) -> None:
        self.model = self.sums.slides.model
        ends = (self.question.start, *(goal.position for goal in self.goals if goal.position is not None))
        self.packing = Packing.of(self.model, ends)
        self.packed = packed_rules(self.model, self.packing, ends)
        self.symbols = 1 << self.packing.width
        self.tables = [_slots(view) for view in self.sums.views]
        self.plan = self._plan()

    def _plan(self) -> tuple[np.ndarray, np.ndarray]:
        found = triggers(self.packed, self.packing)
        code = coded(self.packed, follower_lists(self.model, self.packed), self.packing, found)
        places = record_places(self.packed, self.packing, found)
        facts = [0] * (bounds.HEAD + len(code))
        facts[bounds.RULES] = bounds.HEAD
        goals: list[int] = []
        for each in self._goal_records():
            goals.append(len(code))
            code += each
        for rule, at in places.items():
            facts[bounds.HEAD + at] = len(facts)
            facts += [*self._origin(self.packed[rule]), len(code), *self._gains(self.packed[rule])]
            code += self._masks(self.packed[rule])
        facts[bounds.JOINT], facts[bounds.PARITY] = self.sums.slides.joint, self.sums.parity is not None
        facts[bounds.SYMBOLS] = self.symbols
        cells = [number for each in self.packing.packed for number in self._cell(*each)]
        facts[bounds.VIEW_COUNT], facts[bounds.CELL_COUNT] = len(self.tables), len(self.packing.packed)
        facts[bounds.GOAL_COUNT], facts[bounds.FREE] = len(goals), bool(self.model.metric.after)
        for place, part in ((bounds.VIEWS, self._views(len(facts))), (bounds.CELLS, cells), (bounds.GOALS, goals)):
            facts[place] = len(facts)
            facts += part
        return np.array(code, np.uint64), np.array(facts, np.int64)

    def _motion(self, rule: PackedRule) -> Motion:
        motion = self.model.rules[rule.number].motion
        assert motion is not None
        return motion

    def _origin(self, rule: PackedRule) -> tuple[int, int]:
        place = self.packing.places[self._motion(rule).origin]
        assert place is not None
        return place

    def _goal_records(self) -> list[list[int]]:
        """Return the goals as rules that change nothing, except goals with other counts of symbols than the start."""
        found = []
        full, none = [0] * self.packing.words, [0] * self.packing.words
        for goal in self.goals:
            demand = self.packing.demand(enumerate(goal.need))
            if demand is not None and all(self.question.start.count(s) == count for s, count in goal.counts):
                found.append(record(PackedRule(-1, demand, full, none), [0, 0], {}))
        return found

    def _masks(self, rule: PackedRule) -> list[int]:
        """Return the bits of the cells that a rule reads, and the lowest bits of those that its piece passes."""
        motion, words = self._motion(rule), self.packing.words
        low, high = sorted((motion.origin, motion.target))
        masks = [0] * (2 * words)
        for cell, word, shift in self.packing.packed:
            if cell in self.model.rules[rule.number].cells:
                masks[word] |= (self.symbols - 1) << shift
            if low < cell < high:
                masks[words + word] |= 1 << shift
        return masks

    def _gains(self, rule: PackedRule) -> list[int]:
        """Return for each symbol what the rule adds to the sum and to the number of a view, and the view (-1: none)."""
        motion, blank = self._motion(rule), self.sums.slides.blank
        gains: list[int] = []
        for symbol in range(self.symbols):
            table = self.sums.alone.get(symbol)
            change, view = 0, -1
            for number, each in enumerate(self.sums.views):
                weigh = each.weight
                by = weigh(symbol, motion.target) - weigh(symbol, motion.origin)
                by += weigh(blank, motion.origin) - weigh(blank, motion.target)
                if by and each.holds(symbol):
                    change, view = by, number
            gains += [table[motion.target] - table[motion.origin] if table else 0, change, view]
        return gains

    def _cell(self, cell: int, word: int, shift: int) -> list[int]:
        alone = [self.sums.alone[s][cell] if s in self.sums.alone else 0 for s in range(self.symbols)]
        return [word, shift, *alone]

    def _views(self, begin: int) -> list[int]:
        """Return the facts of the views, with their slots; they will be stored from index `begin` on."""
        first = begin + 2 * len(self.tables)
        head: list[int] = []
        for table in self.tables:
            head += [first, len(table) // 3 - 1]
            first += len(table)
        return [*head, *chain.from_iterable(self.tables)]

    def begin(self, position: bytes) -> list[int]:
        """Return the row `sums` of a position, with 0 for its bound."""
        sums = self.sums
        total = sum(sums.alone[symbol][cell] for cell, symbol in enumerate(position) if symbol in sums.alone)
        numbered = [sum(view.weight(symbol, cell) for cell, symbol in enumerate(position)) for view in sums.views]
        odd = sums.parity is not None and bool(sums.parity.odd(position))
        return [total, int(odd), 0, 0, *numbered]


def _slots(view: SumsView) -> list[int]:
    """Return the slots of a view: a hash table with linear probing."""
    size = 1 << (2 * len(view.costs)).bit_length()
    slots = [-1, ENDLESS, ENDLESS] * size
    for number, costs in view.costs.items():
        at = number & (size - 1)
        while slots[3 * at] >= 0:
            at = (at + 1) & (size - 1)
        slots[3 * at : 3 * at + 3] = number, *costs
    return slots


class MoveDescent(Descent):
    """One thread's depth-first search. Its transposition table is kept from part to part."""

    def __init__(self, moves: Moves, by: Thresholds = USUAL) -> None:
        super().__init__(b"", 0, np.zeros(OWN + 6, np.int64))
        self.moves = moves
        self.words, columns = moves.packing.words, bounds.VIEW + len(moves.sums.views)
        self.rows = np.zeros((by[ROWS], 2 * self.words), np.uint64), np.zeros((by[ROWS], columns), np.int64)
        self.frames = np.zeros((DEEPEST + 2, 4), np.int64)
        self.table = np.zeros((by[SLOTS], self.words + 1), np.uint64)
        self.out = np.zeros((by[HANDED_OVER], self.words + 1), np.uint64)
        self.state[SHIFT] = 64 - (by[SLOTS] - 1).bit_length()

    def place(self, position: bytes) -> MoveDescent:
        """Return this descent, prepared for a search from another position."""
        keys, sums = self.rows
        keys[0, : self.words] = self.moves.packing.pack(position)
        sums[0] = self.moves.begin(position)
        sums[0, bounds.BOUND] = kernel.bound_of(self.moves.plan, self.rows, 0)
        self.start, self.root = position, int(sums[0, bounds.BOUND])
        return self

    def begin(self, bound: int, every: bool, number: int) -> None:
        super().begin(bound, every, number)
        self.state[STAMP], self.state[SHIFT + 1 :] = number, 0
        self.state[kernel.EVERY] = every
        self.frames[0] = 0, 1, 0, 0

    def run(self) -> int:
        self.state[kernel.OUT] = 0
        place = self.frames, self.table, self.out
        with np.errstate(over="ignore"):
            said = kernel.deepen(self.moves.plan, self.rows, place, self.state, self.bound)
        if said == kernel.CRAMPED:
            keys, sums = self.rows
            self.rows = np.concatenate([keys, np.zeros_like(keys)]), np.concatenate([sums, np.zeros_like(sums)])
        return said

    def found(self) -> list[tuple[int, bytes]]:
        if self.said == FOUND:
            rows = self.frames[: self.state[DEPTH] + 1, kernel.ROW]
            return list(enumerate(positions_of(self.moves.packing, self.rows[0][rows, : self.words])))
        depths = self.out[: self.state[kernel.OUT], 0].tolist()
        return list(zip(depths, positions_of(self.moves.packing, self.out[: len(depths), 1:]), strict=True))


def rounds(question: Search, goals: tuple[Goal, ...], sums: Sums, watch: Watch) -> Rounds:
    """Return the rounds of a search for any slide puzzle whose positions can be packed into words.

    Raises LimitError if the transposition tables pass the limit of memory.
    """
    watch.reserve(watch.thresholds[SLOTS] * 32 * processors())
    moves = Moves(question, goals, sums)
    threads: dict[int, MoveDescent] = {}

    def descend(path: Sequence[bytes], thread: int) -> MoveDescent:
        if thread not in threads:
            threads[thread] = MoveDescent(moves, watch.thresholds)
        return threads[thread].place(path[-1])

    return Rounds(descend, sparing=True, slow=SLOW)
