"""Compare the answer of a fast engine with plain breadth-first layers, for a short time, in the same run.

Every engine but `plain` is an optimisation of it. This check shares no code with any engine. It uses only positions
and moves, and checks as much of the answer as its `Budget` allows. A difference is a fault of this program, never of
the puzzle.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from math import inf
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple

from ...contract.answers import Geodesics, Layers
from ...contract.questions import Depths, Search, Space, has_costs
from ...errors import SelfCheckError, plural
from ...limits.machine import has_arrays, thread_time
from ...model.facts import bipartite
from ...model.model import Model

if TYPE_CHECKING:
    from .plain_arrays import ArrayMoves

SECONDS, POSITIONS = 0.05, 20_000
"""The limits for the check of one depth table."""

SHARE, LEAST, FIRST_MOVES = 0.1, 0.01, 1_000
"""The check of one solution takes SHARE of the time of its search, but at least LEAST seconds or FIRST_MOVES moves."""

FEWEST, MOVES = 50, 4_000
"""The fewest positions, and the fewest moves, of a check, however long it takes."""

BETWEEN = 250
"""Moves between two looks at the clock, which take as long as some moves."""

AT_ONCE, TOGETHER = 1_000, 8
"""Positions whose moves are made together by arrays, and how many of these moves take the time of one made alone."""


@dataclass(frozen=True)
class Budget:
    """The limits of a check.

    seconds    processor time of this thread, which does not depend on how busy the machine is; it ends the check only
               after `moves`
    positions  about the most positions
    moves      the fewest moves that are followed, if there are so many; TOGETHER made by arrays count as one
    arrays     whether moves from many positions are made together, by arrays
    """

    seconds: float = SECONDS
    positions: int = POSITIONS
    moves: int = MOVES
    arrays: bool = True


@dataclass(frozen=True)
class PlainLayer:
    """The positions of a layer that were generated, and whether these are all."""

    positions: tuple[Any, ...]
    whole: bool


def plain_layers(space: Space, sources: Iterable[Any], budget: Budget) -> Iterator[PlainLayer]:
    """Yield the layers from the sources until they end or the budget does; then the last ones are not whole."""
    used, moves, late, until = 0.0, 0.0, False, float(budget.moves)
    layer = _first(sources, budget.positions + 1)
    whole = len(layer) <= budget.positions
    seen = set(layer)
    ahead: list[dict[Any, None]] = []  # the next layers, of positions that moves which count more lead to
    together = _array_moves(space) if budget.arrays and has_arrays() else None
    while layer or any(ahead):
        yield PlainLayer(tuple(layer), whole)
        following: dict[Any, None] = {}
        began = thread_time()
        for children, each in _expanded(space, together, layer) if whole else ():
            if moves > until:
                until = moves + BETWEEN
                late = used + thread_time() - began > budget.seconds
            if len(seen) > (FEWEST if late else budget.positions):
                whole = False
                break
            for child, cost in children:
                moves += each
                if child in seen:
                    continue
                if cost == 1:
                    seen.add(child)
                    following[child] = None
                else:
                    ahead += ({} for _ in range(cost - len(ahead)))
                    ahead[cost - 1][child] = None
        used += thread_time() - began
        layer = following
        if not whole:
            ahead = []
        if ahead:
            layer |= dict.fromkeys(child for child in ahead.pop(0) if child not in seen)
            seen.update(layer)
    if not whole:
        yield PlainLayer((), False)


def _first(positions: Iterable[Any], most: int) -> dict[Any, None]:
    """Return the first different positions, at most so many; the others are not read."""
    found: dict[Any, None] = {}
    for each in positions:
        found[each] = None
        if len(found) == most:
            break
    return found


def _array_moves(space: Space) -> ArrayMoves | None:
    if not isinstance(space, Model):
        return None
    from .plain_arrays import ArrayMoves  # loads arrays

    return ArrayMoves(space)


def _expanded(
    space: Space, together: ArrayMoves | None, layer: Collection[Any]
) -> Iterator[tuple[Iterable[tuple[Any, int]], float]]:
    """Yield the children of the positions, as `_children` does, and how much each of these counts as a move."""
    if together is None or together.least is None or len(layer) <= together.least:
        for position in layer:
            yield _children(space, position), 1
        return
    positions = iter(layer)
    while some := list(islice(positions, AT_ONCE)):
        yield ((child, 1) for child in together.children(some)), 1 / TOGETHER


def _children(space: Space, position: Any) -> Iterable[tuple[Any, int]]:
    """Return the positions one move away, each with what the move counts."""
    if has_costs(space):
        assert isinstance(space, Model)
        return [(child, space.cost(rules)) for child, rules in space.moves(position).items()]
    return ((child, 1) for child in space.moves(position))


def wrong_counts(question: Depths, answer: Layers, budget: Budget = Budget()) -> str | None:
    """Return how the counts of an answer differ from plain layers, or None if no difference is found.

    If a limit stopped the answer, only its layers are compared.
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
    """Return how `answer.deepest` differs from the first positions of the last layer, or None.

    Positions of puzzles written in Python may have no order, so any of the layer will do.
    """
    shown = answer.deepest[: question.keep]
    if not isinstance(question.space, Model):
        expected = layer.positions[: question.keep]
        right = len({*shown} & {*layer.positions}) == len(shown) == len(expected)
    else:
        expected = sorted(layer.positions)[: question.keep]
        right = list(shown) == expected
    if right:
        return None
    return f"hardest positions: expected {len(expected):,} of depth {len(answer.counts) - 1}, found other ones"


