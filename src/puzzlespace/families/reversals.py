"""`reversals:N`: a row of N pieces; a move reverses any of them that stand side by side."""

from __future__ import annotations

from itertools import combinations

from ..puzzle.board import grid_names
from ..puzzle.draft import Draft, ListedMove
from ..puzzle.family import Family, Slider
from ..rules.common import known, rows_of, sizes


def reversals(text: str) -> Draft:
    """Return a row of N pieces, with a move for each pair of places: it reverses the pieces from one to the other."""
    (count,) = sizes(text, "reversals:N", (2, 30))
    names = grid_names([[True] * count])
    blocks = combinations(range(count + 1), 2)
    return Draft(
        rule="apply",
        titles=(("", f"Reversals of {count}"),),
        board=rows_of(names, count),
        moves=tuple(
            ListedMove(f"{first + 1}-{end}", "reverse", (tuple(names[first:end]),))
            for first, end in blocks
            if end - first > 1
        ),
        goals=(rows_of([str(k) for k in range(1, count + 1)], count),),
    )


TERMS = "OEIS A300003"

FAMILY = Family(
    "reversals",
    "reversals:N",
    "a row sorted by reversing any part of it",
    reversals,
    {
        "4": known(TERMS, states=24, depth=3, hardest=2),
        "5": known(TERMS, states=120, depth=4, hardest=2),
        "6": known(TERMS, states=720, depth=5, hardest=2),
        "8": known(TERMS, states=40320, depth=7, hardest=2),
    },
    {"": ("Reversals", "sorting by reversals"), "ja": ("部分反転", "部分反転ソート")},
    (Slider(3, 12, 6),),
)
