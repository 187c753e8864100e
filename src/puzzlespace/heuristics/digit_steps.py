"""The steps of positions written in digits as arrays, for compiled loops on sets of bits and on numbers."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np

from ..structure.digits import Digits, Step, word_digits

ALL_WORDS = np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros((0, 0), np.int64), np.zeros((0, 0), np.int64), 1
"""The argument `classes` of `kernels.table.digits.pull` if all words are kept."""


class WordSteps:
    """Steps on words of 64 bits, see `kernels.table.digits.pull`.

    used          how many bits of a word are positions; the first `inside` digits number them
    inner, outer  arguments of the kernel
    """

    def __init__(self, digits: Digits) -> None:
        self.inside = word_digits(digits)
        self.used = prod(digits.radix[: self.inside])
        self.full = np.uint64((1 << self.used) - 1)
        inner: dict[int, int] = {}
        outer: list[Step] = []
        for step in digits.steps:
            if step.place >= self.inside:
                outer.append(step)
                continue
            by = (step.new - step.old) * digits.weights[step.place]
            inner[by] = inner.get(by, 0) | self._bits(digits, [(step.place, 1 << step.old), *step.needs])
        self.inner = np.array(list(inner.values()), np.uint64), np.array(list(inner), np.int64)
        radix = digits.radix[self.inside :]
        half = halved(radix)
        needs = [
            [(step.place - self.inside, 1 << step.new)]
            + [(place - self.inside, need) for place, need in step.needs if place >= self.inside]
            for step in outer
        ]
        far = [(step.new - step.old) * digits.weights[step.place] // self.used for step in outer]
        masks = [self._bits(digits, [each for each in step.needs if each[0] < self.inside]) for step in outer]
        self.outer = (
            meeting(radix, 0, half, needs),
            meeting(radix, half, len(radix), needs),
            np.array(masks, np.uint64),
            np.array(far, np.int64),
        )

    def _bits(self, digits: Digits, needs: Sequence[tuple[int, int]]) -> int:
        """Return the bits of a word whose digits meet the needs."""
        found = 0
        for bit in range(self.used):
            if all(need >> bit // digits.weights[place] % digits.radix[place] & 1 for place, need in needs):
                found |= 1 << bit
        return found

    @staticmethod
    def size(digits: Digits) -> int:
        """Return about the bytes of the arrays."""
        radix = digits.radix[word_digits(digits) :]
        half = halved(radix)
        return 8 * (prod(radix[:half]) + prod(radix[half:])) * (len(digits.steps) // 64 + 1) + 64


def halved(radix: Sequence[int]) -> int:
    """Return after how many digits the parts before and behind number about equally much."""
    return min(range(len(radix) + 1), key=lambda count: prod(radix[:count]) + prod(radix[count:]))


def meeting(radix: Sequence[int], first: int, last: int, needs: Sequence[Sequence[tuple[int, int]]]) -> np.ndarray:
    """Return for each value of digits first … last - 1 the steps whose needs of these it meets, as bits.

    The array has one row per value and a column per 64 steps, at least one.
    """
    size = prod(radix[first:last])
    numbers = np.arange(size)
    values = {}
    for place in range(first, last):
        numbers, values[place] = np.divmod(numbers, radix[place])
    found = np.zeros((size, max(1, -(-len(needs) // 64))), np.uint64)
    for step, each in enumerate(needs):
        met = np.ones(size, bool)
        for place, need in each:
            if first <= place < last:
                met &= np.array([need >> value & 1 for value in range(radix[place])], bool)[values[place]]
        found[met, step >> 6] |= np.uint64(1 << (step & 63))
    return found
