"""Goals and forbidden positions as sentences."""

from __future__ import annotations

from collections.abc import Sequence

from ...errors import FormatError, Word
from ...model.goal import Goal
from ...model.rule import ANY
from ...model.sentence import Law
from ...puzzle.draft import WILD, CountGoal, Draft, Drawing
from ...puzzle.puzzle import open_goal
from ...puzzle.words import part, stripped
from .. import common
from ..common import Texts, Walled
from .conditions import read
from .scope import Scope


def goals_of(draft: Draft, texts: Texts, scope: Scope, view: Walled) -> tuple[Goal, ...]:
    """Return the goals: drawings, which leave cells beside the board open, 'start', and sentences.

    Raises FormatError.
    """
    drawn = iter(texts.goals)
    beside = (WILD,) * (scope.cells - texts.cells)
    found: list[Goal] = []
    for goal in draft.goals:
        if isinstance(goal, Drawing):
            words = next(drawn)
            common.check_symbols((word for word in words if word != WILD), scope.letters)
            found.append(open_goal((*words, *beside), view))
        elif isinstance(goal, CountGoal):
            raise FormatError.at(goal.symbol or "", "goal: expected a drawing or a sentence, found a count")
        elif goal == "start":
            if scope.start is None:
                raise FormatError.at(goal, "goal: expected a start to come back to, found none")
            found.append(Goal.exactly(scope.start))
        else:
            found.append(_sentence(goal, scope))
    return tuple(dict.fromkeys(found))


def _sentence(goal: str, scope: Scope) -> Goal:
    return Goal((ANY,) * scope.cells, (), read(goal if isinstance(goal, Word) else Word(goal), scope))


def laws_of(rows: Sequence[str], scope: Scope) -> tuple[Law, ...]:
    """Return the forbidden positions of the rows of `forbid:`; a name before a colon says why. Raises FormatError."""
    found: list[Law] = []
    for row in rows:
        text = row if isinstance(row, Word) else Word(row)
        colon = text.find(":")
        name = str(text[:colon]).strip() if colon > 0 else str(text)
        sentence = stripped(part(text, colon + 1))
        if not sentence:
            raise FormatError.at(text, f"forbid: expected a sentence after {name!r}, found none")
        found.append(Law(name, read(sentence, scope)))
    return tuple(found)
