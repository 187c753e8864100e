"""Breadth-first layers of sliding blocks from one end of a search, and the shortest paths back to that end.

Every move can be taken back, so a neighbour of a position is in the previous, the same or the next layer. Up to
`KEPT_WHOLE` positions, all stay in the table, and depths mod 3 tell which neighbours are nearer to the end.
After that the table has only two layers (frontier search: Korf, Zhang, Thayer and Hohwald, JACM 52, 2005). One of every
`KEPT_EVERY` layers is stored, and paths between two stored layers are searched again when they are needed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from ...errors import LimitError
from ...kernels.blocks import layers as loops
from ...kernels.blocks import moves as blocks
from ...kernels.blocks.goals import meeting
from ...kernels.packed.numpy_marks import distinct
from ...limits.thresholds import Threshold
from ...limits.watch import Watch
from ...model.goal import Goal
from ...search.encoding import Encoding
from ..packed.rows import PackedRows
from .arrays import tests_of
from .code_set import KEPT_WHOLE, CodeSet, mark_of
from .codes import Codes

NO_END = 1 << 62
"""A limit that is never reached."""

KEPT_EVERY = Threshold(8)
"""After `KEPT_WHOLE` positions, one of this many layers is stored separately."""

EXPANDED = Threshold(1 << 15)
"""Positions expanded between two checks of the limits.

Measured: an eighth and eight times as many changed goat-hard and klotski by at most 5 %.
"""

CODES = Threshold(1 << 14)
"""Initial length of the buffer of codes.

