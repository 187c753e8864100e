"""Whole commands in fresh processes, processor time (user and system): `python benchmarks/startup.py [TREE …]`.

First the interpreter without the program, and with what the program loads: the compiler alone takes most of the time of
commands with compiled loops. Each tree is a checkout; this one without arguments. Commands take turns, so that trees
meet the same load. The first round is not counted: it compiles and fills the caches.
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

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


def main(trees: list[str]) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        taken: dict[tuple[str, str], list[float]] = {}
        for _ in range(ROUNDS + 1):
            for words in (*BARE, *COMMANDS):
                program = ["-c", words] if words in BARE else ["-m", "puzzlespace", *words.split()]
                for number, tree in enumerate(trees):
                    caches = Path(scratch, str(number))
                    taken.setdefault((words, tree), []).append(seconds(program, tree, caches))
    print("| command | " + " | ".join(trees) + " |")
    print("|---" * (len(trees) + 1) + "|")
    for words in (*BARE, *COMMANDS):
        middle = [statistics.median(taken[words, tree][1:]) for tree in trees]
        print(f"| `{words}` | " + " | ".join(f"{each:.2f}" for each in middle) + " |")


def seconds(program: list[str], tree: str, caches: Path) -> float:
    """Return the processor time of a program of the interpreter, in a tree."""
    environment = {
        **os.environ,
        "PYTHONPATH": str(Path(tree, "src")),
        "PYTHONDONTWRITEBYTECODE": "",
        "PYTHONPYCACHEPREFIX": str(caches / "bytecode"),
        "NUMBA_CACHE_DIR": str(caches / "compiled"),
        "PUZZLESPACE_CACHE": str(caches / "tables"),
    }
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *program], env=environment, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


if __name__ == "__main__":
    main(sys.argv[1:] or [str(Path(__file__).parents[1])])
