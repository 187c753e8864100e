"""Positions and goals of puzzles with a player who walks: a position has a player, a goal shows only boxes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..errors import FormatError
from ..model.goal import Goal
from ..model.rule import only
from .draft import BLANK, PLAYER, WILD


def check_player(words: Sequence[str], where: str = "") -> None:
    """Raise FormatError unless the words of a position have a player; `where` begins the message."""
    if PLAYER not in words:
        raise FormatError.at(words[0], f"{where}expected a player '{PLAYER}', found none")


def check_boxes(words: Sequence[str], where: str = "") -> None:
    """Raise FormatError at a player in the words of a goal; `where` begins the message."""
    for word in words:
        if word == PLAYER:
            raise FormatError.at(word, f"{where}expected boxes, '{BLANK}' or '{WILD}', found the player")


def unmanned(goal: Goal, blank: int, player: int) -> Goal:
    """Return a goal of boxes: a player may be in any cell that must be without a box."""
    return replace(goal, need=tuple(need | only(player) if need == only(blank) else need for need in goal.need))
