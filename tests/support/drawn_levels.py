"""Random levels of games, small enough to be searched in plain Python."""

from dataclasses import replace

from puzzlespace.errors import EndlessError, FormatError, LimitError, UnsupportedError
from puzzlespace.games.level import GameLevel
from puzzlespace.games.reading import read_game
from puzzlespace.games.survey import survey
from puzzlespace.limits.watch import Limits, Watch, watched
from random_games import random_game

MANY = 1 << 40
"""So many positions that all moves are made in plain Python."""


def surveyed(level, few):
    """What a survey finds, without the time."""
    found = survey(level, Watch(Limits(seconds=20)), few)
    assert found.stopped is None
    return replace(found, traps=found.traps[:], deepest=found.deepest[:], seconds=0)


def drawn_level(draw):
    """A level of a random game with a few hundred positions at most; None if there are more."""
    try:
        with watched(Limits(seconds=5)):
            found = read_game(random_game(draw))
            level = GameLevel.of(found, 1, "drawn")
            within = Watch(Limits(positions=1500))
            return level if survey(level, within, MANY).stopped is None else None
    except (EndlessError, FormatError, LimitError, UnsupportedError):
        return None
