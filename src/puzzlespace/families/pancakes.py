"""`pancake:N` and `burnt:N`: a move turns over the first k of a stack; burnt pancakes have two different sides."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from ..puzzle.board import grid_names
from ..puzzle.draft import Draft, ListedMove
from ..puzzle.family import Family, Slider
from ..rules.common import known, rows_of, sizes


def pancakes(text: str) -> Draft:
    """Return a stack of N pancakes, sorted by reversing the first 2, 3, … N."""
    (count,) = sizes(text, "pancake:N", (2, 60))
    return _stack(f"{count} pancakes", count, "reverse", range(2, count + 1))


def burnt(text: str) -> Draft:
    """Return N burnt pancakes: the first 1, 2, … N are reversed and each is turned over (-k is the back of k)."""
    (count,) = sizes(text, "burnt:N", (1, 60))
    draft = _stack(f"{count} burnt pancakes", count, "flip", range(1, count + 1))
    return replace(draft, swap=tuple((str(k), f"-{k}") for k in range(1, count + 1)))


def _stack(title: str, count: int, kind: Literal["flip", "reverse"], heights: range) -> Draft:
    names = grid_names([[True] * count])
    return Draft(
        rule="apply",
        titles=(("", title),),
        board=rows_of(names, count),
        moves=tuple(ListedMove(str(k), kind, (tuple(names[:k]),)) for k in heights),
        goals=(rows_of([str(k) for k in range(1, count + 1)], count),),
    )


GROWTH = "growth tables of several independent programs"

FAMILIES = (
    Family(
        "pancake",
        "pancake:N",
        "a stack sorted by turning over its top",
        pancakes,
        {
            "5": known("all 5! orders", states=120, depth=5, hardest=20),
            "8": known(GROWTH, states=40320, depth=9, hardest=455),
            "9": known(GROWTH, states=362880, depth=10, hardest=5804),
            "10": known(f"{GROWTH}; OEIS A092113", states=3628800, depth=11, hardest=73232),
        },
        {"": ("Pancakes", "pancake sorting"), "ja": ("パンケーキ", "パンケーキ・ソート")},
        (Slider(3, 12, 6),),
    ),
    Family(
        "burnt",
        "burnt:N",
        "pancakes with a burnt side that must lie down",
        burnt,
        {
            "5": known(GROWTH, states=3840, depth=10, hardest=4),
            "6": known(GROWTH, states=46080, depth=12, hardest=1),
            "7": known(GROWTH, states=645120, depth=14, hardest=1),
        },
        {"": ("Burnt pancakes",), "ja": ("焦げたパンケーキ",)},
        (Slider(2, 10, 4),),
    ),
)
