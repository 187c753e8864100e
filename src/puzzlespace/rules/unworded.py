"""What a file of pieces says in sentences, if it says nothing; `worded` is loaded for files that do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..puzzle.board import Board
from ..puzzle.diagnostics import Diagnostic
from ..puzzle.draft import CountGoal, Draft, Drawing
from ..puzzle.ground import NONE, Floor
from .common import Texts, Walled

if TYPE_CHECKING:
    from ..model.goal import Goal
    from ..model.sentence import Law, Sentence

KEYS = ("ground", "kinds", "places", "forbid")
"""The keys of rule kinds whose sentences are about the letters that are drawn."""


@dataclass(frozen=True)
class Unworded:
    """A draft that says nothing in sentences.

    goals  for each goal of the draft its sentence, or None if it is none
    """

    draft: Draft
    letters: Sequence[str]
    goals: tuple[Sentence | None, ...]
    laws: tuple[Law, ...] = ()

    @property
    def floor(self) -> Floor:
        """The walls between cells."""
        return NONE

    @property
    def told(self) -> Mapping[str, tuple[object, ...]]:
        """What the sentences say of each letter: equal values if they say the same of both."""
        return dict.fromkeys(map(str, self.letters), ())

    @property
    def distinguishes(self) -> bool:
        """Whether pieces are distinguished only by what drawings and sentences say of their letters."""
        goals = self.draft.goals
        return bool(goals) and all(
            isinstance(goal, Drawing) or said is not None for goal, said in zip(goals, self.goals, strict=True)
        )

    def laws_in(self, view: Walled, board: Board) -> tuple[Law, ...]:
        """Return the forbidden positions of a model whose symbols are those of the view."""
        return ()

    def goals_in(self, view: Walled, board: Board) -> tuple[Goal | None, ...]:
        """Return for each goal of the draft that is a sentence the goal of the model, for others None."""
        return (None,) * len(self.goals)

    def doubts(self) -> tuple[Diagnostic, ...]:
        """Return what may be meant in another way."""
        return ()


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
