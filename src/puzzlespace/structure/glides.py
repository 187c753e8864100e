"""Models read as pieces that move on tracks, and their positions as words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from heapq import nsmallest
from math import comb, prod
from typing import TYPE_CHECKING

from ..errors import UnsupportedError
from ..limits.watch import paced
from ..model.effects import allowed
from ..model.facts import changed_cells
from ..model.model import Model
from .slides import ways_of

if TYPE_CHECKING:
    import numpy as np

MOST_CELLS = 1024

WORD, MOST_WORDS = 63, 4
"""The most bits of a word, because hash tables need one that no position has; the most words of a position."""

MOST_STOPS = 120
"""The most stops on a track; more codes do not fit a byte."""


@dataclass(frozen=True)
class Stop:
    """A move of a piece to a cell if some cells are free and, unless `stopper` is -1, a piece is in that cell."""

    target: int
    free: frozenset[int]
    stopper: int


@dataclass(frozen=True)
class StopTrack:
    """Moves of a piece from a cell of which at most one is possible.

    stops  targets, the nearest first
    codes  for each cell the code that a piece there gives, see `kernels.gliders`; cells that are missing give `free`
    """

    targets: tuple[int, ...]
    codes: Mapping[int, int]
    free: int


@dataclass(frozen=True)
class Reading:
    """A model as pieces that move on tracks.

    cells   the cells that change, of which each piece has one; all numbers of cells below are indices of it
    others  the symbols of the other cells
    kinds   (symbol, how many pieces), the symbols ascending
    tracks  for each kind and cell, the tracks that begin there
    """

    blank: int
    cells: tuple[int, ...]
    others: tuple[tuple[int, int], ...]
    kinds: tuple[tuple[int, int], ...]
    tracks: tuple[tuple[tuple[StopTrack, ...], ...], ...] = field(repr=False)

    @property
    def bits(self) -> int:
        """Bits for each piece of a word."""
        return max(1, (len(self.cells) - 1).bit_length())

    @property
    def width(self) -> int:
        """The number of words of a position. Only the search from both ends takes more than one."""
        return max(1, -(-sum(count for _, count in self.kinds) // (WORD // self.bits)))

    @property
    def slots(self) -> list[int]:
        """The number of the kind of each piece."""
        return [kind for kind, (_, count) in enumerate(self.kinds) for _ in range(count)]

    @property
    def placements(self) -> int:
        """The number of placements, if pieces of different kinds could share a cell."""
        return prod(comb(len(self.cells), count) for _, count in self.kinds)

    def fits(self, position: bytes) -> bool:
        """Return whether a position has the same pieces, and the same symbols in cells that do not change."""
        found = bytes(position[cell] for cell in self.cells)
        pieces = sum(count for _, count in self.kinds)
        return (
            all(position[cell] == symbol for cell, symbol in self.others)
            and all(found.count(symbol) == count for symbol, count in self.kinds)
            and found.count(self.blank) == len(found) - pieces
        )

    def words(self, positions: Sequence[bytes]) -> np.ndarray:
        """Return the words of positions of one word. Raises UnsupportedError if one has other pieces."""
        return self.rows(positions)[:, 0]

    def rows(self, positions: Sequence[bytes]) -> np.ndarray:
        """Return a row of words for each position. Raises UnsupportedError if one has other pieces."""
        import numpy as np

        if not all(map(self.fits, paced(positions))):
            raise UnsupportedError("engine gliders: expected positions with the same pieces, found others")
        return self.read(np.frombuffer(b"".join(positions), np.uint8).reshape(len(positions), -1))

    def read(self, shown: np.ndarray) -> np.ndarray:
        """Return a row of words for each position of these pieces, which is a row of symbols."""
        import numpy as np

        rows, slot = shown[:, self.cells], 0
        found = np.zeros((len(shown), self.width), np.uint64)
        for symbol, count in self.kinds:
            places = np.nonzero(rows == symbol)[1].reshape(len(rows), count).astype(np.uint64)
            for column in places.T:
                word, place = divmod(slot, WORD // self.bits)
                found[:, word] |= column << np.uint64(self.bits * place)
                slot += 1
        return found

    def shown(self, words: np.ndarray) -> np.ndarray:
        """Return the positions of words as rows of symbols, if a position has one word."""
        import numpy as np

        bare = np.frombuffer(replace(self, kinds=()).position(), np.uint8)
        found, cells = np.tile(bare, (len(words), 1)), np.array(self.cells, np.int64)
        for slot, kind in enumerate(self.slots):
            place = words >> np.uint64(self.bits * slot) & np.uint64((1 << self.bits) - 1)
            found[np.arange(len(words)), cells[place.astype(np.int64)]] = self.kinds[kind][0]
        return found

    def position(self, *words: int) -> bytes:
        """Return the position of some words."""
        size = 1 + max((*self.cells, *(cell for cell, _ in self.others)), default=-1)
        found = bytearray([self.blank] * size)
        for cell, symbol in self.others:
            found[cell] = symbol
        for slot, kind in enumerate(self.slots):
            word, place = divmod(slot, WORD // self.bits)
            found[self.cells[words[word] >> self.bits * place & (1 << self.bits) - 1]] = self.kinds[kind][0]
        return bytes(found)

    def least(self, words: np.ndarray, most: int) -> list[bytes]:
        """Return the least `most` positions of some words.

        Two positions are compared by their pieces, in the order of cells. At the first difference, the position with
        the greater cell is less, because the other one has a piece where it is blank; at equal cells, that of the
        lesser symbol.
        """
        import numpy as np

        if len(words) > most and all(symbol > self.blank for symbol, _ in self.kinds):
            size, low = len(self.cells), np.uint64((1 << self.bits) - 1)
            columns = np.array([
                (words >> np.uint64(self.bits * slot) & low) * np.uint64(len(self.kinds)) + np.uint64(kind)
                for slot, kind in enumerate(self.slots)
            ])  # fmt: skip
            columns.sort(axis=0)
            cells, kinds = np.divmod(columns, np.uint64(len(self.kinds)))
            keys = (np.uint64(size - 1) - cells) * np.uint64(len(self.kinds)) + kinds
            words = words[np.lexsort(keys[::-1])[:most]]
        return nsmallest(most, (self.position(int(word)) for word in paced(words)))


def read(model: Model, position: bytes) -> Reading | str:
    """Return the pieces of a position and their tracks, or why the rules are others."""
    return model.bare.kept(_read, position)


def _read(model: Model, position: bytes) -> Reading | str:
    if model.metric.beyond_rules is not None:
        return model.metric.beyond_rules
    changing = changed_cells(model)
    if len(changing) > MOST_CELLS:
        return f"it takes boards of at most {MOST_CELLS} cells that change, here are {len(changing)}"
    fixed = {cell: position[cell] for cell in range(model.cells)}
    for cell in changing:
        del fixed[cell]
    inside = bytes(position[cell] for cell in changing)
    blank = _blank(model, inside)
    if blank is None:
        return "some rules are not moves of one piece to a free cell"
    kinds = tuple((symbol, inside.count(symbol)) for symbol in sorted({*inside} - {blank}))
    found = Reading(blank, changing, tuple(fixed.items()), kinds, ())
    if found.width > MOST_WORDS:
        return f"its pieces do not fit {MOST_WORDS} words"
    stops = _stops(model, found, fixed)
    if isinstance(stops, str):
        return stops
    tracks = tuple(
        tuple(tuple(_tracks(stops.get((symbol, cell), {}))) for cell in range(len(changing))) for symbol, _ in kinds
    )
    return Reading(blank, changing, tuple(fixed.items()), kinds, tracks)


def _blank(model: Model, inside: bytes) -> int | None:
    """Return the symbol of free cells in all rules: if there are several, the one with most cells; None without one."""
    usual = {*inside} if not model.rules else {way.blank for way in ways_of(model.rules[0], model.symbols)}
    for rule in paced(model.rules):
        usual &= {way.blank for way in ways_of(rule, model.symbols)}
    return max(usual, key=lambda symbol: (inside.count(symbol), -symbol), default=None)


Moves = dict[tuple[int, int], dict[tuple[object, ...], list[Stop]]]
"""For each symbol and cell, the moves in each direction."""


def _stops(model: Model, reading: Reading, fixed: Mapping[int, int]) -> Moves | str:
    """Return the moves of each piece from each cell; rules that are never possible are left out."""
    at = {cell: index for index, cell in enumerate(reading.cells)}
    pieces = sum(1 << symbol for symbol, _ in reading.kinds)
    blank = 1 << reading.blank
    found: Moves = {}
    for rule in paced(model.rules):
        origin, target, _ = next(way for way in ways_of(rule, model.symbols) if way.blank == reading.blank)
        free, stoppers, possible = {at[rule.cells[target]]}, list[int](), True
        for index, (cell, need) in enumerate(zip(rule.cells, rule.need, strict=True)):
            if index in (origin, target):
                continue
            if cell in fixed:
                possible &= bool(need >> fixed[cell] & 1)
            elif not need & pieces and need & blank:
                free.add(at[cell])
            elif need & pieces == pieces and not need & blank:
                stoppers.append(at[cell])
            elif need & pieces != pieces or not need & blank:
                return "some rules tell the pieces in the way apart"
        if len(stoppers) > 1:
            return "some rules need several pieces beside the one that moves"
        if possible:
            stop = Stop(at[rule.cells[target]], frozenset(free), stoppers[0] if stoppers else -1)
            way = rule.motion and (rule.motion.direction, rule.need[origin])
            for symbol in allowed(rule.need[origin] & pieces, model.symbols):
                found.setdefault((symbol, at[rule.cells[origin]]), {}).setdefault((way,), []).append(stop)
    return found


def _tracks(ways: Mapping[tuple[object, ...], Sequence[Stop]]) -> Iterator[StopTrack]:
    """Yield the tracks of a piece in a cell: one for each direction, or for each move that excludes no other."""
    for moves in ways.values():
        stops = sorted(set(moves), key=lambda stop: len(stop.free))
        track = _track(stops) if len(stops) <= MOST_STOPS else None
        if track is not None:
            yield track
        else:
            for stop in stops:
                alone = _track([stop])
                assert alone is not None
                yield alone


def _track(stops: Sequence[Stop]) -> StopTrack | None:
    """Return the track of moves, sorted by their number of free cells; None unless the nearest piece decides.

    It decides if the free cells of each move are among those of the next one, and what stops a piece is in the way of
    the next move. Cells that become part of the way with move k, other than what stops move k - 1, forbid all moves.
    """
    codes: dict[int, int] = {}
    earlier = frozenset[int]()
    for number, stop in enumerate(stops):
        if not earlier <= stop.free or len(earlier) == len(stop.free):
            return None
        if number and stops[number - 1].stopper not in stop.free - earlier:
            return None
        for cell in stop.free - earlier:
            codes[cell] = 2 * number + 1
        if number:
            codes[stops[number - 1].stopper] = 2 * number
        earlier = stop.free
    last = 2 * len(stops)
    stopper = stops[-1].stopper
    if stopper in earlier:
        return None
    if stopper >= 0:
        codes[stopper] = last
    return StopTrack(tuple(stop.target for stop in stops), codes, last if stopper < 0 else last + 1)
