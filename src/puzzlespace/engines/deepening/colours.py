"""The arrays of `kernels.deepening.idastar_colours`: moves that carry a line of pieces, with coloured tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from threading import Lock
from typing import Any

import numpy as np

from ...errors import UnsupportedError
from ...heuristics.colours import Colours
from ...heuristics.slides import Slides
from ...kernels.deepening import idastar_colours as kernel
from ...kernels.deepening.idastar_sums import ENDED, FOUND, NEVER
from ...limits.threads import processors
from ...limits.watch import Watch, phase
from .iterations import DEEPEST, Rounds

_KEPT: dict[tuple[Any, ...], ColourArrays] = {}
"""The tables used last, for further positions of the same puzzle."""

_LOCK = Lock()


def rounds(slides: Slides, goal: bytes, watch: Watch) -> Rounds | None:
    """Return the rounds of a search below coloured tables, or None where there are none for the puzzle."""
    memory = watch.thresholds.coloured_tables if watch.limits.memory is None else watch.limits.memory // 2
    key = (slides.model.fingerprint, slides.model.metric.name, goal, memory)
    with _LOCK:
        if key not in _KEPT:
            bound = Colours(slides, goal, memory)
            try:
                with phase("tables of the lower bound were made"):
                    bound.fill(processors(), watch.reserve, watch.thresholds.kept_bytes)
            except UnsupportedError:
                return None
            _KEPT.clear()
            _KEPT[key] = ColourArrays(bound)
        arrays = _KEPT[key]
    return Rounds(lambda path, _: ColourDescent(arrays, path[-1]))


class ColourArrays:
    """What the searches of all positions read."""

    def __init__(self, bound: Colours) -> None:
        self.bound = bound
        tables = [bound.tables[view.table] for view in bound.views]
        offsets = np.cumsum([0, *(table.size for table in bound.tables)])
        shared = bound.tables[0].bits if len(bound.tables) == 1 else np.concatenate([t.bits for t in bound.tables])
        lines = np.array([t.steps(view.image) for t, view in zip(tables, bound.views, strict=True)])
        bits, low, _ = tables[0].fields
        self.data = (
            np.array([table.halves[0] for table in tables]), np.array([table.halves[1] for table in tables]), shared,
            np.array([offsets[view.table] for view in bound.views]), (bits, bits * low), lines, _barred(lines[0]),
            np.frombuffer(self._cells(bound.goal), np.uint8).copy(),
        )  # fmt: skip

    def _cells(self, position: bytes) -> bytes:
        """Return the position with 0 for the blank."""
        blank = self.bound.slides.blank
        return bytes(0 if symbol == blank else symbol + 1 for symbol in position)

    def cells(self, position: bytes) -> np.ndarray:
        """Return the array `cells`."""
        return np.frombuffer(self._cells(position), np.uint8).copy()


def _barred(lines: np.ndarray) -> np.ndarray:
    """Return for each cell of the blank, way and step the ways, as bits, that go on along the line or back."""
    cells, ways, steps = lines.shape[:3]
    barred = np.zeros((cells, ways, steps), np.int64)
    for blank in range(cells):
        for way in range(ways):
            along = [blank, *(int(cell) for cell in lines[blank, way, :, 0] if cell >= 0), -1]
            for step in range(len(along) - 2):
                beside = (along[step], along[step + 2])
                for other in range(ways):
                    if lines[along[step + 1], other, 0, 0] in beside and lines[along[step + 1], other, 0, 0] >= 0:
                        barred[blank, way, step] |= 1 << other
    return barred


@dataclass
class ColourDescent:
    """A depth-first search from a position."""

    arrays: ColourArrays
    start: bytes
    bound: int = 0
    arrived: bool = False
    state: np.ndarray = field(default_factory=lambda: np.zeros(5, np.int64))

    def __post_init__(self) -> None:
        bound = self.arrays.bound
        self.root = bound.bound(self.start)
        self.stack = np.zeros((DEEPEST + 2, kernel.WORDS + 2 * len(bound.views)), np.int64)
        self.cells = self.arrays.cells(self.start)

    def begin(self, bound: int, every: bool, number: int) -> None:
        """Begin a round."""
        here = self.arrays.bound
        self.bound, self.arrived = bound, False
        blank = self.start.index(here.slides.blank)
        words = [here.tables[view.table].word(here.colour(view, self.start), view.image[blank]) for view in here.views]
        self.stack[0] = [0, 0, blank, 0, *words, *words]
        self.cells[:] = self.arrays.cells(self.start)
        self.state[:] = 0, 0, 0, 0, NEVER

    @property
    def generated(self) -> int:
        """The positions generated in this round."""
        return int(self.state[3])

    @property
    def least(self) -> int:
        """By how much the best of what was left out passes the bound."""
        return int(self.state[4])

    def go(self, budget: int) -> int:
        """Go on for so many moves; return PAUSED, ENDED or FOUND."""
        self.state[2] = budget
        if self.bound == 0:
            arrived = self.start == self.arrays.bound.goal and not self.arrived
            said = FOUND if arrived else ENDED
            self.state[4] = 1
        else:
            said = kernel.deepen(self.arrays.data, self.cells, self.stack, self.state, self.bound)
        self.arrived = said == FOUND
        return said

    def found(self) -> list[tuple[int, bytes]]:
        """Return (depth, position) of the way that the last call of `go` found."""
        return list(enumerate(self._positions())) if self.arrived else []

    def _positions(self) -> Sequence[bytes]:
        slides, lines = self.arrays.bound.slides, self.arrays.data[5][0]
        board, found = bytearray(self.start), [self.start]
        for way, steps, blank in self.stack[: self.bound, : kernel.BARS].tolist():
            for cell in lines[blank, way, :steps, 0].tolist():
                board[blank], board[cell], blank = board[cell], slides.blank, cell
            found.append(bytes(board))
        return found
