"""Answers: those of engines, and those for the user."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from ..errors import LimitError, let_go
from ..limits.thresholds import Threshold
from .result import Result

Position = Any
"""A position: `bytes` for a Model, any hashable value for a puzzle written in Python."""

LISTED_WAYS = Threshold(100_000)
"""The most positions on shortest solutions that engines list; of more they return one solution and their number.

So many take 10 to 20 MB as Python objects.
"""


class Status(Enum):
    """The kind of an answer; it determines the exit code of the command line.

    ASSUMED: right if the lower bound that it rests on never claims too much, and not proved without that.
    FOUND: a solution that is longer than a shortest one.
    """

    OPTIMAL = "optimal"
    ASSUMED = "assumed"
    FOUND = "found"
    IMPOSSIBLE = "impossible"
    STOPPED = "stopped"


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a goal cannot be reached. kind: 'pieces', 'parity', 'invariant', 'law' or 'searched'."""

    kind: str
    text: str


@dataclass(frozen=True)
class Layers:
    """The answer to Depths: counts[d] positions at distance d.

    deepest    the first `keep` positions of the last layer, sorted; none of a large layer after a limit (`Depths.kept`)
    collected  the positions that meet a goal of `collect`, with their depths
    complete   whether the search reached its end; False if the limit `stopped` ended it
    exact      whether every count is certain (no hashing without comparison was used)
    arrivals   for each pair of `Depths.arrivals` that was found, its depth and a position
    """

    counts: tuple[int, ...]
    deepest: tuple[Position, ...]
    complete: bool
    generated: int
    seconds: float
    collected: Sequence[tuple[Position, int]] = ()
    exact: bool = True
    stopped: LimitError | None = None
    arrivals: Mapping[tuple[int, int], tuple[int, Position]] = field(default_factory=dict[tuple[int, int], Any])

    def __post_init__(self) -> None:
        let_go(self.stopped)


@dataclass(frozen=True)
class Geodesics:
    """The answer to Search: every position on a shortest solution, by its distance from the start.

    layers     layers[d] has the positions at distance d. Empty if there is no solution (then `bound` is None), or if
               the limit `stopped` ended the search (then `bound` is a lower bound)
    solutions  None, or the number of shortest solutions if they have too many positions to list. Then `layers` has one
               solution, and `first` all positions after the first move of any shortest solution
    expanded   see `limits.watch.Watch.expanded`; whoever asks the engine fills it in
    rests_on   the name of the lower bound that the search used, or ''
    assumed    whether the answer is right only if that bound never claims too much. Then `bound` is a lower bound that
               holds without it
    """

    layers: tuple[frozenset[Hashable], ...]
    generated: int
    seconds: float
    bound: int | None = None
    stopped: LimitError | None = None
    solutions: int | None = None
    first: frozenset[Hashable] | None = None
    expanded: int | None = None
    rests_on: str = ""
    assumed: bool = False

    def __post_init__(self) -> None:
        let_go(self.stopped)


@dataclass(frozen=True, repr=False)
class Solution(Result):
    """A shortest solution, or why there is none.

    moves      its length, or None if it is not known
    bound      the greatest lower bound proved: equal to `moves` if status is OPTIMAL, None if IMPOSSIBLE. If status is
               ASSUMED, it is what is proved without the bound of `rests_on`
    path       the positions from start to goal, both included
    solutions  the number of shortest solutions, or None if not counted. `solutions_commuting` is the number up to
               exchanges of consecutive moves that commute, `solutions_unordered` the number of sets of moves in any
               order, each as often, and `solutions_symmetry` the number up to symmetry; None if not counted or if it
               would take too long
    names      each move, in the letters of the puzzle
    generated  the number of positions that the engine generated
    expanded   the number of positions whose moves it made, each time that it did; None if it does not count them.
               `limits.watch.Watch.expanded` says exactly which positions a search expands
    rests_on   the name of the lower bound that the search used, or ''
    unchecked  the length of a solution that was found, if a limit ended its replay; then status is STOPPED
    """

    status: Status
    metric: str
    moves: int | None
    bound: int | None
    path: tuple[Position, ...]
    names: tuple[str, ...]
    engine: str
    generated: int
    seconds: float
    solutions: int | None = None
    solutions_commuting: int | None = None
    solutions_unordered: int | None = None
    solutions_symmetry: int | None = None
    reason: Reason | None = None
    stopped: LimitError | None = None
    unchecked: int | None = None
    expanded: int | None = None
    rests_on: str = ""


