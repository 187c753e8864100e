"""Finished counts of many positions: `python benchmarks/counts.py FOLDER... [--record]`.

FOLDER is what `puzzlespace depths PUZZLE --save FOLDER --counts-only` left, perhaps in several runs, or a file with
what `puzzlespace depths PUZZLE --json` printed. A count of thousands of millions of positions cannot be made again by
another engine, so these are checked:

- The first layers, as far as MOST generated positions lead, are those of the engine `frontier`, which sorts layers and
  does not number positions.
- The search `idastar` needs as many moves for some of the hardest positions, below a bound of its own.
- The layers have as many positions in all as there are numbers, which come from the group that the moves generate.

--record  write the rows into docs/records.md, which keeps those of other puzzles
"""

from __future__ import annotations

import argparse
import json
import time
from dataclasses import dataclass
from pathlib import Path

from machine import described, kept, write
from puzzlespace import Limits, Puzzle, depths, load, plan, solve, with_start
from puzzlespace.api.loader import from_text

PAGE, MARK = "records.md", "benchmarks/counts.py"

MOST = 1_000_000_000
"""Positions that the second count generates."""

SOLVED, SECONDS, DEEPEST = 5, 60.0, 100
"""Hardest positions that are solved, the seconds that each search may take, and the most moves that are tried."""

HEADS = ["puzzle", "positions", "at each depth", "greatest depth", "seconds on the clock", "counted again"]


@dataclass(frozen=True)
class Count:
    """What a folder says: the puzzle, positions at each depth, the hardest or some of them, numbers, seconds."""

    name: str
    puzzle: Puzzle
    counts: tuple[int, ...]
    hardest: tuple[str, ...]
    numbers: int
    seconds: float

    @classmethod
    def of(cls, folder: Path) -> Count:
        """Return the count of a folder, or of its `progress.json`; exit if it is not finished."""
        found = json.loads((folder / "progress.json" if folder.is_dir() else folder).read_text())
        if "schema" in found:
            owner, hardest = load(found["puzzle"]), tuple(found["hardest"]["positions"])
            most = plan(owner).positions.most
            assert found["complete"]
            assert most is not None
            return cls(found["puzzle"], owner, tuple(found["counts"]), hardest, int(most), found["seconds"])
        if found["hardest"] is None:
            raise SystemExit(f"{folder}: expected a finished count, found {len(found['counts'])} layers")
        name, layers = found["puzzle"]["name"], tuple(found["counts"])
        owner = from_text(found["puzzle"]["text"], "count.pzl")
        hardest = tuple(" ".join(owner.shown(bytes.fromhex(each))) for each in found["hardest"])
        return cls(name, owner, layers, hardest, found["numbering"]["positions"], found["seconds"])


def checked(count: Count) -> str:
    """Return what was counted again; raise AssertionError if something differs."""
    again = depths(count.puzzle, engine="frontier", limits=Limits(positions=MOST)).counts
    same = len(again) - 1  # the last one may be a part of its layer
    assert again[:same] == count.counts[:same], f"{count.name}: {count.counts[:same]} and {again[:same]}"
    solved = 0
    moves = len(count.counts) - 1
    hardest = count.hardest[:: max(1, len(count.hardest) // SOLVED)][:SOLVED] if moves <= DEEPEST else ()
    for position in hardest:
        start = with_start(count.puzzle, position)
        found = solve(start, engine="idastar", limits=Limits(seconds=SECONDS))
        solved += found.moves is not None
        bound = found.bound or 0
        assert found.moves in (None, moves), f"{count.name}: {position} needs {found.moves}"
        assert bound <= moves, f"{count.name}: {position} needs at least {bound}"
    assert sum(count.counts) == count.numbers, f"{count.name}: {sum(count.counts)} and {count.numbers}"
    return f"layers 0 to {same - 1}" + (f"; {solved} of {count.counts[-1]:,} hardest solved" if hardest else "")


def row(count: Count) -> list[str]:
    """Return the cells of a count."""
    began = time.process_time()
    again = f"{checked(count)} ({time.process_time() - began:,.0f} s)"
    layers = " ".join(map(str, count.counts))
    deepest = f"{len(count.counts) - 1}, {count.counts[-1]:,} positions"
    return [f"`{count.name}`", f"{sum(count.counts):,}", layers, deepest, f"{count.seconds:,.0f}", again]


def main() -> None:
    """Print the table, and write it if asked."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--record", action="store_true")
    asked = parser.parse_args()
    rows = {cells[0]: cells for cells in kept(PAGE, MARK)}
    for folder in asked.folders:
        cells = row(Count.of(folder))
        rows[cells[0]] = cells
        print(" | ".join(cells), flush=True)
    if asked.record:
        lines = [HEADS, ["---"] * len(HEADS), *(rows[name] for name in sorted(rows))]
        write(PAGE, MARK, f"{described()}\n\n" + "\n".join(f"| {' | '.join(cells)} |" for cells in lines))


if __name__ == "__main__":
    main()
