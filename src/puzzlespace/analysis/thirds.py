"""Colouring by thirds: a proof without search that a peg puzzle cannot be solved.

Colour the cells with three colours such that the three cells of every jump have different colours. A jump then changes
the number of pegs of each colour by one, so the differences of these numbers modulo 2 are invariant. A square grid has
two such colourings, along the two diagonals (Reiss 1857; as sums in the Klein four-group: de Bruijn 1972).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from ..contract.answers import Reason
from ..limits.watch import paced
from ..model.model import Model
from ..structure.jumps import flipped

MOST_FREE = 8
"""Colourings are searched if at most 3^MOST_FREE candidates exist."""

Colouring = tuple[int, ...]
"""The colour of each cell: 0, 1 or 2; -1 for cells of no jump."""


def colourings(model: Model) -> list[Colouring]:
    """Return the colourings by thirds up to renaming the colours; none unless every rule flips three cells."""
    triples = {tuple(sorted(rule.cells)) for rule in paced(model.rules)}
    if model.symbols != 2 or not triples or any(len(triple) != 3 for triple in triples):
        return []
    if any(flipped(rule) is None for rule in paced(model.rules)):
        return []
    touched = sorted({cell for triple in triples for cell in triple})
    found: dict[Colouring, None] = {}
    for colours in _sums(sorted(triples), touched):
        if all(len({colours[cell] for cell in triple}) == 3 for triple in triples):
            named: dict[int, int] = {}
            for cell in touched:
                named.setdefault(colours[cell], len(named))
            found[tuple(named[colours[cell]] if cell in colours else -1 for cell in range(model.cells))] = None
    return list(found)


def _sums(triples: Sequence[tuple[int, ...]], cells: Sequence[int]) -> Iterator[dict[int, int]]:
    """Yield all functions from the cells to 0, 1, 2 with sum 0 modulo 3 on each triple (all equal or all different)."""
    rows: dict[int, dict[int, int]] = {}
    for triple in triples:
        row = dict.fromkeys(triple, 1)
        for pivot in sorted(rows):
            if row.get(pivot):
                row = _without(row, rows[pivot], pivot)
        if row:
            pivot = min(row)
            inverse = row[pivot]  # 1 and 2 are their own inverses modulo 3
            rows[pivot] = {cell: value * inverse % 3 for cell, value in row.items()}
    free = [cell for cell in cells if cell not in rows]
    if len(free) > MOST_FREE:
        return
    for values in product(range(3), repeat=len(free)):
        found = dict(zip(free, values, strict=True))
        for pivot in sorted(rows, reverse=True):
            found[pivot] = -sum(value * found[cell] for cell, value in rows[pivot].items() if cell != pivot) % 3
        yield found


def _without(row: dict[int, int], other: dict[int, int], pivot: int) -> dict[int, int]:
    """Return the row minus the multiple of the other that cancels the pivot, modulo 3."""
    factor = row[pivot]
    sums = {cell: (row.get(cell, 0) - factor * other.get(cell, 0)) % 3 for cell in row.keys() | other.keys()}
    return {cell: value for cell, value in sums.items() if value}


def reason(
    model: Model, start: bytes, goals: Sequence[bytes], names: Sequence[str], letters: Sequence[str]
) -> Reason | None:
    """Return the reason if colourings by thirds exclude every goal, else None.

    names    the names of the cells, for the text of the reason
    letters  the letters of the symbols, for the same
    """
    found = colourings(model)
    wanted = [_pattern(found, start)]
    if not found or any(_pattern(found, goal) == wanted[0] for goal in goals):
        return None
    for colours in found:
        one = [colours]
        if all(_pattern(one, goal) != _pattern(one, start) for goal in goals):
            return Reason("invariant", _words(one, start, goals, names, letters))
    return Reason("invariant", _words(found, start, goals, names, letters))


def _numbers(colours: Colouring, position: bytes) -> list[int]:
    """Return the number of cells of each colour that show symbol 1."""
    return [
        sum(colour == each and symbol == 1 for colour, symbol in zip(colours, position, strict=True))
        for each in range(3)
    ]


def _pattern(found: Sequence[Colouring], position: bytes) -> tuple[tuple[bool, ...], ...]:
    """Return for each colouring which of the three numbers have the parity of the first."""
    numbers = [_numbers(colours, position) for colours in found]
    return tuple(tuple((number - row[0]) % 2 == 0 for number in row) for row in numbers)


def _words(
    found: Sequence[Colouring], start: bytes, goals: Sequence[bytes], names: Sequence[str], letters: Sequence[str]
) -> str:
    peg = letters[1] if len(letters) > 1 else "1"
    parts: list[str] = []
    for colours in found:
        groups = (" ".join(names[c] for c, colour in enumerate(colours) if colour == each) for each in range(3))
        here = " ".join(map(str, _numbers(colours, start)))
        there = {" ".join(map(str, _numbers(colours, goal))) for goal in goals}
        last = f"goal {there.pop()}" if len(there) == 1 else "goals " + ", ".join(sorted(there))
        parts.append(f"on {' | '.join(groups)}: start {here}; {last}")
    end = "" if len(found) == 1 else ", and no goal fits both" if len(found) == 2 else ", and no goal fits all"
    return (
        "colour the cells by thirds, so that every jump touches each colour once: it changes the number of "
        f"{peg} on all three by one, so which of the three are odd alike never changes; {'; '.join(parts)}{end}"
    )
