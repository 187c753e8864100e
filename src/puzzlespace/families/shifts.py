"""`topspin:N,K` and `lrx:N`: numbered pieces in a ring that is shifted, and a few of them reversed in place."""

from __future__ import annotations

from ..errors import InputError
from ..puzzle.board import grid_names
from ..puzzle.draft import Draft, ListedMove
from ..puzzle.family import Family, Slider
from ..rules.common import known, rows_of, sizes


def topspin(text: str) -> Draft:
    """Return a ring of N pieces, the first K of which can be reversed; a shift by one counts 1."""
    count, width = sizes(text, "topspin:N,K", (3, 60), (2, 60))
    if width > count:
        raise InputError(f"puzzle: expected topspin:N,K with K up to N, found {f'topspin:{text}'!r}")
    names = grid_names([[True] * count])
    turn = ListedMove("turn", "reverse", (tuple(names[:width]),))
    return _ring(f"Ring of {count}, {width} reversed", names, turn)


def lrx(text: str) -> Draft:
    """Return a ring of N pieces that is shifted left (L) or right (R), or whose first two are exchanged (X)."""
    (count,) = sizes(text, "lrx:N", (3, 60))
    names = grid_names([[True] * count])
    return _ring(f"LRX of {count}", names, ListedMove("X", "cycles", ((names[0], names[1]),)))


def _ring(title: str, names: list[str], turn: ListedMove) -> Draft:
    """Return the puzzle of a ring that shifts in both directions, with one more move; L shifts the contents left."""
    return Draft(
        rule="apply",
        titles=(("", title),),
        count="step",
        board=rows_of(names, len(names)),
        moves=(
            ListedMove("L", "cycles", (tuple(reversed(names)),)),
            ListedMove("R", "cycles", (tuple(names),)),
            turn,
        ),
        goals=(rows_of([str(k + 1) for k in range(len(names))], len(names)),),
    )


GROWTH = "published growth table"

FAMILIES = (
    Family(
        "topspin",
        "topspin:N,K",
        "a ring that shifts, with a turntable for K pieces",
        topspin,
        {"8,4": known(GROWTH, states=40320, depth=22, hardest=16)},
        {"": ("Ring with a turntable", "top spin"), "ja": ("回転盤つきの輪", "トップスピン")},
        (Slider(6, 12, 8), Slider(3, 6, 4)),
    ),
    Family(
        "lrx",
        "lrx:N",
        "shift left, shift right, exchange the first two",
        lrx,
        {
            "7": known(GROWTH, states=5040, depth=21, hardest=1),
            "11": known(GROWTH, states=39916800, depth=55, hardest=1),
        },
        {"": ("Ring with an exchange", "LRX"), "ja": ("入れ替えつきの輪", "LRX")},
        (Slider(4, 12, 6),),
    ),
)
