"""Depth tables of moves that permute different pieces, by whole words: pancakes, turntables, rings.

The orders of the first five pieces in the cells that the others leave free are the bits of two words: any move leads
from two words to two words (`kernels/table/words.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, permutations
from math import factorial

import numpy as np

from ...contract.answers import Layers
from ...contract.questions import Depths
from ...errors import InputError
from ...limits.thresholds import USUAL, Threshold, Thresholds
from ...limits.watch import Watch
from ...model.model import Model
from ...ranking.counting import rank_order
from ...structure.permutations import actions, orbits
from . import OneBit
from .alternating import AlternatingCount, alternating
from .counting import TableCount, Task, spans
from .one_bit import LayerFiles, Ordered, Sets, count_layers, one_bit
from .pair_weights import Move, inverted
from .permutations import rank_rows

TAIL, FIRST, ORDERS, HEADS = 5, 7, 120, 42
"""As in `kernels/table/words.py`."""

USED = np.array([2**64 - 1, 2**56 - 1], np.uint64)
"""The bits of the two words of a head that are positions."""

ODD = np.array([0x6666999999666666, 0x66666699999966], np.uint64)
"""Those of them that have an odd sum of the d[i] of the tail."""

MOST = 14
"""The most cells: all orders of fifteen pieces are 174 GB of bits."""

MOST_MOVES = 128
"""The most moves: it is listed for each of them and each set of seven cells what it does with them."""

PUSHED = 2
"""The time in which a bit is pushed by one move, compared with pulling a head by one (about 10 ns)."""

SINGLE_BITS: Threshold[float] = Threshold(1)
"""Single bits are moved if that takes less than so many times the time of whole words."""

LEAST_PIECES = Threshold(9)
"""The least number of pieces for which it is worthwhile."""

ASKED = Thresholds({LEAST_PIECES: 0})
"""With these values no model is too small: for a table that is asked for by the name of its kind."""


@dataclass(frozen=True)
class WordPlan:
    """The numbers of all orders of different pieces; if only one parity can be reached, half of them are not used.

    anchor  a position with the contents of all other cells, which never change
    cells   the cells that moves permute, in ascending order
    moves   for each move and each of these cells, the cell from which its piece comes, as an index of `cells`
    """

    anchor: bytes
    cells: tuple[int, ...]
    moves: tuple[Move, ...]

    @property
    def positions(self) -> int:
        return factorial(len(self.cells))

    @cached_property
    def pieces(self) -> tuple[int, ...]:
        """The symbols of the pieces, sorted."""
        return tuple(sorted(self.anchor[cell] for cell in self.cells))

    @property
    def heads(self) -> int:
        return self.positions // ORDERS

    @property
    def words(self) -> int:
        return 2 * self.heads

    @property
    def bytes(self) -> int:
        return 2 * 8 * self.words

    @cached_property
    def alternates(self) -> Callable[[bytes], int] | None:
        """The parity of a position, if every move changes it; else None."""
        same = _parity(self.positions - 1)  # of the order in which nothing has moved
        odd = all(_parity(rank_order(move)) != same for move in self.moves)
        return (lambda position: _parity(self.rank(position))) if odd else None

    @property
    def one_bit(self) -> OneBit:
        return one_bit(self.words, 0)

    @property
    def used(self) -> int:
        """The bits of two words that are orders."""
        return ORDERS

    def rank(self, position: bytes) -> int:
        rest = [cell for cell in range(len(position)) if cell not in self.cells]
        place = {position[cell]: index for index, cell in enumerate(self.cells)}
        if tuple(sorted(place)) != self.pieces or any(position[cell] != self.anchor[cell] for cell in rest):
            raise InputError("position: expected the pieces of the numbered ones, found others")
        return rank_order([place[piece] for piece in self.pieces])

    def bit(self, position: bytes) -> int:
        head, tail = divmod(self.rank(position), ORDERS)
        return 128 * head + tail

    def ranks(self, rows: np.ndarray) -> np.ndarray:
        """Return the ranks of positions, one row of symbols each; -1 for those that have none."""
        shown = rows[:, list(self.cells)]
        rest = np.delete(np.arange(rows.shape[1]), self.cells)
        fits = (rows[:, rest] == np.frombuffer(self.anchor, np.uint8)[rest]).all(axis=1)
        fits &= (np.sort(shown, axis=1) == np.array(self.pieces)).all(axis=1)
        return np.where(fits, rank_rows(np.argsort(shown, axis=1), range(len(self.cells))), -1)

    def unrank(self, number: int) -> bytes:
        return self.rows(np.array([number]))[0].tobytes()

    def rows(self, numbers: np.ndarray) -> np.ndarray:
        """Return the positions of some ranks, one row of symbols each."""
        from ...kernels.table.permutations import unrank_rows

        places = np.empty((len(numbers), len(self.cells)), np.uint8)
        unrank_rows(numbers, places)
        rows = np.repeat(np.frombuffer(self.anchor, np.uint8)[None], len(numbers), axis=0)
        rows[:, list(self.cells)] = np.array(self.pieces, np.uint8)[np.argsort(places, axis=1)]
        return rows


def plan(model: Model, by: Thresholds = USUAL) -> WordPlan | None:
    """Return the ranking, or None if moves do anything but permute different pieces within one orbit of cells."""
    found = actions(model)
    if model.metric.after or model.start is None or not found:
        return None
    moved = [cells for cells in orbits(found) if len(cells) > 1]
    same = tuple(range(model.symbols))
    if len(moved) != 1 or any(table != same for move in found for table in move.table):
        return None
    cells = tuple(sorted(moved[0]))
    if not max(FIRST, by[LEAST_PIECES]) <= len({model.start[cell] for cell in cells}) == len(cells) <= MOST:
        return None
    place = {cell: index for index, cell in enumerate(cells)}
    moves = dict.fromkeys(tuple(place[move.source[cell]] for cell in cells) for move in found)
    moves.pop(tuple(range(len(cells))), None)
    return WordPlan(model.start, cells, tuple(moves)) if 0 < len(moves) <= MOST_MOVES else None


def depths(plan: WordPlan, question: Depths, watch: Watch, threads: int | None = None) -> Layers:
    """Count the positions at each distance from the nearest source."""
    single, parity = watch.thresholds[SINGLE_BITS], alternating(plan.alternates, question)

    def alone(files: LayerFiles) -> TableCount | None:
        field = WordField(plan, single)
        return None if parity is None else AlternatingCount(field, question, parity, watch.thresholds, files)

    return count_layers(lambda: WordField(plan, single), plan, question, watch, threads, alone)


class WordField:
    """Bits by head and tail."""

    def __init__(self, plan: WordPlan, single: float) -> None:
        self.plan, self.single = plan, single
        self.words = plan.words
        n = len(plan.cells)
        self.units = np.array([factorial(i) if i < TAIL else factorial(i) // ORDERS << 7 for i in range(n)])
        self.back, self.moves = (np.array(each, np.int64) for each in (plan.moves, inverted(plan.moves)))
        self.tails = np.array(_tails(), np.int64)

    @cached_property
    def arranged(self) -> tuple[np.ndarray, tuple[np.ndarray, ...]]:
        """What `kernels.table.words.pull` looks up: `arranged` and `tables`."""
        n = len(self.plan.cells)
        sets = np.array(list(combinations(range(n), FIRST)))
        led = self.back[:, sets]
        orders = np.argsort(np.argsort(led, axis=2), axis=2).reshape(-1, FIRST)
        _, first, index = np.unique(rank_rows(orders, range(FIRST)), return_index=True, return_inverse=True)
        arranged = np.zeros((len(self.back), 1 << n), np.uint16)
        arranged[:, (1 << sets).sum(axis=1)] = index.reshape(len(self.back), -1)
        units = np.array([factorial(max(i, FIRST)) // factorial(FIRST) for i in range(n)])
        return arranged, (*_inside(orders[first]), units)

    def bit(self, position: bytes) -> int:
        return self.plan.bit(position)

    def places(self, rows: np.ndarray) -> np.ndarray:
        """Return the bit indices of positions of the table, one row of symbols each."""
        head, tail = np.divmod(self.plan.ranks(rows), ORDERS)
        return 128 * head + tail

    def rows(self, bits: np.ndarray) -> np.ndarray:
        return self.plan.rows((bits >> 7) * ORDERS + (bits & 127))

    def phases(self, seen: np.ndarray, edge: np.ndarray, threads: int) -> Iterator[list[Task]]:
        """Yield the tasks of whole words, or those that move single bits if that takes less time."""
        from ...kernels.bit_arrays import count_common

        if PUSHED * int(count_common(seen, edge, 0, len(seen))) < self.single * self.plan.heads:
            yield self._pushed((seen, edge, seen, edge), threads)
        else:
            yield self._pulled(seen, edge, threads)

    def ordered(self, sets: Sets, size: int, unseen: int, threads: int) -> Ordered:
        """Return the tasks of whole words: files take longer to go through than words without bits."""
        seen, _, fresh = sets
        return False, [self._pulled(seen, fresh, threads)]

    def parts(self, threads: int) -> list[tuple[int, int]]:
        """Return spans of pages: several for each thread; for no thread, of at most 2^18 positions."""
        pages = self.words // (2 * HEADS)
        return spans(pages, threads, 8) if threads else [(n, min(n + 52, pages)) for n in range(0, pages, 52)]

    def alternating(self, seen: np.ndarray, parity: int, listed: np.ndarray, part: tuple[int, int]) -> Task:
        """Return the task that sets in `seen` what has this parity and is one move from it, in some pages."""
        from ...kernels.table.words import pull

        masks = np.stack([ODD, ODD ^ USED] if parity else [ODD ^ USED, ODD])
        return pull, ((seen, seen, masks), self.back, *self.arranged, listed, *part)

    def _pulled(self, seen: np.ndarray, edge: np.ndarray, threads: int) -> list[Task]:
        """Return the tasks that look for unseen positions with a seen neighbour."""
        from ...kernels.table.words import pull

        sets, nothing = (seen, edge, np.stack([USED, USED])), np.zeros(0, np.int64)
        return [(pull, (sets, self.back, *self.arranged, nothing, *part)) for part in self.parts(threads)]

    def _pushed(self, bits: tuple[np.ndarray, ...], threads: int) -> list[Task]:
        """Return the tasks that move single bits."""
        from ...kernels.table.words import push

        parts = [(first >> 1, last >> 1) for first, last in spans(self.words, threads)]
        return [(push, (bits, self.moves, self.units, self.tails, threads == 1, *part)) for part in parts]


def _parity(number: int) -> int:
    """Return the parity of the sum of the d[i] of a number: orders of which one is an odd permutation differ in it."""
    total, base = 0, 1
    while number:
        number, digit = divmod(number, base)
        total, base = total + digit, base + 1
    return total & 1


def _tails() -> list[tuple[int, ...]]:
    return sorted(permutations(range(TAIL)), key=rank_order)


def _inside(arrangements: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the tables `heads`, `turns` and `within` for some arrangements.

    arrangements  int64 [arrangement, 7]: the place of each of the seven cells, among all seven, before the move
    """
    ascending = [order for order in permutations(range(FIRST)) if list(order[:TAIL]) == sorted(order[:TAIL])]
    led = arrangements[:, np.array(sorted(ascending, key=rank_order))]  # [arrangement, head, piece]
    tails, rest = led[..., :TAIL], led[..., TAIL:]
    before = rank_rows(np.concatenate([np.sort(tails, axis=2), rest], axis=2).reshape(-1, FIRST), range(FIRST))
    orders = np.argsort(np.argsort(tails, axis=2), axis=2).reshape(-1, TAIL)
    downward = np.append(ORDERS - 1 - rank_rows(orders, range(TAIL)), 0)  # 0 is the turn that changes nothing
    _, first, which = np.unique(downward, return_index=True, return_inverse=True)
    turns = np.array([_turn(np.argsort(order)) for order in np.vstack([orders, np.arange(TAIL)])[first]])
    heads = before // ORDERS | which[:-1] << 6
    return heads.reshape(-1, HEADS).astype(np.uint16), turns, _within()


def _turn(goes: np.ndarray) -> list[tuple[int, int]]:
    """Return for each chunk which one it was before a turn, and how its bits are permuted.

    goes  where each of the five cells of a tail goes, as a place among them
    """
    found = [(0, 0)] * TAIL
    for cell in range(TAIL):
        found[goes[cell]] = cell, rank_order(np.delete(goes, cell).tolist())
    return found


def _within() -> np.ndarray:
    """Return uint32 [permutation of four cells, byte, value]: what the bits of a byte of a chunk become."""
    tails = np.array(sorted(permutations(range(TAIL - 1)), key=rank_order))
    led = np.stack([rank_rows(goes[tails], range(TAIL - 1)) for goes in tails]).reshape(24, 3, 1, 8)
    shown = np.arange(256)[:, None] >> np.arange(8) & 1
    return (shown << led).sum(axis=3).astype(np.uint32)
