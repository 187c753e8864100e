"""Walking distance: only the row and the goal row of each piece count, and the same for columns."""

from __future__ import annotations

from ..errors import UnsupportedError
from ..heuristics import walking
from ..heuristics.named import Heuristic, single
from ..structure import rectangle
from .of_slides import SlideAim, slide_bound


def _make(aim: SlideAim) -> Heuristic:
    goal, shape = single(aim.goals, "walking"), rectangle.read(aim.slides)
    reason = walking.refusal(shape, aim.start, goal, aim.slides.blank)
    if reason or shape is None:
        raise UnsupportedError(f"heuristic walking: {reason}")
    return walking.Walking(aim.slides, shape, goal)


BOUND = slide_bound("walking", _make)
