"""Symmetries as plain data, the groups that they generate, and classes of positions."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from ..errors import LimitError, let_go
from ..limits.watch import checkpoint

MOST_IMAGES = 200_000
"""The most images that one question computes; larger groups raise LimitError."""


@dataclass(frozen=True)
class Symmetry:
    """A renaming: cell c becomes cells[c], symbol s becomes symbols[s].

    rules   rule r becomes rule rules[r]
    firsts  empty unless there are blocks: firsts[s][c] is the first cell (in reading order) of the image of the block s
            whose first cell is c, or -1 if the block cannot be there. The first cell of a block need not be mapped to
            the first cell of its image
    body    the symbol of the other cells of blocks, or -1
    """

    cells: tuple[int, ...]
    symbols: tuple[int, ...]
    rules: tuple[int, ...]
    firsts: tuple[tuple[int, ...], ...] = ()
    body: int = -1

    def apply(self, position: bytes) -> bytes:
        """Return the image of a position."""
        if not self.firsts:
            named = position.translate(self._names)
            return bytes([named[cell] for cell in self._origins])
        image = bytearray([self.body]) * len(position)
        for cell, symbol in enumerate(position):
            if symbol != self.body:
                image[self.firsts[symbol][cell]] = self.symbols[symbol]
        return bytes(image)

    def compose(self, other: Symmetry) -> Symmetry:
        """Return the symmetry that does `other` first and then this one."""
        firsts = tuple(
            tuple(self.firsts[other.symbols[symbol]][cell] if cell >= 0 else -1 for cell in row)
            for symbol, row in enumerate(other.firsts)
        )
        cells = tuple(self.cells[cell] for cell in other.cells)
        symbols = tuple(self.symbols[symbol] for symbol in other.symbols)
        return Symmetry(cells, symbols, tuple(self.rules[rule] for rule in other.rules), firsts, self.body)

    def inverse(self) -> Symmetry:
        """Return the symmetry that undoes this one."""
        firsts = [[-1] * len(self.cells) for _ in self.firsts]
        for symbol, row in enumerate(self.firsts):
            for cell, image in enumerate(row):
                if image >= 0:
                    firsts[self.symbols[symbol]][image] = cell
        cells, symbols, rules = map(_inverse, (self.cells, self.symbols, self.rules))
        return Symmetry(cells, symbols, rules, tuple(map(tuple, firsts)), self.body)

    @cached_property
    def _origins(self) -> tuple[int, ...]:
        return _inverse(self.cells)

    @cached_property
    def _names(self) -> bytes:
        return bytes(self.symbols) + bytes(range(len(self.symbols), 256))


def _inverse(permutation: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(sorted(range(len(permutation)), key=permutation.__getitem__))


def cycles(permutation: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """Return the cycles of a permutation, without fixed points."""
    found: list[tuple[int, ...]] = []
    seen: set[int] = set()
    for first in range(len(permutation)):
        cycle: list[int] = []
        item = first
        while item not in seen:
            seen.add(item)
            cycle.append(item)
            item = permutation[item]
        if len(cycle) > 1:
            found.append(tuple(cycle))
    return tuple(found)


@dataclass(frozen=True)
class SymmetryGroup:
    """The group that some symmetries generate.

    order     the number of symmetries
    complete  whether these are all symmetries of the model; False if the search gave up or blocks were ambiguous
    stopped   the limit that ended the search for more, see `symmetries`
    """

    identity: Symmetry
    generators: tuple[Symmetry, ...]
    order: int
    complete: bool = True
    stopped: LimitError | None = None

    def __post_init__(self) -> None:
        let_go(self.stopped)

    def elements(self, limit: int = 50_000) -> tuple[Symmetry, ...]:
        """Return all symmetries, the identity first; raise LimitError if there are more than `limit`."""
        if self.order > limit:
            raise LimitError("positions", f"the group has {self.order:,} symmetries, more than {limit:,} to list")
        found = {self.identity: None}
        pending = [self.identity]
        while pending:
            each = pending.pop()
            checkpoint()
            for generator in self.generators:
                following = generator.compose(each)
                if following not in found:
                    found[following] = None
                    pending.append(following)
        return tuple(found)

    def orbit(self, position: bytes, limit: int = MOST_IMAGES) -> tuple[bytes, ...]:
        """Return all images of a position, sorted; raise LimitError after `limit` images were computed."""
        found, pending = {position}, [position]
        while pending:
            each = pending.pop()
            checkpoint()
            limit -= len(self.generators)
            if limit < 0:
                raise LimitError(
                    "positions", f"the symmetries take a position to too many others: {len(found):,} and more"
                )
            for generator in self.generators:
                image = generator.apply(each)
                if image not in found:
                    found.add(image)
                    pending.append(image)
        return tuple(sorted(found))

    def canonical(self, position: bytes) -> bytes:
        """Return the least image of a position, which represents its class."""
        return self.orbit(position)[0]

    def orbits(self, positions: Iterable[bytes]) -> tuple[tuple[bytes, ...], ...]:
        """Return the given positions by class, each class sorted, classes by their first position.

        Images that are not among the positions are left out. Raises LimitError after MOST_IMAGES images.
        """
        left = dict.fromkeys(sorted(positions))
        found: list[tuple[bytes, ...]] = []
        images = 0
        while left:
            orbit = self.orbit(next(iter(left)), MOST_IMAGES - images)
            images += len(orbit) * len(self.generators)
            found.append(tuple(image for image in orbit if image in left))
            for image in found[-1]:
                del left[image]
        return tuple(found)
