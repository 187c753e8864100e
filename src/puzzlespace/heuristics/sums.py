"""What a lower bound of a slide puzzle adds up, in parts that change by one look-up a move.

A piece counts in a *view* or alone. The pieces of a view have a table of all their arrangements; an arrangement is
numbered by a sum of random numbers over (symbol, cell), so a move changes it by a difference. No two arrangements of a
table have the same number: that is checked when the table is made.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb
from random import Random

from ..model import Goal
from .assignment import ENDLESS, Assignment, cheapest
from .distance import Distance
from .groups import Groups
from .named import names
from .slides import Slides

BITS = 48
"""Bits of the random numbers: sums over a board stay below 2^63."""

MOST_MATCHINGS = 400_000
"""Sets of cells times sets of goal places up to which like pieces are matched; else each counts alone."""

Costs = tuple[int, int]


@dataclass(frozen=True)
class View:
    """Some pieces whose bound is looked up together.

    symbols  the pieces
    costs    for each of their arrangements, as pairs (symbol, cell) in order: the least cost of an even and of an odd
             matching (the second is `ENDLESS` where no parity is told)
    """

    symbols: tuple[int, ...]
    costs: dict[tuple[tuple[int, int], ...], Costs]


@dataclass(frozen=True)
class Sums:
    """A bound: `alone[symbol][cell]` added up over the pieces in no view, and what each view says of its pieces.

    parity  the assignment whose parity chooses among even and odd matchings, or None where either can be
    """

    slides: Slides
    alone: dict[int, tuple[int, ...]]
    views: tuple[View, ...] = ()
    parity: Assignment | None = None


def make(text: str, slides: Slides, goals: Sequence[Goal]) -> Sums | None:
    """Return the bound of that name, or None where it is none that adds up."""
    wanted = set(names(text))
    distance = Distance(slides, tuple(goals))
    if wanted == {"distance"} or slides.joint != 1:
        return Sums(slides, distance.tables)
    goal = goals[0].position if len(goals) == 1 else None
    if wanted == {"assignment"} and goal is not None:
        return _assignment(slides, goal, distance)
    if wanted == {"pattern"}:
        return _patterns(slides, tuple(goals), distance)
    return None


def _assignment(slides: Slides, goal: bytes, distance: Distance) -> Sums:
    whole = Assignment(slides, goal)
    views = [
        View((symbol,), dict(_matchings(symbol, slides, costs)))
        for symbol, (ends, costs) in whole.groups.items()
        if comb(slides.model.cells, len(ends)) << len(ends) <= MOST_MATCHINGS
    ]
    inside = {symbol for view in views for symbol in view.symbols}
    alone = {symbol: table for symbol, table in distance.tables.items() if symbol not in inside}
    told = bool(whole.apart) and inside == whole.groups.keys() and bool(inside)
    return Sums(slides, alone, tuple(views), whole if told else None)


def _matchings(
    symbol: int, slides: Slides, costs: list[tuple[int, ...]]
) -> Iterable[tuple[tuple[tuple[int, int], ...], Costs]]:
    """Yield every set of cells of like pieces with what its cheapest matchings cost."""
    ways = slides.ways(symbol)
    used = {cell for n in ways for cell in _ends(slides, n)}
    used |= {cell for table in costs for cell, cost in enumerate(table) if cost == 0}
    for cells in combinations(sorted(used), len(costs)):
        yield tuple((symbol, cell) for cell in cells), cheapest(cells, costs)


def _ends(slides: Slides, number: int) -> tuple[int, int]:
    motion = slides.model.rules[number].motion
    assert motion is not None
    return motion.origin, motion.target


def _patterns(slides: Slides, goals: tuple[Goal, ...], distance: Distance) -> Sums:
    groups = Groups.chosen(slides, goals)
    views = [
        View(symbols, {_arrangement(symbols, position): (depth, ENDLESS) for position, depth in table.items()})
        for symbols, table in zip(groups.symbols, groups.tables, strict=True)
    ]
    inside = {symbol for view in views for symbol in view.symbols}
    return Sums(slides, {s: table for s, table in distance.tables.items() if s not in inside}, tuple(views))


def _arrangement(symbols: tuple[int, ...], position: bytes) -> tuple[tuple[int, int], ...]:
    return tuple((symbol, cell) for cell, symbol in enumerate(position) if symbol in symbols)


def numbers(sums: Sums, rng: Random) -> dict[tuple[int, int], int]:
    """Return a random number for each (symbol, cell) of a piece in a view."""
    symbols = [symbol for view in sums.views for symbol in view.symbols]
    return {(s, cell): rng.getrandbits(BITS) for s in symbols for cell in range(sums.slides.model.cells)}
