"""Levels of PuzzleScript games: shortest solutions, held against those of a search with the original program.

    python benchmarks/puzzlescript.py FOLDER [GAME ...] [--seconds 20] [--gigabytes 2] [--until HH:MM] [--record]

FOLDER has games in demos/ and the file demos.csv: for each level how a breadth-first search with the original turn
ended, the length, turns and seconds. Levels are searched in the order of the seconds that it took. Each solution is
replayed with the plain turn. Turns are inputs tried from positions. Turns a second are those of whole searches: of ours
in processor time, without reading the game and loading compiled loops; of the other program as it has them. Games
without a compiled turn have no such figures.

--until   begin no level after this time of the day; levels that were not begun are in no row
--record  write the table into docs/games.md
"""

from __future__ import annotations

import argparse
import csv
import datetime
import sys
import time
from collections.abc import Collection, Hashable, Sequence
from dataclasses import dataclass, replace
from math import prod
from pathlib import Path
from typing import Any

from machine import described, write
from puzzlespace.contract.answers import Geodesics
from puzzlespace.contract.questions import Search
from puzzlespace.engines import encoded, plain
from puzzlespace.errors import EndlessError
from puzzlespace.games.game import GameBoard
from puzzlespace.games.layers import GameLayers
from puzzlespace.games.level import GameLevel
from puzzlespace.games.positions import is_small
from puzzlespace.games.reading import read_game
from puzzlespace.limits.watch import Limits, Watch

PAGE, MARK = "games.md", "benchmarks/puzzlescript.py"
HEADS = ("game", "levels", "solved", "unsolvable", "stopped", "stopped there", "positions", "seconds", "turns a second",
         "turns a second there", "times")  # fmt: skip
ENDED = ("solved", "exhausted-unsolvable")


class Counted(GameLayers):
    """Layers of a level that count turns: inputs tried from positions that are not won."""

    turns = 0

    def following(self, layer: range, watch: Watch, bound: int) -> range:
        try:
            return super().following(layer, watch, bound)
        finally:
            done = self.positions.extended
            wins = len(self.positions.won(layer.start, done))
            self.turns += (done - layer.start - wins) * len(self.moves.inputs)


@dataclass(frozen=True)
class Run:
    """A level that was searched, and its row of demos.csv."""

    row: dict[str, str]
    answer: Geodesics
    turns: int
    seconds: float

    @property
    def status(self) -> str:
        return "limit" if self.answer.stopped else "solved" if self.answer.layers else "exhausted-unsolvable"

    @property
    def length(self) -> str:
        """The length of a shortest solution, or ''."""
        return str(len(self.answer.layers) - 1) if self.status == "solved" else ""

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


def run(folder: Path, row: dict[str, str], limits: Limits) -> Run:
    """Search a level; its solution is replayed."""
    game = read_game((folder / "demos" / f"{row['game'].replace(' ', '_')}.txt").read_text(), row["game"])
    boards = [number for number, each in enumerate(game.levels) if isinstance(each, GameBoard)]
    level: Any = GameLevel.of(game, boards.index(int(row["level_index"])) + 1, row["game"])
    moves = Counted(level.moves, 0) if is_small(game, level.board) else None
    if moves is not None:
        level = replace(level, encoding=lambda _: moves)
    engine = encoded if moves else plain
    began = time.process_time()
    answer = engine.search(Search(level, level.start, every=False), Watch(limits))
    seconds = time.process_time() - began
    replay(level, answer.layers)
    return Run(row, answer, moves.turns if moves else 0, seconds)


def replay(level: Any, layers: Sequence[Collection[Hashable]]) -> None:
    """Play a solution from its layers with the plain turn. Raises StopIteration if a move is none, and for no win."""
    place: Any = level.start
    for layer in layers[1:]:
        place = next(to for _, to in level.moves.named(place) if to in layer)
    if layers and not place.won:
        raise SystemExit(f"{level.title}: expected a win after {len(layers) - 1} inputs")


