"""Count peg positions by distance: single jumps with bit sets, chains with symmetry classes and their fewest moves."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...contract.answers import Layers
from ...contract.questions import Depths
from ...errors import LimitError, UnsupportedError
from ...limits.watch import Watch
from ...model.goal import Goal
from ...structure.jumps import Jumps
from .layers import Layer, PegField, Pusher
from .reach import PegReach
from .values import CHAIN, SET

AT_ONCE = 1 << 14
"""Positions, or classes of them, that are handed over at once; single jumps list 512 or more."""


def by_jumps(jumps: Jumps, question: Depths, watch: Watch) -> Layers:
    """Count the positions at each number of single jumps from the sources."""
    stopped, over, wanted = None, False, question.wanted
    try:
        reach = PegReach(jumps, [jumps.word(source) for source in question.sources], watch)
    except LimitError as error:
        return Layers((), (), False, watch.generated, watch.seconds, stopped=error)
    try:
        while not over and reach.step(watch):
            depth = len(reach.counts) - 1
            blocks = (symbols_of(jumps, words) for words in reach.listed(reach.pegs - depth, AT_ONCE))
            over = wanted is not None and wanted.hand(depth, blocks)
    except LimitError as error:
        stopped = error
    collected: list[tuple[bytes, int]] = []
    for depth in range(len(reach.counts) if question.collect else 0):
        for words in reach.listed(reach.pegs - depth):
            met = meeting(jumps, question.collect, words, reach.pegs - depth)
            collected += [(position, depth) for position in least(jumps, met, len(met))]
    keep = question.kept(reach.counts[-1], stopped) if reach.counts and not over else 0
    bottom = [least(jumps, words, keep) for words in reach.listed(reach.bottom + 1)] if keep else []
    deepest = sorted(position for some in bottom for position in some)[:keep]
    return Layers(
        tuple(reach.counts), tuple(deepest), stopped is None and not over, watch.generated, watch.seconds,
        tuple(collected), stopped=stopped,
    )  # fmt: skip


def meeting(jumps: Jumps, goals: Sequence[Goal], words: np.ndarray, pegs: int) -> np.ndarray:
    """Return those of the positions, which have `pegs` pegs each, that meet one of the goals."""
    shown = {jumps.taken: pegs, 1 - jumps.taken: len(jumps.order) - pegs}
    chosen = np.zeros(len(words), bool)
    for goal in goals:
        if any(shown[symbol] != count for symbol, count in goal.counts):
            continue
        filled, empty = (
            sum(1 << bit for bit, need in zip(jumps.bit, goal.need, strict=True) if not need >> symbol & 1)
            for symbol in (1 - jumps.taken, jumps.taken)
        )
        chosen |= words & np.uint64(filled | empty) == np.uint64(filled)
    return words[chosen]


def least(jumps: Jumps, words: np.ndarray, number: int) -> list[bytes]:
    """Return the first `number` positions, sorted."""
    symbols = symbols_of(jumps, words)
    rank = np.zeros(len(words), np.uint64)
    for cell in range(len(jumps.order)):
        rank |= symbols[:, cell].astype(np.uint64) << np.uint64(len(jumps.order) - 1 - cell)
    return [bytes(symbols[row]) for row in np.argsort(rank)[:number]]


def symbols_of(jumps: Jumps, words: np.ndarray) -> np.ndarray:
    """Return the symbol of each cell of some positions: uint8 [n, cells]."""
    found = np.empty((len(words), len(jumps.order)), np.uint8)
    for cell, bit in enumerate(jumps.bit):
        found[:, cell] = words >> np.uint64(bit) & np.uint64(1) ^ np.uint64(1 - jumps.taken)
    return found


def by_chains(field: PegField, question: Depths, watch: Watch, most: int = 64) -> Layers:
    """Count the positions at each number of moves from the sources, class by class, after at most `most` jumps."""
    count = _Count(field, question)
    stopped = over = None
    try:
        count.run(watch, most)
        over = count.hand()
    except LimitError as error:
        stopped = error
    if stopped is not None:  # layers are by number of pegs, so that positions of any depth may be missing
        sources = tuple(sorted(dict.fromkeys(question.sources)))
        return Layers((len(sources),), sources[: question.keep], False, watch.generated, watch.seconds, stopped=stopped)
    if over is not None:
        return Layers(tuple(count.counts[: over + 1]), (), False, watch.generated, watch.seconds)
    deepest = least(field.jumps, field.spread(np.concatenate(count.last)), question.keep)
    return Layers(
        tuple(count.counts), tuple(deepest), True, watch.generated, watch.seconds, tuple(count.collected)
    )  # fmt: skip


class _Count:
    """The running count of `by_chains`.

    counts     positions by their fewest moves
    last       the keys of the positions with the most moves, as several arrays
    collected  the positions that meet a goal of `collect`, with their moves
    wanted     the keys of each layer that is wanted, as several arrays: its positions have different numbers of pegs
    """

    def __init__(self, field: PegField, question: Depths) -> None:
        self.field = field
        self.question = question
        self.counts: list[int] = []
        self.last: list[np.ndarray] = []
        self.collected: list[tuple[bytes, int]] = []
        self.wanted: dict[int, list[np.ndarray]] = {}

    def run(self, watch: Watch, most: int) -> None:
        """Count the positions after at most `most` jumps, by number of pegs."""
        words = [self.field.jumps.word(source) for source in self.question.sources]
        pegs = words[0].bit_count()
        if any(word.bit_count() != pegs for word in words):
            raise UnsupportedError("engine pegs: the sources differ in their number of pegs")
        task = CHAIN if self.field.jumps.chain else SET
        pusher = Pusher(self.field.ahead, task, watch)
        layer, jumped = self.field.layer(words, task), 0
        while len(layer.keys) and jumped <= most:
            size = self._note(layer, pegs - jumped, jumped)
            watch.layer(jumped, size, sum(self.counts), exact=not jumped)
            layer, jumped = pusher.grow(layer), jumped + 1

    def _note(self, layer: Layer, pegs: int, jumped: int) -> int:
        """Add a complete layer to the count; return its number of positions."""
        moves = layer.values[:, 0].astype(np.int64) if len(layer.values) else np.full(len(layer.keys), jumped)
        sizes = self.field.sizes(layer.keys)
        for depth in range(int(moves.min()), int(moves.max()) + 1):
            at = moves == depth
            self.counts += [0] * (depth + 1 - len(self.counts))
            if depth + 1 == len(self.counts):
                self.last = [*(self.last if self.counts[depth] else []), layer.keys[at]]
            self.counts[depth] += int(sizes[at].sum())
            if self.question.wanted is not None and self.question.wanted.has(depth):
                self.wanted.setdefault(depth, []).append(layer.keys[at])
            if self.question.collect:
                spread = self.field.spread(layer.keys[at])
                met = meeting(self.field.jumps, self.question.collect, spread, pegs)
                self.collected += [(position, depth) for position in least(self.field.jumps, met, len(met))]
        return int(sizes.sum())

    def hand(self) -> int | None:
        """Hand over the layers that are wanted; return the depth of the last of them, after which the count ends."""
        jumps, wanted = self.field.jumps, self.question.wanted
        if wanted is None:
            return None
        for depth in range(len(self.counts)):
            parts = (
                keys[first : first + AT_ONCE]
                for keys in self.wanted.get(depth, ())
                for first in range(0, len(keys), AT_ONCE)
            )
            if wanted.hand(depth, (symbols_of(jumps, self.field.spread(keys)) for keys in parts)):
                return depth
        return None
