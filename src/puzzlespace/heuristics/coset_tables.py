"""Coset tables for listed moves: the depths of what `cosets` keeps of a position.

Symmetries divide the table; others, and inverse positions, read it in further ways. docs/methods/cosets.md
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import prod
from typing import Any

import numpy as np

from ..kernels.deepening import cosets as kernel
from ..limits.watch import checkpoint
from . import by_layers, inverses
from .cosets import MOST_CODES, MOST_ROWS, Choice, Marks, Renaming, renamings
from .pieces import Pieces

MOST_VIEWS = 6
"""The most symmetries by which a table is read."""

AT_ONCE = 1 << 18
"""Pairs that are processed between two checks of the limits."""

GATHERED = 2
"""If fewer entries are left than this many times those at a depth, they are asked for a move there."""

MOST_REPEATS = 1000
"""The most times that two moves are repeated to find a sequence that keeps a pair."""


@dataclass(frozen=True)
class MarkCoordinate:
    """A number for each arrangement of digits in the cells of an orbit that the moves make of one of them.

    rows    uint8 [values, cells]: the digits
    weight  int64 [cells]: the sum of digits times weights is the code of an arrangement
    number  int32 [codes]: the value of each code, -1 if there is none
    steps   uint16 [moves, values]: the value after each move
    """

    rows: np.ndarray
    weight: np.ndarray
    number: np.ndarray
    steps: np.ndarray

    @classmethod
    def of(cls, start: np.ndarray, base: int, goes: np.ndarray, digit: np.ndarray) -> MarkCoordinate | None:
        """Return the coordinate, or None if it has too many values.

        goes   int64 [moves, cells]: the cell to which each cell's contents go
        digit  int64 [moves, cells, base]: what each digit becomes there
        """
        cells = len(start)
        if base**cells > MOST_CODES:
            return None
        weight = base ** np.arange(cells, dtype=np.int64)
        number = np.full(base**cells, -1, np.int32)
        number[start @ weight] = 0
        layers, steps, count = [start[None].astype(np.int64)], [], 1
        for layer in layers:
            checkpoint()
            found = np.empty((len(goes), len(layer)), np.int64)
            new = []
            for move in range(len(goes)):
                after = np.empty_like(layer)
                after[:, goes[move]] = digit[move][np.arange(cells), layer]
                codes = after @ weight
                fresh, at = np.unique(codes, return_index=True)
                unknown = number[fresh] < 0
                fresh, at = fresh[unknown], at[unknown]
                number[fresh] = np.arange(count, count + len(fresh))
                count += len(fresh)
                new.append(after[at])
                found[move] = number[codes]
            if count > MOST_ROWS:
                return None
            steps.append(found)
            rows = np.concatenate(new)
            if len(rows):
                layers.append(rows)
        return cls(
            np.concatenate(layers).astype(np.uint8), weight, number, np.concatenate(steps, axis=1).astype(np.uint16)
        )


@dataclass
class CosetTable:
    """The depths of all arrangements of some marks, a row for each class of those of the first orbit.

    bits   uint8 [classes, values of the second orbit]
    ready  whether all depths are there; those of the last layers may be too low, see `build`
    """

    pieces: Pieces
    goal: Sequence[int]
    choice: Choice
    place: MarkCoordinate
    turned: MarkCoordinate
    second: MarkCoordinate
    bits: np.ndarray = field(default_factory=lambda: np.zeros((0, 0), np.uint8))
    ready: bool = False

    @classmethod
    def of(cls, pieces: Pieces, goal: Sequence[int], choice: Choice) -> CosetTable | None:
        """Return the table, not yet filled; None if it has too many values."""
        first, *more = choice.marks
        same = np.arange(first.parts)
        place = coordinate(pieces, first, first.part, first.parts, lambda name: same)
        turned = coordinate(pieces, first, first.turn, first.orbit.variants, lambda name: name)
        if more:
            other = more[0]
            count = other.orbit.variants
            both = np.arange(other.parts)[:, None] * count
            second = coordinate(
                pieces, other, other.part * count + other.turn, other.parts * count, lambda name: (both + name).ravel()
            )
        else:
            second = MarkCoordinate.of(
                np.zeros(1, np.int64),
                1,
                np.zeros((len(pieces.turns), 1), int),
                np.zeros((len(pieces.turns), 1, 1), int),
            )
        if place is None or turned is None or second is None:
            return None
        return cls(pieces, goal, choice, place, turned, second)

    @cached_property
    def _images(self) -> tuple[tuple[np.ndarray, np.ndarray], ...]:
        """What the symmetries that divide the table do to the marks of each orbit, see `Image`."""
        found = []
        for marks in self.choice.marks:
            images = [each.on(marks) for each in self.choice.divided]
            found.append(
                (np.array([each.part for each in images if each]), np.array([each.name for each in images if each]))
            )
        return tuple(found)

    @cached_property
    def conjugates(self) -> np.ndarray:
        """What the symmetries that divide the table make of the values of the second orbit: uint16 [., values]."""
        rows = self.second.rows.astype(np.int64)
        if len(self.choice.marks) < 2:
            return np.zeros((len(self.choice.divided), len(rows)), np.uint16)
        count = self.choice.marks[1].orbit.variants
        found = np.empty((len(self.choice.divided), len(rows)), np.uint16)
        for number, (part, name) in enumerate(zip(*self._images[1], strict=True)):
            codes = np.zeros(len(rows), np.int64)
            for cell in range(rows.shape[1]):
                own, turn = rows[:, cell] // count, rows[:, cell] % count
                there = name[own, cell * count + turn]
                codes += (part[own] * count + there % count) * self.second.weight[there // count]
            found[number] = self.second.number[codes]
        return found

    @cached_property
    def classes(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The classes of the pairs of places and turns of the first orbit.

        int32 [pairs]: class << shift | the symmetry that takes the pair to the first one of its class, -1 if the pair
        is not reached; int32 [classes]: the first pair; uint64 [classes]: the symmetries that keep it, as bits
        """
        keys = {each.key: number for number, each in enumerate(self.choice.divided)}
        identity = self.choice.divided[0].key
        opposite = np.array(
            [
                next(number for other, number in keys.items() if each.then(self.choice.divided[number]).key == identity)
                for each in self.choice.divided
            ]
        )
        pairs = len(self.place.rows) * len(self.turned.rows)
        own = np.full(pairs, kernel.UNREACHED, np.int32)
        queue = np.zeros(pairs, np.int32)
        own[0], reached, begin = kernel.REACHED, 1, 0
        while begin < reached:
            checkpoint()
            end = min(reached, begin + AT_ONCE)
            reached = kernel.reach(self.place.steps, self.turned.steps, own, queue, begin, end, reached)
            begin = end
        part, name = self._images[0]
        kept = np.zeros(pairs, np.uint64)
        variants = self.choice.marks[0].orbit.variants
        places = self.place.rows, self.place.weight, self.place.number
        turns = self.turned.rows, self.turned.weight, self.turned.number
        count = 0
        for begin in range(0, reached, AT_ONCE):
            checkpoint()
            form = np.array([variants, self.shift, begin, min(begin + AT_ONCE, reached), count])
            count = kernel.classify(places, turns, part, name, opposite, form, own, queue, kept)
        return own, queue[:count].copy(), kept[:count].copy()

    @property
    def shift(self) -> int:
        """The bits of the number of a symmetry."""
        return (len(self.choice.divided) - 1).bit_length()

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the table."""
        return len(self.classes[1]), len(self.second.rows)

    @property
    def size(self) -> int:
        """The number of entries."""
        return prod(self.shape)

    @property
    def expected(self) -> int:
        """About how many entries there are; the exact number needs the classes."""
        return len(self.place.rows) * len(self.turned.rows) * len(self.second.rows) // len(self.choice.divided)

    @property
    def scratch(self) -> int:
        """The bytes of the classes, and of finding them."""
        return 20 * len(self.place.rows) * len(self.turned.rows)

    @property
    def identity(self) -> dict[str, Any]:
        """What the depths depend on."""
        return {"table": "depths of cosets", **self.contents}

    @cached_property
    def contents(self) -> dict[str, Any]:
        """What is kept of a position, and what moves and symmetries make of it."""
        found = hashlib.sha256()
        for each in (self.place, self.turned, self.second):
            found.update(each.rows.tobytes())
            found.update(each.steps.tobytes())
        for part, name in self._images:
            found.update(part.tobytes())
            found.update(name.tobytes())
        return {"cells": [each.orbit.cells for each in self.choice.marks], "moves": found.hexdigest()}

    @cached_property
    def transitive(self) -> bool:
        """Whether sequences of moves that keep the first pair are found that make all values of one of them.

        Then all entries can be reached: a sequence leads from each pair to the first one, and on to any value. Each
        sequence tried repeats two moves until the first pair is there again.
        """
        places, turned, steps = self.place.steps, self.turned.steps, self.second.steps
        moves, values = steps.shape
        joined = np.arange(values)
        for apart in range(moves):
            for move in range(moves):
                place = turn = repeats = 0
                value = np.arange(values)
                while repeats == 0 or ((place or turn) and repeats < MOST_REPEATS):
                    for each in (move, (move + apart) % moves):
                        place, turn, value = int(places[each, place]), int(turned[each, turn]), steps[each, value]
                    repeats += 1
                if place == turn == 0:
                    joined = _joined_by(value, joined)
            if not joined.any():
                return True
        return False

    @property
    def steps(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The coordinates after moves, as the kernels read them."""
        return self.place.steps, self.turned.steps, self.conjugates[:, self.second.steps]

    def build(self, threads: int) -> None:
        """Fill the table from the goal.

        If all entries can be reached, those that are left when few are get the next depth, which may be too low:
        `complete` finds out.
        """
        own, first, kept = self.classes
        bits = np.full(self.shape, kernel.UNSEEN, np.uint8)
        bits[own[0] >> self.shift, self.conjugates[own[0] & ((1 << self.shift) - 1), 0]] = 0
        steps, threads = self.steps, by_layers.threads_for(bits.size, threads)
        columns = np.zeros((threads, self.shape[1]), np.uint16)
        total, depth = 0, 0
        while depth < kernel.UNSEEN - 1 and (reached := by_layers.count(bits, threads, depth)):
            total += reached
            few = bits.size - total < GATHERED * reached
            if few and self.transitive:
                np.minimum(bits, depth + 1, out=bits)
                break

            def spread(thread: int, span: np.ndarray, depth: int = depth) -> None:
                form = np.array([depth, self.shift, *span])
                kernel.spread(bits, first, own, kept, steps, self.conjugates, form, columns[thread])

            by_layers.each_span(bits.shape, threads, self._gather(bits, columns, depth) if few else spread)
            depth += 1
        else:
            if depth == kernel.UNSEEN - 1 and by_layers.count(bits, threads, depth):
                bits[bits == kernel.UNSEEN] = depth
        self.bits = bits

    def complete(self, threads: int) -> None:
        """Raise the depths that are too low; nothing is changed if none is.

        Searches may read the table meanwhile: at no time a depth is too great.
        """
        threads = by_layers.threads_for(self.bits.size, threads)
        columns = np.zeros((threads, self.shape[1]), np.uint16)
        deepest = 0
        while deepest < kernel.UNSEEN - 1 and by_layers.count(self.bits, threads, deepest + 1):
            deepest += 1
        while 0 < deepest < kernel.UNSEEN - 1 and by_layers.count(self.bits, threads, deepest):
            by_layers.each_span(self.bits.shape, threads, self._gather(self.bits, columns, deepest - 1, deepest))
            deepest += 1

    def forget(self) -> None:
        """Free the depths."""
        self.bits, self.ready = np.zeros((0, 0), np.uint8), False

    def _gather(self, bits: np.ndarray, columns: np.ndarray, depth: int, low: int = kernel.UNSEEN) -> by_layers.Run:
        """Return what gives entries beside those at a depth their depth; `low`: what all entries left are now."""
        own, first, _ = self.classes
        steps, high = self.steps, min(low + 1, kernel.UNSEEN)

        def gather(thread: int, span: np.ndarray) -> None:
            kernel.gather(bits, first, own, steps, np.array([depth, self.shift, *span, low, high]), columns[thread])

        return gather

    def codes(self, renaming: Renaming) -> np.ndarray:
        """Return int64 [pieces, states]: the parts of the codes of a position's image, to be added.

        The code of the places, that of the turns << `kernel.TURNED`, that of the second orbit << `kernel.SECOND`.
        """
        found = np.zeros((len(self.pieces.cells), self.pieces.turns.shape[2]), np.int64)
        for number, marks in enumerate(self.choice.marks):
            home = {piece: cell for cell, piece in enumerate(marks.orbit.members)}
            count = marks.orbit.variants
            for piece in marks.orbit.members:
                to = home[int(renaming.piece[piece])]
                name = marks.names[to][renaming.state[piece, : marks.names.shape[1]]]
                cell, turn, part = name // count, name % count, marks.part[to]
                if number == 0:
                    code = (part * self.place.weight[cell]) + (turn * self.turned.weight[cell] << kernel.TURNED)
                else:
                    code = (part * count + turn) * self.second.weight[cell] << kernel.SECOND
                found[piece, : len(name)] = code
        return found

    @cached_property
    def views(self) -> tuple[Renaming, ...]:
        """The symmetries by which the table is read: images under others are in the same classes."""
        seen: set[bytes] = set()
        found = []
        for each in renamings(self.pieces):
            if each.key in seen or not all(each.keeps(marks.orbit) for marks in self.choice.marks):
                continue
            if len(found) < MOST_VIEWS:
                found.append(each)
            seen.update(each.then(other).key for other in self.choice.divided)
        return tuple(found)

    def moves(self, renaming: Renaming) -> np.ndarray:
        """Return the number of the image of each move under a symmetry."""
        turns = inverses.whole(self.pieces)
        number = {turn.tobytes(): move for move, turn in enumerate(turns)}
        found = []
        for turn in turns:
            image = np.empty_like(turn)
            for piece, to in enumerate(renaming.piece):
                image[to, renaming.state[piece]] = renaming.state[piece, turn[piece]]
            found.append(number[image.tobytes()])
        return np.array(found)

    def fixed(self, renaming: Renaming) -> np.ndarray:
        """Return for each move whether it keeps the marks of the goal, seen through a symmetry."""
        moves = self.moves(renaming)
        still = [coordinate.steps[:, 0] == 0 for coordinate in (self.place, self.turned, self.second)]
        return np.logical_and.reduce(still)[moves]


def _joined_by(value: np.ndarray, joined: np.ndarray) -> np.ndarray:
    """Return the least value of each class, if those that a permutation takes to each other come together."""
    while True:
        least = np.arange(len(joined))
        np.minimum.at(least, joined, joined[value])
        if (least[joined] == joined).all():
            return joined
        joined = least[joined]


def coordinate(
    pieces: Pieces, marks: Marks, start: np.ndarray, base: int, becomes: Callable[[np.ndarray], np.ndarray]
) -> MarkCoordinate | None:
    """Return the coordinate of some digits; `becomes`: the digits of a cell after a move, from the new variants."""
    orbit = marks.orbit
    count, first = orbit.variants, orbit.members[0]
    names = marks.names[0]
    acts = np.empty((len(pieces.turns), orbit.cells * count), np.int64)
    acts[:, names] = names[pieces.turns[:, first, : len(names)]]
    goes = acts[:, ::count] // count
    digit = np.array([[becomes(row) for row in (act % count).reshape(orbit.cells, count)] for act in acts])
    return MarkCoordinate.of(start, base, goes, digit)
