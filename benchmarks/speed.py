"""What a person waits for: whole commands timed from outside, beside the plain engine's time in the same run.

    python benchmarks/speed.py            all rows (under a minute)
    python benchmarks/speed.py --large    with slide:3x4 by the frontier engine as well

Every row is the best of three runs of the command after one that fills the caches; `first` is that one. The last column
is the plain engine's time for the same question over this one's.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time

import puzzlespace

COMMANDS = [
    (("--help",), 0.3, None),
    (("solve", "goat"), 1.0, ("solve", "goat", "--engine", "plain", "--positions", "1000000")),
    (("depths", "eight"), 1.0, ("depths", "eight", "--engine", "plain")),
    (("depths", "flip:5x5"), 1.5, ("depths", "flip:5x5", "--engine", "plain")),
    (("depths", "flip:5x5", "--engine", "frontier"), 1.5, None),
    (("depths", "goat"), 3.0, ("depths", "goat", "--engine", "plain", "--positions", "2000000")),
    (("depths", "goat", "--engine", "frontier"), 3.0, None),
]
LARGE = [(("depths", "slide:3x4", "--engine", "frontier", "--memory", "2G"), 20.0, None)]


def seconds(words: tuple[str, ...], environment: dict[str, str]) -> float:
    """Return the wall time of one command."""
    began = time.perf_counter()
    subprocess.run([sys.executable, "-m", "puzzlespace", *words, "-q"][: None if words[0] != "--help" else -1],
                   env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)  # fmt: skip
    return time.perf_counter() - began


def row(words: tuple[str, ...], most: float, twin: tuple[str, ...] | None, environment: dict[str, str]) -> None:
    first = seconds(words, environment)
    best = min(seconds(words, environment) for _ in range(3))
    ratio = ""
    if twin is not None:
        limited = "--positions" in twin
        ratio = f"{seconds(twin, environment) / best:.1f}" + ("+ (plain was stopped)" if limited else "")
    print(f"{'puzzlespace ' + ' '.join(words):<60} {first:>7.2f} {best:>7.2f} {most:>7.1f}  {ratio}", flush=True)


def python_puzzles() -> None:
    """Time positions generated per second for a puzzle given as a Python function."""
    size = 700

    def moves(square: tuple[int, int]) -> list[tuple[int, int]]:
        x, y = square
        return [(x + 1, y), (x - 1, y), (x, (y + 1) % size), (x, (y - 1) % size)] if 0 < x < size else [(x or 1, y)]

    table = puzzlespace.depths(puzzlespace.Custom(moves=moves, start=(1, 0), goal=(size, size)))
    rate = table.generated / table.seconds
    print(f"\npuzzle in Python by plain: {rate:,.0f} positions generated/s (at least 200,000)")


def main() -> None:
    with tempfile.TemporaryDirectory() as caches:
        environment = os.environ | {"NUMBA_CACHE_DIR": caches, "PUZZLESPACE_CACHE_SIZE": "0"}
        print(f"{'command':<60} {'first':>7} {'best':>7} {'at most':>7}  plain/this")
        for words, most, twin in COMMANDS + (LARGE if "--large" in sys.argv else []):
            row(words, most, twin, environment)
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"peak memory of the largest command: {peak:,.0f} MB")
    python_puzzles()


if __name__ == "__main__":
    main()
