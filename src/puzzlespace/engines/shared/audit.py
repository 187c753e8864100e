"""Checks of a depth table: its first layers, its ranking on a sample before the count, and depths on samples.

The checks use positions and the model's moves only. From the table they use only rank, unrank and the set of seen
positions. A difference is a fault of this program (`SelfCheckError`). The first layers, which are all of a small table,
are compared with plain ones. The samples have a fixed seed and at least `LEAST` positions, and more as long as a small
share of the counting time allows. Time is processor time of this thread, so a busy machine does not weaken the checks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from math import factorial, prod
from random import Random
from time import thread_time
from typing import NoReturn, TypeVar

import numpy as np

from ...errors import InputError, SelfCheckError
from ...limits.watch import Watch
from ...model.model import Model
from ...structure import slides
from .selfcheck import Budget, PlainLayer, plain_layers

FIRST = Budget(seconds=0.02, positions=10_000, moves=12_000)
"""How much of the first layers is compared with plain ones."""

RANKED = 64
"""So many positions of each plain layer, drawn at random, are looked up in the table."""

LEAST = 32
"""The fewest positions of a sample."""

MOST = 2000
"""The most positions of a sample."""

BETWEEN = 16
"""Positions of a sample between two looks at the clock."""

SECONDS = 0.01
"""The checks before and after a count may each take this long, however short the count is …"""

SHARE = 0.01
"""… and this share of the time that counting took."""

PER_POSITION = 2e-10
"""Seconds per rank for the checks before a count: about SHARE of the time that counting takes."""

FINAL = 10.0
"""Seconds for a second, more certain computation of an orbit size that seems too small."""

WALK = 50
"""The length of a random walk."""

Drawn = TypeVar("Drawn")

UNKNOWN = -1
"""The depth of a position that is not seen yet."""

Seen = Callable[[np.ndarray], np.ndarray]
"""Returns for each number whether its position is seen."""


@dataclass(frozen=True)
class Numbering:
    """The bit indices of a table, here called numbers.

    number  returns the number of a position; raises InputError if it has none
    show    returns the positions of some numbers, one row of symbols each
    size    all numbers are less than this
    """

    number: Callable[[bytes], int]
    show: Callable[[np.ndarray], np.ndarray]
    size: int


class Members:
    """Some positions, of which one can be looked up; two numbers are kept for each, a fifth of what a set takes."""

    def __init__(self, positions: Sequence[bytes]) -> None:
        marks = np.fromiter(map(hash, positions), np.int64, len(positions))
        self.positions, self.order = positions, np.argsort(marks)
        self.marks = marks[self.order]

    def __contains__(self, position: bytes) -> bool:
        first, last = (int(self.marks.searchsorted(hash(position), side)) for side in ("left", "right"))
        return any(self.positions[place] == position for place in self.order[first:last].tolist())


@dataclass(frozen=True)
class _Around:
    """A position whose depth is followed: indices into `Audit.numbers` of itself, its children and its parents."""

    position: bytes
    own: int
    after: np.ndarray
    before: np.ndarray | None


@dataclass
class Audit:
    """The checks of one count.

    followed  whether layers are followed one by one; not if the count continues after kept layers
    held      numbers of some positions of each plain layer that was compared so far
    """

    model: Model
    sources: tuple[bytes, ...]
    numbering: Numbering
    followed: bool = True
    chance: Random = field(default_factory=lambda: Random(2026))
    around: list[_Around] = field(default_factory=list[_Around])
    numbers: np.ndarray = field(default_factory=lambda: np.empty(0, np.int64))
    depths: np.ndarray = field(default_factory=lambda: np.empty(0, np.int64))
    held: list[np.ndarray] = field(default_factory=list[np.ndarray])

    def __post_init__(self) -> None:
        self.plain = _endless(plain_layers(self.model, self.sources, FIRST))
        self._sources = Members(self.sources)

    def begin(self) -> None:
        """Check that the ranking is one-to-one on a sample, and choose the positions whose depths are followed."""
        seconds = max(SECONDS, PER_POSITION * self.numbering.size)
        sample = self._check_numbers(within(_walked(self.model, self.sources, self.chance), seconds / 2))
        if self.followed:
            chosen = self.chance.sample(sample, len(sample))
            self._follow(within(chosen, seconds / 2))

    def _check_numbers(self, sample: Iterable[bytes]) -> list[bytes]:
        """Check that positions have different numbers in range, which unrank to them; return the positions."""
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
        """Check that numbers unrank to their positions."""
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
        """Store the numbers of some positions and of their neighbours."""
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
        """Yield the indices of the parents of a position; those without a number are unreachable."""
        for parent in back.moves(position):
            try:
                yield place(parent)
            except SelfCheckError:
                continue

    def layer(self, depth: int, size: int, seen: Seen) -> None:
        """Compare the layer that was just found with the plain one, and record which followed positions are in it."""
        if self.followed:
            self._compare(next(self.plain), size, seen)
        left = np.flatnonzero(self.depths == UNKNOWN)
        if len(left):
            self.depths[left[seen(self.numbers[left])]] = depth

    def _compare(self, plain: PlainLayer, size: int, seen: Seen) -> None:
        """Check the next layer: its size, if the plain one is whole, and that some plain positions are seen."""
        depth, fewest = len(self.held), len(plain.positions)
        if size != fewest if plain.whole else size < fewest:
            more = "" if plain.whole else " or more"
            raise SelfCheckError(f"depth table: depth {depth}: expected {fewest:,} positions{more}, counted {size:,}")
        some = self.chance.sample(plain.positions, min(fewest, RANKED))
        self.held.append(np.array([self._number(position) for position in some], np.int64))
        self._check_seen(depth, seen)

    def end(self, drawn: Iterable[bytes], seen: Seen, rest: Callable[[int], int] | None, counting: float) -> None:
        """Check the depths that were followed, and a random sample of the table.

        drawn     positions drawn at random
        rest      returns the depth mod 3 of a seen number; None if depths are not kept
        counting  the time that counting took, in seconds
        """
        for plain in self.plain:
            if not plain.positions:
                break
            self._compare(plain, 0 if self.followed else len(plain.positions), seen)
        for depth in range(len(self.held)):
            self._check_seen(depth, seen)
        if rest is not None:
            self._check_rests(rest)
        for each in self.around:
            self._check_depths(each)
        known = {
            self._check_moves(position, seen, rest): position
            for position in islice(within(drawn, max(SECONDS, SHARE * counting)), MOST)
        }
        self._check_shown(known)

    def _check_seen(self, depth: int, seen: Seen) -> None:
        """Check that the positions of a plain layer are still seen."""
        numbers = self.held[depth]
        missed = numbers[~seen(numbers)] if len(numbers) else numbers
        if len(missed):
            _wrong(self._position(missed[0]), f"{depth} moves lead to it, and it was not counted")

    def _check_rests(self, rest: Callable[[int], int]) -> None:
        """Check the depths mod 3 that are kept of positions of the plain layers."""
        for depth, numbers in enumerate(self.held):
            for number in numbers.tolist():
                if rest(number) != depth % 3:
                    _wrong(self._position(number), f"it was counted at depth {depth}, and the table keeps another one")

    def _position(self, number: int) -> bytes:
        return self.numbering.show(np.array([number]))[0].tobytes()

    def _check_depths(self, around: _Around) -> None:
        """Check the depth of a followed position against its neighbours'."""
        depth, after = int(self.depths[around.own]), self.depths[around.after]
        if depth == UNKNOWN:
            _wrong(around.position, "moves lead to it, and it was not counted")
        if (depth == 0) != (around.position in self._sources):
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
        """Check that a position and its neighbours are both seen or both not, and their depths; return its number.

        If moves cannot be undone, only seen positions are checked.
        """
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
            if nearer == (position in self._sources):
                _wrong(position, "no neighbour is nearer, or a source has nearer ones")
        return number


