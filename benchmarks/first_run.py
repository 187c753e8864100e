"""What compiling costs the first run of a command: `python benchmarks/first_run.py [TREE …]`, a table in Markdown.

For each tree (a checkout; this one without arguments) the processor seconds, user and system, of a first run, whose
cache of compiled loops is empty, and of later runs (the median of LATER), and the files that are then in the cache.
Trees take turns, so that they meet the same load. No tables are kept. Bytecode must be there: the command `--help` and
one of the commands below write it.
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from machine import described

COMMANDS = (
    "solve goat",
    "solve klotski",
    "solve microban36",
    "solve slide:4x4 --start 14,13,15,7,11,12,9,5,6,.,2,1,4,8,10,3 --goal .,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15",
    "solve english",
    "depths eight",
    "depths goat",
    "depths flip:5x5",
    "depths flip:5x5 --engine frontier",
    "solve microban36 --engine boxes",
)
LATER = 3


def seconds(words: list[str], tree: str, caches: Path) -> float:
    """Return the processor time of a command in a tree."""
    environment = {
        **os.environ,
        "PYTHONPATH": str(Path(tree, "src")),
        "NUMBA_CACHE_DIR": str(caches),
        "PUZZLESPACE_CACHE": str(caches / "tables"),
        "PUZZLESPACE_CACHE_SIZE": "0",
    }
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-m", "puzzlespace", *words], env=environment, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def row(command: str, trees: list[str]) -> str:
    """Return the row of a command."""
    words = [word.replace(",", " ") for word in command.split()]
    cells = []
    with tempfile.TemporaryDirectory() as scratch:
        caches = [Path(scratch, str(number)) for number in range(len(trees))]
        runs = [[seconds(words, *each) for each in zip(trees, caches, strict=True)] for _ in range(1 + LATER)]
        for (first, *later), cache in zip(zip(*runs, strict=True), caches, strict=True):
            files = sum(each.is_file() for each in cache.rglob("*"))
            cells.append(f"{first:.2f} | {statistics.median(later):.2f} | {files}")
    return f"| `{command.split(' --start')[0]}` | " + " | ".join(cells) + " |"


def main(trees: list[str]) -> None:
    print(described())
    print("\n| command |" + " first | later | files |" * len(trees) + "\n" + "|---" * (1 + 3 * len(trees)) + "|")
    for command in COMMANDS:
        print(row(command, trees), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:] or [str(Path(__file__).parents[1])])
