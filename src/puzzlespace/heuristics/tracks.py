"""Bounds on rectangles for moves that carry a line of pieces: depths of tracks of coloured pieces.

As in `colours`, pieces of one colour are equal, no piece is removed, and the depth is a bound by itself. But the tables
are of tracks, the sets of positions that moves along one row or one column join (`kernels.deepening.tracks`). There are
half as many tracks as positions. Each has one bit in the table of solutions that end along a row, and one bit in the
table of those that end along a column. A shortest solution goes along rows and columns in turn, so the number of moves
left and the axis of the next one determine the axis of the last one.

Colours are assigned by rows, and again by columns, on the board with rows and columns exchanged.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import pairwise
from math import prod
from typing import Any

import numpy as np

from ..errors import UnsupportedError
from ..kernels.deepening import idastar_tracks
from ..kernels.deepening import tracks as kernel
from ..limits.threads import Crew
from ..limits.watch import checkpoint
from ..structure import rectangle
from ..structure.slides import Slides
from . import kept
from .colours import COLOURED_TABLES, lines_of
from .track_words import COLOURS, MOST_FIELDS, Words, partitions, split, ways

FORMAT = 1
"""The version of tables in the cache folder."""

LEAST_FIELDS = 5
"""The least number of pieces."""

PARTS = 8
"""The parts, per thread, into which the rows of a table are divided."""

words_of = cache(Words)


@dataclass
class TrackTable:
    """The depths of all tracks, counted from one of them.

    words  how tracks are numbered
    goal   the number (0 to 7) of the colour of each cell in the goal; the blank's does not matter
    blank  the cell of the blank in the goal
    axis   whether depths are counted from the track of its row (0) or of its column (1)
    """

    words: Words
    goal: tuple[int, ...]
    blank: int
    axis: int
    bits: np.ndarray = field(default_factory=lambda: np.zeros(0, np.uint64))

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of `bits`."""
        return self.words.shape

    @property
    def size(self) -> int:
        """The size in bytes."""
        rows, lines, orders = self.shape
        return 8 * rows * lines * orders

    @property
    def identity(self) -> dict[str, Any]:
        """Everything that the depths depend on."""
        board = [self.words.rows, self.words.columns]
        return {"format": FORMAT, "tracks": board, "goal": list(self.goal), "blank": self.blank, "axis": self.axis}

    def word(self, colours: Sequence[int], blank: int, axis: int) -> int:
        """Return the word of the track of an axis that a board is on, given the colour of each cell."""
        words = self.words
        word = 0
        for at, colour in enumerate(colour for cell, colour in enumerate(colours) if cell != blank):
            word |= sum((colour >> plane & 1) << (plane * words.fields + at) for plane in range(3))
        if axis == 0:
            return word
        stay, up, down = map(int, words.masks[0, blank])
        return word & stay | (word & up) << words.columns - 1 | (word & down) >> 1

    def line(self, cell: int, axis: int) -> int:
        """Return the row or column of a cell."""
        return cell % self.words.columns if axis else cell // self.words.columns

    def build(self, threads: int = 1) -> int:
        """Fill the table; return the number of tracks. Raises UnsupportedError if not all can be reached."""
        words, axis, depth = self.words, self.axis, 0
        self.bits, seen = np.zeros(self.shape, np.uint64), np.zeros(self.shape, np.uint64)
        word = self.word(self.goal, self.blank, axis)
        planes = [word >> words.fields * plane & ((1 << words.fields) - 1) for plane in range(3)]
        top = planes[2]
        low, high = (_gathered(planes, [f for f in range(words.fields) if top >> f & 1 == side]) for side in (0, 1))
        row, order, bit = (int(table[key]) for table, key in zip(words.numbers, (top, low, high), strict=True))
        seen[row, axis * words.rows + self.line(self.blank, axis), order] = np.uint64(1 << bit)
        total = 1
        while found := self._layer(seen, axis, depth, threads):
            total, depth, axis = total + found, depth + 1, 1 - axis
        if total != words.total:
            raise UnsupportedError("heuristic pattern: not all orders of coloured pieces can be reached")
        return total

    def _layer(self, seen: np.ndarray, axis: int, depth: int, threads: int) -> int:
        """Expand all tracks of a depth, in several threads; return how many there are of the next depth."""
        words = self.words
        whole = np.uint64((1 << ways(words.high)) - 1)
        step = axis, depth, words.rows, words.columns, whole
        bounds = np.linspace(0, self.shape[0], PARTS * threads + 1).astype(int).tolist()
        found = np.zeros((threads, self.shape[2]), np.uint64)
        totals: list[int] = []

        def work(thread: int, span: tuple[int, int]) -> bool:
            checkpoint()
            totals.append(int(kernel.spread(self.bits, seen, step, span, words.turns, found[thread])))
            return True

        Crew(threads).run(deque(pairwise(bounds)), work)
        return sum(totals)


