"""Levels of Sokoban: the least length of every level of a file in a metric, proved.

    python benchmarks/sokoban.py FILE [METRIC [SECONDS]]

FILE is in a format for Sokoban, METRIC is `push`, `move` or `run`. Each level gets SECONDS (60) and 4 GB. Printed are
the length or the bound that was proved, positions generated and processor seconds of each level, and at last how many
levels were solved, how many of them within a second, and the sum of their lengths.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from machine import described
from puzzlespace.api.loader import load
from puzzlespace.contract.questions import Search
from puzzlespace.engines import boxes
from puzzlespace.formats.sokoban import levels_of
from puzzlespace.limits.watch import Limits, Watch


def main(file: str, metric: str, seconds: float) -> int:
    """Print a row for each level; return 1 if none is solved."""
    spent: list[float] = []
    total = 0
    print(described(), flush=True)
    print(f"{'level':>5}{metric + 's':>12}{'generated':>13}{'cpu s':>8}")
    count = len(levels_of(Path(file).read_text(encoding="utf-8")))
    for number in range(1, count + 1):
        model = load(f"{file}#{number}").model(metric)
        assert model.start is not None
        began = time.process_time()
        watch = Watch(Limits(seconds=seconds, memory=4 << 30))
        found = boxes.search(Search(model, model.start, every=False), watch)
        taken = time.process_time() - began
        if found.stopped is None and found.bound is not None:
            spent.append(taken)
            total += found.bound
        length = (
            "no solution" if found.bound is None else f"{found.bound}" if found.stopped is None else f">= {found.bound}"
        )
        print(f"{number:>5}{length:>12}{found.generated:>13,}{taken:>8.2f}", flush=True)
    quick = sum(each < 1 for each in spent)
    print(f"{len(spent)} of {count} solved, {quick} in less than a second; {total} {metric}s in all")
    return 0 if spent else 1


if __name__ == "__main__":
    words = sys.argv[2:]
    sys.exit(main(sys.argv[1], words[0] if words else "push", float(words[1]) if len(words) > 1 else 60))
