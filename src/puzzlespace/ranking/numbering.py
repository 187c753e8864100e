"""The parts of a ranking: arrangements of pieces, lists of contents, and choices determined by invariant sums.

Everything here is exact, in Python integers of any size, and slow; `kernels/table/ranks.py` is the compiled twin.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import prod

from ..errors import InputError
from ..model.facts import symbol_classes
from ..model.model import Model
from ..structure.permutations import Merged
from .counting import CountingTable, multinomial, rank_order, unrank_order
from .invariants import Relation


@dataclass(frozen=True)
class Classes:
    """Classes of symbols that can turn into each other: class_of[symbol], members[class] in ascending order."""

    class_of: tuple[int, ...]
    members: tuple[tuple[int, ...], ...]

    @classmethod
    def of(cls, model: Model) -> Classes:
        """Return the classes of a model's symbols, numbered by their least member."""
        labels = symbol_classes(model.rules, model.symbols)
        number = {label: index for index, label in enumerate(sorted(set(labels)))}
        members = tuple(tuple(s for s in range(model.symbols) if labels[s] == label) for label in number)
        return cls(tuple(number[label] for label in labels), members)


@dataclass(frozen=True)
class Arrangement:
    """Pieces in a set of cells: the placement of special pieces, the order of all others, and each cell's choice.

    A *choice* is the index of a cell's symbol within its class.

    kind[place][class]  0 for pieces ranked by their order; 1 … for special pieces (blanks, blocks, pieces that reach
                        only some of the cells); -1 if the class cannot be there; `place` is an index in `cells`
    items        the classes of the pieces of kind 0, sorted, with repetitions
    special      (class, number of pieces) of kinds 1, 2, …
    table        ranks the placements of special pieces; None if there are none
    body         the symbol of the other cells of a block; -1 if there are no blocks
    halved       whether only one of two orders that differ in their first two pieces is ranked
    dropped      cells whose choice is not ranked

    rank = (placement * orders + order) * choices + choice; the last cell's choice is the most significant digit
    """

    cells: tuple[int, ...]
    classes: Classes
    kind: tuple[tuple[int, ...], ...]
    items: tuple[int, ...]
    special: tuple[tuple[int, int], ...]
    table: CountingTable | None
    body: int
    halved: bool = False
    dropped: frozenset[int] = frozenset()

    @cached_property
    def orders(self) -> int:
        """The number of ranked orders."""
        return multinomial(list(Counter(self.items).values())) // (2 if self.halved else 1)

    @cached_property
    def choices(self) -> int:
        """The number of ranked combinations of choices."""
        members = self.classes.members
        every = prod(len(members[c]) for c in self.items) * prod(len(members[c]) ** count for c, count in self.special)
        return every // max(self.radices) ** len(self.dropped)

    @cached_property
    def radices(self) -> frozenset[int]:
        """The sizes of the classes that are present."""
        return frozenset(len(self.classes.members[c]) for c in (*self.items, *(c for c, _ in self.special)))

    def kind_at(self, place: int, symbol: int) -> int:
        """Return the kind of the piece that shows `symbol` in cells[place]."""
        return len(self.special) + 1 if symbol == self.body else self.kind[place][self.classes.class_of[symbol]]

    @property
    def size(self) -> int:
        """The number of ranked contents."""
        return (self.table.size if self.table else 1) * self.orders * self.choices

    def rank(self, position: Sequence[int]) -> int:
        """Return the rank of the contents of the cells, or -1 if they are not ranked."""
        shown = [position[cell] for cell in self.cells]
        word = [self.kind_at(place, symbol) for place, symbol in enumerate(shown)]
        units = [self.classes.class_of[s] for s, kind in zip(shown, word, strict=True) if kind == 0]
        placement = self.table.rank(word) if self.table and -1 not in word else 0
        if -1 in word or placement < 0 or tuple(sorted(units)) != self.items:
            return -1
        order = rank_order(units)
        number = placement * self.orders + (order >> 1 if self.halved else order)
        for cell, symbol in reversed(list(zip(self.cells, shown, strict=True))):
            if symbol != self.body and cell not in self.dropped:
                members = self.classes.members[self.classes.class_of[symbol]]
                number = number * len(members) + members.index(symbol)
        return number

    def fill(self, number: int, out: bytearray) -> None:
        """Write the contents of this rank to the cells of `out`; a dropped choice becomes the first of its class."""
        number, choice = divmod(number, self.choices)
        placement, order = divmod(number, self.orders)
        word = self.table.unrank(placement, len(self.cells)) if self.table else [0] * len(self.cells)
        units = iter(unrank_order(order << 1 if self.halved else order, self.items))
        special = [c for c, _ in self.special]
        held = [next(units) if kind == 0 else (*special, -1)[kind - 1] for kind in word]
        for cell, c in zip(self.cells, held, strict=True):
            members = self.classes.members[c] if c >= 0 else (self.body,)
            digit = 0
            if cell not in self.dropped:
                choice, digit = divmod(choice, len(members))
            out[cell] = members[digit]

    def first_two(self, position: Sequence[int]) -> list[int]:
        """Return the cells of the first two pieces of the order."""
        return [cell for place, cell in enumerate(self.cells) if self.kind_at(place, position[cell]) == 0][:2]


