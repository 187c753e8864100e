"""What a search sees of a puzzle: positions, moves, goals."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Protocol


class Space(Protocol):
    """The state space of a search: a Model, or a puzzle written as Python functions."""

    def moves(self, position: Any, /) -> Mapping[Any, Any] | Iterable[Any]:
        """Return the positions one move away."""
        ...

    def is_goal(self, position: Any, /) -> bool:
        """Return whether the position is a goal."""
        ...

    @property
    def start(self) -> Any:
        """The position from which the puzzle is solved, or None."""
        ...

    @property
    def backward(self) -> Space | None:
        """The space whose moves undo the moves of this one, or None if it is not known."""
        ...
