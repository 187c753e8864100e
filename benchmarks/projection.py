"""A* in plain Python below the bound `projection` and without a bound: positions expanded, for the classics.

    python benchmarks/projection.py                   all classics, and some larger puzzles of the same kinds
    python benchmarks/projection.py frogs33 ballsort  these

Each search generates at most 600,000 positions; `>` says that it was stopped. `kept` is the number of positions of all
projections that were taken together, `seconds` the processor time for finding them. Rows are those of a Markdown table.
"""

from __future__ import annotations

import sys
import time
from importlib.resources import files

from machine import described
from puzzlespace import Limits, load
from puzzlespace.analysis.impossible import goal_positions
from puzzlespace.api.loader import from_text
from puzzlespace.bounds import projection
from puzzlespace.contract.bound import Bound, Evaluate, Goals, bound_of
from puzzlespace.contract.questions import Search
from puzzlespace.contract.space import Space
from puzzlespace.engines import astar
from puzzlespace.limits.watch import Watch
from puzzlespace.puzzle.puzzle import Puzzle

MOST = 600_000
NOTHING = bound_of(lambda position: 0)

LARGER = {
    "ball sort, five colours": """
        rule: stack
        put: on equal
        start:
          R G B Y
          P R G B
          Y P R G
          B Y P R
          G B Y P
          . . . .
          . . . .
        goal: rows alike
        """,
    "frogs and toads, 6 and 6": """
        rule: change
        moves:
          F . -> . F      right
          F T . -> . T F  right
          T . -> . T      left
          T F . -> . F T  left
        start: F F F F F F . T T T T T T
        goal: T T T T T T . F F F F F F
        """,
    "fourteen switches": """
        rule: change
        board: a b c d e f g h i j k l m n
        moves:
          a: a 0 <-> 1
          b: b 0 <-> 1  if a = 1
          c: c 0 <-> 1  if b = 1 and a = 0
          d: d 0 <-> 1  if c = 1 and b = 0
          e: e 0 <-> 1  if d = 1 and c = 0
          f: f 0 <-> 1  if e = 1 and d = 0
          g: g 0 <-> 1  if f = 1 and e = 0
          h: h 0 <-> 1
          i: i 0 <-> 1  if h = 1
          j: j 0 <-> 1  if i = 1 and h = 0
          k: k 0 <-> 1  if j = 1 and i = 0
          l: l 0 <-> 1  if k = 1 and j = 0
          m: m 0 <-> 1  if l = 1 and k = 0
          n: n 0 <-> 1  if m = 1 and l = 0
        start: 0 0 0 0 0 0 0 0 0 0 0 0 0 0
        goal: 1 1 1 1 1 1 1 1 1 1 1 1 1 1
        """,
    "bishops that never attack, five": """
        rule: change
        moves:
          any ... . -> . ... any  diagonal
        forbid:
          see W ... B diagonal
        start:
          W W W W W
          . . . . .
          . . . . .
          . . . . .
          B B B B B
        goal:
          B B B B B
          . . . . .
          . . . . .
          . . . . .
          W W W W W
        """,
}
"""Puzzles like classics, with more positions."""


def named(name: str) -> Puzzle:
    """Return a puzzle of the catalogue, or one of LARGER."""
    if name not in LARGER:
        return load(name)
    lines = LARGER[name].splitlines()
    return from_text("\n".join(line[8:] for line in lines[1:]), f"{name}.pzl")


def searched(puzzle: Puzzle, bound: Bound) -> tuple[str, str]:
    """Return the moves and the positions expanded, as words."""
    model = puzzle.model()
    question = Search(model, model.start, goal_positions(model), every=False, bound=bound)
    watch = Watch(Limits(positions=MOST))
    found = astar.search(question, watch)
    moves = "-" if found.stopped or not found.layers else f"{len(found.layers) - 1}"
    return moves, f"{'>' if found.stopped else ''}{watch.expanded:,}"


def row(name: str) -> None:
    """Print the row of one puzzle."""
    puzzle, took = named(name), [0.0]
    told: list[float] = []

    def made(space: Space, goals: Goals, watch: Watch) -> Evaluate:
        began = time.process_time()
        evaluate = projection.make(space, goals, watch)
        took[0] = time.process_time() - began
        told.append(evaluate(puzzle.model().start))
        return evaluate

    without, below = searched(puzzle, NOTHING), searched(puzzle, Bound("projection", projection.fits, made, True))
    moves = without[0] if below[0] == "-" else below[0]
    print(f"| {name} | {moves} | {told[0]} | {without[1]} | {below[1]} | {took[0]:.1f} |", flush=True)


def main() -> None:
    """Print the table."""
    folder = files("puzzlespace.catalogue") / "classics"
    classics = sorted(each.name.removesuffix(".pzl") for each in folder.iterdir() if each.name.endswith(".pzl"))
    print(f"{described()}\n")
    print("| puzzle | moves | bound at the start | expanded without a bound | below `projection` | seconds |")
    print("|---|---|---|---|---|---|")
    for name in sys.argv[1:] or [*classics, *LARGER]:
        row(name)


if __name__ == "__main__":
    main()
