"""The bound of each piece alone: the sum of the moves it needs to its nearest goal place on an otherwise empty board.

If one move carries several pieces (`multi`), the sum is divided by the most pieces that it can carry. The bound is then
at least the moves that any single piece needs.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from ..model.goal import Goal
from ..structure.slides import Slides


@dataclass(frozen=True)
class DistanceBound:
    """The bound for one puzzle and its goals."""

    slides: Slides
    goals: tuple[Goal, ...]

    @cached_property
    def tables(self) -> dict[int, tuple[int, ...]]:
        """For each piece's symbol its moves to the nearest goal place, cell by cell."""
        slides = self.slides
        return {symbol: slides.alone(symbol, slides.targets(self.goals, symbol)) for symbol in slides.pieces}

    def bound(self, position: bytes) -> int:
        """Return a lower bound on the moves from the position to a goal."""
        tables = self.tables
        parts = [tables[symbol][cell] for cell, symbol in enumerate(position) if symbol in tables]
        return joined(self.slides.joint, sum(parts), max(parts, default=0))


def joined(joint: int, total: int, most: int) -> int:
    """Return the bound from a sum over pieces and the most that one of them needs; `joint` as in `Slides`."""
    if joint == 1:
        return total
    return max(-(-total // joint), most) if joint else min(total, 1)
