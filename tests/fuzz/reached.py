"""`python -m tests.fuzz.reached --count N --seed S`: which lines of the fast paths random puzzles reach.

Needs the package `coverage`. Compiled loops are run uncompiled; what writes machine code is left out. Prints the lines
that nothing reached, file by file.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path

ROOMS = ("engines", "kernels", "ranking", "heuristics")


def main() -> int:
    """Examine puzzles and print the figures."""
    options = argparse.ArgumentParser(prog="python -m tests.fuzz.reached", description=__doc__)
    options.add_argument("--count", type=int, default=300, help="how many puzzles")
    options.add_argument("--seed", type=int, default=0, help="the first seed; the others follow")
    options.add_argument("--seconds", type=float, default=1e9, help="end after so many seconds")
    given = options.parse_args()
    os.environ["NUMBA_DISABLE_JIT"] = "1"
    os.environ["PUZZLESPACE_CACHE"] = tempfile.mkdtemp()
    import coverage

    source = Path(__file__).parents[2] / "src" / "puzzlespace"
    measured = coverage.Coverage(include=[f"{source / room}/*" for room in ROOMS], data_file=None)
    measured.exclude(r"if TYPE_CHECKING:")
    measured.exclude(r"^else:$")  # what writes machine code where loops are compiled
    measured.start()
    from .generators import draw
    from .harness import examine

    began, done = time.perf_counter(), 0
    for seed in range(given.seed, given.seed + given.count):
        if time.perf_counter() - began > given.seconds:
            break
        for fault in examine(draw(seed), seed).faults[:1]:
            print(f"seed {seed}: {fault}", file=sys.stderr, flush=True)
        done += 1
    measured.stop()
    total = missed = 0
    for room in ROOMS:
        for file in sorted((source / room).glob("*.py")):
            _, lines, _, missing, text = measured.analysis2(str(file))
            total, missed = total + len(lines), missed + len(missing)
            if missing:
                share = 100 * (1 - len(missing) / len(lines))
                print(f"{room}/{file.name}: {share:.0f} % of {len(lines)} lines; never {text}")
    print(f"{done} puzzles reach {total - missed:,} of {total:,} lines, {100 * (1 - missed / total):.1f} %")
    return 0


if __name__ == "__main__":
    sys.exit(main())
