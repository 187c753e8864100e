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
class Engine:
    """One way of searching. `refuses(space, question)` says why it cannot answer, or None.

    goal_depths  answers Depths from the goals in the component: from the positions of `collect` that the sources reach,
                 no layers where they reach none; only for moves that can be taken back
    """

    name: str
    refuses: Callable[[Space, str], str | None]
    depths: Callable[[Depths, Watch], Layers] | None = None
    search: Callable[[Search, Watch], Geodesics] | None = None
    goal_depths: Callable[[Depths, Watch], Layers] | None = None


def model_of(space: Space) -> Model | None:
    """Return the space if it is a Model, else None (a puzzle written in Python)."""
    return space if isinstance(space, Model) else None
