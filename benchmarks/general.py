"""Positions a second for rules that a person wrote: the eleven puzzles of `benchmarks/scaled`, in compiled loops.

    python benchmarks/general.py                 all puzzles; writes the table into docs/benchmarks.md
    python benchmarks/general.py rooks gravity   these, without writing
    python benchmarks/general.py --water PROGRAM a public solver in C++ beside ours; writes a table of its own

Each row counts layers until ten million positions are known, or all. Rules made are those of moves that are kept, of
moves that a law forbids, and those that happen by themselves; how many there are for each kept move is taken from
random walks. `alone` is a count of forty million moves without laws and without what happens by itself: what listed
moves of this number and size reach (left out if these moves lead nowhere). `plain` is the engine in plain Python,
stopped after five seconds. Times are processor time of all threads, without compiling.

PROGRAM is the solver of github.com/DimYfantidis/AI_Water_Sort, built with the start of `water.pzl`: a search in breadth
with whole positions in a hash set. Both find a shortest solution.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

from machine import described, write
from puzzlespace import Limits, load
from puzzlespace.contract.answers import Layers
from puzzlespace.contract.questions import Depths
from puzzlespace.engines import plain
from puzzlespace.engines.frontier import count_layers, packing_of
from puzzlespace.errors import LimitError
from puzzlespace.limits.watch import Progress, Watch
from puzzlespace.model.metric import STEP
from puzzlespace.model.model import Model
from puzzlespace.model.settling import Settling

SCALED = Path(__file__).with_name("scaled")
POSITIONS, MOVES = 10_000_000, 40_000_000
WALKS, STEPS = 40, 25
FEW = 100_000


def counted(model: Model, positions: int | None = None, moves: int | None = None) -> tuple[Layers, float, int]:
    """Return the layers that compiled loops find, the processor time, and the moves that they kept.

    positions, moves  after so many positions found, or moves kept, no layer is begun
    """

    def enough(progress: Progress) -> None:
        if positions is not None and progress.found >= positions:
            raise LimitError("positions", f"{positions:,} positions are found")

    watch, began = Watch(Limits(positions=moves), enough), time.process_time()
    layers = count_layers(Depths(model, (model.start,)), watch, 0)
    return layers, time.process_time() - began, watch.generated


def rules_alone(model: Model) -> Model:
    """Return the model without laws, and without what happens by itself."""
    rules = tuple(rule for number, rule in enumerate(model.rules) if number not in model.automatic)
    return replace(model, rules=rules, metric=STEP)


def made_for_each_kept(model: Model) -> float:
    """Return how many rules are made for each move that is kept, at positions of random walks."""
    alone, chance = rules_alone(model), Random(1)
    settling = Settling(model.metric, model.rules, model.applied, model.symbols)
    made = kept = 0
    for _ in range(WALKS):
        position = model.start
        for _ in range(STEPS):
            children = sorted(model.moves(position))
            kept += len(children)
            for child in alone.moves(position):
                made += 1 + len(settling.settled(child, settling.ready(child))[1])
            if not children:
                break
            position = chance.choice(children)
    return made / kept


def plain_rate(model: Model) -> float:
    """Return the moves a second of the plain engine."""
    watch, began = Watch(Limits(seconds=5)), time.process_time()
    plain.ENGINE.depths(Depths(model, (model.start,)), watch)
    return watch.generated / (time.process_time() - began)


def row(name: str) -> Iterator[str]:
    """Yield the cells of a row."""
    model = load(str(SCALED / f"{name}.pzl")).model()
    packing = packing_of(model, (model.start,))
    counted(model, moves=200_000)  # compiles
    layers, seconds, kept = counted(model, positions=POSITIONS)
    made = kept * made_for_each_kept(model) if model.metric.lawful else kept
    yield from (name, f"{len(model.rules):,}", f"{packing.words}", f"{sum(layers.counts):,}")
    yield from (f"{len(layers.counts) - 1}{'' if layers.stopped is None else ' …'}", f"{seconds:.1f}", f"{kept:,}")
    rate = made / seconds
    yield f"{rate / 1e6:.2f}"
    if model.metric.lawful:
        _, alone, moves = counted(rules_alone(model), moves=MOVES)
        told = moves > FEW
        yield from (f"{moves / alone / 1e6:.2f}" if told else "", f"{rate * alone / moves:.2f}" if told else "")
    else:
        yield from ("", "")
    yield f"{kept / seconds / plain_rate(model):,.0f}"


def water(program: str) -> None:
    """Write the time of a public solver beside ours, for `water`, into docs/benchmarks.md."""
    with tempfile.TemporaryDirectory() as folder:
        began = time.perf_counter()
        subprocess.run([Path(program).resolve()], cwd=folder, stdout=subprocess.DEVNULL, check=True)
        theirs = time.perf_counter() - began
        told = Path(folder, "results.txt").read_text()
    length, examined = (int(re.search(rf"{word}:\s*(\d+)", told)[1]) for word in ("Depth", "Examined Nodes"))  # type: ignore[index]
    ours = [sys.executable, "-m", "puzzlespace", "solve", str(SCALED / "water.pzl"), "--json", "-q"]
    subprocess.run(ours, stdout=subprocess.DEVNULL, check=True)  # compiles
    began = time.perf_counter()
    answer = json.loads(subprocess.run(ours, capture_output=True, text=True, check=True).stdout)
    seconds = time.perf_counter() - began
    lines = (
        "| solver | moves | positions | seconds |",
        "|---|---|---|---|",
        f"| C++ | {length} | {examined:,} examined | {theirs:.1f} |",
        f"| ours | {answer['moves']} | {answer['positions']:,} generated | {seconds:.1f} |",
    )
    print("\n".join(lines))
    write("benchmarks.md", "python benchmarks/general.py --water", "\n".join([*lines, "", f"{described()}."]))


HEAD = (
    "puzzle",
    "rules",
    "words",
    "positions",
    "depth",
    "seconds",
    "kept moves",
    "10^6 rules/s",
    "alone",
    "ratio",
    "times plain",
)


def main() -> None:
    words = sys.argv[1:]
    if words[:1] == ["--water"]:
        water(words[1])
        return
    lines = [f"| {' | '.join(HEAD)} |", "|---" * len(HEAD) + "|"]
    for name in words or sorted(path.stem for path in SCALED.glob("*.pzl")):
        lines.append(f"| {' | '.join(row(name))} |")
        print(lines[-1], flush=True)
    if not words:
        write("benchmarks.md", "python benchmarks/general.py", "\n".join([*lines, "", f"{described()}."]))


if __name__ == "__main__":
    main()
