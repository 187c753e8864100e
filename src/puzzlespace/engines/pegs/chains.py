"""Fewest chains of jumps on boards whose positions do not fit a set: layers below a bound that grows by one.

The bound is the greatest number of disjoint full regions (`structure/regions.py`). For each limit, from the bound of
the start on, positions are found layer by layer; those whose distance from the start plus bound exceeds the limit are
left out. First only the best positions of each layer are kept, as in `beam.py`: this may find a solution, and proves
nothing if it does not. Then all are kept. If no solution is found, none has that length, and the limit grows by one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ...limits.watch import Watch
from ...model.model import Model
from ...structure.regions import clusters, overlaps, regions
from .beam import best, weights
from .layers import PegField

if TYPE_CHECKING:
    from ...kernels.pegs.chains import ChainBoard, ChainLayer, ChainMoves

WIDTHS: tuple[int | None, ...] = (10_000, 100_000, 1_000_000, None)
"""The most positions that are kept of each layer, one number for each attempt at a limit; None: all."""

LARGEST_TABLE = 16
"""The most regions of a group; the largest ones beyond are left out, because the table has a byte for each set."""

ROWS = 4096
"""Positions that are expanded between two checks of the limits."""

ROOM, MOVES_ROOM = 1 << 12, 1 << 12
"""Room at first for the positions of a layer, and for those that the moves of one peg lead to."""

SPARE = 8
"""If only the best positions are kept, others are dropped when there are so many times as many."""


class ChainRows(NamedTuple):
    """A layer: its positions, for each the row of a parent in the layer before, the row of a goal or -1.

    dropped  whether some positions were left out, because others are better
    """

    keys: np.ndarray
    parents: np.ndarray
    goal: int = -1
    dropped: bool = False


def shortest(model: Model, field: PegField, start: int, goals: Sequence[int], watch: Watch) -> list[bytes]:
    """Return a shortest solution to one of the goals, which have equal numbers of pegs; [] if there is none.

    Raises LimitError with the bound that is proved.
    """
    search = ChainSearch(field, start, goals, watch)
    found = search.run()
    return [] if found is None else _path(model, field, start, found)


def _path(model: Model, field: PegField, start: int, keys: Iterable[int]) -> list[bytes]:
    """Return positions of the classes of some keys, each one move after the other."""
    jumps = field.jumps
    path = [jumps.position(start)]
    for key in keys:
        images = set(map(jumps.position, field.images(key)))
        path.append(min(child for child in model.moves(path[-1]) if child in images))
    return path


class ChainSearch:
    """The search of one problem.

    limit  no solution is shorter
    """

    def __init__(self, field: PegField, start: int, goals: Sequence[int], watch: Watch) -> None:
        self.field, self.start, self.goals, self.watch = field, start, goals, watch
        self.board = _board(field, goals)
        self.moves = _moves(MOVES_ROOM)
        self.weight = weights(field)
        self.limit = 1

    def run(self) -> list[int] | None:
        """Return the classes of the positions of a shortest solution, without the start, or None if there is none."""
        from ...kernels.pegs.chains import bound_at

        self.limit = max(1, int(bound_at(self.board, *_words([self.start])[0])))
        while self.limit <= self.start.bit_count() - self.goals[0].bit_count():
            self.watch.known.prove(self.limit)
            self.watch.layer(self.limit, self.watch.generated, 0, bound=True)
            for width in WIDTHS:
                found, dropped = self._attempt(width)
                if found is not None:
                    return found
                if not dropped:
                    break
            self.limit += 1
        return None

    def _attempt(self, width: int | None) -> tuple[list[int] | None, bool]:
        """Return a solution of the length of the limit, or None, and whether positions were dropped."""
        layers = [ChainRows(_words([min(self.field.images(self.start))]), np.zeros(1, np.int32))]
        for left in range(self.limit - 1, -1, -1):
            layers.append(self._following(layers[-1].keys, left, width))
            if layers[-1].goal >= 0:
                return _back(layers), False
        return None, any(layer.dropped for layer in layers)

    def _following(self, keys: np.ndarray, left: int, width: int | None) -> ChainRows:
        """Return the best positions one move from some, from which at most `left` moves may be enough."""
        from ...kernels.pegs.chains import DONE, FULL, GENERATED, GOAL, LONG, NUMBER, extend

        following, dropped, last = self._layer(max(ROOM, len(keys))), False, -1
        rows = np.zeros(2, np.int64)
        while rows[0] < len(keys) and following.state[GOAL] < 0:
            rows[1] = min(rows[0] + ROWS, len(keys))
            ended = DONE
            while ended == DONE and rows[0] < rows[1] and following.state[GOAL] < 0:
                ended = extend(self.board, keys, rows, left, following, self.moves)
            if ended == LONG:
                self.moves = _moves(2 * len(self.moves.words))
            elif ended == FULL and width is not None and len(following.keys) > SPARE * width and rows[0] > last:
                following, dropped, last = self._best(following, width), True, int(rows[0])
            elif ended == FULL:
                following = self._filled(following.keys, following.parents, 2 * len(following.keys), following.state)
            self.watch.tick(int(following.state[GENERATED]), self.limit)
            following.state[GENERATED] = 0
        goal = int(following.state[GOAL])
        if goal < 0 and width is not None and following.state[NUMBER] > width:
            following, dropped = self._best(following, width), True
        number = int(following.state[NUMBER])
        return ChainRows(following.keys[:number].copy(), following.parents[:number].copy(), goal, dropped)

    def _best(self, layer: ChainLayer, width: int) -> ChainLayer:
        """Return a layer with the best positions only."""
        from ...kernels.pegs.chains import NUMBER

        number = int(layer.state[NUMBER])
        kept = best(layer.keys[:number], self.weight, width)
        state = layer.state.copy()
        state[NUMBER] = width
        return self._filled(layer.keys[kept], layer.parents[kept], len(layer.keys), state)

    def _layer(self, room: int) -> ChainLayer:
        from ...kernels.pegs.chains import ChainLayer as Made

        slots = 1 << (2 * room - 1).bit_length()
        self.watch.reserve(4 * slots + 20 * room, self.limit)
        state = np.array([0, 0, -1], np.int64)
        return Made(np.full(slots, -1, np.int32), np.empty((room, 2), np.uint64), np.empty(room, np.int32), state)

    def _filled(self, keys: np.ndarray, parents: np.ndarray, room: int, state: np.ndarray) -> ChainLayer:
        """Return a layer with some positions, and room for others."""
        from ...kernels.pegs.chains import place_keys

        made = self._layer(room)
        made.keys[: len(keys)], made.parents[: len(keys)], made.state[:] = keys, parents, state
        with np.errstate(over="ignore"):
            place_keys(made.slots, keys)
        return made


def _back(layers: Sequence[ChainRows]) -> list[int]:
    """Return the keys on a path to the goal of the last layer, without the first one."""
    row, path = layers[-1].goal, list[int]()
    for layer in reversed(layers[1:]):
        path.append(int(layer.keys[row, 0]) | int(layer.keys[row, 1]) << 64)
        row = int(layer.parents[row])
    return path[::-1]


def _moves(room: int) -> ChainMoves:
    from ...kernels.pegs.chains import ChainMoves as Made

    return Made(np.full(2 * room, -1, np.int32), np.empty((room, 2), np.uint64), np.empty(room, np.int64))


def _words(positions: Sequence[int]) -> np.ndarray:
    """Return positions, or sets of places, as two words each."""
    low = (1 << 64) - 1
    return np.array([(each & low, each >> 64) for each in positions], np.uint64).reshape(-1, 2)


def _board(field: PegField, goals: Sequence[int]) -> ChainBoard:
    from ...kernels.pegs.chains import ChainBoard as Made

    jumps, places = field.jumps, len(field.jumps.order)
    order = sorted(range(len(jumps.mask)), key=lambda jump: jumps.origin[jump])
    flip = [jumps.mask[jump] for jump in order]
    to = [1 << jumps.target[jump] for jump in order]
    over = [mask ^ 1 << jumps.origin[jump] ^ bit for jump, mask, bit in zip(order, flip, to, strict=True)]
    first = np.searchsorted([jumps.origin[jump] for jump in order], np.arange(places + 1))
    triples = zip(map(jumps.origin.__getitem__, order), map(_place, over), map(_place, to), strict=True)
    found = regions(triples, places)
    beside = [[region for region in found if region >> place & 1] for place in range(places)]
    variants, groups, listed, bases, table = _tables(
        {tuple(region for region in found if goal & region != region) for goal in goals}
    )
    return Made(
        first.astype(np.int64),
        _words(over),
        _words(to),
        _words(flip),
        np.array([jumps.target[jump] for jump in order], np.int64),
        _images(field),
        np.cumsum([0, *map(len, beside)]),
        _words([region for each in beside for region in each]),
        _words(goals),
        variants,
        groups,
        _words(listed),
        bases,
        table,
    )


def _images(field: PegField) -> np.ndarray:
    """Return `images` of a `ChainBoard`."""
    images = np.zeros((-(-len(field.jumps.order) // 11), 2048, len(field.places), 2), np.uint64)
    contents = np.arange(2048)
    for symmetry, place in enumerate(field.places):
        for bit, image in enumerate(place):
            images[bit // 11, contents >> bit % 11 & 1 > 0, symmetry, image >> 6] |= np.uint64(1 << (image & 63))
    return images


def _place(bit: int) -> int:
    return bit.bit_length() - 1


def _tables(variants: Iterable[Sequence[int]]) -> tuple[np.ndarray, np.ndarray, list[int], np.ndarray, np.ndarray]:
    """Return `variants`, `groups`, `regions`, `bases` and `table` of a `ChainBoard`."""
    counts, sizes, bases, listed, tables = [0], [0], [0], list[int](), [np.zeros(0, np.uint8)]
    for variant in variants:
        for group in clusters(variant):
            kept = sorted(group, key=int.bit_count)[:LARGEST_TABLE]
            listed += kept
            sizes.append(len(listed))
            tables.append(_packings(kept))
            bases.append(bases[-1] + len(tables[-1]))
        counts.append(len(sizes) - 1)
    first, groups, begins = (np.array(each, np.int64) for each in (counts, sizes, bases[:-1]))
    return first, groups, listed, begins, np.concatenate(tables)


def _packings(group: Sequence[int]) -> np.ndarray:
    """Return for each set of regions the greatest number of disjoint ones among them."""
    table, near = np.zeros(1 << len(group), np.uint8), overlaps(group)
    for number in range(len(group)):
        others = np.arange(1 << number)
        table[1 << number : 2 << number] = np.maximum(table[others], 1 + table[others & ~near[number]])
    return table
