"""The arrays of `kernels.deepening.idastar_tracks`: moves that carry a line of pieces on a rectangle."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from threading import Lock
from typing import Any

import numpy as np

from ...errors import UnsupportedError
from ...heuristics.slides import Slides
from ...heuristics.tracks import Tracks, read
from ...kernels.deepening import idastar_tracks as kernel
from ...kernels.deepening.idastar_sums import ENDED, FOUND
from ...limits.threads import processors
from ...limits.watch import Watch, phase
from .iterations import Rounds

_KEPT: dict[tuple[Any, ...], Tracks] = {}
"""The tables used last, for further positions of the same puzzle."""

_LOCK = Lock()

DEEPEST = 200
"""Moves of the longest way: a rectangle of 21 cells needs far fewer."""


def rounds(slides: Slides, goal: bytes, watch: Watch) -> Rounds | None:
    """Return the rounds of a search below tables of tracks, or None where there are none for the puzzle."""
    memory = watch.thresholds.coloured_tables if watch.limits.memory is None else watch.limits.memory // 2
    key = (slides.model.fingerprint, slides.model.metric.name, goal, memory)
    with _LOCK:
        if key not in _KEPT:
            try:
                bound = read(slides, goal, memory)
                if bound is None:
                    return None
                with phase("tables of the lower bound were made"):
                    bound.fill(processors(), watch.reserve, watch.thresholds.kept_bytes)
            except UnsupportedError:
                return None
            _KEPT.clear()
            _KEPT[key] = bound
        bound = _KEPT[key]
    return Rounds(lambda path, _: TrackDescent(bound, path[-1]))


@dataclass
class Leg:
    """The ways that begin along one axis and end along one."""

    axis: int
    last: int
    words: list[int]
    depths: list[int]

    @property
    def least(self) -> int:
        """Moves that are needed at least."""
        return 1 + max(self.depths)


@dataclass
class TrackDescent:
    """A depth-first search from a position."""

    bound_of: Tracks
    start: bytes
    bound: int = 0
    arrived: bool = False
    state: np.ndarray = field(default_factory=lambda: np.zeros(6, np.int64))

    def __post_init__(self) -> None:
        here = self.bound_of
        self.legs: list[Leg] = []
        for axis, last in np.ndindex(2, 2):
            words, depths = zip(*here.track(self.start, axis, last), strict=True)
            self.legs.append(Leg(axis, last, list(words), list(depths)))
        self.root = 0 if self.start == here.goal else min(leg.least for leg in self.legs)
        rows, columns = here.shape.height, here.shape.width
        self.board = rows, columns, self._cells(self.start), self._cells(here.goal)
        self.path = np.zeros((DEEPEST + 2, 3), np.int64)
        self.words = np.zeros((DEEPEST + 2, max(rows, columns), 2), np.uint64)
        self.depths = np.zeros(self.words.shape, np.int64)

    def _cells(self, position: bytes) -> np.ndarray:
        """Return the position row by row, with 0 for the blank."""
        image = self.bound_of.views[0].image
        cells = np.zeros(len(position), np.uint8)
        for cell, symbol in enumerate(position):
            cells[image[cell]] = 0 if symbol == self.bound_of.slides.blank else symbol + 1
        return cells

    def begin(self, bound: int, every: bool, number: int) -> None:
        """Begin a round."""
        self.bound, self.arrived = bound, False
        self.state[:] = 0
        self.todo = [leg for leg in self.legs if leg.least <= bound and (bound - leg.least) % 2 == 0 and bound]
        self.now = self._next()

    def _next(self) -> Leg | None:
        """Set out on the next leg."""
        if not self.todo:
            return None
        leg = self.todo.pop()
        blank = self.bound_of.views[0].image[self.start.index(self.bound_of.slides.blank)]
        lines = divmod(blank, self.board[1])
        self.path[0] = lines[leg.axis], lines[1 - leg.axis], 0
        self.words[0, 0], self.depths[0, 0] = leg.words, leg.depths
        self.state[:] = 0, 1, 0, self.generated, self.bound, leg.axis
        return leg

    @property
    def generated(self) -> int:
        """The positions generated in this round."""
        return int(self.state[kernel.GENERATED])

    @property
    def least(self) -> int:
        """By how much the best of what was left out passes the bound, at least."""
        return 1

    def go(self, budget: int) -> int:
        """Go on for so many moves; return PAUSED, ENDED or FOUND."""
        if self.bound == 0:
            self.arrived = self.start == self.bound_of.goal and not self.arrived
            return FOUND if self.arrived else ENDED
        self.arrived = False
        if self.now is None:
            return ENDED
        self.state[kernel.BUDGET] = budget
        arrays = self.bound_of.arrays[self.now.last]
        cells = np.zeros(len(self.start), np.uint8)
        said = kernel.deepen(arrays, self.board, self.path, (self.words, self.depths), cells, self.state)
        self.arrived = said == FOUND
        if said == ENDED:
            self.now = self._next()
            said = ENDED if self.now is None else kernel.PAUSED
        return said

    def found(self) -> list[tuple[int, bytes]]:
        """Return (depth, position) of the way that the last call of `go` found."""
        return list(enumerate(self._positions())) if self.arrived else []

    def _positions(self) -> Sequence[bytes]:
        if self.bound == 0 or self.now is None:
            return [self.start]
        here, image = self.bound_of, self.bound_of.views[0].image
        cell_of = {place: cell for cell, place in enumerate(image)}
        columns = self.board[1]
        end = divmod(image[here.goal.index(here.slides.blank)], columns)
        lines = [*self.path[1 : self.bound, kernel.LINE].tolist(), end[1 - self.now.last]]
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
