"""Lists of positions from codes."""

from __future__ import annotations

import heapq
from collections.abc import Iterator

import numpy as np

from .codes import Codes


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
