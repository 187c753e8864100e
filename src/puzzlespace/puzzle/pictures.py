"""Who draws puzzles and answers for notebooks: said once, by `registry`, so that a puzzle knows no pictures."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol


class Pictures(Protocol):
    """Draws as SVG text."""

    def position_svg(self, puzzle: Any, position: bytes, /) -> str:
        """Return the picture of a position."""
        ...

    def solution_svg(self, puzzle: Any, frames: Any, title: str, /) -> str:
        """Return the strip of boards of a solution."""
        ...

    def table_svg(self, puzzle: Any, table: Any, /) -> str:
        """Return the bars of a depth table."""
        ...


_loaders: list[Callable[[], Pictures]] = []


def drawn_by(load: Callable[[], Pictures]) -> None:
    """Let `load`, called at the first picture, return what draws."""
    _loaders[:] = [load]


def pictures() -> Pictures:
    """Return what draws. Raises IndexError before `drawn_by`, which `registry` calls when it is imported."""
    return _loaders[0]()
