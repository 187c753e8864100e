"""Complete depth tables of slides by windows: seconds, rate, memory and what bounds them, each in its own process.

    python benchmarks/table_slide.py             the rows that take seconds
    python benchmarks/table_slide.py --threads 1
    python benchmarks/table_slide.py --record    slide:2x7 as well (minutes, 6 GB), written to docs/records.md

`engine` is the wall time of the count with its tables, `process` that of the whole process with all imports. `moved`
is what all layers would read and write if no block were skipped, and `copying` how long copying as many bytes takes on
this machine with one thread: a count below that time skipped blocks or used both cores. Counts are compared with
tests/data/tiles_depths.csv.
"""

from __future__ import annotations

import argparse
import csv
import json
import resource
import subprocess
import sys
import time
from pathlib import Path

from machine import described, write

ROOT = Path(__file__).parent.parent
TRUTH = ROOT / "tests" / "data" / "tiles_depths.csv"
TWO_COLOURS = "slide:4x4 of 7 black, 8 white"
ROWS = [("slide:3x4", "step"), ("slide:2x6", "step"), ("slide:3x4", "multi"), (TWO_COLOURS, "step")]
LARGE = ("slide:2x7", "step")


def model_of(name: str, metric: str):
    """Return the model of a row."""
    from puzzlespace.api.loader import from_text, load

    if name != TWO_COLOURS:
        return load(name).model(metric)
    drawing = ("B B B B", "B B B W", "W W W W", "W W W .")
    goal = "".join(f"\n  {row}" for row in drawing)
    return from_text(f"title: Two colours\nrule: slide\ngoal:{goal}\n", "colours.pzl").model(metric)


def count(name: str, metric: str, threads: int | None) -> dict[str, object]:
    """Count one row in this process; return what is to be printed."""
    from puzzlespace.contract.questions import Depths
    from puzzlespace.engines.table.slide import numbering
    from puzzlespace.limits.watch import Progress, Watch

    model = model_of(name, metric)
    source = model.start if model.start is not None else model.goals[0].position

    def report(done: Progress) -> None:
        if name == LARGE[0]:
            print(f"{done.layer:4} {done.size:15,} {done.seconds:8.1f} s", file=sys.stderr, flush=True)

    warm = model_of("slide:2x2", metric)
    numbering.depths(numbering.plan(warm), Depths(warm, (warm.goals[0].position,)), Watch(), 1)
    plan = numbering.plan(model)
    watch = Watch(report=report)
    layers = numbering.depths(plan, Depths(model, (source,)), watch, threads)
    from puzzlespace.engines.table.slide.counting import SLIDE_BLOCK, Ground

    ground = Ground(plan, [source], watch.thresholds[SLIDE_BLOCK])
    rows, tables = len(ground.rows), 1 if ground.colours is not None else 2
    passes = (rows + len(ground.arcs) / 2) if tables == 1 else (3 * rows + 4 * len(ground.arcs))
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return {
        "counts": layers.counts,
        "seconds": watch.seconds,
        "cpu": usage.ru_utime + usage.ru_stime,
        "memory": peak_memory(),
        "moved": passes * plan.words * 8 * len(layers.counts),
        "hardest": [position.hex(" ") for position in layers.deepest],
    }


def peak_memory() -> int:
    """Return the peak resident memory of this process in bytes; getrusage would give the parent's where larger."""
    status = Path("/proc/self/status").read_text()
    return next(int(line.split()[1]) * 1024 for line in status.splitlines() if line.startswith("VmHWM"))


def known(name: str, metric: str) -> list[int] | None:
    """Return the counts known from elsewhere, or None."""
    board, kind = name.removeprefix("slide:"), "multi" if metric == "multi" else "single"
    with TRUTH.open() as file:
        rows = [row for row in csv.DictReader(file) if row["board_rows_x_cols"] == board and row["metric"] == kind]
    return [int(row["positions"]) for row in rows if row["blank_in_goal"] == "corner"] or None


def copying() -> float:
    """Return the bytes per second that one thread reads and writes when it copies memory."""
    import numpy as np

    block = np.ones(1 << 24, np.uint64)
    other = np.empty_like(block)
    best = 0.0
    for _ in range(6):
        began = time.perf_counter()
        np.copyto(other, block)
        best = max(best, 2 * block.nbytes / (time.perf_counter() - began))
    return best


def row(name: str, metric: str, threads: int | None, bandwidth: float) -> dict[str, object]:
    """Count one row in a new process (the better of two where it takes seconds) and print its line."""
    words = [sys.executable, __file__, "--one", name, metric, *(["--threads", str(threads)] if threads else [])]
    found: dict[str, object] = {}
    for _ in range(1 if name == LARGE[0] else 2):
        began = time.perf_counter()
        answer = json.loads(subprocess.run(words, stdout=subprocess.PIPE, check=True).stdout)
        answer["process"] = time.perf_counter() - began
        found = min((found or answer, answer), key=lambda each: each["seconds"])
    counts, truth = found["counts"], known(name, metric)
    total = sum(counts)
    verdict = "as known" if counts == truth else "not known elsewhere" if truth is None else "WRONG"
    print(
        f"{name + ('' if metric == 'step' else ' ' + metric):<30}{total:>16,}{len(counts) - 1:>5}{counts[-1]:>5}"
        f"{found['seconds']:>9.2f}{found['process']:>9.2f}{found['cpu']:>9.2f}{total / found['seconds'] / 1e6:>9,.0f}"
        f"{found['memory'] / 1e6:>9,.0f}{found['moved'] / 1e9:>9.1f}{found['moved'] / bandwidth:>9.2f}  {verdict}",
        flush=True,
    )
    if verdict == "WRONG":
        raise SystemExit(f"{name}: expected {truth}, found {counts}")
    return found


def record(name: str, metric: str, found: dict[str, object]) -> None:
    """Write one row's answer to the records."""
    counts = found["counts"]
    total, seconds = sum(counts), found["seconds"]
    text = f"""{total:,} positions, greatest depth {len(counts) - 1}, {counts[-1]:,} of that depth.
{judged(name, metric, counts)}
By `benchmarks/table_slide.py --record`: {seconds:,.0f} s on the clock, {found["cpu"]:,.0f} s of processor time,
{found["memory"] / 1e9:.2f} GB at the peak, {total / seconds / 1e6:,.0f} million positions a second
({described()}).

Hardest: `{"`, `".join(found["hardest"])}` (the symbol of each cell in reading order; 0 is the blank).
"""
    write("records.md", "benchmarks/table_slide.py", text)


def judged(name: str, metric: str, counts: list[int]) -> str:
    truth = known(name, metric)
    if truth is None:
        return "No other count is known to us."
    return f"The counts {'agree with' if counts == truth else 'DIFFER from'} `tests/data/tiles_depths.csv`."


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--threads", type=int)
    parser.add_argument("--record", action="store_true")
    parser.add_argument("--one", nargs=2, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.one:
        print(json.dumps(count(*chosen.one, chosen.threads)))
        return
    bandwidth = copying()
    print(f"{described()}; copying {bandwidth / 1e9:.1f} GB/s read and written, one thread")
    print(f"{'':<30}{'positions':>16}{'depth':>5}{'last':>5}{'engine':>9}{'process':>9}{'cpu':>9}{'million/s':>9}"
          f"{'MB':>9}{'moved GB':>9}{'copying':>9}")  # fmt: skip
    for name, metric in ROWS:
        row(name, metric, chosen.threads, bandwidth)
    if chosen.record:
        record(*LARGE, row(*LARGE, chosen.threads, bandwidth))


if __name__ == "__main__":
    main()
