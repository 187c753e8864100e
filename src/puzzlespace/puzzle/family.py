"""A family: puzzles of one kind by size, such as `slide:4x4`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from .draft import Draft, Known
from .puzzle import Puzzle


@dataclass(frozen=True)
class Family:
    """Puzzles of one kind by size. form: 'slide:WxH'; `make` turns the text after the colon into a Draft or a Puzzle.

    examples  texts after the colon with the numbers known of them, for `list` and the tests
    """

    name: str
    form: str
    title: str
    make: Callable[[str], Draft | Puzzle]
    examples: Mapping[str, tuple[Known, ...]] = field(default_factory=dict[str, tuple[Known, ...]])
