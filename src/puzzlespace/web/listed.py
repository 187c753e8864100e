"""The distances of a puzzle of few positions in a folder, for Python without NumPy."""

from __future__ import annotations

import random
from array import array
from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path

from ..analysis.impossible import goal_positions
from ..errors import UnsupportedError
from ..graph.listed import ListedGraph, listed
from ..limits.watch import Limits, watched
from ..model.model import Model
from ..puzzle.puzzle import Puzzle
from .wire import UNKNOWN


class ListedFolder:
    """All positions with their distances to the goal and from the start, as `folders.GraphFolder` has them."""

    def __init__(self, folder: Path, cells: int) -> None:
        shown = (folder / "positions").read_bytes()
        self.positions = [shown[at : at + cells] for at in range(0, len(shown), cells)]
        self.away, self.layers = (array("i", (folder / name).read_bytes()) for name in ("away", "layers"))

    @staticmethod
    def there(folder: Path) -> bool:
        """Return whether a folder has distances of this kind."""
        return (folder / "positions").exists()

    @staticmethod
    def save(folder: Path, graph: ListedGraph, away: array[int]) -> None:
        """Write all positions and their distances to the goal."""
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "away").write_bytes(away.tobytes())
        (folder / "layers").write_bytes(graph.layers.tobytes())
        (folder / "positions").write_bytes(b"".join(graph.positions))

    @cached_property
    def _numbers(self) -> dict[bytes, int]:
        return {position: number for number, position in enumerate(self.positions)}

    def distances(self, positions: Sequence[bytes]) -> list[int | None]:
        """Return the moves to the goal; None if it cannot be reached, UNKNOWN for other positions."""
        numbers = [self._numbers.get(position) for position in positions]
        found = [UNKNOWN if number is None else self.away[number] for number in numbers]
        return [
            None if number is not None and each < 0 else each for number, each in zip(numbers, found, strict=True)
        ]  # fmt: skip

    near = distances

    def sample(self, depth: int, origin: str, hardest: Sequence[bytes]) -> bytes | None:
        """Return a random position of that depth, or None."""
        depths = self.away if origin == "goal" else self.layers
        return self._some(number for number, each in enumerate(depths) if each == depth)

    def any_but(self, position: bytes) -> bytes | None:
        """Return a random other position that can be solved and is not solved yet, or None."""
        here = self._numbers.get(position)
        return self._some(number for number, each in enumerate(self.away) if each > 0 and number != here)

    def _some(self, wanted: Iterable[int]) -> bytes | None:
        among = list(wanted)
        return self.positions[random.choice(among)] if among else None


def whole_list(puzzle: Puzzle, model: Model, most: int, limits: Limits) -> tuple[ListedGraph, array[int]]:
    """Return the positions that the start reaches, as `folders.whole_graph`, and their distances to the goal.

    If moves can be undone and the start reaches no goal, or there is none, the positions are those of the goals: the
    same ones that a depth table counts.
    Raises UnsupportedError, LimitError.
    """
    with watched(limits) as watch:
        if puzzle.start is not None:
            graph = listed(model, [puzzle.start], most, watch)
            away = graph.distances(model) if graph.complete else array("i", [-1])
            if graph.complete and (max(away) >= 0 or not model.reversible):
                return graph, away
        goals = goal_positions(model) if model.reversible else None
        if not goals:
            raise UnsupportedError(f"{puzzle.name}: a list needs at most {most:,} positions, and a start or a goal")
        graph = listed(model, list(goals), most, watch)
        if not graph.complete:
            raise UnsupportedError(f"more than {most:,} positions")
        return graph, graph.distances(model)
