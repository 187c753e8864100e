"""Answers with their puzzle: they can be drawn, and name moves in the letters of the puzzle."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any

from ..contract.answers import DepthTable, Solution, Status
from ..contract.result import Result
from ..errors import FormatError, LimitError
from .letters import Frame
from .pictures import pictures
from .puzzle import Puzzle


@dataclass(frozen=True, repr=False)
class PuzzleSolution(Solution):
    """A solution with its puzzle; a notebook shows it as a strip of boards.

    rules  for each move the numbers of the rules that make it
    """

    puzzle: Puzzle = field(kw_only=True, compare=False, repr=False)
    rules: tuple[tuple[int, ...], ...] = field(kw_only=True, repr=False)

    @property
    def frames(self) -> tuple[Frame, ...]:
        """What to show for each position, in the letters of the puzzle."""
        return self.puzzle.frames(self.path, self.puzzle.model(self.metric), self.rules)

    def _repr_svg_(self) -> str:
        return pictures().solution_svg(self.puzzle, self.frames, f"{self.puzzle.title}: {self.moves} moves")


def frames_of(puzzle: Puzzle, answer: Solution) -> tuple[Frame, ...]:
    """Return what to show for each position of a solution, with the moves that the answer names; () without one."""
    if isinstance(answer, PuzzleSolution):
        return answer.frames
    return puzzle.frames(answer.path, puzzle.model(answer.metric)) if answer.path else ()


@dataclass(frozen=True, repr=False)
class PuzzleTable(DepthTable):
    """A depth table with its puzzle; a notebook shows it as a bar chart."""

    puzzle: Puzzle = field(kw_only=True, compare=False, repr=False)

    @classmethod
    def of(cls, puzzle: Puzzle, table: DepthTable) -> PuzzleTable:
        """Return a depth table together with its puzzle."""
        return cls(**{each.name: getattr(table, each.name) for each in fields(DepthTable)}, puzzle=puzzle)

    def _repr_svg_(self) -> str:
        return pictures().table_svg(self.puzzle, self)


@dataclass(frozen=True, repr=False)
class Proposed(Result):
    """A solution that a person wrote.

    moves     its length by metric; () if it is not legal
    problem   where it is not legal, or None
    metric    in which `shortest` is
    shortest  the answer of a search for a shortest solution; None if the solution is not legal
    """

    moves: tuple[tuple[str, int], ...]
    problem: FormatError | None
    metric: str
    shortest: Solution | None = None

    @property
    def is_shortest(self) -> bool | None:
        """Whether no solution has fewer moves; None if this is not known."""
        if self.shortest is None:
            return None
        length = dict(self.moves)[self.metric]
        if self.shortest.status is Status.OPTIMAL:
            return self.shortest.moves == length
        return True if self.shortest.bound == length else None


@dataclass(frozen=True, repr=False)
class Distance(Result):
    """The distance from a position to the goal; None if the goal cannot be reached or a limit stopped the search.

    next      every best next move as (name, position); moves of a `Custom` puzzle have no names
    solution  a shortest solution, or why there is none
    """

    distance: int | None
    next: tuple[tuple[str, Any], ...]
    solution: Solution


@dataclass(frozen=True, repr=False)
class Generated(Result):
    """Positions made to order, in random order.

    origin     whether they are at these depths to the 'goal' or from the 'start'
    method     'layer': drawn uniformly from all positions at these depths; 'ranks': from all that can be reached, by
               number; 'group': from all that can be reached, by elements of the group of the moves; 'walk': the ends of
               random walks, which are not uniform
    asked      the least and the greatest depth asked for; None if no depth was asked for
    depths     the depth of each position; empty if no depth was asked for
    paths      a shortest solution of each (from the start to it, if `origin` is 'start'); empty if not asked for
    counts     the number of positions at each depth, if they were counted
    total      the number of all positions from which they were drawn, if that is known and no depth was asked for
    fitting    how many of the positions that were looked at fit the pattern, None unless there is one
    short      why there are fewer positions than asked for, or ''
    stopped    the limit that stopped the search
    """

    metric: str
    origin: str
    method: str
    seed: int
    positions: tuple[bytes, ...]
    asked: tuple[int, int] | None = None
    depths: tuple[int, ...] = ()
    paths: tuple[tuple[bytes, ...], ...] = ()
    counts: tuple[int, ...] = ()
    total: int | None = None
    fitting: int | None = None
    short: str = ""
    engine: str = ""
    generated: int = 0
    seconds: float = 0.0
    stopped: LimitError | None = None

    @property
    def uniform(self) -> bool:
        """Whether all positions that were asked for have the same chance to be drawn."""
        return self.method != "walk"
