"""Coset tables for listed moves: the depths of what `cosets` keeps of a position, and marks of moves that lead nearer.

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
from . import by_layers, inverses, piece_tables
from .cosets import MOST_CODES, MOST_ROWS, Choice, Marks, Renaming, choose, renamings
from .pieces import Pieces

MOST_VIEWS = 6
"""The most symmetries by which a table is read."""

AT_ONCE = 1 << 18
"""Pairs that are processed between two checks of the limits."""

MOST_TOGETHER = 7
"""The most moves whose marks are kept together: one more bit for all of them, in one byte."""

STRONGER = 2
"""A coset table must have this many times as many arrangements as a table of some pieces in the same memory."""


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

    bits   uint32 or uint64 [classes, values of the second orbit]: words, see `kernels.deepening.cosets.mark`
    ready  whether all words are there
    """

    pieces: Pieces
    goal: Sequence[int]
    choice: Choice
    place: MarkCoordinate
    turned: MarkCoordinate
    second: MarkCoordinate
    bits: np.ndarray = field(default_factory=lambda: np.zeros((0, 0), np.uint32))
    ready: bool = False

    @classmethod
    def of(cls, pieces: Pieces, goal: Sequence[int], choice: Choice) -> CosetTable | None:
        """Return the table, not yet filled; None if it has too many values."""
        first, *more = choice.marks
        same = np.arange(first.parts)
        place = _coordinate(pieces, first, first.part, first.parts, lambda name: same)
        turned = _coordinate(pieces, first, first.turn, first.orbit.variants, lambda name: name)
        if more:
            other = more[0]
            count = other.orbit.variants
            both = np.arange(other.parts)[:, None] * count
            second = _coordinate(
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

    @cached_property
    def word(self) -> np.dtype:
        """The type of the words."""
        return np.dtype(word_of(self.pieces) or np.uint64)

    @property
    def size(self) -> int:
        """The size of the table in bytes."""
        return prod(self.shape) * self.word.itemsize

    @property
    def _entries(self) -> int:
        """About how many entries there are; the exact number needs the classes."""
        return len(self.place.rows) * len(self.turned.rows) * len(self.second.rows) // len(self.choice.divided)

    @property
    def expected(self) -> int:
        """About the size of the table in bytes."""
        return self._entries * self.word.itemsize

    @property
    def scratch(self) -> int:
        """The bytes of the classes, of finding them, and of the depths from which words are made."""
        return 20 * len(self.place.rows) * len(self.turned.rows) + self._entries

    @property
    def identity(self) -> dict[str, Any]:
        """What the table depends on."""
        found = hashlib.sha256()
        for each in (self.place, self.turned, self.second):
            found.update(each.rows.tobytes())
            found.update(each.steps.tobytes())
        for part, name in self._images:
            found.update(part.tobytes())
            found.update(name.tobytes())
        return {
            "table": "cosets with marks",
            "cliques": [list(group) for group in cliques(self.pieces)],
            "cells": [each.orbit.cells for each in self.choice.marks],
            "moves": found.hexdigest(),
        }

    def build(self, threads: int, deepest: int = kernel.UNSEEN - 1) -> int:
        """Fill the table, from the goal; return the number of entries reached.

        deepest  what greater depths are stored as
        """
        own, first, kept = self.classes
        depths = np.full(self.shape, kernel.UNSEEN, np.uint8)
        depths[own[0] >> self.shift, self.conjugates[own[0] & ((1 << self.shift) - 1), 0]] = 0
        steps = self.place.steps, self.turned.steps, self.conjugates[:, self.second.steps]
        threads = by_layers.threads_for(depths, threads)
        columns = np.zeros((threads, self.shape[1]), np.uint16)
        near = np.zeros((threads, 2 + MOST_TOGETHER, self.shape[1]), np.uint8)

        def step(depth: int, few: bool) -> Callable[[int, np.ndarray], None]:
            def spread(thread: int, span: np.ndarray) -> None:
                form = np.array([depth, self.shift, *span])
                kernel.spread(depths, first, own, kept, steps, self.conjugates, form, columns[thread])

            def gather(thread: int, span: np.ndarray) -> None:
                form = np.array([depth, self.shift, *span])
                kernel.gather(depths, first, own, steps, form, columns[thread])

            return gather if few else spread

        reached = by_layers.fill(depths, threads, deepest, step)
        self.bits = np.empty(self.shape, self.word)
        groups = cliques(self.pieces)
        rows = np.zeros((len(groups), 2 + MOST_TOGETHER), np.int64)
        for row, begin, group in zip(rows, places_of(groups), groups, strict=True):
            row[: 2 + len(group)] = begin, len(group), *group

        def mark(thread: int, span: np.ndarray) -> None:
            form = np.array([0, self.shift, *span])
            kernel.mark(depths, self.bits, first, own, steps, rows, form, near[thread])

        by_layers.each_span(depths, threads, mark)
        return reached

    @cached_property
    def means(self) -> np.ndarray:
        """The moves that marks say to lead no farther, and those that lead nearer, as bits.

        uint32 or int64 [2, views << shift, bytes, 256], for each view and symmetry of the table, each byte of the
        marks, each value of it
        """
        groups = cliques(self.pieces)
        begins = places_of(groups)
        size = 8 * self.word.itemsize - kernel.MARKS
        bits = np.uint32 if len(self.pieces.turns) <= 32 else np.int64
        found = np.zeros((2, len(self.views) << self.shift, size // 8, 256), bits)
        values = np.arange(256)
        renamed = [self.moves(each) for each in self.choice.divided]
        for view, seen in enumerate(map(self.moves, self.views)):
            for symmetry, to in enumerate(renamed):
                own = {int(image): move for move, image in enumerate(to[seen])}
                for begin, group in zip(begins, groups, strict=True):
                    part, bit = divmod(begin - kernel.MARKS, 8)
                    nearer = values >> bit & 1
                    for at, image in enumerate(group):
                        farther, move = values >> (bit + 1 + at) & 1, np.int64(1) << own[image]
                        way = view << self.shift | symmetry
                        found[0, way, part] |= (move * (nearer | ~farther & 1)).astype(bits)
                        found[1, way, part] |= (move * (nearer & ~farther & 1)).astype(bits)
        return found

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


def cliques(pieces: Pieces) -> tuple[tuple[int, ...], ...]:
    """Return all moves in groups in which each move is a move after another one: of a side of a cube, say.

    The depths to which the moves of a group lead differ by at most 1, from each other and from the depth before.
    """
    turns = inverses.whole(pieces)
    known = {turn.tobytes() for turn in turns}
    back = np.argsort(turns, axis=2)
    found: list[list[int]] = []
    for move, turn in enumerate(turns):
        for group in found:
            between = (np.take_along_axis(turn, back[other], axis=1).tobytes() for other in group)
            if len(group) < MOST_TOGETHER and all(each in known for each in between):
                group.append(move)
                break
        else:
            found.append([move])
    return tuple(map(tuple, found))


def places_of(groups: Sequence[Sequence[int]]) -> list[int]:
    """Return where the marks of each group of moves begin in a word: none is in two bytes."""
    found, at = [], kernel.MARKS
    for group in groups:
        if at // 8 < (at + len(group)) // 8:
            at = -(-at // 8) * 8
        found.append(at)
        at += 1 + len(group)
    return found


def word_of(pieces: Pieces) -> type[np.unsignedinteger] | None:
    """Return the type of words with the marks of all moves, None if there are too many."""
    groups = cliques(pieces)
    bits = max(at + 1 + len(group) for at, group in zip(places_of(groups), groups, strict=True))
    return np.uint32 if bits <= 32 else np.uint64 if bits <= 64 else None


def _coordinate(
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


def table(pieces: Pieces, goal: Sequence[int], most: int) -> CosetTable | None:
    """Return the table with most arrangements of at most `most` bytes, not yet filled, if it is better than others."""
    word = word_of(pieces)
    if word is None:
        return None
    others = piece_tables.choose(pieces, most)
    least = STRONGER * max((piece_tables.PieceTable(pieces, group, [bytes(goal)]).size for group in others), default=1)
    choice = choose(pieces, goal, most // np.dtype(word).itemsize, least)
    found = None if choice is None else CosetTable.of(pieces, goal, choice)
    return found if found is not None and found.expected <= most else None
