"""Many positions of one puzzle, solved on all cores; answers come in the order of the positions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context
from itertools import islice

from ..contract.answers import Solution
from ..errors import FormatError
from ..limits.watch import Limits
from ..puzzle.puzzle import Puzzle
from . import questions

AHEAD = 64
"""Positions that are started before the first answer is awaited."""


def read(puzzle: Puzzle, lines: Iterable[str], file: str = "batch") -> Iterator[Puzzle]:
    """Yield the puzzle with the position of each line as its start; empty lines and text after ';' are ignored.

    Raises FormatError with the place in the file.
    """
    for number, row in enumerate(lines, 1):
        text = row.partition(";")[0].strip()
        if text:
            try:
                yield questions.with_start(puzzle, text)
            except FormatError as error:
                column = max(error.column, 1) + row.index(text)
                raise FormatError(
                    error.problem, line=number, column=column, file=file, row=row, hint=error.hint
                ) from None


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

    def one(puzzle: Puzzle) -> Solution:
        return questions.solve(puzzle, metric=metric, engine=engine, heuristic=heuristic, limits=limits)

    def begin(some: Iterable[Puzzle]) -> list[Future[Solution]]:
        return [pool.submit(copy_context().run, one, each) for each in some]  # the context has the ambient watch

    left, pool = iter(puzzles), ThreadPoolExecutor(threads)
    try:
        pending = begin(islice(left, AHEAD))
        while pending:
            yield pending.pop(0).result()
            pending += begin(islice(left, 1))
    finally:
        pool.shutdown(cancel_futures=True)
