"""Listed moves below pattern tables of their pieces: the arrays of `kernels.deepening.idastar_pieces`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

import numpy as np

from ...contract.answers import Geodesics
from ...contract.questions import Search
from ...errors import LimitError, UnsupportedError
from ...heuristics import finer_cosets, inverses, kept, marked_cosets, named_pieces, piece_tables, spelling
from ...heuristics.finer_cosets import FinerCosets
from ...heuristics.marked_cosets import MarkedCosets
from ...heuristics.piece_tables import PieceTable
from ...heuristics.pieces import Pieces
from ...kernels.deepening import idastar_pieces as kernel
from ...kernels.deepening.piece_tables import UNSEEN
from ...kernels.deepening.state import DEPTH, FOUND
from ...kernels.deepening.transpositions import SHIFT, STAMP
from ...limits.machine import spare_memory
from ...limits.threads import processors
from ...limits.thresholds import Threshold
from ...limits.watch import Watch, phase
from . import coset_search, move_words
from .iterations import NOTHING, SLOTS, PathDescent, Rounds, within_budget
from .latest import Latest
from .listed import goals_of, pieces_of
from .unsolvable import Exhaust

SLOW = 10
"""The time for a position, compared with a search along links."""


_COSETS: Latest[MarkedCosets | None] = Latest()
_FINER: Latest[FinerCosets | None] = Latest()

MOST_SLOTS = 1 << 18
"""The most slots of a transposition table: more do not fit the cache of a processor, and save few positions."""

LEAST_SLOTS = 1 << 10
"""The least slots of a transposition table, which takes at most a quarter of the memory that is left."""

PIECE_TABLES = Threshold(1 << 27)
"""Bytes of the tables of pieces that are computed after the first ones."""

SMALL_PIECE_TABLES = Threshold(1 << 22)
"""Bytes of the tables of pieces that are computed first."""

BELOW_SMALL_PIECES = Threshold(3_000_000)
"""Positions that a search below the first tables may generate before larger ones are computed."""

LARGE_PIECE_TABLES = Threshold(1 << 30)
"""Bytes of the tables of pieces that are computed last, and of a coset table."""

BELOW_PIECES = Threshold(20_000_000)
"""Positions that a search below the tables before the last ones may generate."""

ENTRIES_MARKED = Threshold(16)
"""A search below the depths of a coset table may generate one position for this many entries before marks of moves
are computed."""

FINER_TABLES = Threshold(1 << 32)
"""Bytes of a finer coset table."""

ENTRIES_FINER = Threshold(32)
"""A search below a coset table with marks may generate one position for this many entries of a finer table before that
is computed."""

ENTRIES_READ = Threshold(1024)
"""The same, before a finer table is read from the cache."""

VISITED_SLACK = Threshold(4)
"""Moves that must be left beyond the bound of a position to record it: near the end, few positions would be saved."""


class PieceArrays:
    """What all threads of a search share."""

    def __init__(self, given: Pieces, tables: Sequence[PieceTable], goals: Sequence[bytes], every: bool) -> None:
        self.given = given
        self.turns = given.turns
        self.goals = np.array([list(goal) for goal in goals], np.uint8)
        self.after = move_words.automaton(inverses.whole(given), every)
        self.table = piece_tables.joined(tables)
        begins = np.cumsum([0, *(table.size for table in tables)])
        opposite = inverses.read(given, goals[0])
        self.inverse = opposite.piece, opposite.state
        views = piece_tables.views(given, tables, goals, opposite.known)
        widest = max(len(table.chosen) for table in tables)
        near = inverses.undone(given)
        shape = np.array([[len(view.pieces), view.inverse, near and not view.inverse] for view in views], np.int64)
        weight, sources = np.zeros((2, len(views), widest), np.int64)
        cell = np.zeros((len(views), widest, given.turns.shape[2]), np.uint8)
        base = np.zeros(cell.shape, np.int64)
        for number, view in enumerate(views):
            size = len(view.pieces)
            weight[number, :size], sources[number, :size] = tables[view.table].weights[0], view.pieces
            cell[number, :size], base[number, :size] = view.cell, tables[view.table].base(view)
            base[number, 0] += begins[view.table]
        self.views = shape, weight, sources, cell, base
        self.bits = int(given.turns.shape[2] - 1).bit_length()
        self.words = -(-len(given.cells) // (64 // max(1, self.bits)))

    def bound(self, states: bytes) -> int:
        """Return the greatest depth of a position in the tables; `NOTHING` if no goal can be reached."""
        found = kernel.greatest(
            self.table, self.views, self.inverse, np.frombuffer(states, np.uint8), np.zeros(len(states), np.uint8)
        )
        return NOTHING if found == UNSEEN else int(found)


class PieceDescent(PathDescent):
    """A depth-first search by listed moves, on the states of pieces."""

    def __init__(self, arrays: PieceArrays, start: bytes, visited: np.ndarray, slack: int) -> None:
        self.arrays, self.visited, self.slack = arrays, visited, slack
        states = arrays.given.of(start)
        assert states is not None
        self.here = list(states) in arrays.goals.tolist()
        super().__init__(start, 0 if self.here else max(1, arrays.bound(states)), np.zeros(kernel.KILLER + 1, np.int64))
        self.states_here = states

    def begin(self, bound: int, every: bool, number: int) -> None:
        super().begin(bound, every, number)
        self.state[STAMP], self.state[kernel.BITS] = number, self.arrays.bits
        self.state[kernel.SLACK] = self.slack
        self.state[SHIFT] = 64 - max(1, len(self.visited).bit_length() - 1)
        moves, width, views = len(self.arrays.turns), len(self.states_here), len(self.arrays.views[0])
        # What follows a position of the path is written below it, so depths end at the bound.
        positions = np.zeros((bound + 1, width), np.uint8)
        positions[0] = list(self.states_here)
        self.states = positions, np.zeros((bound + 1, moves, width), np.uint8), np.zeros((bound + 1, views), np.uint8)
        self.lines = np.zeros((bound + 1, kernel.GOAL + 1), np.int64)
        self.numbers = np.zeros((bound + 1, moves, views), np.int64)
        self.values = np.full((bound + 1, views), UNSEEN, np.uint8)
        self.queue = np.zeros((bound + 1, views), np.int64)
        self.keys = np.zeros((1, self.arrays.words), np.uint64)
        self.twin = np.zeros(width, np.uint8)

    def run(self) -> int:
        if self.bound == 0:
            return self.stay(self.root == 0)
        here = self.arrays
        search = (
            here.turns, here.after, here.table, here.views, here.inverse, here.goals, self.states, self.lines,
            self.numbers, self.values, self.queue, self.keys, self.twin, self.visited, self.state,
        )  # fmt: skip
        with np.errstate(over="ignore"):
            return kernel.deepen(search, self.state)

    def path(self) -> Sequence[bytes]:
        if self.bound == 0 or self.said != FOUND:
            return [self.start]
        return [self.arrays.given.position(row) for row in self.states[0][: self.state[DEPTH] + 1].tolist()]


def search(question: Search, watch: Watch) -> Geodesics:
    """Return the positions on shortest solutions: below small tables within a budget, then below larger ones.

    A coset table takes the place of large tables of pieces if it has more arrangements. Groups of pieces that the
    question names have the only tables.

    Raises UnsupportedError if the puzzle has no pieces that all differ; as `named_pieces.groups` for named groups.
    """
    model, goals, by = question.model, goals_of(question), watch.thresholds
    if model.is_goal(question.start):
        return Geodesics((frozenset([question.start]),), 0, watch.seconds, 0)
    given, reason = None, "" if goals else "the goal is no position"
    for goal in goals:
        found = pieces_of(model, goal)
        if isinstance(found, str):
            reason = found
        elif found.of(question.start) is not None:
            given = found
            break
    if given is None:
        if reason:
            raise UnsupportedError(f"engine idastar: {reason}")
        return Geodesics((), watch.generated, watch.seconds)
    ends = [states for states in map(given.of, goals) if states is not None]
    room = watch.memory_left(8 * by[LARGE_PIECE_TABLES])
    most = (spare_memory() if room is None else room) // 4
    asked = spelling.divisions(spelling.numbered(question.heuristic, question.letters)) if question.heuristic else ()
    if any(asked):
        groups = named_pieces.groups(given, asked, min(by[LARGE_PIECE_TABLES], most), len(ends) == 1)
        return _below(question, given, ends, groups, watch)
    answer = None
    for budget, run in _stages(question, given, ends, most, watch):
        try:
            answer, over = within_budget(watch, budget, run)
        except LimitError as error:  # while tables were computed
            if answer is None:
                raise
            return Geodesics((), watch.generated, watch.seconds, answer.bound, error)
        if not over:
            break
    assert answer is not None
    return answer


def _stages(
    question: Search, given: Pieces, ends: Sequence[bytes], most: int, watch: Watch
) -> Iterator[tuple[int | None, Callable[[], Geodesics]]]:
    """Yield searches, each with the positions that it may generate."""
    by = watch.thresholds

    def below(size: int) -> Callable[[], Geodesics]:
        groups = piece_tables.choose(given, min(size, most), len(ends) == 1)
        return partial(_below, question, given, ends, groups, watch)

    cosets = None
    if len(ends) == 1:
        key = given.given, ends[0], min(by[LARGE_PIECE_TABLES], 2 * most)  # half of the memory: there is one table
        cosets = _COSETS.of(key, lambda: marked_cosets.table(given, ends[0], key[2]))
    if cosets is None:
        yield by[BELOW_SMALL_PIECES], below(by[SMALL_PIECE_TABLES])
        large = piece_tables.choose(given, min(by[LARGE_PIECE_TABLES], most), len(ends) == 1)
        if not all(kept.is_kept(PieceTable(given, group, ends)) for group in large):
            yield by[BELOW_PIECES], below(by[PIECE_TABLES])
        yield None, below(by[LARGE_PIECE_TABLES])
        return
    if not cosets.ready and not kept.is_kept(cosets):
        if not cosets.depths.ready and not kept.is_kept(cosets.depths):
            yield by[BELOW_SMALL_PIECES], below(by[SMALL_PIECE_TABLES])
        few = cosets.depths.expected // by[ENTRIES_MARKED]
        yield few, partial(coset_search.search, question, cosets, False, watch)
    finer = _FINER.of((key, by[FINER_TABLES]), partial(finer_cosets.table, cosets.depths, by[FINER_TABLES]))
    if finer is not None and not finer.ready and cosets.size + finer.size > 2 * most:
        finer = None
    if finer is not None and not finer.ready:
        few = finer.entries // by[ENTRIES_READ if kept.is_kept(finer) else ENTRIES_FINER]
        yield few, partial(coset_search.search, question, cosets, True, watch)
    yield None, partial(coset_search.search, question, cosets, True, watch, finer)


def _below(
    question: Search,
    given: Pieces,
    ends: Sequence[bytes],
    groups: Sequence[tuple[int, ...]],
    watch: Watch,
) -> Geodesics:
    """Search below the tables of some groups of pieces."""
    by = watch.thresholds
    with phase("tables of lower bounds were computed"):
        found = piece_tables.tables(given, ends, groups, watch.reserve, by[kept.KEPT_BYTES])
        if not found:
            raise UnsupportedError("engine idastar: no tables of pieces fit the memory")
        arrays = PieceArrays(given, found, ends, question.every)
    slots, each = 0 if question.every else min(by[SLOTS], MOST_SLOTS), 8 * (arrays.words + 1) * processors()
    left = watch.memory_left(4 * each * slots)
    while left is not None and slots > LEAST_SLOTS and 4 * each * slots > left:
        slots //= 2
    watch.reserve(each * slots)
    visited: dict[int, np.ndarray] = {}

    def descend(path: Sequence[bytes], thread: int) -> PieceDescent:
        if thread not in visited:
            visited[thread] = np.zeros((slots, arrays.words + 1), np.uint64)
        return PieceDescent(arrays, path[-1], visited[thread], by[VISITED_SLACK])

    rounds = Rounds(descend, Exhaust(question), slow=SLOW)
    return rounds.search(question, watch)
