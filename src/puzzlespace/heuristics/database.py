"""Disjoint pattern databases of one puzzle: the groups of pieces, their tables, and look-ups of mirror images."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

from ..limits.threads import Crew
from ..limits.watch import checkpoint
from ..structure.slides import Slides
from . import kept, labels
from .labels import Labels
from .mirror import mirrors
from .pattern import Grid, PatternNumbering, PatternTable, placements

Groups = tuple[tuple[int, ...], ...]
"""Groups of pieces, by number, that have no piece in common."""

DEFAULT_MEMORY = 64 << 20
"""The most bytes of all tables, unless another limit is given."""

ENDLESS = 1 << 20
"""The bound of a position from which the goal cannot be reached."""

MOST_IMAGES = 2
"""The most images of a position that are looked up: itself and mirror images."""


@dataclass(frozen=True)
class PatternView:
    """How a table is looked up: its number, the piece in each of its slots, the image of each cell."""

    table: int
    pieces: tuple[int, ...]
    image: tuple[int, ...]


@dataclass
class Database:
    """Tables of disjoint groups of pieces, filled by `build`.

    slides  the rules
    goal    the goal position
    pieces  the pieces of any position from which the goal can be reached
    groups  the pieces of each pattern, by number
    more    other ways to divide the pieces into groups; the greatest of the sums of all ways counts
    """

    slides: Slides
    goal: bytes
    pieces: Labels
    groups: Groups
    more: tuple[Groups, ...] = ()

    @property
    def ways(self) -> tuple[Groups, ...]:
        """All ways to divide the pieces into groups."""
        return self.groups, *self.more

    @cached_property
    def patterns(self) -> Groups:
        """The groups of all ways, each once, in the order of the tables."""
        return tuple(dict.fromkeys(group for groups in self.ways for group in groups))

    @cached_property
    def grid(self) -> Grid:
        """The grid on which pieces of one cell move."""
        return grid_of(self.slides)

    @cached_property
    def numberings(self) -> tuple[PatternNumbering, ...]:
        """The numbering of each group."""
        made = {len(group): PatternNumbering(self.grid, len(group)) for group in self.patterns}
        return tuple(made[len(group)] for group in self.patterns)

    @cached_property
    def tables(self) -> tuple[PatternTable, ...]:
        """The table of each group, empty before it is built."""
        blank = self.goal.index(self.slides.blank)
        made: list[PatternTable] = []
        for numbering, group in zip(self.numberings, self.patterns, strict=True):
            ends = placements([self.pieces.targets[piece] for piece in group])
            made.append(PatternTable(numbering, tuple(numbering.index(cells, blank) for cells in ends)))
        return tuple(made)

    @cached_property
    def alone(self) -> dict[int, tuple[int, ...]]:
        """The distances of each piece that is in no group of some way, cell by cell."""
        left = [piece for groups in self.ways for piece in self._left(groups)]
        return {p: self.slides.alone(self.pieces.symbols[p], self.pieces.targets[p]) for p in sorted(set(left))}

    def _left(self, groups: Groups) -> list[int]:
        grouped = {piece for group in groups for piece in group}
        return [piece for piece in range(len(self.pieces.symbols)) if piece not in grouped]

    @cached_property
    def images(self) -> tuple[tuple[PatternView, ...], ...]:
        """For each way and each image of a position the tables to add up: the position itself first."""
        found: dict[frozenset[frozenset[int]], tuple[PatternView, ...]] = {}
        for groups in self.ways:
            for image, swap in self._swaps if not self._left(groups) else self._swaps[:1]:
                turned = [tuple(swap[piece] for piece in group) for group in groups]
                views = (PatternView(self.patterns.index(g), t, image) for g, t in zip(groups, turned, strict=True))
                found.setdefault(frozenset(map(frozenset, turned)), tuple(views))
        return tuple(found.values())

    @cached_property
    def _swaps(self) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
        """For each image the image of each cell, and the piece that stands for each piece."""
        count = len(self.pieces.symbols)
        found = [(tuple(range(len(self.goal))), tuple(range(count)))]
        if self.pieces.unique_targets:
            home = {next(iter(cells)): piece for piece, cells in enumerate(self.pieces.targets)}
            for image in islice(mirrors(self.grid, self.goal.index(self.slides.blank)), 1, MOST_IMAGES):
                back = {image[cell]: cell for cell in range(len(image))}
                if {image[cell] for cell in home} == set(home):
                    swap = {home[cell]: home[back[cell]] for cell in home}
                    found.append((image, tuple(swap[piece] for piece in range(count))))
        return found

    @property
    def size(self) -> int:
        """The bytes of the tables."""
        return sum(table.size for table in self.tables)

    def fill(
        self, threads: int = 1, reserve: Callable[[int], None] = lambda wanted: None, least: int = kept.KEPT_BYTES.usual
    ) -> None:
        """Read the tables from the cache folder; build and save those that are not there.

        reserve  is called with the number of bytes before they are allocated; may raise LimitError
        least    the least size in bytes of a table that is saved
        """
        reserve(self.size)
        kept.fill(self.tables, lambda left: self._build_missing(left, threads, reserve), least)

    def _build_missing(self, tables: Sequence[PatternTable], threads: int, reserve: Callable[[int], None]) -> None:
        together = sorted(table.scratch for table in tables)[-max(1, threads) :]
        reserve(sum(table.size for table in tables) + sum(together))
        self.build(threads, tables)

    def build(self, threads: int = 1, tables: Sequence[PatternTable] = ()) -> None:
        """Build some tables, or all, on several threads."""

        def work(thread: int, table: PatternTable) -> bool:
            checkpoint()
            table.build()
            return True

        Crew(threads).run(deque(sorted(tables or self.tables, key=lambda table: -table.size)), work)

    def bound(self, position: bytes) -> int:
        """Return a lower bound on the moves from the position to the goal."""
        pieces = labels.read(self.slides, position, self.goal, self.pieces.unique_targets)
        blank = position.index(self.slides.blank)
        pairs = zip(self.images, self.values(pieces, blank), strict=True)
        return max(sum(values) + self.own(pieces, views) for views, values in pairs)

    def own(self, pieces: Labels, views: Sequence[PatternView]) -> int:
        """Return the moves that the pieces in none of the views need, each alone."""
        seen = {piece for view in views for piece in view.pieces}
        return sum(table[pieces.cells[piece]] for piece, table in self.alone.items() if piece not in seen)

    def values(self, pieces: Labels, blank: int) -> list[list[int]]:
        """Return for each image the depth in each of its views; `ENDLESS` if the goal cannot be reached."""
        return [[self.read(view, pieces.cells, blank) for view in views] for views in self.images]

    def read(self, view: PatternView, cells: Sequence[int], blank: int) -> int:
        """Return the depth in a table for pieces in these cells; `ENDLESS` if the goal cannot be reached."""
        numbering = self.numberings[view.table]
        at = numbering.index([view.image[cells[piece]] for piece in view.pieces], view.image[blank])
        depth = self.tables[view.table].depth(*at)
        return ENDLESS if depth is None else depth


def grid_of(slides: Slides) -> Grid:
    """Return the grid on which pieces of one cell move."""
    return Grid.of(slides.model.cells, [(step.origin, step.target) for step in slides.steps])


def refusal(slides: Slides, start: bytes) -> str | None:
    """Return why there are no additive patterns for the puzzle, or None."""
    if start.count(slides.blank) != 1:
        return "pattern databases are for boards with one blank"
    if slides.joint != 1:
        return "patterns cannot be added if one move carries several pieces"
    return None
