"""How long after a limit, or after Ctrl-C, a command ends: large puzzles by commands by limits, as a Markdown table.

    python benchmarks/limits.py                 13 puzzles, 6 commands, 4 limits: 312 cells, about half an hour
    python benchmarks/limits.py --seconds 1     the limit of seconds, also the time until Ctrl-C (default 2)
    python benchmarks/limits.py --only seconds  one kind of limit: seconds, ctrl-c, memory or positions

Each cell is a process of its own. It holds the exit code, how many seconds after its limit the process was gone (for
memory and positions the seconds that it took in all), and in brackets the processor time that it took in all. A cell is
late (in bold) after more than 0.5 s + 10 %. The time of a process counts from its start, so that loading the program is
part of it; other programs beside it make every figure but that in brackets larger.
"""

from __future__ import annotations

import argparse
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from large_puzzles import SPECS, written  # noqa: E402

COMMANDS = ("show", "solve", "depths", "hardest", "components", "symmetries")
LONGEST = 20.0
"""Seconds after which a process that goes on is ended."""


def cell(command: str, puzzle: str, kind: str, seconds: float) -> tuple[str, bool]:
    """Return what a cell shows, and whether it was late."""
    limit = {
        "seconds": ["--seconds", str(seconds)],
        "ctrl-c": [],
        "memory": ["--memory", "20M", "--seconds", str(LONGEST / 2)],
        "positions": ["--positions", "1000", "--seconds", str(LONGEST / 2)],
    }[kind]
    arguments = [sys.executable, "-m", "puzzlespace", command, puzzle, "-q", *limit]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.perf_counter()
    process = subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=os.environ)
    due = seconds if kind in ("seconds", "ctrl-c") else 0.0
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
        return "**runs on**", True
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    assert process.stderr is not None
    broken = b"Traceback" in process.stderr.read()
    over = time.perf_counter() - began - due
    late = broken or (kind in ("seconds", "ctrl-c") and over > 0.5 + 0.1 * seconds)
    shown = f"{process.returncode}: {over:+.2f} ({used:.1f})"
    return (f"**{shown}{' traceback' if broken else ''}**" if late else shown), late


def main() -> int:
    """Print the tables; return 1 if a cell was late."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--only", choices=("seconds", "ctrl-c", "memory", "positions"))
    asked = parser.parse_args()
    cells = late = 0
    with tempfile.TemporaryDirectory() as folder:
        os.environ["PUZZLESPACE_CACHE"] = str(Path(folder) / "cache")
        puzzles = [*SPECS, *map(str, written(folder).values())]
        for kind in (asked.only,) if asked.only else ("seconds", "ctrl-c", "memory", "positions"):
            print(f"\n### {kind}, {asked.seconds:g} s, load {os.getloadavg()[0]:.1f}\n", flush=True)
            print("| puzzle | " + " | ".join(COMMANDS) + " |\n|---" + "|---" * len(COMMANDS) + "|", flush=True)
            for puzzle in puzzles:
                row = [cell(command, puzzle, kind, asked.seconds) for command in COMMANDS]
                cells, late = cells + len(row), late + sum(each for _, each in row)
                print(f"| {Path(puzzle).name} | " + " | ".join(shown for shown, _ in row) + " |", flush=True)
    print(f"\n{cells} cells, {late} late")
    return 1 if late else 0


if __name__ == "__main__":
    sys.exit(main())
