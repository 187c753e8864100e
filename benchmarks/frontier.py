"""The frontier engine's depth tables and searches: seconds, rates and memory, each row in its own process.

    python benchmarks/frontier.py              all rows (about a minute on two cores)
    python benchmarks/frontier.py --small      without slide:3x4
    python benchmarks/frontier.py --threads 1

`engine s` is the wall time in the engine, `cpu s` the processor time of the process up to there with all
imports; compiled loops come from their cache. `plain` is the rate of the plain engine on the same question, which
it is given a million generated positions for, and `times` the ratio of the two rates of generated positions.
`positions` (for `solve` the moves) are held against published numbers.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import time

DEPTHS = {
    "eight": 181_440,
    "flip:5x5": 663_552,
    "klotski": 25_955,
    "goat": 5_443_200,
    "cube:2": 3_674_160,
    "lights:5x5": 8_388_608,
    "slide:3x4": 239_500_800,
}
SOLVES = {"goat-hard": 52, "klotski": 81, "rush60": 60}
PLAIN = 1_000_000


def measured(kind: str, name: str, threads: int | None) -> dict[str, float]:
    """Answer one question with the frontier and with the plain engine; return what was measured."""
    from dataclasses import replace

    from puzzlespace import load
    from puzzlespace.contract.questions import Depths, Search
    from puzzlespace.engines import frontier, plain
    from puzzlespace.limits.watch import Limits, Watch

    if threads is not None:
        os.sched_setaffinity(0, set(sorted(os.sched_getaffinity(0))[:threads]))
    model = load(name).model()
    positions = tuple(goal.position for goal in model.goals if goal.position is not None)
    start = model.start if model.start is not None else positions[0]
    if kind == "depths":
        asked = Depths(model, positions[:1] or (start,))
        found = frontier.depths(asked, Watch())
        size = sum(found.counts)
    else:
        asked = Search(model, start, positions if len(positions) == len(model.goals) else None)
        found = frontier.search(asked, Watch())
        size = found.bound or 0
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    used = time.process_time()
    watch = Watch(Limits(positions=PLAIN))
    slow = (plain.depths if kind == "depths" else plain.search)(replace(asked), watch)
    return {
        "size": size,
        "engine": found.seconds,
        "cpu": used,
        "generated": found.generated,
        "memory": memory,
        "plain": slow.generated / slow.seconds,
    }


def row(kind: str, name: str, wanted: int, threads: int | None) -> bool:
    """Print one row; return whether the number came out as known."""
    words = [sys.executable, __file__, "--one", kind, name, *(["--threads", str(threads)] if threads else [])]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    got = json.loads(done.stdout)
    rate = got["generated"] / got["engine"]
    each = f"{got['size'] / got['engine'] / 1e6:9.2f}" if kind == "depths" else " " * 9
    right = "" if got["size"] == wanted else f"  WRONG, expected {wanted:,}"
    print(
        f"{kind + ' ' + name:<20}{got['size']:>13,}{got['engine']:>9.2f}{got['cpu']:>8.2f}{each}{rate / 1e6:>9.2f}"
        f"{got['memory'] / 2**20:>8.0f}{got['plain'] / 1e6:>9.3f}{rate / got['plain']:>8.1f}{right}",
        flush=True,
    )
    return not right


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--small", action="store_true", help="leave out slide:3x4")
    parser.add_argument("--threads", type=int, help="processor cores to use")
    parser.add_argument("--one", nargs=2, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.one:
        print(json.dumps(measured(*chosen.one, chosen.threads)))
        return 0
    print(f"{os.cpu_count()} cores, {time.strftime('%Y-%m-%d')}; M/s: millions of positions found, generated a second")
    names = ("positions", "engine s", "cpu s", "M/s", "gen M/s", "MiB", "plain", "times")
    print(" " * 20 + "".join(f"{name:>{wide}}" for name, wide in zip(names, (13, 9, 8, 9, 9, 8, 9, 8), strict=True)))
    rows = [("depths", *item) for item in DEPTHS.items() if not (chosen.small and item[0] == "slide:3x4")]
    rows += [("solve", *item) for item in SOLVES.items()]
    right = [row(*each, chosen.threads) for each in rows]
    return 0 if all(right) else 1


if __name__ == "__main__":
    raise SystemExit(main())
