"""Tables with one bit a position in memory, and the choice between one bit and two.

All random access is to one set of bits in memory, the positions seen so far. The layer, the next one and a copy of the
positions seen are files, which are read and written in order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from ...contract.answers import Layers
from ...contract.questions import Depths
from ...errors import LimitError
from ...limits.memory import disk_room, fits, let_go, room_left, sized, words_in_file
from ...limits.threads import Crew
from ...limits.thresholds import Threshold, Thresholds
from ...limits.watch import Watch, checkpoint
from ...model.model import Model
from ..shared.plain_arrays import ArrayMoves
from . import OneBit
from .counting import (
    AT_ONCE,
    LISTED_BITS,
    QUICK,
    TableCount,
    TableField,
    Task,
    count_with,
    least,
    places,
    run_tasks,
    set_bits,
    spans,
)
from .mod3 import Keeper

FILES = 3
"""Sets of bits that are files at most if one is in memory: the layer, the next one, and all positions before."""

TWO_BITS: Threshold[float] = Threshold(float("inf"))
"""The most bytes of the two sets of bits of a table that counts with both in memory, even if there is more.

Only tests and benchmarks set it.
"""

LISTED_WORDS = Threshold(1 << 13)
"""Words of a set for each position of a layer from which on the layer is listed: files are not gone through then.

