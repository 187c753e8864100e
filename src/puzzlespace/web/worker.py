"""A process that answers questions one after the other, with JSON lines in and out; the server ends it.

If a line has {"bytes": n}, n raw bytes follow it. The last line of an answer has {"done": true}.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO

from ..errors import FormatError, InputError, LimitError, PuzzlespaceError, TableError
from ..limits.machine import ARRAYS, has_arrays
from ..puzzle.diagnostics import listening
from .bounds import OWN, Bounds
from .japanese import with_japanese

NO_ARRAYS = "this question needs NumPy and Numba, which this Python does not have"

try:
    import resource
except ImportError:  # Windows
    resource = None


def main() -> None:
    """Read the limits and folders from the command line, then answer the questions from standard input."""
    bounds, tables_folder, scratch = Bounds.from_json(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3])
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # nothing else may write among the answers
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _restrict(bounds)
    from .tasks import TASKS, WorkerState

    state = WorkerState(bounds, tables_folder, scratch)
    speak(answers, {"done": True})
    for line in sys.stdin.buffer:
        question = json.loads(line)
        answer(TASKS[question["task"]], state, question, answers)


def _restrict(bounds: Bounds) -> None:
    """Set the system's limits for memory and file sizes, if it has them."""
    if resource is None:
        return
    for kind, most in (
        (resource.RLIMIT_DATA, bounds.memory + OWN),
        (resource.RLIMIT_FSIZE, bounds.tables),
        (resource.RLIMIT_CORE, 0),
    ):
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(kind, (most, most))


def answer(task: Callable[..., dict[str, Any]], state: Any, question: dict[str, Any], answers: BinaryIO) -> None:
    """Answer one question, also after an error; bugs of ours go to the server's log only."""

    def say(line: dict[str, Any], *buffers: Any) -> None:
        speak(answers, line, *buffers)

    try:
        with listening(lambda _: None):  # the page shows what `about` has
            last = task(state, question, say)
    except Exception as error:  # `told` hides internals from the visitor
        last = {"error": told(error)}
    speak(answers, {**last, "done": True})


def speak(answers: BinaryIO, line: dict[str, Any], *buffers: Any) -> None:
    """Write one line, and raw bytes after it."""
    raw = [memoryview(buffer).cast("B") for buffer in buffers]
    if raw:
        line = {**line, "bytes": sum(map(len, raw))}
    answers.write(json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode() + b"\n")
    for part in raw:
        answers.write(part)
    answers.flush()


def told(error: Exception) -> dict[str, Any]:
    """Return an error for the visitor: input errors with their place, and limits; internals stay hidden."""
    if isinstance(error, FormatError):
        found = {
            "kind": "input", "message": error.problem, "line": error.line, "column": error.column, "hint": error.hint,
        }  # fmt: skip
        return with_japanese(found, "message", "hint")
    if isinstance(error, LimitError):
        return {"kind": error.kind, "message": str(error), "bound": error.bound}
    if isinstance(error, ModuleNotFoundError) and error.name in ARRAYS and not has_arrays():
        return with_japanese({"kind": "unsupported", "message": NO_ARRAYS}, "message")
    if isinstance(error, MemoryError):
        return {"kind": "memory", "message": "stopped: the question takes more memory than the server allows"}
    if isinstance(error, InputError):
        found = {"kind": "input", "message": str(error), "line": 0, "column": 0, "hint": ""}
        return with_japanese(found, "message", "hint")
    if isinstance(error, PuzzlespaceError) and not isinstance(error, TableError):
        return with_japanese({"kind": "unsupported", "message": str(error)}, "message")
    traceback.print_exception(error, file=sys.stderr)
    return {"kind": "bug", "message": "something went wrong on the server; see its log"}


if __name__ == "__main__":
    main()
