"""Equal pieces matched to goal places at the least cost that a parity allows (docs/methods/lower-bounds.md)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .of_slides import SlideAim, slide_bound

if TYPE_CHECKING:
    from ..heuristics.named import Heuristic


def _make(aim: SlideAim) -> Heuristic:
    from ..heuristics.assignment import Assignment  # most questions need no bound
    from ..heuristics.named import single

    return Assignment(aim.slides, single(aim.goals, "assignment"))


BOUND = slide_bound("assignment", _make)
