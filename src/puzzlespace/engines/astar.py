"""Best-first search (A*): over any space by `search.best_first`, and in compiled loops for numbers written in digits.

Towers of Hanoi are such numbers, and are searched in compiled loops unless a lower bound is asked for. The bound is the
sum of two pattern tables: the distances of the last digits, which for a tower are the largest disks, and of the first
ones. All positions of a length, distance from the start plus bound, are expanded before those of the next one; two bits
for each position remember which are expanded, and their distances mod 3. So solutions are walked back without parents.
docs/methods/digits.md
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ..contract.answers import Geodesics
from ..contract.questions import Depths, Engine, Prospect, Search, Space, Worth, beyond_rules, model_of, special
from ..errors import InputError, LimitError, UnsupportedError
from ..limits.machine import spare_memory
from ..limits.threads import processors
from ..limits.thresholds import Threshold
from ..limits.watch import STRIDE, Watch, phase
from ..model.model import Model
from .shared.growth import lengthen

if TYPE_CHECKING:
    from ..heuristics.digit_tables import DigitTable
    from ..structure.digits import Digits

MOST = 1 << 32
"""The most positions: lists have 32 bits for each."""

ROOM = 1 << 16
"""The first length of the lists of positions that wait."""

SHARE = 4
"""Pattern tables take at most one part of so many of the memory."""

SMALLER = 16
"""A pattern table has at most one entry for so many positions: a larger one takes longer than the search."""

ATTEMPT_DIGITS = Threshold(5_000)
"""Positions that slower engines may generate first, so that easy puzzles make no pattern tables.

