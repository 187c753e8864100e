"""Complete depth tables: seconds, positions per second, memory, and how many times faster than the obvious ways.

    python benchmarks/tables.py            all rows of some seconds
    python benchmarks/tables.py --long     with slide:2x7 (minutes, 16 GB)
    python benchmarks/tables.py cube goat  rows whose name contains one of these words
    python benchmarks/tables.py --ranks    nanoseconds per rank and unrank instead, best of 15, one thread
    python benchmarks/tables.py --one-bit  one bit a position in memory, and files, against two bits instead

Every row runs in a process of its own: kernels are loaded first, on a small puzzle of the same kind, then the engine
runs alone; its memory is the process's peak. `twin` is the same question answered by unrank, move, rank (table_rank)
and `plain` by the textbook engine, both stopped after some seconds: positions per second against theirs, up to the
last layer that they finished.
Counts are held against known ones; the last line says whether all came out.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from machine import described
from puzzlespace.api.loader import load
from puzzlespace.contract.answers import Layers
from puzzlespace.contract.questions import Depths
from puzzlespace.engines import plain, table
from puzzlespace.engines.table import unranked
from puzzlespace.engines.table.one_bit import TWO_BITS
from puzzlespace.limits.machine import peak_memory
from puzzlespace.limits.memory import sized
from puzzlespace.limits.thresholds import USUAL, Thresholds
from puzzlespace.limits.watch import Limits, Watch
from puzzlespace.model.model import Model

RANKED = ("pancake:12", "pancake:16", "slide:4x4", "burnt:8", "cube:2", "goat", "lights:5x5", "flip:5x5", "hexagram")
SAMPLE = 20_000
TWIN_SECONDS = 8.0
PLAIN_POSITIONS = 1_000_000


@dataclass(frozen=True)
class Row:
    """One line: the puzzle, what must come out, and the seconds it may take.

    small    a puzzle that loads the same kernels
    """

    name: str
    spec: str
    metric: str
    positions: int
    depth: int
    hardest: int
    most: float
    small: str
    long: bool = False


ROWS = (
    Row("slide:3x4", "slide:3x4", "step", 239_500_800, 53, 18, 2.0, "slide:3x3"),
    Row("slide:2x6", "slide:2x6", "step", 239_500_800, 80, 2, 3.0, "slide:2x4"),
    Row("slide:3x4 multi", "slide:3x4", "multi", 239_500_800, 33, 5, 10.0, "slide:3x3"),
    Row("slide:2x7", "slide:2x7", "step", 43_589_145_600, 108, 1, 600.0, "slide:2x4", long=True),
    Row("slide:4x4 two colours", "two colours", "step", 102_960, -1, -1, 0.05, "two colours"),
    Row("cube:2 half turns", "cube:2", "run", 3_674_160, 11, 2_644, 0.10, "burnt:5"),
    Row("cube:2 quarter turns", "cube:2", "step", 3_674_160, 14, 276, 0.10, "burnt:5"),
    Row("pancake:11", "pancake:11", "step", 39_916_800, 13, 6, 0.5, "pancake:9"),
    Row("pancake:12", "pancake:12", "step", 479_001_600, 14, 167, 3.0, "pancake:9"),
    Row("burnt:8", "burnt:8", "step", 10_321_920, 15, 1, 0.4, "burnt:5"),
    Row("lrx:11", "lrx:11", "step", 39_916_800, 55, 1, 1.5, "lrx:9"),
    Row("topspin:12,4", "topspin:12,4", "step", 479_001_600, 38, 8, 30.0, "topspin:9,4"),
    Row("lights:5x5", "lights:5x5", "step", 8_388_608, 15, 7_350, 0.25, "lights:4x4"),
    Row("flip:5x5", "flip:5x5", "step", 663_552, 13, 4_608, 0.05, "flip:4x4"),
    Row("flip:6x6", "flip:6x6", "step", 10_077_696, 12, 96, 1.0, "flip:4x4"),
    Row("goat", "goat", "step", 5_443_200, 52, 7, 0.5, "goat"),
)


def model_of(spec: str, metric: str) -> Model:
    """The model of a spec, begun at its goal where it has one: depths are measured from there."""
    if spec == "two colours":
        return replace(load("slide:4x4").model(metric), start=bytes([0] + [1] * 7 + [2] * 8), goals=())
    model = load(spec).model(metric)
    return replace(model, start=next((goal.position for goal in model.goals if goal.position), model.start))


def counted(model: Model, by: Thresholds = USUAL) -> tuple[Layers, float, float]:
    """The answer of the table engine with its seconds and processor seconds."""
    began, used = time.perf_counter(), time.process_time()
    found = table.depths(Depths(model, (model.start,)), Watch(thresholds=by))
    return found, time.perf_counter() - began, time.process_time() - used


def rate_of(engine: str, model: Model, limits: Limits) -> float:
    """Positions per second of the twin or the plain engine up to the last layer that it finished; 0 where it cannot."""
    done: list[tuple[int, float]] = [(0, 1.0)]
    watch = Watch(limits, lambda progress: done.append((progress.found - progress.size, progress.seconds)))
    question = Depths(model, (model.start,), keep=0)
    if engine == "plain":
        found = plain.depths(question, watch)
    else:
        simple = table.simple(model)
        plan = unranked.plan(simple) if simple else None
        if plan is None:
            return 0.0
        unranked.depths(plan, question, Watch(Limits(positions=1000)))
        watch.began = time.perf_counter()
        found = unranked.depths(plan, question, watch)
    positions, seconds = (sum(found.counts), found.seconds) if found.complete else done[-1]
    return positions / seconds


def run(row: Row) -> dict[str, float | str | list[int]]:
    """Run one row in this process."""
    small = model_of(row.small, row.metric if row.small != "burnt:5" else "step")
    table.depths(Depths(small, (small.start,)), Watch())
    model = model_of(row.spec, row.metric)
    chosen = table.choose(model)
    assert chosen is not None
    found, seconds, used = counted(model)
    if seconds < 2:
        seconds, used = min((seconds, used), counted(model)[1:])
    memory = peak_memory()
    rates = {
        "twin": rate_of("twin", model, Limits(seconds=TWIN_SECONDS)),
        "plain": rate_of("plain", model, Limits(positions=PLAIN_POSITIONS)),
    }
    return {
        "kind": chosen.kind, "counts": list(found.counts), "seconds": seconds, "used": used, "memory": memory, **rates,
    }  # fmt: skip


def bits(row: Row) -> None:
    """Print what a row takes with two bits a position in memory and with one, in this process."""
    ways = (USUAL, Thresholds({TWO_BITS: -1}))
    for by in ways:
        counted(model_of(row.small, row.metric if row.small != "burnt:5" else "step"), by)
    model = model_of(row.spec, row.metric)
    chosen = table.choose(model)
    assert chosen is not None
    if chosen.kind not in ("slide", "turn"):
        (two, *seconds), (one, *more) = (counted(model, by) for by in ways)
        assert two.counts == one.counts
        size = [sized(each) for each in (chosen.plan.bytes, chosen.plan.one_bit.memory)]
        print(
            f"{row.name:<22}{chosen.kind:<8}{size[0]:>8}{size[1]:>8}{seconds[0]:>9.2f}{more[0]:>9.2f}"
            f"{more[0] / seconds[0]:>7.2f}{more[1] / seconds[1]:>7.2f}",
            flush=True,
        )


def ranks() -> int:
    """Print what ranking and unranking one position takes, over random numbers."""
    import numpy as np

    from puzzlespace.engines.table.rank_program import rank_code
    from puzzlespace.kernels.table.ranks import rank_many, unrank_many
    from puzzlespace.ranking.find import find

    print(f"{'puzzle':<12}{'rank ns':>8}{'unrank ns':>10}  ranking")
    for spec in RANKED:
        ranking = find(load(spec).model())
        assert ranking is not None
        code, out = rank_code(ranking), np.empty(SAMPLE, np.int64)
        numbers = np.random.default_rng(2026).integers(0, ranking.size, SAMPLE)
        rows = np.repeat(np.frombuffer(ranking.anchor, np.uint8)[None], SAMPLE, axis=0)
        took = [best(lambda: unrank_many(numbers, code, rows)), best(lambda: rank_many(rows, code, out))]  # noqa: B023
        assert (out == numbers).all()
        print(f"{spec:<12}{took[1]:>8.0f}{took[0]:>10.0f}  {ranking.size:,} positions")
    return 0


def best(work: Callable[[], object]) -> float:
    """Nanoseconds per position, the best of 15 runs."""
    found = []
    for _ in range(15):
        began = time.perf_counter()
        work()
        found.append(time.perf_counter() - began)
    return min(found) / SAMPLE * 1e9


def main(words: list[str]) -> int:
    """Print the table; return 1 where a count is not as known."""
    if "--ranks" in words:
        return ranks()
    wanted = [word for word in words if not word.startswith("--")]
    print(described(), flush=True)
    if "--one-bit" in words:
        print(
            f"{'puzzle':<22}{'kind':<8}{'two':>8}{'one':>8}{'two s':>9}{'one s':>9}{'ratio':>7}{'cpu':>7}", flush=True
        )
        for row in ROWS:
            if not row.long and (not wanted or any(word in row.name for word in wanted)):
                subprocess.run([sys.executable, __file__, "--bits", row.name], check=True)
        return 0
    print(
        f"{'puzzle':<22}{'kind':<8}{'positions':>15}{'depth':>6}{'hardest':>8}{'s':>9}{'at most':>8}{'cpu s':>8}"
        f"{'M pos/s':>9}{'MB':>7}{'x twin':>8}{'x plain':>8}"
    )
    wrong, slow = [], []
    for row in ROWS:
        if (row.long and "--long" not in words) or (wanted and not any(word in row.name for word in wanted)):
            continue
        command = [sys.executable, __file__, "--row", row.name]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            print(f"{row.name:<22}failed: {done.stderr.strip().splitlines()[-1]}")
            wrong.append(row.name)
            continue
        report(row, json.loads(done.stdout), wrong, slow)
    print(f"\ncounts not as known: {', '.join(wrong) or 'none'}; slower than they may be: {', '.join(slow) or 'none'}")
    return 1 if wrong else 0


def report(row: Row, result: dict, wrong: list[str], slow: list[str]) -> None:
    counts, seconds = result["counts"], result["seconds"]
    depth, hardest, positions = len(counts) - 1, counts[-1], sum(counts)
    rate = positions / seconds
    times = [f"{rate / result[name]:.0f}" if result[name] else "-" for name in ("twin", "plain")]
    print(
        f"{row.name:<22}{result['kind']:<8}{positions:>15,}{depth:>6}{hardest:>8,}{seconds:>9.3f}{row.most:>8}"
        f"{result['used']:>8.2f}{rate / 1e6:>9.1f}{result['memory'] / 1e6:>7.0f}{times[0]:>8}{times[1]:>8}",
        flush=True,
    )
    known = (row.positions, row.depth, row.hardest)
    if known != (positions, depth, hardest) and (row.depth >= 0 or positions != row.positions):
        wrong.append(row.name)
    if seconds > row.most:
        slow.append(row.name)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--row"]:
        print(json.dumps(run(next(row for row in ROWS if row.name == sys.argv[2]))))
    elif sys.argv[1:2] == ["--bits"]:
        bits(next(row for row in ROWS if row.name == sys.argv[2]))
    else:
        sys.exit(main(sys.argv[1:]))
