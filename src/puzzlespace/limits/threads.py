"""Threads over loops that run free of the interpreter's lock: jobs from one queue, limits watched meanwhile."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable
from threading import Thread
from typing import TypeVar

from .watch import Watch

Job = TypeVar("Job")

GLANCE = 0.1
"""Seconds between two looks at the limits while threads work."""


def processors() -> int:
    """Return how many processor cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Crew:
    """Runs `work(thread number, job)` for every job of a queue on some threads.

    A job that `work` refuses by returning False goes back to the queue and ends its thread's turn. The first error of
    a thread, a limit that is passed, and an interruption all stop the others before they are raised.
    """

    def __init__(self, threads: int) -> None:
        self.threads = threads
        self._stop = False

    @property
    def stopping(self) -> bool:
        """Whether the threads are to end what they are at."""
        return self._stop

    def run(self, jobs: deque[Job], work: Callable[[int, Job], bool], watch: Watch) -> None:
        """Return once the queue is empty or every thread has ended its turn."""
        self._stop = False
        self._errors: list[BaseException] = []
        if self.threads == 1 or len(jobs) == 1:
            self._turn(0, jobs, work)
        else:
            team = [Thread(target=self._turn, args=(t, jobs, work), daemon=True) for t in range(self.threads)]
            try:
                for thread in team:
                    thread.start()
                for thread in team:
                    self._await(thread, watch)
            finally:
                self._stop = True
                for thread in team:
                    if thread.ident is not None:
                        thread.join()
        if self._errors:
            raise self._errors[0]

    def _await(self, thread: Thread, watch: Watch) -> None:
        thread.join(GLANCE)
        while thread.is_alive():
            watch.tick(0)
            thread.join(GLANCE)

    def _turn(self, number: int, jobs: deque[Job], work: Callable[[int, Job], bool]) -> None:
        try:
            while not self._stop:
                try:
                    job = jobs.popleft()
                except IndexError:
                    return
                if not work(number, job):
                    jobs.append(job)
                    return
        except BaseException as error:
            self._stop = True
            self._errors.append(error)
