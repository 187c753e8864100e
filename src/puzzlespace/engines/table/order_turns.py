"""The effect of a turn, a permutation of places, on the ranks of all orders of a few pieces.

Ranks compare orders from the last place to the first. Exchanging two neighbouring places before the last acts equally
within each block of orders with the same last piece; exchanging the last two places moves whole blocks. Every turn is a
product of such exchanges.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Sequence
from itertools import product

import numpy as np

from ...limits.threads import Crew, processors
from ...limits.watch import checkpoint
from ...ranking.counting import multinomial
from ...structure.frames import Turn
from .pair_weights import LEAF, leaves_of, weights_of

Items = tuple[int, ...]

LEAST_DIFFERENT = LEAF + 2
"""The fewest items for `turn_all`, which fixes the last two items and writes whole leaves of the others."""


class OrderTables:
    """Tables over all orders of some items (sorted, some may be equal).

    least  the least number of places that a table covers, so that kernels seldom go to another block
    """

    def __init__(self, items: Items, least: int) -> None:
        self.items, self.least = items, least
        self._exchanges: dict[tuple[Items, int], np.ndarray] = {}
        self._odd: dict[Items, np.ndarray] = {(): np.zeros(1, bool)}
        self._listed: dict[Items, np.ndarray] = {(): np.zeros((1, 0), np.uint8)}

    def turned(self, turn: Turn, out: np.ndarray) -> None:
        """Write to `out` the rank of each order after the turn; `out` has the length of the turn's block.

        If all items differ and the turn fixes the last places, the block is the orders of the other places: orders with
        the same last items have consecutive ranks, and the turn acts equally on each such block.
        """
        items = block(self.items, turn, self.least)
        if len(set(items)) == len(items) >= max(self.least, LEAST_DIFFERENT):
            _turn_different(turn[: len(items)], out)
            return
        out[:] = np.arange(len(out))
        for place in _exchanges(turn):
            out[:] = self._exchange(items, place)[out]

    def odd(self) -> np.ndarray:
        """Return the parity of each order; all items must differ."""
        return self._odd_of(self.items)

    def listed(self) -> np.ndarray:
        """Return all orders by rank, one row of items each."""
        return self._listed_of(self.items)

    def _exchange(self, items: Items, place: int) -> np.ndarray:
        """Return the rank of each order after `place` and the next place are exchanged."""
        items = _dense(items)
        if (items, place) not in self._exchanges:
            if place + 2 < len(items):
                blocks, first = [], 0
                for _, rest in _without_one(items):
                    blocks.append(self._exchange(rest, place) + np.uint32(first))
                    first += len(blocks[-1])
            else:
                starts, first = {}, 0
                for last, rest in _without_one(items):
                    for before, left in _without_one(rest):
                        starts[last, before] = first
                        first += orders_of(left)
                sizes = dict(zip(starts, np.diff([*starts.values(), first]).tolist(), strict=True))
                blocks = [starts[b, a] + np.arange(sizes[a, b], dtype=np.uint32) for a, b in starts]
            self._exchanges[items, place] = np.concatenate(blocks).astype(np.uint32)
        return self._exchanges[items, place]

    def _odd_of(self, items: Items) -> np.ndarray:
        items = _dense(items)
        if items not in self._odd:
            blocks = []
            for last, rest in _without_one(items):
                blocks.append(self._odd_of(rest) ^ (sum(item > last for item in rest) % 2 == 1))
            self._odd[items] = np.concatenate(blocks)
        return self._odd[items]

    def _listed_of(self, items: Items) -> np.ndarray:
        if items not in self._listed:
            blocks = []
            for last, rest in _without_one(items):
                block = self._listed_of(rest)
                blocks.append(np.hstack([block, np.full((len(block), 1), last, np.uint8)]))
            self._listed[items] = np.concatenate(blocks)
        return self._listed[items]


def _dense(items: Items) -> Items:
    """Return the items renamed 0, 1, … in the same order; ranks depend on nothing else."""
    name = {item: number for number, item in enumerate(sorted(set(items)))}
    return tuple(name[item] for item in items)


def _turn_different(turn: Turn, out: np.ndarray) -> None:
    """Write the table of a turn of different items, on all processors."""
    from ...kernels.table.permutations import turn_all

    n = len(turn)
    weights = weights_of([turn], n)
    leaves = leaves_of(weights)

    def work(thread: int, top: tuple[int, int]) -> bool:
        turn_all(np.array(top), weights, leaves, out)
        return True

    Crew(processors()).run(deque(product(range(n), range(n - 1))), work, checkpoint)


def block(items: Items, turn: Turn, least: int) -> Items:
    """Return the items whose orders a table of the turn covers: all, or, if items differ, as many as the turn moves."""
    if len(set(items)) < len(items):
        return items
    moved = max((place + 1 for place, read in enumerate(turn) if place != read), default=0)
    return tuple(range(min(max(moved, least), len(items))))


def table_bytes(items: Items, turns: Iterable[Turn], least: int) -> int:
    """Return the memory for the tables of these turns and their inverses, and for building them."""
    made = 6 * len(items) * orders_of(items) if len(set(items)) < len(items) else 0
    return 8 * sum(orders_of(block(items, turn, least)) for turn in turns) + made


def orders_of(items: Items) -> int:
    """Return the number of orders of the items."""
    return multinomial(list(Counter(items).values()))


def _without_one(items: Items) -> list[tuple[int, Items]]:
    """Return (item, remaining items) for each different item."""
    return [(item, items[: items.index(item)] + items[items.index(item) + 1 :]) for item in sorted(set(items))]


def _exchanges(turn: Sequence[int]) -> list[int]:
    """Return places whose exchanges with the next place, in this sequence, compose to the turn."""
    places, found = list(turn), []
    for end in range(len(places) - 1, 0, -1):
        for place in range(end):
            if places[place] > places[place + 1]:
                places[place], places[place + 1] = places[place + 1], places[place]
                found.append(place)
    return found[::-1]
