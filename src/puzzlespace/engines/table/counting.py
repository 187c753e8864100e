"""The loop that counts the layers of a depth table: one bit per position, on several threads.

All kinds of table use it. A kind (`frames`, `products`, …) provides a `TableField`: the bit index of each position and
back, and the tasks that compute the bits of the next layer; `slide` and `turns` have a `RunningCount` of their own. The
result does not depend on the scheduling of threads, because bits are only ever set, and a layer is counted when it is
complete.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import islice
from random import Random
from typing import Any, Protocol, cast

import numpy as np

from ...contract.answers import Layers
from ...contract.questions import Depths, WantedLayers
from ...errors import InputError, LimitError
from ...limits.memory import fits, words_in_file, zeros
from ...limits.threads import Crew, processors
from ...limits.thresholds import Threshold
from ...limits.watch import Watch, paced
from ...model.goal import Goal
from ..shared.audit import LEAST, Audit, Numbering, check_total, drawn_bits, expected_total
from ..shared.draws import chosen, thinner
from .mod3 import Keeper, Room, keeper_of, kept_bytes

AT_ONCE = 1 << 13
"""Positions that are ranked at once; the limits are checked in between."""

QUICK = 1 << 16
"""The fewest words of a task that takes a few operations per word: fewer take less time than starting a thread."""

Task = tuple[Callable[..., Any], tuple[Any, ...]]
"""A kernel with its arguments; it returns how many positions it generated."""

LISTED_BITS = Threshold(1 << 18)
"""Bits that are listed at once: a multiple of 64.

Measured: an eighth and eight times as many changed counts of flip:5x5 and burnt:7 by at most 9 %.
"""


class BitField(Protocol):
    """The bit indices of the positions of one kind of depth table.

    words  the number of 64-bit words; some bits may be unused
    """

    @property
    def words(self) -> int: ...

    def bit(self, position: bytes, /) -> int:
        """Return the bit index of a position; raise InputError if it has none."""
        ...

    def rows(self, bits: np.ndarray, /) -> np.ndarray:
        """Return the positions of some bit indices, one row of symbols each."""
        ...


class TableField(BitField, Protocol):
    """The bits of a kind of table with the tasks that compute a layer."""

    def phases(self, seen: np.ndarray, edge: np.ndarray, threads: int) -> Iterable[Iterable[Task]]:
        """Yield the tasks that add to `edge` all unseen positions one move from the layer, phase by phase.

        The layer is what both sets have; what only `edge` has is found in this step. All
        that is one move from an earlier layer is seen, so a task may take any seen positions for positions of the
        layer, and read the layer while others add to the same words. A field whose last step added seen positions to
        the edge for good has `mixed` set. The tasks of one phase may run in any order and at the same time; the next
        phase begins when all are done.
        """
        ...


class RunningCount(Protocol):
    """A running count, one layer after the other."""

    @property
    def field(self) -> BitField:
        """The bit indices of positions."""
        ...

    def begin(self, sources: Sequence[bytes], /) -> int:
        """Make the sources the first layer; return its size."""
        ...

    def advance(self, crew: Crew, watch: Watch, bound: int, /) -> int:
        """Replace the layer by the next one; return its size."""
        ...

    def known(self, bits: np.ndarray, /) -> np.ndarray:
        """Return for each bit index whether its position is seen."""
        ...

    def drawn(self, chance: Random, /) -> Iterator[bytes]:
        """Yield seen positions, drawn at random."""
        ...

    def collect(self, goals: tuple[Goal, ...], /) -> list[bytes]:
        """Return the positions of the layer that meet one of the goals, sorted."""
        ...

    def deepest(self, keep: int, /) -> tuple[bytes, ...] | None:
        """Return the first `keep` positions of the last layer, after a step that found no new positions.

        None if they have to be counted again.
        """
        ...


class KeptCount(RunningCount, Protocol):
    """A running count that can be kept in files, and hands positions over."""

    def keep(self, keeper: Keeper, watch: Watch, /) -> None:
        """Keep all depths from now on; if the keeper has layers already, continue after them."""
        ...

    def mark(self, keeper: Keeper, crew: Crew, /) -> None:
        """Record the depth of the current layer, the one after those that the keeper has."""
        ...

    def all_known(self) -> np.ndarray:
        """Return the bits of all seen positions; the keeper's planes have the depths of all of them."""
        ...

    def part(self, size: int, wanted: WantedLayers, /) -> Iterator[np.ndarray]:
        """Yield positions of the layer, which has `size`: all, or the random part that is wanted."""
        ...


