"""Python inside a browser: the questions of the page, answered by the tasks of the server's workers."""

from __future__ import annotations

import io
import json
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from ..errors import InputError
from ..limits.machine import take_memory
from ..registry import take_loops
from .bounds import MEGABYTE, Bounds
from .cells import CellRunner
from .tasks import TASKS, WorkerState
from .worker import answer

BOUNDS = Bounds(short_workers=1, long_workers=1, seconds=60.0, memory=2048 * MEGABYTE)
"""The limits of a question in a browser: a compiled loop generates some hundred million positions in this time."""

INTERPRETER = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "pyodide-lock.json", "python_stdlib.zip")
"""The files of the npm package `pyodide` that a browser loads."""

LEFT_OUT = {"cluster", "cli", "gpu", "__pycache__", "__main__.py", "notebook.py"}
"""Parts of the package that no question in a browser needs."""


Post = Callable[..., None]
"""Takes a line of JSON, and the raw bytes that follow it if there are any."""


class PostedLines(io.RawIOBase):
    """Hands over what is written as whole lines of text, each with the raw bytes that follow it."""

    def __init__(self, post: Post) -> None:
        self.post = post
        self.line, self.raw, self.missing = "", bytearray(), 0

    def write(self, data: object) -> int:
        """Hand over a line of JSON, once all its bytes are there."""
        part = bytes(data)  # type: ignore[arg-type]
        if not part:  # an empty buffer after a line
            return 0
        if self.missing:
            self.raw += part
            self.missing -= len(part)
            if not self.missing:
                self.post(self.line, bytes(self.raw))
            return len(part)
        self.line, self.raw, self.missing = part.decode(), bytearray(), json.loads(part).get("bytes", 0)
        if not self.missing:
            self.post(self.line)
        return len(part)


def asker(
    loops: Callable[..., object] | None = None, memory: Callable[[], int] | None = None
) -> Callable[[str, Post], None]:
    """Return a function that answers a question in JSON; its second argument gets the lines of the answer (`Post`).

    loops   runs a loop of `kernels/program` on the memory of this Python, by its name and the addresses of its arrays
    memory  tells the bytes of that memory, which never shrinks
    """
    if memory is not None:
        take_memory(memory)
    if loops is not None:
        take_loops(loops)
    folder = Path(tempfile.mkdtemp())
    os.environ.setdefault("PUZZLESPACE_CACHE", str(folder / "cache"))  # a browser has no folder of a user
    state = WorkerState(BOUNDS, folder, folder / "scratch")
    notebook: list[CellRunner] = []  # made by the first cell that is run

    def ask(text: str, post: Post) -> None:
        question = json.loads(text)
        if question["task"] == "cell" and not notebook:
            notebook.append(CellRunner())
        task = notebook[0].answer if question["task"] == "cell" else TASKS[question["task"]]
        answer(task, state, question, PostedLines(post))  # type: ignore[arg-type]

    return ask


def package() -> bytes:
    """Return this package as a zip file with the same bytes for the same files."""
    root = Path(__file__).parents[1]
    found = io.BytesIO()
    with ZipFile(found, "w", ZIP_DEFLATED, compresslevel=9) as written:
        for path in sorted(root.rglob("*")):
            parts = path.relative_to(root).parts
            if path.is_file() and path.suffix != ".png" and not LEFT_OUT & set(parts):
                written.writestr(ZipInfo("/".join((root.name, *parts))), path.read_bytes(), ZIP_DEFLATED)
    return found.getvalue()


def interpreter(folder: Path) -> dict[str, bytes]:
    """Return the files of the npm package `pyodide` in a folder. Raises InputError if one is missing."""
    try:
        return {name: (folder / name).read_bytes() for name in INTERPRETER}
    except OSError as error:
        missing = Path(error.filename or folder).name
        raise InputError(
            "--python: expected the folder of the npm package pyodide (npm install pyodide makes "
            f"node_modules/pyodide), found no {missing} in {folder}"
        ) from None
