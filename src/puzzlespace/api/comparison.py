"""One puzzle solved with several engines or algorithms and lower bounds: positions generated, seconds, memory.

Each engine has a process of its own, so that its memory is known. The algorithms of textbooks count the positions that
they hold, so they run here, also with functions that cannot be sent to a process.
"""

from __future__ import annotations

import pickle
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..analysis.impossible import goal_positions
from ..contract.answers import ComparisonRow
from ..contract.bound import bound_of
from ..contract.questions import Search
from ..errors import InputError, PuzzlespaceError
from ..limits.machine import peak_memory
from ..limits.stopping import Overdue, interrupted, limit_of
from ..limits.watch import Limits, watched
from ..model import replay
from ..model.custom import Custom
from ..model.model import Model
from ..puzzle.puzzle import Puzzle
from ..registry import ENGINES
from ..search import textbook
from ..search.guide import stepping
from . import choice
from .asked import Bounding, search_of
from .loader import puzzle_of
from .positions import placed
from .questions import solve

if TYPE_CHECKING:
    from multiprocessing.connection import Connection


@dataclass(frozen=True)
class ComparedQuestion:
    """The question of every row: a puzzle, with start, goal and metric ('': those of the puzzle)."""

    puzzle: Puzzle | Custom | str | Path
    start: Any = ""
    goal: Any = ""
    metric: str = ""
    limits: Limits = Limits()

    def placed(self) -> Puzzle | Custom:
        """Return the puzzle with this start and goal; raise InputError if there is none, or no such position."""
        puzzle = placed(self.puzzle, "compare", self.start, self.goal)
        return puzzle if isinstance(puzzle, Custom) else puzzle_of(puzzle, "compare")


ENGINE_NAMES = ("plain", "bidirectional", "frontier", "idastar")
"""The engines that are compared unless others are named."""


def compare(
    puzzle: Puzzle | Custom | str | Path,
    engines: Sequence[str] = ENGINE_NAMES,
    bounds: Sequence[Bounding] = ("",),
    *,
    algorithms: Sequence[str] = (),
    start: Any = "",
    goal: Any = "",
    metric: str = "",
    limits: Limits = Limits(),
) -> Iterator[ComparisonRow]:
    """Yield what each engine takes for a shortest solution, and with each lower bound if the engine uses bounds.

    engines     names; 'auto' is the automatic choice
    bounds      names, bounds or functions of a position; '': the first that fits
    algorithms  compare these in place of engines: bfs, uniform-cost, bidirectional, astar, idastar, weighted-astar (or
                weighted-astar:3, a weight) and beam (or beam:50, a width). They are written as textbooks have them, and
                count what textbooks count (docs/methods/algorithms.md)
    limits      of each answer
    Each answer of an engine is made in a process of its own, so that its memory is known. The puzzle and the bounds are
    sent there: functions must be defined in a module. A program calls this below `if __name__ == "__main__":`, because
    the new processes run the rest of it. Algorithms run here, with any functions.
    An engine or algorithm that cannot answer has a row that says why. Raises InputError for a name that is unknown, for
    a puzzle or a position that is none, and for what cannot be sent; LimitError if a limit is passed while the puzzle
    is read.

    >>> [(row.engine, row.moves) for row in compare("no-off-b", ["plain", "bidirectional"])]
    [('plain', 56), ('bidirectional', 56)]
    >>> rows = compare("goat", algorithms=["bfs", "astar", "beam"], bounds=["distance"])
    >>> [(row.engine, row.proof) for row in rows]
    [('bfs', 'proved'), ('astar', 'proved'), ('beam', 'not proved')]
    """
    check_names(engines, algorithms)
    question = ComparedQuestion(puzzle, start, goal, metric, limits)
    with watched(limits):
        question.placed()
    if algorithms:
        return algorithm_rows(question, algorithms, bounds)
    try:
        pickle.dumps((question, list(bounds)))
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise InputError(
            f"compare: expected functions that a module defines, to send them to a process: {error}"
        ) from None
    return rows_of(question, engines, bounds)


def check_names(engines: Sequence[str], algorithms: Sequence[str]) -> None:
    """Raise InputError for an unknown engine or algorithm, or for both together."""
    for name in engines:
        if name != "auto":
            choice.engine(name)
    for name in algorithms:
        textbook.algorithm(name)
    if algorithms and tuple(engines) != ENGINE_NAMES:
        raise InputError(f"algorithms: expected no engines beside them, found {', '.join(engines)}")


def algorithm_rows(
    asked: ComparedQuestion, algorithms: Sequence[str], bounds: Sequence[Bounding]
) -> Iterator[ComparisonRow]:
    """Yield the rows of algorithms; those that use no lower bound have one row."""
    for name in algorithms:
        for bound in bounds if textbook.algorithm(name).bounded else ("",):
            yield algorithm_row(asked, name, bound)


