"""What a piece may do within one move: nothing more, go on in its direction, or go on anywhere. Plain Python."""

from __future__ import annotations

from typing import NamedTuple

from ..errors import UnsupportedError
from .blocks_places import Sliding, Way
from .blocks_plan import Codes


class Freedom(NamedTuple):
    """What a piece may do within one move.

    on     the way that may follow each way, where at most one may
    flood  whether instead every way may follow
    whole  whether, where a piece has moved, moving it again leads nowhere but where the first move could lead too
    """

    on: dict[Way, Way]
    flood: bool
    whole: bool


def freedom(codes: Codes) -> Freedom:
    """Return what a piece may do within one move; raise UnsupportedError where some ways on are free and some not."""
    found, ways = codes.sliding, [way for each in codes.ways for way in each]
    after, known = found.model.followers, set(ways)
    blanks = codes.example.count(found.blank)
    on: dict[Way, Way] = {}
    single = flood = True
    for way in ways:
        _check_piece(found, way)
        thens = [then for then in found.ways[way.target] if then in known]
        free = [then for then in thens if then.rule in after[way.rule]]
        single = single and len(free) <= 1
        on.update((way, then) for then in free)
        shut = (then for then in thens if then.target != way.origin and then.rule not in after[way.rule])
        flood = flood and all(_room(found, way, then) > blanks for then in shut)
    if not single and not flood:
        raise UnsupportedError("a piece may go on in some directions but not in others")
    return Freedom(on if single else {}, not single, flood)


def _check_piece(found: Sliding, way: Way) -> None:
    """Raise UnsupportedError where another piece may follow within the move."""
    rules = found.model.rules
    mine = rules[way.rule].motion
    for follower in found.model.followers[way.rule]:
        motion = rules[follower].motion
        assert mine is not None
        assert motion is not None
        if (motion.shape, motion.origin) != (mine.shape, mine.target):
            raise UnsupportedError("a move may go on with another piece")


def _room(found: Sliding, way: Way, then: Way) -> int:
    """Return how many blanks it takes to go both ways."""
    covers = found.covers
    return len({*covers[way.target], *covers[then.target]} - {*covers[way.origin]})
