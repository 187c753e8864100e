"""The orders of a row of pieces as a tree of digits, and what rotating a window of the row does to the digits.

An order of pieces is written as digits from left to right: digit i says which of the *kinds* still left stands at place
i, counted from 0 in ascending order. All different pieces give the factorial number system, like pieces the multiset
number system. Subtrees below the same remainder are alike: one *state* stands for all of them, so pieces that are all
different have one state per place.

The orders are numbered in two units. The first places up to `tail` before the end (the *head*) number a word of 64
bits, in ascending order; the last `tail` places number a bit of that word. Where all pieces differ only every second
order can be reached from a given place of the blank: the last two pieces follow from the parity, their digit is left
out, and a tail of 5 pieces takes 60 bits.
"""

from __future__ import annotations

from math import factorial

import numpy as np


class Orders:
    """The tree of the orders of pieces, `counts[k]` of kind k each.

    halved    whether orders of one parity only are numbered (all pieces different)
    tail      how many of the last pieces number a bit of a word
    kinds     kinds[state]: how many kinds are left
    child     child[state, digit]: the state after that digit
    below     below[state, digit]: words (in the tail: bits) of all smaller digits
    solo      solo[state, digit]: whether just one piece of that kind is left
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
        """Return the number of the state in which `counts` are left, making it and those below it."""
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
        """Return the states in which one can be after so many places."""
        states = {self.root}
        for _ in range(length):
            states = {child for state in states for child in self.child[state, : self.kinds[state]].tolist()}
        return states

    def ways(self, state: int, length: int) -> int:
        """Return in how many ways one can go on from a state by `length` places."""
        ways = {state: 1}
        for _ in range(length):
            following: dict[int, int] = {}
            for here, many in ways.items():
                for child in self.child[here, : self.kinds[here]].tolist():
                    following[child] = following.get(child, 0) + many
            ways = following
        return sum(ways.values())

    def spell(self, state: int, length: int) -> tuple[np.ndarray, np.ndarray]:
        """Return all ways to go on from a state by `length` places, in order.

        digits  (ways, length)      the digits
        states  (ways, length + 1)  the states passed, the first one included
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
        """Exchange the pieces at `place` and the next one, in all rows, in place.

        With all pieces different this is (x, y) → (y + 1, x) where x ≤ y, and (y, x - 1) where x > y.
        """
        state, x, y = states[:, place], digits[:, place], digits[:, place + 1]
        second = y + (self.solo[state, x] & (y >= x))
        digits[:, place + 1] = x - (self.solo[state, second] & (x > second))
        digits[:, place] = second
        states[:, place + 1] = self.child[state, second]

    def rotated(
        self, digits: np.ndarray, states: np.ndarray, window: range, left: bool
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return digits and states after the pieces of the window move one place on and its last one to the other end.

        left  the first piece of the window becomes its last one; else the last one becomes the first
        """
        digits, states = digits.copy(), states.copy()
        places = window[:-1]
        for place in places if left else reversed(places):
            self.swap(digits, states, place)
        return digits, states

    def number(self, digits: np.ndarray, states: np.ndarray, places: range) -> np.ndarray:
        """Return the sum over some places of what lies below their digits: words in the head, bits in the tail."""
        total = np.zeros(len(digits), np.int64)
        for place in places:
            total += self.below[states[:, place], digits[:, place]]
        return total


def without(counts: tuple[int, ...], kind: int) -> tuple[int, ...]:
    """Return the counts with one piece of a kind less; a kind of which none is left is dropped."""
    rest = (counts[kind] - 1,) if counts[kind] > 1 else ()
    return counts[:kind] + rest + counts[kind + 1 :]


def multinomial(counts: tuple[int, ...]) -> int:
    """Return the number of orders of so many pieces of each kind."""
    total = factorial(sum(counts))
    for count in counts:
        total //= factorial(count)
    return total
