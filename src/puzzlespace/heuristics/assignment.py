"""Equal pieces matched to goal places at the least cost that a parity allows.

Two equal pieces cannot both take the nearest place, so the cost of the cheapest matching is a bound. If a parity
determines whether the matching is even or odd (as on every rectangular board with one blank), the cheapest matching of
that parity is a better one. With two equal pieces this tells them apart (M. Hiroi, Puzzle DE Programming, Goat).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from ..model.facts import Parity, parities
from ..model.goal import Goal
from ..model.model import Model
from ..model.rule import Rule
from ..structure.slides import UNIT, Slides
from .distance import DistanceBound

MOST_ALIKE = 10
"""If more pieces are equal, each counts by the distance to its nearest goal place."""

Costs = tuple[int, int]
"""The least cost of an even and of an odd matching."""

ENDLESS = 1 << 20
"""Sentinel: there is no such matching."""


@dataclass(frozen=True)
class Assignment:
    """The bound for one goal position, in metrics where a move moves one piece."""

    slides: Slides
    goal: bytes
    seen: dict[tuple[int, tuple[int, ...]], Costs] = field(default_factory=dict, compare=False)

    @cached_property
    def distance(self) -> DistanceBound:
        """The bound of each piece alone."""
        return DistanceBound(self.slides, (Goal.exactly(self.goal),))

    @cached_property
    def groups(self) -> dict[int, tuple[tuple[int, ...], list[tuple[int, ...]]]]:
        """For each symbol of several pieces its goal cells, and for each of these the moves from every cell."""
        found: dict[int, tuple[tuple[int, ...], list[tuple[int, ...]]]] = {}
        for symbol in self.slides.pieces:
            ends = tuple(cell for cell, other in enumerate(self.goal) if other == symbol)
            if 1 < len(ends) <= MOST_ALIKE:
                found[symbol] = ends, [self.slides.alone(symbol, frozenset([end])) for end in ends]
        return found

    @cached_property
    def swap_parities(self) -> tuple[Parity, ...]:
        """What the function `swap_parities` returns, or () if too many pieces are equal."""
        if any(self.goal.count(symbol) > MOST_ALIKE for symbol in self.slides.pieces):
            return ()
        return swap_parities(self.slides, self.goal)

    def odd(self, position: bytes) -> bool | None:
        """Return whether a matching of pieces in the order of cells must be odd; None if both parities are possible."""
        if not self.swap_parities:
            return None
        here, there = told_apart(self.slides, position), told_apart(self.slides, self.goal)
        return any(parity.value(here) != parity.value(there) for parity in self.swap_parities)

    def bound(self, position: bytes) -> int:
        """Return a lower bound on the moves from the position to the goal."""
        if self.slides.joint != 1:
            return self.distance.bound(position)
        tables = self.distance.tables
        total = sum(tables[s][c] for c, s in enumerate(position) if s in tables and s not in self.groups)
        even, odd = total, ENDLESS
        for symbol, (_, costs) in self.groups.items():
            cells = tuple(cell for cell, other in enumerate(position) if other == symbol)
            key = symbol, cells
            if key not in self.seen:
                self.seen[key] = cheapest(cells, costs)
            a, b = self.seen[key]
            even, odd = min(even + a, odd + b), min(even + b, odd + a)
        wanted = self.odd(position) if self.groups else None
        return min(even, odd) if wanted is None else odd if wanted else even


def cheapest(cells: Sequence[int], costs: Sequence[Sequence[int]]) -> Costs:
    """Return the least cost of an even and of an odd matching of cells to places; a pair costs costs[place][cell]."""
    best: dict[int, Costs] = {0: (0, ENDLESS)}
    for cell in cells:
        following: dict[int, Costs] = {}
        for taken, (even, odd) in best.items():
            for place, cost in enumerate(costs):
                if not taken >> place & 1:
                    crossed = (taken >> place).bit_count() & 1
                    a, b = ((even, odd), (odd, even))[crossed]
                    key = taken | 1 << place
                    before = following.get(key, (ENDLESS, ENDLESS))
                    following[key] = min(before[0], a + cost[cell]), min(before[1], b + cost[cell])
        best = following
    return next(iter(best.values()))


def swap_parities(slides: Slides, goal: bytes) -> tuple[Parity, ...]:
    """Return the parities of the puzzle with all pieces told apart that an exchange of two equal pieces changes."""
    model = slides.model
    here = told_apart(slides, goal)
    symbols = max(here) + 1
    names: dict[int, list[int]] = {}
    for cell, symbol in enumerate(goal):
        names.setdefault(symbol, []).append(here[cell])
    if any(len(names[symbol]) > 1 for symbol in {*slides.blocks, slides.body} & names.keys()):
        return ()
    rules = tuple(_split(rule, names, symbols) for rule in slides.usable(goal) if rule.motion.shape in (UNIT, *names))  # type: ignore[union-attr]
    wider = Model(model.cells, symbols, rules, start=here)
    moved = {cell for rule in rules for cell in rule.cells}
    return tuple(p for p in parities(wider, 0, cells=moved) if moved <= {cell for cells in p.signed for cell in cells})


def told_apart(slides: Slides, position: bytes) -> bytes:
    """Return the position with a number for each piece, by symbol, then by cell; blanks stay equal."""
    rows = sorted((s, c) for c, s in enumerate(position) if s != slides.blank)
    numbered = bytearray(len(position))
    for number, (_, cell) in enumerate(rows, 1):
        numbered[cell] = number
    return bytes(numbered)


def _split(rule: Rule, names: dict[int, list[int]], symbols: int) -> Rule:
    """Return the rule for pieces told apart; `names` are the new symbols of each old symbol."""
    need = tuple(
        sum(1 << new for old, news in names.items() if n < 0 or n >> old & 1 for new in set(news)) for n in rule.need
    )
    table = tuple(None if t is None else (names[t[0]][0],) * symbols for t in rule.table)
    return replace(rule, need=need, table=table)
