"""Lower bounds by name, and the one that a search uses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice

from ..contract.bound import Bound, Evaluate
from ..contract.questions import Search
from ..contract.space import Space
from ..errors import InputError, UnsupportedError
from ..heuristics import spelling
from ..heuristics.named import Greatest, Heuristic
from ..limits.watch import Watch
from ..model.custom import Custom
from ..model.goal import Goal
from ..model.model import Model
from ..plugins import plugin, plugin_names
from ..structure.slides import Slides
from . import BOUNDS
from .of_slides import SlideAim, SlideBound

OURS = {bound.name: bound for bound in BOUNDS}

SLIDE_NAMES = tuple(bound.name for bound in BOUNDS if isinstance(bound, SlideBound))
"""The names of the bounds of slides."""

GROUP = "bounds"
"""The group of entry points of bounds."""


def names(text: str) -> tuple[str, ...]:
    """Return the names in 'walking+inversion', without what follows a colon.

    Raises InputError for a name that no bound has, and what `spelling.names` raises.
    """
    found = spelling.names(text)
    for name in found:
        _named(name)
    return found


def slide_names(text: str) -> bool:
    """Return whether all names in a text are bounds of slides, which engines with compiled loops can use."""
    return all(name in SLIDE_NAMES for name in spelling.names(text))


def slide_heuristic(text: str, slides: Slides, goals: Sequence[Goal], start: bytes) -> Heuristic:
    """Return the bound of slides with this name, whose parts an engine with compiled loops can read.

    Raises InputError for an invalid name, UnsupportedError with the reason if the puzzle does not have the bound.
    """
    patterns = iter(spelling.divisions(text))
    parts: list[Heuristic] = []
    for name in names(text):
        bound = _named(name)
        if not isinstance(bound, SlideBound) or bound.maker is None:
            raise UnsupportedError(f"bound {name}: it is not for puzzles of slides")
        groups = next(patterns) if name == spelling.GROUPED else ()
        parts.append(bound.maker(SlideAim(slides, tuple(goals), start, groups)))
    return parts[0] if len(parts) == 1 else Greatest(tuple(parts))


@dataclass(frozen=True)
class ChosenBound:
    """The bound of one search.

    ours  whether it is one of `BOUNDS`, which are proved; else answers rest on it
    """

    name: str
    evaluate: Evaluate
    consistent: bool
    ours: bool


def chosen(question: Search, watch: Watch) -> ChosenBound:
    """Return the bound that a search asks for, else the first automatic one of `BOUNDS` that fits, else none: it is 0.

    Raises InputError for an invalid name, UnsupportedError with the reason if the bound is not for this puzzle.
    """
    space = _beginning_at(question.space, question.start)
    if question.bound is not None:
        parts, name = [question.bound], question.bound.name
    elif question.heuristic:
        text = spelling.numbered(question.heuristic, question.letters)
        parts, name = [_read(*part) for part in spelling.parts(text)], question.heuristic
    else:
        fitting = (bound for bound in BOUNDS if bound.automatic and bound.fits(space, question.goals) is None)
        parts = list(islice(fitting, 1))
        name = parts[0].name if parts else ""
    for bound in parts:
        reason = bound.fits(space, question.goals)
        if reason is not None:
            raise UnsupportedError(reason if bound.name in reason else f"bound {bound.name}: {reason}")
    made = [bound.make(space, question.goals, watch) for bound in parts]
    return ChosenBound(name, _greatest(made), all(bound.consistent for bound in parts), all(map(_is_ours, parts)))


def _is_ours(bound: Bound) -> bool:
    known = OURS.get(bound.name)
    return known is bound or (
        isinstance(known, SlideBound) and isinstance(bound, SlideBound) and known.maker is bound.maker
    )


def _greatest(parts: Sequence[Evaluate]) -> Evaluate:
    if not parts:
        return lambda position: 0
    return parts[0] if len(parts) == 1 else lambda position: max([part(position) for part in parts])


def _beginning_at(space: Space, start: object) -> Space:
    """Return the space with the start of the question, which may be another than that of the puzzle."""
    if isinstance(space, Model | Custom) and space.start != start:
        return replace(space, start=start)  # type: ignore[arg-type]
    return space


def _read(name: str, given: str | None) -> Bound:
    """Return the bound with a name and, if not None, the text after a colon."""
    bound = _named(name)
    if given is None:
        return bound
    if bound.grouped is None:
        raise InputError(f"bound: expected nothing after a colon in {name!r}, found {given!r}")
    return bound.grouped(given)


def _named(name: str) -> Bound:
    """Return one of `BOUNDS`, or that of an installed package; raise InputError with the known names."""
    found = OURS.get(name) or plugin(GROUP, name, Bound)
    if found is None:
        known = ", ".join([*OURS, *plugin_names(GROUP)])
        raise InputError(f"bound: expected some of {known} joined by '+', found {name!r}")
    return found
