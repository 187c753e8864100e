"""The number of positions that rules without conditions reach, if all pieces differ, without visiting them.

Each move permutes the pairs (cell, symbol). The reachable positions are the images of the start's pairs; their number
is the product of orbit lengths along a chain of stabilisers (C. C. Sims 1970). The chain is built from random products
of moves (J. S. Leon 1980). The result is never too large, and too small with a probability of about 1 in 2 ** TRIALS.
It tells how many ranks of a ranking are unreachable.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from math import inf, prod
from random import Random
from time import perf_counter

from ..limits.watch import paced
from ..model.facts import Partition, symbol_classes
from ..model.model import Model
from ..structure.permutations import Action, actions, block_systems, merged, orbits
from .numbering import Classes, Ranking

TRIALS = 30
"""The search ends after this many consecutive random products without a new element."""

MOST_PAIRS = 4000
"""The most pairs of cell and symbol that moves reach; larger models are not counted."""

Perm = tuple[int, ...]


def reached(ranking: Ranking) -> int | None:
    """Return the number of reachable positions; None if rules have conditions or pieces are alike.

    The count stops at the size of the ranking.
    """
    moves = actions(ranking.model)
    class_of = Classes.of(ranking.model).class_of
    shown = [class_of[symbol] for symbol in ranking.anchor]
    moved = [c for c in range(len(shown)) if any(_changes(move, c) for move in moves or ())]
    symbols = ranking.model.symbols
    if not moves or len({shown[cell] for cell in moved}) < len(moved) or len(shown) * symbols > MOST_PAIRS:
        return None
    base = [cell * symbols + ranking.anchor[cell] for cell in moved]
    chain = _Chain([_on_pairs(move, symbols) for move in moves], base)
    return chain.grow(ranking.size)


def orbit_size(model: Model, position: bytes, seconds: float, trials: int = TRIALS) -> int | None:
    """Return the number of positions reachable from one, from the group of the moves alone, without a ranking.

    None if rules have conditions, if pieces that exchange places are alike (also with blocks of cells read as one), or
    if it takes longer than `seconds`. The result is too small with a probability of about 1 in 2 ** trials.
    """
    found = pieces_apart(model, position, perf_counter() + seconds)
    return None if found is None else order_of(*found, seconds, trials)


def pieces_apart(model: Model, position: bytes, ends: float = inf) -> tuple[Model, tuple[Action, ...], bytes] | None:
    """Return a model without alike pieces that exchange places, its moves, and the position.

    It is the model itself, or one in which blocks of cells are read as one, such as the stickers of a corner. None if
    rules have conditions, if there is no such model, or if that takes until the end.
    """
    moves = actions(model)
    if not moves:
        return None
    for told, shown in _readings(model, moves, position):
        every = actions(told)
        if every and _all_different(told, every, shown):
            return told, every, shown
        if perf_counter() > ends:
            return None
    return None


def order_of(told: Model, moves: Sequence[Action], shown: bytes, seconds: float, trials: int = TRIALS) -> int | None:
    """Return the order of the group of moves without alike pieces; see `orbit_size`."""
    moved = [cell for cell in range(told.cells) if any(_changes(move, cell) for move in moves)]
    found = _on_reached(moves, told.symbols, [cell * told.symbols + shown[cell] for cell in moved])
    return None if found is None else _Chain(found[1], range(len(moved))).order(trials, perf_counter() + seconds)


def orbit_draw(model: Model, position: bytes, seconds: float) -> Callable[[Callable[[int], int]], bytes] | None:
    """Return a function that draws a position reachable from one; None if rules have conditions, or out of time.

    It is called with a function that draws a number below its argument. If these numbers are independent and uniform,
    so is the position: it is the image of the first one under a product of one element of each transversal, and that is
    any element of the group of the moves equally often. Pieces may be alike.
    """
    ends = perf_counter() + seconds
    moves, symbols = actions(model), model.symbols
    found = _on_reached(moves or (), symbols, [cell * symbols + symbol for cell, symbol in enumerate(position)])
    if not moves or found is None:
        return None
    pairs, images = found
    chain = _Chain(images, range(len(position)))
    if chain.order(TRIALS, ends) is None:
        return None
    transversals = [list(level.orbit.values()) for level in chain.levels if len(level.orbit) > 1]
    places = [divmod(pair, symbols) for pair in pairs]

    def drawn(below: Callable[[int], int]) -> bytes:
        points: Sequence[int] = range(len(position))
        for elements in reversed([each[below(len(each))] for each in transversals]):
            points = [elements[point] for point in points]
        return bytes(symbol for _, symbol in sorted(places[point] for point in points))

    return drawn


def _readings(model: Model, moves: Sequence[Action], position: bytes) -> Iterator[tuple[Model, bytes]]:
    """Yield the model with the position: unchanged, with the blocks of one orbit read as single cells, and of several.

    Of each orbit the first system of blocks is read in the last model whose blocks all differ: the corners and the
    edges of a cube.
    """
    yield model, position
    blocks: list[tuple[int, ...]] = []
    several = 0
    for cells in orbits(moves):
        chosen: tuple[tuple[int, ...], ...] = ()
        for system in block_systems(moves, cells):
            single = [(cell,) for cell in range(model.cells) if cell not in set(cells)]
            found = merged(model, moves, (*single, *system), position)
            if found is not None and found.model.start is not None:
                yield found.model, found.model.start
                read = actions(found.model) or ()
                if not chosen and _all_different(found.model, read, found.model.start, len(single)):
                    chosen = system
        several += bool(chosen)
        blocks += chosen or [(cell,) for cell in cells]
    found = merged(model, moves, blocks, position) if several > 1 else None
    if found is not None and found.model.start is not None:
        yield found.model, found.model.start


def _all_different(model: Model, moves: Sequence[Action], position: bytes, begin: int = 0) -> bool:
    """Return whether no two pieces that can exchange places are of the same class, from the cell `begin` on."""
    classes = symbol_classes(model.rules, model.symbols)
    joined = Partition(model.cells)
    for move in moves:
        for cell, source in enumerate(move.source):
            joined.merge(cell, source)
    held = [(joined.find(cell), classes[position[cell]]) for cell in range(begin, model.cells)]
    return len(set(held)) == len(held)


def _changes(move: Action, cell: int) -> bool:
    return move.source[cell] != cell or move.table[cell] != tuple(range(len(move.table[cell])))


def _on_pairs(move: Action, symbols: int) -> Perm:
    """Return the image under the move of each pair, numbered cell * symbols + symbol."""
    goes = [0] * (len(move.source) * symbols)
    for cell, (source, table) in enumerate(zip(move.source, move.table, strict=True)):
        for symbol in range(symbols):
            goes[source * symbols + symbol] = cell * symbols + table[symbol]
    return tuple(goes)


def _on_reached(moves: Sequence[Action], symbols: int, first: Sequence[int]) -> tuple[list[int], list[Perm]] | None:
    """Return the pairs that moves reach from the first ones, with these at the front, and the moves as permutations.

    None if there are too many pairs.
    """
    pairs = dict.fromkeys(first)
    images = [_on_pairs(move, symbols) for move in paced(moves)]
    pending = list(pairs)
    while pending and len(pairs) <= MOST_PAIRS:
        pair = pending.pop()
        new = [image[pair] for image in images if image[pair] not in pairs]
        pairs.update(dict.fromkeys(new))
        pending += new
    if len(pairs) > MOST_PAIRS:
        return None
    number = {pair: at for at, pair in enumerate(pairs)}
    return list(pairs), [tuple(number[image[pair]] for pair in pairs) for image in images]


def composed(first: Perm, second: Perm) -> Perm:
    """Return the first permutation followed by the second."""
    return tuple(second[point] for point in first)


def inverse(perm: Perm) -> Perm:
    """Return the permutation that undoes this one."""
    back = [0] * len(perm)
    for point, image in enumerate(perm):
        back[image] = point
    return tuple(back)


@dataclass
class _Level:
    """One stabiliser of the chain: its generators, and for each point of the base point's orbit an element to it.

    Elements are products of generators that map the base point to the point (a transversal).
    """

    point: int
    generators: list[Perm] = field(default_factory=list)
    orbit: dict[int, Perm] = field(default_factory=dict)

    def add(self, perm: Perm) -> None:
        self.generators.append(perm)
        pending = list(self.orbit)
        while pending:
            point = pending.pop()
            for generator in self.generators:
                image = generator[point]
                if image not in self.orbit:
                    self.orbit[image] = composed(self.orbit[point], generator)
                    pending.append(image)


class _Chain:
    """The chain of stabilisers of the base points, as far as random products have generated it."""

    def __init__(self, generators: Sequence[Perm], base: Sequence[int]) -> None:
        same = tuple(range(len(generators[0])))
        self.levels = [_Level(point, [], {point: same}) for point in base]
        self.random = Random(2026)
        self.generators = generators
        self.pool = [*generators, *(generators[n % len(generators)] for n in range(10))]

    def grow(self, most: int) -> int:
        """Return the product of the orbit lengths after TRIALS products without a new element, or once it is `most`."""
        self._begin(inf)
        known = 0
        while known < TRIALS and self.size < most:
            known = 0 if self._sift(self._product()) else known + 1
        return self.size

    def order(self, trials: int, ends: float) -> int | None:
        """Return the product of the orbit lengths after `trials` products without a new element; None out of time."""
        if not self._begin(ends):
            return None
        known = 0
        while known < trials:
            known = 0 if self._sift(self._product()) else known + 1
            if perf_counter() > ends:
                return None
        return self.size

    def _begin(self, ends: float) -> bool:
        """Sift the generators and mix the pool of products; return whether there was time for it."""
        for generator in paced(self.generators):
            self._sift(generator)
            if perf_counter() > ends:
                return False
        for _ in range(100):
            self._product()
        return True

    @property
    def size(self) -> int:
        return prod(len(level.orbit) for level in self.levels)

    def _product(self) -> Perm:
        """Return a random product of the moves (product replacement algorithm, Celler and others 1995)."""
        a, b = self.random.sample(range(len(self.pool)), 2)
        self.pool[a] = composed(self.pool[a], self.pool[b])
        return self.pool[a]

    def _sift(self, perm: Perm) -> bool:
        """Sift an element through the chain; return whether it was new and was added."""
        for depth, level in enumerate(paced(self.levels)):
            image = perm[level.point]
            if image not in level.orbit:
                for above in self.levels[: depth + 1]:
                    above.add(perm)
                return True
            perm = composed(perm, inverse(level.orbit[image]))
        return False
