"""Lists of positions from codes: the first of a layer, and the collected ones, which are decoded when they are read."""

from __future__ import annotations

import heapq
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Any

import numpy as np

from .codes import Codes

AT_ONCE = 1 << 10
"""Collected positions that are decoded at once, because callers often read only the first."""


def least(codes: Codes, layer: np.ndarray, keep: int, at_once: int) -> tuple[bytes, ...]:
    """Return the first `keep` positions, sorted; `at_once` positions are decoded at once."""
    kept: list[bytes] = []
    for positions in listed(codes, layer, at_once) if keep else ():
        kept = heapq.nsmallest(keep, kept + positions)
    return tuple(kept)


def listed(codes: Codes, layer: np.ndarray, at_once: int) -> Iterator[list[bytes]]:
    """Yield the positions of a layer, `at_once` at a time."""
    for begin in range(0, len(layer), at_once):
        yield codes.positions(layer[begin : begin + at_once])


class Collected(Sequence[tuple[bytes, int]]):
    """(position, depth) of every position collected, stored as codes, because callers often need only the number."""

    def __init__(self, codes: Codes, layers: Sequence[tuple[int, np.ndarray]]) -> None:
        self.codes = codes
        self.layers = layers

    def __len__(self) -> int:
        return sum(len(layer) for _, layer in self.layers)

    def __iter__(self) -> Iterator[tuple[bytes, int]]:
        for depth, layer in self.layers:
            for positions in listed(self.codes, layer, AT_ONCE):
                for position in positions:
                    yield position, depth

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return tuple(self)[index]
        at = range(len(self))[index]
        ends = list(accumulate(len(layer) for _, layer in self.layers))
        number = bisect_right(ends, at)
        depth, layer = self.layers[number]
        return self.codes.positions(layer[at - ends[number] :][:1])[0], depth
