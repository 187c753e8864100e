"""Single hard positions by iterative deepening: processor seconds, positions generated, memory, beside others' seconds.

    python benchmarks/solving.py                    all rows but the long ones
    python benchmarks/solving.py korf-7-8 goat      some rows
    python benchmarks/solving.py --long             the long ones too (20 minutes)
    python benchmarks/solving.py cubes:FILE         ten scrambles of a file, such as another solver has

Every length is compared with the published one. `cpu s` is the time in the engine, compiled loops and tables made
before; `slowest` that of one position; `at most` and `others` are seconds on a machine where Python adds a million
numbers in 12 ms (the first line says what it takes here); `x plain` how many times as fast as by the plain engine
positions are generated in this run; `MB` the peak of the process so far. Sources: docs/methods/lower-bounds.md.
"""

from __future__ import annotations

import csv
import gc
import os
import subprocess
import sys
import tempfile
import time
import timeit
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache, partial
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

from machine import described
from puzzlespace.api import questions
from puzzlespace.api.loader import load
from puzzlespace.api.random_draws import random_positions
from puzzlespace.contract.questions import Search
from puzzlespace.engines import deepening, plain
from puzzlespace.engines.deepening import patterns, piece_search
from puzzlespace.engines.deepening.latest import Latest
from puzzlespace.heuristics import labels, piece_tables
from puzzlespace.heuristics.database import Database
from puzzlespace.limits.machine import peak_memory
from puzzlespace.limits.thresholds import USUAL, Thresholds
from puzzlespace.limits.watch import Limits, Watch
from puzzlespace.model.model import Model
from puzzlespace.search import best_first
from puzzlespace.structure import slides

DATA = Path(__file__).parent.parent / "tests" / "data"
Case = tuple[bytes, int | None]
"""A start and its published length."""

SEVEN_EIGHT = ((1, 2, 3, 4, 5, 6, 7), (8, 9, 10, 11, 12, 13, 14, 15))
TWO_MORE = (
    ((1, 2, 4, 5, 6, 8, 9), (3, 7, 10, 11, 12, 13, 14, 15)),
    ((1, 2, 3, 5, 6, 7, 11), (4, 8, 9, 10, 12, 13, 14, 15)),
)
"""Other ways to put 7 and 8 pieces of 4x4 together: the square at the blank's goal place, the one beside it."""
CUBES, SCRAMBLES = "cubes:", 10
"""The row of a file of scrambles begins with the first; the second says how many of them are solved."""

AT_ONCE = USUAL | {
    piece_search.BELOW_SMALL_PIECES: 0,
    piece_search.ENTRIES_MARKED: 1 << 62,
    piece_search.ENTRIES_FINER: 1 << 62,
    piece_search.ENTRIES_READ: 1 << 62,
}
"""Thresholds with which the largest tables are made before anything is searched below smaller ones."""

FOUR_SIXES = ((1, 5, 6, 10, 11, 12), (2, 3, 4, 7, 8, 9), (13, 14, 18, 19, 23, 24), (15, 16, 17, 20, 21, 22))


def cases(file: str, cells: int) -> list[Case]:
    rows = csv.DictReader((DATA / file).open())
    return [(bytes(int(row[f"t{c}"]) for c in range(cells)), int(row["optimal_length"])) for row in rows]


def hard_cases() -> list[Case]:
    rows = list(csv.reader((DATA / "hard15.csv").open()))[1:]
    return [(bytes(map(int, start.split())), int(length)) for start, length in rows]


def database(model: Model, *ways: Sequence[Sequence[int]], most: float, others: str) -> Database:
    goal = bytes(range(model.cells))
    board = slides.read(model)
    assert not isinstance(board, str)
    pieces = labels.read(board, goal, goal, tell_apart=False)
    groups, *more = (tuple(tuple(symbol - 1 for symbol in group) for group in way) for way in ways)
    base = Database(board, goal, pieces, groups, tuple(more))
    began = time.process_time()
    base.build(1)
    title = f"  tables of {', '.join('-'.join(str(len(group)) for group in way) for way in ways)}, {base.size:,} bytes"
    line(title, time.process_time() - began, most=most, others=others)
    return base


