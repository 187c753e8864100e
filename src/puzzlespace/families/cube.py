"""`cube:2`: the 2x2x2 cube by its 24 stickers, drawn as a net.

One corner (bottom, back, left) never moves, so the whole cube is never turned: only the faces U, R and F turn. A half
turn counts 1 (`run`) or 2 (`step`).

The stickers of a face are numbered in reading order, with U above F, D below F, and L F R B side by side.
"""

from __future__ import annotations

from ..puzzle.draft import Draft, Drawing, ListedMove, Look
from ..puzzle.family import Family
from ..rules.common import known, sizes

FORM = "cube:N"

NET = """
# # U1 U2 # # # #
# # U3 U4 # # # #
L1 L2 F1 F2 R1 R2 B1 B2
L3 L4 F3 F4 R3 R4 B3 B4
# # D1 D2 # # # #
# # D3 D4 # # # #
"""

TURNS = {
    "U": "U1 U2 U4 U3 / F1 L1 B1 R1 / F2 L2 B2 R2",
    "R": "R1 R2 R4 R3 / F2 U2 B3 D2 / F4 U4 B1 D4",
    "F": "F1 F2 F4 F3 / U3 R1 D2 L4 / U4 R3 D1 L2",
}
"""Quarter turns, clockwise as seen from outside the face: each sticker moves to the place of the next in its cycle."""

COLOURS = {"U": "white", "R": "red", "F": "green", "D": "yellow", "L": "orange", "B": "blue"}


def make(text: str) -> Draft:
    """Return the 2x2x2 cube; the text must be '2'."""
    sizes(text, FORM, (2, 2))
    net = tuple(tuple(row.split()) for row in NET.strip().split("\n"))
    turns = {name: tuple(tuple(cycle.split()) for cycle in cycles.split(" / ")) for name, cycles in TURNS.items()}
    return Draft(
        rule="apply",
        titles=(("", "2x2x2 cube"),),
        count="run",
        board=Drawing(net),
        moves=tuple(ListedMove(name, "cycles", cycles) for name, cycles in turns.items()),
        goals=(Drawing(tuple(tuple(word[0] for word in row) for row in net)),),
        picture=tuple(Look(face, colour=colour) for face, colour in COLOURS.items()),
    )


PROGRAMS = "several independent programs"

FAMILY = Family(
    "cube",
    FORM,
    "the 2x2x2 cube",
    make,
    {
        "2": known(PROGRAMS, states=3674160, depth=11, hardest=2644)
        + known(PROGRAMS, metric="step", depth=14, hardest=276)
    },
    names={"": ("2x2x2 cube", "pocket cube", "rubik"), "ja": ("2x2x2 キューブ", "ルービックキューブ")},
    sliders=((2, 2, 2),),
)