class TableCount:
    """The two bit sets of a running count: `seen` has all positions so far, `edge` those of the last layer.

    While the next layer is computed, its positions are in `edge` only (two bits a position: R. E. Korf, JACM 55, 2008).

    at_once  bits that are listed at once, a multiple of 64
    joined   whether the layer has positions of earlier layers, too
    """

    joined = False

    def __init__(self, field: TableField, at_once: int, rooms: tuple[Room, Room] = (np.zeros, np.zeros)) -> None:
        self.field = field
        self.at_once = at_once
        self.seen, self.edge = (room(field.words, np.uint64) for room in rooms)

    def begin(self, sources: Sequence[bytes]) -> int:
        """Make the sources the first layer; return its size."""
        bits = np.unique(places(self.field, sources))
        for words in (self.seen, self.edge):
            set_bits(words, bits)
        return len(bits)

    def keep(self, keeper: Keeper, watch: Watch) -> None:
        """Keep all depths from now on; if the keeper has layers already, continue after them.

        The current layer may then contain positions of earlier layers of equal depth mod 3. This is harmless, because
        their children are all seen.
        """
        words = self.field.words
        keeper.begin(words, room=zeros if fits(watch, kept_bytes(words), kept_bytes(words)) else words_in_file)
        self.joined = bool(keeper.counts)
        if keeper.counts:
            keeper.resume(self.seen)
            for part in (slice(first, end) for first, end in spans(words, 1, QUICK)):
                self.edge[part] = keeper.last(part) & self.seen[part]

    def mark(self, keeper: Keeper, crew: Crew) -> None:
        """Record the depth of the current layer, the one after those that the keeper has."""
        from ...kernels.table.mod3 import mark

        plane = keeper.plane(len(keeper.counts))
        if len(plane):
            tasks = [(mark, (self.edge, plane, *span)) for span in spans(self.field.words, crew.threads, QUICK)]
            run_tasks(crew, tasks, None, 0)

    def all_known(self) -> np.ndarray:
        """Return the bits of all seen positions."""
        return self.seen

    def known(self, bits: np.ndarray) -> np.ndarray:
        """Return for each bit index whether its position is seen."""
        return (self.seen[bits >> 6] >> (bits & 63).astype(np.uint64) & np.uint64(1)).astype(bool)

    def drawn(self, chance: Random) -> Iterator[bytes]:
        """Yield seen positions, drawn at random."""
        bits = drawn_bits(self.seen, chance)
        while some := list(islice(bits, LEAST)):
            yield from (row.tobytes() for row in self.field.rows(np.array(some)))

    def advance(self, crew: Crew, watch: Watch, bound: int) -> int:
        """Replace the layer by the next one; return its size. If that is 0, the layer stays as it is."""
        from ...kernels.bit_arrays import any_new, settle

        for tasks in self.field.phases(self.seen, self.edge, crew.threads):
            run_tasks(crew, tasks, watch, bound)
        if not any_new(self.seen, self.edge, 0, self.field.words):
            return 0
        self.joined = False
        tasks = [(settle, (self.seen, self.edge, *span)) for span in spans(self.field.words, crew.threads, QUICK)]
        return run_tasks(crew, tasks, None, bound)

    def deepest(self, keep: int) -> tuple[bytes, ...] | None:
        """Return the first `keep` positions of the layer.

        None if there are others in it: it was lost in a step that found no new positions, or all layers were kept.
        """
        return None if self.joined or getattr(self.field, "mixed", False) else least(self.listed(), keep)

    def collect(self, goals: tuple[Goal, ...]) -> list[bytes]:
        """Return the positions of the layer that meet one of the goals, sorted."""
        spans_of: Callable[[Sequence[Goal]], Sequence[tuple[int, int]]] | None = getattr(self.field, "spans_of", None)
        return collected(self.listed(None if spans_of is None else spans_of(goals)), goals) if goals else []

    def part(self, size: int, wanted: WantedLayers) -> Iterator[np.ndarray]:
        """Yield positions of the layer, which has `size`: all, or the random part that is wanted."""
        halvings = thinner(size, wanted)
        for bits in self.bits():
            some = bits[chosen(bits, halvings, wanted.seed)] if halvings else bits
            if len(some):
                yield self.field.rows(some)

    def listed(self, within: Sequence[tuple[int, int]] | None = None) -> Iterable[np.ndarray]:
        """Yield the positions of the layer, or those in some spans of words, a block of rows at a time."""
        return map(self.field.rows, self.bits(within))

    def bits(self, within: Sequence[tuple[int, int]] | None = None) -> Iterator[np.ndarray]:
        """Yield the bit indices of the layer, or those in some spans of words (first, end), some at a time.

        Each array is valid until the next one.
        """
        from ...kernels.bit_arrays import list_bits

        words = self.at_once >> 6
        out = np.empty(self.at_once, np.int64)
        for begin, end in [(0, self.field.words)] if within is None else within:
            for first in range(begin, end, words):
                count = list_bits(self.edge, first, min(first + words, end), out)
                if count:
                    yield out[:count]


