"""The clock of every public function: it starts at the call, and a limit ends it with what is known by then."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from ..contract.answers import DepthTable, Solution, Status
from ..contract.questions import Engine
from ..errors import EndlessError, LimitError
from ..limits.memory import shortage
from ..limits.stopping import Overdue, limit_of
from ..limits.watch import Limits, Watch, watched
from ..puzzle.answers import Distance
from ..puzzle.puzzle import Puzzle
from . import arguments
from .loader import puzzle_of

Given = ParamSpec("Given")
Answer = TypeVar("Answer")


def clocked(
    stopped: Callable[[LimitError, Watch, Any, Any], Answer] | None = None,
) -> Callable[[Callable[Given, Answer]], Callable[Given, Answer]]:
    """Return a decorator that starts the clock of a function's `limits` when it is called, before a puzzle is read.

    stopped  makes the answer if a limit is passed outside the search, from the error, the watch, and the function's
             `metric` and `engine`; without it the LimitError is raised
    """

    def decorate(function: Callable[Given, Answer]) -> Callable[Given, Answer]:
        @wraps(function)
        def timed(*args: Given.args, **given: Given.kwargs) -> Answer:
            arguments.check(given)
            limits, report = given.get("limits", Limits()), given.get("progress")
            with watched(limits, report) as watch:  # type: ignore[arg-type]
                if stopped is not None:
                    watch.known.begin("")
                try:
                    return function(*args, **given)
                except (LimitError, Overdue, MemoryError) as late:
                    limit = shortage(late) if isinstance(late, MemoryError) else limit_of(late)
                    assert limit is not None
                    if stopped is None:
                        raise limit from None
                    return stopped(limit, watch, given.get("metric", ""), given.get("engine", "auto"))

        return drawing(timed)

    return decorate


def drawing(function: Callable[Given, Answer]) -> Callable[Given, Answer]:
    """Return a function whose EndlessError shows drawings if its first argument is a puzzle."""

    @wraps(function)
    def shown(*args: Given.args, **given: Given.kwargs) -> Answer:
        try:
            return function(*args, **given)
        except EndlessError as error:
            raise _drawn(error, args[0] if args else given.get("puzzle")) from None

    return shown


def _drawn(error: EndlessError, source: object) -> EndlessError:
    """Return the error with drawings of its positions, if the question is about a puzzle."""
    if not isinstance(source, Puzzle | str | Path):
        return error
    puzzle = puzzle_of(source)
    return EndlessError(error.positions, [puzzle.line(position) for position in error.positions[: error.MOST]])


def stopped_solution(error: LimitError, watch: Watch, metric: str, engine: str | Engine) -> Solution:
    """Return what is known of a solution when a limit stops the question outside of a search."""
    name = engine if isinstance(engine, str) else engine.name
    bound = max(error.bound, watch.known.bound)
    return Solution(
        Status.STOPPED, metric, None, bound, (), (), name, watch.generated, watch.seconds,
        stopped=error, unchecked=watch.known.found,
    )  # fmt: skip


def stopped_table(error: LimitError, watch: Watch, metric: str, engine: str | Engine) -> DepthTable:
    """Return the layers that were counted when a limit stops the question outside of a count."""
    name = engine if isinstance(engine, str) else engine.name
    layers, fitting = watch.known.layers, watch.known.fitting
    return DepthTable(
        layers, "", metric, (), False, True, name, watch.generated, watch.seconds, error,
        fitting=None if fitting is None else fitting(layers),
    )  # fmt: skip


def stopped_distance(error: LimitError, watch: Watch, metric: str, engine: str | Engine) -> Distance:
    """Return what is known of a distance when a limit stops the question outside of a search."""
    return Distance(None, (), stopped_solution(error, watch, metric, engine))
