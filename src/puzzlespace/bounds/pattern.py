"""Pattern tables: the depths of groups of pieces on an otherwise empty board (docs/methods/lower-bounds.md)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..errors import UnsupportedError
from .of_slides import SlideAim, slide_bound

if TYPE_CHECKING:
    from ..heuristics.named import Heuristic


def _make(aim: SlideAim) -> Heuristic:
    if aim.slides.joint == 1:
        from ..heuristics.groups import Groups

        return Groups.chosen(aim.slides, aim.goals, aim.start, aim.groups)
    if aim.groups:
        raise UnsupportedError("heuristic pattern: groups cannot be added if one move carries several pieces")
    if aim.start.count(aim.slides.blank) != 1 or aim.slides.body >= 0:
        reason = "if one move carries several pieces, it is for boards with one blank and no blocks"
        raise UnsupportedError(f"heuristic pattern: {reason}")
    from ..heuristics import colours, tracks  # load arrays
    from ..heuristics.named import single

    colours.lines_of(aim.slides)
    goal = single(aim.goals, "pattern")
    return tracks.read(aim.slides, goal) or colours.Colours(aim.slides, goal)


BOUND = slide_bound("pattern", _make)
