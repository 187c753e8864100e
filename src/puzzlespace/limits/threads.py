"""Run jobs from one queue on threads, for kernels that release the interpreter's lock; limits are checked meanwhile."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable
from contextvars import copy_context
from threading import Event, Thread
from typing import TypeVar

Job = TypeVar("Job")

GLANCE = 0.1
"""Seconds between two checks of the limits while threads work."""


def processors() -> int:
    """Return the number of processor cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Crew:
    """Runs `work(thread number, job)` for every job of a queue on some threads.

    If `work` returns False, the job is put back into the queue and the thread takes no more jobs. The first error of a
    thread, a limit that is exceeded, and an interruption stop all threads before they are raised. Checkpoints in the
    threads obey the ambient watch of the call.
    """

    def __init__(self, threads: int) -> None:
        self.threads = threads
        self._stop = False
        self._news = Event()

    @property
    def stopping(self) -> bool:
        """Whether the threads should stop."""
        return self._stop

    def run(self, jobs: deque[Job], work: Callable[[int, Job], bool], look: Callable[[], None] = lambda: None) -> None:
        """Return when the queue is empty or no thread takes any more jobs.

        look  checks the limits and may raise LimitError; this thread calls it after jobs, and a few times a second
        """
        self._stop = False
        self._errors: list[BaseException] = []
        self._ended: list[int] = []
        threads = min(self.threads, len(jobs))
        if threads <= 1:
            self._turn(0, jobs, work, look)
        else:
            team = [
                Thread(target=copy_context().run, args=(self._turn, number, jobs, work), daemon=True)
                for number in range(threads)
            ]
            try:
                for thread in team:
                    thread.start()
                while len(self._ended) < threads:
                    self._news.wait(GLANCE)
                    self._news.clear()
                    look()
            finally:
                self._stop = True
                for thread in team:
                    if thread.ident is not None:
                        thread.join()
        if self._errors:
            raise self._errors[0]

    def _turn(
        self,
        number: int,
        jobs: deque[Job],
        work: Callable[[int, Job], bool],
        look: Callable[[], None] = lambda: None,
    ) -> None:
        try:
            while not self._stop:
                try:
                    job = jobs.popleft()
                except IndexError:
                    return
                if not work(number, job):
                    jobs.append(job)
                    return
                look()
                self._news.set()
        except BaseException as error:
            self._stop = True
            self._errors.append(error)
        finally:
            self._ended.append(number)
            self._news.set()
