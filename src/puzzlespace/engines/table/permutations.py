"""Depth tables of moves that permute different pieces within one orbit of cells: pancakes, rings, reversals.

All orders are ranked; if only one parity is reachable, half of the bits stay clear.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import factorial
from queue import SimpleQueue

import numpy as np

from ...contract.answers import Layers
from ...contract.questions import Depths
from ...errors import InputError
from ...limits.threads import processors
from ...limits.thresholds import USUAL, Sizes
from ...limits.watch import Watch
from ...model.model import Model
from ...ranking.counting import rank_order
from ...structure.permutations import Action, actions, orbits
from .counting import Task, count_layers, spans
from .pair_weights import LEAF, inverted, leaves_of, weights_of, within_of

MOST = 16
"""The most pieces; more would not fit any memory."""


@dataclass(frozen=True)
class PermutationPlan:
    """The cells in the order in which they are ranked, and the moves as permutations of them.

    anchor  a position with the contents of all other cells, which never change
    """

    anchor: bytes
    cells: tuple[int, ...]
    moves: tuple[tuple[int, ...], ...]

    @property
    def positions(self) -> int:
        return factorial(len(self.cells))

    @property
    def bytes(self) -> int:
        """Memory for counting on one thread: three bits per position; each further thread takes one more bit."""
        return 3 * 8 * ((self.positions + 63) // 64)

    @cached_property
    def pieces(self) -> tuple[int, ...]:
        """The symbols of the pieces, sorted."""
        return tuple(sorted(self.anchor[cell] for cell in self.cells))

    def rank(self, position: bytes) -> int:
        shown = [position[cell] for cell in self.cells]
        rest = [cell for cell in range(len(position)) if cell not in self.cells]
        if tuple(sorted(shown)) != self.pieces or any(position[cell] != self.anchor[cell] for cell in rest):
            raise InputError("position: expected the pieces of the numbered ones, found others")
        return rank_order(shown)

    def ranks(self, rows: np.ndarray) -> np.ndarray:
        """Return the ranks of positions, one row of symbols each; -1 for those that have none."""
        cells = list(self.cells)
        shown = rows[:, cells]
        rest = np.delete(np.arange(rows.shape[1]), cells)
        anchor = np.frombuffer(self.anchor, np.uint8)
        fits = (np.sort(shown, axis=1) == np.array(self.pieces)).all(axis=1) & (rows[:, rest] == anchor[rest]).all(
            axis=1
        )
        number = np.zeros(len(rows), np.int64)
        for place in range(1, len(cells)):
            number += factorial(place) * (shown[:, :place] < shown[:, place, None]).sum(axis=1)
        return np.where(fits, number, -1)

    def unrank(self, number: int) -> bytes:
        return self.rows(np.array([number]))[0].tobytes()

    def rows(self, numbers: np.ndarray) -> np.ndarray:
        """Return the positions of some ranks, one row of symbols each."""
        from ...kernels.table.permutations import unrank_rows

        orders = np.empty((len(numbers), len(self.cells)), np.uint8)
        unrank_rows(numbers, orders)
        rows = np.repeat(np.frombuffer(self.anchor, np.uint8)[None], len(numbers), axis=0)
        rows[:, list(self.cells)] = np.array(self.pieces, np.uint8)[orders]
        return rows


def plan(model: Model, sizes: Sizes = USUAL) -> PermutationPlan | None:
    """Return the ranking, or None if moves do anything but permute different pieces within one orbit of cells."""
    moves = actions(model)
    if model.metric.after or model.start is None or not moves:
        return None
    moved = [cells for cells in orbits(moves) if len(cells) > 1]
    same = tuple(range(model.symbols))
    if len(moved) != 1 or any(table != same for move in moves for table in move.table):
        return None
    cells = moved[0]
    if not sizes.pieces <= len(cells) <= MOST or len({model.start[cell] for cell in cells}) < len(cells):
        return None
    return _ordered(model.start, cells, moves)


def _ordered(anchor: bytes, cells: tuple[int, ...], moves: Sequence[Action]) -> PermutationPlan:
    """Return the plan with the cells that most moves change first, so that most moves fix the last cells."""
    often = Counter(cell for move in moves for cell in cells if move.source[cell] != cell)
    ordered = tuple(sorted(cells, key=lambda cell: (-often[cell], cell)))
    place = {cell: index for index, cell in enumerate(ordered)}
    sources = dict.fromkeys(tuple(place[move.source[cell]] for cell in ordered) for move in moves)
    sources.pop(tuple(range(len(cells))), None)
    return PermutationPlan(anchor, ordered, tuple(sources))


def depths(plan: PermutationPlan, question: Depths, watch: Watch, threads: int | None = None) -> Layers:
    """Count the positions at each distance from the nearest source."""
    threads = threads or processors()
    wanted = plan.bytes * (threads + 2) // 3
    return count_layers(
        lambda: PermField(plan, threads, watch.thresholds.unseen_first),
        (wanted, 3 * plan.positions // 8),
        question,
        watch,
        threads,
    )


class PermField:
    """Bits by rank; every thread but one pushes into its own bit set, so that there are no locks."""

    def __init__(self, plan: PermutationPlan, threads: int, unseen_first: int) -> None:
        self.plan, self.unseen_first = plan, unseen_first
        self.words = (plan.positions + 63) // 64
        n = len(plan.cells)
        inner = [move for move in plan.moves if all(move[cell] == cell for cell in range(LEAF, n))]
        outer = [move for move in plan.moves if move not in inner]
        within = within_of(inner)
        weights = [weights_of(moves, n) for moves in (outer, inverted(outer))]
        self.ways = [(each, (*leaves_of(each), within)) for each in weights]
        self.own = [np.zeros(self.words, np.uint64) for _ in range(threads - 1)]

    def bit(self, position: bytes) -> int:
        return self.plan.rank(position)

    def places(self, rows: np.ndarray) -> np.ndarray:
        """Return the bit indices of positions of the table, one row of symbols each."""
        return self.plan.ranks(rows)

    def rows(self, bits: np.ndarray) -> np.ndarray:
        return self.plan.rows(bits)

    def phases(self, layer: np.ndarray, seen: np.ndarray, found: np.ndarray, threads: int) -> Iterator[list[Task]]:
        """Yield one task for each choice of the last two pieces, then tasks that merge the threads' bit sets."""
        from ...kernels.bits import count_bits
        from ...kernels.table.permutations import merge, sweep

        n = len(self.plan.cells)
        unseen = self.plan.positions - int(count_bits(seen, 0, len(seen)))
        pull = unseen < self.unseen_first * int(count_bits(layer, 0, len(layer)))
        weights, leaves = self.ways[pull]
        free: SimpleQueue[np.ndarray] = SimpleQueue()
        for each in (found, *self.own):
            free.put(each)

        def task(*top: int) -> int:
            mine = free.get()
            bits = (layer.view(np.uint8), seen.view(np.uint8), mine.view(np.uint8))
            generated = sweep(np.array(top), bits, weights, leaves, pull)
            free.put(mine)
            return generated

        yield [(task, top) for top in product(range(n), range(n - 1))]
        for own in self.own:
            yield [(merge, (found, own, *span)) for span in spans(self.words, threads)]
