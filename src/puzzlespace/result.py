"""Questions, answers and limits: the plain data that engines take and give. Different answers are different values."""

from __future__ import annotations

import resource
import time
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Protocol

from .errors import LimitError
from .model import Goal, Model
from .thresholds import Thresholds

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


@dataclass(frozen=True, slots=True)
class Limits:
    """How much an engine may use; None is no limit.

    seconds    wall-clock time from `Watch` construction
    memory     bytes that the search may take on top of what the process holds when it begins: the program itself (pages
               of files that the system can drop are not counted where it tells)
    positions  positions generated
    """

    seconds: float | None = None
    memory: int | None = None
    positions: int | None = None


@dataclass(frozen=True, slots=True)
class Progress:
    """A report between layers: the layer just finished, its size, positions found and generated so far, seconds.

    bound  whether `layer` is the bound of a depth-first search instead, and `size` the positions it generated below it
    """

    layer: int
    size: int
    found: int
    generated: int
    seconds: float
    bound: bool = False


@dataclass(frozen=True, slots=True)
class Fault:
    """A wrong answer of an engine, noticed by a check in the same run and not given: a fault of this program.

    engine    the engine that was wrong
    question  'depths' or 'search'
    text      what was expected and what was found
    """

    engine: str
    question: str
    text: str


@dataclass
class Watch:
    """The engine's side of limits and progress: counts what is generated, reports layers, stops at a limit.

    thresholds  what engines go by
    """

    limits: Limits = Limits()
    report: Callable[[Progress], None] | None = None
    generated: int = 0
    began: float = field(default_factory=time.perf_counter)
    program: int | None = None
    faults: list[Fault] = field(default_factory=list[Fault])
    thresholds: Thresholds = Thresholds()

    @property
    def seconds(self) -> float:
        """Return the seconds since the watch was made."""
        return time.perf_counter() - self.began

    def tick(self, generated: int, bound: int = 0) -> None:
        """Count generated positions; raise LimitError with `bound` (moves proved so far) where a limit is passed."""
        self.generated += generated
        limits = self.limits
        if limits.positions is not None and self.generated > limits.positions:
            raise LimitError("positions", f"stopped after {self.generated:,} positions generated", bound)
        if limits.seconds is not None and self.seconds > limits.seconds:
            raise LimitError("seconds", f"stopped after {self.seconds:.1f} seconds", bound)
        left = self.memory_left()
        if left is not None and left < 0 and limits.memory is not None:
            raise LimitError("memory", f"stopped at {limits.memory - left:,} bytes of memory", bound)

    def reserve(self, wanted: int, bound: int = 0) -> None:
        """Raise LimitError before `wanted` more bytes are taken where they would pass the limit of memory."""
        left = self.memory_left(wanted)
        if left is not None and left < wanted:
            what = f"{wanted:,} bytes more are needed, {max(left, 0):,} are left of the limit of {self.limits.memory:,}"
            raise LimitError("memory", what, bound)

    def memory_left(self, wanted: int = 0) -> int | None:
        """Return how many bytes may still be taken, or something more than `wanted` that is quicker to know.

        None is no limit. What the process holds at the first call is taken for the program itself.
        """
        if self.limits.memory is None:
            return None
        if self.program is None:
            self.program = held_memory(0) - _grown[0]
        most = self.limits.memory + self.program + _grown[0]
        return most - held_memory(most - wanted)

    def layer(self, layer: int, size: int, found: int, bound: bool = False) -> None:
        """Report a finished layer, or how far a search below a bound is."""
        if self.report is not None:
            self.report(Progress(layer, size, found, self.generated, self.seconds, bound))


def peak_memory() -> int:
    """Return the peak resident memory of this process in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def held_memory(enough: int) -> int:
    """Return the bytes of memory that only this process holds now, pages of files not counted.

    The peak, which costs nothing to know, where that is at most `enough` or the system does not say more.
    """
    peak = peak_memory()
    if peak <= enough:
        return peak
    try:
        with open("/proc/self/status") as file:
            found = [line.split()[1] for line in file if line.startswith(("RssAnon:", "RssShmem:"))]
    except OSError:
        return peak
    return 1024 * sum(map(int, found)) if found else peak


_grown = [0]


def grown(size: int) -> None:
    """Take note that the program itself, its compiled loops, holds `size` bytes more."""
    _grown[0] += max(size, 0)


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
               holds those of one solution
    """

    layers: tuple[frozenset[Hashable], ...]
    generated: int
    seconds: float
    bound: int | None = None
    stopped: LimitError | None = None
    solutions: int | None = None


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
