"""What every lower bound of slides is, and the greatest of several."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from ..errors import UnsupportedError
from ..model.goal import Goal


class Heuristic(Protocol):
    """A lower bound on the moves from a position to the goal."""

    def bound(self, position: bytes, /) -> int:
        """Return a lower bound on the moves from the position to a goal."""
        ...


@dataclass(frozen=True)
class Greatest:
    """The greatest of several bounds."""

    parts: tuple[Heuristic, ...]

    def bound(self, position: bytes) -> int:
        """Return a lower bound on the moves from the position to a goal."""
        return max(part.bound(position) for part in self.parts)


def single(goals: Sequence[Goal], name: str) -> bytes:
    """Return the goal position; raise UnsupportedError unless there is exactly one."""
    position = goals[0].position if len(goals) == 1 else None
    if position is None:
        raise UnsupportedError(f"heuristic {name}: it needs one goal position")
    return position
