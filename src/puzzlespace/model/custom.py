"""A puzzle written in Python: moves as a function, positions as any hashable values."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, field
from heapq import nsmallest
from itertools import islice
from typing import Any

from ..errors import InputError
from ..limits.watch import paced

FIRST = 1000
"""Positions after the start that are checked before a search: there may be endlessly many."""


@dataclass(frozen=True)
class Custom:
    """A puzzle given by a function.

    moves  returns the positions one move after a position
    start  the start position
    goal   a position, or a function that returns whether a position is a goal
    back   returns the positions one move *before* a position, so that engines can also search from the goal. If every
           move can be undone by a move, this is the same function as `moves`. Without it, engines search from the start
    encoding  gets the puzzle (with `moves` and `back` exchanged for the search from the goal) and returns a new
           `Encoding` of its positions; then searches use this instead of `moves`
    bound  returns a number of moves that are certainly left, a whole number of 0 or more, or NO_WAY if no goal can be
           reached; it must be right for every position that can be reached. The engines astar and idastar use it
           (docs/adding-a-bound.md). `consistent` says that no move lowers it by more than 1

    Raises InputError if `moves`, `back` or `encoding` is no function, or a position cannot be hashed. Questions raise
    it if a function returns no positions somewhere, and say after which position; errors of the functions pass
    unchanged.

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
    encoding: Callable[[Any], Any] | None = field(default=None, kw_only=True)

    _called = ("moves", "back")  # what errors call the two functions; exchanged if moves are taken back

    def __post_init__(self) -> None:
        if not callable(self.moves):
            raise InputError(f"custom puzzle: expected moves to be a function, found {self.moves!r}")
        if self.back is not None and not callable(self.back):
            raise InputError(f"custom puzzle: expected back to be a function, found {self.back!r}")
        if self.encoding is not None and not callable(self.encoding):
            raise InputError(f"custom puzzle: expected encoding to be a function, found {self.encoding!r}")
        if self.bound is not None and not callable(self.bound) and not hasattr(self.bound, "make"):
            raise InputError(f"custom puzzle: expected bound to be a function, found {self.bound!r}")
        _hashable("start", self.start)
        if not callable(self.goal):
            _hashable("goal", self.goal)

    def check(self, position: Any, most: int | None = None) -> None:
        """Raise InputError unless `moves` and `back` return positions for a position; look at `most` of each."""
        for name, function in zip(self._called, (self.moves, self.back), strict=True):
            if function is None:
                continue
            found: Any = function(position)
            after = f" (after position {position!r:.100})"
            try:
                positions = iter(found)
            except TypeError:
                raise InputError(
                    f"custom puzzle: expected {name} to return positions, found {found!r:.100}{after}"
                ) from None
            for each in islice(paced(positions), most):
                _hashable(f"a position that {name} returns", each, after)

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
        found = Custom(self.back, self.start, self.goal, self.moves, self.name, encoding=self.encoding)
        object.__setattr__(found, "_called", self._called[::-1])
        return found


def _hashable(what: str, position: Any, after: str = "") -> None:
    try:
        hash(position)
    except TypeError:
        raise InputError(
            f"custom puzzle: expected {what} to be hashable, such as a tuple, found {position!r:.100}{after}"
        ) from None


def least(positions: Iterable[Any], count: int) -> list[Any]:
    """Return the least positions in order; the first ones in the given order if they cannot be compared."""
    found = list(positions)
    try:
        return nsmallest(count, found)
    except TypeError:
        return found[:count]


def explain(space: object, position: Any) -> None:
    """Raise InputError if a custom puzzle's functions return no positions there; after a TypeError in an engine.

    An error of the functions themselves is not explained: it is the user's own.
    """
    if isinstance(space, Custom):
        try:
            space.check(position)
        except InputError:
            raise
        except Exception:
            return
