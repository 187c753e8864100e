"""Run a command on a large puzzle in its own process, with a limit or Ctrl-C; measure how and how late it ends."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import time
from dataclasses import dataclass

COMMANDS = ("show", "solve", "depths", "hardest", "components", "symmetries")
KINDS = ("seconds", "ctrl-c", "memory", "positions")
LONGEST = 20.0
"""Seconds after which a running process is killed."""


@dataclass(frozen=True)
class Cell:
    """How a command ended.

    code    the exit code; None if it ran on and was killed
    over    seconds from the limit to the end; for memory and positions, seconds of the whole run
    used    processor time
    broken  whether it printed a traceback or was ended by a signal
    late    whether it ended later than promised
    """

    code: int | None
    over: float
    used: float
    broken: bool
    late: bool

    def __str__(self) -> str:
        if self.code is None:
            return "**runs on**"
        shown = f"{self.code}: {self.over:+.2f} ({self.used:.1f})" + (" broken" if self.broken else "")
        return f"**{shown}**" if self.late or self.broken else shown


def cell(command: str, puzzle: str, kind: str, seconds: float) -> Cell:
    """Run a command with a limit of one kind, or with Ctrl-C after some seconds."""
    limit = {
        "seconds": ["--seconds", str(seconds)],
        "ctrl-c": [],
        "memory": ["--memory", "20M", "--seconds", str(LONGEST / 2)],
        "positions": ["--positions", "1000", "--seconds", str(LONGEST / 2)],
    }[kind]
    arguments = [sys.executable, "-m", "puzzlespace", command, puzzle, "-q", *limit]
    timed = kind in ("seconds", "ctrl-c")
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.perf_counter()
    process = subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=os.environ)
    due = seconds if timed else 0.0
    try:
        if kind == "ctrl-c":
            try:
                process.wait(seconds)
            except subprocess.TimeoutExpired:
                began, due = time.perf_counter(), 0.0
                process.send_signal(signal.SIGINT)
        process.wait(LONGEST)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        return Cell(None, LONGEST, LONGEST, False, True)
    over = time.perf_counter() - began - due
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    assert process.stderr is not None
    broken = process.returncode < 0 or b"Traceback" in process.stderr.read()
    return Cell(process.returncode, over, used, broken, timed and over > 0.5 + 0.1 * seconds)
