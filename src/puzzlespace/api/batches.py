"""Many positions of one puzzle, solved on all cores; answers come in the order of the positions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context
from itertools import islice
from typing import TypeVar

from ..contract.answers import Solution
from ..errors import InputError, PuzzlespaceError, UnsupportedError
from ..limits.watch import Limits
from ..puzzle.puzzle import Puzzle
from . import batch_rows, questions

Answer = TypeVar("Answer")

AHEAD = 64
"""Positions that are started before the first answer is awaited."""


def read(puzzle: Puzzle, lines: Iterable[str], file: str = "batch") -> Iterator[Puzzle]:
    """Yield the puzzle with the position of each row as its start; `batch_rows.rows` says what a row may have.

    Raises FormatError with the place in the file.
    """
    for row in batch_rows.rows(puzzle, lines, file):
        if row.puzzle is None:
            raise row.error or AssertionError(row)
        yield row.puzzle


def solve(
    puzzles: Iterable[Puzzle],
    *,
    metric: str = "",
    engine: str = "auto",
    heuristic: str = "",
    limits: Limits = Limits(),
    threads: int = 2,
) -> Iterator[Solution]:
    """Yield the solution of each puzzle, in order, as `questions.solve` returns it; the limits apply to each puzzle.

    The limits of the question of which these are parts hold for all together. Raises what `questions.solve` raises.
    """
    yield from answered(
        answers(puzzles, metric=metric, engine=engine, heuristic=heuristic, limits=limits, threads=threads)
    )


def answered(answers: Iterable[Answer | PuzzlespaceError]) -> Iterator[Answer]:
    """Yield the answers; raise the first error among them."""
    for answer in answers:
        if isinstance(answer, PuzzlespaceError):
            raise answer
        yield answer


def answers(
    puzzles: Iterable[Puzzle],
    *,
    metric: str = "",
    engine: str = "auto",
    heuristic: str = "",
    limits: Limits = Limits(),
    threads: int = 2,
) -> Iterator[Solution | PuzzlespaceError]:
    """Yield for each puzzle what `solve` yields, or the error that the question raised: one does not stop the others.

    Limits of the whole, and failed checks of this program, are raised.
    """

    def one(puzzle: Puzzle) -> Solution | PuzzlespaceError:
        try:
            return questions.solve(puzzle, metric=metric, engine=engine, heuristic=heuristic, limits=limits)
        except (InputError, UnsupportedError) as error:
            return error

    def begin(some: Iterable[Puzzle]) -> list[Future[Solution | PuzzlespaceError]]:
        return [pool.submit(copy_context().run, one, each) for each in some]  # the context has the ambient watch

    left, pool = iter(puzzles), ThreadPoolExecutor(threads)
    try:
        pending = begin(islice(left, AHEAD))
        while pending:
            yield pending.pop(0).result()
            pending += begin(islice(left, 1))
    finally:
        pool.shutdown(cancel_futures=True)
