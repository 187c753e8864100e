"""Fast Downward and this program, asked the same: `python benchmarks/planners.py [--record] [WORD …]`.

Twenty puzzles of the catalogue as planning tasks (`convert --to pddl`). Each answer comes from a fresh process with the
same limits of time and memory. Seconds are processor seconds of the whole command, memory is the peak of its largest
process. Needs the package up-fast-downward in the environment, or its file `fast-downward.py` in FAST_DOWNWARD.

--record  write the table into docs/benchmarks.md
"""

from __future__ import annotations

import importlib.util
import json
import os
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from machine import described, write
from puzzlespace.api.loader import load
from puzzlespace.pddl.text import task

PUZZLES = (
    "eight", "century", "dads", "klotski", "rush60", "hexagram", "star13", "lunar14", "tilt16", "water",
    "microban1", "flip3", "wolf", "bridge", "jugs853", "hanoi35", "missionaries", "family", "alice", "watersort",
)  # fmt: skip
SEARCHES = {"blind": "astar(blind())", "LM-cut": "astar(lmcut())"}
SECONDS, MEMORY = 60, "2G"
PAGE, MARK = "benchmarks.md", "benchmarks/planners.py"


@dataclass(frozen=True)
class Answer:
    """What a program found: the length, or why there is none, and what that took."""

    length: int | str
    positions: int | None
    seconds: float
    megabytes: float

    @property
    def cells(self) -> list[str]:
        shown = "" if self.positions is None else f"{self.positions:,}"
        return [str(self.length), shown, f"{self.seconds:.2f}", f"{self.megabytes:.0f}"]


def planner() -> str:
    """The file that starts Fast Downward."""
    given = os.environ.get("FAST_DOWNWARD")
    if given:
        return given
    found = importlib.util.find_spec("up_fast_downward")
    if found is None or found.origin is None:
        raise SystemExit("expected the package up-fast-downward, or FAST_DOWNWARD=PATH of fast-downward.py")
    return str(Path(found.origin).parent / "downward" / "fast-downward.py")


def run(command: list[str], **environment: str) -> tuple[str, float, float]:
    """Return what a command prints, its processor seconds and its peak in MB, both with the processes it waits for."""
    with tempfile.TemporaryFile("w+") as out:
        process = subprocess.Popen(command, stdout=out, stderr=out, env=os.environ | environment)
        _, code, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(code)
        out.seek(0)
        return out.read(), used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def ours(name: str, folder: str) -> Answer:
    limits = ["--seconds", str(SECONDS), "--memory", MEMORY, "--quiet"]
    text, *used = run([sys.executable, "-m", "puzzlespace", "solve", name, "--json", *limits], PUZZLESPACE_CACHE=folder)
    found = json.loads(text.splitlines()[-1])
    return Answer(found["moves"] if found["status"] == "optimal" else found["status"], found["positions"], *used)


def theirs(folder: str, search: str) -> Answer:
    limits = ["--overall-time-limit", f"{SECONDS}s", "--overall-memory-limit", MEMORY]
    files = [f"{folder}/domain.pddl", f"{folder}/problem.pddl"]
    command = [sys.executable, planner(), *limits, "--plan-file", f"{folder}/plan", *files, "--search", search]
    text, *used = run(command)
    cost, generated = (re.search(pattern, text) for pattern in (r"Plan cost: (\d+)", r"Generated (\d+) state"))
    if cost is not None:
        return Answer(int(cost[1]), int(generated[1]) if generated else None, *used)
    reasons = {"does not support": "not possible", "time limit": "stopped", "Memory limit": "memory"}
    return Answer(next((said for part, said in reasons.items() if part in text), "stopped"), None, *used)


def row(name: str) -> tuple[list[str], bool]:
    """Return the cells of a puzzle, and whether all lengths that were found are equal."""
    puzzle = load(name)
    with tempfile.TemporaryDirectory() as folder:
        for kind, text in zip(("domain", "problem"), task(puzzle), strict=True):
            Path(folder, f"{kind}.pddl").write_text(text)
        answers = [ours(name, folder), *(theirs(folder, search) for search in SEARCHES.values())]
    cells = [f"`{name}`", puzzle.metrics[0], *(cell for answer in answers for cell in answer.cells)]
    lengths = {answer.length for answer in answers if isinstance(answer.length, int)}
    return cells, len(lengths) == 1


def main(words: list[str]) -> int:
    """Print the table; return 1 if two programs found different lengths."""
    wanted = [word for word in words if word != "--record"] or list(PUZZLES)
    heads = [
        "puzzle",
        "metric",
        *(f"{who}: {what}" for who in ("ours", *SEARCHES) for what in ("moves", "generated", "s", "MB")),
    ]
    rows, wrong = [heads, ["---"] * len(heads)], []
    print(described(), flush=True)
    for name in wanted:
        cells, agreed = row(name)
        rows.append(cells)
        wrong += [] if agreed else [name]
        print(" | ".join(cells), flush=True)
    said = f"{len(wanted) - len(wrong)} of {len(wanted)} puzzles: all lengths that were found are equal."
    print(said, f"Not: {', '.join(wrong)}" if wrong else "")
    if "--record" in words:
        table = "\n".join(f"| {' | '.join(cells)} |" for cells in rows)
        write(PAGE, MARK, f"{described()}\n\n{table}\n\n{said}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
