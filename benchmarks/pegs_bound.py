"""Peg solitaire by A* in plain Python, below the bound `pegs` and without a bound: positions generated.

    python benchmarks/pegs_bound.py                 every fourth problem of the truth file
    python benchmarks/pegs_bound.py 1 100000        every problem, at most 100,000 positions each

The problems are those of tests/data/pegs.csv in the metrics `step` (jumps) and `chain`. `-` means that the limit
stopped the search.
"""

from __future__ import annotations

import csv
import sys
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests/support"))

from peg_boards import DIAGONAL, LATTICE, ORTHOGONAL, board, problem
from puzzlespace import Limits, Model
from puzzlespace.contract.bound import bound_of
from puzzlespace.contract.questions import Search
from puzzlespace.engines import astar
from puzzlespace.limits.watch import Watch

TRUTH = Path(__file__).parents[1] / "tests/data/pegs.csv"
NOTHING = bound_of(lambda position: 0)


WAYS = {"4": ORTHOGONAL, "6": LATTICE, "8": DIAGONAL}


def model_of(row: dict[str, str], metric: str) -> Model:
    """Return the problem of a row."""
    puzzle = board(row["holes_ascii"].split("/"), WAYS[row["jump_directions"][0]])
    ends = (tuple(map(int, row[name].split(","))) for name in ("start_vacancy_rc", "finish_rc"))
    return problem(puzzle, *(f"{chr(97 + column)}{line + 1}" for line, column in ends)).model(metric)


def generated(model: Model, named: bool, most: int) -> int | None:
    """Return how many positions are generated until the problem is decided; None if the limit stops it."""
    watch = Watch(Limits(positions=most))
    question = Search(model, model.start, tuple(goal.position for goal in model.goals), every=False)
    question = replace(question, heuristic="pegs") if named else replace(question, bound=NOTHING)
    found = astar.search(question, watch)
    return None if found.stopped is not None else watch.generated


def main() -> None:
    """Print a row for each problem and metric, then the numbers of problems decided."""
    every, most = int(sys.argv[1]) if len(sys.argv) > 1 else 4, int(sys.argv[2]) if len(sys.argv) > 2 else 20_000
    with TRUTH.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))[::every]
    decided = {(metric, named): 0 for metric in ("step", "chain") for named in (False, True)}
    for row in rows:
        for metric in ("step", "chain"):
            model = model_of(row, metric)
            without, below = (generated(model, named, most) for named in (False, True))
            decided[metric, False] += without is not None
            decided[metric, True] += below is not None
            name = f"{row['board'][:30]:<30} {row['start_vacancy_rc']} to {row['finish_rc']} {metric}"
            print(f"{name:<50} {without or '-':>10} {below if below is not None else '-':>10}", flush=True)
    for metric in ("step", "chain"):
        print(f"{metric}: {decided[metric, True]} of {len(rows)} decided, without {decided[metric, False]}")


if __name__ == "__main__":
    main()
