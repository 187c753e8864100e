"""Layers of positions of sliding pieces, grown from one end of a search, and the ways back to that end.

Every move can be taken back, so a neighbour of a position lies in the layer before, the same or the next one. As long
as few are found all of them stay in the table, and depths mod 3 tell which neighbour is nearer to the end. After that
the table holds two layers (frontier search: Korf, Zhang, Thayer and Hohwald, JACM 52, 2005), one layer of every
`EVERY` is kept aside, and the ways between two of these are found again when they are asked for.
"""

from __future__ import annotations

import numpy as np

from ..kernels import blocks
from ..kernels.blocks_table import BATCH, FAR, FULL, grow
from ..result import Watch
from .blocks_plan import Codes
from .blocks_table import Table, mark_of

STRIDE = 1 << 15
"""Positions expanded between two looks at the limits."""

WHOLE = 1 << 21
"""So many positions stay in the table before the first are forgotten."""

EVERY = 8
"""One layer of so many is kept aside from then on."""


class Reach:
    """Positions found from some ends; `layer` holds the codes of the last layer, number `depth`, with their tags.

    back   whether the ways back will be asked for
    whole  positions to find before the first are forgotten
    """

    def __init__(
        self, codes: Codes, board: blocks.Board, ends: np.ndarray, watch: Watch, back: bool = True, whole: int = WHOLE
    ) -> None:
        self.codes = codes
        self.board = board
        self.watch = watch
        self.back = back
        self.whole = whole
        self.scratch = _scratch(board)
        self.layer = np.unique(ends)
        self.depth = 0
        self.found = len(self.layer)
        self.table = Table(codes.bits, watch)
        self.table.enter(self.layer, 0)
        self.early = self.table
        self.kept: list[tuple[int, np.ndarray]] = []

    @property
    def last(self) -> np.ndarray:
        """The codes of the last layer without tags."""
        return self.codes.untagged(self.layer)

    def expect(self, found: int) -> None:
        """Take room at once for so many positions, as far as so many stay in the table."""
        self.table.widen(min(found, self.whole))

    def grow(self) -> None:
        """Replace the layer by the next one."""
        if self.found > self.whole:
            self._forget()
        most = len(self.scratch.codes)
        self.watch.reserve(16 * len(self.layer), self.depth + 1)
        out = np.empty(max(1 << 12, 2 * len(self.layer)), np.uint64)
        state = np.array([0, 0, 0, mark_of(self.depth + 1), 0, 0, most - BATCH], np.int64)
        while state[0] < len(self.layer):
            if state[1] + most > len(out):
                self.watch.reserve(12 * len(out), self.depth + 1)
                out = np.concatenate([out, np.empty(len(out) // 2, np.uint64)])
            written = int(state[1])
            state[2] = min(len(out), self.table.room + written)
            state[4] = min(state[0] + STRIDE, len(self.layer))
            state[5] = 0
            with np.errstate(over="ignore"):
                why = grow(self.board, self.scratch, self.table.places, self.table.form, self.layer, state, out)
            self.table.held += int(state[1]) - written
            self.watch.tick(int(state[5]), self.depth + 1)
            if why == FAR or (why == FULL and state[2] < len(out)):
                self.table.enlarge()
        self.layer = out[: state[1]].copy() if 2 * state[1] < len(out) else out[: state[1]]
        self.found += int(state[1])
        self.depth += 1

    def _forget(self) -> None:
        """Let the table go on with the last two layers; what led here can still be found."""
        if self.table is self.early and self.back:
            self.table = self.early.copy()
            self.kept.append((self.depth, self.last))
        if self.back and self.depth - self.kept[-1][0] >= EVERY:
            self.watch.reserve(8 * len(self.layer), self.depth + 1)
            self.kept.append((self.depth, self.last))
        self.table.forget(self.depth, 2 * len(self.layer))

    def holding(self, codes: np.ndarray) -> np.ndarray:
        """Return those of the codes that lie in the last layer, without tags."""
        return self.table.holding(self.board, codes, self.depth)

    def meeting(self, tests: blocks.Tests) -> np.ndarray:
        """Return the codes of the last layer that meet one of the goals."""
        out = np.empty(len(self.layer), np.uint64)
        with np.errstate(over="ignore"):
            return out[: blocks.meeting(self.board, self.scratch, tests, self.layer, out)]

    def ways(self, met: np.ndarray, every: bool) -> list[np.ndarray]:
        """Return codes of the last layer and those on shortest ways from them to the ends, one array per layer.

        every  whether all ways are wanted; else one code of each layer
        """
        rows = [np.unique(met) if every else met[[met.argmin()]]]
        depth = self.depth
        for kept, layer in reversed(self.kept):
            if kept < depth:
                rows += self._between(rows[-1], layer, depth - kept, every)
                depth = kept
        return rows + _walk(self.early, self.board, self.scratch, rows[-1], depth, every)

    def _between(self, codes: np.ndarray, layer: np.ndarray, moves: int, every: bool) -> list[np.ndarray]:
        """Return the codes on ways of so many moves from `codes` to a layer kept aside, those there last."""
        near = Reach(self.codes, self.board, codes, self.watch, whole=1 << 62)
        for _ in range(moves):
            near.grow()
        met = near.holding(layer)
        return near.ways(met, every)[-2::-1]


def _walk(
    table: Table, board: blocks.Board, scratch: blocks.Scratch, codes: np.ndarray, depth: int, every: bool
) -> list[np.ndarray]:
    """Return the codes on ways from some codes of a depth to the ends that the whole table was grown from."""
    rows: list[np.ndarray] = []
    for nearer in range(depth - 1, -1, -1):
        codes = table.parents(board, scratch, codes, nearer)
        codes = codes if every else codes[:1]
        rows.append(codes)
    return rows


def _scratch(board: blocks.Board) -> blocks.Scratch:
    """Return room for one position and its moves."""
    pieces = int(board.kinds[:, 0].sum())
    most = int((board.kinds[:, 0] * board.kinds[:, 4]).sum()) + 1
    rows = len(board.foot)
    return blocks.Scratch(
        np.zeros(pieces + 1, np.int64),
        np.zeros(rows + 1, np.int64),
        np.zeros(rows + 1, np.int64),
        np.empty(most + BATCH, np.uint64),
        np.empty(most + BATCH, np.uint64),
    )
