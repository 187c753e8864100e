"""Hold what `plan` says against finished counts: processor time, memory, bytes on the disk.

    python benchmarks/plan.py                  the rows that take seconds
    python benchmarks/plan.py --record         written to docs/scale.md
    python benchmarks/plan.py --large          slide:2x7 as well (minutes, 6 GB)

Each count runs in its own process, after a smaller puzzle has loaded the compiled loops, as for the rates. Memory is
what the process holds at its peak above what it held before the count. Of a saved table the depths and their checksums
are compared, without the manifest. Processor time is compared, because other programs disturb wall time more.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from machine import described, write

ROOT = Path(__file__).parent.parent
FEW = 100_000_000
"""Positions of saved tables at most."""

ROWS = [
    ("slide:2x6", "step", "auto"),
    ("slide:3x4", "step", "auto"),
    ("slide:3x4", "multi", "auto"),
    ("cube:2", "run", "auto"),
    ("burnt:8", "step", "auto"),
    ("pancake:11", "step", "auto"),
    ("topspin:11,4", "step", "auto"),
    ("goat", "step", "auto"),
    ("topspin:11,4", "step", "frontier"),
    ("slide:2x6", "step", "frontier"),
    ("century", "step", "auto"),
    ("lights:25x25", "step", "auto"),
    ("english", "step", "pegs"),
    ("english", "chain", "pegs"),
]
SMALL = {
    "slide": "slide:2x5", "cube": "burnt:7", "burnt": "burnt:7", "pancake": "pancake:10", "topspin": "topspin:10,4",
    "goat": "topspin:10,4", "century": "klotski", "lights": "lights:5x5",
    "english": "peg:star13",
}  # fmt: skip
"""What is counted before, by the name of the puzzle."""

LARGE = ("slide:2x7", "step", "auto")


def held(what: str) -> int:
    """Return bytes from /proc/self/status: VmHWM (the peak) or VmRSS."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(what))


def forecast(name: str, metric: str, engine: str) -> dict[str, object]:
    """Plan one row in this process."""
    from puzzlespace import plan

    found = plan(name, metric=metric, engine=engine)
    return {
        "engine": found.engine, "numbering": found.numbering, "positions": found.positions.most,
        "least": found.positions.least, "depth": found.depth, "memory": found.memory.most, "saved": found.saved,
        "processor": found.processor.most, "fewest": found.processor.least,
    }  # fmt: skip


def count(name: str, metric: str, engine: str, save: bool) -> dict[str, object]:
    """Count one row in this process, and save its table if `save` is set."""
    from puzzlespace import depths, load, saving

    owner = load(name)
    warm = load(SMALL[name.partition(":")[0]])
    depths(warm, metric=metric if metric in warm.metrics else "", engine=engine, cache="off")
    Path("/proc/self/clear_refs").write_text("5")  # the peak begins anew
    before, began = held("VmRSS"), time.process_time()
    table = depths(owner, metric=metric, engine=engine, cache="off")
    spent, peak = time.process_time() - began, held("VmHWM")
    answer: dict[str, object] = {
        "positions": table.states, "depth": table.depth, "processor": spent, "memory": peak - before, "saved": 0,
    }  # fmt: skip
    if save:
        with tempfile.TemporaryDirectory() as folder:
            where = Path(folder) / "table"
            depths(owner, metric=metric, engine=saving(owner, where, metric=metric), cache="off")
            answer["saved"] = sum(each.stat().st_size for each in where.glob("depths.*"))
    return answer


def row(name: str, metric: str, engine: str) -> list[str]:
    """Plan and count one row, each in a new process; return its line."""
    words = [sys.executable, __file__, "--one", name, metric, engine]
    plan = json.loads(subprocess.run([*words, "plan"], stdout=subprocess.PIPE, check=True).stdout)
    save = plan["saved"] and plan["positions"] <= 3 * FEW
    real = json.loads(subprocess.run([*words, "save" if save else "count"], stdout=subprocess.PIPE, check=True).stdout)
    ratio = plan["processor"] / real["processor"]
    saved = f"{plan['saved'] / real['saved']:.2f}" if save else "-"
    exact = plan["least"] == plan["positions"]
    positions = ("" if exact else "up to ") + shown(plan["positions"])
    counted = shown(real["positions"])
    return [
        f"`{name}`" + ("" if metric == "step" else f" {metric}"), f"{plan['engine']}", positions, counted,
        str(plan["depth"]), str(real["depth"]), f"{plan['processor']:.2f} s", f"{real['processor']:.2f} s",
        f"{ratio:.2f}",
        f"{plan['memory'] / 1e6:,.0f} MB", f"{max(0, real['memory']) / 1e6:,.0f} MB", saved,
    ]  # fmt: skip


def shown(number: int) -> str:
    """Return a number with separators, or its power of ten."""
    return f"{number:,}" if number < 10**18 else f"about 10^{len(str(number)) - 1}"


HEADS = ["puzzle", "engine", "positions planned", "counted", "depth planned", "counted", "processor time planned",
         "counted", "ratio", "memory planned", "taken", "bytes of a saved table, ratio"]  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--record", action="store_true")
    parser.add_argument("--large", action="store_true")
    parser.add_argument("--one", nargs=4, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.one:
        *which, what = chosen.one
        print(json.dumps(forecast(*which) if what == "plan" else count(*which, what == "save")))
        return
    lines = ["| " + " | ".join(HEADS) + " |", "|" + "---|" * len(HEADS)]
    print("\n".join(lines), flush=True)
    for each in [*ROWS, *([LARGE] if chosen.large else [])]:
        lines.append("| " + " | ".join(row(*each)) + " |")
        print(lines[-1], flush=True)
    if chosen.record:
        write("scale.md", "benchmarks/plan.py", "\n".join([described(), "", *lines]))


if __name__ == "__main__":
    main()
