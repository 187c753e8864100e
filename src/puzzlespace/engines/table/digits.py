"""Depth tables of positions written in digits, one of which each rule changes: the disks of a Tower of Hanoi."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from math import prod

import numpy as np

from ...contract.answers import Layers
from ...contract.questions import Depths
from ...heuristics.digit_steps import ALL_WORDS, WordSteps
from ...limits.thresholds import USUAL, Threshold, Thresholds
from ...limits.watch import Watch
from ...model.model import Model
from ...structure.digits import Digits, read, word_digits
from . import OneBit, asks_for_layers
from .classes import LEAST_SLAB, MOST_SOURCES, ClassCount, Exchanges, classes_of
from .counting import LISTED_BITS, QUICK, Task, spans
from .one_bit import Ordered, ResumableDepths, Sets, count_layers, one_bit

LEAST_DIGITS = Threshold(1 << 12)
"""The least number of positions for which it is worthwhile."""

ASKED = Thresholds({LEAST_DIGITS: 0})
"""With these values no model is too small: for a table that is asked for by the name of its kind."""


@dataclass(frozen=True)
class DigitPlan:
    """How positions are numbered: see `structure.digits`.

    classes  if not None, a count keeps only some positions, each of which stands for its images
    """

    digits: Digits
    classes: Exchanges | None = None

    def narrowed(self, question: Depths, by: Thresholds = USUAL) -> DigitPlan:
        """Return the plan for a question: with classes, if there are some and all it asks for is the layers' sizes."""
        if asks_for_layers(question) or isinstance(question, ResumableDepths):
            return self
        sources = [self.rank(position) for position in question.sources[: MOST_SOURCES + 1]]
        return replace(self, classes=classes_of(self.digits, sources, by[LEAST_SLAB]))

    @property
    def positions(self) -> int:
        return self.digits.positions

    @cached_property
    def used(self) -> int:
        """The bits of each word that are positions."""
        return prod(self.digits.radix[: word_digits(self.digits)])

    @property
    def words(self) -> int:
        """The words of a set of positions."""
        return self.positions // self.used

    @property
    def kept_words(self) -> int:
        """The words of a set of the positions that are kept."""
        return self.words if self.classes is None else len(self.classes.kept()) * self.classes.slab

    @property
    def bytes(self) -> int:
        return 2 * 8 * self.kept_words + WordSteps.size(self.digits)

    @property
    def one_bit(self) -> OneBit:
        if self.classes is not None:
            return OneBit(self.bytes, 0)  # there is no count that takes less
        return one_bit(self.words, WordSteps.size(self.digits))

    def rank(self, position: bytes) -> int:
        return self.digits.rank(position)

    def unrank(self, number: int) -> bytes:
        return self.digits.unrank(number)

    def bit(self, position: bytes) -> int:
        """Return the bit index of a position; raise InputError if it has none."""
        word, bit = divmod(self.rank(position), self.used)
        return 64 * word + bit


def plan(model: Model, by: Thresholds = USUAL) -> DigitPlan | None:
    """Return the numbering, or None if a rule changes several cells or cells need each other."""
    found = read(model)
    return None if isinstance(found, str) or found.positions < by[LEAST_DIGITS] else DigitPlan(found)


def depths(plan: DigitPlan, question: Depths, watch: Watch, threads: int | None = None) -> Layers:
    """Count the positions at each distance from the nearest source."""
    classes = plan.classes
    other = None if classes is None else lambda _: ClassCount(DigitField(plan), watch.thresholds[LISTED_BITS], classes)
    return count_layers(lambda: DigitField(plan), plan, question, watch, threads, other)


class DigitField:
    """Bits by number, as many in each word as the first digits number."""

    def __init__(self, plan: DigitPlan) -> None:
        self.plan, self.words = plan, plan.words
        self.steps = WordSteps(plan.digits)

    def bit(self, position: bytes) -> int:
        return self.plan.bit(position)

    def rows(self, bits: np.ndarray) -> np.ndarray:
        return self.plan.digits.rows(bits // 64 * self.plan.used + bits % 64)

    def phases(self, seen: np.ndarray, edge: np.ndarray, threads: int) -> Iterator[list[Task]]:
        yield self._pulled((seen, edge, edge), threads)

    def ordered(self, sets: Sets, size: int, unseen: int, threads: int) -> Ordered:
        seen, _, fresh = sets
        return False, [self._pulled((seen, np.zeros(0, np.uint64), fresh), threads)]

    def _pulled(self, bits: tuple[np.ndarray, ...], threads: int) -> list[Task]:
        from ...kernels.table.digits import pull

        steps, classes = self.steps, self.plan.classes
        parts = spans(self.words, 4 * threads, QUICK) if classes is None else [each[1:] for each in classes.kept()]
        whole = ALL_WORDS if classes is None else tuple(classes[:5])
        return [(pull, (bits, steps.full, steps.inner, steps.outer, whole, part)) for part in parts]
