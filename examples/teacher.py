"""For a lesson on search: four algorithms on the 8-puzzle, two bounds of our own, one table and one plot.

    python examples/teacher.py            prints the table
    python examples/teacher.py plot.svg   also draws it (needs the extra `plot`)

Change `misplaced` or `manhattan`, the start, or the algorithms. A bound that claims too much is found out.
"""

import sys
from pathlib import Path

import puzzlespace
from puzzlespace import ComparisonRow

ALGORITHMS = ("bfs", "astar", "idastar", "weighted-astar:2")
START = "1 4 2 / 5 . 8 / 3 6 7"


def misplaced(position: bytes) -> int:
    """Return how many tiles are not in their places: each needs a move of its own."""
    return sum(tile not in (0, place) for place, tile in enumerate(position, 1))


def manhattan(position: bytes) -> int:
    """Return how many cells all tiles are away from their places: a move brings one tile one cell nearer."""
    home = [(place, tile - 1) for place, tile in enumerate(position) if tile]
    return sum(abs(here // 3 - there // 3) + abs(here % 3 - there % 3) for here, there in home)


def compared(start: str = START) -> list[ComparisonRow]:
    """Return the rows of the comparison."""
    return list(puzzlespace.compare("eight", algorithms=ALGORITHMS, bounds=[misplaced, manhattan], start=start))


def line(row: ComparisonRow) -> str:
    """Return a row of the table."""
    name = f"{row.engine:18}{row.heuristic:12}"
    return f"{name}{row.moves!s:>6}{row.expanded:>10,}{row.generated:>11,}{row.held:>9,}  {row.proof}"


def main(files: list[str]) -> None:
    """Print the table, and draw it into a file if one is named."""
    rows = compared()
    print(f"{'algorithm':18}{'bound':12}{'moves':>6}{'expanded':>10}{'generated':>11}{'held':>9}")
    for row in rows:
        print(line(row))
    for file in files:
        kind = Path(file).suffix.removeprefix(".")
        Path(file).write_bytes(puzzlespace.comparison_plot(rows, kind, f"The 8-puzzle from {START}"))


if __name__ == "__main__":
    main(sys.argv[1:])
