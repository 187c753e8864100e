"""Single hard positions by iterative deepening: CPU seconds, positions generated, memory; beside what others need.

    python benchmarks/solving.py                    all rows but the long ones
    python benchmarks/solving.py korf-7-8 goat      some rows
    python benchmarks/solving.py korf-distance-all  a long one (minutes)

Every length is compared with the published one. Figures of others: tests/data and docs/methods/lower-bounds.md.
"""

from __future__ import annotations

import csv
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from pathlib import Path
from random import Random

from puzzlespace import api
from puzzlespace.engines import bounded, deepening_patterns, idastar, plain
from puzzlespace.heuristics import labels, slides
from puzzlespace.heuristics.database import Database
from puzzlespace.heuristics.distance import Distance
from puzzlespace.loader import load
from puzzlespace.model import Model
from puzzlespace.result import Search, Watch, peak_memory

DATA = Path(__file__).parent.parent / "tests" / "data"
Case = tuple[bytes, int]
"""A start and its published length."""

SEVEN_EIGHT = ((1, 2, 3, 4, 5, 6, 7), (8, 9, 10, 11, 12, 13, 14, 15))
TWO_MORE = (
    ((1, 2, 4, 5, 6, 8, 9), (3, 7, 10, 11, 12, 13, 14, 15)),
    ((1, 2, 3, 5, 6, 7, 11), (4, 8, 9, 10, 12, 13, 14, 15)),
)
"""Other ways to put 7 and 8 pieces of 4x4 together: the square at the blank's goal place, the one beside it."""
FOUR_SIXES = ((1, 5, 6, 10, 11, 12), (2, 3, 4, 7, 8, 9), (13, 14, 18, 19, 23, 24), (15, 16, 17, 20, 21, 22))


def cases(file: str, cells: int) -> list[Case]:
    rows = csv.DictReader((DATA / file).open())
    return [(bytes(int(row[f"t{c}"]) for c in range(cells)), int(row["optimal_length"])) for row in rows]


def hard_cases() -> list[Case]:
    rows = list(csv.reader((DATA / "hard15.csv").open()))[1:]
    return [(bytes(map(int, start.split())), int(length)) for start, length in rows]


def database(model: Model, *ways: Iterable[Sequence[int]]) -> Database:
    goal = bytes(range(model.cells))
    board = slides.read(model)
    assert not isinstance(board, str)
    pieces = labels.read(board, goal, goal, apart=False)
    groups, *more = (tuple(tuple(symbol - 1 for symbol in group) for group in way) for way in ways)
    base = Database(board, goal, pieces, groups, tuple(more))
    began = time.process_time()
    base.build(1)
    print(
        f"  tables built: {time.process_time() - began:.1f} CPU s, {base.size:,} bytes, peak {peak_memory() >> 20:,} MB"
    )
    return base


def run(title: str, found: Iterable[Case], solve: Callable[[bytes], tuple[int, int]]) -> None:
    """Solve all cases; print lengths, positions, CPU seconds, the slowest, the rate."""
    total = generated = wrong = 0
    seconds: list[float] = []
    for start, length in found:
        began = time.process_time()
        moves, made = solve(start)
        seconds.append(time.process_time() - began)
        total, generated, wrong = total + moves, generated + made, wrong + (moves != length)
    rate = generated / sum(seconds) / 1e6
    ratio = 1e6 * rate / plain_rate()
    print(
        f"{title:<34} lengths {total:>5} ({wrong} wrong)  generated {generated:>14,}  {sum(seconds):>8.3f} CPU s, "
        f"slowest {max(seconds):.3f}, {rate:.1f} million/s, {ratio:.0f} times plain, peak {peak_memory() >> 20:,} MB",
        flush=True,
    )


@lru_cache
def plain_rate() -> float:
    """Return the positions that the plain engine generates in a CPU second, on the hardest 8-puzzle, in this run."""
    model = load("eight").model()
    began = time.process_time()
    found = plain.search(Search(model, model.start), Watch())
    return found.generated / (time.process_time() - began)


def by_name(model: Model, goal: bytes, heuristic: str) -> Callable[[bytes], tuple[int, int]]:
    def solve(start: bytes) -> tuple[int, int]:
        found = idastar.search(Search(model, start, (goal,), every=False, heuristic=heuristic), Watch())
        assert found.bound is not None
        return found.bound, found.generated

    return solve


def by_tables(model: Model, base: Database) -> Callable[[bytes], tuple[int, int]]:
    def solve(start: bytes) -> tuple[int, int]:
        pieces = labels.read(base.slides, start, base.goal, apart=False)
        question = Search(model, start, (base.goal,), every=False)
        found = deepening_patterns.rounds(base, pieces).search(question, Watch())
        assert found.bound is not None
        return found.bound, found.generated

    return solve


def fifteen() -> Model:
    return load("slide:4x4").model()


