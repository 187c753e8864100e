"""What a count of pieces on tracks takes: the positions seen, as bits or in a hash table, and two layers of words."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from ...contract.needs import Needs, Pair, Reference, Sizes
from ...errors import UnsupportedError
from ...limits.machine import spare_memory
from ...limits.watch import paced
from ...model.model import Model
from ..packed.needs import traffic_of
from . import ENGINE, reading_of
from .layers import MOST_BITS, SLOTS


def needs(model: Model, sources: tuple[Any, ...], memory: int | None) -> Needs:
    """Return what the positions seen and the layers take. Raises UnsupportedError if the rules are others."""
    reason = ENGINE.refuses(model, "depths")
    if reason is not None:
        raise UnsupportedError(f"engine gliders: {reason}")
    reading = reading_of(model, sources[0])
    dense = reading.placements <= min(MOST_BITS, 4 * (spare_memory() if memory is None else memory))
    size = len(reading.cells)
    tracks = sum(len(each) for kind in reading.tracks for each in kind)

    def held(sizes: Sizes) -> float:
        """Count a table that is at most half full, and the one a quarter as large from which it was filled."""
        last = max((a + b for a, b in pairwise([0.0, *sizes])), default=0.0)
        if dense:
            return reading.placements / 8 + 8 * last
        slots = float(SLOTS)
        while slots < 2 * sum(sizes):
            slots *= 4
        return 8 * 1.25 * slots + 8 * last

    def work(sizes: Sizes, children: float) -> list[Pair]:
        return [(0.0, number * children) for number in paced(sizes)]

    seen = f"{reading.placements:,} bits, one for each placement" if dense else "16 to 64 bytes in a hash table"
    return Needs(
        "cells of pieces as words", 0, f"8 bytes a position of two layers, and {seen}", 0, 0, 0, held, work,
        traffic_of(model, sources, undone=model.reversible), float(tracks * (size + 10)),
        Reference("gliders", "slide:2x5", "step", ENGINE, needs, "slide:3x2"),
    )  # fmt: skip
