"""Pattern tables for listed moves: the depths of all arrangements of some pieces, the others being ignored.

A solution of the puzzle also brings these pieces home, so their depth is a lower bound (J. Culberson and J. Schaeffer,
Pattern databases, Computational Intelligence 14, 1998). Symmetries of the puzzle that fix the goal give further bounds
from the same table, the depth of the image of a position; so do inverse positions (`inverses`). Each bound counts all
moves, so they are not added; the greatest of them counts. docs/methods/piece-patterns.md
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate
from math import perm, prod
from typing import Any

import numpy as np

from ..kernels.deepening import piece_tables as kernel
from ..limits.threads import processors
from . import kept
from .piece_layers import AT_ONCE, PieceLayers
from .pieces import Pieces

COLUMNS = 4096
"""The most places, and the most turns, of a row: so many numbers are listed for each row and move."""

MOST_INVERSE = 8
"""The most views of inverse positions: their depths after a move are not known from those before it."""

MOST_VIEWS = 24
"""The most symmetries by which tables are read."""


@dataclass(frozen=True)
class TableView:
    """A way to read a table: the image of a position, or of the inverse position, under a symmetry.

    pieces         int64 [k]: for each piece of the table the piece of the position whose image it is
    cell, variant  uint8 [k, states]: what the state of that piece becomes
    """

    table: int
    pieces: np.ndarray
    cell: np.ndarray
    variant: np.ndarray
    inverse: bool = False


class PieceTable:
    """The depths of some pieces of one orbit: see `kernels.deepening.piece_tables`.

    bits  uint8 [rows, places * turns]
    """

    def __init__(self, pieces: Pieces, chosen: tuple[int, ...], goals: Sequence[bytes]) -> None:
        self.pieces, self.chosen, self.goals = pieces, chosen, goals
        self.n = len(pieces.cells[chosen[0]])
        self.radix = np.array([pieces.variants[piece] for piece in chosen], np.int64)
        first = min(range(len(chosen) + 1), key=lambda count: self._weight(count))
        places, turns = self._columns(first)
        self.form = np.array([len(chosen), first, self.n, places, turns], np.int64)
        self.rows = perm(self.n, first)
        self.bits = np.zeros((0, 0), np.uint8)

    def _columns(self, first: int) -> tuple[int, int]:
        """Return the numbers of places and of turns if so many pieces choose the row."""
        radix = self.radix.tolist()
        later = len(self.chosen) - first
        return perm(self.n - first, later) * prod(radix[first:]), prod(radix[:first])

    def _weight(self, first: int) -> tuple[bool, float]:
        """Return how slow building is: the numbers listed per row and move, and what is done once per row, by size."""
        places, turns = self._columns(first)
        return max(places, turns) > COLUMNS, (places + turns + 20) / (places * turns)

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the table."""
        return self.rows, int(self.form[kernel.PLACES] * self.form[kernel.TURNS])

    @property
    def size(self) -> int:
        """The size of the table in bytes."""
        return prod(self.shape)

    def layers(self, threads: int) -> PieceLayers:
        """Return what fills the table."""
        whole = self._whole()
        moves = self._moves(whole), self._moves(np.argsort(whole, axis=2))
        return PieceLayers(self.form, self.radix, moves, min(threads, max(1, self.size // AT_ONCE)))

    @property
    def identity(self) -> dict[str, Any]:
        """What the table depends on."""
        turns = hashlib.sha256(np.ascontiguousarray(self.pieces.turns[:, self.chosen]).tobytes()).hexdigest()
        goals = sorted({bytes(goal[piece] for piece in self.chosen).hex() for goal in self.goals})
        return {"table": "pieces", "cells": self.n, "variants": self.radix.tolist(), "moves": turns, "goals": goals}

    @cached_property
    def plain(self) -> TableView:
        """The view of the position itself."""
        states = np.arange(self.pieces.turns.shape[2])
        cell = np.array([states // count for count in self.radix], np.uint8)
        variant = np.array([states % count for count in self.radix], np.uint8)
        return TableView(0, np.array(self.chosen, np.int64), cell, variant)

    @cached_property
    def weights(self) -> np.ndarray:
        """How much each cell that is free before, and each variant, counts for a piece: int64 [2, k]."""
        radix, found = self.radix.tolist(), np.ones((2, len(self.chosen)), np.int64)
        first, _, places, turns = self.form[kernel.FIRST :].tolist()
        size = turns
        for piece in range(len(radix) - 1, first - 1, -1):
            found[:, piece] = size * radix[piece], size
            size *= (self.n - piece) * radix[piece]
        row, turned = places * turns, 1
        for piece in range(first - 1, -1, -1):
            found[:, piece] = row, turned
            row, turned = row * (self.n - piece), turned * radix[piece]
        return found

    def base(self, view: TableView) -> np.ndarray:
        """Return what each state of each piece of a view counts if no cell before is used."""
        return view.cell * self.weights[0][:, None] + view.variant * self.weights[1][:, None]

    def numbers(self, states: Sequence[bytes]) -> np.ndarray:
        """Return the numbers of the arrangements in some positions, given as states of all pieces."""
        out = np.empty(len(states), np.int64)
        rows = np.array([list(each) for each in states], np.uint8)
        view = self.plain
        kernel.numbers(self.weights[0], view.pieces, view.cell, self.base(view), rows, out)
        return out

    def build(self, threads: int, deepest: int = kernel.UNSEEN - 1) -> int:
        """Fill the table, from the goals; return the number of arrangements reached.

        deepest  what greater depths are stored as
        """
        if self.bits.shape != self.shape:
            self.bits = np.empty(self.shape, np.uint8)
        return self.layers(threads).fill(self.bits.reshape(-1), self.numbers(self.goals).tolist(), deepest)

    def _moves(self, turns: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the cell and the variant of each piece after moves."""
        radix = self.radix[None, :, None].astype(np.uint8)
        turns = turns.astype(np.uint8)
        return turns // radix, turns % radix

    def _whole(self) -> np.ndarray:
        """Return the turns of the chosen pieces, each completed to a permutation of all states."""
        turns = self.pieces.turns[:, self.chosen].copy()
        for index, count in enumerate(self.radix.tolist()):
            turns[:, index, self.n * count :] = np.arange(self.n * count, turns.shape[2])
        return turns


def choose(pieces: Pieces, most: int, one_goal: bool = True) -> tuple[tuple[int, ...], ...]:
    """Return the groups of pieces with a table each, all tables together of at most about `most` bytes.

    The groups of an orbit have the same size, as large as possible, and cover its pieces in their order at the goal; if
    the images of one group under symmetries do so, it is the only one. Symmetries fix only one goal. Each orbit gets
    the same share; what is left is for the one with the smallest tables, and so on.
    """
    by_orbit: dict[tuple[int, ...], list[int]] = {}
    for piece, cells in enumerate(pieces.cells):
        by_orbit.setdefault(cells, []).append(piece)
    images = [{piece: to for (piece, _), (to, _) in each.items()} for each in pieces.symmetries] if one_goal else []

    def groups(cells: tuple[int, ...], share: int) -> list[tuple[int, ...]]:
        return _groups(by_orbit[cells], len(cells), pieces, share, images)

    found = {cells: groups(cells, most // max(1, len(by_orbit))) for cells in by_orbit}
    left = most - sum(_bytes(found[cells], pieces) for cells in by_orbit)
    for cells in sorted(by_orbit, key=lambda cells: _bytes(found[cells], pieces)):
        left += _bytes(found[cells], pieces)
        found[cells] = groups(cells, left)
        left -= _bytes(found[cells], pieces)
    return tuple(group for cells in by_orbit for group in found[cells])


def _bytes(groups: Sequence[tuple[int, ...]], pieces: Pieces) -> int:
    """Return the bytes of a table for each of the groups."""
    return sum(
        perm(len(pieces.cells[group[0]]), len(group)) * prod(pieces.variants[piece] for piece in group)
        for group in groups
    )


def _groups(
    members: list[int], cells: int, pieces: Pieces, most: int, images: Sequence[dict[int, int]]
) -> list[tuple[int, ...]]:
    """Return the groups of the pieces of an orbit of so many cells; images: what symmetries make of pieces."""
    for size in range(min(len(members), max(1, cells - 1)), 0, -1):
        starts = range(0, len(members), size) if size < cells - 1 else range(1)
        groups = [tuple(members[min(start, len(members) - size) :][:size]) for start in starts]
        seen = {image[piece] for image in images[:MOST_VIEWS] for piece in groups[0]}
        if seen.issuperset(members):
            groups = groups[:1]
        if _bytes(groups, pieces) <= most:
            return groups
    return []


def views(
    pieces: Pieces, tables: Sequence[PieceTable], goals: Sequence[bytes], invertible: frozenset[int] = frozenset()
) -> list[TableView]:
    """Return the ways to read the tables, first each table without a symmetry.

    invertible  the pieces whose states in the inverse position are known, see `inverses`
    """
    if len(goals) > 1:
        return [replace(table.plain, table=number) for number, table in enumerate(tables)]
    found = _images(pieces, tables)
    orbits = [frozenset(p for p, cells in enumerate(pieces.cells) if cells == there) for there in pieces.cells]
    inverted = [
        replace(view, inverse=True)
        for view in found
        if invertible >= (asked := _asked(pieces, view.pieces.tolist())) and asked != orbits[view.pieces[0]]
    ]
    return found + inverted[:MOST_INVERSE]


def _images(pieces: Pieces, tables: Sequence[PieceTable]) -> list[TableView]:
    """Return the tables without a symmetry, then those through symmetries that ask about other pieces."""
    found = [replace(table.plain, table=number) for number, table in enumerate(tables)]
    seen = {(view.table, view.pieces.tobytes(), view.cell.tobytes(), view.variant.tobytes()) for view in found}
    asked = {(view.table, _asked(pieces, view.pieces.tolist())) for view in found}
    for images in pieces.symmetries:
        maps = [np.zeros(pieces.turns.shape[2], np.int64) for _ in pieces.cells]
        image = [0] * len(pieces.cells)
        for (piece, state), (to, there) in images.items():
            image[piece], maps[piece][state] = to, there
        origin = {to: piece for piece, to in enumerate(image)}
        for number, table in enumerate(tables):
            sources = [origin[piece] for piece in table.chosen]
            states = np.array([maps[piece] for piece in sources])
            radix = table.radix[:, None]
            view = TableView(
                number,
                np.array(sources, np.int64),
                (states // radix).astype(np.uint8),
                (states % radix).astype(np.uint8),
            )
            key = (number, view.pieces.tobytes(), view.cell.tobytes(), view.variant.tobytes())
            about = number, _asked(pieces, sources)
            if key not in seen and about not in asked and len(found) < MOST_VIEWS:
                seen.add(key)
                asked.add(about)
                found.append(view)
    return found


def _asked(pieces: Pieces, chosen: Sequence[int]) -> frozenset[int]:
    """Return the pieces whose places are known from those of the chosen ones: all but one of an orbit tell the last."""
    orbit = [piece for piece, cells in enumerate(pieces.cells) if cells == pieces.cells[chosen[0]]]
    return frozenset(orbit if len(set(chosen)) >= len(orbit) - 1 else chosen)


def tables(
    pieces: Pieces,
    goals: Sequence[bytes],
    groups: Sequence[tuple[int, ...]],
    reserve: Callable[[int], None],
    least: int,
) -> tuple[PieceTable, ...]:
    """Return the tables of some groups of pieces, read from the cache or computed, one after the other in memory.

    reserve  is called with the number of bytes before they are allocated; may raise LimitError
    least    the least size in bytes of a table that is saved in the cache
    """
    found = tuple(PieceTable(pieces, group, goals) for group in groups)
    scratch = max((table.layers(processors()).bytes(table.size) for table in found), default=0)
    reserve(sum(table.size for table in found) + scratch)
    bits = np.empty(sum(table.size for table in found), np.uint8)
    for table, end in zip(found, accumulate(table.size for table in found), strict=True):
        table.bits = bits[end - table.size : end].reshape(table.shape)
    kept.fill_each(found, 0, processors(), least=least)
    return found


def joined(tables: Sequence[PieceTable]) -> np.ndarray:
    """Return the bits of all tables in one array; they are copied unless `tables` has put them there."""
    whole, size = tables[0].bits.base, sum(table.size for table in tables)
    if whole is not None and whole.shape == (size,) and all(table.bits.base is whole for table in tables):
        return whole
    return np.concatenate([table.bits.reshape(-1) for table in tables])