class NearGoals:
    """Plain layers around the goals. They are kept for questions that differ only in the start, and each may add some.

    distances  the number of moves from each of these positions to the nearest goal
    whole      all positions with at most so many moves to a goal are known; infinite if all positions are
    made       the moves that were made to find them, and one for each position that was expanded
    """

    def __init__(self, backward: Space, goals: Iterable[Any]) -> None:
        self.distances: dict[Any, int] = dict.fromkeys(goals, 0)
        self.whole: float = 0
        self.made = 0
        self._backward, self._layer = backward, list(self.distances)
        self._allowed, self._branching, self._pace = 0, 1.0, 0.0  # moves; moves per position; seconds per move
        self._growing = Lock()

    def grow(self, budget: Budget) -> None:
        """Add the layers that are expected to fit this budget and what is left of earlier ones."""
        with self._growing:
            self._allowed += budget.moves
            until = thread_time() + budget.seconds
            while self._layer:
                expected = len(self._layer) * self._branching
                late = thread_time() + expected * self._pace > until
                if len(self.distances) + expected > budget.positions or (self.made + expected > self._allowed and late):
                    return
                self._add_layer()
            self.whole = inf

    def _add_layer(self) -> None:
        """Add the next layer, or nothing if a limit stops it."""
        following: dict[Any, int] = {}
        depth, moves, began = int(self.whole) + 1, 0, thread_time()
        for position in self._layer:
            moves += 1
            for parent in self._backward.moves(position):
                moves += 1
                if parent not in self.distances:
                    following[parent] = depth
        self.made += moves
        self._branching, self._pace = moves / len(self._layer), (thread_time() - began) / moves
        self.distances |= following
        self._layer = list(following)
        self.whole = depth


_latest: list[tuple[Model, tuple[bytes, ...], NearGoals]] = []
"""The last two, not kept with the rules because they grow."""


def _around(bare: Model, goals: tuple[bytes, ...]) -> NearGoals:
    """Return the layers around the goals as far as earlier questions have grown them."""
    global _latest
    for model, known, found in _latest:
        if model is bare and known == goals:
            return found
    assert bare.backward is not None
    found = NearGoals(bare.backward, goals)
    _latest = [(bare, goals, found), *_latest[:1]]
    return found


