"""Questions, answers and limits: the plain data that engines take and give. Different answers are different values."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, Protocol

from .errors import LimitError
from .limits import Fault as Fault
from .limits import Limits as Limits
from .limits import Progress as Progress
from .limits import Watch as Watch
from .limits import grown as grown
from .limits import held_memory as held_memory
from .limits import peak_memory as peak_memory
from .model import Goal, Model

Position = Any
"""What an engine searches: `bytes` for a Model, any hashable value for a puzzle written in Python."""


class Status(Enum):
    """How an answer ended, with the exit code of the command line."""

    OPTIMAL = "optimal"
    FOUND = "found"
    IMPOSSIBLE = "impossible"
    STOPPED = "stopped"


class ExitCode(Enum):
    """The exit codes of the command line: (number, meaning)."""

    ANSWERED = (0, "answered")
    IMPOSSIBLE = (10, "proved impossible")
    TIME = (20, "stopped by --seconds")
    MEMORY = (21, "does not fit --memory, or stopped by it")
    POSITIONS = (22, "stopped by --positions")
    BAD_INPUT = (30, "bad input: a puzzle, position or option that cannot be used")
    UNSUPPORTED = (31, "a right question that this engine or command cannot answer")
    BUG = (70, "a bug of ours")
    INTERRUPTED = (130, "interrupted (Ctrl-C)")

    @property
    def number(self) -> int:
        return self.value[0]

    @property
    def meaning(self) -> str:
        return self.value[1]


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a goal cannot be reached. kind: 'pieces', 'parity', 'invariant' or 'searched'."""

    kind: str
    text: str


class Space(Protocol):
    """What an engine searches: a Model, or a puzzle written as Python functions."""

    def moves(self, position: Any, /) -> Mapping[Any, Any] | Iterable[Any]:
        """Return the positions one move away."""
        ...

    def is_goal(self, position: Any, /) -> bool:
        """Return whether the position is a goal."""
        ...

    @property
    def backward(self) -> Space | None:
        """The space whose moves undo this one's, or None where it is not known."""
        ...


@dataclass(frozen=True)
class Depths:
    """The question for a depth table: how many positions lie at each distance from the nearest of `sources`.

    keep     how many of the deepest positions to return at most (the least ones in order)
    collect  also return every position found that meets one of these goals
    """

    space: Space
    sources: tuple[Position, ...]
    keep: int = 20
    collect: tuple[Goal, ...] = ()


@dataclass(frozen=True)
class Layers:
    """The answer to Depths: counts[d] positions at distance d.

    deepest    the first `keep` positions of the last layer, in order
    collected  the positions asked for with `collect`, with their depths
    complete   whether the search came to its end (else a limit stopped it: `stopped`)
    exact      whether every count is certain (no hashing without comparison was used)
    """

    counts: tuple[int, ...]
    deepest: tuple[Position, ...]
    complete: bool
    generated: int
    seconds: float
    collected: Sequence[tuple[Position, int]] = ()
    exact: bool = True
    stopped: LimitError | None = None


@dataclass(frozen=True)
class Search:
    """The question for a shortest solution: from `start` to any position that is a goal of the space.

    goals  the goal positions one by one where they are known; engines that search from both ends need them
    every  whether all shortest solutions are wanted; else an engine may return one, a position per layer
    heuristic  the lower bound to use where the engine has several; '' leaves the choice to it
    letters  the names of each symbol, which the heuristic may use
    """

    space: Space
    start: Position
    goals: tuple[Position, ...] | None = None
    every: bool = True
    heuristic: str = ""
    letters: Sequence[Sequence[str]] = ()


@dataclass(frozen=True)
class Geodesics:
    """The answer to Search: every position on a shortest solution, by its distance from the start.

    layers   layers[d] holds them; empty where there is no solution (then `bound` is None: searched to the end) or a
             limit stopped the search (then `bound` moves are proved to be needed and `stopped` says which limit)
    solutions  how many shortest solutions there are, where the positions on them are too many to list: then `layers`
               holds those of one solution, and `first` all positions one move from the start on any of them
    """

    layers: tuple[frozenset[Hashable], ...]
    generated: int
    seconds: float
    bound: int | None = None
    stopped: LimitError | None = None
    solutions: int | None = None
    first: frozenset[Hashable] | None = None


@dataclass(frozen=True)
class Engine:
    """One way of searching. `refuses(space, question)` says why it cannot answer, or None.

    goal_depths  answers Depths from the goals in the component: from the positions of `collect` that the sources reach,
                 no layers where they reach none; only for moves that can be taken back
    """

    name: str
    refuses: Callable[[Space, str], str | None]
    depths: Callable[[Depths, Watch], Layers] | None = None
    search: Callable[[Search, Watch], Geodesics] | None = None
    goal_depths: Callable[[Depths, Watch], Layers] | None = None


@dataclass(frozen=True)
class Solution:
    """A shortest solution, or why there is none.

    moves      its length where known, else None
    bound      the least length proved so far (equal to moves where status is OPTIMAL; None where impossible)
    path       positions from start to goal, both included
    solutions  the number of shortest solutions where counted, else None; also up to exchanges of neighbouring moves
               that commute, and up to symmetry (None too where that is too much work)
    names      each move in the person's own letters
    generated  positions generated by the engine
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
    solutions_symmetry: int | None = None
    reason: Reason | None = None
    stopped: LimitError | None = None


@dataclass(frozen=True, slots=True)
class Measured:
    """What distances to the goal are measured to; docs/format.md says which ones count ('What exactly is counted').

    goals      goals of the puzzle
    positions  goal positions measured to
    reached    whether these are the ones that the start reaches; None if that was not looked at
    left_out   the numbers (from 1) of goals that no goal position measured to meets
    """

    goals: int
    positions: int
    reached: bool | None
    left_out: tuple[int, ...] = ()


@dataclass(frozen=True)
class DepthTable:
    """How many positions lie at each distance: `counts[d]`, measured from the start or to the goal (`origin`).

    hardest  the deepest positions, the first few in order; there are counts[-1] of them
    classes  how many of the deepest there are up to symmetry; None where that is not known
    measured what the distances are measured to; None from the start
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

    @property
    def states(self) -> int:
        """The number of positions found."""
        return sum(self.counts)

    @property
    def depth(self) -> int:
        """The greatest distance found."""
        return len(self.counts) - 1


def model_of(space: Space) -> Model | None:
    """Return the space if it is a Model, else None (a puzzle written in Python)."""
    return space if isinstance(space, Model) else None