def _gathered(planes: Sequence[int], fields: Sequence[int]) -> int:
    """Return the order of a group: its fields of the planes 1 and 0."""
    one, two = (sum((planes[p] >> f & 1) << at for at, f in enumerate(fields)) for p in (0, 1))
    return two << len(fields) | one


@dataclass(frozen=True)
class TrackView:
    """Colours of the goal on the board, or on the board with rows and columns exchanged.

    tables  two tables, with depths counted from a row and from a column of this image
    image   the cell of the image for each cell
    """

    tables: tuple[TrackTable, TrackTable]
    image: tuple[int, ...]


def _named(symbols: Sequence[int], sizes: Sequence[int]) -> dict[int, int]:
    """Return the colour of each symbol, given how many successive pieces share one; equal pieces have one colour."""
    names: dict[int, int] = {}
    for symbol, colour in zip(symbols, (n for n, size in enumerate(sizes) for _ in range(size)), strict=True):
        names.setdefault(symbol, colour)
    return names


def _words(rows: int, columns: int, colours: Sequence[int]) -> tuple[Words, dict[int, int]] | None:
    """Return how pieces of these colours are numbered, and the number of each colour; None if that is not possible."""
    used = sorted(set(colours))
    counts = [colours.count(colour) for colour in used]
    high = split(counts)
    if high is None:
        return None
    low = [at for at in range(len(used)) if at not in high]
    number = {used[at]: n for n, at in enumerate(low)} | {used[at]: COLOURS + n for n, at in enumerate(high)}
    return words_of(rows, columns, tuple(counts[at] for at in low), tuple(counts[at] for at in high)), number


