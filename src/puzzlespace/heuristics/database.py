"""Additive pattern databases for one puzzle: which pieces go together, their tables, mirror images looked up too."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from threading import Thread

import numpy as np

from ..model import Model
from . import labels
from .labels import Labels
from .mirror import mirrors
from .pattern import Grid, Numbering, placements
from .slides import UNIT, Slides

DEFAULT_MEMORY = 64 << 20
"""Bytes of tables that are built without being asked."""

MOST_IMAGES = 2
"""Images of a position that are looked up: itself and mirror images."""


@dataclass(frozen=True)
class View:
    """A table as it is looked up: table number, the piece in each of its slots, the image of each cell."""

    table: int
    pieces: tuple[int, ...]
    image: tuple[int, ...]


@dataclass
class Database:
    """Tables of disjoint groups of pieces, filled by `build`.

    slides     the rules
    goal       the goal position
    pieces     the pieces of any position that the goal can be reached from
    groups     the pieces of each pattern, by number
    by_region  whether the tables tell apart where the blank is
    """

    slides: Slides
    goal: bytes
    pieces: Labels
    groups: tuple[tuple[int, ...], ...]
    by_region: bool
    tables: list[np.ndarray] = field(default_factory=list)

    @cached_property
    def grid(self) -> Grid:
        """The cells of pieces of one cell."""
        return grid_of(self.slides.model)

    @cached_property
    def numberings(self) -> tuple[Numbering, ...]:
        """How each group is numbered."""
        made = {len(group): Numbering(self.grid, len(group), self.by_region) for group in self.groups}
        return tuple(made[len(group)] for group in self.groups)

    @cached_property
    def alone(self) -> dict[int, tuple[int, ...]]:
        """For each piece in no group its own distances, cell by cell."""
        grouped = {piece for group in self.groups for piece in group}
        left = [piece for piece in range(len(self.pieces.symbols)) if piece not in grouped]
        return {p: self.slides.alone(self.pieces.symbols[p], self.pieces.targets[p]) for p in left}

    @cached_property
    def images(self) -> tuple[tuple[View, ...], ...]:
        """For each image of a position the tables to add up: the position itself first."""
        blank = self.goal.index(self.slides.blank)
        found = [tuple(View(n, group, tuple(range(len(self.goal)))) for n, group in enumerate(self.groups))]
        if self.pieces.apart and not self.alone:
            home = {next(iter(cells)): piece for piece, cells in enumerate(self.pieces.targets)}
            for image in islice(mirrors(self.grid, blank), 1, MOST_IMAGES):
                back = {image[cell]: cell for cell in range(len(image))}
                if {image[cell] for cell in home} == set(home):
                    swap = {home[cell]: home[back[cell]] for cell in home}
                    views = (tuple(swap[piece] for piece in group) for group in self.groups)
                    found.append(tuple(View(n, pieces, image) for n, pieces in enumerate(views)))
        return tuple(found)

    @property
    def size(self) -> int:
        """The bytes of the tables."""
        return sum(rows * columns for rows, columns in (numbering.shape for numbering in self.numberings))

    @property
    def scratch(self) -> int:
        """The bytes that are taken while tables are built: three bits for each position, two tables at a time."""
        return sum(sorted(3 * len(each.rows[1]) * each.shape[1] // 8 for each in self.numberings)[-2:])

    def build(self, threads: int = 1) -> None:
        """Fill the tables, several at a time where there are threads."""
        sizes = [rows * columns for rows, columns in (numbering.shape for numbering in self.numberings)]
        self.store = np.empty(sum(sizes), np.uint8)
        parts = np.split(self.store, np.cumsum(sizes)[:-1])
        self.tables = [part.reshape(each.shape) for part, each in zip(parts, self.numberings, strict=True)]
        todo = sorted(range(len(self.groups)), key=lambda number: len(self.groups[number]))

        def work() -> None:
            while todo:
                self._fill(todo.pop())

        team = [Thread(target=work) for _ in range(min(threads, len(todo)) - 1)]
        for thread in team:
            thread.start()
        work()
        for thread in team:
            thread.join()

    def _fill(self, number: int) -> None:
        numbering, group = self.numberings[number], self.groups[number]
        blank = self.goal.index(self.slides.blank)
        ends = placements([self.pieces.targets[piece] for piece in group])
        numbering.build([numbering.index(cells, blank) for cells in ends], self.tables[number])

    def bound(self, position: bytes) -> int:
        """Return moves that are needed at least from the position to the goal."""
        pieces = labels.read(self.slides, position, self.goal, self.pieces.apart)
        blank = position.index(self.slides.blank)
        own = sum(table[pieces.cells[piece]] for piece, table in self.alone.items())
        return own + max(sum(self.read(view, pieces.cells, blank) for view in views) for views in self.images)

    def read(self, view: View, cells: Sequence[int], blank: int) -> int:
        """Return the depth that a table has for pieces in these cells."""
        numbering = self.numberings[view.table]
        row, column = numbering.index([view.image[cells[piece]] for piece in view.pieces], view.image[blank])
        return int(self.tables[view.table][numbering.to_row[row], column])


def grid_of(model: Model) -> Grid:
    """Return the grid of the pieces of one cell."""
    return Grid.of(model.cells, edges_of(model))


def edges_of(model: Model) -> list[tuple[int, int]]:
    """Return the pairs of cells between which pieces of one cell move."""
    moves = [rule.motion for rule in model.rules if rule.motion is not None and rule.motion.shape == UNIT]
    return [(move.origin, move.target) for move in moves]


def refusal(slides: Slides, start: bytes) -> str | None:
    """Return why there are no additive patterns for the puzzle, or None."""
    if start.count(slides.blank) != 1:
        return "pattern tables are numbered for one blank"
    if slides.joint != 1:
        return "patterns cannot be added where one move carries several pieces"
    return None
