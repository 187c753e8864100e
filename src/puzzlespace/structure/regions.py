"""Regions of peg boards: sets of cells that a chain of jumps must begin in, as long as they are full.

Let R be a set of cells such that every jump over a cell of R begins or ends in R. While R is full, no jump ends in R,
so the first jump that changes R begins in it. The peg that makes it was in its cell when the move began, because no
jump of this move ended in R. So R, full now and not full in the goal, needs a move that begins in it, and disjoint
regions need different moves (Merson 1962; Beasley, *The Ins and Outs of Peg Solitaire*, 1985).

A move begins in at most one region of a disjoint family, and the others stay full, so the greatest number of disjoint
full regions falls by at most one with each move: as a lower bound it is consistent.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

LARGEST = 7
"""The most cells of a region: seven cells, one and its neighbours, are the smallest inside a triangular lattice."""


def regions(jumps: Iterable[tuple[int, int, int]], cells: int) -> list[int]:
    """Return the regions of at most LARGEST cells that contain no other one, as bit sets, fewest cells first.

    jumps  (left, over, entered) for each jump
    """
    over: list[list[tuple[int, int]]] = [[] for _ in range(cells)]
    for left, middle, entered in jumps:
        over[middle].append((left, entered))
    layer, found = {1 << cell for cell in range(cells)}, list[int]()
    for _ in range(LARGEST):
        following: set[int] = set()
        for region in sorted(layer):
            if any(region & each == each for each in found):
                continue
            open_jump = next(_crossing(region, over), None)
            if open_jump is None:
                found.append(region)
            else:
                following |= {region | 1 << cell for cell in open_jump}
        layer = following
    return found


def _crossing(region: int, over: Sequence[Sequence[tuple[int, int]]]) -> Iterator[tuple[int, int]]:
    """Yield the ends of jumps over a cell of a region that neither begin nor end in it."""
    for cell, jumps in enumerate(over):
        for left, entered in jumps if region >> cell & 1 else ():
            if not region >> left & 1 and not region >> entered & 1:
                yield left, entered


def clusters(found: Sequence[int]) -> list[list[int]]:
    """Return the regions in groups such that regions of different groups are disjoint."""
    groups: list[tuple[int, list[int]]] = []
    for region in found:
        cells, group = region, [region]
        apart = list[tuple[int, list[int]]]()
        for other in groups:
            if other[0] & region:
                cells, group = cells | other[0], other[1] + group
            else:
                apart.append(other)
        groups = [*apart, (cells, group)]
    return [group for _, group in groups]


def overlaps(group: Sequence[int]) -> list[int]:
    """Return for each region of a group the set of those that share a cell with it, itself included."""
    return [sum((one & other > 0) << number for number, other in enumerate(group)) for one in group]


class RegionPacking:
    """The greatest number of disjoint full regions of a group, for any set of full ones; answers are kept."""

    def __init__(self, group: Sequence[int]) -> None:
        self.group, self.near = list(group), overlaps(group)
        self.known = {0: 0}

    def most(self, pegs: int, goal: int) -> int:
        """Return the number of disjoint regions that are full of pegs and not full in the goal."""
        full = 0
        for number, region in enumerate(self.group):
            if pegs & region == region and goal & region != region:
                full |= 1 << number
        return self._most(full)

    def _most(self, full: int) -> int:
        """Return the number for a set of regions: the last one is part of a best family, or it is not."""
        known = self.known.get(full)
        if known is None:
            last = full.bit_length() - 1
            without, near = full ^ 1 << last, full & self.near[last]
            known = 1 + self._most(full & ~self.near[last])
            if near & near - 1:  # if no other one overlaps with it, it is part of a best family
                known = max(known, self._most(without))
            self.known[full] = known
        return known
