"""Slide puzzles: rules that move one piece each into blanks. `ways_of` reads a rule, the rest follows from that.

`Slides` sees the pieces one by one: which of them move, where each can go alone, and in how many moves. Lower bounds
need this. The rules of peg solitaire (a jump takes another peg away) and listed moves (which carry many symbols) are
not of this kind.

`SlideBoard` sees the cells, for pieces of one cell, beginning at a position: which cells the blanks can reach, and
along which links pieces slide. Numberings of positions need this.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from ..limits.watch import paced
from ..model.effects import allowed, outcomes
from ..model.facts import Partition, two_colours
from ..model.goal import Goal
from ..model.model import Model
from ..model.rule import Motion, Rule, single_symbol, single_symbols

UNIT = -1
"""The shape of any piece of one cell in a motion."""


class SlideWay(NamedTuple):
    """A reading of a rule: the indices of the cells that a piece leaves and enters, and the symbol that it enters."""

    origin: int
    target: int
    blank: int


def ways_of(rule: Rule, symbols: int) -> list[SlideWay]:
    """Return each reading of a rule as a slide of a piece into a blank.

    None unless the rule does nothing else. If it needs one piece exactly, the blank can also be read as the piece.
    """
    effects = outcomes(rule, symbols)
    changed = [
        index for index, (source, pairs) in enumerate(effects) if source != index or any(s != n for s, n in pairs)
    ]
    found: list[SlideWay] = []
    for origin, target in (changed, changed[::-1]) if len(changed) == 2 else ():
        blank, piece = single_symbol(rule.need[target]), single_symbol(rule.need[origin])
        source, pairs = effects[target]
        carried = source == origin and all(old == new for old, new in pairs)
        put = piece is not None and all(new == piece for _, new in pairs)
        if blank is not None and (carried or put) and all(new == blank for _, new in effects[origin][1]):
            found.append(SlideWay(origin, target, blank))
    return found


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
        return tuple(sorted({*self.units, *self.blocks}))

    @cached_property
    def blocks(self) -> frozenset[int]:
        """The symbols of the pieces of several cells that some rule moves."""
        motions = (rule.motion for rule in paced(self.model.rules))
        return frozenset(motion.shape for motion in motions if motion is not None and motion.shape != UNIT)

    @cached_property
    def steps(self) -> tuple[Motion, ...]:
        """The motions of pieces of one cell."""
        motions = (rule.motion for rule in paced(self.model.rules))
        return tuple(motion for motion in motions if motion is not None and motion.shape == UNIT)

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
        """Whether pieces of one cell move both ways on a board that no cell cuts in two and that is not a ring.

        Usually, most positions of the right parity are then reachable with one blank. This is no proof, because gates
        may keep pieces out of cells; see `SlideBoard.transitive`.
        """
        model = self.model
        if model.shapes is not None:
            return False
        links = {(step.origin, step.target) for step in self.steps}
        return _woven(links, range(model.cells)) and _both_ways(links)

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
    if model.metric.beyond_rules is not None:
        return model.metric.beyond_rules
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


Link = tuple[int, int]
"""(cell that a piece leaves, cell that it enters)"""

THETA = 7
"""The number of cells of Wilson's exceptional board: six on a ring, and one that joins two opposite ones."""


@dataclass(frozen=True, slots=True)
class SlideBoard:
    """A sliding puzzle of one-cell pieces.

    position  a position, which has the numbers of pieces and the contents of the cells that never change
    blank     the symbol of the blanks
    live      the cells that blanks can reach, ascending; all others never change
    links     the slides
    before    for each link the number of the link that it may follow within one move, or -1
    """

    position: bytes
    blank: int
    live: tuple[int, ...]
    links: tuple[Link, ...]
    before: tuple[int, ...]

    @property
    def blanks(self) -> int:
        """The number of blanks in the live cells."""
        return sum(self.position[cell] == self.blank for cell in self.live)

    @property
    def chained(self) -> bool:
        """Whether a move may be a chain of links."""
        return any(before >= 0 for before in self.before)

    @property
    def mixing(self) -> bool:
        """Whether the board has no cut cell and is not a ring: usually, most orders of the pieces are reachable.

        This is no proof; see `transitive`.
        """
        return _woven(self.links, self.live)

    @property
    def two_coloured(self) -> bool:
        """Whether every link joins cells of two colours, as on a chessboard."""
        place = {cell: number for number, cell in enumerate(self.live)}
        return two_colours([(place[a], place[b]) for a, b in self.links], len(place)) is not None

    @property
    def transitive(self) -> bool:
        """Whether all placements of the pieces, or all of one parity, are proved to be reachable from each other.

        The proof is for boards that are `mixing` and whose links go both ways (R. M. Wilson 1974; D. Kornhauser,
        G. Miller and P. Spirakis 1984 for several blanks). Its only exception has seven cells, so no board of seven
        cells counts.
        """
        return self.mixing and len(self.live) != THETA and _both_ways(set(self.links))

    def fits(self, position: bytes) -> bool:
        """Return whether the position has the same pieces on the same board."""
        live = set(self.live)
        return (
            len(position) == len(self.position)
            and all(position[cell] == self.position[cell] for cell in range(len(position)) if cell not in live)
            and sorted(position) == sorted(self.position)
        )


