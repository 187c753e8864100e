"""Rules prepared as functions: each does what `Rule.apply` does, in a fraction of the time.

What a rule needs is sorted into symbols that must be there, which are compared all at once, and sets of symbols; what
it writes into symbols that are known beforehand, and symbols that are read.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import itemgetter
from typing import Any, Protocol

Change = Callable[[bytes], bytes | None]
"""Returns the position after a rule, or None if the rule does not apply."""

Table = tuple[int, ...] | None


class Parts(Protocol):
    """What a `Rule` tests and writes."""

    @property
    def cells(self) -> tuple[int, ...]: ...

    @property
    def need(self) -> tuple[int, ...]: ...

    @property
    def source(self) -> tuple[int, ...]: ...

    @property
    def table(self) -> tuple[Table, ...]: ...


def change_of(rule: Parts, cells: int, symbols: int) -> Change:
    """Return the function of a rule for positions of so many cells and symbols."""
    every = (1 << symbols) - 1
    needs = {cell: need & every for cell, need in zip(rule.cells, rule.need, strict=True) if every & ~need}
    known = {cell: need.bit_length() - 1 for cell, need in needs.items() if not need & (need - 1)}
    sets = tuple([(cell, need) for cell, need in needs.items() if cell not in known])
    puts: list[tuple[int, int]] = []
    carries: list[tuple[int, int, Table]] = []
    for cell, source, table in zip(rule.cells, rule.source, rule.table, strict=True):
        origin = rule.cells[source]
        if origin in known:
            symbol = known[origin] if table is None else table[known[origin]]
            if known.get(cell) != symbol:
                puts.append((cell, symbol))
        elif table is not None and len(set(table)) == 1:
            puts.append((cell, table[0]))
        elif origin != cell or table is not None:
            carries.append((cell, origin, table))
    if not needs and not puts and all(table is None for _, _, table in carries):
        return _carrying([(cell, origin) for cell, origin, _ in carries], cells)
    if known and not sets and not carries:
        return _putting(known, tuple(puts))
    return _changing(known, sets, tuple(puts), tuple(carries))


def _carrying(origins: Sequence[tuple[int, int]], cells: int) -> Change:
    """Return the function of a rule that always applies and carries symbols: (cell, cell that it shows next)."""
    order = list(range(cells))
    for cell, origin in origins:
        order[cell] = origin
    if cells == 1:  # then an itemgetter returns no tuple
        return bytes
    carrier = itemgetter(*order)
    return lambda position: bytes(carrier(position))


def _shown(known: dict[int, int]) -> tuple[Callable[[bytes], Any], Any]:
    """Return a function that reads some cells of a position, and what it must return."""
    read = itemgetter(*known)  # of one cell it returns the symbol, of several a tuple
    return read, read(known)


def _putting(known: dict[int, int], puts: tuple[tuple[int, int], ...]) -> Change:
    """Return the function of a rule that needs certain symbols and writes certain symbols."""
    read, wanted = _shown(known)

    def change(position: bytes) -> bytes | None:
        if read(position) != wanted:
            return None
        child = bytearray(position)
        for cell, symbol in puts:
            child[cell] = symbol
        return bytes(child)

    return change


def _changing(
    known: dict[int, int],
    sets: tuple[tuple[int, int], ...],
    puts: tuple[tuple[int, int], ...],
    carries: tuple[tuple[int, int, Table], ...],
) -> Change:
    """Return the function of any rule."""
    read, wanted = _shown(known) if known else (None, None)

    def change(position: bytes) -> bytes | None:
        if read is not None and read(position) != wanted:
            return None
        for cell, need in sets:
            if not need >> position[cell] & 1:
                return None
        child = bytearray(position)
        for cell, symbol in puts:
            child[cell] = symbol
        for cell, origin, table in carries:
            child[cell] = position[origin] if table is None else table[position[origin]]
        return bytes(child)

    return change
