"""One puzzle by several engines and lower bounds: positions generated, seconds, memory; a process for each."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context

from . import api, choice
from .analysis import goal_positions
from .errors import PuzzlespaceError
from .puzzle import Puzzle
from .result import Limits, Search, peak_memory


@dataclass(frozen=True)
class Asked:
    """What every row answers: a puzzle as `load` takes it, with start, goal and metric ('' as the puzzle has them)."""

    puzzle: str
    start: str = ""
    goal: str = ""
    metric: str = ""
    limits: Limits = Limits()


@dataclass(frozen=True)
class Row:
    """One way of solving.

    moves    the length of a shortest solution; None where there is none or it was not found
    memory   bytes: the peak of a process that did nothing else
    problem  why there is no answer, or ''
    """

    engine: str
    heuristic: str
    moves: int | None
    generated: int
    seconds: float
    memory: int
    problem: str = ""


def compare(asked: Asked, engines: Sequence[str], heuristics: Sequence[str]) -> Iterator[Row]:
    """Yield a row for each engine, and for the engine idastar one for each lower bound, as they come."""
    ways = [(name, bound) for name in engines for bound in (heuristics if name == "idastar" else ("",))]
    for engine, heuristic in ways:
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
            yield pool.submit(row, asked, engine, heuristic).result()


def advice(asked: Asked) -> str:
    """Return whether the automatic choice searches below lower bounds here, and why not; '' where nothing is asked."""
    model = _puzzle(asked).model(asked.metric)
    if model.start is None or not model.goals:
        return ""
    return choice.advice(Search(model, model.start, goal_positions(model)))


def _puzzle(asked: Asked) -> Puzzle:
    puzzle = api.load(asked.puzzle)
    puzzle = api.with_goal(puzzle, asked.goal) if asked.goal else puzzle
    return api.with_start(puzzle, asked.start) if asked.start else puzzle


def row(asked: Asked, engine: str, heuristic: str) -> Row:
    """Return the row of one engine and lower bound, measured in this process."""
    began = time.perf_counter()
    try:
        found = api.solve(_puzzle(asked), metric=asked.metric, engine=engine, heuristic=heuristic, limits=asked.limits)
    except PuzzlespaceError as error:
        return Row(engine, heuristic, None, 0, time.perf_counter() - began, peak_memory(), str(error))
    problem = str(found.stopped) if found.stopped else found.reason.text if found.reason else ""
    return Row(engine, heuristic, found.moves, found.generated, found.seconds, peak_memory(), problem)
