"""The components of all ways to put the pieces of a puzzle of listed moves together, from the group of the moves.

Pieces that exchange places, all different, are a wreath product: n places and the group A of the states of one piece
give n! · |A|^n ways. Moves act on them without fixed points, so all components have the size of the group of the moves.
How many there are at least says the abelian quotient of the product: the sign of the permutation of the places, and for
an abelian A the sum of the states (the twist of the corners and the flip of the edges of a cube). Random products of
moves give a size that the group has at least (`reach`). If the two meet, both are exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import factorial, prod
from time import perf_counter

from ..model.model import Model
from ..structure.permutations import Action, orbits
from .reach import Perm, composed, inverse, order_of, pieces_apart

MOST_STATES = 64
"""The most states of a piece."""

MOST_SUMS = 1 << 16
"""The most elements of the abelian quotient that are listed."""

Sums = tuple[tuple[bool, Perm], ...]
"""An element of the abelian quotient: for each set of pieces the sign, and the sum of the states.

A state is the permutation that it makes of the symbols of the pieces.
"""


@dataclass(frozen=True)
class Apart:
    """All ways to put pieces together.

    pieces  sets of pieces that exchange places: how many pieces, and in how many states each
    size    the size of every component
    """

    pieces: tuple[tuple[int, int], ...]
    size: int

    @property
    def ways(self) -> int:
        """How many ways there are."""
        return prod(factorial(count) * states**count for count, states in self.pieces)


def taken_apart(model: Model, position: bytes, seconds: float) -> Apart | None:
    """Return all ways to put the pieces of a position together; None if that is not known, or not within the seconds.

    Cells that all moves carry as one, such as the stickers of a corner, are one piece.
    """
    found = pieces_apart(model, position, perf_counter() + seconds)
    if found is None:
        return None
    told, moves, shown = found
    sets = [_Exchanged.of(moves, cells, shown) for cells in orbits(moves)]
    kinds = [each for each in sets if each is not None]
    if len(kinds) < len(sets):
        return None
    same = tuple((False, each.same) for each in kinds)
    sums = _generated(same, [tuple(each.sums(move) for each in kinds) for move in moves])
    size = order_of(told, moves, shown, seconds)
    if sums is None or size is None:
        return None
    apart = Apart(tuple((len(each.cells), len(each.states)) for each in kinds if each.moved), size)
    whole = prod(len(each.states) * (2 if len(each.cells) > 1 else 1) for each in kinds)
    return apart if size * whole == apart.ways * len(sums) else None


@dataclass(frozen=True)
class _Exchanged:
    """Cells that exchange pieces, and the states of a piece.

    to      how a piece changes on a way from the first cell to each cell; the state there is relative to it
    states  the group of the states, which is abelian and leaves no symbol as it is but by `same`
    """

    cells: tuple[int, ...]
    symbols: tuple[int, ...]
    to: dict[int, Perm]
    states: frozenset[Perm]

    @classmethod
    def of(cls, moves: Sequence[Action], cells: tuple[int, ...], shown: bytes) -> _Exchanged | None:
        """Return the cells of an orbit; None if the group of the states is too large, or not of this kind."""
        symbols = dict.fromkeys(shown[cell] for cell in cells)
        pending = list(symbols)
        while pending:
            symbol = pending.pop()
            new = {move.table[cell][symbol] for move in moves for cell in cells} - symbols.keys()
            symbols.update(dict.fromkeys(new))
            pending += new
        listed = tuple(symbols)
        at = {symbol: index for index, symbol in enumerate(listed)}
        to, grown = {cells[0]: tuple(range(len(listed)))}, True
        while grown:
            grown = False
            for move in moves:
                for cell in cells:
                    source = move.source[cell]
                    if cell not in to and source in to:
                        to[cell] = tuple(at[move.table[cell][listed[index]]] for index in to[source])
                        grown = True
        bare = cls(cells, listed, to, frozenset())
        made = {bare.turned(move, cell) for move in moves for cell in cells}
        if any(composed(one, other) != composed(other, one) for one in made for other in made):
            return None
        states = _closed(bare.same, sorted(made))
        if states is None or any(i == image for each in states if each != bare.same for i, image in enumerate(each)):
            return None
        return cls(cells, listed, to, states)

    @property
    def same(self) -> Perm:
        """The element that changes no state."""
        return tuple(range(len(self.symbols)))

    @property
    def moved(self) -> bool:
        """Whether moves change these cells."""
        return len(self.cells) > 1 or len(self.states) > 1

    def turned(self, move: Action, cell: int) -> Perm:
        """Return how a move changes the state of the piece that it brings to a cell."""
        at = {symbol: index for index, symbol in enumerate(self.symbols)}
        table = tuple(at[move.table[cell][symbol]] for symbol in self.symbols)
        return composed(composed(self.to[move.source[cell]], table), inverse(self.to[cell]))

    def sums(self, move: Action) -> tuple[bool, Perm]:
        """Return the sign of a move, and the sum of its changes of states."""
        total = self.same
        for cell in self.cells:
            total = composed(total, self.turned(move, cell))
        places = {cell: index for index, cell in enumerate(self.cells)}
        source = [places[move.source[cell]] for cell in self.cells]
        odd = sum(a > b for i, a in enumerate(source) for b in source[i + 1 :]) % 2
        return bool(odd), total


def _closed(same: Perm, generators: Sequence[Perm]) -> frozenset[Perm] | None:
    """Return the group that the tables generate; None if it is too large."""
    found, pending = {same}, [same]
    while pending and len(found) <= MOST_STATES:
        each = pending.pop()
        new = {composed(each, generator) for generator in generators} - found
        found |= new
        pending += new
    return frozenset(found) if len(found) <= MOST_STATES else None


def _generated(same: Sums, generators: Sequence[Sums]) -> set[Sums] | None:
    """Return the part of the abelian quotient that the moves generate; None if it is too large."""
    found, pending = {same}, [same]
    while pending and len(found) <= MOST_SUMS:
        each = pending.pop()
        new = {
            tuple((a != c, composed(b, d)) for (a, b), (c, d) in zip(each, generator, strict=True))
            for generator in generators
        } - found
        found |= new
        pending += new
    return found if len(found) <= MOST_SUMS else None
