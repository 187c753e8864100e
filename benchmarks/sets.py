"""Standard sets, what is proved here beside what is claimed there: `python benchmarks/sets.py [--all] [--record]`.

Each set is one command, which goes on from its file after a stop (`--save`): `solve --batch` for positions of one
puzzle, `certify` for puzzles. Without `--all`, some rows of the sets. Rush Hour, Korf, Microban and the cubes of IPC
2023 are in tests/data, and a sample of the sets used for learned search; the seconds are those on the clock of the
whole command, with at most LIMIT seconds for each row.

--data FOLDER  read files from there that `published.py` wrote, in place of those in tests/data; a set without a file is
               left out
--record  write the table into docs/benchmarks.md; rows of sets that are left out stay
--only TEXT  only the sets with this in their titles
--save FOLDER  keep the files of answers there, and go on from them
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from machine import described, kept, processor, write

DATA = Path(__file__).resolve().parent.parent / "tests" / "data"
KORF = ("slide:4x4", "--goal", "0 1 2 3 / 4 5 6 7 / 8 9 10 11 / 12 13 14 15", "--batch")
LIMIT, EACH = 60, 10
PAGE, MARK = "benchmarks.md", "benchmarks/sets.py"

Row = dict[str, str]


@dataclass(frozen=True)
class StandardSet:
    """A set of puzzles.

    file     its file; claim: the column of the claimed lengths, perhaps empty; '' if none are published
    command  words of the command before the file of the rows; options: those after it
    text     the line of a row, the level, or the puzzle file
    ending   of the file of the rows; '': a folder with a file for each
    each     without `--all`, only every so manyth row is taken
    """

    title: str
    file: str
    claim: str
    command: tuple[str, ...]
    text: Callable[[Row], str]
    options: tuple[str, ...] = ()
    ending: str = ".txt"
    each: int = EACH


def tiles(row: Row) -> str:
    return " ".join(row[f"t{cell}"] for cell in range(16))


def level(row: Row) -> str:
    return "\n".join([*row["level"].split("/"), f"; {row['number']}", ""])


def board(row: Row) -> str:
    return row["board"]


def lamps(row: Row) -> str:
    return row["lamps"].translate(str.maketrans("01", "ox"))


def cube(row: Row) -> str:
    return row["facelets"]


def ricochet(row: Row) -> str:
    return row["puzzle"].replace("/", "\n")


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
    StandardSet("15-puzzle, DeepCubeA", "learned15.csv", "optimal_length", ("solve", "slide:4x4", "--batch"), tiles),
    StandardSet("Lights Out 7x7, DeepCubeA", "lights7.csv", "", ("solve", "lights:7x7", "--batch"), lamps, each=1),
    StandardSet(
        "Rubik's Cube, IPC 2023, quarter turns", "ipc_rubik.csv", "quarter_turns", ("solve", "cube:3", "--batch"), cube,
        ("--metric", "step"), each=3,
    ),
    StandardSet(
        "Ricochet Robots, IPC 2023", "ricochet.csv", "moves", ("certify",), ricochet, ("--no-count",), "", each=4
    ),
)  # fmt: skip


def rows_of(each: StandardSet, whole: bool, data: Path | None) -> list[Row]:
    """Return the rows of a set that are asked for; none if there is no file of it."""
    there = [folder / each.file for folder in (data, DATA) if folder is not None and (folder / each.file).exists()]
    if not there:
        return []
    rows = list(csv.DictReader(there[0].read_text().splitlines()))
    rows = [row for row in rows if row[each.claim]] if each.ending == ".txt" and each.claim else rows
    return rows if whole else rows[:: each.each]


def written(each: StandardSet, rows: list[Row], file: Path) -> None:
    """Write the rows as the command reads them."""
    if each.ending:
        file.write_text("\n".join(map(each.text, rows)) + "\n")
        return
    file.mkdir(exist_ok=True)
    for number, row in enumerate(rows):
        (file / f"{number:04}.pzl").write_text(each.text(row) + "\n")


def measured(each: StandardSet, rows: list[Row], folder: Path) -> tuple[list[str], bool]:
    """Return the cells of a set, and whether all lengths that are proved here are those that are claimed there."""
    name = "-".join(word for word in (each.file.partition(".")[0], *each.options) if not word.startswith("-"))
    file = folder / f"{name}{each.ending}"
    written(each, rows, file)
    words = [*each.command, str(file), *each.options, "--seconds", str(LIMIT), "--json", "--quiet"]
    began = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-m", "puzzlespace", *words, "--save", str(folder / f"{name}.jsonl")],
        stdout=subprocess.PIPE, text=True, check=False,
    )  # fmt: skip
    found = [json.loads(line)["moves"] for line in done.stdout.splitlines()]
    assert len(found) == len(rows), f"{each.title}: expected {len(rows)} answers, found {len(found)}"
    claims = [int(row[each.claim]) if each.claim and row[each.claim] else None for row in rows]
    both = [(mine, claim) for mine, claim in zip(found, claims, strict=True) if mine is not None and claim is not None]
    equal = sum(mine == claim for mine, claim in both)
    numbers = (len(rows), sum(mine is not None for mine in found), sum(claim is not None for claim in claims), equal)
    other = len(both) - equal
    title = each.title
    if not each.claim:  # then only the mean is published
        title += f", mean {sum(length or 0 for length in found) / max(1, numbers[1]):.2f}"
    return [title, *map(str, numbers), str(other), f"{time.monotonic() - began:.0f}"], not other


def recorded() -> dict[str, list[str]]:
    """Return the rows of the table in the document by the titles of the sets."""
    titles = sorted((each.title for each in SETS), key=len)
    found: dict[str, list[str]] = {}
    for row in kept(PAGE, MARK):
        known = [title for title in titles if row[0].startswith(title)]
        if known:  # of two titles one may begin with the other
            found[known[-1]] = row
    return found


def main() -> int:
    """Print the table; return 1 if a length differs from the claimed one."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--record", action="store_true")
    parser.add_argument("--save", type=Path)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--only", default="")
    asked = parser.parse_args()
    heads = ["set", "rows", "proved by us", "claimed there", "equal", "different", "seconds", "load, processor"]
    table, right = recorded(), True
    print(described(), flush=True)
    with tempfile.TemporaryDirectory() as made:
        folder = asked.save or Path(made)
        folder.mkdir(parents=True, exist_ok=True)
        for each in SETS:
            if asked.only not in each.title:
                continue
            rows = rows_of(each, asked.all, asked.data)
            if not rows:
                print(f"{each.title}: left out, there is no {each.file}", flush=True)
                continue
            cells, same = measured(each, rows, folder)
            table[each.title] = [*cells, f"{os.getloadavg()[0]:.0f}, {processor()}"]
            right = right and same
            print(" | ".join(table[each.title]), flush=True)
    if asked.record:
        rows = [heads, ["---"] * len(heads), *(table[each.title] for each in SETS if each.title in table)]
        write(PAGE, MARK, f"{described()}\n\n" + "\n".join(f"| {' | '.join(cells)} |" for cells in rows))
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
