"""The sum of the moves that each piece needs alone, on an otherwise empty board (docs/methods/lower-bounds.md)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .of_slides import SlideAim, slide_bound

if TYPE_CHECKING:
    from ..heuristics.named import Heuristic


def _make(aim: SlideAim) -> Heuristic:
    from ..heuristics.distance import DistanceBound  # most questions need no bound

    return DistanceBound(aim.slides, aim.goals)


BOUND = slide_bound("distance", _make)
