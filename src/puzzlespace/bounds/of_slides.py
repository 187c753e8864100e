"""What the lower bounds of slide puzzles share: reading the rules, and the goals that they lead to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..contract.bound import Bound, Evaluate, Goals
from ..contract.questions import beyond_rules, special
from ..contract.space import Space
from ..errors import UnsupportedError
from ..heuristics.spelling import GROUPED, Division, division
from ..limits.watch import Watch
from ..model.goal import Goal
from ..model.model import Model

if TYPE_CHECKING:
    from ..heuristics.named import Heuristic
    from ..structure.slides import Slides


@dataclass(frozen=True)
class SlideAim:
    """What a bound of slides is made for: the pieces, the goals, the start, and the groups of pieces asked for."""

    slides: Slides
    goals: tuple[Goal, ...]
    start: bytes
    groups: Division = ()


Maker = Callable[[SlideAim], "Heuristic"]
"""Makes a bound; raises UnsupportedError with the reason if the puzzle does not have it. Tables are computed later."""


@dataclass(frozen=True)
class SlideBound(Bound):
    """A bound of slides; `maker` makes it also for engines with compiled loops, which read its tables."""

    maker: Maker | None = None


def slide_bound(name: str, maker: Maker, groups: Division = ()) -> SlideBound:
    """Return the bound with this name. If it is the one with groups of pieces, they can be given after a colon."""

    def fits(space: Space, goals: Goals) -> str | None:
        aim = _aim(space, goals, groups)
        if isinstance(aim, str):
            return aim
        try:
            maker(aim)
        except UnsupportedError as error:
            return str(error)
        return None

    def make(space: Space, goals: Goals, watch: Watch) -> Evaluate:
        aim = _aim(space, goals, groups)
        assert not isinstance(aim, str)
        return maker(aim).bound

    def grouped(text: str) -> Bound:
        return slide_bound(name, maker, division(text))

    return SlideBound(name, fits, make, grouped=grouped if name == GROUPED else None, maker=maker)


def _aim(space: Space, goals: Goals, groups: Division) -> SlideAim | str:
    """Return what a bound is made for, or why the puzzle has no bounds of slides."""
    if not isinstance(space, Model):
        return "it is for rules, and the moves of this puzzle are Python functions"
    unlike = special(space) or beyond_rules(space)
    if unlike is not None or not space.reversible:
        return unlike or "some of its moves cannot be undone"
    from ..structure import slides  # most questions need no bound

    read = slides.read(space)
    if isinstance(read, str):
        return read
    aims: Sequence[Goal] = list(map(Goal.exactly, goals)) if goals else space.goals
    return SlideAim(read, tuple(aims), space.start or b"", groups)
