"""Iterative deepening with one blank in compiled loops: the way for the blank as arrays, rounds, and what they find.

Depth-first search below a bound that grows to the least length it left open (Korf 1985, Depth-first iterative-
deepening, Artificial Intelligence 27). Pieces are numbered (`heuristics.labels`), so a bound changes by one look-up
a move.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field

import numpy as np

from ..errors import LimitError
from ..heuristics.labels import Labels
from ..heuristics.slides import UNIT, Slides
from ..kernels import idastar_sums
from ..model import Rule
from ..result import Geodesics, Search, Watch

STRIDE = 1 << 22
"""Links tried between two looks at the limits."""

DEEPEST = 4096
"""The longest way that is followed."""


@dataclass
class Links:
    """The ways of the blank on one board with labelled pieces; see `kernels.idastar_sums` for the arrays.

    rules  for each link the number of its rule
    table  the arrays `links`
    edits  the arrays `edits`
    """

    slides: Slides
    labels: Labels
    rules: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        rules = self.slides.model.rules
        ways = sorted((self._way(rules[number]), number) for number in self._used())
        self.rules = [number for _, number in ways]
        pairs = [way for way, _ in ways]
        first = {b: at for at, (b, _, _) in reversed(list(enumerate(pairs)))}
        back = {(b, a, shape): at for at, (b, a, shape) in enumerate(pairs)}
        self.table = np.full((len(pairs) + 1, 6), -1, np.int64)
        edits: list[tuple[int, int, int]] = []
        for at, (b, a, shape) in enumerate(pairs):
            made = [] if shape == UNIT else self._edits(rules[self.rules[at]])
            self.table[at] = b, a, back[a, b, shape], len(edits) if made else -1, len(made), first[a]
            edits += made
        self.edits = np.array(edits, np.int64).reshape(-1, 3)
        self.first = first

    def _used(self) -> list[int]:
        """Return the rules whose piece is on the board and that need one blank."""
        here = set(self.labels.symbols)
        rules = self.slides.model.rules
        return [n for n, r in enumerate(rules) if r.motion and r.motion.shape in (UNIT, *here) and self._gap(r)]

    def _gap(self, rule: Rule) -> bool:
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
        """Return the labels of the position, which is the one that the labels were read from."""
        cells = np.zeros(len(position), np.uint8)
        for cell, symbol in enumerate(position):
            if symbol == self.slides.body:
                cells[cell] = len(self.labels.symbols) + 1
        for number, cell in enumerate(self.labels.cells, 1):
            cells[cell] = number
        return cells

    def positions(self, start: bytes, way: np.ndarray) -> list[bytes]:
        """Return the positions along a way of links."""
        found = [start]
        for link in way:
            child = self.slides.model.rules[self.rules[link]].apply(found[-1])
            assert child is not None
            found.append(child)
        return found


def _stride(watch: Watch) -> int:
    """Return how many links to try before the limits are looked at."""
    most = watch.limits.positions
    return STRIDE if most is None else max(1, min(STRIDE, most - watch.generated + 1))


def sums(links: Links, tables: list[tuple[int, ...]]) -> np.ndarray:
    """Return `cost` for a bound that adds tables[piece][cell] over the pieces."""
    rules = links.slides.model.rules
    cost = np.full((len(links.rules), len(tables) + 2), idastar_sums.NEVER, np.int64)
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


Round = Callable[[np.ndarray, int], int]
"""Goes on with a round: (state, bound) -> what the kernel says."""


@dataclass
class Rounds:
    """Runs rounds of growing bounds until the goal is found.

    links   the board
    root    the bound of the start
    kernel  goes on with a round
    stack   the kernel's stack; column 0 are links
    """

    links: Links
    root: int
    kernel: Round
    stack: np.ndarray

    def search(self, question: Search, watch: Watch) -> Geodesics:
        """Return the positions on all shortest solutions, or on one where the question does not ask for every."""
        bound = self.root
        try:
            while bound < DEEPEST:
                state = self._begin(question.start, bound)
                found = self._round(state, bound, question, watch)
                if found:
                    layers = tuple(frozenset(layer) for layer in found)
                    return Geodesics(layers, watch.generated, watch.seconds, bound)
                watch.layer(bound, int(state[3]), watch.generated)
                bound += int(state[4])
        except LimitError as error:
            return Geodesics((), watch.generated, watch.seconds, bound, error)
        error = LimitError("positions", f"no way of {DEEPEST:,} moves or fewer leads to the goal", DEEPEST)
        return Geodesics((), watch.generated, watch.seconds, DEEPEST, error)

    def _begin(self, start: bytes, bound: int) -> np.ndarray:
        blank = start.index(self.links.slides.blank)
        self.stack[0, 0], self.stack[0, 1] = -1, bound - self.root
        return np.array([0, self.links.first[blank], 0, 0, idastar_sums.NEVER, blank], np.int64)

    def _round(self, state: np.ndarray, bound: int, question: Search, watch: Watch) -> list[set[Hashable]]:
        layers: list[set[Hashable]] = []
        if bound == 0:
            return [{question.start}]
        said = idastar_sums.PAUSED
        while said != idastar_sums.ENDED:
            before, state[2] = int(state[3]), _stride(watch)
            said = self.kernel(state, bound)
            if said == idastar_sums.FOUND:
                way = self.links.positions(question.start, self.stack[1 : bound + 1, 0])
                layers = layers or [set() for _ in way]
                for layer, position in zip(layers, way, strict=True):
                    layer.add(position)
                if not question.every:
                    said = idastar_sums.ENDED
            watch.tick(int(state[3]) - before, bound)
        return layers


def distances(question: Search, slides: Slides, pieces: Labels) -> Rounds:
    """Return the rounds of a search below the sum of the distances of each piece alone."""
    links = Links(slides, pieces)
    tables = [slides.alone(symbol, cells) for symbol, cells in zip(pieces.symbols, pieces.targets, strict=True)]
    root = sum(table[cell] for table, cell in zip(tables, pieces.cells, strict=True))
    stack = np.zeros((DEEPEST + 1, 2), np.int64)
    cells, cost = links.cells(question.start), sums(links, tables)

    def kernel(state: np.ndarray, bound: int) -> int:
        return idastar_sums.deepen(links.table, links.edits, cost, cells, stack, state, bound)

    return Rounds(links, root, kernel, stack)
