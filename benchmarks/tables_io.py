"""Kept depth tables: what saving costs over counting, and how soon a question is answered.

    python benchmarks/tables_io.py                        slide:3x4, under a minute
    python benchmarks/tables_io.py --kills 500 --record   kill savings at random moments; written to docs/records.md

`count` is the best of three counts in a warm process, `save` the same with the table kept (with its flush to the disk,
which `flush` says alone for as many bytes). `first question` is a whole process: open the table, one distance.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from machine import described, write

ROOT = Path(__file__).parent.parent
KILLED = (
    ("slide:3x3", "table"),
    ("burnt:5", "table"),
    ("slide:2x5", "table"),
    ("slide:3x3", "file"),
    ("burnt:5", "file"),
)


def best(runs: int, what: Callable[[], object], clock: Callable[[], float] = time.perf_counter) -> float:
    """Return the least seconds of some runs; processor time by its `clock`, which other programs change little."""
    found = []
    for _ in range(runs):
        began = clock()
        what()
        found.append(clock() - began)
    return min(found)


def flush(room: Path, size: int) -> None:
    """Write and flush a file of so many bytes."""
    with open(room / "flushed", "wb") as file:
        file.write(os.urandom(1 << 20) * (size >> 20))
        file.flush()
        os.fsync(file.fileno())


def measure(room: Path) -> None:
    from puzzlespace import load
    from puzzlespace.api import questions
    from puzzlespace.api.saved import open_table, saving

    small, owner, folder = load("slide:3x3"), load("slide:3x4"), room / "table"
    questions.depths(small, engine=saving(small, room / "small"))

    def save() -> None:
        shutil.rmtree(folder, ignore_errors=True)
        questions.depths(owner, engine=saving(owner, folder))

    count, kept = best(3, lambda: questions.depths(owner, engine="table")), best(3, save)
    size = (folder / "depths.bits").stat().st_size
    cpu = (best(4, what, time.process_time) for what in (lambda: questions.depths(owner, engine="table"), save))
    print(f"count            {count:8.2f} s")
    print(f"save             {kept:8.2f} s   {kept / count - 1:+.0%} over counting (at most +30 %)")
    print(f"processor time   {cpu[1]:8.2f} s   {cpu[1] / cpu[0] - 1:+.0%} over {cpu[0]:.2f} s of counting")
    print(f"flush            {best(3, lambda: flush(room, size)):8.2f} s   of {size:,} bytes")
    table = open_table(owner, folder)
    plan = table.places.chosen.plan
    chance = random.Random(1)
    drawn = [plan.unrank(chance.randrange(plan.positions)) for _ in range(1000)]
    seconds = best(2, lambda: [table.distance(position) for position in drawn])
    print(f"1,000 distances  {1000 * seconds:8.1f} ms  one by one")
    seconds = best(3, lambda: table.distances(drawn))
    print(f"1,000 distances  {1000 * seconds:8.1f} ms  together (at most 50 ms)")
    seconds = best(2, lambda: [table.best(position) for position in drawn])
    print(f"1,000 best moves {1000 * seconds:8.1f} ms  one by one (at most 100 ms)")
    words = [sys.executable, "-m", "puzzlespace", "distance", "slide:3x4", owner.line(drawn[0]), "--table", str(folder)]
    seconds = best(3, lambda: subprocess.run(words, check=True, capture_output=True))
    print(f"first question   {seconds:8.2f} s   whole process (at most 0.6 s)")


def kill(count: int, record: bool) -> None:
    """Kill savings of each puzzle, print what came out, and write it to the records."""
    lines = ["| puzzle | bits in | kills | tables finished | identical |", "|---|---|---|---|---|"]
    for seed, (spec, engine) in enumerate(KILLED, 1):
        words = [sys.executable, str(ROOT / "tests" / "support" / "kills.py"), spec, str(count), str(seed), engine]
        done = json.loads(subprocess.run(words, check=True, capture_output=True, text=True).stdout)
        where = "memory" if engine == "table" else "files"
        lines.append(f"| `{spec}` | {where} | {done['kills']} | {done['finished']} | {done['same']} |")
        print(lines[-1], flush=True)
    if record:
        write("records.md", "benchmarks/tables_io.py --kills", "\n".join([described(), "", *lines]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=0)
    parser.add_argument("--record", action="store_true")
    asked = parser.parse_args()
    if asked.kills:
        return kill(asked.kills, asked.record)
    print(described())
    with tempfile.TemporaryDirectory() as room:
        measure(Path(room))


if __name__ == "__main__":
    main()
