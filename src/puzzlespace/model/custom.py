"""A puzzle written in Python: moves as a function, positions as any hashable values."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, field
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

    Raises InputError if `moves` is not a function.

    >>> from puzzlespace import Custom, solve
    >>> solve(Custom(moves=lambda n: [2 * n, n - 1], start=3, goal=8)).path
    (3, 2, 4, 8)
    """

    moves: Callable[[Any], Iterable[Any]]
    start: Hashable
    goal: Hashable | Callable[[Any], bool]
    back: Callable[[Any], Iterable[Any]] | None = None
    name: str = field(default="custom")

    def __post_init__(self) -> None:
        if not callable(self.moves):
            raise InputError(f"custom puzzle: expected moves to be a function, found {self.moves!r}")

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
