"""`flip:WxH`: every row and column can be reversed with each of its pieces turned over; the goal is `o` everywhere."""

from __future__ import annotations

from ..puzzle.board import grid_names
from ..puzzle.draft import Draft, ListedMove
from ..puzzle.family import Family, Slider
from ..rules.common import known, rows_of, sizes

FORM = "flip:WxH"


def make(text: str) -> Draft:
    """Return the line flips of a size such as '3x3'; there is no start, so all positions that can be solved count."""
    width, height = sizes(text, FORM, (1, 15), (1, 15))
    names = grid_names([[True] * width] * height)
    lines = {f"row{y + 1}": names[y * width : (y + 1) * width] for y in range(height)}
    lines |= {f"col{x + 1}": names[x::width] for x in range(width)}
    return Draft(
        rule="apply",
        titles=(("", f"Line flips {width} x {height}"),),
        board=rows_of(names, width),
        swap=(("x", "o"),),
        moves=tuple(ListedMove(name, "flip", (tuple(line),)) for name, line in lines.items()),
        goals=(rows_of(["o"] * width * height, width),),
    )


ARTICLE = "M. Hiroi, Puzzle DE Programming"

FAMILY = Family(
    "flip",
    FORM,
    "lines of two-sided pieces that are reversed and turned over",
    make,
    {
        "2x2": known(ARTICLE, states=6, depth=2, hardest=1),
        "3x3": known(ARTICLE, states=192, depth=7, hardest=8),
        "4x3": known(ARTICLE, states=576, depth=6, hardest=104),
        "4x4": known(ARTICLE, states=1296, depth=6, hardest=224),
        "5x4": known(ARTICLE, states=20736, depth=10, hardest=32),
        "5x5": known(ARTICLE, states=663552, depth=13, hardest=4608),
    },
    names={"": ("Line flips", "turn over lines"), "ja": ("ラインパズル", "裏返し")},
    sliders=(Slider(2, 5, 3), Slider(2, 5, 3)),
)
