"""Coordinates: one part of a position as a number, with a table of its values under each move.

A part is the contents of an orbit of cells, or less: only the class of each piece, or only the symbol that each piece
shows within its class, if moves determine the new labels from the old labels alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...errors import InputError
from ...structure.permutations import Action


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
    first = np.array([[label[anchor[cell]] for cell in cells]], np.uint8)
    values, keys = first, _keys(first, base)
    layer = first
    while len(layer):
        children = np.concatenate([_led(layer, each) for each in local]) if local else layer[:0]
        found, index = np.unique(_keys(children, base), return_index=True)
        fresh = ~np.isin(found, keys, assume_unique=True)
        layer = children[index[fresh]]
        keys, values = np.concatenate([keys, found[fresh]]), np.concatenate([values, layer])
        if len(keys) > most:
            return None
    order = np.argsort(keys)
    keys, values = keys[order], values[order]
    after = [np.searchsorted(keys, _keys(_led(values, each), base)).astype(np.int32) for each in local]
    return Coordinate(cells, label, values, keys, np.array(after, np.int32).reshape(len(local), len(keys)))


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


def _led(values: np.ndarray, local: Local) -> np.ndarray:
    sources, table = local
    return table[np.arange(len(sources)), values[:, sources]]


def _keys(values: np.ndarray, base: int) -> np.ndarray:
    keys = np.zeros(len(values), np.int64)
    for column in range(values.shape[1]):
        keys = keys * base + values[:, column]
    return keys


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
