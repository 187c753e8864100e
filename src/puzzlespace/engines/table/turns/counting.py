"""The count of a table of turns, a table of orbits for each of the two turns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from random import Random

import numpy as np

from ....kernels.table.turns import COLUMNS, OrbitShape, OrbitWays, step_rows
from ....limits.memory import fits, zeros
from ....limits.threads import Crew, processors
from ....limits.thresholds import Threshold
from ....limits.watch import Watch
from ....model.goal import Goal
from ...shared.audit import drawn_bits
from ..counting import least, newly_seen, run_tasks
from .numbering import Element, TurnPlan, least_rows

SHOWN = 1 << 18
"""Positions that are shown at once."""

TASKS = 16
"""Tasks for each thread in a step."""

Noted = tuple[tuple[int, int], tuple[np.ndarray, np.ndarray]]
"""A span of rows, and room for notes: numbers, and how many were written."""

TURN_NOTES = Threshold(1 << 16)
"""Positions of a layer that a task notes; with more, a second count finds those of the last layer."""


@dataclass(frozen=True)
class Frames:
    """How blocks and columns of a stored row become those of a row of positions, and back: [frame, block or column]."""

    blocks: np.ndarray
    columns: np.ndarray
    back_blocks: np.ndarray
    back_columns: np.ndarray

    @classmethod
    def of(cls, elements: Sequence[Element]) -> Frames:
        """Return the frames of some elements; what they do to rows is not read."""
        blocks, columns = (np.array([each[part] for each in elements]) for part in (1, 2))
        return cls(blocks, columns, np.argsort(blocks, axis=1), np.argsort(columns, axis=1))


class OneTurn:
    """One turn: its orbits of rows, and how each is stored.

    powers  the powers of the turn, from the identity on
    first   [orbit] its least row
    sizes   [orbit] its number of rows
    orbit   [row] its orbit
    index   [row] the least power that makes it of the orbit's first row
    frames  for each power how it leads from the frame of the orbit's first row to that of the row it makes of it
    """

    def __init__(self, powers: Sequence[Element]) -> None:
        least_row = least_rows(powers)
        self.powers = powers
        self.first, self.orbit = np.unique(least_row, return_inverse=True)
        self.sizes = np.bincount(self.orbit)
        self.index = np.zeros(len(least_row), np.int64)
        for power in range(len(powers) - 1, -1, -1):
            self.index[powers[power].rows[self.first]] = power
        self.frames = Frames.of(powers)

    def stored(self, place: tuple[np.ndarray, np.ndarray, np.ndarray]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return (orbit, block, column) where the table has positions with some rows, blocks and columns."""
        rows, blocks, columns = place
        frame = self.index[rows]
        return self.orbit[rows], self.frames.back_blocks[frame, blocks], self.frames.back_columns[frame, columns]

    def shown(self, numbers: np.ndarray, plan: TurnPlan) -> np.ndarray:
        """Return the numbers of positions that a kernel noted: ((orbit, power), block, column) in mixed radix."""
        rest, columns = np.divmod(numbers, COLUMNS)
        rest, blocks = np.divmod(rest, plan.blocks)
        orbits, power = np.divmod(rest, len(self.powers))
        rows = np.array([each.rows for each in self.powers])[power, self.first[orbits]]
        return plan.joined(rows, self.frames.blocks[power, blocks], self.frames.columns[power, columns])


def ways(side: OneTurn, other: OneTurn) -> OrbitWays:
    """Return the ways from the rows of the other side: a permutation for each power of one and of the other."""
    reached = np.array([power.rows[side.first] for power in side.powers]).T
    mine, theirs = side.frames, other.frames
    blocks = [back[there] for there in mine.blocks for back in theirs.back_blocks]
    columns = [back[there] for there in mine.columns for back in theirs.back_columns]
    return OrbitWays(
        other.orbit[reached].astype(np.int64),
        np.arange(len(side.powers)) * len(other.powers) + other.index[reached],
        side.sizes.astype(np.int64),
        np.array(blocks, np.int32),
        np.array(columns, np.int32),
    )


