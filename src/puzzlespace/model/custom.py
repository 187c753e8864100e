"""A puzzle written in Python: moves as a function, positions as any hashable values."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, field
from heapq import nsmallest
from typing import Any

from ..errors import InputError


@dataclass(frozen=True)
class Custom:
    """A puzzle given by a function.

    moves  returns the positions one move after a position
    start  the start position
    goal   a position, or a function that returns whether a position is a goal
    back   returns the positions one move *before* a position, so that engines can also search from the goal. If every
           move can be undone by a move, this is the same function as `moves`. Without it, engines search from the start
    bound  returns a number of moves that are certainly left, a whole number of 0 or more, or NO_WAY if no goal can be
           reached; it must be right for every position that can be reached. The engines astar and idastar use it
           (docs/adding-a-bound.md). `consistent` says that no move lowers it by more than 1

    Raises InputError if `moves` or `back` is no function, or a position cannot be hashed.

    >>> from puzzlespace import Custom, solve
    >>> solve(Custom(moves=lambda n: [2 * n, n - 1], start=3, goal=8)).path
    (3, 2, 4, 8)
    """

    moves: Callable[[Any], Iterable[Any]]
    start: Hashable
    goal: Hashable | Callable[[Any], bool]
    back: Callable[[Any], Iterable[Any]] | None = None
    name: str = field(default="custom")
    bound: Callable[[Any], float] | None = None
    consistent: bool = False

    def __post_init__(self) -> None:
        if not callable(self.moves):
            raise InputError(f"custom puzzle: expected moves to be a function, found {self.moves!r}")
        if self.back is not None and not callable(self.back):
            raise InputError(f"custom puzzle: expected back to be a function, found {self.back!r}")
        if self.bound is not None and not callable(self.bound) and not hasattr(self.bound, "make"):
            raise InputError(f"custom puzzle: expected bound to be a function, found {self.bound!r}")
        _hashable("start", self.start)
        if not callable(self.goal):
            _hashable("goal", self.goal)

    def check(self) -> None:
        """Raise InputError unless `moves` and `back` return positions for the start."""
        for name, function in (("moves", self.moves), ("back", self.back)):
            if function is None:
                continue
            found: Any = function(self.start)
            try:
                positions = iter(found)
            except TypeError:
                raise InputError(f"custom puzzle: expected {name} to return positions, found {found!r}") from None
            for position in positions:
                _hashable(f"a position that {name} returns", position)

    def is_goal(self, position: Any) -> bool:
        """Return whether the position is a goal."""
        return bool(self.goal(position)) if callable(self.goal) else position == self.goal

    @property
    def goals(self) -> tuple[Any, ...] | None:
        """The goal positions, or None if the goal is a function."""
        return None if callable(self.goal) else (self.goal,)

    @property
    def backward(self) -> Custom | None:
        """The puzzle with its moves taken back, or None if `back` was not given."""
        if self.back is None:
            return None
        return Custom(self.back, self.start, self.goal, self.moves, self.name)


def _hashable(what: str, position: Any) -> None:
    try:
        hash(position)
    except TypeError:
        raise InputError(
            f"custom puzzle: expected {what} to be hashable, such as a tuple, found {position!r}"
        ) from None


def least(positions: Iterable[Any], count: int) -> list[Any]:
    """Return the least positions in order; the first ones in the given order if they cannot be compared."""
    found = list(positions)
    try:
        return nsmallest(count, found)
    except TypeError:
        return found[:count]
