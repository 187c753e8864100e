"""Tables of moves that each change the parity of every position: one bit a position, and nothing beside it.

The positions of a layer have one parity, those of the layer before the other one. So new positions are set among the
positions seen while these are read: no thread takes them for positions of the layer. A layer is not kept. If it has few
positions it is listed; else it is found by counting again, if it turns out to be the last one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

import numpy as np

from ...contract.questions import Depths
from ...limits.memory import zeros
from ...limits.threads import Crew, processors
from ...limits.thresholds import Thresholds
from ...limits.watch import Watch, checkpoint, paced
from ...model.goal import Goal
from ..shared.plain_arrays import ArrayMoves
from . import asks_for_layers
from .counting import LISTED_BITS, QUICK, TableCount, Task, least, newly_seen, places, run_tasks, set_bits, spans
from .one_bit import LISTED_WORDS, LayerFiles, OneBitCount, OneBitField

Span = tuple[int, int]

MOST_SOURCES = 1 << 10
"""The most sources: the parity of each is looked up."""


class AlternatingField(OneBitField, Protocol):
    """The tasks that set a layer in the positions seen."""

    def parts(self, threads: int) -> list[Span]:
        """Return the parts of the table, several for each thread; for no thread, those of few positions."""
        ...

    def alternating(self, seen: np.ndarray, parity: int, listed: np.ndarray, part: Span) -> Task:
        """Return the task that sets in `seen` all of this parity, in one part, that is one move from a seen position.

        listed  int64 [2 + n], 0: the task writes how many it set, how many of them are listed, and their bit indices
        """
        ...


def alternating(parity: Callable[[bytes], int] | None, question: Depths) -> int | None:
    """Return the parity of a few sources if layers alternate and the question asks for no whole layers; else None.

    parity  that of a position, if every move changes it; else None
    """
    if parity is None or len(question.sources) > MOST_SOURCES or asks_for_layers(question):
        return None
    found = set(map(parity, question.sources))
    return found.pop() if len(found) == 1 else None


class AlternatingCount(OneBitCount):
    """A running count with one bit a position.

    few      the bit indices of the layer, in ascending order, if it is listed
    pending  the sizes of the layers since the positions seen were written
    """

    field: AlternatingField

    def __init__(
        self, field: AlternatingField, question: Depths, parity: int, by: Thresholds, files: LayerFiles
    ) -> None:
        self.moves, self.model, self.sources = ArrayMoves(question.model), question.model, question.sources
        self.listed_from, self.files = by[LISTED_WORDS], files
        self.depth = max(0, len(files.counts) - 1)
        TableCount.__init__(self, field, by[LISTED_BITS], (zeros, lambda _, kind: np.empty(0, kind)))
        self.size, self.before = 0, None
        self.parity = parity
        self.pending: list[int] = []
        self.met: set[bytes] = set()
        if files.counts:
            self._resume()

    def _resume(self) -> None:
        """Read the positions seen, and the layers that are listed after them."""
        from ...kernels.bit_arrays import count_bits

        self.files.read_seen(self.seen)
        for bits in self.files.lists():
            self.few = bits
            set_bits(self.seen, bits)
        self.size = self.files.counts[-1]
        seen = 0
        for part in spans(self.field.words, 8, QUICK):
            checkpoint()
            seen += int(count_bits(self.seen, *part))
        self.files.check(seen, self.size if self.few is None else len(self.few))

    def advance(self, crew: Crew, watch: Watch, bound: int) -> int:
        """Set the next layer; return its size. If that is 0, the layer stays as it is."""
        most = self.field.words // self.listed_from if self.listed_from else 64 * self.field.words
        if self.few is not None and self.size <= most:
            return self._follow_list(watch, bound)
        size, few = self._set(self.depth + 1, self.field.parts(crew.threads), most, crew, watch)
        if size:
            self.depth, self.size, self.few = self.depth + 1, size, few
            self.pending.append(size)
            if few is not None or self.files.due():
                self.files.write_seen(self.seen, self.pending)
                self.pending = []
        return size

    def _set(
        self, depth: int, parts: Sequence[Span], most: int, crew: Crew, watch: Watch
    ) -> tuple[int, np.ndarray | None]:
        """Set the next layer, of this depth, in some parts; return its size, and its bit indices if there are few."""
        parity = (self.parity + depth) & 1
        listed = [np.zeros(2 + most, np.int64) for _ in parts]
        tasks = [self.field.alternating(self.seen, parity, *each) for each in zip(listed, parts, strict=True)]
        run_tasks(crew, tasks, watch, depth, checkpoint)
        size = sum(int(each[0]) for each in listed)
        if size > most:
            return size, None
        return size, np.sort(np.concatenate([each[2 : 2 + each[1]] for each in listed]))

    def collect(self, goals: tuple[Goal, ...]) -> list[bytes]:
        """Return the positions of the layer that are goals, sorted; every goal is one position."""
        return newly_seen(self, goals, self.met)

    def deepest(self, keep: int) -> tuple[bytes, ...]:
        """Return the first `keep` positions of the layer, after a step that found no new positions."""
        return least(self.listed() if self.few is not None else self._found_again(), keep)

    def _found_again(self) -> Iterator[np.ndarray]:
        """Count again up to the layer before, and yield the positions of the layer, a part of the table at a time."""
        crew, watch = Crew(processors()), Watch()
        self.seen[:] = 0
        set_bits(self.seen, np.unique(places(self.field, self.sources)))
        for depth in range(1, self.depth):
            self._set(depth, self.field.parts(crew.threads), 0, crew, watch)
        for part in paced(self.field.parts(0)):
            listed = np.zeros(2 + self.at_once, np.int64)
            kernel, arguments = self.field.alternating(self.seen, self.parity + self.depth & 1, listed, part)
            kernel(*arguments)
            if listed[1]:
                yield self.field.rows(listed[2 : 2 + listed[1]])
