"""Peg solitaire from one hole to one last peg: the fewest moves for every pair of cells, each up to symmetry."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from . import api
from .errors import InputError, UnsupportedError
from .model import Goal
from .placing import goal_positions
from .puzzle import Puzzle
from .registry import Census, jump_census
from .result import Limits, Progress, Solution, Watch
from .symmetry import symmetries

HOLE, PEG = 0, 1
"""The symbols of a puzzle with one kind of peg."""

Report = Callable[[Progress], None]


@dataclass(frozen=True)
class Outcome:
    """What came of one problem: all cells hold a peg but `hole`, the last peg shall stand in `last`.

    alike  every (hole, last) that symmetries make the same problem
    """

    hole: int
    last: int
    alike: frozenset[tuple[int, int]]
    answer: Solution


def problems(
    puzzle: Puzzle,
    *,
    metric: str = "",
    holes: Sequence[str] = (),
    lasts: Sequence[str] = (),
    limits: Limits = Limits(),
    progress: Report | None = None,
) -> Iterator[Outcome]:
    """Solve every problem from one hole to one last peg, one of each class of problems that symmetries make alike.

    metric         what counts as one move (default: what the puzzle says)
    holes, lasts   only problems with one of these first holes, last pegs (names of cells)
    limits         for each problem
    Raises InputError for an unknown cell, UnsupportedError for a puzzle that is no peg solitaire with one kind of peg.
    """
    check(puzzle)
    model = replace(puzzle.model(metric), start=None, goals=())
    group = symmetries(model).elements()
    firsts, ends = (_cells(puzzle, names) for names in (holes, lasts))
    seen: set[tuple[int, int]] = set()
    for hole in firsts:
        for last in ends:
            if (hole, last) not in seen:
                alike = frozenset((each.cells[hole], each.cells[last]) for each in group)
                seen |= alike
                asked = replace(puzzle, start=_one(puzzle, hole, HOLE), goals=(Goal.exactly(_one(puzzle, last, PEG)),))
                answer = api.solve(asked, metric=metric, limits=limits, progress=progress)
                yield Outcome(hole, last, alike, answer)


def check(puzzle: Puzzle) -> None:
    """Raise UnsupportedError where a puzzle is no peg solitaire with one kind of peg."""
    if puzzle.kind != "jump" or puzzle.symbols != 2:
        raise UnsupportedError(
            f"{puzzle.name}: expected peg solitaire with one kind of peg and nothing else on the board"
        )


def _cells(puzzle: Puzzle, names: Sequence[str]) -> list[int]:
    """Return the cells of some names, all cells for none."""
    found = [puzzle.board.cell(name) for name in names]
    if None in found:
        known = " ".join(puzzle.board.names)
        raise InputError(f"cell: expected some of {known}, found {names[found.index(None)]!r}")
    return [cell for cell in found if cell is not None] or list(range(puzzle.board.cells))


def _one(puzzle: Puzzle, cell: int, symbol: int) -> bytes:
    """Return the position that shows a symbol in one cell and the other one everywhere else."""
    return bytes(symbol if each == cell else 1 - symbol for each in range(puzzle.board.cells))


def census(puzzle: Puzzle, *, limits: Limits = Limits(), progress: Report | None = None) -> Census:
    """Count the positions that jumps reach from the start, and those on ways to the goal.

    Raises InputError where the puzzle lacks a start or goal, UnsupportedError where its board is too large.
    """
    check(puzzle)
    model = puzzle.model()
    if model.start is None or not model.goals:
        raise InputError(f"{puzzle.name}: expected a start and a goal, found none")
    goals = goal_positions(model)
    if goals is None:
        raise UnsupportedError(f"{puzzle.name}: the goal positions cannot be listed one by one")
    return jump_census(model, goals, Watch(limits, progress))