@dataclass(frozen=True, slots=True, repr=False)
class Measured(Result):
    """The goal positions to which distances are measured; see 'What exactly is counted' in docs/format.md.

    goals      the number of goals of the puzzle
    positions  the number of these goal positions
    reached    whether they are exactly those reachable from the start; None if this was not determined
    left_out   the numbers (from 1) of the goals that none of these positions meets
    """

    goals: int
    positions: int
    reached: bool | None
    left_out: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, repr=False)
class Fitting(Result):
    """The positions that fit a pattern: `counts[d]` at depth d.

    Of a table that a limit stopped, only layers whose positions were all looked at are there.
    """

    counts: tuple[int, ...]

    @property
    def positions(self) -> int:
        """The number of positions found that fit."""
        return sum(self.counts)

    @property
    def least(self) -> int | None:
        """The depth of the pattern: the least depth of a position that fits; None if none was found."""
        return next((depth for depth, count in enumerate(self.counts) if count), None)

    @property
    def greatest(self) -> int | None:
        """The greatest depth of a position that fits; None if none was found."""
        return max((depth for depth, count in enumerate(self.counts) if count), default=None)


@dataclass(frozen=True, repr=False)
class DepthTable(Result):
    """The number of positions at each distance, `counts[d]`, from the start or to the goal (`origin`).

    hardest   the first of the deepest positions, sorted; there are counts[-1] in all
    classes   the number of deepest positions up to symmetry; None if it is not known
    measured  the goal positions to which distances are measured; None if they are from the start
    fitting   the positions that fit a pattern; None unless one was asked for
    """

    counts: tuple[int, ...]
    origin: str
    metric: str
    hardest: tuple[Position, ...]
    complete: bool
    exact: bool
    engine: str
    generated: int
    seconds: float
    stopped: LimitError | None = None
    classes: int | None = None
    measured: Measured | None = None
    fitting: Fitting | None = None

    @property
    def states(self) -> int:
        """The number of positions found."""
        return sum(self.counts)

    @property
    def depth(self) -> int:
        """The greatest distance found."""
        return len(self.counts) - 1


@dataclass(frozen=True, repr=False)
class ComparisonRow(Result):
    """The result of one engine or algorithm with one lower bound.

    moves     the length of the solution; None if there is none or it was not found
    memory    bytes: the peak of a process that did nothing else; None for algorithms
    problem   why there is no answer, or ''
    expanded  positions whose moves were generated; None if the engine does not count them
    held      the greatest number of positions that an algorithm held; None for engines
    proof     what is proved of the answer of an algorithm, in words: 'proved', 'not proved', 'proved if …'
    """

    engine: str
    heuristic: str
    moves: int | None
    generated: int
    seconds: float
    memory: int | None
    problem: str = ""
    expanded: int | None = None
    held: int | None = None
    proof: str = ""


@dataclass(frozen=True, repr=False)
class NearSolutions(Result):
    """The solutions that are at most `most` moves long.

    shortest   the length of a shortest one, None if there is none or it is not known
    counts     the number of solutions of each length, from the shortest one on; to `most` unless a limit `stopped` it
    solutions  the first ones, by length; those that are longer than a shortest one have the status FOUND
    reason     why there is no solution
    """

    metric: str
    shortest: int | None
    most: int
    counts: tuple[int, ...]
    solutions: tuple[Solution, ...]
    reason: Reason | None
    stopped: LimitError | None
    seconds: float
