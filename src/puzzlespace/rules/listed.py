"""Listed moves as rules: a permutation of cells, followed by changes of symbols."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ..errors import FormatError
from ..model.rule import ANY, Rule
from ..puzzle.board import Board
from ..puzzle.draft import NOTHING, WILD, Draft, ListedMove
from . import common


def swapped_in(draft: Draft) -> list[str]:
    """Return the symbols of `swap:`; raise FormatError if one is no symbol."""
    swapped = [letter for cycle in draft.swap for letter in cycle]
    for letter in swapped:
        if letter in (WILD, NOTHING):
            raise FormatError.at(letter, f"swap: expected a symbol, found {str(letter)!r}")
    return swapped


def check_swap(swapped: Sequence[str], shown: set[str], cycles: Sequence[Sequence[str]]) -> None:
    """Raise FormatError if a symbol is in two cycles, or a cycle has no symbol that a drawing shows."""
    for index, letter in enumerate(swapped):
        if letter in swapped[:index]:
            raise FormatError.at(letter, f"swap: expected every symbol once, found {str(letter)!r} again")
    for cycle in cycles:
        if not shown & {*cycle}:
            raise FormatError.at(
                cycle[0], f"swap: expected one of the symbols {' '.join(sorted(shown))}, found {str(cycle[0])!r}"
            )


def swap_table(draft: Draft, symbols: Mapping[str, int]) -> tuple[int, ...]:
    """Return the table of `~`: for each symbol, the next one of its cycle."""
    table = list(range(len(symbols)))
    for cycle in draft.swap:
        for letter, following in zip(cycle, (*cycle[1:], cycle[0]), strict=True):
            table[symbols[letter]] = symbols[following]
    return tuple(table)


def rule_of(move: ListedMove, board: Board, table: tuple[int, ...]) -> Rule:
    """Return the rule of a listed move. Raises FormatError if it changes nothing."""
    came = dict(_permutation(move, board))
    times: dict[int, int] = {}
    for word in _swaps(move):
        if table == tuple(range(len(table))):
            raise FormatError.at(word, "expected swap: to say what ~ and flip do to a symbol, found no swap:")
        cell = common.cell_of(board, word)
        times[cell] = times.get(cell, 0) + 1
    tables = {cell: _power(table, count) for cell, count in times.items()}
    cells = [c for c in sorted({*came, *tables}) if came.get(c, c) != c or tables.get(c)]
    if not cells:
        raise FormatError.at(move.name, f"expected a move that changes something, found {str(move.name)!r}")
    return Rule(
        str(move.name),
        tuple(cells),
        (ANY,) * len(cells),
        tuple(cells.index(came.get(cell, cell)) for cell in cells),
        tuple(tables.get(cell) for cell in cells),
    )


def _permutation(move: ListedMove, board: Board) -> Iterator[tuple[int, int]]:
    """Yield (cell, the cell that its contents come from) for a listed move."""
    written = [cycle for cycle in move.cells if cycle]
    cycles = [[common.cell_of(board, word) for word in cycle] for cycle in written]
    for cells, words in zip(cycles, written, strict=True):
        for index, cell in enumerate(cells):
            if cell in cells[:index]:
                raise FormatError.at(words[index], f"expected every cell once, found {str(words[index])!r} again")
    if move.kind != "cycles":
        for cells in cycles:
            yield from zip(cells, reversed(cells), strict=True)
        return
    came = {cell: cell for cells in cycles for cell in cells}
    for cells in cycles:
        came |= dict(zip((*cells[1:], cells[0]), [came[cell] for cell in cells], strict=True))
    yield from came.items()


def _swaps(move: ListedMove) -> Sequence[str]:
    """Return the cells whose symbols change, once for each change."""
    return (*move.swaps, *(word for cells in move.cells for word in cells if move.kind == "flip"))


def _power(table: tuple[int, ...], times: int) -> tuple[int, ...] | None:
    """Return a power of a table, or None if it is the identity."""
    result = tuple(range(len(table)))
    for _ in range(times):
        result = tuple(table[symbol] for symbol in result)
    return None if result == tuple(range(len(table))) else result
