"""Tables of digits in which one position stands for its images under permutations of the values.

On a Tower of Hanoi, any two pegs that are empty at the beginning can be exchanged. If such a permutation changes no
step and no source, a position is as far from the sources as its image. The last digits of a number are its *prefix*:
only positions are kept whose prefix comes first among its images. The words of the others are never written, so they
take no memory, and a kept prefix counts as often as it has different images.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import permutations
from typing import NamedTuple

import numpy as np

from ...limits.threads import Crew
from ...limits.thresholds import Threshold
from ...limits.watch import Watch, paced
from ...model.goal import Goal
from ...structure.digits import Digits, Step, word_digits
from .counting import TableCount, TableField, least, newly_seen, places, run_tasks, set_bits

MOST_PREFIXES = 1 << 12
"""The most prefixes: the images of each are listed, and each that is kept is a task of its own."""

LEAST_SLAB = Threshold(1 << 10)
"""The least number of words with the same prefix."""

MOST_VALUES = 6
"""The most values of a digit: all their permutations are tried."""

MOST_SOURCES = 1 << 10
"""The most sources: the images of each are looked up."""


class Exchanges(NamedTuple):
    """The permutations of values that change neither steps nor sources, and what they do with prefixes and words.

    stands, turned  int64 [prefix]: its first image, and the permutation that leads there
    values          int64 [permutation, value]: where values go; the first permutation changes nothing
    places          int64 [permutation, bit]: where the bits of a word go
    slab            how many words have the same prefix
    images          int64 [prefix]: how many different images it has
    """

    stands: np.ndarray
    turned: np.ndarray
    values: np.ndarray
    places: np.ndarray
    slab: int
    images: np.ndarray

    def kept(self) -> list[tuple[int, int, int]]:
        """Return the words of each prefix that stands for itself: how many images it has, first and last word."""
        own = np.flatnonzero(self.stands == np.arange(len(self.stands))).tolist()
        return [(int(self.images[prefix]), prefix * self.slab, (prefix + 1) * self.slab) for prefix in own]

    def image(self, bits: np.ndarray, ways: np.ndarray | int) -> np.ndarray:
        """Return the bit indices to which permutations lead some bit indices."""
        left, unit = bits >> 6, 1
        found = np.zeros(len(bits), np.int64)
        while unit < self.slab * len(self.stands):
            left, value = np.divmod(left, self.values.shape[1])
            found += self.values[ways, value] * unit
            unit *= self.values.shape[1]
        return 64 * found + self.places[ways, bits & 63]

    def first(self, bits: np.ndarray) -> np.ndarray:
        """Return the bit indices that are kept for some bit indices."""
        return self.image(bits, self.turned[(bits >> 6) // self.slab])


def classes_of(digits: Digits, sources: Sequence[int], least: int) -> Exchanges | None:
    """Return the classes of a count from some numbers, prefixes of at least so many words; None if there are none."""
    radix, inside = digits.radix[0], word_digits(digits)
    if len(set(digits.symbols)) > 1 or radix > MOST_VALUES or len(sources) > MOST_SOURCES:
        return None
    outside = len(digits.radix) - inside
    lengths = [n for n in range(1, outside + 1) if radix**n <= MOST_PREFIXES and radix ** (outside - n) >= least]
    if not lengths:
        return None
    length, steps, known = lengths[-1], set(digits.steps), set(sources)

    def same(way: Sequence[int]) -> bool:
        moved = {_moved(number, way, len(digits.radix)) for number in known}
        return moved == known and {_turned(step, way) for step in steps} == steps

    ways = [way for way in paced(permutations(range(radix))) if same(way)]
    if len(ways) < 2:
        return None
    values = np.array(ways)
    images, bits = (_all_moved(values, n) for n in (length, inside))
    ordered = np.sort(images, axis=0)
    different = 1 + (ordered[1:] != ordered[:-1]).sum(axis=0)
    return Exchanges(ordered[0], images.argmin(axis=0), values, bits, radix ** (outside - length), different)


def _turned(step: Step, way: Sequence[int]) -> Step:
    """Return a step with other values."""

    def needed(need: int) -> int:
        return sum(1 << new for old, new in enumerate(way) if need >> old & 1)

    needs = tuple((place, needed(need)) for place, need in step.needs)
    return replace(step, old=way[step.old], new=way[step.new], needs=needs)


def _moved(number: int, way: Sequence[int], length: int) -> int:
    """Return a number with other values of its digits."""
    found, unit = 0, 1
    for _ in range(length):
        number, value = divmod(number, len(way))
        found, unit = found + unit * way[value], unit * len(way)
    return found


def _all_moved(values: np.ndarray, length: int) -> np.ndarray:
    """Return int64 [permutation, number]: where all numbers of so many digits go."""
    radix = values.shape[1]
    left, found = np.arange(radix**length), np.zeros((len(values), radix**length), np.int64)
    for place in range(length):
        left, value = np.divmod(left, radix)
        found += values[:, value] * radix**place
    return found


class ClassCount(TableCount):
    """The two bit sets of a running count, of which only the words of kept prefixes are written."""

    def __init__(self, field: TableField, at_once: int, classes: Exchanges) -> None:
        super().__init__(field, at_once)
        self.classes, self.kept = classes, classes.kept()
        self.met: set[bytes] = set()

    def begin(self, sources: Sequence[bytes]) -> int:
        """Make the sources the first layer; return its size."""
        bits = np.unique(places(self.field, sources))
        own = bits[self.classes.turned[(bits >> 6) // self.classes.slab] == 0]
        for words in (self.seen, self.edge):
            set_bits(words, own)
        return len(bits)

    def known(self, bits: np.ndarray) -> np.ndarray:
        """Return for each bit index whether its position is seen."""
        return super().known(self.classes.first(bits))

    def advance(self, crew: Crew, watch: Watch, bound: int) -> int:
        """Replace the layer by the next one; return its size. If that is 0, the layer stays as it is."""
        from ...kernels.bit_arrays import any_new, settle

        for tasks in self.field.phases(self.seen, self.edge, crew.threads):
            run_tasks(crew, tasks, watch, bound)
        if not any(any_new(self.seen, self.edge, *span) for _, *span in paced(self.kept)):
            return 0
        size = 0
        for images in sorted({images for images, *_ in self.kept}):
            tasks = [(settle, (self.seen, self.edge, *span)) for each, *span in self.kept if each == images]
            size += images * run_tasks(crew, tasks, None, bound)
        return size

    def collect(self, goals: tuple[Goal, ...]) -> list[bytes]:
        """Return the positions of the layer that are goals, sorted; every goal is one position."""
        return newly_seen(self, goals, self.met)

    def deepest(self, keep: int) -> tuple[bytes, ...]:
        """Return the first `keep` positions of the layer."""
        return least(map(self.field.rows, self._images()), keep)

    def _images(self) -> Iterator[np.ndarray]:
        """Yield the bit indices of all positions of the layer, some more than once."""
        for bits in self.bits([(first, last) for _, first, last in self.kept]):
            for way in range(len(self.classes.values)):
                yield self.classes.image(bits, way)
