"""The arrays of `kernels.deepening.idastar_lines` for one position: walking distance, inversions, or both."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...heuristics.inversion import Inversion, moves
from ...heuristics.labels import Labels
from ...heuristics.walking import Walking
from ...kernels.deepening import idastar_lines
from ...kernels.deepening.idastar_lines import ENTRY_BITS, PARTS
from ...limits.thresholds import Thresholds
from . import blank_links
from .blank_links import LinkDescent, Links
from .iterations import DEEPEST, Rounds
from .latest import Latest
from .pruning import Ways

_LATEST: Latest[tuple[np.ndarray, ...]] = Latest()
"""The last arrays. Computing those of 4x4 takes 0.1 s."""


def rounds(walking: Walking | None, inversion: Inversion | None, board: Links, by: Thresholds) -> Rounds:
    """Return the rounds of a search below the greater of two bounds for each axis; one of them may be missing.

    board  the links with the labels of the start. All cells must be open to every piece, because the loop lets all
           pieces use all links
    """
    lines = Lines.of(walking, inversion, board)

    def descend(start: bytes, here: Labels) -> LinkDescent:
        links, stack = board.of(here), lines.stack(start)
        opened = np.zeros((DEEPEST + 1, links.width, 4), np.int64)
        cells = links.cells(start)

        def go(ways: Ways, state: np.ndarray) -> int:
            return idastar_lines.deepen((links.arrays, ways, lines.data, cells, stack, opened), state)

        return LinkDescent.of(links, lines.bound(stack[0]), go, stack, start)

    return blank_links.rounds(board.slides, board.labels, descend, by)


def _either(walking: Walking | None, inversion: Inversion | None) -> Walking | Inversion:
    either = walking or inversion
    assert either is not None
    return either


@dataclass(frozen=True)
class Lines:
    """The bounds of one goal; `data` is the argument of the kernel, which the searches from all positions share."""

    walking: Walking | None
    inversion: Inversion | None
    data: tuple[np.ndarray, ...]

    @classmethod
    def of(cls, walking: Walking | None, inversion: Inversion | None, links: Links) -> Lines:
        """Return the arrays of one or two bounds on the links of a board."""
        either, symbols = _either(walking, inversion), links.labels.symbols
        key = either.slides.model.fingerprint, either.goal, symbols, walking is None, inversion is None
        data = _LATEST.of(key, lambda: _data(walking, inversion, either.shape, links))
        return cls(walking, inversion, data)

    def stack(self, start: bytes) -> np.ndarray:
        """Return a new stack for a search from a position."""
        stack = np.zeros((DEEPEST + 2, PARTS + 6), np.int64)
        for axis in (0, 1):
            entry = self.walking.number(axis, start) if self.walking else 0
            count = self.inversion.count(axis, start) if self.inversion else 0
            depth = self.walking.axes[axis].depths[entry] if self.walking else 0
            needed = max(depth, int(self.data[3][axis, count]))
            if axis and self.walking and _axes_differ(self.walking):
                entry += len(self.walking.axes[0].depths)
            stack[0, PARTS + 3 * axis : PARTS + 3 * axis + 3] = entry, count, needed
        return stack

    @staticmethod
    def bound(row: np.ndarray) -> int:
        """Return the bound of a position, given its row of a stack."""
        return int(row[PARTS + 2] + row[PARTS + 5])


def _data(walking: Walking | None, inversion: Inversion | None, shape: Any, links: Links) -> tuple[np.ndarray, ...]:
    """Return the argument `data` of the kernel."""
    symbols = links.labels.symbols
    count = len(symbols) + 1
    kinds = [_kind(shape, blank, end) for blank, end in links.table[:, :2].tolist()]
    columns = np.zeros((len(kinds), count), np.uint8)
    mends = np.zeros((2, count**2), np.uint32)
    passes = np.zeros((len(kinds), count, count), np.int8)
    for axis in (0, 1):
        if inversion:
            mends[axis] = [moves(number, shape.lines(1 - axis) - 1) for number in range(mends.shape[1])]
    for link, (axis, way) in enumerate(kinds):
        if walking:
            table = walking.axes[axis]
            columns[link, 1:] = [way * table.lines + table.classes[symbol] for symbol in symbols]
        if inversion:
            ranks = np.array([inversion.ranks[axis][symbol] for symbol in symbols])
            passes[link, 1:, 1:] = np.where((ranks[:, None] < ranks) == (way == 0), 1, -1)
    after = _after(walking) if walking else np.zeros((1, 1), np.uint32)
    axes = np.array([axis for axis, _ in kinds], np.uint8)
    return axes, columns, after, mends, passes, _between(shape, links, inversion)


def _kind(shape: Any, blank: int, end: int) -> tuple[int, int]:
    """Return the axis that a link changes, and 0 or 1: its piece is in the line before or after the blank's."""
    axis = int(shape.rows[blank] == shape.rows[end])
    return axis, int(shape.line(axis, end) > shape.line(axis, blank))


def _after(walking: Walking) -> np.ndarray:
    """Return `after`: the table of rows, followed by that of columns if it is another."""
    tables = walking.axes[: 1 + _axes_differ(walking)]
    after = np.zeros((sum(len(table.depths) for table in tables), 2 * max(table.lines for table in tables)), np.uint32)
    begin = 0
    for table in tables:
        entries, depths = np.array(table.links), np.array(table.depths)
        made = begin + entries | depths[entries] << ENTRY_BITS
        after[begin : begin + len(depths), : 2 * table.lines] = np.where(entries < 0, 0, made)
        begin += len(depths)
    return after


def _axes_differ(walking: Walking) -> bool:
    """Return whether rows and columns have different tables."""
    return walking.axes[0].links != walking.axes[1].links


def _between(shape: Any, links: Links, inversion: Inversion | None) -> np.ndarray:
    if not inversion:
        return np.zeros((len(links.rules), 0), np.uint8)
    passed = []
    for blank, end in links.table[:, :2].tolist():
        order = inversion.orders[shape.rows[blank] == shape.rows[end]]
        places = sorted(order.index(cell) for cell in (blank, end))
        cells = order[places[0] + 1 : places[1]]
        passed.append([*cells, *[blank] * (max(shape.width, shape.height) - 1 - len(cells))])
    return np.array(passed, np.uint8)