def line(
    title: str,
    seconds: float,
    slowest: float | None = None,
    rate: float | None = None,
    *,
    most: float | None = None,
    others: str = "",
) -> None:
    """Print a row of the table."""
    bound = "" if most is None else f"{most:g}"
    slow = "" if slowest is None else f"{slowest:.3f}"
    rates = "" if rate is None else f"{rate / 1e6:.1f}"
    plainly = "" if rate is None else f"{rate / plain_rate():.0f}"
    print(
        f"{title:<72}{seconds:>9.3f}{slow:>9}{bound:>9}{others:>14}{rates:>11}{plainly:>9}{peak_memory() >> 20:>7,}",
        flush=True,
    )


def run(
    title: str,
    found: Iterable[Case],
    solve: Callable[[bytes], tuple[int, int]],
    most: float | None = None,
    others: str = "",
) -> None:
    """Solve all cases; print lengths, positions, CPU seconds, the slowest, the rate."""
    total = generated = wrong = 0
    seconds: list[float] = []
    for start, length in found:
        began = time.process_time()
        moves, made = solve(start)
        seconds.append(time.process_time() - began)
        total, generated, wrong = total + moves, generated + made, wrong + (moves != length is not None)
    said = f"{title:<30}{total:>6}" + (f" {wrong} WRONG" if wrong else "") + f"{generated:>18,} generated"
    line(said, sum(seconds), max(seconds), generated / sum(seconds), most=most, others=others)


@lru_cache
def plain_rate() -> float:
    """Return the positions that the plain engine generates in a CPU second, on the hardest 8-puzzle, in this run."""
    model = load("eight").model()
    began = time.process_time()
    found = plain.search(Search(model, model.start), Watch())
    return found.generated / (time.process_time() - began)


def beginning(limits: Limits = Limits(), by: Thresholds = USUAL) -> Watch:
    """Return the watch of a search that begins: each method continues with the length that those before it proved."""
    watch = Watch(limits, thresholds=by)
    watch.known.begin("search")
    return watch


def by_name(model: Model, goal: bytes, heuristic: str, by: Thresholds = USUAL) -> Callable[[bytes], tuple[int, int]]:
    def solve(start: bytes) -> tuple[int, int]:
        found = deepening.search(Search(model, start, (goal,), every=False, heuristic=heuristic), beginning(by=by))
        assert found.bound is not None
        return found.bound, found.generated

    return solve


def by_tables(model: Model, base: Database) -> Callable[[bytes], tuple[int, int]]:
    def solve(start: bytes) -> tuple[int, int]:
        pieces = labels.read(base.slides, start, base.goal, tell_apart=False)
        question = Search(model, start, (base.goal,), every=False)
        found = patterns.rounds(base, pieces, USUAL).search(question, Watch())
        assert found.bound is not None
        return found.bound, found.generated

    return solve


def fifteen() -> Model:
    return load("slide:4x4").model()


def korf(heuristic: str, title: str, number: int, most: float, others: str) -> None:
    model, goal = fifteen(), bytes(range(16))
    solve = by_name(model, goal, heuristic)
    solve(cases("korf15.csv", 16)[78][0])
    run(title, cases("korf15.csv", 16)[:number], solve, most, others)


def korf_distance(title: str, number: int) -> None:
    """Bounds are 60 million of the positions that IDA* is known to generate in a second, the best elsewhere 88.6."""
    rows = list(csv.DictReader((DATA / "korf15.csv").open()))
    known = sum(int(row["ida_manhattan_nodes"]) for row in rows[:number])
    korf("distance", title, number, round(known / 60e6, 1), f"{known / 88.6e6:.1f}")


def korf_pattern() -> None:
    """Tables within 64 MB, made in the first call."""
    model, goal = fifteen(), bytes(range(16))
    solve = by_name(model, goal, "pattern")
    solve(goal)
    patterns._KEPT.clear()
    began = time.process_time()
    solve(goal)
    line("  first call, tables and all", time.process_time() - began, most=5, others="14-76")
    run("Korf's 100, pattern, 64 MB", cases("korf15.csv", 16), solve, 5, "6.5")


