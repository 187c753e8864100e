"""Hard positions and complete counts as a user asks for them: `python benchmarks/bars.py [ROW …]`.

No engine is named, nothing is kept but compiled loops, and everything counts: what the rules say is found, the engine
is chosen, tables are made, the answer is checked. Positions are the ends of random walks from the goal, by seed;
those of `hanoi:4,15` are drawn uniformly.

Bytecode is kept in a folder of its own, also if the environment forbids it, so that modules are compiled only once.

`together`: one process answers all positions after one that is not counted, so that loading and compiling do not count.
`alone`: a command each, `solve … --start POSITION`, from the start of Python to its end; the first position is answered
once before, not counted.
Seconds are processor seconds, of all threads. `at most` is what we asked for before we began, on a machine where Python
adds a million numbers in 12 ms.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
import timeit
from collections.abc import Iterable
from random import Random
from typing import NamedTuple

from machine import described
from puzzlespace.api.loader import load
from puzzlespace.api.questions import solve, with_start
from puzzlespace.api.random_draws import random_positions
from puzzlespace.puzzle.puzzle import Puzzle


class Positions(NamedTuple):
    """Positions at the ends of walks, the seconds that we asked for (all if `together`, else each), and how.

    walk  the number of moves of a walk; 0: a position is drawn uniformly instead
    """

    spec: str
    walk: int
    seeds: int
    most: float
    together: bool = False


ROWS = {
    "pancake:16": Positions("pancake:16", 300, 20, 0.05, together=True),
    "pancake:20": Positions("pancake:20", 300, 20, 0.1, together=True),
    "pancake:50": Positions("pancake:50", 300, 20, 1, together=True),
    "burnt:15": Positions("burnt:15", 300, 3, 5),
    "lights:9x9": Positions("lights:9x9", 300, 3, 0.1),
    "lights:25x25": Positions("lights:25x25", 300, 3, 0.1),
    "hanoi:4,15": Positions("hanoi:4,15", 0, 3, 10),
    "topspin:16,4": Positions("topspin:16,4", 2_000, 3, 10),
    "topspin:18,4": Positions("topspin:18,4", 2_000, 2, 60),
    "cube:3": Positions("cube:3", 15, 5, 5),
}
COMMANDS = {
    "solve hanoi:4,12": 1,
    "depths hanoi:4,12": 1,
    "depths lights:6x6": 1,
    "depths pancake:12": 3,
    "depths topspin:12,4": 30,
}
"""Whole commands, with the seconds that we asked for."""


def main(wanted: list[str]) -> int:
    if wanted[:1] == ["--ask"]:
        print(json.dumps(answers(wanted[1], sys.stdin.read().splitlines())))
        return 0
    unknown = set(wanted) - {*ROWS, *COMMANDS}
    if unknown:
        print(f"no row {', '.join(sorted(unknown))}; there are {', '.join([*ROWS, *COMMANDS])}", file=sys.stderr)
        return 2
    os.environ["PUZZLESPACE_CACHE_SIZE"] = "0"
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": folder}
        measure(wanted or [*ROWS, *COMMANDS])
    return 0


def measure(wanted: list[str]) -> None:
    million = min(timeit.repeat(lambda: sum(range(10**6)), number=1, repeat=9))
    print(described(), flush=True)
    print(f"Python adds a million numbers in {1000 * million:.0f} ms here; load {os.getloadavg()[0]:.1f}")
    print(f"{'question':<32}{'answer':<24}{'engine':<10}{'seconds':>8}{'slowest':>9}{'at most':>9}")
    for name in wanted:
        if name in ROWS:
            positions(ROWS[name])
        else:
            command(name, COMMANDS[name])


def positions(row: Positions) -> None:
    puzzle = load(row.spec)
    starts = [puzzle.line(drawn(puzzle, row.walk, seed)) for seed in range(1, row.seeds + 1)]
    if row.together:
        _, printed = measured([__file__, "--ask", row.spec], "\n".join([starts[0], *starts]))
        found = json.loads(printed)[1:]
        seconds = [took for took, _, _ in found]
    else:
        asked = [["-m", "puzzlespace", "solve", row.spec, "--start", start, "--json", "-q"] for start in starts]
        measured(asked[0])
        runs = [(took, json.loads(printed)) for took, printed in map(measured, asked)]
        seconds = [took for took, _ in runs]
        found = [(took, answer["engine"], answer["moves"]) for took, answer in runs]
    moves = sum(length for _, _, length in found)
    engines = "/".join(sorted({engine for _, engine, _ in found}))
    how = "together" if row.together else "alone"
    line(f"{row.seeds} of {row.spec}, {how}", f"{moves} moves", engines, sum(seconds), max(seconds), row.most)


def command(words: str, most: float) -> None:
    program = ["-m", "puzzlespace", *words.split(), "--json", "-q"]
    measured(program)
    took, printed = measured(program)
    answer = json.loads(printed)
    said = f"{answer['states']:,} positions" if "states" in answer else f"{answer['moves']} moves"
    line(words, said, answer["engine"], took, took, most)


def line(question: str, answer: str, engine: str, seconds: float, slowest: float, most: float) -> None:
    print(f"{question:<30}{answer:<26}{engine:<10}{seconds:>8.2f}{slowest:>9.2f}{most:>9g}", flush=True)


def answers(spec: str, starts: Iterable[str]) -> list[tuple[float, str, int]]:
    """Return the processor seconds of each question, the engine that answered it, and the number of moves."""
    puzzle = load(spec)
    found: list[tuple[float, str, int]] = []
    for start in starts:
        began = time.process_time()
        answer = solve(with_start(puzzle, start))
        took = time.process_time() - began
        assert answer.moves is not None
        found.append((took, answer.engine, answer.moves))
    return found


def drawn(puzzle: Puzzle, walk: int, seed: int) -> bytes:
    """Return the end of a random walk from the goal, or a position drawn uniformly if the walk has no moves."""
    if not walk:
        return random_positions(puzzle, seed=seed).positions[0]
    model, chance = puzzle.model(), Random(seed)
    position = model.goals[0].position
    assert position is not None
    for _ in range(walk):
        position = chance.choice(sorted(model.moves(position)))
    return position


def measured(program: list[str], given: str = "") -> tuple[float, str]:
    """Return the processor seconds of a fresh interpreter with this program and input, and what it prints."""
    before = os.times()
    ended = subprocess.run([sys.executable, *program], check=True, input=given, stdout=subprocess.PIPE, text=True)
    after = os.times()
    took = after.children_user + after.children_system - before.children_user - before.children_system
    return took, ended.stdout


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
