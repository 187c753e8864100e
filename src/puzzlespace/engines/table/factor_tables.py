"""Coordinates: one part of a position as a number, with a table of its values under each move.

A part is the contents of an orbit of cells, or less: only the class of each piece, or only the symbol that each piece
shows within its class, if moves determine the new labels from the old labels alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import factorial

import numpy as np

from ...errors import InputError
from ...limits.memory import words_in_file
from ...limits.watch import paced
from ...ranking.counting import rank_order
from ...structure.permutations import Action
from .order_turns import OrderTables, Turn
from .permutations import rank_rows

MOST_ORDERED = 12
"""The most pieces whose orders are numbered in 31 bits."""


@dataclass(frozen=True)
class Coordinate:
    """The values of one part of a position, and their moves.

    cells   the cells of the part
    label   label[symbol]; two coordinates of the same cells can have different labels. Symbols that never appear in
            these cells have the greatest label, which no value has
    values  [value, cell] labels, in ascending order
    keys    each value as one number
    after   [move, value] the value after each move
    """

    cells: tuple[int, ...]
    label: tuple[int, ...]
    values: np.ndarray
    keys: np.ndarray
    after: np.ndarray

    @property
    def size(self) -> int:
        """The number of values."""
        return len(self.keys)

    @property
    def moves(self) -> int:
        """The number of moves."""
        return len(self.after)

    def shown(self, values: np.ndarray) -> np.ndarray:
        """Return the labels of some values, one row each."""
        return self.values[values]

    @cached_property
    def _base(self) -> int:
        return max(self.label) + 1

    def value(self, position: bytes) -> int:
        """Return the value of a position; raise InputError if it has none."""
        key = 0
        for cell in self.cells:
            key = key * self._base + self.label[position[cell]]
        number = int(np.searchsorted(self.keys, key))
        if number == len(self.keys) or self.keys[number] != key:
            raise InputError("position: expected one of those that the moves lead to, found another")
        return number

    def values_of(self, rows: np.ndarray) -> np.ndarray:
        """Return the values of positions, one row of symbols each; -1 for those that have none."""
        label = np.array([*self.label, *(max(self.label),) * 256][:256], np.int64)
        key = np.zeros(len(rows), np.int64)
        for cell in self.cells:
            key = key * self._base + label[rows[:, cell]]
        number = np.minimum(np.searchsorted(self.keys, key), self.size - 1)
        return np.where(self.keys[number] == key, number, -1)


@dataclass(frozen=True)
class AllOrders:
    """The coordinate of different pieces, if they have too many orders to list: the value is the rank of the order.

    label  as in `Coordinate`; the pieces have the labels 0, 1, …
    turns  for each move the source of each place
    """

    cells: tuple[int, ...]
    label: tuple[int, ...]
    turns: tuple[Turn, ...]

    @property
    def size(self) -> int:
        """The number of values."""
        return factorial(len(self.cells))

    @property
    def moves(self) -> int:
        """The number of moves."""
        return len(self.turns)

    @cached_property
    def after(self) -> np.ndarray:
        """[move, value] the value after each move, in a temporary file, which is read in order."""
        out = words_in_file((self.moves, self.size), np.uint32)
        tables = OrderTables(tuple(range(len(self.cells))), len(self.cells))
        for turn, each in zip(self.turns, out, strict=True):
            tables.turned(turn, each)
        return out.view(np.int32)

    def value(self, position: bytes) -> int:
        """Return the value of a position; raise InputError if it has none."""
        order = [self.label[position[cell]] for cell in self.cells]
        if sorted(order) != list(range(len(order))):
            raise InputError("position: expected one of those that the moves lead to, found another")
        return rank_order(order)

    def values_of(self, rows: np.ndarray) -> np.ndarray:
        """Return the values of positions, one row of symbols each; -1 for those that have none."""
        label = np.array([*self.label, *(max(self.label) + 1,) * 256][:256], np.int64)
        return rank_rows(label[rows[:, list(self.cells)]], range(len(self.cells)))

    def shown(self, values: np.ndarray) -> np.ndarray:
        """Return the labels of some values, one row each."""
        from ...kernels.table.permutations import unrank_rows

        out = np.empty((len(values), len(self.cells)), np.uint8)
        unrank_rows(values, out)
        return out


def all_orders(
    cells: tuple[int, ...], label: tuple[int, ...], moves: Sequence[Action], anchor: bytes
) -> AllOrders | None:
    """Return the coordinate of all orders; None if pieces are alike, or moves change their labels."""
    n = len(cells)
    if sorted(label[anchor[cell]] for cell in cells) != list(range(n)) or n > MOST_ORDERED:
        return None
    present = shown(cells, moves, anchor)
    local = [_local(move, cells, label, present) for move in moves]
    found = [each for each in local if each is not None and (each[1][:, :n] == np.arange(n)).all()]
    return AllOrders(cells, label, tuple(tuple(each[0]) for each in found)) if len(found) == len(moves) else None


def coordinate(
    cells: tuple[int, ...], label: tuple[int, ...], moves: Sequence[Action], anchor: bytes, most: int
) -> Coordinate | None:
    """Return the coordinate with these cells and labels.

    None if it has more than `most` values, or if the old labels do not determine the new ones for some move.
    """
    base = max(label) + 1
    if base ** len(cells) > 1 << 62:
        return None
    local = [found for move in moves if (found := _local(move, cells, label, shown(cells, moves, anchor))) is not None]
    if len(local) < len(moves):
        return None
    moved = [_changes(each, base) for each in local]
    first = sum(base**place * label[anchor[cell]] for place, cell in enumerate(reversed(cells)))
    keys = _closed(first, moved, base, most)
    if keys is None:
        return None
    values = _values(keys, len(cells), base)
    after = [_places(keys, _moved_keys(values, each)) for each in paced(moved)]
    return Coordinate(cells, label, values.T, keys, np.array(after, np.int32).reshape(len(local), len(keys)))


def _closed(first: int, moved: Sequence[Changes], base: int, most: int) -> np.ndarray | None:
    """Return the sorted keys of all values that moves lead to from one; None if there are more than `most`."""
    keys = layer = np.array([first], np.int64)
    while len(layer) and moved:
        values = _values(layer, len(moved[0]), base)
        # `np.unique` takes several times as long
        found = np.sort(np.concatenate([_moved_keys(values, each) for each in paced(moved)]))
        found = found[np.append(True, found[1:] != found[:-1])]
        place = keys.searchsorted(found)
        layer = found[keys[np.minimum(place, len(keys) - 1)] != found]
        keys = np.sort(np.concatenate([keys, layer]), kind="stable")
        if len(keys) > most:
            return None
    return keys


def _places(keys: np.ndarray, led: np.ndarray) -> np.ndarray:
    """Return where each of the keys `led` is among the sorted keys, of which they are a permutation."""
    place = np.empty(len(keys), np.int32)
    place[np.argsort(led)] = np.arange(len(keys), dtype=np.int32)  # much faster than binary searches
    return place


Local = tuple[list[int], np.ndarray]
"""(the source of each place, table [place, label]: the new label by the old one)"""


def shown(cells: tuple[int, ...], moves: Sequence[Action], anchor: bytes) -> tuple[int, ...]:
    """Return the symbols that can appear in an orbit of cells, sorted."""
    tables = {move.table[cell] for move in moves for cell in cells}
    found = {anchor[cell] for cell in cells}
    pending = list(found)
    while pending:
        symbol = pending.pop()
        for table in tables:
            if table[symbol] not in found:
                found.add(table[symbol])
                pending.append(table[symbol])
    return tuple(sorted(found))


def _local(move: Action, cells: tuple[int, ...], label: tuple[int, ...], present: tuple[int, ...]) -> Local | None:
    """Return the effect of a move on the labels; None if it depends on more than the labels."""
    place = {cell: index for index, cell in enumerate(cells)}
    table = np.zeros((len(cells), max(label) + 1), np.uint8)
    for index, cell in enumerate(cells):
        led = {(label[symbol], label[move.table[cell][symbol]]) for symbol in present}
        if len(led) > len({old for old, _ in led}):
            return None
        for old, new in led:
            table[index, old] = new
    return [place[move.source[cell]] for cell in cells], table


Changes = list[tuple[int, np.ndarray]]
"""for each place its source, and by the old label what the new one adds to the key"""


def _changes(local: Local, base: int) -> Changes:
    sources, table = local
    weights = base ** np.arange(len(sources), dtype=np.int64)[::-1]
    return [(source, row * weight) for source, row, weight in zip(sources, table, weights, strict=True)]


def _moved_keys(values: np.ndarray, moved: Changes) -> np.ndarray:
    """Return the keys of values [cell, value] after a move."""
    keys = np.zeros(values.shape[1], np.int64)
    for source, added in moved:
        keys += added[values[source]]
    return keys


def _values(keys: np.ndarray, cells: int, base: int) -> np.ndarray:
    """Return the labels [cell, value] of keys."""
    values = np.empty((cells, len(keys)), np.uint8)
    for cell in reversed(range(cells)):
        keys, values[cell] = np.divmod(keys, base)
    return values


def phases(tables: set[tuple[int, ...]], members: Sequence[tuple[int, ...]]) -> tuple[int, ...] | None:
    """Return the phase of each symbol, such as the twist of a corner or the side of a disc; None if there is none.

    A phase is the index of a symbol in its class, in a numbering such that every table of symbols maps equal phases to
    equal phases. Then moves determine phases without the classes. Symbols of no class get 0.

    members  the symbols of each class that can be shown. All classes must have the same size, and each symbol of a
             class must be able to turn into all others; then pairing one symbol with the first class determines all
    """
    first, *others = members
    phase = {symbol: place for place, symbol in enumerate(first)}
    for other in others:
        found = [pairs for symbol in other if (pairs := _paired(first[0], symbol, tables))]
        if len(other) != len(first) or not found or set(found[0].values()) != set(other):
            return None
        phase |= {theirs: phase[mine] for mine, theirs in found[0].items()}
    symbols = max((len(table) for table in tables), default=max(phase) + 1)
    return tuple(phase.get(symbol, 0) for symbol in range(symbols))


def _paired(mine: int, theirs: int, tables: set[tuple[int, ...]]) -> dict[int, int] | None:
    """Return the pairs of symbols that the tables generate from this pair; None if they are not one-to-one."""
    pairs = {mine: theirs}
    pending = [mine]
    while pending:
        symbol = pending.pop()
        for table in tables:
            after, partner = table[symbol], table[pairs[symbol]]
            if after not in pairs:
                pairs[after] = partner
                pending.append(after)
            elif pairs[after] != partner:
                return None
    return pairs if len(set(pairs.values())) == len(pairs) else None