def korf_seven_eight() -> None:
    model = fifteen()
    base = database(model, SEVEN_EIGHT, most=90, others="hours")
    solve = by_tables(model, base)
    solve(cases("korf15.csv", 16)[78][0])
    run("Korf's 100, 7-8", cases("korf15.csv", 16), solve, 0.4, "0.43")


def korf_multi() -> None:
    rows = list(csv.DictReader((DATA / "korf15.csv").open()))
    found = [(bytes(int(row[f"t{c}"]) for c in range(16)), int(row["optimal_multitile"])) for row in rows]
    model, goal = load("slide:4x4").model("multi"), bytes(range(16))
    solve = by_name(model, goal, "pattern")
    began = time.process_time()
    solve(goal)
    line("  first call, tables and all", time.process_time() - began, most=60, others="90")
    run("Korf's 100, multi, pattern", found, solve, 15, "10")


def hard() -> None:
    model = fifteen()
    solve = by_tables(model, database(model, SEVEN_EIGHT, *TWO_MORE, most=90, others="hours"))
    run("70 to 80 moves (slowest 25)", hard_cases(), solve, 60, "110, 66 one")


def twenty_four() -> None:
    model = load("slide:5x5").model()
    solve = by_tables(model, database(model, FOUR_SIXES, most=180, others="240"))
    for number, others in ((38, "4.2-5.0"), (40, "4.8")):
        run(f"24-puzzle {number}, 6-6-6-6", [cases("korf24.csv", 25)[number - 1]], solve, 8, others)


def goat() -> None:
    model = load("goat-hard").model()
    goal, start = model.goals[0].position, model.start
    assert goal is not None
    assert start is not None
    for heuristic, most in (("pattern", 0.3), ("assignment", 5), ("distance", None)):
        solve = by_name(model, goal, heuristic)
        if heuristic == "pattern":
            began = time.process_time()
            solve(start)
            line("  first call, tables and all", time.process_time() - began)
        run(f"Goat's hard start, {heuristic}", [(start, 52)], solve, most, "" if most else "511 (1990s)")


def several_blanks() -> None:
    """Two and three blanks on 4x4, by the search for any slide puzzle; beside A* below the same bound in Python."""
    for blanks in (2, 3):
        cells = [*map(str, range(1, 17 - blanks)), *"." * blanks]
        tiles = " / ".join(" ".join(cells[row : row + 4]) for row in range(0, 16, 4))
        owner = questions.with_goal(questions.with_start(load("slide:4x4"), tiles), tiles)
        model, rng = owner.model(), Random(2026)
        goal = position = model.start
        assert goal is not None
        for _ in range(100):
            position = rng.choice(sorted(model.moves(position)))
        question = Search(model, position, (goal,), every=False, heuristic="distance")
        began = time.process_time()
        length = best_first.astar(question, Watch()).bound
        line(f"  A* in plain Python, {length} moves", time.process_time() - began)
        assert length is not None
        solve = by_name(model, goal, "distance")
        solve(position)
        run(f"4x4, {blanks} blanks, distance", [(position, length)], solve)


def pancakes() -> None:
    """Stacks after 300 random moves, by seed; lengths are proved, so they are compared with none."""
    for spec, count, most in (
        ("pancake:16", 20, 0.05),
        ("pancake:20", 20, 0.1),
        ("pancake:50", 20, 1),
        ("burnt:12", 20, 0.1),
        ("burnt:15", 20, 5),
        ("burnt:20", 20, None),
    ):
        model = load(spec).model()
        goal = model.goals[0].position
        assert goal is not None
        began = time.process_time()
        by_name(model, goal, "")(next(iter(model.moves(goal))))
        line("  first call, pairs and all", time.process_time() - began)
        solve = by_name(model, goal, "")
        starts = [_scrambled(model, goal, seed) for seed in range(1, count + 1)]
        run(f"{spec}, {count} stacks", [(start, None) for start in starts], solve, most, "gap bound: ms")


