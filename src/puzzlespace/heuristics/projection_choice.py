"""Which projections a bound takes: found by growing small ones, and by comparing them at positions near the start.

Two families are tried: some symbols in all cells (pieces), and all symbols in some cells (places). A projection that
keeps more is never weaker, but has more positions. So each begins with one symbol or one cell and is grown as long as
its positions are few enough (compare Haslum et al. 2007, "Domain-independent construction of
pattern database heuristics for cost-optimal planning"). At last those are taken that raise the bound at some position.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import prod
from random import Random

from ..limits.thresholds import Threshold
from ..limits.watch import checkpoint
from ..model.model import Model
from ..model.rule import symbols_of
from ..structure.reached import ReachedFacts
from .projection_phases import discounted, phases_of
from .projection_rules import ProjectionView, TooLargeError
from .projection_table import Exploration, ProjectedGoals, ProjectionTable, Work

PROJECTION_WORK = Threshold(2_000_000)
"""The work of finding projections, in rules tried: about a second."""

PROJECTION_NODES = Threshold(3_000)
"""The most positions of a projection while many are tried."""

LARGER, SMALLER = 5, 2
"""Those that are taken may have so many times as many positions if work is left; seeds have so many times fewer."""

FAMILY, FURTHER = 0.35, 0.4
"""The part of the work for each family; the part of what is left for growing one of those that are taken further."""

LEADERS = 3
"""So many of the most telling projections get others that share the moves with them."""

MOST_REFUSED = 3
"""A projection is grown no further after so many symbols or cells that make it too large."""

LIKELY = 10
"""A projection with more positions than allowed by more than this factor, as estimated, is not tried."""

MOST_TOGETHER = 8
"""The most symbols that are kept together from the beginning because there are always as many of all."""

MOST_SUMS, MOST_PARTS = 4, 8
"""The most sums of projections whose greatest is the bound, and the most projections of a sum."""

SAMPLES, FARTHEST = 80, 60
"""Positions at which projections are compared, and the most moves to them from the start."""

DEAD = 50
"""What a position without a way to a goal counts when projections are compared."""

Kept = frozenset[int]
"""The symbols or the cells that are kept."""


@dataclass(frozen=True, eq=False)
class Tried:
    """A projection that was tried, and what it says at the samples."""

    family: KeptSymbols
    kept: Kept
    table: ProjectionTable
    told: tuple[float, ...]

    @property
    def score(self) -> float:
        """What it says of all samples together."""
        return sum(self.told)


@dataclass(frozen=True)
class Sum:
    """Projections that can be added, and what their sum says at the samples."""

    parts: tuple[Tried, ...]
    told: tuple[float, ...]

    @classmethod
    def of(cls, parts: Sequence[Tried]) -> Sum:
        """Return the sum of some projections."""
        told = zip(*[part.told for part in parts], strict=True)
        return cls(tuple(parts), tuple([min(DEAD, sum(each)) for each in told]))


class KeptSymbols:
    """The projections that keep some symbols in all cells: pieces.

    seeds    what projections are grown from, and by
    covered  what is in some projection that was grown
    """

    picky = True
    """Whether only what raises the bound at a sample is kept too."""

    def __init__(self, facts: ReachedFacts) -> None:
        self.facts = facts
        self.varying = [cell for cell, each in enumerate(facts.possible) if each & each - 1]
        self.seeds = list(dict.fromkeys(self._seeds()))
        self.covered: Kept = frozenset()

    def _seeds(self) -> Iterator[Kept]:
        """Yield each symbol that some cell may show or not, and sets of symbols of which there are always as many."""
        for symbols, number in sorted(self.facts.conserved, key=lambda each: each[1]):
            if number and symbols.bit_count() <= MOST_TOGETHER:
                yield frozenset(symbols_of(symbols))
        for symbol in sorted({symbol for cell in self.varying for symbol in symbols_of(self.facts.possible[cell])}):
            yield frozenset([symbol])

    def view(self, kept: Kept) -> ProjectionView:
        """Return what these projections keep."""
        return ProjectionView(tuple(range(self.facts.model.cells)), _classes(kept))

    def following(self, kept: Kept) -> list[Kept]:
        """Return what may be kept too, the most promising first."""
        return [each for each in self.seeds if not each <= kept]

    def estimate(self, kept: Kept) -> float:
        """Return about how many positions a projection has; more if anything, or 1 if it is not known."""
        return 1

    def learn(self, seeds: Sequence[Tried]) -> None:
        """Order the seeds by what they tell alone; those that are too large are the last ones."""
        self.seeds = list(dict.fromkeys([*(each.kept for each in seeds), *self.seeds]))


class KeptCells(KeptSymbols):
    """The projections that keep all symbols in some cells: those first that rules join with the cells that are kept."""

    picky = False

    def __init__(self, facts: ReachedFacts, goals: ProjectedGoals) -> None:
        self.goals = goals
        super().__init__(facts)
        self.joined: dict[int, Counter[int]] = {}

    def _seeds(self) -> Iterator[Kept]:
        wanted = self.goals.cells(self.facts.model.symbols)
        return (frozenset([cell]) for cell in self.varying if cell in wanted)

    def view(self, kept: Kept) -> ProjectionView:
        shown = {symbol for cell in kept for symbol in symbols_of(self.facts.possible[cell])}
        return ProjectionView(tuple(sorted(kept)), _classes(shown))

    def following(self, kept: Kept) -> list[Kept]:
        total = Counter[int]()
        for cell in kept:
            total.update(self._neighbours(cell))
        rules_at = self.facts.model.rules_at
        most = sum(len(rules_at(cell)) for cell in kept)

        def near(cell: int) -> float:
            both = total[cell] / len(rules_at(cell)) + total[cell] / most
            return both / 2 if cell in self.covered else both

        left = [cell for cell in self.varying if cell not in kept]
        return [frozenset([cell]) for cell in sorted(left, key=near, reverse=True)]

    def _neighbours(self, cell: int) -> Counter[int]:
        """Return how many rules join each cell with this one."""
        if cell not in self.joined:
            model = self.facts.model
            self.joined[cell] = Counter(o for number in model.rules_at(cell) for o in model.rules[number].cells)
        return self.joined[cell]

    def estimate(self, kept: Kept) -> float:
        return prod(self.facts.possible[cell].bit_count() for cell in kept)

    def learn(self, seeds: Sequence[Tried]) -> None:
        pass


@dataclass
class ProjectionChoice:
    """The search for projections of a model with a start.

    left  the work that is left
    most  the most positions of a projection at first
    """

    facts: ReachedFacts
    goals: ProjectedGoals
    left: int
    most: int
    found: list[Tried] = field(default_factory=list[Tried])

    def __post_init__(self) -> None:
        self.phases = phases_of(self.facts.model)
        self.samples = list(_samples(self.facts.model))

    def sums(self) -> list[tuple[ProjectionTable, ...]]:
        """Return the projections to take: those of a sum can be added, and the greatest sum is the bound.

        If there are few positions, one projection keeps them all apart.
        """
        pieces, places = KeptSymbols(self.facts), KeptCells(self.facts, self.goals)
        most = int(self.left * FAMILY)
        everything = self._tried(places, frozenset(places.varying), self.most, Work(most))
        if everything is not None:
            return [(everything.table,)]
        for family in (pieces, places):
            self._grow_all(family, Work(most))
        sums = self._apart()
        for each in dict.fromkeys(part for chosen in self._selected(sums) for part in chosen.parts):
            self._grown(each, LARGER * self.most, Work(int(self.left * FURTHER)))
        sums = self._apart()
        sums += [self._shared(each) for each in self.found[:LEADERS]]
        return [tuple([part.table for part in chosen.parts]) for chosen in self._selected(sums)]

    def _grow_all(self, family: KeptSymbols, work: Work) -> None:
        """Grow projections of a family until no work is left; each seed is in one of them at least."""
        tried = [self._tried(family, each, self.most // SMALLER, work) for each in family.seeds]
        seeds = sorted([each for each in tried if each is not None], key=lambda each: -each.score)
        self.found += seeds
        family.learn(seeds)
        for seed in seeds:
            if not seed.kept <= family.covered:
                family.covered |= self._grown(seed, self.most, work).kept

    def _grown(self, grown: Tried, most: int, work: Work) -> Tried:
        """Return what a projection grows to if all is added that makes it stronger and not too large."""
        refused: set[Kept] = set()
        too_large = 0
        family = grown.family
        while too_large < MOST_REFUSED and work.left > 0:
            more = next((each for each in family.following(grown.kept) if each not in refused), None)
            if more is None:
                break
            found = self._tried(family, grown.kept | more, most, work)
            self.found += [found] if found is not None else []
            if found is None or (family.picky and found.score <= grown.score):
                refused.add(more)
                too_large += found is None
            else:
                grown = found
        return grown

    def _tried(
        self, family: KeptSymbols, kept: Kept, most: int, work: Work, used: frozenset[int] = frozenset()
    ) -> Tried | None:
        """Return a projection in which moves that begin with some rules count nothing, or None if it is too large."""
        if work.left <= 0 or family.estimate(kept) > LIKELY * most:
            return None
        before, phases = work.left, discounted(self.phases, used)
        exploration = Exploration(family.view(kept), self.facts, phases, work)
        try:
            exploration.run(most)
        except TooLargeError:
            return None
        finally:
            self.left -= before - work.left
        table = exploration.table(self.goals)
        return Tried(family, kept, table, tuple([min(table.bound(each), DEAD) for each in self.samples]))

    def _apart(self) -> list[Sum]:
        """Return for each projection the sum of it and others, such that no move that counts changes two of them."""
        self.found.sort(key=lambda each: -each.score)
        sums: list[Sum] = []
        for first in self.found:
            parts, used = [first], first.table.counted
            for other in self.found if first.score else ():
                if len(parts) < MOST_PARTS and other.score and used.isdisjoint(other.table.counted):
                    parts.append(other)
                    used |= other.table.counted
            sums.append(Sum.of(parts))
        return sums

    def _shared(self, first: Tried) -> Sum:
        """Return the sum of a projection and others, such that each move counts in only one of them."""
        parts, used = [first], first.table.counted
        kept = {first.family: first.kept}
        for other in self.found:
            before = kept.get(other.family, frozenset())
            if 2 * len(other.kept & before) > len(other.kept) or other.table.counted <= used or not other.score:
                continue
            if len(parts) == MOST_PARTS or self.left <= 0:
                break
            again = self._tried(other.family, other.kept, LARGER * self.most, Work(self.left), used)
            if again is not None and again.score:
                parts.append(again)
                used |= again.table.counted
                kept[other.family] = before | other.kept
        return Sum.of(parts)

    def _selected(self, sums: Sequence[Sum]) -> list[Sum]:
        """Return the sums that are greatest at some sample, each time the one that raises the bound most."""
        told = [0.0] * len(self.samples)
        selected: list[Sum] = []
        while len(selected) < MOST_SUMS and sums:
            best = max(sums, key=lambda each: sum(map(max, told, each.told)))
            better = list(map(max, told, best.told))
            if better == told:
                break
            told = better
            selected.append(best)
        return selected


def _classes(kept: frozenset[int] | set[int]) -> bytes:
    """Return the classes of symbols if some are kept apart, and all others are one class."""
    number = {symbol: place for place, symbol in enumerate(sorted(kept))}
    return bytes([number.get(symbol, len(kept)) for symbol in range(256)])


def _samples(model: Model) -> Iterator[bytes]:
    """Yield positions on random walks from the start, itself first."""
    random, found, start = Random(0), 0, model.start
    assert start is not None
    yield start
    position, far = start, 0
    while found < SAMPLES:
        checkpoint()
        children = list(model.moves(position)) if far < FARTHEST else []
        found, far = found + 1, far + 1
        position, far = (random.choice(children), far) if children else (start, 0)
        yield position
