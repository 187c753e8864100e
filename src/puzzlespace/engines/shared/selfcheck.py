"""Hold the answer of a fast engine against plain breadth-first layers, for a moment, in the same run.

Every engine but `plain` is an optimisation of it. The check here is a third program: it shares no code with either,
knows positions and moves only, and looks at as much of the answer as `SECONDS` and `POSITIONS` allow. What it finds is
a fault of this program, never of the puzzle.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from time import perf_counter
from typing import Any

from ...contract.answers import Geodesics, Layers
from ...contract.questions import Depths, Search, Space
from ...errors import SelfCheckError
from ...model.facts import bipartite
from ...model.model import Model

SECONDS, POSITIONS = 0.1, 20_000
"""The most that is spent on the check of one count of depths."""

SHARE, LEAST = 0.1, 0.02
"""The check of one solution takes this share of the time of its search, but at least so many seconds."""


FEWEST = 50
"""So many positions are looked at however long it takes: a busy machine must not switch the check off."""


@dataclass(frozen=True)
class Budget:
    """How long a check may take."""

    seconds: float = SECONDS
    positions: int = POSITIONS


@dataclass(frozen=True)
class PlainLayer:
    """A layer as far as it was looked at: its positions, and whether these are all of them."""

    positions: tuple[Any, ...]
    whole: bool


def plain_layers(space: Space, sources: Iterable[Any], budget: Budget) -> Iterator[PlainLayer]:
    """Yield the layers from the sources until they end or the budget does; then the last ones are not whole."""
    ends = perf_counter() + budget.seconds
    layer = dict.fromkeys(islice(dict.fromkeys(sources), budget.positions + 1))
    whole = len(layer) <= budget.positions
    seen = set(layer)
    while layer:
        yield PlainLayer(tuple(layer), whole)
        following: dict[Any, None] = {}
        for position in layer if whole else ():
            if len(seen) > (FEWEST if perf_counter() > ends else budget.positions):
                whole = False
                break
            for child in space.moves(position):
                if child not in seen:
                    seen.add(child)
                    following[child] = None
        layer = following
    if not whole:
        yield PlainLayer((), False)


def wrong_counts(question: Depths, answer: Layers, budget: Budget = Budget()) -> str | None:
    """Return how the counts of an answer differ from plain layers, or None if they agree as far as one looked.

    An answer that a limit stopped is held against the layers that it has.
    """
    counts, ended = answer.counts, answer.complete
    depth = -1
    for depth, layer in enumerate(plain_layers(question.space, question.sources, budget)):
        size = len(layer.positions)
        if depth >= len(counts):
            return None if not (ended and size) else f"depth {depth}: expected {size:,} positions or more, found none"
        if size > counts[depth] or (layer.whole and size != counts[depth]):
            more = "" if layer.whole else " or more"
            return f"depth {depth}: expected {size:,} positions{more}, found {counts[depth]:,}"
        if not layer.whole:
            return None
        if ended and depth == len(counts) - 1:
            wrong = _wrong_deepest(question, answer, layer)
            if wrong is not None:
                return wrong
    if depth + 1 < len(counts):
        return f"depth {depth + 1}: expected no positions, found {counts[depth + 1]:,}"
    return None


def hold(question: Depths, answer: Layers) -> None:
    """Raise SelfCheckError if the counts of an answer differ from plain layers."""
    wrong = wrong_counts(question, answer)
    if wrong is not None:
        raise SelfCheckError(wrong)


def _wrong_deepest(question: Depths, answer: Layers, layer: PlainLayer) -> str | None:
    """Return how the positions listed as the deepest differ from the first ones of the last layer, or None."""
    expected = sorted(layer.positions)[: question.keep]
    if list(answer.deepest[: question.keep]) == expected:
        return None
    return f"hardest positions: expected {len(expected):,} of depth {len(answer.counts) - 1}, found other ones"


def wrong_solution(question: Search, found: Geodesics, budget: Budget) -> str | None:
    """Return how a shortest solution (or the claim that there is none) differs from plain layers, or None.

    Every move of a solution is replayed elsewhere; here shorter solutions are looked for, and the parity of its length
    is held against a colouring of the positions that every move changes, if the rules have one.
    """
    if found.stopped is not None:
        return None
    length = len(found.layers) - 1 if found.layers else None
    for depth, layer in enumerate(plain_layers(question.space, (question.start,), budget)):
        if length is not None and depth >= length:
            break
        if any(map(question.space.is_goal, layer.positions)):
            instead = "no solution" if length is None else f"{length} moves"
            return f"expected a solution of {depth} moves at most, found {instead}"
    if length is not None and isinstance(question.space, Model):
        return _wrong_parity(question.space, found, length)
    return None


def _wrong_parity(model: Model, found: Geodesics, length: int) -> str | None:
    """Return how the parity of a length contradicts a colouring, or None."""
    colouring = bipartite(model) if model.cells * model.symbols <= 1024 else None
    if colouring is None:
        return None
    first, last = (colouring.value(next(iter(found.layers[end]))) for end in (0, -1))  # type: ignore[arg-type]
    if (first + last + length) % 2 == 0:
        return None
    return f"expected a solution of an {'even' if first == last else 'odd'} number of moves, found {length}"


def wrong_ways(
    model: Model, goals: Iterable[bytes], claimed: tuple[int, int, int], budget: Budget = Budget()
) -> str | None:
    """Return how three numbers differ from plain ones, or None: positions reached, positions on ways to goals, ways.

    model    one whose moves never lead back to an earlier layer, as jumps that remove a peg
    Nothing is found if the budget ends before the layers do.
    """
    layers = list(plain_layers(model, (model.start,), budget))
    if not all(layer.whole for layer in layers):
        return None
    ends = set(goals)
    onward: dict[bytes, int] = {}  # ways from a position to goals
    for layer in reversed(layers):
        for position in layer.positions:
            onward[position] = (position in ends) + sum(onward[child] for child in model.moves(position))
    expected = (len(onward), sum(map(bool, onward.values())), onward[layers[0].positions[0]])
    return None if claimed == expected else f"expected {expected}, found {claimed}: reached, on ways to goals, ways"


def solution_budget(seconds: float) -> Budget:
    """Return what the check of a solution may take whose search took `seconds`."""
    return Budget(min(SECONDS, max(LEAST, SHARE * seconds)))
