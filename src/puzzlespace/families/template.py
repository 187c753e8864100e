"""A template for a family: `bits:N`, a row of N switches. Copy this file, rename it, make it build, then change it.

A family is one file like this one and one line in `registry.FAMILIES`. This one is in the registry of the tests only.
"""

from __future__ import annotations

from ..puzzle.board import grid_names
from ..puzzle.draft import Draft, ListedMove
from ..puzzle.family import Family
from ..rules.common import known, rows_of, sizes

FORM = "bits:N"
"""The form of a spec, for errors: the name of the family, a colon, and the size."""


def make(text: str) -> Draft:
    """Return N switches in a row, each of which can be changed; the goal is `o` everywhere. Raises InputError.

    A family usually returns a Draft, the same data that a puzzle file is read into. A family whose rules cannot be
    written as slides, jumps or listed moves returns a Puzzle with its own rules, as `hanoi.py` does.
    """
    (count,) = sizes(text, FORM, (1, 60))
    names = grid_names([[True] * count])
    return Draft(
        rule="apply",
        titles=(("", f"{count} switches"),),
        board=rows_of(names, count),
        swap=(("x", "o"),),
        moves=tuple(ListedMove(name, "cycles", (), (name,)) for name in names),
        goals=(rows_of(["o"] * count, count),),
    )


FAMILY = Family(
    "bits",
    FORM,
    "a row of switches",
    make,
    {"5": known("2^5 positions, binomial layers", states=32, depth=5, hardest=1)},
)
