"""What listed moves do to cells in a row: exchange them, shift them round, or reverse the first of them."""

from __future__ import annotations

from ..model.rule import Rule


def origins(rule: Rule) -> dict[int, int]:
    """Return for each cell of a rule the cell whose old symbol determines the new one."""
    return {cell: rule.cells[source] for cell, source in zip(rule.cells, rule.source, strict=True)}


def exchanges(rule: Rule) -> bool:
    """Return whether the rule carries symbols the same way as its inverse."""
    return all(rule.source[source] == place for place, source in enumerate(rule.source))


def shifts(rule: Rule, cells: int) -> bool:
    """Return whether the rule carries the symbol of every cell to the next one, that of the last to the first."""
    came = origins(rule)
    return not any(rule.table) and all(came.get(cell) == (cell - 1) % cells for cell in range(cells))


def reverses(rule: Rule) -> bool:
    """Return whether the rule reverses the cells up to its last one; symbols may change."""
    last, came = max(rule.cells), origins(rule)
    return all(came.get(cell, cell) == last - cell for cell in range(last + 1))
