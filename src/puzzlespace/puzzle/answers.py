"""Answers that know their puzzle: they can be drawn, and name moves in the person's own letters."""

from __future__ import annotations

from dataclasses import dataclass, field, fields

from ..contract.answers import DepthTable, Solution
from .letters import Frame
from .pictures import pictures
from .puzzle import Puzzle


@dataclass(frozen=True)
class PuzzleSolution(Solution):
    """A solution of a puzzle that can be drawn: it shows itself in a notebook as a strip of boards.

    rules  for each move the numbers of the rules that make it
    """

    puzzle: Puzzle = field(kw_only=True, compare=False, repr=False)
    rules: tuple[tuple[int, ...], ...] = field(kw_only=True, repr=False)

    @property
    def frames(self) -> tuple[Frame, ...]:
        """What to show for each position, in the person's own letters."""
        return self.puzzle.frames(self.path, self.puzzle.model(self.metric), self.rules)

    def _repr_svg_(self) -> str:
        return pictures().solution_svg(self.puzzle, self.frames, f"{self.puzzle.title}: {self.moves} moves")


@dataclass(frozen=True)
class PuzzleTable(DepthTable):
    """A depth table of a puzzle that can be drawn: it shows itself in a notebook as bars."""

    puzzle: Puzzle = field(kw_only=True, compare=False, repr=False)

    @classmethod
    def of(cls, puzzle: Puzzle, table: DepthTable) -> PuzzleTable:
        """Return a table of a puzzle that knows which it is of."""
        return cls(**{each.name: getattr(table, each.name) for each in fields(DepthTable)}, puzzle=puzzle)

    def _repr_svg_(self) -> str:
        return pictures().table_svg(self.puzzle, self)


@dataclass(frozen=True)
class Distance:
    """Moves from a position to the goal, and every best next move as (name, position). `solution` tells the rest."""

    distance: int | None
    next: tuple[tuple[str, bytes], ...]
    solution: Solution