Measured with lrx:12, 7.5 million words in files that stay in memory: 2^7 to 2^16 words, or no list, changed the time by
at most 5 %. With 1,450 million words a layer of few positions took 30 s without a list.
"""

Sets = tuple[np.ndarray, np.ndarray, np.ndarray]
"""Seen positions, in memory; the layer and the next one, in files that are read and written in order."""

Ordered = tuple[bool, Iterable[Iterable[Task]]]
"""Whether tasks set the new positions in `seen` itself, and the tasks, phase by phase as `TableField.phases`."""


class OneBitField(TableField, Protocol):
    """The tasks that compute a layer with one bit a position in memory."""

    def ordered(self, sets: Sets, size: int, unseen: int, threads: int) -> Ordered:
        """Return the tasks that take the least time for a layer of `size`, if `unseen` bits are not set yet.

        They read the layer in order and set in `seen` what is one move from it, or they write the unseen positions that
        are one move from seen ones to the next layer, in order; it is 0.
        """
        ...


def one_bit(words: int, more: int) -> OneBit:
    """Return what a set of so many words takes, with more bytes of memory beside it."""
    return OneBit(8 * words + more, FILES * 8 * words)


class CountedPlan(Protocol):
    """A plan of a table that this loop counts: `TablePlan` with what it takes with one bit a position."""

    @property
    def positions(self) -> int: ...

    @property
    def bytes(self) -> int: ...

    @property
    def one_bit(self) -> OneBit: ...


@dataclass
class LayerFiles:
    """The files of a count with one bit a position in memory; those of this class are temporary and cannot be resumed.

    counts  sizes of the layers that are complete; if not empty at the beginning, the count continues after them
    """

    counts: list[int] = field(default_factory=list[int])

    def layer(self, depth: int, words: int) -> np.ndarray:
        """Return the file of a layer; all 0 unless the layer is complete."""
        return words_in_file(words)

    def earlier(self, words: int) -> np.ndarray:
        """Return the file of the seen positions, in which those of the last complete layer may be missing."""
        return words_in_file(words)

    def flush(self, words: np.ndarray) -> None:
        """Wait until a file is on the disk, if it is kept."""

    def check(self, seen: int, layer: int) -> None:
        """Raise TableError if so many positions seen, or in the last layer, do not match the counts."""

    def complete(self, size: int, layer: np.ndarray) -> None:
        """Record that a layer of `size` is complete."""

    def listed(self, bits: np.ndarray) -> None:
        """Record that a layer is complete, the bit indices of its positions: it has no file, nor is it added."""

    def lists(self) -> list[np.ndarray]:
        """Return the listed layers since the last one that has a file, if the last complete layer is listed."""
        return []

    def added(self, earlier: np.ndarray) -> None:
        """Record that the file of the seen positions has those of the last complete layer."""

    def due(self) -> bool:
        """Return whether the positions seen are to be written, for a count that changes no file of them."""
        return False

    def write_seen(self, seen: np.ndarray, sizes: Sequence[int]) -> None:
        """Write the positions seen, and record that further layers, of these sizes, are complete."""

    def read_seen(self, seen: np.ndarray) -> None:
        """Read the positions seen when they were written last."""


@dataclass(frozen=True)
class ResumableDepths(Depths):
    """The question for a count with one bit a position in memory whose files are kept."""

    files: LayerFiles = field(default_factory=LayerFiles)


class OneBitCount(TableCount):
    """A count with one bit a position in memory: `seen`. The layer and other sets are files, read and written in order.

    If a step starts from the positions of the layer, it sets their neighbours in `seen` itself: the next layer is what
    `seen` has and a copy of it from before the step, in a file, has not. If it looks for unseen positions with a seen
    neighbour, it writes them to a file, and they are added to `seen` when all are found.

    A layer of few positions is listed, and the moves are made from the list: no file is read or written.

    few  the bit indices of the layer, in ascending order, if it is listed: then it is not in `edge`
    """

    few: np.ndarray | None = None

    def __init__(
        self, field: OneBitField, model: Model, positions: int, by: Thresholds, files: LayerFiles | None = None
    ) -> None:
        self.field: OneBitField = field
        self.moves, self.model = ArrayMoves(model), model
        self.listed_from: int | None = by[LISTED_WORDS]
        self.files = LayerFiles() if files is None else files
        self.depth = max(0, len(self.files.counts) - 1)
        lists = self.files.lists()
        rooms = np.zeros, (lambda words, _: np.empty(0, np.uint64) if lists else self.files.layer(self.depth, words))
        super().__init__(field, by[LISTED_BITS], rooms)
        self.positions, self.size = positions, 0
        self.before: np.ndarray | None = None
        if files is not None:
            self._open(lists)

    def _open(self, lists: list[np.ndarray]) -> None:
        """Read what is kept: the positions seen, and those of the last complete layer."""
        self.before = self.files.earlier(self.field.words)
        if not self.files.counts:
            return
        self.size = len(lists[-1]) if lists else self._add(self.before, self.edge)
        seen = self._add(self.seen, self.before)
        for bits in lists:
            self.few = bits
            seen += int((~self.known(bits)).sum())
            set_bits(self.seen, bits)
        self.files.check(seen, self.size)
        if not lists:
            self.files.added(self.before)

    def _add(self, words: np.ndarray, more: np.ndarray) -> int:
        """Set the bits of another set; return how many that has."""
        from ...kernels.bit_arrays import add_bits

        found = 0
        for part in spans(self.field.words, 8, QUICK):
            checkpoint()
            found += int(add_bits(words, more, *part))
            let_go(words)
            let_go(more)
        return found

    def begin(self, sources: Sequence[bytes]) -> int:
        """Make the sources the first layer; return its size."""
        if self.listed_from is None:
            self.size = super().begin(sources)
            self._settle(self.edge, 0)
        else:
            self._list(np.unique(places(self.field, sources)), 0)
        return self.size

    def _settle(self, fresh: np.ndarray, depth: int) -> None:
        """Make a set of new positions the layer."""
        self.files.complete(self.size, fresh)
        if self.before is not None:
            self._add(self.before, fresh)
            self.files.added(self.before)
        self.edge, self.depth = fresh, depth

    def _list(self, bits: np.ndarray, depth: int) -> None:
        """Make listed positions the layer."""
        set_bits(self.seen, bits)
        self.files.listed(bits)
        self.few, self.size, self.depth = bits, len(bits), depth

    def keep(self, keeper: Keeper, watch: Watch) -> None:
        """Keep all depths from now on; if the keeper has layers already, continue after them. No layer is listed."""
        self.listed_from = None
        super().keep(keeper, watch)
        self.size = keeper.counts[-1] if keeper.counts else 0

    def deepest(self, keep: int) -> tuple[bytes, ...] | None:
        """Return the first `keep` positions of the layer, which a step never changes; None if all layers were kept."""
        return None if self.joined else least(self.listed(), keep)

    def bits(self, within: Sequence[tuple[int, int]] | None = None) -> Iterator[np.ndarray]:
        """Yield the bit indices of the layer, or those in some spans of words, some at a time."""
        if self.few is None:
            yield from super().bits(within)
            return
        for first, end in [(0, self.field.words)] if within is None else within:
            begin, last = np.searchsorted(self.few, (first << 6, end << 6))
            for at in range(begin, last, self.at_once):
                yield self.few[at : min(at + self.at_once, last)]

    def advance(self, crew: Crew, watch: Watch, bound: int) -> int:
        """Replace the layer by the next one; return its size. If that is 0, the layer stays as it is."""
        if self.listed_from is not None and self.size * self.listed_from <= self.field.words:
            return self._follow_list(watch, bound)
        size, fresh = self._follow(crew, watch, bound)
        if size:
            self.size, self.joined = size, False
            self._settle(fresh, self.depth + 1)
        return size

    def _follow_list(self, watch: Watch, bound: int) -> int:
        """Replace the layer by a list of the positions after it, if there are any; return how many."""
        found = [np.empty(0, np.int64)]
        for rows in self.listed():
            for first in range(0, len(rows), AT_ONCE):
                after = self._after([row.tobytes() for row in rows[first : first + AT_ONCE]])
                watch.tick(len(after), bound)
                bits = places(self.field, list(after)) if after else found[0]
                found.append(bits[~self.known(bits)])
        few = np.unique(np.concatenate(found))
        if len(few):
            self._list(few, self.depth + 1)
        return len(few)

    def _after(self, positions: list[bytes]) -> set[bytes]:
        """Return all positions one move from some positions."""
        if self.moves.least is None:
            return {child for position in positions for child in self.model.moves(position)}
        return self.moves.children(positions)

    def _follow(self, crew: Crew, watch: Watch, bound: int) -> tuple[int, np.ndarray]:
        """Return how many positions one move from the layer are new, and the file that has them."""
        from ...kernels.bit_arrays import add_bits, count_bits, new_bits

        if self.few is not None:
            self.edge = self.files.layer(self.depth, self.field.words)
            set_bits(self.edge, self.few)
            if self.before is not None:
                self._add(self.before, self.seen)
                self.files.flush(self.before)  # lists are not read again once a layer after them is complete
            self.few = None
        fresh = self.files.layer(self.depth + 1, self.field.words)
        parts = spans(self.field.words, 8 * crew.threads, QUICK)

        def over(kernel: Callable[..., Any], *sets: np.ndarray | None) -> int:
            return run_tasks(crew, [(kernel, (*sets, *part)) for part in parts], None, bound, let_all_go)

        def let_all_go() -> None:
            """Check the limits, and keep the pages of files out of the memory of this process."""
            checkpoint()
            for words in (self.edge, fresh, self.before):
                let_go(words)

        unseen = self.positions - over(count_bits, self.seen)
        at_once, phases = self.field.ordered((self.seen, self.edge, fresh), self.size, unseen, crew.threads)
        if at_once and self.before is None:
            self.before = self.files.earlier(self.field.words)
            self._add(self.before, self.seen)
        for tasks in phases:
            run_tasks(crew, tasks, watch, bound, let_all_go)
        size = over(new_bits, self.seen, self.before, fresh) if at_once else over(add_bits, self.seen, fresh)
        return size, fresh


def count_layers(
    make: Callable[[], OneBitField],
    plan: CountedPlan,
    question: Depths,
    watch: Watch,
    threads: int | None,
    other: Callable[[LayerFiles], TableCount | None] | None = None,
) -> Layers:
    """Count all layers on the table that `make` returns.

    Both bit sets are in memory if they fit the limit; else one of them, and the rest in files that are read in order;
    else both are in files. If `other` has a count that takes one bit set and nothing else, it is taken before these.
    If a limit stops the count, the answer has the complete layers and the limit. If the question has a keeper or files
    with layers, the count continues after them.
    """
    files = question.files if isinstance(question, ResumableDepths) else None
    model = question.model

    def begun() -> TableCount:
        sets, at_once = 2 * plan.positions // 8, watch.thresholds[LISTED_BITS]
        one = plan.one_bit
        left = room_left(watch, plan.bytes)
        found = other(files or LayerFiles()) if other is not None and one.memory <= left else None
        if found is not None:
            return found
        lean = plan.bytes > left >= one.memory and disk_room() >= one.files
        if lean or ((files is not None or sets > watch.thresholds[TWO_BITS]) and one.memory <= left):
            return OneBitCount(make(), model, plan.positions, watch.thresholds, files)
        if files is not None:
            what = f"{plan.positions:,} positions need {sized(one.memory)}"
            raise LimitError("memory", f"{what}; {sized(max(left, 0))} are free here, or left of the limit")
        if fits(watch, plan.bytes, sets, positions=plan.positions):
            return TableCount(make(), at_once)
        return TableCount(make(), at_once, (words_in_file, words_in_file))

    return count_with(begun, question, watch, threads, () if files is None else files.counts)
