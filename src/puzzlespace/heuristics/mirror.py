"""Automorphisms of a board: maps of its cells onto themselves that keep neighbours."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..limits.watch import checkpoint
from .pattern import Grid

MOST_STEPS = 20_000
"""The most steps of the search, about 0.1 s. A square of 5x5 takes 250; a star with 20 points has 20! automorphisms."""


def mirrors(grid: Grid, fixed: int) -> Iterator[tuple[int, ...]]:
    """Yield maps of cells to cells that keep neighbours and the cell `fixed`; the identity first.

    Cells without neighbours stay where they are. The search ends after MOST_STEPS steps, so some maps may be missing.
    """
    count = len(grid.order)
    beside = [{other for other in range(count) if grid.near[place] >> other & 1} for place in range(count)]
    start = grid.place[fixed]
    order = _outward(beside, start)
    left = MOST_STEPS

    def extend(image: list[int]) -> Iterator[list[int]]:
        nonlocal left
        left -= 1
        checkpoint()
        if len(image) == len(order):
            yield image
            return
        place = order[len(image)]
        for other in order if image else [start]:
            if left <= 0:
                return
            if other not in image and len(beside[other]) == len(beside[place]) and _fits(image, place, other):
                yield from extend([*image, other])

    def _fits(image: Sequence[int], place: int, other: int) -> bool:
        return all((order[at] in beside[place]) == (image[at] in beside[other]) for at in range(len(image)))

    def cells(image: Sequence[int]) -> tuple[int, ...]:
        to = dict(zip(order, image, strict=True))
        return tuple(grid.order[to.get(place, place)] for place in map(grid.place.__getitem__, range(count)))

    found = map(cells, extend([]))
    identity = tuple(range(count))
    yield identity
    yield from (each for each in found if each != identity)


def _outward(beside: Sequence[set[int]], start: int) -> list[int]:
    """Return the start and all places with neighbours, in breadth-first order from the start."""
    order = [start]
    for place in order:
        order += sorted(beside[place] - set(order))
    return order + [place for place in range(len(beside)) if place not in order and beside[place]]
