"""Coset tables that tell places of more parts: two bits an entry. docs/methods/cosets.md"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from ..kernels.deepening import finer_cosets as kernel
from . import by_layers, cosets
from .coset_tables import CosetTable, MarkCoordinate, coordinate
from .cosets import Marks, Renaming

FEWEST = 4
"""The least number of ways to place the parts for which a table is worth its time."""


@dataclass
class FinerCosets:
    """Depths of what a coset table keeps of a position together with places of parts of one more orbit.

    Of an entry is known whether its depth is less than `latest`, `latest`, `latest` + 1, or at least `latest` + 2.

    table  the coset table, which need not be filled
    marks  the parts
    place  their places
    bits   uint64 [words]: a code of two bits for each entry, see `kernels.deepening.finer_cosets`; then `latest`
    ready  whether all codes are there
    """

    table: CosetTable
    marks: Marks
    place: MarkCoordinate
    bits: np.ndarray = field(default_factory=lambda: np.zeros(0, np.uint64))
    ready: bool = False

    @property
    def entries(self) -> int:
        """The number of entries."""
        return self.table.size * len(self.place.rows)

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of `bits`."""
        return (-(-self.entries // kernel.CODES) + 1,)

    @property
    def size(self) -> int:
        """The size of the table in bytes."""
        return 8 * self.shape[0]

    @property
    def latest(self) -> int:
        """The depth of the entries with the code `LATEST`."""
        return int(self.bits[-1])

    @property
    def scratch(self) -> int:
        """The bytes of what building the table needs besides."""
        return self.table.scratch

    @property
    def identity(self) -> dict[str, Any]:
        """What the codes depend on."""
        found = hashlib.sha256()
        for each in (self.place.rows, self.place.steps, self.conjugates):
            found.update(each.tobytes())
        return {"table": "cosets with places of more parts", **self.table.contents, "places": found.hexdigest()}

    @cached_property
    def conjugates(self) -> np.ndarray:
        """What the symmetries that divide the table make of the places: uint16 [symmetries, places]."""
        rows = self.place.rows.astype(np.int64)
        found = []
        for each in self.table.choice.divided:
            image = each.on(self.marks)
            assert image is not None  # see `cosets.refine`
            codes = np.zeros(len(rows), np.int64)
            for cell in range(rows.shape[1]):
                own = rows[:, cell]
                codes += image.part[own] * self.place.weight[image.name[own, cell]]
            found.append(self.place.number[codes])
        return np.array(found, np.uint16)

    def build(self, threads: int) -> None:
        """Fill the table from the goal, until fewer entries are left than were found last."""
        table, places = self.table, len(self.place.rows)
        own, first, kept = table.classes
        bits, shape = np.zeros(self.shape, np.uint64), (table.shape[0], table.shape[1] * places)
        row, symmetry = divmod(int(own[0]), 1 << table.shift)
        goal = row * table.shape[1] + int(table.conjugates[symmetry, 0])
        word, at = divmod(goal * places + int(self.conjugates[symmetry, 0]), kernel.CODES)
        bits[word] = kernel.LATEST << 2 * at
        threads = by_layers.threads_for(self.entries, threads)
        found = np.zeros((threads, 2, shape[1]), np.uint16)
        steps, words = (*table.steps, self.conjugates[:, self.place.steps]), (len(bits) - 1, 1)

        def spread(thread: int, span: np.ndarray) -> None:
            form = np.array([table.shift, places, *span])
            images = table.conjugates, self.conjugates
            kernel.spread(bits, first, own, kept, steps, *images, found[thread], form)

        left, depth = self.entries - 1, 0
        while True:
            by_layers.each_span(shape, threads, spread)
            reached: list[int] = []
            by_layers.each_span(words, threads, lambda _, span, to=reached: to.append(kernel.count_next(bits, span)))
            left -= sum(reached)
            if left < sum(reached) or not any(reached):
                break
            by_layers.each_span(words, threads, lambda _, span: kernel.advance(bits, span))
            depth += 1
        bits[-1] = depth
        self.bits = bits

    def codes(self, renaming: Renaming) -> np.ndarray:
        """Return int64 [pieces, states]: the parts of the code of the places of a position's image, to be added."""
        found = np.zeros((len(self.table.pieces.cells), self.table.pieces.turns.shape[2]), np.int64)
        home = {piece: cell for cell, piece in enumerate(self.marks.orbit.members)}
        for piece in home:
            to = home[int(renaming.piece[piece])]
            cell = self.marks.names[to][renaming.state[piece, : self.marks.names.shape[1]]]
            found[piece, : len(cell)] = self.marks.part[to] * self.place.weight[cell]
        return found

    def fixed(self, renaming: Renaming) -> np.ndarray:
        """Return for each move whether it keeps what is kept of the goal, seen through a symmetry."""
        still = self.place.steps[:, 0] == 0
        return self.table.fixed(renaming) & still[self.table.moves(renaming)]


def table(table: CosetTable, most: int) -> FinerCosets | None:
    """Return the table with most places that refines a coset table and has at most `most` bytes, not yet filled."""
    marks = cosets.refine(table.pieces, table.goal, table.choice, kernel.CODES // 8 * most // table.size)
    if marks is None or marks.orders < FEWEST or not all(each.keeps(marks.orbit) for each in table.views):
        return None
    same = np.arange(marks.parts)
    place = coordinate(table.pieces, marks, marks.part, marks.parts, lambda name: same)
    return None if place is None else FinerCosets(table, marks, place)
