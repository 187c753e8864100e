"""Lower bounds on the number of moves to the goal."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any

from ..errors import InputError
from ..limits.watch import Watch
from .space import Space

NO_WAY = inf
"""The value of a bound at a position from which no goal can be reached."""

Evaluate = Callable[[Any], float]
"""A function that takes a position and returns a number of moves that are certainly left: a whole number of 0 or more,
or NO_WAY.

It may have an attribute `batch`, a function that takes a list of positions and returns their numbers in the same order.
"""

Goals = Sequence[Any] | None
"""All goal positions, or None if they are not listed one by one."""


@dataclass(frozen=True)
class Bound:
    """A lower bound, and the puzzles that it is for.

    fits        fits(space, goals) returns why the bound is not for this puzzle, or None. It must be cheap: tables are
                computed by `make`
    make        make(space, goals, watch) returns the function that evaluates positions. It is called only if the bound
                fits. It obeys the limits of the watch by `watch.reserve` and `watch.glance`
    consistent  whether a move that counts c never lowers the bound by more than c. A search checks this for every move
                that it follows; a bound that does not claim it may be used as well
    automatic   whether a search for which no bound is chosen may take it
    grouped     returns the bound with the text after a colon in its name, such as '6-6-3' in 'pattern:6-6-3'
    """

    name: str
    fits: Callable[[Space, Goals], str | None]
    make: Callable[[Space, Goals, Watch], Evaluate]
    consistent: bool = False
    automatic: bool = True
    grouped: Callable[[str], Bound] | None = None


def bound_of(given: Bound | Evaluate, consistent: bool = False) -> Bound:
    """Return a bound unchanged; a function becomes a bound for every puzzle, with the name of the function.

    Raises InputError if it is neither.
    """
    if isinstance(given, Bound):
        return given
    if not callable(given):
        raise InputError(f"bound: expected a name, a function or a Bound, found {given!r:.100}")
    name = getattr(given, "__name__", type(given).__name__)
    name = "bound" if name == "<lambda>" else name
    return Bound(name, lambda space, goals: None, lambda space, goals, watch: given, consistent)
