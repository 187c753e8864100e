"""Random draws, reproducible by a seed: from layers, and from the group of the moves.

Each position of a layer gets a number that depends on its symbols and the seed only (by the mixing function of
SplitMix64: Steele, Lea and Flood 2014). The positions with the least numbers are drawn. So a draw is uniform and
without repetitions, and depends neither on the order in which positions come nor on the engine that lists them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from ...contract.questions import WantedLayers
from ...limits.watch import checkpoint
from ...model.goal import Goal
from ...model.model import Model

WORD = (1 << 64) - 1

AT_ONCE = 1 << 14
"""Positions whose numbers are computed at once."""


LISTED = 1 << 20
"""Of a layer with twice as many positions, or more, a draw of few lists a random part of about this many."""


def mixed(numbers: np.ndarray) -> np.ndarray:
    """Return each word with its bits mixed, one-to-one."""
    with np.errstate(over="ignore"):
        numbers = numbers + np.uint64(0x9E3779B97F4A7C15)
        numbers = (numbers ^ numbers >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
        numbers = (numbers ^ numbers >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
        return numbers ^ numbers >> np.uint64(31)


def first_word(seed: int) -> np.uint64:
    """Return a mixed word for a seed of any size, also a negative one."""
    word = np.array([seed < 0], np.uint64)
    rest = abs(seed)
    while True:
        word = mixed(word ^ np.uint64(rest & WORD))
        rest >>= 64
        if not rest:
            return word[0]


def order_numbers(rows: np.ndarray, seed: int) -> np.ndarray:
    """Return the number by which each position is drawn; positions are rows of symbols."""
    wide = np.zeros((len(rows), -(-rows.shape[1] // 8) * 8), np.uint8)
    wide[:, : rows.shape[1]] = rows
    numbers = np.full(len(rows), first_word(seed))
    for word in wide.view("<u8").astype(np.uint64, copy=False).T:
        numbers = mixed(numbers ^ word)
    return numbers


def thinner(size: int, wanted: WantedLayers) -> int:
    """Return how often a layer of some size may be halved at random."""
    if wanted.most is None:
        return wanted.halvings
    return max(0, (size // wanted.most).bit_length() - 1)


def thin_words(numbers: np.ndarray, halvings: int, seed: int) -> np.ndarray:
    """Return for each number of a word the bits that are left after random halvings."""
    words = np.full(len(numbers), WORD, np.uint64)
    key = first_word(seed)
    for _ in range(halvings):
        key = mixed(np.array([key]))[0]
        words &= mixed(mixed(numbers.astype(np.uint64)) ^ key)
    return words


def chosen(bits: np.ndarray, halvings: int, seed: int) -> np.ndarray:
    """Return for each bit index whether it is left after random halvings."""
    words = thin_words(bits >> 6, halvings, seed)
    return (words >> (bits & 63).astype(np.uint64) & np.uint64(1)).astype(bool)


def rows_of(block: Any) -> np.ndarray:
    """Return a block of `WantedLayers` as rows of symbols."""
    if isinstance(block, np.ndarray):
        return block
    if not block:
        return np.empty((0, 0), np.uint8)
    return np.frombuffer(b"".join(block), np.uint8).reshape(len(block), -1)


def meeting(rows: np.ndarray, goal: Goal) -> np.ndarray:
    """Return the rows that meet a goal."""
    return rows[fits(rows, goal)]


def fits(rows: np.ndarray, goal: Goal) -> np.ndarray:
    """Return for each row whether it meets a goal."""
    met = np.ones(len(rows), bool)
    for cell, need in enumerate(goal.need):
        allowed = np.array([need >> symbol & 1 for symbol in range(256)], bool)
        if not allowed.all():
            met &= allowed[rows[:, cell]]
    for symbol, count in goal.counts:
        met &= (rows == symbol).sum(axis=1) == count
    if goal.sentence is not None:
        met &= goal.sentence.among(lambda cell: rows[:, cell])
    return met


class Draw:
    """Collects a random draw from the positions of layers; see `WantedLayers.take`.

    pattern  only positions that meet it are drawn
    most     how many are drawn
    at_once  positions whose numbers are computed at once
    seen     how many positions of each layer there are, or were handed over
    fitting  how many of them meet the pattern
    """

    def __init__(self, seed: int, most: int, pattern: Goal | None = None, at_once: int = AT_ONCE) -> None:
        self.seed, self.most, self.pattern, self.at_once = seed, most, pattern, at_once
        self.seen: dict[int, int] = {}
        self.fitting = 0
        self._numbers = np.empty(0, np.uint64)
        self._drawn: list[tuple[int, bytes]] = []

    def take(self, depth: int, blocks: Iterable[Any]) -> None:
        """Draw from the positions of a layer, together with those of earlier calls."""
        self.seen.setdefault(depth, 0)
        for block in blocks:
            whole = rows_of(block)
            self.seen[depth] += len(whole)
            for first in range(0, len(whole), self.at_once):
                checkpoint()
                self._add(depth, whole[first : first + self.at_once])

    def _add(self, depth: int, rows: np.ndarray) -> None:
        rows = rows if self.pattern is None else meeting(rows, self.pattern)
        self.fitting += len(rows)
        numbers = order_numbers(rows, self.seed)
        if len(self._drawn) == self.most:
            least = numbers < self._numbers[-1]
            rows, numbers = rows[least], numbers[least]
        if not len(rows):
            return
        numbers = np.concatenate([self._numbers, numbers])
        listed = [*self._drawn, *((depth, row.tobytes()) for row in rows)]
        order = np.argsort(numbers, kind="stable")[: self.most]
        self._numbers, self._drawn = numbers[order], [listed[n] for n in order.tolist()]

    @property
    def drawn(self) -> list[tuple[int, bytes]]:
        """The (depth, position) of each position drawn, in random order."""
        return self._drawn


def from_group(model: Model, position: bytes, seconds: float) -> Callable[[Callable[[int], int]], bytes] | None:
    """Return a function that draws uniformly from all positions that the moves reach from one: `ranking.orbit_draw`.

    None if the moves are no group, because rules have conditions, or if its chain of stabilisers is not found in time.
    """
    from ...ranking.reach import orbit_draw

    return orbit_draw(model, position, seconds)


def numbered(model: Model, position: bytes) -> tuple[int, Callable[[int], bytes]] | None:
    """Return how many positions the moves reach from one, and a function from a number below it to a position.

    None unless positions are digits, every combination of which is reached: `structure.digits` proves it.
    """
    from ...structure import digits

    found = digits.read(replace(model, start=position, goals=()))
    return None if isinstance(found, str) else (found.positions, found.unrank)
