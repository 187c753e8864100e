"""Depth tables of sliding puzzles on a graphics card, beside the card's copy bandwidth measured in the same run.

    python benchmarks/gpu.py                 slide:3x4, slide:2x6, slide:3x4 multi and slide:2x7, on the card
    python benchmarks/gpu.py --cpu           and each of them on the processor in the same run, at most CPU_SECONDS
    python benchmarks/gpu.py --whole         slide:3x5 as well: 87 GB on the card
    python benchmarks/gpu.py --only slide:2x7 --variants AT_ONCE=4 AT_ONCE=2,EAGER=1
                                             one puzzle with the kernels compiled in several ways
    python benchmarks/gpu.py --save FOLDER   slide:3x4 saved by both, and the bytes compared
    python benchmarks/gpu.py --goals slide:2x7 slide:3x5
                                             goals with the blank in each cell that no symmetry of the board maps to
                                             another one of them; with --cpu processors count all but slide:3x5 too
    python benchmarks/gpu.py --record        write the tables into docs/methods/gpu.md, with any of the above
    python benchmarks/gpu.py --compile sm_90 what the compiler says about the kernels; needs no card
    python benchmarks/gpu.py --emulated      on the emulated card of the tests: tries the program without a card

`open` is the time to open the card and to compile the kernels, which is done once, `tables` the time to make the tables
of the windows on the host and to send them, `count` the time of all layers. `worst` is the longest layer, `ms` its
time. `GB/s` are the bytes that it reads and writes if no block is skipped and nothing is cached, by its time, and
`of copy` is that rate as a share of the copy bandwidth. Counts are compared with tests/data/tiles_depths.csv; a
difference ends the program with exit code 1.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import json
import statistics
import sys
import time
from pathlib import Path

from machine import described, write

ROOT = Path(__file__).parent.parent
TRUTH = ROOT / "tests" / "data" / "tiles_depths.csv"
ROWS = [("slide:3x4", "step"), ("slide:2x6", "step"), ("slide:3x4", "multi"), ("slide:2x7", "step")]
WHOLE = ("slide:3x5", "step")
COPIED = 1 << 33
"""Bytes of one copy; a card with less memory copies a quarter of it."""

COMMAND = "benchmarks/gpu.py"
PAGE = "methods/gpu.md"
GOALS = "| puzzle | blank of the goal: row, column | greatest depth | positions there | mean depth | seconds | twice |"
TIMES = 10
CPU_SECONDS = 300.0


def known(name: str, metric: str) -> list[int]:
    """Return the counts known from elsewhere."""
    kind = "multi" if metric == "multi" else "single"
    with TRUTH.open() as file:
        rows = [
            row
            for row in csv.DictReader(file)
            if (f"slide:{row['board_rows_x_cols']}", row["metric"], row["blank_in_goal"]) == (name, kind, "corner")
        ]
    return [int(row["positions"]) for row in rows]


def bandwidth(size: int) -> tuple[float, float]:
    """Return the bytes per second that the card reads and writes when it copies memory: the median, and the best."""
    from puzzlespace.engines.shared.device import Device

    with Device(()) as device:
        size = min(size, device.memory()[0] // 4)
        one, other = device.room(size), device.room(size)
        device.fill(one, 0x5A)
        times = []
        for _ in range(TIMES + 2):
            device.wait()
            began = time.perf_counter()
            device.copy(one, other, size)
            device.wait()
            times.append(time.perf_counter() - began)
    times = times[2:]
    return 2 * size / statistics.median(times), 2 * size / min(times)


def blanks(name: str) -> list[tuple[int, int, int]]:
    """Return cells of the board of a puzzle such as slide:3x5: number, row, column; one of those that are symmetric."""
    columns, rows = map(int, name.removeprefix("slide:").split("x"))
    return [(columns * r + c, r, c) for r in range((rows + 1) // 2) for c in range((columns + 1) // 2)]


def goal_with_blank(position: bytes, cell: int) -> bytes:
    """Return the tiles of a position in order, with the blank, symbol 0, in a cell."""
    tiles = sorted(position)[1:]
    return bytes([*tiles[:cell], 0, *tiles[cell:]])


def count(
    name: str, metric: str, device: str, seconds: float | None = None, blank: int | None = None
) -> dict[str, object]:
    """Count one puzzle; return the times in seconds, and for the card what its longest layer moves.

    blank  the cell of the blank in the goal, unless the one of the puzzle
    """
    from puzzlespace.api.loader import load
    from puzzlespace.contract.questions import Depths
    from puzzlespace.engines.table.slide import counting, numbering, on_device
    from puzzlespace.limits.watch import Limits, Watch

    model = load(name).model(metric)
    plan = numbering.plan(model)
    assert plan is not None
    goal = model.goals[0].position
    question = Depths(model, (goal if blank is None else goal_with_blank(goal, blank),), device=device)
    ended: list[float] = []
    times: dict[str, float] = {}

    def report(done: object) -> None:
        ended.append(time.perf_counter())

    watch = Watch(limits=Limits(seconds=seconds), report=report)
    ground = counting.Ground(plan, question.sources, watch.thresholds[counting.SLIDE_BLOCK])
    began = time.perf_counter()
    if device == "cpu":
        layers = counting.depths(plan, question, watch)
    else:
        with on_device.opened(plan, question, watch) as card:
            assert card is not None
            opened = time.perf_counter()
            times["open"] = opened - began

            def make(*given: object) -> on_device.DeviceCount:
                made = on_device.DeviceCount(card, *given)
                times["tables"] = time.perf_counter() - opened
                return made

            layers = counting.depths(plan, question, watch, make=make)
            began = opened
    each = [after - before for before, after in zip(ended, ended[1:], strict=False)]
    worst = max(range(len(each)), key=each.__getitem__, default=0)
    return {
        "name": name, "metric": metric, "device": device, "counts": list(layers.counts), **times,
        "seconds": (ended[-1] if ended else time.perf_counter()) - began - times.get("tables", 0.0),
        "total": time.perf_counter() - began, "layers": each, "worst": worst,
        "moved": moved(ground, worst + 1), "stopped": str(layers.stopped or ""),
        "hardest": [position.hex(" ") for position in layers.deepest],
    }  # fmt: skip


def moved(ground: object, depth: int) -> int:
    """Return the bytes that a layer reads and writes if no block is skipped and nothing is cached."""
    words = ground.plan.words  # type: ignore[attr-defined]
    rows, arcs, colours = len(ground.rows), ground.arcs, ground.colours  # type: ignore[attr-defined]
    if colours is None:
        return 8 * words * (4 * len(arcs) + 3 * rows)
    targets = (min(ground.first) + depth) % 2  # type: ignore[attr-defined]
    into = sum(colours[arc[2]] == targets for arc in arcs)
    return 8 * words * (into + 2 * list(colours).count(targets))


def rate(found: dict[str, object]) -> float:
    """Return the bytes that the longest layer moves per second."""
    longest = max(found["layers"], default=0.0)
    return found["moved"] / longest if longest else 0.0


def show(found: dict[str, object], copy: float) -> None:
    """Print the line of one count, and end the program if its counts are wrong."""
    counts, seconds = found["counts"], found["seconds"]
    truth = known(found["name"], found["metric"])
    complete = not found["stopped"]
    right = counts == (truth if complete else truth[: len(counts)])
    verdict = ("as known" if complete else "stopped, as known so far") if right and truth else "WRONG"
    longest, moving = max(found["layers"], default=0.0), rate(found)
    name = found["name"] + ("" if found["metric"] == "step" else " " + found["metric"])
    card = found["device"] == "gpu"
    print(
        f"{name:<18}{found['device']:<5}{sum(counts):>16,}{len(counts) - 1:>7}{found.get('open', 0.0):>8.2f}"
        f"{found.get('tables', 0.0):>8.2f}{seconds:>9.3f}{found['total']:>9.2f}"
        f"{sum(counts) / seconds / 1e6:>11,.0f}{found['worst'] + 1:>7}{1000 * longest:>9.1f}"
        + (f"{moving / 1e9:>9,.0f}{moving / copy:>9.2f}" if card else f"{'':>18}")
        + f"  {verdict}",
        flush=True,
    )
    if verdict == "WRONG":
        raise SystemExit(f"{name}: expected {truth}, found {counts}")


def same_bytes(folder: Path) -> None:
    """Save slide:3x4 by both devices and compare the bytes."""
    from puzzlespace import load
    from puzzlespace.api import questions
    from puzzlespace.api.saved import saving

    owner, sums = load("slide:3x4"), []
    for device in ("gpu", "cpu"):
        began = time.perf_counter()
        questions.depths(owner, engine=saving(owner, folder / device), device=device)
        sums.append(hashlib.sha256((folder / device / "depths.bits").read_bytes()).hexdigest())
        print(f"slide:3x4 saved, {device}: {time.perf_counter() - began:.2f} s, {sums[-1][:16]}", flush=True)
    if len(set(sums)) > 1:
        raise SystemExit("the saved bytes differ")


def all_goals(name: str, copy: float, twice: bool) -> list[str]:
    """Count a puzzle from a goal with the blank in each cell; return lines of a table.

    The blank of the puzzle's own goal is in a corner, whose counts are known.

    twice  whether the processors count as well, and have to agree
    """
    lines = []
    for cell, row, column in blanks(name):
        found = count(name, "step", "gpu", blank=cell)
        if not cell:
            show(found, copy)
        counts = found["counts"]
        if found["stopped"] or sum(counts) != sum(known(name, "step")):
            raise SystemExit(f"{name} with the blank in cell {cell}: {sum(counts):,} positions, {found['stopped']}")
        if twice and counts != count(name, "step", "cpu", blank=cell)["counts"]:
            raise SystemExit(f"{name} with the blank in cell {cell}: the processors count otherwise")
        mean = sum(depth * size for depth, size in enumerate(counts)) / sum(counts)
        lines.append(
            f"| `{name}` | {row + 1}, {column + 1} | {len(counts) - 1} | {counts[-1]:,} | {mean:.3f} "
            f"| {found['total']:.1f} | {'yes' if twice else 'no'} |"
        )
        print(lines[-1], flush=True)
    return lines


def table(every: list[dict[str, object]], card: str, copy: float) -> list[str]:
    """Return the lines of the table of the document."""
    lines = [
        f"{described()}; {card}, which copies {copy / 1e9:,.0f} GB/s read and written.",
        "",
        "| puzzle | metric | positions | depth | card: seconds | million/s | of copy | processors: seconds | ratio |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    on = {(found["name"], found["metric"], found["device"]): found for found in every}
    for (name, metric, device), found in on.items():
        if device == "gpu":
            other = on.get((name, metric, "cpu"))
            stopped = other is not None and other["stopped"]
            beside = f"{other['total']:.2f}" if other is not None and not stopped else ""
            ratio = f"{other['total'] / found['total']:.1f}" if beside else ""
            positions = sum(found["counts"])
            lines.append(
                f"| `{name}` | `{metric}` | {positions:,} | {len(found['counts']) - 1} | {found['total']:.2f} "
                f"| {positions / found['total'] / 1e6:,.0f} | {rate(found) / copy:.2f} | {beside} | {ratio} |"
            )
    return lines


def emulate() -> None:
    """Take the emulated card of the tests."""
    sys.path[:0] = [str(ROOT / "tests" / "support")]
    import pytest

    from emulated import Card

    Card(pytest.MonkeyPatch())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cpu", action="store_true")
    parser.add_argument("--whole", action="store_true")
    parser.add_argument("--only", metavar="SPEC", help="one puzzle, in single steps")
    parser.add_argument("--variants", nargs="+", default=[""], metavar="NAME=VALUE,...")
    parser.add_argument("--save", type=Path, metavar="FOLDER")
    parser.add_argument(
        "--goals", nargs="+", default=[], metavar="SPEC", help="count from a goal with the blank in each cell"
    )
    parser.add_argument("--record", action="store_true")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all times there")
    parser.add_argument("--emulated", action="store_true")
    parser.add_argument("--compile", metavar="ARCHITECTURE")
    chosen = parser.parse_args()
    if chosen.emulated:
        emulate()
    from puzzlespace.engines.shared.device import Device, compiled_with_log
    from puzzlespace.engines.table.slide import on_device

    if chosen.compile:
        for variant in chosen.variants:
            options = tuple(f"-D{word}" for word in variant.split(",") if word)
            print(variant, compiled_with_log(on_device.SOURCE, chosen.compile, ("--ptxas-options=-v", *options))[1])
        return
    with Device(()) as device:
        free, whole = device.memory()
        card = f"{device.name} ({device.architecture}, {whole / 1e9:.0f} GB, driver for CUDA {device.version})"
        print(f"{card}, {free / 1e9:.1f} GB free", flush=True)
    copy, best = bandwidth(COPIED)
    print(f"copying {copy / 1e9:,.0f} GB/s read and written (median of {TIMES}; best {best / 1e9:,.0f})", flush=True)
    print(f"{'':<18}{'':<5}{'positions':>16}{'depth':>7}{'open':>8}{'tables':>8}{'count':>9}{'all':>9}{'million/s':>11}"
          f"{'worst':>7}{'ms':>9}{'GB/s':>9}{'of copy':>9}")  # fmt: skip
    rows = [(chosen.only, "step")] if chosen.only else [*ROWS, *([WHOLE] if chosen.whole else [])]
    every = []
    for variant in chosen.variants:
        on_device.OPTIONS = tuple(f"-D{word}" for word in variant.split(",") if word)
        if variant:
            print(variant)
        for name, metric in rows:
            found = count(name, metric, "gpu")
            every.append(found)
            show(found, copy)
            if chosen.cpu and (name, metric) != WHOLE:
                if name == rows[0][0]:
                    count("slide:2x3", metric, "cpu")  # compiles the kernels of the processor
                every.append(count(name, metric, "cpu", CPU_SECONDS))
                show(every[-1], copy)
    lines = table(every, card, copy)
    if chosen.goals:
        lines += ["", GOALS, "| --- | --- | --- | --- | --- | --- | --- |"]
    for name in chosen.goals:
        lines += all_goals(name, copy, chosen.cpu and name != WHOLE[0])
    if chosen.record:
        write(PAGE, COMMAND, "\n".join(lines))
    if chosen.json is not None:
        chosen.json.write_text(json.dumps({"copy": copy, "best": best, "rows": every}))
    if chosen.save is not None:
        same_bytes(chosen.save)


if __name__ == "__main__":
    main()
