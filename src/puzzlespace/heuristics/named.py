"""Lower bounds of one puzzle by name; of names joined by '+' the greatest bound counts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from ..errors import UnsupportedError
from ..model.goal import Goal
from ..structure.slides import Slides
from . import inversion, rectangle, walking
from .assignment import Assignment
from .distance import DistanceBound
from .groups import Groups
from .spelling import Division, divisions, names


class Heuristic(Protocol):
    """A lower bound on the moves from a position to the goal."""

    def bound(self, position: bytes, /) -> int:
        """Return a lower bound on the moves from the position to a goal."""
        ...


@dataclass(frozen=True)
class Greatest:
    """The greatest of several bounds."""

    parts: tuple[Heuristic, ...]

    def bound(self, position: bytes) -> int:
        """Return a lower bound on the moves from the position to a goal."""
        return max(part.bound(position) for part in self.parts)


def make(text: str, slides: Slides, goals: Sequence[Goal], start: bytes) -> Heuristic:
    """Return the bound with this name (see `spelling`) for a puzzle.

    Raises InputError for an invalid name, UnsupportedError with the reason if the puzzle does not have the bound.
    """
    patterns = iter(divisions(text))
    parts = tuple(
        _pattern(slides, tuple(goals), start, next(patterns))
        if name == "pattern"
        else _MAKERS[name](slides, tuple(goals), start)
        for name in names(text)
    )
    return parts[0] if len(parts) == 1 else Greatest(parts)


def single(goals: Sequence[Goal], name: str) -> bytes:
    """Return the goal position; raise UnsupportedError unless there is exactly one."""
    position = goals[0].position if len(goals) == 1 else None
    if position is None:
        raise UnsupportedError(f"heuristic {name}: it needs one goal position")
    return position


def _assignment(slides: Slides, goals: tuple[Goal, ...], start: bytes) -> Heuristic:
    return Assignment(slides, single(goals, "assignment"))


def _inversion(slides: Slides, goals: tuple[Goal, ...], start: bytes) -> Heuristic:
    goal, shape = single(goals, "inversion"), rectangle.read(slides)
    reason = inversion.refusal(shape, start, goal, slides.blank) or _joint(slides)
    if reason or shape is None:
        raise UnsupportedError(f"heuristic inversion: {reason}")
    return inversion.Inversion(slides, shape, goal)


def _walking(slides: Slides, goals: tuple[Goal, ...], start: bytes) -> Heuristic:
    goal, shape = single(goals, "walking"), rectangle.read(slides)
    reason = walking.refusal(shape, start, goal, slides.blank)
    if reason or shape is None:
        raise UnsupportedError(f"heuristic walking: {reason}")
    return walking.Walking(slides, shape, goal)


def _joint(slides: Slides) -> str | None:
    return None if slides.joint == 1 else "it counts slides one by one, and here one move carries several pieces"


def _pattern(slides: Slides, goals: tuple[Goal, ...], start: bytes, groups: Division) -> Heuristic:
    if slides.joint != 1:
        if groups:
            raise UnsupportedError("heuristic pattern: groups cannot be added if one move carries several pieces")
        if start.count(slides.blank) != 1 or slides.body >= 0:
            reason = "if one move carries several pieces, it is for boards with one blank and no blocks"
            raise UnsupportedError(f"heuristic pattern: {reason}")
        from . import colours, tracks

        colours.lines_of(slides)
        goal = single(goals, "pattern")
        return tracks.read(slides, goal) or colours.Colours(slides, goal)
    return Groups.chosen(slides, goals, start, groups)


_MAKERS: dict[str, Callable[[Slides, tuple[Goal, ...], bytes], Heuristic]] = {
    "distance": lambda slides, goals, start: DistanceBound(slides, goals),
    "assignment": _assignment,
    "inversion": _inversion,
    "walking": _walking,
}
