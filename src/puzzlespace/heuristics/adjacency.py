"""A lower bound from pairs of cells whose contents moves keep together, derived from listed moves.

A set of pairs of cells is chosen such that every move carries most of them onto each other: for a stack of pancakes,
the neighbours, since turning over a part of the stack separates one pair. What a pair shows at the goal is good, and so
is all that moves within the set make of it. A move changes only the pairs that it does not carry, so if it carries all
but k of them, at least ⌈b/k⌉ moves are needed to make b other pairs good. The gap bound of pancakes (M. Helmert,
Landmark heuristics for the pancake problem, SoCS 2010) is the case k = 1: docs/methods/adjacency.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..limits.watch import paced
from ..structure.permutations import Action

WORK = 1 << 25
"""About so many numbers are computed to grow sets from different pairs: the more pairs, the fewer sets."""


@dataclass(frozen=True)
class MoveArrays:
    """Moves as arrays, with one more cell that no move changes, and one more symbol that it shows.

    source  int [moves, cells + 1]: the cell from which the content of each cell comes
    table   int [moves, cells + 1, symbols + 1]: what becomes of a symbol that comes to the cell
    """

    source: np.ndarray
    table: np.ndarray

    @classmethod
    def of(cls, moves: Sequence[Action]) -> MoveArrays:
        """Return the arrays of some actions."""
        cells, symbols = len(moves[0].source), len(moves[0].table[0])
        table = np.empty((len(moves), cells + 1, symbols + 1), np.int64)
        table[:] = np.arange(symbols + 1)
        for number, move in enumerate(paced(moves)):
            table[number, :cells, :symbols] = move.table
        source = np.array([(*move.source, cells) for move in moves])
        return cls(source, table)

    @property
    def cells(self) -> int:
        """The cells of the board, without the one that no move changes."""
        return self.source.shape[1] - 1

    @cached_property
    def carried(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """All pairs a < b, the number of the pair from which each comes by each move, and the inverse of that."""
        a, b = np.triu_indices(self.cells + 1, 1)
        number = np.zeros((self.cells + 1, self.cells + 1), np.int64)
        number[a, b] = number[b, a] = np.arange(len(a))
        before = number[self.source[:, a], self.source[:, b]]
        return a, b, before, np.argsort(before, axis=1)


@dataclass(frozen=True)
class Adjacency:
    """A set of pairs of cells and what is good there.

    pairs   int [pairs, 2]: cells a < b; the number of cells stands for the cell that no move changes
    good    bool [pairs, symbols + 1, symbols + 1]: whether a pair is good, by the symbols of its cells
    most    the most pairs that a move can make good
    before  int [moves, pairs]: the pair from which the content of each comes, -1 if it is not in the set
    after   the same for the inverse moves: the pair to which its content goes
    """

    pairs: np.ndarray
    good: np.ndarray
    most: int
    before: np.ndarray
    after: np.ndarray

    def bad(self, position: bytes) -> int:
        """Return how many pairs are not good."""
        cells = np.array([*position, self.good.shape[1] - 1])
        return int((~self.good[np.arange(len(self.pairs)), cells[self.pairs[:, 0]], cells[self.pairs[:, 1]]]).sum())

    def bound(self, position: bytes) -> int:
        """Return how many moves are needed at least."""
        return -(-self.bad(position) // self.most)


def find(moves: Sequence[Action], goals: Sequence[bytes], most: int | None = None) -> Adjacency | None:
    """Return the set of pairs with the greatest bound that is found, or None if there is none.

    goals  positions in which all pairs of the set are good
    most   about the most pairs from which sets are grown; None for as many as `WORK` allows

    Each step weighs all pairs of cells by all moves, which is for boards of at most some 60 cells.
    """
    cells = len(moves[0].source)
    given = MoveArrays.of(moves)
    _, b, before, _ = given.carried
    inner = np.flatnonzero(b < cells)
    still = (before[:, inner] == inner).sum(axis=0)
    count = max(4, WORK // (before.size * 2 * cells))
    seeds = [*inner[np.argsort(-still, kind="stable")][: count // 2], *inner[:: max(1, len(inner) // (count // 2))]]
    chosen = list(dict.fromkeys(map(int, seeds)))
    best: tuple[float, list[int]] = (0.0, [])
    for seed in paced(chosen if most is None else chosen[:: max(1, len(chosen) // most)]):
        found = _Growth(given).grown(seed)
        best = max(best, found, key=lambda each: (round(each[0], 6), -len(each[1])))
    pairs = _Growth(given).polished(best[1])
    return _with_good(given, sorted(pairs), goals) if pairs else None


class _Growth:
    """A set of pairs that grows.

    order      its pairs
    separated  for each move how many of its pairs do not come from a pair of the set
    change     int [moves, pairs]: what each pair would add to that
    """

    def __init__(self, moves: MoveArrays) -> None:
        _, b, self.before, self.after = moves.carried
        self.cells, count = moves.cells, self.before.shape[1]
        self.outer = b == self.cells
        self.moved = (self.before != np.arange(count)).astype(np.int32)
        self.change = self.moved.copy()
        self.separated = np.zeros(len(self.before), np.int32)
        self.inside = np.zeros(count, bool)
        self.order: list[int] = []

    def add(self, pair: int) -> None:
        """Add a pair; the pairs that it leads to or comes from are then separated by fewer moves."""
        rows, moved = np.arange(len(self.before)), self.moved[:, pair]
        self.separated += self.change[:, pair]
        self.inside[pair] = True
        self.order.append(pair)
        self.change[rows, self.after[:, pair]] -= moved
        self.change[rows, self.before[:, pair]] -= moved

    def score(self, outer: int, inner: int, most: int) -> float:
        """Return the bound to expect of random positions if all pieces differ: bad pairs by those that a move makes."""
        free = len(self.inside) - self.cells
        return (outer * (1 - outer / self.cells) + inner * (1 - inner / max(1, free))) / most if most else 0.0

    def grown(self, seed: int) -> tuple[float, list[int]]:
        """Return the best set of pairs on the board that grows from one, and its score.

        Each step adds the pair for which a move separates the fewest pairs at most, and all moves together.
        """
        best: tuple[float, list[int]] = (0.0, [])
        pair = seed
        for _ in range(2 * self.cells):
            self.add(pair)
            score = self.score(0, len(self.order), int(self.separated.max()))
            if score > best[0] + 1e-9:
                best = score, list(self.order)
            following = self.separated[:, None] + self.change
            cost = following.max(axis=0).astype(np.int64) * (1 << 20) + following.sum(axis=0)
            cost[self.inside | self.outer] = 1 << 60
            pair = int(cost.argmin())
            if cost[pair] == 1 << 60:
                break
        return best

    def polished(self, pairs: Sequence[int]) -> list[int]:
        """Return a set with further pairs, also of a cell and the one beyond the board, as long as they help."""
        for pair in pairs:
            self.add(pair)
        while pairs:
            own = int(self.outer[self.order].sum())
            most = (self.separated[:, None] + self.change).max(axis=0)
            score = self.score(own, len(self.order) - own, int(self.separated.max()))
            more = [
                (self.score(own + outer, len(self.order) - own + 1 - outer, int(most[pair])), -pair)
                for pair, outer in enumerate(self.outer.astype(int).tolist())
                if not self.inside[pair]
            ]
            if not more or max(more)[0] <= score + 1e-9:
                break
            self.add(-max(more)[1])
        return self.order


def _with_good(moves: MoveArrays, chosen: list[int], goals: Sequence[bytes]) -> Adjacency | None:
    """Return the pairs with what is good there: what goals show, closed under moves forwards and backwards."""
    a, b, before, after = moves.carried
    number = np.full(before.shape[1], -1)
    number[chosen] = np.arange(len(chosen))
    pairs = np.stack([a[chosen], b[chosen]], axis=1)
    comes, goes = number[before[:, chosen]], number[after[:, chosen]]
    most = int((comes < 0).sum(axis=1).max())
    _separate_changed(moves, pairs, comes, goes, most)
    good = np.zeros((len(chosen), *[moves.table.shape[2]] * 2), bool)
    for goal in goals:
        cells = np.array([*goal, moves.table.shape[2] - 1])
        good[np.arange(len(chosen)), cells[pairs[:, 0]], cells[pairs[:, 1]]] = True
    inverse = np.argsort(moves.table, axis=2)
    fresh = np.argwhere(good)
    while len(fresh):
        found = []
        for move in paced(range(len(comes))):
            for target, forwards in ((goes[move], True), (comes[move], False)):
                inner = fresh[target[fresh[:, 0]] >= 0]
                to = target[inner[:, 0]]
                found.append(_carried(moves, inverse, move, forwards, inner, pairs, to))
        made = np.unique(np.concatenate(found), axis=0)
        fresh = made[~good[tuple(made.T)]]
        good[tuple(fresh.T)] = True
    return None if good[:, :-1, :-1].all() else Adjacency(pairs, good, most, comes, goes)


def _separate_changed(moves: MoveArrays, pairs: np.ndarray, comes: np.ndarray, goes: np.ndarray, most: int) -> None:
    """Let moves that make fewer than `most` pairs also break, and make, pairs of which they change one cell only.

    What such a move makes of a good pair is then not good by that: turning over the first burnt pancake alone.
    """
    cells = np.arange(moves.cells + 1)
    changed = (moves.source != cells) | (moves.table != np.arange(moves.table.shape[2])).any(axis=2)
    for move in range(len(comes)):
        spare = most - int((comes[move] < 0).sum())
        targets = np.flatnonzero((comes[move] >= 0) & (changed[move, pairs[:, 0]] != changed[move, pairs[:, 1]]))
        for target in targets[:spare]:
            goes[move, comes[move, target]] = -1
            comes[move, target] = -1


def _carried(
    moves: MoveArrays,
    inverse: np.ndarray,
    move: int,
    forwards: bool,
    rows: np.ndarray,
    pairs: np.ndarray,
    to: np.ndarray,
) -> np.ndarray:
    """Return what rows of (pair, symbols) become by a move, or what they were before it; `to`: their pairs then."""
    source = moves.source[move]
    here, there = pairs[rows[:, 0]], pairs[to]
    if forwards:
        swapped = source[there[:, 0]] != here[:, 0]
        first, second = _swapped(rows[:, 1], rows[:, 2], swapped)
        table = moves.table[move]
        return np.stack([to, table[there[:, 0], first], table[there[:, 1], second]], axis=1)
    back = inverse[move]
    first, second = back[here[:, 0], rows[:, 1]], back[here[:, 1], rows[:, 2]]
    first, second = _swapped(first, second, source[here[:, 0]] != there[:, 0])
    return np.stack([to, first, second], axis=1)


def _swapped(first: np.ndarray, second: np.ndarray, swapped: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return np.where(swapped, second, first), np.where(swapped, first, second)
