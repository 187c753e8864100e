"""Layers as runs on disk: what a position takes, what keeping costs, and counting with less memory than it needs.

    python benchmarks/runs_io.py                                 layers kept, a minute
    python benchmarks/runs_io.py --spill slide:2x6 300 --record  counted with so many MB of memory; to docs/records.md
    python benchmarks/runs_io.py --kills 100 --record            savings killed at random moments; to docs/records.md

`count` is the frontier engine in a warm process, `keep` the same with every layer kept (processor seconds, this process
with all threads; the best of three).
"""

from __future__ import annotations

import argparse
import json
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from machine import described, write
from tables_io import best

ROOT = Path(__file__).parent.parent
KEPT = (("klotski", ""), ("klotski", "step"), ("rush60", ""), ("century", ""), ("slide:2x5", ""), ("topspin:10,4", ""))
CLOCK = time.process_time
"""Processor time: other programs change it little."""

KILLED = (("star13", "frontier"), ("star13", "disk"), ("slide:2x3", "frontier"), ("slide:2x3", "disk"))
SPILLED = (
    "| puzzle | `--memory` | positions | depth | processor time | on the clock | memory | bytes read per position "
    "| written |",
    "|---|---|---|---|---|---|---|---|---|",
)


def measure(room: Path) -> None:
    """Print what keeping the layers of some puzzles takes."""
    from puzzlespace import load
    from puzzlespace.api import questions
    from puzzlespace.api.saved import kept, saving

    print(f"{'puzzle':<14} {'metric':<6} {'positions':>10} {'bytes each':>10} {'count':>8} {'keep':>8}")
    for spec, metric in KEPT:
        owner, folder = load(spec), room / "table"

        def keep(owner=owner, folder=folder, metric=metric) -> None:
            shutil.rmtree(folder, ignore_errors=True)
            engine = saving(owner, folder, engine="frontier", metric=metric)
            questions.depths(owner, origin="goal", metric=metric, engine=engine)

        keep()
        count = best(
            3, lambda o=owner, m=metric: questions.depths(o, origin="goal", metric=m, engine="frontier"), CLOCK
        )
        cost, found = best(3, keep, CLOCK), kept(folder).manifest
        states = sum(found["counts"])
        each = found["data"]["bytes"] / states
        print(f"{spec:<14} {found['metric']:<6} {states:>10,} {each:>10.2f} {count:>6.2f} s {cost:>6.2f} s")


def spilled(spec: str, megabytes: int) -> str:
    """Count a puzzle in this process with so little memory; return its row of the table."""
    from puzzlespace import load
    from puzzlespace.engines import frontier
    from puzzlespace.limits.watch import Limits, Watch
    from puzzlespace.search.merge import KeptLayers, Store

    owner, store = load(spec), Store()
    question = KeptLayers(owner.model(), (owner.anchor,), store=store)
    began = time.process_time(), time.perf_counter()
    layers = frontier.depths(question, Watch(Limits(memory=megabytes << 20)))
    busy, wall = time.process_time() - began[0], time.perf_counter() - began[1]
    states = sum(layers.counts)
    if layers.stopped is not None:
        return f"| `{spec}` | {megabytes}M | {layers.stopped} |" + " |" * 6
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6
    depth = len(layers.counts) - 1
    return (
        f"| `{spec}` | {megabytes}M | {states:,} | {depth} | {busy:.0f} s | {wall:.0f} s | {peak:.0f} MB "
        f"| {store.traffic.read / states:.2f} | {store.traffic.written / states:.2f} |"
    )


def kill(count: int) -> list[str]:
    """Kill savings of each puzzle; return a table of what came out."""
    lines = ["| puzzle | counted in | kills | tables finished | identical |", "|---|---|---|---|---|"]
    for seed, (spec, engine) in enumerate(KILLED, 1):
        words = [sys.executable, str(ROOT / "tests" / "support" / "kills.py"), spec, str(count), str(seed), engine]
        done = json.loads(subprocess.run(words, check=True, capture_output=True, text=True).stdout)
        where = "files" if engine == "disk" else "memory"
        lines.append(f"| `{spec}` | {where} | {done['kills']} | {done['finished']} | {done['same']} |")
        print(lines[-1], flush=True)
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--spill", nargs="+", metavar="PUZZLE MB", help="pairs: a puzzle, megabytes of memory")
    parser.add_argument("--kills", type=int, default=0)
    parser.add_argument("--record", action="store_true")
    asked = parser.parse_args()
    if asked.kills:
        lines = kill(asked.kills)
        if asked.record:
            write("records.md", "benchmarks/runs_io.py --kills", "\n".join([described(), "", *lines]))
    elif asked.spill:
        lines = [*SPILLED]
        for spec, megabytes in zip(asked.spill[::2], asked.spill[1::2], strict=True):
            words = [sys.executable, "-c", f"import runs_io; print(runs_io.spilled({spec!r}, {int(megabytes)}))"]
            done = subprocess.run(words, check=True, capture_output=True, text=True, cwd=Path(__file__).parent)
            lines.append(done.stdout.strip())
            print(lines[-1], flush=True)
        if asked.record:
            write("records.md", "benchmarks/runs_io.py --spill", "\n".join([described(), "", *lines]))
    else:
        print(described())
        with tempfile.TemporaryDirectory() as room:
            measure(Path(room))


if __name__ == "__main__":
    main()
