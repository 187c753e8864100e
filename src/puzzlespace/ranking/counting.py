"""Numbers for arrangements: the factorial and multinomial number systems, and counting tables cell by cell.

All in exact integers of any size. An arrangement is numbered from its last item backwards, so that arrangements which
agree in their last items are neighbours.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import factorial, prod

from ..errors import LimitError

MOST_STATES = 60_000
"""A counting table of more states is not built."""


def multinomial(counts: Sequence[int]) -> int:
    """Return in how many orders items of which counts[i] are alike can stand."""
    return factorial(sum(counts)) // prod(map(factorial, counts))


def rank_order(items: Sequence[int]) -> int:
    """Return the number of an order among all orders of the same items.

    From the last place to the first: all orders whose item there is smaller come before. With different items this is
    the sum of d[i] * i!, where d[i] counts the smaller items before place i (the Lehmer code); with like items each
    digit is weighed by the orders that are left, which is their number times count / length.
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
    """Return the order that has this number among all orders of the items."""
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


@dataclass(frozen=True)
class CountingTable:
    """The words of one kind per cell that use each kind as often as wanted, numbered in lexicographic order.

    child[state][kind]   the state after the kind stands in the next cell; -1 where no word goes on so
    before[state][kind]  how many words go on with a smaller kind
    size                 how many words there are; the first state is 0

    A word is numbered by one table step per cell: the sum of `before`. Sharing of states makes the table small, as in
    a decision diagram.
    """

    child: tuple[tuple[int, ...], ...]
    before: tuple[tuple[int, ...], ...]
    size: int

    def rank(self, word: Sequence[int]) -> int:
        """Return the number of a word; -1 where it is none of them."""
        state, number = 0, 0
        for kind in word:
            if self.child[state][kind] < 0:
                return -1
            number += self.before[state][kind]
            state = self.child[state][kind]
        return number

    def unrank(self, number: int, cells: int) -> list[int]:
        """Return the word with this number."""
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
    """Return the table of the ways to fill cells 0, 1, … with stock[k] pieces of each kind k.

    covers[k][c]  the further cells (all after c) that a piece of kind k covers when it stands in cell c; None where it
                  cannot stand. A covered cell shows the kind after the last.
    Raises LimitError where the table would grow past MOST_STATES.
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
            raise LimitError("memory", f"the counting table needs more than {MOST_STATES:,} states")
        numbers.append(following)
    words = [0] * total
    for number in numbers[-1].values():
        words[number] = 1
    for number, _, child in reversed(edges):
        words[number] += words[child]
    return _tables(edges, words, body + 1)


def _choices(cell: int, covered: int, left: tuple[int, ...], covers: Covers, body: int):
    """Yield (kind, state after it) for every kind that can stand here; a state is (cells covered, stock left)."""
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