def check_total(model: Model, sources: Sequence[bytes], total: int, counting: float) -> None:
    """Compare the number of positions counted from one source with the size of its orbit, if that is known.

    Rules without conditions: the orbit of the group of moves (`ranking.orbit_size`). Sliding puzzles on a board without
    a cut cell, other than a ring: all placements, or half of them on a checkerboard with one blank and different pieces
    (R. M. Wilson 1974; D. Kornhauser, G. Miller and P. Spirakis 1984 for several blanks). Raises SelfCheckError.
    """
    if not sources or any(each != sources[0] for each in sources):
        return
    model = replace(model, start=sources[0], goals=())
    wanted = _placements(model)
    seconds = max(SECONDS, SHARE * counting)
    if wanted is None:
        from ...ranking.reach import orbit_size

        wanted = orbit_size(model, sources[0], seconds)
        if wanted is not None and wanted < total:
            wanted = orbit_size(model, sources[0], FINAL, 10 * LEAST)
    if wanted is not None and wanted != total:
        raise SelfCheckError(f"{total:,} positions were counted, and {wanted:,} can be reached")


def expected_total(model: Model, sources: Sequence[bytes], watch: Watch) -> int:
    """Return how many positions a count will find if that is known without a search, for its progress; else 0."""
    if watch.report is None or len(sources) != 1:
        return 0
    return reachable(replace(model, start=sources[0], goals=()), SECONDS) or 0


