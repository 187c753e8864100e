"""Solutions that are longer than a shortest one: counted by length, and listed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..analysis.near import NearPaths
from ..contract.answers import NearSolutions, Solution, Status
from ..errors import InputError, LimitError
from ..limits.numbers import whole
from ..limits.stopping import Overdue, limit_of
from ..limits.watch import Limits, Progress, answering, phase
from ..model.custom import Custom
from ..puzzle.puzzle import Puzzle
from . import questions
from .clock import clocked
from .positions import placed


@clocked()
def near_solutions(
    puzzle: Puzzle | Custom | str | Path,
    within: int = 0,
    *,
    at_most: int | None = None,
    keep: int = 1_000,
    start: Any = "",
    goal: Any = "",
    metric: str = "",
    limits: Limits = Limits(),
    progress: Callable[[Progress], None] | None = None,
) -> NearSolutions:
    """Return how many solutions are at most `within` moves longer than a shortest one, and the first of them.

    A solution passes through no position twice, and ends at the first goal that it reaches.

    at_most  the greatest length in place of `within`
    keep     how many solutions to return, the shortest ones; all are counted
    start, goal, metric  as in `solve`
    Plain Python stores the positions up to half the length from both ends, or all up to the length from the start if
    moves cannot be taken back. At a limit the answer has the
    lengths that are complete. Raises InputError for a negative number, or for `within` beside `at_most`, and what
    `solve` raises.

    >>> near_solutions("goat", 2).counts
    (2, 0, 2)
    """
    whole("within", within, 0)
    whole("keep", keep, 0)
    if at_most is not None:
        whole("at_most", at_most, 0)
        if within:
            raise InputError(f"within: expected none beside at_most, found {within}")
    given = placed(puzzle, "near_solutions", start, goal)
    owner, space = questions.model_of(given, metric)
    watch = answering(limits, progress)
    source = given if owner is None else owner
    shortest = questions.solve(source, metric=metric, limits=limits, progress=progress)
    most = within + (shortest.moves or 0) if at_most is None else at_most
    counts: list[int] = []
    kept: list[Solution] = []
    stopped = shortest.stopped
    if shortest.moves is not None and most >= shortest.moves:
        try:
            with phase("the solutions were listed"):
                near = NearPaths(questions.search_of(source, metric, "")[1], most, watch)
                for length in range(shortest.moves, most + 1):
                    found, number = kept.copy(), 0
                    for steps in near.paths(length):
                        number += 1
                        if len(found) < keep:
                            found.append(_longer(questions.replayed(owner, space, steps, watch), shortest))
                    counts.append(number)
                    kept = found
        except (LimitError, Overdue) as late:
            stopped = limit_of(late)
    return NearSolutions(
        shortest.metric, shortest.moves, most, tuple(counts), tuple(kept), shortest.reason, stopped, watch.seconds
    )


def _longer(found: Solution, shortest: Solution) -> Solution:
    """Return a solution with what is proved of it: that no shorter one has fewer moves than the shortest."""
    assert found.moves is not None
    if found.moves == shortest.moves:
        return replace(found, status=shortest.status, bound=shortest.bound)
    return replace(found, status=Status.FOUND, bound=shortest.bound)
