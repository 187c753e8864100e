"""One search below adjacent pairs: the arrays of `kernels.deepening.idastar_adjacency`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np

from ...contract.answers import Geodesics
from ...contract.questions import Search
from ...errors import UnsupportedError
from ...heuristics.adjacency import MoveArrays
from ...kernels.deepening import idastar_adjacency as kernel
from ...kernels.deepening.state import DEPTH, FOUND, OWN
from ...limits.thresholds import Threshold
from ...limits.watch import Watch
from . import move_words
from .iterations import PathDescent, Rounds
from .listed import STRONG, ListedMoves, acts_of, goals_of, read
from .unsolvable import Exhaust

SLOW = 3
"""The time for a position, compared with a search along links."""


_NOTHING = np.zeros((0, 1), np.int64)
_NONE_LIKELY = (_NOTHING[:, 0], _NOTHING, _NOTHING[:, 0], _NOTHING, _NOTHING[:, 0])

LOOKED_UP = Threshold(2)
"""Moves are looked up instead of tried if at most one of this many is tried then."""


class ListedArrays:
    """What all threads of a search share."""

    def __init__(self, listed: ListedMoves, goals: Sequence[bytes], every: bool, looked_up: int) -> None:
        bound, moves = listed.bound, MoveArrays.of(listed.moves)
        self.bound = bound
        self.fixed = bound.good.shape[1] - 1
        changes = (moves.table != np.arange(moves.table.shape[2])).any(axis=(1, 2))
        self.moves = moves.source.astype(np.uint8), moves.table.astype(np.uint8), changes
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
        self.after = move_words.automaton(acts_of(listed.moves), every)
        self.goals = np.array([self.row(goal) for goal in goals], np.uint8)
        self.likely = self._likely(looked_up) if listed.different else _NONE_LIKELY

    def row(self, position: bytes) -> list[int]:
        """Return a position with the cell that no move changes."""
        return [*position, self.fixed]

    def _likely(self, looked_up: int) -> tuple[np.ndarray, ...]:
        """Return what finds the moves that can make a good pair, `_NONE_LIKELY` if that does not pay.

        looked_up  it pays if at most one of this many moves is tried then
        """
        (source, table, _), (pairs, good), (begin, lists) = self.moves, self.pairs, self.changed
        made = [(move, pair) for move, (_, first, last) in enumerate(begin) for pair in lists[first:last]]
        ends = [tuple(source[move, pairs[pair]].tolist()) for move, pair in made]
        anchors = _cover(ends)
        cells, symbols = source.shape[1], table.shape[2]
        beside = np.zeros((len(anchors), symbols, symbols), bool)
        moves: list[list[dict[int, None]]] = [[{} for _ in range(cells)] for _ in anchors]
        board = np.arange(symbols) < symbols - 1
        for (move, pair), pair_ends in zip(made, ends, strict=True):
            one, two = table[move, pairs[pair]]
            fits = good[pair][np.ix_(one, two)].astype(bool)
            for end, shown in zip(pair_ends, (fits, fits.T), strict=True):
                if end in anchors:
                    other = pair_ends[0] + pair_ends[1] - end
                    number = anchors.index(end)
                    beside[number] |= shown & (board if other < cells - 1 else ~board)
                    moves[number][other][move] = None
                    break
        expected = sum(each.sum() / symbols * max(map(len, at)) for each, at in zip(beside, moves, strict=True))
        if looked_up * expected > len(begin):
            return _NONE_LIKELY
        rows = [row for each in beside for row in each]
        return (
            np.array(anchors, np.int64),
            *_joined([np.flatnonzero(row) for row in rows], len(anchors)),
            *_joined([list(each) for at in moves for each in at], len(anchors)),
        )


def _cover(ends: Sequence[tuple[int, int]]) -> list[int]:
    """Return cells such that each pair has one of them, few if the greedy choice finds few."""
    left, found = list(ends), []
    while left:
        found.append(Counter(cell for pair in left for cell in pair).most_common(1)[0][0])
        left = [pair for pair in left if found[-1] not in pair]
    return found


def _joined(lists: Sequence[Iterable[int]], rows: int) -> tuple[np.ndarray, np.ndarray]:
    """Return where each list begins, with the end of the last one in each of so many rows, and all lists in one."""
    starts = np.cumsum([0, *map(len, lists)])  # type: ignore[arg-type]
    each = len(lists) // rows
    begin = [starts[row * each : (row + 1) * each + 1] for row in range(rows)]
    return np.array(begin, np.int64), np.array([item for items in lists for item in items], np.int64)


class ListedDescent(PathDescent):
    """A depth-first search by listed moves."""

    def __init__(self, arrays: ListedArrays, start: bytes) -> None:
        self.arrays = arrays
        self.bad = arrays.bound.bad(start)
        here = arrays.row(start) in arrays.goals.tolist()
        least = -(-self.bad // arrays.bound.most)
        super().__init__(start, 0 if here else max(1, least), np.zeros(OWN, np.int64))

    def begin(self, bound: int, every: bool, number: int) -> None:
        super().begin(bound, every, number)
        self.cells = np.zeros((bound + 1, len(self.start) + 1), np.uint8)
        self.cells[0] = self.arrays.row(self.start)
        source, table, _ = self.arrays.moves
        self.where = np.zeros((bound + 1, table.shape[2]), np.uint8)
        self.where[0, self.cells[0]] = np.arange(source.shape[1])
        self.choice = np.zeros((bound + 1, len(source)), np.uint8)
        self.lines = np.zeros((bound + 1, 4), np.int64)
        self.lines[0, kernel.BAD] = self.bad

    def run(self) -> int:
        if self.bound == 0:
            return self.stay(self.root == 0)
        here = self.arrays
        search = (
            here.moves, here.pairs, here.changed, here.after, here.likely, here.goals, self.cells, self.where,
            self.choice, self.lines, here.bound.most,
        )  # fmt: skip
        return kernel.deepen(search, self.state)

    def path(self) -> Sequence[bytes]:
        if self.bound == 0 or self.said != FOUND:
            return [self.start]
        return [row[:-1].tobytes() for row in self.cells[: self.state[DEPTH] + 1]]


def _rounds(listed: ListedMoves, question: Search, watch: Watch) -> Rounds:
    arrays = ListedArrays(listed, goals_of(question), question.every, watch.thresholds[LOOKED_UP])
    return Rounds(lambda path, _: ListedDescent(arrays, path[-1]), exhaust=Exhaust(question), slow=SLOW)


def search(question: Search, watch: Watch, strong: float = STRONG) -> Geodesics:
    """Return the positions on shortest solutions; `strong`: see `listed.STRONG`.

    Raises UnsupportedError for a bound asked for by name, and if the bound to the goals of the question is weak.
    """
    model = question.model
    if question.heuristic:
        raise UnsupportedError(f"heuristic {question.heuristic}: listed moves have only the bound of adjacent pairs")
    if model.is_goal(question.start):
        return Geodesics((frozenset([question.start]),), 0, watch.seconds, 0)
    found = read(model, goals_of(question), strong)
    if isinstance(found, str):
        raise UnsupportedError(f"engine idastar: {found}")
    return _rounds(found, question, watch).search(question, watch)
