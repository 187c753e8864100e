"""Ranks of arrangements: factorial and multinomial number systems, and counting tables that go cell by cell.

All numbers are exact integers of any size. Digits are taken from the last item to the first, so that arrangements which
agree in their last items have consecutive ranks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import factorial, prod
from typing import TYPE_CHECKING

from ..errors import UnsupportedError

if TYPE_CHECKING:
    import numpy as np

MOST_STATES = 60_000
"""The most states of a counting table."""


def multinomial(counts: Sequence[int]) -> int:
    """Return the number of orders of counts[i] equal items of each kind i."""
    return factorial(sum(counts)) // prod(map(factorial, counts))


def rank_order(items: Sequence[int]) -> int:
    """Return the rank of an order among all orders of the same items.

    Orders are compared from the last place to the first. If all items differ, the rank is the sum of d[i] * i!, where
    d[i] is the number of smaller items before place i (Lehmer code). If some are equal, each digit is weighted with the
    number of orders of the remaining items.
    """
    left = Counter(items)
    orders = multinomial(list(left.values()))
    number = 0
    for place in range(len(items) - 1, -1, -1):
        item = items[place]
        smaller = sum(count for other, count in left.items() if other < item)
        number += orders * smaller // (place + 1)
        orders = orders * left[item] // (place + 1)
        left[item] -= 1
    return number


def unrank_order(number: int, items: Sequence[int]) -> list[int]:
    """Return the order that has this rank among all orders of the items."""
    left = Counter(items)
    orders = multinomial(list(left.values()))
    found = [0] * len(items)
    for place in range(len(items) - 1, -1, -1):
        for item in sorted(left):
            share = orders * left[item] // (place + 1)
            if number < share:
                break
            number -= share
        found[place] = item
        orders = share
        left[item] -= 1
    return found


def unrank_orders(numbers: np.ndarray, items: Sequence[int]) -> np.ndarray:
    """Return the orders with some ranks, one row each, as `unrank_order` does. All ranks must be less than 2^57."""
    import numpy as np

    left = Counter(items)
    kinds = sorted(left)
    rows, symbols = np.arange(len(numbers)), np.array(kinds, np.uint8)
    rest, many = numbers.astype(np.int64), np.tile(np.array([left[kind] for kind in kinds]), (len(numbers), 1))
    orders = np.full(len(numbers), multinomial(list(left.values())))
    found = np.empty((len(numbers), len(items)), np.uint8)
    for place in range(len(items) - 1, -1, -1):
        shares = orders[:, None] * many // (place + 1)
        ends = shares.cumsum(axis=1)
        kind = (rest[:, None] >= ends).sum(axis=1)
        orders = shares[rows, kind]
        rest -= ends[rows, kind] - orders
        many[rows, kind] -= 1
        found[:, place] = symbols[kind]
    return found


@dataclass(frozen=True)
class CountingTable:
    """Words with one kind per cell that contain each kind a given number of times, ranked in lexicographic order.

    child[state][kind]   the state after this kind in the next cell; -1 if no word continues like this
    before[state][kind]  the number of words that continue with a smaller kind
    size                 the number of words; the first state is 0

    The rank of a word is the sum of `before` along its states. Equal states are shared, as in a decision diagram.
    """

    child: tuple[tuple[int, ...], ...]
    before: tuple[tuple[int, ...], ...]
    size: int

    def rank(self, word: Sequence[int]) -> int:
        """Return the rank of a word, or -1 if the table does not contain it."""
        state, number = 0, 0
        for kind in word:
            if self.child[state][kind] < 0:
                return -1
            number += self.before[state][kind]
            state = self.child[state][kind]
        return number

    def unrank(self, number: int, cells: int) -> list[int]:
        """Return the word with this rank."""
        word, state = [], 0
        for _ in range(cells):
            kinds = [k for k, child in enumerate(self.child[state]) if child >= 0]
            kind = max(k for k in kinds if self.before[state][k] <= number)
            number -= self.before[state][kind]
            state = self.child[state][kind]
            word.append(kind)
        return word


Covers = Sequence[Sequence[tuple[int, ...] | None]]


def counting_table(cells: int, stock: Sequence[int], covers: Covers) -> CountingTable:
    """Return the table of all ways to fill cells 0, 1, … with stock[k] pieces of each kind k.

    covers[k][c]  the other cells (all after c) that a piece of kind k in cell c covers; None if it cannot be there. A
                  covered cell shows kind len(stock).
    Raises UnsupportedError if the table would have more than MOST_STATES states.
    """
    body = len(stock)
    numbers: list[dict[tuple[int, tuple[int, ...]], int]] = [{(0, tuple(stock)): 0}]
    total, edges = 1, []
    for cell in range(cells):
        following: dict[tuple[int, tuple[int, ...]], int] = {}
        for (covered, left), number in numbers[-1].items():
            for kind, state in _choices(cell, covered, left, covers, body):
                if state not in following:
                    following[state] = total
                    total += 1
                edges.append((number, kind, following[state]))
        if total > MOST_STATES:
            raise UnsupportedError(f"the counting table needs more than {MOST_STATES:,} states")
        numbers.append(following)
    words = [0] * total
    for number in numbers[-1].values():
        words[number] = 1
    for number, _, child in reversed(edges):
        words[number] += words[child]
    return _tables(edges, words, body + 1)


def _choices(cell: int, covered: int, left: tuple[int, ...], covers: Covers, body: int):
    """Yield (kind, next state) for every kind that fits this cell; a state is (cells covered, remaining stock)."""
    if covered & 1:
        yield body, (covered >> 1, left)
        return
    for kind, count in enumerate(left):
        more = covers[kind][cell]
        mask = sum(1 << (other - cell) for other in more or ())
        if count and more is not None and not covered & mask:
            yield kind, ((covered | mask) >> 1, (*left[:kind], count - 1, *left[kind + 1 :]))


def _tables(edges: list[tuple[int, int, int]], words: list[int], kinds: int) -> CountingTable:
    child = [[-1] * kinds for _ in words]
    before = [[0] * kinds for _ in words]
    running = [0] * len(words)
    for number, kind, to in sorted(edges):
        if words[to]:
            child[number][kind] = to
            before[number][kind] = running[number]
            running[number] += words[to]
    return CountingTable(tuple(map(tuple, child)), tuple(map(tuple, before)), words[0])
