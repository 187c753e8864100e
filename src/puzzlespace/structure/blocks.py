"""Read a model as sliding pieces: places and ways between them, checked rule by rule.

A *place* is a symbol with the cell of its first square; it covers cells. A *way* leads from a place to a neighbouring
one. A rule fits if it moves one piece from one place to another, through blanks, and does nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ..errors import UnsupportedError
from ..limits.watch import paced
from ..model.effects import allowed
from ..model.model import Model
from ..model.rule import Rule, single_symbol

Place = tuple[int, int]
"""A symbol and the cell of its first square."""


class PieceMove(NamedTuple):
    """A way: the number of its rule, and the places where it begins and ends."""

    rule: int
    origin: Place
    target: Place


@dataclass(frozen=True)
class Sliding:
    """A model whose rules all slide pieces.

    blank    the symbol of blank cells
    covers   the cells of a place, its first square first
    shown    the symbol that each of these cells shows
    ways     the ways from each place, in the order of the rules
    """

    model: Model
    blank: int
    covers: dict[Place, tuple[int, ...]]
    shown: dict[Place, dict[int, int]]
    ways: dict[Place, list[PieceMove]]

    @property
    def body(self) -> int:
        """The symbol in all cells of a block but its first, or -1."""
        return -1 if self.model.shapes is None else self.model.shapes.body

    def look(self, place: Place) -> dict[int, int]:
        """Return the symbol that each cell of a place shows; raise UnsupportedError if the piece cannot be there."""
        if place not in self.shown:
            first, *others = self.covers[place] = _covered(self.model, place)
            self.shown[place] = {first: place[0], **dict.fromkeys(others, self.body)}
        return self.shown[place]


def read(model: Model) -> Sliding | str:
    """Return the model read as sliding pieces, or why some rule does anything else."""
    return model.bare.kept(_read)


def _read(model: Model) -> Sliding | str:
    if model.metric.beyond_rules is not None:
        return model.metric.beyond_rules
    try:
        return _sliding(model)
    except UnsupportedError as reason:
        return str(reason)


def _sliding(model: Model) -> Sliding:
    found = Sliding(model, _blank(model), {}, {}, {})
    for number, rule in enumerate(paced(model.rules)):
        for origin, target in _moves(found, rule):
            found.ways.setdefault(origin, []).append(PieceMove(number, origin, target))
            found.ways.setdefault(target, [])
    return found


def _blank(model: Model) -> int:
    """Return the symbol that the first rule needs in a cell that its piece enters."""
    for rule in model.rules[:1]:
        motion = rule.motion
        if motion is not None:
            shape = max(motion.shape, 0)
            before = _covered(model, (shape, motion.origin)) if motion.shape >= 0 else (motion.origin,)
            after = _covered(model, (shape, motion.target)) if motion.shape >= 0 else (motion.target,)
            for cell in (set(after) - set(before)) & set(rule.cells):
                symbol = single_symbol(rule.need[rule.cells.index(cell)])
                if symbol is not None:
                    return symbol
    raise UnsupportedError("its first rule does not move a piece into a blank")


def _covered(model: Model, place: Place) -> tuple[int, ...]:
    symbol, cell = place
    others = () if model.shapes is None else model.shapes.covers[symbol][cell]
    if others is None or symbol == (-1 if model.shapes is None else model.shapes.body):
        raise UnsupportedError("a rule moves a piece to a cell where it cannot be")
    return (cell, *others)


def _moves(found: Sliding, rule: Rule) -> Iterator[tuple[Place, Place]]:
    """Yield (from, to) for each symbol that the rule moves."""
    motion, blank = rule.motion, found.blank
    if motion is None:
        raise UnsupportedError("a rule does not move a piece")
    a, b = motion.origin, motion.target
    if motion.shape >= 0:
        origin, target = (motion.shape, a), (motion.shape, b)
        if not _shifts(rule, found.look(origin), found.look(target), blank):
            raise UnsupportedError(f"rule {rule.name} does more than move one piece")
        yield origin, target
        return
    carried = rule.cells == (a, b) and rule.source == (1, 0) and rule.table == (None, None)
    if not carried or rule.need[1] != 1 << blank:
        raise UnsupportedError(f"rule {rule.name} does more than move one piece")
    for symbol in allowed(rule.need[0], found.model.symbols):
        if symbol != blank:
            if len(found.look((symbol, a))) > 1 or len(found.look((symbol, b))) > 1:
                raise UnsupportedError(f"rule {rule.name} moves a part of a block")
            yield (symbol, a), (symbol, b)


def _shifts(rule: Rule, before: dict[int, int], after: dict[int, int], blank: int) -> bool:
    """Return whether a rule needs exactly the cells shown before and turns them into those shown after."""
    for index, (cell, need, table) in enumerate(zip(rule.cells, rule.need, rule.table, strict=True)):
        old, new = before.get(cell, blank), after.get(cell, blank)
        put = old if table is None else table[old]
        if old == new or need != 1 << old or rule.source[index] != index or put != new:
            return False
    return len(rule.cells) == len(before.keys() | after.keys()) - len(before.items() & after.items())


def places_of(found: Sliding, position: bytes) -> list[Place]:
    """Return the places of all pieces of a position, those that no rule moves too.

    Raises UnsupportedError if pieces overlap or the position shows parts of blocks without the block.
    """
    places: list[Place] = []
    shown = [found.blank] * len(position)
    for cell, symbol in enumerate(position):
        if symbol not in (found.blank, found.body):
            places.append((symbol, cell))
            for part, what in found.look((symbol, cell)).items():
                if shown[part] != found.blank:
                    raise UnsupportedError("two pieces of a position overlap")
                shown[part] = what
    if bytes(shown) != position:
        raise UnsupportedError("a position shows parts of blocks without the block")
    return places


def reachable(found: Sliding, positions: Sequence[Sequence[Place]]) -> tuple[dict[int, list[int]], set[int]]:
    """Return the cells that each symbol's first square can ever reach, and the cells that never change.

    A relaxation: pieces that can move are assumed not to block each other; pieces that no rule moves do block.
    """
    still = [{place for place in places if not found.ways.get(place)} for places in positions]
    fixed = {cell for place in still[0] for cell in found.look(place)} if still else set()
    if any(each != still[0] for each in still):
        raise UnsupportedError("the positions differ in pieces that no rule moves")
    cells: dict[int, list[int]] = {}
    seen = {place for places in positions for place in places} - still[0]
    pending = list(seen)
    while pending:
        for way in found.ways[pending.pop()]:
            if fixed.isdisjoint(found.covers[way.target]):
                if all(back.target != way.origin for back in found.ways[way.target]):
                    raise UnsupportedError("some moves cannot be taken back")
                if way.target not in seen:
                    seen.add(way.target)
                    pending.append(way.target)
    for symbol, cell in sorted(seen):
        cells.setdefault(symbol, []).append(cell)
    return cells, fixed


def parts(found: Sliding, symbol: int, cells: Sequence[int]) -> list[tuple[int, ...]]:
    """Return the cells partitioned into sets between which no piece of this symbol moves, by first cell."""
    left = dict.fromkeys(cells)
    sets: list[tuple[int, ...]] = []
    while left:
        first = next(iter(left))
        del left[first]
        pending, part = [first], [first]
        while pending:
            for way in found.ways[symbol, pending.pop()]:
                if way.target[1] in left:
                    del left[way.target[1]]
                    pending.append(way.target[1])
                    part.append(way.target[1])
        sets.append(tuple(sorted(part)))
    return sets
