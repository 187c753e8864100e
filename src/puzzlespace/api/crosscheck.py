"""The answers of every engine in every metric with every lower bound for one puzzle, and where they differ.

Each answer is an engine's own: no other engine takes over, and an error that a check finds counts as a difference.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import product

from ..bounds import BOUND_NAMES
from ..contract.answers import DepthTable, Solution
from ..contract.questions import Engine
from ..errors import LimitError, PuzzlespaceError, SelfCheckError, plural
from ..limits.watch import Limits
from ..puzzle.puzzle import Puzzle
from ..registry import ENGINES
from . import questions

SECONDS = 10.0
"""The default time limit of one answer."""


@dataclass(frozen=True)
class Answer:
    """The answer of one engine.

    question   'solve', 'depths from start' or 'depths to goal'
    heuristic  the lower bound that the engine was told to use, or ''
    found      the answer in words, equal for equal answers; '' if there is none to compare
    problem    why there is none: refused, or stopped by a limit; 'wrong: …' if a check found it wrong
    """

    question: str
    metric: str
    engine: str
    heuristic: str
    found: str
    problem: str
    seconds: float

    @property
    def wrong(self) -> bool:
        """Whether a check in the same run found the answer wrong."""
        return self.problem.startswith("wrong: ")


@dataclass(frozen=True)
class Difference:
    """A question with different answers; each answer with the engines (and their bounds) that gave it."""

    question: str
    metric: str
    answers: tuple[tuple[str, tuple[str, ...]], ...]


def answers(puzzle: Puzzle, limits: Limits = Limits(SECONDS)) -> Iterator[Answer]:
    """Yield the answer of every engine in every metric, with every lower bound; the limits apply to each answer."""
    for metric, engine in product(puzzle.metrics, ENGINES):
        if engine.search is not None and puzzle.start is not None and puzzle.goals:
            for bound in BOUND_NAMES if engine.bounds else ("",):
                yield _timed("solve", metric, engine, bound, _solve(puzzle, metric, engine, bound, limits))
        if engine.depths is not None:
            for origin in _origins(puzzle):
                question = f"depths {'from' if origin == 'start' else 'to'} {origin}"
                yield _timed(question, metric, engine, "", _depths(puzzle, metric, engine, origin, limits))


def differences(found: Iterable[Answer]) -> list[Difference]:
    """Return the questions with different answers, or with an answer that a check found wrong."""
    asked: dict[tuple[str, str], dict[str, list[str]]] = {}
    for each in found:
        if each.found or each.wrong:
            name = f"{each.engine} {each.heuristic}".rstrip()
            says = asked.setdefault((each.question, each.metric), {})
            says.setdefault(each.problem if each.wrong else each.found, []).append(name)
    return [
        Difference(question, metric, tuple((text, tuple(names)) for text, names in says.items()))
        for (question, metric), says in asked.items()
        if len(says) > 1 or any(text.startswith("wrong: ") for text in says)
    ]


def _origins(puzzle: Puzzle) -> list[str]:
    return [*(["start"] if puzzle.start is not None else []), *(["goal"] if puzzle.goals else [])]


def _solve(
    puzzle: Puzzle, metric: str, engine: Engine, bound: str, limits: Limits
) -> Callable[[], tuple[str, LimitError | None]]:
    def ask() -> tuple[str, LimitError | None]:
        answer = questions.solve(puzzle, metric=metric, engine=engine, heuristic=bound, limits=limits)
        return solution_words(answer), answer.stopped

    return ask


def _depths(
    puzzle: Puzzle, metric: str, engine: Engine, origin: str, limits: Limits
) -> Callable[[], tuple[str, LimitError | None]]:
    def ask() -> tuple[str, LimitError | None]:
        table = questions.depths(puzzle, origin=origin, metric=metric, engine=engine, limits=limits)
        return table_words(table), table.stopped

    return ask


def solution_words(answer: Solution) -> str:
    """Return the part of a solution that all engines must agree on: its length."""
    return "impossible" if answer.moves is None else plural(answer.moves, "move")


def table_words(table: DepthTable) -> str:
    """Return the part of a depth table that all engines must agree on: the counts and the hardest positions listed."""
    hardest = " ".join(position.hex() for position in table.hardest)
    return f"{' '.join(map(str, table.counts))} | {hardest}"


def _timed(
    question: str, metric: str, engine: Engine, bound: str, ask: Callable[[], tuple[str, LimitError | None]]
) -> Answer:
    """Return an engine's answer with the time that it took; an exception becomes its `problem`."""
    began = time.perf_counter()
    try:
        found, stopped = ask()
        problem = "" if stopped is None else f"stopped: {stopped}"
    except SelfCheckError as error:
        found, problem = "", f"wrong: {error}"
    except PuzzlespaceError as error:
        found, problem = "", f"refused: {error}"
    except Exception as error:
        found, problem = "", f"wrong: {type(error).__name__}: {error}"
    return Answer(question, metric, engine.name, bound, "" if problem else found, problem, time.perf_counter() - began)
