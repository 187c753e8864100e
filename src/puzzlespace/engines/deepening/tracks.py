"""The arrays of `kernels.deepening.idastar_tracks`: moves that carry a line of pieces on a rectangle."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...errors import UnsupportedError
from ...heuristics.colours import COLOURED_TABLES
from ...heuristics.kept import KEPT_BYTES
from ...heuristics.tracks import Tracks, read
from ...kernels.deepening import idastar_tracks as kernel
from ...kernels.deepening.state import ENDED, LEAST, OWN, PAUSED
from ...limits.threads import processors
from ...limits.watch import Watch, phase
from ...structure.slides import Slides
from .iterations import PathDescent, Rounds
from .latest import Latest

_LATEST: Latest[Tracks] = Latest()

DEEPEST = 200
"""The most moves of a solution: a rectangle of 21 cells needs far fewer."""


def rounds(slides: Slides, goal: bytes, watch: Watch) -> Rounds | None:
    """Return the rounds of a search below tables of tracks, or None if the puzzle has none."""
    memory = watch.thresholds[COLOURED_TABLES] if watch.limits.memory is None else watch.limits.memory // 2
    key = slides.model.fingerprint, slides.model.metric.name, goal, memory

    def make() -> Tracks:
        bound = read(slides, goal, memory)
        if bound is None:
            raise UnsupportedError("heuristic pattern: moves do not go along whole rows and columns")
        with phase("tables of the lower bound were made"):
            bound.fill(processors(), watch.reserve, watch.thresholds[KEPT_BYTES])
        return bound

    try:
        bound = _LATEST.of(key, make)
    except UnsupportedError:
        return None
    return Rounds(lambda path, _: TrackDescent(bound, path[-1]))


@dataclass
class Leg:
    """The solutions whose first move goes along `axis` and whose last move goes along `last`."""

    axis: int
    last: int
    words: list[int]
    depths: list[int]

    @property
    def least(self) -> int:
        """The lower bound on their length."""
        return 1 + max(self.depths)


class TrackDescent(PathDescent):
    """A depth-first search along tracks, leg by leg."""

    def __init__(self, here: Tracks, start: bytes) -> None:
        self.here = here
        self.legs: list[Leg] = []
        for axis, last in np.ndindex(2, 2):
            words, depths = zip(*here.track(start, axis, last), strict=True)
            self.legs.append(Leg(axis, last, list(words), list(depths)))
        root = 0 if start == here.goal else min(leg.least for leg in self.legs)
        super().__init__(start, root, np.zeros(OWN, np.int64))
        rows, columns = here.shape.height, here.shape.width
        self.board = rows, columns, self._cells(start), self._cells(here.goal)
        self.path_lines = np.zeros((DEEPEST + 2, 3), np.int64)
        self.words = np.zeros((DEEPEST + 2, max(rows, columns), 2), np.uint64)
        self.depths = np.zeros(self.words.shape, np.int64)

    def _cells(self, position: bytes) -> np.ndarray:
        """Return the position row by row, with 0 for the blank."""
        image = self.here.views[0].image
        cells = np.zeros(len(position), np.uint8)
        for cell, symbol in enumerate(position):
            cells[image[cell]] = 0 if symbol == self.here.slides.blank else symbol + 1
        return cells

    def begin(self, bound: int, every: bool, number: int) -> None:
        super().begin(bound, every, number)
        self.state[LEAST] = 1  # the next round is for the legs of the other parity
        self.todo = [leg for leg in self.legs if leg.least <= bound and (bound - leg.least) % 2 == 0 and bound]
        self.now = self._next()

    def _next(self) -> Leg | None:
        """Prepare the next leg; return it, or None after the last one."""
        if not self.todo:
            return None
        leg = self.todo.pop()
        blank = self.here.views[0].image[self.start.index(self.here.slides.blank)]
        lines = divmod(blank, self.board[1])
        self.path_lines[0] = lines[leg.axis], lines[1 - leg.axis], 0
        self.words[0, 0], self.depths[0, 0] = leg.words, leg.depths
        self.state[:] = 0, 0, self.generated, 1, 1, self.bound, self.expanded
        return leg

    def run(self) -> int:
        if self.bound == 0:
            return self.stay(self.start == self.here.goal)
        if self.now is not None:
            arrays = self.here.arrays[self.now.last]
            cells = np.zeros(len(self.start), np.uint8)
            search = arrays, self.board, self.now.axis, self.path_lines, self.words, self.depths, cells
            said = kernel.deepen(search, self.state)
            if said != ENDED:
                return said
            self.now = self._next()
        return ENDED if self.now is None else PAUSED

    def path(self) -> Sequence[bytes]:
        if self.bound == 0 or self.now is None:
            return [self.start]
        here, image = self.here, self.here.views[0].image
        cell_of = {place: cell for cell, place in enumerate(image)}
        columns = self.board[1]
        end = divmod(image[here.goal.index(here.slides.blank)], columns)
        lines = [*self.path_lines[1 : self.bound, kernel.LINE].tolist(), end[1 - self.now.last]]
        board, found = bytearray(self.start), [self.start]
        place = list(divmod(image[self.start.index(here.slides.blank)], columns))
        for depth, line in enumerate(lines):
            across = 1 - (self.now.axis + depth) % 2
            while place[across] != line:
                before = cell_of[place[0] * columns + place[1]]
                place[across] += 1 if line > place[across] else -1
                after = cell_of[place[0] * columns + place[1]]
                board[before], board[after] = board[after], here.slides.blank
            found.append(bytes(board))
        return found
