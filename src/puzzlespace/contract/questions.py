"""Questions, and the engines that answer them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from ..errors import LimitError
from ..limits.thresholds import Threshold
from ..limits.watch import Watch
from ..model.goal import Goal
from ..model.model import Model
from .answers import Geodesics, Layers, Position
from .bound import Bound
from .space import Space as Space

FEW_PLACEMENTS = Threshold(20_000)
"""Up to this many placements, plain Python answers and nothing faster is loaded: loading takes longer than counting.

Measured: an eighth and eight times as many changed `depths klotski` and `depths slide:2x5` by at most 7 %.
"""

SOME_PLACEMENTS = Threshold(400_000)
"""Up to this many placements, layers with NumPy are faster than loading compiled kernels.

Measured: an eighth and eight times as many changed `depths` of klotski, slide:2x5 and pancake:9 by at most 5 %.
"""

MANY_PLACEMENTS = Threshold(1_000_000)
"""With at most this many placements, listing positions is as fast as a search below a bound and preparing its tables.

Measured: with an eighth `solve eight` and `solve pancake:9` took 2.5 and 2.8 times as long, with eight times as many
0.9 and 1.0 times.
"""

ATTEMPT_EASY = Threshold(2_000)
"""Positions that plain Python may generate before a search that must be prepared: 0.02 to 0.1 s.

