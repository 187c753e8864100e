"""What is known of a question about a slide puzzle. Each fact is computed once, at its first use."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from math import factorial
from typing import TYPE_CHECKING

from ...bounds import choosing
from ...contract.questions import MANY_PLACEMENTS, Search
from ...heuristics import labels, named, spelling, sums
from ...heuristics.labels import Labels
from ...limits.thresholds import Thresholds
from ...limits.watch import Watch
from ...model.facts import told_apart
from ...model.goal import Goal
from ...model.model import Model
from ...structure import rectangle, slides
from ...structure.rectangle import Rectangle
from ...structure.slides import Slides
from ..packed.positions import refusal

if TYPE_CHECKING:
    from .blank_links import Links  # loads the compiler
    from .iterations import Rounds

MOST_CELLS = 30
"""Boards of more cells have no pattern tables."""

ACROSS = {"inversion", "walking"}
"""The bounds that count moves across rows and columns."""


@dataclass
class KnownFacts:
    """What is known of a question. Properties may raise UnsupportedError for a bound that the puzzle does not have.

    question  with symbols for the names of pieces in its heuristic
    """

    question: Search
    board: Slides
    watch: Watch

    @classmethod
    def of(cls, question: Search, watch: Watch) -> KnownFacts:
        """Return the facts of a question that the engine does not refuse."""
        assert isinstance(question.space, Model)
        board = slides.read(question.space)
        assert not isinstance(board, str)
        heuristic = spelling.numbered(question.heuristic, question.letters)
        return cls(replace(question, heuristic=heuristic), board, watch)

    @property
    def by(self) -> Thresholds:
        """The thresholds of the search."""
        return self.watch.thresholds

    @property
    def start(self) -> bytes:
        """The start of the question."""
        return self.question.start

    @property
    def model(self) -> Model:
        """The model of the question."""
        assert isinstance(self.question.space, Model)
        return self.question.space

    @cached_property
    def goals(self) -> tuple[Goal, ...]:
        """The goal positions one by one if they are known, else the goals of the model."""
        given = self.question.goals
        return tuple(map(Goal.exactly, given)) if given else self.model.goals

    @cached_property
    def goal(self) -> bytes | None:
        """The goal position if there is just one, else None."""
        return self.goals[0].position if len(self.goals) == 1 else None

    @cached_property
    def cut_off(self) -> bool:
        """Whether some piece cannot reach any of its goal places, even on an empty board.

        The bound of such a piece is 0, as on its goal place, so a search that tests only the bound would take the
        position for a goal.
        """
        board, start, goal = self.board, self.start, self.goal
        if goal is None:
            return False
        if sorted(start) != sorted(goal):
            return True
        targets = {symbol: frozenset(cell for cell, other in enumerate(goal) if other == symbol) for symbol in goal}
        tables = {symbol: board.alone(symbol, targets[symbol]) for symbol in set(board.pieces) & set(goal)}
        for cell, symbol in enumerate(start):
            if symbol in tables and cell not in targets[symbol] and not tables[symbol][cell]:
                return True
            if symbol not in (board.blank, board.body, *tables, goal[cell]):
                return True
        return False

    @cached_property
    def _transitive(self) -> bool:
        """Whether all placements of the pieces that have the right parity are proved to be reachable."""
        found = slides.board_of(replace(self.model, start=self.start))
        return not isinstance(found, str) and found.transitive and len(found.live) == len(self.start)

    @cached_property
    def reached(self) -> bool:
        """Whether it is certain that a goal can be reached."""
        goals = self.question.goals
        if goals is None or not self._transitive:
            return False
        return not told_apart(replace(self.model, start=self.start), self.start, goals)

    @cached_property
    def orders(self) -> int:
        """An upper bound on the number of arrangements of the blank and the pieces of one cell."""
        movers = [symbol for symbol in self.start if symbol in self.board.units]
        bound = factorial(len(movers) + 1)
        for symbol in set(movers):
            bound //= factorial(movers.count(symbol))
        return bound

    @cached_property
    def along_links(self) -> bool:
        """Whether the loops along links can search it: one blank, moves of one rule, all blocks different."""
        board = self.board
        blocks = [symbol for symbol in self.start if symbol in board.pieces and symbol not in board.units]
        return self.start.count(board.blank) == 1 and not board.model.metric.after and len(blocks) == len(set(blocks))

    @cached_property
    def grouped(self) -> bool:
        """Whether some piece can be in a group of a pattern database; else `pattern` is the same as `distance`."""
        return any(symbol in self.board.units for symbol in self.start)

    @cached_property
    def shape(self) -> Rectangle | None:
        """The board as a rectangle, or None if it is not one."""
        return rectangle.read(self.board)

    @cached_property
    def name(self) -> str:
        """The bound that a search along links uses: the one asked for, or the best one that is worth its tables."""
        worth_tables = self.orders > self.by[MANY_PLACEMENTS] and len(self.start) <= MOST_CELLS
        return self.question.heuristic or ("pattern" if worth_tables else "distance")

    @cached_property
    def wanted(self) -> frozenset[str]:
        """The bounds in `name` that can be the greatest in a search along links."""
        wanted = set(choosing.names(self.name))
        if "pattern" in wanted and not self.grouped:
            self._named(self.name)
            wanted = wanted - {"pattern"} | {"distance"}
        wanted -= sums.lesser(wanted, self.board)
        if wanted & {"pattern", "walking"} and self.pieces.unique_targets:
            wanted -= {"assignment"}
        return frozenset(wanted)

    @cached_property
    def across(self) -> dict[str, named.Heuristic]:
        """The wanted bounds that count moves across rows and columns."""
        return {name: self._named(name) for name in sorted(self.wanted & ACROSS)}

    @cached_property
    def pieces(self) -> Labels:
        """The pieces of the start for a search along links."""
        assert self.goal is not None
        return labels.read(self.board, self.start, self.goal, tell_apart=self.name != "distance")

    @cached_property
    def links(self) -> Links:
        """The links of the blank, with the pieces of the start."""
        from .blank_links import Links

        return Links(self.board, self.pieces)

    @cached_property
    def bound(self) -> named.Heuristic:
        """The bound asked for, or `distance`, in plain Python."""
        return self._named(self.question.heuristic or "distance")

    @cached_property
    def sums(self) -> sums.Sums | None:
        """The same bound in parts that change by one look-up a move, or None if it is not additive."""
        return sums.make(self.question.heuristic or "distance", self.board, self.goals, self.bound, self.start)

    @cached_property
    def unpacked(self) -> str | None:
        """Why positions cannot be packed into words, or None."""
        return refusal(self.model, (self.start, *(goal.position for goal in self.goals if goal.position)))

    @cached_property
    def tracks(self) -> Rounds | None:
        """The search below tables of tracks, which are computed now; None if the puzzle has none."""
        from . import tracks

        assert self.goal is not None
        return tracks.rounds(self.board, self.goal, self.watch)

    @cached_property
    def colours(self) -> Rounds | None:
        """The search below tables of coloured pieces, which are computed now; None if the puzzle has none."""
        from . import colours

        assert self.goal is not None
        return colours.rounds(self.board, self.goal, self.watch)

    def _named(self, name: str) -> named.Heuristic:
        return choosing.slide_heuristic(name, self.board, self.goals, self.start)
