"""Read peg solitaire from a model: jumps as operations on bits, and cells that are determined by the others.

Every rule flips three cells: two that show the *taken* symbol and one that does not. A position is a word; a bit is set
if its cell shows the taken symbol (a peg, or a hole if the model takes jumps back). The triples that jumps flip span a
space over GF(2). Sums modulo 2 that vanish on it are invariant (colouring by thirds, de Bruijn 1972). Each independent
sum *binds* one cell: the other cells determine its content. Bits 0 … free - 1 of a position are the free cells.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from ..limits.watch import paced
from ..model.effects import allowed
from ..model.model import Model
from ..model.rule import Rule, single_symbols

MOST_CELLS, MOST_WIDE = 64, 128
"""The most cells of a board whose positions are one word, and of one whose positions are two."""

MOST_BOUND = 10
"""The most bound cells; boards with more have almost independent parts."""

MOST_JUMPS = 512

NO_JUMPS = "not every move is a jump that takes a peg away"


@dataclass(frozen=True)
class Jumps:
    """The rules of a peg puzzle, on bits.

    order  the cell of each bit: free cells first, bound cells last
    sums   for each bound cell the mask of the free bits whose sum modulo 2, plus a constant, is its content
    taken  the symbol of which each jump needs two and leaves one
    mask   for each jump the three bits that it flips
    want   for each jump those of them that must be set before
    origin, target  for each jump the bit of the jumping peg, before and after
    chain  whether consecutive jumps of the same peg are one move
    """

    order: tuple[int, ...]
    sums: tuple[int, ...]
    taken: int
    mask: tuple[int, ...]
    want: tuple[int, ...]
    origin: tuple[int, ...]
    target: tuple[int, ...]
    chain: bool

    @property
    def free(self) -> int:
        """The number of free cells: a class has 2^free positions."""
        return len(self.order) - len(self.sums)

    @cached_property
    def bit(self) -> tuple[int, ...]:
        """The bit of each cell."""
        return tuple(sorted(range(len(self.order)), key=self.order.__getitem__))

    def word(self, position: bytes) -> int:
        """Return the position as a word."""
        return sum((symbol == self.taken) << bit for bit, symbol in zip(self.bit, position, strict=True))

    def position(self, word: int) -> bytes:
        """Return the position of a word."""
        return bytes(self.taken if word >> bit & 1 else 1 - self.taken for bit in self.bit)

    def bound(self, word: int) -> int:
        """Return the constants of the sums: equal for two positions exactly if they are of one class."""
        return sum(
            ((word & mask).bit_count() + (word >> self.free + row) & 1) << row for row, mask in enumerate(self.sums)
        )


def read(model: Model) -> Jumps | str:
    """Return the jumps of a model as operations on bit sets, or why it is not peg solitaire."""
    return model.bare.kept(_read)


def read_wide(model: Model) -> Jumps | str:
    """Do what `read` does, also for boards whose positions are two words."""
    return model.bare.kept(_read_wide)


def _read(model: Model) -> Jumps | str:
    return _read_up_to(model, MOST_CELLS)


def _read_wide(model: Model) -> Jumps | str:
    return _read_up_to(model, MOST_WIDE)


def _read_up_to(model: Model, cells: int) -> Jumps | str:
    if model.metric.beyond_rules is not None:
        return model.metric.beyond_rules
    if model.symbols != 2 or model.cells > cells:
        return f"it is for pegs of one kind on at most {cells} cells"
    rules = flips(model)
    if not rules:
        return NO_JUMPS
    if len(rules) > MOST_JUMPS:
        return f"it is for at most {MOST_JUMPS} jumps"
    chain = _chain(model, rules)
    if chain is None:
        return "its metric joins other moves than the jumps of one peg"
    order, bound = _order([rule.cells for rule in rules], model.cells)
    if len(bound) > MOST_BOUND:
        return f"more than {MOST_BOUND} sums modulo 2 never change"
    return _on_bits(rules, order, bound, chain)


class Flip(NamedTuple):
    """A rule that flips its three cells: two that show the symbol `taken`, and the `hole`, which shows the `other`."""

    taken: int
    other: int
    cells: tuple[int, ...]
    hole: int
    origin: int
    target: int

    @property
    def over(self) -> int:
        """The cell that is neither origin nor target."""
        return sum(self.cells) - self.origin - self.target


def flips(model: Model) -> tuple[Flip, ...]:
    """Return the rules of a model if all flip the same two symbols, on a board of any size; else none."""
    return model.bare.kept(_flips)


def _flips(model: Model) -> tuple[Flip, ...]:
    found: list[Flip] = []
    for rule in paced(model.rules):
        flip = _read_rule(rule)
        if flip is None or flip[:2] != (found or [flip])[0][:2]:
            return ()
        found.append(flip)
    return tuple(found)


def flipped(rule: Rule) -> list[int] | None:
    """Return the symbol that a rule of two symbols needs in each of its cells, if it writes the other one in all."""
    needs = [allowed(need, 2) for need in rule.need]
    if any(len(need) != 1 for need in needs):
        return None
    before = [need[0] for need in needs]
    return None if any(a == b for a, b in zip(before, rule.written(before), strict=True)) else before


def _read_rule(rule: Rule) -> Flip | None:
    """Return the rule as a Flip, or None if it does not flip two cells of one symbol and one of the other."""
    before = single_symbols(rule.need)
    if not len(rule.cells) == len(before) == 3 or rule.motion is None or len(set(before)) != 2:
        return None
    taken = max(before, key=before.count)
    (other,) = set(before) - {taken}
    ends = rule.motion.origin, rule.motion.target
    swapped = [other if symbol == taken else taken for symbol in before]
    if list(rule.written(before)) != swapped or not set(ends) < set(rule.cells) or ends[0] == ends[1]:
        return None
    return Flip(taken, other, rule.cells, rule.cells[before.index(other)], *ends)


def _chain(model: Model, rules: Sequence[Flip]) -> bool | None:
    """Return whether moves are chains of one peg's jumps (True) or single jumps (False); None for another metric."""
    if not model.metric.after:
        return False
    by_origin: dict[int, list[int]] = {}
    for number, rule in enumerate(rules):
        by_origin.setdefault(rule.origin, []).append(number)
    for number, after in enumerate(model.followers):
        rule = rules[number]
        wanted = []
        for place in by_origin.get(rule.target, ()):
            other = rules[place]
            shared = set(rule.cells) & set(other.cells)
            if all((cell == rule.hole) == (cell != other.hole) for cell in shared):
                wanted.append(place)
        if list(after) != wanted:
            return None
    return True