It grows fourfold when full, so a smaller value costs at most a third of a copy more.
"""


class BlockReach(PackedRows):
    """Positions reachable from some ends, and those of them that meet some goals.

    back   whether paths back to the ends will be needed
    depth  the number of the last layer; a layer is its number and its size, because only the last one is in the buffer
    found  the number of positions so far
    late   a limit that was passed when a layer was complete: it is raised when the next one is asked for
    """

    record, undone = False, True

    def __init__(
        self, codes: Codes, board: blocks.BlockBoard, watch: Watch, back: bool = True, goals: Sequence[Goal] = ()
    ) -> None:
        super().__init__(codes.sliding.model, (codes.example,), goals)
        self.codes, self.board, self.watch, self.back = codes, board, watch, back
        self.tests = tests_of(codes, goals)
        self.whole = watch.thresholds[KEPT_WHOLE]
        self.scratch = _scratch(board)

    def enter(self, positions: Sequence[bytes]) -> tuple[int, int]:
        return self.begin(self.codes.codes(positions))

    def begin(self, words: np.ndarray, earlier: Iterable[np.ndarray] = ()) -> tuple[int, int]:
        self.table = CodeSet(self.codes.bits, self.watch)
        self.early = self.table
        self.kept: list[tuple[int, np.ndarray]] = []
        self.late: LimitError | None = None
        ends = distinct(words)
        self.depth, self.found = 0, len(ends)
        self.table.enter(ends, 0)
        self.state = np.zeros(loops.MET + 1, np.int64)
        self.state[[loops.END, loops.WRITTEN]] = self.found
        self.state[loops.MOST] = len(self.scratch.codes) - loops.BATCH
        self.state[loops.MARK] = mark_of(1)
        self._take(2 * self.found, ends)
        self.state[loops.MET] = self._meeting()
        for part in earlier:
            self.table.enter(part, -1)
            self.found += len(part)
        return 0, len(ends)

    def earlier(self, layer: tuple[int, int]) -> Iterator[np.ndarray]:
        return self.table.codes(self.depth - 1)

    def read(self, shown: np.ndarray) -> np.ndarray:
        return self.codes.read(shown)

    def _take(self, room: int, codes: np.ndarray) -> None:
        """Allocate a buffer that begins with some codes, and one for goals."""
        room = max(self.watch.thresholds[CODES], room, 4 * len(self.scratch.codes))
        self.watch.reserve(8 * room, self.depth + 1)
        self.buffer = np.empty(room, np.uint64)
        self.buffer[: len(codes)] = codes
        self.goals_met = np.empty(room if len(self.tests.masks) else 0, np.uint64)

    @property
    def tagged(self) -> np.ndarray:
        """The tagged codes of the last layer, a view that is valid until the next layer is built."""
        return self.buffer[self.state[loops.BEGIN] : self.state[loops.END]]

    @property
    def last(self) -> np.ndarray:
        """The codes of the last layer without tags."""
        return self.codes.untagged(self.tagged)

    def expect(self, found: int) -> None:
        """Make the table large enough for `found` positions, or for as many of them as it stores."""
        self.table.widen(min(found, self.whole))

    def following(self, layer: tuple[int, int], watch: Watch, bound: int) -> tuple[int, int]:
        if self.late is not None:
            raise self.late
        if self.found > self.whole:
            self._forget()
        why = loops.PAUSE
        with np.errstate(over="ignore"):
            while why not in (loops.DONE, loops.LAST):
                why = self._loop(bound)
        return (self.depth, len(self.tagged)) if why == loops.DONE else (self.depth + 1, 0)

    def _loop(self, bound: int) -> int:
        """Run the kernel once and make room if it found none; return why it stopped."""
        state, watch, table = self.state, self.watch, self.table
        written, left = int(state[loops.WRITTEN]), watch.positions_left
        state[loops.FITS] = fits = min(len(self.buffer), table.room + written)
        state[loops.MADE] = 0
        state[[loops.BUDGET, loops.ROWS]] = NO_END if left is None else left, watch.thresholds[EXPANDED]
        places = table.places, table.form
        why = loops.layers(self.board, self.scratch, self.tests, places, (self.buffer, self.goals_met), state)
        table.held += int(state[loops.WRITTEN]) - written
        if why == loops.DONE:
            self.depth += 1
            self.found += len(self.tagged)
        try:
            watch.tick(int(state[loops.MADE]), bound)
        except LimitError as limit:
            if why != loops.DONE:
                raise
            self.late = limit
        if why == loops.FAR or (why == loops.FULL and fits < len(self.buffer)):
            table.enlarge()
        elif why == loops.FULL:
            self._make_room()
        return why

    def size(self, layer: tuple[int, int]) -> int:
        return layer[1]

    def pieces(self, layer: tuple[int, int]) -> Iterator[np.ndarray]:
        yield self.last if layer[1] else self.last[:0]

    def leave(self, words: np.ndarray) -> list[bytes]:
        return self.codes.positions(words)

    def handed(self, words: np.ndarray) -> np.ndarray:
        return self.codes.rows(words)

    def met(self, layer: tuple[int, int]) -> np.ndarray:
        return self.goals_met[: self.state[loops.MET] if layer[1] else 0].copy()

    def common(self, layer: tuple[int, int], other: Encoding, there: tuple[int, int]) -> np.ndarray:
        assert isinstance(other, BlockReach)
        return other.holding(self.tagged if layer[1] else self.tagged[:0])

    def end(self) -> None:
        for name in ("table", "early", "kept", "buffer", "goals_met", "state"):
            vars(self).pop(name, None)

    def _make_room(self) -> None:
        """Move the unfinished layer to the front of the buffer, or to a larger one."""
        begin, written = self.state[[loops.BEGIN, loops.WRITTEN]].tolist()
        kept = self.buffer[begin:written]
        room = 2 * (len(kept) + len(self.scratch.codes))
        if room > len(self.buffer):
            self._take(room, kept)
        else:
            self.buffer[: len(kept)] = kept
        self.state[[loops.BEGIN, loops.ROW, loops.END, loops.WRITTEN]] -= begin

    def _meeting(self) -> int:
        """Write the codes of the first layer that meet one of the goals; return how many."""
        if not len(self.goals_met):
            return 0
        with np.errstate(over="ignore"):
            return meeting(self.board, self.scratch, self.tests, self.tagged, self.goals_met)

    def _forget(self) -> None:
        """Reduce the table to the last two layers; store what is needed to follow paths back."""
        if self.table is self.early and self.back:
            self.table = self.early.copy()
            self.kept.append((self.depth, self.last))
        if self.back and self.depth - self.kept[-1][0] >= self.watch.thresholds[KEPT_EVERY]:
            self.watch.reserve(8 * len(self.tagged), self.depth + 1)
            self.kept.append((self.depth, self.last))
        self.table.forget(self.depth, 2 * len(self.tagged))

    def holding(self, codes: np.ndarray) -> np.ndarray:
        """Return those of the codes that are in the last layer, without tags."""
        return self.table.holding(self.board, codes, self.depth)

    def ways(self, met: np.ndarray, layers: Sequence[object], every: bool, watch: Watch) -> list[np.ndarray]:
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
        near = BlockReach(self.codes, self.board, self.watch)
        near.whole = NO_END
        here = near.begin(codes)
        for _ in range(moves):
            here = near.following(here, self.watch, 0)
        return near.ways(near.holding(layer), (), every, self.watch)[-2::-1]


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
