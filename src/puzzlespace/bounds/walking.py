"""Walking distance: only the row and the goal row of each piece count, and the same for columns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..errors import UnsupportedError
from .of_slides import SlideAim, slide_bound

if TYPE_CHECKING:
    from ..heuristics.named import Heuristic


def _make(aim: SlideAim) -> Heuristic:
    from ..heuristics import walking  # most questions need no bound
    from ..heuristics.named import single
    from ..structure import rectangle

    goal, shape = single(aim.goals, "walking"), rectangle.read(aim.slides)
    reason = walking.refusal(shape, aim.start, goal, aim.slides.blank)
    if reason or shape is None:
        raise UnsupportedError(f"heuristic walking: {reason}")
    return walking.Walking(aim.slides, shape, goal)


BOUND = slide_bound("walking", _make)
