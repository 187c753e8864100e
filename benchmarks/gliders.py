"""Gliding pieces and pushed boxes: shortest solutions, processor seconds, beside the figures of other programs.

    python benchmarks/gliders.py

Every length is compared with that of the puzzle's file (`known:`). `cpu s` is the time in the engine, compiled loops
made before; `generated` the positions that it generates; `x plain` how many times as fast as by the plain engine
positions are generated in this run. `others` are published times of other programs, on other machines, for the puzzle
or one like it.
"""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass
from pathlib import Path

from machine import described
from puzzlespace.api import choice
from puzzlespace.api.loader import load
from puzzlespace.contract.questions import Engine, Search
from puzzlespace.engines import plain
from puzzlespace.limits.watch import Limits, Watch
from puzzlespace.model.model import Model

ROBOTS = Path(__file__).parent.parent / "examples" / "drawn" / "ricochet25.pzl"
PLAIN = 20_000
"""Positions that the plain engine generates."""


@dataclass(frozen=True)
class Row:
    """A puzzle with a known length, its engine, and what others published."""

    puzzle: str
    engine: str
    others: str


ROWS = (
    Row(str(ROBOTS), "gliders", "about 60 s for an example with 22 moves (M. Fogleman 2012)"),
    Row("lunar14", "gliders", ""),
    Row("lunar39", "gliders", ""),
    Row("water", "gliders", ""),
    Row("microban1", "boxes", ""),
    Row("microban6", "boxes", ""),
    Row("microban36", "boxes", ""),
)


def spent(engine: Engine, model: Model, limits: Limits = Limits()) -> tuple[int | None, int, float]:
    """Return the length of the shortest solutions, the positions generated, and processor seconds."""
    assert engine.search is not None
    assert model.start is not None
    began = time.process_time()
    found = engine.search(Search(model, model.start, every=False), Watch(limits))
    return found.bound, found.generated, time.process_time() - began


def main() -> int:
    """Print all rows; return 1 if a length is not the known one."""
    wrong: list[str] = []
    print(described(), flush=True)
    print(f"{'puzzle':<12}{'engine':<9}{'moves':>6}{'generated':>13}{'cpu s':>8}{'x plain':>9}  others")
    for row in ROWS:
        puzzle = load(row.puzzle)
        model, engine = puzzle.model(), choice.engine(row.engine)
        spent(engine, model, Limits(positions=1))  # compiles the loops
        moves, generated, seconds = spent(engine, model)
        _, slow, plainly = spent(plain.ENGINE, model, Limits(positions=PLAIN))
        ratio = generated / seconds / (slow / plainly)
        figures = f"{moves or 0:>6}{generated:>13,}{seconds:>8.2f}{ratio:>9,.0f}"
        print(f"{puzzle.name:<12}{row.engine:<9}{figures}  {row.others}".rstrip())
        known = [
            each.value for each in puzzle.known if each.what == "solution" and each.metric in ("", puzzle.metrics[0])
        ]
        if known != [moves]:
            wrong.append(puzzle.name)
    print(f"\nlengths not as known: {', '.join(wrong) or 'none'}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
