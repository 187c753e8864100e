"""Orders of pieces as a tree of digits, and how rotating a window of an order changes the digits.

An order is written as digits from left to right: digit i is the index, among the *kinds* that remain in ascending
order, of the piece at place i. If all pieces differ this is the factorial number system, else the multiset number
system. Equal remainders have equal subtrees, so they share one *state*. If all pieces differ, two remainders of the
same size have subtrees of the same shape, and there is one state per place.

The last `tail` places, the *tail*, select a bit of a 64-bit word; the places before, the *head*, select the word, in
ascending order. If all pieces differ, only half of the orders are reachable for a given place of the blank: the parity
determines the order of the last two pieces, so their digit is omitted, and a tail of 5 pieces takes 60 bits.
"""

from __future__ import annotations

from math import factorial

import numpy as np


class Orders:
    """The tree of the orders of pieces, `counts[k]` of kind k each.

    halved    whether only orders of one parity are numbered (all pieces different)
    tail      the number of trailing pieces that select the bit of a word
    left      left[state]: number of remaining pieces
    kinds     kinds[state]: number of remaining kinds
    child     child[state, digit]: the state after that digit
    below     below[state, digit]: words (in the tail: bits) of all smaller digits
    solo      solo[state, digit]: whether exactly one piece of that kind remains
    leaves    leaves[state]: words below the state; 1 in the tail
    bits      bits[state]: bits below the state, in the tail
    """

    def __init__(self, counts: tuple[int, ...], halved: bool, tail: int) -> None:
        self.pieces = sum(counts)
        self.halved = halved
        self.tail = min(tail, self.pieces)
        self.head = self.pieces - self.tail
        self._numbers: dict[tuple[int, ...], int] = {}
        self._counts: list[tuple[int, ...]] = []
        self._children: list[tuple[int, ...]] = []
        self.root = self._state(tuple(counts))
        self._fill(len(counts))

    def _state(self, counts: tuple[int, ...]) -> int:
        """Return the number of the state with `counts` remaining; create it and the states below it if needed."""
        if counts not in self._numbers:
            number = self._numbers[counts] = len(self._counts)
            self._counts.append(counts)
            self._children.append(())
            self._children[number] = tuple(self._state(without(counts, kind)) for kind in range(len(counts)))
        return self._numbers[counts]

    def _fill(self, width: int) -> None:
        states = len(self._counts)
        self.left = np.array([sum(counts) for counts in self._counts], np.int64)
        self.kinds = np.array([len(counts) for counts in self._counts], np.int64)
        self.child = np.zeros((states, width), np.int16 if states < 1 << 15 else np.int32)
        self.below = np.zeros((states, width), np.int64)
        self.solo = np.zeros((states, width), bool)
        self.leaves = np.ones(states, np.int64)
        self.bits = np.ones(states, np.int64)
        for state in np.argsort(self.left, kind="stable"):
            counts, children = self._counts[state], list(self._children[state])
            self.child[state, : len(counts)] = children
            self.solo[state, : len(counts)] = [count == 1 for count in counts]
            in_head = self.left[state] > self.tail
            sizes = (self.leaves if in_head else self.bits)[children]
            if in_head:
                self.leaves[state] = sizes.sum()
            else:
                self.bits[state] = max(1, multinomial(counts) // (2 if self.halved else 1))
            if not (self.halved and self.left[state] == 2):
                self.below[state, : len(counts)] = np.cumsum(sizes) - sizes

    def passed(self, length: int) -> set[int]:
        """Return the states after `length` places."""
        states = {self.root}
        for _ in range(length):
            states = {child for state in states for child in self.child[state, : self.kinds[state]].tolist()}
        return states

    def ways(self, state: int, length: int) -> int:
        """Return how many sequences of `length` digits there are from a state."""
        ways = {state: 1}
        for _ in range(length):
            following: dict[int, int] = {}
            for here, many in ways.items():
                for child in self.child[here, : self.kinds[here]].tolist():
                    following[child] = following.get(child, 0) + many
            ways = following
        return sum(ways.values())

    def spell(self, state: int, length: int) -> tuple[np.ndarray, np.ndarray]:
        """Return all sequences of `length` digits from a state, in ascending order, as (digits, states).

        digits  [sequence, length]
        states  [sequence, length + 1]: the states along the sequence, the first one included
        """
        digits = np.zeros((1, 0), np.uint8)
        states = np.full((1, 1), state, self.child.dtype)
        for _ in range(length):
            kinds = self.kinds[states[:, -1]]
            row = np.repeat(np.arange(len(states)), kinds)
            digit = np.arange(len(row)) - np.repeat(np.cumsum(kinds) - kinds, kinds)
            digits = np.column_stack((digits[row], digit.astype(np.uint8)))
            states = np.column_stack((states[row], self.child[states[row, -1], digit]))
        return digits, states

    def swap(self, digits: np.ndarray, states: np.ndarray, place: int) -> None:
        """Exchange the pieces at `place` and `place` + 1 in all rows, in place.

        If all pieces differ, the digits (x, y) become (y + 1, x) if x ≤ y, else (y, x - 1).
        """
        state, x, y = states[:, place], digits[:, place], digits[:, place + 1]
        second = y + (self.solo[state, x] & (y >= x))
        digits[:, place + 1] = x - (self.solo[state, second] & (x > second))
        digits[:, place] = second
        states[:, place + 1] = self.child[state, second]

    def rotated(
        self, digits: np.ndarray, states: np.ndarray, window: range, left: bool
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return digits and states after the pieces of the window are rotated by one place.

        left  the first piece of the window becomes its last; else the last becomes the first
        """
        digits, states = digits.copy(), states.copy()
        places = window[:-1]
        for place in places if left else reversed(places):
            self.swap(digits, states, place)
        return digits, states

    def number(self, digits: np.ndarray, states: np.ndarray, places: range) -> np.ndarray:
        """Return the sum of `below` over some places: words in the head, bits in the tail."""
        total = np.zeros(len(digits), np.int64)
        for place in places:
            total += self.below[states[:, place], digits[:, place]]
        return total


def without(counts: tuple[int, ...], kind: int) -> tuple[int, ...]:
    """Return the counts with one piece of a kind removed; a kind without remaining pieces is dropped."""
    rest = (counts[kind] - 1,) if counts[kind] > 1 else ()
    return counts[:kind] + rest + counts[kind + 1 :]


def multinomial(counts: tuple[int, ...]) -> int:
    """Return the number of orders of counts[k] pieces of each kind k."""
    total = factorial(sum(counts))
    for count in counts:
        total //= factorial(count)
    return total
