"""How a table of a sliding puzzle is cut into pieces: a row times a run of blocks (docs/methods/windows.md)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from ..engines.table.slide.counting import Ground, LinkArc
from ..engines.table.slide.positions import Listing
from ..kernels.table.windows import RUNS
from ..tables.identity import rebuilt
from .jobs import Job


class PieceCut:
    """The ground of a table and its pieces: piece p of a row has blocks first[p] … first[p + 1] - 1."""

    def __init__(self, job: Job) -> None:
        facts = job.facts
        plan = slide_plan(job)
        self.ground = Ground(plan, job.sources, facts["block"])
        self.ground.build()
        start = self.ground.shape.start
        self.largest = int(np.diff(start).max())
        self.first = pieces(start, facts["piece"])
        self.of_block = np.repeat(np.arange(len(self.first) - 1), np.diff(self.first))
        self.rows, self.words, self.blocks = len(self.ground.rows), plan.words, len(start) - 1
        self.into: dict[int, list[LinkArc]] = {row: [] for row in range(self.rows)}
        for arc in self.ground.arcs:
            self.into[arc.target].append(arc)
        self.by_target = {(arc.link, arc.target): arc for arc in self.ground.arcs}
        self.listing = Listing(plan, self.ground.orders, self.ground.rows)
        self.placed = [self.listing.place(position) for position in job.sources]
        self.fed: dict[tuple[int, int, int], np.ndarray] = {}

    def sources(self, row: int, piece: int) -> np.ndarray:
        """Return the bits of the sources in a piece."""
        where = self.where(self.span(piece))
        found = np.zeros(where.stop - where.start, np.uint64)
        for at, word, bit in self.placed:
            if at == row and where.start <= word < where.stop:
                found[word - where.start] |= np.uint64(1 << bit)
        return found

    @property
    def two_tables(self) -> bool:
        """Whether a layer must not be added to the table that it is computed from."""
        return self.ground.colours is None

    def targets(self, depth: int) -> list[int]:
        """Return the rows that the layer of a depth may add to."""
        ground = self.ground
        if ground.colours is None:
            return list(range(self.rows))
        colour = (min(ground.first) + depth) % 2
        return [row for row in range(self.rows) if ground.colours[row] == colour]

    def span(self, piece: int) -> tuple[int, int]:
        """Return (first block, last block + 1) of a piece."""
        return int(self.first[piece]), int(self.first[piece + 1])

    def sizes(self, piece: int) -> np.ndarray:
        """Return the words of each block of a piece."""
        first, last = self.span(piece)
        return np.diff(self.ground.shape.start[first : last + 1])

    def where(self, span: tuple[int, int]) -> slice:
        """Return the words of some blocks within a row."""
        start = self.ground.shape.start
        return slice(int(start[span[0]]), int(start[span[1]]))

    @cached_property
    def reaching(self) -> list[set[int]]:
        """The rows from which one move leads to each row."""
        return [self._reaching(row) for row in range(self.rows)]

    def _reaching(self, row: int) -> set[int]:
        found: set[int] = set()
        for arc in self.into[row]:
            each: LinkArc | None = arc
            while each is not None:
                found.add(each[1])
                each = self.before(each)
        return found

    def before(self, arc: LinkArc) -> LinkArc | None:
        """Return the arc that may precede one within the same move."""
        link = self.ground.plan.slides.before[arc.link]
        return self.by_target.get((link, arc.source)) if link >= 0 else None

    def feeding(self, window: int, blocks: np.ndarray) -> np.ndarray:
        """Return the blocks of a source row from which a window leads to some blocks, ascending."""
        if self.ground.program.rows[window, 0] != RUNS:
            return blocks
        key = window, int(blocks[0]), int(blocks[-1])
        if key in self.fed and key[2] - key[1] + 1 == len(blocks):
            return self.fed[key]
        mask = np.zeros(self.blocks, bool)
        mask[self._from(window, blocks)[0]] = True
        found = np.flatnonzero(mask)
        if key[2] - key[1] + 1 == len(blocks):
            self.fed[key] = found
        return found

    def is_fed(self, window: int, blocks: np.ndarray, fresh: np.ndarray) -> np.ndarray:
        """Return for each of some blocks whether a window leads to it from a block with a flag."""
        if self.ground.program.rows[window, 0] != RUNS:
            return fresh[blocks]
        source, many = self._from(window, blocks)
        flags, ends = np.concatenate([[0], np.cumsum(fresh[source])]), np.cumsum(many)
        return flags[ends] > flags[ends - many]

    def _from(self, window: int, blocks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the source block of each run of words that leads to some blocks, and how many runs lead to each."""
        program = self.ground.program
        row = program.row[program.rows[window, 1] + blocks]
        begin, many = program.first[row], program.first[row + 1] - program.first[row]
        index = np.repeat(begin - (np.cumsum(many) - many), many) + np.arange(many.sum())
        return np.repeat(blocks, many) + program.runs[index, 3], many

    def unused(self, span: tuple[int, int]) -> np.ndarray:
        """Return the words of some blocks in which only bits are set that stand for no position."""
        return np.concatenate([self.padding[kind] for kind in self.ground.shape.kind[slice(*span)]])

    @cached_property
    def padding(self) -> list[np.ndarray]:
        """The unused bits of a block of each kind."""
        words, shape = self.ground.unused(), self.ground.shape
        return [words[shape.tails[begin:end]] for begin, end in pairwise(shape.local)]


def slide_plan(job: Job) -> Any:
    """Return the ranking of a job's model; raise TableError if this worker ranks differently."""
    return rebuilt(job.facts["identity"], job.model, Path(job.place.url)).chosen.plan


def pieces(start: np.ndarray, most: int) -> np.ndarray:
    """Return the first blocks of the pieces, with at most so many words unless a block has more, and the end."""
    first = [0]
    while first[-1] < len(start) - 1:
        wanted = int(np.searchsorted(start, start[first[-1]] + most, side="right")) - 1
        first.append(max(first[-1] + 1, wanted))
    return np.array(first)


def spans(blocks: np.ndarray) -> Iterator[tuple[int, int]]:
    """Yield (first, last + 1) of the runs of consecutive numbers among ascending ones."""
    if len(blocks):
        cuts = np.flatnonzero(np.diff(blocks) != 1) + 1
        for part in np.split(blocks, cuts):
            yield int(part[0]), int(part[-1]) + 1


def cut_of(job: Job) -> PieceCut:
    """Return the cut of a job's table, which the threads of a worker share."""
    return job.once("cut", lambda: PieceCut(job))
