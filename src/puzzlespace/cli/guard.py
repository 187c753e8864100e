"""A thread that stops a command which does not stop by itself at a limit or Ctrl-C.

Loops check the limits (`limits.watch.checkpoint`), and the interpreter handles Ctrl-C between two of its steps. Neither
works during one long step, such as compiling one loop, sorting one large array or writing one picture. The guard first
interrupts the interpreter (`Overdue`). If that does not help, it prints a message and ends the process. Files are
written so that they stay valid if the process ends at any moment.
"""

from __future__ import annotations

import io
import os
import select
import signal
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NoReturn

from ..errors import LimitError
from ..limits.stopping import PRINTING, Overdue, before_exit, interruption, interruptions, printing
from ..limits.watch import interrupt, overdue

GLANCE = 0.05
"""Seconds between two checks."""

SOFT, SOFT_SHARE = 0.2, 0.05
"""The interpreter is interrupted so many seconds after a limit, plus this share of a time limit."""

HARD = 0.25
"""Seconds from the interruption until the process is ended."""

CTRL_C_SOFT, CTRL_C = 0.15, 0.35
"""Seconds from Ctrl-C until the interpreter is interrupted, and until the process is ended."""


class CommandGuard:
    """Watches the main thread while a command runs there.

    ended   called with a message and an exit code to end the process
    raised  whether Ctrl-C has raised KeyboardInterrupt, because no command was watched
    """

    def __init__(self, ended: Callable[[str, int], None] | None = None) -> None:
        self.end = ended or end
        self.limit: LimitError | None = None
        self.since = 0.0
        self.interrupted = 0.0
        self.stopping = False
        self.raised = False
        self.done = False
        self.reader, self.writer = os.pipe()
        self.thread = threading.Thread(target=self._run, daemon=True, name="guard")

    def start(self) -> None:
        """Start; call from the main thread. Without these signals (Windows) only checkpoints enforce limits."""
        if not hasattr(signal, "SIGALRM"):
            return
        os.set_blocking(self.writer, False)
        signal.set_wakeup_fd(self.writer, warn_on_full_buffer=False)
        signal.signal(signal.SIGALRM, self._raise)
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, self._interrupt)
        self.told = sys.unraisablehook
        sys.unraisablehook = self._unraisable
        sys.stdout = io.TextIOWrapper(
            io.BufferedWriter(_Patient(sys.stdout.fileno(), self)),
            sys.stdout.encoding, sys.stdout.errors, line_buffering=bool(sys.stdout.line_buffering),
        )  # fmt: skip
        self.main = threading.get_ident()
        self.thread.start()

    def over(self) -> None:
        """Stop watching and ignore Ctrl-C: the command has finished and its answer is printed."""
        self.done = True
        signal.signal(signal.SIGINT, signal.SIG_IGN)

    def _interrupt(self, *_: object) -> None:
        self.stopping = True
        if interrupt():
            return
        self.raised = True
        interruptions.append(KeyboardInterrupt())
        raise interruptions[-1]

    def _unraisable(self, error: Any) -> None:
        """Report nothing after an interruption, because half-made objects may raise errors when they are deleted."""
        if not self.stopping:
            self.told(error)

    def _raise(self, *_: object) -> None:
        limit, self.limit = self.limit, None
        if limit is not None and not self.done and not printing[0]:
            self.stopping = True
            interruptions.append(Overdue(limit))
            raise interruptions[-1]

    def _run(self) -> None:
        while not self.done:
            ready, _, _ = select.select([self.reader], [], [], GLANCE)
            now = time.perf_counter()
            if ready and signal.SIGINT in os.read(self.reader, 64) and not self.interrupted:
                self.interrupted = now
            if self.interrupted:
                self._look_after_interruption(now - self.interrupted)
            else:
                self._look(now)

    def _look_after_interruption(self, late: float) -> None:
        if CTRL_C_SOFT < late <= CTRL_C and not self.since and not self.raised:
            self.since = late
            self._interrupt_main(interruption())
        if late > CTRL_C + (PRINTING if printing[0] else 0):
            self._end(interruption())

    def _look(self, now: float) -> None:
        found = overdue(SOFT, SOFT_SHARE)
        if found is None or self.writing:
            self.since = 0.0
            return
        if not self.since:
            self.since = now
            self._interrupt_main(found)
        elif now - self.since > HARD + (PRINTING if printing[0] else 0):
            self._end(found)

    def _interrupt_main(self, limit: LimitError) -> None:
        """Interrupt the interpreter, unless it prints the answer."""
        self.limit = limit
        signal.pthread_kill(self.main, signal.SIGALRM)

    def _end(self, limit: LimitError) -> None:
        """Print what is known, unless something is printed already, and end the process."""
        for say in before_exit:
            say(limit, self.written)
        self.end(str(limit), limit.exit_code)

    written = False
    """Whether something was written to the standard output."""

    writing = 0
    """The number of writes to the standard output in progress: a command is not stopped for waiting for its reader."""


class _Patient(io.FileIO):
    """The standard output; the guard knows when it waits for the reader."""

    def __init__(self, number: int, guard: CommandGuard) -> None:
        super().__init__(number, "w", closefd=False)
        self.guard = guard

    def write(self, data: object, /) -> int | None:
        self.guard.writing += 1
        self.guard.written = True
        try:
            return super().write(data)  # type: ignore[arg-type]
        finally:
            self.guard.writing -= 1


def end(message: str, code: int) -> NoReturn:
    """Print a message to stderr and end the process at once."""
    with suppress(OSError):
        os.write(2, f"puzzlespace: {message}\n".encode())
    os._exit(code)


def leave(code: int) -> NoReturn:
    """End the process at once, without waiting for threads and without freeing memory."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    os._exit(code)
