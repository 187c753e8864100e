"""Depth tables of moves that permute different pieces, by whole words: pancakes, turntables, rings.

Five cells are the *tail*: their orders are the bits of two words, and the other cells, the *head*, number the words. A
move that brings pieces of the head into the tail is made of steps that exchange one piece each. It may start from the
result of another move, if that is nearer: all moves are one tree of such steps, and only its steps are computed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, permutations
from math import factorial

import numpy as np

from ...contract.answers import Layers
from ...contract.questions import Depths
from ...limits.memory import words_in_file
from ...limits.thresholds import USUAL, Threshold, Thresholds
from ...limits.watch import Watch
from ...model.model import Model
from ...ranking.counting import rank_order
from . import OneBit
from .counting import Task, spans
from .mod3 import Room
from .one_bit import FILES, Ordered, Sets, count_layers
from .pair_weights import Move, inverted
from .permutations import PermutationPlan, read

TAIL = 5
"""The cells of the tail, as in `kernels/table/words.py`."""

ORDERS = factorial(TAIL)
LEAST = TAIL + 2
"""The least number of cells."""

MOST = 14
"""The most cells: heads are numbered in 32 bits."""

MOST_MOVES = 128
"""The most moves: their tree is computed for many choices of the tail (78 moves: 0.4 s)."""

COPY, KEEP, APART, TURN, EXCHANGE = 1, 1, 1, 2, 6
"""The time for a head, compared with copying it (1.5 ns): a result that is kept, a cell without its neighbour, a turn
of the tail, a piece that is exchanged."""

SINGLE, TRIED = 24, 28
"""The time in which a bit is pushed by one move, and in which an unseen bit is tried, compared with copying a head."""

SINGLE_BITS: Threshold[float] = Threshold(1)
"""Single bits are moved if that takes less than so many times the time of whole words."""

LEAST_PIECES = Threshold(9)
"""The least number of pieces for which it is worthwhile."""

ASKED = Thresholds({LEAST_PIECES: 0})
"""With these values no model is too small: for a table that is asked for by the name of its kind."""


@dataclass(frozen=True)
class WordStep:
    """One step: the result of `source` permuted by `move`, of which at most one piece of the head enters the tail.

    source, target  numbers of bit sets: 0 is the layer, others hold results; the target is None if no step reads it
    made            whether the result is one of the puzzle's moves of the layer
    """

    source: int
    move: Move
    target: int | None
    made: bool


@dataclass(frozen=True)
class WordPlan(PermutationPlan):
    """The orders of cells, of which the first ones are the tail."""

    @cached_property
    def heads(self) -> int:
        return self.positions // ORDERS

    @cached_property
    def steps(self) -> tuple[WordStep, ...]:
        """The steps of all moves, in their order."""
        return tuple(_steps(self.moves))

    @cached_property
    def cost(self) -> float:
        """The time of all steps for a head, compared with copying it."""
        return sum(_weight(step.move) + KEEP * (step.target is not None) for step in self.steps)

    @property
    def words(self) -> int:
        return 2 * self.heads

    @property
    def bytes(self) -> int:
        tables = sum(dict(map(_table, self.steps)).values())
        return 8 * (2 + self.kept) * self.words + int(4 * tables * self.heads)

    @cached_property
    def direct(self) -> tuple[tuple[WordStep, ...], float, tuple[Move, ...]]:
        """The moves that are one step from the layer, the time of them for a head, and all other moves."""
        one = [move for move in self.moves if sum(source >= TAIL for source in move[:TAIL]) <= 1]
        steps = tuple(WordStep(0, move, None, True) for move in one)
        return steps, sum(map(_weight, one)), tuple(move for move in self.moves if move not in one)

    @property
    def one_bit(self) -> OneBit:
        tables = sum(dict(map(_table, self.direct[0])).values())
        return OneBit(8 * self.words, FILES * 8 * self.words + int(4 * tables * self.heads))

    @property
    def kept(self) -> int:
        """The number of bit sets for results from which other moves start."""
        return max((step.target or 0 for step in self.steps), default=0)

    @property
    def used(self) -> int:
        """The bits of two words that are orders."""
        return ORDERS

    def bit(self, position: bytes) -> int:
        head, tail = divmod(self.rank(position), ORDERS)
        return 128 * head + tail


def plan(model: Model, by: Thresholds = USUAL) -> WordPlan | None:
    """Return the ranking, or None if moves do anything but permute different pieces within one orbit of cells."""
    found = read(model)
    if found is None or not max(LEAST, by[LEAST_PIECES]) <= len(found.cells) <= MOST:
        return None
    if not 0 < len(found.moves) <= MOST_MOVES:
        return None
    tail = _tail(found.moves)
    often = [sum(move[cell] != cell for move in found.moves) for cell in range(len(found.cells))]

    def way(last: int, first: int) -> WordPlan:
        """Return the plan with a last cell of the tail and a first one of the head."""
        key = {cell: (cell not in tail, cell == last, cell != first, often[cell], cell) for cell in range(len(often))}
        ordered = sorted(key, key=key.__getitem__)
        place = {cell: index for index, cell in enumerate(ordered)}
        moves = tuple(tuple(place[move[cell]] for cell in ordered) for move in found.moves)
        return WordPlan(found.anchor, tuple(found.cells[cell] for cell in ordered), moves)

    head = [cell for cell in range(len(often)) if cell not in tail]
    last = min(sorted(tail), key=lambda cell: way(cell, head[0]).cost)
    return min((way(last, first) for first in head), key=lambda each: (each.cost, each.bytes))


def _tail(moves: Sequence[Move]) -> frozenset[int]:
    """Return five cells for which the tree is short: those that few moves change, exchanged while that helps."""
    cells = range(len(moves[0]))
    often = [sum(move[cell] != cell for move in moves) for cell in cells]
    best = frozenset(sorted(cells, key=lambda cell: (often[cell], cell))[:TAIL])
    cost = _length(moves, best)
    while True:
        others = [best - {out} | {into} for out in sorted(best) for into in cells if into not in best]
        least, _, tail = min((_length(moves, tail), sorted(tail), tail) for tail in others)
        if least >= cost:
            return best
        best, cost = tail, least


def _length(moves: Sequence[Move], tail: frozenset[int]) -> float:
    """Return how many pieces enter the tail in all steps of the tree of moves."""
    shown = [sum(1 << cell for cell in tail), *(sum(1 << move[cell] for cell in tail) for move in moves)]
    return sum(length for _, _, length in _tree(len(shown), lambda a, b: (shown[b] & ~shown[a]).bit_count()))


def _tree(count: int, length: Callable[[int, int], float]) -> list[tuple[int, int, float]]:
    """Return the shortest tree from 0 of the numbers below `count` (Prim's algorithm): (before, number, length)."""
    near = {number: (length(0, number), 0) for number in range(1, count)}
    found = []
    while near:
        number = min(near, key=lambda each: (near[each], each))
        least, before = near.pop(number)
        found.append((before, number, least))
        for other, (known, _) in near.items():
            new = length(number, other)
            if new < known:
                near[other] = new, number
    return found


def _weight(move: Move) -> float:
    """Return the time of a step for a head, compared with copying it.

    Heads that are near each other before a step are near after it if cells keep their neighbours.
    """
    enter = sum(source >= TAIL for source in move[:TAIL])
    apart = sum(move[cell + 1] != move[cell] + 1 for cell in range(TAIL, len(move) - 1))
    turns = sum(turn is not None for turn in _turns(move)) if enter < 2 else 2 * enter
    return COPY + EXCHANGE * enter + TURN * turns + APART * apart


def _after(move: Move, before: Move) -> Move:
    """Return what is left to do for a move after another one: for each cell the source of its piece."""
    place = {cell: index for index, cell in enumerate(before)}
    return tuple(place[cell] for cell in move)


def _steps(moves: Sequence[Move]) -> Iterator[WordStep]:
    """Yield the steps of all moves. A bit set is used again once all moves that start from it are done."""
    sources = [tuple(range(len(moves[0]))), *moves]
    weights = [[_weight(_after(move, before)) for move in sources] for before in sources]
    tree = _tree(len(sources), lambda before, number: weights[before][number] + KEEP * (before > 0))
    following: dict[int, list[int]] = {}
    for before, number, _ in tree:
        following.setdefault(before, []).append(number)
    free: list[int] = []
    most = 0

    def room() -> int:
        nonlocal most
        if free:
            return free.pop()
        most += 1
        return most

    pending = [(0, 0)]
    while pending:
        here, held = pending.pop()
        below = sorted(following.get(here, []), key=lambda each: each in following)  # those with none after them first
        for number in below:
            parts = list(_parts(_after(sources[number], sources[here])))
            at = held
            for index, part in enumerate(parts):
                last = index == len(parts) - 1
                target = room() if not last or number in following else None
                yield WordStep(at, part, target, last)
                if at != held:
                    free.append(at)
                at = held if target is None else target
            if number in following:
                pending.append((number, at))
        if held:
            free.append(held)


def _parts(move: Move) -> Iterator[Move]:
    """Yield steps by each of which at most one piece enters the tail; all in turn are the move."""
    while len(enter := [cell for cell in range(TAIL) if move[cell] >= TAIL]) > 1:
        out = next(cell for cell in range(TAIL) if cell not in move[:TAIL])
        into = move[enter[0]]
        swap = list(range(len(move)))
        swap[out], swap[into] = into, out
        yield tuple(swap)
        move = _after(move, tuple(swap))
    yield move


def _exchanged(move: Move) -> tuple[int, int, int, int] | None:
    """Return the tail cell left, the one entered, the head cell left and the one entered; None if there are none."""
    enter = [cell for cell in range(TAIL) if move[cell] >= TAIL]
    if not enter:
        return None
    out = next(cell for cell in range(TAIL) if cell not in move[:TAIL])
    return out, enter[0], move[enter[0]], move.index(out)


def _lowest(move: Move) -> int:
    """Return the first head cell that a move within head and tail changes, or the number of cells."""
    return next((cell for cell in range(TAIL, len(move)) if move[cell] != cell), len(move))


def _table(step: WordStep) -> tuple[tuple[object, ...], float]:
    """Return what the targets of a step depend on, and how many numbers there are for each head."""
    changed = _exchanged(step.move)
    head = step.move[TAIL:]
    if changed is None:
        return ("runs", head), 1 / (factorial(min(_lowest(step.move), 12)) / ORDERS)
    return ("groups", *changed[2:], tuple(-1 if cell < TAIL else cell for cell in head)), 1 + (changed[2] != TAIL)


def _turns(move: Move) -> tuple[Move | None, Move | None]:
    """Return the turns of the tail before and after a step, None if there are none."""
    changed = _exchanged(move)
    same = tuple(range(TAIL))
    last = TAIL - 1
    if changed is None:
        before, after = move[:TAIL], same
    else:
        out, enter = changed[:2]
        if enter == last:
            before, after = (*move[:last], out), same
        elif out == last:
            before, after = same, tuple(last if cell == enter else move[cell] for cell in range(TAIL))
        else:
            swap = {enter: last, last: enter}
            after = tuple(swap.get(cell, cell) for cell in range(TAIL))
            before = tuple({enter: move[last], last: out}.get(cell, move[cell]) for cell in range(TAIL))
    return None if before == same else before, None if after == same else after


def depths(plan: WordPlan, question: Depths, watch: Watch, threads: int | None = None) -> Layers:
    """Count the positions at each distance from the nearest source."""
    return count_layers(lambda: WordField(plan, watch.thresholds[SINGLE_BITS]), plan, question, watch, threads)


class WordField:
    """Bits by head and tail."""

    def __init__(self, plan: WordPlan, single: float) -> None:
        self.plan, self.single = plan, single
        self.words, self.mixed = plan.words, False
        n = len(plan.cells)
        self.units = np.array([factorial(cell) if cell < TAIL else factorial(cell) // ORDERS << 7 for cell in range(n)])
        self.moves, self.back = (np.array(each, np.int64) for each in (plan.moves, inverted(plan.moves)))
        self.tails = np.array(_tails(), np.int64)
        self.room: Room = np.zeros
        self.sets: list[np.ndarray] = []
        self.tables: dict[tuple[object, ...], tuple[np.ndarray, ...]] = {}
        self.turns: dict[Move | None, np.ndarray] = {None: np.zeros((0, 256, 2), np.uint64)}

    def bit(self, position: bytes) -> int:
        return self.plan.bit(position)

    def places(self, rows: np.ndarray) -> np.ndarray:
        """Return the bit indices of positions of the table, one row of symbols each."""
        head, tail = np.divmod(self.plan.ranks(rows), ORDERS)
        return 128 * head + tail

    def rows(self, bits: np.ndarray) -> np.ndarray:
        return self.plan.rows((bits >> 7) * ORDERS + (bits & 127))

    def phases(self, seen: np.ndarray, edge: np.ndarray, threads: int) -> Iterator[list[Task]]:
        """Yield the tasks of each step, or those that move single bits if that takes less time."""
        from ...kernels.bit_arrays import count_bits, count_common

        heads, moves = self.plan.heads, len(self.moves)
        size = int(count_common(seen, edge, 0, len(seen)))
        self.mixed = False
        whole, pushed = self.single * heads * self.plan.cost, size * moves * SINGLE
        if pushed < whole:
            yield self._pushed((seen, edge, seen, edge), self.moves, threads)
            return
        if (self.plan.positions - int(count_bits(seen, 0, len(seen)))) * TRIED < whole:
            yield from self._pulled(seen, edge, threads)
            return
        yield [(int, (size * moves,))]
        self.mixed = True
        self.sets = self.sets or [np.zeros(self.words, np.uint64) for _ in range(self.plan.kept)]
        bits = seen, edge if size < heads else np.zeros(0, np.uint64)  # with a bit in most heads, a mask saves nothing
        for step in self.plan.steps:
            yield from self._step(step, bits, edge, threads)

    def ordered(self, sets: Sets, size: int, unseen: int, threads: int) -> Ordered:
        """Return the tasks that take the least time.

        Results from which other moves start would be more sets of bits in memory, so moves of several steps are made
        bit by bit. The tables of the others are put in files, because they are read in order.
        """
        self.room = words_in_file
        seen, layer, fresh = sets
        steps, cost, others = self.plan.direct
        by_words = self.single * self.plan.heads * cost + size * len(others) * SINGLE
        pushed = size * len(self.moves) * SINGLE
        if unseen * TRIED < min(by_words, pushed):
            return False, self._pulled(seen, fresh, threads)
        bits = (layer, layer, seen, seen)
        if pushed <= by_words:
            return True, [self._pushed(bits, self.moves, threads)]
        nothing = np.zeros(0, np.uint64)
        single = [self._pushed(bits, np.array(others, np.int64), threads)] if others else []
        whole = (self._step(step, (layer, nothing), seen, threads) for step in steps)
        return True, chain([[(int, (size * len(steps),))]], single, chain.from_iterable(whole))

    def _pulled(self, seen: np.ndarray, edge: np.ndarray, threads: int) -> Iterator[list[Task]]:
        """Yield the tasks that look for unseen positions with a seen neighbour."""
        from ...kernels.table.words import pull

        parts = [(first >> 1, last >> 1) for first, last in spans(self.words, threads)]
        yield [(pull, (seen, edge, self.back, self.units, self.tails, *part)) for part in parts]

    def _pushed(self, bits: tuple[np.ndarray, ...], moves: np.ndarray, threads: int) -> list[Task]:
        """Return the tasks that move single bits."""
        from ...kernels.table.words import push

        parts = [(first >> 1, last >> 1) for first, last in spans(self.words, threads)]
        return [(push, (bits, moves, self.units, self.tails, threads == 1, *part)) for part in parts]

    def _step(
        self, step: WordStep, bits: tuple[np.ndarray, np.ndarray], edge: np.ndarray, threads: int
    ) -> Iterator[list[Task]]:
        """Yield the tasks of one step, those that make its tables first.

        bits  (seen positions, mask): the positions from which the moves start, as in `move_heads`
        """
        from ...kernels.table.words import exchange, move_heads

        key, _ = _table(step)
        if key not in self.tables:
            yield self._made(key, step, threads)
        tables, nothing = self.tables[key], np.zeros(0, np.uint64)
        source = bits if step.source == 0 else (self.sets[step.source - 1], nothing)
        kept = nothing if step.target is None else self.sets[step.target - 1]
        adds = edge if step.made else nothing
        for turn in _turns(step.move):
            if turn is not None and turn not in self.turns:
                self.turns[turn] = _turn(turn)
        turns = tuple(self.turns[turn] for turn in _turns(step.move))
        parts = _parted(len(tables[-1]), threads)
        if _exchanged(step.move) is None:
            run = self.plan.heads // len(tables[0])
            yield [(move_heads, (source, adds, kept, tables[0], run, turns[0], *part)) for part in parts]
        else:
            yield [(exchange, (source, adds, kept, tables, turns, *part)) for part in parts]

    def _made(self, key: tuple[object, ...], step: WordStep, threads: int) -> list[Task]:
        """Return the tasks that make the table of targets of a step."""
        from ...kernels.table.words import group_targets, run_targets

        n = len(self.plan.cells)
        goes = np.argsort(step.move)
        changed = _exchanged(step.move)
        if changed is None:
            low = _lowest(step.move)
            out = self.room(factorial(n) // factorial(low), np.uint32)
            units = np.array([factorial(max(cell, low)) // factorial(low) for cell in range(n)])
            self.tables[key] = (out,)
            return [(run_targets, (goes, low, units, out, *part)) for part in _parted(len(out), threads)]
        _, _, hole, into = changed
        units = np.array([factorial(max(cell, TAIL)) // ORDERS for cell in range(n)])
        shape = self.plan.heads // 6, 6
        out = self.room(shape, np.uint32)
        origin = self.room(shape, np.uint32) if hole != TAIL else np.zeros((0, 6), np.uint32)
        self.tables[key] = origin, out
        wanted = [(goes, (hole, into), out)] + [(np.arange(n), (hole, hole), origin)] * (hole != TAIL)
        return [
            (group_targets, (here, holes, units, each, *part))
            for here, holes, each in wanted
            for part in _parted(len(each), threads)
        ]


def _parted(count: int, threads: int) -> list[tuple[int, int]]:
    """Return 0 … count divided into some parts for each thread."""
    size = max(1, -(-count // (8 * threads)))
    return [(first, min(first + size, count)) for first in range(0, count, size)]


def _tails() -> list[tuple[int, ...]]:
    return sorted(permutations(range(TAIL)), key=rank_order)


def _turn(turn: Move) -> np.ndarray:
    """Return uint64 [byte, value, word]: the bits of the two words that the bits of each byte become."""
    led = np.array([rank_order([order[source] for source in turn]) for order in _tails()]).reshape(15, 1, 8)
    shown = (np.arange(256)[:, None] >> np.arange(8) & 1).astype(bool)
    bits = np.uint64(1) << (led & 63).astype(np.uint64)
    words = [np.where(shown & (led >> 6 == word), bits, np.uint64(0)) for word in range(2)]
    return np.ascontiguousarray(np.stack([np.bitwise_or.reduce(each, axis=2) for each in words], axis=2))
