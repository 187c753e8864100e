"""Coset tables with marks: words of a depth and of the moves that lead nearer. docs/methods/cosets.md"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from ..kernels.deepening import cosets as kernel
from . import by_layers, inverses, piece_tables
from .coset_tables import CosetTable
from .cosets import choose
from .pieces import Pieces

MOST_TOGETHER = 7
"""The most moves whose marks are kept together: one more bit for all of them, in one byte."""

STRONGER = 2
"""A coset table must have this many times as many arrangements as a table of some pieces in the same memory."""


@dataclass
class MarkedCosets:
    """The words of a coset table, made from its depths.

    bits   uint32 or uint64 [classes, values of the second orbit], see `kernels.deepening.cosets.mark`
    ready  whether all words are there
    """

    depths: CosetTable
    bits: np.ndarray = field(init=False)
    ready: bool = False

    def __post_init__(self) -> None:
        self.bits = np.zeros((0, 0), word_of(self.depths.pieces) or np.uint64)

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the table."""
        return self.depths.shape

    @property
    def size(self) -> int:
        """The size of the table in bytes."""
        return self.depths.size * self.bits.itemsize

    @property
    def scratch(self) -> int:
        """The bytes of the depths and of what they need, unless they are there."""
        return 0 if self.depths.ready else self.depths.size + self.depths.scratch

    @property
    def identity(self) -> dict[str, Any]:
        """What the words depend on."""
        together = [list(group) for group in cliques(self.depths.pieces)]
        return {"table": "cosets with marks", "cliques": together, **self.depths.contents}

    def build(self, threads: int) -> None:
        """Write all words; the depths are computed, unless they are there, and completed."""
        table = self.depths
        if not table.ready:
            table.build(threads)
            table.ready = True
        table.complete(threads)
        self.bits = np.empty(self.shape, self.bits.dtype)
        threads = by_layers.threads_for(table.bits.size, threads)
        near = np.zeros((threads, 2 + MOST_TOGETHER, self.shape[1]), np.uint8)
        groups, steps, (own, first, _) = cliques(table.pieces), table.steps, table.classes
        rows = np.zeros((len(groups), 2 + MOST_TOGETHER), np.int64)
        for row, begin, group in zip(rows, places_of(groups), groups, strict=True):
            row[: 2 + len(group)] = begin, len(group), *group

        def mark(thread: int, span: np.ndarray) -> None:
            form = np.array([0, table.shift, *span])
            kernel.mark(table.bits, self.bits, first, own, steps, rows, form, near[thread])

        by_layers.each_span(table.bits.shape, threads, mark)

    @cached_property
    def means(self) -> np.ndarray:
        """The moves that marks say to lead no farther, and those that lead nearer, as bits.

        uint32 or int64 [2, views << shift, bytes, 256], for each view and symmetry of the table, each byte of the
        marks, each value of it
        """
        groups = cliques(self.depths.pieces)
        begins = places_of(groups)
        size = 8 * self.bits.itemsize - kernel.MARKS
        bits = np.uint32 if len(self.depths.pieces.turns) <= 32 else np.int64
        found = np.zeros((2, len(self.depths.views) << self.depths.shift, size // 8, 256), bits)
        values = np.arange(256)
        renamed = [self.depths.moves(each) for each in self.depths.choice.divided]
        for view, seen in enumerate(map(self.depths.moves, self.depths.views)):
            for symmetry, to in enumerate(renamed):
                own = {int(image): move for move, image in enumerate(to[seen])}
                for begin, group in zip(begins, groups, strict=True):
                    part, bit = divmod(begin - kernel.MARKS, 8)
                    nearer = values >> bit & 1
                    for at, image in enumerate(group):
                        farther, move = values >> (bit + 1 + at) & 1, np.int64(1) << own[image]
                        way = view << self.depths.shift | symmetry
                        found[0, way, part] |= (move * (nearer | ~farther & 1)).astype(bits)
                        found[1, way, part] |= (move * (nearer & ~farther & 1)).astype(bits)
        return found


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


def table(pieces: Pieces, goal: Sequence[int], most: int) -> MarkedCosets | None:
    """Return the table with most arrangements of at most `most` bytes, not yet filled, if it is better than others."""
    word = word_of(pieces)
    if word is None:
        return None
    others = piece_tables.choose(pieces, most)
    least = STRONGER * max((piece_tables.PieceTable(pieces, group, [bytes(goal)]).size for group in others), default=1)
    each = np.dtype(word).itemsize
    choice = choose(pieces, goal, most // each, least)
    found = None if choice is None else CosetTable.of(pieces, goal, choice)
    return MarkedCosets(found) if found is not None and found.expected * each <= most else None