def turntables() -> None:
    """Positions after 2,000 random moves, by seed, below tables of pieces; lengths are compared with none."""
    for spec, count, most in (("topspin:14,4", 5, 5), ("topspin:16,4", 5, 50)):
        model = load(spec).model()
        goal = model.goals[0].position
        assert goal is not None
        solve = by_name(model, goal, "pattern")
        began = time.process_time()
        starts = [_scrambled(model, goal, seed, 2000) for seed in range(1, count + 1)]
        solve(starts[0])
        line("  first position, tables and all", time.process_time() - began)
        run(f"{spec}, {count} positions", [(start, None) for start in starts], solve, most, "hog2: patterns")


def large_turntable() -> None:
    """Random positions of `topspin:18,4`, by seed, within 2 GB and with no table kept.

    The tables are the same for all positions. They are made once, and their time is added to that of each position that
    asks for them.
    """
    os.environ["PUZZLESPACE_CACHE_SIZE"] = "0"
    compute, took = piece_tables.tables, dict[Any, tuple[Any, float]]()
    asked: list[float] = []

    def once(pieces: Any, goals: Any, groups: Any, *rest: Any) -> Any:
        if groups not in took:
            began = time.process_time()
            found = compute(pieces, goals, groups, *rest)
            took[groups] = found, time.process_time() - began
        asked.append(took[groups][1])
        return took[groups][0]

    puzzle = load("topspin:18,4")
    model = puzzle.model()
    goal = model.goals[0].position
    assert goal is not None
    by_name(model, goal, "pattern")(_scrambled(model, goal, 1, 8))
    piece_tables.tables = once
    for seed in range(1, 21):
        (drawn,) = random_positions(puzzle, seed=seed).positions
        asked.clear()
        known, began = sum(seconds for _, seconds in took.values()), time.process_time()
        question = Search(model, bytes(drawn), (goal,), every=False, heuristic="pattern")
        found = deepening.search(question, beginning(Limits(memory=2 << 30)))
        seconds = time.process_time() - began - sum(seconds for _, seconds in took.values()) + known
        said = f"seed {seed:2}  {found.bound} moves  {found.generated:12,} generated"
        print(f"{said}  {seconds:5.1f} + {sum(asked):4.1f} = {seconds + sum(asked):5.1f} s", flush=True)
    piece_tables.tables = compute


def cubes(turns: int, count: int, most: float, others: str, *, alone: bool = False) -> None:
    """Cubes after random turns, no two of a side or of opposite sides in turn, by seed; half turns count 1."""
    words = list[str]()
    for seed in range(1, count + 1):
        rng, sides, turned = Random(seed), "UDRLFB", list[str]()
        while len(turned) < turns:
            side = rng.choice(sides)
            if not turned or sides.index(turned[-1][0]) // 2 != sides.index(side) // 2:
                turned.append(side + rng.choice(["", "2", "'"]))
        words.append(" ".join(turned))
    scrambled(f"cube:3, {count} after {turns} turns", words, most, others, alone=alone)


def cubes_of(file: str) -> None:
    """The first SCRAMBLES cubes of a file of scrambles, one a line, that another program solves too.

    All tables are made for the first one, which is then solved once more.
    """
    words = Path(file).read_text().splitlines()[:SCRAMBLES]
    scrambled(f"cube:3, {len(words)} of {Path(file).name}", words, by=AT_ONCE)


