"""`pour A into B`: as much as fits from one number to another."""

from __future__ import annotations

from collections.abc import Iterator

from ...errors import FormatError, Word
from ...puzzle.words import shown
from .effects import After, Effect
from .scope import ANY, Scope
from .words import Declared


def poured(
    pour: tuple[Word, Word], scope: Scope, known: Declared
) -> Iterator[tuple[Effect, str, tuple[int, ...], int]]:
    """Yield the changes of a row that pours, with the cells for their names. Raises FormatError."""
    whole = len(known.ranges) > 1 and any(_is_place(word, known) for word in pour)
    for one in _cells(pour[0], known):
        for other in _cells(pour[1], known):
            if one == other:
                continue
            name = f"{known.name(one)} {known.name(other)}" if whole else ""
            for change in _changes(one, other, scope, known):
                yield change, name, (one, other), one


def _is_place(word: Word, known: Declared) -> bool:
    return known.cell(word) is None


def _cells(word: Word, known: Declared) -> tuple[int, ...]:
    """Return the cells of a name, or all with numbers for 'any'. Raises FormatError if one has no numbers."""
    found = known.place(word)
    if word == ANY and found is None:
        found = tuple(sorted(known.ranges))
    if not found or any(cell not in known.ranges for cell in found):
        raise FormatError.at(word, f"expected a cell with a range under numbers:, or 'any', found {shown(word)}")
    return found


def _changes(one: int, other: int, scope: Scope, known: Declared) -> Iterator[Effect]:
    """Yield what pouring does for each number of the second cell: one change if all fits, one if some is left."""
    symbol = {value: number for number, value in enumerate(scope.values) if value is not None}
    (least, greatest), (low, high) = known.ranges[one], known.ranges[other]
    for there in range(low, high):
        room = high - there
        all_fits = range(least + 1, min(least + room, greatest) + 1)
        left_over = range(least + room + 1, greatest + 1)
        table = [*range(len(scope.values))]
        for have in all_fits:
            table[symbol[have]] = symbol[there + have - least]
        whole, rest = After(put=symbol[least]), After(add=-room)
        for haves, mine, its in (
            (all_fits, whole, After(read=one, table=tuple(table))), (left_over, rest, After(put=symbol[high]))
        ):  # fmt: skip
            if haves:
                need = sum([1 << symbol[have] for have in haves])
                yield Effect({one: need, other: 1 << symbol[there]}, {}, {one: mine, other: its})
