"""Sentences about a position: what goals, forbidden positions and conditions of moves say, as data.

A sentence is said of one position (`holds`), or of many at once (`among`), whose cells are columns of symbols.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import combinations, product
from math import comb
from typing import Any

from .rule import symbols_of

Columns = Callable[[int], Any]
"""Returns for a cell its symbol in each of n positions: an array of whole numbers [n]."""

Needs = dict[int, int]
"""Cells, each with the set of symbols that it may show, as in `Rule.need`."""

MOST_CASES = 4096
"""The most cases into which a condition of a move is taken apart; each is a rule of its own at every place."""

MOST_JOINED = 1 << 16
"""The most pairs of cases that are joined for one 'and'."""


class TooManyCasesError(ValueError):
    """A condition of a move has more than MOST_CASES cases."""


class Sentence(ABC):
    """Something that is true or false of a position."""

    @abstractmethod
    def holds(self, position: bytes) -> bool:
        """Return whether it is true of a position."""

    @abstractmethod
    def among(self, columns: Columns) -> Any:
        """Return for each of n positions whether it is true: booleans [n], or one for all."""

    @abstractmethod
    def cells(self) -> frozenset[int]:
        """Return the cells on which it depends."""

    def fits(self, cells: int, symbols: int) -> bool:
        """Return whether it can be said of positions with so many cells, and symbols below `symbols`."""
        return all(0 <= cell < cells for cell in self.cells())

    def cases(self, symbols: int) -> list[Needs]:
        """Return needs such that the sentence is true exactly if every cell of one of them shows an allowed symbol.

        Raises TooManyCasesError.
        """
        cells = sorted(self.cells())
        if symbols ** len(cells) > MOST_CASES:
            raise TooManyCasesError
        found: list[Needs] = []
        for shown in product(range(symbols), repeat=len(cells)):
            position = bytearray(max(cells, default=-1) + 1)
            for cell, symbol in zip(cells, shown, strict=True):
                position[cell] = symbol
            if self.holds(bytes(position)):
                found.append({cell: 1 << symbol for cell, symbol in zip(cells, shown, strict=True)})
        return found


@dataclass(frozen=True, slots=True)
class Shows(Sentence):
    """A cell shows one of some symbols; `need` as in `Rule.need`, without ANY."""

    cell: int
    need: int

    def holds(self, position: bytes) -> bool:
        return bool(self.need >> position[self.cell] & 1)

    def among(self, columns: Columns) -> Any:
        return _shows(columns(self.cell), self.need)

    def cells(self) -> frozenset[int]:
        return frozenset((self.cell,))

    def cases(self, symbols: int) -> list[Needs]:
        return [{self.cell: self.need}] if self.need else []


@dataclass(frozen=True, slots=True)
class _Joined(Sentence):
    """Several sentences joined."""

    parts: tuple[Sentence, ...]

    @property
    def flat(self) -> Iterator[Sentence]:
        """What is joined, also by sentences of the same kind inside."""
        for part in self.parts:
            if isinstance(part, _Joined) and type(part) is type(self):
                yield from part.flat
            else:
                yield part

    def cells(self) -> frozenset[int]:
        return frozenset(cell for part in self.parts for cell in part.cells())

    def fits(self, cells: int, symbols: int) -> bool:
        return all(part.fits(cells, symbols) for part in self.parts)


@dataclass(frozen=True, slots=True)
class Every(_Joined):
    """All of some sentences are true."""

    def holds(self, position: bytes) -> bool:
        return all(part.holds(position) for part in self.parts)

    def among(self, columns: Columns) -> Any:
        found: Any = True
        for part in self.parts:
            found = found & part.among(columns)
        return found

    def cases(self, symbols: int) -> list[Needs]:
        found: list[Needs] = [{}]
        for part in self.parts:
            cases = part.cases(symbols)
            if len(found) * len(cases) > MOST_JOINED:
                raise TooManyCasesError
            found = [both for one in found for other in cases if (both := _both(one, other)) is not None]
            if len(found) > MOST_CASES:
                raise TooManyCasesError
        return found


@dataclass(frozen=True, slots=True)
class Some(_Joined):
    """At least one of some sentences is true."""

    def holds(self, position: bytes) -> bool:
        return any(part.holds(position) for part in self.parts)

    def among(self, columns: Columns) -> Any:
        found: Any = False
        for part in self.parts:
            found = found | part.among(columns)
        return found

    def cases(self, symbols: int) -> list[Needs]:
        found = [case for part in self.parts for case in part.cases(symbols)]
        if len(found) > MOST_CASES:
            raise TooManyCasesError
        return found


@dataclass(frozen=True, slots=True)
class Not(Sentence):
    """A sentence is false."""

    part: Sentence

    def holds(self, position: bytes) -> bool:
        return not self.part.holds(position)

    def among(self, columns: Columns) -> Any:
        return self.part.among(columns) ^ True

    def cells(self) -> frozenset[int]:
        return self.part.cells()

    def fits(self, cells: int, symbols: int) -> bool:
        return self.part.fits(cells, symbols)

    def cases(self, symbols: int) -> list[Needs]:
        every = (1 << symbols) - 1
        if isinstance(self.part, Shows):
            return Shows(self.part.cell, every & ~self.part.need).cases(symbols)
        if isinstance(self.part, Not):
            return self.part.part.cases(symbols)
        if isinstance(self.part, Every):
            return Some(tuple(map(Not, self.part.parts))).cases(symbols)
        if isinstance(self.part, Some):
            return Every(tuple(map(Not, self.part.parts))).cases(symbols)
        if isinstance(self.part, Counted):
            fewer = replace(self.part, low=0, high=self.part.low - 1)
            more = replace(self.part, low=self.part.high + 1, high=len(self.part.among_cells))
            return Some((fewer, more)).cases(symbols)
        return Sentence.cases(self, symbols)


@dataclass(frozen=True, slots=True)
class Counted(Sentence):
    """Of some cells, at least `low` and at most `high` show one of the symbols of `need`."""

    need: int
    among_cells: tuple[int, ...]
    low: int
    high: int

    def holds(self, position: bytes) -> bool:
        return self.low <= sum(self.need >> position[cell] & 1 for cell in self.among_cells) <= self.high

    def among(self, columns: Columns) -> Any:
        found: Any = 0
        for cell in self.among_cells:
            found = found + _shows(columns(cell), self.need)
        return (found >= self.low) & (found <= self.high)

    def cells(self) -> frozenset[int]:
        return frozenset(self.among_cells)

    def cases(self, symbols: int) -> list[Needs]:
        every, size = (1 << symbols) - 1, len(self.among_cells)
        low, high = max(self.low, 0), min(self.high, size)
        if low > high:
            return []
        if high == size:
            parts = [(low, self.need & every, every)]
        elif low == 0:
            parts = [(size - high, every & ~self.need, every)]
        else:
            parts = [(number, self.need & every, every & ~self.need) for number in range(low, high + 1)]
        if sum(comb(size, number) for number, _, _ in parts) > MOST_CASES:
            raise TooManyCasesError
        return [case for part in parts for case in self._with(*part, every)]

    def _with(self, number: int, here: int, elsewhere: int, every: int) -> Iterator[Needs]:
        """Yield the cases in which so many of the cells show a symbol of `here`, and the others one of `elsewhere`."""
        for chosen in combinations(self.among_cells, number):
            needs = dict.fromkeys(self.among_cells, elsewhere) | dict.fromkeys(chosen, here)
            if all(needs.values()):
                yield {cell: need for cell, need in needs.items() if need != every}


@dataclass(frozen=True, slots=True)
class Compared(Sentence):
    """A sum of numbers is between two: low <= sum of table[symbol in the cell] for all (cell, table) <= high.

    low, high  None: no such bound
    """

    terms: tuple[tuple[int, tuple[int, ...]], ...]
    low: int | None
    high: int | None

    def holds(self, position: bytes) -> bool:
        found = sum(table[position[cell]] for cell, table in self.terms)
        return (self.low is None or self.low <= found) and (self.high is None or found <= self.high)

    def among(self, columns: Columns) -> Any:
        import numpy as np

        found: Any = 0
        for cell, table in self.terms:
            found = found + np.array(table, np.int64)[columns(cell)]
        low: Any = True if self.low is None else found >= self.low
        high: Any = True if self.high is None else found <= self.high
        return low & high

    def cells(self) -> frozenset[int]:
        return frozenset(cell for cell, _ in self.terms)

    def fits(self, cells: int, symbols: int) -> bool:
        return Sentence.fits(self, cells, symbols) and all(len(table) >= symbols for _, table in self.terms)


@dataclass(frozen=True, slots=True)
class Alike(Sentence):
    """Some cells all show the same symbol."""

    among_cells: tuple[int, ...]

    def holds(self, position: bytes) -> bool:
        return len({position[cell] for cell in self.among_cells}) <= 1

    def among(self, columns: Columns) -> Any:
        found: Any = True
        for cell in self.among_cells[1:]:
            found = found & (columns(cell) == columns(self.among_cells[0]))
        return found

    def cells(self) -> frozenset[int]:
        return frozenset(self.among_cells)

    def cases(self, symbols: int) -> list[Needs]:
        return [dict.fromkeys(self.among_cells, 1 << symbol) for symbol in range(symbols)]


@dataclass(frozen=True, slots=True)
class Connected(Sentence):
    """The cells that show a symbol of `need` hang together; also if there are none.

    links  for each cell of the board its neighbours
    """

    need: int
    links: tuple[tuple[int, ...], ...]

    def holds(self, position: bytes) -> bool:
        wanted = {cell for cell in range(len(self.links)) if self.need >> position[cell] & 1}
        pending = [next(iter(wanted))] if wanted else []
        wanted.difference_update(pending)
        while pending:
            for cell in self.links[pending.pop()]:
                if cell in wanted:
                    wanted.remove(cell)
                    pending.append(cell)
        return not wanted

    def among(self, columns: Columns) -> Any:
        import numpy as np

        shown = np.stack([_shows(columns(cell), self.need) for cell in range(len(self.links))], axis=1)
        reached = np.zeros_like(shown)
        reached[np.arange(len(shown)), shown.argmax(axis=1)] = True
        reached &= shown
        while True:
            before = reached.copy()
            for cell, near in enumerate(self.links):
                if near:
                    reached[:, cell] |= shown[:, cell] & reached[:, list(near)].any(axis=1)
            if (before == reached).all():
                return (reached == shown).all(axis=1)

    def cells(self) -> frozenset[int]:
        return frozenset(range(len(self.links)))

    def fits(self, cells: int, symbols: int) -> bool:
        size = len(self.links)
        return size <= cells and all(0 <= cell < size for near in self.links for cell in near)


@dataclass(frozen=True, slots=True)
class Law:
    """A position of which the sentence is true is forbidden; `name` says why, for people."""

    name: str
    sentence: Sentence


def needs_of(cells: Iterable[tuple[int, int]]) -> Sentence:
    """Return the sentence that every (cell, need) holds."""
    parts = tuple(Shows(cell, need) for cell, need in cells)
    return parts[0] if len(parts) == 1 else Every(parts)


def _both(one: Needs, other: Needs) -> Needs | None:
    """Return the needs of both, or None if no symbol meets those of some cell."""
    found = dict(one)
    for cell, need in other.items():
        found[cell] = found.get(cell, -1) & need
    return found if all(found.values()) else None


def _shows(column: Any, need: int) -> Any:
    """Return which symbols of a column are in a set."""
    symbols = tuple(symbols_of(need))
    if len(symbols) == 1:
        return column == symbols[0]
    import numpy as np

    table = np.zeros(256, bool)
    table[list(symbols)] = True
    return table[column]
