"""The positions of one layer of a finished table: all of them, or a random draw that a seed reproduces."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from ..contract.questions import WantedLayers
from ..engines.shared.draws import LISTED, Draw, rows_of
from ..errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

Hand = Callable[[WantedLayers], None]
"""Hands over the layers that are wanted."""


def layer(hand: Hand, counts: tuple[int, ...], depth: int) -> np.ndarray:
    """Return all positions of a layer, sorted, one row of symbols each. Raises InputError if there is no such layer."""
    check(counts, depth)
    blocks: list[np.ndarray] = []

    def take(depth: int, found: Iterable[Any]) -> None:
        blocks.extend(np.array(rows_of(block), np.uint8) for block in found)

    hand(WantedLayers(take, depth, depth))
    rows = np.concatenate(blocks)
    return rows[np.lexsort(rows.T[::-1])]


def sample(hand: Hand, counts: tuple[int, ...], depth: int, number: int, seed: int) -> tuple[bytes, ...]:
    """Return some positions of a layer, drawn uniformly, all different; all of them if there are fewer.

    Raises InputError if there is no such layer, or the number is less than 1.
    """
    check(counts, depth)
    if number < 1:
        raise InputError(f"sample: expected at least 1 position, found {number:,}")
    draw = Draw(seed, number)
    hand(WantedLayers(draw.take, depth, depth, max(LISTED, 4 * number), seed=seed))
    return tuple(position for _, position in draw.drawn)


def check(counts: tuple[int, ...], depth: int) -> None:
    """Raise InputError if a table has no layer of this depth."""
    if not 0 <= depth < len(counts):
        raise InputError(f"depth: expected 0 to {len(counts) - 1}, found {depth}")