def _near_goals(question: Search, budget: Budget) -> NearGoals | None:
    """Return the layers around the goals after they have grown.

    None if there can be none, and for puzzles written in Python: their moves back may be wrong.
    """
    space, goals = question.space, question.goals
    if not isinstance(space, Model) or space.backward is None or has_costs(space):
        return None
    if goals is None or len(goals) > budget.moves:
        return None
    found = _around(space.bare, tuple(goals))
    found.grow(budget)
    return found


def wrong_solution(question: Search, found: Geodesics, budget: Budget) -> str | None:
    """Return how a shortest solution, or the claim that there is none, contradicts plain layers; None if it does not.

    The moves of a solution are replayed elsewhere. This check searches for shorter solutions: by layers from the start
    that may meet layers around the goals, on which up to half of the budget is spent. It compares the parity of the
    length with a colouring of the positions that every move changes, if there is one.
    """
    if found.stopped is not None:
        return None
    length = len(found.layers) - 1 if found.layers else None
    half = replace(budget, seconds=budget.seconds / 2, moves=budget.moves // 2)
    near = _near_goals(question, half)
    distances, whole = (near.distances, near.whole) if near is not None else ({}, 0)
    if near is not None:
        budget = half if near.made >= half.moves else replace(budget, moves=budget.moves - near.made)
    for depth, layer in enumerate(plain_layers(question.space, (question.start,), budget)):
        if length is not None and depth >= length:
            break
        shortest = 0 if any(map(question.space.is_goal, layer.positions)) else _nearest(distances, layer.positions)
        if shortest is not None and (length is None or depth + shortest < length):
            instead = "no solution" if length is None else plural(length, "move")
            return f"expected a solution of {plural(depth + shortest, 'move')} at most, found {instead}"
        if (inf if length is None else length - 1) <= depth + whole:  # a shorter one would have been met
            break
    if length is not None and isinstance(question.space, Model) and not has_costs(question.space):
        return _wrong_parity(question.space, found, length)
    return None


def _nearest(distances: Mapping[Any, int], positions: Iterable[Any]) -> int | None:
    """Return the least of the known distances of some positions, or None if none is known."""
    return min((distances[each] for each in positions if each in distances), default=None)


def _wrong_parity(model: Model, found: Geodesics, length: int) -> str | None:
    """Return how the parity of a length contradicts a two-colouring of the positions, or None."""
    colouring = bipartite(model) if model.cells * model.symbols <= 1024 else None
    if colouring is None:
        return None
    first, last = (colouring.value(next(iter(found.layers[end]))) for end in (0, -1))  # type: ignore[arg-type]
    if (first + last + length) % 2 == 0:
        return None
    return f"expected a solution of an {'even' if first == last else 'odd'} number of moves, found {length}"


class WayCounts(NamedTuple):
    """The numbers of positions reached, of those on ways to goals, and of the ways."""

    reached: int
    leading: int
    ways: int


def wrong_ways(model: Model, goals: Iterable[bytes], claimed: WayCounts, budget: Budget = Budget()) -> str | None:
    """Return how numbers differ from those of a plain count, or None.

    model    a model whose moves never lead to an earlier layer, such as jumps that remove a peg
    The result is None if the budget does not suffice.
    """
    layers = list(plain_layers(model, (model.start,), budget))
    if not all(layer.whole for layer in layers):
        return None
    ends = set(goals)
    onward: dict[bytes, int] = {}  # the number of paths from a position to goals
    for layer in reversed(layers):
        for position in layer.positions:
            onward[position] = (position in ends) + sum(onward[child] for child in model.moves(position))
    expected = WayCounts(len(onward), sum(map(bool, onward.values())), onward[layers[0].positions[0]])
    return None if claimed == expected else f"expected {expected}, found {claimed}"


def solution_budget(seconds: float) -> Budget:
    """Return the limits for the check of a solution whose search took `seconds`."""
    return Budget(min(SECONDS, max(LEAST, SHARE * seconds)), moves=FIRST_MOVES, arrays=False)
