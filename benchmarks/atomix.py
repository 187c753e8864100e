"""Levels of Atomix: the fewest moves, proved, of every level in a folder.

    python benchmarks/atomix.py FOLDER [SECONDS]

The files are levels in any format that is read, such as those of the desktop game (`.atomix.xml`). Each gets SECONDS
(60) and 8 GB. Printed are the atoms, the moves or the bound that was proved, positions generated, processor seconds.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from machine import described
from puzzlespace.api.loader import load
from puzzlespace.contract.questions import Search
from puzzlespace.engines import gliders
from puzzlespace.limits.watch import Limits, Watch


def main(folder: Path, seconds: float) -> int:
    """Print a row for each level; return 1 if none is solved."""
    solved = 0
    print(described(), flush=True)
    print(f"{'level':<24}{'atoms':>6}{'cells':>6}{'moves':>13}{'generated':>15}{'cpu s':>8}")
    for path in sorted(folder.iterdir()):
        model = load(str(path)).model("piece")
        assert model.start is not None
        atoms = sum(symbol != 0 for symbol in model.start)
        why = gliders.refuses(model, "search")
        row = f"{path.name.split('.')[0]:<24}{atoms:>6}{model.cells:>6}"
        if why is not None:
            print(f"{row}  {why}", flush=True)
            continue
        began = time.process_time()
        watch = Watch(Limits(seconds=seconds, memory=8 << 30))
        found = gliders.search(Search(model, model.start, every=False), watch)
        spent = time.process_time() - began
        moves = f"{found.bound}" if found.stopped is None else f"{found.bound} or more"
        solved += found.stopped is None
        print(f"{row}{moves:>13}{found.generated:>15,}{spent:>8.1f}", flush=True)
    print(f"{solved} solved")
    return 0 if solved else 1


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), float(sys.argv[2]) if len(sys.argv) > 2 else 60))
