"""How long after a limit, or after Ctrl-C, a command ends: large puzzles by commands by limits, as a Markdown table.

    python benchmarks/limits.py                 13 puzzles, 6 commands, 4 limits: 312 cells, about half an hour
    python benchmarks/limits.py --seconds 1     the limit of seconds, also the time until Ctrl-C (default 2)
    python benchmarks/limits.py --only seconds  one kind of limit: seconds, ctrl-c, memory or positions

Each cell is a process of its own. It holds the exit code, how many seconds after its limit the process was gone (for
memory and positions the seconds that it took in all), and in brackets the processor time that it took in all. A cell is
late (in bold) after more than 0.5 s + 10 %. The time of a process counts from its start, so that loading the program is
part of it; other programs beside it make every figure but that in brackets larger.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "support"))

from large_puzzles import SPECS, written  # noqa: E402
from limit_cells import COMMANDS, KINDS, cell  # noqa: E402


def main() -> int:
    """Print the tables; return 1 if a cell was late."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--only", choices=KINDS)
    asked = parser.parse_args()
    cells = late = 0
    with tempfile.TemporaryDirectory() as folder:
        os.environ["PUZZLESPACE_CACHE"] = str(Path(folder) / "cache")
        puzzles = [*SPECS, *map(str, written(folder).values())]
        for kind in (asked.only,) if asked.only else KINDS:
            print(f"\n### {kind}, {asked.seconds:g} s, load {os.getloadavg()[0]:.1f}\n", flush=True)
            print("| puzzle | " + " | ".join(COMMANDS) + " |\n|---" + "|---" * len(COMMANDS) + "|", flush=True)
            for puzzle in puzzles:
                row = [cell(command, puzzle, kind, asked.seconds) for command in COMMANDS]
                cells, late = cells + len(row), late + sum(each.late or each.broken for each in row)
                print(f"| {Path(puzzle).name} | " + " | ".join(map(str, row)) + " |", flush=True)
    print(f"\n{cells} cells, {late} late")
    return 1 if late else 0


if __name__ == "__main__":
    sys.exit(main())
