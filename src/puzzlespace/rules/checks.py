"""What a draft may not have for its rule kind, and the places of errors about drafts."""

from __future__ import annotations

import re
from collections.abc import Collection

from ..errors import FormatError, InputError
from ..puzzle.draft import OWN_KEYS, Draft

ANY_PIECE = re.compile(r"any\s+\S")
"""A goal of a file that leaves pieces open: any place of a piece."""


def check_closed(draft: Draft, sentences: bool = False) -> None:
    """Raise FormatError if the draft leaves pieces open: it has many puzzles, not one.

    sentences  whether the rule kind has goals in words
    """
    if draft.pieces:
        raise FormatError.at(
            draft.pieces[0].shapes[0],
            "expected one puzzle, found a file that leaves its pieces open",
            "`puzzlespace design FILE` searches such a file for its hardest puzzles",
        )
    for key, value in (("blanks", draft.blanks), ("walls", draft.walls)):
        if value is not None:
            raise FormatError(f"{key}: has a meaning only beside pieces:, for `puzzlespace design`")
    for goal in draft.goals:
        if isinstance(goal, str) and goal != "start" and not (sentences and not ANY_PIECE.fullmatch(goal)):
            raise FormatError.at(
                goal, f"goal: {str(goal)!r} has a meaning only beside pieces:, for `puzzlespace design`"
            )


def check_keys(draft: Draft, keys: Collection[str]) -> None:
    """Raise FormatError if the draft has a key of other rule kinds that is not in `keys`, those of its own kind."""
    for key in OWN_KEYS:
        name = SPELT.get(key, key)
        if getattr(draft, key) and key not in keys and name not in keys:
            raise FormatError.at(draft.place(key), f"{name}: has no meaning for rule {draft.rule}")
    for key in draft.changes:
        if key not in keys:
            raise FormatError.at(draft.place(key), f"{key}: has no meaning for rule {draft.rule}")


def placed(error: InputError, draft: Draft) -> InputError:
    """Return an error about a draft with a place: its own, that of the key that its text begins with, or the rule's."""
    if getattr(error, "line", 0) or not draft.places:
        return error
    problem, hint = (error.problem, error.hint) if isinstance(error, FormatError) else (str(error), "")
    key = problem.partition(":")[0].replace("-", "_")
    return FormatError.at(draft.place(key), problem, hint)


SPELT = {"one_way": "one-way", "single": "blocks"}
"""How a file spells the keys of some fields of a draft."""
