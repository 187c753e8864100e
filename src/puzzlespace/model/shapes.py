"""Pieces of several cells."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Shapes:
    """Pieces of several cells: the first cell in reading order shows the symbol of the piece, the others show `body`.

    covers[symbol][cell]  the other cells that the piece covers if its first cell is `cell`; () for one cell; None if it
                          cannot be there
    """

    body: int
    covers: tuple[tuple[tuple[int, ...] | None, ...], ...]
