"""`slide:WxH`: numbered tiles in a frame with one blank; goal: in order row by row, the blank last."""

from __future__ import annotations

from ..puzzle.draft import BLANK, Draft
from ..puzzle.family import Family, Slider
from ..rules.common import known, rows_of, sizes

FORM = "slide:WxH"


def make(text: str) -> Draft:
    """Return the tiles of a size such as '4x4'; there is no start, so all positions that can be solved count."""
    width, height = sizes(text, FORM, (1, 15), (1, 15))
    tiles = [str(number) for number in range(1, width * height)]
    return Draft(
        rule="slide",
        titles=(("", f"{width * height - 1} tiles, {width} x {height}"),),
        count="step",
        goals=(rows_of([*tiles, BLANK], width),),
    )


PUBLISHED = "published complete tables, blank in the corner"

FAMILY = Family(
    "slide",
    FORM,
    "numbered tiles in a frame with one blank",
    make,
    {
        "2x2": known(PUBLISHED, states=12, depth=6, hardest=1),
        "3x2": known(PUBLISHED, states=360, depth=21, hardest=1),
        "4x2": known(PUBLISHED, states=20160, depth=36, hardest=1),
        "3x3": known(PUBLISHED, states=181440, depth=31, hardest=2),
        "4x3": known(PUBLISHED, states=239500800, depth=53, hardest=18),
    },
    names={
        "": ("Sliding tiles", "15-puzzle", "8-puzzle", "fifteen puzzle"),
        "ja": ("スライドパズル", "15パズル", "8パズル"),
    },
    sliders=(Slider(2, 5, 4), Slider(2, 5, 4)),
)
