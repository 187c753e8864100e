"""All positions of a level that were found so far, numbered in the order in which they were found.

The moves of the first positions are made in plain Python, because loading the compiler takes longer; then the compiled
store takes over (`games/compiled.py`), if there is NumPy.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from copy import copy
from typing import TYPE_CHECKING, Any

from ..limits.machine import has_arrays
from ..limits.watch import Watch
from .game import LETTERS
from .moves import GamePosition, LevelMoves

if TYPE_CHECKING:
    from .compiled import PackedPositions

FEW, BRIEFLY = 300, 0.3
"""So many positions, and for so many seconds, moves are made in plain Python first."""

Numbers = Any
"""Numbers of positions: a sequence or an array."""

NONE = -1
"""The number of the position after an input that changes nothing."""


class Positions:
    """The positions of a level that were found so far, and the moves of those that were extended.

    starts    the first positions
    few       positions whose moves are made in plain Python before the compiled turn takes over
    hopeful   whether moves are left out from positions that are seen to lead to no win; set before the first `extend`
    store     the positions, once the compiled turn has taken over
    extended  how many positions were extended
    """

    def __init__(self, moves: LevelMoves, starts: Sequence[GamePosition], few: int = FEW) -> None:
        self.moves = moves
        self.few, self.briefly, self.hopeful = few, BRIEFLY, False
        self.plain = not has_arrays()
        self.starts = tuple(dict.fromkeys(starts))
        self.places = list(self.starts)
        self.numbers = {place: number for number, place in enumerate(self.places)}
        self.links: list[list[int]] = []
        self.store: PackedPositions | None = None

    @property
    def found(self) -> int:
        """How many positions were found."""
        return self.store.found if self.store is not None else len(self.places)

    def extend(self, first: int, end: int, watch: Watch, bound: int = 0) -> None:
        """Find the positions one move after those from `first` to before `end`; each is extended once, in order."""
        self.extended = first
        while self.extended < end and self.store is None and (self.plain or (self.few > 0 and self.briefly > 0)):
            began = time.perf_counter()
            after = self._after(self.extended)
            self.briefly -= time.perf_counter() - began
            self.few -= 1
            self.extended += 1
            watch.tick(max(1, after), bound)
        while self.extended < end:
            first, before = self.extended, self.compiled().moves_made
            self.extended = self.compiled().extend(first, end, watch, bound)
            watch.tick(max(self.extended - first, self.compiled().moves_made - before), bound)

    def _after(self, number: int) -> int:
        """Make the moves of a position in plain Python; return how many there are."""
        links = [NONE] * len(self.moves.inputs)
        moves = self.moves.named(self.places[number])
        for letter, place in moves:
            there = self.numbers.setdefault(place, len(self.places))
            if there == len(self.places):
                self.places.append(place)
            links[LETTERS.index(letter)] = there
        self.links.append(links)
        return len(moves)

    def compiled(self) -> PackedPositions:
        """Return the store of the compiled turn, which takes over from now on."""
        if self.store is None:
            from .compiled import PackedPositions  # with NumPy

            self.store = PackedPositions(self.moves, self.starts, self.places, self.links, self.hopeful)
            self.places, self.numbers, self.links = [], {}, []
        return self.store

    def of(self, *parts: Any) -> Positions:
        """Return other positions of the level, given as rows of keys of the compiled store."""
        found = copy(self)
        found.store = self.compiled().of(*parts)
        return found

    def listed(self, numbers: Numbers) -> list[GamePosition]:
        """Return some positions."""
        return self.store.listed(numbers) if self.store is not None else [self.places[each] for each in numbers]

    def won(self, first: int, end: int) -> Numbers:
        """Return the numbers of the won positions from `first` to before `end`."""
        if self.store is not None:
            return self.store.won(first, end)
        return [number for number in range(first, end) if self.places[number].won]

    def links_of(self, number: int) -> Numbers:
        """Return the number of the position after each input from a position that was extended, or NONE."""
        return self.store.links_of(number) if self.store is not None else self.links[number]

    def all_links(self) -> Numbers:
        """Return the links of all positions, each of which was extended: a row for each."""
        return self.store.links[: self.store.found] if self.store is not None else self.links

    def leading(self, wanted: Numbers, first: int, end: int) -> Numbers:
        """Return the numbers from `first` to before `end` from which a move leads to one of some numbers."""
        if self.store is not None:
            return self.store.leading(wanted, first, end)
        among = set(wanted)
        return [number for number in range(first, end) if not among.isdisjoint(self.links[number])]