@dataclass
class OrbitTable:
    """The orbits of one turn that were reached, as bits, and which rows changed in the last layer."""

    words: np.ndarray
    changed: np.ndarray

    @classmethod
    def empty(cls, rows: int, shape: OrbitShape) -> OrbitTable:
        """Return a table with no bit set."""
        return cls(zeros(rows * shape.blocks * shape.width), np.zeros(rows, np.uint8))

    def clear(self) -> None:
        """Clear all bits."""
        self.words[:] = 0
        self.changed[:] = 0

    def add(self, place: tuple[np.ndarray, np.ndarray, np.ndarray], shape: OrbitShape) -> None:
        """Set the bits at some rows, blocks and columns, and mark their rows as changed."""
        rows, _, columns = place
        np.bitwise_or.at(self.words, self._word(place, shape), np.uint64(1) << (columns & 63).astype(np.uint64))
        self.changed[rows] = 1

    def has(self, place: tuple[np.ndarray, np.ndarray, np.ndarray], shape: OrbitShape) -> np.ndarray:
        """Return for each place whether its bit is set."""
        bits = self.words[self._word(place, shape)] >> (place[2] & 63).astype(np.uint64)
        return (bits & np.uint64(1)).astype(bool)

    @staticmethod
    def _word(place: tuple[np.ndarray, np.ndarray, np.ndarray], shape: OrbitShape) -> np.ndarray:
        rows, blocks, columns = place
        return (rows * shape.blocks + blocks) * shape.width + (columns >> 6)


