"""Pattern databases for any slide puzzle: the depth table of a few pieces on an otherwise empty board.

It is for any number of blanks, blocks and goals: all other pieces are replaced by blanks, which cannot make a solution
longer. It is for metrics in which a move moves one piece: each move counts in one table only, so the depths of disjoint
groups are added, with the distance of each piece in no group. (If one move carries a row of pieces, removing some of
them would break the row.) Plain Python, for groups of few positions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import comb

from ..errors import InputError, UnsupportedError
from ..model.goal import Goal
from ..structure.slides import Slides
from .distance import DistanceBound
from .spelling import Division

MOST_POSITIONS = 20_000
"""The most positions of a group."""


@dataclass(frozen=True)
class Groups:
    """Groups of symbols; every piece of a symbol is in the group of its symbol."""

    slides: Slides
    goals: tuple[Goal, ...]
    symbols: tuple[tuple[int, ...], ...]
    counts: dict[int, int]

    @classmethod
    def chosen(cls, slides: Slides, goals: tuple[Goal, ...], start: bytes, asked: Division = ()) -> Groups:
        """Return the groups asked for, or groups of as many symbols as fit; symbols of too many pieces are left out.

        Raises InputError for sizes of more pieces than there are, UnsupportedError for groups that are too large or
        separate equal pieces.
        """
        position = goals[0].position or start
        counts = {symbol: position.count(symbol) for symbol in slides.pieces if position.count(symbol)}
        if asked:
            sizes = tuple(size for size in asked if isinstance(size, int))
            symbols = tuple(group for group in asked if isinstance(group, tuple))
            cells = slides.model.cells
            groups = sized(counts, sizes, cells) if sizes else _of_symbols(counts, symbols, cells)
            return cls(slides, goals, groups, counts)
        found: list[tuple[int, ...]] = []
        for symbol in counts:
            joined = (*found[-1], symbol) if found else (symbol,)
            if arrangements(joined, counts, slides.model.cells) <= MOST_POSITIONS:
                found[-1:] = [joined]
            elif arrangements((symbol,), counts, slides.model.cells) <= MOST_POSITIONS:
                found.append((symbol,))
        return cls(slides, goals, tuple(found), counts)

    @cached_property
    def tables(self) -> tuple[dict[bytes, int], ...]:
        """For each group the depth of every arrangement of its pieces."""
        return tuple(self._table(group) for group in self.symbols)

    @cached_property
    def left(self) -> dict[int, tuple[int, ...]]:
        """For each symbol in no group the distance from every cell."""
        inside = {symbol for group in self.symbols for symbol in group}
        return {s: table for s, table in DistanceBound(self.slides, self.goals).tables.items() if s not in inside}

    def alone(self, group: Sequence[int], position: bytes) -> bytes:
        """Return the position with all pieces replaced by blanks, except those of the group."""
        slides = self.slides
        left = bytearray(slides.blank if s not in group else s for s in position)
        for cell, symbol in enumerate(position):
            if symbol in group and slides.model.shapes is not None:
                for other in slides.model.shapes.covers[symbol][cell] or ():
                    left[other] = slides.body
        return bytes(left)

    def _table(self, group: tuple[int, ...]) -> dict[bytes, int]:
        moves = self.slides.model.moves
        layer = list(dict.fromkeys(self._ends(group)))
        found = dict.fromkeys(layer, 0)
        depth = 0
        while layer:
            depth += 1
            layer = [c for c in dict.fromkeys(c for position in layer for c in moves(position)) if c not in found]
            found.update(dict.fromkeys(layer, depth))
        return found

    def _ends(self, group: tuple[int, ...]) -> Iterator[bytes]:
        """Yield every arrangement of the group that some goal allows."""
        for goal in self.goals:
            if goal.position is not None:
                yield self.alone(group, goal.position)
                continue
            partial = [bytes([self.slides.blank]) * self.slides.model.cells]
            for symbol in group:
                cells = sorted(self.slides.targets((goal,), symbol))
                chosen = list(combinations(cells, self.counts[symbol]))
                partial = [added for p in partial for some in chosen if (added := self._with_pieces(p, symbol, some))]
            yield from partial

    def _with_pieces(self, position: bytes, symbol: int, cells: Sequence[int]) -> bytes | None:
        """Return the position with pieces added in some cells, or None if they do not fit."""
        filled = bytearray(position)
        shapes = self.slides.model.shapes
        for cell in cells:
            covered = shapes.covers[symbol][cell] if shapes is not None else ()
            if covered is None or any(filled[other] != self.slides.blank for other in (cell, *covered)):
                return None
            filled[cell] = symbol
            for other in covered:
                filled[other] = self.slides.body
        return bytes(filled)

    def bound(self, position: bytes) -> int:
        """Return a lower bound on the moves from the position to a goal."""
        pairs = zip(self.symbols, self.tables, strict=True)
        rest = sum(self.left[symbol][cell] for cell, symbol in enumerate(position) if symbol in self.left)
        return rest + sum(table.get(self.alone(group, position), 0) for group, table in pairs)


def sized(counts: dict[int, int], sizes: Sequence[int], cells: int) -> tuple[tuple[int, ...], ...]:
    """Return groups of symbols, in order, that have these numbers of pieces; `counts` are the pieces of each symbol.

    Raises InputError for more pieces than there are, UnsupportedError for groups that separate equal pieces or have
    more than `MOST_POSITIONS` positions.
    """
    check_sizes(sizes, sum(counts.values()))
    groups: list[tuple[int, ...]] = []
    left = list(counts)
    for size in sizes:
        group: list[int] = []
        while left and sum(counts[symbol] for symbol in group) < size:
            group.append(left.pop(0))
        if sum(counts[symbol] for symbol in group) != size:
            raise UnsupportedError(f"heuristic pattern: equal pieces share a group, so no group has {size} pieces")
        _check_positions(group, counts, cells)
        groups.append(tuple(group))
    return tuple(groups)


def _of_symbols(counts: dict[int, int], groups: Sequence[tuple[int, ...]], cells: int) -> tuple[tuple[int, ...], ...]:
    """Return the groups without symbols that no piece has; raise UnsupportedError if one is too large."""
    found = tuple(tuple(symbol for symbol in group if symbol in counts) for group in groups)
    for group in found:
        _check_positions(group, counts, cells)
    return found


def arrangements(group: Sequence[int], counts: dict[int, int], cells: int) -> int:
    """Return the number of arrangements of the pieces of a group, if equal pieces are interchangeable."""
    ways = 1
    for symbol in group:
        ways *= comb(cells, counts[symbol])
        cells -= counts[symbol]
    return ways


def _check_positions(group: Sequence[int], counts: dict[int, int], cells: int) -> None:
    """Raise UnsupportedError if a group has too many positions."""
    ways = arrangements(group, counts, cells)
    if ways > MOST_POSITIONS:
        most = f"groups here have at most {MOST_POSITIONS:,} positions"
        size = sum(counts[symbol] for symbol in group)
        raise UnsupportedError(f"heuristic pattern: {most}, and {size} pieces have {ways:,}")


def check_sizes(sizes: Sequence[int], pieces: int) -> None:
    """Raise InputError if groups of these sizes have more pieces than there are."""
    if sum(sizes) > pieces:
        asked = "-".join(map(str, sizes))
        raise InputError(f"heuristic pattern:{asked}: {sum(sizes)} pieces asked for, and there are {pieces}")
