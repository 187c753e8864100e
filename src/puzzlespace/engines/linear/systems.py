"""Systems of linear equations: the presses that meet a goal, all of them, and the least."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...limits.thresholds import Threshold
from ...limits.watch import Watch, paced
from ...model.goal import Goal
from ...model.model import Model
from ...structure.additions import Additions, Direction, read

MOST_COMBINATIONS = 1 << 20
"""The most combinations of moves without effect among which the least one is sought."""

COMPARED = Threshold(1 << 22)
"""Numbers of presses that are compared at once: an array of 32 MB."""


class System:
    """The presses that change some cells by given amounts: one solution, and a basis of those that change nothing.

    solvable      whether there is a solution
    one           presses of each direction that are a solution
    idle          rows of presses that change none of the cells, a basis of all of these
    combinations  the number of their combinations
    pivots        directions that are independent of each other; no press of another one is in `one`
    """

    def __init__(self, moves: Additions, cells: list[int], wanted: list[int]) -> None:
        import numpy as np

        m, count = moves.modulus, len(moves.directions)
        rows = np.zeros((len(cells), count + 1), np.int32)
        for column, each in enumerate(moves.directions):
            rows[:, column] = np.array(each.effect, np.int32)[cells]
        rows[:, count] = wanted
        pivots = _reduce(rows, m)
        self.solvable = not rows[len(pivots) :, count].any()
        self.one = np.zeros(count, np.int32)
        self.one[pivots] = rows[: len(pivots), count]
        self.pivots = pivots
        free = sorted(set(range(count)).difference(pivots))
        self.idle = np.zeros((len(free), count), np.int32)
        self.idle[range(len(free)), free] = 1
        if pivots and free:
            self.idle[:, pivots] = (-rows[: len(pivots), free].T) % m
        self.combinations: int = m ** len(free)

    def least(self, moves: Additions, watch: Watch) -> tuple[int, Any]:
        """Return the least number of moves of a solution, and the presses of all solutions with so many."""
        import numpy as np

        m, size = moves.modulus, max(1, watch.thresholds[COMPARED] // max(1, len(self.one)))
        watch.reserve(16 * min(self.combinations, size) * max(1, len(self.one)))
        costs = np.array([each.costs for each in moves.directions], np.int32).reshape(len(self.one), m)
        powers = m ** np.arange(len(self.idle), dtype=np.int64)
        best, kept = -1, []
        for begin in range(0, self.combinations, size):
            numbers = np.arange(begin, min(begin + size, self.combinations))
            watch.tick(len(numbers))
            digits = (numbers[:, None] // powers % m).astype(np.int32)
            presses = (digits @ self.idle + self.one) % m
            totals = costs[np.arange(len(self.one)), presses].sum(axis=1)
            least = int(totals.min())
            if best < 0 or least < best:
                best, kept = least, []
            kept.append(presses[totals == best])
        return best, np.concatenate(kept)


def _reduce(rows: Any, m: int) -> list[int]:
    """Bring the rows of a system modulo m into reduced echelon form in place; return the leading columns."""
    return _reduce_bits(rows) if m == 2 else _reduce_rows(rows, m)


def _reduce_rows(rows: Any, m: int) -> list[int]:
    pivots: list[int] = []
    for column in paced(range(rows.shape[1] - 1)):
        here = rows[len(pivots) :, column].nonzero()[0]
        if not len(here):
            continue
        row, found = len(pivots), len(pivots) + int(here[0])
        rows[[row, found]] = rows[[found, row]]
        rows[row] = rows[row] * pow(int(rows[row, column]), -1, m) % m
        others = rows[:, column].nonzero()[0]
        others = others[others != row]
        rows[others] = (rows[others] - rows[others, column, None] * rows[row]) % m
        pivots.append(column)
        if len(pivots) == len(rows):
            break
    return pivots


def _reduce_bits(rows: Any) -> list[int]:
    """Reduce a system modulo 2 as `_reduce` does, 64 columns at a time."""
    import numpy as np

    height, width = rows.shape
    packed = np.zeros((height, -(-width // 64) * 8), np.uint8)
    bits = np.packbits(rows.astype(np.uint8), axis=1)
    packed[:, : bits.shape[1]] = bits
    words = packed.view(np.uint64)
    pivots: list[int] = []
    for column in paced(range(width - 1)):
        row = len(pivots)
        if row == height:
            break
        ones = (packed[:, column >> 3] & 128 >> (column & 7)).nonzero()[0]
        first = ones.searchsorted(row)
        if first == len(ones):
            continue
        found = int(ones[first])
        words[[row, found]] = words[[found, row]]
        words[np.delete(ones, first)] ^= words[row]  # what was row `row` has a 0 here, unless it is `found`
        pivots.append(column)
    rows[:] = np.unpackbits(packed, axis=1, count=width)
    return pivots


def system_of(moves: Additions, goal: Goal) -> System | str | None:
    """Return the equations of a goal, None if no presses can meet it, or why it has none."""
    if goal.counts:
        return "a goal counts symbols"
    cells: list[int] = []
    wanted: list[int] = []
    for cell, (need, shown) in enumerate(zip(goal.need, moves.symbols, strict=True)):
        allowed = [number for number, symbol in enumerate(shown) if need >> symbol & 1]
        if not allowed:
            return None
        if len(allowed) == 1 < len(shown):
            cells.append(cell)
            wanted.append(allowed[0])
        elif len(allowed) < len(shown):
            return "a goal leaves a cell some of its symbols"
    found = System(moves, cells, wanted)
    if found.solvable and found.combinations > MOST_COMBINATIONS:
        return f"more than {MOST_COMBINATIONS:,} combinations of moves change nothing"
    return found if found.solvable else None


def systems_of(model: Model, origin: bytes) -> tuple[Additions, list[System]] | str:
    """Return the moves and the solvable systems of all goals, or why there are none."""
    return model.bare.kept(_find_systems, origin, model.goals)


def _find_systems(bare: Model, origin: bytes, goals: tuple[Goal, ...]) -> tuple[Additions, list[System]] | str:
    moves = read(bare, origin)
    if isinstance(moves, str):
        return moves
    found: list[System] = []
    for goal in goals:
        system = system_of(moves, goal)
        if isinstance(system, str):
            return system
        if system is not None:
            found.append(system)
    return moves, found


def reached(model: Model, origin: bytes) -> tuple[int, Callable[[int], bytes]] | None:
    """Return how many positions moves that add lead to, and which one has each number; None if moves do not add.

    Every position is the origin plus one combination of independent directions: their factors are the digits of its
    number, modulo m.
    """
    moves = read(model, origin)
    if isinstance(moves, str):
        return None
    independent = System(moves, list(range(len(moves.symbols))), [0] * len(moves.symbols)).pivots

    def position(number: int) -> bytes:
        presses: list[tuple[Direction, int]] = []
        for at in independent:
            number, factor = divmod(number, moves.modulus)
            presses.append((moves.directions[at], factor))
        return moves.position(presses)

    return moves.modulus ** len(independent), position
