"""Triangular peg solitaire in the fewest chains (OEIS A127500): `python benchmarks/triangles.py`.

For each first hole up to symmetry, the fewest moves to any last peg are searched. A search ends when it has proved that
they are no fewer than the best of the holes before.

--sides   the cells on a side (4 to 10); the document keeps the rows of other sides
--holes   the numbers of the first holes, row by row from 0, if not all
--record  write the table into docs/records.md
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

from machine import described, kept, write
from puzzlespace import Limits, Status, load, solve

PAGE, MARK = "records.md", "benchmarks/triangles.py"

KNOWN = {4: 5, 5: 9, 6: 9, 7: 12, 8: 13, 9: 16, 10: 18}
"""OEIS A127500, G. I. Bell 2008."""


class EnoughError(Exception):
    """It is proved that no solution is shorter than the best one."""


def holes(side: int) -> list[int]:
    """Return the first hole of each class under the symmetries of the triangle, row by row."""
    found: dict[tuple[int, ...], int] = {}
    for row in range(side):
        for place in range(row + 1):
            found.setdefault(tuple(sorted((side - 1 - row, place, row - place))), row * (row + 1) // 2 + place)
    return sorted(found.values())


def puzzle(side: int, hole: int) -> str:
    """Return the text of a problem."""
    signs = "".join("." if cell == hole else "o" for cell in range(side * (side + 1) // 2))
    rows = [" ".join(signs[row * (row + 1) // 2 :][: row + 1]) for row in range(side)]
    start = "\n".join(f"  {' ' * (side - 1 - number)}{row}" for number, row in enumerate(rows))
    return f"rule: jump\ncount: chain\nboard: triangle {side}\nstart:\n{start}\ngoal: any one peg\n"


def fewest(side: int, hole: int, best: int) -> tuple[str, int | None]:
    """Return what is known of a problem, and the length of its solution; stop when `best` is proved a lower bound."""

    def seen(progress: object) -> None:
        if getattr(progress, "bound", False) and getattr(progress, "layer", 0) >= best:
            raise EnoughError

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "triangle.pzl")
        file.write_text(puzzle(side, hole))
        try:
            found = solve(load(str(file)), limits=Limits(memory=4 << 30), progress=seen)
        except EnoughError:
            return f"at least {best}", None
    if found.status is Status.IMPOSSIBLE:
        return "no solution", None
    if found.status is not Status.OPTIMAL:
        return f"stopped, at least {found.bound}", None
    print(", ".join(found.names), flush=True)
    return str(found.moves), found.moves


def rows_of(side: int, chosen: list[int]) -> list[list[str]]:
    """Return the rows of a side; raise AssertionError if the fewest moves are not the known ones."""
    best, rows = 1 << 20, list[list[str]]()
    for hole in chosen or holes(side):
        began = time.process_time()
        said, moves = fewest(side, hole, best)
        best = best if moves is None else min(best, moves)
        rows.append([str(side), str(hole), said, f"{time.process_time() - began:.0f}"])
        print(" | ".join(rows[-1]), flush=True)
    assert chosen or best == KNOWN[side], f"expected {KNOWN[side]} moves on side {side}, found {best}"
    return rows


def main() -> None:
    """Print the table row by row."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--sides", type=int, nargs="*", default=[4, 5, 6, 7, 10])
    parser.add_argument("--holes", type=int, nargs="*", default=[])
    parser.add_argument("--record", action="store_true")
    asked = parser.parse_args()
    print(described(), flush=True)
    table = {(int(row[0]), int(row[1])): row for row in kept(PAGE, MARK)}
    for side in asked.sides:
        table.update({(side, int(row[1])): row for row in rows_of(side, asked.holes)})
    if asked.record:
        lines = [
            ["side", "first hole", "fewest chains", "CPU seconds"],
            ["---"] * 4,
            *(table[at] for at in sorted(table)),
        ]
        write(PAGE, MARK, f"{described()}\n\n" + "\n".join(f"| {' | '.join(cells)} |" for cells in lines))


if __name__ == "__main__":
    sys.exit(main())