def reachable(model: Model, seconds: float) -> int | None:
    """Return how many positions the model's start reaches, if that is known without a search; see `check_total`."""
    from ...ranking.reach import orbit_size

    assert model.start is not None
    if model.metric.free or model.metric.exhausts or model.metric.lawful:
        return None
    return _placements(model) or orbit_size(model, model.start, seconds)


def _placements(model: Model) -> int | None:
    """Return the number of reachable positions of a sliding puzzle if it is known; else None."""
    board = slides.board_of(model)
    if isinstance(board, str) or not board.transitive:
        return None
    shown = Counter(board.position[cell] for cell in board.live)
    places = factorial(len(board.live)) // prod(map(factorial, shown.values()))
    halved = board.two_coloured and board.blanks == 1 and max(shown.values()) == 1
    return places // 2 if halved else places


def _wrong(position: bytes, what: str) -> NoReturn:
    raise SelfCheckError(f"depth table: position {position.hex(' ')}: {what}")


def _endless(layers: Iterable[PlainLayer]) -> Iterator[PlainLayer]:
    """Yield the layers, and then empty ones; these are whole if all layers were."""
    last = PlainLayer((), True)
    for last in layers:
        yield last
    while True:
        yield PlainLayer((), last.whole)


def within(sample: Iterable[Drawn], seconds: float) -> Iterator[Drawn]:
    """Yield items of the sample for some seconds of processor time, but at least LEAST items."""
    ends = thread_time() + seconds
    for number, each in enumerate(sample):
        if number >= LEAST and number % BETWEEN == 0 and thread_time() > ends:
            return
        yield each


def _walked(model: Model, sources: Sequence[bytes], chance: Random) -> Iterator[bytes]:
    """Yield different positions: in turn the children of the next position breadth-first, and a random walk from it."""
    seen = dict.fromkeys(sources[:MOST])  # no more are taken; all would need a dictionary of millions
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
    """Yield the indices of random set bits; stop if no word with a set bit is found."""
    size = len(words)
    some: Sequence[int] = np.flatnonzero(words).tolist() if size <= 1 << 14 else range(size)
    missed = 0
    while some and missed < 64 * LEAST:
        word = some[chance.randrange(len(some))]
        bits = [bit for bit in range(64) if int(words[word]) >> bit & 1]
        missed = missed + 1 if not bits else 0
        if bits:
            yield 64 * word + chance.choice(bits)
