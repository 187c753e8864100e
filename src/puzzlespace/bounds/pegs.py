"""Peg solitaire: positions from which no goal can be reached, the jumps left, and the moves of full regions.

*Classes.* A jump flips three cells. A sum of cells modulo 2 that every jump leaves unchanged tells apart positions that
no jumps connect (colouring by thirds: de Bruijn 1972, "A solitaire game and its relation to a finite field"). Goals of
another class are left out.

*Pagoda functions* (Conway; Berlekamp, Conway and Guy, *Winning Ways*, chapter 23). Give each cell a number such that
p(a) + p(b) >= p(c) for every jump from a over b to c. A jump replaces the pegs in a and b by one in c, so the sum over
all pegs never grows. If it is smaller than in a goal, that goal is out of reach. Two families are used:

- 1 on all cells that jumping connects with a cell, 0 elsewhere. The cells a and c are both in the family or both not,
  so p(a) = p(c).
- Fibonacci numbers F(n - d) that fall with the distance d of a cell from a peg of the goal, where cells next to each
  other in a jump are at distance 1. All cells at distance n - 1 or more have F(1) = 1, and cells that are not connected
  with the peg have 0. If c is at distance d < n - 2, then b and a are at most at d + 1 and d + 2. F never falls as its
  argument grows, so p(a) + p(b) >= F(n - d - 1) + F(n - d - 2) = F(n - d) = p(c). Farther away p(c) = 1 <= p(a).

*Jumps left.* A jump takes one peg away, so the number of jumps to a goal is the number of pegs that are too many.

*Full regions*, if a chain of jumps by one peg is one move: the greatest number of disjoint regions that are full and
not full in the goal (`structure/regions.py` has the proof).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ..contract.bound import NO_WAY, Bound, Evaluate, Goals
from ..contract.questions import beyond_rules
from ..contract.space import Space
from ..limits.watch import Watch
from ..model.model import Model
from ..structure.jumps import NO_JUMPS, flips
from ..structure.regions import RegionPacking, clusters, regions

MOST_GOALS = 100
"""With more goals an evaluation takes long."""

LANE = 24
"""The bits of the sum of a pagoda function."""

FARTHEST = 14
"""The distance from which Fibonacci numbers no longer fall, so that sums fit their bits on boards of 10,000 cells."""


class PegJump(NamedTuple):
    """The cells of a jump: the one that the peg leaves, the one that it jumps over, the one that it enters."""

    left: int
    over: int
    entered: int


@dataclass(frozen=True)
class PegJumps:
    """The jumps of a puzzle, the symbol of a peg, and whether moves are chains of jumps."""

    jumps: tuple[PegJump, ...]
    peg: int
    chained: bool


def read(space: Space) -> PegJumps | str:
    """Return the jumps of a puzzle, or why it is not peg solitaire."""
    if not isinstance(space, Model):
        return "it is for rules, and the moves of this puzzle are Python functions"
    beyond = beyond_rules(space)
    if beyond is not None:
        return beyond
    if space.metric.free or space.metric.costs or space.metric.exhausts:
        return "it is for jumps that count one, one by one or in chains"
    found, after = flips(space), space.metric.after
    if not found or any(each.hole != each.target for each in found):
        return NO_JUMPS
    if any(
        found[number].target != found[next_].origin for number, following in enumerate(after) for next_ in following
    ):
        return "it is for moves in which one peg jumps"
    return PegJumps(tuple(PegJump(each.origin, each.over, each.target) for each in found), found[0].taken, bool(after))


def _listed(space: Space, goals: Goals) -> list[bytes] | None:
    """Return the goal positions, or None if they are not listed."""
    if goals is not None:
        return list(goals)
    positions = [goal.position for goal in space.goals] if isinstance(space, Model) else []
    return [each for each in positions if each is not None] if positions and all(positions) else None


def fits(space: Space, goals: Goals) -> str | None:
    """Return why the puzzle is not peg solitaire with goals that are listed, or None."""
    jumps, listed = read(space), _listed(space, goals)
    if isinstance(jumps, str):
        return jumps
    if listed is None:
        return "the goal positions are not listed one by one"
    return f"there are more than {MOST_GOALS} goals" if len(listed) > MOST_GOALS else None


def make(space: Space, goals: Goals, watch: Watch) -> Evaluate:
    """Return the bound."""
    jumps, listed = read(space), _listed(space, goals)
    assert not isinstance(jumps, str)
    assert isinstance(space, Model)
    assert listed is not None
    return PegBound(jumps, space.cells, listed)


class PegBound:
    """The bound for one puzzle and its goals. Sums of all pagoda functions are one integer, LANE bits for each."""

    def __init__(self, jumps: PegJumps, cells: int, goals: Sequence[bytes]) -> None:
        self.jumps, self.cells = jumps, cells
        pegs = [self._pegs(goal) for goal in goals]
        functions = list(dict.fromkeys([*_connected(jumps, cells), *_falling(jumps, cells, pegs)]))
        self.weights = [sum(each[cell] << LANE * n for n, each in enumerate(functions)) for cell in range(cells)]
        self.guards = sum(1 << LANE * n + LANE - 1 for n in range(len(functions)))
        self.classes = _classes(jumps, cells)
        self.packings = (
            [RegionPacking(group) for group in clusters(regions(jumps.jumps, cells))] if jumps.chained else []
        )
        self.goals = [
            (len(each), sum(self.weights[cell] for cell in each), self._class(each), _bits(each)) for each in pegs
        ]

    def _pegs(self, position: bytes) -> list[int]:
        return [cell for cell, symbol in enumerate(position) if symbol == self.jumps.peg]

    def _class(self, pegs: Iterable[int]) -> int:
        found = 0
        for cell in pegs:
            found ^= self.classes[cell]
        return found

    def __call__(self, position: bytes) -> float:
        """Return how many moves are certainly left, or NO_WAY."""
        pegs = self._pegs(position)
        total = sum([self.weights[cell] for cell in pegs]) | self.guards
        own, bits = self._class(pegs), _bits(pegs)
        least: float = NO_WAY
        for count, needed, other, goal in self.goals:
            too_many = len(pegs) - count
            if other == own and too_many >= 0 and (total - needed) & self.guards == self.guards:
                left = self._chains(bits, goal) if self.jumps.chained else too_many
                if too_many or bits == goal:
                    least = min(least, left)
        return least

    def _chains(self, bits: int, goal: int) -> int:
        """Return the number of disjoint regions that are full and not full in the goal, but at least 1 elsewhere."""
        return max(sum([packing.most(bits, goal) for packing in self.packings]), int(bits != goal))


def _bits(cells: Iterable[int]) -> int:
    return sum([1 << cell for cell in cells])


def _connected(jumps: PegJumps, cells: int) -> Iterator[tuple[int, ...]]:
    """Yield for each set of cells that jumping connects the function that is 1 there and 0 elsewhere."""
    near: list[set[int]] = [set() for _ in range(cells)]
    for left, _, entered in jumps.jumps:
        near[left].add(entered)
        near[entered].add(left)
    seen: set[int] = set()
    for cell in range(cells):
        if cell not in seen:
            inside = set(_reached(near, [cell]))
            seen |= inside
            yield tuple(int(each in inside) for each in range(cells))


def _falling(jumps: PegJumps, cells: int, goals: Iterable[Sequence[int]]) -> Iterator[tuple[int, ...]]:
    """Yield Fibonacci numbers that fall with the distance from each peg of the goals."""
    near: list[set[int]] = [set() for _ in range(cells)]
    for left, over, entered in jumps.jumps:
        for one, other in ((left, over), (over, entered)):
            near[one].add(other)
            near[other].add(one)
    for cell in dict.fromkeys(cell for pegs in goals for cell in pegs):
        distance = _reached(near, [cell])
        numbers = [1, 1]
        while len(numbers) <= min(max(distance.values()), FARTHEST):
            numbers.append(numbers[-1] + numbers[-2])
        numbers.reverse()
        last = len(numbers) - 1
        yield tuple(numbers[min(distance[each], last)] if each in distance else 0 for each in range(cells))


def _reached(near: Sequence[Iterable[int]], cells: Sequence[int]) -> dict[int, int]:
    """Return the cells that can be reached from some, with their distances."""
    found, layer = dict.fromkeys(cells, 0), list(cells)
    for cell in layer:
        for other in near[cell]:
            if other not in found:
                found[other] = found[cell] + 1
                layer.append(other)
    return found


def _classes(jumps: PegJumps, cells: int) -> list[int]:
    """Return for each cell the sums modulo 2 that it is in, one bit each: all that no jump changes.

    The sums are the null space of the jumps, by elimination over the field of two elements.
    """
    rows: dict[int, int] = {}
    for jump in jumps.jumps:
        row = _bits(jump)
        for pivot, other in rows.items():
            if row >> pivot & 1:
                row ^= other
        if row:
            pivot = row.bit_length() - 1
            rows = {each: other ^ row if other >> pivot & 1 else other for each, other in rows.items()}
            rows[pivot] = row
    free = [cell for cell in range(cells) if cell not in rows]
    found = [0] * cells
    for number, cell in enumerate(free):
        found[cell] |= 1 << number
        for pivot, row in rows.items():
            if row >> cell & 1:
                found[pivot] |= 1 << number
    return found


BOUND = Bound("pegs", fits, make)
