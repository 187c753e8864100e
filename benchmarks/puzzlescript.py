"""Levels of PuzzleScript games: shortest solutions, and turns a second beside those of the original program.

    python benchmarks/puzzlescript.py FOLDER [GAME ...] [--original CHECKOUT] [--stopped] [--most 5] [--seconds 20]
                                      [--gigabytes 2] [--minutes 60] [--workers 1] [--record]

FOLDER has games in demos/ and the file demos.csv: for each level how a breadth-first search with the original turn
ended, and the length. Levels are searched in the order of the seconds that it took. Each solution is replayed with the
plain turn. Turns are inputs tried from positions. Turns a second are those of whole searches in processor time, without
reading the game, expanding its rules and loading compiled loops.

--original  after each level, search it with the original program (`original_puzzlescript.js`, by Node.js) too, with
            the same limit. CHECKOUT is a clone of its repository. A search that ends sooner than LEAST is repeated, in
            both programs, so that neither is measured while it warms up.
--stopped   only the levels at which that search of demos.csv was stopped
--most      only so many levels of each game: those that took that search longest
--minutes   begin no level after so many; levels that were not begun are in no row
--workers   processes that search at the same time; each may take so many gigabytes
--record    write the table into docs/games.md, into the place for such a run: with --original, with --stopped, or else
"""

from __future__ import annotations

import argparse
import csv
import json
import math
import subprocess
import sys
import time
from collections import Counter, deque
from collections.abc import Collection, Hashable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass, replace
from math import prod
from pathlib import Path
from typing import Any

from machine import described, write
from puzzlespace.contract.answers import Geodesics
from puzzlespace.contract.questions import Search
from puzzlespace.engines import encoded
from puzzlespace.errors import EndlessError
from puzzlespace.games.game import GameBoard
from puzzlespace.games.layers import GameLayers
from puzzlespace.games.level import GameLevel
from puzzlespace.games.reading import read_game
from puzzlespace.limits.watch import Limits, Watch

PAGE, MARK = "games.md", "benchmarks/puzzlescript.py"
HEADS = ("game", "levels", "solved", "unsolvable", "stopped", "positions", "seconds")
RATES = ("turns a second", "original: stopped", "original: turns a second", "times")
LEAST = 0.3
"""Seconds after which a search that ended is not repeated, if turns a second are compared."""

ENDED = ("solved", "exhausted-unsolvable")


class Counted(GameLayers):
    """Layers of a level that count turns: inputs tried from positions that are not won.

    prepared  the seconds that it took to make the tables of the rules
    """

    turns, prepared = 0, 0.0

    def enter(self, positions: Sequence[Any]) -> range:
        began = time.process_time()
        layer = super().enter(positions)
        self.positions.compiled()
        self.prepared = time.process_time() - began
        return layer

    def following(self, layer: range, watch: Watch, bound: int) -> range:
        before = self.positions.compiled().left_out
        try:
            return super().following(layer, watch, bound)
        finally:
            done = self.positions.extended
            idle = len(self.positions.won(layer.start, done)) + self.positions.compiled().left_out - before
            self.turns += (done - layer.start - idle) * len(self.moves.inputs)


@dataclass(frozen=True)
class Run:
    """A level that was searched, and its row of demos.csv.

    status    'solved', 'exhausted-unsolvable', 'limit', or 'endless' if an `again` does not end
    length    of a shortest solution, or ''
    seconds   of the search
    turns     of it and of its repetitions; `making` are their seconds
    original  what the original program found, if it was asked
    """

    row: dict[str, str]
    status: str
    length: str = ""
    generated: int = 0
    seconds: float = 0.0
    turns: int = 0
    making: float = 0.0
    original: dict[str, Any] | None = None

    @property
    def ended(self) -> bool:
        return self.status in ENDED

    @property
    def both(self) -> bool:
        return self.ended and self.row["status"] in ENDED

    @property
    def differs(self) -> bool:
        theirs = self.row["length"] if self.row["status"] == "solved" else ""
        return self.both and (self.status, self.length) != (self.row["status"], theirs)


