"""A slide puzzle seen piece by piece: which pieces move, where each can go alone, and in how many moves.

A bound that counts pieces one by one needs rules that move one piece each into blanks. The rules of peg solitaire (a
jump takes another peg away) and listed moves (which carry many symbols) are not of this kind.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from ..limits.watch import paced
from ..model.effects import allowed
from ..model.goal import Goal
from ..model.model import Model
from ..model.rule import Rule, single_symbol, single_symbols

UNIT = -1
"""The shape of any piece of one cell in a motion."""


@dataclass(frozen=True)
class Slides:
    """A slide puzzle seen piece by piece. `read` makes it.

    model   the rules
    blank   the symbol that pieces slide into
    body    the symbol of a block's further cells, or -1
    units   the symbols of pieces of one cell that some rule moves
    """

    model: Model
    blank: int
    body: int
    units: tuple[int, ...]
    _alone: dict[tuple[int, frozenset[int]], tuple[int, ...]] = field(default_factory=dict, repr=False, compare=False)

    @cached_property
    def pieces(self) -> tuple[int, ...]:
        """The symbols of all pieces that some rule moves."""
        blocks = {rule.motion.shape for rule in paced(self.model.rules) if rule.motion and rule.motion.shape != UNIT}
        return tuple(sorted({*self.units, *blocks}))

    @cached_property
    def joint(self) -> int:
        """The most pieces that one move can carry; 0 if a move can go on without end."""
        followers = self.model.followers
        if all(self._goes_on(number, other) for number, after in enumerate(followers) for other in after):
            return 1
        longest: dict[int, int] = {}
        pending = [(number, False) for number in range(len(followers))]
        open_ones: set[int] = set()
        while pending:
            number, done = pending.pop()
            if done:
                open_ones.discard(number)
                longest[number] = 1 + max((longest[other] for other in followers[number]), default=0)
            elif number not in longest:
                open_ones.add(number)
                pending.append((number, True))
                pending += [(other, False) for other in followers[number] if other not in longest]
                if open_ones & set(followers[number]):
                    return 0
        return max(longest.values(), default=1)

    @cached_property
    def unbroken(self) -> bool:
        """Whether pieces of one cell move on a board that no cell cuts in two and that is not a ring.

        Usually, most positions of the right parity are then reachable with one blank. This is no proof, because gates
        may keep pieces out of cells; see `SlideBoard.transitive`.
        """
        model = self.model
        near: dict[int, set[int]] = {}
        for rule in paced(model.rules):
            near.setdefault(rule.cells[0], set()).add(rule.cells[1])
        if model.shapes is not None or not all(near.get(cell) for cell in range(model.cells)):
            return False
        return all(_connected(near, cell) for cell in near) and any(len(others) > 2 for others in near.values())

    def _goes_on(self, number: int, other: int) -> bool:
        """Return whether the second rule can only move the piece that the first one moved."""
        first, then = self.model.rules[number].motion, self.model.rules[other].motion
        assert first is not None
        assert then is not None
        return first.target == then.origin and first.shape == then.shape

    def usable(self, start: bytes) -> tuple[Rule, ...]:
        """Return the rules that need no more blanks than the start has."""
        blanks = start.count(self.blank)
        return tuple(rule for rule in paced(self.model.rules) if rule.need.count(1 << self.blank) <= blanks)

    def ways(self, symbol: int) -> tuple[int, ...]:
        """Return the numbers of the rules that move this piece."""
        shape = UNIT if symbol in self.units else symbol
        return tuple(
            number
            for number, rule in enumerate(paced(self.model.rules))
            if rule.motion is not None
            and rule.motion.shape == shape
            and (shape != UNIT or rule.need[rule.cells.index(rule.motion.origin)] >> symbol & 1)
        )

    def alone(self, symbol: int, targets: frozenset[int]) -> tuple[int, ...]:
        """Return for each cell the moves that the piece alone needs to the nearest target; 0 if it can reach none.

        The board is empty except for what never moves, so no position needs fewer moves of this piece.
        """
        key = symbol, targets
        if key not in self._alone:
            self._alone[key] = self._moves_alone(symbol, targets)
        return self._alone[key]

    def _moves_alone(self, symbol: int, targets: frozenset[int]) -> tuple[int, ...]:
        rules = self.model.rules
        leaving: dict[int, list[int]] = {}
        for number in self.ways(symbol):
            leaving.setdefault(rules[number].motion.origin, []).append(number)  # type: ignore[union-attr]
        reach = {cell: self._one_move(cell, leaving) for cell in range(self.model.cells)}
        depth = dict.fromkeys(targets, 0)
        while True:
            more = {
                cell: 1 + min(depth[end] for end in reach[cell] if end in depth)
                for cell in range(self.model.cells)
                if cell not in depth and not reach[cell].isdisjoint(depth)
            }
            if not more:
                return tuple(depth.get(cell, 0) for cell in range(self.model.cells))
            depth.update(more)

    def _one_move(self, cell: int, leaving: dict[int, list[int]]) -> set[int]:
        """Return the cells that the piece alone reaches from a cell in one move."""
        rules = self.model.rules
        seen = set(leaving.get(cell, ()))
        pending = list(seen)
        ends: set[int] = set()
        while pending:
            number = pending.pop()
            end = rules[number].motion.target  # type: ignore[union-attr]
            ends.add(end)
            more = set(self.model.followers[number]) & set(leaving.get(end, ())) - seen
            seen |= more
            pending += more
        return ends

    def targets(self, goals: tuple[Goal, ...], symbol: int) -> frozenset[int]:
        """Return the cells where some goal allows the symbol."""
        return frozenset(cell for goal in goals for cell, need in enumerate(goal.need) if need >> symbol & 1)


def read(model: Model) -> Slides | str:
    """Parse the rules as a slide puzzle, or say why not."""
    return model.bare.kept(_read)


def _read(model: Model) -> Slides | str:
    blanks: set[int] = set()
    units = 0
    if model.metric.free:
        return "the bounds are for metrics that count every rule"
    for rule in paced(model.rules):
        if rule.motion is None:
            return "the bounds are for rules that move one piece each, and the puzzle has listed moves"
        blank = _blank_of(rule, model)
        if blank is None:
            return "the bounds are for pieces that slide into blanks, but some rules change other pieces as well"
        blanks.add(blank)
        if rule.motion.shape == UNIT:
            units |= rule.need[rule.cells.index(rule.motion.origin)]
    if len(blanks) != 1:
        return "the bounds are for puzzles with one kind of blank"
    if any(rule.motion is not None and rule.motion.whole for rule in paced(model.rules)) and not model.reversible:
        return "the bounds are for moves that can be undone"
    body = model.shapes.body if model.shapes else -1
    return Slides(model, blanks.pop(), body, tuple(allowed(units, model.symbols)))


def _connected(near: dict[int, set[int]], without: int) -> bool:
    """Return whether the board stays connected without a cell."""
    seen = {without, next(cell for cell in near if cell != without)}
    pending = list(seen - {without})
    while pending:
        more = near[pending.pop()] - seen
        seen |= more
        pending += more
    return len(seen) == len(near)


def _blank_of(rule: Rule, model: Model) -> int | None:
    """Return the symbol that the rule's piece slides into, or None if the rule is no slide."""
    assert rule.motion is not None
    if rule.motion.shape == UNIT:
        return _blank_of_unit(rule)
    if model.shapes is None or any(table is None for table in rule.table):
        return None
    old = single_symbols(rule.need)
    new = [table[0] for table in rule.table if table is not None]
    if len(old) < len(rule.need) or sorted(old) != sorted(new):
        return None
    others = set(old) - {rule.motion.shape, model.shapes.body}
    return others.pop() if len(others) == 1 else None


def _blank_of_unit(rule: Rule) -> int | None:
    assert rule.motion is not None
    if sorted(rule.cells) != sorted((rule.motion.origin, rule.motion.target)):
        return None
    need = rule.need[rule.cells.index(rule.motion.target)]
    exchanged = rule.source == (1, 0) and rule.table == (None, None)
    return single_symbol(need) if exchanged else None