def newly_seen(table: RunningCount, goals: Iterable[Goal], met: set[bytes]) -> list[bytes]:
    """Return the goals, all of them positions, that are seen and not in `met`, sorted; put them there."""
    found: list[bytes] = []
    wanted = {goal.position for goal in goals if goal.position is not None and goal.holds(goal.position)}
    for position in sorted(wanted - met):
        with suppress(InputError):  # it has no number
            found += [position] * bool(table.known(np.array([table.field.bit(position)]))[0])
    met.update(found)
    return found


def row_blocks(positions: Sequence[bytes]) -> Iterator[np.ndarray]:
    """Yield positions of equal length as rows of symbols, some at a time."""
    for first in paced(range(0, len(positions), AT_ONCE)):
        part = positions[first : first + AT_ONCE]
        yield np.frombuffer(b"".join(part), np.uint8).reshape(len(part), -1)


def set_bits(words: np.ndarray, bits: np.ndarray) -> None:
    """Set some bits of a set, by their indices."""
    np.bitwise_or.at(words, bits >> 6, np.uint64(1) << (bits & 63).astype(np.uint64))


def places(field: BitField, positions: Sequence[bytes]) -> np.ndarray:
    """Return the bit indices of positions of the table."""
    many: Callable[[np.ndarray], np.ndarray] | None = getattr(field, "places", None)
    if many is None:
        return np.array([field.bit(position) for position in paced(positions)], np.int64)
    return np.concatenate([many(rows) for rows in row_blocks(positions)])


def audit_of(field: BitField, question: Depths, fresh: bool) -> Audit:
    """Return the checks of a count; `fresh` is False if it continues after kept layers."""
    model = question.model
    return Audit(model, question.sources, Numbering(field.bit, field.rows, 64 * field.words), fresh)


