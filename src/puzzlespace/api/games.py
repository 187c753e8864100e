"""Levels of PuzzleScript games: named as FILE#3, loaded, certified."""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import FormatError, InputError, PuzzlespaceError, SelfCheckError
from ..formats import read_text
from ..formats.base import LEVELS_LIMIT
from ..limits.watch import Watch, phase
from ..puzzle.diagnostics import tell
from .loader import file_of

if TYPE_CHECKING:
    from ..games.game import Game
    from ..games.level import GameLevel
    from ..games.survey import Survey

SUFFIXES = (".ps", ".puzzlescript")
ENDINGS = (*SUFFIXES, ".txt")
"""The endings of files that may be games; a .txt file is one if it looks like one."""


def text_of(file: str) -> str | None:
    """Return the text of a file that is a game, or None for another one."""
    if not file.lower().endswith(ENDINGS) or not os.path.isfile(file):
        return None
    if file.lower().endswith(SUFFIXES):
        return read_text(file, LEVELS_LIMIT)[0]
    try:
        text = read_text(file, LEVELS_LIMIT)[0]
    except InputError:
        return None  # whoever reads it says what is wrong
    from ..games.lines import fits

    return text if fits(text) else None


@lru_cache(maxsize=2)
def _read(text: str, file: str) -> Game:
    from ..games.reading import read_game  # most puzzles are no games

    with phase("the game was read"):
        return read_game(text, file)


def game_of(file: str) -> Game | None:
    """Return the game of a file, or None if it is none. Raises FormatError for a mistake in it."""
    text = text_of(file)
    return None if text is None else _read(text, file)


def level_of(word: object) -> GameLevel | None:
    """Return the level that a word such as 'game.txt#3' names, or None if it names no game.

    Raises InputError if the game has several levels and none is named, or not this one.
    """
    if not isinstance(word, str | Path):
        return None
    file, number = file_of(str(word))
    game = game_of(file)
    if game is None:
        return None
    from ..games.level import GameLevel

    levels = len(game.boards)
    if number is None and levels != 1:
        raise InputError(f"{file}: expected one level, such as {file}#1; the game has {levels}")
    tell(game.diagnostics)
    with phase("the level was begun"):
        return GameLevel.of(game, number or 1, f"{file}#{number or 1}")


@lru_cache(maxsize=8)
def level_in(text: str, number: int) -> GameLevel:
    """Return a level of the game in a text; the last one for a number too large.

    Raises FormatError with the place of a mistake, and if the game has no level.
    """
    from ..games.level import GameLevel

    game = _read(text, "game.txt")
    if not game.boards:
        raise FormatError("expected a level after LEVELS, found none", line=text.count("\n") + 1)
    number = min(number, len(game.boards))
    return GameLevel.of(game, number, f"{game.title or 'game'}#{number}")


def is_game(file: str) -> bool:
    """Return whether a file looks like a game, also one with a mistake."""
    return text_of(file) is not None


def count_levels(file: str) -> int:
    """Return how many levels the game of a file has; 0 for another file, or a game with a mistake."""
    try:
        game = game_of(file)
    except PuzzlespaceError:
        return 0
    return 0 if game is None else len(game.boards)


def why_unsolvable(level: GameLevel, watch: Watch) -> str:
    """Return why a level cannot be solved, in the words of its win conditions; all positions are found again."""
    from ..games.survey import survey

    return reason_of(level, survey(level, watch))


def reason_of(level: GameLevel, found: Survey) -> str:
    """Return why no position of a level is won. Raises SelfCheckError if one is."""
    if found.stopped is not None:
        return "no position that can be reached is won"
    if found.wins:
        raise SelfCheckError(f"{level.name}: no solution was found, but {found.wins:,} positions are won")
    positions = sum(found.counts)
    if found.failing:
        which = " and ".join(f"'{words}'" for words in found.failing)
        return f"none of the {positions:,} positions that can be reached meets {which}"
    if level.game.conditions:
        return f"each win condition holds in some of the {positions:,} positions that can be reached, but never all"
    return f"no move from the {positions:,} positions that can be reached gives the command 'win'"
