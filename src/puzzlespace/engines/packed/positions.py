"""Positions packed into one to sixteen machine words, and rules as masks, shifts and exclusive ors on them.

Only cells that some rule changes are packed, with `width` bits each; the others always show the symbols of the sources.
A cell is never split between two words. The first packed cell has the highest bits, so packed words sort like
positions. A rule becomes, per word, a masked comparison for the symbols that it needs exactly, a test for every wider
need, and

    child = ((key & keep) ^ put) ^ moved parts ^ looked-up parts

A moved part is all cells that move by one distance from one word to another; a table of symbols that is an exclusive or
with a constant is part of `put`. A looked-up part is one cell with any other table. This module is plain Python:
importing it does not load NumPy.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from ...limits.watch import paced
from ...model.effects import outcomes
from ...model.facts import changed_cells, symbol_classes
from ...model.kept import kept
from ...model.model import Model
from ...model.rule import Rule, deeds, single_symbol

WORD = 64
MOST_WORDS = 16
MOST_SYMBOLS = 64


def refusal(model: Model, sources: Sequence[bytes] = ()) -> str | None:
    """Return why moves of the model cannot be made on packed positions, or None."""
    if model.metric.free:
        return f"walking is free in the metric {model.metric.name}"
    return too_wide(model, sources)


def too_wide(model: Model, sources: Sequence[bytes] = ()) -> str | None:
    """Return why positions of the model cannot be packed, or None."""
    if model.symbols > MOST_SYMBOLS:
        return f"positions are packed with at most {MOST_SYMBOLS} symbols, here are {model.symbols}"
    words = -(-max(1, len(changed_cells(model, sources))) // (WORD // width_of(model.symbols)))
    if words > MOST_WORDS:
        return f"a position takes {words} words of {WORD} bits and at most {MOST_WORDS} are packed"
    return None


def width_of(symbols: int) -> int:
    """Return the bits that hold one symbol."""
    return max(1, (symbols - 1).bit_length())


@dataclass(frozen=True)
class Packing:
    """The packing of cells: `places[cell]` is (word, shift), or None for a cell that never changes.

    width   bits per cell
    words   words per position
    fixed   a position; all positions show its symbols in unpacked cells
    """

    symbols: int
    width: int
    words: int
    places: tuple[tuple[int, int] | None, ...]
    fixed: bytes

    @classmethod
    def of(cls, model: Model, sources: Sequence[bytes]) -> Packing:
        """Return the packing of all positions that the sources can reach."""
        cells = changed_cells(model, sources)
        width = width_of(model.symbols)
        per_word = WORD // width
        words = max(1, -(-len(cells) // per_word))
        places: list[tuple[int, int] | None] = [None] * model.cells
        lead = words * per_word - len(cells)
        for number, cell in enumerate(cells):
            word, at = divmod(number + lead, per_word)
            places[cell] = (word, (per_word - 1 - at) * width)
        return cls(model.symbols, width, words, tuple(places), sources[0])

    @cached_property
    def packed(self) -> tuple[tuple[int, int, int], ...]:
        """(cell, word, shift) of every packed cell, by cell."""
        return tuple((cell, *place) for cell, place in enumerate(self.places) if place is not None)

    def pack(self, position: bytes) -> tuple[int, ...]:
        """Return the words of a position."""
        words = [0] * self.words
        for cell, word, shift in self.packed:
            words[word] |= position[cell] << shift
        return tuple(words)

    def unpack(self, words: Iterable[int]) -> bytes:
        """Return the position of the words."""
        values = tuple(words)
        position = bytearray(self.fixed)
        for cell, word, shift in self.packed:
            position[cell] = values[word] >> shift & ((1 << self.width) - 1)
        return bytes(position)

    def demand(self, needs: Iterable[tuple[int, int]]) -> Demand | None:
        """Return pairs (cell, allowed symbols) as tests of the words; None if they can never be met."""
        found = Demand([0] * self.words, [0] * self.words, [], {})
        every = (1 << self.symbols) - 1
        for cell, need in needs:
            place, need = self.places[cell], need & every
            if not need:
                return None
            if place is None:
                if not need >> self.fixed[cell] & 1:
                    return None
            elif (symbol := single_symbol(need)) is not None:
                word, shift = place
                found.mask[word] |= ((1 << self.width) - 1) << shift
                found.want[word] |= symbol << shift
                found.exact[place] = symbol
            elif need != every:
                found.tests.append((*place, need))
        return found


@dataclass
class Demand:
    """Tests of words: word & mask == want, and for every (word, shift, symbols) in `tests` the symbol is allowed.

    exact  (word, shift) -> the symbol that must be there, as `mask` and `want` test it
    """

    mask: list[int]
    want: list[int]
    tests: list[tuple[int, int, int]]
    exact: dict[tuple[int, int], int]

    def relax(self, held: dict[int, int], packing: Packing) -> None:
        """Drop tests that exclude only symbols that are all needed in other cells.

        held  how many cells at most show a symbol
        """
        if not self.tests:
            return
        exact = Counter(self.exact.values())
        gone = sum(1 << symbol for symbol, count in held.items() if count <= exact[symbol])
        every = (1 << packing.symbols) - 1
        self.tests = [(word, shift, need) for word, shift, need in self.tests if need | gone != every]


@dataclass
class PackedRule:
    """A rule on packed words; see the module's docstring.

    number   its number in the model
    keep     bits that are kept
    put      bits that are flipped afterwards
    moved    (from word, to word, shift to the left) -> mask of the bits moved
    lookups  (from word, shift, to word, shift, table)
    """

    number: int
    demand: Demand
    keep: list[int]
    put: list[int]
    moved: dict[tuple[int, int, int], int] = field(default_factory=dict)
    lookups: list[tuple[int, int, int, int, tuple[int, ...]]] = field(default_factory=list)


def stock(model: Model, packing: Packing, sources: Sequence[bytes]) -> dict[int, int]:
    """Return how many packed cells at most show each symbol, for symbols that never turn into others."""
    classes = Counter(symbol_classes(model.rules, model.symbols))
    cells = [cell for cell, _, _ in packing.packed]
    return {
        symbol: max((sum(source[cell] == symbol for cell in cells) for source in sources), default=0)
        for symbol in range(model.symbols)
        if classes[symbol] == 1
    }


def packed_rules(model: Model, packing: Packing, sources: Sequence[bytes]) -> list[PackedRule]:
    """Return the packed rules in the model's order, without those that unpacked cells forbid."""
    found: list[PackedRule] = []
    held = stock(model, packing, sources)
    full = [
        sum(((1 << packing.width) - 1) << s for _, w, s in packing.packed if w == word) for word in range(packing.words)
    ]
    numbers, first = kept(model.rules, deeds)
    effects = [tuple(_effects(rule, packing.symbols)) for rule in paced(first)]
    for number, rule in enumerate(paced(model.rules)):
        demand = packing.demand(zip(rule.cells, rule.need, strict=True))
        if demand is not None:
            demand.relax(held, packing)
            packed = PackedRule(number, demand, list(full), [0] * packing.words)
            for effect in effects[numbers[number]]:
                if packing.places[rule.cells[effect.index]] is not None:
                    _add(packed, rule, effect, packing)
            found.append(packed)
    return found