Plain Python generates so many in 0.04 to 0.25 s.
"""

DIGIT_TABLES = Threshold(1 << 26)
"""The most entries of a pattern table."""


def refuses(space: Space, question: str) -> str | None:
    """Return why the engine cannot answer: it builds no depth tables, because it stops at a goal."""
    return None if question == "search" else "it searches for one solution and builds no depth table"


def not_digits(space: Space) -> str | None:
    """Return why positions are not searched as numbers in compiled loops, or None."""
    model = model_of(space)
    unlike = special(space) or beyond_rules(space)
    if model is None or unlike is not None:
        return unlike or "its moves are Python functions, not rules"
    from ..structure.digits import read

    found = read(model)
    if isinstance(found, str):
        return f"positions are not written in digits: {found}"
    if not found.reversible:
        return "some moves cannot be undone"
    return f"there are more than {MOST:,} positions" if found.positions > MOST else None


def worth(question: Depths | Search, prospect: Prospect) -> Worth:
    """Return how many positions plain Python may generate before, or why it is not for numbers written in digits."""
    if not isinstance(question, Search) or question.goals is None:
        return Worth(reason="the goal positions are not listed one by one")
    return Worth.unless(not_digits(question.space), prospect.watch.thresholds[ATTEMPT_DIGITS])


def search(question: Search, watch: Watch) -> Geodesics:
    """Return the positions on shortest solutions: on all if the question asks for every, else on one.

    Raises what `search.best_first.astar` raises.
    """
    from ..search import best_first  # most questions go to other engines

    if question.bound is not None or question.heuristic or not_digits(question.space) is not None:
        return best_first.astar(question, watch)
    model = question.model
    given = list(question.goals) if question.goals is not None else [goal.position for goal in model.goals]
    return best_first.astar(question, watch) if None in given else _by_digits(question, model, given, watch)


def _by_digits(question: Search, model: Model, given: Sequence[bytes | None], watch: Watch) -> Geodesics:
    from ..structure.digits import read

    if model.is_goal(question.start):
        return Geodesics((frozenset([question.start]),), 0, watch.seconds, 0)
    digits = read(_beginning_at(model, question.start))
    if isinstance(digits, str):
        raise UnsupportedError(f"engine astar: {digits}")
    goals = [number for goal in given if goal is not None and (number := _number(digits, goal)) is not None]
    if not goals:
        return Geodesics((), watch.generated, watch.seconds)
    try:
        best = BestFirst(digits, digits.rank(question.start), goals, watch)
        length = best.run(question.every)
    except LimitError as error:
        return Geodesics((), watch.generated, watch.seconds, error.bound, error)
    return Geodesics(best.layers(length, question.every), watch.generated, watch.seconds, length)


def _beginning_at(model: Model, start: bytes) -> Model:
    return model if model.start == start else replace(model, start=start)


def _number(digits: Digits, position: bytes) -> int | None:
    """Return the number of a position, or None if it cannot be reached."""
    try:
        return digits.rank(position)
    except InputError:
        return None


class BestFirst:
    """One search: the marks of all positions, and three lists of positions that wait, by length mod 3.

    Raises LimitError if the marks or the tables do not fit the memory.
    """

    def __init__(self, digits: Digits, start: int, goals: Sequence[int], watch: Watch) -> None:
        import numpy as np

        from ..heuristics.digit_steps import halved, meeting
        from ..kernels import astar as kernel

        self.kernel, self.digits, self.watch = kernel, digits, watch
        self.start, self.goals = start, np.array(goals, np.int64)
        tables = self._tables(goals)
        self.tables = tables[0].bits, tables[1].bits
        self.cut = tables[0].digits.positions
        self.length = int(kernel.bound(self.tables, self.cut, start))
        watch.reserve(digits.positions // 4 + 1, self.length)
        self.marks = np.zeros(digits.positions // 4 + 1, np.uint8)
        needs = [[(step.place, 1 << step.old), *step.needs] for step in digits.steps]
        half, radix = halved(digits.radix), digits.radix
        first = digits.weights.index(self.cut)
        self.steps = (
            meeting(radix, 0, half, needs),
            meeting(radix, half, len(radix), needs),
            np.array([(step.new - step.old) * digits.weights[step.place] for step in digits.steps], np.int64),
            np.array([step.place < first for step in digits.steps], np.uint8),
        )
        self.lists = [np.zeros(max(ROOM, 2 * len(digits.steps)), np.uint32) for _ in range(3)]
        self.state = np.zeros(7, np.int64)

    def _tables(self, goals: Sequence[int]) -> tuple[DigitTable, DigitTable]:
        """Return the tables of the first and of the last digits, read from the cache or computed."""
        from ..heuristics import kept
        from ..heuristics.digit_tables import DigitTable, divided

        digits, watch = self.digits, self.watch
        left = watch.memory_left(SHARE * watch.thresholds[DIGIT_TABLES])
        room = (spare_memory() if left is None else left) // SHARE
        first = divided(digits, min(watch.thresholds[DIGIT_TABLES], room, digits.positions // SMALLER))
        cut = digits.weights[first]
        tables = (
            DigitTable(digits.part(0, first), [goal % cut for goal in goals]),
            DigitTable(digits.part(first, len(digits.radix)), [goal // cut for goal in goals]),
        )
        with phase("tables of lower bounds were computed"):
            scratch = max(table.scratch for table in tables)
            kept.fill_each(tables, scratch, processors(), watch.reserve, watch.thresholds[kept.KEPT_BYTES])
        return tables

    def run(self, every: bool) -> int:
        """Return the length of the shortest solutions."""
        kernel, state = self.kernel, self.state
        self.lists[0][0], state[kernel.HERE] = self.start, 1
        state[kernel.LENGTH] = self.length
        while True:
            here = self.lists[0]
            size = int(state[kernel.HERE])
            state[kernel.HERE] = kernel.admit(here, size, self.marks, self.tables, self.cut, self.length)
            state[kernel.FOUND] |= any(kernel.mark_of(self.marks, int(goal)) for goal in self.goals)
            while state[kernel.HERE] and (every or not state[kernel.FOUND]):
                before, opened = int(state[kernel.GENERATED]), int(state[kernel.EXPANDED])
                kernel.expand(
                    tuple(self.lists), self.marks, self.steps, self.tables, self.cut, self.goals,
                    state, self.watch.thresholds[STRIDE], every,
                )  # fmt: skip
                self.watch.expand(int(state[kernel.EXPANDED]) - opened)
                self.watch.tick(int(state[kernel.GENERATED]) - before, self.length)
                self._make_room()
            if state[kernel.FOUND]:
                return self.length
            self.watch.layer(self.length, size, int(state[kernel.GENERATED]), bound=True)
            self.length += 1
            self.watch.known.prove(self.length)
            self.lists = [self.lists[1], self.lists[2], self.lists[0]]
            state[: kernel.LENGTH] = state[kernel.NEXT], state[kernel.LAST], 0
            state[kernel.LENGTH] = self.length

    def _make_room(self) -> None:
        """Lengthen lists that are nearly full."""
        room = 2 * len(self.digits.steps)
        for index, each in enumerate(self.lists):
            if len(each) - self.state[index] < room:
                lengthen([each], room, self.watch, self.length)

    def layers(self, length: int, every: bool) -> tuple[frozenset[bytes], ...]:
        """Return the positions on shortest solutions by depth; without `every` on one of them."""
        import numpy as np

        numbers = np.array([goal for goal in self.goals.tolist() if self.kernel.mark_of(self.marks, goal)], np.uint32)
        found = []
        for depth in range(length, -1, -1):
            if not every:
                numbers = numbers[:1]
            self.watch.reserve(8 * len(numbers) * len(self.steps[2]), length)
            found.append(frozenset(row.tobytes() for row in self.digits.rows(numbers)))
            out = np.empty(len(numbers) * len(self.steps[2]), np.uint32)
            count = self.kernel.before(numbers, self.marks, self.steps, (depth - 1) % 3, out)
            numbers = np.unique(out[:count])
        return tuple(reversed(found))


def speed_below(question: Search) -> int:
    """Return how fast the search below the bound of a question is: plain Python, which stores positions."""
    return 2


ENGINE = Engine("astar", refuses, search=search, speed=2000, worth=worth, bounds=speed_below, general=True, lawful=True)
