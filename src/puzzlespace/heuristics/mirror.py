"""Automorphisms of a board: maps of its cells onto themselves that keep neighbours."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .pattern import Grid


def mirrors(grid: Grid, fixed: int) -> Iterator[tuple[int, ...]]:
    """Yield every map of cells to cells that keeps neighbours and the cell `fixed`; the identity first."""
    count = len(grid.order)
    beside = [{other for other in range(count) if grid.near[place] >> other & 1} for place in range(count)]
    start = grid.place[fixed]
    order = _outward(beside, start)

    def extend(image: list[int]) -> Iterator[list[int]]:
        if len(image) == count:
            yield image
            return
        place = order[len(image)]
        for other in range(count) if image else [start]:
            if other not in image and len(beside[other]) == len(beside[place]) and _fits(image, place, other):
                yield from extend([*image, other])

    def _fits(image: Sequence[int], place: int, other: int) -> bool:
        return all((order[at] in beside[place]) == (image[at] in beside[other]) for at in range(len(image)))

    def cells(image: Sequence[int]) -> tuple[int, ...]:
        to = dict(zip(order, image, strict=True))
        return tuple(grid.order[to[grid.place[cell]]] for cell in range(count))

    found = map(cells, extend([]))
    identity = tuple(range(count))
    yield identity
    yield from (each for each in found if each != identity)


def _outward(beside: Sequence[set[int]], start: int) -> list[int]:
    """Return all places in breadth-first order from the start."""
    order = [start]
    for place in order:
        order += sorted(beside[place] - set(order))
    return order + [place for place in range(len(beside)) if place not in order]