@dataclass(frozen=True)
class Numbers:
    """The bit index of a position is its number."""

    plan: TurnPlan

    @property
    def words(self) -> int:
        return -(-self.plan.positions // 64)

    def bit(self, position: bytes) -> int:
        return self.plan.rank(position)

    def rows(self, bits: np.ndarray) -> np.ndarray:
        return self.plan.show(bits)


class TurnCount:
    """A running count.

    first, second  the tables of the two turns; `ahead` is the first table one layer later
    found          the numbers of the layer's positions, or None if they are too many to note
    before         those of the layer before
    met            the goals that were collected
    """

    def __init__(self, plan: TurnPlan, watch: Watch) -> None:
        fits(watch, plan.bytes, 0, positions=plan.positions)
        self.plan, self.watch, self.field = plan, watch, Numbers(plan)
        one, two = self.sides = OneTurn(plan.turns[0]), OneTurn(plan.turns[1])
        self.ways = ways(one, two), ways(two, one)
        width, groups = -(-plan.columns // 64), -(-plan.blocks // 64)
        self.shapes = tuple(
            OrbitShape(plan.blocks, plan.columns, width, groups, len(side.powers)) for side in self.sides
        )
        self.first, self.ahead = (OrbitTable.empty(len(one.first), self.shapes[0]) for _ in range(2))
        self.second = OrbitTable.empty(len(two.first), self.shapes[1])
        self.found: np.ndarray | None = None
        self.before: np.ndarray | None = None
        self.met: set[bytes] = set()

    def begin(self, sources: Sequence[bytes]) -> int:
        """Make the sources the first layer; return its size. The tables have the orbits of the sources then."""
        self.sources = sources
        self.found = self.plan.numbers(sources)
        for table, side, shape in zip((self.first, self.second), self.sides, self.shapes, strict=True):
            for power in side.powers:  # a row that a power keeps has the bits of all positions of an orbit
                table.add(side.stored(self.plan.split(self.plan.led(self.found, power))), shape)
        self.depth = 0
        return len(self.found)

    def _second_layer(self) -> np.ndarray:
        """Return the numbers of the positions one move from the sources: the tables have them already."""
        assert self.found is not None
        led = [self.plan.led(self.found, power) for turn in self.plan.turns for power in turn[1:]]
        return np.setdiff1d(np.concatenate(led), self.found)

    def advance(self, crew: Crew, watch: Watch, bound: int) -> int:
        """Replace the layer by the next one; return its size."""
        self.before = self.found
        self.depth += 1
        if self.depth == 1:
            self.found = self._second_layer()
            watch.tick(len(self.found), bound)
            return len(self.found)
        noted = [self._noted(table, crew.threads) for table in (self.first, self.second)]
        size = 0
        for number, notes in enumerate(noted):
            size += self._run(crew, number, notes, watch, bound)
        self.first, self.ahead = self.ahead, self.first
        full = any(written[0] > len(numbers) for notes in noted for _, (numbers, written) in notes)
        self.found = None if full else np.concatenate([self._shown(number, noted[number]) for number in range(2)])
        return size

    def _noted(self, table: OrbitTable, threads: int) -> list[Noted]:
        """Return spans of rows, each with room for notes."""
        rows, room = len(table.changed), self.watch.thresholds[TURN_NOTES]
        size = max(1, -(-rows // (TASKS * threads)))
        spans = [(first, min(first + size, rows)) for first in range(0, rows, size)]
        return [(span, (np.empty(room, np.int64), np.zeros(1, np.int64))) for span in spans]

    def _run(self, crew: Crew, number: int, noted: Sequence[Noted], watch: Watch, bound: int) -> int:
        """Compute one layer of the rows of some spans in one of the tables; return how many positions are new."""
        one, ahead, two = self.first, self.ahead, self.second
        if number == 0:
            tables = one.words, ahead.words, two.words, np.empty(0, np.uint64)
            changed = one.changed, two.changed, ahead.changed
        else:
            tables = two.words, two.words, one.words, ahead.words
            changed = np.zeros(len(two.changed), np.uint8), one.changed, two.changed
        fixed = tables, changed, self.shapes[number], self.ways[number]
        return run_tasks(crew, [(step_rows, (span, *fixed, notes)) for span, notes in noted], watch, bound)

    def _shown(self, number: int, noted: Sequence[Noted]) -> np.ndarray:
        """Return the numbers of the positions that were noted."""
        notes = np.concatenate([numbers[: written[0]] for _, (numbers, written) in noted])
        return self.sides[number].shown(notes, self.plan)

    def known(self, bits: np.ndarray) -> np.ndarray:
        """Return for each number whether its position is seen."""
        if self.depth == 0:
            return np.isin(bits, self.plan.numbers(self.sources))
        place = self.plan.split(bits)
        one, two = self.sides
        return self.first.has(one.stored(place), self.shapes[0]) | self.second.has(two.stored(place), self.shapes[1])

    def drawn(self, chance: Random) -> Iterator[bytes]:
        """Yield seen positions, drawn at random."""
        shape = self.shapes[0]
        for bit in drawn_bits(self.first.words, chance):
            word, low = divmod(bit, 64)
            block, index = divmod(word, shape.width)
            orbit, block = divmod(block, shape.blocks)
            note = ((orbit * shape.order) * shape.blocks + block) * COLUMNS + 64 * index + low
            yield self.plan.unrank(int(self.sides[0].shown(np.array([note]), self.plan)[0]))

    def collect(self, goals: tuple[Goal, ...]) -> list[bytes]:
        """Return the positions of the layer that are goals, sorted; every goal is one position."""
        return newly_seen(self, goals, self.met)

    def deepest(self, keep: int) -> tuple[bytes, ...]:
        """Return the first `keep` positions of the last layer, after a step that found no new positions."""
        if keep <= 0:
            return ()
        numbers = self._listed_again() if self.before is None else iter([self.before])
        return least(map(self.plan.show, _parts(numbers)), keep)

    def _listed_again(self) -> Iterator[np.ndarray]:
        """Count again up to the layer before the last one, and yield the numbers of the positions of the last."""
        last, crew = self.depth - 1, Crew(processors())
        for table in (self.first, self.ahead, self.second):
            table.clear()
        self.begin(self.sources)
        for depth in range(1, last):
            self.advance(crew, self.watch, depth)
        for number in range(2):
            shape = self.shapes[number]
            notes = np.empty(shape.order * shape.blocks * self.plan.columns, np.int64), np.zeros(1, np.int64)
            for row in range(len(self.sides[number].first)):
                notes[1][0] = 0
                if self._run(crew, number, [((row, row + 1), notes)], self.watch, last):
                    yield self._shown(number, [((row, row + 1), notes)])


def _parts(blocks: Iterable[np.ndarray]) -> Iterator[np.ndarray]:
    """Yield the numbers a limited number at a time."""
    for block in blocks:
        for first in range(0, len(block), SHOWN):
            yield block[first : first + SHOWN]
