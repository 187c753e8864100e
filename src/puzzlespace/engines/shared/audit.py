"""A depth table checks itself: its numbering on a sample before it counts, and what it counted on a sample afterwards.

The check knows positions and the model's own moves. It asks the table only for the number of a position, the position
of a number, and which numbers are seen. A difference is a fault of this program (`SelfCheckError`). The sample is drawn
from a fixed seed, at least `LEAST` positions, then as many as a small share of the time for counting allows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from math import factorial, prod
from random import Random
from time import perf_counter
from typing import NoReturn, TypeVar

import numpy as np

from ...errors import InputError, SelfCheckError
from ...model.model import Model
from .slide_board import recognise, two_colours

LEAST = 16
"""Positions that every check looks at."""

MOST = 2000
"""Positions that a check looks at if time allows."""

SECONDS = 0.01
"""The checks before and after a count may each take so long, however short it is …"""

SHARE = 0.01
"""… and this share of the time that counting took."""

PER_POSITION = 2e-10
"""Seconds that the checks before a count may take for each number of the table, which takes about 1 / SHARE as long."""

FINAL = 10.0
"""Seconds for the second look at a total that seems too large."""

THETA = 7
"""The board that is an exception has so many cells: six on a ring, and one that joins two opposite ones."""

WALK = 50
"""Random walks go so far from where they begin."""

Drawn = TypeVar("Drawn")

UNKNOWN = -1
"""The depth of a position that is not seen yet."""

Seen = Callable[[np.ndarray], np.ndarray]
"""Whether each of some numbers is seen."""


@dataclass(frozen=True)
class Numbering:
    """The numbers of a table's bits.

    number  the number of a position; raises InputError if it has none
    show    the positions of some numbers, one row of symbols each
    size    all numbers are below it
    """

    number: Callable[[bytes], int]
    show: Callable[[np.ndarray], np.ndarray]
    size: int


@dataclass(frozen=True)
class _Around:
    """A position whose depth is followed: the places of it, of all one move from it, and of all a move leads from."""

    position: bytes
    own: int
    after: np.ndarray
    before: np.ndarray | None


@dataclass
class Audit:
    """The checks of one count.

    layers of a count that goes on from kept ones are not followed (`followed` is False)
    """

    model: Model
    sources: tuple[bytes, ...]
    numbering: Numbering
    followed: bool = True
    chance: Random = field(default_factory=lambda: Random(2026))
    around: list[_Around] = field(default_factory=list[_Around])
    numbers: np.ndarray = field(default_factory=lambda: np.empty(0, np.int64))
    depths: np.ndarray = field(default_factory=lambda: np.empty(0, np.int64))

    def begin(self) -> None:
        """Check that the numbering is one-to-one on a sample, and choose the positions whose depths are followed."""
        seconds = max(SECONDS, PER_POSITION * self.numbering.size)
        sample = self._check_numbers(within(_walked(self.model, self.sources, self.chance), seconds / 2))
        if self.followed:
            chosen = self.chance.sample(sample, len(sample))
            self._follow(within(chosen, seconds / 2))

    def _check_numbers(self, sample: Iterable[bytes]) -> list[bytes]:
        """Check that different positions have different numbers in range, which lead back to them; return them."""
        known: dict[int, bytes] = {}
        for position in islice(sample, MOST):
            number = self._number(position)
            if not 0 <= number < self.numbering.size:
                _wrong(position, f"its number {number:,} is out of range")
            if known.setdefault(number, position) != position:
                _wrong(position, f"it has the number {number:,} of {known[number].hex(' ')} too")
        self._check_shown(known)
        return list(known.values())

    def _check_shown(self, known: dict[int, bytes]) -> None:
        """Check that numbers lead back to the positions that they came from."""
        shown = self.numbering.show(np.array(list(known), np.int64)) if known else ()
        for (number, position), row in zip(known.items(), shown, strict=True):
            if row.tobytes() != position:
                _wrong(position, f"its number {number:,} leads back to {row.tobytes().hex(' ')}")

    def _number(self, position: bytes) -> int:
        try:
            return self.numbering.number(position)
        except InputError:
            _wrong(position, "moves lead to it, and it has no number")

    def _follow(self, chosen: Iterable[bytes]) -> None:
        """Note the numbers of some positions and of their neighbours."""
        places: dict[int, int] = {}

        def place(position: bytes) -> int:
            return places.setdefault(self._number(position), len(places))

        back = self.model if self.model.reversible else self.model.backward
        for position in chosen:
            after = [place(child) for child in self.model.moves(position)]
            before = (
                after if back is self.model else None if back is None else list(self._numbered(back, position, place))
            )
            self.around.append(
                _Around(
                    position, place(position), np.array(after, int), None if before is None else np.array(before, int)
                )
            )
        self.numbers = np.array(list(places), np.int64)
        self.depths = np.full(len(places), UNKNOWN)

    @staticmethod
    def _numbered(back: Model, position: bytes, place: Callable[[bytes], int]) -> Iterator[int]:
        """Yield the places of the positions that lead to one; those without a number are not reached."""
        for parent in back.moves(position):
            try:
                yield place(parent)
            except SelfCheckError:
                continue

    def layer(self, depth: int, seen: Seen) -> None:
        """Note which of the followed positions are in a layer that was just found."""
        left = np.flatnonzero(self.depths == UNKNOWN)
        if len(left):
            self.depths[left[seen(self.numbers[left])]] = depth

    def end(self, drawn: Iterable[bytes], seen: Seen, rest: Callable[[int], int] | None, counting: float) -> None:
        """Check the depths that were followed, and a sample of what was counted.

        drawn     positions drawn at random
        rest      the depth modulo 3 of a number that is seen, if depths are kept
        counting  seconds that counting took
        """
        for each in self.around:
            self._check_depths(each)
        known = {
            self._check_moves(position, seen, rest): position
            for position in islice(within(drawn, max(SECONDS, SHARE * counting)), MOST)
        }
        self._check_shown(known)

    def _check_depths(self, around: _Around) -> None:
        """Check the depth of a followed position against its neighbours'."""
        depth, after = int(self.depths[around.own]), self.depths[around.after]
        if depth == UNKNOWN:
            _wrong(around.position, "moves lead to it, and it was not counted")
        if (depth == 0) != (around.position in self.sources):
            _wrong(around.position, f"it was counted at depth {depth}")
        if ((after == UNKNOWN) | (after > depth + 1)).any():
            _wrong(
                around.position, f"it was counted at depth {depth}, and a move from it leads further than one deeper"
            )
        if around.before is None:
            return
        before = self.depths[around.before]
        known = before[before != UNKNOWN]
        if (known < depth - 1).any() or (depth > 0 and not (known == depth - 1).any()):
            _wrong(around.position, f"it was counted at depth {depth}, and its neighbours' depths do not allow that")

    def _check_moves(self, position: bytes, seen: Seen, rest: Callable[[int], int] | None) -> int:
        """Check that neighbours are seen if a position is (only then if moves can be undone); return its number."""
        number = self._number(position)
        counted = bool(seen(np.array([number]))[0])
        if not counted and not self.model.reversible:
            return number
        around = [self._number(child) for child in self.model.moves(position)]
        if not around:
            return number
        if (seen(np.array(around)) != counted).any():
            _wrong(position, f"it was {'' if counted else 'not '}counted, unlike a position one move from it")
        if counted and rest is not None:
            nearer = any(rest(each) == (rest(number) - 1) % 3 for each in around)
            if nearer == (position in self.sources):
                _wrong(position, "no neighbour is nearer, or a source has nearer ones")
        return number


