"""Questions, and what answers them: an engine."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from ..limits.watch import Watch
from ..model.model import Goal, Model
from .answers import Geodesics, Layers, Position


class Space(Protocol):
    """What an engine searches: a Model, or a puzzle written as Python functions."""

    def moves(self, position: Any, /) -> Mapping[Any, Any] | Iterable[Any]:
        """Return the positions one move away."""
        ...

    def is_goal(self, position: Any, /) -> bool:
        """Return whether the position is a goal."""
        ...

    @property
    def backward(self) -> Space | None:
        """The space whose moves undo this one's, or None where it is not known."""
        ...


@dataclass(frozen=True)
class Depths:
    """The question for a depth table: how many positions lie at each distance from the nearest of `sources`.

    keep     how many of the deepest positions to return at most (the least ones in order)
    collect  also return every position found that meets one of these goals
    """

    space: Space
    sources: tuple[Position, ...]
    keep: int = 20
    collect: tuple[Goal, ...] = ()


@dataclass(frozen=True)
class Search:
    """The question for a shortest solution: from `start` to any position that is a goal of the space.

    goals  the goal positions one by one where they are known; engines that search from both ends need them
    every  whether all shortest solutions are wanted; else an engine may return one, a position per layer
    heuristic  the lower bound to use where the engine has several; '' leaves the choice to it
    letters  the names of each symbol, which the heuristic may use
    """

    space: Space
    start: Position
    goals: tuple[Position, ...] | None = None
    every: bool = True
    heuristic: str = ""
    letters: Sequence[Sequence[str]] = ()


@dataclass(frozen=True)
class Prospect:
    """What an engine may ask before it says whether it is worth using.

    watch  its thresholds; where to say what a person should know
    bound  returns an upper bound on the number of positions, 0 if it is unknown; computed at the first call
    """

    watch: Watch
    bound: Callable[[], int]


Worth = int | str
"""How many positions a slower engine may generate before this one takes over, or why this one is not worth using."""


@dataclass(frozen=True)
class Engine:
    """One way of searching. `refuses(space, question)` says why it cannot answer, or None.

    speed        roughly how many times as fast as plain Python it is if it is worth using; the automatic choice asks
                 the fastest engine first
    worth        says whether the automatic choice should use it, and never that it should if it refuses the question;
                 an engine without it is used only by name
    bounds       whether its search uses a lower bound, so that one can be asked for by name
    goal_depths  answers Depths from the goals in the component: from the positions of `collect` that the sources reach,
                 no layers where they reach none; only for moves that can be taken back
    """

    name: str
    refuses: Callable[[Space, str], str | None]
    depths: Callable[[Depths, Watch], Layers] | None = None
    search: Callable[[Search, Watch], Geodesics] | None = None
    goal_depths: Callable[[Depths, Watch], Layers] | None = None
    speed: int = 0
    worth: Callable[[Depths | Search, Prospect], Worth] | None = None
    bounds: bool = False


def model_of(space: Space) -> Model | None:
    """Return the space if it is a Model, else None (a puzzle written in Python)."""
    return space if isinstance(space, Model) else None