def board_of(model: Model) -> SlideBoard | str:
    """Return the sliding puzzle of one-cell pieces that the model is from its `anchor`, or why it is another one."""
    return "there is no position to begin from" if model.anchor is None else model.bare.kept(_board_of, model.anchor)


def _board_of(model: Model, position: bytes) -> SlideBoard | str:
    if model.metric.beyond_rules is not None:
        return model.metric.beyond_rules
    if not model.rules or model.shapes is not None:
        return "it is for pieces of one cell, and for puzzles with moves"
    reason = "some rules do not slide a piece of one cell into a blank"
    for blank in sorted(set(position), key=lambda symbol: (position.count(symbol), symbol)):
        slides = [_slide(rule, blank, model.symbols) for rule in paced(model.rules)]
        if None not in slides:
            found = _with_blank(model, position, blank, [slide for slide in slides if slide is not None])
            if isinstance(found, SlideBoard):
                return found
            reason = found
    return reason


def _with_blank(model: Model, position: bytes, blank: int, ways: list[tuple[Link, frozenset[int]]]) -> SlideBoard | str:
    found = _live(model.cells, position, blank, ways)
    if found is None:
        return "its blanks are in separate parts of the board, or there are none"
    live, usable = found
    mobile = frozenset(position[cell] for cell in live) - {blank}
    if not mobile:
        return "no piece can move"
    chains = _chains(model, [way[0] for way in ways], usable, sum(position[cell] == blank for cell in live))
    if chains is None:
        return "within a move, a slide can follow several others, or moves go on without end"
    every = "some pieces cannot slide along every link"
    if any(before >= 0 for before in chains.values()):
        if any(not mobile <= ways[n][1] for n in usable):
            return every
        place = {n: k for k, n in enumerate(usable)} | {-1: -1}
        links = tuple(ways[n][0] for n in usable)
        return SlideBoard(position, blank, live, links, tuple(place[chains[n]] for n in usable))
    carried: dict[Link, set[int]] = {}
    for number in usable:
        carried.setdefault(ways[number][0], set()).update(ways[number][1])
    if any(not mobile <= pieces for pieces in carried.values()):
        return every
    return SlideBoard(position, blank, live, tuple(sorted(carried)), (-1,) * len(carried))


def _live(
    cells: int, position: bytes, blank: int, ways: list[tuple[Link, frozenset[int]]]
) -> tuple[tuple[int, ...], list[int]] | None:
    """Return the live cells and the rules among them; None if the blanks are in separate components."""
    movable = {piece for _, pieces in ways for piece in pieces}
    free = {cell for cell, symbol in enumerate(position) if symbol in movable or symbol == blank}
    usable = [n for n, (link, _) in enumerate(ways) if set(link) <= free]
    joined = Partition(cells)
    for number in usable:
        joined.merge(*ways[number][0])
    linked = {cell for number in usable for cell in ways[number][0]}
    labels = {joined.find(cell) for cell in linked if position[cell] == blank}
    if len(labels) != 1:
        return None
    live = tuple(cell for cell in sorted(linked) if joined.find(cell) in labels)
    return live, [n for n in usable if ways[n][0][0] in live]


def _slide(rule: Rule, blank: int, symbols: int) -> tuple[Link, frozenset[int]] | None:
    """Return the link and the pieces that the rule moves along it into blanks, or None if it does anything else."""
    for origin, target, entered in ways_of(rule, symbols) if len(rule.cells) == 2 else ():
        pieces = frozenset(allowed(rule.need[origin], symbols)) - {blank}
        if entered == blank and pieces:
            return (rule.cells[origin], rule.cells[target]), pieces
    return None


def _chains(model: Model, links: list[Link], usable: list[int], blanks: int) -> dict[int, int] | None:
    """Return for each usable rule the one that it may follow within a move, or -1; None if several, or in a cycle.

    Pairs of rules that can never be used in sequence do not count.
    """
    before = dict.fromkeys(usable, -1)
    for first in usable:
        for then in model.followers[first]:
            if then in before and _possible(links[first], links[then], blanks):
                if before[then] >= 0:
                    return None
                before[then] = first
    for rule in usable:
        passed = 0
        while before[rule] >= 0 and passed <= len(usable):
            rule = before[rule]
            passed += 1
        if passed > len(usable):
            return None
    return before


def _possible(first: Link, then: Link, blanks: int) -> bool:
    """Return whether one slide can directly follow another, with this number of blanks."""
    if blanks == 1:
        return then[1] == first[0]
    return then[0] != first[0] and then[1] != first[1]


def _both_ways(links: set[Link]) -> bool:
    return all((target, origin) in links for origin, target in links)


def _woven(links: Iterable[Link], cells: Collection[int]) -> bool:
    """Return whether no cell cuts the board in two and the board is not a ring."""
    near: dict[int, set[int]] = {cell: set() for cell in cells}
    for a, b in links:
        near[a].add(b)
        near[b].add(a)
    return any(len(others) > 2 for others in near.values()) and all(_connected(near, cell) for cell in near)


def _connected(near: dict[int, set[int]], without: int) -> bool:
    """Return whether the board stays connected without a cell."""
    seen = {without, next(cell for cell in near if cell != without)}
    pending = list(seen - {without})
    while pending:
        more = near[pending.pop()] - seen
        seen |= more
        pending += more
    return len(seen) == len(near)
