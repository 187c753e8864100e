"""Coordinates of the cells, if the directions of a board have them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...structure.boxes import Warehouse

if TYPE_CHECKING:
    import numpy as np


def axes(level: Warehouse) -> np.ndarray:
    """Return int16 [axes, cells]: for each pair of opposite directions how far a cell is along it.

    A step changes one coordinate at most, by one, and a push changes that of the box by as much as that of the player.
    Pairs of directions without such a coordinate, as on boards with diagonals, are left out.
    """
    import numpy as np

    found = [_axis(level, one, other) for one, other in _opposites(level)]
    rows = [row for row in found if row is not None]
    return np.array(rows, np.int16).reshape(len(rows), level.cells)


def _opposites(level: Warehouse) -> list[tuple[str, str]]:
    """Return the pairs of directions of which each undoes the other."""
    named = dict(zip(level.steps, level.directions, strict=True))
    back: dict[str, set[str]] = {}
    for (a, b), direction in named.items():
        back.setdefault(direction, set()).add(named.get((b, a), ""))
    return sorted((one, min(others)) for one, others in back.items() if len(others) == 1 and "" < one < min(others))


def _axis(level: Warehouse, one: str, other: str) -> list[int] | None:
    """Return a coordinate that a direction increases by one and the other one decreases, if there is one."""
    steps: dict[int, list[tuple[int, int]]] = {}
    for (a, b), direction in zip(level.steps, level.directions, strict=True):
        steps.setdefault(a, []).append((b, (direction == one) - (direction == other)))
    place: dict[int, int] = {}
    for root in range(level.cells):
        waiting = [root] if root not in place else []
        place.setdefault(root, 0)
        for cell in waiting:
            for near, change in steps.get(cell, []):
                if near not in place:
                    place[near] = place[cell] + change
                    waiting.append(near)
                elif place[near] != place[cell] + change:
                    return None
    if any(place[b] - place[a] != place[c] - place[b] for a, b, c in level.pushes):
        return None
    return [place[cell] for cell in range(level.cells)]