def korf(heuristic: str, title: str, number: int = 100) -> None:
    model, goal = fifteen(), bytes(range(16))
    solve = by_name(model, goal, heuristic)
    solve(cases("korf15.csv", 16)[78][0])
    run(title, cases("korf15.csv", 16)[:number], solve)


def korf_seven_eight() -> None:
    model = fifteen()
    base = database(model, SEVEN_EIGHT)
    solve = by_tables(model, base)
    solve(cases("korf15.csv", 16)[78][0])
    run("Korf's 100, 7-8", cases("korf15.csv", 16), solve)


def korf_multi() -> None:
    rows = list(csv.DictReader((DATA / "korf15.csv").open()))
    found = [(bytes(int(row[f"t{c}"]) for c in range(16)), int(row["optimal_multitile"])) for row in rows]
    model, goal = load("slide:4x4").model("multi"), bytes(range(16))
    solve = by_name(model, goal, "pattern")
    began = time.process_time()
    solve(goal)
    print(f"  first call, tables and all: {time.process_time() - began:.1f} CPU s, peak {peak_memory() >> 20:,} MB")
    run("Korf's 100, multi, pattern", found, solve)


def hard() -> None:
    model = fifteen()
    solve = by_tables(model, database(model, SEVEN_EIGHT, *TWO_MORE))
    for case in hard_cases():
        run(f"hard position of {case[1]} moves", [case], solve)


def twenty_four() -> None:
    model = load("slide:5x5").model()
    solve = by_tables(model, database(model, FOUR_SIXES))
    for number in (38, 40):
        run(f"24-puzzle {number}, 6-6-6-6", [cases("korf24.csv", 25)[number - 1]], solve)


def goat() -> None:
    model = load("goat-hard").model()
    goal, start = model.goals[0].position, model.start
    assert goal is not None
    assert start is not None
    for heuristic in ("pattern", "assignment", "distance"):
        solve = by_name(model, goal, heuristic)
        if heuristic == "pattern":
            began = time.process_time()
            solve(start)
            print(f"  first call, tables and all: {time.process_time() - began:.2f} CPU s")
        run(f"Goat's hard start, {heuristic}", [(start, 52)], solve)


def several_blanks() -> None:
    """Two and three blanks on 4x4, by the search for any slide puzzle; beside layers below the same bound in Python."""
    for blanks in (2, 3):
        cells = [*map(str, range(1, 17 - blanks)), *"." * blanks]
        tiles = " / ".join(" ".join(cells[row : row + 4]) for row in range(0, 16, 4))
        owner = api.with_goal(api.with_start(load("slide:4x4"), tiles), tiles)
        model, rng = owner.model(), Random(2026)
        goal = position = model.start
        assert goal is not None
        for _ in range(100):
            position = rng.choice(sorted(model.moves(position)))
        bound = Distance(slides.read(model), model.goals).bound  # type: ignore[arg-type]
        question = Search(model, position, (goal,), every=False)
        began = time.process_time()
        length = bounded.search(question, bound, Watch()).bound
        print(f"  layers in plain Python: {length} moves, {time.process_time() - began:.1f} CPU s")
        assert length is not None
        solve = by_name(model, goal, "distance")
        solve(position)
        run(f"4x4, {blanks} blanks, distance", [(position, length)], solve)


def whole_process() -> None:
    words = ["14 13 15 7 / 11 12 9 5 / 6 . 2 1 / 4 8 10 3", ". 1 2 3 / 4 5 6 7 / 8 9 10 11 / 12 13 14 15"]
    command = [sys.executable, "-m", "puzzlespace", "solve", "slide:4x4", "--start", words[0], "--goal", words[1], "-q"]
    began, before = time.perf_counter(), os.times()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    after = os.times()
    used = after.children_user + after.children_system - before.children_user - before.children_system
    print(f"one 15-puzzle, the whole process   {time.perf_counter() - began:.2f} s, {used:.2f} CPU s")


ROWS: dict[str, Callable[[], None]] = {
    "one": whole_process,
    "goat": goat,
    "blanks": several_blanks,
    "korf-pattern": lambda: korf("pattern", "Korf's 100, pattern, 64 MB"),
    "korf-7-8": korf_seven_eight,
    "korf-multi": korf_multi,
    "hard": hard,
    "24": twenty_four,
    "korf-distance": lambda: korf("distance", "the first 5 of Korf's, distance", 5),
    "korf-walking": lambda: korf("walking+inversion", "the first 20 of Korf's, walking", 20),
}
LONG: dict[str, Callable[[], None]] = {
    "korf-distance-all": lambda: korf("distance", "Korf's 100, distance"),
    "korf-walking-all": lambda: korf("walking+inversion", "Korf's 100, walking+inversion"),
}


def main() -> None:
    wanted = sys.argv[1:] or list(ROWS)
    for name in wanted:
        {**ROWS, **LONG}[name]()


if __name__ == "__main__":
    main()
