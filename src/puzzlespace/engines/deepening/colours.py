"""The arrays of `kernels.deepening.idastar_colours`: moves that carry a line of pieces, with coloured tables."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...errors import UnsupportedError
from ...heuristics.colours import COLOURED_TABLES, Colours
from ...heuristics.kept import KEPT_BYTES
from ...kernels.deepening import idastar_colours as kernel
from ...kernels.deepening.state import OWN
from ...limits.threads import processors
from ...limits.watch import Watch, phase
from ...structure.slides import Slides
from .iterations import DEEPEST, PathDescent, Rounds
from .latest import Latest

_LATEST: Latest[ColourArrays] = Latest()


def rounds(slides: Slides, goal: bytes, watch: Watch) -> Rounds | None:
    """Return the rounds of a search below coloured tables, or None if the puzzle has none."""
    memory = watch.thresholds[COLOURED_TABLES] if watch.limits.memory is None else watch.limits.memory // 2
    key = slides.model.fingerprint, slides.model.metric.name, goal, memory

    def make() -> ColourArrays:
        bound = Colours(slides, goal, memory)
        with phase("tables of the lower bound were made"):
            bound.fill(processors(), watch.reserve, watch.thresholds[KEPT_BYTES])
        return ColourArrays(bound)

    try:
        arrays = _LATEST.of(key, make)
    except UnsupportedError:
        return None
    return Rounds(lambda path, _: ColourDescent(arrays, path[-1]))


class ColourArrays:
    """The argument `data` of the kernel, which the searches from all positions share."""

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
        """Return the array `cells` of a position."""
        return np.frombuffer(self._cells(position), np.uint8).copy()


def _barred(lines: np.ndarray) -> np.ndarray:
    """Return for each cell of the blank, way and step a bit set of ways: those that continue the line or go back."""
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


class ColourDescent(PathDescent):
    """A depth-first search along lines below coloured tables."""

    def __init__(self, arrays: ColourArrays, start: bytes) -> None:
        super().__init__(start, arrays.bound.bound(start), np.zeros(OWN, np.int64))
        self.arrays = arrays
        self.stack = np.zeros((DEEPEST + 2, kernel.WORDS + 2 * len(arrays.bound.views)), np.int64)
        self.cells = arrays.cells(start)

    def begin(self, bound: int, every: bool, number: int) -> None:
        super().begin(bound, every, number)
        here = self.arrays.bound
        blank = self.start.index(here.slides.blank)
        words = [here.tables[view.table].word(here.colour(view, self.start), view.image[blank]) for view in here.views]
        self.stack[0] = [0, 0, blank, 0, *words, *words]
        self.cells[:] = self.arrays.cells(self.start)

    def run(self) -> int:
        if self.bound == 0:
            return self.stay(self.start == self.arrays.bound.goal)
        return kernel.deepen((self.arrays.data, self.cells, self.stack), self.state)

    def path(self) -> Sequence[bytes]:
        slides, lines = self.arrays.bound.slides, self.arrays.data[5][0]
        board, found = bytearray(self.start), [self.start]
        for way, steps, blank in self.stack[: self.bound, : kernel.BARS].tolist():
            for cell in lines[blank, way, :steps, 0].tolist():
                board[blank], board[cell], blank = board[cell], slides.blank, cell
            found.append(bytes(board))
        return found
