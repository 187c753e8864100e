"""Listed moves below a coset table: the arrays of `kernels.deepening.idastar_cosets`."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Lock

import numpy as np

from ...contract.answers import Geodesics
from ...contract.questions import Search
from ...heuristics import inverses, kept
from ...heuristics.coset_tables import CosetTable
from ...heuristics.finer_cosets import FinerCosets
from ...heuristics.marked_cosets import MarkedCosets
from ...kernels.deepening import finer_cosets as finer_kernel
from ...kernels.deepening import idastar_cosets as kernel
from ...kernels.deepening.cosets import MARKS, UNSEEN
from ...kernels.deepening.state import DEPTH, FOUND, FRESH
from ...kernels.widths import SUMS
from ...limits.threads import processors
from ...limits.thresholds import Threshold
from ...limits.watch import Watch, phase
from .iterations import NOTHING, PathDescent, Rounds
from .listed import followers_of, may_follow
from .unsolvable import Exhaust

SLOW = 5
"""The time for a position, compared with a search along links."""

CHILDREN_AT_ONCE = Threshold(256)
"""The most children that are listed at once, unless one node has more: enough that their cache misses overlap.

Measured: with an eighth `solve cube:3`, eight moves, took 1.04 times as long, with eight times as many 1.19 times.
"""

_FILLING = Lock()
"""Other threads wait while one of them fills a table."""


_NONE_FINER = (
    np.zeros(0, np.uint64), np.zeros(0, np.int32), np.zeros((0, 0), np.uint16), np.zeros((0, 0), np.uint16),
    np.zeros((0, 0, 0, 0), np.int64), *np.zeros((3, 0), np.int64),
)  # fmt: skip
"""What the kernels read without a finer table."""


def _asked(finer: FinerCosets, opposite: inverses.Inverses, undo: Sequence[int]) -> tuple[np.ndarray, ...]:
    """Return what the kernels read of a finer table, see `kernels.deepening.finer_cosets`."""
    table, members = finer.table, np.array(finer.marks.orbit.members)
    ahead = np.array([finer.codes(view) for view in table.views])
    behind = ahead[:, opposite.piece, opposite.state]
    idle = np.array([finer.fixed(view) for view in table.views])[:, undo]
    form = np.array([len(finer.place.rows), finer.latest, finer.latest - 1])
    codes = np.array([ahead, behind])[:, :, members]
    barred = idle @ (1 << np.arange(len(undo)))
    return finer.bits, finer.place.number, finer.conjugates, finer.place.steps, codes, members, barred, form


class CosetArrays:
    """What all threads of a search share."""

    def __init__(self, read: CosetTable | MarkedCosets, every: bool, finer: FinerCosets | None = None) -> None:
        table = self.table = read.depths if isinstance(read, MarkedCosets) else read
        given = self.given = table.pieces
        self.bits, self.turns = read.bits, given.turns
        self.goal = np.array(list(table.goal), np.uint8)
        after = may_follow(followers_of(inverses.acts(given))[every])
        numbers = table.place.number, table.turned.number, table.second.number
        self.lists = table.classes[0], table.conjugates, *numbers
        self.steps = table.place.steps, table.turned.steps, table.second.steps
        ahead = np.array([table.codes(view) for view in table.views])
        renamed = np.array([table.moves(view) for view in table.views])
        opposite = inverses.read(given, table.goal)
        self.inverse = opposite.piece, opposite.state
        self.codes = ahead[None]
        back = np.zeros((0, *ahead.shape[1:], SUMS), np.int64)
        self.undo = inverses.undoing(given)
        if len(opposite.known) == len(given.cells):
            behind = ahead[:, opposite.piece, opposite.state]
            self.codes = np.array([ahead, behind])
            back = np.zeros((-(-len(ahead) // SUMS), *ahead.shape[1:], SUMS), np.int64)
            for view, code in enumerate(behind):
                back[view // SUMS, ..., view % SUMS] = code
        backward = after.copy()
        backward[:-1] = after[np.ix_(self.undo, self.undo)].T
        bits = 1 << np.arange(len(self.undo), dtype=np.int64)
        self.after = np.array([after, backward]) @ bits
        fixed = np.array([table.fixed(view) for view in table.views])
        none = np.zeros((2, len(table.views) << table.shift, 0, 256), np.int64)
        means = read.means if isinstance(read, MarkedCosets) else none
        idle = fixed[:, self.undo]
        sets = (1 << np.arange(len(idle))) @ idle  # the views in which each move is idle, as bits
        still = np.array([[each, (sets == each) @ bits] for each in np.unique(sets[sets > 0])], np.int64)
        self.views = renamed, back, idle @ bits, means, still.reshape(-1, 2)
        self.finer = _NONE_FINER if finer is None else _asked(finer, opposite, self.undo)

    def look_up(self, states: bytes) -> np.ndarray:
        """Return int64 [sides, views, 5]: three coordinates, word and symmetry of a position and of its inverse."""
        found = np.zeros((*self.codes.shape[:2], 5), np.int64)
        row = np.frombuffer(states, np.uint8)
        for codes, side in zip(self.codes, found, strict=True):
            kernel.look_up(codes, self.lists, self.bits, len(self.table.turned.rows), self.table.shift, row, side)
        return found

    def places(self, states: bytes) -> np.ndarray:
        """Return int64 [sides, views]: the places of a position that a finer table reads, -1 if out of reach."""
        _, number, _, _, codes, members, _, _ = self.finer
        row = np.frombuffer(states, np.uint8)
        return number[codes[: len(self.codes), :, np.arange(len(members)), row[members]].sum(axis=-1)]

    def finer_depths(self, states: bytes) -> np.ndarray:
        """Return int64 [sides, views]: the least depths that a finer table tells of a position that has a bound."""
        found = self.look_up(states)
        own = self.lists[0][found[..., 0] * len(self.table.turned.rows) + found[..., 1]] >> self.table.shift
        at = own * self.table.shape[1] + self.table.conjugates[found[..., 4], found[..., 2]]
        entries = at * self.finer[7][0] + self.finer[2][found[..., 4], self.places(states)]
        least = np.zeros(at.shape, np.int64)
        finer_kernel.look_up(self.finer, entries, least)
        return least

    def depths(self, states: bytes) -> list[int]:
        """Return the depth of a position in each view, then those of the inverse position."""
        return (self.look_up(states)[..., 3].ravel() & ((1 << MARKS) - 1)).tolist()

    def bound(self, states: bytes) -> int:
        """Return the greatest bound of a position; `NOTHING` if the goal cannot be reached."""
        found = self.depths(states)
        if UNSEEN in found:
            return NOTHING
        if len(self.finer[0]):
            if (self.places(states) < 0).any():
                return NOTHING
            found.append(int(self.finer_depths(states).max()))
        return max(found)


class CosetDescent(PathDescent):
    """A depth-first search by listed moves from both ends of a solution, on the states of pieces."""

    def __init__(self, arrays: CosetArrays, start: bytes, at_once: int) -> None:
        self.arrays, self.room = arrays, max(len(arrays.turns), at_once)
        states = arrays.given.of(start)
        assert states is not None
        here = list(states) == arrays.goal.tolist()
        super().__init__(start, 0 if here else max(1, arrays.bound(states)), np.zeros(kernel.SHIFT + 1, np.int64))
        self.states_here = states

    def begin(self, bound: int, every: bool, number: int) -> None:
        super().begin(bound, every, number)
        here = self.arrays
        self.state[kernel.SHIFT], self.state[FRESH] = here.table.shift, 0
        moves, width = here.turns.shape[:2]
        (sides, ways), room = here.codes.shape[:2], self.room
        states = np.zeros((bound + 1, room, width), np.uint8)
        marks = np.zeros((bound + 1, room, sides, ways, 4), np.uint16)
        info = np.zeros((bound + 1, room, kernel.PARENT + 1), np.int64)
        words = np.zeros((bound + 1, room, sides, ways, 4), np.int64)
        ahead, left = np.zeros((bound + 1, room, sides, ways), np.int64), np.zeros((bound + 1, room), np.int64)
        self.nodes, self.lines = (states, marks, words, info, ahead, left), np.zeros((bound + 1, 3), np.int64)
        self.desk = np.zeros((room, 3), np.int64), np.zeros((sides, ways), np.int64)
        if bound == 0:
            return
        states[0, 0] = list(self.states_here)
        found = here.look_up(self.states_here)
        marks[0, 0, ..., :3] = found[..., :3]
        if len(here.finer[0]):
            marks[0, 0, ..., 3] = here.places(self.states_here)
        info[0, 0, [kernel.CAME, kernel.LAST]] = moves
        words[0, 0, ..., :2] = found[..., 3:]
        self.lines[0, kernel.FULL] = kernel.begin(
            words[0, 0], info[0, 0], bound, here.after, here.views, here.table.shift, ahead[0, 0], self.desk[1],
            self.state,
        )  # fmt: skip

    def run(self) -> int:
        if self.bound == 0:
            return self.stay(self.root == 0)
        here = self.arrays
        search = (
            here.turns, here.after, here.bits, here.steps, here.lists, here.views, here.finer, here.inverse, here.goal,
            self.nodes, self.lines, self.desk, self.state,
        )  # fmt: skip
        return kernel.deepen(search, self.state)

    def path(self) -> Sequence[bytes]:
        if self.bound == 0 or self.said != FOUND:
            return [self.start]
        here = self.arrays
        _, _, _, info, _, left = self.nodes
        ends: tuple[list[int], list[int]] = [], []
        last = self.state[DEPTH] - 1
        number = left[last, self.lines[last, kernel.FIRST]]
        for depth in range(last, 0, -1):
            node = info[depth, number]
            ends[node[kernel.SIDE]].append(int(node[kernel.MOVE]))
            number = node[kernel.PARENT]
        states, found = list(self.states_here), [self.start]
        for move in (*reversed(ends[0]), *(here.undo[each] for each in ends[1])):
            states = [int(here.turns[move, piece, state]) for piece, state in enumerate(states)]
            found.append(here.given.position(states))
        return found


def search(
    question: Search, table: MarkedCosets, marks: bool, watch: Watch, finer: FinerCosets | None = None
) -> Geodesics:
    """Search below a coset table, read from the cache or computed.

    marks  whether to make the marks; without them, the search is below the depths alone, unless the marks are there
    finer  a finer table that is asked too
    """
    with phase("tables of lower bounds were computed"), _FILLING:
        chosen: CosetTable | MarkedCosets = table if marks or table.ready else table.depths
        for each in (chosen, finer):
            if each is not None and not each.ready:
                kept.fill_each((each,), each.scratch, processors(), watch.reserve, watch.thresholds[kept.KEPT_BYTES])
                each.ready = True
        if table.ready:
            table.depths.forget()
        arrays = CosetArrays(chosen, question.every, finer)

    def descend(path: Sequence[bytes], _thread: int) -> CosetDescent:
        return CosetDescent(arrays, path[-1], watch.thresholds[CHILDREN_AT_ONCE])

    return Rounds(descend, Exhaust(question), slow=SLOW).search(question, watch)
