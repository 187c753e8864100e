"""Whole commands in fresh processes, processor time (user and system): `python benchmarks/startup.py [TREE …]`.

With `--catalogue` instead of trees, `solve` and `depths` of every puzzle of the catalogue; printed are those that take
more than LEAST seconds, with the time that passed, and what limits them: the positions that they generate or count.

First the interpreter without the program, and with what the program loads: the compiler alone takes most of the time of
commands with compiled loops. Each tree is a checkout; this one without arguments. Commands take turns, so that trees
meet the same load. The first round is not counted: it compiles and fills the caches.
"""

from __future__ import annotations

import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from machine import described

BARE = (
    "pass",
    "import numpy",
    "import numba",
    "import numba.core.registry as it; it.cpu_target.target_context.refresh()",
)
"""Programs beside the commands; the last one also loads what Numba needs before it can call a compiled loop."""

COMMANDS = (
    "--version",
    "--help",
    "show hexagram",
    "solve goat",
    "solve eight",
    "solve rush60",
    "solve water",
    "solve klotski",
    "solve century",
    "solve flip5",
    "depths eight",
    "depths lights:5x5",
    "depths flip:5x5",
    "components eight",
    "hardest eight",
)
ROUNDS = 7

LEAST = 0.5
"""Commands of the catalogue that take at most so many seconds are not printed."""

COMPILED = "solve microban36 --engine boxes"
"""What is compiled before: plain Python solves the boxes of the catalogue sooner than this loop compiles (20 s)."""

LONGEST, FIRST = 5, 120
"""The limit of time of a command of the catalogue, in seconds, and that of its first run, which also compiles."""


def main(trees: list[str]) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        taken: dict[tuple[str, str], list[float]] = {}
        for _ in range(ROUNDS + 1):
            for words in (*BARE, *COMMANDS):
                program = ["-c", words] if words in BARE else ["-m", "puzzlespace", *words.split()]
                for number, tree in enumerate(trees):
                    caches = Path(scratch, str(number))
                    taken.setdefault((words, tree), []).append(seconds(program, tree, caches))
    print(described(), end="\n\n")
    print("| command | " + " | ".join(trees) + " |")
    print("|---" * (len(trees) + 1) + "|")
    for words in (*BARE, *COMMANDS):
        middle = [statistics.median(taken[words, tree][1:]) for tree in trees]
        print(f"| `{words}` | " + " | ".join(f"{each:.2f}" for each in middle) + " |")


def catalogue(tree: str) -> None:
    """Print the commands on puzzles of the catalogue that take more than LEAST seconds.

    The first run fills the caches. Then one run is measured; of commands near LEAST the median of three.
    """
    sys.path.insert(0, str(Path(tree, "src")))
    from puzzlespace import catalogue

    fast = quick = 0
    print(described(), end="\n\n")
    print(f"| command | s | passed | positions | positions/s |\n{'|---' * 5}|")
    with tempfile.TemporaryDirectory() as scratch:
        measured(["-m", "puzzlespace", *COMPILED.split()], tree, Path(scratch), check=True)
        for words in (f"{what} {name}" for name in sorted(catalogue.names(None)) for what in ("solve", "depths")):
            program = ["-m", "puzzlespace", *words.split(), "--json", "--seconds"]
            measured([*program, str(FIRST)], tree, Path(scratch))
            program.append(str(LONGEST))
            runs = [measured(program, tree, Path(scratch))]
            if 0.8 * LEAST < runs[0][0] < 3 * LEAST:
                runs += [measured(program, tree, Path(scratch)) for _ in range(2)]
            took, passed, answered = sorted(runs)[len(runs) // 2]
            if not answered:  # a puzzle without a start is not solved
                continue
            quick += passed <= LEAST
            if took <= LEAST:
                fast += 1
                continue
            answer = json.loads(answered)
            count = answer.get("positions" if words.startswith("solve") else "states") or 0
            ended = f", stopped after {LONGEST} s" if answer.get("stopped") else ""
            print(f"| `{words}`{ended} | {took:.2f} | {passed:.2f} | {count:,} | {count / took:,.0f} |", flush=True)
    print(f"\n{fast} commands took at most {LEAST} s, {quick} ended within {LEAST} s")


def seconds(program: list[str], tree: str, caches: Path) -> float:
    """Return the processor time of a program of the interpreter, in a tree; the program must end without an error."""
    return measured(program, tree, caches, check=True)[0]


def measured(program: list[str], tree: str, caches: Path, check: bool = False) -> tuple[float, float, str]:
    """Return the processor time of a program of the interpreter, in a tree, the time that passed, and its output."""
    environment = {
        **os.environ,
        "PYTHONPATH": str(Path(tree, "src")),
        "PYTHONDONTWRITEBYTECODE": "",
        "PYTHONPYCACHEPREFIX": str(caches / "bytecode"),
        "NUMBA_CACHE_DIR": str(caches / "compiled"),
        "PUZZLESPACE_CACHE": str(caches / "tables"),
    }
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    ended = subprocess.run([sys.executable, *program], env=environment, check=check, capture_output=True, text=True)
    passed, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, passed, ended.stdout


if __name__ == "__main__":
    here = str(Path(__file__).parents[1])
    if sys.argv[1:] == ["--catalogue"]:
        catalogue(here)
    else:
        main(sys.argv[1:] or [here])
