"""Colouring by thirds: why a peg puzzle cannot be solved, without search.

Give the cells three colours so that the three cells of every jump have all of them. A jump then changes the number of
pegs on each colour by one, so which of the three numbers are odd alike never changes. On a square grid there are two
such colourings, along the two diagonals (Reiss 1857; as sums in the Klein four-group: de Bruijn 1972).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from ..contract.answers import Reason
from ..limits.watch import paced
from ..model.model import Model, allowed

MOST_FREE = 8
"""Colourings are looked for where at most 3^MOST_FREE sums modulo 3 could be one."""

Colouring = tuple[int, ...]
"""The colour of each cell, 0, 1 or 2; -1 for cells that no jump touches."""


def colourings(model: Model) -> list[Colouring]:
    """Return the colourings by thirds of a model whose rules all flip three cells, up to renaming the colours."""
    triples = {tuple(sorted(rule.cells)) for rule in paced(model.rules)}
    if model.symbols != 2 or not triples or any(len(triple) != 3 for triple in triples) or not _all_flip(model):
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


def _all_flip(model: Model) -> bool:
    """Return whether every rule wants one symbol in each of its cells and leaves the other."""
    for rule in paced(model.rules):
        old = [allowed(need, 2) for need in rule.need]
        if any(len(symbols) != 1 for symbols in old):
            return False
        new = [old[s][0] if t is None else t[old[s][0]] for s, t in zip(rule.source, rule.table, strict=True)]
        if any(a[0] == b for a, b in zip(old, new, strict=True)):
            return False
    return True


def _sums(triples: Sequence[tuple[int, ...]], cells: Sequence[int]) -> Iterator[dict[int, int]]:
    """Yield all ways to give the cells 0, 1 or 2 so that each triple (alike, or all different) sums to 0 modulo 3."""
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
    """Return the row less so much of the other that the pivot goes, modulo 3."""
    factor = row[pivot]
    sums = {cell: (row.get(cell, 0) - factor * other.get(cell, 0)) % 3 for cell in row.keys() | other.keys()}
    return {cell: value for cell, value in sums.items() if value}


def reason(
    model: Model, start: bytes, goals: Sequence[bytes], names: Sequence[str], letters: Sequence[str]
) -> Reason | None:
    """Return why a colouring by thirds rules out every goal, or None where it does not.

    names    the cells' names, letters the symbols'
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
    """Return how many cells of each colour show symbol 1."""
    return [
        sum(colour == each and symbol == 1 for colour, symbol in zip(colours, position, strict=True))
        for each in range(3)
    ]


def _pattern(found: Sequence[Colouring], position: bytes) -> tuple[tuple[bool, ...], ...]:
    """Return for each colouring which numbers are odd like the first, and what stands where no jump comes."""
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
