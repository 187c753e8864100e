"""Levels of Sokoban from a folder: the fewest pushes, proved by the engine `boxes`.

    python benchmarks/xsokoban.py FOLDER [LEVEL ...] [--seconds 3600] [--gigabytes 8]

The folder has one level in each file; a LEVEL is the name of a file. Each solution is replayed push by push, and it is
proved shortest; for a level that is not solved, `at least` is the number of pushes that is proved. `cpu s` is processor
time, compiled loops made before.
"""

from __future__ import annotations

import argparse
import sys
import time
from itertools import pairwise
from pathlib import Path

from machine import described
from puzzlespace.api.loader import load
from puzzlespace.contract.questions import Search
from puzzlespace.engines import boxes
from puzzlespace.limits.watch import Limits, Watch
from puzzlespace.model.model import Model
from puzzlespace.structure.boxes import Warehouse, read


def is_solution(model: Model, path: list[bytes]) -> bool:
    """Return whether each position follows from the one before by walking and one push, from the start to a goal."""
    level = read(model)
    assert isinstance(level, Warehouse)
    return (
        path[0] == model.settled(model.start or b"")
        and model.is_goal(path[-1])
        and all(_one_push(level, *pair) for pair in pairwise(path))
    )


def _one_push(level: Warehouse, before: bytes, after: bytes) -> bool:
    walks = _walks(level, before)
    boxes_before, boxes_after = set(level.boxes_in(before)), set(level.boxes_in(after))
    return any(
        a in walks and b in boxes_before and boxes_after == boxes_before - {b} | {c} and b in _walks(level, after)
        for a, b, c in level.pushes
        if c not in boxes_before
    )


def _walks(level: Warehouse, position: bytes) -> set[int]:
    """Return the cells that the player can come to."""
    taken = set(level.boxes_in(position))
    found = [position.index(level.player)]
    for cell in found:
        found += [b for a, b in level.steps if a == cell and b not in taken and b not in found]
    return set(found)


def main() -> int:
    """Print a row for each level; return 1 if a solution is wrong."""
    words = argparse.ArgumentParser(description="Fewest pushes of the levels in a folder.")
    words.add_argument("folder", type=Path)
    words.add_argument("levels", nargs="*")
    words.add_argument("--seconds", type=float, default=3600)
    words.add_argument("--gigabytes", type=float, default=8)
    asked = words.parse_args()
    paths = [asked.folder / name for name in asked.levels] or sorted(asked.folder.iterdir())
    limits = Limits(seconds=asked.seconds, memory=int(asked.gigabytes * 1e9))
    first = load(str(paths[0])).model()
    boxes.search(Search(first, first.start or b"", every=False), Watch(Limits(positions=1)))  # compiles the loops
    print(described(), flush=True)
    print(f"{'level':<16}{'pushes':>7}{'at least':>9}{'generated':>14}{'cpu s':>8}")
    solved, wrong = 0, []
    for path in paths:
        model = load(str(path)).model()
        began = time.process_time()
        found = boxes.search(Search(model, model.start or b"", every=False), Watch(limits))
        took = time.process_time() - began
        if found.layers:
            solved += 1
            if not is_solution(model, [bytes(*layer) for layer in found.layers]):
                wrong.append(path.name)
        pushes = len(found.layers) - 1 if found.layers else ""
        print(f"{path.name:<16}{pushes:>7}{found.bound or 0:>9}{found.generated:>14,}{took:>8.1f}", flush=True)
    print(f"\nproved shortest: {solved} of {len(paths)}; wrong solutions: {', '.join(wrong) or 'none'}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
