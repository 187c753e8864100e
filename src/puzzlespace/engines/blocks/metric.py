"""How far a piece may go within one move: one step, on in the same direction, or anywhere. Plain Python."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from ...errors import UnsupportedError
from ...structure.blocks import PieceMove, Sliding
from .codes import Codes


class Freedom(NamedTuple):
    """How far a piece may go within one move.

    on     the way that may follow each way, if at most one may
    flood  whether every way may follow instead
    whole  whether a second move of the same piece leads only to places that its first move can reach
    """

    on: dict[PieceMove, PieceMove]
    flood: bool
    whole: bool


def freedom(codes: Codes) -> Freedom:
    """Return how far a piece may go within one move; raise UnsupportedError if some, but not all, ways may follow."""
    found, onward = codes.sliding, dict(zip(codes.places, codes.ways, strict=True))
    after = found.model.followers
    blanks = codes.example.count(found.blank)
    on: dict[PieceMove, PieceMove] = {}
    single = flood = True
    _check_pieces(found, {way.rule for ways in codes.ways for way in ways})
    for way in (way for ways in codes.ways for way in ways):
        free = after[way.rule]
        thens = onward[way.target]
        follow = [then for then in thens if then.rule in free]
        single = single and len(follow) <= 1
        if single and follow:
            on[way] = follow[0]
        flood = flood and all(
            then.rule in free or then.target == way.origin or _room(found, way, then) > blanks for then in thens
        )
    if not single and not flood:
        raise UnsupportedError("a move may continue in some directions but not in others")
    return Freedom(on if single else {}, not single, flood)


def _check_pieces(found: Sliding, rules: Iterable[int]) -> None:
    """Raise UnsupportedError if another piece may follow within a move that begins with one of the rules."""
    motions = [rule.motion for rule in found.model.rules]
    begins = [motion and (motion.shape, motion.origin) for motion in motions]
    for rule in rules:
        motion = motions[rule]
        if motion is None or any(begins[then] != (motion.shape, motion.target) for then in found.model.followers[rule]):
            raise UnsupportedError("a move may continue with another piece")


def _room(found: Sliding, way: PieceMove, then: PieceMove) -> int:
    """Return how many blanks it takes to go both ways in sequence."""
    covers = found.covers
    return len({*covers[way.target], *covers[then.target]} - {*covers[way.origin]})
