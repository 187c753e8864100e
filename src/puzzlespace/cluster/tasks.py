"""What a worker does with a message."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable
from typing import Any

from ..errors import PuzzlespaceError
from ..limits.watch import unwatched
from . import jobs

Task = Callable[[jobs.Job, Any], dict[str, Any]]


def task_of(method: str, kind: str) -> Task:
    """Return a task; only the loops of its method are loaded."""
    tasks: dict[str, Task]
    if method == "windows":
        from . import mending, windows

        tasks = {
            "begin": windows.begin,
            "step": windows.step,
            "first": windows.first_of_last,
            "check": windows.check,
            "mend": mending.mend,
        }
    else:
        from . import runs

        tasks = {
            "begin": runs.begin,
            "expand": runs.expand,
            "merge": runs.merge,
            "join": runs.join,
            "check": runs.check,
        }
    return tasks[kind]


def answer(message: str, version: str, model_of: jobs.ModelOf) -> dict[str, Any]:
    """Run the task of a message; return its answer, or {'error': text} if it fails.

    version   the version of this program, which must be that of the count
    model_of  builds the puzzle
    """
    try:
        asked = json.loads(message)
        with unwatched():
            job = jobs.job_of(asked["url"], asked["job"], version, model_of)
            return task_of(job.facts["method"], asked["kind"])(job, asked)
    except (PuzzlespaceError, OSError, MemoryError) as error:
        return {"error": f"{str(error) or type(error).__name__} (worker on {socket.gethostname()})"}