def scrambled(
    title: str,
    words: Sequence[str],
    most: float | None = None,
    others: str = "",
    *,
    alone: bool = False,
    by: Thresholds = USUAL,
) -> None:
    """Scrambled cubes; half turns count 1.

    The first position that needs a table makes it, or each one if they are `alone`. Lengths are compared with none,
    since some of these positions need fewer turns.
    """
    puzzle = load("cube:3")
    model = puzzle.model("run")
    goal = model.goals[0].position
    assert goal is not None
    starts: list[Case] = []
    for each in words:
        start = questions.with_start(puzzle, each).start
        assert start is not None
        starts.append((start, None))
    solve = by_name(model, goal, "pattern", by)
    began = time.process_time()
    solve(next(iter(model.moves(goal))) if by is USUAL else starts[0][0])
    line("  first position, table and all", time.process_time() - began)
    if alone:

        def forgetful(start: bytes) -> tuple[int, int]:
            gc.collect()  # the table before
            with patch.object(piece_search, "_COSETS", Latest()):
                return solve(start)

        run(f"{title}, alone", starts, forgetful, most, others)
    else:
        run(title, starts, solve, most, others)


def _scrambled(model: Model, position: bytes, seed: int, moves: int = 300) -> bytes:
    rng = Random(seed)
    for _ in range(moves):
        position = rng.choice(model.steps(position))[1]
    return position


def whole_process() -> None:
    """One position, from the start of Python to its end, no table kept; then with nothing compiled before."""
    words = ["14 13 15 7 / 11 12 9 5 / 6 . 2 1 / 4 8 10 3", ". 1 2 3 / 4 5 6 7 / 8 9 10 11 / 12 13 14 15"]
    command = [sys.executable, "-m", "puzzlespace", "solve", "slide:4x4", "--start", words[0], "--goal", words[1], "-q"]
    with tempfile.TemporaryDirectory() as folder:
        fresh = os.environ | {"NUMBA_CACHE_DIR": folder}
        for title, again, most in (("nothing compiled before", 1, 2), ("loops compiled before", 3, 1)):
            took = [_processor_seconds(command, fresh) for _ in range(again)]
            line(f"one 15-puzzle, whole process, {title}", min(took), most=most)


def _processor_seconds(command: list[str], environment: dict[str, str]) -> float:
    before = os.times()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=environment)
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


ROWS: dict[str, Callable[[], None]] = {
    "one": whole_process,
    "goat": goat,
    "blanks": several_blanks,
    "pancakes": pancakes,
    "turntables": turntables,
    "cubes": lambda: cubes(15, 20, 100, ""),
    "cubes-alone": lambda: cubes(15, 20, 100, "", alone=True),
    "korf-pattern": korf_pattern,
    "korf-7-8": korf_seven_eight,
    "korf-multi": korf_multi,
    "hard": hard,
    "24": twenty_four,
    "korf-distance": lambda: korf_distance("the first 5, distance", 5),
    "korf-walking": lambda: korf("walking+inversion", "Korf's 100, walking+inversion", 100, 60, "69-77"),
}
LONG: dict[str, Callable[[], None]] = {
    "topspin-18": large_turntable,
    "cubes-17": lambda: cubes(17, 5, 300, "nissy h6: 6-11"),
    "korf-distance-all": lambda: korf_distance("Korf's 100, distance", 100),
}


def main() -> int:
    os.environ["PUZZLESPACE_CACHE_SIZE"] = "0"  # so that every table is made here
    wanted = sys.argv[1:] or list(ROWS)
    wanted = [*ROWS, *LONG] if wanted == ["--long"] else wanted
    files = {name: partial(cubes_of, name.removeprefix(CUBES)) for name in wanted if name.startswith(CUBES)}
    rows = {**ROWS, **LONG, **files}
    unknown = set(wanted) - set(rows)
    if unknown:
        print(f"no row {', '.join(sorted(unknown))}; there are {', '.join([*ROWS, *LONG])}", file=sys.stderr)
        return 2
    print(described(), flush=True)
    million = min(timeit.repeat(lambda: sum(range(10**6)), number=1, repeat=9))
    print(f"Python adds a million numbers in {1000 * million:.0f} ms here; load {os.getloadavg()[0]:.1f}")
    print(
        f"{'task':<30}{'moves':>6}{'':<36}{'cpu s':>9}{'slowest':>9}{'at most':>9}{'others':>14}{'million/s':>11}"
        f"{'x plain':>9}{'MB':>7}"
    )
    for name in wanted:
        rows[name]()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
