"""A solution that a person wrote: whether it is legal, and whether it is shortest."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence

from ..contract.answers import Solution
from ..errors import FormatError, Word
from ..formats import read_text
from ..formats.base import LEVELS_LIMIT
from ..limits.watch import Limits, Progress, paced, phase
from ..model.metric import Metric
from ..model.model import Model
from ..puzzle.answers import Proposed
from ..puzzle.puzzle import Puzzle
from . import lurd
from .clock import drawing
from .questions import solve
from .typed_moves import written_names

_Replayed = tuple[tuple[bytes, ...], tuple[tuple[int, ...], ...]]
"""The positions of a path, and the rules of each of its moves."""


def read_file(word: str) -> tuple[str, str, int]:
    """Return the text of a file with a solution, its name, and the number of a level after '#', else 0."""
    file, _, number = word.rpartition("#")
    if number.isascii() and number.isdecimal() and 0 < len(number) < 6 and file and not os.path.exists(word):
        return read_text(file, LEVELS_LIMIT)[0], file, int(number)
    return read_text(word, LEVELS_LIMIT)[0], word, 0


@drawing
def proposed(
    puzzle: Puzzle,
    text: str,
    file: str = "",
    level: int = 0,
    *,
    metric: str = "",
    limits: Limits = Limits(),
    progress: Callable[[Progress], None] | None = None,
) -> list[Proposed]:
    """Return what is right and wrong about each solution in a text, all replayed from the start.

    text    the letters of `lurd` for a player who pushes boxes, else the names of moves as `solve` prints them,
            separated by commas or lines
    level   the number of the level in a text that has levels with their solutions; 0: the only one
    metric  of `shortest` (default: the puzzle's)
    Raises FormatError if the text has no moves at all.
    """
    metric = metric or puzzle.metrics[0]
    puzzle.model(metric)
    found: list[Proposed] = []
    answer: Solution | None = None
    try:
        written = lurd.solutions_of(text, level) if _in_letters(puzzle, text) else [None]
    except FormatError as error:
        raise error.located(file, text) from None
    for letters in written:
        try:
            with phase("the solution was replayed"):
                if letters is not None:
                    moves = lengths(puzzle, letters)
                else:
                    moves = ((metric, length_of_names(puzzle, metric, text)),)
        except FormatError as error:
            found.append(Proposed((), error.located(file, text), metric))
            continue
        answer = answer or solve(puzzle, metric=metric, limits=limits, progress=progress)
        found.append(Proposed(moves, None, metric, answer))
    return found


def _in_letters(puzzle: Puzzle, text: str) -> bool:
    """Return whether a text has letters instead of the names of moves, which have a '-' between two cells."""
    return lurd.fits(puzzle) and (lurd.has_levels(text) or "-" not in text)


def length_of(puzzle: Puzzle, metric: str, text: str) -> int:
    """Return the length of the solution in a text. Raises FormatError if it is not legal or not complete."""
    if _in_letters(puzzle, text):
        return dict(lengths(puzzle, lurd.solutions_of(text)[0]))[metric]
    return length_of_names(puzzle, metric, text)


def lengths(puzzle: Puzzle, letters: Sequence[Word]) -> tuple[tuple[str, int], ...]:
    """Return the length of a solution in letters by metric. Raises FormatError if it is not legal or not complete."""
    rules = lurd.rules_of(puzzle, letters)
    position = puzzle.start
    assert position is not None
    for number in paced(rules):
        position = puzzle.rules[number].apply(position) or position
    if not any(goal.holds(position) for goal in puzzle.goals):
        made = "its step" if len(letters) == 1 else f"its {len(letters):,} steps"
        raise FormatError.at(letters[-1], f"after {made} the goal is not reached")
    return tuple((name, _moves(puzzle.model(name).metric, rules)) for name in puzzle.metrics)


def _moves(metric: Metric, rules: Sequence[int]) -> int:
    """Return how many moves of a metric rules make one after another."""
    free, count, last = set(metric.free), 0, -1
    for number in rules:
        if number in free:
            last = -1
            continue
        count += last < 0 or not metric.after or number not in metric.after[last]
        last = number
    return count


def length_of_names(puzzle: Puzzle, metric: str, text: str) -> int:
    """Return the least length of a solution that is written as names of moves.

    Moves to different positions may share a name, so a text can be read in several ways. Raises FormatError at the
    first move that is not legal, and if the goal is not reached.
    """
    model = puzzle.model(metric)
    names = list(written_names(text))
    ends: list[_Replayed] = [((puzzle.start or b"",), ())]
    for number, name in enumerate(names, 1):
        ends = _named(puzzle, model, ends, name)
        if not ends:
            raise FormatError.at(name, f"move {number}, {str(name)!r}, is not a legal move there")
    counts = [sum(map(model.cost, rules)) for path, rules in ends if model.is_goal(path[-1])]
    if not counts:
        last = names[-1] if names else ""
        made = "its move" if len(names) == 1 else f"its {len(names)} moves"
        raise FormatError.at(last, f"after {made} the goal is not reached")
    return min(counts)


def _named(puzzle: Puzzle, model: Model, ends: list[_Replayed], name: str) -> list[_Replayed]:
    """Return the paths that go on with a move of this name, one for each position and letters of its pieces."""
    found: dict[tuple[bytes, tuple[str, ...]], _Replayed] = {}
    for path, rules in ends:
        for child, ways in model.ways(path[-1]).items():
            for way in ways:
                longer = (*path, child), (*rules, way)
                frame = puzzle.frames(longer[0], model, longer[1])[-1]
                if frame.called(name):
                    found.setdefault((child, frame.words), longer)
    return list(found.values())
