"""Run jobs from one queue on threads, for kernels that release the interpreter's lock; limits are checked meanwhile."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable
from contextvars import copy_context
from math import inf
from threading import Event, Thread
from time import perf_counter
from typing import TypeVar

Job = TypeVar("Job")

GLANCE = 0.1
"""Seconds between two checks of the limits while threads work."""

BRIEF = 0.001
"""Seconds of work for which threads do not pay: to start two and to hand jobs to them takes about 1 ms."""


def processors() -> int:
    """Return the number of processor cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Crew:
    """Runs `work(thread number, job)` for every job of a queue on some threads.

    If `work` returns False, the job is put back into the queue and the thread takes no more jobs. The first error of a
    thread, a limit that is exceeded, and an interruption stop all threads before they are raised. Checkpoints in the
    threads obey the ambient watch of the call.

    After a queue that took less than BRIEF seconds, the calling thread begins the next one alone. If jobs are left
    after BRIEF seconds, the other threads start.
    """

    def __init__(self, threads: int) -> None:
        self.threads = threads
        self._brief = False
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
        began = perf_counter()
        alone = inf if min(self.threads, len(jobs)) <= 1 else BRIEF if self._brief else 0
        first = 0 if self._turn(0, jobs, work, look, began + alone) else 1
        if jobs and alone < inf and not self._errors:
            self._run_team(range(first, min(self.threads, first + len(jobs))), jobs, work, look)
        if self._errors:
            raise self._errors[0]
        self._brief = perf_counter() - began < BRIEF

    def _run_team(
        self, numbers: range, jobs: deque[Job], work: Callable[[int, Job], bool], look: Callable[[], None]
    ) -> None:
        """Let the threads of these numbers take jobs; return when all have ended."""
        self._ended.clear()
        team = [
            Thread(target=copy_context().run, args=(self._turn, number, jobs, work), daemon=True) for number in numbers
        ]
        try:
            for thread in team:
                thread.start()
            while len(self._ended) < len(team):
                self._news.wait(GLANCE)
                self._news.clear()
                look()
        finally:
            self._stop = True
            for thread in team:
                if thread.ident is not None:
                    thread.join()

    def _turn(
        self,
        number: int,
        jobs: deque[Job],
        work: Callable[[int, Job], bool],
        look: Callable[[], None] = lambda: None,
        until: float = inf,
    ) -> bool:
        """Do jobs until none are left, the crew stops or the clock passes `until`; return whether it may take more."""
        try:
            while not self._stop and perf_counter() < until:
                try:
                    job = jobs.popleft()
                except IndexError:
                    return True
                if not work(number, job):
                    jobs.append(job)
                    return False
                look()
                self._news.set()
            return True
        except BaseException as error:
            self._stop = True
            self._errors.append(error)
            return False
        finally:
            self._ended.append(number)
            self._news.set()
