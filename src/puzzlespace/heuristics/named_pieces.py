"""Groups of pieces that are asked for: sizes, as in pattern:6-6, or pieces, as in 'pattern:1 2 3/4 5 6'."""

from __future__ import annotations

from collections.abc import Sequence

from ..errors import InputError, UnsupportedError
from . import piece_tables
from .pieces import Pieces
from .spelling import Division, Group


def groups(pieces: Pieces, asked: Sequence[Division], most: int, one_goal: bool) -> tuple[tuple[int, ...], ...]:
    """Return the groups that some divisions ask for; those of a division without groups are chosen for `most` bytes.

    Pieces in no group have no table. Raises InputError for more pieces than there are, UnsupportedError for a group
    whose pieces go to different cells, and for symbols that are no piece of their own.
    """
    found = [
        group
        for division in asked
        for group in (_divided(pieces, division) if division else piece_tables.choose(pieces, most, one_goal))
    ]
    return tuple(dict.fromkeys(found))


def _divided(pieces: Pieces, division: Division) -> list[tuple[int, ...]]:
    """Return the groups of one division."""
    found: list[tuple[int, ...]] = []
    left = list(range(len(pieces.cells)))
    for group in division:
        chosen = _of_size(pieces, left, group) if isinstance(group, int) else _of_symbols(pieces, group)
        left = [piece for piece in left if piece not in chosen]
        found.append(chosen)
    return found


def _of_size(pieces: Pieces, left: Sequence[int], size: int) -> tuple[int, ...]:
    """Return so many of the pieces left, the first ones of the first orbit that has them."""
    for first in left:
        same = [piece for piece in left if pieces.cells[piece] == pieces.cells[first]]
        if len(same) >= size:
            return tuple(same[:size])
    most = max((sum(pieces.cells[other] == pieces.cells[piece] for other in left) for piece in left), default=0)
    raise InputError(f"heuristic pattern: expected a group of at most {most} pieces that are left, found {size}")


def _of_symbols(pieces: Pieces, group: Group) -> tuple[int, ...]:
    """Return the pieces that show some symbols."""
    assert not isinstance(group, int)
    showing: dict[int, set[int]] = {}
    for (_, symbol), (piece, _) in pieces.states.items():
        for shown in [symbol] if pieces.blocks is None else pieces.blocks.tuples[symbol]:
            showing.setdefault(shown, set()).add(piece)
    if any(len(showing.get(symbol, ())) > 1 for symbol in group):
        raise UnsupportedError("heuristic pattern: several pieces show the same here, so groups are sizes: pattern:6-6")
    if any(symbol not in showing for symbol in group):
        raise InputError("heuristic pattern: expected pieces that move, found one that stays")
    chosen = tuple(dict.fromkeys(min(showing[symbol]) for symbol in group))
    if len({pieces.cells[piece] for piece in chosen}) > 1:
        raise UnsupportedError("heuristic pattern: expected a group of pieces that go to the same cells, found others")
    return tuple(sorted(chosen))
