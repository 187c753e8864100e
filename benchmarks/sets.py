"""Standard sets, what is proved here beside what is claimed there: `python benchmarks/sets.py [--all] [--record]`.

Each set is one command, which goes on from its file after a stop (`--save`): `solve --batch` for positions of one
puzzle, `certify` for puzzles. Without `--all`, every tenth row of the sets. Rush Hour, Korf and Microban are in
tests/data; the seconds are those on the clock of the whole command, with at most LIMIT seconds for each row.

--record  write the table into docs/benchmarks.md
--save FOLDER  keep the files of answers there, and go on from them
"""

from __future__ import annotations

import argparse
import csv
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from machine import described, write

DATA = Path(__file__).resolve().parent.parent / "tests" / "data"
KORF = ("slide:4x4", "--goal", "0 1 2 3 / 4 5 6 7 / 8 9 10 11 / 12 13 14 15", "--batch")
LIMIT, EACH = 60, 10
PAGE, MARK = "benchmarks.md", "benchmarks/sets.py"

Row = dict[str, str]


@dataclass(frozen=True)
class StandardSet:
    """A set of puzzles.

    file     its file in tests/data; claim: the column of the claimed lengths, perhaps empty
    command  words of the command before the file of the rows; options: those after it
    text     the line of a row, or the level
    ending   of the file of the rows
    """

    title: str
    file: str
    claim: str
    command: tuple[str, ...]
    text: Callable[[Row], str]
    options: tuple[str, ...] = ()
    ending: str = ".txt"


def tiles(row: Row) -> str:
    return " ".join(row[f"t{cell}"] for cell in range(16))


def level(row: Row) -> str:
    return "\n".join([*row["level"].split("/"), f"; {row['number']}", ""])


def board(row: Row) -> str:
    return row["board"]


QUICK = ("--no-count", "--metric")
SETS = (
    StandardSet("15-puzzle, Korf 1985", "korf15.csv", "optimal_length", ("solve", *KORF), tiles),
    StandardSet(
        "15-puzzle, Korf 1985, `multi`", "korf15.csv", "optimal_multitile", ("solve", *KORF), tiles,
        ("--metric", "multi"),
    ),
    StandardSet("Rush Hour, `run`", "rush.csv", "opt_moves", ("certify",), board, (*QUICK, "run")),
    StandardSet("Rush Hour, `step`", "rush.csv", "opt_single_steps", ("certify",), board, (*QUICK, "step")),
    StandardSet("Microban I, `push`", "sokoban.csv", "pushes", ("certify",), level, (*QUICK, "push"), ".xsb"),
)  # fmt: skip


def measured(each: StandardSet, whole: bool, folder: Path) -> tuple[list[str], bool]:
    """Return the cells of a set, and whether all lengths that are proved here are those that are claimed there."""
    rows = list(csv.DictReader((DATA / each.file).read_text().splitlines()))
    rows = [row for row in rows if row[each.claim]] if each.ending == ".txt" else rows
    rows = rows if whole else rows[::EACH]
    name = "-".join(word for word in (each.file.partition(".")[0], *each.options) if not word.startswith("-"))
    file = folder / f"{name}{each.ending}"
    file.write_text("\n".join(map(each.text, rows)) + "\n")
    words = [*each.command, str(file), *each.options, "--seconds", str(LIMIT), "--json", "--quiet"]
    began = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-m", "puzzlespace", *words, "--save", str(folder / f"{name}.jsonl")],
        stdout=subprocess.PIPE, text=True, check=False,
    )  # fmt: skip
    found = [json.loads(line)["moves"] for line in done.stdout.splitlines()]
    assert len(found) == len(rows), f"{each.title}: expected {len(rows)} answers, found {len(found)}"
    claims = [int(row[each.claim]) if row[each.claim] else None for row in rows]
    both = [(mine, claim) for mine, claim in zip(found, claims, strict=True) if mine is not None and claim is not None]
    equal = sum(mine == claim for mine, claim in both)
    numbers = (len(rows), sum(mine is not None for mine in found), sum(claim is not None for claim in claims), equal)
    other = len(both) - equal
    return [each.title, *map(str, numbers), str(other), f"{time.monotonic() - began:.0f}"], not other


def main() -> int:
    """Print the table; return 1 if a length differs from the claimed one."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--record", action="store_true")
    parser.add_argument("--save", type=Path)
    asked = parser.parse_args()
    heads = ["set", "rows", "proved by us", "claimed there", "equal", "different", "seconds"]
    table, right = [heads, ["---"] * len(heads)], True
    print(described(), flush=True)
    with tempfile.TemporaryDirectory() as made:
        folder = asked.save or Path(made)
        folder.mkdir(parents=True, exist_ok=True)
        for each in SETS:
            cells, same = measured(each, asked.all, folder)
            table.append(cells)
            right = right and same
            print(" | ".join(cells), flush=True)
    if asked.record:
        write(PAGE, MARK, f"{described()}\n\n" + "\n".join(f"| {' | '.join(cells)} |" for cells in table))
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
