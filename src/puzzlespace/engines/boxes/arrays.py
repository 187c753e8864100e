"""A level as arrays for the kernels: rows of one width, with -1 after the last entry; each row has at least one -1."""

from __future__ import annotations

import numpy as np

from ...structure.boxes import Warehouse


def neighbours(level: Warehouse) -> np.ndarray:
    """Return int16 [cells, ways]: the cells to which the player can step from a cell."""
    return _filled([[b for a, b in level.steps if a == cell] for cell in range(level.cells)], -1)


def pushes_out(level: Warehouse) -> np.ndarray:
    """Return int16 [cells, ways, 2]: for each push of a box in a cell the player's cell and the cell behind."""
    return _filled([[(a, c) for a, b, c in level.pushes if b == cell] for cell in range(level.cells)], (-1, -1))


def pushes_in(level: Warehouse) -> np.ndarray:
    """Return int16 [cells, ways, 2]: for each push that ends in a cell the cells of the player and of the box."""
    return _filled([[(a, b) for a, b, c in level.pushes if c == cell] for cell in range(level.cells)], (-1, -1))


def pushes_onward(level: Warehouse, out: np.ndarray) -> np.ndarray:
    """Return int16 [cells, ways]: the way in the cell behind of the push that may follow at no cost, -1 for none."""
    onward = np.full(out.shape[:2], -1, np.int16)
    at = [(b, out[b].tolist().index([a, c])) for a, b, c in level.pushes]
    for number, later in enumerate(level.onward):
        if later >= 0:
            onward[at[number]] = at[later][1]
    return onward


def _filled(lists: list[list], end: int | tuple[int, int]) -> np.ndarray:
    width = max(map(len, lists), default=0) + 1
    return np.array([row + [end] * (width - len(row)) for row in lists], np.int16)
