"""Count the layers of a sliding puzzle's depth table: rows of bits, on several threads."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from random import Random
from typing import Any, NamedTuple

import numpy as np

from ....contract.answers import Layers
from ....contract.questions import Depths, WantedLayers
from ....errors import InputError
from ....kernels.table.windows import Program, Shape, add_rule, end_layer, step_layer
from ....kernels.table.windows_build import Builder, block_depth, listed
from ....kernels.table.windows_orders import Orders
from ....limits.memory import fits, words_in_file, zeros
from ....limits.threads import Crew, processors
from ....limits.thresholds import Threshold
from ....limits.watch import Watch
from ....model.facts import two_colours
from ....model.goal import Goal
from ...shared.draws import thin_words, thinner
from ..counting import count_with, row_blocks
from ..mod3 import NO_WORDS, Keeper, kept_bytes
from .arrays import fitting, rows_of
from .numbering import Row, SlidePlan
from .positions import Listing, Notes, WantedPositions

PARTS = 8
"""Tasks per thread, so that all threads end at about the same time."""

Span = tuple[int, int]
"""(first block, last block + 1)"""

Work = tuple[np.ndarray, np.ndarray, tuple[np.ndarray, np.ndarray, np.ndarray]]
"""Working memory of one task: two buffers of the size of a block, and the notes (numbers, bits, how many)."""


class LinkArc(NamedTuple):
    """A link from one row to another; `window` is the number of the window by which it moves pieces."""

    link: int
    source: int
    target: int
    window: int


SLIDE_BLOCK = Threshold(1024)
"""The least number of words of a block, unless the table has fewer.

Measured: with an eighth `depths slide:2x5` took 1.10 times as long, with eight times as many 1.01 times.
"""

SLIDE_NOTES = Threshold(1 << 13)
"""The most new words of a layer that a task notes; with more, a second count finds them.

