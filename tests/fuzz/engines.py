"""Every engine that accepts a random board of gliding pieces or pushed boxes, against the plain engine.

    python -m tests.fuzz.engines glide 1000000 5000

compares the boards of 5,000 seeds, from 1,000,000 onwards: depths from the start with the hardest positions and those
that meet the goals, all shortest solutions, and one, in every metric, each engine with random thresholds.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from random import Random

from puzzlespace.contract.questions import Depths, Engine, Search
from puzzlespace.engines import plain
from puzzlespace.errors import UnsupportedError
from puzzlespace.limits.watch import Limits, Watch
from puzzlespace.model.model import Model
from puzzlespace.puzzle.puzzle import Puzzle
from puzzlespace.registry import ENGINES

from .generators import accepted, draw_crates, draw_glide, draw_push
from .variants import VARIANTS

DRAWN = {"glide": draw_glide, "push": draw_push, "crates": draw_crates}

MOST = Limits(positions=20_000)
"""What the plain engine may generate; larger boards are left out."""


def compare(kind: str, seed: int) -> tuple[Counter[str], list[str]]:
    """Return how many answers each engine gave about the board of a seed, and which are wrong."""
    puzzle = accepted(DRAWN[kind](seed))
    assert puzzle is not None
    return compared(puzzle, Random(seed), f"{kind} {seed}")


def compared(puzzle: Puzzle, random: Random, name: str) -> tuple[Counter[str], list[str]]:
    """Return how many answers each engine gave about a puzzle, and which are wrong."""
    answers, wrong = Counter[str](), list[str]()
    for metric in puzzle.metrics if puzzle.start is not None else ():
        model = puzzle.model(metric)
        expected = plain.depths(_depths(model), Watch(MOST))
        solutions = plain.search(_search(model, True), Watch()) if expected.stopped is None else None
        for engine in ENGINES[1:] if solutions is not None else ():
            variant = random.choice(list(VARIANTS))
            for question, right in _answers(engine, model, variant, expected, solutions):
                answers[engine.name] += 1
                if not right:
                    wrong.append(f"{name}, {metric}: {engine.name} ({variant}), {question}")
    return answers, wrong


def _depths(model: Model) -> Depths:
    assert model.start is not None
    return Depths(model, (model.start,), keep=5, collect=model.goals)


def _search(model: Model, every: bool) -> Search:
    return Search(model, model.start, every=every)


def _answers(engine: Engine, model: Model, name: str, expected, solutions):
    """Yield each question that an engine answers, and whether the answer is that of the plain engine."""
    if engine.depths is not None and engine.refuses(model, "depths") is None:
        try:
            found = engine.depths(_depths(model), Watch(thresholds=VARIANTS[name]))
        except UnsupportedError:
            return
        same = (found.counts, found.deepest) == (expected.counts, expected.deepest) and found.stopped is None
        yield "depths", same and sorted(found.collected) == sorted(expected.collected)
    if not model.goals or engine.search is None or engine.refuses(model, "search") is not None:
        return
    for every in (True, False):
        try:
            found = engine.search(_search(model, every), Watch(thresholds=VARIANTS[name]))
        except UnsupportedError:
            return
        same = found.stopped is None and len(found.layers) == len(solutions.layers)
        same &= not solutions.layers or found.bound == solutions.bound
        same &= all(mine <= all_ for mine, all_ in zip(found.layers, solutions.layers, strict=False))
        yield (
            f"search, every={every}",
            same and (not every or found.layers == solutions.layers or found.solutions is not None),
        )


def main() -> int:
    """Compare the boards of many seeds; return 1 if an answer is wrong."""
    kind, first, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    answers, faults, began = Counter[str](), 0, time.process_time()
    for number in range(count):
        more, wrong = compare(kind, first + number)
        answers += more
        faults += len(wrong)
        print("\n".join(wrong), end="\n" if wrong else "", flush=True)
        if (number + 1) % 250 == 0 or number + 1 == count:
            spent = time.process_time() - began
            print(f"{number + 1:,} boards, {answers.total():,} answers, {faults} wrong, {spent:.0f} s", flush=True)
    print(dict(answers))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
