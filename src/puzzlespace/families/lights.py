"""`lights:WxH`: pressing a lamp switches it and its neighbours. Lit lamps show `x`, dark ones `o`; goal: all dark."""

from __future__ import annotations

from ..puzzle.board import grid
from ..puzzle.draft import Draft, ListedMove, Look
from ..puzzle.family import Family, Slider
from ..rules.common import known, rows_of, sizes

FORM = "lights:WxH"


def make(text: str) -> Draft:
    """Return the lamps of a size such as '5x5'; there is no start, so all positions that can be solved count."""
    width, height = sizes(text, FORM, (1, 25), (1, 25))
    board = grid([[True] * width] * height)
    near: dict[int, list[int]] = {cell: [cell] for cell in range(board.cells)}
    for cell, neighbour, _ in board.steps:
        near[cell].append(neighbour)
    return Draft(
        rule="apply",
        titles=(("", f"Lights {width} x {height}"),),
        board=rows_of(board.names, width),
        swap=(("x", "o"),),
        moves=tuple(
            ListedMove(board.names[cell], "cycles", (), tuple(board.names[other] for other in sorted(cells)))
            for cell, cells in near.items()
        ),
        goals=(rows_of(["o"] * board.cells, width),),
        picture=(Look("x", colour="gold", glyph="●", name="lit"), Look("o", colour="black", glyph="○", name="dark")),
    )


ALGEBRA = "linear algebra over GF(2), and search"

FAMILY = Family(
    "lights",
    FORM,
    "lamps that change with their neighbours",
    make,
    {
        "3x3": known(ALGEBRA, states=512, depth=9, hardest=1),
        "4x4": known(ALGEBRA, states=4096, depth=7, hardest=32),
        "5x5": known(ALGEBRA, states=8388608, depth=15, hardest=7350),
    },
    names={"": ("Lights out", "lamps"), "ja": ("ライツアウト",)},
    sliders=(Slider(2, 7, 3), Slider(2, 7, 3)),
)
