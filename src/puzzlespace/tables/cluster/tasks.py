"""What a worker does with a message."""

from __future__ import annotations

import json
import socket
from typing import Any

from ...errors import PuzzlespaceError
from ...limits.watch import unwatched
from . import jobs, runs, windows

TASKS = {
    "windows": {"begin": windows.begin, "step": windows.step, "first": windows.first_of_last, "check": windows.check},
    "runs": {"begin": runs.begin, "expand": runs.expand, "merge": runs.merge, "join": runs.join, "check": runs.check},
}


def answer(message: str, version: str, model_of: jobs.ModelOf) -> dict[str, Any]:
    """Run the task of a message; return its answer, or {'error': text} if it fails.

    version   the version of this program, which must be that of the count
    model_of  builds the puzzle
    """
    try:
        asked = json.loads(message)
        with unwatched():
            job = jobs.job_of(asked["url"], asked["job"], version, model_of)
            return TASKS[job.facts["method"]][asked["kind"]](job, asked)
    except (PuzzlespaceError, OSError, MemoryError) as error:
        return {"error": f"{str(error) or type(error).__name__} (worker on {socket.gethostname()})"}