class Original:
    """The original program in a process of its own."""

    def __init__(self, checkout: Path) -> None:
        words = ["node", str(Path(__file__).with_name("original_puzzlescript.js")), str(checkout)]
        self.process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def search(self, text: str, level: int, seconds: float) -> dict[str, Any]:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        asked = {"text": text, "level": level, "seconds": seconds, "least": LEAST}
        print(json.dumps(asked), file=self.process.stdin, flush=True)
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit("expected an answer of the original program, found none: it ended")
        return json.loads(line)


def run(folder: Path, row: dict[str, str], limits: Limits, original: Original | None = None) -> Run:
    """Search a level; its solution is replayed."""
    text = (folder / "demos" / f"{row['game'].replace(' ', '_')}.txt").read_text()
    game, index = read_game(text, row["game"]), int(row["level_index"])
    boards = [number for number, each in enumerate(game.levels) if isinstance(each, GameBoard)]
    level: Any = GameLevel.of(game, boards.index(index) + 1, row["game"])
    try:
        answer, seconds, turns, making = search(level, limits)
    except EndlessError:
        return Run(row, "endless")
    replay(level, answer.layers)
    status = "limit" if answer.stopped else "solved" if answer.layers else "exhausted-unsolvable"
    length = str(len(answer.layers) - 1) if status == "solved" else ""
    found = Run(row, status, length, answer.generated, seconds, turns, making)
    if original is None:
        return found
    while turns and not answer.stopped and making < LEAST:
        _, _, more, longer = search(level, limits)
        turns, making = turns + more, making + longer
    assert limits.seconds is not None
    return replace(found, turns=turns, making=making, original=original.search(text, index, limits.seconds))


def run_all(
    folder: Path, rows: Sequence[dict[str, str]], limits: Limits, workers: int, original: Original | None
) -> Iterator[Run]:
    """Yield all levels in their order; `workers` processes search them unless the original program does so too."""
    run(folder, rows[0], limits)  # loads the compiled loops
    if workers == 1 or original is not None:
        yield from (run(folder, row, limits, original) for row in rows)
        return
    with ProcessPoolExecutor(workers) as pool:
        waiting = deque(rows)
        running: deque[Future[Run]] = deque()
        try:
            while waiting or running:
                while waiting and len(running) < 2 * workers:
                    running.append(pool.submit(run, folder, waiting.popleft(), limits))
                yield running.popleft().result()
        finally:
            pool.shutdown(cancel_futures=True)


def search(level: Any, limits: Limits) -> tuple[Geodesics, float, int, float]:
    """Search a level; return the answer, the seconds, the turns, and the seconds without those for the tables."""
    moves = Counted(level.moves, 0)
    level = replace(level, encoding=lambda _: moves)
    began = time.process_time()
    answer = encoded.search(Search(level, level.start, every=False), Watch(limits))
    seconds = time.process_time() - began
    return answer, seconds, moves.turns, seconds - moves.prepared


def replay(level: Any, layers: Sequence[Collection[Hashable]]) -> None:
    """Play a solution from its layers with the plain turn. Raises StopIteration if a move is none, and for no win."""
    place: Any = level.start
    for layer in layers[1:]:
        place = next(to for _, to in level.moves.named(place) if to in layer)
    if layers and not place.won:
        raise SystemExit(f"{level.title}: expected a win after {len(layers) - 1} inputs")


def cells(name: str, runs: Sequence[Run], rates: bool) -> tuple[list[str], float | None]:
    """Return the cells of a row, and how many times as many turns a second ours are; None without figures."""
    solved, lost = (sum(each.status == status for each in runs) for status in ENDED)
    figures = [len(runs), solved, lost, len(runs) - solved - lost, sum(each.generated for each in runs)]
    found = [name, *(f"{each:,}" for each in figures), f"{sum(each.seconds for each in runs):.1f}"]
    if not rates:
        return found, None
    made = [each for each in runs if each.turns and each.original]
    mine = rate(sum(each.turns for each in made), sum(each.making for each in made))
    theirs = [each.original for each in made if each.original]
    other = rate(sum(each["turns"] for each in theirs), sum(each["seconds"] for each in theirs))
    stopped = sum(each.original is not None and each.original["status"] not in ENDED for each in runs)
    times = mine / other if mine and other else None
    speeds = [f"{each:,.0f}" if each else "" for each in (mine, other)]
    return [*found, speeds[0], f"{stopped}", speeds[1], f"{times:.1f}" if times else ""], times


