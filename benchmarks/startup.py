"""Whole commands in fresh processes, processor time (user and system): `python benchmarks/startup.py [TREE …]`.

Each tree is a checkout; this one without arguments. Commands take turns, so that trees meet the same load. The first
round is not counted: it compiles and fills the caches.
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

COMMANDS = (
    "--help",
    "solve goat",
    "depths flip:5x5",
    "components eight",
    "solve klotski",
    "hardest eight",
)
ROUNDS = 7


def main(trees: list[str]) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        taken: dict[tuple[str, str], list[float]] = {}
        for _ in range(ROUNDS + 1):
            for words in COMMANDS:
                for number, tree in enumerate(trees):
                    caches = Path(scratch, str(number))
                    taken.setdefault((words, tree), []).append(seconds(words, tree, caches))
    print("| command | " + " | ".join(trees) + " |")
    for words in COMMANDS:
        middle = [statistics.median(taken[words, tree][1:]) for tree in trees]
        print(f"| `{words}` | " + " | ".join(f"{each:.2f}" for each in middle) + " |")


def seconds(words: str, tree: str, caches: Path) -> float:
    """Return the processor time of a command of a tree."""
    environment = {
        **os.environ,
        "PYTHONPATH": str(Path(tree, "src")),
        "PYTHONDONTWRITEBYTECODE": "",
        "PYTHONPYCACHEPREFIX": str(caches / "bytecode"),
        "NUMBA_CACHE_DIR": str(caches / "compiled"),
        "PUZZLESPACE_CACHE": str(caches / "tables"),
    }
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [sys.executable, "-m", "puzzlespace", *words.split()], env=environment, check=True, capture_output=True
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


if __name__ == "__main__":
    main(sys.argv[1:] or [str(Path(__file__).parents[1])])
