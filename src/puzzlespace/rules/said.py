"""What a draft says in sentences; their language is loaded only for drafts that say something."""

from __future__ import annotations

from collections.abc import Sequence

from ..puzzle.board import Board
from ..puzzle.draft import CountGoal, Draft, Drawing
from .common import Texts
from .sentences import Unworded

KEYS = ("ground", "kinds", "places", "forbid")
"""The keys of rule kinds whose sentences are about the letters that are drawn."""


def said_of(
    draft: Draft, board: Board, texts: Texts, letters: Sequence[str], vacant: str = "", **how: bool
) -> Unworded:
    """Return what a draft says in sentences about letters. Raises FormatError.

    vacant  a letter of cells that count as blank, too: the player of pushed boxes
    how     `stopping` of `change.words.declared`
    """
    if not draft.changes and not draft.ground and all(map(_drawn, draft.goals)):
        return Unworded(draft, letters, (None,) * len(draft.goals))
    from .worded import read_from

    return read_from(draft, board, texts, letters, vacant, **how)


def _drawn(goal: object) -> bool:
    """Return whether a goal is certainly no sentence."""
    if isinstance(goal, CountGoal):
        return goal.symbol is None
    return isinstance(goal, Drawing) or goal == "start"
