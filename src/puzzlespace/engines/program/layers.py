"""Breadth-first layers of a rule program: a layer is a range of numbers of positions."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence

from ...kernels.program.fields import (
    AT,
    BUDGET,
    COUNT,
    CROWDED,
    DONE,
    END,
    FULL,
    GENERATED,
    KEYED,
    MARKED,
    MARKING,
    MASK,
    ROOM,
    STATE,
    STATUS,
    WAITING,
)
from ...limits.thresholds import Threshold
from ...limits.watch import STRIDE, Watch, checkpoint
from ...model.goal import Goal
from ...model.model import Model
from ...search.encoding import Encoding
from ...structure.narrow import Narrowing
from ..shared.loops import run
from .packing import WORD, goals_of, program_of

FIRST_ROOM = Threshold(1 << 12)
"""The positions for which there is room at first; a power of two. Most searches in a browser are small.

It doubles when full.
"""

FIRST_PARTS = Threshold(1 << 8)
"""The parts of moves of one position for which there is room at first. It doubles when full."""

UNPACKED = 1 << 12
"""Positions that are unpacked at once."""

Numbers = Sequence[int]
"""Numbers of positions, by which the words of this encoding are found: a range or a list."""


class ProgramLayers(Encoding):
    """All positions found, in the order of their distance, and the hash table that finds them."""

    def __init__(self, model: Model, sources: Sequence[bytes], goals: Sequence[Goal], watch: Watch) -> None:
        self.watch, self.goals = watch, goals
        self.narrowing = Narrowing.of(model, sources)
        self.program = model.bare.kept(program_of, self.narrowing)
        self.goal_tests = goals_of(model, goals, self.narrowing)
        self.wide = self.program.width
        self.state = array("q", [0]) * STATE
        self.words = array("Q")
        self.table = array("Q")
        self.came = array("B")
        self.parts = array("Q", [0]) * ((self.wide + 3) * watch.thresholds[FIRST_PARTS])
        self.state[WAITING] = watch.thresholds[FIRST_PARTS]
        self.state[KEYED] = self.program.cells * self.program.bits < WORD
        self.ends: dict[int, int] = {}

    def enter(self, positions: Sequence[bytes]) -> range:
        words = self.program.packed(map(self.narrowing.taken, positions))
        room = self.watch.thresholds[FIRST_ROOM]
        while room < len(positions):
            room *= 2
        self._reserve(room, 0)
        self.words = words
        self.words.frombytes(bytes(8 * (room * self.wide - len(words))))
        self.came = array("B", bytes(room))
        self.state[COUNT] = len(positions)
        self._index(room)
        return range(len(positions))

    def following(self, layer: range, watch: Watch, bound: int) -> range:
        self._run_over(layer, array("B", [0]), watch, bound)
        self.ends[layer.stop] = self.state[COUNT]
        return range(layer.stop, self.state[COUNT])

    def _run_over(self, layer: range, marks: array[int], watch: Watch, bound: int) -> None:
        """Expand the positions of a layer."""
        state = self.state
        state[AT], state[END], state[BUDGET] = layer.start, layer.stop, watch.thresholds[STRIDE]
        state[STATUS] = -1
        while state[STATUS] != DONE:
            before = state[GENERATED]
            stable = self.program.numbers, self.program.sets
            run("expand", *stable, state, self.words, self.table, self.parts, marks, self.came)
            watch.tick(state[GENERATED] - before, bound)
            if state[STATUS] == FULL:
                self._reserve(state[ROOM], bound)
                self.words *= 2
                self.came.frombytes(bytes(state[ROOM]))
                self._index(2 * state[ROOM])
            elif state[STATUS] == CROWDED:
                watch.reserve(8 * len(self.parts), bound)
                self.parts *= 2
                state[WAITING] *= 2

    def _reserve(self, room: int, bound: int) -> None:
        """Raise LimitError if there is no memory for so many more positions."""
        self.watch.reserve((8 * (self.wide + 2) + 1) * room, bound)

    def _index(self, room: int) -> None:
        """Make the hash table for so many positions."""
        self.table = array("Q")  # the old one makes room first
        self.table = array("Q", [0]) * (2 * room)
        self.state[ROOM], self.state[MASK] = room, 2 * room - 1
        run("enter", self.program.numbers, self.state, self.words, self.table)

    def size(self, layer: range) -> int:
        return len(layer)

    def pieces(self, layer: range) -> Iterator[Numbers]:
        yield layer

    def leave(self, words: Numbers) -> list[bytes]:
        cells, found = self.program.cells, list[bytes]()
        for first in range(0, len(words), UNPACKED):
            checkpoint()
            numbers = array("q", words[first : first + UNPACKED])
            self.state[END] = len(numbers)
            symbols = array("B", bytes(cells * len(numbers)))
            run("shown", self.program.numbers, self.state, self.words, numbers, symbols)
            found += self.narrowing.whole(symbols.tobytes())
        return found

    def moves(self, count: int, watch: Watch) -> Iterator[list[int]]:
        """Yield for each of the first `count` positions, all of which were expanded, the numbers one move from it.

        Those that are not among the first are left out, as is the position itself.
        """
        width, state = self.wide, self.state
        self.came = array("B", bytes(len(self.came)))  # all rules from all of them
        numbers = {key: number for number, key in enumerate(_keys(self.words[: count * width], width, width))}
        for position in range(count):
            state[GENERATED] = 0
            self._run_over(range(position, position + 1), array("B", [0]), watch, 0)
            found = _keys(self.parts[: state[GENERATED] * (width + 3)], width, width + 3)
            yield [numbers[key] for key in found if numbers.get(key, position) != position]

    def end(self) -> None:
        self.table = array("Q")

    def met(self, layer: range) -> list[int]:
        if not self.goals or not layer:
            return []
        marks = array("B", bytes(len(layer)))
        self.state[AT], self.state[END] = layer.start, layer.stop
        goals = self.goal_tests
        run("met", self.program.numbers, goals.numbers, goals.sets, self.state, self.words, marks)
        found = _marked(marks, layer.start)
        if not any(goal.counts for goal in self.goals):
            return found
        shown = zip(found, self.leave(found), strict=True)
        return [number for number, position in shown if any(goal.holds(position) for goal in self.goals)]

    def before(self, words: Numbers, layer: range, watch: Watch) -> list[int]:
        if self.state[KEYED]:
            self.state[KEYED] = 0
            self._index(self.state[ROOM])
        marks = array("B", bytes(self.ends[layer.stop] - layer.start))
        for number in words:
            marks[number - layer.start] = 1
        self.state[MARKING], self.state[MARKED] = 1, layer.start
        self._run_over(layer, marks, watch, 0)
        self.state[MARKING] = 0
        return _marked(marks[: len(layer)], layer.start)


def _keys(words: array[int], width: int, stride: int) -> Sequence[object]:
    """Return a key for each row of words: of its first ones."""
    if width == 1:
        return words[::stride]
    return list(zip(*(words[first::stride] for first in range(width)), strict=True))


def _marked(marks: array[int], first: int) -> list[int]:
    """Return the numbers whose byte is 1; that of the first byte is given."""
    found, text = list[int](), marks.tobytes()
    at = text.find(1)
    while at >= 0:
        found.append(first + at)
        at = text.find(1, at + 1)
    return found
