"""One search below adjacent pairs: the arrays of `kernels.deepening.idastar_adjacency`."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...contract.answers import Geodesics
from ...contract.questions import Search
from ...errors import UnsupportedError
from ...heuristics.adjacency import MoveArrays
from ...kernels.deepening import idastar_adjacency as kernel
from ...kernels.deepening.state import DEPTH, FOUND, OWN
from ...limits.watch import Watch
from ...model.model import Model
from .iterations import PathDescent, Rounds
from .listed import STRONG, ListedMoves, goals_of, read
from .unsolvable import Exhaust

SLOW = 3
"""The time for a position, compared with a search along links."""


class ListedArrays:
    """What all threads of a search share."""

    def __init__(self, listed: ListedMoves, goals: Sequence[bytes], every: bool) -> None:
        bound, moves = listed.bound, MoveArrays.of(listed.moves)
        self.bound = bound
        self.fixed = bound.good.shape[1] - 1
        self.moves = moves.source.astype(np.uint8), moves.table.astype(np.uint8)
        self.pairs = bound.pairs.astype(np.uint8), bound.good.astype(np.uint8)
        begin = np.zeros((len(listed.moves), 3), np.int64)
        lists: list[int] = []
        for number, (before, after) in enumerate(zip(bound.before, bound.after, strict=True)):
            begin[number, 0] = len(lists)
            lists += np.flatnonzero(after < 0).tolist()
            begin[number, 1] = len(lists)
            lists += np.flatnonzero(before < 0).tolist()
            begin[number, 2] = len(lists)
        self.changed = begin, np.array(lists, np.int64)
        self.after = np.ones((len(listed.moves) + 1, len(listed.moves)), np.uint8)
        for number, allowed in enumerate(listed.after[every]):
            self.after[number] = 0
            self.after[number, sorted(allowed)] = 1
        self.goals = np.array([self.row(goal) for goal in goals], np.uint8)

    def row(self, position: bytes) -> list[int]:
        """Return a position with the cell that no move changes."""
        return [*position, self.fixed]


class ListedDescent(PathDescent):
    """A depth-first search by listed moves."""

    def __init__(self, arrays: ListedArrays, start: bytes) -> None:
        self.arrays = arrays
        self.bad = arrays.bound.bad(start)
        here = arrays.row(start) in arrays.goals.tolist()
        least = -(-self.bad // arrays.bound.most)
        super().__init__(start, 0 if here else max(1, least), np.zeros(OWN + 2, np.int64))

    def begin(self, bound: int, every: bool, number: int) -> None:
        super().begin(bound, every, number)
        self.state[OWN:] = bound, self.arrays.bound.most
        self.cells = np.zeros((bound + 1, len(self.start) + 1), np.uint8)
        self.cells[0] = self.arrays.row(self.start)
        self.lines = np.zeros((bound + 1, 3), np.int64)
        self.lines[0] = len(self.arrays.after) - 1, 0, self.bad

    def run(self) -> int:
        if self.bound == 0:
            return self.stay(self.root == 0)
        here = self.arrays
        return kernel.deepen(
            here.moves, here.pairs, here.changed, here.after, here.goals, self.cells, self.lines, self.state
        )

    def path(self) -> Sequence[bytes]:
        if self.bound == 0 or self.said != FOUND:
            return [self.start]
        return [row[:-1].tobytes() for row in self.cells[: self.state[DEPTH] + 1]]


def _rounds(listed: ListedMoves, question: Search) -> Rounds:
    arrays = ListedArrays(listed, goals_of(question), question.every)
    return Rounds(lambda path, _: ListedDescent(arrays, path[-1]), exhaust=Exhaust(question), slow=SLOW)


def search(question: Search, watch: Watch, strong: float = STRONG) -> Geodesics:
    """Return the positions on shortest solutions; `strong`: see `listed.STRONG`.

    Raises UnsupportedError for a bound asked for by name, and if the bound to the goals of the question is weak.
    """
    model = question.space
    assert isinstance(model, Model)
    if question.heuristic:
        raise UnsupportedError(f"heuristic {question.heuristic}: listed moves have only the bound of adjacent pairs")
    if model.is_goal(question.start):
        return Geodesics((frozenset([question.start]),), 0, watch.seconds, 0)
    found = read(model, goals_of(question), strong)
    if isinstance(found, str):
        raise UnsupportedError(f"engine idastar: {found}")
    return _rounds(found, question).search(question, watch)