@dataclass(frozen=True)
class Listed:
    """Cells that can show only the listed contents: those reachable from the anchor."""

    cells: tuple[int, ...]
    contents: tuple[bytes, ...]

    @cached_property
    def numbers(self) -> dict[bytes, int]:
        """The rank of each of the contents."""
        return {content: number for number, content in enumerate(self.contents)}

    @property
    def size(self) -> int:
        """The number of ranked contents."""
        return len(self.contents)

    def rank(self, position: Sequence[int]) -> int:
        """Return the rank of the contents of the cells, or -1 if they are not ranked."""
        return self.numbers.get(bytes(position[cell] for cell in self.cells), -1)

    def fill(self, number: int, out: bytearray) -> None:
        """Write the contents of this rank to the cells of `out`."""
        for cell, symbol in zip(self.cells, self.contents[number], strict=True):
            out[cell] = symbol


Part = Arrangement | Listed


@dataclass(frozen=True)
class Pivot:
    """A relation with its value, and what it determines: the choice in `cell`, or (-1) the sign of `part`'s order."""

    relation: Relation
    value: int
    cell: int
    part: int


@dataclass(frozen=True)
class Ranking:
    """A ranking of all positions with the pieces and invariants of `anchor`.

    merged  the blocks of cells that are read as single cells, or None. With blocks, `model` and `anchor` have the
            blocks as cells; `rank` and `unrank` still take and return positions of the original model
    """

    model: Model
    anchor: bytes
    parts: tuple[Part, ...]
    pivots: tuple[Pivot, ...] = ()
    merged: Merged | None = field(default=None)

    @cached_property
    def size(self) -> int:
        """The number of ranked positions."""
        return prod(part.size for part in self.parts)

    def rank(self, position: bytes) -> int:
        """Return the rank of a position; raise InputError if it is not ranked."""
        inner = self.merged.encode(position) if self.merged else position
        numbers = [-1] if inner is None else [part.rank(inner) for part in self.parts]
        if inner is None or -1 in numbers or any(p.relation.value(inner) != p.value for p in self.pivots):
            raise InputError("position: expected the pieces and invariants of the numbered ones, found others")
        number = 0
        for part, each in zip(self.parts, numbers, strict=True):
            number = number * part.size + each
        return number

    def unrank(self, number: int) -> bytes:
        """Return the position with this rank."""
        out = bytearray(self.anchor)
        for part in reversed(self.parts):
            number, each = divmod(number, part.size)
            part.fill(each, out)
        for pivot in self.pivots:
            self._settle(pivot, out)
        return self.merged.decode(bytes(out)) if self.merged else bytes(out)

    def _settle(self, pivot: Pivot, out: bytearray) -> None:
        """Make the relation hold: set the choice that it determines, or exchange two pieces."""
        part = self.parts[pivot.part]
        assert isinstance(part, Arrangement)
        if pivot.cell < 0:
            if pivot.relation.value(out) != pivot.value:
                a, b = part.first_two(out)
                out[a], out[b] = out[b], out[a]
            return
        for symbol in part.classes.members[part.classes.class_of[out[pivot.cell]]]:
            out[pivot.cell] = symbol
            if pivot.relation.value(out) == pivot.value:
                return
