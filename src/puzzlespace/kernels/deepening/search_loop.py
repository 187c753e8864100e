"""The loop of depth-first searches below a bound, written once: each bound gives its parts, and gets a loop of its own.

A position is *opened* once: its children are listed, or what lists them is prepared. Then they are tried one after the
other. `search_loop(name, arrived, open_up, attempt, leave)` returns the loop of a bound. Its parts are compiled into
it, so none is called at run time; the functions of the same names in this module say what each does. They have the
arguments

search  the arrays of the bound, a tuple
depth   of the current position
bound   moves that this round allows
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..loop import loop, specialised
from .state import BOUND, BUDGET, DEPTH, ENDED, EXPANDED, FOUND, FRESH, GENERATED, LEAST, NEVER, PAUSED

NONE, PRUNED, ENTERED = 0, 1, 2
"""The results of `attempt`: no child is left, the next one does not lead to a solution, it is the position now."""


def arrived(search, depth, bound) -> bool:
    """Return whether the path is a solution; then no child of its end may be entered."""
    raise NotImplementedError


def open_up(search, depth, bound) -> tuple[int, int]:
    """Open the position; return how many children were generated, and the least excess of those pruned."""
    raise NotImplementedError


def attempt(search, depth, bound) -> tuple[int, int, int]:
    """Try the next child; return NONE, PRUNED or ENTERED, how many were generated, the least excess of those pruned."""
    raise NotImplementedError


def leave(search, depth, bound) -> None:
    """Go back to the position at depth - 1."""
    raise NotImplementedError


def deepen(search, state):
    """Continue the search; return PAUSED, ENDED, or FOUND: the path is a solution."""
    depth, bound, budget, fresh = state[DEPTH], state[BOUND], state[BUDGET], state[FRESH] != 0
    generated, opened, least, said = np.int64(0), np.int64(0), np.int64(NEVER), PAUSED
    while said == PAUSED and generated < budget:
        if fresh:
            fresh = False
            if arrived(search, depth, bound):
                said = FOUND
                break
            tried, over = open_up(search, depth, bound)
            generated += tried
            opened += 1
            least = min(least, over)
        while generated < budget:
            result, tried, over = attempt(search, depth, bound)
            generated += tried
            least = min(least, over)
            if result == ENTERED:
                depth += 1
                fresh = True
                break
            if result == NONE:
                if depth == 0:
                    said = ENDED
                    break
                leave(search, depth, bound)
                depth -= 1
    state[DEPTH], state[FRESH] = depth, fresh
    state[GENERATED], state[LEAST] = state[GENERATED] + generated, min(state[LEAST], least)
    state[EXPANDED] += opened
    return said


def search_loop(name: str, arrived: Callable, open_up: Callable, attempt: Callable, leave: Callable) -> Any:
    """Return the compiled loop of a bound; no other loop may have its name."""
    return loop(specialised(deepen, name, arrived=arrived, open_up=open_up, attempt=attempt, leave=leave))
