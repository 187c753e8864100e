"""Which of many conjunctions of needs a position meets: sets as whole numbers, one for each symbol of each cell.

Trying the rules whose rarest symbol is there takes long if these are many, such as all moves between eight stacks. The
sets of the symbols that a position shows, intersected, are the rules that apply, whatever their number: a set of ten
thousand rules is a number of 1,250 bytes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from ..limits.watch import paced
from .rule import symbols_of

MOST_BYTES = 1 << 25
"""The most bytes of all sets."""


@dataclass(frozen=True)
class Matching:
    """Sets of numbered conjunctions.

    every  all of them
    fits   for each cell that one of them tests, and each symbol, those that do not exclude the symbol there
    """

    every: int
    fits: tuple[tuple[int, tuple[int, ...]], ...]

    def found(self, position: bytes) -> int:
        """Return the set of those that a position meets."""
        found = self.every
        for cell, by_symbol in self.fits:
            found &= by_symbol[position[cell]]
        return found

    def met(self, position: bytes) -> Iterator[int]:
        """Yield the numbers of those that a position meets, in ascending order."""
        found = self.found(position)
        for at, byte in enumerate(found.to_bytes(-(-found.bit_length() // 8), "little")):
            while byte:
                yield 8 * at + (byte & -byte).bit_length() - 1
                byte &= byte - 1


def matching(needs: Sequence[Iterable[tuple[int, int]]], symbols: int) -> Matching | None:
    """Return the sets of conjunctions of needs, each a cell and the symbols that it may show (see `Rule.need`).

    None if the sets take too much memory.
    """
    every, size = (1 << symbols) - 1, -(-len(needs) // 8)
    alike: dict[tuple[int, int], list[int]] = {}
    for number, each in enumerate(paced(needs)):
        for cell, need in each:
            if need & every != every:
                alike.setdefault((cell, need & every), []).append(number)
    tested = sorted({cell for cell, _ in alike})
    if size * symbols * len(tested) > MOST_BYTES:
        return None
    whole = (1 << len(needs)) - 1
    fits = {cell: [whole] * symbols for cell in tested}
    for (cell, need), numbers in paced(alike.items()):
        others = whole ^ as_set(numbers, len(needs))
        for symbol in symbols_of(every & ~need):
            fits[cell][symbol] &= others
    return Matching(whole, tuple([(cell, tuple(sets)) for cell, sets in fits.items()]))


def as_set(numbers: Iterable[int], size: int) -> int:
    """Return the set of some numbers below `size` as a whole number."""
    bits = bytearray(-(-size // 8))
    for number in numbers:
        bits[number >> 3] |= 1 << (number & 7)
    return int.from_bytes(bits, "little")
