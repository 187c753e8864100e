"""Breadth-first search for few pieces on a large board, such as the robots of Ricochet Robots; docs/methods/gliders.md.

A position is one word: the cells of the pieces. A move takes one piece from its cell to a cell that depends on the
nearest other piece in its way, which is looked up. Moves need not be possible to undo.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from heapq import nsmallest
from math import comb, prod
from typing import TYPE_CHECKING

from ..contract.answers import Geodesics, Layers
from ..contract.questions import Depths, Engine, Prospect, Search, Space, Worth, model_of, unfit
from ..errors import LimitError, UnsupportedError
from ..limits.memory import free_memory
from ..limits.watch import Watch, paced, phase
from ..model.model import ANY, Goal, Model, Recent, Rule, allowed, outcomes, single_symbol
from .packed.positions import changed_cells

if TYPE_CHECKING:
    import numpy as np

MOST_CELLS = 256

WORD = 63
"""The most bits of a position; the hash table needs one word that no position has."""

ROOM, MOST_ROOM = 1 << 16, 1 << 22
"""The least and the most words in a block of a layer."""

SLOTS = 1 << 16
"""The first length of the hash table."""

MOST_BITS = 1 << 33
"""The most placements for which positions seen are bits: one gigabyte."""

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
        """Return the words of positions. Raises UnsupportedError if one has other pieces."""
        import numpy as np

        if not all(map(self.fits, paced(positions))):
            raise UnsupportedError("engine gliders: expected positions with the same pieces, found others")
        rows = np.frombuffer(b"".join(positions), np.uint8).reshape(len(positions), -1)[:, list(self.cells)]
        found, slot = np.zeros(len(positions), np.uint64), 0
        for symbol, count in self.kinds:
            places = np.nonzero(rows == symbol)[1].reshape(-1, count).astype(np.uint64)
            for column in places.T:
                found |= column << np.uint64(self.bits * slot)
                slot += 1
        return found

    def position(self, word: int) -> bytes:
        """Return the position of a word."""
        size = 1 + max((*self.cells, *(cell for cell, _ in self.others)), default=-1)
        found = bytearray([self.blank] * size)
        for cell, symbol in self.others:
            found[cell] = symbol
        for slot, kind in enumerate(self.slots):
            found[self.cells[word >> self.bits * slot & (1 << self.bits) - 1]] = self.kinds[kind][0]
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
    if found.bits * sum(count for _, count in kinds) > WORD:
        return "its pieces do not fit a word"
    stops = _stops(model, found, fixed)
    if isinstance(stops, str):
        return stops
    tracks = tuple(
        tuple(tuple(_tracks(stops.get((symbol, cell), {}))) for cell in range(len(changing))) for symbol, _ in kinds
    )
    return Reading(blank, changing, tuple(fixed.items()), kinds, tracks)


def _ways(rule: Rule, symbols: int) -> list[tuple[int, int, int]]:
    """Return the indices of the cells that a piece leaves and enters, and the blank, for each reading of a rule.

    None unless the rule does nothing else. If it needs one piece exactly, the blank can also be read as the piece.
    """
    effects = outcomes(rule, symbols)
    changed = [
        index for index, (source, pairs) in enumerate(effects) if source != index or any(s != n for s, n in pairs)
    ]
    found: list[tuple[int, int, int]] = []
    for origin, target in (changed, changed[::-1]) if len(changed) == 2 else ():
        blank, piece = single_symbol(rule.need[target]), single_symbol(rule.need[origin])
        source, pairs = effects[target]
        carried = source == origin and all(old == new for old, new in pairs)
        put = piece is not None and all(new == piece for _, new in pairs)
        if blank is not None and (carried or put) and all(new == blank for _, new in effects[origin][1]):
            found.append((origin, target, blank))
    return found


def _blank(model: Model, inside: bytes) -> int | None:
    """Return the symbol of free cells in all rules: if there are several, the one with most cells; None without one."""
    usual = {*inside} if not model.rules else {blank for _, _, blank in _ways(model.rules[0], model.symbols)}
    for rule in paced(model.rules):
        usual &= {blank for _, _, blank in _ways(rule, model.symbols)}
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
        origin, target, _ = next(way for way in _ways(rule, model.symbols) if way[2] == reading.blank)
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


def _known(model: Model) -> Reading | str:
    return "the pieces are not known" if model.anchor is None else read(model, model.anchor)


_recent = Recent(_known)


def refuses(space: Space, question: str) -> str | None:
    """Return why the engine cannot answer, or None."""
    model = model_of(space)
    if model is None or unfit(space):
        return unfit(space)
    if model.metric.after:
        return "its moves are made of several rules"
    found = _recent.of(model)
    return found if isinstance(found, str) else None


def worth(question: Depths | Search, prospect: Prospect) -> Worth:
    """Return how many positions plain Python may generate before, or why this engine is not worth using."""
    model = model_of(question.space)
    if model is None or all(rule.motion is None or not rule.motion.whole for rule in model.rules):
        return "its moves are steps, and other engines are as fast"
    if isinstance(question, Depths) and prospect.bound() <= prospect.watch.thresholds.few_placements:
        return "there are few positions, or it is not known how many"
    why = refuses(question.space, "search")
    return why or (prospect.watch.thresholds.attempt_gliders if isinstance(question, Search) else 0)


def _reading(model: Model, position: bytes) -> Reading:
    known = _recent.of(model) if model.anchor is not None else "the pieces are not known"
    found = known if isinstance(known, Reading) and known.fits(position) else read(model, position)
    if isinstance(found, str):
        raise UnsupportedError(f"engine gliders: {found}")
    return found


def search(question: Search, watch: Watch) -> Geodesics:
    """Return the positions on shortest solutions: on all if the question asks for every, else on one."""
    model = question.space
    assert isinstance(model, Model)
    if model.is_goal(question.start):
        return Geodesics((frozenset([question.start]),), 0, watch.seconds, 0)
    proved = 0
    try:
        run = Gliders(model, _reading(model, question.start), model.goals, watch)
        layers = [run.entered([question.start])]
        while any(map(len, layers[-1])):
            proved = len(layers)
            watch.layer(proved - 1, sum(map(len, layers[-1])), run.seen_count)
            following, met = run.following(layers[-1], first_goal=not question.every, bound=proved)
            layers.append(following)
            reached = following[-1][-1:] if met else run.goals_of(following if question.every else ())
            if len(reached):
                return Geodesics(run.back(layers, reached, question.every), watch.generated, watch.seconds, proved)
    except LimitError as error:
        return Geodesics((), watch.generated, watch.seconds, proved, error)
    return Geodesics((), watch.generated, watch.seconds)


def depths(question: Depths, watch: Watch) -> Layers:
    """Count the positions at each distance from the nearest source."""
    model = question.space
    assert isinstance(model, Model)
    counts: list[int] = []
    collected: list[tuple[bytes, int]] = []
    last: list[np.ndarray] = []
    stopped = arrivals = None
    reading = _reading(model, question.sources[0])
    try:
        run = Gliders(model, reading, question.collect, watch)
        arrivals = Arrivals(run, question)
        layer = run.entered(list(dict.fromkeys(question.sources)))
        while any(map(len, layer)):
            counts.append(sum(map(len, layer)))
            last = layer
            watch.layer(len(counts) - 1, counts[-1], run.seen_count)
            if arrivals.note(layer, len(counts) - 1):
                there = arrivals.found()
                return Layers(
                    tuple(counts), (), False, watch.generated, watch.seconds, tuple(collected), arrivals=there
                )
            found = run.goals_of(layer) if question.collect else ()
            collected += [(reading.position(int(word)), len(counts) - 1) for word in paced(found)]
            layer, _ = run.following(layer, first_goal=False, bound=0)
    except LimitError as error:
        stopped = error
    deepest = (position for block in last for position in reading.least(block, question.keep))
    return Layers(
        tuple(counts), tuple(nsmallest(question.keep, deepest)), stopped is None, watch.generated, watch.seconds,
        tuple(collected), stopped=stopped, arrivals=arrivals.found() if arrivals is not None else {},
    )  # fmt: skip


class Arrivals:
    """The first positions with pieces in cells, as the layers of a count come."""

    def __init__(self, run: Gliders, question: Depths) -> None:
        import numpy as np

        self.run, reading = run, run.reading
        kinds = {symbol: kind for kind, (symbol, _) in enumerate(reading.kinds)}
        at = {cell: index for index, cell in enumerate(reading.cells)}
        others = dict(reading.others)
        self.wanted = {(c, s): (kinds[s], at[c]) for c, s in question.arrivals if s in kinds and c in at}
        self.first = {(c, s): (0, question.sources[0]) for c, s in question.arrivals if others.get(c) == s}
        if any(symbol == reading.blank for _, symbol in question.arrivals):
            raise UnsupportedError("engine gliders: expected pieces to arrive, found the blank")
        shape = len(reading.kinds), max(1, len(reading.cells))
        self.words, self.depths = np.zeros(shape, np.uint64), np.full(shape, -2, np.int32)
        for place in self.wanted.values():
            self.depths[place] = -1
        self.left = len(self.wanted)
        self.all = len(question.arrivals) == len(self.wanted) + len(self.first) > 0

    def note(self, layer: Sequence[np.ndarray], depth: int) -> bool:
        """Note the positions of a layer; return whether all arrivals are found."""
        bits, kinds, _, _ = self.run.pieces
        for block in layer:
            self.left = self.run.kernel.arrive(
                block, bits, kinds, self.run.scratch[0], depth, self.left, self.words, self.depths
            )
        return self.all and self.left == 0

    def found(self) -> dict[tuple[int, int], tuple[int, bytes]]:
        """Return the depth and a position for each arrival that was found."""
        position = self.run.reading.position
        return self.first | {
            pair: (int(self.depths[place]), position(int(self.words[place])))
            for pair, place in self.wanted.items()
            if self.depths[place] >= 0
        }


class Gliders:
    """One search: the arrays of a reading, and the positions seen. Layers are lists of blocks of words."""

    def __init__(self, model: Model, reading: Reading, goals: Sequence[Goal], watch: Watch) -> None:
        import numpy as np

        from ..kernels import gliders as kernel

        self.kernel, self.reading, self.watch = kernel, reading, watch
        slots = np.array(reading.slots, np.int64)
        size, kinds = len(reading.cells), len(reading.kinds)
        with phase("tables of stops were computed"):
            self.tracks, self.origins = _arrays(reading, watch)
        self.most = len(slots) * int(np.diff(self.tracks[0]).max(initial=0))
        waiting = kernel.BATCH + self.most
        self.scratch = (
            np.zeros(len(slots), np.int64), np.zeros(len(slots), np.int64),
            np.zeros(waiting, np.uint64), np.zeros(waiting, np.int64),
        )  # fmt: skip
        ends = np.array([[reading.slots.index(kind), reading.slots.index(kind) + reading.kinds[kind][1]]
                         for kind in reading.slots], np.int64).reshape(-1, 2)  # fmt: skip
        ranks = np.zeros((len(slots), size), np.int64)
        weight = 1
        for kind, (_, count) in enumerate(reading.kinds):
            for index in range(count):
                slot = reading.slots.index(kind) + index
                for cell in range(size if reading.placements <= MOST_BITS else 0):
                    ranks[slot, cell] = weight * comb(cell, index + 1)
            weight *= comb(size, count)
        self.pieces = (reading.bits, slots, ends, ranks)
        met = [each for goal in goals if (each := _goal(goal, reading)) is not None]
        self.goals = np.zeros((len(met), kinds + 1, max(size, 1)), np.int32)
        for number, rows in enumerate(met):
            self.goals[number] = rows
        left = watch.memory_left(reading.placements // 4)
        left = free_memory() if left is None else left
        dense = reading.placements <= min(MOST_BITS, 4 * left)
        self.seen = np.zeros(reading.placements // 64 + 1 if dense else 0, np.uint64)
        self.words = np.zeros(0 if dense else SLOTS, np.uint64)
        self.state = np.zeros(5, np.int64)

    @property
    def seen_count(self) -> int:
        """The number of positions seen."""
        return int(self.state[self.kernel.SEEN])

    def entered(self, positions: Sequence[bytes]) -> list[np.ndarray]:
        """Return the first layer."""
        layer = self.reading.words(positions)
        while len(self.words) and 4 * len(layer) > len(self.words):
            self._enlarge(0)
        bits, _, _, ranks = self.pieces
        count = self.kernel.note(layer, bits, ranks, self.seen, self.words, self.scratch[0], self.state)
        return [layer[:count]]

    def following(self, layer: Sequence[np.ndarray], first_goal: bool, bound: int) -> tuple[list[np.ndarray], bool]:
        """Return the next layer, and whether it ends with a goal at which the search stopped."""
        import numpy as np

        kernel, state = self.kernel, self.state
        room = min(max(ROOM, sum(map(len, layer)) // 4), MOST_ROOM) + 2 * len(self.scratch[2])
        found: list[np.ndarray] = []
        out, goals = np.zeros(0, np.uint64), self.goals if first_goal else self.goals[:0]
        state[kernel.SIZE] = 0
        for block in layer:
            state[kernel.AT] = 0
            while True:
                done = int(state[kernel.GENERATED])
                kernel.expand(
                    block, out, self.pieces, self.tracks, goals, self.seen, self.words, self.scratch, state,
                    self.watch.thresholds.stride,
                )  # fmt: skip
                self.watch.tick(int(state[kernel.GENERATED]) - done, bound)
                status = int(state[kernel.STATUS])
                if status == kernel.MET:
                    return [*found, out[: state[kernel.SIZE]]], True
                if status == kernel.OUTPUT:
                    found.append(out[: state[kernel.SIZE]])
                    self.watch.reserve(8 * room, bound)
                    out = np.zeros(room, np.uint64)
                    state[kernel.SIZE] = 0
                elif status == kernel.TABLE:
                    self._enlarge(bound)
                elif status == kernel.DONE:
                    break
        return [*found, out[: state[kernel.SIZE]]], False

    def _enlarge(self, bound: int) -> None:
        import numpy as np

        self.watch.reserve(32 * len(self.words), bound)
        larger = np.zeros(4 * len(self.words), np.uint64)
        self.kernel.enlarge(self.words, larger)
        self.words = larger

    def goals_of(self, layer: Sequence[np.ndarray]) -> np.ndarray:
        """Return the goals of a layer."""
        import numpy as np

        found: list[np.ndarray] = []
        for block in layer:
            out = np.zeros(len(block), np.uint64)
            bits, kinds, _, _ = self.pieces
            found.append(out[: self.kernel.goals_among(block, bits, kinds, self.goals, self.scratch[0], out)])
        return np.concatenate(found) if found else np.zeros(0, np.uint64)

    def back(
        self, layers: Sequence[Sequence[np.ndarray]], reached: np.ndarray, every: bool
    ) -> tuple[frozenset[bytes], ...]:
        """Return the positions on shortest solutions to the positions `reached` of the last layer, by depth."""
        import numpy as np

        found: list[frozenset[bytes]] = []
        at = np.unique(reached)
        out = np.zeros(max(1, len(self.scratch[0]) * len(self.origins[1])), np.uint64)
        for depth in range(len(layers) - 1, -1, -1):
            at = at if every else at[:1]
            found.append(frozenset(self.reading.position(int(word)) for word in paced(at)))
            if not depth:
                break
            candidates: list[np.ndarray] = []
            for word in paced(at):
                count = self.kernel.before(word, self.pieces, self.tracks, self.origins, self.scratch, out)
                candidates.append(np.unique(out[:count]))
            wanted = np.unique(np.concatenate(candidates))
            kept: list[np.ndarray] = []
            for block in layers[depth - 1]:
                self.watch.tick(0, len(layers) - 1)
                room = np.zeros(len(block), np.uint64)
                kept.append(room[: self.kernel.among(block, wanted, room)])
            at = np.unique(np.concatenate(kept))
        return tuple(reversed(found))


def _arrays(reading: Reading, watch: Watch) -> tuple[tuple[np.ndarray, ...], tuple[np.ndarray, ...]]:
    """Return the tracks by kind and cell, and the tracks that have a stop in each cell, for the kernels."""
    import numpy as np

    size, kinds = len(reading.cells), len(reading.kinds)
    every = [(kind, cell, track) for kind in range(kinds) for cell in range(size)
             for track in reading.tracks[kind][cell]]  # fmt: skip
    watch.reserve(len(every) * (size + 8))
    begins = np.zeros((kinds, size + 1), np.int64)
    stops = np.zeros((len(every), max(size, 1)), np.uint8)
    free = np.zeros(len(every), np.uint8)
    targets = np.zeros((len(every), max((len(track.targets) for _, _, track in every), default=1)), np.int16)
    ending: dict[tuple[int, int], list[tuple[int, int]]] = {}
    number = 0
    for kind in range(kinds):
        for cell in paced(range(size)):
            begins[kind, cell] = number
            for track in reading.tracks[kind][cell]:
                stops[number], free[number] = track.free, track.free
                for other, code in track.codes.items():
                    stops[number, other] = code
                targets[number, : len(track.targets)] = track.targets
                for target in set(track.targets):
                    ending.setdefault((kind, target), []).append((number, cell))
                number += 1
        begins[kind, size] = number
    ends = np.zeros((kinds, size + 1), np.int64)
    listed: list[tuple[int, int]] = []
    for kind in range(kinds):
        for cell in range(size):
            ends[kind, cell] = len(listed)
            listed += ending.get((kind, cell), [])
        ends[kind, size] = len(listed)
    pairs = np.array(listed, np.int64).reshape(-1, 2)
    return (begins, stops, free, targets), (ends, pairs[:, 0].copy(), pairs[:, 1].copy())


def _goal(goal: Goal, reading: Reading) -> np.ndarray | None:
    """Return the row of a goal for the kernels; None if no position meets it."""
    import numpy as np

    counts = dict(reading.kinds)
    inside = len(reading.cells)
    counts[reading.blank] = inside - sum(counts.values())
    for _, symbol in reading.others:
        counts[symbol] = counts.get(symbol, 0) + 1
    if any(counts.get(symbol, 0) != count for symbol, count in goal.counts):
        return None
    if any(not goal.need[cell] >> symbol & 1 for cell, symbol in reading.others):
        return None
    rows = np.zeros((len(reading.kinds) + 1, max(inside, 1)), np.int32)
    for at, cell in enumerate(reading.cells):
        need = goal.need[cell]
        wanted = need != ANY and not need >> reading.blank & 1
        rows[-1, 0] += wanted
        for kind, (symbol, _) in enumerate(reading.kinds):
            rows[kind, at] = (2 if wanted else 1) if need >> symbol & 1 else 0
    return rows


ENGINE = Engine("gliders", refuses, depths=depths, search=search, speed=300, worth=worth, arrivals=True)
