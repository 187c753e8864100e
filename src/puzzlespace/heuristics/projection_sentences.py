"""What a sentence can be if only a set of symbols is known for each cell: true, false, or either."""

from __future__ import annotations

from collections.abc import Sequence
from functools import singledispatch

from ..model.rule import symbols_of
from ..model.sentence import Alike, Compared, Connected, Counted, Every, Not, Sentence, Shows, Some

Shown = Sequence[int]
"""For each cell the symbols that it may show, as a bit set; never empty."""

Outlook = tuple[bool, bool]
"""Whether a sentence can be true, and whether it can be false. Both may be said although only one is possible."""


@singledispatch
def outlook(said: Sentence, shown: Shown) -> Outlook:
    """Return what a sentence can be; of kinds of sentences that are not known here, either."""
    return True, True


@outlook.register
def _(said: Shows, shown: Shown) -> Outlook:
    return bool(shown[said.cell] & said.need), bool(shown[said.cell] & ~said.need)


@outlook.register
def _(said: Every, shown: Shown) -> Outlook:
    parts = [outlook(part, shown) for part in said.parts]
    return all(can for can, _ in parts), any(cannot for _, cannot in parts)


@outlook.register
def _(said: Some, shown: Shown) -> Outlook:
    parts = [outlook(part, shown) for part in said.parts]
    return any(can for can, _ in parts), all(cannot for _, cannot in parts)


@outlook.register
def _(said: Not, shown: Shown) -> Outlook:
    true, false = outlook(said.part, shown)
    return false, true


@outlook.register
def _(said: Counted, shown: Shown) -> Outlook:
    most = sum(1 for cell in said.among_cells if shown[cell] & said.need)
    least = sum(1 for cell in said.among_cells if not shown[cell] & ~said.need)
    return least <= said.high and most >= said.low, least < said.low or most > said.high


@outlook.register
def _(said: Compared, shown: Shown) -> Outlook:
    values = [[table[symbol] for symbol in symbols_of(shown[cell])] for cell, table in said.terms]
    least, most = sum(map(min, values)), sum(map(max, values))
    above = said.low is None or most >= said.low
    below = said.high is None or least <= said.high
    outside = (said.low is not None and least < said.low) or (said.high is not None and most > said.high)
    return above and below, outside


@outlook.register
def _(said: Alike, shown: Shown) -> Outlook:
    common, some = -1, 0
    for cell in said.among_cells:
        common &= shown[cell]
        some |= shown[cell]
    return bool(common), len(set(said.among_cells)) > 1 and bool(some & (some - 1))


@outlook.register
def _(said: Connected, shown: Shown) -> Outlook:
    cells = range(len(said.links))
    inside = {cell for cell in cells if not shown[cell] & ~said.need}
    perhaps = {cell for cell in cells if shown[cell] & said.need}
    joined = inside <= _around(said.links, perhaps, next(iter(inside))) if inside else True
    if inside == perhaps:
        return joined, not joined
    return joined, True


def _around(links: Sequence[Sequence[int]], within: set[int], first: int) -> set[int]:
    """Return the cells of a set that hang together with one of them."""
    found, pending = {first}, [first]
    while pending:
        for cell in links[pending.pop()]:
            if cell in within and cell not in found:
                found.add(cell)
                pending.append(cell)
    return found
