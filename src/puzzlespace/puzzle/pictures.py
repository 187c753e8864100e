"""The hook by which `registry` sets the functions that draw puzzles and answers in notebooks.

So this room need not import `render`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol


class Pictures(Protocol):
    """Functions that return SVG text."""

    def position_svg(self, puzzle: Any, position: bytes, /) -> str:
        """Return the picture of a position."""
        ...

    def solution_svg(self, puzzle: Any, frames: Any, title: str, /) -> str:
        """Return the strip of boards of a solution."""
        ...

    def table_svg(self, puzzle: Any, table: Any, /) -> str:
        """Return the bar chart of a depth table."""
        ...


_loaders: list[Callable[[], Pictures]] = []


def drawn_by(load: Callable[[], Pictures]) -> None:
    """Set the function that returns the drawing functions; it is called for each picture."""
    _loaders[:] = [load]


def pictures() -> Pictures:
    """Return the drawing functions; raise IndexError before `registry`, which calls `drawn_by`, is imported."""
    return _loaders[0]()
