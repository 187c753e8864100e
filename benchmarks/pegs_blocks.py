"""Pegs and blocks at full size: CPU seconds and memory beside what each row was meant to reach.

    python benchmarks/pegs_blocks.py                 all rows for pegs but the long ones, then those of `engines/blocks`
    python benchmarks/pegs_blocks.py reached ways    some rows for pegs
    python benchmarks/pegs_blocks.py french          a long one (more than ten minutes, 8 GB)

Every row runs in a process of its own, after its loops are loaded, and compares its answer with the published one.
"""

from __future__ import annotations

import subprocess
import sys
import time
import timeit
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from machine import described
from puzzlespace.api import peg_survey, questions
from puzzlespace.api.loader import load
from puzzlespace.engines import pegs
from puzzlespace.engines.pegs.values import CHAIN, COUNT, SET
from puzzlespace.limits.machine import peak_memory
from puzzlespace.limits.watch import Watch
from puzzlespace.model.goal import Goal

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Row:
    """One line of the table.

    title   what is asked
    most    CPU seconds it may take, and memory in MB (0: not said)
    wanted  the published answer
    run     gives the answer
    warm    asks something small first, so that loops are loaded
    """

    title: str
    most: tuple[float, int]
    wanted: object
    run: Callable[[], object]
    warm: Callable[[], object]


def small() -> None:
    for metric in ("step", "chain"):
        pegs_between("peg:triangle15", "a1", "a1", metric)
    peg_survey.census(load("star13"))


def pegs_between(spec: str, hole: str, last: str, metric: str) -> int | None:
    puzzle = load(spec)
    start, goal = (
        bytes(int((name == cell) == one) for name in puzzle.board.names) for cell, one in ((hole, False), (last, True))
    )
    asked = replace(puzzle, start=start, goals=(Goal.exactly(goal),))
    return questions.solve(asked, metric=metric, engine="pegs").moves


def reached() -> tuple[int, int | None]:
    model = load("english").model("step")
    return pegs.reached(model, Watch())


def ways(task: int) -> object:
    model = load("english").model("step" if task != CHAIN else "chain")
    goal = model.goals[0].position
    assert goal is not None
    assert model.start is not None
    found = pegs.ways_between(model, (model.start, [goal]), task, Watch())
    return found.number if task == COUNT else found.classes


def survey(spec: str, told: bool = False) -> tuple[int, int, int]:
    """Return how many problems of a board, up to symmetry, can be solved, and the fewest and most chains it takes."""
    puzzle = load(spec)
    solved = [each for each in peg_survey.problems(puzzle, metric="chain") if each.answer.moves is not None]
    names = puzzle.board.names
    if told:
        print(", ".join(f"{names[each.hole]} to {names[each.last]} {each.answer.moves}" for each in solved))
    moves = [each.answer.moves for each in solved if each.answer.moves is not None]
    return len(solved), min(moves), max(moves)


ROWS: dict[str, Row] = {
    "reached": Row(
        "English board: every position from the centre vacancy", (15, 1000), (187_636_299, 23_475_688), reached, small
    ),
    "ways": Row(
        "English board: positions on a way to the centre, up to symmetry", (3, 0), 1_679_072, lambda: ways(SET), small
    ),
    "count": Row("English board: ways of single jumps", (6, 0), 40_861_647_040_079_968, lambda: ways(COUNT), small),
    "centre": Row(
        "English board: centre to centre in chains",
        (6, 0),
        18,
        lambda: pegs_between("english", "d4", "d4", "chain"),
        small,
    ),
    "table": Row(
        "English board: all problems in chains", (300, 0), (21, 15, 19), lambda: survey("english", told=True), small
    ),
    "triangle": Row(
        "triangle of 15 holes: all problems in chains", (0, 0), (12, 9, 11), lambda: survey("peg:triangle15"), small
    ),
    "star": Row("star of 13 holes: all problems in chains", (0, 0), (17, 7, 10), lambda: survey("star13"), small),
    "french": Row(
        "French board: d2 to d6 in chains", (0, 0), None, lambda: pegs_between("french37", "d2", "d6", "chain"), small
    ),
}
LONG = {"french"}


def measure(name: str) -> None:
    row = ROWS[name]
    row.warm()
    before = peak_memory()
    began = time.process_time()
    answer = row.run()
    used = time.process_time() - began
    right = "" if row.wanted is None else "as known" if answer == row.wanted else f"NOT {row.wanted}"
    print(
        f"{row.title:<66} {used:>9.3f} s  at most {row.most[0] or '':>5}  {peak_memory() >> 20:>6,} MB "
        f"({before >> 20} before)  {answer} {right}",
        flush=True,
    )


def main() -> None:
    if sys.argv[1:2] == ["--row"]:
        measure(sys.argv[2])
        return
    print(described(), flush=True)
    counted = min(timeit.repeat("sum(range(10**6))", timer=time.process_time, number=5, repeat=5)) / 5
    print(f"Python adds a million numbers in {1000 * counted:.0f} ms here", flush=True)
    for name in sys.argv[1:] or [name for name in ROWS if name not in LONG]:
        subprocess.run([sys.executable, __file__, "--row", name], check=True)
    if not sys.argv[1:]:
        print(flush=True)
        subprocess.run([sys.executable, HERE / "blocks.py"], check=True)


if __name__ == "__main__":
    main()