def _order(triples: list[tuple[int, ...]], cells: int) -> tuple[list[int], list[int]]:
    """Return the order of the cells, bound ones last, and for each bound cell the mask of the cells that determine it.

    Cells with the fewest jumps become bound cells, then low free bits, because jumps there are slowest in the kernels.
    """
    busy = [sum(cell in triple for triple in triples) for cell in range(cells)]
    rows: dict[int, int] = {}
    by_cost = sorted(range(cells), key=lambda cell: (-busy[cell], cell))
    for triple in triples:
        row = sum(1 << by_cost.index(cell) for cell in triple)
        while row:
            pivot = (row & -row).bit_length() - 1
            if pivot not in rows:
                rows[pivot] = row
                break
            row ^= rows[pivot]
    for pivot in sorted(rows, reverse=True):
        for other in rows:
            if other < pivot and rows[other] >> pivot & 1:
                rows[other] ^= rows[pivot]
    bound = [place for place in range(cells) if place not in rows]
    free = sorted((by_cost[place] for place in rows), key=lambda cell: (busy[cell], cell))
    order = free[:9] + sorted(free[9:])
    sums = [sum(1 << by_cost[p] for p in rows if rows[p] >> place & 1) for place in bound]
    return order + [by_cost[place] for place in bound], sums


def _on_bits(rules: Sequence[Flip], order: list[int], sums: list[int], chain: bool) -> Jumps:
    bit = {cell: number for number, cell in enumerate(order)}
    if not chain:  # two pegs may jump over each other's cell into the same hole: this is one move
        rules = list({(frozenset(rule.cells), rule.hole): rule for rule in rules}.values())
    masks = [sum(1 << bit[cell] for cell in rule.cells) for rule in rules]
    return Jumps(
        order=tuple(order),
        sums=tuple(sum(1 << bit[cell] for cell in bit if mask >> cell & 1) for mask in sums),
        taken=rules[0].taken,
        mask=tuple(masks),
        want=tuple(mask & ~(1 << bit[rule.hole]) for mask, rule in zip(masks, rules, strict=True)),
        origin=tuple(bit[rule.origin] for rule in rules),
        target=tuple(bit[rule.target] for rule in rules),
        chain=chain,
    )
