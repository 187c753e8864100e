"""Bounds for moves that carry a line of pieces: the depth table of the puzzle in which pieces have few colours.

Such a move may carry pieces of several groups, so pattern databases of groups cannot be added. If pieces of one colour
are equal, no piece is removed and each move is still one move. So the depth is a bound by itself, and so is the
greatest depth of several tables and images. One table has a colour for each part of the goal's rows, another for each
part of its columns; if a mirror image maps rows to columns, one table serves both. It is for boards with one blank,
pieces of one cell, and moves along lines.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice, pairwise
from math import factorial, prod
from typing import Any, NamedTuple

import numpy as np

from ..errors import UnsupportedError
from ..kernels.deepening import colours as kernel
from ..limits.threads import Crew
from ..limits.thresholds import Threshold
from ..limits.watch import checkpoint
from ..structure import rectangle
from ..structure.lines import Lines, read
from ..structure.slides import Slides
from . import kept
from .database import ENDLESS, grid_of
from .mirror import mirrors

FORMAT = 1
"""The version of tables in the cache folder."""

MOST_COLOURS = 8
"""The most colours of a table."""

MOST_BITS = 18
"""The most bits of half a word: arrays are indexed by it."""

COLOURED_TABLES = Threshold(1 << 28)
"""The most bytes of all tables of coloured pieces, and of computing them, unless another limit is given."""


def lines_of(slides: Slides) -> Lines:
    """Return what `structure.lines` reads; raise UnsupportedError if moves do not follow lines."""
    found = read(slides)
    if isinstance(found, str):
        raise UnsupportedError(f"heuristic pattern: {found}")
    return found


class WordFields(NamedTuple):
    """The bits of a field of a word, and how many fields its low and its high half have."""

    bits: int
    low: int
    high: int


@dataclass
class ColourTable:
    """The depths of all arrangements of coloured pieces.

    lines    for each cell of the blank the lines along which it goes
    goal     the colour of each cell in the goal; the blank's does not matter
    blank    the cell of the blank in the goal
    colours  the number of colours
    """

    lines: Lines
    goal: tuple[int, ...]
    blank: int
    colours: int
    bits: np.ndarray = field(default_factory=lambda: np.zeros(0, np.uint8))

    @property
    def fields(self) -> WordFields:
        """The fields of a word: a colour for each cell without the blank."""
        cells = len(self.goal) - 1
        return WordFields(max(1, (self.colours - 1).bit_length()), cells // 2, cells - cells // 2)

    @property
    def counts(self) -> list[int]:
        """Pieces of each colour."""
        pieces = [colour for cell, colour in enumerate(self.goal) if cell != self.blank]
        return [pieces.count(colour) for colour in range(self.colours)]

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of `bits`."""
        words = factorial(len(self.goal) - 1) // prod(map(factorial, self.counts))
        return (words * len(self.goal),)

    @property
    def size(self) -> int:
        """The size in bytes."""
        return self.shape[0]

    @property
    def scratch(self) -> int:
        """The bytes that `build` needs besides the table."""
        return 2 * self.size // len(self.goal)

    @property
    def identity(self) -> dict[str, Any]:
        """Everything that the depths depend on."""
        return {
            "format": FORMAT,
            "lines": [list(map(list, each)) for each in self.lines],
            "goal": list(self.goal),
            "blank": self.blank,
        }

    @cached_property
    def halves(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """The arrays `first`, `local`, the low halves sorted by the colours they contain, and `parts`."""
        bits, low, high = self.fields
        held_low, held_high = held(bits, low), held(bits, high)
        keys = (low + 1) ** np.arange(held_low.shape[1], dtype=np.int64)
        key = held_low @ keys
        listed = np.argsort(key, kind="stable")
        starts: np.ndarray = np.searchsorted(key[listed], np.arange(int(keys[-1]) * (low + 1) + 1))
        local = np.empty(len(key), np.int64)
        local[listed] = np.arange(len(key)) - starts[key[listed]]
        counts = np.zeros(held_high.shape[1], np.int64)
        counts[: self.colours] = self.counts
        rest = counts - held_high
        fits = (rest >= 0).all(axis=1)
        facts = np.array([factorial(n) for n in range(low + 1)], np.int64)
        ways = np.where(fits, factorial(low) // facts[np.where(np.expand_dims(fits, 1), rest, 0)].prod(axis=1), 0)
        first = np.where(fits, np.cumsum(ways) - ways, -1)
        used = np.flatnonzero(fits)
        parts = np.stack([used, first[used], starts[rest[used] @ keys]], axis=1)
        return first, local, listed.astype(np.int64), np.vstack([parts, [[0, int(ways.sum()), 0]]])

    def steps(self, image: Sequence[int]) -> np.ndarray:
        """Return the array `lines` of `kernels.deepening.colours` for an image of the board."""
        ways = max(map(len, self.lines))
        longest = max((len(line) for lines in self.lines for line in lines), default=0)
        found = np.full((len(self.goal), ways, longest, 3), -1, np.int64)
        for blank, lines in enumerate(self.lines):
            for way, line in enumerate(lines):
                before = image[blank]
                for step, cell in enumerate(line):
                    to = image[cell]
                    found[blank, way, step] = to, to - (to > before), before - (before > to)
                    before = to
        return found

    def word(self, colours: Sequence[int], blank: int) -> int:
        """Return the word of a board."""
        pieces = [colour for cell, colour in enumerate(colours) if cell != blank]
        return sum(colour << self.fields.bits * at for at, colour in enumerate(pieces))

    def place(self, word: int, blank: int) -> int:
        """Return the index of a position in the table."""
        first, local = self.halves[:2]
        cut = self.fields.bits * self.fields.low
        return int(first[word >> cut] + local[word & ((1 << cut) - 1)]) * len(self.goal) + blank

    def build(self, threads: int = 1) -> int:
        """Fill the table; return the number of positions. Raises UnsupportedError for depths that do not fit a byte."""
        cells = len(self.goal)
        self.bits = np.full(self.shape, kernel.UNKNOWN, np.uint8)
        touched = np.zeros((2, self.size // cells), np.uint8)
        goal = self.place(self.word(self.goal, self.blank), self.blank)
        self.bits[goal], touched[0, goal // cells] = 0, 1
        bits, low, _ = self.fields
        board = (*self.halves, self.steps(range(cells)), bits, bits * low)
        total = depth = 0
        while found := self._layer(board, touched, depth, threads):
            total, depth = total + found, depth + 1
            if depth == kernel.UNKNOWN - 1:
                raise UnsupportedError(f"heuristic pattern: expected depths below {depth}, found greater ones")
        return total

    def _layer(self, board: tuple[Any, ...], touched: np.ndarray, depth: int, threads: int) -> int:
        """Expand all positions of a depth, in several threads; return how many there are."""
        bounds = np.linspace(0, len(self.halves[3]) - 1, 8 * threads + 1).astype(int).tolist()
        found: list[int] = []

        def work(thread: int, span: tuple[int, int]) -> bool:
            checkpoint()
            found.append(kernel.spread(board, span, depth, self.bits, touched))
            return True

        Crew(threads).run(deque(pairwise(bounds)), work)
        return sum(found)


def held(bits: int, fields: int) -> np.ndarray:
    """Return for every word of so many fields how often it contains each value: int64 [words, values]."""
    words = np.arange(1 << bits * fields)
    counts = np.zeros((len(words), 1 << bits), np.int64)
    for at in range(fields):
        counts[np.arange(len(words)), words >> bits * at & ((1 << bits) - 1)] += 1
    return counts


@dataclass(frozen=True)
class ColourView:
    """A table, and the map of cells that is applied before a look-up."""

    table: int
    image: tuple[int, ...]


@dataclass
class Colours:
    """The bound for one goal: the greatest depth of some coloured images of a position. Equal pieces share a colour.

    Raises UnsupportedError if the board has too many cells, so that half of a word does not fit `MOST_BITS`.
    """

    slides: Slides
    goal: bytes
    memory: int = COLOURED_TABLES.usual

    def __post_init__(self) -> None:
        cells = len(self.goal)
        if cells // 2 > MOST_BITS:
            raise UnsupportedError(f"heuristic pattern: {cells} cells are too many for tables of coloured pieces")

    @cached_property
    def views(self) -> tuple[ColourView, ...]:
        """The images to look up."""
        own = tuple(range(len(self.goal)))
        views = [ColourView(table, own) for table in range(len(self.tables))]
        if len(self.tables) == 1 and len(set(self.goal)) == len(self.goal):
            images = (image for image in self._images() if self._keeps_lines(image))
            views += [ColourView(0, image) for image in islice(images, 1)]
        return tuple(views)

    def _images(self) -> Iterator[tuple[int, ...]]:
        """Yield the images of the board that keep the goal's blank, without the identity."""
        return islice(mirrors(grid_of(self.slides), self.goal.index(self.slides.blank)), 1, None)

    def _keeps_lines(self, image: Sequence[int]) -> bool:
        """Return whether an image maps lines to lines."""
        lines = [set(each) for each in self.tables[0].lines]
        return all({tuple(image[c] for c in line) for line in each} == lines[image[b]] for b, each in enumerate(lines))

    @cached_property
    def tables(self) -> tuple[ColourTable, ...]:
        """The tables, empty before they are filled."""
        lines = lines_of(self.slides)
        shape = rectangle.read(self.slides)
        orders: list[Sequence[int]] = [range(len(self.goal))]
        if shape is not None:
            orders = [sorted(orders[0], key=lambda c: (shape.rows[c], shape.columns[c]))]
            if shape.width != shape.height or next(self._images(), None) is None:
                orders.append(sorted(orders[0], key=lambda c: (shape.columns[c], shape.rows[c])))
        most = min(MOST_COLOURS, len(self.goal))
        while True:
            found = tuple(self._table(lines, order, self.memory // len(orders), most) for order in orders)
            least = min(table.fields.bits for table in found)
            if all(table.fields.bits == least for table in found):
                return found
            most = 1 << least  # the words of all tables have fields of the same size

    def _table(self, lines: Lines, order: Sequence[int], memory: int, most: int) -> ColourTable:
        """Return the table of as many colours as fit, at most `most`; a colour is of cells that follow each other."""
        cells, blank = len(self.goal), self.goal.index(self.slides.blank)
        for colours in range(most, 1, -1):
            by_symbol: dict[int, int] = {}
            for at, cell in enumerate(order):
                by_symbol.setdefault(self.goal[cell], at * colours // cells)
            table = ColourTable(lines, tuple(by_symbol[symbol] for symbol in self.goal), blank, colours)
            bits, _, high = table.fields
            if bits * high <= MOST_BITS and table.size <= memory:
                return table
        return ColourTable(lines, (0,) * cells, blank, 1)

    def fill(
        self, threads: int = 1, reserve: Callable[[int], None] = lambda wanted: None, least: int = kept.KEPT_BYTES.usual
    ) -> None:
        """Read the tables from the cache folder, or build and save them; arguments as in `kept.fill_each`."""
        kept.fill_each(self.tables, max(table.scratch for table in self.tables), threads, reserve, least)

    def colour(self, view: ColourView, position: bytes) -> list[int]:
        """Return the colours of an image of the position, cell by cell."""
        table = self.tables[view.table]
        colours = [0] * len(position)
        home = {symbol: cell for cell, symbol in enumerate(self.goal)}
        for cell, symbol in enumerate(position):
            colours[view.image[cell]] = table.goal[view.image[home[symbol]]]
        return colours

    def bound(self, position: bytes) -> int:
        """Return a lower bound on the moves from the position to the goal."""
        if not len(self.tables[-1].bits):
            self.fill()
        blank = position.index(self.slides.blank)
        depths = []
        for view in self.views:
            table, here = self.tables[view.table], view.image[blank]
            depths.append(int(table.bits[table.place(table.word(self.colour(view, position), here), here)]))
        return ENDLESS if kernel.UNKNOWN in depths else max(depths)
