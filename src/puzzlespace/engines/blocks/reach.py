"""Breadth-first layers of sliding blocks from one end of a search, and the shortest paths back to that end.

Every move can be taken back, so a neighbour of a position is in the previous, the same or the next layer. Up to
`Thresholds.kept_whole` positions, all stay in the table, and depths mod 3 tell which neighbours are nearer to the end.
After that the table has only two layers (frontier search: Korf, Zhang, Thayer and Hohwald, JACM 52, 2005). One of every
`Thresholds.kept_every` layers is stored, and paths between two stored layers are searched again when they are needed.
"""

from __future__ import annotations

import numpy as np

from ...kernels.blocks import layers as loops
from ...kernels.blocks import moves as blocks
from ...kernels.blocks.goals import Tests, meeting
from ...kernels.packed.numpy_marks import distinct
from ...limits.watch import Watch
from .code_set import CodeSet, mark_of
from .codes import Codes

NO_END = 1 << 62
"""A limit that is never reached."""

NONE = Tests(np.empty((0, 2), np.uint64), np.zeros(1, np.int64), np.empty((0, 2), np.uint64))
"""No goals."""


class BlockReach:
    """Positions reachable from some ends, and those of them that meet some goals.

    back   whether paths back to the ends will be needed
    sizes  the size of each layer; the last one has number `depth`
    ended  whether the last layer is the final one
    met    (depth, codes) for each layer with goals
    """

    def __init__(
        self,
        codes: Codes,
        board: blocks.BlockBoard,
        ends: np.ndarray,
        watch: Watch,
        back: bool = True,
        tests: Tests = NONE,
    ) -> None:
        self.codes = codes
        self.board = board
        self.watch = watch
        self.back = back
        self.tests = tests
        self.whole = watch.thresholds.kept_whole
        self.scratch = _scratch(board)
        self.table = CodeSet(codes.bits, watch)
        self.early = self.table
        self.kept: list[tuple[int, np.ndarray]] = []
        ends = distinct(ends)
        self.depth = 0
        self.found = len(ends)
        self.sizes = [self.found] if self.found else []
        self.ended = not self.found
        self.table.enter(ends, 0)
        self.state = np.zeros(loops.UNTIL + 1, np.int64)
        self.state[[loops.END, loops.WRITTEN, loops.FOUND]] = self.found
        self.state[loops.MOST] = len(self.scratch.codes) - loops.BATCH
        self.state[loops.MARK] = mark_of(1)
        self._take(2 * self.found, ends)
        met = self._meeting()
        self.met = [(0, met)] if len(met) else []

    def _take(self, room: int, codes: np.ndarray) -> None:
        """Allocate a buffer that begins with some codes, and one for goals."""
        room = max(self.watch.thresholds.codes, room, 4 * len(self.scratch.codes))
        self.watch.reserve(8 * room, self.depth + 1)
        self.buffer = np.empty(room, np.uint64)
        self.buffer[: len(codes)] = codes
        self.goals = np.empty(room if len(self.tests.masks) else 0, np.uint64)

    @property
    def layer(self) -> np.ndarray:
        """The tagged codes of the last layer, a view that is valid until the next layer is built."""
        return self.buffer[self.state[loops.BEGIN] : self.state[loops.END]]

    @property
    def last(self) -> np.ndarray:
        """The codes of the last layer without tags."""
        return self.codes.untagged(self.layer)

    def expect(self, found: int) -> None:
        """Make the table large enough for `found` positions, or for as many of them as it stores."""
        self.table.widen(min(found, self.whole))

    def grow(self, most: int | None = None, until: bool = False) -> None:
        """Build at least one layer and at most `most` (None: `Thresholds.layers_at_once`).

        until  stop at the first layer with a goal
        If no layer follows, `ended` becomes true and the last layer stays.
        """
        most = self.watch.thresholds.layers_at_once if most is None else most
        if self.found > self.whole:
            self._forget()
        why, had = loops.PAUSE, self.depth
        with np.errstate(over="ignore"):
            while why not in (loops.DONE, loops.LAST):
                why = self._loop(most if self.depth == had else 1, until)
        self.ended = why == loops.LAST

    def _loop(self, most: int, until: bool) -> int:
        """Run the kernel once and make room if it found none; return why it stopped."""
        state, watch, table = self.state, self.watch, self.table
        written = int(state[loops.WRITTEN])
        left = watch.positions_left
        budget = NO_END if left is None else left
        state[loops.FITS] = fits = min(len(self.buffer), table.room + written)
        state[[loops.MADE, loops.LAYERS, loops.MET]] = 0
        state[[loops.BUDGET, loops.ROWS, loops.ENOUGH, loops.UNTIL]] = (
            budget,
            watch.thresholds.expanded,
            self.whole,
            until,
        )
        sizes = np.empty((most, 2), np.int64)
        places = table.places, table.form
        why = loops.layers(self.board, self.scratch, self.tests, places, (self.buffer, sizes, self.goals), state)
        table.held += int(state[loops.WRITTEN]) - written
        self._made(sizes[: state[loops.LAYERS]].tolist())
        watch.tick(int(state[loops.MADE]), self.depth + 1)
        if why == loops.FAR or (why == loops.FULL and fits < len(self.buffer)):
            table.enlarge()
        elif why == loops.FULL:
            self._make_room()
        return why

    def _made(self, sizes: list[list[int]]) -> None:
        """Record new layers: (size, number of goals) of each."""
        first = 0
        for size, goals in sizes:
            self.depth += 1
            self.found += size
            self.sizes.append(size)
            if goals:
                self.met.append((self.depth, self.goals[first : first + goals].copy()))
            first += goals

    def _make_room(self) -> None:
        """Move the unfinished layer to the front of the buffer, or to a larger one."""
        begin, written = self.state[[loops.BEGIN, loops.WRITTEN]].tolist()
        kept = self.buffer[begin:written]
        self.state[[loops.BEGIN, loops.ROW, loops.END, loops.WRITTEN]] -= begin
        room = 2 * (len(kept) + len(self.scratch.codes))
        if room > len(self.buffer):
            self._take(room, kept)
        else:
            self.buffer[: len(kept)] = kept

    def _meeting(self) -> np.ndarray:
        """Return the codes of the last layer that meet one of the goals, without tags."""
        out = np.empty(len(self.layer), np.uint64)
        with np.errstate(over="ignore"):
            return out[: meeting(self.board, self.scratch, self.tests, self.layer, out)]

    def _forget(self) -> None:
        """Reduce the table to the last two layers; store what is needed to follow paths back."""
        if self.table is self.early and self.back:
            self.table = self.early.copy()
            self.kept.append((self.depth, self.last))
        if self.back and self.depth - self.kept[-1][0] >= self.watch.thresholds.kept_every:
            self.watch.reserve(8 * len(self.layer), self.depth + 1)
            self.kept.append((self.depth, self.last))
        self.table.forget(self.depth, 2 * len(self.layer))

    def holding(self, codes: np.ndarray) -> np.ndarray:
        """Return those of the codes that are in the last layer, without tags."""
        return self.table.holding(self.board, codes, self.depth)

    def ways(self, met: np.ndarray, every: bool) -> list[np.ndarray]:
        """Return codes of the last layer and those on shortest paths from them to the ends, one array per layer.

        every  whether all paths are wanted; else one code per layer
        """
        rows = [distinct(met) if every else met[[met.argmin()]]]
        depth = self.depth
        for kept, layer in reversed(self.kept):
            if kept < depth:
                rows += self._between(rows[-1], layer, depth - kept, every)
                depth = kept
        walk = self.early.ways if every else self.early.way
        return rows + walk(self.board, self.scratch, rows[-1], depth)

    def _between(self, codes: np.ndarray, layer: np.ndarray, moves: int, every: bool) -> list[np.ndarray]:
        """Return the codes on paths of `moves` moves from `codes` to a stored layer, the codes of that layer last."""
        near = BlockReach(self.codes, self.board, codes, self.watch)
        near.whole = NO_END
        while near.depth < moves:
            near.grow(moves - near.depth)
        return near.ways(near.holding(layer), every)[-2::-1]


def _scratch(board: blocks.BlockBoard) -> blocks.Scratch:
    """Return working memory for one position and its moves."""
    pieces = int(board.kinds[:, 0].sum())
    most, rows = int(board.flags[blocks.CHILDREN]) + 1, len(board.foot)
    return blocks.Scratch(
        np.zeros(pieces + 1, np.uint64),
        np.zeros(pieces + 1, np.uint64),
        np.zeros(rows + 1, np.int64),
        np.zeros(rows + 1, np.uint64),
        np.empty(most + loops.BATCH, np.uint64),
        np.empty(most + loops.BATCH, np.uint64),
    )
