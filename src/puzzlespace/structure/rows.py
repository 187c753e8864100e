"""What listed moves do to cells in a row: exchange them, shift them round, or reverse the first of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..limits.watch import paced
from ..model.kept import kept
from ..model.rule import Rule, single_symbols


@dataclass(frozen=True, slots=True)
class RowMove:
    """A listed move.

    cells      those that it tests or changes, sorted
    needed     the symbols that it needs, each alone in some cell
    tables     how symbols change on their way
    exchanges  whether it carries symbols the same way as its inverse
    shifts     whether it carries the symbol of every cell to the next one, that of the last to the first
    reverses   whether it reverses the cells up to its last one; symbols may change
    """

    cells: tuple[int, ...]
    needed: frozenset[int]
    tables: frozenset[tuple[int, ...]]
    exchanges: bool
    shifts: bool
    reverses: bool


def read(rules: Sequence[Rule], cells: int) -> tuple[RowMove, ...]:
    """Return what each of the rules does on a board of so many cells."""
    return kept(rules, _read, cells)


def _read(rules: Sequence[Rule], cells: int) -> tuple[RowMove, ...]:
    return tuple([_listed(rule, cells) for rule in paced(rules)])


def _listed(rule: Rule, cells: int) -> RowMove:
    came = {cell: rule.cells[source] for cell, source in zip(rule.cells, rule.source, strict=True)}
    last = max(rule.cells, default=-1)
    return RowMove(
        tuple(sorted(rule.cells)),
        frozenset(single_symbols(rule.need)),
        frozenset(filter(None, rule.table)),
        exchanges=all(rule.source[source] == place for place, source in enumerate(rule.source)),
        shifts=not any(rule.table) and all(came.get(cell) == (cell - 1) % cells for cell in range(cells)),
        reverses=all(came.get(cell, cell) == last - cell for cell in range(last + 1)),
    )