def cells(name: str, runs: Sequence[Run]) -> tuple[list[str], float | None]:
    """Return the cells of a row, and how many times as many turns a second ours are; None without figures."""
    solved, lost = (sum(each.status == status for each in runs) for status in ENDED)
    there = sum(each.row["status"] not in ENDED for each in runs)
    made = [each for each in runs if each.turns]
    mine = rate(sum(each.turns for each in made), sum(each.seconds for each in made))
    other = rate(sum(int(each.row["turns"]) for each in made), sum(float(each.row["seconds"]) for each in made))
    times = mine / other if mine and other else None
    figures = [len(runs), solved, lost, len(runs) - solved - lost, there, sum(each.answer.generated for each in runs)]
    return [
        name, *(f"{each:,}" for each in figures), f"{sum(each.seconds for each in runs):.1f}",
        *(f"{each:,.0f}" if each else "" for each in (mine, other)), f"{times:.1f}" if times else "",
    ], times  # fmt: skip


def rate(turns: int, seconds: float) -> float:
    return turns / seconds if seconds else 0.0


def asked_rows(folder: Path, games: Sequence[str]) -> list[dict[str, str]]:
    rows = list(csv.DictReader((folder / "demos.csv").read_text().splitlines()))
    rows = [row for row in rows if not games or row["game"].replace(" ", "_") in games]
    return sorted(rows, key=lambda row: (row["status"] not in ENDED, float(row["seconds"])))


def table(runs: Sequence[Run]) -> str:
    """Return the rows of all games, the sums, and what was compared."""
    lines, factors = [list(HEADS), ["---"] * len(HEADS)], list[float]()
    for name in sorted({each.row["game"] for each in runs}):
        row, times = cells(name, [each for each in runs if each.row["game"] == name])
        lines.append(row)
        factors += [times] if times else []
    lines.append(cells("all", runs)[0])
    mean = f"{prod(factors) ** (1 / len(factors)):.1f}" if factors else "unknown"
    both, wrong = sum(each.both for each in runs), sum(each.differs for each in runs)
    here = sum(each.ended and not each.both for each in runs)
    there = sum(each.row["status"] in ENDED and not each.ended for each in runs)
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + (
        f"\n\n{both} levels ended in both searches, {wrong} of them differently. {here} more ended only here, {there} "
        f"only there. Geometric mean of `times`: {mean}."
    )


def main() -> int:
    """Print a line for each level and the table; return 1 if an answer differs."""
    words = argparse.ArgumentParser(description="Shortest solutions of the levels of games.")
    words.add_argument("folder", type=Path)
    words.add_argument("games", nargs="*")
    words.add_argument("--seconds", type=float, default=20)
    words.add_argument("--gigabytes", type=float, default=2)
    words.add_argument("--until", type=datetime.time.fromisoformat, default=datetime.time.max)
    words.add_argument("--record", action="store_true")
    asked = words.parse_args()
    limits = Limits(seconds=asked.seconds, memory=int(asked.gigabytes * 1e9))
    runs: list[Run] = []
    endless = 0
    run(asked.folder, asked_rows(asked.folder, asked.games)[0], limits)  # loads the compiled loops
    for row in asked_rows(asked.folder, asked.games):
        if datetime.datetime.now().time() > asked.until:
            break
        try:
            runs.append(run(asked.folder, row, limits))
        except EndlessError:
            endless += 1
            print(row["game"], row["level_index"], "endless", row["status"], flush=True)
            continue
        answer = runs[-1].answer
        words_of = [row["game"], row["level_index"], runs[-1].status, runs[-1].length, row["status"], row["length"]]
        speed = rate(runs[-1].turns, runs[-1].seconds)
        print(*words_of, answer.generated, f"{runs[-1].seconds:.2f}", f"{speed:.0f}", "DIFFERS" * runs[-1].differs,
              flush=True)  # fmt: skip
    text = f"{described()}, at most {asked.seconds:g} s a level\n\n{table(runs)} "
    text += f"{endless} levels with an endless `again` are in no row."
    print(text)
    if asked.record:
        write(PAGE, MARK, text)
    return int(any(each.differs for each in runs))


if __name__ == "__main__":
    sys.exit(main())
