"""Answers with their puzzle: they can be drawn, and name moves in the letters of the puzzle."""

from __future__ import annotations

from dataclasses import dataclass, field, fields

from ..contract.answers import DepthTable, Solution
from .letters import Frame
from .pictures import pictures
from .puzzle import Puzzle


@dataclass(frozen=True)
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


@dataclass(frozen=True)
class PuzzleTable(DepthTable):
    """A depth table with its puzzle; a notebook shows it as a bar chart."""

    puzzle: Puzzle = field(kw_only=True, compare=False, repr=False)

    @classmethod
    def of(cls, puzzle: Puzzle, table: DepthTable) -> PuzzleTable:
        """Return a depth table together with its puzzle."""
        return cls(**{each.name: getattr(table, each.name) for each in fields(DepthTable)}, puzzle=puzzle)

    def _repr_svg_(self) -> str:
        return pictures().table_svg(self.puzzle, self)


@dataclass(frozen=True)
class Distance:
    """The distance from a position to the goal; None if the goal cannot be reached or a limit stopped the search.

    next      every best next move as (name, position)
    solution  a shortest solution, or why there is none
    """

    distance: int | None
    next: tuple[tuple[str, bytes], ...]
    solution: Solution
