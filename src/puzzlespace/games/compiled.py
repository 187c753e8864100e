"""Levels searched with the compiled turn: positions as rows of small numbers, layers as sorted arrays."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..kernels.games.turn import FULL, LONG, WON, children
from ..limits.watch import checkpoint
from ..model.arrays import Arrays
from ..search.sorted_rows import SortedRows
from .moves import GamePosition, LevelMoves
from .tables import tables, work

MOST_TURNS = 400
"""Turns that may follow by themselves before the plain turn looks for a loop."""

AT_ONCE, MOST_AT_ONCE = 1 << 4, 1 << 12
"""Positions whose moves are made at once, at first and at most."""

SOON = 0.1
"""Seconds after which the limits should be looked at again."""

FEW, BRIEFLY = 300, 0.3
"""So many positions, and for so many seconds, moves are made in plain Python first: loading the compiler takes longer.
"""


def runs(mask: int) -> list[tuple[np.uint64, np.uint64, np.uint64]]:
    """Return the runs of neighbouring bits of a mask: the first bit, the number of bits before, the run's own bits."""
    found: list[tuple[np.uint64, np.uint64, np.uint64]] = []
    bit = number = 0
    while mask >> bit:
        length = 0
        while mask >> bit + length & 1:
            length += 1
        if length:
            found.append((np.uint64(bit), np.uint64(number), np.uint64((1 << length) - 1)))
        number += length
        bit += max(1, length)
    return found


class CompiledMoves:
    """The moves of many positions of a level at once.

    A row has a number for each cell, the bits of the objects that may change, and one that is 1 if the level is won.
    """

    def __init__(self, moves: LevelMoves, start: Sequence[int], few: int = FEW) -> None:
        game, board = moves.game, moves.board
        self.plain, self.board, self.at_once = moves, board, AT_ONCE
        self.few, self.briefly = few, BRIEFLY
        self.tables, self.restart = tables(game, board)
        self.work = work(self.tables, board)
        self.inputs = np.array(moves.inputs, np.int64)
        mask = game.changing
        self.runs = runs(mask)
        self.fixed = np.array(start, np.uint64) & ~np.uint64(mask)
        self.below = max(2, 1 << mask.bit_count())

    def boards(self, rows: np.ndarray) -> np.ndarray:
        """Return the boards of rows, uint64 [n, cells]."""
        found = np.repeat(self.fixed[None, :], len(rows), axis=0)
        codes = rows[:, :-1].astype(np.uint64)
        for bit, number, full in self.runs:
            found |= (codes >> number & full) << bit
        return found

    def rows(self, boards: np.ndarray, won: np.ndarray) -> np.ndarray:
        """Return boards as rows."""
        codes = np.zeros((len(boards), boards.shape[1] + 1), np.uint64)
        for bit, number, full in self.runs:
            codes[:, :-1] |= (boards >> bit & full) << number
        codes[:, -1] = won
        return codes.astype(np.uint32)

    def following(self, rows: np.ndarray) -> np.ndarray:
        """Return the positions one move after any of some positions."""
        found, at = [rows[:0]], 0
        while at < len(rows):
            checkpoint()
            began = time.perf_counter()
            found.append(self._following(rows[at : at + self.at_once]))
            at += self.at_once
            late = time.perf_counter() - began > SOON
            self.at_once = max(1, self.at_once // 2) if late else min(MOST_AT_ONCE, self.at_once * 2)
        return np.concatenate(found)

    def _following(self, rows: np.ndarray) -> np.ndarray:
        boards = self.boards(rows[rows[:, -1] == 0])
        size = boards.shape[1]
        if len(boards) <= self.few and self.briefly > 0:
            self.few -= len(boards)
            began = time.perf_counter()
            found = np.concatenate([rows[:0], *map(self._plain, boards)])
            self.briefly -= time.perf_counter() - began
            return found
        out = np.empty((len(boards) * len(self.inputs), size), np.uint64)
        ends = np.empty((len(out), 2), np.int64)
        count = children(
            tuple(self.tables), tuple(self.work), boards, self.restart, self.inputs, MOST_TURNS, self.board.width,
            self.board.height, out, ends,
        )  # fmt: skip
        out, ends = out[:count], ends[:count]
        unknown = (ends[:, 1] == LONG) | (ends[:, 1] == FULL)
        if not unknown.any():
            return self.rows(out, ends[:, 1] == WON)
        known = self.rows(out[~unknown], ends[~unknown, 1] == WON)
        return np.concatenate([known, *(self._plain(boards[at]) for at in np.unique(ends[unknown, 0]))])

    def _plain(self, board: np.ndarray) -> np.ndarray:
        """Return the positions one move after a board, made in plain Python."""
        after = self.plain.named(GamePosition(tuple(board.tolist())))
        return self.rows(
            np.array([each.cells for _, each in after], np.uint64).reshape(len(after), len(board)),
            np.array([each.won for _, each in after], np.bool_),
        )


class GameRows(SortedRows):
    """The encoding of the positions of a level."""

    def __init__(self, moves: CompiledMoves, start: GamePosition) -> None:
        self.moves = moves
        row = self.moves.rows(np.array([start.cells], np.uint64), np.array([start.won]))[0]
        super().__init__(
            Arrays(
                row.tolist(), goal=lambda rows: rows[:, -1] == 1, following=moves.following, width="uint32",
                below=moves.below,
            )
        )  # fmt: skip

    def enter(self, positions: Sequence[Any]) -> np.ndarray:
        boards = np.array([each.cells for each in positions], np.uint64)
        won = np.array([each.won for each in positions])
        return super().enter(list(map(tuple, self.moves.rows(boards, won).tolist())))

    def leave(self, words: np.ndarray) -> list[Any]:
        rows = self._rows(words)
        boards = self.moves.boards(rows).tolist()
        pairs = zip(boards, rows[:, -1].tolist(), strict=True)
        return [GamePosition(tuple(board), (), bool(won)) for board, won in pairs]


def encoding(moves: LevelMoves) -> Callable[[Any], GameRows]:
    """Return a function that makes the encoding of a level."""
    return lambda level: GameRows(CompiledMoves(moves, level.start.cells), level.start)
