"""A number for each piece of a position, with its goal places; two equal pieces are told apart by parity.

A search can use these numbers instead of symbols, because a piece keeps its number when it moves. Two equal pieces
reach their goal places in one of two ways; if a parity determines which, they count as different pieces.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ..model.facts import parities
from ..model.model import Model
from ..model.rule import Rule
from ..structure.slides import Slides


@dataclass(frozen=True)
class Labels:
    """The pieces of a position; label 0 is the blank and label k + 1 the piece k.

    symbols  the symbol of each piece
    cells    where each piece is
    targets  the cells where each piece may be in the goal
    """

    symbols: tuple[int, ...]
    cells: tuple[int, ...]
    targets: tuple[frozenset[int], ...]

    @property
    def unique_targets(self) -> bool:
        """Whether every piece has only one cell where it may be in the goal."""
        return all(len(cells) == 1 for cells in self.targets)


def read(slides: Slides, start: bytes, goal: bytes, tell_apart: bool) -> Labels:
    """Return the pieces of `start` with their places in `goal`.

    Symbols and targets are the same for all positions from which the goal can be reached.

    tell_apart  whether two equal pieces are told apart if a parity can
    """
    pieces = sorted((symbol, cell) for cell, symbol in enumerate(start) if symbol not in (slides.blank, slides.body))
    symbols, cells = [symbol for symbol, _ in pieces], [cell for _, cell in pieces]
    places = {symbol: [cell for cell, other in enumerate(goal) if other == symbol] for symbol in symbols}
    targets = [frozenset(places[symbol]) for symbol in symbols]
    twins = [number for number, symbol in enumerate(symbols) if len(places[symbol]) > 1]
    if tell_apart and len(twins) == 2:
        first, second = twins
        ends = places[symbols[first]]
        fits = allowed_ends(slides, start, goal, cells[second], ends)
        if len(fits) == 1:
            if fits[0] == ends[0]:
                cells[first], cells[second] = cells[second], cells[first]
            targets[first], targets[second] = frozenset(ends[:1]), frozenset(ends[1:])
    return Labels(tuple(symbols), tuple(cells), tuple(targets))


def allowed_ends(slides: Slides, start: bytes, goal: bytes, cell: int, ends: Sequence[int]) -> list[int]:
    """Return those of `ends` that no parity forbids for the piece in `cell`, which is one of two equal pieces."""
    model = slides.model
    new = model.symbols
    here, *there = (
        bytes(new if at == c else s for at, s in enumerate(p))
        for p, c in ((start, cell), *((goal, end) for end in ends))
    )
    rules = tuple(_widened(rule, start[cell], new) for rule in slides.usable(start))
    found = parities(Model(model.cells, new + 1, rules, start=here), 0)
    return [
        end for end, position in zip(ends, there, strict=True)
        if all(parity.value(here) == parity.value(position) for parity in found)
    ]  # fmt: skip


def _widened(rule: Rule, symbol: int, new: int) -> Rule:
    """Return the rule with a new symbol that is treated like `symbol`."""
    need = tuple(n | 1 << new if n > 0 and n >> symbol & 1 else n for n in rule.need)
    table = tuple(None if t is None else (*t, new if t[symbol] == symbol else t[symbol]) for t in rule.table)
    return replace(rule, need=need, table=table)
