"""Every lower bound on small puzzles: held against the distance of every position, and how much of it the bound tells.

    python benchmarks/bounds.py            all puzzles
    python benchmarks/bounds.py eight line

Distances are those of plain breadth-first search. Of more than 20,000 positions every so many are tried.
"""

from __future__ import annotations

import sys
import time

from machine import described
from puzzlespace.analysis.impossible import goal_positions
from puzzlespace.api.loader import load
from puzzlespace.bounds.choosing import SLIDE_NAMES, slide_heuristic
from puzzlespace.errors import UnsupportedError
from puzzlespace.model.model import Model
from puzzlespace.structure import slides

PUZZLES = (
    ("eight", "step"), ("eight", "multi"), ("line", "step"), ("hexagram", "step"),
    ("slide:2x4", "step"), ("slide:2x4", "multi"), ("no-off-a", "step"), ("no-off-b", "step"), ("klotski", "piece"),
)  # fmt: skip
BOUNDS = (*SLIDE_NAMES, "walking+inversion")
MOST = 20_000


def distances(model: Model, goals: tuple[bytes, ...]) -> dict[bytes, int]:
    """Return the distance of every position to the nearest goal; every move can be undone."""
    found = dict.fromkeys(goals, 0)
    layer, depth = list(goals), 0
    while layer:
        depth += 1
        following = [child for position in layer for child in model.moves(position)]
        layer = [child for child in dict.fromkeys(following) if child not in found]
        found.update(dict.fromkeys(layer, depth))
    return found


def rows(name: str, metric: str) -> None:
    """Print a row for each bound that the puzzle has."""
    model = load(name).model(metric)
    goals, board = goal_positions(model), slides.read(model)
    assert goals
    assert not isinstance(board, str)
    table = list(distances(model, goals).items())
    tried = table[:: -(-len(table) // MOST)]
    mean = sum(depth for _, depth in tried) / len(tried)
    for bound in BOUNDS:
        try:
            began = time.process_time()
            tell = slide_heuristic(bound, board, model.goals, goals[0]).bound
            values = [tell(position) for position, _ in tried]
        except UnsupportedError as error:
            print(f"{name:<10} {metric:<6} {bound:<18} {error}", flush=True)
            continue
        over = sum(value > depth for value, (_, depth) in zip(values, tried, strict=True))
        print(
            f"{name:<10} {metric:<6} {bound:<18} tried {len(tried):>6,} of {len(table):>7,}  too great {over}  "
            f"mean {sum(values) / len(values):>6.2f} of {mean:.2f}  {time.process_time() - began:.2f} CPU s",
            flush=True,
        )


def main() -> None:
    """Print all rows, or those of some puzzles."""
    print(described(), flush=True)
    for name, metric in PUZZLES:
        if len(sys.argv) < 2 or name in sys.argv[1:]:
            rows(name, metric)


if __name__ == "__main__":
    main()
