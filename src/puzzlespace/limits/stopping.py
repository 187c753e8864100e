"""How the command line stops a command that is late or interrupted; the guard (`cli.guard`) does it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

from ..errors import LimitError, PuzzlespaceError

Item = TypeVar("Item")


class Overdue(BaseException):
    """A limit was exceeded and no checkpoint noticed it. Not an Exception, so that no engine handles it as a limit.

    Only the guard of the command line raises it, between any two steps of the interpreter.
    """

    def __init__(self, limit: LimitError) -> None:
        super().__init__(str(limit))
        self.limit = limit


def limit_of(late: LimitError | Overdue) -> LimitError:
    """Return the limit that stopped something, whoever noticed it."""
    return late.limit if isinstance(late, Overdue) else late


interruptions: list[BaseException] = []
"""What the guard has raised in the main thread so far: Overdue, or KeyboardInterrupt for Ctrl-C outside a watch."""

interrupted: list[bool] = []
"""Not empty after Ctrl-C in a watched command: every check of the limits raises LimitError."""


def interruption() -> LimitError:
    """Return Ctrl-C as a limit."""
    return LimitError("interrupted", "interrupted")


GRACE = 0.15
"""Seconds after a limit in which a solution that was found may still be replayed; the guard stops it after 0.2 s."""

_grace: ContextVar[float] = ContextVar("puzzlespace grace", default=0.0)


def grace() -> float:
    """Return how many seconds after a limit checks of it raise nothing yet in this thread."""
    return _grace.get()


@contextmanager
def graced(seconds: float = GRACE) -> Iterator[None]:
    """Go on after a limit or Ctrl-C, for so many seconds at most, to check a solution that was found; 0: not at all."""
    token = _grace.set(max(grace(), seconds) if seconds else 0.0)
    try:
        yield
    finally:
        _grace.reset(token)


PRINTING = 0.5
"""Seconds that an answer has to be printed after the time at which a command that is not printing is ended."""

printing = [False]
"""Whether the command prints its answer: the guard does not interrupt it for so long."""


def print_now(begins: bool) -> None:
    """Say that printing the answer begins, or that the command does other work again."""
    printing[0] = begins
    _grace.set(PRINTING if begins else 0.0)


def settled() -> None:
    """Say that the command has ended: only messages are printed now, which the guard does not interrupt either."""
    printing[0] = True
    _grace.set(0.0)


def heard(run: Callable[[], Item]) -> Item:
    """Return what `run` returns; raise the last interruption in place of another error that follows it.

    A callback of a library in C, such as the compiler, loses an exception that is raised in it. What it left undone may
    lead to an error later.
    """
    try:
        return run()
    except PuzzlespaceError:
        raise
    except Exception:
        if interruptions:
            raise interruptions[-1] from None
        raise


before_exit: list[Callable[[LimitError, bool], None]] = []
"""Functions to call if the guard ends the process: with the limit, and whether something was printed on stdout."""
