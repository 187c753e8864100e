"""Iterative deepening with one blank in compiled loops: the links of the blank as arrays, and searches along them.

Pieces are numbered (`heuristics.labels`), so one look-up per move updates the bound.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from itertools import pairwise
from threading import Lock
from typing import Self

import numpy as np

from ...heuristics.labels import Labels
from ...kernels.deepening import idastar_sums as kernel
from ...kernels.deepening.state import BOUND, NEVER, OWN
from ...limits.thresholds import USUAL, Threshold, Thresholds
from ...model.rule import Rule
from ...structure.slides import UNIT, Slides
from . import pruning
from .iterations import DEEPEST, PathDescent, Rounds

_LOCK = Lock()

FIRST_WORDS = Threshold(3_000)
"""Sequences of links that are tested for redundancy in the first rounds."""

FEW_WORDS = Threshold(30_000)
"""Sequences that are tested in the rounds after an ample one."""

MANY_WORDS = Threshold(100_000)
"""Sequences that are tested in the rounds after a large one."""

AMPLE_ROUND = Threshold(1_000_000)
"""Positions generated in a round from which on it is ample."""

LARGE_ROUND = Threshold(5_000_000)
"""Positions generated in a round from which on it is large."""


@lru_cache(maxsize=4)
def _ways(table: bytes, cells: int, most: int, free: bool) -> pruning.Ways:
    return pruning.shortest(np.frombuffer(table, np.uint32).reshape(-1, 5), cells, most, free)


@dataclass
class Links:
    """The links of the blank on one board with labelled pieces; see `kernels.deepening.idastar_sums` for the arrays.

    rules  the number of each link's rule
    table  the array `links`
    edits  the array `edits`
    """

    slides: Slides
    labels: Labels
    rules: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        rules = self.slides.model.rules
        ways = sorted((self._way(rules[number]), number) for number in self._used())
        self.rules = [number for _, number in ways]
        pairs = [way for way, _ in ways]
        back = {(b, a, shape): at for at, (b, a, shape) in enumerate(pairs)}
        self.table = np.zeros((len(pairs), 5), np.uint32)
        edits: list[tuple[int, int, int]] = []
        for at, (b, a, shape) in enumerate(pairs):
            made = [] if shape == UNIT else self._edits(rules[self.rules[at]])
            self.table[at] = b, a, back[a, b, shape], len(edits), len(made)
            edits += made
        self.edits = np.array(edits, np.uint32).reshape(-1, 3)

    def of(self, labels: Labels) -> Links:
        """Return the same links with the labels of another position of the same pieces."""
        other = copy(self)
        other.labels = labels
        return other

    @property
    def arrays(self) -> tuple[np.ndarray, np.ndarray]:
        """The argument `board` of the kernels."""
        return self.table, self.edits

    @property
    def width(self) -> int:
        """The most links of a cell."""
        return int(np.bincount(self.table[:, 0]).max(initial=1))

    @cached_property
    def alike(self) -> bool:
        """Whether all pieces of one cell can use the same links, so that the sequences are interchangeable."""
        needs = {r.need[r.cells.index(r.motion.origin)] for r in self._rules() if r.motion and r.motion.shape == UNIT}
        return all(not sum(1 << symbol for symbol in self._units()) & ~need for need in needs)

    @property
    def free(self) -> bool:
        """Whether all pieces are of one cell and can be moved."""
        return len(self._units()) == len(set(self.labels.symbols))

    def _units(self) -> set[int]:
        return set(self.labels.symbols) & set(self.slides.units)

    def _rules(self) -> list[Rule]:
        return [self.slides.model.rules[number] for number in self.rules]

    def ways(self, most: int) -> pruning.Ways:
        """Return the automaton of move sequences; see `pruning.shortest`. The last few are cached."""
        with _LOCK:
            return _ways(self.table.tobytes(), self.slides.model.cells, most, self.free)

    def _used(self) -> list[int]:
        """Return the rules whose piece is on the board and that need one blank."""
        here = set(self.labels.symbols)
        rules = self.slides.model.rules
        return [n for n, r in enumerate(rules) if r.motion and r.motion.shape in (UNIT, *here) and self._one_blank(r)]

    def _one_blank(self, rule: Rule) -> bool:
        return sum(need == 1 << self.slides.blank for need in rule.need) == 1

    def _way(self, rule: Rule) -> tuple[int, int, int]:
        """Return (cell of the blank before, after, shape of the piece)."""
        assert rule.motion is not None
        if rule.motion.shape == UNIT:
            return rule.motion.target, rule.motion.origin, UNIT
        blank = self.slides.blank
        before = rule.cells[rule.need.index(1 << blank)]
        after = next(c for c, t in zip(rule.cells, rule.table, strict=True) if t is not None and t[0] == blank)
        return before, after, rule.motion.shape

    def _edits(self, rule: Rule) -> list[tuple[int, int, int]]:
        symbols = self.labels.symbols
        labels = {symbol: number for number, symbol in enumerate(symbols, 1)}
        labels |= {self.slides.blank: 0, self.slides.body: len(symbols) + 1}
        changed = zip(rule.cells, rule.need, rule.table, strict=True)
        return [(c, labels[need.bit_length() - 1], labels[t[0]]) for c, need, t in changed if t is not None]

    def cells(self, position: bytes) -> np.ndarray:
        """Return the label in each cell of a position; it must be the one that the labels were read from."""
        cells = np.zeros(len(position), np.uint8)
        for cell, symbol in enumerate(position):
            if symbol == self.slides.body:
                cells[cell] = len(self.labels.symbols) + 1
        for number, cell in enumerate(self.labels.cells, 1):
            cells[cell] = number
        return cells

    def between(self, before: bytes, after: bytes) -> int:
        """Return the link that leads from one position to the other."""
        rules = self.slides.model.rules
        return next(link for link, number in enumerate(self.rules) if rules[number].apply(before) == after)

    def positions(self, start: bytes, way: np.ndarray) -> list[bytes]:
        """Return the positions along a sequence of links."""
        found = [start]
        for link in way:
            child = self.slides.model.rules[self.rules[link]].apply(found[-1])
            assert child is not None
            found.append(child)
        return found


def sums(links: Links, tables: list[tuple[int, ...]]) -> np.ndarray:
    """Return the array `cost` of the bound that adds tables[piece][cell] over all pieces."""
    rules = links.slides.model.rules
    cost = np.full((len(links.rules), len(tables) + 2), NEVER, np.int32)
    for at, number in enumerate(links.rules):
        rule = rules[number]
        assert rule.motion is not None
        origin, target = rule.motion.origin, rule.motion.target
        need = rule.need[rule.cells.index(origin)]
        for piece, (symbol, table) in enumerate(zip(links.labels.symbols, tables, strict=True), 1):
            if rule.motion.shape == symbol:
                cost[at, :] = 1 + table[target] - table[origin]
            elif rule.motion.shape == UNIT and need >> symbol & 1:
                cost[at, piece] = 1 + table[target] - table[origin]
    return cost


Round = Callable[[pruning.Ways, np.ndarray], int]
"""Continues a round: (automaton of links, state) -> the result of the kernel."""


@dataclass
class LinkDescent(PathDescent):
    """A depth-first search along links.

    links   the board
    go_on   continues a round
    stack   the kernel's stack; its first columns are those of `idastar_sums`
    came    the link that led to the start, which is not undone; -1 for none
    large   whether rounds take so long that it pays to test more sequences of links for redundancy
    by      thresholds; they limit how many sequences are tested
    """

    links: Links
    go_on: Round
    stack: np.ndarray
    came: int = -1
    large: bool = False
    ample: bool = False
    by: Thresholds = USUAL
    ways: pruning.Ways = field(init=False)

    @classmethod
    def of(cls, links: Links, root: int, go_on: Round, stack: np.ndarray, start: bytes) -> Self:
        """Return the search from a position whose bound is `root`."""
        return cls(start, root, np.zeros(OWN, np.int64), links, go_on, stack)

    def begin(self, bound: int, every: bool, number: int) -> None:
        super().begin(bound, every, number)
        most = 0 if every or not self.links.alike else self.words()
        first = self.start.index(self.links.slides.blank) if self.came < 0 else len(self.start) + self.came
        self.ways = self.links.ways(most)
        self.stack[0, : kernel.SLACK] = 0, 0, first

    def words(self) -> int:
        """Return how many sequences are tested for redundancy: more, the larger the rounds before were."""
        if self.large:
            return self.by[MANY_WORDS]
        return self.by[FEW_WORDS] if self.ample else self.by[FIRST_WORDS]

    def run(self) -> int:
        if self.bound == 0:
            return self.stay(arrived=True)
        return self.go_on(self.ways, self.state)

    def path(self) -> list[bytes]:
        return self.links.positions(self.start, self.stack[1 : self.bound + 1, 0])


def rounds(slides: Slides, pieces: Labels, descend: Callable[[bytes, Labels], LinkDescent], by: Thresholds) -> Rounds:
    """Return the rounds of the searches that `descend` prepares; `pieces` are those of the start."""
    last: list[LinkDescent] = []

    def make(path: Sequence[bytes], _: int) -> LinkDescent:
        made = descend(path[-1], followed(slides, pieces, path))
        made.by = by
        if len(path) > 1:
            made.came = made.links.between(path[-2], path[-1])
        made.ample = any(before.ample or before.generated > by[AMPLE_ROUND] for before in last)
        made.large = len(path) > 1 or any(before.large or before.generated > by[LARGE_ROUND] for before in last)
        last[:] = [made]
        return made

    return Rounds(make, sparing=True, order=lambda position: position.index(slides.blank))


def followed(slides: Slides, pieces: Labels, path: Sequence[bytes]) -> Labels:
    """Return the labels of the last position of a path, given those of the first; all blocks are different."""
    cells = list(pieces.cells)
    for before, after in pairwise(path):
        blank, left = before.index(slides.blank), after.index(slides.blank)
        if before[left] in slides.units:
            cells[cells.index(left)] = blank
        else:
            blocks = (number for number, symbol in enumerate(pieces.symbols) if symbol not in slides.units)
            for number in blocks:
                cells[number] = after.index(pieces.symbols[number])
    return replace(pieces, cells=tuple(cells))


def distances(board: Links, by: Thresholds) -> Rounds:
    """Return the rounds of a search below the sum of the distances of each piece alone.

    board  the links with the labels of the start
    """
    slides, pieces = board.slides, board.labels
    tables = [slides.alone(symbol, cells) for symbol, cells in zip(pieces.symbols, pieces.targets, strict=True)]
    cost = sums(board, tables)

    def descend(start: bytes, here: Labels) -> LinkDescent:
        links = board.of(here)
        root = sum(table[cell] for table, cell in zip(tables, here.cells, strict=True))
        stack, opened = np.zeros((DEEPEST + 1, 4), np.int64), np.zeros((DEEPEST + 1, links.width, 2), np.int64)
        cells = links.cells(start)

        def go(ways: pruning.Ways, state: np.ndarray) -> int:
            stack[0, kernel.SLACK] = state[BOUND] - root
            return kernel.deepen((links.arrays, ways, cost, cells, stack, opened), state)

        return LinkDescent.of(links, root, go, stack, start)

    return rounds(slides, pieces, descend, by)
