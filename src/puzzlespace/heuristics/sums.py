"""Additive lower bounds of slide puzzles, in parts that change by one look-up per move.

A piece counts alone, or in a *view*, a table of all arrangements of some pieces. The number of an arrangement is the
sum of a random number for each (symbol, cell), as in Zobrist hashing, so a move adds a difference. No two arrangements
of a table have the same number: this is checked when the table is computed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb
from random import Random
from typing import TypeVar

from ..model.goal import Goal
from ..structure import rectangle
from ..structure.slides import Slides
from . import walking
from .assignment import ENDLESS, Assignment, cheapest
from .distance import DistanceBound
from .groups import Groups
from .named import Greatest, Heuristic
from .spelling import divisions, names

BITS = 48
"""The bits of the random numbers: sums over a board stay below 2^63."""

MOST_MATCHINGS = 400_000
"""The most sets of cells times sets of goal places for a view of equal pieces; with more, each piece counts alone."""

Costs = tuple[int, int]
Arrangement = tuple[tuple[int, int], ...]
Part = TypeVar("Part")


@dataclass(frozen=True)
class SumsView:
    """Pieces whose bound is looked up together.

    weights  the number of each (symbol, cell)
    costs    by the sum of these numbers over all cells: the least cost of an even and of an odd matching (the second is
             `ENDLESS` for pieces that are not matched)
    """

    weights: dict[tuple[int, int], int]
    costs: dict[int, Costs]

    def weight(self, symbol: int, cell: int) -> int:
        """Return what a symbol in a cell adds to the number."""
        return self.weights.get((symbol, cell), 0)

    def holds(self, symbol: int) -> bool:
        """Return whether the view contains this piece."""
        return any(other == symbol for other, _ in self.weights)


@dataclass(frozen=True)
class Sums:
    """A bound: the sum of `alone[symbol][cell]` over the pieces in no view, plus the cost in each view.

    parity  the assignment whose parity selects even or odd matchings, or None if both are possible
    """

    slides: Slides
    alone: dict[int, tuple[int, ...]]
    views: tuple[SumsView, ...] = ()
    parity: Assignment | None = None


def make(
    text: str, slides: Slides, goals: Sequence[Goal], bound: Heuristic | None = None, start: bytes = b""
) -> Sums | None:
    """Return the bound with this name, or None if it is not additive.

    start  a position with the pieces, if the first goal is not one
    bound  what `bounds.choosing` returned for it, if that was called: its tables are used again
    """
    wanted = set(names(text))
    wanted -= lesser(wanted, slides)
    distance = DistanceBound(slides, tuple(goals))
    if wanted == {"walking"} and len(goals) == 1 and goals[0].position is not None:
        return _walking(slides, goals[0].position)
    if wanted == {"distance"} or (wanted == {"assignment"} and slides.joint != 1):
        return Sums(slides, distance.tables)
    if slides.joint != 1:
        return None
    goal = goals[0].position if len(goals) == 1 else None
    if wanted == {"assignment"} and goal is not None:
        return _assignment(_part(Assignment, bound) or Assignment(slides, goal), distance)
    patterns = divisions(text)
    if wanted == {"pattern"} and len(patterns) == 1:
        return _patterns(_part(Groups, bound) or Groups.chosen(slides, tuple(goals), start, patterns[0]), distance)
    return None


def _part(kind: type[Part], bound: Heuristic | None) -> Part | None:
    """Return the part of this kind of a bound, or None."""
    parts = bound.parts if isinstance(bound, Greatest) else (bound,)
    return next((part for part in parts if isinstance(part, kind)), None)


def lesser(wanted: set[str], slides: Slides) -> set[str]:
    """Return the bounds that are never the greatest: `distance` if another one counts the moves of each piece too."""
    return {"distance"} if slides.joint == 1 and wanted & {"assignment", "pattern", "walking"} else set()


def _assignment(whole: Assignment, distance: DistanceBound) -> Sums:
    slides = whole.slides
    views = {
        symbol: view((symbol,), slides, dict(_matchings(symbol, slides, ends, costs)))
        for symbol, (ends, costs) in whole.groups.items()
        if comb(slides.model.cells, len(ends)) << len(ends) <= MOST_MATCHINGS
    }
    inside = views.keys()
    alone = {symbol: table for symbol, table in distance.tables.items() if symbol not in inside}
    told = bool(whole.swap_parities) and inside == whole.groups.keys() and bool(inside)
    return Sums(slides, alone, tuple(views.values()), whole if told else None)


def _matchings(
    symbol: int, slides: Slides, ends: tuple[int, ...], costs: list[tuple[int, ...]]
) -> Iterable[tuple[Arrangement, Costs]]:
    """Yield the sets of cells of equal pieces from which a goal may be reached, with the costs of cheapest matchings.

    ends  the goal cells of the pieces
    """
    moved = {cell for n in slides.ways(symbol) for cell in _ends(slides, n)}
    still = set(ends) - moved  # what stands in these cells never changes
    for chosen in combinations(sorted(moved), len(ends) - len(still)):
        cells = tuple(sorted((*chosen, *still)))
        yield tuple((symbol, cell) for cell in cells), cheapest(cells, costs)


def _ends(slides: Slides, number: int) -> tuple[int, int]:
    motion = slides.model.rules[number].motion
    assert motion is not None
    return motion.origin, motion.target


def _patterns(groups: Groups, distance: DistanceBound) -> Sums:
    slides = groups.slides
    views = [
        view(symbols, slides, {_arrangement(symbols, position): (depth, ENDLESS) for position, depth in table.items()})
        for symbols, table in zip(groups.symbols, groups.tables, strict=True)
    ]
    inside = {symbol for group in groups.symbols for symbol in group}
    return Sums(slides, {s: table for s, table in distance.tables.items() if s not in inside}, tuple(views))


def _arrangement(symbols: tuple[int, ...], position: bytes) -> Arrangement:
    return tuple((symbol, cell) for cell, symbol in enumerate(position) if symbol in symbols)


def view(symbols: Sequence[int], slides: Slides, costs: dict[Arrangement, Costs]) -> SumsView:
    """Return the view of some pieces, given the costs of their arrangements: (symbol, cell) pairs in order."""
    rng = Random(2026)
    while True:
        weights = {(s, cell): rng.getrandbits(BITS) for s in symbols for cell in range(slides.model.cells)}
        found = {sum(weights[each] for each in arrangement): cost for arrangement, cost in costs.items()}
        if len(found) == len(costs):
            return SumsView(weights, found)


def _walking(slides: Slides, goal: bytes) -> Sums | None:
    """Return rows and columns as views: a piece counts as its line and the line it goes to, the blank as its line."""
    shape = rectangle.read(slides)
    if shape is None or walking.refusal(shape, goal, goal, slides.blank):
        return None
    whole = walking.Walking(slides, shape, goal)
    return Sums(slides, {}, tuple(_lines(whole, axis) for axis in (0, 1)))


def _lines(whole: walking.Walking, axis: int) -> SumsView:
    table, cells = whole.axes[axis], range(whole.slides.model.cells)
    line = [whole.shape.line(axis, cell) for cell in cells]
    rng = Random(2026)
    while True:
        kinds = [[rng.getrandbits(BITS) for _ in range(table.lines)] for _ in range(table.lines)]
        blank = [rng.getrandbits(BITS) for _ in range(table.lines)]
        weights = {(s, cell): kinds[kind][line[cell]] for s, kind in table.classes.items() for cell in cells}
        weights |= {(whole.slides.blank, cell): blank[line[cell]] for cell in cells}
        found = {}
        for entry, number in table.numbers.items():
            at, counts = table.code.split(entry)
            total = blank[at] + sum(
                n * kinds[kind][row] for row, digits in enumerate(counts) for kind, n in enumerate(digits)
            )
            found[total] = (table.depths[number], ENDLESS)
        if len(found) == len(table.numbers):
            return SumsView(weights, found)
