"""Listed moves below a coset table: the arrays of `kernels.deepening.idastar_cosets`."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Lock

import numpy as np

from ...contract.answers import Geodesics
from ...contract.questions import Search
from ...heuristics import inverses, kept
from ...heuristics.coset_tables import CosetTable
from ...kernels.deepening import idastar_cosets as kernel
from ...kernels.deepening.cosets import UNSEEN
from ...kernels.deepening.state import DEPTH, FOUND
from ...limits.threads import processors
from ...limits.watch import Watch, phase
from .iterations import NOTHING, PathDescent, Rounds
from .listed import followers_of, may_follow
from .unsolvable import Exhaust

SLOW = 2
"""The time for a position, compared with a search along links."""

_FILLING = Lock()
"""Other threads wait while one of them fills a table."""


class CosetArrays:
    """What all threads of a search share."""

    def __init__(self, table: CosetTable, every: bool) -> None:
        given = table.pieces
        self.table, self.bits, self.given, self.turns = table, table.bits, given, given.turns
        self.goal = np.array(list(table.goal), np.uint8)
        after = may_follow(followers_of(inverses.acts(given))[every])
        numbers = table.place.number, table.turned.number, table.second.number
        self.lists = table.classes[0], table.conjugates, *numbers
        self.steps = table.place.steps, table.turned.steps, table.second.steps
        ahead = np.array([table.codes(view) for view in table.views])
        renamed = np.array([table.moves(view) for view in table.views])
        opposite = inverses.read(given, table.goal)
        self.inverse = opposite.piece, opposite.state
        back = np.zeros((0, *ahead.shape[1:]), np.int64)
        self.undo = inverses.undoing(given)
        if len(opposite.known) == len(given.cells):
            back = np.ascontiguousarray(ahead[:, opposite.piece, opposite.state])
        backward = after.copy()
        backward[:-1] = after[np.ix_(self.undo, self.undo)].T
        bits = 1 << np.arange(len(self.undo), dtype=np.int64)
        self.after = np.array([after, backward]) @ bits
        fixed = np.array([table.fixed(view) for view in table.views])
        self.views = renamed, ahead, back, fixed[:, self.undo] @ bits

    def depths(self, states: bytes) -> list[int]:
        """Return the depth of a position in each view, then those of the inverse position."""
        _, ahead, back, _ = self.views
        codes = np.concatenate([ahead, back])
        found = np.zeros(len(codes), np.int64)
        turns, row = len(self.table.turned.rows), np.frombuffer(states, np.uint8)
        kernel.depths(codes, self.lists, self.bits, turns, self.table.shift, row, found)
        return found.tolist()

    def bound(self, states: bytes) -> int:
        """Return the greatest bound of a position; `NOTHING` if the goal cannot be reached."""
        found = self.depths(states)
        if UNSEEN in found:
            return NOTHING
        return max(found)

    def marks(self, states: bytes) -> list[tuple[int, int, int]]:
        """Return the coordinates of a position in each view."""
        found = []
        place, turned, second = self.table.place, self.table.turned, self.table.second
        for codes in self.views[1]:
            total = int(codes[range(len(states)), list(states)].sum())
            turn = total >> kernel.TURNED & ((1 << (kernel.SECOND - kernel.TURNED)) - 1)
            code = total & ((1 << kernel.TURNED) - 1)
            found.append(
                (int(place.number[code]), int(turned.number[turn]), int(second.number[total >> kernel.SECOND]))
            )
        return found


class CosetDescent(PathDescent):
    """A depth-first search by listed moves from both ends of a solution, on the states of pieces."""

    def __init__(self, arrays: CosetArrays, start: bytes) -> None:
        self.arrays = arrays
        states = arrays.given.of(start)
        assert states is not None
        here = list(states) == arrays.goal.tolist()
        super().__init__(start, 0 if here else max(1, arrays.bound(states)), np.zeros(kernel.SHIFT + 1, np.int64))
        self.states_here = states

    def begin(self, bound: int, every: bool, number: int) -> None:
        super().begin(bound, every, number)
        here = self.arrays
        self.state[kernel.BOUND], self.state[kernel.SHIFT] = bound, here.table.shift
        moves, width = here.turns.shape[:2]
        ways, levels = len(here.views[0]), bound + 1
        self.states = np.zeros((levels, width), np.uint8)
        self.states[0] = list(self.states_here)
        self.marks = np.zeros((levels, ways, 3), np.int64)
        self.marks[0] = here.marks(self.states_here)
        self.lines = np.zeros((levels, kernel.OPEN + 1), np.int64)
        self.lines[0] = moves, moves, 0, 0, 0, -1, here.after[0, moves]
        self.kids = np.zeros((levels, moves, width), np.uint8)
        self.rated = np.zeros((levels, 1 + 2 * ways, moves), np.uint8)
        self.barred = np.zeros((levels, 2, moves), np.int64)
        self.desk = np.zeros((5, moves + ways), np.int64)
        self.asked = np.zeros((moves, ways, 2), np.int64)
        self.values = np.full((levels, ways), UNSEEN, np.uint8)
        self.values[0] = here.depths(self.states_here)[:ways]

    def run(self) -> int:
        if self.bound == 0:
            return self.stay(self.root == 0)
        here = self.arrays
        return kernel.deepen(
            here.turns,
            here.after,
            here.bits,
            here.steps,
            here.lists,
            here.views,
            here.inverse,
            here.goal,
            self.states,
            self.marks,
            self.lines,
            self.kids,
            self.rated,
            self.barred,
            self.desk,
            self.asked,
            self.values,
            self.state,
        )

    def path(self) -> Sequence[bytes]:
        if self.bound == 0 or self.said != FOUND:
            return [self.start]
        here = self.arrays
        lines = self.lines[: self.state[DEPTH] + 1].tolist()
        ends: tuple[list[int], list[int]] = [], []
        for before, line in zip(lines, lines[1:], strict=False):
            ends[before[kernel.SIDE]].append(line[kernel.MOVE])
        states, found = list(self.states_here), [self.start]
        for move in (*ends[0], *(here.undo[each] for each in reversed(ends[1]))):
            states = [int(here.turns[move, piece, state]) for piece, state in enumerate(states)]
            found.append(here.given.position(states))
        return found


def search(question: Search, table: CosetTable, watch: Watch, proved: int) -> Geodesics:
    """Search below a coset table, read from the cache or computed, for solutions of at least `proved` moves."""
    with phase("tables of lower bounds were computed"), _FILLING:
        if not table.ready:
            kept.fill_each((table,), table.scratch, processors(), watch.reserve, watch.thresholds.kept_bytes)
            table.ready = True
        arrays = CosetArrays(table, question.every)

    def descend(path: Sequence[bytes], _thread: int) -> CosetDescent:
        return CosetDescent(arrays, path[-1])

    return Rounds(descend, Exhaust(question), slow=SLOW, proved=proved).search(question, watch)
