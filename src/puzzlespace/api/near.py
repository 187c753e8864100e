"""Solutions that are longer than a shortest one: counted by length, and listed."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ..analysis.near import NearPaths
from ..analysis.paths import Step
from ..contract.answers import NearSolutions, Solution, Status
from ..contract.questions import Search
from ..contract.space import Space
from ..errors import InputError, LimitError
from ..limits.numbers import whole
from ..limits.stopping import Overdue, limit_of
from ..limits.watch import Limits, Progress, Watch, answering, phase
from ..model.custom import Custom
from ..model.model import Model
from ..puzzle.puzzle import Puzzle
from .asked import model_of, search_of
from .clock import clocked
from .found import replayed
from .positions import placed
from .questions import solve


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
    asked = _Asked.of(placed(puzzle, "near_solutions", start, goal), metric, limits, progress)
    watch, shortest = asked.watch, asked.shortest
    most = within + (shortest.moves or 0) if at_most is None else at_most
    counts: list[int] = []
    kept: list[Solution] = []
    stopped = shortest.stopped
    if shortest.moves is not None and most >= shortest.moves:
        try:
            with phase("the solutions were listed"):
                near = NearPaths(asked.question, most, watch)
                for length in range(shortest.moves, most + 1):
                    found, number = kept.copy(), 0
                    for steps in near.paths(length):
                        number += 1
                        if len(found) < keep:
                            found.append(asked.solution(steps))
                    counts.append(number)
                    kept = found
        except (LimitError, Overdue) as late:
            stopped = limit_of(late)
    return NearSolutions(
        shortest.metric, shortest.moves, most, tuple(counts), tuple(kept), shortest.reason, stopped, watch.seconds
    )


@clocked()
def best_solutions(
    puzzle: Puzzle | Custom | str | Path,
    count: int,
    *,
    start: Any = "",
    goal: Any = "",
    metric: str = "",
    limits: Limits = Limits(),
    progress: Callable[[Progress], None] | None = None,
) -> NearSolutions:
    """Return so many solutions, the shortest ones first, or all if there are fewer.

    What a solution is, and `start`, `goal` and `metric`, are as in `near_solutions`. `most` and `counts` of the answer
    are those of the lengths of which all solutions were counted. If there are fewer solutions, and the start reaches
    more than 10,000 positions, only a limit ends the search.
    Raises InputError for a count below 1, and what `solve` raises.

    >>> [each.moves for each in best_solutions("goat", 4).solutions]
    [20, 20, 22, 22]
    """
    if whole("count", count, 0) < 1:
        raise InputError(f"count: expected at least one solution, found {count}")
    asked = _Asked.of(placed(puzzle, "best_solutions", start, goal), metric, limits, progress)
    watch, shortest = asked.watch, asked.shortest
    counts: list[int] = []
    kept: list[Solution] = []
    stopped = shortest.stopped
    if shortest.moves is not None:
        try:
            with phase("the solutions were listed"):
                longest = _longest(asked.question.space, asked.question.start, watch)
                lengths = itertools.count(shortest.moves) if longest is None else range(shortest.moves, longest + 1)
                for length in lengths:
                    before = len(kept)
                    for steps in NearPaths(asked.question, length, watch).paths(length):
                        if len(kept) == count:
                            break
                        kept.append(asked.solution(steps))
                    else:
                        counts.append(len(kept) - before)
                    if len(kept) == count:
                        break
        except (LimitError, Overdue) as late:
            stopped = limit_of(late)
    most = (shortest.moves or 0) + max(0, len(counts) - 1)
    return NearSolutions(
        shortest.metric, shortest.moves, most, tuple(counts), tuple(kept), shortest.reason, stopped, watch.seconds
    )


FEW_POSITIONS = 10_000
"""The most positions from which on it is not found out how long a solution can be at most."""


def _longest(space: Space, start: Any, watch: Watch) -> int | None:
    """Return a length that no solution without repeated positions exceeds; None if there are many positions."""
    seen, waiting = {start}, [start]
    while waiting:
        for child in space.moves(waiting.pop()):
            watch.tick(1)
            if child not in seen:
                seen.add(child)
                waiting.append(child)
        if len(seen) > FEW_POSITIONS:
            return None
    costs = space.metric.costs if isinstance(space, Model) else ()
    return (len(seen) - 1) * max(costs, default=1)


@dataclass(frozen=True)
class _Asked:
    """The question, how it is limited, and a shortest solution."""

    owner: Puzzle | None
    question: Search
    watch: Watch
    shortest: Solution

    @classmethod
    def of(
        cls,
        puzzle: Puzzle | Custom | str | Path,
        metric: str,
        limits: Limits,
        progress: Callable[[Progress], None] | None,
    ) -> _Asked:
        """Return it; the shortest solution is searched for."""
        owner, _ = model_of(puzzle, metric)
        watch = answering(limits, progress)
        source = puzzle if owner is None else owner
        shortest = solve(source, metric=metric, limits=limits, progress=progress)
        return cls(owner, search_of(source, metric, "")[1], watch, shortest)

    def solution(self, steps: Sequence[Step]) -> Solution:
        """Return a solution with what is proved of it: that no shorter one has fewer moves than the shortest."""
        found, shortest = replayed(self.owner, self.question.space, steps, self.watch), self.shortest
        status = shortest.status if found.moves == shortest.moves else Status.FOUND
        return replace(found, status=status, bound=shortest.bound)