class Overwriting(NamedTuple):
    """What a rule does to its cell number `index`.

    put        the symbol that the cell always shows then, or None
    exchanged  else with what an exclusive or turns the symbol that is read into the new one; None if with several
    """

    index: int
    put: int | None
    exchanged: int | None


def _effects(rule: Rule, symbols: int) -> Iterator[Overwriting]:
    """Yield the effects of a rule that change something."""
    for index, (read, pairs) in enumerate(outcomes(rule, symbols)):
        exchanged = {old ^ new for old, new in pairs}
        if read != index or exchanged != {0}:
            put = {new for _, new in pairs}
            yield Overwriting(
                index, put.pop() if len(put) == 1 else None, exchanged.pop() if len(exchanged) == 1 else None
            )


def _add(packed: PackedRule, rule: Rule, effect: Overwriting, packing: Packing) -> None:
    """Add what a rule does to one cell to the packed rule."""
    index, put, exchanged = effect
    to_word, to_shift = packing.places[rule.cells[index]] or (0, 0)
    cell, table = rule.cells[rule.source[index]], rule.table[index]
    place = packing.places[cell]
    if place is None:
        shown = packing.fixed[cell]
        put = shown if table is None else table[shown]
    field_mask = (1 << packing.width) - 1
    if put is not None:
        packed.keep[to_word] &= ~(field_mask << to_shift)
        packed.put[to_word] ^= put << to_shift
        return
    assert place is not None
    word, shift = place
    if exchanged is None:
        packed.keep[to_word] &= ~(field_mask << to_shift)
        packed.lookups.append((word, shift, to_word, to_shift, table or ()))
        return
    packed.put[to_word] ^= exchanged << to_shift
    if (word, shift) != (to_word, to_shift):
        packed.keep[to_word] &= ~(field_mask << to_shift)
        key = (word, to_word, to_shift - shift)
        packed.moved[key] = packed.moved.get(key, 0) | field_mask << shift
