"""What a worker does with the message of a task.

A message is a short text (JSON): the address of the files, the job, the state of the layer, and what the task is to do.
Nothing is unpickled from it or from the files.
"""

from __future__ import annotations

import json
import socket
from typing import Any

from ..errors import PuzzlespaceError, TableError
from ..limits.watch import unwatched
from .jobs import ModelOf, job_of


def answer(message: str, version: str, model_of: ModelOf) -> dict[str, Any]:
    """Run the task of a message; return its answer. Raises TableError, which names this machine.

    version   the version of this program, which must be that of the count
    model_of  builds the puzzle
    """
    asked = json.loads(message)
    try:
        with unwatched():
            job = job_of(asked["url"], asked["job"], version, model_of)
            if job.facts["method"] == "windows":  # only the loops of the method are loaded
                from .windows import TASKS
            else:
                from .runs import TASKS
            return TASKS[asked["kind"]](job, asked)
    except (PuzzlespaceError, OSError, MemoryError) as error:
        text = (
            f"{str(error) or type(error).__name__} (worker on {socket.gethostname()}); resume=True continues the count"
        )
    raise TableError(text)
