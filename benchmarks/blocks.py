"""Sliding blocks and Rush Hour: processor seconds in the engine, positions and memory, each row in its own process.

    python benchmarks/blocks.py           all rows (about a minute)
    python benchmarks/blocks.py --open    also the boards of tests/data/blocks_open.csv (two minutes more)

`cpu s` is the processor time of one question on one thread, from the model to the answer, compiled loops loaded
before by a small question; `usual` what that would be on the machine of the bounds, going by a loop of Python timed
beside it; `others` the best other program there; `positions` are those found (for a search: generated), `MB` the peak
of the whole process.
Answers are held against known numbers. `measure(name)` returns a row as a dictionary.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import time
from pathlib import Path

from machine import described

ROOT = Path(__file__).resolve().parent.parent

RUSH_51 = "GBBoLoGHIoLMGHIAAMCCCKoMooJKDDEEJFFo"
RUSH_60 = "IBBxooIooLDDJAALooJoKEEMFFKooMGGHHHM"
LARGEST = "BB.C...D.CEE.DAAFGH.IIFGH.JKK.LLJ..."

TASKS = {
    "Klotski, shortest solution": ("search", "L'Ane Rouge", 81, 0.02),
    "Klotski, whole component": ("count", "L'Ane Rouge", 25_955, 0.02),
    "412 boards of 4x5, optimum and component": ("all", "", 23_141_715, 10.0),
    "Traffic Jam no. 12": ("search", "Traffic Jam no. 12", 199, 1.5),
    "From Right to Left": ("search", "From Right to Left", 101, 5.0),
    "The Time Machine, from the start alone": ("search", "The Time Machine", 39, 60.0),
    "The Time Machine, from both ends": ("both", "The Time Machine", 39, 60.0),
    "Rush Hour, largest component, distances": ("goals", LARGEST, 541_934, 0.5),
    "Rush Hour, 51 moves": ("search", RUSH_51, 51, 0.02),
    "Rush Hour, 60 moves": ("search", RUSH_60, 60, 0.02),
}
OPEN = {
    "Lodzianka": ("search", "gnome-klotski Lodzianka", 21, None),
    "Pelopones": ("search", "gnome-klotski Pelopones", 25, None),
}
ELSEWHERE = {
    "Klotski, shortest solution": 0.006,
    "Klotski, whole component": 0.007,
    "412 boards of 4x5, optimum and component": 6.0,
    "Traffic Jam no. 12": 1.5,
    "From Right to Left": 7.0,
    "The Time Machine, from the start alone": 119.0,
    "Rush Hour, largest component, distances": 4.1,
    "Rush Hour, 51 moves": 0.013,
    "Rush Hour, 60 moves": 0.027,
}
"""Seconds of the best other program, measured where `USUAL` was. The 4x5 boards: dnomd343/klotski (C++, which takes no
other boards; js2, which does, has 0.040 s for the first). The next three: js2 (C++). Rush Hour: fogleman/rush (C++).
"""

USUAL = 0.012
"""Seconds that `calibration` takes on the machine of these figures and of the bounds."""


def calibration() -> float:
    """Return the seconds that the sum of a million numbers takes in Python: what the machine is worth now."""
    took = []
    for _ in range(9):
        began = time.process_time()
        sum(range(10**6))
        took.append(time.process_time() - began)
    return min(took)


def model_of(board: str):
    """Return the model of a Rush Hour string, or of the row of that name in the tables of blocks."""
    sys.path.insert(0, str(ROOT / "tests" / "support"))
    from boards import blocks, rows, rush

    if len(board) == 36 and " " not in board:
        return rush(board.replace(".", "o")).model()
    row = next(row for row in rows("blocks") + rows("blocks_open") if row["name"] == board)
    return blocks(row["board"], row["goal"]).model()


def answer(kind: str, models: list) -> tuple[int, int]:
    """Answer a question; return (the number that is known, positions)."""
    from puzzlespace.analysis.impossible import goal_positions
    from puzzlespace.contract.questions import Depths, Search
    from puzzlespace.engines import blocks
    from puzzlespace.limits.watch import Watch

    (model, *_), watch = models, Watch()
    if kind in ("search", "both"):
        goals = goal_positions(model) if kind == "both" else None
        return blocks.search(Search(model, model.start, goals, every=False), watch).bound or 0, watch.generated
    if kind == "all":
        total = 0
        for each, optimum in models:
            found = blocks.depths(Depths(each, (each.start,), 0, each.goals), Watch())
            moves = found.collected[0][1] if len(found.collected) else -1
            total += sum(found.counts) if moves == optimum else 0
        return total, total
    question = Depths(model, (model.start,), 0, model.goals if kind == "goals" else ())
    found = (blocks.goal_depths if kind == "goals" else blocks.depths)(question, watch)
    return sum(found.counts), sum(found.counts)


def measure(name: str) -> dict[str, float]:
    """Answer the question of a row in this process; return what was measured."""
    kind, board, _, _ = (TASKS | OPEN)[name]
    if kind == "all":
        sys.path.insert(0, str(ROOT / "tests" / "support"))
        from boards import klotski, rows

        models = [(klotski(r["board"]).model(), int(r["opt_path_moves"])) for r in rows("blocks_4x5")]
        warm = [model_of("Dad's puzzler")]
    else:
        models = [model_of(board)]
        warm = [model_of(RUSH_60 if len(board) == 36 else "Dad's puzzler")]
    for question in ("search", "count", "goals"):
        answer(question, warm)
    took = []
    for _ in range(5):
        began = time.process_time()
        size, positions = answer(kind, models)
        took.append(time.process_time() - began)
        if sum(took) > 1:
            break
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    return {"answer": size, "positions": positions, "cpu": min(took), "memory": memory, "machine": calibration()}


def row(name: str) -> tuple[bool, bool]:
    """Print one row; return whether the answer is as known and whether it took no longer than it may."""
    _, _, known, most = (TASKS | OPEN)[name]
    done = subprocess.run(
        [sys.executable, __file__, "--one", name],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"NUMBA_NUM_THREADS": "1"},
    )
    got = json.loads(done.stdout)
    right, quick = got["answer"] == known, most is None or got["cpu"] <= most
    bound, others = ("" if each is None else f"{each:g}" for each in (most, ELSEWHERE.get(name)))
    usual = got["cpu"] * USUAL / got["machine"]
    print(
        f"{name:<42}{got['answer']:>12,}{got['positions']:>13,}{got['cpu']:>9.3f}{usual:>9.3f}{bound:>9}{others:>9}"
        f"{got['memory'] / 1e6:>7.0f}{'' if right else f'  WRONG, expected {known:,}'}{'' if quick else '  slower'}",
        flush=True,
    )
    return right, quick


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--open", action="store_true", help="also the boards that were open")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.one:
        print(json.dumps(measure(chosen.one)))
        return 0
    print(described(), flush=True)
    print(f"{'task':<42}{'answer':>12}{'positions':>13}{'cpu s':>9}{'usual':>9}{'at most':>9}{'others':>9}{'MB':>7}")
    found = [row(name) for name in (TASKS | OPEN if chosen.open else TASKS)]
    return 0 if all(right for right, _ in found) else 1


if __name__ == "__main__":
    raise SystemExit(main())
