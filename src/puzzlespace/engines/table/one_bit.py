"""Tables with one bit a position in memory, and the choice between one bit and two.

All random access is to one set of bits in memory, the positions seen so far. The layer, the next one and a copy of the
positions seen are files, which are read and written in order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from ...contract.answers import Layers
from ...contract.questions import Depths
from ...errors import LimitError
from ...limits.memory import disk_room, fits, let_go, room_left, sized, words_in_file
from ...limits.threads import Crew
from ...limits.thresholds import Threshold
from ...limits.watch import Watch, checkpoint
from . import OneBit
from .counting import LISTED_BITS, QUICK, TableCount, TableField, Task, count_with, least, run_tasks, spans
from .mod3 import Keeper

FILES = 3
"""Sets of bits that are files at most if one is in memory: the layer, the next one, and all positions before."""

TWO_BITS: Threshold[float] = Threshold(float("inf"))
"""The most bytes of the two sets of bits of a table that counts with both in memory, even if there is more.

Only tests and benchmarks set it.
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

    def check(self, seen: int, layer: int) -> None:
        """Raise TableError if so many positions seen, or in the last layer, do not match the counts."""

    def complete(self, size: int, layer: np.ndarray) -> None:
        """Record that a layer of `size` is complete."""

    def added(self, earlier: np.ndarray) -> None:
        """Record that the file of the seen positions has those of the last complete layer."""


@dataclass(frozen=True)
class ResumableDepths(Depths):
    """The question for a count with one bit a position in memory whose files are kept."""

    files: LayerFiles = field(default_factory=LayerFiles)


class OneBitCount(TableCount):
    """A count with one bit a position in memory: `seen`. The layer and other sets are files, read and written in order.

    If a step starts from the positions of the layer, it sets their neighbours in `seen` itself: the next layer is what
    `seen` has and a copy of it from before the step, in a file, has not. If it looks for unseen positions with a seen
    neighbour, it writes them to a file, and they are added to `seen` when all are found.
    """

    def __init__(self, field: OneBitField, positions: int, at_once: int, files: LayerFiles | None = None) -> None:
        self.field: OneBitField = field
        self.files = LayerFiles() if files is None else files
        self.depth = max(0, len(self.files.counts) - 1)
        super().__init__(field, at_once, (np.zeros, lambda words, _: self.files.layer(self.depth, words)))
        self.positions, self.size = positions, 0
        self.before: np.ndarray | None = None
        if files is not None:
            self._open()

    def _open(self) -> None:
        """Read what is kept: the positions seen, and those of the last complete layer."""
        self.before = self.files.earlier(self.field.words)
        if self.files.counts:
            self.size = self._add(self.before, self.edge)
            self.files.check(self._add(self.seen, self.before), self.size)
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
        self.size = super().begin(sources)
        self._settle(self.edge, 0)
        return self.size

    def _settle(self, fresh: np.ndarray, depth: int) -> None:
        """Make a set of new positions the layer."""
        self.files.complete(self.size, fresh)
        if self.before is not None:
            self._add(self.before, fresh)
            self.files.added(self.before)
        self.edge, self.depth = fresh, depth

    def keep(self, keeper: Keeper, watch: Watch) -> None:
        """Keep all depths from now on; if the keeper has layers already, continue after them."""
        super().keep(keeper, watch)
        self.size = keeper.counts[-1] if keeper.counts else 0

    def deepest(self, keep: int) -> tuple[bytes, ...] | None:
        """Return the first `keep` positions of the layer, which a step never changes; None if all layers were kept."""
        return None if self.joined else least(self.listed(), keep)

    def advance(self, crew: Crew, watch: Watch, bound: int) -> int:
        """Replace the layer by the next one; return its size. If that is 0, the layer stays as it is."""
        from ...kernels.bit_arrays import add_bits, count_bits, new_bits

        parts = spans(self.field.words, 8 * crew.threads, QUICK)

        def over(kernel: Callable[..., Any], *sets: np.ndarray | None) -> int:
            return run_tasks(crew, [(kernel, (*sets, *part)) for part in parts], None, bound, let_all_go)

        def let_all_go() -> None:
            """Check the limits, and keep the pages of files out of the memory of this process."""
            checkpoint()
            for words in (self.edge, fresh, self.before):
                let_go(words)

        fresh = self.files.layer(self.depth + 1, self.field.words)
        unseen = self.positions - over(count_bits, self.seen)
        at_once, phases = self.field.ordered((self.seen, self.edge, fresh), self.size, unseen, crew.threads)
        if at_once and self.before is None:
            self.before = self.files.earlier(self.field.words)
            self._add(self.before, self.seen)
        for tasks in phases:
            run_tasks(crew, tasks, watch, bound, let_all_go)
        size = over(new_bits, self.seen, self.before, fresh) if at_once else over(add_bits, self.seen, fresh)
        if size:
            self.size, self.joined = size, False
            self._settle(fresh, self.depth + 1)
        return size


def count_layers(
    make: Callable[[], OneBitField], plan: CountedPlan, question: Depths, watch: Watch, threads: int | None
) -> Layers:
    """Count all layers on the table that `make` returns.

    Both bit sets are in memory if they fit the limit; else one of them, and the rest in files that are read in order;
    else both are in files.
    If a limit stops the count, the answer has the complete layers and the limit. If the question has a keeper or files
    with layers, the count continues after them.
    """
    files = question.files if isinstance(question, ResumableDepths) else None

    def begun() -> TableCount:
        sets, at_once = 2 * plan.positions // 8, watch.thresholds[LISTED_BITS]
        one = plan.one_bit
        left = room_left(watch, plan.bytes)
        lean = plan.bytes > left >= one.memory and disk_room() >= one.files
        if lean or ((files is not None or sets > watch.thresholds[TWO_BITS]) and one.memory <= left):
            return OneBitCount(make(), plan.positions, at_once, files)
        if files is not None:
            what = f"{plan.positions:,} positions need {sized(one.memory)}"
            raise LimitError("memory", f"{what}; {sized(max(left, 0))} are free here, or left of the limit")
        if fits(watch, plan.bytes, sets, positions=plan.positions):
            return TableCount(make(), at_once)
        return TableCount(make(), at_once, (words_in_file, words_in_file))

    return count_with(begun, question, watch, threads, () if files is None else files.counts)