Measured: an eighth and eight times as many changed searches of pancakes and cubes by at most 6 %.
"""

ATTEMPT_LOADED = Threshold(20_000)
"""Positions that plain Python may generate before compiled loops are loaded: 0.2 to 1 s; loading takes 0.5 s."""


@dataclass(frozen=True)
class WantedLayers:
    """The layers whose positions are wanted: those of depth `first` to `last`. The count ends after `last`.

    take  gets a depth and the positions there, in blocks: arrays with one position per row, or lists of positions. They
          must be read before `take` returns
    last  None: all further layers are wanted, and the count ends as usual
    most  an engine may hand over a random part of a layer with more positions than this, drawn by `seed`; at least half
          as many are then handed over, on average. None: all are wanted
    halvings  an engine may halve each layer at random this often, by `seed`
    begin  called when an engine begins to count: what another one handed over before counts no more
    """

    take: Callable[[int, Iterable[Any]], None]
    first: int = 0
    last: int | None = None
    most: int | None = None
    halvings: int = 0
    seed: int = 0
    begin: Callable[[], None] | None = None

    def has(self, depth: int) -> bool:
        """Return whether the positions of this layer are wanted."""
        return self.first <= depth and (self.last is None or depth <= self.last)

    def hand(self, depth: int, blocks: Iterable[Any]) -> bool:
        """Hand over a layer if it is wanted; return whether the count ends here."""
        if self.has(depth):
            self.take(depth, blocks)
        return depth == self.last


DEVICES = ("auto", "cpu", "gpu")
"""Where depths are counted: on the processor, on a graphics card, or chosen automatically."""


MOST_AFTER_LIMIT = 1 << 20
"""The most positions of the last layer of which the deepest ones are found after a limit."""


@dataclass(frozen=True)
class Depths:
    """The question for a depth table: how many positions are at each distance from the nearest of `sources`.

    keep     the most deepest positions to return, the first ones in sorted order
    collect  also return every position that meets one of these goals
    wanted   also hand over the positions of these layers; only engines that have `lists` do. If the count ends after
             the last of them, the answer is not complete, and has no deepest positions
    arrivals  pairs (cell, symbol): also return a position of the least depth that has the symbol in the cell; only
              engines that have `arrivals` do. The count ends after the layer in which the last one is found: then the
              answer is not complete, and has no deepest positions
    device   one of `DEVICES`: where to count. 'auto': on a graphics card if there is one, the table fits it, and it is
             worthwhile
    """

    space: Space
    sources: tuple[Position, ...]
    keep: int = 20
    collect: tuple[Goal, ...] = ()
    wanted: WantedLayers | None = None
    arrivals: tuple[tuple[int, int], ...] = ()
    device: str = "auto"

    @property
    def model(self) -> Model:
        """The space, for engines that refuse all but models."""
        assert isinstance(self.space, Model)
        return self.space

    def kept(self, size: int, stopped: LimitError | None) -> int:
        """Return how many positions of the last layer an engine finds: none of a large one after a limit.

        Sorting a large layer would take long after the limit.
        """
        return self.keep if stopped is None or size <= MOST_AFTER_LIMIT else 0


@dataclass(frozen=True)
class Search:
    """The question for a shortest solution from `start` to any position that is a goal of the space.

    goals      all goal positions, or None if they are not listed; engines that search from both ends need them
    every      whether all shortest solutions are wanted; else an engine may return one, with one position per layer
    heuristic  the name of a lower bound; '' lets the engine choose
    letters    the names of each symbol, which the heuristic may use
    bound      a lower bound that is not chosen by name, such as a person's own
    """

    space: Space
    start: Position
    goals: tuple[Position, ...] | None = None
    every: bool = True
    heuristic: str = ""
    letters: Sequence[Sequence[str]] = ()
    bound: Bound | None = None

    @property
    def model(self) -> Model:
        """The space, for engines that refuse all but models."""
        assert isinstance(self.space, Model)
        return self.space


@dataclass(frozen=True)
class Prospect:
    """What an engine can use to decide whether it is worth using.

    watch  has the thresholds, and `say` for messages to the user
    bound  returns an upper bound on the number of positions, 0 if it is unknown; computed at the first call
    """

    watch: Watch
    bound: Callable[[], int]

    def few(self, most: Threshold[int]) -> str | None:
        """Return a reason if there are at most so many positions, or it is not known how many; else None."""
        if self.bound() > self.watch.thresholds[most]:
            return None
        return "there are few positions, or it is not known how many"


@dataclass(frozen=True)
class Worth:
    """Whether the automatic choice should use an engine.

    after   the positions that a slower engine may generate before this one takes over; 0 if it starts at once
    reason  why the engine is not worth using, or None if it is; then `after` means nothing
    """

    after: int = 0
    reason: str | None = None

    @classmethod
    def unless(cls, reason: str | None, after: int = 0) -> Worth:
        """Return that an engine is worth using after so many positions, unless there is a reason against it."""
        return cls(after) if reason is None else cls(reason=reason)


@dataclass(frozen=True)
class Engine:
    """One way of searching.

    refuses      refuses(space, question) returns why it cannot answer a question ('depths' or 'search'), or None
    speed        roughly how many times as fast as plain Python it is if it is worth using; the automatic choice tries
                 the fastest engine first
    worth        returns whether the automatic choice should use it, see `Worth`; a reason if it refuses the question.
                 An engine without `worth` is used only by name
    bounds       if its search uses a lower bound, which can then be chosen: returns how fast it is with the bound of a
                 question, in the units of `speed`; the automatic choice takes the fastest
    lists        whether its depths answer `Depths.wanted`
    arrivals     whether its depths answer `Depths.arrivals`
    devices      whether its depths can be counted on a graphics card
    general      whether it answers questions about moves that count more than one or end only when no rule applies; if
                 not, `refuses` and `worth` say so
    lawful       whether it answers questions about models with forbidden positions, with rules that happen by
                 themselves, and with goals that are sentences; if not, `refuses` and `worth` say so
    arrays       whether it needs NumPy and the compiler
    goal_depths  answers Depths with the goals of the component as sources: the positions of `collect` that the
                 question's sources reach; no layers if they reach none. Only for moves that can be taken back
    """

    name: str
    refuses: Callable[[Space, str], str | None]
    depths: Callable[[Depths, Watch], Layers] | None = None
    search: Callable[[Search, Watch], Geodesics] | None = None
    goal_depths: Callable[[Depths, Watch], Layers] | None = None
    speed: int = 0
    worth: Callable[[Depths | Search, Prospect], Worth] | None = None
    bounds: Callable[[Search], int] | None = None
    lists: bool = False
    arrivals: bool = False
    devices: bool = False
    general: bool = False
    lawful: bool = False
    arrays: bool = True

    def __post_init__(self) -> None:
        for able, what in ((self.lawful, beyond_rules), (self.general, special)):
            if not able:
                object.__setattr__(self, "refuses", partial(_refuses, what, self.refuses))
                if self.worth is not None:
                    object.__setattr__(self, "worth", partial(_not_worth, what, self.worth))


def special(space: Space) -> str | None:
    """Return what is special about the moves: their costs, or that they end only when no rule applies; else None."""
    if not isinstance(space, Model):
        return None
    if space.metric.costs:
        return "its moves have different costs"
    return "its moves go on until no piece can move" if space.metric.exhausts else None


def has_costs(space: Space) -> bool:
    """Return whether some moves count more than others."""
    return isinstance(space, Model) and bool(space.metric.costs)


def beyond_rules(space: Space) -> str | None:
    """Return what of the puzzle is not in its rules and in the symbols that goals allow, in words; None if nothing is.

    Positions are forbidden, something happens by itself after a move, or a goal is a sentence.
    """
    if not isinstance(space, Model):
        return None
    told = any(goal.sentence is not None for goal in space.goals)
    return space.metric.beyond_rules or ("its goal is a sentence" if told else None)


def _refuses(
    what: Callable[[Space], str | None], refuses: Callable[[Space, str], str | None], space: Space, question: str
) -> str | None:
    return what(space) or refuses(space, question)


def _not_worth(
    what: Callable[[Space], str | None],
    worth: Callable[[Depths | Search, Prospect], Worth],
    question: Depths | Search,
    prospect: Prospect,
) -> Worth:
    reason = what(question.space)
    return worth(question, prospect) if reason is None else Worth.unless(reason)


def model_of(space: Space) -> Model | None:
    """Return the space if it is a Model, else None (a puzzle written in Python)."""
    return space if isinstance(space, Model) else None


def unfit(space: Space) -> str | None:
    """Return why an engine that reads only rules and their followers cannot answer, or None."""
    model = model_of(space)
    if model is None:
        return "its moves are Python functions, not rules"
    if model.metric.free:
        return f"walking is free in the metric {model.metric.name}, and it counts every rule"
    return None