def check_total(model: Model, sources: Sequence[bytes], total: int, counting: float) -> None:
    """Check the positions counted from one source against the size of its orbit, as far as that can be told.

    Listed moves: the group of the moves (`ranking.orbit_size`). Slides of one piece into a blank on a board that no
    cell cuts, other than a ring: all placements, or half of them on a checkerboard with one blank and different pieces
    (R. M. Wilson 1974; D. Kornhauser, G. Miller and P. Spirakis 1984 for several blanks). Raises SelfCheckError.
    """
    if len(set(sources)) != 1:
        return
    model = replace(model, start=sources[0], goals=())
    wanted = _placements(model)
    seconds = max(SECONDS, SHARE * counting)
    if wanted is None:
        from ...ranking import orbit_size

        wanted = orbit_size(model, sources[0], seconds)
        if wanted is not None and wanted < total:
            wanted = orbit_size(model, sources[0], FINAL, 10 * LEAST)
    if wanted is not None and wanted != total:
        raise SelfCheckError(f"{total:,} positions were counted, and {wanted:,} can be reached")


def _placements(model: Model) -> int | None:
    """Return how many positions slides lead to on a board where that is known; else None."""
    slides = recognise(model)
    if slides is None or not slides.mixing or len(slides.live) == THETA:
        return None
    if any((target, origin) not in set(slides.links) for origin, target in slides.links):
        return None
    shown = Counter(slides.position[cell] for cell in slides.live)
    places = factorial(len(slides.live)) // prod(map(factorial, shown.values()))
    number = {cell: place for place, cell in enumerate(slides.live)}
    two = two_colours([(number[a], number[b]) for a, b in slides.links], len(number)) is not None
    halved = two and slides.blanks == 1 and max(shown.values()) == 1
    return places // 2 if halved else places


def _wrong(position: bytes, what: str) -> NoReturn:
    raise SelfCheckError(f"depth table: position {position.hex(' ')}: {what}")


def within(sample: Iterable[Drawn], seconds: float) -> Iterator[Drawn]:
    """Yield what is drawn for so many seconds, but at least LEAST of it."""
    ends = perf_counter() + seconds
    for number, each in enumerate(sample):
        if number >= LEAST and perf_counter() > ends:
            return
        yield each


def _walked(model: Model, sources: Sequence[bytes], chance: Random) -> Iterator[bytes]:
    """Yield different positions: by turns the next one breadth-first, and those of a random walk from it."""
    seen = dict.fromkeys(sources)
    pending = list(seen)
    yield from pending
    for position in pending:
        fresh = [child for child in model.moves(position) if child not in seen]
        seen.update(dict.fromkeys(fresh))
        pending += fresh
        yield from fresh
        for _ in range(WALK):
            ahead = list(model.moves(position))
            if not ahead:
                break
            position = chance.choice(ahead)
            if position not in seen:
                seen[position] = None
                pending.append(position)
                yield position


def drawn_bits(words: np.ndarray, chance: Random) -> Iterator[int]:
    """Yield numbers of bits that are set, drawn at random; none if no word is found that has any."""
    size = len(words)
    few = np.flatnonzero(words) if size <= 1 << 14 else None
    missed = 0
    while missed < 64 * LEAST:
        if few is not None and not len(few):
            return
        word = int(few[chance.randrange(len(few))]) if few is not None else chance.randrange(size)
        bits = [bit for bit in range(64) if int(words[word]) >> bit & 1]
        missed = missed + 1 if not bits else 0
        if bits:
            yield 64 * word + chance.choice(bits)
