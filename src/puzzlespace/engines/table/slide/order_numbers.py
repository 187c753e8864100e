"""Ranks of orders of pieces, exact and of any size: factorial and multiset number systems in plain Python.

Source: the factorial number system (C. A. Laisant, 1888). If pieces are alike, the rank is that in lexicographic order:
(n - 1)! · c_k / (c_0! c_1! …) orders begin with a piece of kind k.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import factorial

from ....limits.watch import checkpoint

WORD = 64
"""Bits of a word of the table."""


def arrangements(counts: Sequence[int]) -> int:
    """Return the number of orders of pieces, counts[k] of kind k.

    >>> arrangements((1, 1, 1, 1)), arrangements((7, 8))
    (24, 6435)
    """
    total = factorial(sum(counts))
    for count in counts:
        total //= factorial(count)
    return total


def rank_order(order: Sequence[int], counts: Sequence[int]) -> int:
    """Return the rank of an order (of kinds 0, 1, …) among all orders, in lexicographic order.

    >>> rank_order((0, 1, 2), (1, 1, 1)), rank_order((2, 1, 0), (1, 1, 1)), rank_order((1, 1, 0), (1, 2))
    (0, 5, 2)
    """
    rest = list(counts)
    ways = arrangements(rest)
    rank = 0
    for place, kind in enumerate(order):
        left = len(order) - place
        rank += ways * sum(rest[:kind]) // left
        ways = ways * rest[kind] // left
        rest[kind] -= 1
    return rank


def unrank_order(rank: int, counts: Sequence[int]) -> list[int]:
    """Return the order with this rank in lexicographic order.

    >>> unrank_order(5, (1, 1, 1)), unrank_order(2, (1, 2))
    ([2, 1, 0], [1, 1, 0])
    """
    rest = list(counts)
    ways = arrangements(rest)
    order: list[int] = []
    for left in range(sum(counts), 0, -1):
        kind = 0
        while rank >= ways * rest[kind] // left:
            rank -= ways * rest[kind] // left
            kind += 1
        ways = ways * rest[kind] // left
        rest[kind] -= 1
        order.append(kind)
    return order


def inversions(order: Sequence[int]) -> int:
    """Return the number of inversions: pairs in descending order."""
    return sum(a > b for place, a in enumerate(order) for b in order[place + 1 :])


def tail_length(counts: Sequence[int], halved: bool) -> int:
    """Return the largest number of trailing pieces whose orders always fit the bits of a word.

    >>> tail_length((1,) * 11, True), tail_length((7, 8), False)
    (5, 7)
    """
    for length in range(1, sum(counts) + 1):
        most = arrangements(_even_part(counts, length))
        if most > (2 * WORD if halved else WORD):
            return length - 1
    return sum(counts)


def _even_part(counts: Sequence[int], length: int) -> list[int]:
    """Return the counts of `length` pieces with the most orders: as even as possible."""
    part = [0] * len(counts)
    for _ in range(length):
        kind = min((k for k in range(len(counts)) if part[k] < counts[k]), key=lambda k: part[k])
        part[kind] += 1
    return part


def beginnings(counts: Sequence[int], length: int) -> int:
    """Return the number of different beginnings of `length` pieces among all orders.

    It is length! times the coefficient of x^length in the product of 1 + x + … + x^c/c! over the kinds.

    >>> beginnings((1,) * 11, 6), beginnings((7, 8), 8)
    (332640, 255)
    """
    ways = [1]
    for count in counts:
        checkpoint()
        longer = [0] * (min(len(ways) - 1 + count, length) + 1)
        for size, term in enumerate(ways):
            for taken in range(min(count, length - size) + 1):
                longer[size + taken] += term
                term = term * (size + taken + 1) // (taken + 1)
        ways = longer
    return ways[length]