@dataclass
class Tracks:
    """The greatest depth of two tables of tracks, to one goal. `read` makes it."""

    slides: Slides
    shape: rectangle.Rectangle
    goal: bytes
    memory: int = COLOURED_TABLES.usual

    @cached_property
    def views(self) -> tuple[TrackView, TrackView]:
        """Colours by rows, and by columns."""
        rows, columns = self.shape.height, self.shape.width
        places = list(zip(self.shape.rows, self.shape.columns, strict=True))
        first = self._view(rows, columns, [row * columns + column for row, column in places], ())
        return first, self._view(columns, rows, [column * rows + row for row, column in places], first.tables)

    def _view(self, rows: int, columns: int, image: Sequence[int], shared: tuple[TrackTable, ...]) -> TrackView:
        """Return the view of an image of the board; tables that are the same in the other view are shared."""
        goal = bytearray(self.goal)
        for cell, symbol in enumerate(self.goal):
            goal[image[cell]] = symbol
        blank = goal.index(self.slides.blank)
        words, colours = self._coloured(rows, columns, bytes(goal), blank)
        first, second = (TrackTable(words, colours, blank, axis) for axis in (0, 1))
        if shared and [table.identity for table in shared] == [first.identity, second.identity]:
            first, second = shared
        return TrackView((first, second), tuple(image))

    def _coloured(self, rows: int, columns: int, goal: bytes, blank: int) -> tuple[Words, tuple[int, ...]]:
        """Return the words and the number of each cell's colour, for as many orders as fit the memory.

        Colours of few pieces are those of the lines next to the blank, which was measured to be best.
        """
        here = divmod(blank, columns)
        alike = rows == columns and here[0] == here[1] and len(set(goal)) == len(goal)
        most = self.memory // (3 if alike else 5)  # one table more than there are, for while one is made
        order = sorted(range(len(goal)), key=lambda c: (abs(c // columns - here[0]), abs(c % columns - here[1]), c))
        order.remove(blank)
        parts = [each for each in partitions(len(order), 2 * COLOURS) if max(each) > 1]
        for sizes in sorted(parts, key=lambda sizes: (-ways(sizes), max(sizes), len(sizes))):
            names = _named([goal[cell] for cell in order], sizes)
            words = _words(rows, columns, [names[goal[cell]] for cell in order])
            if words is not None and 8 * prod(words[0].shape) <= most:
                return words[0], tuple(0 if c == blank else words[1][names[goal[c]]] for c in range(len(goal)))
        raise UnsupportedError(f"heuristic pattern: no table of tracks fits {self.memory:,} bytes")

    @property
    def tables(self) -> tuple[TrackTable, ...]:
        """All tables, empty before they are filled."""
        first, second = (view.tables for view in self.views)
        return first if first[0] is second[0] else (*first, *second)

    def fill(
        self, threads: int = 1, reserve: Callable[[int], None] = lambda wanted: None, least: int = kept.KEPT_BYTES.usual
    ) -> None:
        """Read the tables from the cache folder, or build and save them; arguments as in `kept.fill_each`."""
        kept.fill_each(self.tables, max(table.size for table in self.tables), threads, reserve, least)

    @cached_property
    def arrays(self) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        """The argument `views` of `kernels.deepening.idastar_tracks`: to end along a row, and along a column."""
        if not len(self.tables[-1].bits):
            self.fill()
        return self._arrays(0), self._arrays(1)

    def _arrays(self, last: int) -> tuple[Any, ...]:
        return tuple(self._view_arrays(view, last, swap) for swap, view in enumerate(self.views))

    def _view_arrays(self, view: TrackView, last: int, swap: int) -> tuple[Any, ...]:
        """Return the arrays of a table for the axes and cells of the board itself."""
        table = view.tables[last ^ swap]
        words = table.words
        rows, columns = self.shape.height, self.shape.width
        first = (words.rows, 0) if swap else (0, words.rows)
        counts = words.fields, sum(words.low), sum(words.high), words.shape[2], words.lines, *first, rows, columns
        masks, shifts = words.masks, words.shifts
        if swap:
            over = [column * rows + row for row in range(rows) for column in range(columns)]
            masks, shifts = np.ascontiguousarray(masks[::-1, over]), np.ascontiguousarray(shifts[::-1])
        return table.bits.reshape(-1), words.numbers, np.array(counts, np.int64), masks, shifts

    def track(self, position: bytes, axis: int, last: int) -> list[tuple[int, int]]:
        """Return for each view the word of the position's track of an axis, and its depth to end along `last`."""
        return [self._track(position, axis, last, swap) for swap in (0, 1)]

    def _track(self, position: bytes, axis: int, last: int, swap: int) -> tuple[int, int]:
        view = self.views[swap]
        table = view.tables[last ^ swap]
        home = {symbol: cell for cell, symbol in enumerate(self.goal)}
        colours = [0] * len(position)
        for cell, symbol in enumerate(position):
            colours[view.image[cell]] = table.goal[view.image[home[symbol]]]
        blank = view.image[position.index(self.slides.blank)]
        word = table.word(colours, blank, axis ^ swap)
        end = np.uint64(table.word(table.goal, table.blank, table.axis))
        goal = last, table.line(table.blank, table.axis), end
        here = table.line(blank, axis ^ swap), np.uint64(word)
        return word, int(idastar_tracks.depth_of(self.arrays[last][swap], axis, *here, goal))

    def least(self, position: bytes, axis: int, last: int) -> int:
        """Return a lower bound on the moves if the first goes along `axis` and the last along `last`."""
        return 1 + max(depth for _, depth in self.track(position, axis, last))

    def bound(self, position: bytes) -> int:
        """Return a lower bound on the moves from the position to the goal."""
        if position == self.goal:
            return 0
        return min(self.least(position, axis, last) for axis in (0, 1) for last in (0, 1))


def read(slides: Slides, goal: bytes, memory: int = COLOURED_TABLES.usual) -> Tracks | None:
    """Return the bound, or None unless the board is a rectangle on which moves go along whole rows and columns."""
    shape = rectangle.read(slides)
    if shape is None or min(shape.width, shape.height) < 2 or not LEAST_FIELDS < len(goal) <= MOST_FIELDS + 1:
        return None
    at = {place: cell for cell, place in enumerate(zip(shape.rows, shape.columns, strict=True))}
    for cell, lines in enumerate(lines_of(slides)):
        row, column = shape.rows[cell], shape.columns[cell]
        ways = [[at[row, c] for c in range(shape.width)], [at[r, column] for r in range(shape.height)]]
        wanted = {each for way in ways for each in _both(way, way.index(cell))}
        if {*lines} != wanted - {()}:
            return None
    return Tracks(slides, shape, goal, memory)


def _both(line: Sequence[int], at: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the cells of a line beyond a place, on either side, the nearest first."""
    return tuple(line[at + 1 :]), tuple(reversed(line[:at]))
