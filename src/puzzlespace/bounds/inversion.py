"""Invert distance: a slide across the rows removes at most width - 1 inversions (docs/methods/lower-bounds.md)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..errors import UnsupportedError
from .of_slides import SlideAim, slide_bound

if TYPE_CHECKING:
    from ..heuristics.named import Heuristic


def _make(aim: SlideAim) -> Heuristic:
    from ..heuristics import inversion  # most questions need no bound
    from ..heuristics.named import single
    from ..structure import rectangle

    goal, shape = single(aim.goals, "inversion"), rectangle.read(aim.slides)
    reason = inversion.refusal(shape, aim.start, goal, aim.slides.blank)
    if reason is None and aim.slides.joint != 1:
        reason = "it counts slides one by one, and here one move carries several pieces"
    if reason or shape is None:
        raise UnsupportedError(f"heuristic inversion: {reason}")
    return inversion.Inversion(aim.slides, shape, goal)


BOUND = slide_bound("inversion", _make)