def spans(words: int, threads: int, least: int = 1 << 12) -> list[tuple[int, int]]:
    """Return 0 … words divided into spans (first, last): several per thread, none smaller than `least` words."""
    size = max(least, -(-words // (8 * threads)))
    return [(first, min(first + size, words)) for first in range(0, words, size)]


def run_tasks(
    crew: Crew, tasks: Iterable[Task], watch: Watch | None, bound: int, meanwhile: Callable[[], None] = lambda: None
) -> int:
    """Run the tasks and return the sum of what they return; the watch, if any, counts it as positions generated.

    meanwhile  is called after tasks, and a few times a second
    """
    made: list[int] = []
    ticked = 0

    def work(thread: int, task: Task) -> bool:
        kernel, arguments = task
        made.append(int(kernel(*arguments)))
        return True

    def look() -> None:
        nonlocal ticked
        if watch is not None:
            more = sum(made) - ticked
            ticked += more
            watch.tick(more, bound)
        meanwhile()

    crew.run(deque(tasks), work, look)
    look()
    return sum(made)


def count_with(
    begun: Callable[[], RunningCount], question: Depths, watch: Watch, threads: int | None, kept: Sequence[int] = ()
) -> Layers:
    """Count all layers with the count that `begun` returns, as `one_bit.count_layers` does.

    kept  the sizes of the layers that it has already, if it keeps them itself
    Only a `KeptCount` is asked to keep layers or to hand positions over.
    """
    threads, keeper = threads or processors(), keeper_of(question)
    counts = list(keeper.counts if keeper else kept)
    fresh, began = not counts, watch.seconds
    met: list[tuple[bytes, int]] = []
    deepest, stopped = (), None
    watch.known.count_anew(tuple(counts))
    try:
        table = begun()
        audit = audit_of(table.field, question, fresh)
        watch.known.total = expected_total(audit.model, question.sources, watch)
        audit.begin()
        bits = cast(KeptCount, table)
        if keeper is not None:
            bits.keep(keeper, watch)
        crew = Crew(threads)
        size = table.begin(question.sources) if fresh else table.advance(crew, watch, len(counts))
        while size:
            counts.append(size)
            if keeper is not None:
                bits.mark(keeper, crew)
                keeper.found(size, bits.all_known)
            watch.layer(len(counts) - 1, size, sum(counts))
            audit.layer(len(counts) - 1, size, table.known)
            met += [(p, len(counts) - 1) for p in table.collect(question.collect)]
            if question.wanted is not None and question.wanted.hand(len(counts) - 1, bits.part(size, question.wanted)):
                return Layers(tuple(counts), (), False, watch.generated, watch.seconds, tuple(met))
            size = table.advance(crew, watch, len(counts))
        known = None if keeper is None else bits.all_known()
        counting = watch.seconds - began
        audit.end(table.drawn(audit.chance), table.known, None if keeper is None else keeper.rest, counting)
        check_total(audit.model, question.sources, sum(counts), counting)
        if keeper is not None and known is not None:
            keeper.end(known)
        last = table.deepest(question.keep)
        if last is None:
            del table, bits, audit, known  # their memory is needed again
            last = _counted_again(begun, question, len(counts) - 1, crew, watch)
        deepest = last
    except LimitError as error:
        stopped = error
    return Layers(tuple(counts), deepest, stopped is None, watch.generated, watch.seconds, tuple(met), stopped=stopped)


def _counted_again(
    begun: Callable[[], RunningCount], question: Depths, depth: int, crew: Crew, watch: Watch
) -> tuple[bytes, ...]:
    """Return the first `question.keep` positions of the last layer, which has this depth, from a second count."""
    table = begun()
    assert isinstance(table, TableCount)
    table.begin(question.sources)
    for before in range(depth):
        table.advance(crew, watch, before + 1)
    return least(table.listed(), question.keep)


def collected(blocks: Iterable[np.ndarray], goals: tuple[Goal, ...]) -> list[bytes]:
    """Return the positions of some blocks of different rows that meet one of the goals, sorted."""
    tests = [(np.array([[need >> s & 1 for s in range(256)] for need in goal.need], bool), goal) for goal in goals]
    found: list[bytes] = []
    for rows in paced(blocks):
        wanted = np.zeros(len(rows), bool)
        for allowed, goal in tests:
            fits = allowed[np.arange(rows.shape[1]), rows].all(axis=1)
            for symbol, count in goal.counts:
                fits &= (rows == symbol).sum(axis=1) == count
            wanted |= fits
        found += (row.tobytes() for row in rows[wanted])
    found.sort()
    return found


def least(blocks: Iterable[np.ndarray], keep: int) -> tuple[bytes, ...]:
    """Return the first `keep` positions of some blocks of rows, sorted."""
    kept: list[bytes] = []
    for rows in blocks if keep > 0 else ():
        head = rows[:, :8].astype(np.uint64) @ (np.uint64(1) << np.arange(56, -8, -8, dtype=np.uint64))[: rows.shape[1]]
        if len(rows) > keep:
            rows = rows[head <= np.partition(head, keep - 1)[keep - 1]]
        kept = sorted({*kept, *(row.tobytes() for row in rows)})[:keep]
    return tuple(kept)
