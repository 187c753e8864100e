"""How many presses a position of lamps needs at most, if sets of presses are too many to go through.

A position is reached by 2^k sets of presses, which differ in the idle combinations, and its depth is the least of their
sizes. With a of n directions of each kind pressed, these sizes are sums of a or n - a: linear in the numbers a. The
greatest least of them is an integer program, which SciPy solves (`scipy.optimize.milp`, the program HiGHS).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Any

from ...limits.watch import Watch
from .systems import System

MOST_SIZES = 1 << 12
"""The most idle combinations of a program: one inequality each."""

NODES = 60_000
"""The most nodes of the tree that the program searches. 9 x 9 lamps take 48,000, in 75 s; 16 x 16 lamps take more."""

ROUNDING = 1e-6
"""What the program allows inequalities to be wrong by, as HiGHS has it."""


@dataclass(frozen=True)
class Farthest:
    """The greatest depth is from `least` to `most`; hint: on what this rests, or what finds more, or ''."""

    least: int
    most: int
    hint: str = ""


def farthest(
    system: System, kinds: tuple[tuple[int, ...], tuple[tuple[int, ...], ...]], known: tuple[int, int], watch: Watch
) -> Farthest:
    """Return what is found of the greatest depth.

    kinds  the directions that no idle combination contains, and the others in kinds
    known  the least and the most that it can be
    The least is worked out in whole numbers from presses that the program found. So is the most, if the mean proves it.
    """
    try:
        from scipy import optimize
    except ImportError:
        return Farthest(*known, " (SciPy, the extra 'algebra', finds it or a narrower range)")
    import numpy as np

    free, others = kinds
    if system.combinations > MOST_SIZES:
        return Farthest(*known, f" (more than {MOST_SIZES:,} idle combinations)")
    columns = np.array([system.idle[:, each[0]] for each in others])
    chosen = np.array(list(product((0, 1), repeat=len(system.idle))))
    inside = (chosen @ columns.T) % 2
    sizes = np.array([len(each) for each in others])
    slopes, offsets = 1 - 2 * inside, inside @ sizes  # a set of presses: offset + slopes * pressed
    left = watch.seconds_left
    by: Any = optimize  # whose types know numbers as bounds, not arrays
    watch.say("seeking the greatest depth: integer programming")
    found = by.milp(
        np.append(np.zeros(len(sizes)), -1),
        integrality=np.ones(len(sizes) + 1),
        bounds=by.Bounds(0, np.append(sizes, sizes.sum())),
        constraints=by.LinearConstraint(np.hstack([-slopes, np.ones((len(slopes), 1))]), -np.inf, offsets),
        options={"node_limit": NODES} | ({} if left is None else {"time_limit": left}),
    )
    least, most = known
    if found.x is not None:
        pressed = np.clip(np.rint(found.x[:-1]).astype(np.int64), 0, sizes)
        least = max(least, len(free) + int((offsets + slopes @ pressed).min()))
    if least < most and found.mip_dual_bound is not None:
        bound = len(free) + int(-found.mip_dual_bound + ROUNDING)
        if least <= bound < most:
            return Farthest(least, bound, " (that no position needs more is by SciPy, in floating point)")
    return Farthest(least, most)