Measured: an eighth and eight times as many changed `depths slide:2x5` by at most 3 %.
"""

SLIDE_THREADS = Threshold(1 << 14)
"""The least number of words for several threads."""

SLIDE_LISTED = Threshold(1 << 18)
"""Words of each row that are listed at once in a second count."""

SLIDE_WRITTEN = Threshold(1 << 13)
"""Words whose positions are unranked at once."""


class Ground:
    """The static data of a count: the rows, the arcs between them, and the tables of the windows.

    colours  a two-colouring of the rows such that every arc joins both colours and all sources have the same one. None
             if there is no such colouring, or if moves are chains of links: then two tables are needed
    least    the least number of words of a block, see `block_depth`
    """

    def __init__(self, plan: SlidePlan, sources: Sequence[bytes], least: int) -> None:
        self.plan = plan
        begin = rows_of(plan, sources)
        self.rows: tuple[Row, ...] = plan.reachable(begin)
        number = {row: n for n, row in enumerate(self.rows)}
        found = [(link, number[row], number[after], turn) for row in self.rows for link, turn, after in plan.arcs(row)]
        self.windows = sorted({window for *_, window in found})
        index = {window: n for n, window in enumerate(self.windows)}
        self.arcs = [LinkArc(link, u, v, index[window]) for link, u, v, window in sorted(found)]
        colours = two_colours([(u, v) for _, u, v, _ in self.arcs], len(self.rows))
        self.first = {colours[number[row]] for row in begin} if colours is not None else set()
        self.colours = colours if len(self.first) == 1 and not plan.slides.chained else None

        self.orders = Orders(plan.counts, plan.halved, plan.tail)
        self.depth = block_depth(self.orders, self.windows, least)

    @property
    def table_bytes(self) -> int:
        """Memory for the bits alone: one table, or two."""
        return 8 * len(self.rows) * self.plan.words * (1 if self.colours is not None else 2)

    @property
    def bytes(self) -> int:
        """Memory for the table and the tables of the windows (those kept, and working memory for the largest)."""
        kept, made = listed(self.orders, self.windows, self.depth)
        return self.plan.memory(len(self.rows), self.colours is not None) + 24 * kept + 200 * made

    def build(self) -> None:
        """Build the tables of the windows. They take memory, so the caller checks the limit first."""
        builder = Builder(self.orders, self.depth)
        for window in self.windows:
            builder.add(window)
        self.shape: Shape = builder.shape()
        self.program: Program = builder.program()
        if self.colours is not None:
            self.into = [self._into(colour) for colour in (0, 1)]

    def _into(self, colour: int) -> tuple[np.ndarray, ...]:
        """Return the rows of one colour and the arcs that lead to them, as arrays for `step_layer`."""
        assert self.colours is not None
        targets = [row for row in range(len(self.rows)) if self.colours[row] == colour]
        into: dict[int, list[tuple[int, int]]] = {target: [] for target in targets}
        for _, u, v, window in self.arcs:
            if v in into:
                into[v].append((u, window))
        arcs = list(into.values())
        flat = [arc for group in arcs for arc in group]
        parity = [self.rows[u][1] for u, _ in flat]
        sources, windows = [u for u, _ in flat], [number for _, number in flat]
        first = np.cumsum([0, *map(len, arcs)])
        return tuple(np.array(column, np.int64) for column in (targets, first, sources, windows, parity))

    @cached_property
    def _after(self) -> dict[tuple[int, int], list[LinkArc]]:
        """For each link before, and each row, the arcs out of the row that may follow within the same move."""
        found: dict[tuple[int, int], list[LinkArc]] = {}
        for arc in self.arcs:
            found.setdefault((self.plan.slides.before[arc.link], arc.source), []).append(arc)
        return found

    def going_on(self, arc: LinkArc) -> list[LinkArc]:
        """Return the arcs that may follow one within the same move."""
        return self._after.get((arc.link, arc.target), [])

    @cached_property
    def first_arcs(self) -> list[LinkArc]:
        """The arcs that may begin a move."""
        later = {then for arc in self.arcs for then in self.going_on(arc)}
        return [arc for arc in self.arcs if arc not in later]

    def unused(self) -> np.ndarray:
        """Return the unused bits of a word for each form of its tail."""
        forms = self.orders.bits[self.orders.left == self.orders.tail].astype(np.uint64)
        used = np.repeat(forms[:1], 2) if self.orders.halved else forms
        words = ~np.uint64(0) << np.minimum(used, np.uint64(63))
        words[used == np.uint64(64)] = 0
        return words

    def pad(self, table: np.ndarray) -> None:
        """Set the unused bits, so that a word whose positions are all seen has all bits set."""
        unused = self.unused()
        kinds = [unused[tails] for tails in self._tails()]
        for block, kind in enumerate(self.shape.kind):
            table[:, self.shape.start[block] : self.shape.start[block + 1]] = kinds[kind]

    def _tails(self) -> list[np.ndarray]:
        local = self.shape.local
        return [self.shape.tails[local[kind] : local[kind + 1]] for kind in range(len(local) - 1)]


@dataclass(frozen=True)
class SlideBits:
    """The bit indices of the positions of a table, see `BitField`."""

    words: int
    bit: Callable[[bytes], int]
    rows: Callable[[np.ndarray], np.ndarray]


class SlideCount:
    """A running count: one bit per seen position, and flags for the blocks that the last layer changed.

    untold  positions of the layer, which the watch does not know of yet
    wanted  the layers that are handed over; `before` is the table before the layer, if that is one of them
    goals   the positions whose depths are wanted
    """

    def __init__(self, plan: SlidePlan, sources: Sequence[bytes], threads: int, watch: Watch) -> None:
        self.ground = Ground(plan, sources, watch.thresholds[SLIDE_BLOCK])
        self.sources = tuple(dict.fromkeys(sources))
        self.watch = watch
        self.in_memory = self._fits()
        self.ground.build()
        self.listing = Listing(plan, self.ground.orders, self.ground.rows)
        self.words = plan.words
        blocks = len(self.ground.shape.kind)
        many = threads > 1 and len(self.ground.rows) * self.words >= watch.thresholds[SLIDE_THREADS]
        parts = min(blocks, PARTS * threads) if many else 1
        self.spans = [(blocks * part // parts, blocks * (part + 1) // parts) for part in range(parts)]
        self.work = [self._work(watch.thresholds[SLIDE_NOTES]) for _ in self.spans]
        self.crew = Crew(threads)
        self.keeper: Keeper | None = None
        self._begin()
        self.untold = len(self.sources)
        self.wanted: WantedLayers | None = None
        self.before: np.ndarray | None = None
        self.goals: WantedPositions | None = None

    @property
    def size(self) -> int:
        """The words of the table."""
        return len(self.ground.rows) * self.words

    @property
    def field(self) -> SlideBits:
        """The bit indices of positions."""
        return SlideBits(self.size, self.listing.bit, self.shown)

    def _fits(self) -> bool:
        """Return whether the table fits the memory; raise LimitError if it cannot be counted at all."""
        return fits(self.watch, self.ground.bytes, self.ground.table_bytes, self.ground.plan.positions)

    def _work(self, room: int) -> Work:
        block = int(np.diff(self.ground.shape.start).max())
        notes = (np.zeros(room, np.int64), np.zeros(room, np.uint64), np.zeros(1, np.int64))
        return np.zeros(block, np.uint64), np.zeros(block, np.uint64), notes

    def _room(self, shape: tuple[int, int], kind: Any) -> np.ndarray:
        """Return an array in memory, or in a file if memory is too small."""
        return (np.empty if self.in_memory else words_in_file)(shape, kind)

    def _second(self) -> np.ndarray:
        """Return the table to which the next layer is added: the same one if rows have two colours, else a copy."""
        if self.ground.colours is not None:
            return self.table
        second = self._room(self.table.shape, np.uint64)  # type: ignore[arg-type]
        second[:] = self.table
        return second

    def _begin(self) -> None:
        """Make the sources the first layer."""
        numbers, bits, self.fresh = self._first_layer()
        self.table = self._room((len(self.ground.rows), self.words), np.uint64)
        self.ground.pad(self.table)
        self.full = np.zeros(self.fresh.shape, np.bool_)
        np.bitwise_or.at(self.table.reshape(-1), numbers, bits)
        self.following = self._second()

    def _first_layer(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the words of the sources, their bits, and the flags of the blocks; note the sources."""
        fresh = np.zeros((len(self.ground.rows), len(self.ground.shape.kind)), np.bool_)
        bits = np.concatenate([self.listing.ranks.bits(rows) for rows in row_blocks(self.sources)])
        row, word = np.divmod(bits >> 6, self.words)
        fresh[row, np.searchsorted(self.ground.shape.start, word, side="right") - 1] = True
        numbers, bits = bits >> 6, np.uint64(1) << (bits & 63).astype(np.uint64)
        self.depth = 0
        self.noted: list[Notes] | None = [(numbers, bits)]
        return numbers, bits, fresh

    def begin(self, sources: Sequence[bytes]) -> int:
        """Return the size of the first layer: the sources with which the count was made."""
        return len(self.sources)

    def keep(self, keeper: Keeper, watch: Watch) -> None:
        """Keep all depths from now on; if the keeper has layers already, continue after them."""
        size = kept_bytes(self.size)
        in_memory = bool(keeper.counts) or (self.in_memory and fits(self.watch, size, size))
        none = np.empty((1, self.words), np.uint64)
        self.ground.pad(none)
        keeper.begin(self.size, none[0], zeros if in_memory else words_in_file)
        self.keeper = keeper
        if keeper.counts:
            self._resume(keeper)
            self.depth, self.noted, self.untold = len(keeper.counts) - 1, None, 0

    def _resume(self, keeper: Keeper) -> None:
        """Make all positions of the kept layers seen."""
        keeper.resume(self.table.reshape(-1))
        self.following = self._second()
        self.fresh[:] = True

    def mark(self, keeper: Keeper, crew: Crew) -> None:
        """Do nothing: the step to a layer records its depth."""

    def all_known(self) -> np.ndarray:
        """Return the bits of all seen positions; the keeper's planes have the depths of all of them."""
        return self.table.reshape(-1)

    def shown(self, numbers: np.ndarray) -> np.ndarray:
        """Return the positions of some bit indices, one row of symbols each."""
        return self.listing.positions(numbers >> 6, np.uint64(1) << (numbers & 63).astype(np.uint64))

    def words_at(self, numbers: np.ndarray) -> np.ndarray:
        """Return some words of the table."""
        return self.table.reshape(-1)[numbers]

    def known(self, numbers: np.ndarray) -> np.ndarray:
        """Return for each bit index whether its position is seen."""
        return (self.words_at(numbers >> 6) >> (numbers & 63).astype(np.uint64) & np.uint64(1)).astype(bool)

    def drawn(self, chance: Random) -> Iterator[bytes]:
        """Yield positions of the table, drawn at random."""
        return self.ground.plan.drawn(self.ground.rows, chance)

    def collect(self, goals: tuple[Goal, ...]) -> list[bytes]:
        """Return the positions of the layer whose depths are wanted, sorted."""
        return [] if self.goals is None else self.goals.found(self.words_at)

    def advance(self, crew: Crew, watch: Watch, bound: int) -> int:
        """Replace the layer by the next one; return its size."""
        watch.tick(self.untold, bound)
        self.before = None
        self.before = self._copied() if self.wanted is not None and self.wanted.has(bound) else None
        self.untold = self._step()
        return self.untold

    def _step(self) -> int:
        """Compute the next layer; return its size."""
        self._begin_layer()
        size = self._end_layer(self.spans, self.work)
        notes = [work[2] for work in self.work]
        if size:
            self.depth += 1
            complete = all(written[0] <= len(numbers) for numbers, _, written in notes)
            self.noted = [(n[: w[0]].copy(), b[: w[0]].copy()) for n, b, w in notes] if complete else None
        return size

    def _begin_layer(self) -> None:
        """If there are two tables, add the positions that every rule brings to the next one, chain by chain."""
        ground = self.ground
        if ground.colours is not None:
            return
        for arc in ground.first_arcs:
            waiting = [(arc, self._row(arc.source))]
            while waiting:
                done, source = waiting.pop()
                onward = self._add_rule(done, source)
                waiting += [(then, onward) for then in ground.going_on(done)]

    def _row(self, row: int) -> Any:
        """Return a row of the table and its flags, as a source for `_add_rule`."""
        return self.table[row], self.fresh[row]

    def _add_rule(self, arc: LinkArc, source: Any) -> Any:
        """Add the positions that one rule brings from a row to another; return the onward row and its flags.

        The onward row is the source row for rules that may follow within the same move; it is empty if there are none.
        """
        ground = self.ground
        _, u, v, window = arc
        goes_on = bool(ground.going_on(arc))
        onward = np.empty(self.words * goes_on, np.uint64), np.empty(len(self.fresh[v]) * goes_on, np.bool_)
        rows = (*source, self.following[v], self.table[v], self.fresh[v], *onward)
        number = (window, ground.rows[u][1])
        self._run(add_rule, [(s, number, ground.shape, ground.program, rows, w[:2]) for s, w in self._parts()])
        return onward

    def _parts(self) -> Iterator[tuple[Span, Work]]:
        return zip(self.spans, self.work, strict=True)

    def _end_layer(self, spans: Sequence[Span], work: Sequence[Work]) -> int:
        """Add the new positions within the spans to the table; return how many."""
        ground = self.ground
        for _, _, (_, _, written) in work:
            written[0] = 0
        parts = zip(spans, work, strict=True)
        plane = NO_WORDS if self.keeper is None else self.keeper.plane(self.depth + 1)
        if ground.colours is None:
            tables = (self.table, self.fresh, self.following, plane)
            return self._run(end_layer, [(s, tables, ground.shape, (w[0], w[2])) for s, w in parts])
        arcs = ground.into[(min(ground.first) + self.depth + 1) % 2]
        tables = (self.table, self.fresh, self.full, plane)
        return self._run(step_layer, [(s, tables, ground.shape, ground.program, arcs, w) for s, w in parts])

    def _run(self, kernel: Callable[..., Any], tasks: list[tuple]) -> int:
        """Run the tasks on the threads and return the sum of their results; limits are checked between tasks."""
        if len(tasks) == 1:
            return int(kernel(*tasks[0]) or 0)
        made: list[int] = []

        def work(thread: int, task: tuple) -> bool:
            made.append(int(kernel(*task) or 0))
            return True

        self.crew.run(deque(tasks), work, partial(self.watch.tick, 0, self.depth + 1))
        return sum(made)

    def _copied(self) -> np.ndarray:
        """Return a copy of the table, from which `part` knows the next layer."""
        self.watch.reserve(self.table.nbytes if self.in_memory else 0, self.depth)
        copy = self._room(self.table.shape, np.uint64)  # type: ignore[arg-type]
        copy[:] = self.table
        return copy

    def part(self, size: int, wanted: WantedLayers) -> Iterator[np.ndarray]:
        """Yield positions of the layer, which has `size`: all, or the random part that is wanted."""
        if self.before is None:
            yield np.frombuffer(b"".join(self.sources), np.uint8).reshape(len(self.sources), -1)
            return
        halvings, at_once = thinner(size, wanted), self.watch.thresholds[SLIDE_WRITTEN]
        new, old = self.table.reshape(-1), self.before.reshape(-1)
        for first in range(0, len(new), 16 * at_once):
            bits = new[first : first + 16 * at_once] & ~old[first : first + 16 * at_once]
            numbers = first + np.flatnonzero(bits)
            words = bits[numbers - first]
            if halvings:
                words = words & thin_words(numbers, halvings, wanted.seed)
                numbers, words = numbers[words != 0], words[words != 0]
            for at in range(0, len(numbers), at_once):
                yield self.listing.positions(numbers[at : at + at_once], words[at : at + at_once])

    def deepest(self, keep: int) -> tuple[bytes, ...]:
        """Return the first `keep` positions of the last layer; count again if it was too large for the notes."""
        notes = self._count_again(self.depth) if self.noted is None and keep > 0 else self.noted or []
        return self.listing.least(keep, notes, self.watch.thresholds[SLIDE_WRITTEN])

    def _count_again(self, depth: int) -> Iterator[Notes]:
        """Yield the words of one layer, some blocks at a time, by a second count."""
        self.keeper = None
        self._begin()
        while self.depth < depth - 1:
            self._step()
        self._begin_layer()
        start = self.ground.shape.start
        first = 0
        while first < len(start) - 1:
            last = max(
                first + 1,
                int(np.searchsorted(start, start[first] + self.watch.thresholds[SLIDE_LISTED], side="right")) - 1,
            )
            work = self._work(int(start[last] - start[first]) * len(self.ground.rows))
            self._end_layer([(first, last)], [work])
            numbers, bits, written = work[2]
            yield numbers[: written[0]], bits[: written[0]]
            first = last


def depths(
    plan: SlidePlan,
    question: Depths,
    watch: Watch,
    threads: int | None = None,
    make: Callable[[SlidePlan, Sequence[bytes], int, Watch], SlideCount] = SlideCount,
) -> Layers:
    """Count the positions at each distance from the nearest source.

    threads  the number of threads; the answer does not depend on it
    make     begins the count
    Raises InputError if a source has other pieces than the plan.
    """
    fits = fitting(plan.slides, question.sources)
    if len(fits) < len(question.sources):
        strange = min(set(question.sources).difference(fits))
        raise InputError(f"source: expected the pieces of the plan on its board, found {strange!r}")

    def begun() -> SlideCount:
        table = make(plan, question.sources, threads or processors(), watch)
        table.wanted = question.wanted
        table.goals = WantedPositions(table.listing, question.collect, watch)
        return table

    return count_with(begun, question, watch, threads)