def algorithm_row(asked: ComparedQuestion, name: str, bound: Bounding) -> ComparisonRow:
    """Return the row of one algorithm and lower bound; its solution is replayed."""
    chosen, began = textbook.algorithm(name), time.perf_counter()
    search: textbook.TextbookSearch | None = None
    path, problem, proof = (), "", ""
    try:
        with watched(asked.limits) as watch:
            _, question, reason = search_of(asked.placed(), asked.metric, bound if chosen.bounded else "")
            if reason is not None:
                return ComparisonRow(name, "", None, 0, time.perf_counter() - began, None, reason.text, 0, 0, "proved")
            search = textbook.TextbookSearch(question, watch)
            path = textbook.run(chosen, search)
            _replayed(question, path)
            proof = chosen.proof(search, bool(path))
            problem = "" if path else "no solution was found"
    except (PuzzlespaceError, Overdue) as error:
        late = limit_of(error) if isinstance(error, Overdue) else None
        problem = str(late or error)
    guide = search.guide if search is not None else None
    shown = guide.bound.name if guide is not None else _name_of(bound) if chosen.bounded else ""
    made, opened, held = (search.generated, search.expanded, search.held) if search is not None else (0, None, None)
    moves = _length(search.question, path) if search is not None and path else None
    return ComparisonRow(name, shown, moves, made, time.perf_counter() - began, None, problem, opened, held, proof)


def _replayed(question: Search, path: Sequence[Any]) -> None:
    """Raise WrongAnswerError unless a path leads from the start to a goal by moves."""
    if path and isinstance(question.space, Model):
        replay.replay(question.space, path)


def _length(question: Search, path: Sequence[Any]) -> int:
    """Return what the moves of a path count."""
    steps = stepping(question.space)
    return sum(
        min(cost for child, cost in steps(before) if child == after)
        for before, after in zip(path, path[1:], strict=False)
    )


def bounded(algorithms: Sequence[str]) -> bool:
    """Return whether one of these algorithms uses a lower bound."""
    return any(textbook.algorithm(name).bounded for name in algorithms)


def rows_of(asked: ComparedQuestion, engines: Sequence[str], bounds: Sequence[Bounding]) -> Iterator[ComparisonRow]:
    """Yield the rows of `compare`."""
    bounded = {each.name for each in ENGINES if each.bounds}
    for engine in engines:
        for bound in bounds if engine in bounded else ("",):
            yield _in_process(asked, engine, bound)


GLANCE = 0.1
"""Seconds between two looks whether Ctrl-C was pressed."""

STARTING, MORE = 10.0, 0.3
"""Seconds in which a process must be ready, and seconds after the time limit until it is killed."""


def _in_process(asked: ComparedQuestion, engine: str, heuristic: Bounding) -> ComparisonRow:
    """Return the row from a new process, which is killed if this one is interrupted or a limit does not stop it.

    Python in a browser has no processes: there it is made in this one.
    """
    if sys.platform == "emscripten":
        return row(asked, engine, heuristic)
    from multiprocessing import get_context  # parts of it are missing in a browser

    name = _name_of(heuristic)
    context = get_context("spawn")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_send, args=(theirs, asked, engine, heuristic), daemon=True)
    with _without_interrupts():
        process.start()
    theirs.close()
    began = time.perf_counter()
    try:
        ready = _ready(ours, STARTING) and ours.recv()
        began = time.perf_counter()
        most = None if asked.limits.seconds is None else asked.limits.seconds * 1.05 + MORE
        if ready and _ready(ours, most):
            return ours.recv()
        problem = "interrupted" if interrupted else f"stopped after {time.perf_counter() - began:.1f} seconds"
        return ComparisonRow(engine, name, None, 0, time.perf_counter() - began, 0, problem)
    except EOFError:
        return ComparisonRow(engine, name, None, 0, time.perf_counter() - began, 0, "its process came to an end")
    finally:
        process.kill()
        process.join()


@contextmanager
def _without_interrupts() -> Iterator[None]:
    """Let a process that is started here ignore Ctrl-C in the terminal: this one ends it."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _ready(pipe: Connection, seconds: float | None) -> bool:
    """Return whether something comes within these seconds (None: no limit) and before Ctrl-C."""
    until = inf if seconds is None else time.perf_counter() + seconds
    while not interrupted and (left := until - time.perf_counter()) > 0:
        if pipe.poll(min(left, GLANCE)):
            return True
    return False


def _name_of(bound: Bounding) -> str:
    return bound if isinstance(bound, str) else bound_of(bound).name


def _send(pipe: Connection, asked: ComparedQuestion, engine: str, heuristic: Bounding) -> None:
    """Say that the process is ready, then send the row."""
    pipe.send(True)
    pipe.send(row(asked, engine, heuristic))


def advice(asked: ComparedQuestion) -> str:
    """Return whether the automatic choice would use lower bounds, and why not; '' without a start or goal."""
    puzzle = asked.placed()
    assert isinstance(puzzle, Puzzle)
    model = puzzle.model(asked.metric)
    if model.start is None or not model.goals:
        return ""
    return choice.advice(Search(model, model.start, goal_positions(model)))


def row(asked: ComparedQuestion, engine: str, heuristic: Bounding) -> ComparisonRow:
    """Return the row of one engine and lower bound, measured in this process."""
    name, began = _name_of(heuristic), time.perf_counter()
    try:
        with watched(asked.limits):
            found = solve(
                asked.placed(), metric=asked.metric, engine=engine, bound=heuristic, cache="off", limits=asked.limits
            )
    except PuzzlespaceError as error:
        return ComparisonRow(engine, name, None, 0, time.perf_counter() - began, peak_memory(), str(error))
    problem = str(found.stopped) if found.stopped else found.reason.text if found.reason else ""
    return ComparisonRow(
        engine, name, found.moves, found.generated, found.seconds, peak_memory(), problem, found.expanded
    )