def rate(turns: int, seconds: float) -> float:
    return turns / seconds if seconds else 0.0


def asked_rows(folder: Path, games: Sequence[str], stopped: bool, most: int | None) -> list[dict[str, str]]:
    rows = list(csv.DictReader((folder / "demos.csv").read_text().splitlines()))
    present = {each.stem for each in (folder / "demos").glob("*.txt")}
    rows = [row for row in rows if row["game"].replace(" ", "_") in (set(games) or present)]
    rows = [row for row in rows if not stopped or row["status"] not in ENDED]
    rows.sort(key=lambda row: (row["status"] not in ENDED, float(row["seconds"])))
    later = Counter(row["game"] for row in rows)
    chosen: list[dict[str, str]] = []
    for row in rows:
        chosen += [row] if most is None or later[row["game"]] <= most else []
        later[row["game"]] -= 1
    return chosen


def table(runs: Sequence[Run]) -> str:
    """Return the rows of all games, the sums, and what was compared."""
    rates = any(each.original for each in runs)
    heads = [*HEADS, *(RATES if rates else ())]
    lines, factors = [heads, ["---"] * len(heads)], dict[str, float]()
    for name in sorted({each.row["game"] for each in runs}):
        row, times = cells(name, [each for each in runs if each.row["game"] == name], rates)
        lines.append(row)
        factors |= {name: times} if times else {}
    lines.append(cells("all", runs, rates)[0])
    both, wrong = sum(each.both for each in runs), sum(each.differs for each in runs)
    here = sum(each.ended and not each.both for each in runs)
    there = sum(each.row["status"] in ENDED and not each.ended for each in runs)
    text = "\n".join(f"| {' | '.join(line)} |" for line in lines) + (
        f"\n\n{both} levels ended here and in the search of the file, {wrong} of them differently. {here} more ended "
        f"only here, {there} only there."
    )
    if factors:
        mean, least = prod(factors.values()) ** (1 / len(factors)), min(factors, key=lambda name: factors[name])
        text += f" Geometric mean of `times`: {mean:.1f}; the least is {factors[least]:.1f}, of {least}."
    return text


def main() -> int:
    """Print a line for each level and the table; return 1 if an answer differs."""
    words = argparse.ArgumentParser(description="Shortest solutions of the levels of games.")
    words.add_argument("folder", type=Path)
    words.add_argument("games", nargs="*")
    words.add_argument("--seconds", type=float, default=20)
    words.add_argument("--gigabytes", type=float, default=2)
    words.add_argument("--minutes", type=float, default=math.inf)
    words.add_argument("--workers", type=int, default=1)
    words.add_argument("--original", type=Path)
    words.add_argument("--stopped", action="store_true")
    words.add_argument("--most", type=int)
    words.add_argument("--record", action="store_true")
    asked = words.parse_args()
    limits = Limits(seconds=asked.seconds, memory=int(asked.gigabytes * 1e9))
    found: list[Run] = []
    original = Original(asked.original) if asked.original else None
    rows = asked_rows(asked.folder, asked.games, asked.stopped, asked.most)
    began = time.monotonic()
    for last in run_all(asked.folder, rows, limits, asked.workers, original):
        found.append(last)
        words_of = [last.row["game"], last.row["level_index"], last.status, last.length]
        speeds = [rate(last.turns, last.making)]
        speeds += [rate(last.original["turns"], last.original["seconds"])] if last.original else []
        print(*words_of, last.row["status"], last.row["length"], last.generated, f"{last.seconds:.2f}",
              *(f"{each:.0f}" for each in speeds), "DIFFERS" * last.differs, flush=True)  # fmt: skip
        if time.monotonic() - began > 60 * asked.minutes:
            break
    runs = [each for each in found if each.status != "endless"]
    text = f"{described()}, at most {asked.seconds:g} s a level\n\n{table(runs)} "
    text += f"{len(found) - len(runs)} levels with an endless `again` are in no row."
    print(text)
    if asked.record:
        write(PAGE, MARK + " --original" * (original is not None) + " --stopped" * asked.stopped, text)
    return int(any(each.differs for each in runs))


if __name__ == "__main__":
    sys.exit(main())
