"""The rules of a model as seen by a projection, which keeps some cells, and of each symbol only its class.

In a cell that is kept, a class stands for all its symbols that the cell can show; a cell that is left out shows any of
them. A rule is possible if some of these symbols meet its needs, and leads wherever some of them lead.

What is kept of a position is one whole number: for each place a field with one bit for each class, one of them set.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import prod
from operator import itemgetter
from typing import NamedTuple

from ..model.facts import image
from ..model.rule import Rule, symbols_of
from ..structure.reached import ReachedFacts

MOST_CASES = 64
"""The most cases of one rule that a projection tells apart."""

Granted = tuple[tuple[int, int], ...]
"""(place, class): what a case of a rule takes for granted, or what it writes."""

Carried = tuple[int, int, int]
"""A field, as the set of its bits, and by how many bits it is shifted to the left and then to the right."""


class ConservedBits(NamedTuple):
    """Symbols as a bit set, the bits of classes of some of them in all places, how many cells show one of them."""

    symbols: int
    bits: int
    number: int


class BitCount(NamedTuple):
    """How many of some bits are set, at least and at most."""

    bits: int
    least: int
    most: int


class TooLargeError(ValueError):
    """A projection takes too much work."""


@dataclass(frozen=True)
class ProjectionView:
    """What is kept of a position.

    cells    the cells that are kept; their numbers in this tuple are *places*
    classes  the class of each of 256 symbols
    """

    cells: tuple[int, ...]
    classes: bytes

    @cached_property
    def of(self) -> Callable[[bytes], bytes]:
        """The function that returns what is kept of a position: the class of the symbol in each place."""
        cells, classes = self.cells, self.classes
        if cells == tuple(range(len(cells))):
            return lambda position: position[: len(cells)].translate(classes)
        if len(cells) == 1:
            return lambda position: position[cells[0] : cells[0] + 1].translate(classes)
        read = itemgetter(*cells)
        return lambda position: bytes(read(position)).translate(classes)


@dataclass(frozen=True)
class ProjectedRule:
    """One case of a rule: a number without bits of `bad` becomes `number & keep | put`, and what is carried.

    needs      (place, classes) of the places that it tests or writes
    limits     (fields, most): at most so many bits of these fields may be set
    uncertain  the rule can be made whatever is left out if none of these bits is set; None: it depends on more
    """

    needs: Granted
    bad: int
    keep: int
    put: int
    carried: tuple[Carried, ...]
    limits: tuple[tuple[int, int], ...]
    uncertain: int | None

    @property
    def idle(self) -> bool:
        """Whether the rule changes nothing that is kept."""
        return self.keep == -1


class RuleProjector:
    """Projects the rules of a model.

    sets   for each class its symbols, as a bit set
    width  the bits of a field: whole bytes
    """

    def __init__(self, view: ProjectionView, facts: ReachedFacts) -> None:
        self.view, self.facts = view, facts
        self.places = {cell: place for place, cell in enumerate(view.cells)}
        self.count = max(view.classes[: facts.model.symbols]) + 1
        self.width = 8 * (self.count + 7 >> 3)
        self.sets = [0] * self.count
        for symbol in range(facts.model.symbols):
            self.sets[view.classes[symbol]] |= 1 << symbol
        self._classes: dict[int, int] = {}
        self._made: dict[object, ProjectedRule] = {}

    def classes_of(self, symbols: int) -> int:
        """Return the classes of some symbols."""
        found = self._classes.get(symbols)
        if found is None:
            found = self._classes[symbols] = image(symbols, tuple(self.view.classes))
        return found

    def number(self, kept: bytes) -> int:
        """Return what is kept of a position as a number."""
        return sum(1 << self.width * place + each for place, each in enumerate(kept))

    def kept(self, number: int) -> bytes:
        """Return the classes of a number."""
        shown = number.to_bytes(len(self.places) * self.width >> 3, "little")
        if self.width == 8:
            return shown.translate(CLASS_OF_BIT)
        step = self.width >> 3
        fields = (shown[at : at + step] for at in range(0, len(shown), step))
        return bytes([int.from_bytes(field, "little").bit_length() - 1 for field in fields])

    def shown(self, number: int) -> list[int]:
        """Return for each cell of the board the symbols that it may show."""
        found = list(self.facts.possible)
        for cell, each in zip(self.view.cells, self.kept(number), strict=True):
            found[cell] &= self.sets[each]
        return found

    def _fields(self, classes: int) -> int:
        """Return the bits of some classes in all places."""
        return sum(classes << self.width * place for place in range(len(self.places)))

    @cached_property
    def _conserved(self) -> list[ConservedBits]:
        """Those of `facts.conserved` that tell something of the classes."""
        found: list[ConservedBits] = []
        for symbols, number in self.facts.conserved:
            classes = sum(1 << each for each, inside in enumerate(self.sets) if inside and not inside & ~symbols)
            if classes:
                found.append(ConservedBits(symbols, self._fields(classes), number))
        return found

    @cached_property
    def limits(self) -> list[BitCount]:
        """What is true of every position, because symbols are conserved."""
        left = [each for cell, each in enumerate(self.facts.possible) if cell not in self.places]
        found: list[BitCount] = []
        for symbols, bits, number in self._conserved:
            whole = not any(each & symbols and each & ~symbols for each in self.sets)
            least = number - sum(1 for each in left if each & symbols) if whole else 0
            if least > 0 or number < len(self.places):
                found.append(BitCount(bits, least, number))
        return found

    def projected(self, rule: Rule) -> list[ProjectedRule]:
        """Return the cases of a rule; none if it is never possible. Raises TooLargeError."""
        shown = [need & self.facts.possible[cell] for cell, need in zip(rule.cells, rule.need, strict=True)]
        if not all(shown):
            return []
        places = [self.places.get(cell, -1) for cell in rule.cells]
        needs = {place: self.classes_of(each) for place, each in zip(places, shown, strict=True) if place >= 0}
        carries = {
            place: places[source]
            for place, source, table in zip(places, rule.source, rule.table, strict=True)
            if place >= 0 and table is None and places[source] >= 0
        }
        choices = [self._choices(rule, source, shown, places, carries) for source in dict.fromkeys(rule.source)]
        count = prod(map(len, choices))
        if count > MOST_CASES:
            raise TooLargeError
        limits = tuple(self._limits(shown, places))
        uncertain = self._uncertain(rule, places) if count == 1 else None
        return [self._case(needs, carries, case, limits, uncertain) for case in product(*choices)]

    def _limits(self, shown: Sequence[int], places: Sequence[int]) -> Iterator[tuple[int, int]]:
        """Yield how many places may show conserved symbols, because the rule needs them in cells that are left out."""
        for symbols, bits, number in self._conserved:
            outside = [each for each, place in zip(shown, places, strict=True) if place < 0]
            wanted = sum(1 for each in outside if not each & ~symbols)
            if wanted and number - wanted < len(self.places):
                yield bits, number - wanted

    def _uncertain(self, rule: Rule, places: Sequence[int]) -> int | None:
        """Return the bits of classes some of whose symbols do not meet the needs of a rule; None if others matter."""
        found = 0
        for cell, need, place in zip(rule.cells, rule.need, places, strict=True):
            possible = self.facts.possible[cell]
            if place >= 0:
                for number, each in enumerate(self.sets):
                    if each & possible & ~need:
                        found |= 1 << self.width * place + number
            elif possible & ~need:
                return None
        return found

    def _choices(
        self, rule: Rule, source: int, shown: Sequence[int], places: Sequence[int], carries: dict[int, int]
    ) -> list[tuple[Granted, Granted]]:
        """Return what one of the cells of a rule may lead to: the class that it shows then, and what is written."""
        targets = [
            (places[target], table)
            for target, (read, table) in enumerate(zip(rule.source, rule.table, strict=True))
            if read == source and places[target] >= 0 and places[target] not in carries
        ]
        if not targets:
            return [((), ())]
        place, classes = places[source], self.view.classes
        written: dict[tuple[int, ...], int] = {}
        for symbol in symbols_of(shown[source]):
            new = tuple([classes[symbol if table is None else table[symbol]] for _, table in targets])
            written[new] = written.get(new, 0) | 1 << classes[symbol]
        return [
            (
                ((place, granted),) if place >= 0 and len(written) > 1 else (),
                tuple([(target, each) for (target, _), each in zip(targets, new, strict=True)]),
            )
            for new, granted in sorted(written.items())
        ]

    def _case(
        self,
        needs: dict[int, int],
        carries: dict[int, int],
        case: Sequence[tuple[Granted, Granted]],
        limits: tuple[tuple[int, int], ...],
        uncertain: int | None,
    ) -> ProjectedRule:
        needs = needs | {place: needs[place] & classes for granted, _ in case for place, classes in granted}
        writes = {place: each for _, written in case for place, each in written if needs[place] != 1 << each}
        moved = {place: source for place, source in carries.items() if place != source}
        uncertain = uncertain if writes or moved else None
        key = (
            tuple(sorted(needs.items())),
            tuple(sorted(writes.items())),
            tuple(sorted(moved.items())),
            limits,
            uncertain,
        )
        if key not in self._made:
            self._made[key] = self._rule(needs, writes, moved, limits, uncertain)
        return self._made[key]

    def _rule(
        self,
        needs: dict[int, int],
        writes: dict[int, int],
        moved: dict[int, int],
        limits: tuple[tuple[int, int], ...],
        uncertain: int | None,
    ) -> ProjectedRule:
        width, every = self.width, (1 << self.count) - 1
        keep = -1
        for place in (*writes, *moved):
            keep &= ~(every << width * place)
        carried = [
            (every << width * source, max(0, width * (place - source)), max(0, width * (source - place)))
            for place, source in moved.items()
        ]
        return ProjectedRule(
            needs=tuple(needs.items()),
            bad=sum((every & ~classes) << width * place for place, classes in needs.items()),
            keep=keep,
            put=sum(1 << width * place + each for place, each in writes.items()),
            carried=tuple(carried),
            limits=limits,
            uncertain=uncertain,
        )


CLASS_OF_BIT = bytes([max(0, bits.bit_length() - 1) for bits in range(256)])
"""For a byte with one bit the number of the bit."""
